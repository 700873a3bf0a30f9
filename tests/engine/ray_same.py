"""The same plans on this machine and on a Ray cluster: ``python -m tests.engine.ray_same``.

Every embedded tool on real input, and requests of several steps as the planner plans them, run
twice in worker processes and once on two Ray nodes, each with a home of its own. What both local
runs made alike, byte for byte, has to be the same from the cluster; what they did not (voices,
melodies and the like are drawn by chance) has to be of the same kind. Then plans of actions that
take no time tell what an action costs.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import os
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks import engine_speed
from controlllm.core.events import ActionFailed, ActionFinished
from controlllm.core.plans import (
    Action,
    Literal,
    Plan,
    Reference,
    Request,
    Solution,
    Subtask,
    TypedValue,
)
from controlllm.engine import Engine, Terms, WorkerProcesses, Workers
from controlllm.layout import ASSETS
from controlllm.resources import Resource, encode
from controlllm.resources.probing import details_of
from controlllm.runs.planners import embedded_planner
from controlllm.self_test.samples import Samples
from controlllm.store import Store
from controlllm.toolbox import Tool, Toolbox

PICTURES = ASSETS / "examples"
#: Requests of several steps; each with the picture that it is about.
REQUESTS = (
    ("Turn the text in this picture into speech.", "sign.png"),
    ("Turn this photo into a line drawing, then crop the left half of it.", "rocket.jpg"),
    ("Flip this picture upside down, then read the text in it.", "sign.png"),
    ("Find the cat in this picture and highlight it, then make the picture grey.", "chelsea.jpg"),
    ("Make a video of this picture with narration.", "astronaut.jpg"),
    ("Remove the background of this picture, and draw the edges of the picture.", "coffee.jpg"),
    ("Describe this picture and say the description aloud.", "coffee.jpg"),
    ("Is there a cat in this picture?", "chelsea.jpg"),
)
_ACTIONS = 100


@dataclass(frozen=True)
class Planned:
    """A plan with the resources it reads; `files` are their contents and media types."""

    name: str
    plan: Plan
    resources: Mapping[str, Resource]
    files: Sequence[tuple[bytes, str]]


@dataclass
class Outcome:
    """What a plan made, as kind and digest by action, and what failed."""

    made: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)
    seconds: float = 0.0


def suite(toolbox: Toolbox, folder: Path, only: Sequence[str] = ()) -> Iterator[Planned]:
    """A plan of one action for each embedded tool, and those of the requests."""
    samples = Samples(toolbox, folder)
    for tool in toolbox:
        if toolbox.available(tool.name, preference=("embedded",)) and (
            not only or tool.name in only
        ):
            yield _plan_of(tool, samples.of(tool))
    planner = embedded_planner(toolbox)
    for text, name in REQUESTS:
        if only and text not in only:
            continue
        content = (PICTURES / name).read_bytes()
        kind = "image/png" if name.endswith(".png") else "image/jpeg"
        resource = _kept(content, "image", name, kind, folder)
        plan, _ = planner.plan(Request(text, (resource,), (name,)))
        if any(plan.solutions.get(subtask.id) for subtask in plan.subtasks):
            yield Planned(text, plan, {name: resource}, [(content, kind)])


def _plan_of(tool: Tool, inputs: Mapping[str, object]) -> Planned:
    given: dict[str, object] = {}
    resources: dict[str, Resource] = {}
    files: list[tuple[bytes, str]] = []
    with tempfile.TemporaryDirectory() as folder:
        for argument in tool.args:
            value = inputs.get(argument.name)
            items = value if argument.many and isinstance(value, list) else [value]
            found: list[Literal | Reference] = []
            for number, item in enumerate(items):
                if item is None:
                    continue
                if argument.type in ("text", "title") and isinstance(item, str):
                    found.append(Literal(item))
                    continue
                content, kind = encode(argument.type, item)
                name = f"{argument.name}-{number}"
                resources[name] = _kept(content, argument.type, name, kind, Path(folder))
                files.append((content, kind))
                found.append(Reference(name))
            if found:
                given[argument.name] = tuple(found) if argument.many else found[0]
    output = TypedValue(tool.returns.type, "<GEN>-0")
    action = Action(tool.name, given, output)  # type: ignore[arg-type]
    subtask = Subtask(0, tool.description, (tool.domain,), (), output)
    return Planned(tool.name, Plan((subtask,), {0: (Solution((action,), 5.0),)}), resources, files)


def _kept(content: bytes, type_name: str, name: str, kind: str, folder: Path) -> Resource:
    path = folder / f"{hashlib.sha256(content).hexdigest()}{Path(name).suffix or '.bin'}"
    path.write_bytes(content)
    details = dict(details_of(type_name, path))
    return Resource(type_name, name, path.stem, kind, "", 0, details)


@contextmanager
def local(toolbox: Toolbox) -> Iterator[tuple[Store, Workers]]:
    """Worker processes with an empty home."""
    with tempfile.TemporaryDirectory() as home:
        store = Store(Path(home))
        workers = WorkerProcesses(toolbox, store)
        try:
            yield store, workers
        finally:
            workers.close()
            store.close()


@contextmanager
def clustered(toolbox: Toolbox) -> Iterator[tuple[Store, Workers]]:
    """Two Ray nodes of one processor each on loopback, and an empty home."""
    import ray
    from ray.cluster_utils import Cluster

    from controlllm.engine.ray_cluster import RayCluster

    common = {"num_cpus": 1, "object_store_memory": 100_000_000, "include_dashboard": False}
    nodes = Cluster(initialize_head=True, head_node_args={**common, "node_ip_address": "127.0.0.2"})
    try:
        nodes.add_node(**common, node_ip_address="127.0.0.3")
        with tempfile.TemporaryDirectory() as home:
            store = Store(Path(home))
            workers = RayCluster(toolbox, store, nodes.address)
            try:
                yield store, workers
            finally:
                workers.close()
                store.close()
    finally:
        ray.shutdown()
        nodes.shutdown()


def outcomes(
    toolbox: Toolbox, plans: Sequence[Planned], store: Store, workers: Workers
) -> list[Outcome]:
    """What each of the plans made, one after another."""
    engine = Engine(toolbox, store, 2, attempt=workers)
    found = []
    for planned in plans:
        for content, kind in planned.files:
            store.put_bytes(content, kind)
        began = time.monotonic()
        outcome = asyncio.run(_run(engine, planned))
        outcome.seconds = time.monotonic() - began
        found.append(outcome)
        print(".", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return found


async def _run(engine: Engine, planned: Planned) -> Outcome:
    outcome = Outcome()
    async for event in engine.run(
        planned.plan,
        planned.resources,
        name_output=lambda step, media_type: f"made-{step.key}",
        cancelled=threading.Event(),
        terms=Terms(("embedded",)),
    ):
        if isinstance(event, ActionFinished):
            made = event.resource
            outcome.made[event.key] = (made.type, made.media_type, made.digest)
        elif isinstance(event, ActionFailed):
            outcome.failed.append(f"{event.key}: {event.message}")
    return outcome


def differences(first: Outcome, second: Outcome, other: Outcome) -> tuple[int, int, list[str]]:
    """How many actions' results two local runs and another all made alike, how many are of the same
    kind and drawn by chance, and how the other differs where it must not."""
    wrong = []
    if other.failed != first.failed:
        wrong.append(f"failed with {other.failed} and not with {first.failed}")
    alike = by_chance = 0
    for key in {**first.made, **other.made}:
        here, there = first.made.get(key), other.made.get(key)
        if here is None or there is None or here[:2] != there[:2]:
            wrong.append(f"{key} is {there} and not {here}")
        elif second.made.get(key) != here:
            by_chance += 1
        elif here != there:
            wrong.append(f"{key} has other content")
        else:
            alike += 1
    return alike, by_chance, wrong


def added_to_an_action(toolbox: Toolbox, store: Store, workers: Workers) -> tuple[float, float]:
    """Seconds that an action costs which takes no time, its tool being warm: one after another, and
    beside each other."""
    engine = Engine(toolbox, store, 2, attempt=workers)

    def each(parents: tuple[tuple[int, ...], ...], name: str) -> float:
        graph = engine_speed.Graph((0,) * len(parents), parents)
        planned = Planned(name, engine_speed.plan_of(graph, f"{name}-"), {}, [])
        began = time.perf_counter()
        outcome = asyncio.run(_run(engine, planned))
        if len(outcome.made) != len(parents):
            raise RuntimeError(f"{len(outcome.made)} of {len(parents)} done: {outcome.failed}")
        return (time.perf_counter() - began) / len(parents)

    chain = ((), *((number,) for number in range(_ACTIONS - 1)))
    free: tuple[tuple[int, ...], ...] = ((),) * _ACTIONS
    each(free[:8], "warm")
    return (
        statistics.median(each(chain, f"chain {turn}") for turn in range(3)),
        statistics.median(each(free, f"free {turn}") for turn in range(3)),
    )


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.engine.ray_same", description=__doc__)
    parser.add_argument("only", nargs="*", help="names of tools, or requests; else all")
    parser.add_argument("--no-speed", action="store_true", help="leave out what an action costs")
    options = parser.parse_args()
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    toolbox = Toolbox.load(engine_speed.TOOLS)
    with tempfile.TemporaryDirectory() as folder:
        plans = list(suite(toolbox, Path(folder), options.only))
    runs: list[list[Outcome]] = []
    speeds: dict[str, tuple[float, float]] = {}
    for opened in (local, local, clustered):
        with opened(toolbox) as (store, workers):
            runs.append(outcomes(toolbox, plans, store, workers))
            name = "Ray, two nodes" if opened is clustered else "worker processes"
            if not options.no_speed and len(runs) > 1:
                speeds[name] = added_to_an_action(toolbox, store, workers)
    return report(plans, *runs, speeds=speeds)


def report(
    plans: Sequence[Planned],
    first: Sequence[Outcome],
    second: Sequence[Outcome],
    other: Sequence[Outcome],
    speeds: Mapping[str, tuple[float, float]],
) -> int:
    """Print it as Markdown; 1 where the cluster made anything else."""
    actions = alike = 0
    faults, not_done = [], []
    print("| plan | actions | alike | by chance | here | on Ray |")
    print("| --- | --- | --- | --- | --- | --- |")
    for planned, here, again, there in zip(plans, first, second, other, strict=True):
        same, by_chance, wrong = differences(here, again, there)
        actions, alike = actions + len(here.made), alike + same
        faults += [f"{planned.name}: {sentence}" for sentence in wrong]
        not_done += [f"{planned.name}: {sentence}" for sentence in here.failed]
        print(
            f"| {planned.name} | {len(here.made)} | {same} | {by_chance} "
            f"| {here.seconds:.2f} s | {there.seconds:.2f} s |"
        )
    print(f"\n{len(plans)} plans, {actions} actions, {alike} alike byte for byte.\n")
    print(f"{len(faults)} × difference\n" + "".join(f"- {fault}\n" for fault in faults))
    print(f"{len(not_done)} × failed here too\n" + "".join(f"- {one}\n" for one in not_done))
    if speeds:
        print("| an action that takes no time | one after another | beside each other |")
        print("| --- | --- | --- |")
        for name, (chain, free) in speeds.items():
            print(f"| {name} | {chain * 1000:.1f} ms | {free * 1000:.1f} ms |")
    return 1 if faults or not actions else 0


if __name__ == "__main__":
    sys.exit(main())
