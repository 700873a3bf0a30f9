"""What is said of a sound only so that it stays is not read."""

from __future__ import annotations

from controlllm.planning.staying import reading_past_what_stays
from controlllm.planning.wishes import RequestText, Slot, Wish
from tests.every_case import every_case

#: What is said, and what of it is read.
SAID = [
    ("Below 5 MB? The sound has to stay in, and all of it.", "Below 5 MB? , and all of it."),
    ("Rotate it. The sound shouldn't get lost.", "Rotate it. ."),
    ("Crop it to a square, the audio has to be kept", "Crop it to a square,"),
    ("Convert it to webm, and please leave the sound in", "Convert it to webm,"),
    ("Make it 160 pixels wide and keep the sound.", "Make it 160 pixels wide ."),
    ("Cut out seconds 1 to 3, with sound", "Cut out seconds 1 to 3,"),
    ("I want the first 2 seconds without losing the sound", "I want the first 2 seconds"),
    ("Make it black and white. leave the sound as it is", "Make it black and white."),
    ("keep only the sound", ""),
    ("leave the sound out", ""),
    ("keep the sound from second 2 to 4", ""),
    ("with the music from the other file", ""),
    ("my voice over it, the original sound should stay audible but quieter", ""),
    ("cut the silence out, picture and sound together", ""),
    ("Keep the sound.", ""),
]  # fmt: skip


@every_case("said, left", SAID)
def test_a_sound_that_stays_is_no_wish(said: str, left: str) -> None:
    heard: list[str] = []

    def read(shown: RequestText) -> tuple[Wish, ...]:
        heard.append(shown.text)
        return ()

    reading_past_what_stays(read)(RequestText(said, (Slot("video1"),)))
    reading_past_what_stays(read)(RequestText(said, (Slot("audio1"),)))
    assert " ".join(heard[0].split()) == (left or said) and len(heard[0]) == len(said)
    assert heard[1] == said
