"""A picture with a colour profile is seen in the colours that viewers show."""

from __future__ import annotations

import io
import struct
from pathlib import Path

import numpy as np
import PIL.Image
import pytest
from PIL import ImageCms

from controlllm.resources import decode, encode
from controlllm.resources.picture_modes import PROFILE_NAME, in_usual_colours
from controlllm.ui import files

_RED, _BLUE = (200, 30, 40), (40, 30, 200)


def usual_profile() -> bytes:
    return ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()


def exchanged_profile() -> bytes:
    """A profile in which red stands for blue and blue for red."""
    profile = bytearray(usual_profile())
    count = struct.unpack(">I", profile[128:132])[0]
    places = {
        bytes(profile[place : place + 4]): place + 4 for place in range(132, 132 + 12 * count, 12)
    }
    red, blue = places[b"rXYZ"], places[b"bXYZ"]
    profile[red : red + 8], profile[blue : blue + 8] = (
        profile[blue : blue + 8],
        profile[red : red + 8],
    )
    return bytes(profile)


def stored(folder: Path, picture: PIL.Image.Image, format_name: str, profile: bytes) -> Path:
    path = folder / f"picture.{format_name.lower()}"
    picture.save(path, format_name, icc_profile=profile)
    return path


@pytest.mark.parametrize("format_name", ["PNG", "JPEG", "WEBP"])
def test_tools_see_what_viewers_show(tmp_path: Path, format_name: str) -> None:
    picture = PIL.Image.new("RGB", (32, 32), _BLUE)
    seen = decode("image", stored(tmp_path, picture, format_name, exchanged_profile()))
    assert np.abs(np.subtract(seen.getpixel((16, 16)), _RED)).max() < 8
    assert "icc_profile" not in seen.info and PROFILE_NAME in seen.info
    # What is made of it has these colours, too, and nothing says that they are others.
    content, _ = encode("image", seen)
    with PIL.Image.open(io.BytesIO(content)) as made:
        assert "icc_profile" not in made.info
        assert made.getpixel((16, 16)) == seen.getpixel((16, 16))


def test_transparency_and_grey_stay(tmp_path: Path) -> None:
    clear = PIL.Image.new("RGBA", (8, 8), (*_BLUE, 90))
    seen = decode("image", stored(tmp_path, clear, "PNG", exchanged_profile()))
    assert seen.mode == "RGBA" and seen.getpixel((0, 0))[3] == 90
    assert seen.getpixel((0, 0))[0] > 190
    grey = decode("image", stored(tmp_path, PIL.Image.new("L", (8, 8), 77), "PNG", usual_profile()))
    assert grey.mode == "L" and grey.getpixel((0, 0)) == 77


def test_usual_and_broken_profiles_change_nothing() -> None:
    for profile in (usual_profile(), b"not a profile", b""):
        picture = PIL.Image.new("RGB", (8, 8), _BLUE)
        picture.info["icc_profile"] = profile
        assert in_usual_colours(picture) is picture


@pytest.mark.parametrize("side", [40, 900])
def test_small_copies_for_the_page_show_the_same(tmp_path: Path, side: int) -> None:
    picture = PIL.Image.new("RGB", (side, side), _BLUE)
    path = stored(tmp_path, picture, "PNG", exchanged_profile())
    content = files.scaled(path, False, 32)
    assert content is not None
    with PIL.Image.open(io.BytesIO(content)) as small:
        red, _, blue = small.convert("RGB").getpixel((10, 10))
    assert red > 180 and blue < 60
