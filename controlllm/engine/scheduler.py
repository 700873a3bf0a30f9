"""The scheduler: every action whose inputs are ready runs, up to the number of workers."""

from __future__ import annotations

import threading
from collections.abc import AsyncGenerator, Callable, Mapping
from pathlib import Path
from typing import Any

from controlllm.core.events import Event
from controlllm.core.plans import Plan, Step
from controlllm.engine.attempt import Attempt, AttemptHere
from controlllm.engine.calls import Calls, Terms
from controlllm.engine.learnt import Durations
from controlllm.engine.pool import Pool
from controlllm.engine.run import Run
from controlllm.engine.work import Keeper, Worker
from controlllm.resources import Resource
from controlllm.store import Store
from controlllm.toolbox import Toolbox

#: Nobody is asked, every runtime may be tried, and nothing acts outside.
USUAL = Terms()


def details_of(type_name: str, path: Path) -> Mapping[str, Any]:
    """What is worth showing of a file that a tool made, see `controlllm.resources.probing`."""
    from controlllm.resources import probing  # only here: it loads the readers of media files

    return probing.details_of(type_name, path)


class Engine:
    """Runs plans. One engine has one set of workers, however many plans run at once.

    Parameters
    ----------
    workers: how many tools may work at once.
    retries: how often a call is made again after a transient error (a lost connection, a timeout).
    pause: how long to wait before that, in seconds.
    attempt: makes the calls; in threads of this process where it is not given.
    """

    def __init__(
        self,
        toolbox: Toolbox,
        store: Store,
        workers: int = 2,
        retries: int = 1,
        pause: float = 0.5,
        attempt: Attempt | None = None,
    ) -> None:
        self.toolbox = toolbox
        # Who makes calls elsewhere than in threads of this process knows what can be made there.
        self._pool = Pool(workers, getattr(attempt, "capacity", None))
        self._worker = Worker(
            store,
            attempt or AttemptHere(store, details_of),
            retries,
            pause,
            Keeper(store),
            getattr(attempt, "prepare", lambda calls: None),
            Durations(store.folder / "durations.json"),
        )

    @property
    def durations(self) -> Durations:
        """How long calls took on this machine."""
        return self._worker.durations

    def calls(self) -> tuple[int, int]:
        """How many calls of tools wait for a worker, and how many are made now."""
        return self._pool.counts()

    async def run(
        self,
        plan: Plan,
        resources: Mapping[str, Resource],
        *,
        name_output: Callable[[Step, str], str],
        cancelled: threading.Event,
        terms: Terms = USUAL,
    ) -> AsyncGenerator[Event, None]:
        """What happens while the plan's chosen solutions run, until nothing more can.

        A result that is known already is not made again: it comes as `ActionFinished` alone. An
        action that fails is tried on the tool's next implementation, then by the next solution of
        its subtask; what depends on one that fails for good is left undone. Once `cancelled` is
        set nothing new starts, the tools at work are told, and the events end; closing them sets
        it too.

        `resources` are all that the plan may refer to, by their values. `name_output` gives the
        value of a result of a media type.
        """
        calls = Calls(self.toolbox, terms)
        run = Run(calls, self._pool, self._worker, plan, resources, name_output, cancelled)
        try:
            async for event in run.events():
                yield event
        finally:
            run.leave()

    def known(
        self, plan: Plan, resources: Mapping[str, Resource], terms: Terms = USUAL
    ) -> dict[str, Resource]:
        """The results, by the steps' keys, that `run` would find made already. Nothing is run."""
        return Calls(self.toolbox, terms).known(plan, resources, self._worker.known)
