"""Recordings that are listened to for their words, while somebody asks again and again how far it
is."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Hashable
from typing import TYPE_CHECKING

from controlllm.pointing.spoken import SpokenWords
from controlllm.resources import Resource
from controlllm.resources.intake import BadInput
from controlllm.store import Store

if TYPE_CHECKING:
    from tools.speech.embedded.whisper import Word

#: Seconds after which an answer comes, also where nothing has changed.
_LONGEST_WAIT = 2.0
#: Seconds without a question after which nobody wants to know any more.
_PATIENCE = 12.0
#: Steps in which it is told how far it is.
_STEPS = 10


class _Heard:
    """How far one is: the share of it, at last its words or what was wrong."""

    def __init__(self) -> None:
        self.share = 0.0
        self.words: tuple[Word, ...] = ()
        self.failure: BadInput | None = None
        self.asked = time.monotonic()
        self.changed = asyncio.Event()
        self.task: asyncio.Task[None] | None = None


class Listening:
    """Listens for whoever asks until they ask no more; to be used from one event loop."""

    def __init__(self, spoken: SpokenWords) -> None:
        self._spoken = spoken
        self._all: dict[Hashable, _Heard] = {}

    async def ask(self, who: str, store: Store, recording: Resource) -> float | tuple[Word, ...]:
        """How far it is, 0 to 1, as soon as that has changed; at last the words.

        Raises BadInput, with a sentence, where no words are heard.
        """
        key = (who, recording.digest)
        heard = self._all.get(key)
        if heard is None:
            heard = self._all[key] = _Heard()
            heard.task = asyncio.create_task(self._listen(heard, store, recording))
            asyncio.get_running_loop().call_later(_PATIENCE, self._look_after, key)
        else:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(heard.changed.wait(), _LONGEST_WAIT)
        heard.asked = time.monotonic()
        heard.changed.clear()
        if heard.failure is not None or heard.words:
            self._all.pop(key, None)
        if heard.failure is not None:
            raise heard.failure
        return heard.words or heard.share

    def stop(self, who: str) -> None:
        """Stop all that somebody has asked for."""
        for key in [key for key in self._all if isinstance(key, tuple) and key[0] == who]:
            self._end(key)

    def _look_after(self, key: Hashable) -> None:
        heard = self._all.get(key)
        if heard is None:
            return
        if time.monotonic() - heard.asked >= _PATIENCE:
            self._end(key)
        else:
            asyncio.get_running_loop().call_later(_PATIENCE, self._look_after, key)

    def _end(self, key: Hashable) -> None:
        heard = self._all.pop(key, None)
        if heard is not None and heard.task is not None:
            heard.task.cancel()

    async def _listen(self, heard: _Heard, store: Store, recording: Resource) -> None:
        try:
            async with contextlib.aclosing(self._spoken.heard(store, recording)) as answers:
                async for found in answers:
                    if isinstance(found, tuple):
                        heard.words = found
                    elif int(found * _STEPS) == int(heard.share * _STEPS):
                        continue
                    else:
                        heard.share = found
                    heard.changed.set()
        except BadInput as failure:
            heard.failure = failure
            heard.changed.set()
