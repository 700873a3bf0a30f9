"""What is to be done to a picture, read and carried out: "a bit brighter, then crop the left half".

Every part of the instruction must be understood: an edit that quietly leaves a part out would
look like an answer and be none. The words are in ``picture_edits.toml``.
"""

from __future__ import annotations

import re
import textwrap
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import PIL.Image
import PIL.ImageOps

from controlllm.toolbox import ToolError

from ...shared.instructions import Edit, Table, Unread
from ...shared.pixels import with_alpha_of
from . import art_styles, backdrops, edit_wording
from . import photo_adjustments as adjust

_CHOICES = (
    "make it brighter or darker, change contrast or colour strength, make it warmer or cooler, "
    "sharpen, blur or denoise it, make paper white and its writing black, rotate, flip, resize "
    "or crop it to a half or a square, make it grey or a negative, add a vignette, a border or "
    "a tint, recolour an object that can be found (“make the car red”), change the background, "
    "or give it a drawn look such as pencil, watercolour or cartoon"
)
_WHOLE = re.compile(
    r"(?:it|this|that|them|everything|all|(?:(?:the|this|that|my) )?(?:whole |entire )?"
    r"(?:picture|image|photo\w*|scene|colou?rs?))"
)
#: No look, tint or border can be taken from a picture again.
_TAKEN_AWAY = "remove | take | no | less | without | reduce | get rid of | down"
_OTHER_SIDE = {"left": "right", "right": "left", "top": "bottom", "bottom": "top"}


@dataclass(frozen=True)
class Step:
    """One change: its name, how strong it is, and the words or colour that belong to it."""

    action: str
    amount: float = 0.0
    detail: str = ""
    size: tuple[float, float] = (0.0, 0.0)


#: A number from this on, without a unit, is a strength in percent: "saturation 20".
_LEAST_BARE = 5


def read(instruction: str) -> tuple[Step, ...]:
    """The changes that an instruction asks for, in its order.

    Raises ToolError with the part that no change here does.
    """
    found = _table().read(edit_wording.in_plain_order(instruction), whole=True)
    unread = next((part.said for part in found if isinstance(part, Unread)), None)
    if unread is not None or not found:
        raise _not_done(unread or instruction.strip())
    return tuple(_step(edit) for edit in found if isinstance(edit, Edit))


def read_in_part(instruction: str) -> tuple[tuple[Step, ...], str]:
    """The changes that an instruction asks for, and the condition or reason behind them that no
    change here looks after; empty where there is none.

    Raises ToolError with the part that no change here does.
    """
    try:
        return read(instruction), ""
    except ToolError as error:
        refusal = error
    with suppress(ToolError):
        return read(edit_wording.PICTURE.sub("it", instruction)), ""
    remark = edit_wording.REMARK.search(instruction)
    if remark and remark.start():
        with suppress(ToolError):
            steps = read(instruction[: remark.start()])
            return steps, re.sub(r"^[\s,;(-]+", "", remark[0]).strip(" .!)")
    ways = (instruction, edit_wording.PICTURE.sub("it", instruction))
    done = [found for said in ways if (found := _read_beside(edit_wording.in_plain_order(said)))]
    if not done:
        raise refusal
    steps, left = min(done, key=lambda found: len(found[1]))
    return steps, ", ".join(left)


#: No more words before a colon say which picture is meant.
_HEADING = 4


def _read_beside(said: str) -> tuple[tuple[Step, ...], list[str]] | None:
    """The changes and what is told beside them, where nothing of that is an order; what stands
    before a colon says which picture is meant. None where something else is asked for, too."""
    found = _table().read(said, whole=True)
    edits = [part for part in found if isinstance(part, Edit)]
    left = [
        part.said.strip()
        for part in found
        if isinstance(part, Unread)
        and not (said[part.end :].lstrip().startswith(":") and len(part.said.split()) <= _HEADING)
    ]
    if not edits or not all(map(edit_wording.TELLS.match, left)):
        return None
    return tuple(map(_step, edits)), left


def _not_done(part: str) -> ToolError:
    words = textwrap.shorten(part.strip(" ."), 80, placeholder=" …")
    return ToolError(
        (f"“{words}” cannot be done here" if words else "The instruction is empty")
        + f". What can be done: {_CHOICES}. Anything else needs a larger model that makes pictures."
    )


