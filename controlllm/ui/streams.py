"""From the assistant's events to what the page draws, and the runs that can be stopped."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from controlllm import events
from controlllm.quotas import LimitReached
from controlllm.resources import Resource
from controlllm.store import StoreError
from controlllm.ui.conversation import doing, turn
from controlllm.ui.media import Media
from controlllm.ui.view import TurnView

_log = logging.getLogger(__name__)
_PAUSE = 0.08  # seconds between two drawings, so that a fast run does not flood the browser


#: How many runs are remembered, with those that were stopped before they began.
_MOST_RUNS = 1000


class Runs:
    """The runs in progress, each under the name that its tab gave it."""

    def __init__(self) -> None:
        self._cancelled: dict[tuple[str, str], threading.Event] = {}

    def begin(self, session_id: str, run: str) -> threading.Event:
        return self._cancelled.setdefault((session_id, run), threading.Event())

    def end(self, session_id: str, run: str) -> None:
        """The run is over, or its page has gone: nothing may go on for it."""
        self._cancelled.pop((session_id, run), threading.Event()).set()

    def stop(self, session_id: str, run: str) -> bool:
        """Stop a run, also one that still waits for its turn in the queue; False where no run of
        that name has begun yet."""
        begun = (session_id, run) in self._cancelled
        while len(self._cancelled) >= _MOST_RUNS and not begun:
            # Stopped before they began, and never begun.
            self._cancelled.pop(next(iter(self._cancelled)))
        self.begin(session_id, run).set()
        return begun


async def drawings(
    stream: AsyncIterator[events.Event],
    view: TurnView,
    media: Media,
    known: Mapping[str, Resource],
) -> AsyncIterator[dict[str, Any]]:
    """The turn drawn anew as events come, at most about twelve times a second.

    Each drawing holds the turn's `html`, its `turn` number, `state`, whether it has come to a
    result (`met`), the sentence `now` for screen readers, and whether files have come (`files`).
    """
    known = dict(known)
    arrived: asyncio.Queue[events.Event | None] = asyncio.Queue()
    reader = asyncio.create_task(_read(stream, arrived))
    started = time.monotonic()
    try:
        ended = False
        while not ended:
            batch = [await arrived.get()]
            await asyncio.sleep(_PAUSE if view.stage else 0)
            while not arrived.empty():
                batch.append(arrived.get_nowait())
            files = False
            for event in batch:
                if event is None:
                    ended = True
                    break
                view = view.after(event)
                if isinstance(event, events.ActionFinished):
                    known[event.resource.value] = event.resource
                    files = True
            if ended:
                view = _closed(view, time.monotonic() - started)
            yield {
                "turn": view.number,
                "state": view.state,
                "met": view.is_met,
                "now": doing(view) or " ".join(asked.message for asked in view.questions),
                "html": turn(view, media, known),
                "files": files or ended,
                "ended": ended,
            }
    finally:
        reader.cancel()
        with suppress(asyncio.CancelledError):
            await reader


def _closed(view: TurnView, seconds: float) -> TurnView:
    if view.state == "running":
        view = replace(
            view.settled(),
            state="failed",
            message="This ended before there was an answer. Try it again.",
        )
    return replace(view, seconds=seconds)


async def _read(
    stream: AsyncIterator[events.Event], arrived: asyncio.Queue[events.Event | None]
) -> None:
    try:
        async for event in stream:
            arrived.put_nowait(event)
    except asyncio.CancelledError:
        raise
    except (LimitReached, StoreError) as error:
        arrived.put_nowait(events.RequestFailed(str(error)))
    except Exception:
        _log.exception("A request ended with an unexpected error.")
        arrived.put_nowait(
            events.RequestFailed("Something went wrong on our side. Try it again, please.")
        )
    finally:
        close = getattr(stream, "aclose", None)
        if close is not None:
            with suppress(Exception):
                await close()
        arrived.put_nowait(None)
