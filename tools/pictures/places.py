"""Changes at a place that was pointed at: a changed part put back, things moved to other places."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import PIL.Image

from controlllm.resources import Image, Mask
from controlllm.toolbox import Context, ToolError, tool

from ..shared.pixels import bounds, covered, rgb, with_alpha_of

if TYPE_CHECKING:
    from collections.abc import Callable


@tool(
    domain="image-editing",
    places="back",
    examples=[
        "Put the changed part back into the picture.",
        "Keep the change only inside the mask and restore the rest.",
        "Merge the edited region into the original photo.",
        "Outside the mask everything stays as it was.",
        "Limit the effect to the marked area.",
        "Paste the new version of this part over the old one.",
        "Undo the edit everywhere but here.",
    ],
    packages=("cv2",),
)
def put_back(image: Image, changed: Image, mask: Mask, outside: bool = False) -> Image:
    """Put a changed part back into its picture: inside the mask the changed picture is seen, around
    it the picture as it was.

    Args:
        image: the picture as it was
        changed: the same picture, changed
        mask: where the change is kept
        outside: whether the change is kept around the mask instead
    """
    from ..masks.embedded import matting

    if changed.size != image.size:
        raise ToolError(
            f"The changed picture is {changed.width}x{changed.height} pixels and the one it came "
            f"from {image.width}x{image.height}: its parts no longer lie where they were, so none "
            "can be put back. Ask for the part alone instead, cut out."
        )
    picture = rgb(image)
    alpha = matting.soft_edge(picture, covered(mask, image))
    if outside:
        alpha = 1 - alpha
    return with_alpha_of(PIL.Image.fromarray(matting.blended(rgb(changed), picture, alpha)), image)


@tool(
    domain="image-editing",
    places="moves",
    examples=[
        "Put the first thing where the second one is.",
        "Move the cup to the place of the plate.",
        "Replace this object with that one from the other photo.",
        "Swap the two things that I marked.",
        "Copy the dog from the first picture into the marked spot of the second.",
        "Paste the marked person over the marked car.",
        "Let these two change places.",
    ],
    packages=("cv2", "onnxruntime", "scipy"),
    memory="300 MiB",
)
def put_where(  # noqa: PLR0913
    image: Image,
    mask: Mask,
    thing: Image,
    thing_mask: Mask | None = None,
    swaps: bool = False,
    copies: bool = False,
    over: bool = False,
    context: Context | None = None,
) -> Image:
    """Put a thing where another one is marked: it is cut out of its picture, made as large as what
    was there, and what was there goes. In one picture the thing moves, and its old place is filled.

    Args:
        image: the picture into which it is put
        mask: the place, and what is there now
        thing: the picture of the thing that is put there
        thing_mask: the thing in that picture, or all of it
        swaps: whether what was there goes where the thing was
        copies: whether the thing stays at its old place, too
        over: whether what was there stays, under the thing
    """
    report = (context or Context()).progress
    place = covered(mask, image)
    target, source = rgb(image), rgb(thing)
    whole = np.ones(source.shape[:2], bool)
    own = covered(thing_mask, thing) if thing_mask else _seen(thing, whole)
    is_one_picture = thing_mask is not None and np.array_equal(target, source)
    report(0.05, "Cutting it out")
    moved = _cut(source, own)
    back = _cut(target, place) if swaps and is_one_picture else None
    holes = [] if over else [place]
    if is_one_picture and not copies:
        holes.append(own)
    filled = _without(image, target, holes, lambda share, words: report(0.1 + 0.75 * share, words))
    report(0.9, "Putting it there")
    result = _pasted(filled, *moved, _centre_box(place))
    if back is not None:
        result = _pasted(result, *back, _centre_box(own))
    return with_alpha_of(PIL.Image.fromarray(result), image)


def _seen(thing: PIL.Image.Image, whole: np.ndarray) -> np.ndarray:
    """What of a picture without a mask is not transparent."""
    if thing.mode != "RGBA":
        return whole
    seen = np.asarray(thing.getchannel("A")) > 127
    return seen if seen.any() else whole


def _cut(picture: np.ndarray, own: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A thing and how much of each pixel belongs to it, cut to its bounds."""
    from ..masks.embedded import matting

    corners = bounds(own)
    assert corners is not None
    left, top, right, bottom = corners
    alpha = own.astype(np.float32) if own.all() else matting.soft_edge(picture, own)
    part = (slice(top, bottom), slice(left, right))
    return picture[part], alpha[part]


def _without(
    image: PIL.Image.Image,
    picture: np.ndarray,
    holes: list[np.ndarray],
    progress: Callable[[float, str], None],
) -> np.ndarray:
    """A picture with the things in these places removed."""
    if not holes:
        return picture
    import cv2

    from .embedded import patch_fill

    hole = np.logical_or.reduce(holes)
    reach = max(2, round(0.012 * max(hole.shape)))
    grown = cv2.distanceTransform((~hole).astype(np.uint8), cv2.DIST_L2, 3) <= reach
    if grown.all():
        return picture
    others = patch_fill.other_objects(image, picture, grown)
    return patch_fill.fill(picture, grown, others, progress)


def _centre_box(place: np.ndarray) -> tuple[int, int, int, int]:
    corners = bounds(place)
    assert corners is not None
    return corners


def _pasted(
    picture: np.ndarray, thing: np.ndarray, alpha: np.ndarray, box: tuple[int, int, int, int]
) -> np.ndarray:
    """A picture with a thing in a box, as large as fits there, standing on its lower side."""
    import cv2

    left, top, right, bottom = box
    height, width = alpha.shape
    scale = min((right - left) / width, (bottom - top) / height)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    small = cv2.resize(thing, size, interpolation=how)
    share = np.clip(cv2.resize(alpha, size, interpolation=how), 0, 1)[..., None]
    x, y = (left + right - size[0]) // 2, bottom - size[1]
    result = picture.copy()
    part = result[y : y + size[1], x : x + size[0]]
    part[:] = np.clip((small * share + part * (1 - share)).round(), 0, 255)
    return result
