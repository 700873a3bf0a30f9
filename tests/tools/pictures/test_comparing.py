"""What differs between two pictures."""

from __future__ import annotations

import io

import numpy as np
import PIL.Image
import PIL.ImageDraw
import pytest
import skimage.data

from controlllm.toolbox import ToolError
from tests.every_case import every_case
from tools.pictures.comparing import image_difference
from tools.shared.lettering import draw_words

STRONG = (255, 0, 110)


def _photo(name: str) -> PIL.Image.Image:
    return PIL.Image.fromarray(getattr(skimage.data, name)()).convert("RGB")


def _saved(picture: PIL.Image.Image, quality: int) -> PIL.Image.Image:
    file = io.BytesIO()
    picture.save(file, "JPEG", quality=quality)
    return PIL.Image.open(file).convert("RGB")


def _marked(shown: PIL.Image.Image) -> np.ndarray:
    return (np.abs(np.asarray(shown, int) - STRONG) < 6).all(axis=2)


def _changed(picture: PIL.Image.Image) -> PIL.Image.Image:
    changed = picture.copy()
    PIL.ImageDraw.Draw(changed).ellipse((30, 300, 60, 330), fill="green")
    PIL.ImageDraw.Draw(changed).rectangle((400, 100, 420, 180), fill=(200, 190, 190))
    return changed


@every_case("way", ["as it is", "saved as JPEG", "larger"])
def test_each_change_is_marked_and_the_rest_is_pale(way: str) -> None:
    photo = _photo("astronaut")
    other = _changed(photo)
    if way == "saved as JPEG":
        other = _saved(other, 60)
    elif way == "larger":
        other = other.resize((700, 700))
    shown = image_difference(photo, other)
    assert shown.size == photo.size
    marked = _marked(shown)
    for left, top, right, bottom in ((30, 300, 60, 330), (400, 100, 420, 180)):
        assert marked[top - 12 : bottom + 12, left - 12 : right + 12].sum() > 60
        inside = np.asarray(shown)[top + 3 : bottom - 3, left + 3 : right - 3]
        kept = np.asarray(photo)[top + 3 : bottom - 3, left + 3 : right - 3]
        assert (inside == kept).all()
    marked[286:344, 16:74] = marked[86:194, 386:434] = False
    assert not marked.any()
    pale = np.asarray(shown)[400:500, 100:200].astype(int)
    assert np.ptp(pale, axis=2).max() < 12


def test_another_number_on_a_page_is_found() -> None:
    page = PIL.Image.new("RGB", (1200, 800), "white")
    shown = image_difference(
        draw_words(page, "Total 120 Euro", "centre"), draw_words(page, "Total 170 Euro", "centre")
    )
    marked = _marked(shown)
    down, across = np.nonzero(marked)
    assert across.max() - across.min() < 90 and 370 < down.mean() < 430


def test_one_pixel_is_found() -> None:
    photo = _photo("coffee")
    other = photo.copy()
    other.putpixel((300, 200), (250, 0, 250))
    marked = _marked(image_difference(photo, other))
    assert marked[190:211, 290:311].sum() == marked.sum() > 8


def test_a_shifted_photo_differs_only_where_it_changed() -> None:
    photo = _photo("coffee")
    other = PIL.Image.new("RGB", photo.size)
    other.paste(photo, (7, 4))
    PIL.ImageDraw.Draw(other).ellipse((300, 300, 340, 340), fill="blue")
    marked = _marked(image_difference(photo, other))
    down, across = np.nonzero(marked)
    assert across.min() > 280 and across.max() < 350 and down.min() > 280 and down.max() < 350


@every_case("name", ["astronaut", "coffee", "rocket"])
@every_case("quality", [50, 85])
def test_saving_anew_is_no_difference(name: str, quality: int) -> None:
    photo = _photo(name)
    with pytest.raises(ToolError, match="nothing differs, but for traces"):
        image_difference(photo, _saved(photo, quality))


def test_equal_pictures_are_told_to_be_equal() -> None:
    photo = _photo("coffee")
    with pytest.raises(ToolError, match=r"^The two pictures show the same; nothing differs\.$"):
        image_difference(photo, photo.copy())


def test_other_shapes_are_refused() -> None:
    with pytest.raises(ToolError, match="different shapes, 600x400 and 512x512"):
        image_difference(_photo("coffee"), _photo("astronaut"))


def test_what_became_clear_differs() -> None:
    whole = PIL.Image.new("RGBA", (60, 60), (255, 255, 255, 255))
    hole = whole.copy()
    hole.paste((255, 255, 255, 0), (20, 20, 40, 40))
    marked = _marked(image_difference(whole, hole))
    assert marked[10:50, 10:50].sum() == marked.sum() > 40
