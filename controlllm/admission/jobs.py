"""What is at work on a server: requests of the page and of programs, batches, weights that are
fetched, trials of all tools. One registry knows them all; each goes on whoever watches."""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

#: So many that have ended are still known, of those that `is_kept` says it of.
_MOST_ENDED = 100


class Job:
    """Something at work.

    Parameters
    ----------
    owner: whose it is: a conversation, or nobody's in particular.
    name: what it is called among its owner's of the same kind.
    """

    #: Whether it is still known after its end.
    is_kept = False

    def __init__(self, owner: str = "", name: str = "") -> None:
        self.owner, self.name = owner, name
        self.cancelled = threading.Event()
        self.ended = False
        self._version = 0
        self._changed = asyncio.Event()

    @property
    def version(self) -> int:
        """How often it has changed."""
        return self._version

    @property
    def changed(self) -> asyncio.Event:
        """What is set at its next change."""
        return self._changed

    def tell(self) -> None:
        """Wake whoever watches: something has changed."""
        self._version += 1
        self._changed.set()
        self._changed = asyncio.Event()

    async def moved(self, seconds: float) -> bool:
        """Wait for its next change, but not longer than that; whether there was one."""
        try:
            async with asyncio.timeout(seconds):
                await self._changed.wait()
        except TimeoutError:
            return False
        return True

    def stop(self) -> None:
        """Have it end soon."""
        self.cancelled.set()


J = TypeVar("J", bound=Job)
_Key = tuple[type[Job], str, str]
After = Callable[[], Awaitable[None]]


class Jobs:
    """The jobs at work, each by its kind, its owner and its name; lives on the event loop."""

    def __init__(self) -> None:
        self._jobs: dict[_Key, Job] = {}
        self._ended: OrderedDict[_Key, Job] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self, job: J, work: Coroutine[Any, Any, None], after: After | None = None) -> J:
        """Have a job do its work; `after` is awaited once it is no longer among those at work."""
        key = (type(job), job.owner, job.name)
        self._ended.pop(key, None)
        self._jobs[key] = job
        self.keep(self._run(key, job, work, after))
        return job

    async def _run(
        self, key: _Key, job: Job, work: Coroutine[Any, Any, None], after: After | None
    ) -> None:
        try:
            await work
        finally:
            # The next of the same name may have taken its place.
            if self._jobs.get(key) is job:
                del self._jobs[key]
                if job.is_kept:
                    self._ended[key] = job
            for old in [old for old in self._ended if old[0] is key[0]][:-_MOST_ENDED]:
                del self._ended[old]
            job.ended = True
            job.tell()
        if after is not None:
            await after()

    def keep(self, work: Coroutine[Any, Any, None]) -> None:
        """Work at something that is no job by itself; it is waited for as well when all end."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def find(self, kind: type[J], owner: str, name: str) -> J | None:
        """The job of this name that is at work; None where there is none."""
        found = self._jobs.get((kind, owner, name))
        return found if isinstance(found, kind) else None

    def known(self, kind: type[J], owner: str, name: str) -> J | None:
        """The same; also one that has ended, as long as it is kept."""
        ended = self._ended.get((kind, owner, name))
        return self.find(kind, owner, name) or (ended if isinstance(ended, kind) else None)

    def of(self, kind: type[J], owner: str | None = None) -> list[J]:
        """Those of a kind that are at work, of one owner or of all, in the order of their
        beginning."""
        jobs = list(self._jobs.values())
        return [job for job in jobs if isinstance(job, kind) and owner in (None, job.owner)]

    def all_known(self, kind: type[J]) -> list[J]:
        """Those of a kind that are at work or kept since their end."""
        ended = list(self._ended.values())
        return [*(job for job in ended if isinstance(job, kind)), *self.of(kind)]

    def forget(self, kind: type[Job], owner: str) -> None:
        """Stop all of an owner, and forget those that have ended."""
        for job in self.of(kind, owner):
            job.stop()
        for key in [key for key in self._ended if key[:2] == (kind, owner)]:
            del self._ended[key]

    async def have_ended(self, seconds: float) -> None:
        """Wait until nothing is at work, but not longer than that."""
        if self._tasks:
            await asyncio.wait(set(self._tasks), timeout=seconds)
