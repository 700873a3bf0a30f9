"""Words of a picture covered, and what stands beside them left as it is."""

from __future__ import annotations

import numpy as np
import PIL.Image
import PIL.ImageDraw
import pytest

from controlllm.toolbox import Context, ToolError
from controlllm.values import values_in
from tools.pictures.hidden_words import cover_words
from tools.shared.fonts import font

LINES = ("For Lena Maier", "Phone: +49 171 234 5678", "Total 149.90 EUR")


@pytest.fixture(scope="module")
def letter() -> PIL.Image.Image:
    page = PIL.Image.new("RGB", (640, 300), "#f4f1ea")
    for number, line in enumerate(LINES):
        PIL.ImageDraw.Draw(page).text((40, 30 + 90 * number), line, "#202020", font(28))
    return page


def covered(page: PIL.Image.Image, request: str) -> tuple[np.ndarray, tuple[str, ...]]:
    kinds = {item.name: item.kind for item in cover_words.tool.parameters if item.kind}
    context = Context()
    made = cover_words(page, request, **values_in(request, kinds), context=context)
    return np.asarray(made), context.remarks


def test_a_name_and_a_number_are_black_and_the_rest_is_as_it_was(letter):
    made, remarks = covered(letter, "black out Lena Maier and the phone number")
    assert remarks[0] == "2 places are covered: +49 171 234 5678, Lena Maier."
    black, before = (made == 0).all(axis=2), np.asarray(letter)
    assert black[20:75, 120:].any() and black[110:165, 160:].any() and not black[190:].any()
    assert (made[~black] == before[~black]).all()
    # No ink of the words is left beside the bars, and what stands before them still is.
    ink = before.max(axis=2) < 128
    assert not (ink & ~black)[20:75, 120:].any() and (ink & ~black)[110:165, :140].any()


def test_words_at_a_place_and_what_is_not_there(letter):
    made, remarks = covered(letter, "hide all the text at the bottom in white")
    assert remarks[0] == "1 place is covered." and (made[:180] == np.asarray(letter)[:180]).all()
    assert made[215:250, 40:250].min() > 230
    with pytest.raises(ToolError, match=r"no “Falcon” in .* nothing was covered.*box"):
        covered(letter, "black out “Falcon”")
    with pytest.raises(ToolError, match="can read no words"):
        covered(PIL.Image.new("RGB", (60, 60)), "black out the names")
