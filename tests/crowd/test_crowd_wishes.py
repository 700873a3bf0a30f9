"""Marks come back out of what is made of them, and a result with another's mark is found."""

from __future__ import annotations

import io

import numpy as np
import PIL.Image
import soundfile

from tests.crowd.wishes import WISHES, Mark, Result, card, tones
from tests.every_case import every_case

FLIP = PIL.Image.Transpose.FLIP_TOP_BOTTOM
BY_NAME = {wish.name: wish for wish in WISHES}


def png(picture: PIL.Image.Image) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    return buffer.getvalue()


def half(picture: PIL.Image.Image) -> PIL.Image.Image:
    return picture.crop((0, 0, picture.width // 2, picture.height)).transpose(FLIP)


def turned(content: bytes) -> bytes:
    samples, rate = soundfile.read(io.BytesIO(content))
    buffer = io.BytesIO()
    soundfile.write(buffer, np.clip(2 * samples[::-1], -1, 1), rate, format="WAV")
    return buffer.getvalue()


@every_case(
    ("name", "result"),
    [
        ("a question about a text", lambda mark: Result("text", f"It is {mark.words}.".encode())),
        ("a fact", lambda mark: Result("text", f"{mark.number:,} is odd.".encode())),
        ("reading a picture", lambda mark: Result("text", mark.words.encode())),
        (
            "turning a picture",
            lambda mark: Result(
                "image", png(PIL.Image.open(io.BytesIO(card(mark)[1])).rotate(180))
            ),
        ),
        (
            "cropping, then turning",
            lambda mark: Result("image", png(half(PIL.Image.open(io.BytesIO(card(mark)[1]))))),
        ),
        ("a louder recording", lambda mark: Result("audio", tones(mark)[1])),
        ("a turned recording", lambda mark: Result("audio", turned(tones(mark)[1]))),
    ],
)
def test_somebody_elses_result_is_a_fault(name, result):
    own, other = Mark(3, 5), Mark(4, 5)
    wish = BY_NAME[name]
    assert wish.fault(own, [result(own)]) == ""
    assert wish.fault(own, [result(other)])
    assert wish.fault(own, [])
