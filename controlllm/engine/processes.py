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
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from controlllm.engine.attempt import Asked, Attempted, Call, Failed, Made, Outcome, Report
from controlllm.engine.capacity import Capacity
from controlllm.engine.limits import Limits
from controlllm.engine.needs import Needs
from controlllm.engine.protocol import call_line, line, read_outcome, way_of
from controlllm.logs import current_run
from controlllm.models.memory import memory_of, peak_of, reset_peak, resident_size
from controlllm.store import Store
from controlllm.toolbox import Toolbox

_log = logging.getLogger(__name__)

_PROJECT = Path(__file__).resolve().parents[2]
#: How often a call at work is looked at: is it to stop, is it within its limits.
_SECONDS_BETWEEN_LOOKS = 0.1
_SECONDS_TO_START = 60.0
#: How often it is measured exactly what a call's worker holds while memory is short.
_SECONDS_BETWEEN_MEASURES = 0.25
#: The part of what a worker may hold at rest that it keeps models up to: what it shares with others
#: counts more when these end.
_SLACK = 0.95
#: A call that was ended since it needed more than expected is expected to need so many times that.
_EXPECTED_ANEW = 1.5
#: So often a worker is started anew that ends while it starts.
_STARTS = 3
#: A line tells of one result; this only keeps a broken worker from filling the memory.
_LONGEST_LINE = 20_000_000


class _Ended(Exception):
    """A worker's process is gone."""


