"""Image editing with boxes and masks: crop, cut out, highlight, fill in, and draw parts anew."""

from __future__ import annotations

import numpy as np
import PIL.Image
import PIL.ImageFilter

from controlllm.resources import Boxes, Image, Mask, Region, Text
from controlllm.toolbox import Context, tool

from ..hub.catalogue_images import FILLING, FILLING_WITHOUT_GPU
from ..shared.pixels import bounds, boxes_inside, covered, rgb, within
from .painters import Paint, by_painters


@tool(
    domain="image-editing",
    places="cuts",
    examples=[
        "Crop the picture to the dog.",
        "Cut the image down to the detected car.",
        "Zoom in on the person in the box.",
        "Trim the photo so that only the sign remains.",
        "Give me just the part inside the bounding box.",
        "Crop out the cat.",
        "Make a close-up of the bird.",
        "Crop around the objects.",
    ],
    aliases=["image_crop"],
)
def image_cropping(image: Image, bbox: Boxes) -> Image:
    """Crop a picture to the boxes in it, with a small margin around them.

    Args:
        image: the picture to crop
        bbox: the boxes to keep; where there are several, the crop holds all of them
    """
    corners = [within(box, image) for box in boxes_inside(bbox, image, "crop to")]
    sides = np.array(corners)
    left, top = sides[:, :2].min(axis=0).tolist()
    right, bottom = sides[:, 2:].max(axis=0).tolist()
    return image.crop(_with_margin((left, top, right, bottom), image, 0))


@tool(
    domain="image-editing",
    examples=[
        "Remove the background of this photo.",
        "Cut the dog out with a transparent background.",
        "Keep only the masked object.",
        "Make a sticker of the cat.",
        "Apply the mask to the picture.",
        "Give me a transparent PNG of the person.",
        "Extract the flower from its background.",
        "Isolate the car.",
        "Cut out what I clicked.",
    ],
    packages=("cv2",),
)
def mask_image(image: Image, mask: Mask) -> Image:
    """Keep what the mask covers and make everything else transparent: cut out an object.

    Args:
        image: the picture to cut from
        mask: the object to keep
    """
    import cv2

    union = covered(mask, image)
    corners = bounds(union)
    assert corners is not None
    area = _with_margin(corners, image, 2)
    cut = image.crop(area).convert("RGBA")
    part = union[area[1] : area[3], area[0] : area[2]].astype(np.float32)
    # A rim of one or two pixels that fades out hides the stair steps of the mask.
    softness = max(0.6, 0.0015 * max(image.size))
    alpha = np.clip((cv2.GaussianBlur(part, (0, 0), softness) - 0.3) / 0.5, 0, 1)
    own = np.asarray(cut.getchannel("A"), np.float32)
    cut.putalpha(PIL.Image.fromarray((own * alpha).round().astype(np.uint8)))
    return cut


@tool(
    domain="image-editing",
    places="inside",
    examples=[
        "Highlight the dog in the picture.",
        "Show me where the cars are.",
        "Draw boxes around the people.",
        "Mark the detected objects on the photo.",
        "Put a frame with a label around the cat.",
        "Point out the traffic light in the image.",
        "Visualise the bounding boxes.",
        "Circle the bird so that I can see it.",
    ],
)
def highlight_object_on_image(image: Image, bbox: Boxes) -> Image:
    """Point objects out: dim the rest of the picture and draw a labelled frame around each box.

    Args:
        image: the picture to draw on
        bbox: the boxes to highlight
    """
    from .embedded import annotation

    boxes = boxes_inside(bbox, image, "highlight")
    return annotation.highlight(PIL.Image.fromarray(rgb(image)), boxes)


