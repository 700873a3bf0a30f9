"""Pages of pictures: each picture on a page of a PDF, photos as JPEG and drawings without loss."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import PIL.Image

from controlllm.toolbox import Context

#: Width and height of an upright sheet in points.
SHEETS = {"a4": (595.28, 841.89), "letter": (612.0, 792.0)}
_POINTS_AN_INCH = 72
#: Dots an inch of a picture that does not say how large it is to be printed.
_DOTS = 150
#: The longest and the shortest side of a page which is as large as its picture, in points.
_LONGEST, _SHORTEST = 841.89, 36.0
_MARGIN = 28.35
#: How much taller than wide an upright sheet is.
_TALLER = 1.41
_QUALITY = 90
#: A picture with fewer colours is a drawing, which JPEG would smear.
_COLOURS_OF_A_PHOTO = 4096


def pdf_of(
    images: Sequence[PIL.Image.Image], sheet: str, context: Context, on_page: str = ""
) -> bytes:
    """A PDF with a page for each picture: a sheet of the name, else as large as the picture; or
    with several on each sheet, such as 4 or 2x2 (rows and columns)."""
    import fpdf

    document = fpdf.FPDF(unit="pt")
    document.set_creator("ControlLLM")
    document.set_auto_page_break(False)
    rows, columns = _grid(on_page)
    if rows * columns > 1:
        _put_in_grids(document, images, SHEETS.get(sheet, SHEETS["a4"]), (rows, columns), context)
        return bytes(document.output())
    for number, image in enumerate(images):
        context.progress(number / len(images), f"Page {number + 1} of {len(images)}")
        width, height = _page_size(image, sheet)
        document.add_page(format=(width, height))
        room = (width, height)
        if sheet in SHEETS:
            room = (width - 2 * _MARGIN, height - 2 * _MARGIN)
        scale = min(room[0] / image.width, room[1] / image.height)
        across, down = image.width * scale, image.height * scale
        document.image(
            io.BytesIO(_file_of(image)), (width - across) / 2, (height - down) / 2, across, down
        )
    return bytes(document.output())


def _grid(on_page: str) -> tuple[int, int]:
    """Rows and columns of an upright sheet."""
    rows, _, columns = on_page.partition("x")
    if columns:
        return max(int(rows), 1), max(int(columns), 1)
    count = int(rows or 1)
    across = 1 if count < 4 else math.ceil(math.sqrt(count / _TALLER))
    return max(math.ceil(count / across), 1), across


def _put_in_grids(
    document: Any,
    images: Sequence[PIL.Image.Image],
    size: tuple[float, float],
    grid: tuple[int, int],
    context: Context,
) -> None:
    rows, columns = grid
    width, height = size
    room = ((width - (columns + 1) * _MARGIN) / columns, (height - (rows + 1) * _MARGIN) / rows)
    for number, image in enumerate(images):
        context.progress(number / len(images), f"Picture {number + 1} of {len(images)}")
        row, column = divmod(number % (rows * columns), columns)
        if not row and not column:
            document.add_page(format=size)
        scale = min(room[0] / image.width, room[1] / image.height)
        across, down = image.width * scale, image.height * scale
        left = _MARGIN + column * (room[0] + _MARGIN) + (room[0] - across) / 2
        top = _MARGIN + row * (room[1] + _MARGIN) + (room[1] - down) / 2
        document.image(io.BytesIO(_file_of(image)), left, top, across, down)


def _page_size(image: PIL.Image.Image, sheet: str) -> tuple[float, float]:
    if sheet in SHEETS:
        width, height = SHEETS[sheet]
        return (height, width) if image.width > image.height else (width, height)
    width, height = (side / _DOTS * _POINTS_AN_INCH for side in image.size)
    scale = min(_LONGEST / max(width, height), 1.0)
    scale = max(scale, _SHORTEST / max(width, height))
    # A page is never thinner than a hair, which some programs refuse to show.
    return max(width * scale, 3.0), max(height * scale, 3.0)


def _file_of(image: PIL.Image.Image) -> bytes:
    """The picture on white as a JPEG or, where it is no photo, as a PNG."""
    if "A" in image.getbands():
        white = PIL.Image.new("RGBA", image.size, "white")
        image = PIL.Image.alpha_composite(white, image.convert("RGBA")).convert("RGB")
    target = io.BytesIO()
    if _is_photo(image):
        image.save(target, "JPEG", quality=_QUALITY, optimize=True)
    else:
        image.save(target, "PNG")
    return target.getvalue()


def _is_photo(image: PIL.Image.Image) -> bool:
    small = image.copy()
    small.thumbnail((512, 512), PIL.Image.Resampling.NEAREST)
    pixels = np.asarray(small.convert("RGB")).reshape(-1, 3).astype(np.uint32)
    codes = pixels[:, 0] << 16 | pixels[:, 1] << 8 | pixels[:, 2]
    most = 200 if image.mode == "L" else min(_COLOURS_OF_A_PHOTO, len(codes) // 8)
    return len(np.unique(codes)) > max(most, 64)
