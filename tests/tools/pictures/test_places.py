"""Changes at places that were pointed at."""

from __future__ import annotations

import numpy as np
import PIL.Image
import pytest

from controlllm.resources import Region
from controlllm.toolbox import ToolError
from tools.pictures.places import put_back, put_where


def disc(size: tuple[int, int], x: int, y: int, radius: int) -> np.ndarray:
    rows, columns = np.ogrid[: size[1], : size[0]]
    return (rows - y) ** 2 + (columns - x) ** 2 <= radius**2


def meadow_with(*things: tuple[np.ndarray, tuple[int, int, int]]) -> PIL.Image.Image:
    rng = np.random.default_rng(7)
    ground = np.clip(rng.normal((70, 150, 60), 6, (60, 100, 3)), 0, 255).astype(np.uint8)
    for pixels, colour in things:
        ground[pixels] = colour
    return PIL.Image.fromarray(ground)


RED, BLUE = (210, 30, 30), (30, 40, 210)
LEFT, RIGHT = disc((100, 60), 25, 30, 11), disc((100, 60), 75, 30, 11)


def colour_at(picture: PIL.Image.Image, x: int, y: int) -> np.ndarray:
    return np.asarray(picture.convert("RGB"))[y - 3 : y + 4, x - 3 : x + 4].mean(axis=(0, 1))


def is_like(found: np.ndarray, wanted: tuple[int, int, int]) -> bool:
    return bool(np.abs(found - wanted).max() < 40)


def test_only_the_region_is_changed() -> None:
    picture = meadow_with((LEFT, RED))
    changed = PIL.Image.new("RGB", picture.size, BLUE)
    inside = put_back(picture, changed, (Region(LEFT),))
    assert is_like(colour_at(inside, 25, 30), BLUE)
    assert is_like(colour_at(inside, 75, 30), (70, 150, 60))
    around = put_back(picture, changed, (Region(LEFT),), outside=True)
    assert is_like(colour_at(around, 25, 30), RED)
    assert is_like(colour_at(around, 75, 30), BLUE)


def test_a_part_of_another_size_is_refused_in_words() -> None:
    picture = meadow_with()
    with pytest.raises(ToolError, match="100x60"):
        put_back(picture, picture.resize((10, 10)), (Region(LEFT),))


def test_a_thing_moves_and_its_old_place_is_filled() -> None:
    picture = meadow_with((LEFT, RED), (RIGHT, BLUE))
    moved = put_where(picture, (Region(RIGHT),), picture, (Region(LEFT),))
    assert is_like(colour_at(moved, 75, 30), RED)
    assert is_like(colour_at(moved, 25, 30), (70, 150, 60))


@pytest.mark.long
def test_two_things_change_places() -> None:
    picture = meadow_with((LEFT, RED), (RIGHT, BLUE))
    swapped = put_where(picture, (Region(RIGHT),), picture, (Region(LEFT),), swaps=True)
    assert is_like(colour_at(swapped, 75, 30), RED)
    assert is_like(colour_at(swapped, 25, 30), BLUE)


def test_a_thing_of_another_picture_is_copied() -> None:
    picture = meadow_with((LEFT, RED))
    other = PIL.Image.new("RGB", (30, 30), BLUE)
    put = put_where(picture, (Region(LEFT),), other, None)
    assert is_like(colour_at(put, 25, 30), BLUE)
    assert is_like(colour_at(put, 75, 30), (70, 150, 60))
