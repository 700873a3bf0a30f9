"""The answer: each piece that rests on a result leads to the step, and the box, it rests on."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape

from controlllm.core.citations import Citation
from controlllm.resources import Resource
from controlllm.ui.drawings.icons import icon
from controlllm.ui.drawings.markdown import to_html
from controlllm.ui.drawings.wording import attributes, tool_label, without_commands
from controlllm.ui.texts import say
from controlllm.ui.view import TurnView

#: Characters that no text has: where a piece begins, its number between two, and where it ends.
_OPEN, _OPENED, _CLOSE = "\ue000", "\ue001", "\ue002"
_FOREIGN = str.maketrans({_OPEN: " ", _OPENED: " ", _CLOSE: " "})


def answer(view: TurnView, known: Mapping[str, Resource], marks: bool = True) -> str:
    """The answer as far as it is written, and what was done in another way than first tried.

    Without `marks` its pieces lead nowhere, for where there are no scripts.
    """
    if not view.answer:
        return ""
    busy = " is-writing" if view.state == "running" else ""
    text = without_commands(view.answer)
    # Where something was left out of the text, the places in it mean others.
    grounds = view.grounds if marks and text == view.answer else ()
    html = to_html(_with_signs(text, grounds), known)
    return f'<div class="answer{busy}">{_with_marks(html, grounds, view)}</div>{_fallbacks(view)}'


def _with_signs(text: str, grounds: tuple[Citation, ...]) -> str:
    text = text.translate(_FOREIGN)
    end = len(text)
    for number, ground in reversed(list(enumerate(grounds))):
        if not 0 <= ground.start < ground.end <= end:
            continue
        piece = f"{_OPEN}{number}{_OPENED}{text[ground.start : ground.end]}{_CLOSE}"
        text = text[: ground.start] + piece + text[ground.end :]
        end = ground.start
    return text


def _with_marks(html: str, grounds: tuple[Citation, ...], view: TurnView) -> str:
    tools = {step.key: step.action.tool for step in view.steps()}
    reached: set[tuple[str, int | None]] = set()

    def opened(found: re.Match[str]) -> str:
        ground = grounds[int(found.group(1))]
        if ground.key not in tools:
            return "<span>"
        resource = view.action(ground.key).resource
        place = (ground.key, ground.region)
        words = say("sources_of_answer.rests_on", tool=tool_label(tools[ground.key]))
        mark = attributes(
            class_="ground",
            role="button",
            data_do="ground",
            data_step=ground.key,
            data_turn=view.number,
            data_figure=f"{resource.value}-{resource.digest[:12]}" if resource else None,
            data_region=ground.region,
            title=words,
            aria_description=words,
            # One stop of the keyboard for what leads to the same place.
            tabindex=-1 if place in reached else 0,
        )
        reached.add(place)
        return f"<span {mark}>"

    html = re.sub(f"{_OPEN}(\\d+){_OPENED}", opened, html)
    return html.replace(_CLOSE, "</span>")


def _fallbacks(view: TurnView) -> str:
    if not view.fallbacks or view.state == "running":
        return ""
    told = "".join(f"<li>{escape(without_commands(said))}</li>" for said in view.fallbacks)
    title = escape(say("sources_of_answer.fallbacks"))
    return (
        f'<div class="fallbacks" role="note">{icon("info")}<div><strong>{title}</strong>'
        f"<ul>{told}</ul></div></div>"
    )
