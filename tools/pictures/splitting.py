"""A picture cut into several."""

from __future__ import annotations

import re
from typing import Annotated

from controlllm.resources import Image, ImageFiles
from controlllm.toolbox import Context, ToolError, tool
from controlllm.values import Choice

from ..shared import members
from ..shared.said_pieces import GRID, PIECES
from .embedded import laid_apart

_MOST = 100


@tool(
    domain="image-editing",
    examples=[
        "Cut my panorama into three equal pieces.",
        "Split the picture into a 3x3 grid for Instagram.",
        "Slice this image in half, left and right as two files.",
        "Divide the photo into four strips one below the other.",
        "Cut the scan down the middle, it shows two pages.",
        "I want the poster as 2 rows and 3 columns of tiles.",
        "Chop the screenshot into 5 parts from top to bottom.",
        "Give me the four quarters of the picture as separate files.",
    ],
)
def split_image(
    image: Image,
    grid: Annotated[str, GRID] = "",
    way: Annotated[
        str,
        Choice(
            beside="side_by_side next_to_each_other left_to_right left_and_right vertical "
            "vertically columns upright across widthwise down_the_middle left_and_a_right",
            below="below_each_other one_below_the_other on_top_of_each_other top_to_bottom "
            "top_and_bottom upper_and_lower horizontal horizontally rows stacked lengthwise "
            "one_under_the_other above_each_other",
        ),
    ] = "",
    count: Annotated[int, PIECES] = 0,
    context: Context | None = None,
) -> ImageFiles:
    """Cut a picture into equal pieces, each a picture of its own: beside each other, below each
    other, or in a grid; a scan of several photos into these photos.

    Args:
        image: the picture to cut
        grid: rows and columns, such as 3x3
        way: whether they lie beside or below each other; along the longer side where nothing is
            said
        count: how many pieces; two where nothing is said
        returns: the pieces, from the upper left on
    """
    context = context or Context()
    if not grid:
        photos = laid_apart.find(image)
        if photos and count in (0, len(photos)):
            context.remark(
                f"The picture shows {len(photos)} photos that lie apart, so they were cut out; for "
                "equal pieces say rows and columns, such as 1x2."
            )
            return tuple(
                members.picture(f"{number}", image.crop(box), context)
                for number, box in enumerate(photos, 1)
            )
    rows, columns = _rows_and_columns(image.size, grid, count, way)
    if rows * columns > _MOST:
        raise ToolError(
            f"That would be {rows * columns:,} pieces, and at most {_MOST} are cut at once. Ask "
            "for fewer."
        )
    if rows * columns < 2:
        raise ToolError("One piece is the whole picture. Say into how many to cut it, such as 3.")
    if image.height < rows or image.width < columns:
        raise ToolError(
            f"The picture has only {image.width} × {image.height} pixels, too few for so many "
            "pieces. Ask for fewer."
        )
    across = [round(image.width * place / columns) for place in range(columns + 1)]
    down = [round(image.height * place / rows) for place in range(rows + 1)]
    made = []
    for number in range(rows * columns):
        context.progress(number / (rows * columns), f"Piece {number + 1}")
        row, column = divmod(number, columns)
        box = (across[column], down[row], across[column + 1], down[row + 1])
        name = f"row {row + 1} column {column + 1}" if min(rows, columns) > 1 else f"{number + 1}"
        made.append(members.picture(name, image.crop(box), context))
    return tuple(made)


def _rows_and_columns(size: tuple[int, int], grid: str, count: int, way: str) -> tuple[int, int]:
    told = re.fullmatch(r"(\d+)x(\d+)", grid)
    if told and not (way and count):
        return int(told[1]), int(told[2])
    many = max(count, 0) or 2
    is_below = way == "below" if way else size[1] > size[0]
    return (many, 1) if is_below else (1, many)
