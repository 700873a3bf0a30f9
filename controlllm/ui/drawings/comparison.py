"""Two ways of a subtask side by side: what they came to, and which of them to keep."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from typing import Any

from controlllm.core.comparison import Comparison
from controlllm.core.plans import Solution, Subtask, generated
from controlllm.resources import Resource
from controlllm.ui.drawings.compared_results import (
    LETTERS,
    TEXTS,
    players,
    said_of_pictures,
    same_shape,
    words,
)
from controlllm.ui.drawings.differing import in_one_line
from controlllm.ui.drawings.icons import STATE_ICONS, icon
from controlllm.ui.drawings.markup import button, inline_code, quiet
from controlllm.ui.drawings.media import Media, figure, is_picture
from controlllm.ui.drawings.plan import progress
from controlllm.ui.drawings.solutions import chain, way_button
from controlllm.ui.drawings.wording import seconds_label, tool_label, without_commands
from controlllm.ui.texts import say, say_html
from controlllm.ui.view import TurnView


@dataclass(frozen=True)
class Compared:
    """What a dialog shows of two ways of a part.

    Parameters
    ----------
    title: of which part they are.
    ways: those that were run, by what they are called and their place among the part's.
    left, right: the places of the two that are compared.
    parts: who they are, with buttons that keep one, and what they came to.
    pictures: the two results where they lie over each other; else None.
    """

    title: str
    ways: tuple[tuple[str, int], ...]
    left: int
    right: int
    parts: tuple[str, ...]
    pictures: tuple[Resource, Resource] | None = None


@dataclass(frozen=True)
class _Side:
    """One of the two ways: its letter, its place among the subtask's, and what it made."""

    letter: str
    index: int
    way: Solution
    made: Resource | None
    problem: str


def comparison_lines(view: TurnView) -> str:
    """What was tried beside the ways in use in a line for each part, which opens both to be
    compared; while one is tried, how far it is."""
    return "".join(
        _line(view, subtask, sides)
        for subtask in view.subtasks
        if view.plan is not None and (sides := _sides(view, subtask))
    )


def _line(view: TurnView, subtask: Subtask, sides: tuple[_Side, ...]) -> str:
    at_work = [side for side in sides if view.trying == (subtask.id, side.index)]
    names = " · ".join(
        f'<span class="side-letter" aria-hidden="true">{side.letter}</span>'
        f"{escape(', '.join(map(tool_label, side.way.tools)))}"
        for side in sides
    )
    look = button(
        "show-comparison", say_html("compare.look"), "compare", data_key="look",
        data_turn=view.number, data_subtask=subtask.id, aria_label=_title(view, subtask),
    )  # fmt: skip
    steps = "".join(_progress(view, subtask, side) for side in at_work)
    return (
        f'<div class="compared-line" data-key="comparison-{subtask.id}">{quiet(names)}'
        f"{steps or look}</div>"
    )


def standing(view: TurnView, handle: str) -> dict[str, Any]:
    """How far the ways of a turn are compared, for a page to see when that changes: the part that
    a way is tried of now (-1 for none), and a mark that is another one when something differs."""
    compared = [
        (
            number,
            beside.to_json(),
            view.plan.chosen.get(number, 0) if view.plan else 0,
            [
                (key, item.state, round(item.fraction, 1), item.resource and item.resource.digest)
                for key, item in view.actions.items()
                if key.split(".")[0] == str(number)
            ],
        )
        for number, beside in view.beside.items()
    ]
    mark = repr((view.state, view.trying, compared)) if compared else ""
    return {
        "handle": handle,
        "turn": view.number,
        "trying": view.trying[0] if view.trying is not None else -1,
        "mark": sha256(mark.encode()).hexdigest()[:16],
    }


