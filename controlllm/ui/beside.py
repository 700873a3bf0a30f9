"""Another way of a turn, run beside the one in use."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator
from contextlib import aclosing

from controlllm.comparing.looks import look_alike
from controlllm.core.events import Event, WayEnded
from controlllm.runs.assistant import Assistant
from controlllm.settings import Settings
from controlllm.store import Store
from controlllm.ui.drawings.media import is_picture


async def tried(
    assistant: Assistant,
    session_id: str,
    turn: int,
    subtask: int,
    way: int,
    settings: Settings,
    cancelled: threading.Event,
) -> AsyncGenerator[Event, None]:
    """The events of trying a way; see `controlllm.comparing.trying`."""
    session = assistant.store.load(session_id)
    run = assistant.run_of(session, session.turn(turn), settings, cancelled, asks=True)
    async with aclosing(assistant.worked(run, run.try_way(subtask, way))) as events:
        async for event in events:
            if isinstance(event, WayEnded) and not event.problem:
                await asyncio.to_thread(_look, assistant.store, session_id, turn, subtask, way)
            yield event


def _look(store: Store, session_id: str, turn: int, subtask: int, way: int) -> None:
    """Look whether both results look the same, which may take a moment: what is drawn knows it."""
    asked = store.load(session_id).turn(turn)
    if asked.plan is None:
        return
    paths = []
    for place in (asked.plan.chosen.get(subtask, 0), way):
        last = len(asked.plan.solutions[subtask][place].actions) - 1
        made = asked.results.get(f"{subtask}.{place}.{last}")
        if made is None or not is_picture(made):
            return
        paths.append(store.path(made.digest, made.media_type))
    look_alike(*paths)
