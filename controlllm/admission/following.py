"""Following a request on the server until its end, for whoever shows it: a page, or a program."""

from __future__ import annotations

import logging
import threading
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress

from controlllm.core.events import Event
from controlllm.core.plans import NotThere
from controlllm.settings.quotas import LimitReached
from controlllm.store import StoreError

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
