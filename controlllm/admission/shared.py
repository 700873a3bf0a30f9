"""What everybody shares who reaches a server, by the page or by a program, and how a request on it
is followed until its end.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress
from dataclasses import dataclass, field

from controlllm.admission.allowance import Allowance
from controlllm.admission.jobs import Jobs
from controlllm.admission.line import Line
from controlllm.core.events import Event
from controlllm.core.plans import NotThere
from controlllm.settings.quotas import LimitReached, Quotas
from controlllm.store import Store, StoreError


@dataclass(frozen=True)
class Shared:
    """The line in which requests wait, what everybody may take, and what is at work.

    Parameters
    ----------
    taking_in: held while a file is taken in, which may need hundreds of megabytes for a moment.
    """

    line: Line
    allowance: Allowance
    jobs: Jobs = field(default_factory=Jobs)
    taking_in: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(2))

    @classmethod
    def of(cls, store: Store, quotas: Quotas) -> Shared:
        """What people share of a store within quotas."""
        return cls(Line(quotas), Allowance(store, quotas))


_log = logging.getLogger(__name__)

#: Begins a request; the event stops it.
Start = Callable[[threading.Event], AsyncGenerator[Event, None]]


async def follow(
    start: Start,
    cancelled: threading.Event,
    take: Callable[[Event], None],
    failed: Callable[[LimitReached | NotThere | StoreError | None], None],
) -> None:
    """Take in what happens until the end. What keeps it from its end is no fault of whoever
    follows: `failed` is told what was in the way, or None where nobody expected it."""
    stream = start(cancelled)
    try:
        async for event in stream:
            take(event)
    except (LimitReached, NotThere, StoreError) as error:
        failed(error)
    except Exception:
        _log.exception("A request ended with an unexpected error.")
        failed(None)
    finally:
        cancelled.set()
        with suppress(Exception):
            await stream.aclose()
