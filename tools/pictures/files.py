"""Pictures in other file formats and sizes of file, and what their files tell."""

from __future__ import annotations

import io
import math

import numpy as np
import PIL.Image

from controlllm.resources import Filed, Image, Text
from controlllm.toolbox import Context, ToolError, tool
from controlllm.values import FileSize

from ..shared import moving
from .embedded import picture_files
from .embedded.said_values import Format, Quality

_ORIENTATION = 0x0112
#: A picture with fewer colours than this is a drawing, which JPEG would smear.
_PHOTO_COLOURS = 3000
_WITHOUT_DATA = 95
_LEAST_LIMIT = 100


@tool(
    domain="image-processing",
    sets_form=("format", "limit"),
    examples=[
        "Save it as JPEG.",
        "The upload takes at most 500 kB, make the photo small enough.",
        "I need a PNG of this picture.",
        "Turn the logo into a favicon.",
        "webp, quality 70",
        "Get the image below 2 MB for the form.",
        "Can I have this as a TIFF for the print shop?",
        "Compress the photo so that I can mail it, 300 kB or less.",
        "jpg instead of png please",
    ],
)
def convert_image(
    image: Image,
    format: Format = "",
    limit: FileSize = 0.0,
    quality: Quality = 0.0,
    context: Context | None = None,
) -> Image:
    """Save a picture in another file format (JPEG, PNG, WebP, AVIF, TIFF, GIF, BMP, ICO), in a
    quality, or so that its file stays under a size in kilobytes or megabytes.

    Args:
        image: the picture to save
        format: the file format; where nothing is said but a size or a quality, JPEG, or WebP where
            the picture is clear in places
        limit: bytes; the most that the file may take; its quality is lowered first, then its pixels
        quality: percent; the quality from 1 to 100, where the format has one
    """
    report = context or Context()
    frames = moving.frames_of(image) if format in ("", "gif", "webp") else []
    if frames and (format or limit):
        report.progress(0.05, "Writing the animation")
        return moving.within(frames, format or moving.kind_of(image), limit or math.inf)
    if image.mode == "RGBA" and image.getchannel("A").getextrema() == (255, 255):
        image = _opaque(image)
    if not format:
        if not limit and not quality:
            raise ToolError(
                "Which file format shall the picture have? Say one, such as JPEG or PNG, or how "
                "large its file may be."
            )
        format = "webp" if image.mode == "RGBA" else "jpeg"
    known = picture_files.FORMATS.get(format)
    if known is None:
        names = ", ".join(name for name, _, _ in picture_files.FORMATS.values())
        raise ToolError(f"{format.upper()} cannot be written here. These can be: {names}.")
    name, media_type, longest = known
    if max(image.size) > longest:
        raise ToolError(
            f"{name} takes at most {longest:,} pixels on a side, and this picture is "
            f"{image.width:,} × {image.height:,}. Make it smaller or choose PNG."
        )
    wanted = round(min(max(quality, 1.0), 100.0)) if quality else 0
    report.progress(0.05, f"Writing the {name}")
    if limit:
        if limit < _LEAST_LIMIT:
            raise ToolError(
                f"No picture fits into {picture_files.in_bytes(limit)}. Allow a larger file, such "
                "as 100 kB."
            )
        content = picture_files.within(
            image, format, limit, wanted, lambda done: report.progress(done, f"Fitting the {name}")
        )
    else:
        content = picture_files.written(image, format, wanted, _camera_data(image))
    return Filed(content, media_type)  # type: ignore[return-value]


@tool(
    domain="image-perception",
    examples=[
        "How many pixels does this picture have?",
        "When was the photo taken, and with which camera?",
        "Is the background of this PNG see-through or white?",
        "What size is the image, and is it 16:9?",
        "Where was this shot? Is there any GPS in it?",
        "How many megapixels is that?",
        "Which lens and shutter speed were used?",
        "Tell me the dimensions of the scan.",
        "How big is the file of this picture in kB?",
        "How many megabytes does the photo have?",
    ],
)
def image_information(image: Image) -> Text:
    """Tell how many pixels a file has, its megapixels, its format and whether it is transparent,
    and which camera took it, when and where.

    Args:
        image: the picture whose facts are told
        returns: the facts, one a line
    """
    from .embedded import picture_facts

    return "\n".join(picture_facts.facts(image))


@tool(
    domain="image-processing",
    examples=[
        "Remove the GPS from the photo.",
        "Strip everything hidden in the picture before I post it.",
        "No EXIF, please.",
        "Buyers must not see where I live from the photo's file.",
        "Take out the camera data and the date.",
        "Get rid of the geotag.",
        "Make the picture anonymous: no location, no phone model.",
    ],
)
def remove_metadata(image: Image) -> Image:
    """Take the hidden data out of a photo's file: camera, date, place where it was taken.

    Args:
        image: the photo whose file is cleaned
        returns: the same picture in a file that holds nothing else
    """
    if image.mode == "RGBA" and image.getchannel("A").getextrema() == (255, 255):
        image = _opaque(image)
    if image.mode == "RGBA" or not _is_photo(image):
        return Filed(picture_files.written(image, "png"), "image/png")  # type: ignore[return-value]
    if image.format == "JPEG":
        # As finely as it was written before, so that it neither grows nor loses.
        buffer = io.BytesIO()
        image.save(
            buffer,
            "JPEG",
            quality="keep",
            exif=b"",
            xmp=b"",
            comment=b"",
            icc_profile=image.info.get("icc_profile"),
            optimize=True,
        )
        content = buffer.getvalue()
    else:
        content = picture_files.written(image, "jpeg", _WITHOUT_DATA)
    return Filed(content, "image/jpeg")  # type: ignore[return-value]


def _opaque(image: PIL.Image.Image) -> PIL.Image.Image:
    """Without a transparency that nothing of it has."""
    return image.convert("RGB")


def _camera_data(image: PIL.Image.Image) -> bytes:
    """What the camera noted, which stays with a photo in another format."""
    noted = image.info.get("exif")
    if not isinstance(noted, bytes) or image.getexif().get(_ORIENTATION, 1) != 1:
        return b""
    return noted if len(noted) < 60_000 else b""


def _is_photo(image: PIL.Image.Image) -> bool:
    if image.format in ("JPEG", "MPO"):
        return True
    if image.mode == "L":
        return len(np.unique(np.asarray(image)[::2, ::2])) > 100 and min(image.size) > 64
    return image.getcolors(_PHOTO_COLOURS) is None
