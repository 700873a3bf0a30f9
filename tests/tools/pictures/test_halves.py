"""Halves of a picture."""

from __future__ import annotations

import numpy as np
import PIL.Image
import pytest

from controlllm.toolbox import ToolError
from tests.every_case import every_case
from tools.pictures.halves import HALVES


@every_case("mode", ["RGB", "L", "RGBA", "P"])
def test_each_half_is_that_half(coffee: PIL.Image.Image, mode: str) -> None:
    picture = coffee.convert(mode)
    whole = np.asarray(picture)
    assert (np.asarray(HALVES["left"](picture)) == whole[:, :150]).all()
    assert (np.asarray(HALVES["right"](picture)) == whole[:, 150:]).all()
    assert (np.asarray(HALVES["top"](picture)) == whole[:100]).all()
    assert (np.asarray(HALVES["bottom"](picture)) == whole[100:]).all()


def test_halves_of_odd_and_of_tiny_pictures() -> None:
    assert HALVES["right"](PIL.Image.new("RGB", (5, 3))).size == (3, 3)
    with pytest.raises(ToolError, match="too small"):
        HALVES["left"](PIL.Image.new("RGB", (1, 1)))
