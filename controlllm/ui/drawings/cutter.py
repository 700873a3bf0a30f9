"""The cutter: the part of a sound or a video, or the frame, that somebody means."""

from __future__ import annotations

from controlllm.ui.drawings.icons import icon
from controlllm.ui.texts import say_html


def cutter() -> str:
    """The dialog; the page's script fills in the player and the loudness."""
    return f"""
<dialog id="cutter" class="dialog cutter" aria-labelledby="cutter-title">
  <header class="dialog-head"><h2 id="cutter-title" dir="auto"></h2>
    <button type="button" class="quiet" data-do="close" aria-label="{say_html("page.close")}">{
        icon("cross")
    }</button>
  </header>
  <div id="cutter-player" class="cutter-player"></div>
  <div id="cutter-wave" class="cutter-wave">
    <canvas id="cutter-canvas" role="img" aria-label="{say_html("pointing.wave")}"></canvas>
    <div id="cutter-part" class="cutter-part"></div>
    <div id="cutter-now" class="cutter-now"></div>
    {_handle("start")}{_handle("end")}
  </div>
  <p class="picker-help">{say_html("pointing.part_help")}</p>
  <div id="spoken" class="spoken" hidden>
    <p id="spoken-says" class="picker-help" role="status"></p>
    <progress id="spoken-share" aria-labelledby="spoken-says"></progress>
    <ol id="spoken-words" role="listbox" tabindex="0" dir="auto" aria-multiselectable="true"
      aria-label="{say_html("pointing.words")}" aria-describedby="spoken-says"></ol>
  </div>
  <div class="dialog-foot"><p id="cutter-says" role="status"></p>
    <button type="button" class="small" id="cutter-play">{icon("video")}{
        say_html("pointing.play_part")
    }</button>
    <button type="button" class="small" id="cutter-words"></button>
    <button type="button" class="small" id="cutter-frame">{icon("image")}{
        say_html("pointing.this_frame")
    }</button>
    <button type="button" class="primary" id="cutter-use">{say_html("pointing.this_part")}</button>
  </div>
</dialog>"""


def _handle(which: str) -> str:
    return (
        f'<div id="cutter-{which}" class="cutter-handle is-{which}" role="slider" tabindex="0" '
        f'aria-label="{say_html(f"pointing.part_{which}")}"></div>'
    )
