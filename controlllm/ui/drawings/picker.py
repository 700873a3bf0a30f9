"""The point picker: a picture to click on, saying what is meant and what is not."""

from __future__ import annotations

from controlllm.ui.drawings.icons import icon


def picker() -> str:
    """The dialog; the page's script fills in the picture and its marks."""
    return f"""
<dialog id="picker" class="dialog picker" aria-labelledby="picker-title">
  <header class="dialog-head"><h2 id="picker-title">Point at what you mean</h2>
    <button type="button" class="quiet" data-do="close" aria-label="Close">{icon("cross")}</button>
  </header>
  <div class="picker-tools" role="toolbar" aria-label="Pointing">
    <div class="switch" role="radiogroup" aria-label="A click says">
      <label><input type="radio" name="picker-sign" value="positive" checked>
        <span class="positive">{icon("plus")}This</span></label>
      <label><input type="radio" name="picker-sign" value="negative">
        <span class="negative">{icon("minus")}Not this</span></label>
    </div>
    <button type="button" class="small" id="picker-undo">{icon("undo")}Undo</button>
    <button type="button" class="small" id="picker-clear">{icon("trash")}Clear</button>
    <span class="grow"></span>
    <label class="zoom">Zoom <input type="range" id="picker-zoom" min="1" max="6" step="0.25"
      value="1"></label>
  </div>
  <div id="picker-stage" class="picker-stage" tabindex="0" role="application"
    aria-label="Picture to point at" aria-describedby="picker-help picker-status">
    <div id="picker-sheet" class="picker-sheet"><img id="picker-picture" alt="" draggable="false">
      <div id="picker-marks"></div><div id="picker-cross" class="picker-cross" hidden></div></div>
  </div>
  <p id="picker-help" class="picker-help">Click for “this”, right-click or Shift-click for “not
    this”. With the keyboard: arrows move, Enter marks, Shift+Enter marks “not this”.</p>
  <div id="picker-pictures" class="picker-pictures" role="group" aria-label="Pictures"></div>
  <div class="dialog-foot"><p id="picker-status" role="status"></p>
    <button type="button" class="primary" id="picker-use" disabled>Use these points</button></div>
</dialog>"""
