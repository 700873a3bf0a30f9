"""Another way of a turn, run beside the one in use."""

from __future__ import annotations

import threading
from collections.abc import AsyncGenerator
from contextlib import aclosing

from controlllm.assistant import Assistant
from controlllm.events import Event
from controlllm.settings import Settings


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
    run = assistant.run_of(session, session.turns[turn], settings, cancelled, asks=True)
    async with aclosing(assistant.worked(run, run.try_way(subtask, way))) as events:
        async for event in events:
            yield event
