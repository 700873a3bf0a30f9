"""Plans for requests written with their wishes: ``python -m benchmarks written``.

A file is a JSON list; each entry has a ``request``, the kinds of its ``files``, and its ``wishes``
in the order in which they have to happen, each with the ``ways`` that serve it (chains of tools),
what it works ``on`` (files, earlier wishes) and whether it is ``impossible``. A plan is right where
every wish has a result by the last tool of one of its ways that comes from just the files and
earlier wishes that it has to come from, and no subtask is left over. Where wishes say by ``words``
which thing they are about (``query``), it is also told how many of the plans that are right give
that very name to a tool.
"""

from __future__ import annotations

import functools
import json
import operator
import re
import statistics
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from controlllm.core.costs import Usage
from controlllm.core.events import Event, LanguageModelUsed
from controlllm.core.plans import Literal, Plan, Request, values_of
from controlllm.planning.planner import Planner
from controlllm.resources import PARENTS, Resource
from controlllm.runs.planners import embedded_planner, planners_of
from controlllm.settings import Settings
from controlllm.toolbox import Toolbox

_DATA = Path(__file__).resolve().parent / "data"
#: Twice 200 requests over our own tools, each as four authors imagined people to type them.
PEOPLE = (_DATA / "people_benchmark.json", _DATA / "second_people_benchmark.json")
#: Requests to tools of the web among some of ours, by two authors: 260 to develop with, and 232.
FOREIGN = (_DATA / "foreign_development.json", _DATA / "foreign_benchmark.json")
ENDINGS = {
    "image": "jpg", "audio": "wav", "video": "mp4", "text": "txt", "document": "pdf",
    "table": "csv",
}  # fmt: skip
#: Tools whose results are as good as each other's where a set names one way only.
_ALIKE = (
    frozenset({"object_detection", "visual_grounding", "select_bbox"}),
    frozenset({"instance_segmentation", "select_mask", "bbox_to_mask", "segment_by_box"}),
    frozenset({"count_objects", "count_masks"}),
)


@dataclass(frozen=True)
class WrittenWish:
    """What has to come of one wish: the tools that may end it, the files it comes from directly and
    the earlier wishes. `ends` is empty where no tool can meet it; `name` is what it calls the thing
    that it is about, empty where it names none."""

    ends: frozenset[str]
    files: frozenset[str]
    wishes: tuple[int, ...]
    name: str = ""


@dataclass(frozen=True)
class Written:
    """A request as somebody wrote it, with its wishes."""

    request: Request
    wishes: tuple[WrittenWish, ...]

    @property
    def kind(self) -> str:
        """``one``, ``two`` (or a chain of two or three) or ``long``."""
        return {0: "one", 1: "one", 2: "two", 3: "two"}.get(len(self.wishes), "long")


def read_written(path: Path) -> tuple[Written, ...]:
    """The requests of a file; raises ValueError with the entry that does not fit the format."""
    return _all_written(path, json.loads(path.read_text("utf-8")))


def _all_written(path: Path, rows: Sequence[Mapping[str, Any]]) -> tuple[Written, ...]:
    found = []
    for place, row in enumerate(rows):
        try:
            found.append(written_of(row))
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise ValueError(f"{path.name}, entry {place}: {error!r}") from error
    return tuple(found)


def read_with_toolboxes(path: Path) -> tuple[tuple[Toolbox, tuple[Written, ...]], ...]:
    """The toolboxes that a file brings along, each with the requests over it, or our own with all.

    Raises ValueError with what does not fit the format.
    """
    found = json.loads(path.read_text("utf-8"))
    if isinstance(found, list):
        return ((Toolbox.load(), read_written(path)),)
    return tuple(
        (
            _with_foreign(Toolbox.from_catalogue([_as_foreign(tool) for tool in box["tools"]])),
            _all_written(path, [row for row in found["requests"] if row["field"] == box["field"]]),
        )
        for box in found["toolboxes"]
    )


def _with_foreign(toolbox: Toolbox) -> Toolbox:
    """A toolbox in which all tools but our own are from elsewhere."""
    ours = Toolbox.load()
    return replace(toolbox, own=replace(toolbox, tools=tuple(t for t in toolbox if t.name in ours)))


