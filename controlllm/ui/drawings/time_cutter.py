"""The cutter: the part of a sound or a video, or the frame, that somebody means."""

from __future__ import annotations

from controlllm.ui.drawings.icons import icon
from controlllm.ui.drawings.wording import attributes
from controlllm.ui.texts import say, say_html


def time_cutter() -> str:
    """What stands in its dialog; the component's script fills in player, loudness and words."""
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
  {_button("play", "play", "play_part")}{_button("words", "", "show_words")}
  {_button("frame", "image", "this_frame")}
  <button type="button" class="primary cutter-use">{say_html("pointing.this_part")}</button>
</div>"""


def _button(name: str, sign: str, words: str) -> str:
    drawn = (icon(sign) if sign else "") + say_html(f"pointing.{words}")
    return f'<button type="button" class="small cutter-{name}">{drawn}</button>'


def _handle(which: str) -> str:
    handle = attributes(
        class_=f"cutter-handle is-{which}", role="slider", tabindex="0",
        aria_label=say(f"pointing.part_{which}"),
    )  # fmt: skip
    return f"<div {handle}></div>"
