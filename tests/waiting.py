"""Waiting for what has to come, however busy the machine is."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

#: Ends a wait for what never comes, in seconds. No test may need anything like it.
PATIENCE = 120.0


def wait_until(
    holds: Callable[[], object], every: float = 0.02, patience: float = PATIENCE
) -> None:
    """Wait until something holds, which is looked at `every` so many seconds; else fail."""
    end = time.monotonic() + patience
    while not holds():
        assert time.monotonic() < end, "it did not come to hold"
        time.sleep(every)


async def until(holds: Callable[[], object], every: float = 0.01) -> None:
    """The same in an event loop, which goes on with its other work meanwhile."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, "it did not come to hold"
        await asyncio.sleep(every)


async def settled() -> None:
    """Let an event loop do all that it can do now, where nothing waits for a thread or a clock."""
    for _ in range(100):
        await asyncio.sleep(0)