def _as_foreign(tool: Mapping[str, Any]) -> dict[str, Any]:
    """A tool of a catalogue with its own types as those of tools from elsewhere are: texts."""

    def typed(item: Mapping[str, Any]) -> dict[str, Any]:
        name = item["type"]
        return {**item, "type": name if name in PARENTS else f"text.{name}"}

    returns = {"name": "result", **tool["returns"]}
    return {**tool, "args": [typed(item) for item in tool["args"]], "returns": [typed(returns)]}


def file_of(name: str, row: Mapping[str, Any]) -> str:
    """The name of the file that an entry speaks of by kind and number: as the request writes it, as
    it is called, or by its kind."""
    spoken = row.get("file_names", {}).get(name) or row.get("called", {}).get(name)
    return str(spoken or f"{name}.{ENDINGS.get(name.rpartition('_')[0], 'png')}")


def written_of(row: Mapping[str, Any]) -> Written:
    counts: dict[str, int] = {}
    names, resources = {}, []
    made = {name for turn in row.get("earlier", ()) for name in turn.get("names", ())}
    for kind in row["files"]:
        counts[kind] = counts.get(kind, 0) + 1
        name = f"{kind}_{counts[kind]}"
        called = file_of(name, row)
        names[name] = called
        resources.append(Resource(kind, called, origin="made" if name in made else "uploaded"))
    attached = tuple(item.value for item in resources if item.origin == "uploaded")
    wishes = []
    for wish in row["wishes"]:
        ways = wish["ways"] if "ways" in wish else [wish["tools"]] if wish["tools"] else []
        ends = {way[-1] for way in ways} | {*wish.get("also", ())}
        if "ways" not in wish:
            ends |= {name for group in _ALIKE if ends & group for name in group}
        files = frozenset(names[item] for item in wish["on"] if not item.startswith("wish "))
        after = tuple(int(item[5:]) - 1 for item in wish["on"] if item.startswith("wish "))
        name = str(wish.get("words", {}).get("query", ""))
        wishes.append(WrittenWish(frozenset(ends), files, after, name))
    return Written(Request(row["request"], tuple(resources), attached), tuple(wishes))


def is_right(plan: Plan, written: Written) -> bool:
    """Whether a plan does what its request wishes: each wish, on what it is about, and no more."""
    left = list(range(len(plan.subtasks)))
    of_wish: list[frozenset[int]] = []
    for wish in written.wishes:
        wanted = _sources(wish, of_wish)
        if not wish.ends:
            # Nothing need come of it; a subtask that says so, or none, are as good.
            spare = next((p for p in left if plan.solution(plan.subtasks[p].id) is None), None)
            left = [place for place in left if place != spare]
            of_wish.append(frozenset() if spare is None else frozenset({plan.subtasks[spare].id}))
            continue
        found = _serving(plan, left, wish, wanted)
        if not found:
            return False
        of_wish.append(frozenset(plan.subtasks[place].id for place in found))
        left = [place for place in left if place not in found]
    return not left


def _sources(wish: WrittenWish, of_wish: Sequence[frozenset[int]]) -> frozenset[str]:
    """The files and results, as arguments name them, that a wish has to come from."""
    made = {f"<GEN>-{number}" for place in wish.wishes for number in of_wish[place]}
    return wish.files | made


def _serving(
    plan: Plan, left: Sequence[int], wish: WrittenWish, wanted: frozenset[str]
) -> list[int]:
    """The subtasks, by place, that together serve a wish: one on all it is about, or one on each
    part of it; none where there are none."""
    fitting = []
    for place in left:
        subtask = plan.subtasks[place]
        solution = plan.solution(subtask.id)
        if solution is None or solution.tools[-1] not in wish.ends:
            continue
        read = {item.value for item in subtask.args if not item.role}
        if read == wanted:
            return [place]
        if read and read < wanted:
            fitting.append((place, read))
    covered: set[str] = set()
    chosen = []
    for place, read in fitting:
        if not read <= covered:
            covered |= read
            chosen.append(place)
    return chosen if covered == wanted and wanted else []


def gives_names(plan: Plan, written: Written) -> bool | None:
    """Whether tools are given the names of all things that the wishes call by one; None where they
    call none. Case, punctuation, a first article and a possessive do not count."""
    wanted = {_plain(wish.name) for wish in written.wishes if wish.name}
    given = {
        _plain(value.text)
        for step in plan.steps()
        for item in step.action.inputs.values()
        for value in values_of(item)
        if isinstance(value, Literal)
    }
    return wanted <= given if wanted else None