@cache
def _table() -> Table:
    shades = " | ".join(
        [*(f"{shade} | {shade}ish" for shade in backdrops.NAMES), f"{edit_wording.CODE}*"]
    )
    return Table(
        Path(__file__).with_name("picture_edits.toml"),
        {"colour": shades},
        {"style": art_styles.words_for_styles()},
    )


def _step(edit: Edit) -> Step:
    if edit.name in ("style", "tint", "border") and edit.says(_TAKEN_AWAY):
        raise _not_done(edit.said)
    match edit.name:
        case "style":
            return Step("style", detail=art_styles.style_of(edit.words) or "")
        case "background":
            return _background(edit)
        case "recolour":
            return _recolour(edit)
        case "upside_down":
            return Step("rotate", 180)
        case "rotate":
            return Step("rotate", _degrees(edit))
        case "resize":
            return _resize(edit)
        case "crop" | "crop_off":
            side = {"upper": "top", "lower": "bottom"}.get(edit.parts["side"], edit.parts["side"])
            return Step("crop", detail=side if edit.name == "crop" else _OTHER_SIDE[side])
        case "tint" | "border":
            shade = _table().pattern("{shade}").search(edit.words)
            plain = "black" if edit.says("dark") else "white"
            return Step(
                edit.name, _strength(edit, edit.row["usual"]), shade[0].strip() if shade else plain
            )
    if "usual" not in edit.row:
        return Step(edit.name.replace("_", " "))
    way = edit.direction if "more" in edit.row else 1
    return Step(edit.name, way * _strength(edit, edit.row["usual"]))


def _background(edit: Edit) -> Step:
    """A change of the background: the words say what the new one is."""
    if edit.says("remove | delete | erase | cut out | take away | get rid of | without"):
        return Step("background", detail="transparent")
    words = re.sub(
        r" (?:replace|swap|remove|change|the|make|more|blurry|a bit)(?= )", "", edit.words
    )
    if edit.says("blur*"):
        words = "blur"
    if backdrops.parse(words) is None:
        raise _not_done(edit.said)
    return Step("background", detail=words.strip())


def _recolour(edit: Edit) -> Step:
    thing, shade = edit.parts["thing"], edit.parts["shade"].removesuffix("ish")
    if re.search(r" (?:less|too|so|not)$", thing, re.IGNORECASE):
        raise _not_done(edit.said)
    again = edit.parts.get("again", "one").lower()
    if again != "one" and not thing.lower().endswith(f" {again}"):
        raise _not_done(edit.said)  # no colour makes a car of a dog
    if not _WHOLE.fullmatch(thing.lower()):
        return Step("recolour", 1.0, f"{thing.lower()}|{shade.lower()}")
    if shade in ("grey", "gray"):
        return Step("style", detail="black and white")
    return Step("tint", _strength(edit, 0.8), shade)


def _strength(edit: Edit, usual: float) -> float:
    if edit.says("fully | completely | entirely | totally"):
        return 1.0
    bare = edit.amount("") or 0.0
    share = edit.amount("share") or (bare / 100 if bare >= _LEAST_BARE else None)
    return min(share, 1.5) if share else edit.size(usual, 0.5 * usual, 1.8 * usual)


def _degrees(edit: Edit) -> float:
    """How far to turn clockwise; "left" and "anticlockwise" are the other way."""
    told = edit.amount("degrees") or edit.amount("")
    degrees = told or (180.0 if edit.says("half") else 90.0)
    back = edit.says("left | anticlockwise | counterclockwise | (anti|counter) clockwise")
    return -degrees if back else degrees


def _resize(edit: Edit) -> Step:
    """The new size: in pixels (0 where it follows from the other), or as a factor."""
    both = re.search(r" (\d+) (?:x|by|×) (\d+)", edit.words)
    if both:
        return Step("resize", size=(float(both[1]), float(both[2])))
    shrink, grow = edit.says("shrink* | smaller | reduc*"), edit.says("larger | bigger | enlarg*")
    share, times = edit.amount("share"), edit.amount("times")
    if share is not None:
        if edit.says("by"):
            share = 1 - share if shrink else 1 + share if grow else share
        return Step("resize", share)
    if times:
        return Step("resize", times)
    pixels = edit.amount("pixels") or edit.amount("")
    if pixels:
        tall = edit.says("high | tall | height")
        return Step("resize", size=(0.0, pixels) if tall else (pixels, 0.0))
    return Step("resize", 0.5 if shrink or edit.says("half | halve*") else 2.0)


