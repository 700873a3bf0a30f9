"""One table of how good the planner's plans are: ``python -m benchmarks planner``.

Every set of requests that the repository has is planned with the embedded planner and becomes a
row; sets that others published become rows where their files are given. The table stands in
``docs/planner.md`` between two marks, and `write` replaces it there. `dump` keeps the plans
themselves, so that those of two commits can be compared with ``diff -r``.
"""

from __future__ import annotations

import datetime
import json
import os
import platform
import re
import statistics
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks import annotation, kinds, metrics, plans, written
from benchmarks.suites import registry
from benchmarks.suites.running import answered
from benchmarks.suites.suite import Options
from controlllm.core.plans import Plan
from controlllm.runs.planners import embedded_planner
from controlllm.toolbox import read_catalogue

_ROOT = Path(__file__).resolve().parent.parent
PAGE = _ROOT / "docs" / "planner.md"
#: The table stands between these lines of the page.
BEGIN = "<!-- figures: python -m benchmarks planner --write -->"
END = "<!-- end of figures -->"

_COLUMNS = (
    *("set", "requests", "right", "one wish", "two or a chain", "long"),
    *("SE", "IR", "NR", "HR", "CR", "in parts", "median", "95 %", "measured"),
)
_WORDS = frozenset({"set", "in parts", "measured"})
_HEAD = f"| {' | '.join(_COLUMNS)} |"
_RULE = f"| {' | '.join('---' if name in _WORDS else '---:' for name in _COLUMNS)} |"


@dataclass(frozen=True)
class Result:
    """What the plans of one set came to.

    `right` is a share, `seconds` what each plan took, `plans` are the requests' words with their
    plans. `by_kind` are shares by ``one``, ``two`` and ``long``, where a set tells its wishes;
    `rates` the paper's metrics, where it is judged by them; `parts` other figures by their names.
    """

    right: float
    seconds: Sequence[float]
    plans: Sequence[tuple[str, Plan]]
    by_kind: Mapping[str, float] = field(default_factory=dict)
    rates: metrics.Rates | None = None
    parts: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class RequestSet:
    """A set of requests: what it is called in the table, and how it is measured."""

    title: str
    measure: Callable[[], Result]


@dataclass(frozen=True)
class Circumstances:
    """Which commit is measured, when, and on what; taken before anything is planned."""

    commit: str
    date: str
    machine: str

    @classmethod
    def here(cls) -> Circumstances:
        """The commit that is checked out, today, and this machine with how busy it is."""
        return cls(_commit(), datetime.date.today().isoformat(), _machine())


def _commit() -> str:
    """The commit, and whether anything but the documentation was changed since."""

    def asked(*words: str) -> str:
        told = ("git", "-C", str(_ROOT), *words)
        return subprocess.run(told, capture_output=True, text=True, check=True).stdout.strip()

    try:
        commit = asked("rev-parse", "--short", "HEAD")
        changed = asked("diff", "--name-only", "HEAD", "--", ".", ":!docs")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return f"{commit} with changes" if changed else commit


def _machine() -> str:
    try:
        names = re.findall(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(), re.M)
    except OSError:
        names = []
    name = names[0] if names else platform.processor() or platform.machine()
    load = f", load {os.getloadavg()[0]:.0f} at the start" if hasattr(os, "getloadavg") else ""
    return f"{name}, {os.cpu_count()} cores{load}"


def of_written(path: Path) -> Result:
    """Requests that are written with their wishes."""
    asked, found = written.measured(path)
    return Result(
        sum(found.right) / len(found.right),
        found.seconds,
        [(item.request.text, plan) for item, plan in zip(asked, found.plans, strict=True)],
        by_kind={kind: right / count for kind, (right, count) in found.by_kind.items()},
    )


def of_suite(name: str) -> Result:
    """Annotated requests, judged by the paper's metrics."""
    found = plans.planned(annotation.read_suite(name))
    rates = metrics.rates([item.judgement for item in found])
    return Result(
        rates.solved,
        [item.seconds for item in found],
        [(item.annotation.request, item.plan) for item in found],
        rates=rates,
        parts=rates.solved_by_level,
    )


