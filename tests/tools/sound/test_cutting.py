"""Silence trimmed and put in, passages cut out and kept."""

from __future__ import annotations

import numpy as np
import pytest

from controlllm.resources import Sound
from controlllm.toolbox import ToolError
from controlllm.values import values_in
from tools.sound.cutting import cover_passage, cut_audio, insert_silence, trim_silence
from tools.sound.editing import audio_to_audio

RATE = 16_000


def tone(seconds: float, pitch: float = 400.0) -> np.ndarray:
    return 0.4 * np.sin(2 * np.pi * pitch * np.arange(round(seconds * RATE)) / RATE)


def nothing(seconds: float) -> np.ndarray:
    return np.zeros(round(seconds * RATE))


def sound(*pieces: np.ndarray) -> Sound:
    return Sound(np.concatenate(pieces).astype(np.float32)[:, None], RATE)


#: Silence of 3 s, a tone, a pause of 2 s, a short pause, silence of 4 s.
ENDS = sound(
    nothing(3), tone(1.5), nothing(2), tone(1), nothing(0.5), tone(1), nothing(4)
)  # fmt: skip


def edges(made: Sound) -> tuple[float, float]:
    """The seconds of silence at the start and at the end."""
    loud = np.flatnonzero(np.abs(made.samples[:, 0]) > 0.01)
    return loud[0] / RATE, (made.frames - 1 - loud[-1]) / RATE


@pytest.mark.parametrize("edit", [trim_silence, audio_to_audio])
@pytest.mark.parametrize(
    ("words", "start", "end"),
    [
        ("Cut off the silence at the end of the recording.", 3, 0),
        ("Trim the leading silence", 0, 4),
        ("Trim the silence at both ends.", 0, 0),
        ("Trim the silence.", 0, 0),
    ],
)
def test_only_the_silence_that_was_named_goes(edit, words: str, start: float, end: float) -> None:  # type: ignore[no-untyped-def]
    if edit is trim_silence:
        kinds = {item.name: item.kind for item in trim_silence.tool.parameters if item.kind}
        made = trim_silence(ENDS, **values_in(words, kinds))
    else:
        made = audio_to_audio(ENDS, words)
    assert edges(made) == pytest.approx((start, end), abs=0.08)
    # What lies between is as it was.
    assert made.seconds == pytest.approx(6 + start + end, abs=0.15)


def test_pauses_inside_are_shortened_and_nothing_else() -> None:
    made = trim_silence(ENDS, where="inside")
    assert edges(made) == pytest.approx((3, 4), abs=0.02)
    assert made.seconds == pytest.approx(13 - 2 + 0.35, abs=0.15)
    quiet = np.abs(made.samples[:, 0]) < 0.01
    runs = np.diff(np.flatnonzero(np.diff(np.concatenate([[0], quiet, [0]])))).astype(float) / RATE
    assert not ((runs > 0.6) & (runs < 2.5)).any()


def test_quiet_hiss_is_silence_too() -> None:
    hiss = 0.001 * np.random.default_rng(3).standard_normal(ENDS.frames)
    made = trim_silence(Sound(ENDS.samples + hiss.astype(np.float32)[:, None], RATE), where="end")
    assert edges(made) == pytest.approx((3, 0), abs=0.1)


def test_what_has_no_silence_stays_and_what_is_nothing_else_is_refused() -> None:
    assert trim_silence(sound(tone(2)), where="end").seconds == pytest.approx(2, abs=0.02)
    with pytest.raises(ToolError, match="nothing but silence"):
        trim_silence(sound(nothing(2)))


def test_what_people_say_of_a_place() -> None:
    kinds = {item.name: item.kind for item in trim_silence.tool.parameters if item.kind}
    for words, wanted in (
        ("Remove the silence at the beginning but leave the end alone", "start"),
        ("Take the long pauses out of my lecture", "everywhere"),
        ("shorten the silence in between the sentences", "inside"),
        ("remove silence at the beginning and at the end", "both"),
        ("lose the quiet before I start talking", "start"),
        ("close the gaps please", "everywhere"),
        ("close up the pauses", "everywhere"),
        ("cut the silence at the close", "end"),
        ("nothing before she speaks and again when she's done, lose it", "both"),
        ("lose the quiet when the talk is finished", "end"),
    ):
        assert values_in(words, kinds).get("where") == wanted, words


#: A second each of 300, 400 … 1200 Hz.
LADDER = sound(*(tone(1, 300 + 100 * step) for step in range(10)))


