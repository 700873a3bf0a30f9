"""Pictures and packed files under the names that people give them."""

from __future__ import annotations

import PIL.Image
import pytest
import skimage.data

from controlllm.toolbox import ToolError
from controlllm.values import values_in
from tests.every_case import every_case
from tools.naming import name_pictures
from tools.packing import zip_images
from tools.shared.members import names_for


def pictures(count: int) -> list[PIL.Image.Image]:
    return [PIL.Image.new("RGB", (9, 9), (place, 0, 0)) for place in range(count)]


@every_case(
    ("said", "names"),
    [
        ("call them trip_1 to trip_3", ["trip_1", "trip_2", "trip_3"]),
        ("rename the photos to holiday 01, holiday 02 and so on",
         ["holiday 01", "holiday 02", "holiday 03"]),
        ("name them “Anna 7” to “Anna 9” and zip them", ["Anna 7", "Anna 8", "Anna 9"]),
        ("please call the pictures peak, loco and bus", ["peak", "loco", "bus"]),
        ("name these garden with a running number", ["garden 1", "garden 2", "garden 3"]),
        ("dune1 dune2 dune3", ["dune1", "dune2", "dune3"]),
        ("New file names: front, left side, back, in that order", ["front", "left side", "back"]),
        ("vase-1, vase-2 and so on", ["vase-1", "vase-2", "vase-3"]),
        ("named coat_01 till coat_03", ["coat_01", "coat_02", "coat_03"]),
        ("numbered names poster_07 to 09", ["poster_07", "poster_08", "poster_09"]),
        ("rename them: 1 = front.jpg, 2 = rear.jpg, 3 = roof.jpg", ["front", "rear", "roof"]),
        ("rename the three originals teapot, bowl and mug set", ["teapot", "bowl", "mug set"]),
        ("call them a.png, b.png and c.png", ["a", "b", "c"]),
        ("the files need names, one each, thanks", []),
        ("rename all three oslo-1 up to 3", ["oslo-1", "oslo-2", "oslo-3"]),
        ("wall1 through wall3, all of them", ["wall1", "wall2", "wall3"]),
        ("call them peak and loco", []),
        ("make them smaller", []),
    ],
)  # fmt: skip
def test_names_are_read_as_they_are_said(said: str, names: list[str]) -> None:
    assert names_for(said, 3) == names


def test_pictures_get_the_names_that_are_told_in_their_order() -> None:
    made = name_pictures(pictures(3), "call them a_1 to a_3")
    assert [one.name for one in made] == ["a_1", "a_2", "a_3"]
    assert [one.value.getpixel((0, 0))[0] for one in made] == [0, 1, 2]
    with pytest.raises(ToolError, match="what the 3 pictures"):
        name_pictures(pictures(3), "give them good names")


def test_what_is_packed_is_named_as_it_was_said() -> None:
    kinds = {item.name: item.kind for item in zip_images.tool.parameters if item.kind}
    said = values_in("call them trip_1 to trip_2 and zip them up", kinds)
    assert [one.name for one in zip_images(pictures(2), **said)] == ["trip_1", "trip_2"]
    assert values_in("zip them up", kinds) == {}


@pytest.mark.long
def test_pictures_are_named_after_what_they_show() -> None:
    shown = [PIL.Image.fromarray(getattr(skimage.data, name)()) for name in ("chelsea", "coffee")]
    # What stands behind it are examples, and no names.
    said = "name each one after whats in it, mountain, train, that kind of thing"
    made = name_pictures([*shown, shown[0]], said)
    names = [one.name for one in made]
    assert names[0] in ("cat", "tabby cat", "Egyptian mau") and names[1] in ("cup", "espresso")
    assert len(set(names)) == 3 and names[2] == f"{names[0]} 2"
