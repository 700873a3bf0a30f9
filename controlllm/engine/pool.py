"""Threads for calls: fair turns between those who wait, and what most depends on first.

A call that does not stop when it is told to keeps nobody waiting.
"""

from __future__ import annotations

import logging
import threading
import time
from bisect import insort
from collections import Counter
from collections.abc import Callable
from contextvars import copy_context
from itertools import count
from queue import SimpleQueue

from controlllm.engine.attempt import Call
from controlllm.engine.capacity import Capacity

_log = logging.getLogger(__name__)

#: A job at work for longer, in seconds, no longer keeps those waiting who have none at work.
LONG = 4.0


class Job:
    """A piece of work in the pool: whose it is, how much waits for it, and the call it makes."""

    def __init__(
        self,
        work: Callable[[], None],
        owner: str,
        urgency: float,
        number: int,
        call: Call | None = None,
    ) -> None:
        self.work = work
        self.call = call
        self.owner = owner
        self.rank = (-urgency, number)
        #: Tells what is logged meanwhile which run it belongs to.
        self.context = copy_context()
        self.began = 0.0
        self.is_running = False
        self.is_abandoned = False


class Pool:
    """Runs at most `workers` jobs at once, among them calls that there is capacity for together.

    A free worker goes to the owner who has the fewest jobs running, among equals to the one who has
    waited longest; of the owner's jobs to the most urgent. What there is no capacity for yet lets
    others go first. Jobs that take long, or hang, do not keep everybody else waiting: for each an
    owner who has none at work may have one beyond `workers`, so at most twice as many run. Threads
    are daemons: unlike those of the standard library's executors, they do not keep the program from
    ending. One whose job was abandoned is replaced.

    Parameters
    ----------
    workers: how many jobs run at once as a rule.
    capacity: what calls may take together.
    long: from when a job takes long, in seconds.
    """

    def __init__(self, workers: int, capacity: Capacity | None = None, long: float = LONG) -> None:
        if workers < 1:
            raise ValueError(f"There must be at least one worker, not {workers}.")
        self._workers = workers
        self._capacity = capacity or Capacity()
        self._long = long
        self._at_work: set[Job] = set()
        self._timer: threading.Timer | None = None
        self._lock = threading.Lock()
        self._numbers = count()
        #: Owners in the order in which they were last served.
        self._waiting: dict[str, list[Job]] = {}
        self._running: Counter[str] = Counter()
        self._begun: SimpleQueue[Job] = SimpleQueue()
        self._resting_threads = 0

    def submit(
        self,
        work: Callable[[], None],
        owner: str = "",
        urgency: float = 0.0,
        call: Call | None = None,
    ) -> Job:
        """Run `work` as soon as it is its turn; `urgency` counts among the jobs of its owner.
        `call` is what it makes, where it makes one."""
        with self._lock:
            job = Job(work, owner, urgency, next(self._numbers), call)
            insort(self._waiting.setdefault(owner, []), job, key=lambda item: item.rank)
            self._start_next()
        return job

    def withdraw(self, job: Job) -> bool:
        """Take back a job that waits; False where it has begun."""
        with self._lock:
            waiting = self._waiting.get(job.owner, [])
            if job not in waiting:
                return False
            waiting.remove(job)
            if not waiting:
                del self._waiting[job.owner]
            self._end_call(job)
            self._start_next()
        return True

    def counts(self) -> tuple[int, int]:
        """How many jobs wait, and how many run."""
        with self._lock:
            return sum(map(len, self._waiting.values())), self._running.total()

    def abandon(self, job: Job) -> None:
        """Do without a job: drop it where it waits, give its worker to the next where it runs."""
        if self.withdraw(job):
            return
        with self._lock:
            if job.is_running and not job.is_abandoned:
                job.is_abandoned = True
                self._leave(job)

    def _leave(self, job: Job) -> None:
        self._at_work.discard(job)
        self._running[job.owner] -= 1
        if not self._running[job.owner]:
            del self._running[job.owner]
        self._start_next()

    def _end_call(self, job: Job) -> None:
        if job.call is not None:
            self._capacity.end(job.call)

    def _next(self) -> Job | None:
        """The job whose turn it is, of those that may begin."""
        is_full = self._running.total() >= self._workers
        if is_full and not self._is_one_more_allowed():
            return None
        for owner in sorted(self._waiting, key=lambda name: self._running[name]):
            if is_full and self._running[owner]:
                return None
            for job in self._waiting[owner]:
                if job.call is None or self._capacity.begin(job.call):
                    return job
        return None

    def _is_one_more_allowed(self) -> bool:
        """Whether more jobs take long than there are beyond the usual number."""
        since = time.monotonic() - self._long
        taking_long = sum(job.began <= since for job in self._at_work)
        return self._running.total() - self._workers < min(taking_long, self._workers)

    def _look_again(self) -> None:
        """Look whether somebody may begin when the next of the jobs at work takes long."""
        now = time.monotonic()
        left = [job.began + self._long - now for job in self._at_work]
        soon = min((seconds for seconds in left if seconds > 0), default=None)
        if (
            soon is not None
            and self._timer is None
            and any(not self._running[owner] for owner in self._waiting)
        ):
            self._timer = threading.Timer(soon + 0.01, self._on_time)
            self._timer.daemon = True
            self._timer.start()

    def _on_time(self) -> None:
        with self._lock:
            self._timer = None
            self._start_next()

    def _start_next(self) -> None:
        while self._waiting:
            job = self._next()
            if job is None:
                self._look_again()
                return
            owner = job.owner
            waiting = self._waiting.pop(owner)
            waiting.remove(job)
            if waiting:
                self._waiting[owner] = waiting
            job.is_running = True
            job.began = time.monotonic()
            self._at_work.add(job)
            self._running[owner] += 1
            self._begun.put(job)
            if self._resting_threads:
                self._resting_threads -= 1
            else:
                threading.Thread(target=self._serve, name="tool", daemon=True).start()

    def _serve(self) -> None:
        """Run one job after the other, until enough other threads rest."""
        while self._run(self._begun.get()):
            pass

    def _run(self, job: Job) -> bool:
        """Run a job; whether its thread is to wait for another."""
        try:
            job.context.run(job.work)
        except BaseException:  # the next job must not suffer from this one
            _log.exception("A job of the engine failed")
        finally:
            with self._lock:
                job.is_running = False
                rests = self._resting_threads < self._workers
                self._resting_threads += rests
                self._end_call(job)
                if job.is_abandoned:
                    self._start_next()
                else:
                    self._leave(job)
        return rests
