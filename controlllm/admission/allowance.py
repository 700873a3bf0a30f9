"""What visitors may still have: conversations, files, bytes on the disk."""

from __future__ import annotations

import ipaddress
import shutil
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Sequence

from controlllm.settings.quotas import LimitReached, Quotas
from controlllm.store import Store

_MINUTE = 60.0
#: How long the sum of all files holds, in seconds: to add them up takes a moment.
_SUM_HOLDS = 60.0
#: How many addresses are remembered; those not seen for longest are forgotten.
_MOST_REMEMBERED = 20_000


class Allowance:
    """Refuses, with LimitReached, what would be more than somebody may have."""

    def __init__(self, store: Store, quotas: Quotas) -> None:
        self._store = store
        self._quotas = quotas
        self._lock = threading.Lock()
        self._opened: OrderedDict[str, deque[float]] = OrderedDict()
        self._sum = (0.0, 0)

    def check_session(self, own: int, address: str = "") -> None:
        """Refuse one more conversation to a visitor who has `own` of them; how many an address
        opens is looked at where one is given."""
        quotas = self._quotas
        if own >= quotas.visitor_sessions:
            raise LimitReached(
                "visitor_sessions",
                f"You have {own} conversations, the most that are kept for you. Delete one that "
                "you no longer need.",
            )
        if address and self._opened_lately(address) > quotas.address_sessions:
            raise LimitReached(
                "address_sessions",
                "Too many conversations were opened from your network just now. Try again in a "
                "minute.",
            )
        if self._store.session_count() >= quotas.all_sessions:
            raise LimitReached(
                "all_sessions",
                "This server keeps as many conversations as it may. Whoever runs it can raise that "
                "limit or have old ones removed.",
            )

    def check_file(self, session_ids: Sequence[str], size: int) -> None:
        """Refuse one more file of `size` bytes to the visitor who has these conversations."""
        quotas, store = self._quotas, self._store
        if shutil.disk_usage(store.folder).free - size < quotas.free_bytes:
            raise LimitReached(
                "free_bytes",
                "There is too little room left on this server's disk. Delete what you no longer "
                "need, or tell whoever runs it.",
            )
        files, held = store.held_by(session_ids)
        if files >= quotas.visitor_files:
            raise LimitReached(
                "visitor_files",
                f"You have {files} files here, the most that are kept for you. Delete a "
                "conversation that you no longer need.",
            )
        if held + size > quotas.visitor_bytes:
            raise LimitReached(
                "visitor_bytes",
                f"Your files take {held / 1e9:.1f} GB, and {quotas.visitor_bytes / 1e9:.1f} GB are "
                "kept for you. Delete a conversation that you no longer need.",
            )
        if self._held_in_all() + size > quotas.all_bytes:
            raise LimitReached(
                "all_bytes",
                "The files of all people here take as much room as they may. Delete what you no "
                "longer need, or tell whoever runs this server.",
            )

    def _held_in_all(self) -> int:
        when, held = self._sum
        if not when or time.monotonic() - when > _SUM_HOLDS:
            held = self._store.held_in_all()
            self._sum = (time.monotonic(), held)
        return held

    def _opened_lately(self, address: str) -> int:
        """How many conversations an address opened in the last minute, this one included."""
        now = time.monotonic()
        with self._lock:
            opened = self._opened.setdefault(network_of(address), deque())
            self._opened.move_to_end(network_of(address))
            while opened and opened[0] < now - _MINUTE:
                opened.popleft()
            if len(opened) <= self._quotas.address_sessions:
                opened.append(now)
            while len(self._opened) > _MOST_REMEMBERED:
                self._opened.popitem(last=False)
            return len(opened)


def network_of(address: str) -> str:
    """What stands for one connection to the network: of IPv6, where it has many addresses, their
    common beginning."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if found.version == 6 and not found.is_loopback:
        return str(ipaddress.ip_network((found, 64), strict=False))
    return str(found)
