"""The point picker: a picture to click on, saying what is meant and what is not."""

from __future__ import annotations

from controlllm.ui.drawings.icons import icon
from controlllm.ui.texts import say_html


def picker() -> str:
    """The dialog; the page's script fills in the picture and its marks."""
    return f"""
<dialog id="picker" class="dialog picker" aria-labelledby="picker-title">
  <header class="dialog-head"><h2 id="picker-title">{say_html("pointing.title")}</h2>
    <button type="button" class="quiet" data-do="close" aria-label="{say_html("page.close")}">{
        icon("cross")
    }</button>
  </header>
  <div class="picker-tools" role="toolbar" aria-label="{say_html("pointing.tools")}">
    <div class="switch" role="radiogroup" aria-label="{say_html("pointing.click_says")}">
      {_tools()}
    </div>
    <label id="picker-brush-size" class="zoom" hidden>{
        say_html("pointing.brush_size")
    } <input type="range" id="picker-brush" min="1" max="20" step="0.5" value="5"></label>
    <button type="button" class="small" id="picker-undo">{icon("undo")}{
        say_html("pointing.undo")
    }</button>
    <button type="button" class="small" id="picker-clear">{icon("trash")}{
        say_html("pointing.clear")
    }</button>
    <span class="grow"></span>
    <label class="zoom">{
        say_html("pointing.zoom")
    } <input type="range" id="picker-zoom" min="1" max="6"
      step="0.25" value="1"></label>
  </div>
  <div id="picker-stage" class="picker-stage" tabindex="0" role="application"
    aria-label="{say_html("pointing.picture")}" aria-describedby="picker-keys picker-status">
    <div id="picker-sheet" class="picker-sheet"><img id="picker-picture" alt="" draggable="false">
      <canvas id="picker-regions" class="picker-layer"></canvas>
      <canvas id="picker-mask" class="picker-layer"></canvas>
      <svg id="picker-drawn" class="picker-layer" preserveAspectRatio="none"
        aria-hidden="true"></svg>
      <div id="picker-badges" aria-hidden="true"></div>
      <div id="picker-marks"></div><div id="picker-cross" class="picker-cross" hidden></div></div>
  </div>
  <p id="picker-help" class="picker-help">{say_html("pointing.help")}</p>
  <p id="picker-keys" class="for-screen-readers">{say_html("pointing.help_keys")}</p>
  <div id="picker-pictures" class="picker-pictures" role="group"
    aria-label="{say_html("pointing.pictures")}"></div>
  <div class="dialog-foot"><p id="picker-status" role="status"></p>
    <button type="button" class="small" id="picker-more" disabled>{
        say_html("pointing.use_more")
    }</button>
    <button type="button" class="primary" id="picker-use" disabled>{
        say_html("pointing.use")
    }</button></div>
</dialog>"""


def _tools() -> str:
    """What the pointer or the keyboard draws."""
    tools = (
        ("positive", "plus", "this"),
        ("negative", "minus", "not_this"),
        ("box", "frame", "box"),
        ("brush", "brush", "brush"),
        ("eraser", "eraser", "eraser"),
    )
    return "".join(
        f'<label><input type="radio" name="picker-sign" value="{value}"'
        f'{" checked" if value == "positive" else ""}><span class="{value}">{icon(sign)}'
        f'<span class="tool-word">{say_html(f"pointing.{word}")}</span></span></label>'
        for value, sign, word in tools
    )
