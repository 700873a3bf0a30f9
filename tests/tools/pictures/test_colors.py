"""The main colours of pictures: named, and drawn as a palette."""

from __future__ import annotations

import re

import numpy as np
import PIL.Image
import pytest
import skimage.data

from controlllm.toolbox import ToolError
from tests.every_case import every_case
from tools.pictures.colors import color_palette, main_colors
from tools.pictures.embedded.main_shades import name_of, shades


def _striped(*colours: str, wide: int = 300, tall: int = 120) -> PIL.Image.Image:
    shown = PIL.Image.new("RGB", (wide, tall))
    step = wide // len(colours)
    for number, colour in enumerate(colours):
        shown.paste(colour, (number * step, 0, (number + 1) * step, tall))
    return shown


def _told(text: str) -> list[tuple[str, str, int]]:
    found = re.findall(r"^(.+?) (#[0-9a-f]{6}): (\d+) %$", text, re.MULTILINE)
    return [(name.lower(), code, int(share)) for name, code, share in found]


def test_the_colours_of_a_flag_with_codes_and_shares() -> None:
    told = _told(main_colors(_striped("#000000", "#dd0000", "#ffcc00")))
    assert {(name, code) for name, code, _ in told} == {
        ("black", "#000000"), ("red", "#dd0000"), ("golden yellow", "#ffcc00"),
    }  # fmt: skip
    assert all(abs(share - 33) <= 1 for *_, share in told)


def test_what_covers_most_comes_first_and_shares_are_right() -> None:
    shown = PIL.Image.new("RGB", (100, 100), "#1f5fd6")
    shown.paste("#ffffff", (0, 0, 100, 20))
    shown.paste("#e01b1b", (0, 20, 50, 30))
    assert _told(main_colors(shown)) == [
        ("blue", "#1f5fd6", 75), ("white", "#ffffff", 20), ("red", "#e01b1b", 5),
    ]  # fmt: skip


def test_shades_of_one_colour_are_merged() -> None:
    gradient = np.zeros((100, 200, 3), np.uint8)
    gradient[..., 2] = np.linspace(190, 240, 200).astype(np.uint8)
    gradient[..., 1] = 95
    gradient[:, 150:] = (255, 255, 255)
    told = _told(main_colors(PIL.Image.fromarray(gradient)))
    assert len(told) == 2 and told[0][2] == 75 and "blue" in told[0][0]


@every_case(
    ("name", "words"),
    [
        ("astronaut", ("orange", "black", "grey|silver")),
        ("coffee", ("rust|terracotta|brown|orange", "red|maroon")),
        ("rocket", ("blue",)),
        ("camera", ("grey",)),
    ],
)
def test_colours_that_a_person_would_name(name: str, words: tuple[str, ...]) -> None:
    text = main_colors(PIL.Image.fromarray(getattr(skimage.data, name)()))
    assert all(re.search(word, text.lower()) for word in words), text
    shares = [int(share) for share in re.findall(r"(\d+) %", text)]
    assert 96 <= sum(shares) <= 104


@every_case(
    ("code", "name"),
    [
        ((250, 250, 240), "white|off-white"),
        ((255, 165, 0), "orange|amber"),
        ((255, 192, 203), "light pink|pink"),
        ((0, 0, 128), "navy|dark blue"),
        ((135, 206, 235), "sky blue|light blue"),
        ((245, 245, 220), "cream|off-white|beige"),
    ],
)
def test_names(code: tuple[int, int, int], name: str) -> None:
    assert name_of(code) in name.split("|")


def test_clear_parts_do_not_count() -> None:
    clear = PIL.Image.new("RGBA", (80, 80), (0, 255, 0, 0))
    clear.paste((255, 0, 0, 255), (0, 0, 20, 20))
    assert main_colors(clear) == "Bright red #ff0000: 100 %"
    for tool in (main_colors, color_palette):
        with pytest.raises(ToolError, match="all clear"):
            tool(PIL.Image.new("RGBA", (8, 8), (0, 0, 0, 0)))


def test_a_palette_has_a_field_of_each_colour_and_its_code_below() -> None:
    colours = ("#000000", "#dd0000", "#ffcc00", "#0055aa", "#11aa77")
    palette = np.asarray(color_palette(_striped(*colours)))
    places = []
    for code in colours:
        rgb = [int(code[at : at + 2], 16) for at in (1, 3, 5)]
        field = (palette == rgb).all(axis=2)
        assert field.sum() > 40_000
        down, across = np.nonzero(field[:240])
        places.append((across.mean(), down.mean()))
    assert np.ptp([y for _, y in places]) < 15 and np.ptp([x for x, _ in places]) > 900
    dark = palette[290:330].max(axis=2) < 90
    assert (dark.any(axis=0)).sum() > 5 * 60  # letters below each of them


@every_case(("count", "fields"), [(0, 5), (3, 3), (8, 8)])
def test_a_palette_has_as_many_colours_as_were_asked_for(count: int, fields: int) -> None:
    photo = PIL.Image.fromarray(skimage.data.coffee()).resize((300, 200))
    found = shades(photo, count or 5, finely=True)
    assert len(found) == fields and len({shade.code for shade in found}) == fields
    palette = np.asarray(color_palette(photo, count))
    for shade in found:
        assert (palette == shade.rgb).all(axis=2).sum() > 30_000


@every_case("count", [-1, 500])
def test_a_palette_of_no_such_number_is_refused(count: int) -> None:
    with pytest.raises(ToolError, match="1 to 24 colours"):
        color_palette(_striped("#000000", "#ffffff"), count)
