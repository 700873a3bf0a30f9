"""The tasks: people's words, and what has to be true of the answer and of the world afterwards.

A task in ``data/tasks.toml`` (development) or ``data/tasks_held_out.toml``:

- ``id``, ``words``;
- ``solutions``: lists of calls, each a tool's name and its arguments, that lead to the facts.
  ``<1>`` is what the first call made, ``<1:a.0.b>`` a value in it, by its path in the JSON;
- ``answer``: an answer that is right;
- ``facts``: what the answer has to hold, see `Fact`; ``effects``: what has to have happened, see
  `Expected`; nothing else may have;
- ``unsolvable``: why it cannot be done; ``needs``: the tools that one would try; ``claims``:
  regular expressions of what an answer must not say then.
"""

from __future__ import annotations

import random
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from benchmarks.world.apis import apis
from benchmarks.world.facts import FOLDER

#: The files of tasks.
DEVELOPMENT, HELD_OUT = "tasks", "tasks_held_out"
#: How many tools are offered beside those that a task needs, least and most.
_DISTRACTORS = (8, 15)


@dataclass(frozen=True)
class Fact:
    """What an answer has to hold: one of `numbers` (to within `tolerance`), one of the spellings
    `any`, a `time` (hh:mm) or a `date` (year-month-day or month-day), and none of `not_said`.

    `derived` says how a number comes of others that the APIs answer: by ``difference`` or
    ``product``. `reckoned` says that no API answers it, so that quoting answers does not say it.
    """

    name: str
    numbers: tuple[float, ...] = ()
    tolerance: float = 0.0
    any: tuple[str, ...] = ()
    time: str = ""
    date: str = ""
    not_said: tuple[str, ...] = ()
    derived: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    reckoned: bool = False


@dataclass(frozen=True)
class Expected:
    """An effect that has to have happened, once: `like` gives columns of its row; a list in it
    holds groups of spellings, of each of which one has to stand in the text."""

    table: str
    like: Mapping[str, Any]
    change: str = "insert"


@dataclass(frozen=True)
class ReferenceCall:
    """A call of a reference solution."""

    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True)
class WorldTask:
    """A task; see the module."""

    id: str
    words: str
    answer: str
    solutions: tuple[tuple[ReferenceCall, ...], ...] = ()
    facts: tuple[Fact, ...] = ()
    effects: tuple[Expected, ...] = ()
    unsolvable: str = ""
    needs: tuple[str, ...] = ()
    claims: tuple[str, ...] = ()

    @property
    def is_solvable(self) -> bool:
        return not self.unsolvable

    @property
    def oracle_tools(self) -> tuple[str, ...]:
        """The tools of all its solutions, and those that it says it needs."""
        used = (call.tool for solution in self.solutions for call in solution)
        return tuple(dict.fromkeys((*self.needs, *used)))

    def offered(self, all_tools: bool = False) -> tuple[str, ...]:
        """The tools that are offered: all, or the oracle's with 8 to 15 others, of the same fields
        first, in an order that says nothing and is always the same for the task."""
        chance = random.Random(f"offered {self.id}")
        if all_tools:
            names = list(apis())
        else:
            needed = self.oracle_tools
            fields = {apis()[name].area for name in needed}
            others = [api for api in apis().values() if api.name not in needed]
            chance.shuffle(others)
            others.sort(key=lambda api: api.area not in fields)
            names = [*needed, *(api.name for api in others[: chance.randint(*_DISTRACTORS)])]
        chance.shuffle(names)
        return tuple(names)


@cache
def read_tasks(file: str = DEVELOPMENT) -> tuple[WorldTask, ...]:
    """The tasks of a file, in its order."""
    read = tomllib.loads((FOLDER / f"{file}.toml").read_text("utf-8"))
    return tuple(_task(item) for item in read["task"])


def _task(item: Mapping[str, Any]) -> WorldTask:
    plain = {key: item[key] for key in ("id", "words", "answer", "unsolvable") if key in item}
    return WorldTask(
        **plain,
        solutions=tuple(
            tuple(ReferenceCall(name, arguments) for name, arguments in solution)
            for solution in item.get("solutions", ())
        ),
        facts=tuple(_fact(fact) for fact in item.get("facts", ())),
        effects=tuple(Expected(**effect) for effect in item.get("effects", ())),
        needs=tuple(item.get("needs", ())),
        claims=tuple(item.get("claims", ())),
    )


def _fact(item: Mapping[str, Any]) -> Fact:
    def texts(key: str) -> tuple[str, ...]:
        return tuple(item.get(key, ()))

    derived: Mapping[str, Sequence[float]] = item.get("derived", {})
    return Fact(
        item["name"],
        tuple(map(float, item.get("numbers", ()))),
        float(item.get("tolerance", 0.0)),
        texts("any"),
        item.get("time", ""),
        item.get("date", ""),
        texts("not"),
        {how: tuple(map(float, parts)) for how, parts in derived.items()},
        bool(item.get("reckoned")),
    )