def steps(made: Sound) -> list[int]:
    """Which steps of the ladder are heard, by the pitch in each second."""
    heard = []
    for second in range(round(made.seconds)):
        part = made.samples[second * RATE :, 0][RATE // 4 : RATE * 3 // 4]
        pitch = np.abs(np.fft.rfft(part * np.hanning(len(part)))).argmax() * RATE / len(part)
        heard.append(round((pitch - 300) / 100))
    return heard


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("Keep only the first four seconds", [0, 1, 2, 3]),
        ("Cut out the part from 0:03 to 0:07", [0, 1, 2, 7, 8, 9]),
        ("Drop the last 2 seconds", [0, 1, 2, 3, 4, 5, 6, 7]),
        ("only the second half please", [5, 6, 7, 8, 9]),
    ],
)
def test_passages(words: str, wanted: list[int]) -> None:
    assert steps(cut_audio(LADDER, words)) == wanted


def test_passages_that_are_not_there() -> None:
    with pytest.raises(ToolError, match="lasts only"):
        cut_audio(LADDER, "keep 0:20 to 0:30")
    with pytest.raises(ToolError, match="which passage"):
        cut_audio(LADDER, "cut it nicely")
    with pytest.raises(ToolError, match="Nothing would be left of the recording"):
        cut_audio(LADDER, "remove the first ten seconds")


@pytest.mark.parametrize(
    ("words", "place", "seconds"),
    [
        ("Add two seconds of silence at the start.", 0, 2),
        ("Put a pause of 3 seconds after the first 4 seconds.", 4, 3),
        ("Insert silence at 0:05 for two seconds.", 5, 2),
        ("half a second of quiet at the end", 10, 0.5),
        ("Add some silence", 10, 1),
        ("he should start 3 seconds later", 0, 3),
        ("it comes half a second too early", 0, 0.5),
    ],
)
def test_silence_is_put_in(words: str, place: float, seconds: float) -> None:
    kinds = {item.name: item.kind for item in insert_silence.tool.parameters if item.kind}
    made = insert_silence(LADDER, **values_in(words, kinds))
    assert made.seconds == pytest.approx(10 + seconds, abs=1e-3)
    first, last = round(place * RATE), round((place + seconds) * RATE)
    assert not made.samples[first:last].any()
    before, after = made.samples[: max(first - 200, 0)], made.samples[last + 200 :]
    assert np.array_equal(before, LADDER.samples[: len(before)])
    assert np.array_equal(after, LADDER.samples[LADDER.frames - len(after) :])


def test_silence_at_both_ends_and_in_stereo() -> None:
    stereo = Sound(np.repeat(LADDER.samples, 2, axis=1), RATE)
    made = insert_silence(stereo, seconds=1.5, where="both")
    assert (made.seconds, made.channels) == (13.0, 2)
    assert edges(made) == pytest.approx((1.5, 1.5), abs=0.01)


def test_silence_outside_of_the_sound_or_without_end() -> None:
    with pytest.raises(ToolError, match=r"lasts only 10\.0 seconds"):
        insert_silence(LADDER, at=20.0)
    with pytest.raises(ToolError, match="too long"):
        insert_silence(LADDER, seconds=1e6)


def test_a_passage_is_covered_and_nothing_else() -> None:
    noise = np.random.default_rng(5).standard_normal((RATE * 4, 2)).astype(np.float32) * 0.1
    spoken = Sound(noise, RATE)
    for how in ("", "silence"):
        made = cover_passage(spoken, passage="1..1.4", how=how)
        first, last = RATE, round(1.4 * RATE)
        assert made.frames == spoken.frames and made.channels == 2
        assert np.array_equal(made.samples[:first], noise[:first])
        assert np.array_equal(made.samples[last:], noise[last:])
        covered = made.samples[first:last]
        if how == "silence":
            assert not covered.any()
        else:
            spectrum = np.abs(np.fft.rfft(covered[:, 0]))
            pitch = np.fft.rfftfreq(len(covered), 1 / RATE)[spectrum.argmax()]
            assert abs(pitch - 1000) < 5 and 0.2 < np.abs(covered).max() <= 0.25


def test_what_people_say_of_what_is_to_be_covered() -> None:
    kinds = {item.name: item.kind for item in cover_passage.tool.parameters}
    said = values_in("put a beep over it from 1.0 to 1.4 seconds like they do on tv", kinds)
    assert said == {"passage": "1..1.4", "how": "beep"}
    for words in ("beep over it, nothing else may change", "bleep it, nothing is to be cut"):
        assert values_in(words, kinds) == {"how": "beep"}, words
    assert values_in("mute the first 3 seconds", kinds) == {"passage": "..3", "how": "silence"}
    for words, passages in (
        ("beep at 0:12-0:13 and from 1:02 to 1:03", "12..13,62..63"),
        ("beep 0:41-0:42, 1:13-1:14 and 2:30-2:32", "41..42,73..74,150..152"),
        ("at 1:10 she says her name, so beep from there till 1:12", "70..72"),
        ("the street is named at 0:42, bleep it", "42..43"),
        ("a beep on the word at about second 8", "8..9"),
        # Pointed at, the part alone is handed over: all of that.
        ("put a beep over [1]", ".."),
        ("beep over [1] from 0:12 to 0:13", "12..13"),
    ):
        assert values_in(words, kinds) == {"passage": passages, "how": "beep"}, words


