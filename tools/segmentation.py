"""Segmentation: which pixels belong to which object."""

from __future__ import annotations

import numpy as np
import PIL.Image

from controlllm.resources import (
    Box,
    ClickedPoint,
    Image,
    Mask,
    Points,
    Region,
    Segmentation,
)
from controlllm.toolbox import Context, ToolError, tool
from tools.models.pixels import bounds, rgb

_MOST_OBJECTS = 24
_MAP_SIDE = 1600


@tool(
    domain="image-perception",
    examples=[
        "Segment all objects in this picture.",
        "Cut out every instance and give me the masks.",
        "Outline each object with its own mask.",
        "I need pixel-accurate masks of everything you can recognise here.",
        "Separate the people and cars from the background.",
        "Do instance segmentation on this photo.",
        "Which pixels belong to which object?",
        "Find the objects and trace their shapes.",
    ],
    packages=("cv2", "onnxruntime"),
    memory="80 MiB",
)
def instance_segmentation(image: Image, context: Context | None = None) -> Mask:
    """Find the objects in a picture and give a pixel mask with a name for each of them.

    Where no object of a known kind is seen, the one that stands out is given as "object".

    Args:
        image: the picture to look at
    """
    from tools.models import detection, grabcut

    context = context or Context()
    context.progress(0.05, "Looking for objects")
    boxes = detection.detect(image)[:_MOST_OBJECTS]
    picture = rgb(image)
    regions = []
    for index, box in enumerate(boxes):
        context.progress(0.1 + 0.9 * index / len(boxes), f"Cutting out the {box.label}")
        pixels = grabcut.cut_box(picture, box)
        if pixels.any():
            regions.append(Region(pixels, box.label, box.score))
    return tuple(regions) or _standing_out(picture)


@tool(
    domain="image-perception",
    examples=[
        "Segment what I clicked on.",
        "Give me the mask of the thing at these points.",
        "Cut out the object under my click.",
        "Select the object I pointed at, but not the part I marked as wrong.",
        "Use my clicks to pick out the shape.",
        "I marked it with points; make a mask of it.",
        "Mask the region at the clicked position.",
    ],
    packages=("cv2", "onnxruntime", "skimage"),
    memory="80 MiB",
)
def segment_by_points(image: Image, points: Points, context: Context | None = None) -> Mask:
    """Give the mask of the object that the person clicked on; negative clicks take parts away.

    Args:
        image: the picture that was clicked on
        points: clicks on the object, and negative clicks on what does not belong to it
    """
    from tools.models import detection, grabcut, superpixels

    context = context or Context()
    _check_points(points, image)
    picture = rgb(image)
    if min(image.size) < 8:
        return (Region(np.ones(picture.shape[:2], bool), "", 0.5),)
    context.progress(0.1, "Looking at what was clicked")
    boxes = detection.detect(image, threshold=0.3)
    pieces = superpixels.fine(picture)
    front, back = _marks(pieces, points)
    start = np.zeros(front.shape, bool)
    labels: list[str] = []
    for index, point in enumerate(points):
        if not point.positive or start[int(point.y), int(point.x)]:
            continue
        context.progress(0.2 + 0.6 * index / len(points), "Following the object's outline")
        found, label = _object_at(picture, pieces, point, boxes, points)
        start |= found
        labels.append(label)
    pixels = start | front
    if back.any():
        context.progress(0.85, "Taking away what was marked")
        area = bounds(pixels)
        assert area is not None
        pixels = grabcut.cut_marked(picture, Box(*area), pixels & ~back, front, back)
        if pixels.sum() < 0.3 * (start & ~back).sum():  # too many alike colours to tell apart
            pixels = start & ~back | front
    return (Region(pixels, labels[0] if len(set(labels)) == 1 else "", 1.0),)


@tool(
    domain="image-perception",
    examples=[
        "Segment everything in this picture.",
        "Show me a colour map of all regions.",
        "Divide the photo into its parts, one colour each.",
        "Make a segmentation map of the whole scene.",
        "Colour every region of the image differently.",
        "Run segment anything on it.",
        "Split the image into segments.",
    ],
    packages=("cv2", "onnxruntime", "skimage"),
    memory="80 MiB",
)
def segment_anything(image: Image, context: Context | None = None) -> Segmentation:
    """Divide the whole picture into regions and show each in a colour of its own.

    Args:
        image: the picture to divide
    """
    from tools.models import detection, grabcut, superpixels

    context = context or Context()
    shown = image.copy()
    shown.thumbnail((_MAP_SIDE, _MAP_SIDE))
    picture = rgb(shown)
    if min(image.size) < 4:
        return PIL.Image.fromarray(_palette(1)[np.zeros((image.height, image.width), int)])
    context.progress(0.05, "Grouping pixels of like colour")
    regions = superpixels.merged(picture, superpixels.fine(picture))
    context.progress(0.3, "Looking for objects")
    boxes = sorted(detection.detect(shown), key=lambda box: -_area(box))[:8]
    for index, box in enumerate(boxes):
        context.progress(0.3 + 0.6 * index / len(boxes), f"Outlining the {box.label}")
        regions = np.where(grabcut.cut_box(picture, box), regions.max() + 1, regions)
    return PIL.Image.fromarray(_coloured(regions)).resize(image.size, PIL.Image.Resampling.NEAREST)


