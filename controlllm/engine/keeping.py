"""Results get to the disk in groups, while what reads them is at work already."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from controlllm.resources import Resource
from controlllm.store import Store, StoreError

_log = logging.getLogger(__name__)

#: How long the thread waits for another result before it ends, in seconds.
_PATIENCE = 1.0

#: Told when a result is on the disk, or with the sentence why it could not be kept.
Then = Callable[[str], None]


@dataclass
class Keeper:
    """Settles results in the store, in the order in which they come; safe for many threads.

    To write something so that a power cut leaves it there takes a disk some milliseconds, for one
    result about as long as for many: those that come meanwhile are settled together.
    """

    store: Store
    _waiting: list[tuple[str, Resource, Then]] = field(default_factory=list)
    _changed: threading.Condition = field(default_factory=threading.Condition)
    _is_at_work: bool = False

    def keep(self, key: str, resource: Resource, then: Then) -> None:
        """Have a result settled, without a key its file alone; `then` is called from a thread, with
        nothing where it went well."""
        with self._changed:
            self._waiting.append((key, resource, then))
            if self._is_at_work:
                self._changed.notify()
                return
            self._is_at_work = True
        threading.Thread(target=self._work, name="keeps-results", daemon=True).start()

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting, _PATIENCE)
                group, self._waiting = self._waiting, []
                if not group:
                    self._is_at_work = False
                    return
            if len(group) > 1 and not self._settle(group):
                for _, _, then in group:
                    then("")
            else:
                # One that cannot be kept does not take the others with it.
                for one in group:
                    one[2](self._settle([one]))

    def _settle(self, group: list[tuple[str, Resource, Then]]) -> str:
        """Settle some results; the sentence why they could not be kept, or nothing."""
        try:
            self.store.settle((key, resource) for key, resource, _ in group)
        except StoreError as error:
            return str(error)
        except Exception:  # a thread has nobody else to tell
            _log.exception("Results could not be kept.")
            return "The result could not be kept. Ask again."
        return ""
