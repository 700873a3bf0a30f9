"""What was learnt from calls, in a file that may be lost without harm."""

from __future__ import annotations

import contextlib
import copy
import json
import os
import re
import statistics
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from controlllm.engine.attempt import Call
from controlllm.toolbox import Implementation
from controlllm.toolbox.capabilities import ALONE, Capabilities

_Value = TypeVar("_Value")


class LearntFile:
    """A JSON object in a file; safe for many threads. Without a path nothing is kept."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._lock = threading.Lock()

    def read(self, value: Callable[[Any], _Value]) -> dict[str, _Value]:
        """What was written last, each value as `value` reads it; nothing where one cannot be."""
        with contextlib.suppress(OSError, ValueError, TypeError, AttributeError):
            if self._path is not None:
                learnt = json.loads(self._path.read_text())
                return {str(name): value(one) for name, one in learnt.items()}
        return {}

    def write(self, learnt: Mapping[str, Any]) -> None:
        """Write all of it anew, in one step; `learnt` must not change meanwhile."""
        if self._path is None:
            return
        fresh = self._path.with_suffix(".new")
        with self._lock, contextlib.suppress(OSError):  # it is learnt again
            fresh.write_text(json.dumps(learnt, indent=1))
            os.replace(fresh, self._path)


#: So many calls of an implementation are remembered, the last ones.
_REMEMBERED = 15
#: Taken for a tool of which nothing is known, in seconds.
_UNKNOWN_SECONDS = 1.0
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
        self._seconds = self._file.read(lambda taken: [float(one) for one in taken])
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
        return self._expected.get(tool, _UNKNOWN_SECONDS)

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


#: Taken for an implementation that says nothing of its memory, in bytes.
_UNKNOWN_BYTES = 300 << 20
#: What a call is taken to need besides its models where it was never made, in bytes, and how much
#: of the models' own: weights in half precision become single where there is no GPU.
_BESIDES, _DECLARED_TIMES, _WEIGHTS_TIMES = 150 << 20, 1.5, 2.0
#: How much of a difference is forgotten with each call that took less.
_FORGOTTEN = 0.1
#: Changes below this part of a figure, or of so many bytes, are not written down.
_NOTABLE, _LEAST_NOTABLE = 0.05, 4 << 20
_UNITS = {"MiB": 1 << 20, "GiB": 1 << 30}


@dataclass(frozen=True)
class Need:
    """What a call adds to what its worker held before, at most, in bytes.

    Parameters
    ----------
    cold: where the worker has yet to load the models, and what they import.
    warm: where they are loaded already.
    """

    cold: int
    warm: int


class Needs:
    """What implementations need, by their names; safe for many threads.

    Parameters
    ----------
    path: where it is kept beyond the program's end, which may be lost without harm.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._file = LearntFile(path)
        self._lock = threading.Lock()
        #: Bytes by an implementation's name, then by "cold" or "warm".
        self._learnt = self._file.read(
            lambda need: {str(state): int(added) for state, added in need.items()}
        )

    def of(self, call: Call) -> Need:
        """What a call needs: as learnt, else by the size of its weights, else by what it says."""
        with self._lock:
            learnt = dict(self._learnt.get(_name(call), {}))
        if "cold" not in learnt:
            learnt["cold"] = max(_guessed(call), learnt.get("warm", 0))
        return Need(learnt["cold"], learnt.get("warm", learnt["cold"]))

    def learn(self, call: Call, was_warm: bool, added: int, kept: int = 0) -> None:
        """Note what a call added to its worker's memory at most, and what of it stayed; one that
        needed more counts at once, one that needed less a little."""
        state = "warm" if was_warm else "cold"
        with self._lock:
            figures = self._learnt.setdefault(_name(call), {})
            known, old = len(figures), figures.get(state, added)
            figures[state] = added if added > old else int(old - _FORGOTTEN * (old - added))
            # What stayed are models: a call that finds them loaded adds the rest.
            figures.setdefault("warm", max(added - kept, added // 10))
            notable = max(_NOTABLE * old, _LEAST_NOTABLE)
            is_new = abs(figures[state] - old) > notable or len(figures) != known
            learnt = copy.deepcopy(self._learnt) if is_new else {}
        if learnt:
            self._file.write(learnt)

    def raise_to(self, call: Call, least: int) -> None:
        """Expect a call of this implementation to add at least so much."""
        with self._lock:
            figures = self._learnt.setdefault(_name(call), {})
            for state in ("cold", "warm"):
                figures[state] = max(figures.get(state, 0), least)


def _name(call: Call) -> str:
    """What a call's need is known by: its implementation with the weights that it uses here."""
    return known_as(call.implementation, call.capabilities)


def _guessed(call: Call) -> int:
    way = call.implementation
    sizes = [item.size for item in call.capabilities.weights_of(way.weights).values()]
    found = re.fullmatch(r"([0-9.]+) (MiB|GiB)", way.memory)
    declared = float(found[1]) * _UNITS[found[2]] if found else 0.0
    if not sizes and not declared:
        return _UNKNOWN_BYTES
    return _BESIDES + int(max(_WEIGHTS_TIMES * sum(sizes), _DECLARED_TIMES * declared))