#: No edit makes a picture larger than this.
MOST_PIXELS = 40_000_000


def carried_out(image: PIL.Image.Image, step: Step) -> PIL.Image.Image:
    """The picture (RGB or RGBA) after one step. Raises ToolError where it cannot be done."""
    by_amount = {
        "brighten": adjust.brightened, "contrast": adjust.contrasted, "saturate": adjust.saturated,
        "warm": adjust.warmed, "sharpen": adjust.sharpened, "blur": adjust.blurred,
        "denoise": adjust.denoised, "vignette": adjust.vignetted, "rotate": adjust.turned,
    }  # fmt: skip
    plain = {
        "clean page": adjust.on_white_paper, "invert": adjust.inverted, "square": adjust.squared,
        "flip horizontal": PIL.ImageOps.mirror, "flip vertical": PIL.ImageOps.flip,
    }  # fmt: skip
    if step.action in by_amount:
        return by_amount[step.action](image, step.amount)
    if step.action in plain:
        return plain[step.action](image)
    match step.action:
        case "crop":
            return adjust.half(image, step.detail)
        case "tint":
            return adjust.tinted(image, _shade(step.detail), step.amount)
        case "border":
            return adjust.bordered(image, _shade(step.detail))
        case "style":
            styled = art_styles.apply(_pixels(image), step.detail)
            return with_alpha_of(PIL.Image.fromarray(styled), image)
        case "resize":
            return _resized(image, step)
        case "background":
            return _before(image, step.detail)
    return _recoloured(image, step.detail)


def _pixels(image: PIL.Image.Image) -> np.ndarray:
    return np.array(image.convert("RGB"))


def _shade(words: str) -> backdrops.Colour:
    found = backdrops.parse(re.sub(rf"\b{edit_wording.CODE}(?=\w{{6}}\b)", "#", words))
    assert found is not None and found[1]  # only colours that backdrops knows are read
    return found[1][0]


def _resized(image: PIL.Image.Image, step: Step) -> PIL.Image.Image:
    width, height = step.size
    if step.amount <= 0 and not (width or height):
        raise ToolError("Nothing would be left of the picture. Ask for a larger size.")
    if step.amount:
        width, height = image.width * step.amount, image.height * step.amount
    elif not height:
        height = width * image.height / image.width
    elif not width:
        width = height * image.width / image.height
    size = (max(1, round(width)), max(1, round(height)))
    if size[0] * size[1] > MOST_PIXELS:
        raise ToolError(
            f"A picture of {size[0]}x{size[1]} pixels is too large to make here. Ask for one of at "
            f"most {MOST_PIXELS // 1_000_000} million pixels."
        )
    return image.resize(size, PIL.Image.Resampling.LANCZOS)


def _before(image: PIL.Image.Image, words: str) -> PIL.Image.Image:
    from ...masks.embedded import subject
    from . import new_background

    picture = _pixels(image)
    found = subject.main_subject(image.convert("RGB"), picture)
    wanted = backdrops.parse(words)
    assert wanted is not None  # it was read before
    return new_background.before(picture, found, *wanted)


def _recoloured(image: PIL.Image.Image, detail: str) -> PIL.Image.Image:
    from ...masks.embedded import matting, outlines
    from ...seeing.embedded import phrases_to_boxes
    from ...seeing.embedded.scene import Scene
    from . import photo_adjustments

    thing, colour = detail.split("|")
    picture = _pixels(image)
    boxes = (
        phrases_to_boxes.ground(Scene(image.convert("RGB")), thing) if min(image.size) >= 16 else ()
    )
    covered = np.zeros(picture.shape[:2], bool)
    for box in boxes[:8]:
        covered |= outlines.in_box(picture, box)
    if not covered.any():
        raise ToolError(
            f"No {_bare(thing)} was found in the picture to recolour. Name an object that can be "
            "seen in it."
        )
    alpha = matting.soft_edge(picture, covered)
    recoloured = photo_adjustments.recoloured(picture, alpha, _shade(colour))
    return with_alpha_of(PIL.Image.fromarray(recoloured), image)


def _bare(thing: str) -> str:
    first, _, rest = thing.partition(" ")
    return rest if rest and first in {"the", "a", "an", "this", "that", "my"} else thing
