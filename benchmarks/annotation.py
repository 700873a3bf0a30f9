"""Requests with what a good plan for each has to hold: the planning benchmark (paper Sec. 4.1).

A suite is a catalogue of tools and the annotated requests that are planned over it, both JSON in
``data``. An entry lists, for each part of its request, every sensible set of tools that solves it,
the types that its result may have, the files it must come from and the words that its tools must be
given. ``"each": true`` stands for one such part for each of its files.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controlllm.core.plans import Request
from controlllm.resources import Resource
from controlllm.toolbox import Toolbox

DATA = Path(__file__).resolve().parent / "data"

#: The suites with the files of their catalogue and of their requests.
SUITES = {
    "benchmark": ("catalogue.json", "benchmark.json"),
    "sealed": ("catalogue.json", "sealed_benchmark.json"),
    "second-sealed": ("catalogue.json", "second_sealed_benchmark.json"),
    "field": ("field_catalogue.json", "field_benchmark.json"),
}

#: The most tool calls that a good solution of each level needs (paper Sec. 4.1).
LEVELS: Mapping[str, float] = {"easy": 1, "medium": 3, "hard": float("inf")}


@dataclass(frozen=True)
class Expected:
    """One part of a request and what solves it.

    `solutions` are multisets of tools, the plainest first, each in an order that runs; `returns`
    the types that the result may have; `files` and `after` what the result must come from: files of
    the request and the results of earlier parts; `words` what must stand among the literal inputs
    on the way, in lower case.
    """

    solutions: tuple[tuple[str, ...], ...]
    returns: tuple[str, ...]
    files: tuple[str, ...] = ()
    after: tuple[int, ...] = ()
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class Annotation:
    """A request with its files and its expected parts; `allowed` are tools that do no harm.

    A request without parts needs no tool, or there is none that could meet it.
    """

    id: str
    level: str
    request: str
    resources: tuple[Resource, ...]
    subtasks: tuple[Expected, ...]
    allowed: tuple[str, ...] = ()

    @property
    def relevant(self) -> frozenset[str]:
        """Every tool that some solution names, and those that do no harm."""
        named = {tool for part in self.subtasks for solution in part.solutions for tool in solution}
        return frozenset(named | set(self.allowed))

    @property
    def calls(self) -> int:
        """How many tool calls the plainest solutions take together."""
        return sum(len(part.solutions[0]) for part in self.subtasks)

    def asked(self) -> Request:
        """The request as it reaches the planner, all files attached."""
        return Request(
            self.request, self.resources, tuple(resource.value for resource in self.resources)
        )


@dataclass(frozen=True)
class Suite:
    """Annotated requests and the toolbox that they are planned over."""

    name: str
    toolbox: Toolbox
    annotations: tuple[Annotation, ...]


def read_suite(name: str, examples: bool = True) -> Suite:
    """A suite of `SUITES`; without `examples` its tools are known by their descriptions alone,
    which is planning without prior knowledge (paper Table 4).

    Raises ValueError where there is no suite of this name or its files do not fit the format.
    """
    if name not in SUITES:
        raise ValueError(f"There is no suite {name!r}; there is {' and '.join(SUITES)}.")
    catalogue, requests = (_read_list(DATA / file) for file in SUITES[name])
    if not examples:
        catalogue = [{**entry, "examples": []} for entry in catalogue]
    return Suite(name, Toolbox.from_catalogue(catalogue), read_annotations(requests))


def read_annotations(entries: Sequence[Mapping[str, Any]]) -> tuple[Annotation, ...]:
    """The annotations of a JSON list.

    Raises ValueError with the entry's position and what is wrong with it.
    """
    annotations = []
    for position, entry in enumerate(entries):
        try:
            annotations.append(
                Annotation(
                    str(entry["id"]),
                    str(entry["level"]),
                    str(entry["request"]),
                    tuple(
                        Resource(str(item["type"]), str(item["value"]))
                        for item in entry["resources"]
                    ),
                    _read_subtasks(entry["subtasks"]),
                    tuple(entry.get("allowed", ())),
                )
            )
        except (KeyError, TypeError, IndexError) as error:
            what = f"it has no {error}" if isinstance(error, KeyError) else str(error)
            raise ValueError(f"Request {position} of the benchmark: {what}.") from error
    return tuple(annotations)


def _read_list(path: Path) -> list[Any]:
    found = json.loads(path.read_text("utf-8"))
    if not isinstance(found, list):
        raise ValueError(f"{path.name} holds no list.")
    return found


def _read_subtasks(entries: Sequence[Mapping[str, Any]]) -> tuple[Expected, ...]:
    """The parts of a request, those that stand for each of several files written out."""
    parts: list[Expected] = []
    places: list[list[int]] = []
    for entry in entries:
        sources: list[str | int] = []
        for used in entry["uses"]:
            sources += [used] if isinstance(used, str) else places[used["subtask"]]
        groups = [[source] for source in sources] if entry.get("each") else [sources]
        places.append(list(range(len(parts), len(parts) + len(groups))))
        for group in groups:
            parts.append(
                Expected(
                    tuple(tuple(solution) for solution in entry["solutions"]),
                    tuple(entry["returns"]),
                    tuple(source for source in group if isinstance(source, str)),
                    tuple(source for source in group if isinstance(source, int)),
                    tuple(entry["words"]),
                )
            )
    return tuple(parts)


def problems(suite: Suite) -> Iterator[str]:
    """What is wrong with a suite's annotations, a sentence each; none where all is well."""
    names = [annotation.id for annotation in suite.annotations]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield f"{name}: the id is used twice."
    for annotation in suite.annotations:
        for problem in _problems_of(annotation, suite.toolbox):
            yield f"{annotation.id}: {problem}"


