"""The background of a picture: blur it, take it away, or draw another one."""

from __future__ import annotations

import textwrap

import numpy as np
import PIL.Image

from controlllm.resources import Image, Mask, Text
from controlllm.toolbox import Context, ToolError, tool
from controlllm.values import Colour, Place, Size, kind_of_hint, size_in_pixels, values_in

from ..cloud import hosted
from ..hub import subjects
from ..hub.catalogue_images import FILLING, FILLING_WITHOUT_GPU
from ..shared.pixels import covered, rgb, with_alpha_of
from .painters import Paint, by_painters

#: The most pixels of a canvas.
_MOST_PIXELS = 50_000_000
#: What is said of a canvas in the words for a background.
_CANVAS = {"size": kind_of_hint(Size)[1], "place": kind_of_hint(Place)[1]}  # type: ignore[index]


@tool(
    domain="image-editing",
    places="around",
    examples=[
        "Blur the background of this photo.",
        "Make everything but the dog out of focus.",
        "Can you give my portrait a bokeh effect?",
        "I'd like a shallow depth of field, as from a portrait lens.",
        "Keep the masked object sharp and soften the rest.",
        "The street behind her is distracting, blur it.",
        "Put the surroundings of the car out of focus.",
        "Add portrait mode to the picture.",
    ],
    packages=("cv2", "onnxruntime"),
    memory="150 MiB",
)
def background_blur(
    image: Image, mask: Mask | None = None, context: Context | None = None
) -> Image:
    """Blur the background of a picture as a portrait lens does and keep its subject sharp.

    Args:
        image: the picture whose background to blur
        mask: what stays sharp; without it the main subject is found and kept
    """
    from ..masks.embedded import matting
    from .embedded import new_background

    context = context or Context()
    picture = rgb(image)
    subject = _subject(image, picture, context) if mask is None else covered(mask, image)
    context.progress(0.6, "Blurring what is behind it")
    alpha = matting.soft_edge(picture, subject)
    return with_alpha_of(PIL.Image.fromarray(new_background.blur_around(picture, alpha)), image)


@tool(
    domain="image-editing",
    examples=[
        "Remove the background.",
        "Make the background of this picture transparent.",
        "I need a transparent PNG of the product.",
        "Cut the person out of the photo without my clicking anything.",
        "Can you get rid of everything behind the dog?",
        "Leave just the main subject on a see-through ground.",
        "Turn the photo of the cat into a sticker with no background.",
        "Strip the backdrop from my portrait.",
    ],
    packages=("cv2", "onnxruntime"),
    memory="150 MiB",
)
def remove_background(image: Image, context: Context | None = None) -> Image:
    """Remove the background of a picture: find its main subject and make all else transparent.

    Args:
        image: the picture to take the background from
    """
    return _cut_out(image, rgb(image), context or Context())


@tool(
    domain="image-editing",
    examples=[
        "Replace the background with a sunset sky.",
        "Put her in front of a white wall.",
        "Change the background to light blue.",
        "I want the dog on a beach.",
        "Give my portrait a studio backdrop.",
        "Could the car stand under a night sky with stars?",
        "Swap what is behind the cat for a red and orange gradient.",
        "Set the product on a plain grey ground.",
        "Use polka dots as the new background.",
    ],
    packages=("cv2", "onnxruntime"),
    memory="150 MiB",
)
def replace_background(image: Image, prompt: Text, context: Context | None = None) -> Image:
    """Replace the background of a picture behind its main subject with a drawn one: a colour, a
    gradient, a pattern, a blur, a studio wall, or a simple sky, beach, meadow or mountain scene.

    Args:
        image: the picture whose background to replace
        prompt: how the new background shall be
    """
    from .embedded import backdrops, new_background

    context = context or Context()
    wanted = backdrops.read(prompt)
    if wanted is None:
        unknown = backdrops.unknown_words(prompt)
        what = f"“{' '.join(unknown[:6])[:80]}”" if unknown else "such a background"
        raise ToolError(
            f"{what[0].upper()}{what[1:]} cannot be drawn here, since that needs a model that "
            f"makes pictures. What can be drawn: {backdrops.CHOICES}."
        )
    kind, shades, left_out = wanted
    if left_out:
        words = textwrap.shorten(left_out, 80, placeholder=" …")
        context.remark(f"“{words}” is nothing that I can draw or see to in a background.")
    picture = rgb(image)
    alpha = new_background.own_alpha(image)
    if alpha is not None and kind == "plain" and (said := values_in(prompt, _CANVAS)).get("size"):
        colour = "#{:02x}{:02x}{:02x}".format(*shades[0])
        return _laid(image, colour, said["size"], said.get("place", ""))
    if alpha is not None and kind not in (backdrops.BLURRED, backdrops.TRANSPARENT):
        # What shows through is the background already: nothing is cut out anew.
        ground = backdrops.draw(kind, shades, image.size)
        own = np.asarray(image.convert("RGBA").convert("RGB"))
        blended = ground + alpha[..., None] * (own.astype(np.float32) - ground)
        return PIL.Image.fromarray(blended.round().clip(0, 255).astype(np.uint8))
    subject = _subject(image, picture, context)
    context.progress(0.7, "Drawing the new background")
    return new_background.before(picture, subject, kind, shades)


