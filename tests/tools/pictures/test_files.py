"""Pictures in other file formats and sizes of file, and what their files tell."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import PIL.Image
import PIL.ImageFilter
import pytest

from controlllm.resources import Filed
from controlllm.resources.encoding import encode
from controlllm.toolbox import ToolError
from tests.every_case import every_case
from tools.pictures.files import convert_image, image_information, remove_metadata


def _photo(width: int = 800, height: int = 600, noise: float = 6.0) -> PIL.Image.Image:
    chance = np.random.default_rng(7)
    small = PIL.Image.fromarray(chance.integers(0, 256, (9, 12, 3), dtype=np.uint8))
    pixels = np.asarray(small.resize((width, height), PIL.Image.Resampling.BICUBIC), np.float32)
    pixels = pixels + chance.normal(0, noise, pixels.shape)
    return PIL.Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))


PHOTO, SMALL = _photo(), _photo(400, 300)


def _opened(result: Filed) -> PIL.Image.Image:
    encode("image", result)  # what is stored of it
    picture = PIL.Image.open(io.BytesIO(result.content))
    picture.load()
    return picture


def _apart(one: PIL.Image.Image, other: PIL.Image.Image) -> float:
    pixels = [np.asarray(picture.convert("RGB"), float) for picture in (one, other)]
    return float(np.abs(pixels[0] - pixels[1]).mean())


@every_case(
    ("format", "known", "media_type", "most"),
    [
        ("jpeg", "JPEG", "image/jpeg", 5),
        ("png", "PNG", "image/png", 0),
        ("webp", "WEBP", "image/webp", 5),
        ("avif", "AVIF", "image/avif", 6),
        ("tiff", "TIFF", "image/tiff", 0),
        ("gif", "GIF", "image/gif", 12),
        ("bmp", "BMP", "image/bmp", 0),
    ],
)
def test_each_format_opens_as_itself_and_shows_the_picture(
    format: str, known: str, media_type: str, most: float
) -> None:
    for picture in (SMALL, SMALL.convert("L")):
        result = convert_image(picture, format=format)
        opened = _opened(result)
        assert (opened.format, result.media_type) == (known, media_type)
        assert opened.size == SMALL.size and _apart(opened, picture) <= most


@every_case("format", ["png", "webp", "avif", "tiff", "gif", "ico"])
def test_transparency_is_kept_where_the_format_has_it(format: str) -> None:
    logo = PIL.Image.new("RGBA", (200, 200))
    logo.paste((200, 30, 30, 255), (50, 50, 150, 150))
    opened = _opened(convert_image(logo, format=format)).convert("RGBA")
    assert opened.getpixel((3, 3))[3] < 10
    red, green, _, alpha = opened.getpixel((opened.width // 2, opened.height // 2))
    assert alpha == 255 and red > 180 and green < 60


@every_case("format", ["jpeg", "bmp"])
def test_what_is_clear_is_white_where_a_format_has_no_transparency(format: str) -> None:
    logo = PIL.Image.new("RGBA", (200, 200), (0, 0, 0, 0))
    logo.paste((0, 0, 255, 255), (50, 50, 150, 150))
    opened = _opened(convert_image(logo, format=format))
    assert opened.mode == "RGB" and min(opened.getpixel((5, 5))) > 250
    assert opened.getpixel((100, 100))[2] > 245 > 10 > opened.getpixel((100, 100))[0]


def test_a_favicon_is_square_and_has_several_sizes() -> None:
    icon = _opened(convert_image(PHOTO, format="ico"))
    assert {(16, 16), (32, 32), (48, 48), (256, 256)} <= icon.info["sizes"]
    assert icon.convert("RGBA").getpixel((128, 3))[3] == 0
    assert _opened(convert_image(PIL.Image.new("RGB", (5, 9)), format="ico")).size == (16, 16)


def test_quality_makes_files_larger_and_better() -> None:
    files = [convert_image(PHOTO, format="jpeg", quality=q).content for q in (20.0, 60.0, 95.0)]
    assert len(files[0]) < len(files[1]) < len(files[2])
    apart = [_apart(PIL.Image.open(io.BytesIO(content)), PHOTO) for content in files]
    assert apart[0] > apart[1] > apart[2]


@every_case(
    ("photo", "format", "limit"),
    [
        (PHOTO, "jpeg", 100_000),
        (PHOTO, "jpeg", 60_000),
        (PHOTO, "jpeg", 20_000),
        (PHOTO, "", 60_000),
        (SMALL, "webp", 12_500),
        (SMALL, "avif", 10_000),
        (SMALL, "png", 75_000),
        (SMALL, "gif", 50_000),
        (PHOTO, "tiff", 900_000),
        (PHOTO, "bmp", 1_000_000),
        (PHOTO, "ico", 20_000),
    ],
)
def test_a_file_stays_under_its_limit_and_uses_it(
    photo: PIL.Image.Image, format: str, limit: int
) -> None:
    result = convert_image(photo, format=format, limit=float(limit))
    opened = _opened(result)
    assert limit * (0.6 if format != "ico" else 0.1) < len(result.content) <= limit
    assert format == "ico" or max(opened.size) >= 320
    scaled = photo.resize(opened.size, PIL.Image.Resampling.LANCZOS)
    assert format == "ico" or _apart(opened, scaled) < 14


def test_quality_goes_before_size() -> None:
    whole = len(convert_image(PHOTO, format="jpeg").content)
    assert _opened(convert_image(PHOTO, format="jpeg", limit=0.7 * whole)).size == PHOTO.size
    assert _opened(convert_image(PHOTO, format="jpeg", limit=0.1 * whole)).width < PHOTO.width


def test_a_file_that_fits_keeps_its_best_quality() -> None:
    free = convert_image(PHOTO, format="jpeg")
    assert _apart(_opened(convert_image(PHOTO, limit=9e6)), _opened(free)) == 0


def test_a_picture_with_clear_parts_stays_so_under_a_limit() -> None:
    photo = _photo(400, 300).convert("RGBA")
    photo.putalpha(PIL.Image.radial_gradient("L").resize((400, 300)))
    result = convert_image(photo, limit=20_000.0)
    assert len(result.content) <= 20_000 and result.media_type == "image/webp"
    assert _opened(result).mode == "RGBA"


@every_case(
    ("settings", "told"),
    [
        ({}, "Which file format"),
        ({"format": "heic"}, "HEIC cannot be written"),
        ({"format": "jpeg", "limit": 2_000.0}, "cannot be made smaller than 2 kB .* it has"),
        ({"format": "png", "limit": 9_000.0}, "ask for JPEG"),
        ({"format": "ico", "limit": 300.0}, "16 × 16"),
        ({"limit": 20.0}, "No picture fits into 20 bytes"),
    ],
)
def test_what_cannot_be_written_is_said(settings: dict, told: str) -> None:
    with pytest.raises(ToolError, match=told):
        convert_image(SMALL, **settings)


def test_a_side_that_is_too_long_for_a_format_is_said() -> None:
    with pytest.raises(ToolError, match="16,383"):
        convert_image(PIL.Image.new("L", (17_000, 3)), format="webp")


# --- what files tell ---


@pytest.fixture
def taken(tmp_path: Path) -> Path:
    """A photo with all that a camera notes."""
    exif = PIL.Image.Exif()
    exif[0x010F], exif[0x0110] = "Canon", "Canon EOS 80D"
    details = exif.get_ifd(0x8769)
    details[0x9003], details[0xA434] = "2021:05:03 17:45:00", "EF 50mm f/1.8"
    details[0x829A], details[0x829D], details[0x8827] = 0.004, 2.8, 200
    place = exif.get_ifd(0x8825)
    place[1], place[2] = "S", (33.0, 51.0, 25.2)
    place[3], place[4] = "E", (151.0, 12.0, 54.0)
    path = tmp_path / "photo.jpg"
    noted = b"<x:xmpmeta>secret</x:xmpmeta>"
    PHOTO.save(path, quality=85, exif=exif, comment=b"a secret", xmp=noted)
    return path


def test_the_facts_of_a_photo_are_told(taken: Path) -> None:
    with PIL.Image.open(taken) as picture:
        told = image_information(picture)
    for fact in (
        "800 × 600 pixels",
        "shape 4:3 (landscape)",
        "JPEG",
        "Canon EOS 80D",
        "EF 50mm",
        "1/250 s, f/2.8, ISO 200",
        "3 May 2021 at 17:45",
        "33.85700° south, 151.21500° east",
        "in colour",
        "Transparency: none",
    ):
        assert fact in told, fact
    assert "Canon Canon" not in told


@every_case(
    ("picture", "fact"),
    [
        (PIL.Image.new("RGB", (4000, 3000), "red"), "(12 megapixels), shape 4:3"),
        (PIL.Image.new("RGB", (1080, 1920)), "shape 9:16 (portrait)"),
        (PIL.Image.new("RGB", (1366, 768)), "shape about 16:9"),
        (PIL.Image.new("RGB", (500, 500)), "shape 1:1 (square)"),
        (PIL.Image.new("L", (9, 9)), "shades of grey"),
        (PHOTO.convert("L").convert("RGB"), "shades of grey"),
        (PIL.Image.new("RGB", (9, 9), "#102030"), "one colour, #102030"),
        (PIL.Image.new("RGBA", (50, 50)), "100 % of it is clear"),
        (PIL.Image.new("RGBA", (50, 50)), "background at its edge is see-through"),
        (PIL.Image.new("RGB", (50, 50), "white"), "background at its edge is white"),
        (PIL.Image.new("RGB", (1, 1)), "1 × 1 pixels"),
        (PHOTO, "says nothing of them"),
    ],
)
def test_the_facts_of_other_pictures(picture: PIL.Image.Image, fact: str) -> None:
    assert fact in image_information(picture)


def test_nonsense_that_a_file_notes_does_not_stop_it() -> None:
    exif = PIL.Image.Exif()
    exif[0x0110] = "Phone\x00\x01" + "x" * 5000
    details = exif.get_ifd(0x8769)
    details[0x9003] = "0000:00:00 00:00:00"
    exif.get_ifd(0x8825)[2] = (1.0,)
    picture = PHOTO.copy()
    picture.info["exif"] = exif.tobytes()
    told = image_information(picture)
    assert "Camera: Phone" in told and "Place" not in told and max(map(len, told.split("\n"))) < 300


def test_nothing_hidden_is_left_and_the_picture_is_the_same(taken: Path) -> None:
    with PIL.Image.open(taken) as picture:
        picture.load()
        result = remove_metadata(picture)
        opened = _opened(result)
        assert _apart(opened, picture) < 1.5
    assert result.media_type == "image/jpeg" and opened.size == PHOTO.size
    assert not dict(opened.getexif())
    for secret in (b"Canon", b"secret", b"Exif", b"xmp"):
        assert secret in taken.read_bytes() or secret == b"xmp"
        assert secret not in result.content
    assert len(result.content) < 1.1 * taken.stat().st_size


@every_case(
    ("picture", "media_type"),
    [
        (PHOTO, "image/jpeg"),
        (PHOTO.convert("L"), "image/jpeg"),
        (PHOTO.convert("RGBA"), "image/jpeg"),
        (PIL.Image.new("RGB", (300, 200), "red"), "image/png"),
        (PIL.Image.new("RGBA", (300, 200)), "image/png"),
        (PIL.Image.new("L", (1, 1)), "image/png"),
    ],
)
def test_photos_without_hidden_data_are_jpeg_and_others_exact(
    picture: PIL.Image.Image, media_type: str
) -> None:
    hidden = picture.copy()
    hidden.info |= {"exif": b"Exif\x00\x00II*\x00\x08\x00\x00\x00\x00\x00", "comment": b"secret"}
    result = remove_metadata(hidden)
    assert result.media_type == media_type and b"secret" not in result.content
    assert b"Exif" not in result.content and b"eXIf" not in result.content
    assert _apart(_opened(result), picture) <= (4 if media_type == "image/jpeg" else 0)


def test_a_photo_keeps_its_date_in_another_format_and_its_colours() -> None:
    from PIL import ImageCms

    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    exif = PIL.Image.Exif()
    exif[0x0110] = "Canon"
    picture = PHOTO.copy()
    picture.info = {"exif": exif.tobytes(), "icc_profile": profile}
    for format in ("jpeg", "png", "webp", "avif"):
        opened = _opened(convert_image(picture, format=format))
        assert opened.getexif()[0x0110] == "Canon" and opened.info["icc_profile"] == profile
    cleaned = _opened(remove_metadata(picture))
    assert not dict(cleaned.getexif()) and cleaned.info["icc_profile"] == profile
