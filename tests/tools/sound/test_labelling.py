"""Title, artist and cover in the files of sounds."""

from __future__ import annotations

import io
from pathlib import Path

import av
import numpy as np
import PIL.Image
import pytest

from controlllm.resources import Filed, Sound
from controlllm.toolbox import Context, GivenFile, ToolError
from tools.sound.embedded.sound_labels import labels_in
from tools.sound.files import convert_audio
from tools.sound.labelling import label_audio

RATE = 44_100


@pytest.mark.parametrize(
    ("order", "labels"),
    [
        (
            "set the title to Summer Rain and the artist to The Lost Umbrellas",
            {"title": "Summer Rain", "artist": "The Lost Umbrellas"},
        ),
        (
            "Tag it: title 'Episode 7', artist: Radio Garden, year 2024",
            {"title": "Episode 7", "artist": "Radio Garden", "date": "2024"},
        ),
        (
            "Write the album name Early Days into the file, genre is folk",
            {"album": "Early Days", "genre": "folk"},
        ),
        ("use Winter Tale as the title and put the photo in", {"title": "Winter Tale"}),
        ("title: Home by Anna Berg", {"title": "Home", "artist": "Anna Berg"}),
        ("The track number should be 4. Thanks!", {"track": "4"}),
        ("Put the picture into the mp3 as its cover", {}),
        ("Put title and artist into the song", {}),
        (
            "Winter Tale and the artist Anna Berg",
            {"title": "Winter Tale", "artist": "Anna Berg"},
        ),
        ("Summer Rain by The Larks", {"title": "Summer Rain", "artist": "The Larks"}),
        ("Put this photo on the mp3", {}),
    ],
)
def test_labels_are_read_out_of_an_order(order: str, labels: dict[str, str]) -> None:
    assert labels_in(order) == labels


def tone() -> Sound:
    wave = 0.3 * np.sin(2 * np.pi * 440 * np.arange(2 * RATE) / RATE)
    return Sound(wave.astype(np.float32)[:, None], RATE)


def written(filed: Filed) -> tuple[dict[str, str], list[PIL.Image.Image], float]:
    with av.open(io.BytesIO(filed.content)) as file:
        labels = {**file.metadata, **file.streams.audio[0].metadata}
        covers = [f.to_image() for f in file.decode(video=0)] if file.streams.video else []
    with av.open(io.BytesIO(filed.content)) as file:
        frames = sum(frame.samples for frame in file.decode(audio=0))
        rate = file.streams.audio[0].rate
    return {key.lower(): value for key, value in labels.items()}, covers, frames / rate


def given(path: Path) -> Context:
    return Context(folder=path.parent).given(lambda _: [GivenFile(path.name, "audio", path)])


@pytest.mark.parametrize("name", ["mp3", "m4a", "flac", "ogg"])
def test_a_file_has_its_labels_and_its_cover_and_keeps_those_it_had(
    name: str, tmp_path: Path
) -> None:
    sound = tone()
    path = tmp_path / f"song.{name}"
    before = convert_audio(sound, format=name)
    path.write_bytes(before.content)
    cover = PIL.Image.new("RGBA", (90, 60), (200, 30, 30, 255))
    filed = label_audio(sound, order="title: Süße Lieder", cover=cover, context=given(path))
    assert filed.media_type == before.media_type
    path.write_bytes(filed.content)
    labels, covers, seconds = written(label_audio(sound, order="artist: X", context=given(path)))
    assert (labels["title"], labels["artist"]) == ("Süße Lieder", "X")
    assert abs(seconds - 2) < 0.1
    if name == "ogg":
        assert "metadata_block_picture" in labels or covers
    else:
        (shown,) = covers
        assert shown.size == (90, 60)
        assert np.abs(np.array(shown, int)[30, 45] - (200, 30, 30)).max() < 12


def test_what_has_no_room_for_a_cover_is_an_mp3(tmp_path: Path) -> None:
    path = tmp_path / "song.wav"
    path.write_bytes(convert_audio(tone(), format="wav").content)
    context = given(path)
    filed = label_audio(tone(), cover=PIL.Image.new("RGB", (50, 50), "blue"), context=context)
    assert filed.media_type == "audio/mpeg"
    assert len(written(filed)[1]) == 1
    assert "no room for a cover" in context.remarks[0]
    filed = label_audio(tone(), order="artist: X", context=context)
    assert (filed.media_type, written(filed)[0]["artist"]) == ("audio/wav", "X")


def test_an_order_without_anything_to_write_is_asked_for_it() -> None:
    with pytest.raises(ToolError, match="title: Summer Rain"):
        label_audio(tone(), order="put the labels in")


def test_another_format_keeps_the_labels(tmp_path: Path) -> None:
    path = tmp_path / "song.mp3"
    cover = PIL.Image.new("RGB", (300, 300), "blue")
    path.write_bytes(label_audio(tone(), order="title: Home, artist: X", cover=cover).content)
    filed = convert_audio(tone(), format="m4a", context=given(path))
    labels, covers, seconds = written(filed)
    assert (labels["title"], labels["artist"], len(covers)) == ("Home", "X", 1)
    assert abs(seconds - 2) < 0.1
    small = convert_audio(tone(), format="ogg", limit=9000, context=given(path))
    assert len(small.content) <= 9000
    assert written(small)[0]["title"] == "Home"
