"""Worker processes: each makes one call at a time, and ends without harm to anybody else.

A worker that crashes, stays silent or works too long, takes too much memory or does not stop when
it is told to is ended and replaced. One is always kept ready, so that nobody waits for a start.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import selectors
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from controlllm.engine.attempt import Asked, Attempted, Call, Failed, Made, Outcome, Report
from controlllm.engine.protocol import call_line, line, read_outcome
from controlllm.environment import number
from controlllm.logs import current_run
from controlllm.store import Store
from controlllm.toolbox import Toolbox

_log = logging.getLogger(__name__)

_PROJECT = Path(__file__).resolve().parents[2]
#: How often a call at work is looked at: is it to stop, is it within its limits.
_SECONDS_BETWEEN_LOOKS = 0.1
_SECONDS_TO_START = 60.0
#: So often a worker is started anew that ends while it starts.
_STARTS = 3
#: A line tells of one result; this only keeps a broken worker from filling the memory.
_LONGEST_LINE = 20_000_000


@dataclass(frozen=True)
class Limits:
    """What one call may take.

    Parameters
    ----------
    seconds: in all.
    silent_seconds: without a word about how far it is.
    memory: bytes that its worker may hold.
    kept_memory: bytes that all idle workers together may hold; the one that rested longest goes.
    seconds_to_stop: until a worker that was told to stop is ended.
    file_bytes: of the largest file that it may write.
    free_bytes: of the disk that must stay free; a call that works longer than a moment ends there.
    """

    seconds: float = 3600.0
    silent_seconds: float = 300.0
    memory: int = 0
    kept_memory: int = 0
    seconds_to_stop: float = 0.7
    file_bytes: int = 4_000_000_000
    free_bytes: int = 100_000_000

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Limits:
        """The limits that environment variables set; docs/settings.md lists them.

        Raises ValueError, with the variable's name, where one is no number above zero.
        """

        def found(name: str, usual: float, unit: float = 1.0) -> float:
            return number(environment, f"CONTROLLLM_{name}", usual, unit)

        return cls(
            found("CALL_SECONDS", cls.seconds),
            found("SILENT_SECONDS", cls.silent_seconds),
            int(found("CALL_GIGABYTES", cls.memory, 1e9)),
            int(found("KEPT_GIGABYTES", cls.kept_memory, 1e9)),
            file_bytes=int(found("FILE_GIGABYTES", cls.file_bytes, 1e9)),
        )

    def __post_init__(self) -> None:
        physical = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        if not self.memory:
            object.__setattr__(self, "memory", int(0.7 * physical))
        if not self.kept_memory:
            object.__setattr__(self, "kept_memory", int(0.4 * physical))

    def passed_time(self, seconds: float, silent: float) -> str:
        """Which limit a call has passed that took so long, and was silent for so long, in words;
        empty where none."""
        if seconds > self.seconds:
            return f"took longer than {_time_in_words(self.seconds)} and was ended."
        if silent > self.silent_seconds:
            waited = _time_in_words(self.silent_seconds)
            return f"gave no sign of life for {waited} and was ended."
        return ""


class _Ended(Exception):
    """A worker's process is gone."""


@dataclass(eq=False)
class _Process:
    """A worker process as the server sees it."""

    running: subprocess.Popen[bytes]
    memory: int = 0
    used: float = field(default_factory=time.monotonic)
    #: The implementations that it made calls of: their models are loaded there.
    warm: set[str] = field(default_factory=set)
    #: Whether it is to be ended, since its call did not come to an end of its own.
    is_spent: bool = False
    _rest: bytes = b""

    def tell(self, content: bytes) -> None:
        assert self.running.stdin is not None
        try:
            self.running.stdin.write(content)
            self.running.stdin.flush()
        except OSError as error:
            raise _Ended from error

    def lines(self, seconds: float) -> Iterator[dict[str, Any]]:
        """What the worker said within some seconds at most; raises _Ended where it is gone."""
        assert self.running.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(self.running.stdout, selectors.EVENT_READ)
            if not selector.select(seconds):
                return
        piece = os.read(self.running.stdout.fileno(), 1 << 16)
        if not piece or len(self._rest) > _LONGEST_LINE:
            raise _Ended
        *whole, self._rest = (self._rest + piece).split(b"\n")
        for text in whole:
            with contextlib.suppress(ValueError):
                told = json.loads(text)
                if isinstance(told, dict):
                    yield told

    def end(self) -> None:
        """End it at once, with what it may have started."""
        for stream in (self.running.stdin, self.running.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.running.pid, signal.SIGKILL)
        self.running.wait()

    def memory_now(self) -> int:
        """Bytes of memory that it holds; what it last told where the system does not say."""
        try:
            pages = int(Path(f"/proc/{self.running.pid}/statm").read_text().split()[1])
        except (OSError, ValueError, IndexError):
            return self.memory
        return pages * os.sysconf("SC_PAGE_SIZE")


