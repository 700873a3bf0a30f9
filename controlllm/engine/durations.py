"""How long calls take on this machine: learnt from those that were made."""

from __future__ import annotations

import contextlib
import statistics
import threading
from collections.abc import Iterable
from pathlib import Path

from controlllm.engine.learnt import LearntFile
from controlllm.toolbox import Implementation
from controlllm.toolbox.capabilities import ALONE, Capabilities

#: So many calls of an implementation are remembered, the last ones.
_REMEMBERED = 15
#: Taken for a tool of which nothing is known, in seconds.
_UNKNOWN = 1.0
#: How much the newest call counts in what is expected of a tool.
_NEWEST = 0.3


class Durations:
    """How long calls took, by implementation; safe for many threads.

    Parameters
    ----------
    path: where it is kept beyond the program's end, which may be lost without harm.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._file = LearntFile(path)
        self._lock = threading.Lock()
        self._seconds: dict[str, list[float]] = {}
        with contextlib.suppress(ValueError, TypeError):
            self._seconds = {
                name: [float(one) for one in taken] for name, taken in self._file.read().items()
            }
        self._expected = {
            name.partition("/")[0]: statistics.median(taken)
            for name, taken in self._seconds.items()
            if taken
        }

    def learn(
        self, way: Implementation, capabilities: Capabilities, given: Iterable[str], seconds: float
    ) -> None:
        """Note how long a call took to which these inputs were given: what a tool is not given it
        may have to find out first."""
        name = _named(way, capabilities, given)
        with self._lock:
            taken = self._seconds.setdefault(name, [])
            taken.append(round(seconds, 4))
            del taken[:-_REMEMBERED]
            before = self._expected.get(way.tool, seconds)
            self._expected[way.tool] = (1 - _NEWEST) * before + _NEWEST * seconds
            learnt = {name: list(one) for name, one in self._seconds.items()}
        self._file.write(learnt)

    def of(self, tool: str) -> float:
        """The seconds that a call of this tool may take; what is newer counts more."""
        return self._expected.get(tool, _UNKNOWN)

    def median(
        self, way: Implementation, given: Iterable[str], capabilities: Capabilities = ALONE
    ) -> float | None:
        """The median of the last calls of an implementation with these inputs, in seconds; None
        before the first."""
        with self._lock:
            taken = self._seconds.get(_named(way, capabilities, given))
            return statistics.median(taken) if taken else None


def _named(way: Implementation, capabilities: Capabilities, given: Iterable[str]) -> str:
    return f"{known_as(way, capabilities)} {'+'.join(sorted(given))}"


def known_as(way: Implementation, capabilities: Capabilities) -> str:
    """What is learnt of an implementation is known by this: with the weights it uses here."""
    weights = capabilities.weights_of(way.weights).values()
    return "@".join((way.name, way.version, *(item.repository for item in weights)))
