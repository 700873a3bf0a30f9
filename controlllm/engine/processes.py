"""Worker processes: each makes one call at a time, and ends without harm to anybody else.

A worker that crashes, stays silent or works too long, takes too much memory or does not stop when
it is told to is ended and replaced. One is always kept ready, so that nobody waits for a start.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from controlllm.engine.attempt import Asked, Attempted, Call, Failed, Made, Outcome, Report
from controlllm.engine.capacity import Capacity
from controlllm.engine.learnt import Needs
from controlllm.engine.limits import Limits
from controlllm.engine.preparation import LoadingNotes, Preparations
from controlllm.engine.process import Ended, Growth, Process, death_in_words
from controlllm.engine.protocol import call_line, line, read_outcome, way_of
from controlllm.models.residence import memory_of, resident_size
from controlllm.observing.logs import current_run
from controlllm.store import Store
from controlllm.toolbox import Toolbox

_log = logging.getLogger(__name__)

#: How often a call at work is looked at: is it to stop, is it within its limits.
_SECONDS_BETWEEN_LOOKS = 0.03
_SECONDS_TO_START = 60.0
#: The part of what a worker may hold at rest that it keeps models up to: what it shares with others
#: counts more when these end.
_SLACK = 0.95
#: A call that was ended since it needed more than expected is expected to need so many times that.
_EXPECTED_ANEW = 1.5
#: So often a worker is started anew that ends while it starts, and so many workers are given a call
#: that end before they begin with it.
_STARTS = 3


class WorkerProcesses:
    """Makes attempts at calls in processes of their own; safe for many threads.

    Parameters
    ----------
    toolbox: what `load_toolbox` gave; workers load the same folders and sources.
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
        self._idle: list[Process] = []
        self._all: set[Process] = set()
        self._is_closed = False
        # The system ends a worker when the thread that started it ends, so one thread starts all.
        self._starter = ThreadPoolExecutor(1, thread_name_prefix="starts-workers")
        self._preparations = Preparations(
            LoadingNotes(store.folder / "loading_notes.json"), self._resting, self._prepared
        )
        self._spare: Future[Process] = self._starter.submit(self._started)

    def __call__(self, call: Call, cancelled: threading.Event, report: Report) -> Outcome:
        """Make an attempt at a call; see `controlllm.engine.attempt.Attempt`.

        It waits until there is room for the call, which it has at once where `capacity` has let it
        begin already.
        """
        try:
            while not self.capacity.begin(call):
                if cancelled.wait(_SECONDS_BETWEEN_LOOKS):
                    return Failed(f"“{call.tool.in_words}” was stopped.")
            return self._made(call, cancelled, report)
        finally:
            self.capacity.end(call)

    def _made(self, call: Call, cancelled: threading.Event, report: Report) -> Outcome:
        name = self._name(call)
        if not self._preparations.has_ended(name, cancelled):
            return Failed(f"“{call.tool.in_words}” was stopped.")
        for left in reversed(range(_STARTS)):
            try:
                process = self._taken(name)
                if not self._has_room(process, name, call, cancelled):
                    self._end(process)
                    process = self._new()
            except (OSError, Ended, TimeoutError) as error:
                _log.error("A worker could not be started", exc_info=error)
                said = f"“{call.tool.in_words}” could not be started. Try again."
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
            # A worker that was gone before it began has done nothing: the call goes to another, and
            # that is no second try of it.
            never_began = isinstance(outcome, Failed) and process.is_spent and outcome.is_undone
            if not never_began or not left or cancelled.is_set() or self._is_closed:
                break
            _log.warning("A worker was gone before it began; another gets its call.")
        self._tell_of(process, call, outcome, began, cancelled.is_set())
        return outcome

    def prepare(self, calls: Sequence[Call]) -> None:
        """Have what later calls need loaded ahead where there is room; returns at once."""
        if not self._limits.loads_ahead:
            return
        with self._lock:
            warm = {name for process in self._all for name in process.warm}
        # There has to be memory for what a call will load.
        room = self.capacity.for_resting() - sum(self.memory().values())
        names = [self._name(call) for call in calls if self.capacity.needs.of(call).cold <= room]
        self._preparations.begin([name for name in names if name not in warm])

    def close(self) -> None:
        """End all workers; calls at work fail."""
        self._preparations.close()
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
        self, process: Process, call: Call, outcome: Outcome, began: float, was_stopped: bool
    ) -> None:
        if process.is_spent:
            word = "stopped" if was_stopped else "lost"
        else:
            word = {Made: "made", Asked: "asked"}.get(type(outcome), "failed")
        seconds, now = time.monotonic() - began, time.time()
        worker = process.running.pid
        self._tell(Attempted(current_run.get(), call.tool.name, worker, seconds, now, word))

    def _watched(
        self, process: Process, name: str, call: Call, cancelled: threading.Event, report: Report
    ) -> Outcome:
        """What becomes of a call, which is watched until its end."""
        limits, stopping = self._limits, None
        has_begun = False
        process.is_spent = True
        try:
            memory = Growth(process.running.pid)
            began = heard = time.monotonic()
            most = max(int(_SLACK * (self.capacity.for_resting(call) - self.capacity.empty)), 1)
            # A worker that is warm has nothing new to tell of what is loaded.
            wants_note = limits.loads_ahead and name not in process.warm
            process.tell(call_line(call, self._toolbox, most, wants_note))
            while True:
                for told in process.lines(_SECONDS_BETWEEN_LOOKS):
                    heard = time.monotonic()
                    outcome = read_outcome(told)
                    if outcome is not None:
                        if isinstance(outcome, Made):
                            added, kept = memory.most(), memory.now()
                            self.capacity.needs.learn(call, name in process.warm, added, kept)
                            if wants_note:
                                self._preparations.notes.learn(name, told["note"])
                        process.warm = set(told["warm"])
                        process.is_spent = process.is_fresh = False
                        return outcome
                    if "begun" in told:
                        has_begun = True
                    if "progress" in told:
                        report(float(told["progress"]), str(told.get("words", "")))
                now = time.monotonic()
                if cancelled.is_set():
                    if stopping is None:
                        # What one that is gone had said before is read first.
                        with contextlib.suppress(Ended):
                            process.tell(line({"cancel": True}))
                    stopping = stopping or now
                    if now - stopping > limits.seconds_to_stop:
                        return Failed(f"“{call.tool.in_words}” was stopped.")
                    continue
                late = limits.passed_time(now - began, now - heard)
                room = limits.passed_room(memory.look(), now - began, self._store.folder)
                passed = late or room or self._passed_together(call, memory)
                if passed:
                    said = f"“{call.tool.in_words}” {passed}"
                    return Failed(said, may_pass=True, is_late=bool(late))
        except Ended:
            # All that it said was read, so one that did not say that it began has done nothing.
            said = death_in_words(call.tool.in_words, process)
            return Failed(said, may_pass=True, is_undone=not has_begun)

    def _has_room(
        self, process: Process, name: str, call: Call, cancelled: threading.Event
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
        with contextlib.suppress(Ended):
            process.tell(line({"hold": granted - added, "for": name}))
            while time.monotonic() < limit:
                for told in process.lines(_SECONDS_BETWEEN_LOOKS):
                    if "held" in told:
                        process.warm = set(told["warm"])
                        return memory_of(number) <= granted - added
                if cancelled.is_set():
                    return True
        return False

    def _passed_together(self, call: Call, memory: Growth) -> str:
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

    # Processes

    def _taken(self, name: str) -> Process:
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

    def _new(self) -> Process:
        """A worker that made no call yet."""
        for left in reversed(range(_STARTS)):
            with self._lock:
                if self._is_closed:
                    raise Ended
                spare = self._spare
                self._spare = self._starter.submit(self._started)
            try:
                process = spare.result(_SECONDS_TO_START)
            except (OSError, Ended):
                # It was ended before it was ready, by no fault of the call.
                if not left or self._is_closed:
                    raise
                continue
            if process.running.poll() is None:
                return process
            self._end(process)  # it ended while it was kept ready
        raise Ended

    def _give_back(self, process: Process, call: Call) -> None:
        with self._lock:
            closed = self._is_closed
            if not closed:
                self._idle.append(process)
        if closed:
            self._end(process)
        self._rest_within(self.capacity.for_resting(call))

    def _name(self, call: Call) -> str:
        return f"{call.tool.name}/{way_of(call, self._toolbox)}"

    def _resting(self) -> Process | None:
        """A worker to load ahead in: one that rests, with another kept ready beside it."""
        with self._lock:
            if self._is_closed or not self._spare.done() or self._spare.exception() is not None:
                return None
            if self._idle:
                return self._idle.pop(0)
        return self._new()

    def _prepared(self, process: Process, is_of_use: bool) -> None:
        process.is_fresh = False
        with self._lock:
            stays = is_of_use and not self._is_closed
            if stays:
                self._idle.append(process)
        if not stays:
            self._end(process)
        self._rest_within(self.capacity.for_resting())

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

    def _started(self) -> Process:
        folders = (self._store.folder, *(Path(name).absolute() for name in self._toolbox.folders))
        process = Process.of(self._module, [*map(str, folders)], self._limits.file_bytes)
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

    def _end(self, process: Process) -> None:
        with self._lock:
            self._all.discard(process)
            if process in self._idle:
                self._idle.remove(process)
        process.end()
        self._store.remove_left_by(process.running.pid)