def _standing_out(picture: np.ndarray) -> tuple[Region, ...]:
    """What the foreground network sees where no object of a known kind is there."""
    import cv2

    from tools.models import foreground, grabcut

    if min(picture.shape[:2]) < 16:
        return ()
    likely = foreground.likelihood(picture)
    count, pieces, facts, _ = cv2.connectedComponentsWithStats((likely > 0.5).astype(np.uint8))
    regions = []
    for piece in range(1, count):
        left, top, width, height, area = (int(value) for value in facts[piece])
        if not 0.03 < area / likely.size < 0.9:
            continue
        pixels = grabcut.cut_box(picture, Box(left, top, left + width, top + height))
        if pixels.any():
            score = round(float(likely[pieces == piece].mean()), 3)
            regions.append(Region(pixels, "object", score))
    return tuple(regions)


def _check_points(points: tuple[ClickedPoint, ...], image: PIL.Image.Image) -> None:
    for point in points:
        if not (0 <= point.x < image.width and 0 <= point.y < image.height):
            raise ToolError(
                f"The click at ({point.x:g}, {point.y:g}) is outside the picture, which is "
                f"{image.width}x{image.height} pixels. Click inside it."
            )
    if not any(point.positive for point in points):
        raise ToolError("No click says what is meant. Click at least once on the object.")


def _marks(pieces: np.ndarray, points: tuple[ClickedPoint, ...]) -> tuple[np.ndarray, np.ndarray]:
    """What surely belongs to the object and what surely does not: the clicked small regions."""
    shape = pieces.shape
    reach = max(2.0, 0.06 * max(shape))
    rows, columns = np.ogrid[: shape[0], : shape[1]]
    marks = {True: np.zeros(shape, bool), False: np.zeros(shape, bool)}
    for point in points:
        apart = (rows - point.y) ** 2 + (columns - point.x) ** 2
        same = pieces == pieces[int(point.y), int(point.x)]
        near = same & (apart <= reach**2) | (apart <= (reach / 10 + 1) ** 2)
        marks[point.positive] |= near
    both = marks[True] & marks[False]
    return marks[True] & ~both, marks[False] & ~both


def _object_at(
    picture: np.ndarray,
    pieces: np.ndarray,
    point: ClickedPoint,
    boxes: tuple[Box, ...],
    points: tuple[ClickedPoint, ...],
) -> tuple[np.ndarray, str]:
    """A first guess of the object under a click, and its name where it is known."""
    from tools.models import foreground, grabcut, superpixels

    x, y = int(point.x), int(point.y)
    holding = [box for box in boxes if box.left <= x < box.right and box.top <= y < box.bottom]
    for box in sorted(holding, key=_area):
        pixels = grabcut.cut_box(picture, box)
        if pixels[y, x]:
            return pixels, box.label
    likely = foreground.likelihood(picture) > 0.5
    negative = any(likely[int(p.y), int(p.x)] for p in points if not p.positive)
    if likely[y, x] and not negative:
        piece = _piece_at(likely, x, y)
        if _sides_touched(piece) <= 2:
            return piece, ""
    regions = superpixels.merged(picture, pieces)
    return _piece_at(regions == regions[y, x], x, y), ""


def _piece_at(mask: np.ndarray, x: int, y: int) -> np.ndarray:
    import cv2

    _, pieces = cv2.connectedComponents(mask.astype(np.uint8))
    return pieces == pieces[y, x]


def _sides_touched(mask: np.ndarray) -> int:
    """How many of the picture's four sides a region reaches; a scene reaches more than a thing."""
    return sum(bool(side.any()) for side in (mask[0], mask[-1], mask[:, 0], mask[:, -1]))


def _area(box: Box) -> float:
    return (box.right - box.left) * (box.bottom - box.top)


def _palette(count: int) -> np.ndarray:
    """Soft, well separated colours: steps of the golden angle around the colour circle."""
    import colorsys

    colours = [
        colorsys.hsv_to_rgb((0.58 + index * 0.381966) % 1, 0.45 + 0.3 * (index % 3) / 2, value)
        for index in range(count)
        for value in [(0.95, 0.8, 0.65)[index // 3 % 3]]
    ]
    return (np.array(colours) * 255).astype(np.uint8)


def _coloured(regions: np.ndarray) -> np.ndarray:
    """The map: the largest regions take the first colours; thin light lines between regions."""
    import cv2

    values, indices, counts = np.unique(regions, return_inverse=True, return_counts=True)
    order = np.empty(len(values), int)
    order[np.argsort(-counts)] = np.arange(len(values))
    ranks = order[indices].reshape(regions.shape)
    shown = _palette(len(values))[ranks]
    width = max(1, round(max(regions.shape) / 600))
    height_value = ranks.astype(np.float32)
    kernel = np.ones((width + 1, width + 1), np.uint8)
    lines = cv2.dilate(height_value, kernel) != cv2.erode(height_value, kernel)
    shown[lines] = (250, 250, 250)
    return shown
