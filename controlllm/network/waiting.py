"""Waiting in a thread for what is asked of others: a stop by the person is noticed at once."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import Future, wait
from typing import Any, TypeVar

from controlllm.toolbox import Context

_T = TypeVar("_T")

#: How often it is looked whether the person has stopped the run, in seconds.
LOOK_SECONDS = 0.1


def waited(work: Coroutine[Any, Any, _T], context: Context) -> _T:
    """What a coroutine gives that runs in a thread of its own; it is cancelled, and so its
    connections closed, where the person stops the run, and Cancelled raised."""
    result: Future[_T] = Future()
    given_up = threading.Event()
    running: list[tuple[asyncio.AbstractEventLoop, asyncio.Task[Any]]] = []

    async def main() -> _T:
        task = asyncio.current_task()
        assert task is not None
        running.append((asyncio.get_running_loop(), task))
        # Whoever gives up before this line finds no task to cancel.
        if given_up.is_set():
            task.cancel()
        return await work

    def run() -> None:
        try:
            result.set_result(asyncio.run(main()))
        except BaseException as error:
            result.set_exception(error)

    try:
        context.check()
    except BaseException:
        work.close()
        raise
    threading.Thread(target=run, name="asks others", daemon=True).start()
    try:
        while not wait([result], LOOK_SECONDS).done:
            context.check()
    except BaseException:
        given_up.set()
        for loop, task in running:
            if not loop.is_closed():
                loop.call_soon_threadsafe(task.cancel)
        raise
    return result.result()