def compared_ways(
    view: TurnView, number: int, media: Media, known: Mapping[str, Resource]
) -> Compared | None:
    """Two ways of a part as a dialog compares them; None where nothing was tried beside."""
    subtask = next((item for item in view.subtasks if item.id == number), None)
    sides = _sides(view, subtask) if subtask is not None and view.plan is not None else ()
    if subtask is None or view.plan is None or not sides:
        return None
    beside, ways = view.beside[number], view.solutions[number]
    chosen = view.plan.chosen.get(number, 0)
    heads = "".join(_head(view, subtask, side, sides[0], chosen, beside) for side in sides)
    run = [place for place in sorted({chosen, *beside.tried}) if place < len(ways)]
    left, right = (side.made for side in sides)
    pictures = None
    if left is not None and right is not None and _lie_over(view, subtask, sides):
        pictures, body = (left, right), said_of_pictures(left, right, media)
    elif view.trying is None and view.state == "running" and (left is None or right is None):
        body = quiet(say_html("stages.starting"))
    else:
        body = _body(view, subtask, sides, media, known)
    end = button(
        "end-comparison", say_html("compare.close"), "cross", data_turn=view.number,
        data_subtask=number,
    )  # fmt: skip
    return Compared(
        _title(view, subtask),
        tuple((", ".join(map(tool_label, ways[place].tools)), place) for place in run),
        sides[0].index,
        sides[1].index,
        (
            f'<div class="comparison"><div class="compared-heads" data-key="heads">{heads}</div>',
            f'<div class="compared-body" data-key="body">{body}</div>',
            f'<p class="row" data-key="end">{end}</p></div>',
        ),
        pictures,
    )


def _title(view: TurnView, subtask: Subtask) -> str:
    if len(view.subtasks) > 1:
        return say("compare.title_of", what=subtask.description)
    return say("compare.title")


def _sides(view: TurnView, subtask: Subtask) -> tuple[_Side, ...]:
    """The two ways of a part that are compared; none where nothing was tried beside."""
    if subtask.id not in view.beside:
        return ()
    beside, ways = view.beside[subtask.id], view.solutions.get(subtask.id, ())
    chosen = view.plan.chosen.get(subtask.id, 0) if view.plan else 0
    tried = {place: said for place, said in beside.tried.items() if place < len(ways)}
    shown = [place for place in (beside.left, beside.right) if place in tried or place == chosen]
    if len(set(shown)) < 2:
        return ()
    return tuple(
        _Side(letter, place, ways[place], _made(view, subtask, place), tried.get(place, ""))
        for letter, place in zip(LETTERS, shown, strict=True)
    )


def _lie_over(view: TurnView, subtask: Subtask, sides: tuple[_Side, ...]) -> bool:
    """Whether both came to pictures of the same shape that are not one and the same file."""
    left, right = (side.made for side in sides)
    if left is None or right is None or any(side.problem for side in sides):
        return False
    if any(view.trying == (subtask.id, side.index) for side in sides):
        return False
    is_one = (left.type, left.digest) == (right.type, right.digest)
    return not is_one and is_picture(left) and is_picture(right) and same_shape(left, right)


def _head(
    view: TurnView, subtask: Subtask, side: _Side, first: _Side, chosen: int, beside: Comparison
) -> str:
    tools = ", ".join(map(tool_label, side.way.tools))
    said = "" if side is first else escape(in_one_line(side.way, first.way))
    seconds = sum(
        view.action(f"{subtask.id}.{side.index}.{place}").seconds or 0
        for place in range(len(side.way.actions))
    )
    took = ""
    if seconds and not side.problem:
        took = f'<span class="took">{say_html("compare.took", time=seconds_label(seconds))}</span>'
    keep = ""
    if side.index == beside.keeps == chosen:
        keep = way_button(
            view, "take-back", subtask, beside.former, say_html("compare.take_back"), "again",
            aria_label=say("compare.take_back_what", letter=side.letter, tools=tools),
            data_key="take-back",
        )  # fmt: skip
    elif side.made is not None and not side.problem:
        keep = way_button(
            view, "keep-way", subtask, side.index, say_html("compare.keep"), "check",
            aria_label=say("compare.keep_what", letter=side.letter, tools=tools), data_key="keep",
        )  # fmt: skip
    if side.index == chosen:
        mark = say_html("compare.is_kept" if beside.keeps == chosen else "compare.in_use")
        keep = f'<span class="mark" data-key="mark">{icon("check")}{mark}</span>{keep}'
    facts = " · ".join(filter(None, (said, took)))
    note = quiet(facts) if facts else ""
    return (
        f'<div class="compared-head" data-side="{side.letter}" data-way="{side.index}">'
        f'<span class="side-letter" '
        f'aria-hidden="true">{side.letter}</span><div class="compared-way">{chain(side.way.tools)}'
        f'{note}</div><div class="compared-foot">{keep}</div></div>'
    )


