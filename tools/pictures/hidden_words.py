"""Words in a picture made unreadable."""

from __future__ import annotations

import re
from typing import Annotated

import numpy as np
import PIL.Image

from controlllm.resources import Box, Image, Region, Text
from controlllm.toolbox import Context, ToolError, tool
from controlllm.values import Choice, Place

from ..shared.boxes import centre, moved, pixels_in
from ..words.embedded.private_words import KINDS, NAMES, spans_of, wanted
from .hiding import pixelate_image

_WAYS = Choice(
    black="black blacken blacked redact redacted black_bar black_out",
    white="white whiten white_out",
    pixelated="pixelate pixelated pixels mosaic blocks blur blurred",
)
#: All that is written, and not some words of it.
_ALL = re.compile(
    r"(?i)\b(?:all|any|every|the|whole) (?:of )?(?:the )?(?:text|writing|lettering|words|lines?)\b"
    r"(?! [\"“'‘«„A-Z])|\beverything(?: that is|'s)? (?:written|readable|legible)\b"
)
#: How large the blocks are that letters are hidden in, of a line's height, and how many of them
#: pixelate_image has along a box.
_BLOCK, _BLOCKS = 0.6, 10
_MOST_TOLD = 12
#: How many pixels above and below what is covered are read again.
_AROUND = 20


@tool(
    domain="image-editing",
    places="everywhere",
    examples=[
        "Black out the name Lena Maier in this screenshot.",
        "Cover all phone numbers and e-mail addresses in the photo of the letter.",
        "Redact the IBAN in the picture.",
        "Pixelate every name in the screenshot of our chat.",
        "Make the text at the top right of the scan unreadable.",
        "Hide the date and all numbers in this photo.",
        "Put white bars over “Project Falcon” in the image.",
        "Anonymise the screenshot before I post it.",
    ],
    packages=("cv2", "onnxruntime", "rapidocr"),
    memory="450 MiB",
)
def cover_words(  # noqa: PLR0913
    image: Image,
    words: Text,
    kinds: Annotated[str, KINDS] = "",
    place: Place = "",
    way: Annotated[str, _WAYS] = "",
    context: Context | None = None,
) -> Image:
    """Black out words that can be read in a picture, such as names, e-mail addresses, phone
    numbers, IBANs, dates or given words, or pixelate or whiten them.

    Args:
        image: the picture with writing in it, such as a screenshot or the photo of a letter
        words: an instruction that says what is to be hidden: names, addresses, numbers, words
        kinds: which kinds of words: names, emails, phones, ibans, amounts, dates, links, numbers
        place: where the words stand that are hidden; anywhere where nothing is said
        way: black, white or pixelated; black where nothing is said
        returns: the picture with the words covered
    """
    from ..seeing.embedded import text_places, text_reader

    context = context or Context()
    read = text_reader.read(image, context=context.part(0.0, 0.5))
    if not read.lines:
        raise ToolError(
            "I can read no words in this picture, so nothing was covered. Point at what is to be "
            "hidden, or draw a box around it, and ask for it again."
        )
    there = read.those(lambda line: _is_at(line, place, image.size))
    hidden, missing = wanted(words, filter(None, kinds.split(",")), there.text)
    everything = not hidden and not missing and bool(place or _ALL.search(words))
    spans = [(0, len(there.text))] if everything else spans_of(hidden, there.text)
    groups = text_places.boxes_of(there, spans, image)
    if everything:
        groups = [[box] for boxes in groups for box in boxes]
    none = " and no ".join(NAMES.get(kind, kind) for kind in missing)
    if not groups:
        where = f" at the {place}" if place else ""
        raise ToolError(
            f"I found {f'no {none}' if none else 'none of these words'}{where} in this picture, so "
            "nothing was covered. Give the words as they stand there, or point at them, or draw a "
            "box around them."
        )
    boxes = [box for group in groups for box in group]
    covered = _covered(image, boxes, way)
    context.progress(0.6, "Reading it again")
    left = _left(covered, boxes, hidden, context.part(0.6, 1.0))
    if left and not place:
        covered = _covered(covered, left, way)
    told = [one for one in hidden if not any(one in other and one != other for other in hidden)]
    listed = f": {', '.join(told[:_MOST_TOLD])}{' …' if len(told) > _MOST_TOLD else ''}"
    context.remark(
        f"{len(groups)} place{' is' if len(groups) == 1 else 's are'} covered"
        f"{listed if told else ''}."
    )
    context.remark(
        f"{f'I found no {none}. ' if none else ''}Please look it over before you pass it on: what "
        "is written small or unusually may have been missed."
    )
    return covered


def _is_at(line: Box, place: str, size: tuple[int, int]) -> bool:
    """Whether the middle of a line is in a half of the picture that a place names, or in two."""
    across, down = (at / side for at, side in zip(centre(line), size, strict=True))
    fits = {
        "left": across < 0.5, "right": across > 0.5, "top": down < 0.5, "bottom": down > 0.5,
        "centre": abs(across - 0.5) < 0.25 and abs(down - 0.5) < 0.25,
    }  # fmt: skip
    return all(fits[word] for word in place.split())


def _covered(image: PIL.Image.Image, boxes: list[Box], way: str) -> PIL.Image.Image:
    result = image
    for box in boxes:
        rows, columns = pixels_in(box, (image.height, image.width))
        pixels = np.zeros((image.height, image.width), bool)
        pixels[rows, columns] = True
        wide, tall = columns.stop - columns.start, rows.stop - rows.start
        strength = 100 * max(1.0, _BLOCKS * _BLOCK * min(wide, tall) / max(wide, tall))
        shade = "" if way == "pixelated" else way or "black"
        result = pixelate_image(result, (Region(pixels),), strength, shade)
    return result


def _left(
    covered: PIL.Image.Image, boxes: list[Box], hidden: list[str], context: Context
) -> list[Box]:
    """The lines beside covered boxes in which any of the words can be read still."""
    from ..seeing.embedded import text_reader

    top = max(0, int(min(box.top for box in boxes) - _AROUND))
    bottom = min(covered.height, int(max(box.bottom for box in boxes) + _AROUND))
    again = text_reader.read(covered.crop((0, top, covered.width, bottom)), context=context)
    return [moved(line, 0, top) for line in again.lines if spans_of(hidden, line.label)]
