"""How fast somebody may ask: a bucket that fills again, one for each."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable

_MOST_REMEMBERED = 20_000


class Pace:
    """Lets everybody ask so often in a minute, and in a burst as often at once.

    Parameters
    ----------
    per_minute: how often; 0 means without a limit.
    clock: the time in seconds.
    """

    def __init__(self, per_minute: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = per_minute
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, who: str) -> int:
        """Ask once more: 0 where that may be, else the seconds to wait, which is no asking."""
        left = self._now(who)
        if left < 1:
            return max(1, math.ceil((1 - left) * 60 / self._most))
        if self._most:
            self._remember(who, left - 1)
        return 0

    def _now(self, who: str) -> float:
        if not self._most:
            return math.inf
        left, when = self._left.get(who, (self._most, self._clock()))
        return min(self._most, left + (self._clock() - when) * self._most / 60)

    def _remember(self, who: str, left: float) -> None:
        self._left[who] = (left, self._clock())
        self._left.move_to_end(who)
        while len(self._left) > _MOST_REMEMBERED:
            self._left.popitem(last=False)