def _body(
    view: TurnView,
    subtask: Subtask,
    sides: tuple[_Side, ...],
    media: Media,
    known: Mapping[str, Resource],
) -> str:
    for side in sides:
        if view.trying == (subtask.id, side.index):
            return _progress(view, subtask, side)
        if side.problem or side.made is None:
            reason = without_commands(side.problem) or say("compare.none_yet")
            again = say_html("compare.again")
            return (
                f'<p class="failure" role="alert">{icon("info")}<span>'
                f"{say_html('compare.no_result', reason='')}{inline_code(reason)}</span>"
                f"{way_button(view, 'try-way', subtask, side.index, again, 'again')}</p>"
            )
    left, right = (side.made for side in sides)
    assert left is not None and right is not None
    if (left.type, left.digest) == (right.type, right.digest):
        about = _about(view, subtask, sides[0], known)
        note = quiet(say_html("compare.same"))
        return note + figure(left, media, "compared", caption=False, about=about)
    for kind in ("audio", "video"):
        if left.type == right.type == kind:
            return players(f"{view.number}-{subtask.id}", left, right, media)
    if left.type in TEXTS and right.type in TEXTS:
        return words(left, right, media)
    pair = "".join(
        figure(made, media, "compared", caption=False, about=_about(view, subtask, side, known))
        for side, made in zip(sides, (left, right), strict=True)
    )
    note = ""
    if is_picture(left) and is_picture(right):
        note = quiet(say_html("compare.pictures_differ"))
    return f'{note}<div class="compared-two">{pair}</div>'


def _progress(view: TurnView, subtask: Subtask, side: _Side) -> str:
    """The steps of a way that is tried now."""
    rows = ""
    for place, action in enumerate(side.way.actions):
        state = view.action(f"{subtask.id}.{side.index}.{place}")
        bar = progress(state) if state.state == "running" else ""
        rows += (
            f'<li class="action is-{state.state}">{icon(STATE_ICONS[state.state])}'
            f'<span class="tool">{escape(tool_label(action.tool))}</span>{bar}</li>'
        )
    return f'<ul class="actions">{rows}</ul>'


def _made(view: TurnView, subtask: Subtask, index: int) -> Resource | None:
    last = len(view.solutions[subtask.id][index].actions) - 1
    return view.action(f"{subtask.id}.{index}.{last}").resource


def _about(
    view: TurnView, subtask: Subtask, side: _Side, known: Mapping[str, Resource]
) -> Resource | None:
    """The picture that boxes, points or a mask of a way were found in."""
    if side.made is None or side.made.type not in ("mask", "bbox", "point"):
        return None
    return next((item for item in _read(view, subtask, side, known) if item.type == "image"), None)


def _read(
    view: TurnView, subtask: Subtask, side: _Side, known: Mapping[str, Resource]
) -> Iterator[Resource]:
    """What the steps of a way were given."""
    made: dict[str, Resource | None] = {}
    for step in view.steps():
        made[generated(step.subtask)] = view.action(step.key).resource
    for place, action in enumerate(side.way.actions):
        for value in action.references():
            item = made.get(value) or known.get(value)
            if item is not None:
                yield item
        key = f"{subtask.id}.{side.index}.{place}"
        made[action.output.value] = view.action(key).resource
