"""Requests at work, and those that a program which ended has left in the middle."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator

from controlllm.core.session import Session, Turn
from controlllm.runs.request_run import RequestRun
from controlllm.settings import Settings
from controlllm.store import Store, StoreError

#: A request that the program has ended in the middle of so often goes on only when it is asked to:
#: it may be what ends the program.
MOST_RESTARTS = 3


class Recovery:
    """What this program works on, and what it is to go on with.

    Parameters
    ----------
    settings: those that the program begins with.
    """

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._settings = settings
        self._running: dict[tuple[str, int], RequestRun] = {}
        self._due: set[tuple[str, int]] = set()
        self._cancelled: set[threading.Event] = set()
        #: Whether it is looked again and again what other programs have left.
        self._looks_again = False
        #: Set when the program is about to end.
        self.leaving = threading.Event()

    @contextlib.contextmanager
    def at_work(self, run: RequestRun) -> Iterator[None]:
        """Know, while it lasts, that a request is being worked on."""
        key = (run.kept.session.id, run.kept.turn.number)
        self._running[key] = run
        self._due.discard(key)
        self._cancelled.add(run.cancelled)
        if self.leaving.is_set():
            run.cancelled.set()
        try:
            yield
        finally:
            self._running.pop(key, None)
            self._cancelled.discard(run.cancelled)
            self._store.at_work.let_go(key)

    def run_of(self, session_id: str, number: int) -> RequestRun | None:
        """The run of a turn that is worked on here now."""
        return self._running.get((session_id, number))

    def is_abandoned(self, session: Session, turn: Turn) -> bool:
        """Whether a turn is said to run and nobody works on it or is going to."""
        key = (session.id, turn.number)
        return (
            turn.state == "running"
            and key not in self._running
            and key not in self._due
            and not self._store.at_work.runs_elsewhere(*key)
            and not (self._looks_again and self._store.at_work.is_left(*key))
        )

    def take_over(self, is_start: bool = True) -> tuple[tuple[str, int], ...]:
        """Session and number of the requests that are to go on by themselves.

        Later on (`is_start` false) those that another program has left since, and those of this one
        whose end could not be kept.
        None where the settings want to be asked. One that was asked under other settings than the
        program begins with (they end with the program) waits to be asked as well, so that nothing
        leaves the machine that a person did not allow; so does one that was interrupted again and
        again.
        """
        if self._settings.go_on == "asked":
            return ()
        self._looks_again = not is_start
        found = set()
        for session_id, number in self._store.at_work.take_over(is_start):
            try:
                turn = self._store.load(session_id).turns[number]
            except (KeyError, IndexError, StoreError):
                continue
            if turn.settings == self._settings.mark and turn.restarts < MOST_RESTARTS:
                found.add((session_id, number))
        found -= self._running.keys()
        self._due |= found
        return tuple(sorted(found))

    def not_begun(self, session_id: str, number: int) -> None:
        """A request that was to go on by itself could not be begun: it is due to be taken over."""
        key = (session_id, number)
        self._due.discard(key)
        if key not in self._running:
            self._store.at_work.let_go(key)

    def leave(self) -> None:
        """Stop all that runs, for the program is about to end: it goes on when it runs again."""
        self.leaving.set()
        for cancelled in list(self._cancelled):
            cancelled.set()
