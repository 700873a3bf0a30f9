"""What differs between two pictures of the same thing."""

from __future__ import annotations

import numpy as np
import PIL.Image

from controlllm.resources import Image
from controlllm.toolbox import Context, ToolError, tool

from ..shared.pixels import rgb

#: The size at which pictures are compared, and how far apart two shapes may be.
_SIDE, _OTHER_SHAPE = 1600, 0.03
#: From which step of 255 on a pixel differs, after the grain of photos is smoothed away.
_DIFFERS = 15.0
_FEW = 0.002
_GRAIN, _COLOUR_GRAIN = 1.0, 2.0
#: How much two photos may be shifted against each other, of their side.
_SHIFTED = 0.04
_MOST_BOXES = 40
_MARK, _RIM = (255, 0, 110), (255, 255, 255)
_SAME = "The two pictures show the same; nothing differs"


@tool(
    domain="image-processing",
    examples=[
        "What is different between these two pictures?",
        "Mark the changes between the old and the new screenshot.",
        "Spot the difference: circle what changed.",
        "Compare the two photos and show me where they differ.",
        "Did anything move between the first and the second image? Show it.",
        "Highlight what was altered in the second version of the plan.",
        "Solve this find-the-differences puzzle.",
    ],
    packages=("cv2", "scipy"),
)
def image_difference(image: Image, other: Image, context: Context | None = None) -> Image:
    """Show where two pictures differ: what changed between them is marked.

    Args:
        image: the picture as it was
        other: the picture that it is compared with
    """
    first, second = image.width / image.height, other.width / other.height
    slack = _OTHER_SHAPE + 2 / min(*image.size, *other.size)
    if abs(first - second) > slack * max(first, second):
        raise ToolError(
            f"The pictures have different shapes, {image.width}x{image.height} and {other.width}x"
            f"{other.height} pixels, so they cannot be laid over each other. Crop them to the same "
            "part first."
        )
    (context or Context()).progress(0.1, "Comparing the pictures")
    scale = min(1.0, _SIDE / max(image.size))
    size = (max(1, round(image.width * scale)), max(1, round(image.height * scale)))
    one, two = (_for_comparing(each, size) for each in (image, other))
    apart = _apart(one, _aligned(one, two))
    changed = apart > _DIFFERS
    if not changed.any():
        # A few pixels that differ among equal ones were changed by hand, not by saving.
        exactly = (one != two).any(axis=2)
        changed = exactly if exactly.mean() < _FEW else changed
    if not changed.any():
        most = float(np.abs(one - two).max())
        traces = "" if most == 0 else ", but for traces too faint to see, as saving leaves them"
        raise ToolError(f"{_SAME}{traces}.")
    boxes = _boxes(changed)
    return _marked(image, [tuple(side / scale for side in box) for box in boxes])


def _for_comparing(image: PIL.Image.Image, size: tuple[int, int]) -> np.ndarray:
    """Colours and clearness of a picture in a size, as floats."""
    if image.size != size:
        how = PIL.Image.Resampling.BOX if size[0] < image.width else PIL.Image.Resampling.BICUBIC
        image = image.resize(size, how)
    alpha = image.getchannel("A") if image.mode == "RGBA" else PIL.Image.new("L", size, 255)
    return np.dstack([rgb(image), np.asarray(alpha)]).astype(np.float32)


def _aligned(one: np.ndarray, two: np.ndarray) -> np.ndarray:
    """The second picture, shifted onto the first where that makes them more alike."""
    import cv2

    height, width = one.shape[:2]
    if min(height, width) < 32:
        return two
    greys = [np.ascontiguousarray(each[..., :3].mean(axis=2)) for each in (one, two)]
    window = cv2.createHanningWindow((width, height), cv2.CV_32F)
    (across, down), _ = cv2.phaseCorrelate(greys[1], greys[0], window)
    if not 0.4 < max(abs(across), abs(down)) < _SHIFTED * min(height, width):
        return two
    shift = np.array([[1, 0, across], [0, 1, down]], np.float32)
    moved = cv2.warpAffine(two, shift, (width, height), borderMode=cv2.BORDER_REPLICATE)
    # Along the edges nothing of the second picture is seen: nothing is said of them.
    seen = cv2.warpAffine(np.ones((height, width), np.float32), shift, (width, height)) > 0.99
    moved[~seen] = one[~seen]
    before, after = (float(np.abs(one - each)[seen].mean()) for each in (two, moved))
    return moved if after < 0.7 * before else two