class WorkerProcesses:
    """Makes attempts at calls in processes of their own; safe for many threads.

    Parameters
    ----------
    toolbox: what `Toolbox.load` gave; workers load the same folders.
    store: workers read inputs from it and put results into it.
    tell: called with each attempt when it has ended, from any thread.
    module: what a worker runs.
    """

    def __init__(
        self,
        toolbox: Toolbox,
        store: Store,
        limits: Limits | None = None,
        tell: Callable[[Attempted], None] = lambda attempted: None,
        module: str = "controlllm.engine.worker_process",
    ) -> None:
        self._module = module
        self._toolbox = toolbox
        self._store = store
        self._limits = limits or Limits()
        self._tell = tell
        self._lock = threading.Lock()
        self._idle: list[_Process] = []
        self._all: set[_Process] = set()
        self._is_closed = False
        # The system ends a worker when the thread that started it ends, so one thread starts all.
        self._starter = ThreadPoolExecutor(1, thread_name_prefix="starts-workers")
        self._spare: Future[_Process] = self._starter.submit(self._started)

    def __call__(self, call: Call, cancelled: threading.Event, report: Report) -> Outcome:
        """Make an attempt at a call; see `controlllm.engine.attempt.Attempt`."""
        name = f"{call.implementation.name}/{id(call.implementation)}"
        try:
            process = self._taken(name)
        except (OSError, _Ended, TimeoutError) as error:
            _log.error("A worker could not be started", exc_info=error)
            said = f"{call.tool.name} could not be started. Try again."
            return Failed(said, may_pass=True, is_undone=True)
        began = time.monotonic()
        try:
            outcome = self._watched(process, call, cancelled, report)
        except BaseException:
            self._end(process)
            raise
        if process.is_spent:
            self._end(process)
        else:
            process.warm.add(name)
            self._give_back(process)
        self._tell_of(process, call, outcome, began, cancelled.is_set())
        return outcome

    def close(self) -> None:
        """End all workers; calls at work fail."""
        with self._lock:
            self._is_closed = True
            processes = list(self._all)
        for process in processes:
            self._end(process)
        self._starter.shutdown(wait=False, cancel_futures=True)

    def memory(self) -> dict[int, int]:
        """Bytes of memory that each worker holds, by the number of its process."""
        with self._lock:
            return {process.running.pid: process.memory_now() for process in self._all}

    def counts(self) -> dict[str, int]:
        """How many workers there are, by what they do: ``working``, ``resting`` or ``starting``."""
        with self._lock:
            resting, starting = len(self._idle), 1
            if self._spare.done():
                starting = 0
                resting += self._spare.exception() is None
            working = max(len(self._all) - resting - starting, 0)
        return {"working": working, "resting": resting, "starting": starting}

    def is_ready(self) -> bool:
        """Whether a call could be made; begins to start a worker where that has failed."""
        with self._lock:
            spare = self._spare
            if not self._is_closed and spare.done() and spare.exception() is not None:
                self._spare = self._starter.submit(self._started)
            if self._idle or (spare.done() and spare.exception() is None):
                return not self._is_closed
        return self.counts()["working"] > 0

    def _tell_of(
        self, process: _Process, call: Call, outcome: Outcome, began: float, was_stopped: bool
    ) -> None:
        if process.is_spent:
            word = "stopped" if was_stopped else "lost"
        else:
            word = {Made: "made", Asked: "asked"}.get(type(outcome), "failed")
        seconds, now = time.monotonic() - began, time.time()
        worker = process.running.pid
        self._tell(Attempted(current_run.get(), call.tool.name, worker, seconds, now, word))

    def _watched(
        self, process: _Process, call: Call, cancelled: threading.Event, report: Report
    ) -> Outcome:
        """What becomes of a call, which is watched until its end."""
        began = heard = time.monotonic()
        stopping: float | None = None
        process.is_spent = True
        try:
            process.tell(call_line(call, self._toolbox))
            while True:
                for told in process.lines(_SECONDS_BETWEEN_LOOKS):
                    heard = time.monotonic()
                    outcome = read_outcome(told)
                    if outcome is not None:
                        process.memory = int(told.get("memory", 0))
                        process.is_spent = False
                        return outcome
                    if "progress" in told:
                        report(float(told["progress"]), str(told.get("words", "")))
                now = time.monotonic()
                if cancelled.is_set():
                    if stopping is None:
                        process.tell(line({"cancel": True}))
                    stopping = stopping or now
                    if now - stopping > self._limits.seconds_to_stop:
                        return Failed(f"{call.tool.name} was stopped.")
                    continue
                passed = self._passed_limit(process, now - began, now - heard)
                if passed:
                    return Failed(f"{call.tool.name} {passed}", may_pass=True)
        except _Ended:
            return Failed(_death_in_words(call.tool.name, process), may_pass=True)

    def _passed_limit(self, process: _Process, seconds: float, silent: float) -> str:
        """Which limit a call has passed, in words; empty where none."""
        limits = self._limits
        late = limits.passed_time(seconds, silent)
        if late:
            return late
        if process.memory_now() > limits.memory:
            return (
                f"needed more than the {limits.memory / 1e9:.1f} GB of memory that one tool may "
                "take here and was ended. Try a smaller file."
            )
        if seconds > 1 and shutil.disk_usage(self._store.folder).free < limits.free_bytes:
            return "was ended, since the disk is nearly full. Make some room and try again."
        return ""

    # Processes

    def _taken(self, name: str) -> _Process:
        """A worker for a call: one that has the models loaded, else any that rests, else new."""
        for process in [item for item in list(self._idle) if item.running.poll() is not None]:
            self._end(process)  # it ended while it rested
        with self._lock:
            for process in reversed(self._idle):
                if name in process.warm:
                    self._idle.remove(process)
                    return process
            if self._idle:
                return self._idle.pop()
        for left in reversed(range(_STARTS)):
            with self._lock:
                spare = self._spare
                self._spare = self._starter.submit(self._started)
            try:
                return spare.result(_SECONDS_TO_START)
            except (OSError, _Ended):
                # It was ended before it was ready, by no fault of the call.
                if not left or self._is_closed:
                    raise
        raise AssertionError("unreachable")

    def _give_back(self, process: _Process) -> None:
        process.used = time.monotonic()
        leaving = []
        with self._lock:
            if self._is_closed:
                leaving.append(process)
            else:
                self._idle.append(process)
                while (
                    self._idle
                    and sum(item.memory for item in self._idle) > self._limits.kept_memory
                ):
                    leaving.append(self._idle.pop(0))
        for item in leaving:
            self._end(item)

    def _started(self) -> _Process:
        running = subprocess.Popen(
            [
                *(sys.executable, "-m", self._module),
                str(self._store.folder),
                *(str(Path(folder).absolute()) for folder in self._toolbox.folders),
            ],
            cwd=_PROJECT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
            bufsize=0,
        )
        _limit_files(running.pid, self._limits.file_bytes)
        process = _Process(running)
        with self._lock:
            self._all.add(process)
            closed = self._is_closed
        limit = time.monotonic() + _SECONDS_TO_START
        try:
            while not closed and time.monotonic() < limit:
                for told in process.lines(_SECONDS_BETWEEN_LOOKS):
                    if "ready" in told:
                        return process
                closed = self._is_closed
            raise TimeoutError("The worker did not start.")
        except BaseException:
            self._end(process)
            raise

    def _end(self, process: _Process) -> None:
        with self._lock:
            self._all.discard(process)
            if process in self._idle:
                self._idle.remove(process)
        process.end()
        self._store.remove_left_by(process.running.pid)


def _limit_files(process: int, most: int) -> None:
    """Let a process write no file of more bytes than that, where the system can see to it."""
    import resource  # there is none on Windows

    if hasattr(resource, "prlimit"):
        with contextlib.suppress(OSError, ValueError):
            resource.prlimit(process, resource.RLIMIT_FSIZE, (most, most))


def _death_in_words(name: str, process: _Process) -> str:
    """How a worker ended by itself."""
    try:
        code = process.running.wait(timeout=1.0)
    except subprocess.TimeoutExpired:
        return f"{name} no longer answered."
    if code < 0:
        with contextlib.suppress(ValueError):
            return f"{name} crashed ({signal.Signals(-code).name})."
    return f"{name} ended in the middle of its work."


def _time_in_words(seconds: float) -> str:
    if seconds < 90:
        return f"{round(seconds)} seconds" if seconds >= 2 else f"{seconds:.1f} seconds"
    return f"{round(seconds / 60)} minutes"
