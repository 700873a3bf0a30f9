"""What a language model is told of a conversation: what is at hand and how it came about, and what
was asked before with the steps that were taken and what came of them. Never what files hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from controlllm.core.lineage import Lineage, lineage
from controlllm.core.plans import Literal, Request, Step, values_of
from controlllm.core.session import Turn
from controlllm.language.prompting import shortened
from controlllm.resources import Resource

#: How many files and results are told, and how many turns.
_MOST_FILES, _MOST_TURNS = 30, 6
#: How much of words and names is told, in characters.
_WORDS, _ASKED = 80, 300
#: The details of a file that are told, with what they count.
_COUNTED = {
    "pages": "pages", "frames": "frames", "rows": "rows", "columns": "columns", "files": "files",
    "characters": "characters", "channels": "channels", "points": "points", "boxes": "boxes",
}  # fmt: skip


def at_hand(request: Request, room: int) -> list[dict[str, str]]:
    """What is at hand, the oldest first: all that came along, what is current and the newest, as
    far as there is room for characters."""
    now, numbers = lineage(request.turns), _numbers(request.turns)
    along = [item for item in request.resources if item.value in request.attached]
    others = [item for item in reversed(request.resources) if item.value not in request.attached]
    current = now.all_current()
    others.sort(key=lambda item: item.value not in current)
    found: dict[str, dict[str, str]] = {}
    for item in [*along, *others][:_MOST_FILES]:
        told = {"name": item.value, "is": _described(item, request, now, numbers)}
        room -= len(str(told))
        if room < 0 and item not in along:
            break
        found[item.value] = told
    # In the order in which they came: "the first one" is the first.
    return [found[item.value] for item in request.resources if item.value in found]


def turns_before(request: Request, room: int) -> list[dict[str, Any]]:
    """The last turns, the earliest first: what was asked, each step with its inputs and what came
    of it, and what was said where no step was taken; as far as there is room for characters."""
    found: list[dict[str, Any]] = []
    for number, turn in list(enumerate(request.turns[:-1], 1))[-_MOST_TURNS:][::-1]:
        told = _turn(number, turn)
        room -= len(str(told))
        if room < 0 and found:
            break
        found.append(told)
    return found[::-1]


def _numbers(turns: tuple[Turn, ...]) -> Mapping[int, int]:
    """What the turns of a branch are counted as, by their own numbers."""
    return {turn.number: place for place, turn in enumerate(turns, 1)}


def _turn(number: int, turn: Turn) -> dict[str, Any]:
    told: dict[str, Any] = {"number": number, "request": shortened(turn.text, _ASKED)}
    steps = list(turn.plan.steps()) if turn.plan else []
    made = {step.action.output.value: turn.results.get(step.key) for step in steps}
    lines = [f"{_call(step, made, turn)} -> {_outcome(step, turn)}" for step in steps]
    undone = [
        task.description
        for task in (turn.plan.subtasks if turn.plan else ())
        if turn.plan is not None and turn.plan.solution(task.id) is None
    ]
    lines += [f"{shortened(said, _WORDS)} -> not done" for said in undone]
    if lines:
        told["steps"] = lines
    elif turn.answer:
        told["answered"] = shortened(turn.answer, _ASKED)
    if turn.restored:
        told["went_back_to"] = list(turn.restored)
    if turn.state in ("failed", "cancelled"):
        told["ended"] = turn.state
    return told


def _outcome(step: Step, turn: Turn) -> str:
    made = turn.results.get(step.key)
    if made is None:
        return "failed, no result" if turn.state != "running" else "no result"
    members = turn.members.get(step.key, ())
    names = ", ".join(item.value for item in members) or made.value
    return f"{shortened(names, 3 * _WORDS)}{' (found nothing)' if made.holds_nothing else ''}"


def _call(step: Step, made: Mapping[str, Resource | None], turn: Turn) -> str:
    """A step as a call, with the names of files and of what was made."""
    told = []
    # What an agent wrote and the person did not may come out of a file.
    is_found = step.subtask in turn.agents
    for name, given in step.action.inputs.items():
        values = []
        for value in values_of(given):
            if isinstance(value, Literal):
                is_said = not is_found or value.text.casefold() in turn.text.casefold()
                values.append(shortened(value.text, _WORDS) if is_said else "…")
            else:
                result = made.get(value.value)
                values.append(result.value if result is not None else value.value)
        told.append(f"{name}={'; '.join(values)}")
    return f"{step.action.tool}({', '.join(told)})"


def _described(item: Resource, request: Request, now: Lineage, numbers: Mapping[int, int]) -> str:
    """One file or result: its kind and size, where it came from, and how it stands."""
    told = [", ".join((item.type, *_sizes(item.details)))]
    made = now.made.get(item.value)
    if item.value in request.attached:
        told.append("handed over with this request")
    if made is not None:
        sources = f" of {', '.join(made.sources)}" if made.sources else ""
        told.append(
            f"made by {made.tool}{sources} in request {numbers.get(made.turn, made.turn)}"
            f" for “{shortened(made.asked, _WORDS)}”"
        )
    elif item.value not in request.attached:
        told.append("handed over before" if item.origin == "uploaded" else item.origin)
    if item.holds_nothing:
        told.append("found nothing")
    if item.value in now.taken_back:
        told.append("taken back")
    elif made is not None and item.value in now.on_the_way:
        told.append("only made on the way")
    elif made is not None and item.value in now.all_current():
        told.append("current")
    return "; ".join(told)


def _sizes(details: Mapping[str, Any]) -> Iterator[str]:
    if details.get("width") and details.get("height"):
        yield f"{details['width']}x{details['height']} px"
    if details.get("seconds"):
        yield f"{details['seconds']:.1f} seconds"
    for name, words in _COUNTED.items():
        count = details.get(name)
        if isinstance(count, int) and count > (name == "pages" and "width" in details):
            yield f"{count} {words}"
    if header := details.get("header"):
        more = ", …" if len(header) < details.get("columns", 0) else ""
        names = ", ".join(f"“{name}”" for name in header)
        yield f"called {names}{more}"
