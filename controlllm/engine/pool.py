"""Threads for tools. A tool that does not stop when it is told to keeps nobody waiting."""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable

_log = logging.getLogger(__name__)


class Job:
    """A piece of work in the pool."""

    def __init__(self, work: Callable[[], None]) -> None:
        self.work = work
        self.is_running = False
        self.is_abandoned = False


class Pool:
    """Runs at most `workers` jobs at once, first come, first served.

    Each job has a daemon thread of its own: unlike those of the standard library's executors, they
    do not keep the program from ending.
    """

    def __init__(self, workers: int) -> None:
        if workers < 1:
            raise ValueError(f"There must be at least one worker, not {workers}.")
        self._workers = workers
        self._lock = threading.Lock()
        self._waiting: deque[Job] = deque()
        self._busy = 0

    def submit(self, work: Callable[[], None]) -> Job:
        """Run `work` as soon as a worker is free."""
        job = Job(work)
        with self._lock:
            self._waiting.append(job)
            self._start_next()
        return job

    def withdraw(self, job: Job) -> bool:
        """Take back a job that waits; False where it has begun."""
        with self._lock:
            if job in self._waiting:
                self._waiting.remove(job)
                return True
        return False

    def abandon(self, job: Job) -> None:
        """Do without a job: drop it where it waits, give its worker to the next where it runs."""
        if self.withdraw(job):
            return
        with self._lock:
            if job.is_running and not job.is_abandoned:
                job.is_abandoned = True
                self._busy -= 1
                self._start_next()

    def _start_next(self) -> None:
        while self._waiting and self._busy < self._workers:
            job = self._waiting.popleft()
            job.is_running = True
            self._busy += 1
            threading.Thread(target=self._run, args=(job,), name="tool", daemon=True).start()

    def _run(self, job: Job) -> None:
        try:
            job.work()
        except BaseException:  # the next job must not suffer from this one
            _log.exception("A job of the engine failed")
        finally:
            with self._lock:
                job.is_running = False
                if not job.is_abandoned:
                    self._busy -= 1
                self._start_next()
