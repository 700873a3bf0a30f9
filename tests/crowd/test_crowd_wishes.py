"""Marks come back out of what is made of them, and a result with another's mark is found."""

from __future__ import annotations

import io

import numpy as np
import PIL.Image
import pytest
import soundfile
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.crowd.wishes import WISHES, Mark, Result, card, digits_in, numbers_in, tones
from tests.every_case import every_case

marks = st.builds(Mark, st.integers(0, 998), st.integers(0, 999))
BY_NAME = {wish.name: wish for wish in WISHES}


def png(picture: PIL.Image.Image) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    return buffer.getvalue()


@pytest.mark.long
@given(
    marks, st.sampled_from([PIL.Image.Transpose.FLIP_TOP_BOTTOM, PIL.Image.Transpose.ROTATE_180])
)
@settings(max_examples=20, deadline=None)
def test_a_picture_on_its_head_still_tells_its_mark(mark, way):
    picture = PIL.Image.open(io.BytesIO(card(mark)[1]))
    left = picture.crop((0, 0, picture.width // 2, picture.height))
    assert mark.number in numbers_in(png(picture.transpose(way)))
    assert mark.number in numbers_in(png(left.transpose(way)))


@given(marks)
@settings(max_examples=20, deadline=None)
def test_a_recording_tells_its_mark(mark):
    content = tones(mark)[1]
    assert digits_in(content) == mark.digits
    samples, rate = soundfile.read(io.BytesIO(content))
    buffer = io.BytesIO()
    soundfile.write(buffer, np.clip(2 * samples[::-1], -1, 1), rate, format="WAV")
    assert digits_in(buffer.getvalue()) == mark.digits[::-1]


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
        ("a louder recording", lambda mark: Result("audio", tones(mark)[1])),
    ],
)
def test_somebody_elses_result_is_a_fault(name, result):
    own, other = Mark(3, 5), Mark(4, 5)
    wish = BY_NAME[name]
    assert wish.fault(own, [result(own)]) == ""
    assert wish.fault(own, [result(other)])
    assert wish.fault(own, [])