@tool(
    domain="image-editing",
    examples=[
        "Put the see-through logo on a white background.",
        "Stick her on plain yellow, 1280x720, on the right hand side.",
        "Lay the cutout on a light blue canvas of 1080x1080.",
        "The transparent PNG prints black, give it a white ground.",
        "Place the cut-out bottle on a grey square, in the middle.",
        "I want the sticker at the left of a red banner, 1500x500.",
        "Flatten the transparency onto black.",
    ],
)
def lay_on_colour(image: Image, colour: Colour = "", size: Size = "", place: Place = "") -> Image:
    """Lay a logo, sticker or cutout whose background is transparent on a plain colour; also on a
    larger canvas of a size, at a place.

    Args:
        image: the picture, such as a logo or a cutout with a transparent background
        colour: the colour of the ground; white where nothing is said
        size: of the canvas, such as 1280x720; the picture's own where nothing is said
        place: where it stands on the canvas; in the middle where nothing is said
        returns: the picture, with nothing transparent
    """
    return _laid(image, colour or "#ffffff", size, place)


def _laid(image: PIL.Image.Image, colour: str, size: str, place: str) -> PIL.Image.Image:
    """A picture on a colour, on a canvas of a size where one is said."""
    from .embedded import new_background

    if not size:
        return new_background.laid(image, colour)
    try:
        width, height, both = size_in_pixels(size, image.size, as_said=True)
    except ValueError:
        raise ToolError(f"“{size}” is no size; say one such as 1280x720.") from None
    if width * height > _MOST_PIXELS:
        raise ToolError(f"{width:,} x {height:,} pixels are too many; say a smaller size.")
    if not both:
        resized = image.convert("RGBA").resize((width, height), PIL.Image.Resampling.LANCZOS)
        return new_background.laid(resized, colour)
    return new_background.on_canvas(image, colour, (width, height), place)


@by_painters(
    replace_background,
    (FILLING, FILLING_WITHOUT_GPU),
    packages=("cv2", "onnxruntime"),
    elsewhere=("cv2", "onnxruntime"),
)
def _before_a_scene(
    paint: Paint, image: PIL.Image.Image, prompt: str, context: Context
) -> PIL.Image.Image:
    """The subject of a picture before what a model draws behind it."""
    from ..masks.embedded import matting
    from .embedded import new_background

    context.progress(0.0, "Looking for the subject")
    picture = rgb(image)
    # What is told on the way to the subject would run backwards once the drawing begins.
    subject = _subject(image, picture, Context(folder=context.folder))
    context.check()
    drawn = paint("repaint_behind", PIL.Image.fromarray(picture), ~subject, prompt, context)
    ground = np.asarray(drawn.convert("RGB"))
    return new_background.on_ground(picture, matting.soft_edge(picture, subject), ground)


for _definition in (background_blur, remove_background, replace_background):
    subjects.offer(_definition)
hosted.offer(remove_background)


def _cut_out(image: PIL.Image.Image, picture: np.ndarray, context: Context) -> PIL.Image.Image:
    """The main subject of a picture with nothing behind it."""
    from ..masks.embedded import matting
    from .embedded import new_background

    subject = _subject(image, picture, context)
    context.progress(0.7, "Softening the edge")
    alpha = matting.soft_edge(picture, subject)
    if image.mode == "RGBA":
        alpha = alpha * (np.asarray(image.getchannel("A"), np.float32) / 255)
    return new_background.cut_out(picture, alpha)


def _subject(image: PIL.Image.Image, picture: np.ndarray, context: Context) -> np.ndarray:
    """The main subject: what is not transparent already, else what is found."""
    from ..masks.embedded import subject

    if image.mode == "RGBA":
        shown = np.asarray(image.getchannel("A")) > 127
        if 0.002 < shown.mean() < 0.97:
            return shown
    return subject.main_subject(
        PIL.Image.fromarray(picture),
        picture,
        lambda fraction, words: context.progress(0.6 * fraction, words),
        subjects.network(context),
    )