@dataclass(eq=False)
class _Process:
    """A worker process as the server sees it."""

    running: subprocess.Popen[bytes]
    #: The implementations whose models are loaded there, as ``tool/place in the toolbox``.
    warm: set[str] = field(default_factory=set)
    #: Whether it made no call yet.
    is_fresh: bool = True
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
        self.capacity = Capacity(
            self._limits.all_memory,
            Needs(store.folder / "needs.json"),
            self._limits.endpoint_calls,
        )
        #: What a worker held at most, in bytes, before its first call.
        self._empty = 0
        self._tell = tell
        self._lock = threading.Lock()
        #: Those that rest, the one that rested longest first.
        self._idle: list[_Process] = []
        self._all: set[_Process] = set()
        self._is_closed = False
        # The system ends a worker when the thread that started it ends, so one thread starts all.
        self._starter = ThreadPoolExecutor(1, thread_name_prefix="starts-workers")
        self._spare: Future[_Process] = self._starter.submit(self._started)

    def __call__(self, call: Call, cancelled: threading.Event, report: Report) -> Outcome:
        """Make an attempt at a call; see `controlllm.engine.attempt.Attempt`.

        It waits until there is room for the call, which it has at once where `capacity` has let it
        begin already.
        """
        try:
            while not self.capacity.begin(call):
                if cancelled.wait(_SECONDS_BETWEEN_LOOKS):
                    return Failed(f"{call.tool.name} was stopped.")
            return self._made(call, cancelled, report)
        finally:
            self.capacity.end(call)

    def _made(self, call: Call, cancelled: threading.Event, report: Report) -> Outcome:
        name = f"{call.tool.name}/{way_of(call, self._toolbox)}"
        try:
            process = self._taken(name)
            if not self._has_room(process, name, call, cancelled):
                self._end(process)
                process = self._new()
        except (OSError, _Ended, TimeoutError) as error:
            _log.error("A worker could not be started", exc_info=error)
            said = f"{call.tool.name} could not be started. Try again."
            return Failed(said, may_pass=True, is_undone=True)
        began = time.monotonic()
        try:
            outcome = self._watched(process, name, call, cancelled, report)
        except BaseException:
            self._end(process)
            raise
        if process.is_spent:
            self._end(process)
        else:
            self._give_back(process, call)
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
            return {item.running.pid: resident_size(item.running.pid) for item in self._all}

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
        self, process: _Process, name: str, call: Call, cancelled: threading.Event, report: Report
    ) -> Outcome:
        """What becomes of a call, which is watched until its end."""
        stopping: float | None = None
        process.is_spent = True
        try:
            memory = _Growth(process.running.pid)
            began = heard = time.monotonic()
            most = max(int(_SLACK * (self.capacity.for_resting(call) - self.capacity.empty)), 1)
            process.tell(call_line(call, self._toolbox, most))
            while True:
                for told in process.lines(_SECONDS_BETWEEN_LOOKS):
                    heard = time.monotonic()
                    outcome = read_outcome(told)
                    if outcome is not None:
                        if isinstance(outcome, Made):
                            added, kept = memory.most(), memory.now()
                            self.capacity.needs.learn(call, name in process.warm, added, kept)
                        process.warm = set(told["warm"])
                        process.is_spent = process.is_fresh = False
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
                passed = self._passed_limit(memory.look(), now - began, now - heard)
                passed = passed or self._passed_together(call, memory)
                if passed:
                    return Failed(f"{call.tool.name} {passed}", may_pass=True)
        except _Ended:
            return Failed(_death_in_words(call.tool.name, process), may_pass=True)

    def _has_room(
        self, process: _Process, name: str, call: Call, cancelled: threading.Event
    ) -> bool:
        """Make room for a call: workers that rest leave, and models that its own used before.
        False where that worker is gone or does not give back enough."""
        number = process.running.pid
        if process.is_fresh:
            self._empty = max(self._empty, memory_of(number))
            self.capacity.empty = self._empty
        need = self.capacity.needs.of(call)
        added = need.warm if name in process.warm else need.cold
        for measured in (resident_size, memory_of):  # the second is exact, and takes longer
            wanted = measured(number) + added
            granted = self.capacity.widen(call, wanted)
            if granted >= wanted:
                break
        self._rest_within(self.capacity.for_resting())
        if granted >= wanted or process.is_fresh:
            return True
        limit = time.monotonic() + _SECONDS_TO_START
        with contextlib.suppress(_Ended):
            process.tell(line({"hold": granted - added, "for": name}))
            while time.monotonic() < limit:
                for told in process.lines(_SECONDS_BETWEEN_LOOKS):
                    if "held" in told:
                        process.warm = set(told["warm"])
                        return memory_of(number) <= granted - added
                if cancelled.is_set():
                    return True
        return False

    def _passed_together(self, call: Call, memory: _Growth) -> str:
        """What to say where calls take too much memory together and this one has to go; empty where
        it may stay, which it does where workers that rest can go instead."""
        with self._lock:
            numbers = [process.running.pid for process in self._all]
        total = sum(map(resident_size, numbers))
        if total <= self._limits.all_memory or not memory.is_to_be_told():
            return ""
        held = memory_of(memory.process)
        if self.capacity.must_leave(call, held):
            self.capacity.needs.raise_to(call, int(_EXPECTED_ANEW * memory.most()))
            return "needed more memory than was left beside what else is at work, and was ended."
        self._rest_within(self.capacity.for_resting())
        return ""

    def _passed_limit(self, memory: int, seconds: float, silent: float) -> str:
        """Which limit a call has passed, in words; empty where none."""
        limits = self._limits
        late = limits.passed_time(seconds, silent)
        if late:
            return late
        if memory > limits.memory:
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
        return self._new()

    def _new(self) -> _Process:
        """A worker that made no call yet."""
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

    def _give_back(self, process: _Process, call: Call) -> None:
        with self._lock:
            closed = self._is_closed
            if not closed:
                self._idle.append(process)
        if closed:
            self._end(process)
        self._rest_within(self.capacity.for_resting(call))

    def _rest_within(self, most: int) -> None:
        """End workers that rest, those that rested longest first, until what rests holds no more
        than so many bytes; the one that is kept ready stays."""
        with self._lock:
            resting = list(self._idle)
            ready = self._spare if self._spare.done() and not self._spare.exception() else None
        kept = [ready.result().running.pid] if ready else []
        for measured in (resident_size, memory_of):  # the second is exact, and takes longer
            held = [measured(number) for number in (*(item.running.pid for item in resting), *kept)]
            if sum(held) <= most:
                return
        total = sum(held)
        for process, size in zip(resting, held, strict=False):
            with self._lock:
                if total <= most or process not in self._idle:
                    continue
                self._idle.remove(process)
            self._end(process)
            total -= size

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


class _Growth:
    """What a process adds to what it held at the beginning, in bytes."""

    def __init__(self, process: int) -> None:
        self.process = process
        self._has_peak = reset_peak(process)
        self._before = self._seen = resident_size(process)
        self._told = 0.0

    def look(self) -> int:
        """What it has at hand now."""
        now = resident_size(self.process)
        self._seen = max(self._seen, now)
        return now

    def now(self) -> int:
        """What it adds now."""
        return self.look() - self._before

    def most(self) -> int:
        """What it added at most."""
        self.look()
        peak = peak_of(self.process) if self._has_peak else 0
        return max(self._seen, peak) - self._before

    def is_to_be_told(self) -> bool:
        """Whether it is time to measure exactly, which costs something."""
        now = time.monotonic()
        if now - self._told < _SECONDS_BETWEEN_MEASURES:
            return False
        self._told = now
        return True


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
