"""What is told while work goes on elsewhere: events from any thread, in order, until it is done."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from concurrent.futures import Executor
from functools import partial
from typing import Any, TypeVar

from controlllm.core.events import Event

T = TypeVar("T")

#: How often it is looked whether the person has stopped the request, in seconds.
_LOOK_AGAIN = 0.2


class EventChannel:
    """The events of one request's work in threads; made on the event loop. `heard` is called there
    with each of them before it is told."""

    def __init__(
        self, cancelled: threading.Event, heard: Callable[[Event], None] = lambda event: None
    ) -> None:
        self._cancelled = cancelled
        self._heard = heard
        self._told: asyncio.Queue[Event] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()

    def tell(self, event: Event) -> None:
        """Put an event on the stream; from any thread."""
        # A thread that was left behind when its request was stopped may outlive the loop.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._told.put_nowait, event)

    def in_thread(
        self, threads: Executor, function: Callable[..., T], *args: Any
    ) -> asyncio.Task[T]:
        """Call a function in a thread."""
        # What is logged there says to which run it belongs.
        work = partial(contextvars.copy_context().run, function, *args)

        async def done() -> T:
            return await self._loop.run_in_executor(threads, work)

        return self.started(done())

    def started(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Begin some work on the event loop."""
        task = asyncio.create_task(work)
        # Its fault is nobody's where the request was stopped meanwhile.
        task.add_done_callback(lambda done: done.cancelled() or done.exception())
        return task

    async def during(self, work: asyncio.Task[Any]) -> AsyncIterator[Event]:
        """The events told until some work is done, or until the person stops the request."""
        try:
            while not (work.done() and self._told.empty()):
                waiting = asyncio.create_task(self._told.get())
                try:
                    await asyncio.wait(
                        {work, waiting}, timeout=_LOOK_AGAIN, return_when=asyncio.FIRST_COMPLETED
                    )
                finally:
                    if not waiting.done():
                        waiting.cancel()
                if self._cancelled.is_set():
                    return
                if waiting.done() and not waiting.cancelled():
                    event = waiting.result()
                    self._heard(event)
                    yield event
        finally:
            work.cancel()

    def left(self) -> Iterator[Event]:
        """The events that were told and not yet taken."""
        while not self._told.empty():
            yield self._told.get_nowait()
