"""How much memory calls of an implementation take: learnt from those that were made."""

from __future__ import annotations

import contextlib
import copy
import re
import threading
from dataclasses import dataclass
from pathlib import Path

from controlllm.engine.attempt import Call
from controlllm.engine.durations import known_as
from controlllm.engine.learnt import LearntFile

#: Taken for an implementation that says nothing of its memory, in bytes.
_UNKNOWN = 300 << 20
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
        self._learnt: dict[str, dict[str, int]] = {}
        with contextlib.suppress(ValueError, TypeError, AttributeError):
            self._learnt = {
                str(name): {str(state): int(added) for state, added in need.items()}
                for name, need in self._file.read().items()
            }

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
        return _UNKNOWN
    return _BESIDES + int(max(_WEIGHTS_TIMES * sum(sizes), _DECLARED_TIMES * declared))
