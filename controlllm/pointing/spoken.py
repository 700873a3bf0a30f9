"""The words of recordings, each with when it is said: what "this" means where a word is pointed at.

They are found when somebody asks, by a process of its own (`controlllm.pointing.word_process`), and
kept in mind: transcripts carry no times, and most are never pointed at.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import OrderedDict
from collections.abc import AsyncGenerator, Hashable, Sequence
from typing import TYPE_CHECKING, Any

from controlllm.core.helper_process import said_by
from controlllm.resources import Resource
from controlllm.resources.intake import BadInput
from controlllm.store import Store
from controlllm.toolbox.rooms import tool_module

if TYPE_CHECKING:
    from tools.speech.embedded.whisper import Word


_REMEMBERED = 32
_FAILED = "The words of this recording could not be listened to just now. Try again."
_NO_WORDS = "No English words are heard in {name}. Move the two handles to choose a part of it."
_OTHER_WORDS = (
    "The words of {text} are not those heard in {name}, so their times are not known. Open {name} "
    "itself and show the words that are heard there."
)


class SpokenWords:
    """Listens to recordings for everybody who points; to be used from one event loop."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, tuple[Word, ...]] = OrderedDict()
        self._one_at_a_time = asyncio.Semaphore(1)

    async def heard(
        self, store: Store, recording: Resource
    ) -> AsyncGenerator[float | tuple[Word, ...], None]:
        """How far it is, 0 to 1, again and again, and at last the words.

        Given up, it stops. Raises BadInput, with a sentence, where no words are heard.
        """
        if recording.digest not in self._known:
            yield 0.0
            async with (
                self._one_at_a_time,
                contextlib.aclosing(_listened(store, recording)) as answers,
            ):
                async for said in answers:
                    if "words" in said:
                        word_of = tool_module("speech.embedded.whisper").Word
                        self._keep(recording.digest, tuple(word_of(*it) for it in said["words"]))
                    else:
                        yield float(said["share"])
        words = self._known.get(recording.digest)
        if not words:
            raise BadInput(_NO_WORDS.format(name=recording.value))
        self._known.move_to_end(recording.digest)
        yield words

    def _keep(self, digest: str, words: tuple[Word, ...]) -> None:
        self._known[digest] = words
        while len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)


def as_written(
    transcript: Resource, recording: Resource, text: str, heard: Sequence[Word]
) -> list[Word]:
    """The words of a transcript with the times of those that were heard in its recording.

    Raises BadInput where it is none of it.
    """
    word_times = tool_module("speech.embedded.word_times")
    found: list[Word] = word_times.of_text(text, heard)
    if not found:
        raise BadInput(_OTHER_WORDS.format(text=transcript.value, name=recording.value))
    return found


async def _listened(store: Store, recording: Resource) -> AsyncGenerator[dict[str, Any], None]:
    path = store.path(recording.digest, recording.media_type)
    said: dict[str, Any] = {}
    heard = said_by("controlllm.pointing.word_process", recording.type, str(path))
    try:
        async with contextlib.aclosing(heard):
            async for said in heard:
                if "failed" in said:
                    raise BadInput(str(said["failed"]))
                yield said
    except ValueError:
        raise BadInput(_FAILED) from None
    if "words" not in said:
        raise BadInput(_FAILED)


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
