"""Which calls may be made at the same time: by memory, accelerator, and calls to one endpoint."""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import dataclass
from urllib.parse import urlsplit

from controlllm.engine.attempt import Call
from controlllm.engine.learnt import Needs

#: So many calls may begin before one that waits for memory; then all others wait for it.
MOST_PASSED = 8
#: What a worker holds that has done nothing yet, until it was measured, in bytes.
_EMPTY_WORKER = 100 << 20


@dataclass(eq=False)
class _Begun:
    """A call at work: what it was promised, and what its worker was seen to hold, in bytes; whether
    it was told to leave, and only its worker is not gone yet."""

    call: Call
    promised: int
    held: int = 0
    leaves: bool = False


class Capacity:
    """What calls at work take together; safe for many threads.

    Parameters
    ----------
    memory: bytes that all workers may hold; 0 where it is not counted. A call that alone needs more
        is made when no other is.
    needs: what calls take of it.
    at_endpoint: calls in flight to one endpoint.
    at_accelerator: calls of models on this machine's accelerator; 0 where it is not counted.
    """

    def __init__(
        self,
        memory: int = 0,
        needs: Needs | None = None,
        at_endpoint: int = 4,
        at_accelerator: int = 1,
    ) -> None:
        self.memory = memory
        self.needs = needs or Needs()
        #: Bytes that an empty worker holds; one is always kept ready.
        self.empty = _EMPTY_WORKER
        self._most = {"endpoint": at_endpoint, "accelerator": at_accelerator}
        self._lock = threading.Lock()
        #: Calls at work in the order in which they began, by their identity.
        self._begun: dict[int, _Begun] = {}
        #: Those that wait for memory, the first one first, with how many began before them.
        self._held_up: Counter[int] = Counter()

    def begin(self, call: Call) -> bool:
        """Whether a call may be made now; it counts as begun until `end`."""
        with self._lock:
            if id(call) in self._begun:
                return True
            if not self._has_place(call):
                return False
            if not self._has_memory(call):
                self._held_up.setdefault(id(call), 0)
                return False
            self._held_up.pop(id(call), None)
            for other in self._held_up:
                self._held_up[other] += 1
            self._begun[id(call)] = _Begun(call, self._needed(call))
            return True

    def end(self, call: Call) -> None:
        """Note that a call is no longer made, or no longer wanted."""
        with self._lock:
            self._begun.pop(id(call), None)
            self._held_up.pop(id(call), None)

    def widen(self, call: Call, wanted: int) -> int:
        """What the worker of a call may grow to, in bytes: so much where there is room, but no more
        than half of all, unless the call needs it."""
        with self._lock:
            entry = self._begun.setdefault(id(call), _Begun(call, self._needed(call)))
            if not self.memory:
                return wanted
            room = self.memory - self._promised_to_others(entry)
            entry.promised = max(self._needed(call), min(wanted, room, self.memory // 2))
            return entry.promised

    def for_resting(self, call: Call | None = None) -> int:
        """What workers that rest may hold together, in bytes, the empty one among them; with a call
        what they may when it has ended."""
        with self._lock:
            entries = (item for item in self._begun.values() if item.call is not call)
            return max(self.memory - sum(max(item.promised, item.held) for item in entries), 0)

    def must_leave(self, call: Call, held: int) -> bool:
        """Whether a call, whose worker holds so much, is to be ended and made again later: calls
        hold too much together, and of those that hold more than was promised it began last."""
        with self._lock:
            entry = self._begun.get(id(call))
            if entry is None or not self.memory or entry.leaves:
                return entry is not None and entry.leaves
            entry.held = held
            # What one that leaves still holds is given back soon, so nobody else leaves for it.
            stay = [item for item in self._begun.values() if not item.leaves]
            over = [
                item
                for item in stay
                if item.held > item.promised and not item.call.tool.acts_outside
            ]
            total = sum(item.held for item in stay) + self.empty
            entry.leaves = len(stay) > 1 and total > self.memory and over[-1:] == [entry]
            return entry.leaves

    def _has_place(self, call: Call) -> bool:
        places = _places(call)
        taken = Counter(place for item in self._begun.values() for place in _places(item.call))
        return all(
            not self._most[kind] or taken[kind, name] < self._most[kind] for kind, name in places
        )

    def _has_memory(self, call: Call) -> bool:
        if not self.memory:
            return True
        first = next((key for key, passed in self._held_up.items() if passed >= MOST_PASSED), None)
        if first not in (None, id(call)):
            return False
        return not self._begun or self._promised_to_others(None) + self._needed(call) <= self.memory

    def _needed(self, call: Call) -> int:
        return self.empty + self.needs.of(call).cold

    def _promised_to_others(self, entry: _Begun | None) -> int:
        others = (item for item in self._begun.values() if item is not entry)
        return self.empty + sum(max(item.promised, item.held) for item in others)


def _places(call: Call) -> list[tuple[str, str]]:
    """The endpoint that a call is sent to, or the accelerator that its model runs on."""
    way, capabilities = call.implementation, call.capabilities
    if way.runtime == "hub" and capabilities.accelerator:
        return [("accelerator", capabilities.accelerator)]
    if way.runtime != "cloud":
        return []
    hosted = capabilities.hosted.get(call.tool.name) if way.is_hosted else None
    if hosted is not None:
        return [("endpoint", _host(hosted.address))]
    if capabilities.endpoint is not None:
        return [("endpoint", _host(capabilities.endpoint.base_url))]
    return [("endpoint", "public services")]


def _host(address: str) -> str:
    return urlsplit(address if "//" in address else f"//{address}").netloc.rpartition("@")[2]
