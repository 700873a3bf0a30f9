"""The sound of videos: taken out, louder or quieter, with music under it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from controlllm.resources import Clip, Sound
from controlllm.toolbox import Context, ToolError
from controlllm.values import values_in
from tests.tools.made_videos import make_video, picture_packets, tone
from tests.tools.video.film import (
    beep,
    film,
    flash,
    flashing,
    heard,
    is_in_step,
    loud,
    quarters,
    seconds,
)
from tools.shared import video_files
from tools.video.tracks import add_background_music, change_video_volume, mute_video


@pytest.fixture
def clip(tmp_path: Path) -> Clip:
    return film(tmp_path, sound=tone(2.0, 48_000, level=0.2))


def _silent(folder: Path) -> Clip:
    return make_video(folder / "silent.mp4", [quarters()] * 25)


def test_without_sound(tmp_path: Path, clip: Clip, context: Context) -> None:
    for video in (clip, film(tmp_path, "film.webm")):
        made = mute_video(video, context=context)
        assert not video_files.read_facts(made).has_sound
        assert made.path.suffix == video.path.suffix
        assert picture_packets(made) == picture_packets(video)
        assert abs(seconds(made) - 2) < 0.05
    with pytest.raises(ToolError, match="no sound"):
        mute_video(made, context=context)


def test_several_parts_without_sound(clip: Clip, context: Context) -> None:
    sound = heard(mute_video(clip, "0.3..0.6,1.2..1.5", context))
    assert loud(sound, 0.36, 0.54) < -60 and loud(sound, 1.26, 1.44) < -60
    assert loud(sound, 0.7, 1.1) == pytest.approx(loud(heard(clip), 0.7, 1.1), abs=0.5)


def test_a_part_without_sound(clip: Clip, context: Context) -> None:
    made = mute_video(clip, "0.5..1", context)
    sound = heard(made)
    assert loud(sound, 0.56, 0.94) < -60
    for start, end in ((0.1, 0.45), (1.05, 1.9)):
        assert loud(sound, start, end) == pytest.approx(loud(heard(clip), start, end), abs=0.5)
    assert picture_packets(made) == picture_packets(clip)
    with pytest.raises(ToolError, match="lasts 0:02"):
        mute_video(clip, "5..6", context)


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("request_", "change"),
    [
        ("turn it down by 6 dB", -6.0),
        ("double the volume", 6.0),
        ("50 % quieter", -6.0),
        ("lower the sound to 25 %", -12.0),
        ("make it louder", 6.0),
        ("it is too loud, turn it down", -6.0),
        ("the film is so quiet, put it up a little", 3.0),
    ],
)
def test_volume(clip: Clip, context: Context, request_: str, change: float) -> None:
    kinds = {item.name: item.kind for item in change_video_volume.tool.parameters if item.kind}
    made = change_video_volume(clip, **values_in(request_, kinds), context=context)
    before = loud(heard(clip), 0.2, 1.8)
    assert loud(heard(made), 0.2, 1.8) - before == pytest.approx(change, abs=0.3)
    assert picture_packets(made) == picture_packets(clip)
    assert abs(seconds(made) - 2) < 0.05


def test_loud_sound_is_not_cut_off(clip: Clip, context: Context) -> None:
    samples = heard(change_video_volume(clip, 30.0, context=context)).samples
    assert np.abs(samples).max() <= 1.02
    # A tone whose tops were cut off would have many samples at its highest.
    assert (np.abs(samples) > 0.999 * np.abs(samples).max()).mean() < 0.1


def test_volumes_that_cannot_be(tmp_path: Path, clip: Clip, context: Context) -> None:
    with pytest.raises(ToolError, match="louder or quieter"):
        change_video_volume(clip, context=context)
    with pytest.raises(ToolError, match="too much"):
        change_video_volume(clip, 200.0, context=context)
    with pytest.raises(ToolError, match="no sound"):
        change_video_volume(_silent(tmp_path), 6.0, context=context)


def test_sound_stays_in_step(tmp_path: Path, context: Context) -> None:
    clip = flashing(tmp_path)
    for made in (
        mute_video(clip, "..0.5", context),
        change_video_volume(clip, 3.0, context=context),
        add_background_music(clip, tone(0.7), context=context),
    ):
        assert is_in_step(made)


def _at(sound: Sound, pitch: float, start: float, end: float) -> float:
    """How loud one pitch is in a part of a sound, in decibels."""
    part = sound.part(round(start * 48_000), round(end * 48_000)).mean(axis=1)
    times = np.arange(len(part)) / 48_000
    found = np.abs((part * np.exp(-2j * np.pi * pitch * times)).mean())
    return 20 * float(np.log10(found * 2 + 1e-9))


def test_music_lies_under_what_is_heard(tmp_path: Path, context: Context) -> None:
    times = np.arange(10 * 48_000) / 48_000
    voice = 0.3 * np.sin(2 * np.pi * 1000 * times) * ((times >= 3) & (times < 6))
    sound = Sound(voice[:, None].astype(np.float32), 48_000)
    clip = make_video(tmp_path / "talk.mp4", flash(50), rate=5, sound=sound)
    made = add_background_music(clip, tone(4.0, 44_100, 2), context=context)
    mixed = heard(made)
    assert picture_packets(made) == picture_packets(clip) and abs(seconds(made) - 10) < 0.05
    assert _at(mixed, 1000, 3.5, 5.5) == pytest.approx(20 * np.log10(0.3), abs=0.5)
    during, alone = _at(mixed, 440, 3.5, 5.5), _at(mixed, 440, 0.5, 2.0)
    assert during == pytest.approx(20 * np.log10(0.3) - 18, abs=3)
    assert alone == pytest.approx(during + 6, abs=1)
    # The music is shorter than the video and begins again, then ends softly.
    assert _at(mixed, 440, 7.8, 8.0) == pytest.approx(alone, abs=2)
    assert loud(mixed, 9.9, 10) < -40
    quieter = heard(add_background_music(clip, tone(4.0, 44_100, 2), -30.0, context=context))
    assert _at(quieter, 440, 3.5, 5.5) == pytest.approx(during - 12, abs=1)


def test_music_for_a_video_without_sound(tmp_path: Path, context: Context) -> None:
    long = tone(8.0, 22_050, level=0.3)
    made = add_background_music(_silent(tmp_path), long, context=context)
    assert abs(seconds(made) - 1) < 0.05
    assert loud(heard(made), 0.1, 0.4) == pytest.approx(loud(long, 0.1, 0.4), abs=1)
    muted = film(tmp_path, sound=Sound(np.zeros((96_000, 1), np.float32), 48_000))
    assert loud(heard(add_background_music(muted, long, context=context)), 0.2, 0.9) > -20


def test_music_for_a_part_of_a_video(tmp_path: Path, context: Context) -> None:
    clip = make_video(tmp_path / "still.mp4", flash(30), rate=5)
    mixed = heard(add_background_music(clip, tone(1.0), passage="2..5", context=context))
    assert loud(mixed, 0.1, 1.9) < -60 and loud(mixed, 5.1, 5.9) < -60
    assert loud(mixed, 2.2, 2.9) > -30 and loud(mixed, 3.2, 4.5) > -30


def test_a_voice_lies_over_what_is_heard(tmp_path: Path, context: Context) -> None:
    times = np.arange(6 * 48_000) / 48_000
    machine = Sound((0.3 * np.sin(2 * np.pi * 1000 * times))[:, None].astype(np.float32), 48_000)
    clip = make_video(tmp_path / "lathe.mp4", flash(30), rate=5, sound=machine)
    made = add_background_music(clip, tone(2.0), passage="3..", is_voice=True, context=context)
    mixed = heard(made)
    assert abs(seconds(made) - 6) < 0.05
    before, during = _at(mixed, 1000, 0.5, 2.0), _at(mixed, 1000, 3.4, 4.6)
    assert during < _at(mixed, 440, 3.4, 4.6) - 10
    assert during < before - 3 and before < 20 * np.log10(0.3) + 0.5
    # It is heard once, not over and over, and as loud as it was.
    assert _at(mixed, 440, 0.5, 2.5) < -50 and _at(mixed, 440, 5.4, 5.9) < -50
    assert loud(mixed, 3.4, 4.6) == pytest.approx(loud(tone(2.0), 0.4, 1.6), abs=1.5)


@pytest.mark.parametrize(
    ("words", "values"),
    [
        (
            "Lay my voice over the film, starting at second 1",
            {"is_voice": True, "passage": "1.."},
        ),
        ("add her narration to the clip but keep its own sound", {"is_voice": True}),
        ("the commentary goes over the match from 0:05 on", {"is_voice": True, "passage": "5.."}),
        ("this is the voice-over for my video", {"is_voice": True}),
        ("Lay the track under the film, 20 dB below the voice", {"level": -20.0}),
        ("music under the speech from 0:10 to 0:20", {"passage": "10..20"}),
        ("Put this song quietly under my video", {}),
    ],
)
def test_what_is_said_of_a_sound_for_a_video(words: str, values: dict[str, object]) -> None:
    kinds = {item.name: item.kind for item in add_background_music.tool.parameters if item.kind}
    assert values_in(words, kinds) == values


def test_odd_music(tmp_path: Path, context: Context) -> None:
    clip = film(tmp_path, sound=beep())
    click = Sound(np.full((1, 1), 0.5, np.float32), 8000)
    assert abs(seconds(add_background_music(clip, click, context=context)) - 2) < 0.05
