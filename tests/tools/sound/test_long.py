"""Long sounds: in small pieces that lie in files, every tool gives what it gives of the whole."""

from __future__ import annotations

import threading

import numpy as np
import pytest
import skimage.data
import soundfile

from controlllm.resources import LongSound, Sound, decode
from controlllm.toolbox import Cancelled, Context
from tests.tools.made_videos import make_video, pan
from tests.tools.sound.test_editing import voice
from tools.shared import sounds, video_files
from tools.shared.films import Film
from tools.sound.classification import audio_classification
from tools.sound.editing import audio_mixing, audio_to_audio, audio_to_image
from tools.sound.embedded import sound_effects, sound_mixing

RATE = 16_000
_WISHES = (
    "raise the pitch by 2 semitones",
    "play it 20% slower",
    "play it 20% slower like a tape",
    "make it 24 dB louder",
    "normalise the loudness",
    "add echo",
    "add reverb",
    "fade in over 2 seconds and fade out over 3 seconds",
    "play it backwards",
    "make it sound like a telephone",
    "cut everything below 300 hz",
    "more bass",
    "make me sound like a robot",
    "cut out the pauses",
    "keep 0:01 to 0:03 and 0:04 to 0:05",
    "remove clicks and crackle",
)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """Something like speech with a pause, louder on one side, and a few clicks."""
    wave = np.stack([voice(7.0), 0.6 * voice(7.0)], axis=1)
    wave[3 * RATE : 4 * RATE] *= 0.001
    wave[RATE :: 2 * RATE] = 0.9
    path = tmp_path_factory.mktemp("long") / "voice.flac"
    soundfile.write(path, wave, RATE)
    return path


@pytest.fixture
def in_pieces(monkeypatch):
    """Everything beyond a second is a long sound, and pieces are short and odd."""
    for module in (sounds, sound_effects, sound_mixing, "controlllm.resources.values"):
        name = module if isinstance(module, str) else module.__name__
        monkeypatch.setattr(f"{name}.BLOCK", 9_973)
    for module in ("long_sounds", "encoding"):
        monkeypatch.setattr(f"controlllm.resources.{module}.MOST_IN_MEMORY", RATE)


@pytest.fixture(scope="module")
def of_the_whole(path):
    whole = decode("audio", path)
    return {wish: audio_to_audio(whole, wish).samples for wish in _WISHES}


@pytest.mark.parametrize("wish", _WISHES)
def test_edits_in_pieces_are_those_of_the_whole(wish, path, of_the_whole, in_pieces, tmp_path):
    found = audio_to_audio(decode("audio", path), wish, context=Context(folder=tmp_path))
    assert isinstance(found, LongSound)
    assert found.shape == of_the_whole[wish].shape
    assert np.abs(found.samples - of_the_whole[wish]).max() < 1e-5
    del found
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize(
    "how", ["at the same time", "one after the other", "with a pause", "quietly in the background"]
)
def test_mixing_in_pieces_is_that_of_the_whole(how, path, request, tmp_path):
    other = Sound(voice(5.0, 22_050)[:, None], 22_050)
    whole = audio_mixing([decode("audio", path), other], how).samples
    request.getfixturevalue("in_pieces")
    found = audio_mixing([decode("audio", path), other], how, context=Context(folder=tmp_path))
    assert found.shape == whole.shape and np.abs(found.samples - whole).max() < 1e-5


def test_loudness_is_that_of_the_norm(path):
    """As pyloudnorm measures it over the whole."""
    from pyloudnorm import Meter

    sound = decode("audio", path)
    expected = Meter(RATE).integrated_loudness(sound.samples.astype(np.float64))
    assert sound_effects.loudness(sound) == pytest.approx(expected, abs=1e-4)


def test_pictures_and_kinds_in_pieces_are_those_of_the_whole(path, request):
    whole = decode("audio", path)
    drawn, kinds = audio_to_image(whole), audio_classification(whole)
    request.getfixturevalue("in_pieces")
    stored = decode("audio", path)
    assert isinstance(stored, LongSound)
    assert np.array_equal(np.asarray(audio_to_image(stored)), np.asarray(drawn))
    assert audio_classification(stored) == kinds


def test_the_sound_of_videos_in_pieces_is_that_of_the_whole(path, request, tmp_path):
    frames = [*pan(skimage.data.astronaut(), 14, 64, 48)]
    clip = make_video(tmp_path / "pan.mp4", frames, rate=2, sound=decode("audio", path))
    whole = video_files.read_sound(clip, 22_050, 2, start=1.0)
    shown = [(number / 2, frame) for number, frame in enumerate(frames)]
    request.getfixturevalue("in_pieces")
    found = video_files.read_sound(clip, 22_050, 2, start=1.0)
    assert isinstance(found, LongSound) and np.array_equal(found.samples, whole.samples)
    # Compared as heard: an encoder need not write the same bytes twice.
    films = (Film(shown, 7.0, (64, 48), sound) for sound in (found, whole))
    written = (video_files.write_video(film, Context(folder=tmp_path)) for film in films)
    in_pieces, of_whole = (video_files.read_sound(clip, RATE, 2).samples for clip in written)
    assert in_pieces.shape == of_whole.shape and of_whole.std() > 0.01
    assert np.sqrt(np.mean((in_pieces - of_whole) ** 2)) < 1e-3


@pytest.mark.parametrize("wish", ["add echo", "more bass", "play it backwards"])
def test_a_stop_is_noticed_between_pieces(wish, path, in_pieces, monkeypatch):
    stop = threading.Event()
    sound = decode("audio", path)
    read = []

    def part(first: int, last: int) -> np.ndarray:
        # The first pass asks whether there is anything to hear.
        read.append(first)
        if len(read) == 2 * -(-sound.frames // 9_973) - 3:
            stop.set()
        return LongSound.part(sound, first, last)

    monkeypatch.setattr(sound, "part", part)
    with pytest.raises(Cancelled):
        audio_to_audio(sound, wish, context=Context(None, stop))
    assert len(read) == 2 * -(-sound.frames // 9_973) - 3
