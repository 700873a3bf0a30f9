"""Subtasks out of what a model returned: every field checked (protocol of paper Table 5).

Put right, and told, is what leaves no doubt: another spelling of a known name or type, the type of
a known resource, a dependency that an argument shows, an order that the dependencies give. All else
that is wrong is refused with a sentence for the model.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Any

from controlllm.core.plans import (
    OUTSIDE,
    Request,
    Subtask,
    TypedValue,
    deps_of,
    generated,
    is_generated,
)
from controlllm.language.kinds import Kinds
from controlllm.language.reading import Checked, Unusable
from controlllm.planning.addresses import ADDRESS
from controlllm.resources import plain_name

#: What words of a request can be for. Those that `controlllm.planning.arguments` tells apart are
#: kept; the others fit any input of words.
_ROLES_KEPT = ("object", "question", "prompt", "content", "language")
ROLES_OF_WORDS = (*_ROLES_KEPT, "labels", "query", "other")

_GENERATED = re.compile(r"<?\s*GEN\s*>?\s*-?\s*(\d+)", re.IGNORECASE)
#: Other words for types that mean nothing else.
_TYPE_WORDS = {
    "picture": "image", "photo": "image", "img": "image", "str": "text", "string": "text",
    "sound": "audio", "movie": "video", "boxes": "bbox", "bounding box": "bbox", "points": "point",
    "web page": "html", "webpage": "html", "int": "number", "integer": "number", "float": "number",
}  # fmt: skip
#: A description longer than this is no summary, in characters.
_LONGEST_DESCRIPTION = 4_000


class SubtaskReader:
    """Reads the subtasks for one request; `repairs` gathers what had to be put right."""

    def __init__(self, request: Request, kinds: Kinds) -> None:
        self._request = request
        self._kinds = kinds
        self._lattice = kinds.lattice
        self._domains = kinds.domains
        self._resources = {item.value: item for item in request.resources}
        self._repairs: list[str] = []

    def read(self, data: Any) -> Checked[tuple[Subtask, ...]]:
        """The subtasks, numbered from 0, each after those it depends on; raises Unusable."""
        self._repairs = []
        entries = data
        if isinstance(data, dict):
            entries = data.get("subtasks", [data] if "description" in data else None)
        if not isinstance(entries, list) or not all(isinstance(item, dict) for item in entries):
            raise Unusable('Expected {"subtasks": [...]} with an object for each subtask.')
        if not entries:
            return Checked(())
        ids = self._ids(entries)
        returns = {
            number: self._returns(number, entry) for number, entry in zip(ids, entries, strict=True)
        }
        read = [
            self._subtask(number, entry, returns, alone=len(entries) == 1)
            for number, entry in zip(ids, entries, strict=True)
        ]
        return Checked(self._ordered(read), tuple(dict.fromkeys(self._repairs)))

    def _ids(self, entries: Sequence[Mapping[str, Any]]) -> list[int]:
        """The subtasks' own numbers; their places where none has one."""
        told = [_whole_number(entry.get("id")) for entry in entries]
        if all(number is None for number in told):
            return list(range(len(entries)))
        ids = [number for number in told if number is not None]
        if len(ids) != len(entries) or len(set(ids)) != len(ids):
            raise Unusable('Every subtask needs an "id" of its own, a whole number.')
        return ids

    def _subtask(
        self,
        number: int,
        entry: Mapping[str, Any],
        returns: Mapping[int, str],
        alone: bool,
    ) -> Subtask:
        description = entry.get("description")
        if not isinstance(description, str) or not description.strip():
            if not alone:
                raise Unusable(f'Subtask {number} has no "description".')
            description = self._request.text
        args, lacks = self._args(number, entry.get("args", []), returns)
        deps = self._deps(number, entry.get("deps", entry.get("dep", [])), args, returns)
        cannot = entry.get("cannot")
        impossible = isinstance(cannot, str) and bool(cannot.strip())
        made = returns[number]
        return Subtask(
            number,
            " ".join(description.split())[:_LONGEST_DESCRIPTION],
            self._domains_of(entry.get("domains", entry.get("task", []))),
            args,
            TypedValue(OUTSIDE if impossible else made, generated(number)),
            deps,
            other_returns=() if impossible else self._kinds.kin(made),
            lacks=() if impossible else lacks,
            cannot=" ".join(cannot.split()) if impossible and isinstance(cannot, str) else "",
        )

    def _returns(self, number: int, entry: Mapping[str, Any]) -> str:
        """The type that a subtask makes; Table 5 and Table 6 of the paper write it differently."""
        told = entry.get("returns", entry.get("return"))
        if not told and entry.get("cannot"):
            return "text"
        if isinstance(told, list) and len(told) == 1:
            told = told[0]
        if isinstance(told, dict) and "type" in told:
            return self._made(number, told["type"])
        if isinstance(told, dict) and len(told) == 1:
            told = next(iter(told))
        if not isinstance(told, str):
            raise Unusable(f'Subtask {number} has no single "returns" with a "type".')
        return self._made(number, told)

    def _made(self, number: int, told: Any) -> str:
        """A type that tools here make: the one told, or the nearest of its kind."""
        name = self._type(told, f'what subtask {number} "returns"')
        made = self._kinds.nearest(name)
        if not made:
            raise Unusable(
                f'No tool makes {name}, which subtask {number} "returns". What can be made: '
                f'{", ".join(self._kinds.made)}. Where none of these will do, say why in "cannot".'
            )
        return made

    def _type(self, told: Any, where: str) -> str:
        if not isinstance(told, str):
            raise Unusable(f"The type of {where} is no word.")
        name = plain_name(told.strip().lower())
        if name in self._lattice:
            return name
        known = _TYPE_WORDS.get(name, name.rstrip("s"))
        if known not in self._lattice:
            raise Unusable(
                f"The type {told!r} of {where} does not exist. Types: "
                f"{', '.join(self._lattice.parents)}."
            )
        self._repairs.append(f"the type {told} is called {known}")
        return known

    def _domains_of(self, told: Any) -> tuple[str, ...]:
        """The known domains among those told; they only help the search, so others are dropped."""
        entries = [told] if isinstance(told, str) else told if isinstance(told, list) else []
        names = [str(entry).strip().lower() for entry in entries]
        unknown = [name for name in names if name not in self._domains]
        if unknown:
            self._repairs.append(f"there is no domain {unknown[0]}")
        return tuple(dict.fromkeys(name for name in names if name in self._domains))

    def _args(
        self, number: int, told: Any, returns: Mapping[int, str]
    ) -> tuple[tuple[TypedValue, ...], tuple[str, ...]]:
        """A subtask's arguments, and the types of files that it needs and that nobody gave."""
        if not isinstance(told, list):
            raise Unusable(f'"args" of subtask {number} is no list.')
        args: list[TypedValue] = []
        lacks: list[str] = []
        for entry in told:
            if isinstance(entry, dict) and len(entry) == 1 and "type" not in entry:
                kind, value = next(iter(entry.items()))
                entry = {"type": kind, "value": value}
            if not isinstance(entry, dict) or not isinstance(entry.get("value"), str):
                raise Unusable(
                    f'Every argument of subtask {number} needs a "type" and a "value" in words.'
                )
            where = f"an argument of subtask {number}"
            value = entry["value"].strip()
            found = self._known(number, value, returns)
            if found is not None:
                told_type = plain_name(str(entry.get("type", found.type)).strip().lower())
                if not self._lattice.is_a(found.type, _TYPE_WORDS.get(told_type, told_type)):
                    self._repairs.append(f"{found.value} is {found.type}, not {told_type}")
                args.append(found)
                continue
            if ADDRESS.fullmatch(value) and value in self._request.text:
                kind = self._kinds.address
                args.append(TypedValue(kind, value) if kind else TypedValue("text", value))
                continue
            kind = self._type(entry.get("type", "text"), where)
            if kind == self._kinds.address and value:
                # Other words for a place on the web, such as a name without its beginning.
                args.append(TypedValue(kind, value))
            elif self._lattice.is_a(kind, "text"):
                role = str(entry.get("role") or "").strip().lower()
                if not value and role in ("", "content"):
                    lacks.append("text")
                if value:
                    if role not in ROLES_OF_WORDS:
                        # Words that only look like a result must not be taken for one.
                        role = "content" if is_generated(value) else ""
                    args.append(TypedValue("text", value, role if role in _ROLES_KEPT else ""))
            elif value:
                known = ", ".join(self._resources) or "none"
                raise Unusable(
                    f"Subtask {number} works on {value!r}, which does not exist. The resources "
                    f"are: {known}. Use one of them, an earlier result, an address as "
                    f'the request has it, or "" where it is missing.'
                )
            else:
                lacks.append(kind)
        unique = tuple(dict.fromkeys(args))
        return unique, tuple(dict.fromkeys(lacks))

    def _known(self, number: int, value: str, returns: Mapping[int, str]) -> TypedValue | None:
        """The resource or the other subtask's result that a value names, None where it names none.

        A name spelt otherwise is put right where only one can be meant.
        """
        resource = self._resources.get(value)
        if resource is None and value:
            name = re.split(r"[/\\]", value.strip("'\"`<> "))[-1].casefold()
            alike = [item for item in self._resources.values() if item.value.casefold() == name]
            if len(alike) == 1:
                resource = alike[0]
                self._repairs.append(f"{value} is called {resource.value}")
        if resource is not None:
            return TypedValue.of(resource)
        found = _GENERATED.fullmatch(value)
        if found is None:
            return None
        source = int(found[1])
        if source == number:
            raise Unusable(f"Subtask {number} works on its own result.")
        if source not in returns:
            raise Unusable(f"Subtask {number} works on {value}, but there is no subtask {source}.")
        return TypedValue(returns[source], generated(source))

    def _deps(
        self,
        number: int,
        told: Any,
        args: Sequence[TypedValue],
        returns: Mapping[int, str],
    ) -> tuple[int, ...]:
        """The subtasks that this one waits for: those it names and those whose results it reads."""
        read = set(deps_of(args))
        entries = told if isinstance(told, list) else [told]
        named = {dep for entry in entries if (dep := _whole_number(entry)) is not None}
        # Some write -1 for "none".
        named = {dep for dep in named if dep >= 0}
        for dangling in sorted(named - set(returns) | named & {number}):
            self._repairs.append(f"subtask {number} cannot wait for {dangling} and need not")
        named = (named & set(returns)) - {number}
        for missing in sorted(read - named):
            self._repairs.append(f"subtask {number} reads the result of {missing}")
        return tuple(sorted(named | read))

    def _ordered(self, subtasks: Sequence[Subtask]) -> tuple[Subtask, ...]:
        """The subtasks after those they depend on, numbered from 0 in that order."""
        by_id = {subtask.id: subtask for subtask in subtasks}
        try:
            sorter = TopologicalSorter({subtask.id: subtask.deps for subtask in subtasks})
            possible = list(sorter.static_order())
        except CycleError as error:
            circle = " -> ".join(str(item) for item in error.args[1])
            raise Unusable(f"The subtasks wait for each other in a circle: {circle}.") from None
        places = {subtask.id: place for place, subtask in enumerate(subtasks)}
        in_order = all(places[dep] < places[item.id] for item in subtasks for dep in item.deps)
        order = [item.id for item in subtasks] if in_order else possible
        if not in_order:
            self._repairs.append("the subtasks were put in an order in which they can be done")
        numbers = {old: new for new, old in enumerate(order)}
        return tuple(_renumbered(by_id[old], numbers) for old in order)


def _renumbered(subtask: Subtask, numbers: Mapping[int, int]) -> Subtask:
    new = {generated(old): generated(number) for old, number in numbers.items()}
    args = tuple(
        argument
        if argument.role
        else TypedValue(argument.type, new.get(argument.value, argument.value))
        for argument in subtask.args
    )
    return Subtask(
        numbers[subtask.id],
        subtask.description,
        subtask.domains,
        args,
        TypedValue(subtask.returns.type, generated(numbers[subtask.id])),
        tuple(sorted(numbers[dep] for dep in subtask.deps)),
        other_returns=subtask.other_returns,
        lacks=subtask.lacks,
        cannot=subtask.cannot,
    )


def _whole_number(told: Any) -> int | None:
    """A whole number, also one written as words or with a point; None for anything else."""
    if isinstance(told, bool):
        return None
    if isinstance(told, float) and told.is_integer():
        return int(told)
    if isinstance(told, str) and re.fullmatch(r"\s*-?\d+\s*", told):
        return int(told)
    return told if isinstance(told, int) else None
