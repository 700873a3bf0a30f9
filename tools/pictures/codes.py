"""QR codes and bar codes: made and read."""

from __future__ import annotations

from textwrap import shorten
from typing import Annotated

import PIL.Image

from controlllm.resources import Image, Text
from controlllm.toolbox import Context, ToolError, tool

from ..shared.pixels import rgb
from .embedded.code_looks import ENDING, GROUND, INK, SIDE, Look
from .lettered import without_quotes


@tool(
    domain="image-generation",
    examples=[
        "Make a QR code for https://example.org/menu.",
        "I need a QR code of our Wi-Fi: network Cafe Lila, password sunshine22.",
        "Turn this link into a code that people can scan.",
        "QR code with my phone number +49 30 1234567, please.",
        "Create a scannable code of the text.",
        "Can guests log into my wifi with a QR code?",
        "A dark green QR code on cream for our website www.garden-club.org, 1200 pixels wide.",
        "Generate a QR for www.garden-club.org to print on the flyer.",
    ],
    packages=("segno",),
)
def make_qr_code(  # noqa: PLR0913
    text: Text,
    colour: Annotated[str, INK] = "",
    background: Annotated[str, GROUND] = "",
    size: Annotated[int, SIDE] = 0,
    ending: Annotated[str, ENDING] = "",
    context: Context | None = None,
) -> Image:
    """Make a QR code of a link, a text, a phone number or the login of a Wi-Fi network.

    Args:
        text: what the code holds
        colour: the colour of the code, dark so that it can be scanned; black where nothing is said
        background: the colour behind it, or clear; white where nothing is said
        size: pixels; how wide and high the picture is; about 850 where nothing is said
        ending: exclamation marks that the password of a Wi-Fi network ends with, as it was said
    """
    from .embedded import codes

    context = context or Context()
    content = codes.content_of(without_quotes(text), ending)
    if not content:
        raise ToolError("There is nothing to make a code of. Give a link, a text or a number.")
    look = Look(colour, background, size)
    made = codes.drawn(content, look)
    network = codes.network_of(content)
    if network:
        context.remark(f"Phones that scan it join the Wi-Fi “{network}”.")
    elif ":" not in content:
        context.remark(f"It holds the words “{shorten(content, 100, placeholder='…')}”.")
    if content not in codes.read(PIL.Image.fromarray(rgb(made))):
        context.remark("I could not read it myself: try it with a phone before you print it.")
    elif look.is_light_on_dark:
        context.remark("A light code on dark is read by most phones, not by all: try it first.")
    return made


@tool(
    domain="image-perception",
    examples=[
        "What does the QR code say?",
        "Read the bar code on this packet.",
        "Scan the code in the photo.",
        "Where does this QR code lead?",
        "Decode the QR in the screenshot.",
        "Which number is in the barcode?",
        "Can you tell me the Wi-Fi password from this code?",
        "Get the link out of the QR code on the poster.",
    ],
    packages=("cv2",),
)
def read_qr_code(image: Image) -> Text:
    """Read a QR code or bar code in a picture and give what is in it.

    Args:
        image: the picture with the code
    """
    from .embedded import codes

    found = codes.read(PIL.Image.fromarray(rgb(image)))
    if not found:
        raise ToolError(
            "No QR code or bar code could be read in this picture. Take a sharp photo from the "
            "front in which the code is large and all of its white edge is seen."
        )
    return "\n".join(found)
