"""Segmentation: which pixels belong to which object."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Annotated

import numpy as np
import PIL.Image

from controlllm.resources import (
    Box,
    Boxes,
    ClickedPoint,
    Image,
    Mask,
    Points,
    Region,
    Segmentation,
)
from controlllm.resources.marks import Marks
from controlllm.toolbox import Code, Context, ToolError, tool

from ..hub import subjects
from ..hub.catalogue_perception import MASKS, OBJECTS
from ..shared import covering
from ..shared.boxes import area, pixels_in
from ..shared.pixels import bounds, covered, rgb, within
from .embedded import standing_out

_MOST_OBJECTS = 24
_HUB = ("torch", "transformers", "cv2")


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
    aliases=("image_segmentation",),
    packages=("cv2", "onnxruntime"),
    memory="80 MiB",
)
def instance_segmentation(image: Image, context: Context | None = None) -> Mask:
    """Find the objects in a picture and give a pixel mask with a name for each of them.

    Where no object of a known kind is seen, the one that stands out is given as "object".

    Args:
        image: the picture to look at
    """
    from ..seeing.embedded import detection

    context = context or Context()
    context.progress(0.05, "Looking for objects")
    boxes = detection.detect(image)[:_MOST_OBJECTS]
    picture = rgb(image)
    regions = _cut_out(picture, boxes, context, crowded=None)
    found = tuple(region for region in regions if region.pixels.any())
    return found or standing_out.regions(picture, subjects.network(context))


@instance_segmentation.implementation(
    "hub",
    packages=(*_HUB, "onnxruntime"),
    weights={"detector": OBJECTS, "model": MASKS},
    memory="1.5 GiB",
)
def _objects_downloaded(image: Image, context: Context) -> Mask:
    from ..hub import perception, prompted_masks

    found = perception.detect(context.weights["detector"], image, context.part(0.0, 0.3))
    boxes = found[:_MOST_OBJECTS]
    if not boxes:
        return standing_out.regions(rgb(image))
    looked = prompted_masks.Looked(context.weights["model"], image, context.part(0.3, 0.5))
    regions = []
    for index, box in enumerate(boxes):
        context.progress(0.5 + 0.5 * index / len(boxes), f"Cutting out the {box.label}")
        regions.append(looked.in_box(box))
    return tuple(region for region in regions if region.pixels.any())


@tool(
    domain="general",
    examples=[
        "Turn the box into a mask of the object.",
        "Cut out what is inside the bounding box.",
        "Segment the object in this box.",
        "Make a mask from the detected boxes.",
        "Get the exact shape of the boxed dog.",
        "Convert the bounding boxes to masks.",
        "Separate the object in the rectangle from its background.",
    ],
    packages=("cv2", "onnxruntime"),
    memory="40 MiB",
)
def bbox_to_mask(
    image: Image,
    bbox: Boxes,
    whole: Annotated[bool, covering.WHOLE_BOX] = False,
    context: Context | None = None,
) -> Mask:
    """Cut the object in each box out of its background and give its exact shape as a mask.

    Args:
        image: the picture that the boxes belong to
        bbox: the boxes around the objects
        whole: take all of each box rather than the shape in it, as for words that are to be hidden
    """
    inside = [
        Box(*corners, box.label, box.score) for box in bbox if (corners := within(box, image))
    ]
    if whole:
        return tuple(covering.framed(box, (image.height, image.width)) for box in inside)
    regions = tuple(_cut_out(rgb(image), inside, context or Context()))
    for box, region in zip(inside, regions, strict=True):
        if not region.pixels.any():
            region.pixels[pixels_in(box, region.pixels.shape)] = True
    return regions


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
    from .embedded.pointed import Looked

    context = context or Context()
    _check_points(points, image)
    if min(image.size) < 8:
        return (Region(np.ones((image.height, image.width), bool), "", 0.5),)
    context.progress(0.1, "Looking at what was clicked")
    looked = Looked(image)
    pixels, name = looked.pointed(Marks(points=points), context.progress)
    return (Region(looked.full(pixels), name, 1.0),)


@segment_by_points.implementation("hub", packages=_HUB, weights={"model": MASKS}, memory="1.5 GiB")
def _clicked_downloaded(image: Image, points: Points, context: Context) -> Mask:
    from ..hub import prompted_masks

    _check_points(points, image)
    looked = prompted_masks.Looked(context.weights["model"], image, context)
    return _something([looked.at_points(points)])


@tool(
    domain="image-perception",
    examples=[
        "I drew a box around the dog; segment it.",
        "Segment what is in the rectangle that I marked.",
        "Use my box as a prompt and give me the mask of the object.",
        "Cut along the outline of the thing I framed.",
        "I put a frame round the vase, which pixels belong to it?",
        "Turn my rough rectangle into the exact shape of the object inside.",
        "Mask the object in the box I dragged over the picture.",
        "Here is a box drawn by hand: find the object's silhouette.",
    ],
    packages=("cv2", "onnxruntime"),
    memory="80 MiB",
)
def segment_by_box(
    image: Image,
    bbox: Boxes,
    whole: Annotated[bool, covering.WHOLE_BOX] = False,
    context: Context | None = None,
) -> Mask:
    """Give the mask of the object that the person drew a box around by hand; the box may be loose.

    Args:
        image: the picture that the box was drawn on
        bbox: the box drawn around the object
        whole: take all of the box rather than the shape in it, as for words that are to be hidden
    """
    from ..seeing.embedded import detection
    from .embedded import clicked

    context = context or Context()
    drawn = _drawn(bbox, image)
    if whole:
        return tuple(covering.framed(box, (image.height, image.width)) for box in drawn)
    context.progress(0.05, "Looking at what was framed")
    seen = detection.detect(image, threshold=0.3)
    known = [replace(clicked.meant(box, seen), score=1.0) for box in drawn]
    regions = tuple(
        region for region in _cut_out(rgb(image), known, context) if region.pixels.any()
    )
    if not regions:
        raise ToolError(
            "I cannot tell the object in the box from its background. Draw the box so that it "
            "holds the whole object and a little around it."
        )
    return regions


@segment_by_box.implementation("hub", packages=_HUB, weights={"model": MASKS}, memory="1.5 GiB")
def _framed_downloaded(image: Image, bbox: Boxes, context: Context, whole: bool = False) -> Mask:
    from ..hub import prompted_masks

    drawn = _drawn(bbox, image)
    if whole:
        return tuple(covering.framed(box, (image.height, image.width)) for box in drawn)
    looked = prompted_masks.Looked(context.weights["model"], image, context)
    return _something([looked.in_box(box) for box in drawn])


@tool(
    domain="image-perception",
    examples=[
        "Here is a rough mask of the boat; make it exact.",
        "Segment the object that I brushed over.",
        "Refine this clumsy mask so that it follows the edges.",
        "I painted over the cat, give me its precise mask.",
        "Use my scribble as a prompt and select the whole object.",
        "Snap the mask I drew to the outline of the thing.",
        "My lasso selection is sloppy, clean it up to the object's real shape.",
        "Improve the mask's borders.",
        "Get the accurate mask from the approximate one.",
    ],
    packages=("cv2", "onnxruntime"),
    memory="80 MiB",
)
def segment_by_mask(image: Image, mask: Mask, context: Context | None = None) -> Mask:
    """Give the exact mask of the object that the person marked with a rough mask or brush strokes.

    Args:
        image: the picture that was marked
        mask: a rough mask of the object, or strokes painted over it
    """
    from ..seeing.embedded import detection
    from .embedded import clicked

    context = context or Context()
    marked = _marked(mask, image)
    context.progress(0.05, "Looking at what was marked")
    seen = detection.detect(image, threshold=0.3)
    picture = rgb(image)
    regions = []
    for index, (region, rough) in enumerate(marked):
        context.progress(0.2 + 0.8 * index / len(marked), "Following the object's outline")
        pixels = clicked.under_mask(picture, rough, seen)
        corners = bounds(pixels)
        assert corners is not None  # the heart of what was marked always belongs to it
        name = region.label or clicked.meant(Box(*corners), seen).label
        regions.append(Region(pixels, name, region.score))
    return tuple(regions)


@segment_by_mask.implementation("hub", packages=_HUB, weights={"model": MASKS}, memory="1.5 GiB")
def _marked_downloaded(image: Image, mask: Mask, context: Context) -> Mask:
    from ..hub import prompted_masks

    marked = _marked(mask, image)
    looked = prompted_masks.Looked(context.weights["model"], image, context)
    found = [(region, looked.marked(rough)) for region, rough in marked]
    return _something([Region(exact.pixels, old.label, old.score) for old, exact in found])


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
    from ..seeing.embedded import detection
    from .embedded import colour_areas

    context = context or Context()
    shown = colour_areas.at_map_size(image)
    picture = rgb(shown)
    if min(image.size) < 4:
        return colour_areas.colour_map(np.zeros(picture.shape[:2], int), image)
    context.progress(0.05, "Grouping pixels of like colour")
    regions = colour_areas.divided(picture)
    context.progress(0.3, "Looking for objects")
    boxes = sorted(detection.detect(shown), key=area, reverse=True)[:8]
    for region in _cut_out(picture, boxes, context.part(0.3, 1.0)):
        regions = np.where(region.pixels, regions.max() + 1, regions)
    return colour_areas.colour_map(regions, image)


@segment_anything.implementation("hub", packages=_HUB, weights={"model": MASKS}, memory="1.5 GiB")
def _everything_downloaded(image: Image, context: Context) -> Segmentation:
    from ..hub import prompted_masks
    from .embedded import colour_areas

    shown = colour_areas.at_map_size(image)
    looked = prompted_masks.Looked(context.weights["model"], image, context)
    return colour_areas.colour_map(looked.everything(shown.size, context), image)


for _definition in (instance_segmentation, bbox_to_mask, segment_by_box):
    subjects.offer(_definition)


def _cut_out(
    picture: np.ndarray, boxes: Sequence[Box], context: Context, crowded: bool | None = False
) -> Iterator[Region]:
    """The thing in each box, with the box's label and score; `crowded` as of `outlines.in_box`."""
    from .embedded import outlines

    network = subjects.network(context)
    for index, box in enumerate(boxes):
        context.progress(0.1 + 0.9 * index / len(boxes), f"Cutting out the {box.label or 'object'}")
        if box.label in covering.WHOLE:
            yield covering.whole_region(box, picture.shape)
            continue
        pixels = outlines.in_box(picture, box, crowded, network)
        yield Region(pixels, box.label, box.score)


