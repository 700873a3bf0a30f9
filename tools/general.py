"""General tools: choosing among what other tools found, and counting it."""

from __future__ import annotations

from collections.abc import Sequence

from controlllm.resources import Box, Boxes, Category, Mask, Number, Text
from controlllm.toolbox import Context, ToolError, tool
from controlllm.toolbox.context import Code

from .seeing.embedded import choosing, phrases_to_boxes
from .shared.pixels import bounds


@tool(
    domain="general",
    examples=[
        "Only keep the box of the dog on the left.",
        "From the detected objects choose the cars.",
        "Select the largest person.",
        "Which box is the second bus from the right?",
        "Pick the bounding boxes of all animals.",
        "Just the cat, not the other objects.",
        "Filter the detections to people.",
        "Take the box of the woman next to the horse.",
    ],
    aliases=["select_object"],
)
def select_bbox(bbox: Boxes, condition: Text, context: Context) -> Boxes:
    """Choose from detected boxes those that a phrase names: by kind, place, size, order or number.

    Args:
        bbox: the labelled boxes to choose from
        condition: the object that is meant, such as "the dog on the left" or "all cars"
    """
    chosen = choosing.choose(condition, bbox, which=_asking(context, condition, bbox))
    if not chosen and not phrases_to_boxes.is_known(condition):
        # That none was detected says nothing of what the detectors do not know.
        raise ToolError(
            f"“{' '.join(condition.split())[:80]}” is nothing that I know by sight. Point at what "
            "you mean, or name it in other words.",
            Code.NOT_KNOWN,
        )
    return tuple(bbox[index] for index in chosen)


def _asking(context: Context, condition: str, boxes: Sequence[Box]) -> choosing.Which:
    """What tells which of several boxes is meant: whoever asked for it."""
    thing = " ".join(condition.split()).strip(" .!?")
    return lambda places: context.which([boxes[place] for place in places], thing)


@tool(
    domain="general",
    examples=[
        "Keep only the mask of the horse.",
        "Choose the segment that is the umbrella.",
        "Select the masks of all people.",
        "The smallest object's mask, please.",
        "From the segmented objects take the one on the right.",
        "Pick the mask of the zebra in the middle.",
        "I only want the dog's mask.",
        "Drop every mask except the car.",
    ],
)
def select_mask(mask: Mask, condition: Text, context: Context) -> Mask:
    """Choose from segmented objects those that a phrase names: by kind, place, size, order or
    number.

    Args:
        mask: the labelled masks to choose from
        condition: the object that is meant, such as "the largest zebra" or "both people"
    """
    shown = [(region, bounds(region.pixels)) for region in mask]
    kept = [(region, corners) for region, corners in shown if corners is not None]
    boxes = [Box(*corners, region.label, region.score) for region, corners in kept]
    if not kept:
        return ()
    height, width = kept[0][0].pixels.shape
    chosen = choosing.choose(
        condition,
        boxes,
        size=(width, height),
        areas=[float(region.pixels.sum()) for region, _ in kept],
        which=_asking(context, condition, boxes),
    )
    return tuple(kept[index][0] for index in chosen)


@tool(
    domain="general",
    examples=[
        "Which of these categories is an animal?",
        "Keep the labels that are vehicles.",
        "Take the most likely category.",
        "Choose the classes with a score above 50 percent.",
        "Pick the three best labels.",
        "From the tags only those about food.",
        "Is one of the categories a dog? Select it.",
    ],
)
def select_category(category: Category, condition: Text) -> Category:
    """Choose from the categories of a classifier those that a phrase names.

    Args:
        category: the categories with their scores
        condition: what to keep, such as "animals", "the most likely" or "above 50 %"
    """
    # Categories have no place in a picture, so only their names, scores and order count.
    ranked = [
        Box(index, 0, index + 1, 1, item.name, item.score) for index, item in enumerate(category)
    ]
    return tuple(category[index] for index in choosing.choose(condition, ranked))


@tool(
    domain="general",
    examples=[
        "How many objects were detected?",
        "Count the dogs.",
        "How many people are in this picture?",
        "Tell me the number of cars.",
        "Count the boxes.",
        "What is the number of zebras in the photo?",
        "How many of them are there?",
    ],
    aliases=["count"],
)
def count_objects(bbox: Boxes) -> Number:
    """Count the detected boxes: how many objects were found.

    Args:
        bbox: the boxes to count
    """
    return len(bbox)


@tool(
    domain="general",
    examples=[
        "How many segments are there?",
        "Count the masks.",
        "How many objects were segmented?",
        "Give me the number of cut-out regions.",
        "Number of instances in the segmentation?",
        "How many separate shapes did you find?",
    ],
)
def count_masks(mask: Mask) -> Number:
    """Count the masks: how many objects were segmented.

    Args:
        mask: the masks to count
    """
    return sum(bool(region.pixels.any()) for region in mask)


@tool(
    domain="general",
    examples=[
        "How many categories were predicted?",
        "Count the labels.",
        "How many different classes are there?",
        "Give the number of categories.",
        "How many kinds of things did the classifier name?",
        "Number of predicted classes, please.",
    ],
)
def count_categories(category: Category) -> Number:
    """Count the different categories that were predicted.

    Args:
        category: the categories to count
    """
    return len({item.name.casefold() for item in category})


@tool(
    domain="general",
    examples=[
        "Draw a bounding box around the mask.",
        "Get the box of the segmented object.",
        "Where is the masked object? Give its rectangle.",
        "Convert the masks to bounding boxes.",
        "What are the corners of the segment?",
        "Turn the mask into a box.",
    ],
)
def mask_to_bbox(mask: Mask) -> Boxes:
    """Give the smallest box around each masked object.

    Args:
        mask: the masks to box
    """
    return tuple(
        Box(*corners, region.label, region.score)
        for region in mask
        if (corners := bounds(region.pixels)) is not None
    )
