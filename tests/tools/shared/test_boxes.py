"""Geometry of boxes."""

from __future__ import annotations

from controlllm.resources import Box
from tools.shared.boxes import scaled


def test_a_box_is_scaled_by_one_factor_or_by_two() -> None:
    box = Box(1, 2, 3, 4, "cup", 0.5)
    assert scaled(box, 2) == Box(2, 4, 6, 8, "cup", 0.5)
    assert scaled(box, 2, 10) == Box(2, 20, 6, 40, "cup", 0.5)