def of_kinds(path: Path, catalogue: Path) -> Result:
    """Instructions of which the kinds are known, over a catalogue of tools."""
    planner = embedded_planner(read_catalogue(catalogue))
    found = list(kinds.outcomes(planner, kinds.read_instructions(path)))
    groups = {
        "one task": [item.right for item in found if item.instruction.is_single],
        "several files or tasks": [item.right for item in found if not item.instruction.is_single],
    }
    return Result(
        statistics.mean(item.right for item in found),
        [item.seconds for item in found],
        [(item.instruction.text, item.plan) for item in found],
        parts={name: statistics.mean(rights) for name, rights in groups.items() if rights},
    )


def of_taskbench(path: Path, catalogue: Path, wording: str) -> Result:
    """TaskBench's samples in one wording; right is a plan of just the expected tools and links."""
    options = Options("taskbench", data=str(path), toolbox=catalogue, wording=wording)
    suite = registry.SUITES[options.suite](options)
    answers = answered(suite.tasks, registry.PLANNERS[options.planner](suite, options))
    figures = suite.report(answers).rows[0].figures
    shown = {"node F1": "n-F1 micro, strict", "edge F1": "e-F1, strict"}
    return Result(
        figures["exact"],
        [item.seconds for item in answers.values()],
        [
            (task.request.text, plan)
            for task in suite.tasks
            if (plan := answers[task.id].plan) is not None
        ],
        parts={name: figures[metric] for name, metric in shown.items() if metric in figures},
    )


def _of_file(name: str) -> Callable[[], Result]:
    return lambda: of_written(annotation.DATA / name)


def _of_suite(name: str) -> Callable[[], Result]:
    return lambda: of_suite(name)


#: The sets that the repository has, by the names that `--only` takes.
SETS: Mapping[str, RequestSet] = {
    "people": RequestSet("people's first 200", _of_file("people_benchmark.json")),
    "second-people": RequestSet("people's second 200", _of_file("second_people_benchmark.json")),
    "benchmark": RequestSet("our 168", _of_suite("benchmark")),
    "sealed": RequestSet("sealed", _of_suite("sealed")),
    "second-sealed": RequestSet("second sealed", _of_suite("second-sealed")),
    "field": RequestSet("field", _of_suite("field")),
    "foreign-development": RequestSet("foreign, development", _of_file("foreign_development.json")),
    "foreign": RequestSet("foreign, benchmark", _of_file("foreign_benchmark.json")),
}
#: The titles of sets that others published, by the names that `--only` takes. Their files are not
#: part of the project; each wording of TaskBench is a set.
_TASKBENCH = {
    "taskbench-instruction": "TaskBench, as told",
    "taskbench-user_request": "TaskBench, short wording",
}
_KINDS = {"kinds": "authors' instructions"}
PUBLIC: Mapping[str, str] = {**_TASKBENCH, **_KINDS}


def chosen(
    only: Sequence[str], taskbench: Path | None, kinds_of: Path | None, toolboxes: Sequence[Path]
) -> dict[str, RequestSet]:
    """The sets to measure: those of the repository and those whose files are given, or of these
    the ones that `only` names.

    `toolboxes` are the catalogues of the files given, TaskBench's first. Raises ValueError where
    they are not as many as the files, and where `only` names a set whose file is not given.
    """
    files = [path for path in (taskbench, kinds_of) if path is not None]
    if len(files) != len(toolboxes):
        raise ValueError("Give a --toolbox for each of --taskbench and --kinds, in this order.")
    catalogues = dict(zip(files, toolboxes, strict=True))
    found = dict(SETS)
    if taskbench is not None:
        for key, title in _TASKBENCH.items():
            found[key] = RequestSet(title, _of_taskbench(taskbench, catalogues[taskbench], key))
    if kinds_of is not None:
        path, catalogue = kinds_of, catalogues[kinds_of]
        found["kinds"] = RequestSet(_KINDS["kinds"], lambda: of_kinds(path, catalogue))
    for name in only:
        if name not in found:
            raise ValueError(f"{name} needs its file: see --taskbench and --kinds.")
    return {key: item for key, item in found.items() if not only or key in only}


