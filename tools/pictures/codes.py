"""QR codes and bar codes: made and read."""

from __future__ import annotations

import PIL.Image

from controlllm.resources import Image, Text
from controlllm.toolbox import ToolError, tool

from ..shared.pixels import rgb
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
        "Generate a QR for www.garden-club.org to print on the flyer.",
    ],
    packages=("segno",),
)
def make_qr_code(text: Text) -> Image:
    """Make a QR code of a link, a text, a phone number or the login of a Wi-Fi network.

    Args:
        text: what the code holds
    """
    from .embedded import codes

    content = codes.content_of(without_quotes(text))
    if not content:
        raise ToolError("There is nothing to make a code of. Give a link, a text or a number.")
    return codes.drawn(content)


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
