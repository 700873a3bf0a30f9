"""Loading ahead: while a plan's first steps are at work, a worker that rests loads what later ones
will need."""

from __future__ import annotations

import contextlib
import copy
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, Protocol

from controlllm.engine.learnt import LearntFile
from controlllm.engine.protocol import line

#: What takes less to load, in seconds, is not loaded ahead.
LEAST = 0.3
_SECONDS_BETWEEN_LOOKS = 0.1
_MOST_SECONDS = 300.0


class Preparable(Protocol):
    """A worker process, as far as it is needed here."""

    warm: set[str]

    def tell(self, content: bytes) -> None: ...

    def lines(self, seconds: float) -> Iterator[dict[str, Any]]: ...


class LoadingNotes:
    """What implementations load, as workers told it (`controlllm.models.residence`), and how
    long that takes; safe for many threads.

    Parameters
    ----------
    path: where it is kept beyond the program's end, which may be lost without harm.
    """

    def __init__(self, path: Path) -> None:
        self._file = LearntFile(path)
        self._lock = threading.Lock()
        self._known: dict[str, dict[str, Any]] = self._file.read(dict)

    def worth_following(self, name: str) -> Mapping[str, Any] | None:
        """The note of an implementation, unless it is known to take no time."""
        with self._lock:
            known = self._known.get(name)
            if known is None or known.get("seconds", LEAST) < LEAST:
                return None
            return dict(known)

    def learn(self, name: str, told: Mapping[str, Any]) -> None:
        """Add what a worker has loaded for an implementation."""
        with self._lock:
            known = self._known.setdefault(name, {"modules": [], "loads": []})
            new = {
                part: [item for item in told[part] if item not in known[part]]
                for part in ("modules", "loads")
            }
            if not any(new.values()):
                return
            for part, items in new.items():
                known[part] = known[part] + items
            known.pop("seconds", None)
        self._write()

    def took(self, name: str, seconds: float) -> None:
        """Note how long it took to follow a note."""
        with self._lock:
            known = self._known.get(name)
            if known is None:
                return
            known["seconds"] = round(seconds, 2)
        self._write()

    def _write(self) -> None:
        with self._lock:
            learnt = copy.deepcopy(self._known)
        self._file.write(learnt)


class Preparations:
    """Has workers load ahead, one at a time.

    Parameters
    ----------
    take: gives a worker that rests, or None where none does.
    give_back: is given that worker afterwards, and whether it is still of use.
    """

    def __init__(
        self,
        notes: LoadingNotes,
        take: Callable[[], Preparable | None],
        give_back: Callable[[Any, bool], None],
    ) -> None:
        self.notes = notes
        self._take = take
        self._give_back = give_back
        self._lock = threading.Lock()
        self._at_work: dict[str, Future[None]] = {}
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="loads-ahead")

    def begin(self, names: Sequence[str]) -> None:
        """Load ahead what these implementations need, as far as it is known and worth the while;
        returns at once."""
        for name in names:
            note = self.notes.worth_following(name)
            with self._lock:
                if note is None or name in self._at_work:
                    continue
                with contextlib.suppress(RuntimeError):  # closed
                    self._at_work[name] = self._thread.submit(self._prepare, name, note)

    def has_ended(self, name: str, cancelled: threading.Event) -> bool:
        """Wait until a preparation of this implementation, if any is at work, has ended; False
        where the person stopped it. One that has not begun is not waited for."""
        with self._lock:
            waiting = self._at_work.get(name)
            if waiting is None or waiting.cancel():
                self._at_work.pop(name, None)
                return True
        while not waiting.done():
            if cancelled.wait(_SECONDS_BETWEEN_LOOKS):
                return False
        return True

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _prepare(self, name: str, note: Mapping[str, Any]) -> None:
        try:
            process = self._take()
            if process is None:
                return
            is_of_use = False
            try:
                is_of_use = self._follow(process, name, note)
            finally:
                self._give_back(process, is_of_use)
        finally:
            with self._lock:
                self._at_work.pop(name, None)

    def _follow(self, process: Preparable, name: str, note: Mapping[str, Any]) -> bool:
        began = time.monotonic()
        process.tell(line({"prepare": name, "note": dict(note)}))
        while time.monotonic() - began < _MOST_SECONDS:
            for told in process.lines(_SECONDS_BETWEEN_LOOKS):
                if "prepared" in told:
                    process.warm = set(told["warm"])
                    self.notes.took(name, float(told["prepared"]))
                    return True
        return False