def _plain(name: str) -> str:
    plain = re.sub(r"['’]s?\b", "", name.lower())
    return re.sub(r"^(?:the|a|an|my|our) ", "", " ".join(re.findall(r"\w+", plain)))


@dataclass(frozen=True)
class WrittenResult:
    """Whether each request was planned rightly, its kind, the seconds that planning took, and for
    each that was planned rightly whether it `names` what it is about, see `gives_names`. `plans`
    are the plans themselves, `usage` what a language model took for all of them."""

    right: tuple[bool, ...]
    kinds: tuple[str, ...]
    seconds: tuple[float, ...]
    names: tuple[bool | None, ...] = ()
    plans: tuple[Plan, ...] = ()
    usage: Usage = Usage()

    def __add__(self, other: WrittenResult) -> WrittenResult:
        return WrittenResult(
            self.right + other.right,
            self.kinds + other.kinds,
            self.seconds + other.seconds,
            self.names + other.names,
            self.plans + other.plans,
            self.usage + other.usage,
        )

    @property
    def by_kind(self) -> Mapping[str, tuple[int, int]]:
        """How many requests of each kind are planned rightly, and how many there are."""
        of_kind: dict[str, list[bool]] = {}
        for kind, right in zip(self.kinds, self.right, strict=True):
            of_kind.setdefault(kind, []).append(right)
        return {kind: (sum(found), len(found)) for kind, found in sorted(of_kind.items())}

    @property
    def wrong(self) -> tuple[int, ...]:
        """The places of the requests that are not planned rightly."""
        return tuple(place for place, right in enumerate(self.right) if not right)


def measure(
    planner: Planner, written: Sequence[Written], settings: Settings | None = None
) -> WrittenResult:
    """Plan every request and judge it. Where `settings` name a language model, it plans."""
    planner.plan(Request("Describe the picture"))
    right, seconds, names, plans = [], [], [], []
    told: list[Event] = []
    made_for_request = planners_of(planner, settings or Settings(), told.append)
    for item in written:
        started = time.perf_counter()
        plan, _ = made_for_request().plan(item.request)
        seconds.append(time.perf_counter() - started)
        plans.append(plan)
        right.append(is_right(plan, item))
        if right[-1]:
            names.append(gives_names(plan, item))
    kinds = tuple(item.kind for item in written)
    usage = used(told)
    return WrittenResult(tuple(right), kinds, tuple(seconds), tuple(names), tuple(plans), usage)


def measured(
    path: Path, settings: Settings | None = None
) -> tuple[tuple[Written, ...], WrittenResult]:
    """All requests of a file, planned over the toolboxes it has with the embedded planner, or with
    the language model that `settings` name."""
    sets = read_with_toolboxes(path)
    results = [measure(embedded_planner(box), found, settings or Settings()) for box, found in sets]
    requests = tuple(item for _, found in sets for item in found)
    return requests, functools.reduce(operator.add, results)


def table(result: WrittenResult) -> str:
    """The shares as a Markdown table."""
    rows = [
        f"| {kind} | {good} | {count} | {good / count:.3f} |"
        for kind, (good, count) in result.by_kind.items()
    ]
    good, count = sum(result.right), len(result.right)
    rows.append(f"| **all** | {good} | {count} | {good / max(1, count):.3f} |")
    ordered = sorted(1000 * taken for taken in result.seconds)
    late = ordered[int(0.95 * (len(ordered) - 1))]
    times = f"Planning: {statistics.median(ordered):.0f} ms median, {late:.0f} ms p95."
    told = [name for name in result.names if name is not None]
    names = f"Of {len(told)} right plans about things with names, {sum(told)} give tools the name."
    return "\n".join(
        [
            "| wishes | right | of | share |",
            "| --- | --- | --- | --- |",
            *rows,
            "",
            *([names] if told else []),
            times,
            *([told_usage(result.usage, count)] if result.usage.calls else []),
        ]
    )


def used(told: Sequence[Event]) -> Usage:
    """What a language model took, by the events that were told."""
    return sum((event.usage for event in told if isinstance(event, LanguageModelUsed)), Usage())


def told_usage(usage: Usage, requests: int) -> str:
    """What a language model took for a request in the mean, as a sentence."""
    read, said = usage.prompt_tokens / requests, usage.completion_tokens / requests
    calls = usage.calls / requests
    return f"A request took {calls:.2f} calls, {read:.0f} tokens read and {said:.0f} written."
