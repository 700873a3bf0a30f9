"""The plan of a turn beside the conversation: its picture with its steps, and the ways to choose
from."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from controlllm.core.plans import Subtask
from controlllm.resources import Resource
from controlllm.ui.drawings.conversation import plan_steps, search_note
from controlllm.ui.drawings.media import Media
from controlllm.ui.drawings.plan_graph import plan_graph
from controlllm.ui.drawings.solutions import act_button, ways
from controlllm.ui.drawings.why_not import why_not_field
from controlllm.ui.texts import say_html
from controlllm.ui.view import TurnView


def no_plan() -> tuple[str, ...]:
    """What stands there before anything was planned."""
    return (f'<p class="quiet-words">{say_html("steps.no_plan_yet")}</p>',)


def plan_parts(view: TurnView, media: Media, known: Mapping[str, Resource]) -> tuple[str, ...]:
    """The picture of a plan and its steps below it, in parts that change each by itself."""
    if not view.subtasks:
        return no_plan()
    return (
        plan_graph(view, media, known),
        '<ol class="subtasks">',
        *plan_steps(view, media, known),
        "</ol>",
    )


def way_parts(view: TurnView, media: Media, known: Mapping[str, Resource]) -> tuple[str, ...]:
    """The ways of each part of a request."""
    if not view.subtasks:
        return no_plan()
    return tuple(_part(view, number, part, media) for number, part in enumerate(view.subtasks, 1))


def _part(view: TurnView, number: int, part: Subtask, media: Media) -> str:
    found = view.solutions.get(part.id, ())
    count = say_html("turns.ways_found", count=len(found)) if found else ""
    cards = ways(view, part, media)
    if not found and view.state != "running":
        cards = f'<p class="lacking">{act_button(view, part)}</p>'
    note = escape(search_note(view, part))
    return (
        f'<section class="part" data-key="part-{part.id}"><h3><span class="ordinal">{number}</span>'
        f'<span dir="auto">{escape(part.description)}</span></h3>'
        f'<p class="quiet-words">{count} <span class="search-note">{note}</span></p>{cards}'
        f"{why_not_field(view, part)}</section>"
    )
