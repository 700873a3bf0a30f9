"""Agents over tasks, shares of faults and seeds: in parallel, kept line by line, and as a table."""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from benchmarks.suites.kept import Kept
from benchmarks.world.environment import WorldEnvironment
from benchmarks.world.facts import FOLDER
from benchmarks.world.faults import RATES, Faults
from benchmarks.world.judging import Verdict, bad_calls, judge, win_rate
from benchmarks.world.tasks import WorldTask
from controlllm.agents.environment import Environment
from controlllm.agents.roles import Outcome, Task
from controlllm.toolbox import Cancelled

#: An agent: works on a task in an environment until it ends.
Agent = Callable[[Task, Environment], Outcome]

#: For intervals that hold the true share in 95 of 100 cases.
_NORMAL_95 = 1.96
#: How much of an answer and of a reason is kept in a record, in characters.
_MOST_KEPT = 2_000


@dataclass(frozen=True)
class Job:
    """One run: an agent on a task with the faults of a rate and a seed; `all_tools` says that it
    is offered every tool there is."""

    agent: str
    task: str
    rate: float
    seed: int
    all_tools: bool = False


@dataclass(frozen=True)
class Record:
    """What came of a run.

    `seconds` is what the agent took here, `waited` the simulated time that its calls took;
    `world` says which facts, APIs and tasks it was run on; `error` what the agent raised.
    """

    job: Job
    verdict: Verdict
    answer: str
    reason: str
    tokens: int
    model_calls: int
    seconds: float
    waited: float
    world: str
    error: str = ""

    def to_json(self) -> dict[str, Any]:
        return {**vars(self), "job": dict(vars(self.job)), "verdict": dict(vars(self.verdict))}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Record:
        """Raises KeyError or TypeError where the data are not those of a record."""
        return cls(**{**data, "job": Job(**data["job"]), "verdict": Verdict(**data["verdict"])})


@cache
def world_version() -> str:
    """Changes when the world's files do: what was measured on others cannot be compared."""
    found = hashlib.sha256()
    for path in sorted([*FOLDER.rglob("*.json"), *FOLDER.rglob("*.toml")]):
        found.update(path.read_bytes())
    return found.hexdigest()[:12]


def run(
    agents: Mapping[str, Agent],
    tasks: Sequence[WorldTask],
    path: Path,
    rates: Sequence[float] = RATES,
    seeds: Sequence[int] = (0,),
    all_tools: bool = False,
    workers: int = 1,
    processes: bool = False,
    tell: Callable[[Record], None] = lambda record: None,
    settings: Mapping[str, Any] | None = None,
) -> list[Record]:
    """Run each agent on each task, share of faults and seed, and keep each record in a file.

    Parameters
    ----------
    path: lines of JSON; runs that it holds already, of this world, are not made again. Its first
        line says with which `settings` all of them were made.
    workers: how many runs at once.
    processes: whether each is in a process of its own; agents have to be functions of modules then.
    tell: told of each new record.
    settings: what decides the runs beside the agents' names, the tasks, the faults and the seeds:
        who keeps the agents' roles, with which options.

    Raises ValueError where the file was made with other settings.
    """
    known = {task.id: task for task in tasks}
    jobs = [
        Job(name, task, rate, seed, all_tools)
        # All runs of a task together: to plan over its tools takes a moment to be prepared.
        for task, seed, rate, name in product(known, seeds, rates, agents)
    ]
    with Kept(path, settings or {}, "runs") as file, _pool(workers, processes) as pool:
        kept = {record.job: record for record in kept_records(path)}
        left = [job for job in jobs if job not in kept]
        waiting = [pool.submit(run_one, agents[job.agent], known[job.task], job) for job in left]
        try:
            for done in as_completed(waiting):
                record = done.result()
                kept[record.job] = record
                file.add(record.to_json())
                tell(record)
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise
    return [kept[job] for job in jobs]


def run_one(agent: Agent, task: WorldTask, job: Job) -> Record:
    """Run an agent on a task; what it raises, but for Cancelled, makes a run that has failed."""
    faults = Faults(job.rate, job.seed)
    environment = WorldEnvironment(task, faults, job.all_tools)
    begun, error, outcome = time.perf_counter(), "", None
    try:
        outcome = agent(Task(task.words), environment)
    except Cancelled:
        raise
    except Exception as raised:
        error = f"{type(raised).__name__}: {raised}"[:_MOST_KEPT]
    seconds = time.perf_counter() - begun
    calls = environment.calls
    if outcome is None:
        facts = len(task.facts) + len(task.effects)
        reason = f"It broke off: {error}"
        verdict = Verdict(False, reason, facts, 0, 0, bad_calls(calls), len(calls))
    else:
        verdict = judge(task, outcome, environment.effects, calls, faults.solvable(task))
    spent = outcome.view.spent if outcome else None
    return Record(
        job,
        verdict,
        outcome.answer[:_MOST_KEPT] if outcome else "",
        outcome.reason[:_MOST_KEPT] if outcome else "",
        spent.tokens if spent else 0,
        spent.model_calls if spent else 0,
        round(seconds, 3),
        round(environment.seconds, 1),
        world_version(),
        error,
    )


