"""Words, pictures and subtitles on videos."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import PIL.Image
import pytest

from controlllm.resources import Clip, Sound
from controlllm.toolbox import Context, ToolError
from controlllm.values import values_in
from tests.every_case import every_case
from tests.tools.made_videos import make_video, tone
from tests.tools.speech.test_recognition import recording
from tests.tools.video.film import flashing, frame, is_in_step, seconds, size
from tools.shared import video_files
from tools.video import lettered
from tools.video.lettered import add_subtitles, burn_subtitles, overlay_on_video, write_on_video

_SRT = (
    "1\n00:00:00,500 --> 00:00:01,000\nGood morning\n\n"
    "2\n00:00:01,500 --> 00:00:01,900\n<i>How are you?</i>\n"
)


def _blank(
    folder: Path, times: list[int] | None = None, shape: tuple[int, int] = (180, 320)
) -> Clip:
    grey = np.full((*shape, 3), 90, np.uint8)
    count = len(times) if times else 20
    sound = tone(2.0, 48_000)
    return make_video(folder / "blank.mp4", [grey] * count, rate=10, times=times, sound=sound)


def _written(clip: Clip, time: float) -> tuple[bool, bool, bool]:
    """Whether something is written at the top, in the middle and at the bottom."""
    picture = np.abs(frame(clip, time).astype(int) - 90).max(axis=2)
    thirds = np.array_split(picture, 3)
    top, middle, bottom = ((third > 90).mean() > 0.003 for third in thirds)
    return bool(top), bool(middle), bool(bottom)


def test_words_stand_at_their_place_for_their_time(tmp_path: Path, context: Context) -> None:
    clip = _blank(tmp_path)
    made = write_on_video(
        clip, "The end", place="top", colour="#ffff00", passage="0.6..1.4", context=context
    )
    assert _written(made, 0.5) == (False, False, False)
    assert _written(made, 0.64) == _written(made, 1.3) == (True, False, False)
    assert _written(made, 1.5) == (False, False, False)
    shown = frame(made, 1.0)[:60].reshape(-1, 3).astype(int)
    assert ((shown[:, 0] > 190) & (shown[:, 1] > 190) & (shown[:, 2] < 110)).sum() > 60
    always = write_on_video(clip, "Hello", context=context)
    assert _written(always, 0.0) == _written(always, 1.96) == (False, False, True)
    assert abs(seconds(made) - 2) < 0.05 and size(made) == (320, 180)


#: What is said, and where the words stand then: strip, before, behind, with the ground, or on it.
SAID_BESIDE = [
    ("Put a bar below the video with the words 'Camera 1', don't cover it", "strip #ffffff"),
    ("Add a caption under the film, not over it: 'Training day'", "strip #ffffff"),
    ("Write 'Hi' in yellow on a black strip beneath the clip", "strip #000000"),
    ("Put a title card in front of the film: 'Our trip', 3 seconds", "before #000000 3"),
    ("Put a title card 'Hold for 9 seconds' before the film", "before #000000"),
    ("Put a title in front, 2 seconds long, 'Fair' in white on black", "before #000000 2"),
    ("at the end a card 'Thanks for watching' for 5 seconds", "behind #000000 5"),
    ("Put the title 'Summer in Rome' on the clip for the first three seconds.", ""),
    ("Write 'Soon' 2 seconds before the end of the clip", ""),
    ("Write 'Ann' at the bottom, not over the face", ""),
]


@every_case("words, expected", SAID_BESIDE)
def test_that_words_shall_cover_nothing_is_heard(words: str, expected: str) -> None:
    kinds = {item.name: item.kind for item in write_on_video.tool.parameters if item.kind}
    assert values_in(words, kinds).get("beside", "") == expected


@every_case(
    "words, beside, passage, kept",
    [
        ("Our trip, for the first 2 seconds", "", "..2", "Our trip"),
        ("The end during the last 3 s", "", "-3..", "The end"),
        ("Hello for 2 seconds", "", "3..5", "Hello"),
        ("Hold for 3 seconds", "before #000000", "", "Hold for 3 seconds"),
    ],
)
def test_only_the_time_that_was_heard_is_none_of_the_words(words, beside, passage, kept) -> None:
    assert lettered._without_time(words, beside, passage) == kept


def test_a_strip_of_words_covers_nothing(tmp_path: Path, context: Context) -> None:
    clip = _blank(tmp_path)
    made = write_on_video(clip, "Camera 1", "strip #ffffff", colour="#ffffff", context=context)
    shown = frame(made).astype(int)
    assert shown.shape[1] == 320 and shown.shape[0] > 196 and abs(shown[:178] - 90).max() < 12
    assert shown[184:].max() > 240 and shown[184:].min() < 60, "white on white is written dark"
    above = frame(write_on_video(clip, "Camera 1", "strip #000000", "top", context=context))
    assert abs(above[-176:].astype(int) - 90).max() < 12 and above[:2].max() < 20


def test_a_card_of_words_comes_before_or_behind(tmp_path: Path, context: Context) -> None:
    clip = flashing(tmp_path)
    made = write_on_video(clip, "Our trip", "before #0000ff 1.5", context=context)
    assert seconds(made) == pytest.approx(3.5, abs=0.06) and size(made) == (160, 90)
    card, dark, flash = (frame(made, time).astype(int) for time in (0.7, 2.0, 2.58))
    assert (abs(card - (0, 0, 255)).max(axis=2) < 40).mean() > 0.6 and (
        card.min(axis=2) > 180
    ).any()
    assert dark.max() < 60 and flash.min() > 200
    sound = video_files.read_sound(made, 48_000, 1, 9.0)
    assert sound is not None
    loud = np.nonzero(abs(sound.samples[:, 0]) > 0.1)[0] / 48_000
    assert loud.min() == pytest.approx(2.5, abs=0.06) and loud.max() == pytest.approx(2.7, abs=0.06)
    timed = write_on_video(clip, "Our trip for 1.5 seconds", "before #0000ff 1.5", context=context)
    assert abs(frame(timed, 0.7).astype(int) - card).mean() < 3
    after = write_on_video(clip, "Thanks", "behind #000000 1", context=context)
    assert seconds(after) == pytest.approx(3, abs=0.06)
    assert frame(after, 1.1).min() > 200 and (frame(after, 2.5).min(axis=2) > 180).any()
    with pytest.raises(ToolError, match="up to 60 seconds"):
        write_on_video(clip, "Long", "before #000000 90", context=context)


def test_words_come_in_time_where_the_video_stands_still(tmp_path: Path, context: Context) -> None:
    clip = _blank(tmp_path, [0, 5000, 5040])
    made = write_on_video(clip, "Now", passage="2..3", context=context)
    assert [_written(made, time)[2] for time in (1.9, 2.05, 2.9, 3.1)] == [False, True, True, False]
    assert seconds(made) == pytest.approx(video_files.read_facts(clip).seconds, abs=0.05)


def test_words_that_cannot_be_written(tmp_path: Path, context: Context) -> None:
    clip = _blank(tmp_path)
    with pytest.raises(ToolError, match="no words"):
        write_on_video(clip, " ", context=context)
    with pytest.raises(ToolError, match="at most 500"):
        write_on_video(clip, "long " * 200, context=context)
    with pytest.raises(ToolError, match="lasts 0:02"):
        write_on_video(clip, "Late", passage="10..12", context=context)


def test_a_logo_lies_in_its_corner(tmp_path: Path, context: Context) -> None:
    logo = PIL.Image.new("RGBA", (100, 100), (255, 0, 0, 0))
    logo.paste((255, 0, 0, 255), (0, 0, 100, 50))
    clip = _blank(tmp_path)
    made = frame(overlay_on_video(clip, logo, context=context))
    red = (made[..., 0] > 180) & (made[..., 1] < 80)
    rows, columns = np.nonzero(red)
    assert columns.min() > 240 and rows.min() > 110 and rows.max() < 160
    assert (columns.max() - columns.min() + 1) == pytest.approx(40, abs=2)
    # What is transparent in the logo is not seen.
    assert np.abs(made[165:172, 290:300].astype(int) - 90).max() < 12
    wide = overlay_on_video(clip, logo, "top left", 50, "..1", context)
    red = frame(wide, 0.5)[..., 0] > 180
    assert np.ptp(np.nonzero(red)[1]) == pytest.approx(160, abs=3) and red[:20].any()
    assert not (frame(wide, 1.1)[..., 0] > 180).any()


def test_subtitles_come_and_go(tmp_path: Path, context: Context) -> None:
    made = burn_subtitles(_blank(tmp_path), _SRT, context=context)
    shown = [_written(made, time)[2] for time in (0.3, 0.6, 0.9, 1.2, 1.6, 1.95)]
    assert shown == [False, True, True, False, True, False]
    first, second = frame(made, 0.7), frame(made, 1.7)
    assert np.abs(first.astype(int) - second).mean() > 1
    vtt = "WEBVTT\n\n00:00.500 --> 00:01.000 align:start\nGood morning\n"
    same = frame(burn_subtitles(_blank(tmp_path), vtt, context=context), 0.7)
    assert np.abs(same.astype(int) - first).mean() < 0.5


def test_long_subtitles_are_seen_whole(tmp_path: Path, context: Context) -> None:
    words = "This is quite a long sentence that nobody could put on a single line of a phone " * 2
    srt = f"1\n00:00:00,000 --> 00:00:02,000\n{words}\n"
    clip = _blank(tmp_path, shape=(320, 180))
    picture = np.abs(frame(burn_subtitles(clip, srt, context=context)).astype(int) - 90).max(axis=2)
    assert (picture[:, :3] > 60).sum() == (picture[:, -3:] > 60).sum() == 0
    assert (picture > 90).mean() > 0.02


def test_texts_without_subtitles(tmp_path: Path, context: Context) -> None:
    clip = _blank(tmp_path)
    with pytest.raises(ToolError, match="no subtitles with times"):
        burn_subtitles(clip, "Good morning, how are you?", context=context)
    with pytest.raises(ToolError, match="first subtitle comes at 1:00"):
        burn_subtitles(clip, "00:01:00,000 --> 00:01:02,000\nLate", context=context)


def test_sound_stays_in_step(tmp_path: Path, context: Context) -> None:
    clip = flashing(tmp_path)
    assert is_in_step(burn_subtitles(clip, _SRT, context=context))
    assert is_in_step(write_on_video(clip, "Boo", context=context))


def test_what_is_said_is_subtitled(tmp_path: Path, context: Context) -> None:
    speech = recording("heath_ledger.mp3")
    length = speech.seconds + 2.5
    late = np.zeros((round(length * speech.rate), 1), np.float32)
    first = round(1.5 * speech.rate)
    late[first : first + speech.frames] = speech.samples[:, :1]
    grey = np.full((180, 320, 3), 90, np.uint8)
    sound = Sound(late, speech.rate)
    clip = make_video(tmp_path / "talk.mp4", [grey] * round(length * 5), rate=5, sound=sound)
    made = add_subtitles(clip, context=context)
    assert not _written(made, 0.5)[2]
    assert _written(made, 1.5 + speech.seconds / 2)[2]


def test_nothing_said_is_not_subtitled(tmp_path: Path, context: Context) -> None:
    with pytest.raises(ToolError, match="no speech"):
        add_subtitles(_blank(tmp_path), context=context)
    silent = make_video(tmp_path / "silent.mp4", [np.zeros((90, 160, 3), np.uint8)] * 5)
    with pytest.raises(ToolError, match="no sound"):
        add_subtitles(silent, context=context)


def test_subtitles_look_as_they_were_asked_for(tmp_path: Path, context: Context) -> None:
    clip = _blank(tmp_path)
    kinds = {item.name: item.kind for item in burn_subtitles.tool.parameters if item.kind}
    said = values_in("burn them in, big yellow letters with a blue outline, at the top", kinds)
    made = burn_subtitles(clip, _SRT, **said, context=context)
    assert _written(made, 0.7) == (True, False, False)
    shown = frame(made, 0.7)[:60].reshape(-1, 3).astype(int)
    yellow = (shown[:, 0] > 180) & (shown[:, 1] > 180) & (shown[:, 2] < 120)
    blue = (shown[:, 2] > 150) & (shown[:, 0] < 90)
    assert yellow.sum() > 80 and blue.sum() > 80
    usual = frame(burn_subtitles(clip, _SRT, context=context), 0.7)
    assert (usual.max(2) > 200).sum() < 0.8 * (yellow.sum() + blue.sum())
    on_plate = values_in("subs in red, small, on a black box", kinds)
    assert on_plate == {"colour": "#ff0000", "letters": "small", "around": "plate"}
    assert _written(burn_subtitles(clip, _SRT, **on_plate, context=context), 0.7)[2]
    assert values_in("huge and green, at the top of the film", kinds)["place"] == "top"
