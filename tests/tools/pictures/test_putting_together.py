"""Pictures side by side, in collages and laid over each other."""

from __future__ import annotations

import numpy as np
import PIL.Image
import PIL.ImageDraw
import pytest

from controlllm.toolbox import Context, ToolError
from controlllm.values import values_in
from tests.every_case import every_case
from tools.pictures.putting_together import make_collage, overlay_image, put_side_by_side

RED, GREEN, BLUE = (255, 0, 0), (0, 160, 0), (0, 0, 255)
Size = tuple[int, int]


def _plain(size: Size, colour: tuple[int, ...]) -> PIL.Image.Image:
    return PIL.Image.new("RGB" if len(colour) == 3 else "RGBA", size, colour)


def _circle(size: int) -> PIL.Image.Image:
    shown = PIL.Image.new("RGBA", (size, size), (0, 0, 0, 0))
    PIL.ImageDraw.Draw(shown).ellipse((0, 0, size - 1, size - 1), fill=(*BLUE, 255))
    return shown


def test_side_by_side_at_the_smaller_height() -> None:
    shown = put_side_by_side([_plain((200, 100), RED), _plain((300, 300), BLUE)])
    assert shown.size == (300, 100)
    assert shown.getpixel((100, 50)) == RED and shown.getpixel((250, 50)) == BLUE
    assert shown.getpixel((198, 50)) == RED and shown.getpixel((202, 50)) == BLUE


def test_one_above_the_other_with_a_coloured_gap() -> None:
    pictures = [_plain((100, 50), RED), _plain((200, 300), BLUE), _plain((100, 100), GREEN)]
    shown = put_side_by_side(pictures, direction="vertical", gap=10, colour="#ffff00")
    assert shown.size == (100, 50 + 10 + 150 + 10 + 100)
    assert [shown.getpixel((50, y)) for y in (20, 55, 100, 215, 300)] == [
        RED, (255, 255, 0), BLUE, (255, 255, 0), GREEN,
    ]  # fmt: skip


