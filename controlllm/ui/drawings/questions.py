"""Questions to the person, with choices to take: words, or pictures of what may be meant."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from controlllm.core.questions import Question
from controlllm.resources import Box, Resource
from controlllm.ui.drawings.icons import icon
from controlllm.ui.drawings.media import Media
from controlllm.ui.drawings.wording import attributes
from controlllm.ui.view import TurnView

#: How much of a thing's surroundings is shown around it, as a part of its size: enough to see where
#: in the picture it is, since things that lie over each other look alike.
_AROUND = 0.35


def questions(view: TurnView, media: Media, known: Mapping[str, Resource]) -> str:
    """The questions of a turn that wait for an answer. `known` are the session's resources."""
    return "".join(
        f'<div class="question" role="group" aria-label="{escape(asked.message)}">{icon("info")}'
        f'<div><p>{escape(asked.message)}</p><p class="choices-of">'
        f"{_choices(view, place, asked, media, known)}</p></div></div>"
        for place, asked in enumerate(view.questions)
    )


def _choices(
    view: TurnView, question: int, asked: Question, media: Media, known: Mapping[str, Resource]
) -> str:
    picture = known.get(asked.picture)
    # As they stand in the picture, whichever is likeliest.
    places = sorted(
        range(len(asked.choices)),
        key=lambda place: asked.boxes[place].left if asked.boxes else place,
    )
    buttons = []
    for place in places:
        words = asked.choices[place]
        button = attributes(
            type="button",
            class_="choice",
            data_do="choose",
            data_turn=view.number,
            data_question=question,
            data_choice=place,
            aria_label=words,
            disabled=view.state == "running",
        )
        shown = _cut_out(asked.boxes[place], picture, media) if asked.boxes and picture else ""
        told = f'<span class="choice-words">{escape(words)}</span>' if shown else escape(words)
        buttons.append(f"<button {button}>{shown}{told}</button>")
    return "".join(buttons)


def _cut_out(box: Box, picture: Resource, media: Media) -> str:
    """The part of a picture around a box, as a small drawing in which what lies outside of the box
    is darker and the box has a frame; empty where the picture's size is unknown."""
    width, height = picture.details.get("width"), picture.details.get("height")
    if not width or not height:
        return ""
    wide, high = box.right - box.left, box.bottom - box.top
    left, top = max(box.left - _AROUND * wide, 0), max(box.top - _AROUND * high, 0)
    right = min(box.right + _AROUND * wide, width)
    bottom = min(box.bottom + _AROUND * high, height)
    shape = attributes(
        class_="cut-out",
        viewBox=f"{left:.0f} {top:.0f} {max(right - left, 1):.0f} {max(bottom - top, 1):.0f}",
        aria_hidden="true",
    )
    image = attributes(href=media.address(picture), width=width, height=height)
    inside = f"M{box.left:.0f} {box.top:.0f}h{wide:.0f}v{high:.0f}h{-wide:.0f}z"
    around = attributes(class_="not-meant", d=f"M0 0h{width}v{height}h-{width}z{inside}")
    frame = attributes(class_="meant", d=inside)
    return f"<svg {shape}><image {image}/><path {around}/><path {frame}/></svg>"
