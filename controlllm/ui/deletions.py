"""Conversations that are deleted soon, and can be had back until then."""

from __future__ import annotations

import logging
import threading

from controlllm.admission.jobs import Jobs
from controlllm.store import Store, StoreError
from controlllm.ui.streams import Run

_log = logging.getLogger(__name__)
#: Seconds in which a deleted conversation can be had back.
UNDO = 8.0


class Deletions:
    """What is deleted after a while unless that is taken back; at the program's end at once."""

    def __init__(self, store: Store, jobs: Jobs) -> None:
        self._store = store
        self._jobs = jobs
        self._waiting: dict[str, threading.Timer] = {}
        self._lock = threading.Lock()

    def begin(self, session_id: str) -> None:
        """Delete a conversation in a while; what runs in it stops now."""
        self._jobs.forget(Run, session_id)
        timer = threading.Timer(UNDO, self._delete, [session_id])
        timer.daemon = True
        with self._lock:
            if session_id in self._waiting:
                return
            self._waiting[session_id] = timer
        timer.start()

    def take_back(self, session_id: str) -> None:
        """Keep it after all; nothing happens where it is gone."""
        with self._lock:
            timer = self._waiting.pop(session_id, None)
        if timer is not None:
            timer.cancel()

    def is_leaving(self, session_id: str) -> bool:
        """Whether it will be deleted."""
        return session_id in self._waiting

    def end(self) -> None:
        """Delete at once all that would be soon."""
        for session_id in list(self._waiting):
            self._delete(session_id)

    def _delete(self, session_id: str) -> None:
        with self._lock:
            if self._waiting.pop(session_id, None) is None:
                return
        try:
            self._store.delete(session_id)
        except (KeyError, StoreError):
            _log.exception("A conversation could not be deleted.")
