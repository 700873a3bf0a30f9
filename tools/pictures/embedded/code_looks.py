"""How a code looks, as people say it, and what can be scanned."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import PIL.Image

from controlllm.toolbox import ToolError
from controlllm.values import Kind
from controlllm.values.colours import find_colours
from controlllm.values.kinds import Found, found_in

from ...shared.lettering import lightness
from .fitting import ground_colour

CLEAR = "clear"
#: Colours whose lightness differs by less, of 255, are not told apart by every phone.
_LEAST_APART = 90
#: How many pixels a square of a code has at least, and the widest picture of one.
_LEAST_SQUARE, _WIDEST = 3, 8000
_DOTS_AN_INCH = 300
_CM_AN_INCH = 2.54

_ENDS = r"(?=$|[,.;:!?)]| (?:and|on|with|please|at|but|instead|rather|as|so|to|for|of)\b)"
_CODE = r"(?:qr|codes?|squares|dots|modules|blocks|foreground|lines|pattern)"
_INK_BEFORE = re.compile(
    rf"\b(?:in|colou?r(?:ed)?|coloured in|(?:make|paint|have) (?:it|them)|be|{_CODE}"
    r"(?: (?:is|are|in|should be))?)(?: colou?r)?:? (?:an? )?$"
)
_INK_BEHIND = re.compile(rf" {_CODE}\b| on (?:an? )?\w+{_ENDS}")
_GROUND_BEFORE = re.compile(r"\b(?:back)?ground(?: (?:is|in|of|should be|colou?r))*:? (?:an? )?$")
_ON = re.compile(r"\bon (?:an? |the )?$")
_GROUND_BEHIND = re.compile(r" (?:back)?ground\b")
_NO_GROUND = (
    r"\b(?:transparent|clear|see[ -]?through) (?:back)?ground\b|"
    r"\b(?:back)?ground(?: (?:is|of|should be))*:? (?:transparent|clear|see[ -]?through)\b|"
    r"^\s*(?:transparent|clear)\s*$|\btransparent (?:png|qr|code)\b|"
    r"\b(?:no|without(?: an?| any)?) (?:white )?(?:back)?ground\b"
)


def _is_alone(words: str, found: Found) -> bool:
    return words.strip() == words[found.start : found.end]


def _is_ground(words: str, found: Found) -> bool:
    before, behind = words[: found.start], words[found.end :]
    stands_on = _ON.search(before) and re.match(_ENDS, behind)
    return bool(_GROUND_BEHIND.match(behind) or _GROUND_BEFORE.search(before) or stands_on)


def _inks(words: str) -> Iterator[Found]:
    """Only colours that are said of the code: what it holds may name others."""
    for found in find_colours(words):
        before, behind = words[: found.start], words[found.end :]
        said = _INK_BEFORE.search(before) and re.match(_ENDS, behind)
        if _is_alone(words, found) or (
            not _is_ground(words, found) and (said or _INK_BEHIND.match(behind))
        ):
            yield found


def _grounds(words: str) -> Iterator[Found]:
    yield from found_in(words, (_NO_GROUND, CLEAR))
    yield from (
        found
        for found in find_colours(words)
        if _is_alone(words, found) or _is_ground(words, found)
    )


def _in_pixels(match: re.Match[str]) -> int:
    return round(float(match[1]) / _CM_AN_INCH * _DOTS_AN_INCH)


_PX = r"(?:[ -]?(?:px|pixels?|pix))"
_SIDES = (
    (rf"(?<![\w.x])(\d+){_PX}?(?: ?x ?| by )\1(?:{_PX}|\b)", lambda match: int(match[1])),
    (rf"(?<![\w.x])(\d+){_PX}\b", lambda match: int(match[1])),
    (r"^\s*(\d+)\s*$", lambda match: int(match[1])),
    (r"(?<![\w.])(\d+(?:\.\d+)?) ?cm\b", _in_pixels),
)

INK = Kind("a colour, such as dark blue", _inks, "#[0-9a-fA-F]{6}")
GROUND = Kind("a colour, such as cream, or clear", _grounds, f"#[0-9a-fA-F]{{6}}|{CLEAR}")
SIDE = Kind("a width in pixels, such as 1200 px", lambda words: found_in(words, *_SIDES), r"\d+")
#: Where a sentence ends with a password, its last sign may be taken for the sentence's.
_MARKS = (
    r"\b(?:pass ?(?:wor[dt]|phrase|code|key)|key|pwd?)\b(?: is)?[:=]? ?[^\s!]+(!+)(?=$|[\s,.;])"
)
ENDING = Kind(
    "the last sign of a password, such as !",
    lambda words: found_in(words, (_MARKS, lambda match: match[1])),
    "!+",
)


@dataclass(frozen=True)
class Look:
    """How a code looks: the colour of its squares and of its ground ("" is black and white), and
    how wide it is in pixels (0 is wide enough for a print)."""

    ink: str = ""
    ground: str = ""
    side: int = 0

    @property
    def is_light_on_dark(self) -> bool:
        ink, ground = self._lightness()
        return ink > ground

    def expect_scannable(self) -> None:
        """Raises ToolError where the colours are too much alike, or the picture is too large."""
        ink, ground = self._lightness()
        if abs(ink - ground) < _LEAST_APART:
            raise ToolError(
                "These colours are too much alike for phones to read the code. Take a dark colour "
                "for the code and a light one for its background, such as dark blue on cream."
            )
        if self.side > _WIDEST:
            raise ToolError(
                f"A code of {self.side} pixels is larger than anybody needs; at most {_WIDEST} can "
                "be made. 1200 are enough for a poster."
            )

    def _lightness(self) -> tuple[float, float]:
        # What is clear is mostly laid on something light.
        ground = "" if self.ground == CLEAR else self.ground
        return (
            lightness(ground_colour(self.ink or "#000000")),
            lightness(ground_colour(ground or "#ffffff")),
        )

    def put_on(self, squares: PIL.Image.Image) -> PIL.Image.Image:
        """A code with one black pixel for each square (grey), in this look; grey where it is black
        and white. Raises ToolError where it would be too small to be scanned."""
        side = self.side or squares.width
        scale = side // squares.width
        if self.side and scale < _LEAST_SQUARE:
            raise ToolError(
                f"So much text needs a code of at least {_LEAST_SQUARE * squares.width} pixels; in "
                f"{side} no phone could read it. Make it larger, or have it hold less."
            )
        large = squares.resize((scale * squares.width,) * 2, PIL.Image.Resampling.NEAREST)
        shape = PIL.Image.new("L", (side, side), 255)
        shape.paste(large, ((side - large.width) // 2,) * 2)
        if not self.ink and not self.ground:
            return shape
        mask = shape.point(lambda value: 255 - value)
        ink = ground_colour(self.ink or "#000000")
        if self.ground == CLEAR:
            made = PIL.Image.new("RGBA", shape.size, (*ink, 0))
            made.putalpha(mask)
            return made
        made = PIL.Image.new("RGB", shape.size, ground_colour(self.ground or "#ffffff"))
        made.paste(ink, (0, 0), mask)
        return made
