"""A line of the log for every run that ends and every action that fails."""

from __future__ import annotations

import logging
import time

from controlllm.core import events
from controlllm.observing.stages import outcome_of

_log = logging.getLogger(__name__)


class Notes:
    """Writes runs into the log."""

    def begin(self, run: str) -> _Note:
        return _Note()


class _Note:
    def __init__(self) -> None:
        self._began = time.monotonic()
        self._actions = 0
        self._outcome = "left"

    def saw(self, event: events.Event) -> None:
        if isinstance(event, events.ActionFinished):
            self._actions += 1
        elif isinstance(event, events.ActionFailed):
            _log.info("An action failed.", extra={"tool": event.tool})
        self._outcome = outcome_of(event) or self._outcome

    def ended(self) -> None:
        seconds = round(time.monotonic() - self._began, 3)
        told = {"outcome": self._outcome, "seconds": seconds, "actions": self._actions}
        _log.info("A run ended.", extra=told)