def _problems_of(annotation: Annotation, toolbox: Toolbox) -> Iterator[str]:
    unknown = sorted(tool for tool in annotation.relevant if tool not in toolbox)
    if unknown:
        yield f"no such tool in the catalogue: {', '.join(unknown)}."
        return
    if annotation.level != level_of(annotation.calls):
        yield f"it is called {annotation.level} and takes {annotation.calls} calls."
    types = {resource.value: resource.type for resource in annotation.resources}
    for number, part in enumerate(annotation.subtasks):
        strange = sorted(
            {name for name in (*types.values(), *part.returns) if name not in toolbox.lattice}
        )
        if strange:
            yield f"no such type: {', '.join(strange)}."
        for file in part.files:
            if file not in types:
                yield f"part {number} uses {file}, which is no file of the request."
        for earlier in part.after:
            if earlier >= number:
                yield f"part {number} uses part {earlier}, which does not come before it."
        for word in part.words:
            if word not in annotation.request.lower():
                yield f"part {number} needs the word {word!r}, which the request does not have."
        given = {types[file] for file in part.files if file in types}
        made = {name for earlier in annotation.subtasks[:number] for name in earlier.returns}
        for solution in part.solutions:
            if not _runs(solution, given, made, part.returns, toolbox):
                yield f"part {number} cannot be solved by {' -> '.join(solution)}."


def level_of(calls: int) -> str:
    """The level of a request by the tool calls that a good solution takes (paper Sec. 4.1)."""
    return next(level for level, most in LEVELS.items() if calls <= most)


def _runs(
    solution: Sequence[str],
    given: set[str],
    made: set[str],
    returns: Sequence[str],
    toolbox: Toolbox,
) -> bool:
    """Whether the tools run in this order on what is at hand, take up every given file's type, and
    end with a type that is wanted. Words are always at hand."""
    lattice = toolbox.lattice

    def fits(have: str, wanted: str) -> bool:
        return lattice.is_a(have, wanted) or (have in given and lattice.is_a(wanted, have))

    at_hand = {"text"} | given | made
    for name in solution:
        for argument in toolbox[name].required:
            if not any(fits(have, argument.type) for have in at_hand):
                return False
        at_hand.add(toolbox[name].returns.type)
    taken = {argument.type for name in solution for argument in toolbox[name].args}
    used = all(any(fits(have, wanted) for wanted in taken) for have in given)
    return used and toolbox[solution[-1]].returns.type in returns
