"""Waiting for others without keeping the person waiting: a stop is noticed at once."""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
import time
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from controlllm.toolbox import Context

_T = TypeVar("_T")

#: How often it is looked whether the person has stopped the run, in seconds.
_LOOK_SECONDS = 0.1


def wait_for(
    work: Callable[[], _T], context: Context, give_up: Callable[[], None] = lambda: None
) -> _T:
    """What a function returns that runs in a thread of its own.

    Where the person stops the run, `give_up` is called and Cancelled raised while the thread may
    still be at it.
    """
    future: concurrent.futures.Future[_T] = concurrent.futures.Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)

    context.check()
    threading.Thread(target=run, name="waiting for the cloud", daemon=True).start()
    try:
        while not concurrent.futures.wait([future], _LOOK_SECONDS).done:
            context.check()
    except BaseException:
        give_up()
        raise
    return future.result()


def wait_for_coroutine(work: Callable[[], Coroutine[Any, Any, _T]], context: Context) -> _T:
    """What a coroutine returns; it is cancelled, and its connections closed, where the person stops
    the run."""
    running: list[tuple[asyncio.AbstractEventLoop, asyncio.Task[Any]]] = []

    async def main() -> _T:
        task = asyncio.current_task()
        assert task is not None
        running.append((asyncio.get_running_loop(), task))
        return await work()

    def give_up() -> None:
        for loop, task in running:
            if not loop.is_closed():
                loop.call_soon_threadsafe(task.cancel)

    return wait_for(lambda: asyncio.run(main()), context, give_up)


def pause(seconds: float, context: Context) -> None:
    """Wait a while; raises Cancelled as soon as the person stops the run."""
    until = time.monotonic() + seconds
    context.check()
    while (left := until - time.monotonic()) > 0:
        time.sleep(min(left, _LOOK_SECONDS))
        context.check()
