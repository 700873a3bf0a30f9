"""Calls made on the nodes of a Ray cluster, one actor for each implementation that is in use.

Ray places an actor where its resources are free. An actor or a node that dies costs the call that
it was making, which is made again elsewhere. See docs/cluster.md.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from controlllm.core.plans import Literal
from controlllm.engine.attempt import Asked, Attempted, Call, Failed, Made, Outcome, Report
from controlllm.engine.capacity import Capacity
from controlllm.engine.limits import Limits
from controlllm.engine.protocol import call_line, read_outcome, way_of
from controlllm.engine.ray_actor import ToolActor
from controlllm.observing.logs import current_run
from controlllm.resources import Resource
from controlllm.sources.loading import folder_of, kept_sources
from controlllm.store import Store
from controlllm.toolbox import Implementation, Toolbox

_log = logging.getLogger(__name__)

_PROJECT = Path(__file__).resolve().parents[2]
#: How often a call at work is looked at: is it to stop, is it within its limits.
_SECONDS_BETWEEN_LOOKS = 0.1
#: How long an actor may take to start on a node that has room for it: it loads the toolbox.
_SECONDS_TO_START = 120.0


@dataclass(eq=False)
class _Actor:
    """An actor as this program sees it."""

    handle: Any
    needs: Mapping[str, float]
    used: float = field(default_factory=time.monotonic)


class RayCluster:
    """Makes attempts at calls on a Ray cluster; safe for many threads.

    Parameters
    ----------
    toolbox: what `load_toolbox` gave; nodes load the same folders and are handed the sources.
    store: gives files to the nodes and keeps what they make.
    address: of the cluster's head, such as ``10.0.0.1:6379``; where it is empty, the cluster that
        this machine belongs to, and where there is none, one on this machine alone.
    """

    def __init__(
        self,
        toolbox: Toolbox,
        store: Store,
        address: str = "",
        limits: Limits | None = None,
        tell: Callable[[Attempted], None] = lambda attempted: None,
    ) -> None:
        import ray

        self._ray = ray
        self._toolbox = toolbox
        self._store = store
        self._limits = limits or Limits()
        #: Of memory and accelerators Ray takes care, node by node.
        self.capacity = Capacity(at_endpoint=self._limits.endpoint_calls, at_accelerator=0)
        self._tell = tell
        self._lock = threading.Lock()
        self._idle: dict[str, list[_Actor]] = {}
        self._all: set[_Actor] = set()
        if not ray.is_initialized():
            os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
            options: dict[str, Any] = {
                "log_to_driver": False,
                "configure_logging": False,
                "runtime_env": {"env_vars": {"PYTHONPATH": str(_PROJECT)}},
            }
            try:
                ray.init(address=address or "auto", **options)
            except ConnectionError:
                if address:
                    raise
                ray.init(include_dashboard=False, **options)
        self._remote = ray.remote(ToolActor)

    @property
    def slots(self) -> int:
        """How many calls the cluster can make at once: its processors."""
        return max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def __call__(self, call: Call, cancelled: threading.Event, report: Report) -> Outcome:
        """Make an attempt at a call; see `controlllm.engine.attempt.Attempt`."""
        tool = call.tool.name
        # An actor has the sources of tools as they were when it began.
        name = f"{tool}/{way_of(call, self._toolbox)}/{call.implementation.version}"
        needs = self._needs(call.implementation)
        if not self._fits_a_node(needs):
            wanted = " and ".join(_in_words(needs))
            why = f"which “{call.tool.in_words}” needs"
            return Failed(f"No machine of the cluster has {wanted}, {why}.")
        actor = self._taken(name, needs)
        began, word = time.monotonic(), "lost"
        try:
            outcome = self._watched(actor, call, cancelled, report)
            if cancelled.is_set():
                word = "stopped"
            elif not (isinstance(outcome, Failed) and outcome.may_pass):
                word = {Made: "made", Asked: "asked"}.get(type(outcome), "failed")
            return outcome
        except self._ray.exceptions.RayError as error:
            _log.warning("A call was lost on the cluster.", extra={"tool": tool}, exc_info=error)
            said = f"The machine or the process that did “{call.tool.in_words}” was lost."
            return Failed(said, may_pass=True)
        finally:
            if word in ("lost", "stopped"):
                self._end(actor)
            else:
                self._give_back(name, actor)
            seconds, now = time.monotonic() - began, time.time()
            self._tell(Attempted(current_run.get(), tool, 0, seconds, now, word))

    def is_ready(self) -> bool:
        """Whether the cluster answers."""
        return bool(self._ray.is_initialized() and self._ray.nodes())

    def counts(self) -> dict[str, int]:
        """How many actors of this program there are: ``working`` and ``resting``."""
        with self._lock:
            resting = sum(map(len, self._idle.values()))
            return {"working": len(self._all) - resting, "resting": resting}

    def memory(self) -> dict[int, int]:
        """Nothing: actors are not this machine's."""
        return {}

    def close(self) -> None:
        """End all actors of this program; the cluster goes on."""
        with self._lock:
            actors = list(self._all)
        for actor in actors:
            with contextlib.suppress(Exception):
                self._ray.get(actor.handle.close.remote(), timeout=2)
            self._end(actor)

    def _watched(
        self, actor: _Actor, call: Call, cancelled: threading.Event, report: Report
    ) -> Outcome:
        name = call.tool.name
        limit = time.monotonic() + _SECONDS_TO_START
        wanted = [(item.digest, item.media_type) for item in _files(call)]
        lacking = actor.handle.lacks.remote(wanted)
        while not self._is_ready(lacking):
            if cancelled.is_set():
                return Failed(f"{name} was stopped.")
            self._make_room(actor.needs)
            if time.monotonic() > limit:
                said = f"The cluster had no room for {name} in time."
                return Failed(said, may_pass=True, is_undone=True)
        taken = []
        for digest, media_type in self._ray.get(lacking):
            content = self._store.path(digest, media_type).read_bytes()
            taken.append(actor.handle.take.remote(self._ray.put(content), media_type))
        # An actor does two things at once, so what it is told next may overtake these.
        self._ray.get(taken)
        told = json.loads(call_line(call, self._toolbox))
        lines = actor.handle.make.options(num_returns="streaming").remote(told)
        began = heard = time.monotonic()
        stopping: float | None = None
        while True:
            ready, _ = self._ray.wait([lines], timeout=_SECONDS_BETWEEN_LOOKS)
            now = time.monotonic()
            if ready:
                heard = now
                line = self._ray.get(next(lines))
                outcome = read_outcome(line)
                if isinstance(outcome, Made):
                    self._store.put_bytes(line["content"], outcome.resource.media_type)
                if outcome is not None:
                    return outcome
                report(float(line["progress"]), str(line.get("words", "")))
            elif cancelled.is_set():
                if stopping is None:
                    actor.handle.cancel.remote()
                stopping = stopping or now
                if now - stopping > self._limits.seconds_to_stop:
                    return Failed(f"{name} was stopped.")
            elif late := self._limits.passed_time(now - began, now - heard):
                return Failed(f"{name} {late}", may_pass=True, is_late=True)

    def _is_ready(self, promised: Any) -> bool:
        return bool(self._ray.wait([promised], timeout=_SECONDS_BETWEEN_LOOKS)[0])

    def _needs(self, implementation: Implementation) -> dict[str, float]:
        """What an actor of an implementation takes of a node, in Ray's names. A downloaded model
        takes a GPU for itself wherever the cluster has one: Ray hides them from all others."""
        needs = {"CPU": 1.0}
        has_one = self._ray.cluster_resources().get("GPU", 0) >= 1
        if implementation.needs_gpu or (implementation.runtime == "hub" and has_one):
            needs["GPU"] = 1.0
        return needs

    def _fits_a_node(self, needs: Mapping[str, float]) -> bool:
        """Whether any node, were it idle, could hold an actor; Ray itself would wait for ever."""
        return any(
            all(node["Resources"].get(kind, 0) >= amount for kind, amount in needs.items())
            for node in self._ray.nodes()
            if node["Alive"]
        )

    def _taken(self, name: str, needs: Mapping[str, float]) -> _Actor:
        """An actor of an implementation that rests, else a new one; Ray places it when it can."""
        with self._lock:
            if self._idle.get(name):
                return self._idle[name].pop()
        handle = self._remote.options(
            num_cpus=needs["CPU"],
            num_gpus=needs.get("GPU", 0),
            max_concurrency=2,
        ).remote(
            [str(Path(folder).absolute()) for folder in self._toolbox.folders],
            [source.to_json() for source in kept_sources(folder_of(self._store.folder))],
        )
        actor = _Actor(handle, needs)
        with self._lock:
            self._all.add(actor)
        return actor

    def _make_room(self, needs: Mapping[str, float]) -> None:
        """End the actor that rested longest where all together hold more than the cluster has."""
        has = self._ray.cluster_resources()
        with self._lock:
            held = {kind: sum(actor.needs.get(kind, 0) for actor in self._all) for kind in needs}
            resting = [actor for actors in self._idle.values() for actor in actors]
        crowded = {kind for kind in needs if held[kind] > has.get(kind, 0)}
        holding = [actor for actor in resting if crowded & actor.needs.keys()]
        if holding:
            self._end(min(holding, key=lambda actor: actor.used))

    def _give_back(self, name: str, actor: _Actor) -> None:
        actor.used = time.monotonic()
        with self._lock:
            self._idle.setdefault(name, []).append(actor)

    def _end(self, actor: _Actor) -> None:
        with self._lock:
            self._all.discard(actor)
            for resting in self._idle.values():
                if actor in resting:
                    resting.remove(actor)
        with contextlib.suppress(Exception):  # it may be gone already
            self._ray.kill(actor.handle)


def _in_words(needs: Mapping[str, float]) -> Iterator[str]:
    for kind in needs:
        yield {"CPU": "a processor", "GPU": "a GPU"}.get(kind, kind)


def _files(call: Call) -> Iterator[Resource]:
    """The stored files that a call reads."""
    for given in call.inputs.values():
        for item in given if isinstance(given, tuple | list) else (given,):
            if not isinstance(item, Literal) and isinstance(item, Resource) and item.digest:
                yield item