def _of_taskbench(path: Path, catalogue: Path, key: str) -> Callable[[], Result]:
    return lambda: of_taskbench(path, catalogue, key.partition("-")[2])


def measured(
    sets: Mapping[str, RequestSet], tell: Callable[[str], None] = lambda told: None
) -> Iterator[tuple[str, Result]]:
    """Measure set after set, each with its name; `tell` hears how far it is."""
    for name, item in sets.items():
        started = time.perf_counter()
        result = item.measure()
        tell(f"{item.title}: {len(result.seconds)} in {time.perf_counter() - started:.0f} s")
        yield name, result


def row(title: str, result: Result, at: Circumstances) -> str:
    """The line of the table for one set."""
    seconds = sorted(result.seconds)
    rates = result.rates
    paper = (
        [rates.solved, rates.irrelevant, rates.necessary, rates.hallucinated, rates.consistent]
        if rates
        else [None] * 5
    )
    shares = [result.right, *(result.by_kind.get(kind) for kind in ("one", "two", "long")), *paper]
    cells = [
        title,
        f"{len(seconds)}",
        *("" if share is None else f"{share:.3f}" for share in shares),
        ", ".join(f"{name} {share:.3f}" for name, share in result.parts.items()),
        f"{1000 * statistics.median(seconds):.0f} ms",
        f"{1000 * plans.percentile(seconds, 0.95):.0f} ms",
        f"{at.date}, {at.commit}",
    ]
    return f"| {' | '.join(cells)} |"


def block(rows: Iterable[str], at: Circumstances) -> str:
    """What stands between the marks: a line about the measuring, and the table."""
    told = f"Measured last on {at.date} with commit {at.commit}, on {at.machine}."
    return "\n".join([told, "", _HEAD, _RULE, *rows])


def rewritten(page: str, rows: Mapping[str, str], at: Circumstances) -> str:
    """A page with these rows, by title, in its table. Rows of other sets stay as they stand.

    Raises ValueError where the page does not have the two marks, or rows that would stay have
    other columns.
    """
    before, begin, rest = page.partition(BEGIN)
    table, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"The page has no table between {BEGIN} and {END}.")
    titles = [*(item.title for item in SETS.values()), *PUBLIC.values()]
    standing = {
        line.split("|")[1].strip(): line for line in table.splitlines() if line.startswith("| ")
    }
    kept = {title: standing[title] for title in titles if title in standing and title not in rows}
    if kept and _HEAD not in table:
        raise ValueError(f"The table has other columns; measure {', '.join(kept)} as well.")
    lines = [line for title in titles if (line := rows.get(title, kept.get(title)))]
    return f"{before}{BEGIN}\n\n{block(lines, at)}\n\n{END}{after}"


def write(rows: Mapping[str, str], at: Circumstances, page: Path) -> None:
    """Put rows, by title, into the table of a page; raises ValueError as `rewritten` does."""
    page.write_text(rewritten(page.read_text("utf-8"), rows, at), "utf-8")


def dump(name: str, result: Result, folder: Path) -> Path:
    """Write all plans of a set as JSON: the subtasks, and of each solution its score and what its
    tools are given. No times are in it, so the same plans are the same file."""
    folder.mkdir(parents=True, exist_ok=True)
    found = [_plan(text, plan) for text, plan in result.plans]
    path = folder / f"{name}.json"
    told = json.dumps(found, indent=1, ensure_ascii=False, sort_keys=True)
    path.write_text(f"{told}\n", "utf-8")
    return path


def _plan(text: str, plan: Plan) -> dict[str, Any]:
    return {
        "request": text,
        "subtasks": [
            {**subtask.to_json(), "confidence": round(subtask.confidence, 4)}
            for subtask in plan.subtasks
        ],
        "solutions": {
            str(subtask.id): [
                {
                    "score": round(way.score, 4),
                    "actions": [action.to_json() for action in way.actions],
                }
                for way in plan.solutions.get(subtask.id, ())
            ]
            for subtask in plan.subtasks
        },
    }
