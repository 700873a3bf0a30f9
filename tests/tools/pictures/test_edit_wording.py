"""Edits of pictures in the words of people, with what else they say beside them."""

from __future__ import annotations

import PIL.Image
import pytest

from controlllm.toolbox import Context
from tests.every_case import every_case
from tools.pictures.effects import text_image_editing
from tools.pictures.embedded import edit_instructions


@every_case(
    ("words", "steps"),
    [
        ("lighten the whole thing by about 15%", [("brighten", 0.15)]),
        ("a tad lighter, say 10 %", [("brighten", 0.1)]),
        ("a bit more saturation, say 20, and contrast", [("saturate", 0.2), ("contrast", 0.4)]),
        ("All four rooms: lighten by 20 %", [("brighten", 0.2)]),
        ("both photos: contrast 15", [("contrast", 0.15)]),
        ("lovely photo but it's so noisy & soft, sharpen it", [("denoise", 0.5), ("sharpen", 0.4)]),
        ("crisper please, the writing on the van is a bit soft", [("sharpen", 0.4)]),
        ("great shot, but the colours are washed out", [("saturate", 0.5)]),
        ("take the 2nd scan and desaturate it fully", [("saturate", -1.0)]),
        ("warmer, the rest stays as it is", [("warm", 0.5)]),
        ("brighter please, nothing else should change", [("brighten", 0.4)]),
        ("remove the blue cast", [("warm", 0.5)]),
        ("it has a yellow tinge", [("warm", -0.5)]),
        ("less yellow please", [("warm", -0.5)]),
        ("the paper is yellowish", [("warm", -0.5)]),
        ("the second has no stain but is dark: +40", [("brighten", 0.4)]),
        ("my photo is dark, 20 % please", [("brighten", 0.2)]),
        ("its so yellow", [("warm", -0.5)]),
        ("brighten it all by a quarter", [("brighten", 0.25)]),
        ("IMG_4410 brighter", [("brighten", 0.4)]),
        ("number 2 sharpen those", [("sharpen", 0.4)]),
        ("hall.jpg is gloomy, lift it a bit", [("brighten", 0.2)]),
        ("the photo of the hallway, make that lighter", [("brighten", 0.4)]),
        ("the shop picture lighter", [("brighten", 0.4)]),
        ("before the rest: panel 3 is bleached, darken it", [("brighten", -0.4)]),
        ("scan 3: +20 contrast", [("contrast", 0.2)]),
        ("1/2 stop brighter", [("brighten", 0.4)]),
        ("bring it up by a stop", [("brighten", 0.8)]),
        ("both a little lighter", [("brighten", 0.2)]),
        ("more contrast for the last two", [("contrast", 0.4)]),
        ("all three pics need more light", [("brighten", 0.4)]),
        ("sharpen that one as well, first", [("sharpen", 0.4)]),
        ("make it less yellow", [("warm", -0.5)]),
        ("it came out soft, sharpen it", [("sharpen", 0.4)]),
        ("it's dark, so brighten it", [("brighten", 0.4)]),
    ],
)
def test_edits_are_read_among_what_else_people_say(
    words: str, steps: list[tuple[str, float]]
) -> None:
    read, remark = edit_instructions.read_in_part(words)
    assert ([(step.action, step.amount) for step in read], remark) == (steps, "")


@every_case(
    ("words", "detail"),
    [
        ("Give the wall a sage green, leave the furniture alone", "the wall|sage green"),
        ("make the sofa cushions mustard yellow", "the sofa cushions|mustard yellow"),
        ("paint the door forest green", "the door|forest green"),
        ("turn the green car into a blue one", "the green car|blue"),
        ("Turn the photo of my blue Vespa into a red Vespa, the rest as is", "my blue vespa|red"),
    ],
)
def test_a_thing_and_its_new_colour_are_read(words: str, detail: str) -> None:
    (step,) = edit_instructions.read(words)
    assert (step.action, step.detail) == ("recolour", detail)


@every_case(
    ("words", "detail"),
    [
        ("the dog should be orange like Garfield", "the dog|orange"),
        ("car in pic green not red", "car in pic|green"),
        ("make the couch teal (#0D9488) everything else as is", "the couch|hexcode0d9488"),
        ("the glaze has to be #84A98C", "the glaze|hexcode84a98c"),
        ("paint the gate dark red, otherwise touch nothing", "the gate|dark red"),
    ],
)
def test_a_new_colour_may_be_wished_for_or_told_by_its_code(words: str, detail: str) -> None:
    ((step,), remark) = edit_instructions.read_in_part(words)
    assert (step.action, step.detail, remark) == ("recolour", detail, "")


@every_case(
    "words, least",
    [
        ("The photo from our cellar party is way too dark, make it lighter", 0.7),
        ("still too dark, quite a bit lighter please!", 0.7),
        ("the picture came out a bit too dark", 0.1),
        ("make it a bit lighter", 0.1),
    ],
)
def test_what_is_too_dark_is_made_lighter(words: str, least: float) -> None:
    (step,) = edit_instructions.read(words)
    assert step.action == "brighten" and least <= step.amount < least + 0.3


@pytest.mark.parametrize(
    ("said", "left_out"),
    [
        ("lighten it up a little without washing out the windows", "without washing out"),
        ("brighten it, but don't blow out the sky", "blow out the sky"),
        ("make it brighter so you can read the sign", "so you can read"),
        ("it's a bit dark, lighten it", ""),
        ("brighten it, my face is in shadow", "my face is in shadow"),
        ("brighter, just enough that one can tell the faces", "just enough"),
        ("ppl complain it's grey so make it brighter", "ppl complain"),
        ("yours was better, that brighter", "yours was better"),
        ("can you brighten the room, make sure the windows don't go white", "make sure"),
    ],
)
def test_a_condition_is_told_and_the_rest_is_done(said: str, left_out: str) -> None:
    context = Context()
    grey = PIL.Image.new("RGB", (40, 30), (90, 90, 90))
    made = text_image_editing(grey, said, context=context)
    assert made.getpixel((20, 15))[0] > 95
    assert bool(context.remarks) == bool(left_out) and left_out in " ".join(context.remarks)