def _something(regions: Sequence[Region]) -> Mask:
    """What has any pixels; raises ToolError where nothing has."""
    found = tuple(region for region in regions if region.pixels.any())
    if not found:
        raise ToolError(
            "Nothing that stands out was found there. Point at the middle of an object."
        )
    return found


def _drawn(drawn: Boxes, image: PIL.Image.Image) -> list[Box]:
    """Hand-drawn boxes within the picture; raises ToolError where there is none or one outside."""
    if not drawn:
        raise ToolError(
            "No box says what is meant. Draw one around the object.", Code.NOTHING_MARKED
        )
    boxes = []
    for box in drawn:
        corners = within(box, image)
        if corners is None:
            raise ToolError(
                f"The box ({box.left:g}, {box.top:g}, {box.right:g}, {box.bottom:g}) has no part "
                f"of the picture, which is {image.width}x{image.height} pixels. Draw it inside."
            )
        boxes.append(Box(*corners, box.label, box.score))
    return boxes


def _marked(mask: Mask, image: PIL.Image.Image) -> list[tuple[Region, np.ndarray]]:
    """Each region in which something is marked, and its pixels at the size of the picture."""
    marked = [(region, covered((region,), image)) for region in mask if region.pixels.any()]
    if not marked:
        raise ToolError(
            "The mask is empty. Brush over the object that is meant.", Code.NOTHING_MARKED
        )
    return marked


def _check_points(points: tuple[ClickedPoint, ...], image: PIL.Image.Image) -> None:
    for point in points:
        if not (0 <= point.x < image.width and 0 <= point.y < image.height):
            raise ToolError(
                f"The click at ({point.x:g}, {point.y:g}) is outside the picture, which is "
                f"{image.width}x{image.height} pixels. Click inside it."
            )
    if not any(point.positive for point in points):
        raise ToolError("No click says what is meant. Click at least once on the object.")
