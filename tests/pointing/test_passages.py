"""Parts of recordings, cut out in a process of their own."""

from __future__ import annotations

import asyncio
from pathlib import Path

import numpy as np
import pytest
import skimage.data

from controlllm.pointing import cutting, passages
from controlllm.resources import BadInput, Resource, Sound, decode, encode
from controlllm.store import Store
from tests.every_case import every_case
from tests.tools.made_videos import make_video, pan, tone


@pytest.fixture
def kept(tmp_path: Path):
    """A store, a session with a sound of four seconds, of which the third is loud, and a film."""
    store = Store(tmp_path / "store")
    session = store.new_session()
    steady = tone(4.0)
    loud = np.zeros_like(steady.samples)
    loud[2 * steady.rate : 3 * steady.rate] = steady.samples[2 * steady.rate : 3 * steady.rate]
    content, media_type = encode("audio", Sound(loud, steady.rate))
    digest = store.put_bytes(content, media_type)
    sound = Resource("audio", "talk.wav", digest, media_type, details={"seconds": 4.0})
    film = tmp_path / "film.mp4"
    make_video(film, list(pan(skimage.data.astronaut(), 50, 160, 120)), sound=tone(2.0))
    digest = store.put_file(film, "video/mp4")
    video = Resource("video", "film.mp4", digest, "video/mp4", details={"seconds": 2.0})
    for item in (sound, video):
        store.update(session.id, lambda current, item=item: current.with_resource(item))
    return store, session.id, sound, video


def test_loudness_is_drawn_from_the_samples(kept) -> None:
    store, _, sound, video = kept
    said = asyncio.run(passages.loudness(store, sound))
    assert said["seconds"] == 4.0 and len(said["peaks"]) == cutting.PIECES
    high = [high for _, high in said["peaks"]]
    assert max(high[:290]) < 0.02 and min(high[310:440]) > 0.3
    of_video = cutting.loudness("video", store.path(video.digest, video.media_type))
    assert np.mean([high for _, high in of_video["peaks"]]) > 0.2


def test_a_part_of_a_sound_holds_its_samples_and_nothing_else(kept) -> None:
    store, session_id, sound, _ = kept
    part = asyncio.run(passages.add_part(store, session_id, sound, 2.0, 3.0))
    assert part.value == "[1]" and part.details["span"] == "0:02-0:03"
    cut = decode("audio", store.path(part.digest, part.media_type))
    assert cut.seconds == 1.0 and np.abs(cut.samples).max() > 0.3
    assert store.load(session_id).resource("[1]") == part


@pytest.mark.long
def test_a_part_and_a_frame_of_a_video(kept) -> None:
    store, session_id, _, video = kept
    part = asyncio.run(passages.add_part(store, session_id, video, 0.5, 1.5))
    assert part.type == "video" and abs(part.details["seconds"] - 1.0) < 0.1
    frame = asyncio.run(passages.add_frame(store, session_id, video, 1.0))
    assert frame.type == "image" and frame.value == "[2]" and frame.details["span"] == "0:01"
    assert (frame.details["width"], frame.details["height"]) == (160, 120)


def test_what_cannot_be_cut_is_said(kept) -> None:
    store, session_id, sound, _ = kept
    with pytest.raises(BadInput, match="too short"):
        asyncio.run(passages.add_part(store, session_id, sound, 3.0, 3.0))
    with pytest.raises(BadInput, match="no video"):
        asyncio.run(passages.add_frame(store, session_id, sound, 1.0))
    with pytest.raises(BadInput, match="here any more"):
        passages.recording_of(store.load(session_id), "gone.wav")


@every_case(("seconds", "said"), [(0, "0:00"), (3, "0:03"), (62.5, "1:02.5"), (59.96, "1:00")])
def test_times_are_said_as_people_read_them(seconds: float, said: str) -> None:
    assert passages.clock(seconds) == said