def test_a_colour_alone_makes_a_gap() -> None:
    shown = put_side_by_side([_plain((200, 200), RED)] * 2, colour="#ffffff")
    assert shown.width > 400 and shown.getpixel((shown.width // 2, 100)) == (255, 255, 255)


def test_a_tiny_picture_does_not_make_all_tiny() -> None:
    shown = put_side_by_side([_plain((30, 30), RED), _plain((800, 600), BLUE)])
    assert shown.height == 600


def test_a_circle_stays_a_circle_and_clear_around() -> None:
    shown = put_side_by_side([_circle(100), _plain((400, 200), RED)])
    assert shown.mode == "RGBA" and shown.height == 100
    assert shown.getpixel((1, 1))[3] == 0 and shown.getpixel((50, 50)) == (*BLUE, 255)
    alpha = np.asarray(shown.getchannel("A"))[:, :100] > 127
    assert abs(int(alpha.any(axis=0).sum()) - int(alpha.any(axis=1).sum())) <= 1


def test_grey_pictures_make_a_grey_one() -> None:
    pair = [PIL.Image.new("L", (50, 50), 9), PIL.Image.new("L", (50, 50), 200)]
    assert put_side_by_side(pair).mode == "L"
    assert put_side_by_side([*pair, _plain((50, 50), RED)]).getpixel((125, 25)) == RED


def test_slivers_and_large_pictures_stay_bounded() -> None:
    images = [_plain((1, 1), RED), _plain((300, 1), GREEN), _plain((4000, 3000), BLUE)]
    shown = put_side_by_side(images)
    assert shown.width * shown.height <= 45_000_000
    assert put_side_by_side(images[:2]).size == (301, 1)


@every_case("tool", [put_side_by_side, make_collage])
@every_case("count", [0, 1])
def test_one_picture_is_not_several(tool, count: int) -> None:
    with pytest.raises(ToolError, match="Give two or more"):
        tool([_plain((50, 50), RED)] * count)


def test_a_collage_has_its_pictures_in_order_in_cells_of_one_size() -> None:
    colours = [RED, GREEN, BLUE, (250, 250, 0), (0, 250, 250), (250, 0, 250)]
    shown = make_collage([_plain((300, 200), each) for each in colours], columns=3, gap=12)
    assert shown.size == (3 * 300 + 4 * 12, 2 * 200 + 3 * 12)
    seen = [
        shown.getpixel((12 + 312 * column + 150, 12 + 212 * row + 100))
        for row in (0, 1)
        for column in (0, 1, 2)
    ]
    assert seen == colours
    assert shown.getpixel((5, 5)) == (255, 255, 255) and shown.getpixel((318, 100)) == (255,) * 3


@every_case(
    ("count", "grids"),
    [
        (2, {(2, 1), (1, 2)}),
        (4, {(2, 2)}),
        (6, {(3, 2), (2, 3)}),
        (9, {(3, 3)}),
        (12, {(4, 3), (3, 4)}),
    ],
)
def test_a_grid_without_empty_places_is_chosen(count: int, grids: set[Size]) -> None:
    shown = np.asarray(make_collage([_plain((90, 60), RED)] * count, colour="#000000"))
    red = (shown == RED).all(axis=2)
    row, column = red[:, red.any(axis=0).argmax() + 5], red[red.any(axis=1).argmax() + 5]
    starts = tuple(int((np.diff(line.astype(int)) == 1).sum()) for line in (column, row))
    assert starts in grids


def test_a_last_row_that_is_not_full_stands_in_the_middle() -> None:
    shown = np.asarray(make_collage([_plain((100, 100), RED)] * 3, columns=2, colour="#000000"))
    last = np.flatnonzero((shown[-60] == RED).all(axis=1))
    assert abs((last[0] + last[-1]) / 2 - shown.shape[1] / 2) < 2


def test_other_shapes_are_cropped_and_very_different_ones_shown_whole() -> None:
    striped = _plain((400, 300), RED)
    striped.paste(BLUE, (0, 0, 400, 20))
    usual = _plain((300, 300), GREEN)
    narrow = _plain((60, 600), RED)
    PIL.ImageDraw.Draw(narrow).rectangle((0, 0, 59, 59), fill=BLUE)
    shown = np.asarray(make_collage([usual, usual, narrow], columns=3, gap=6, colour="#ffff00"))
    part = shown[:, 2 * (shown.shape[1] // 3) :]
    blue = (part == BLUE).all(axis=2)
    yellow = (part == (255, 255, 0)).all(axis=2)
    assert blue.any() and yellow.mean() > 0.6  # all of it is seen, with the ground beside it
    shown = np.asarray(make_collage([usual, usual, striped], columns=3, gap=6, colour="#ffff00"))
    part = shown[8:-8, 2 * (shown.shape[1] // 3) + 8 : -8]
    assert not (part == (255, 255, 0)).all(axis=2).any()  # it fills its place


@every_case(
    ("size", "expected"),
    [("1000x700", (1000, 700)), ("1200x", (1200, None)), ("max640", (None, None))],
)
def test_a_collage_has_the_size_that_was_said(size: str, expected: tuple) -> None:
    shown = make_collage([_plain((300, 200), RED)] * 4, size=size)
    assert all(told in (None, side) for told, side in zip(expected, shown.size, strict=True))
    if size == "max640":
        assert max(shown.size) == 640


def test_a_collage_tells_how_far_it_is_and_refuses_what_is_too_large() -> None:
    told: list[float] = []
    make_collage([_plain((50, 50), RED)] * 4, context=Context(lambda at, _: told.append(at)))
    assert len(told) == 4
    with pytest.raises(ToolError, match="too large"):
        make_collage([_plain((50, 50), RED)] * 4, size="90000x90000")
    with pytest.raises(ToolError, match="no room"):
        make_collage([_plain((50, 50), RED)] * 4, size="40x40", gap=30)


@every_case(
    ("place", "corner"),
    [
        ("", (500, 330)),
        ("top left", (100, 70)),
        ("bottom left", (100, 330)),
        ("centre", (300, 200)),
    ],
)
def test_a_logo_lies_at_its_place(place: str, corner: Size) -> None:
    shown = overlay_image(_plain((600, 400), RED), _circle(300), place=place)
    blue = (np.asarray(shown) == BLUE).all(axis=2)
    down, across = np.nonzero(blue)
    assert abs(across.mean() - corner[0]) < 60 and abs(down.mean() - corner[1]) < 60
    assert across.max() - across.min() + 1 == pytest.approx(120, abs=2)
    assert shown.size == (600, 400) and shown.mode == "RGB"
    # Around the circle the picture is seen, not the corners of the logo.
    assert (np.asarray(shown)[~blue][:, 1] < 5).all()


def test_scale_and_strength_of_a_logo() -> None:
    shown = overlay_image(_plain((600, 400), RED), _plain((90, 30), BLUE), "centre", 50, 50)
    changed = (np.asarray(shown) != RED).any(axis=2)
    assert changed.any(axis=0).sum() == 300 and changed.any(axis=1).sum() == 100
    assert shown.getpixel((300, 200)) == pytest.approx((127, 0, 128), abs=2)


def test_a_logo_has_the_size_that_was_said_and_the_photo_stays_as_it_was() -> None:
    kinds = {item.name: item.kind for item in overlay_image.tool.parameters if item.kind}
    for side, said, share in (
        (800, "put the logo in the bottom right corner", 0.2),
        (800, "the logo bottom right, not too big", 0.15),
        (800, "the logo small at the bottom right", 0.12),
        (800, "bottom right, 15 % wide", 0.15),
        (800, "bottom right at scale 0.15", 0.15),
        (800, "bottom right, 120 px wide", 120 / 800),
        (4000, "bottom right, 15 % wide", 0.15),
        (4000, "bottom right, 120 px wide", 120 / 4000),
    ):
        photo = PIL.Image.radial_gradient("L").resize((side, side * 3 // 4)).convert("RGB")
        shown = np.asarray(overlay_image(photo, _plain((300, 200), BLUE), **values_in(said, kinds)))
        blue = (shown == BLUE).all(axis=2)
        down, across = np.nonzero(blue)
        assert np.ptp(across) + 1 == pytest.approx(share * side, abs=2), said
        assert side - across.max() - 1 == pytest.approx(0.03 * 0.75 * side, abs=2)
        assert (shown[~blue] == np.asarray(photo)[~blue]).all()
    assert overlay_image(photo, _plain((9, 9), BLUE), scale=0.15).size == photo.size


def test_a_tall_logo_stays_inside() -> None:
    shown = overlay_image(_plain((900, 300), RED), _plain((50, 500), BLUE), "left", scale=80)
    blue = (np.asarray(shown) == BLUE).all(axis=2)
    assert blue.any(axis=1).sum() <= 300 and blue.any(axis=0).sum() < 60


def test_clear_pictures_stay_clear_and_grey_ones_take_colours() -> None:
    clear = overlay_image(PIL.Image.new("RGBA", (200, 200), (0, 0, 0, 0)), _circle(50))
    assert clear.mode == "RGBA" and clear.getpixel((5, 5))[3] == 0
    assert (np.asarray(clear)[..., 3] == 255).any()
    grey = overlay_image(PIL.Image.new("L", (200, 200), 80), _plain((9, 9), BLUE))
    assert grey.mode == "RGB" and (np.asarray(grey) == BLUE).all(axis=2).any()
    tiny = overlay_image(_plain((1, 1), RED), _plain((900, 900), BLUE))
    assert tiny.getpixel((0, 0)) == pytest.approx(BLUE, abs=2)


def test_a_logo_of_which_nothing_is_seen_is_refused() -> None:
    with pytest.raises(ToolError, match="all clear"):
        overlay_image(_plain((9, 9), RED), PIL.Image.new("RGBA", (9, 9), (0, 0, 0, 0)))
