"""A turn as a request of its conversation: what is at hand, what "it" is, what was asked before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from controlllm.core.lineage import ends_of, lineage, spoken_of
from controlllm.core.plans import Request, Subtask
from controlllm.core.session import Session, Turn, branch, resources_of
from controlllm.planning.follow_ups import (
    counted,
    is_about_words,
    narrowed,
    offered,
    spoken_of_again,
)
from controlllm.planning.mentions import without_marks
from controlllm.planning.restoring import on_original
from controlllm.resources import Resource


def request_of(session: Session, turn: Turn, text: str = "") -> Request:
    """What a turn asks of what is at hand; `text` stands for its words where it says more."""
    # As it was when this turn was asked, with what it goes back to.
    going_back = replace(turn, plan=None, results={}, attached=())
    turns = (*branch(session, turn.number)[:-1], going_back)
    text = text or turn.text
    said = text
    if not turn.attached:
        text = on_original(text, turns) or text
    now = lineage(turns)
    every = resources_of(session, turn.number)
    there = resources = offered(every, now, turn.attached, text)
    text = without_marks(text, resources)
    attached = turn.attached
    if not attached:
        spoken = spoken_of_again(text, resources, spoken_of(turns), now)
        # After words were read out of a picture, "translate it" is about the words.
        last = turns[-2].results.values() if turns[1:] else ()
        has_words = any(item.type in ("text", "title") for item in last) and is_about_words(text)
        attached = () if has_words else spoken
        if turns[1:] and not spoken:
            spoken = counted(text, resources, now, spoken_of(turns))
        if not has_words:
            resources = narrowed(resources, spoken, text)
    as_said = Request(without_marks(said, every), every, turn.attached, turns=turns)
    earlier = _earlier(turns[:-1], now.taken_back)
    return Request(text, resources, attached, earlier, as_said, there=there)


def _earlier(turns: Sequence[Turn], taken_back: frozenset[str]) -> tuple[Subtask, ...]:
    """The subtasks of the last turn that planned any, whose results were not taken back."""
    for turn in reversed(turns):
        if turn.plan is None and turn.restored:
            continue
        if turn.plan is None:
            return ()
        ends = ends_of(turn)
        if not ends or not taken_back.issuperset(ends):
            return turn.plan.subtasks
    return ()


def went_back(now: Sequence[Resource], taken_back: Sequence[Resource]) -> str:
    """A sentence about what is current again."""
    names = [f"`{item.value}`" for item in now]
    told = " and ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names)
    if told:
        verb = "are" if names[1:] else "is"
        return (
            f"{told} {verb} current again. What came after is taken back."
            if taken_back
            else (f"{told} {verb} current again.")
        )
    if taken_back:
        gone = ", ".join(f"`{item.value}`" for item in taken_back)
        return f"{gone} is taken back; it was not made of another file."
    return "There is nothing left to take back here."