def kept_records(path: Path) -> Iterator[Record]:
    """The records of this world in a file; lines that were not written to their
    end are left out."""
    if not path.is_file():
        return
    for line in path.read_text("utf-8").split("\n"):
        try:
            record = Record.from_json(json.loads(line))
        except (KeyError, TypeError, ValueError):
            continue
        if record.world == world_version():
            yield record


def summary(records: Iterable[Record], against: str = "") -> list[dict[str, Any]]:
    """A line for each agent and share of faults, agents in the order in which they come.

    ``passed``, ``solved`` and ``win`` are shares of all runs, ``passed_least`` and ``passed_most``
    the 95 % interval of Wilson (1927), ``facts`` the mean share of facts where there are any;
    calls, tokens and seconds are means. ``win`` is against the agent of that name on
    the same tasks, shares of faults and seeds; None where there is none, or it is the same.
    """
    groups: dict[tuple[str, float], list[Record]] = {}
    for record in records:
        groups.setdefault((record.job.agent, record.job.rate), []).append(record)
    lines = []
    for (agent, rate), found in sorted(groups.items(), key=lambda item: item[0][1]):
        passed = sum(record.verdict.passed for record in found)
        least, most = interval(passed, len(found))
        lines.append(
            {
                "agent": agent,
                "rate": rate,
                "runs": len(found),
                "passed": passed / len(found),
                "passed_least": least,
                "passed_most": most,
                "solved": _mean(record.verdict.solved for record in found),
                "facts": _mean(record.verdict.share for record in found if record.verdict.facts),
                "win": _win(found, groups.get((against, rate), ()), agent == against),
                "calls": _mean(record.verdict.calls for record in found),
                "bad_calls": _mean(record.verdict.bad_calls for record in found),
                "wrong_effects": sum(record.verdict.wrong_effects for record in found),
                "model_calls": _mean(record.model_calls for record in found),
                "tokens": _mean(record.tokens for record in found),
                "seconds": _mean(record.seconds for record in found),
                "waited": _mean(record.waited for record in found),
                "errors": sum(bool(record.error) for record in found),
            }
        )
    return lines


def markdown(lines: Sequence[Mapping[str, Any]], against: str = "") -> str:
    """The summary as a table in Markdown."""
    win = f"win against {against}" if against else "win"
    rows = [
        "| agent | faults | runs | pass (95 % interval) | solved | facts "
        f"| {win} | calls | bad calls | wrong effects | tokens | seconds | simulated seconds |",
        "| --- |" + " ---: |" * 12,
    ]
    for line in lines:
        won = "–" if line["win"] is None else f"{line['win']:.1%}"
        rows.append(
            f"| {line['agent']} | {line['rate']:.0%} | {line['runs']} | {line['passed']:.1%} "
            f"({line['passed_least']:.0%}–{line['passed_most']:.0%}) | {line['solved']:.1%} "
            f"| {line['facts']:.1%} "
            f"| {won} | {line['calls']:.1f} | {line['bad_calls']:.1f} | {line['wrong_effects']} "
            f"| {line['tokens']:.0f} | {line['seconds']:.2f} | {line['waited']:.1f} |"
        )
    return "\n".join(rows) + "\n"


def interval(passed: int, runs: int) -> tuple[float, float]:
    """The 95 % interval of a share after Wilson (1927)."""
    if not runs:
        return 0.0, 1.0
    share, squared = passed / runs, _NORMAL_95**2
    middle = (share + squared / (2 * runs)) / (1 + squared / runs)
    half = (
        _NORMAL_95
        * math.sqrt(share * (1 - share) / runs + squared / (4 * runs**2))
        / (1 + squared / runs)
    )
    return max(middle - half, 0.0), min(middle + half, 1.0)


def _win(found: Sequence[Record], others: Sequence[Record], is_same: bool) -> float | None:
    if is_same:
        return None
    by_place = {_place(record): record.verdict for record in others}
    pairs = [
        (record.verdict, by_place[_place(record)]) for record in found if _place(record) in by_place
    ]
    return win_rate(pairs) if pairs else None


def _place(record: Record) -> tuple[str, float, int, bool]:
    job = record.job
    return job.task, job.rate, job.seed, job.all_tools


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return sum(found) / len(found) if found else 0.0


def _pool(workers: int, processes: bool) -> Executor:
    if processes:
        # A fork of a program with threads may hang, so each process begins anew.
        return ProcessPoolExecutor(workers, mp_context=get_context("spawn"))
    return ThreadPoolExecutor(workers)
