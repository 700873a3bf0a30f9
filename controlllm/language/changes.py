"""Changes that a language model makes to the inputs of ways: checked against what is at hand.

Words that it writes are kept: a question has to be worded by somebody. What is not believed is a
file that nobody handed over, and a change that would leave out what the task is about.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from controlllm.core.plans import Action, Literal, Reference, Subtask, TypedValue, Value
from controlllm.language.course import Course
from controlllm.language.reading import Checked, Score, Unusable, read_scores
from controlllm.planning.addresses import ADDRESS
from controlllm.resources.types import is_known_suffix
from controlllm.toolbox import Argument, Toolbox

#: What a reply may say of an input that stays as it is.
_KEEP = ("keep", "same", "unchanged")


@dataclass(frozen=True)
class Way:
    """A way with its inputs mended, what it is worth on the scale 1..5, and why."""

    actions: tuple[Action, ...]
    score: float
    reason: str


class Inputs:
    """What inputs of a subtask's ways may be bound to."""

    def __init__(
        self,
        toolbox: Toolbox,
        course: Course,
        subtask: Subtask,
        given: Sequence[TypedValue],
    ) -> None:
        self.toolbox = toolbox
        self.lattice = toolbox.lattice
        self.given = tuple(item for item in given if not item.role)
        self._course = course
        self.types = {item.value: item.type for item in self.given}
        for name in course.texts_at_hand():
            self.types.setdefault(name, "text")
        for earlier in course.subtasks:
            if earlier.id in subtask.deps:
                self.types.setdefault(earlier.returns.value, earlier.returns.type)
        self._said = " ".join(
            (course.request.text, subtask.description, *(item.value for item in subtask.args))
        ).lower()

    def at_hand(self) -> list[dict[str, str]]:
        """The names that values may have, each with its type and where it comes from."""
        return [
            {"name": name, "type": kind, "is": self._course.origin(name)}
            for name, kind in self.types.items()
        ]

    def invents(self, words: str) -> str:
        """A file or result in words that is neither at hand nor spoken of; empty where none is."""
        for name in re.findall(r"<GEN>-[\d-]+|[^\s'\"`,;]+\.[a-zA-Z0-9]{1,5}\b", words):
            suffix = name.rsplit(".", 1)[-1]
            if name.lower() in self._said or ADDRESS.match(name):
                continue
            if name.startswith("<GEN>") or is_known_suffix(suffix):
                return str(name)
        if re.fullmatch(r"(?:~|\.{0,2})[/\\]\S+", words) and words.lower() not in self._said:
            return words
        return ""


def read_ways(
    data: Any, numbers: Sequence[str], ways: Sequence[tuple[Action, ...]], inputs: Inputs
) -> Checked[list[Way]]:
    """Each way with its score and the changes that can be believed; raises Unusable."""
    scores: Checked[dict[str, Score]] = read_scores(data, numbers, "way")
    if isinstance(data, dict) and len(data) == 1 and not set(data) & set(numbers):
        data = next(iter(data.values()))
    repairs = list(scores.repairs)
    found = []
    for number, actions in zip(numbers, ways, strict=True):
        entry = data.get(number) if isinstance(data, dict) else None
        told = entry.get("changes") if isinstance(entry, dict) else None
        changed, problems = _changed(actions, told or [], inputs)
        repairs += problems
        score = scores.value[number]
        found.append(Way(changed, score.value, score.reason))
    return Checked(found, tuple(dict.fromkeys(repairs))[:3])


def _changed(
    actions: tuple[Action, ...], told: Any, inputs: Inputs
) -> tuple[tuple[Action, ...], list[str]]:
    """A way with changes made, and what had to be left as it was."""
    if not isinstance(told, list):
        raise Unusable('The "changes" of every way are a list.')
    repairs: list[str] = []
    mended = list(actions)
    for item in told:
        if not isinstance(item, dict):
            raise Unusable('Every change needs a "step", an "input" and a "value".')
        place = _place(item.get("step"), str(item.get("input", "")), mended, inputs)
        value = item.get("value")
        if place is None or not isinstance(value, str):
            repairs.append(f"there is no input {item.get('input')} in step {item.get('step')}")
            continue
        step, argument = place
        problem, new = _value(value.strip(), argument, mended[step], inputs)
        if problem:
            repairs.append(problem)
        elif argument.name in mended[step].inputs or new is not None:
            kept = {name: old for name, old in mended[step].inputs.items()}
            if new is None:
                kept.pop(argument.name, None)
            else:
                kept[argument.name] = new
            mended[step] = replace(mended[step], inputs=_ordered(kept, mended[step], inputs))
    needed = {item.value for item in inputs.given} & _read(actions)
    if not needed <= _read(mended):
        lost = ", ".join(sorted(needed - _read(mended)))
        repairs.append(f"without {lost} the task would not be done; the inputs stay as they are")
        return actions, repairs
    return tuple(mended), repairs


def _place(
    step: Any, name: str, actions: Sequence[Action], inputs: Inputs
) -> tuple[int, Argument] | None:
    """The action and the argument that a change is about."""
    if isinstance(step, str) and step.strip().isdigit():
        step = int(step)
    if isinstance(step, bool) or not isinstance(step, int) or not 1 <= step <= len(actions):
        return None
    for argument in inputs.toolbox[actions[step - 1].tool].args:
        if argument.name == name:
            return step - 1, argument
    return None


def _value(
    told: str, argument: Argument, action: Action, inputs: Inputs
) -> tuple[str, Value | tuple[Value, ...] | None]:
    """What is wrong with a value, empty where nothing is, and the value for an input."""
    now = action.inputs.get(argument.name)
    if told.lower() in _KEEP:
        return "", now
    if isinstance(now, tuple):
        return "an input that takes several keeps them", now
    if told in inputs.types:
        if not inputs.lattice.is_a(inputs.types[told], argument.type):
            return f"{told} is {inputs.types[told]}, not {argument.type}", now
        return "", Reference(told)
    if re.fullmatch(r"(?:the )?result of step \d+", told.lower()):
        return "results of steps stay where they are", now
    if argument.type != "text":
        return f"there is no {argument.type} {told}", now
    if not told:
        if argument.optional:
            return "", None
        return f"{argument.name.replace('_', ' ')} may not be empty", now
    invented = inputs.invents(told)
    if invented:
        return f"there is no file {invented}", now
    return "", Literal(told)


def _ordered(
    values: Mapping[str, Value | tuple[Value, ...]], action: Action, inputs: Inputs
) -> dict[str, Value | tuple[Value, ...]]:
    """Inputs in the order of the tool's arguments."""
    names = [argument.name for argument in inputs.toolbox[action.tool].args]
    return {name: values[name] for name in names if name in values}


def _read(actions: Sequence[Action]) -> set[str]:
    return {value for action in actions for value in action.references()}