def _apart(one: np.ndarray, two: np.ndarray) -> np.ndarray:
    """How far the two differ at each pixel, in steps of 255, grain and thin edges aside."""
    soft = [_as_saved(each) for each in (one, two)]
    return np.maximum(_beyond(*soft), _beyond(*reversed(soft))).max(axis=2)


def _as_saved(picture: np.ndarray) -> np.ndarray:
    """How light, how red and how blue each pixel is, and how clear, without the fine grain of the
    colours, of which saving as JPEG leaves little."""
    import cv2

    light, red, blue = cv2.split(cv2.cvtColor(picture[..., :3].copy(), cv2.COLOR_RGB2YCrCb))
    if min(light.shape) >= 3:
        light = cv2.GaussianBlur(light, (0, 0), _GRAIN)
        red, blue = (cv2.GaussianBlur(each, (0, 0), _COLOUR_GRAIN) for each in (red, blue))
    return np.dstack([light, red, blue, picture[..., 3]])


def _beyond(one: np.ndarray, two: np.ndarray) -> np.ndarray:
    """How far each pixel lies outside of what the other picture has there and right beside it, so
    that an edge that saving has moved by a hair is no difference."""
    import cv2

    beside = np.ones((3, 3), np.uint8)
    above, below = one - cv2.dilate(two, beside), cv2.erode(two, beside) - one
    return np.maximum(np.maximum(above, below), 0)


def _boxes(changed: np.ndarray) -> list[tuple[int, int, int, int]]:
    """Boxes around what changed, changes close to each other in one; not more than can be seen."""
    import cv2
    from scipy import ndimage

    height, width = changed.shape
    reach = max(1, round(0.008 * max(height, width)))
    while True:
        kernel = np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)
        grown = cv2.dilate(changed.astype(np.uint8), kernel)
        groups, count = ndimage.label(grown)
        if count <= _MOST_BOXES or reach > max(height, width):
            break
        reach *= 2
    found = []
    for number, place in enumerate(ndimage.find_objects(groups), 1):
        own = changed[place] & (groups[place] == number)
        rows, columns = np.flatnonzero(own.any(axis=1)), np.flatnonzero(own.any(axis=0))
        top, left = place[0].start, place[1].start
        sides = (left + columns[0], top + rows[0], left + columns[-1] + 1, top + rows[-1] + 1)
        found.append(sides)
    return found


def _marked(image: PIL.Image.Image, boxes: list[tuple[float, ...]]) -> PIL.Image.Image:
    """The picture pale and grey but for what is in the boxes, each with a frame."""
    picture = PIL.Image.fromarray(rgb(image))
    grey = picture.convert("L").convert("RGB")
    shown = PIL.Image.blend(grey, PIL.Image.new("RGB", grey.size, (225, 228, 232)), 0.55)
    line = max(1, round(0.005 * max(image.size)))
    framed = []
    for box in boxes:
        left, top, right, bottom = (round(side) for side in box)
        sides = (max(left, 0), max(top, 0), min(right, image.width), min(bottom, image.height))
        sides = (min(sides[0], image.width - 1), min(sides[1], image.height - 1), *sides[2:])
        sides = (*sides[:2], max(sides[2], sides[0] + 1), max(sides[3], sides[1] + 1))
        shown.paste(picture.crop(sides), sides[:2])
        framed.append(sides)
    pixels = np.asarray(shown).copy()
    # Frames lie around what changed, so that they hide nothing of it unless it is at the edge.
    for colour, inner, outer in ((_RIM, 0, 2 * line + 1), (_MARK, line // 2 + 1, 2 * line)):
        for sides in framed:
            _frame(pixels, sides, inner + 1, outer + 1, colour)
    return PIL.Image.fromarray(pixels)


def _frame(
    pixels: np.ndarray,
    sides: tuple[int, int, int, int],
    inner: int,
    outer: int,
    colour: tuple[int, int, int],
) -> None:
    """Paint a frame that begins `inner` pixels outside of the sides and ends `outer` outside; at
    the picture's edge it moves inwards."""
    height, width = pixels.shape[:2]
    thick = outer - inner
    left, top = max(sides[0] - outer, 0), max(sides[1] - outer, 0)
    right, bottom = min(sides[2] + outer, width), min(sides[3] + outer, height)
    pixels[top : top + thick, left:right] = colour
    pixels[max(bottom - thick, 0) : bottom, left:right] = colour
    pixels[top:bottom, left : left + thick] = colour
    pixels[top:bottom, max(right - thick, 0) : right] = colour
