"""Several recordings set beside each other, and parts told by what is in them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from controlllm.resources import Sound
from controlllm.toolbox import Context, GivenFile, ToolError
from tests.tools.video.film import film
from tools.shared.cut_words import kept_passages
from tools.sound.files import audio_information, compare_sounds
from tools.video.files import compare_videos


def _lasting(seconds: float) -> Sound:
    return Sound(np.full((round(8000 * seconds), 1), 0.1, np.float32), 8000)


def test_the_longest_and_the_total(tmp_path: Path) -> None:
    path = tmp_path / "some.wav"
    path.write_bytes(b"0" * 20_000)
    files = [GivenFile(name, "audio", path) for name in ("sax.wav", "talk.wav", "memo.wav")]
    context = Context().given(lambda argument: files)
    told = compare_sounds([_lasting(16), _lasting(20.9), _lasting(3)], context=context)
    first, second, *each = told.split("\n")
    assert first == (
        "The longest is talk.wav (20.9 seconds), the shortest is memo.wav (3.0 seconds)."
    )
    assert second.startswith("Together they last 39.9 seconds and take 60 kB")
    assert each[0] == "sax.wav: 16.0 seconds, 20 kB"
    with pytest.raises(ToolError, match="two or more"):
        compare_sounds([_lasting(1)])


def test_films_beside_each_other(tmp_path: Path) -> None:
    told = compare_videos([film(tmp_path, "one.mp4"), film(tmp_path, "two.mp4")])
    assert told.startswith("All of them are as long: 2.0 seconds.\nTogether they last 4.0 seconds.")


def test_a_sound_tells_how_large_its_file_is(tmp_path: Path) -> None:
    path = tmp_path / "some.wav"
    path.write_bytes(b"0" * 131_900)
    context = Context().given(lambda argument: [GivenFile("some.wav", "audio", path)])
    assert "File: WAV, 132 kB" in audio_information(_lasting(1), context=context)


@pytest.mark.parametrize(
    ("words", "thing", "is_kept"),
    [
        ("Cut out the part with the train, only that.", "the train", True),
        ("cut the bit with the train out, keep everything else", "the train", False),
        ("get rid of the scene with the horse and the llama", "the horse and the llama", False),
        ("keep everything except the train", "the train", False),
        ("give me the train part as its own clip", "train", True),
        ("snip out the moment when the bear appears", "the bear", False),
        ("just the bit where the prof explains the loan", "the loan", True),
        ('cut out where he says "send the report"', "send the report", False),
        ("remove the bit where she says the sun comes out", "the sun comes out", False),
        ("only the bit where he says 'well, well, here we are'", "well, well, here we are", True),
        ('just where she says "goodbye, dear", please', "goodbye, dear", True),
        ("take out the part of the film where the dog is seen", "the dog", False),
        ("only the bit of my video with the goat", "the goat", True),
        ("trim it so only the horse and the llama are left", "the horse and the llama", True),
    ],
)
def test_what_a_part_is_told_by(words: str, thing: str, is_kept: bool) -> None:
    meant = []

    def find(part):  # type: ignore[no-untyped-def]
        meant.append(part.thing)
        return [(3.0, 5.0)]

    kept = kept_passages(words, 10.0, find=find)
    assert meant == [thing]
    assert kept == ([(3.0, 5.0)] if is_kept else [(0.0, 3.0), (5.0, 10.0)])
