"""What stands in the dialogs of pointing; the scripts of their components fill in the rest."""

from __future__ import annotations

from controlllm.ui.drawings.icons import icon
from controlllm.ui.drawings.markup import attributes
from controlllm.ui.texts import say, say_html

_TOOLS = (
    ("positive", "plus", "this"),
    ("negative", "minus", "not_this"),
    ("box", "frame", "box"),
    ("brush", "brush", "brush"),
    ("eraser", "eraser", "eraser"),
)


def point_picker() -> str:
    """A picture with what is drawn on it, and the tools to draw with."""
    stage = attributes(
        class_="picker-stage", tabindex="0", role="application",
        aria_label=say("pointing.picture"), aria_describedby="picker-keys picker-status",
    )  # fmt: skip
    return f"""
<div class="picker-tools" role="toolbar" aria-label="{say_html("pointing.tools")}">
  <div class="switch" role="radiogroup" aria-label="{say_html("pointing.click_says")}">
    {"".join(_tool(*tool) for tool in _TOOLS)}
  </div>
  {_slider("brush", say("pointing.brush_size"), 1, 20, 0.5, 5)}
  {_button("picker-undo", "undo", "undo")}{_button("picker-clear", "trash", "clear")}
  <span class="grow"></span>
  {_slider("zoom", say("pointing.zoom"), 1, 6, 0.25, 1)}
</div>
<div {stage}>
  <div class="picker-sheet"><img class="picker-picture" alt="" draggable="false">
    <div class="picker-regions" aria-hidden="true"></div>
    <img class="picker-layer picker-mask" alt="" hidden>
    <svg class="picker-layer picker-drawn" preserveAspectRatio="none" aria-hidden="true"></svg>
    <div class="picker-marks"></div><div class="picker-cross" hidden></div></div>
</div>
<div class="picker-foot">
  <p class="picker-help">{say_html("pointing.help")}</p>
  <p id="picker-keys" class="for-screen-readers">{say_html("pointing.help_keys")}</p>
  <div class="picker-pictures" role="group" aria-label="{say_html("pointing.pictures")}"></div>
  <div class="picker-end"><p id="picker-status" class="picker-status" role="status"></p>
    <button type="button" class="small picker-more" disabled>{
        say_html("pointing.use_more")
    }</button>
    <button type="button" class="primary picker-use" disabled>{say_html("pointing.use")}</button>
  </div>
</div>"""


def time_cutter() -> str:
    """A sound or a video of which a part, or a frame, is meant."""
    words = attributes(
        class_="spoken-words", role="listbox", tabindex="0", dir="auto",
        aria_multiselectable="true", aria_label=say("pointing.words"),
        aria_describedby="spoken-says",
    )  # fmt: skip
    wave = attributes(
        class_="cutter-loudness", role="img", aria_label=say("pointing.wave"),
        preserveAspectRatio="none",
    )  # fmt: skip
    return f"""
<div class="cutter-player"></div>
<div class="cutter-wave">
  <svg {wave}><path></path></svg>
  <div class="cutter-part"></div><div class="cutter-now"></div>{_handle("start")}{_handle("end")}
</div>
<p class="picker-help">{say_html("pointing.part_help")}</p>
<div class="spoken">
  <p id="spoken-says" class="spoken-says" role="status"></p>
  <progress class="spoken-share" max="1" aria-labelledby="spoken-says"></progress>
  <ol {words}></ol>
</div>
<div class="picker-end"><p class="cutter-says" role="status"></p>
  {_button("cutter-play", "play", "play_part")}{_button("cutter-words", "", "show_words")}
  {_button("cutter-frame", "image", "this_frame")}
  <button type="button" class="primary cutter-use">{say_html("pointing.this_part")}</button>
</div>"""


def _tool(value: str, sign: str, word: str) -> str:
    radio = attributes(type="radio", name="picker-tool", value=value, checked=value == "positive")
    words = f'<span class="tool-word">{say_html(f"pointing.{word}")}</span>'
    return f'<label><input {radio}><span class="{value}">{icon(sign)}{words}</span></label>'


def _slider(name: str, label: str, least: float, most: float, step: float, value: float) -> str:
    slider = attributes(type="range", min=least, max=most, step=step, value=value)
    return f'<label class="zoom picker-{name}">{label} <input {slider}></label>'


def _button(name: str, sign: str, words: str) -> str:
    drawn = (icon(sign) if sign else "") + say_html(f"pointing.{words}")
    return f'<button type="button" class="small {name}">{drawn}</button>'


def _handle(which: str) -> str:
    handle = attributes(
        class_=f"cutter-handle is-{which}", role="slider", tabindex="0",
        aria_label=say(f"pointing.part_{which}"),
    )  # fmt: skip
    return f"<div {handle}></div>"