@tool(
    domain="image-editing",
    places="inside",
    examples=[
        "Remove the person from this photo.",
        "Erase the car and fill in the background.",
        "Make the dog disappear.",
        "Delete the stop sign from the picture.",
        "Fill the masked area so that it looks natural.",
        "Get rid of the people in the background.",
        "Clean up this photo by taking out the trash can.",
        "Paint over the marked region with what surrounds it.",
        "Take the bird out of the photo.",
        "Remove what I clicked.",
    ],
    packages=("cv2", "onnxruntime", "scipy"),
    memory="300 MiB",
)
def image_inpainting(image: Image, mask: Mask, context: Context | None = None) -> Image:
    """Remove what the mask covers and fill the place so that it matches its surroundings.

    Args:
        image: the picture to repair
        mask: what to remove
    """
    from .embedded import patch_fill

    context = context or Context()
    union = covered(mask, image)
    picture = rgb(image)
    hole = _with_rim(union)

    context.progress(0.02, "Looking at what else is in the picture")
    others = patch_fill.other_objects(image, picture, hole)
    filled = patch_fill.fill(picture, hole, others, context.part(0.05, 1.0).progress)
    result = PIL.Image.fromarray(filled)
    if image.mode == "RGBA":
        alpha = np.asarray(image.getchannel("A")).copy()
        if (alpha[~hole] == 255).all():
            alpha[hole] = 255
        result.putalpha(PIL.Image.fromarray(alpha))
    return result.convert("L") if image.mode == "L" else result


@by_painters(
    image_inpainting,
    (FILLING, FILLING_WITHOUT_GPU),
    packages=("cv2",),
    elsewhere=("cv2",),
)
def _filled(
    paint: Paint, image: PIL.Image.Image, mask: tuple[Region, ...], context: Context
) -> PIL.Image.Image:
    return paint("remove", image, _with_rim(covered(mask, image)), context)


@tool(
    domain="image-editing",
    places="inside",
    examples=[
        "Replace the masked object with a grandfather clock.",
        "Put a pineapple where the mask is.",
        "Turn the masked horse into a zebra.",
        "Draw a hot air balloon into the marked area.",
        "Change only the masked part: it shall be bright orange.",
        "Swap the marked sky for northern lights.",
        "I want a rocking horse in place of the masked armchair.",
        "Could the part under my mask become a pond with ducks?",
        "Replace the thing that I clicked with a red velvet sofa.",
    ],
)
def partial_image_editing(image: Image, mask: Mask, prompt: Text) -> Image:
    """Change only the part of a picture that a mask covers: draw something else there, as words
    say, and leave all the rest as it is.

    Args:
        image: the picture to change
        mask: the part to draw anew
        prompt: what shall be seen in that part
        returns: the changed picture
    """


@by_painters(partial_image_editing, (FILLING, FILLING_WITHOUT_GPU), packages=("cv2",))
def _changed(
    paint: Paint, image: PIL.Image.Image, mask: tuple[Region, ...], prompt: str, context: Context
) -> PIL.Image.Image:
    return paint("repaint", image, covered(mask, image), prompt, context)


def _with_rim(mask: np.ndarray) -> np.ndarray:
    """The mask with the soft rim of the object and a little of the shadow that it stands on."""
    import cv2

    corners = bounds(mask)
    assert corners is not None
    reach = max(2, round(0.012 * max(mask.shape)))
    below = round(0.04 * (corners[3] - corners[1]))
    far = cv2.distanceTransform((~mask).astype(np.uint8), cv2.DIST_L2, 3)
    grown = far <= reach
    if below:
        down = np.ones((below + 1, 1), np.uint8)
        grown = cv2.dilate(grown.astype(np.uint8), down, anchor=(0, below)) > 0
    return grown


def _with_margin(
    corners: tuple[int, int, int, int], image: PIL.Image.Image, least: int
) -> tuple[int, int, int, int]:
    """Left, top, right and bottom with a margin around them, inside the picture."""
    left, top, right, bottom = corners
    margin = max(least, round(0.03 * max(right - left, bottom - top)))
    return (
        max(left - margin, 0),
        max(top - margin, 0),
        min(right + margin, image.width),
        min(bottom + margin, image.height),
    )
