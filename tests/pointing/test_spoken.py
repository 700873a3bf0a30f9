"""Words of recordings with their times, found by a process of its own."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import numpy as np
import pytest

from controlllm.pointing.spoken import SpokenWords, as_written
from controlllm.resources import BadInput, Resource, Sound, encode
from controlllm.store import Store
from tests.pointing.word_time_error import spoken
from tests.tools.made_videos import make_video, tone
from tools.speech.embedded import word_times
from tools.speech.embedded.whisper import RATE, Word

_SAID = "please bring seven yellow apples and bread from the market"


def _kept(store: Store, sound: Sound, name: str = "talk.wav") -> Resource:
    content, media_type = encode("audio", sound)
    return Resource("audio", name, store.put_bytes(content, media_type), media_type)


async def _heard(words: SpokenWords, store: Store, recording: Resource) -> list:
    return [said async for said in words.heard(store, recording)]


def test_words_lie_where_they_are_said_and_are_kept_in_mind(tmp_path: Path) -> None:
    store, listener = Store(tmp_path / "store"), SpokenWords()
    sound, spans = spoken(_SAID, 0.25)
    recording = _kept(store, sound)

    async def twice() -> tuple[list, list]:
        return (
            await _heard(listener, store, recording),
            await _heard(listener, store, recording),
        )

    first, again = asyncio.run(twice())
    *shares, heard = first
    assert shares[0] == 0.0 and all(0 <= share <= 1 for share in shares)
    assert again == [heard]
    text = Resource("text", "talk.txt", "", "text/plain")
    found = as_written(text, recording, _SAID, heard)
    assert [word.text for word in found] == _SAID.split()
    near = [
        abs(word.start - start) < 0.1 and abs(word.end - end) < 0.1
        for word, (start, end) in zip(found, spans, strict=True)
    ]
    assert sum(near) >= 8
    with pytest.raises(BadInput, match="not those heard in talk.wav"):
        as_written(text, recording, "Nothing of this was ever spoken there, at no time.", heard)


@pytest.mark.long
def test_the_sound_of_a_video_is_listened_to(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    sound, spans = spoken("please bring seven yellow apples", 0.25)
    film = tmp_path / "film.mp4"
    frames = [np.full((64, 96, 3), 90, np.uint8)] * round(sound.seconds * 10)
    make_video(film, frames, rate=10, sound=sound)
    video = Resource("video", "film.mp4", store.put_file(film, "video/mp4"), "video/mp4")
    words = asyncio.run(_heard(SpokenWords(), store, video))[-1]
    apples = next(word for word in words if word.text.lower().startswith("apples"))
    assert apples.start == pytest.approx(spans[-1][0], abs=0.15)


def test_where_nobody_speaks_it_is_said(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    with pytest.raises(BadInput, match=r"No English words are heard in hum\.wav"):
        asyncio.run(_heard(SpokenWords(), store, _kept(store, tone(2.0), "hum.wav")))


@pytest.mark.long
def test_given_up_it_stops_listening(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    sound, _ = spoken(_SAID, 0.25)
    recording = _kept(store, Sound(np.tile(sound.samples, (30, 1)), sound.rate))

    def listening() -> list[int]:
        mine = str(store.path(recording.digest, recording.media_type)).encode()
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            try:
                if mine in (process / "cmdline").read_bytes():
                    found.append(int(process.name))
            except OSError:
                continue
        return found

    async def give_up() -> list[int]:
        answers = SpokenWords().heard(store, recording)
        assert await anext(answers) == 0.0
        assert 0 <= float(await anext(answers)) < 0.9
        during = listening()
        await answers.aclose()
        return during

    during = asyncio.run(give_up())
    try:
        assert len(during) == 1 and listening() == []
    finally:
        for process in listening():
            os.kill(process, signal.SIGKILL)


def test_ends_of_words_are_moved_into_the_pause_between_them() -> None:
    loud = np.sin(np.arange(RATE // 2) * 0.2).astype(np.float32)
    samples = np.concatenate([loud, np.zeros(RATE // 2, np.float32), loud])
    moved = word_times.in_pauses([Word("one", 0.0, 0.8), Word("two", 0.8, 1.5)], samples)
    assert (moved[0].end, moved[1].start) == (0.5, 1.0)
    assert word_times.in_pauses([], samples) == []


def test_a_word_that_was_heard_otherwise_lies_between_those_around_it() -> None:
    heard = [Word("red", 0.0, 0.5), Word("that", 0.6, 0.9), Word("bread.", 1.0, 1.5)]
    found = word_times.of_text("Red the bread, too", heard)
    assert [(word.text, word.start) for word in found[:3]] == [
        ("Red", 0.0),
        ("the", 0.6),
        ("bread,", 1.0),
    ]
    assert found[3].start >= 1.5
    assert word_times.of_text("", heard) == []
    missing = word_times.of_text("red and bread", [heard[0], heard[2]])
    assert (missing[1].start, missing[1].end) == (0.5, 1.0)
