"""Cutting, speed, stills, camera moves and questions, on videos that the tests make."""

from __future__ import annotations

import threading
from functools import cache

import numpy as np
import PIL.Image
import pytest
import skimage.data

from controlllm.resources import Clip, Sound
from controlllm.toolbox import Cancelled, Context, ToolError
from tests.every_case import every_case
from tests.tools.made_videos import make_video, pan, streams, tone, turned
from tools.shared import time_stretch, video_files
from tools.shared.cut_words import kept_passages
from tools.video import editing as video_editing
from tools.video.embedded import camera_motion, camera_moves, stills, timeline
from tools.video.embedded.camera_moves import Move, read_move
from tools.video.embedded.speed_words import read_speed

SECONDS = 8


def shown(picture: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    return np.asarray(PIL.Image.fromarray(picture).resize(size))


def stairs(seconds: int, rate: int = 16_000) -> Sound:
    """A tone of 400 Hz in the first second, 500 in the next, and so on."""
    times = np.arange(seconds * rate) / rate
    wave = 0.4 * np.sin(2 * np.pi * np.cumsum(400 + 100 * np.floor(times)) / rate)
    return Sound(wave[:, None].astype(np.float32), rate)


def greys(seconds: int, rate: int, size: tuple[int, int] = (96, 64)) -> list[np.ndarray]:
    """Frames whose brightness is 20 in the first second, 40 in the next, and so on."""
    return [
        np.full((size[1], size[0], 3), 20 + 20 * (number // rate), np.uint8)
        for number in range(seconds * rate)
    ]


@cache
def heard(clip: Clip) -> np.ndarray:
    sound = video_files.read_sound(clip, rate=16_000)
    assert sound is not None
    return sound.mono()


def pitch(clip: Clip, at: float) -> float:
    """The loudest frequency in the tenth of a second around a time."""
    part = heard(clip)[round(at * 16_000) - 800 : round(at * 16_000) + 800]
    return float(np.argmax(np.abs(np.fft.rfft(part * np.hanning(len(part)), 16_000))))


@cache
def brightness(clip: Clip) -> list[tuple[float, float]]:
    return [(time, float(picture.mean())) for time, picture in video_files.read_frames(clip)]


def at(clip: Clip, time: float) -> float:
    return [level for moment, level in brightness(clip) if moment <= time + 1e-3][-1]


@pytest.fixture
def context(tmp_path):
    return Context(folder=tmp_path / "new")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("videos")


@pytest.fixture(scope="module")
def steps(folder) -> Clip:
    """Eight seconds, each brighter and higher than the one before, so that sync can be measured."""
    return make_video(folder / "steps.mp4", greys(SECONDS, 10), rate=10, sound=stairs(SECONDS))


@pytest.fixture(scope="module")
def film(folder) -> Clip:
    """Two seconds of a cat, black in between, then a cup; silent."""
    cat, cup = shown(skimage.data.chelsea(), (400, 300)), shown(skimage.data.coffee(), (400, 300))
    frames = [cat] * 20 + [np.zeros_like(cat)] * 5 + [cup] * 25
    return make_video(folder / "film.mp4", frames, rate=10)


@pytest.fixture(scope="module")
def cup(folder) -> Clip:
    """A second of a red cup."""
    return make_video(folder / "cup.mp4", [shown(skimage.data.coffee(), (400, 300))] * 10, rate=10)


# Words for passages and speeds.


@every_case(
    ("prompt", "kept"),
    [
        ("from 0:05 to 0:12", [(5, 12)]),
        ("the first ten seconds", [(0, 10)]),
        ("1 minute 5 to 1 minute 20", [(65, 80)]),
        ("the middle third", [(30, 60)]),
        ("Trim 2 seconds from the start and 3 from the end", [(2, 87)]),
        ("remove everything after 0:30", [(0, 30)]),
        ("remove everything except 0:10-0:20", [(10, 20)]),
        ("keep all but the last 10 seconds", [(0, 80)]),
        ("from 0:20 for 5 seconds", [(20, 25)]),
        ("the first two thirds", [(0, 60)]),
        ("from 20% to 50%", [(18, 45)]),
        ("stop 5 seconds before the end", [(0, 85)]),
        ("keep 0:05-0:10 and 0:20-0:30", [(5, 10), (20, 30)]),
        ("lose the first and last 5 seconds", [(5, 85)]),
        ("from 1 to 2 minutes", [(60, 90)]),
        ("I don't need the first four seconds", [(4, 90)]),
        ("shorten by five seconds", [(0, 85)]),
        ("from 0:12 to 0:05", [(5, 12)]),
        ("remove minute 1", [(0, 60)]),
        ("cut out second 5", [(0, 5), (6, 90)]),
        ("keep only second 12", [(12, 13)]),
        ("the last half minute", [(60, 90)]),
        ("only the first half-minute of it", [(0, 30)]),
        ("the final minute and a half", [(0, 90)]),
        ("between minute 0:20 and minute 1", [(20, 60)]),
        ("from 0:30 to 0:50 as a ringtone, mp3", [(30, 50)]),
        ("0:10-0:20 as mp4", [(10, 20)]),
        ("1st 8 sec off", [(8, 90)]),
        ("last 10 sec away, and darker", [(0, 80)]),
        ("straight off with the first 20 seconds", [(20, 90)]),
        ("nobody needs the last 5 seconds", [(0, 85)]),
        ("from 0:22 to 0:29. Cut that stumble from the clip", [(0, 22), (29, 90)]),
        ("0:20 to 0:40, off you go", [(20, 40)]),
        ("from 0:40 on for half a minute", [(40, 70)]),
        ("no more than ten seconds, 0:30 to 0:40", [(30, 40)]),
        ("2nd half only", [(45, 90)]),
        ("The first 20 seconds show the floor, off with them", [(20, 90)]),
        ("minus the last ten seconds, that's only applause", [(0, 80)]),
        ("cut me from 0:10 to 0:20 out please", [(10, 20)]),
        ("She comes in at 0:10 and goes off at 0:25, only that", [(10, 25)]),
        ("there is a song at 0:30, I want it as mp3 till 0:50", [(30, 50)]),
        ("the first 10 seconds of the loud one", [(0, 10)]),
    ],
)
def test_words_for_passages(prompt, kept):
    found = kept_passages(prompt, 90.0, 25.0)
    assert found == [pytest.approx(span, abs=0.01) for span in kept]


@every_case(
    ("prompt", "said"),
    [
        ("remove the boring part", "which passage"),
        ("cut this one too", "which passage"),
        ("from 2:00 to 2:10", "lasts only 1:30"),
        ("remove the first two minutes", "Nothing would be left"),
    ],
)
def test_passages_that_cannot_be_cut_are_refused(prompt, said):
    with pytest.raises(ToolError, match=said):
        kept_passages(prompt, 90.0, 25.0)


@every_case(
    ("prompt", "factor", "backwards", "spans"),
    [
        ("twice as fast", 2, False, []),
        ("slow motion", 0.5, False, []),
        ("3x", 3, False, []),
        ("time lapse", 8, False, []),
        ("Fit the video into 20 seconds", 2, False, []),
        ("play the last 5 seconds backwards", 1, True, [(35, 40)]),
        ("Play it in reverse at double speed", 2, True, []),
        ("timelapse 10s total", 4, False, []),
        ("a time lapse, five seconds in all", 8, False, []),
        ("backwards, but only the diving clip (the third)", 1, True, []),
        ("three times slower", 1 / 3, False, []),
        ("make it twice as long", 0.5, False, []),
        ("slow motion from 0:05 to 0:10", 0.5, False, [(5, 10)]),
        ("slow it down to a minute", 40 / 60, False, []),
        ("last 5 sec backwards", 1, True, [(35, 40)]),
        ("only last 10 seconds twice as fast", 2, False, [(30, 40)]),
        ("it takes 40 seconds, should be over in 10 seconds", 4, False, []),
        ("It lasts 40 seconds, make it 20 seconds", 2, False, []),
        ("a bit hectic please", 1.25, False, []),
    ],
)
def test_words_for_speeds(prompt, factor, backwards, spans):
    speed = read_speed(prompt, 40.0, 25.0)
    assert (speed.factor, speed.backwards) == (pytest.approx(factor), backwards)
    assert list(speed.spans) == [pytest.approx(span) for span in spans]


@every_case("prompt", ["nicer please", "1000x", "0x"])
def test_speeds_that_make_no_sense_are_refused(prompt):
    with pytest.raises(ToolError, match="speed"):
        read_speed(prompt, 40.0, 25.0)


# Cutting.


def test_cut_passage_has_its_own_pictures_and_sound(steps, context):
    new = video_editing.video_cutting(steps, "from 0:03 to 0:06", context=context)
    found = streams(new)
    assert found["video"] == ("h264", pytest.approx(3.0, abs=0.05))
    assert found["audio"] == ("aac", pytest.approx(3.0, abs=0.05))
    for second in range(3):
        assert at(new, second + 0.5) == pytest.approx(80 + 20 * second, abs=3)
        assert pitch(new, second + 0.5) == pytest.approx(700 + 100 * second, abs=4)


def test_pictures_and_sound_change_at_the_same_moment_after_a_cut(steps, context):
    new = video_editing.video_cutting(steps, "cut out seconds 2 to 4", context=context)
    jump = next(time for time, level in brightness(new) if level > 70)
    assert jump == pytest.approx(2.0, abs=0.05)
    assert pitch(new, 1.9) == pytest.approx(500, abs=6)
    assert pitch(new, 2.1) == pytest.approx(800, abs=6)
    assert streams(new)["video"][1] == pytest.approx(6.0, abs=0.05)


def test_cut_starts_with_the_picture_that_is_shown_then(folder, context):
    frames = greys(4, 1)
    slow = make_video(folder / "slow.mp4", frames, rate=1)
    new = video_editing.video_cutting(slow, "from 1.5 to 3.5 seconds", context=context)
    assert [level for _, level in brightness(new)] == pytest.approx([40, 60, 80], abs=3)
    assert [time for time, _ in brightness(new)] == pytest.approx([0, 0.5, 1.5], abs=0.01)


def test_webm_and_turned_video_are_cut(folder, steps, tmp_path, context):
    webm = make_video(folder / "cup.webm", greys(3, 10), rate=10, codec="libvpx-vp9", sound=tone(3))
    found = streams(video_editing.video_cutting(webm, "the last second", context=context))
    assert found["video"] == ("h264", pytest.approx(1.0, abs=0.1)) and "audio" in found
    phone = turned(steps, tmp_path / "phone.mp4")
    facts = video_files.read_facts(video_editing.video_cutting(phone, "first 2 s", context=context))
    assert (facts.width, facts.height) == (64, 96)


def test_stopping_and_progress(steps, tmp_path):
    told = []
    folder = tmp_path / "new"
    report = Context(lambda fraction, words: told.append(fraction), folder=folder)
    video_editing.video_speed(steps, "twice as fast", context=report)
    assert told == sorted(told) and len(told) > 20 and told[-1] <= 1
    stop = threading.Event()
    stopped = Context(lambda fraction, words: stop.set() if fraction > 0.5 else None, stop, folder)
    with pytest.raises(Cancelled):
        video_editing.video_cutting(steps, "the first half", context=stopped)
    assert len(list(folder.iterdir())) == 1


# Speed.


def test_faster_video_is_shorter_and_keeps_its_pitch(steps, context):
    new = video_editing.video_speed(steps, "twice as fast", context=context)
    found = streams(new)
    assert found["video"][1] == pytest.approx(4.0, abs=0.05)
    assert found["audio"][1] == pytest.approx(4.0, abs=0.05)
    for second in range(1, 7):
        assert pitch(new, (second + 0.5) / 2) == pytest.approx(400 + 100 * second, abs=8)
        assert at(new, (second + 0.5) / 2) == pytest.approx(20 + 20 * second, abs=3)
    assert len(brightness(new)) <= 30 * 4 + 1


def test_part_in_slow_motion(steps, context):
    new = video_editing.video_speed(steps, "slow motion from 2 to 4 seconds", context=context)
    assert streams(new)["video"][1] == pytest.approx(10.0, abs=0.05)
    for time, second in ((1.5, 1), (3.0, 2), (5.0, 3), (6.5, 4)):
        assert pitch(new, time) == pytest.approx(400 + 100 * second, abs=8)
        assert at(new, time) == pytest.approx(20 + 20 * second, abs=3)


def test_backwards_with_little_memory_is_the_whole_video_backwards(steps, context, monkeypatch):
    monkeypatch.setattr(timeline, "_BACKWARDS_MEMORY", 20 * 3 * 96 * 64)
    new = video_editing.video_speed(steps, "backwards", context=context)
    levels = [level for _, level in brightness(new)]
    assert levels == sorted(levels, reverse=True) and len(levels) >= 80
    for second in range(SECONDS):
        assert at(new, second + 0.5) == pytest.approx(20 * (SECONDS - second), abs=3)
        assert pitch(new, second + 0.5) == pytest.approx(100 * (11 - second), abs=6)


def test_time_lapse_has_no_sound_left(steps, context):
    new = video_editing.video_speed(steps, "time lapse", context=context)
    assert "audio" not in streams(new)
    assert streams(new)["video"][1] == pytest.approx(1.0, abs=0.05)


def stretched(samples: np.ndarray, rate: int, factor: float) -> np.ndarray:
    return np.concatenate([*time_stretch.change_tempo(Sound(samples, rate), factor)])


@every_case("factor", [0.3, 0.7, 1.3, 2.0, 3.5])
def test_stretched_sound_keeps_pitch_level_and_channels(factor):
    sound = tone(2, rate=22_050, channels=2).samples
    new = stretched(sound, 22_050, factor)
    assert new.shape == (round(len(sound) / factor), 2) and new.dtype == np.float32
    middle = new[len(new) // 4 : 3 * len(new) // 4, 0]
    spectrum = np.abs(np.fft.rfft(middle * np.hanning(len(middle)), 22_050))
    assert np.argmax(spectrum) == pytest.approx(440, abs=2)
    assert middle.std() == pytest.approx(sound.std(), rel=0.05)


def test_stretching_very_little_sound():
    assert stretched(np.zeros((0, 1), np.float32), 16_000, 2.0).shape == (0, 1)
    assert stretched(np.ones((100, 2), np.float32), 16_000, 0.5).shape == (200, 2)
    with pytest.raises(ValueError, match="factor"):
        stretched(np.ones((100, 1), np.float32), 16_000, 0.0)


def test_picture_in_between_is_halfway():
    picture = shown(skimage.data.astronaut(), (340, 340))
    first, second, halfway = (picture[20:260, left : left + 300] for left in (0, 12, 6))
    made = next(timeline.between(first, second, [0.5]))
    inner = np.s_[20:-20, 20:-20]
    blend = (first[inner].astype(float) + second[inner]) / 2
    error = np.abs(made[inner].astype(float) - halfway[inner]).mean()
    assert error < 0.35 * np.abs(blend - halfway[inner]).mean()


# Stills.


def test_stills_at_times(steps):
    def level(prompt):
        return float(np.asarray(video_editing.video_to_frames(steps, prompt)).mean())

    assert level("at 0:05") == pytest.approx(120, abs=3)
    assert level("the first frame") == pytest.approx(20, abs=3)
    assert level("the last frame") == pytest.approx(160, abs=3)
    assert level("the frame in the middle") == pytest.approx(100, abs=3)
    assert level("2 seconds before the end") == pytest.approx(140, abs=3)
    assert level("second 5 as a photo") == pytest.approx(120, abs=3)
    assert level("minute 0:05") == pytest.approx(120, abs=3)
    assert level("frame 30") == pytest.approx(60, abs=3)
    with pytest.raises(ToolError, match="lasts only 0:08"):
        video_editing.video_to_frames(steps, "at 1:12")


def test_a_thing_that_is_not_known_by_sight_is_told(steps, context):
    facts = video_files.read_facts(steps)
    for words, unknown in (
        ("a still of the badger", "the badger"),
        ("one good picture of the waterfall from this", "the waterfall"),
        ("the one where you can see the trophy", "the trophy"),
        ("the best picture of the clip", ""),
        ("a still with the dog", ""),
    ):
        assert stills.read_request(words, facts).unknown == unknown, words
    video_editing.video_to_frames(steps, "a still of the badger", context=context)
    assert "the badger" in context.remarks[0]


def test_most_telling_frame_is_neither_black_nor_blurred(folder):
    cat = shown(skimage.data.chelsea(), (400, 300))
    blurred = shown(shown(cat, (20, 15)), (400, 300))
    frames = [np.zeros_like(cat)] * 15 + [blurred] * 15 + [cat] * 15 + [np.full_like(cat, 255)] * 10
    clip = make_video(folder / "faded.mp4", frames, rate=10)
    for prompt in (None, "a good thumbnail"):
        picture = np.asarray(video_editing.video_to_frames(clip, prompt))
        assert np.abs(picture.astype(float) - cat).mean() < 8


def test_contact_sheet_shows_the_frames_in_order(steps):
    sheet = video_editing.video_to_frames(steps, "8 frames in a 4x2 grid")
    pixels = np.asarray(sheet.convert("L")).astype(int)
    rows, columns = 2, 4
    levels = [
        pixels[
            round((row + 0.4) * sheet.height / rows), round((column + 0.3) * sheet.width / columns)
        ]
        for row in range(rows)
        for column in range(columns)
    ]
    assert levels == pytest.approx([20 * number for number in range(1, 9)], abs=4)
    assert (pixels > 200).any()  # the captions
    facts = video_files.read_facts(steps)
    assert len(stills.read_request("a contact sheet", facts).times) == 9
    assert stills.read_request("every 2 seconds", facts).times == (0, 2, 4, 6)
    assert len(stills.read_request("six frames from the last half", facts).times) == 6
    assert stills.read_request("six frames from the last half", facts).times[0] > 4
    with pytest.raises(ToolError, match="at most 60"):
        stills.read_request("500 frames", facts)


@pytest.mark.long
def test_still_that_shows_a_thing(film, cup):
    picture = np.asarray(video_editing.video_to_frames(film, "the moment where the cat is seen"))
    cat = shown(skimage.data.chelsea(), (400, 300))
    assert np.abs(picture.astype(float) - cat).mean() < 8
    with pytest.raises(ToolError, match="elephant"):
        video_editing.video_to_frames(cup, "a frame with an elephant")


# Camera moves over a picture.


def test_zoom_in_goes_to_the_face_and_zoom_out_comes_from_it():
    image = PIL.Image.fromarray(skimage.data.astronaut())
    picture = np.asarray(image)
    point = camera_moves.focus(image, "")
    assert point == pytest.approx((224, 115), abs=35)
    size = camera_moves.frame_size(picture, Move())
    far, near = camera_moves.plan(picture, size, read_move("zoom in on her"), point)
    assert near.width < 0.75 * far.width and far.width == 512
    assert near.x < 256 and near.y < 256
    assert camera_moves.plan(picture, size, read_move("zoom out"), point) == (near, far)


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("prompt", "right", "down"),
    [
        ("pan left", -1, 0),
        ("pan from left to right", 1, 0),
        ("tilt up", 0, -1),
        ("move the camera down slowly", 0, 1),
    ],
)
def test_pans_go_where_they_are_asked_to(prompt, right, down, context):
    image = PIL.Image.fromarray(skimage.data.astronaut())
    clip = video_editing.image_to_video(image, prompt + ", 1 second", context=context)
    frames = [picture for _, picture in video_files.read_frames(clip)]
    assert len(frames) == 30
    step = camera_motion.step_between(frames[13], frames[17], 4 / 30)
    assert step is not None
    assert (np.sign(round(step.right, 2)), np.sign(round(step.down, 2))) == (right, down)


def test_move_is_smooth_and_of_the_wanted_length(context):
    image = PIL.Image.fromarray(skimage.data.chelsea())
    clip = video_editing.image_to_video(image, "zoom in, 3 seconds", context=context)
    assert streams(clip)["video"] == ("h264", pytest.approx(3.0, abs=0.02))
    frames = [picture.astype(float) for _, picture in video_files.read_frames(clip)]
    changes = [np.abs(one - two).mean() for one, two in zip(frames, frames[1:], strict=False)]
    assert max(changes[20:70]) < 2.5 * np.median(changes[20:70])
    assert changes[0] < np.median(changes) and np.abs(frames[0] - frames[-1]).mean() > 8


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "image",
    [
        PIL.Image.new("RGBA", (40, 30), (255, 0, 0, 128)),
        PIL.Image.new("L", (17, 300), 90),
        PIL.Image.new("CMYK", (600, 100)),
        PIL.Image.fromarray(np.full((64, 64), 40_000, np.uint16)),
        PIL.Image.new("P", (33, 31)),
    ],
    ids=["RGBA", "narrow", "CMYK", "16 bits", "palette"],
)
def test_all_kinds_of_pictures_become_videos(image, context):
    facts = video_files.read_facts(video_editing.image_to_video(image, "1 s", context=context))
    assert facts.width % 2 == 0 and facts.height % 2 == 0 and facts.seconds == pytest.approx(1)
    assert 0.45 < facts.width / facts.height < 2.1


def test_camera_moves_that_cannot_be_made_are_refused():
    image = PIL.Image.fromarray(skimage.data.chelsea())
    with pytest.raises(ToolError, match="Only the camera"):
        video_editing.image_to_video(image, "make the cat dance and smile")
    with pytest.raises(ToolError, match="elephant"):
        video_editing.image_to_video(image, "zoom in on the elephant")
    with pytest.raises(ToolError, match="120 seconds"):
        video_editing.image_to_video(image, "an hour of zooming in")
    with pytest.raises(ToolError, match="too small"):
        video_editing.image_to_video(PIL.Image.new("RGB", (1, 1)))


# Questions and classes.


def ask(clip: Clip, question: str) -> str:
    return video_editing.video_question_answering(clip, question)


@pytest.mark.long
def test_questions_about_what_is_seen_and_when(film):
    assert ask(film, "Is there a cat in this video?").startswith("Yes, I see a cat from about 0:00")
    assert "cup" in ask(film, "What is seen at the end of the video?")
    assert "cat" in ask(film, "What is in the video at 0:01?")
    words = ask(film, "When does the cat appear?")
    assert words.startswith("A cat is seen from about 0:00 to 0:02")


@pytest.mark.long
def test_questions_about_numbers_and_colours(cup):
    assert "one cup" in ask(cup, "How many cups are there at most?")
    assert ask(cup, "How many elephants can you see?").startswith("None")
    assert ask(cup, "Is there an elephant?").startswith("No, I see no elephant")
    assert "red" in ask(cup, "What colour is the cup?")


def test_questions_about_the_file_and_its_sound(film, steps):
    assert ask(film, "How long is the video?") == "It lasts 5 seconds."
    assert ask(film, "Does it have sound?") == "No, it has no sound."
    assert ask(film, "Is it silent?").startswith("Yes")
    assert ask(steps, "Is there any sound in the clip?").startswith("Yes, it has sound")
    assert ask(steps, "Does anybody speak?").startswith("No, there is sound but I hear no speech")
    assert "cannot tell" in ask(steps, "Is there music?")
    assert "400" in ask(film, "What is the resolution?")
    assert ask(film, "How many scenes are there?").startswith("It shows three scenes")


@pytest.mark.long
def test_questions_that_cannot_be_answered_are_said_to_be_so(film):
    assert "cannot tell actions or reasons" in ask(film, "Why is it sitting there at 0:01?")
    with pytest.raises(ToolError, match="no question"):
        ask(film, "  ")
    with pytest.raises(ToolError, match="lasts only"):
        ask(film, "What is shown at 2:00?")


@pytest.mark.long
def test_moving_camera_is_seen(folder):
    frames = list(pan(shown(skimage.data.astronaut(), (800, 800)), 40, 400, 800))
    clip = make_video(folder / "pan.mp4", frames, rate=10)
    assert "panning right" in ask(clip, "Does the camera move?")
    labels = video_editing.video_classification(clip)
    assert labels[-1].name == "camera panning right"


def test_classes_are_what_is_mostly_shown(film):
    labels = video_editing.video_classification(film)
    names = [label.name for label in labels]
    assert {"cat", "cup"} <= set(names)
    assert names[-1] == "still camera"
    assert all(0 < label.score <= 1 for label in labels)


def test_tiny_and_broken_videos(folder, tmp_path, steps, context):
    dot = make_video(folder / "dot.mp4", [np.zeros((16, 16, 3), np.uint8)])
    assert video_editing.video_to_frames(dot).size == (16, 16)
    assert video_editing.video_to_frames(dot, "contact sheet").width > 100
    assert "0 seconds" in ask(dot, "How long is it?")
    assert isinstance(video_editing.video_classification(dot), tuple)
    new = video_editing.video_speed(dot, "half speed", context=context)
    assert streams(new)["video"][1] == pytest.approx(0.08, abs=0.01)
    broken = Clip(tmp_path / "broken.mp4")
    broken.path.write_bytes(steps.path.read_bytes()[:500])
    with pytest.raises(ToolError, match="The video could not be read"):
        video_editing.video_cutting(broken, "the first second")