def test_several_passages_are_covered() -> None:
    made = cover_passage(sound(tone(4.0)), passage="1..1.5,0.2..0.4,1.4..2", how="silence")
    covered = np.abs(made.samples[:, 0]) < 1e-6
    for start, end, is_covered in ((0.25, 0.35, True), (0.5, 0.9, False), (1.05, 1.95, True),
                                   (2.1, 3.9, False)):  # fmt: skip
        assert bool(covered[round(start * RATE) : round(end * RATE)].mean() > 0.9) == is_covered


def test_all_of_a_part_that_was_pointed_at_is_covered() -> None:
    assert not cover_passage(sound(tone(1.0)), passage="..", how="silence").samples.any()


def test_a_passage_that_is_not_there_cannot_be_covered() -> None:
    spoken = Sound(np.full((RATE, 1), 0.1, np.float32), RATE)
    with pytest.raises(ToolError, match="From when to when"):
        cover_passage(spoken)
    with pytest.raises(ToolError, match="lasts 0:01"):
        cover_passage(spoken, passage="5..6")


def test_long_pauses_go_wherever_they_are() -> None:
    """Where gaps are too long, so are those before the first word and behind the last."""
    kinds = {item.name: item.kind for item in trim_silence.tool.parameters if item.kind}
    for words in ("There are long gaps, get rid of them.", "Remove the long pauses, please.",
                  "cut out all the silent bits"):  # fmt: skip
        made = trim_silence(ENDS, **values_in(words, kinds))
        assert max(edges(made)) < 0.3, words
        assert made.seconds == pytest.approx(13 - 7 - 2 + 3 * 0.35, abs=0.3), words
    made = trim_silence(ENDS, **values_in("Shorten the pauses to one second", kinds))
    assert made.seconds == pytest.approx(13 - 7 - 2 + 2, abs=0.3)
    made = trim_silence(ENDS, **values_in("no pauses longer than 2.5 seconds", kinds))
    assert made.seconds == pytest.approx(13 - 7 + 0.35, abs=0.3)


@pytest.mark.long
def test_a_part_told_by_its_words_is_found() -> None:
    """Said by its content, a passage is cut where its sentence begins and ends."""
    from controlllm.toolbox import Context
    from tools.speech.synthesis import text_to_speech

    first = text_to_speech("We planted tomatoes in the garden.")
    second = text_to_speech("Tomorrow it will rain in the morning.")
    gap = np.zeros((first.rate, 1), np.float32)
    spoken = Sound(np.concatenate([first.samples, gap, second.samples]), first.rate)
    context = Context()
    made = cut_audio(spoken, "keep only the part where she talks about the rain", context=context)
    assert made.seconds == pytest.approx(second.seconds, abs=0.7)
    assert "I heard “the rain” from 0:0" in context.remarks[0]
    made = cut_audio(spoken, "just the bit where the rain is mentioned", context=context)
    assert made.seconds == pytest.approx(second.seconds, abs=0.7)
    made = cut_audio(spoken, "cut the part about the garden out, keep everything else")
    assert made.seconds == pytest.approx(second.seconds + 1, abs=0.8)
    with pytest.raises(ToolError, match="hear nothing of “the elephants”"):
        cut_audio(spoken, "only the bit where she mentions the elephants")


#: Silence of 2 s, then a tone of 8 s.
LATE = sound(nothing(2), tone(8))


@pytest.mark.parametrize(
    ("words", "seconds", "soft"),
    [
        ("seconds 3 to 8, soft start and soft ending, m4a", 5, (True, True)),
        ("from 0:03 to 0:08 with a gentle fade out at the end", 5, (False, True)),
        ("cut it from 3 to 8 and fade it out", 5, (False, True)),
        ("starting where the sax actually comes in (nothing is heard for the first two seconds), "
         "6 seconds long with a soft ending", 6, (False, True)),
        ("4 seconds from where the music begins", 4, (False, False)),
        ("the start is fine but end it after 5 seconds instead", 5, (True, False)),
        ("cut everything before the sax starts", 8, (False, False)),
        ("from 3 seconds on, 2 seconds long, easing in slowly", 2, (True, False)),
    ],
)  # fmt: skip
def test_a_cut_with_soft_ends_and_from_where_it_sets_in(
    words: str, seconds: float, soft: tuple[bool, bool]
) -> None:
    kinds = {item.name: item.kind for item in cut_audio.tool.parameters if item.kind}
    made = cut_audio(LATE, words, **values_in(words, kinds))
    assert made.seconds == pytest.approx(seconds, abs=0.2)
    count = RATE // 10
    loud = np.abs(made.samples[:, 0])
    ends = loud[count : 2 * count].max(), loud[-2 * count : -count].max()
    assert tuple(end < 0.3 for end in ends) == soft
