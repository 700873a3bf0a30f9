"""A proposal out of what a model replied: its form checked, names of what is at hand found again.

What its steps are worth is for the graph to say (`controlllm.planning.mending`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from controlllm.core.plans import Literal, Reference, Value, generated
from controlllm.core.proposals import Proposal, ProposedStep, Refused
from controlllm.language.reading import Checked, Unusable

_STEP = re.compile(r"(?:(?:the )?result of )?(?:step|<GEN>-)\s*(\d{1,9})", re.IGNORECASE)
#: A plan of more steps than this is none.
_MOST_STEPS = 60
#: Words of a reply that a person reads are no longer than this, in characters.
_LONGEST = 500


def read_proposal(data: Any, names: Sequence[str]) -> Checked[Proposal]:
    """The plan in a reply; `names` are those of what is at hand. Raises Unusable."""
    if isinstance(data, dict) and "steps" not in data and len(data) == 1:
        data = next(iter(data.values()))
    if isinstance(data, list):
        data = {"steps": data}
    if not isinstance(data, dict):
        raise Unusable('Expected a JSON object with "steps", "wanted", "cannot" and "ask".')
    entries = data.get("steps") or []
    if not isinstance(entries, list) or not all(isinstance(item, dict) for item in entries):
        raise Unusable('"steps" is a list of objects.')
    if len(entries) > _MOST_STEPS:
        raise Unusable(f"The plan has {len(entries)} steps; at most {_MOST_STEPS} are taken.")
    repairs: list[str] = []
    told = [_whole(entry.get("step")) for entry in entries]
    numbers = [number for number in told if number is not None]
    if len(set(numbers)) != len(entries):
        if numbers and len(numbers) == len(entries):
            raise Unusable('Every step needs a number of its own as "step".')
        numbers = list(range(1, len(entries) + 1))
    steps = tuple(
        _step(number, entry, names, repairs) for number, entry in zip(numbers, entries, strict=True)
    )
    wanted = data.get("wanted")
    known = [_whole(item) for item in wanted] if isinstance(wanted, list) else []
    for number in known:
        if number not in numbers:
            repairs.append(f"there is no step {number}")
    refused = data.get("cannot")
    question = data.get("ask")
    return Checked(
        Proposal(
            steps,
            tuple(number for number in known if number is not None and number in numbers),
            tuple(filter(None, map(_refused, refused))) if isinstance(refused, list) else (),
            _words(question),
        ),
        tuple(dict.fromkeys(repairs)),
    )


def _step(
    number: int, entry: Mapping[str, Any], names: Sequence[str], repairs: list[str]
) -> ProposedStep:
    tool = entry.get("tool")
    if not isinstance(tool, str) or not tool.strip():
        raise Unusable(f'Step {number} has no "tool".')
    inputs: dict[str, tuple[Value, ...]] = {}
    for name, values in _pairs(number, entry.get("inputs")):
        read = tuple(_value(value, names, repairs) for value in values)
        inputs[name] = (*inputs.get(name, ()), *read)
    return ProposedStep(number, tool.strip(), inputs, _words(entry.get("does")))


def _pairs(number: int, told: Any) -> list[tuple[str, list[Any]]]:
    """The inputs of a step; a plain object says the same as the list of the schema."""
    if isinstance(told, dict):
        told = [{"name": name, "values": value} for name, value in told.items()]
    if told is None:
        return []
    found = []
    for item in told if isinstance(told, list) else [None]:
        if not isinstance(item, dict) or not isinstance(item.get("name"), str):
            raise Unusable(f'Every input of step {number} needs a "name" and its "values".')
        values = item.get("values", item.get("value"))
        values = values if isinstance(values, list) else [values]
        found.append((item["name"], [value for value in values if value is not None]))
    return found


def _value(told: Any, names: Sequence[str], repairs: list[str]) -> Value:
    if isinstance(told, bool):
        return Literal(str(told).lower())
    if isinstance(told, int | float):
        return Literal(f"{told:.10g}" if isinstance(told, float) else str(told))
    if not isinstance(told, str):
        raise Unusable(f"The value {str(told)[:100]} of an input is neither words nor a number.")
    if told in names:
        return Reference(told)
    found = _STEP.fullmatch(told.strip())
    if found is not None:
        return Reference(generated(int(found[1])))
    name = re.split(r"[/\\]", told.strip("'\"`<>@ "))[-1].casefold()
    alike = [item for item in names if item.casefold() == name]
    if len(alike) == 1:
        repairs.append(f"{told} is called {alike[0]}")
        return Reference(alike[0])
    return Literal(told)


def _refused(told: Any) -> Refused | None:
    """A part that cannot be done; None where no words say which."""
    if not isinstance(told, dict):
        told = {"what": told}
    why = _words(told.get("why"))
    what = _words(told.get("what")) or why
    return Refused(what, why) if what else None


def _words(told: Any) -> str:
    return " ".join(told.split())[:_LONGEST] if isinstance(told, str) else ""


def _whole(told: Any) -> int | None:
    """A whole number, also one in words; None for anything else."""
    if isinstance(told, str) and (
        found := _STEP.fullmatch(told) or re.fullmatch(r"(\d{1,9})", told)
    ):
        return int(found[1])
    return told if isinstance(told, int) and not isinstance(told, bool) else None
