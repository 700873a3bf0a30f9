"""Tells the pages that show a conversation that something in it has changed."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from controlllm.store import Store


class Live:
    """Wakes whoever watches a conversation; lives on the event loop.

    Parameters
    ----------
    run_of: the name of a conversation's run in progress, or nothing.
    """

    def __init__(self, store: Store, run_of: Callable[[str], str]) -> None:
        self._store = store
        self._run_of = run_of
        self._watching: dict[str, set[asyncio.Event]] = {}
        #: Set when the program is about to end: nothing that waits begins any more.
        self.leaving = threading.Event()

    def mark(self, session_id: str) -> str:
        """What stands for a conversation as it is now. Looks into the store."""
        found = self._store.titles([session_id])
        return f"{found[0][2]:.6f} {self._run_of(session_id)}" if found else ""

    def tell(self, session_id: str) -> None:
        """Something in a conversation may have changed."""
        for changed in self._watching.get(session_id, ()):
            changed.set()

    @contextmanager
    def watched(self, session_id: str) -> Iterator[asyncio.Event]:
        """Watch a conversation for a while: what is set each time that something in it may have
        changed."""
        changed = asyncio.Event()
        self._watching.setdefault(session_id, set()).add(changed)
        try:
            yield changed
        finally:
            self._watching[session_id].discard(changed)
            if not self._watching[session_id]:
                del self._watching[session_id]
