"""Listening that is asked about again and again, and ends where it is not."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from types import SimpleNamespace
from typing import Any

import pytest

from controlllm.pointing import spoken
from controlllm.pointing.spoken import Listening
from controlllm.resources.intake import BadInput

RECORDING: Any = SimpleNamespace(digest="abc", value="talk.wav")
STORE: Any = None


class Slow:
    """Hears a step each time that it is let on; notes when it is given up."""

    def __init__(self, *steps: object) -> None:
        self.steps = steps
        self.on = asyncio.Semaphore(0)
        self.ended = asyncio.Event()

    async def heard(self, *_: object) -> AsyncGenerator[Any, None]:
        try:
            for step in self.steps:
                await self.on.acquire()
                if isinstance(step, BadInput):
                    raise step
                yield step
        finally:
            self.ended.set()


async def told(asked: Listening, who: str = "somebody") -> Any:
    return await asked.ask(who, STORE, RECORDING)


async def test_an_answer_comes_when_it_has_gone_on_and_at_last_the_words() -> None:
    slow = Slow(0.31, 0.33, ("all", "words"))
    asked = Listening(slow)  # type: ignore[arg-type]
    assert await told(asked) == 0.0
    waits = asyncio.ensure_future(told(asked))
    slow.on.release()
    assert await waits == 0.31
    # What is hardly further is no news.
    waits = asyncio.ensure_future(told(asked))
    slow.on.release()
    slow.on.release()
    assert await waits == ("all", "words")


async def test_what_was_wrong_is_said_once_and_another_try_begins_anew() -> None:
    slow = Slow(BadInput("Nothing is heard."))
    asked = Listening(slow)  # type: ignore[arg-type]
    await told(asked)
    slow.on.release()
    with pytest.raises(BadInput, match="Nothing is heard"):
        await told(asked)
    assert await told(asked) == 0.0


async def test_it_ends_when_it_is_stopped_and_only_for_who_stops_it() -> None:
    slow = Slow(0.5)
    asked = Listening(slow)  # type: ignore[arg-type]
    await told(asked)
    await asyncio.sleep(0)
    asked.stop("somebody else")
    assert not slow.ended.is_set()
    asked.stop("somebody")
    await asyncio.wait_for(slow.ended.wait(), 10)


async def test_it_ends_where_nobody_asks_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spoken, "_PATIENCE", 0.02)
    slow = Slow(0.5)
    await told(Listening(slow))  # type: ignore[arg-type]
    await asyncio.wait_for(slow.ended.wait(), 10)
