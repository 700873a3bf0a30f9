"""How words on a picture or film look, as people say it: their colour, their size, what is around
them, and where they stand where they cover nothing of it: on a strip below or above it, or on a
card before or behind it.

As a value the latter is written as "strip #ffffff", "before #000000 3" or "behind #000000 3": where
they stand, the colour of the ground, and for how many seconds a card is seen, where that is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import PIL.Image
import PIL.ImageColor

from controlllm.toolbox import ToolError
from controlllm.values import Choice, Kind
from controlllm.values.colours import find_colours
from controlllm.values.kinds import Found, found_in
from controlllm.values.named import find_places

from .lettering import ACROSS, DARK, DIAGONAL, WHITE, Ink, lay_out, lightness

_AROUND = r"(?:outlin\w+|edg\w+|borders?|strokes?|shadows?|contours?|rims?|surround\w*)"
_PLATE = (
    r"(?:box(?:es)?|plates?|bars?|backgrounds?|strips?|bands?|ground|backdrop|banner|cards?|"
    r"screens?)"
)
#: What stands around a letter or below it, behind its colour and before it.
_BEHIND = rf" ?(?:\w+ )?(?:{_AROUND}|{_PLATE})\b"
_BEFORE = rf"\b(?:{_AROUND}|{_PLATE})(?: (?:in|of|is|are|with|should be|colou?r))*:? $"
_NO_PLATE = re.compile(rf"\b(?:no|without)(?: an?| any)? {_PLATE}\b")

#: How many times as large as usual words are.
SIZES = {"small": 0.7, "": 1.0, "large": 1.5, "huge": 2.1}
#: How tall written words are, of the picture's height.
SHARES = {"small": 0.042, "large": 0.12, "huge": ACROSS}
LETTERS = Choice(
    small="small little tiny smaller fine",
    large="large big bigger larger big_letters",
    huge="huge giant enormous gigantic very_large very_big really_big right_across "
    "across_the_whole across_the_entire across_the_full full_width whole_width entire_width "
    "as_big_as_possible as_large_as_possible edge_to_edge fill_the_picture over_the_whole",
)


def _places(words: str) -> Iterator[Found]:
    yield from found_in(words, (r"\bdiagonal(?:ly)?\b|\bcorner[ -]to[ -]corner\b", DIAGONAL))
    yield from find_places(words)


LETTER_PLACE = Kind("a place, such as top left, or diagonal", _places)


@dataclass(frozen=True)
class Look:
    """How words look: their colour, how many times as large as usual they are, where they stand,
    and the colour around them, or "plate" for a plate below."""

    colour: str = ""
    times: float = 1.0
    place: str = "bottom"
    around: str = ""


def is_around(words: str, found: Found) -> bool:
    """Whether a colour is that of what stands around letters or below them."""
    return bool(re.match(_BEHIND, words[found.end :]) or re.search(_BEFORE, words[: found.start]))


def _colours(words: str) -> Iterator[Found]:
    return (found for found in find_colours(words) if not is_around(words, found))


def _around(words: str) -> Iterator[Found]:
    for match in re.finditer(rf"\b{_PLATE}\b", words):
        denied = any(no.start() <= match.start() < no.end() for no in _NO_PLATE.finditer(words))
        if not denied and re.search(r"\b(?:on|with|in|over|behind|has|have|add)\b", words):
            yield Found("plate", *match.span())
    for found in find_colours(words):
        if is_around(words, found):
            yield found


LETTER_COLOUR = Kind("a colour, such as yellow", _colours, "#[0-9a-fA-F]{6}")
AROUND = Kind(
    "the colour around letters, or a plate below them, such as black outline",
    _around,
    "#[0-9a-fA-F]{6}|plate",
)


_FORM = r"(?:strip|before|behind) #[0-9a-fA-F]{6}(?: \d+(?:\.\d+)?)?"
_USUAL_SECONDS, _LONGEST = 3.0, 60.0
_STRIP_GROUND, _CARD_GROUND = "#ffffff", "#000000"
#: Letters and a ground that are nearer to each other than this cannot be read.
_LEAST_CONTRAST = 60
#: How tall the letters of a card are, and how much of a strip is left free around its words.
_CARD_LETTERS, _AROUND_WORDS = 0.12, 0.55

_MEDIUM = (
    r"(?:pictures?|photos?|photographs?|images?|pics?|drawings?|paintings?|scans?|screenshots?|gif|"
    r"films?|videos?|clips?|movies?|recordings?|footage|animation)"
)
_IT = rf"(?:(?:the|my|our|this|that|its) )?{_MEDIUM}\b"
_BAND = r"(?:strips?|bands?|bars?|banners?|stripes?|panels?|margins?|borders?)"
_BESIDE = r"(?:below|beneath|underneath|under|above)"
_STRIP = (
    rf"\b{_BESIDE} {_IT}",
    rf"\b{_BAND}\b(?: \w+){{0,3}} {_BESIDE}\b",
    rf"\b(?:extend|enlarge|lengthen|expand)\w*\b.*\b{_BAND}\b",
    rf"\b(?:not|don't|doesn't|do not|must not|without|nothing|instead of)\b (?:\w+ ){{0,2}}?"
    rf"(?:on|over|cover\w*|hid(?:e|ing|den)|onto|across)(?: (?:of|on|top))* "
    rf"(?:it\b|anything\b|any of it\b|{_IT})",
)
_CARD = r"(?:(?:title |intro |text |end |opening |closing )?(?:card|screen|slide|page|plate))"
_TOLD = r"(?:title|text|words?|caption|credits|intro|outro|heading|name)"
_BEFORE_IT = (
    r"\b(?:title|intro|opening) (?:card|screen|slide|page|plate|shot)\b",
    rf"\b(?:in front(?: of)?|before|ahead of|preceding) {_IT}",
    rf"\b(?:{_TOLD}|{_CARD})\b(?: \w+){{0,3}} (?:in front|before it|up front)\b",
    rf"\b{_CARD}\b(?: \w+){{0,4}} (?:at the (?:start|beginning|front)|first)\b",
    rf"\b(?:start|begin|open)\w*\b.*\b(?:{_CARD}|(?P<ground>[a-z]+) title)\b",
)
_BEHIND_IT = (
    r"\b(?:end|closing|final|credits?) (?:card|screen|slide|page|title|plate)\b",
    rf"\b{_CARD}\b(?: \w+){{0,4}} (?:at|in) the end\b",
    rf"\b(?:at|in) the end\b(?: \w+){{0,4}} {_CARD}\b",
    rf"\b(?:after|behind|following) {_IT}(?! (?:begins?|starts?|has begun))",
    rf"\b(?:end|finish|close)s?\b (?:\w+ ){{0,4}}with (?:\w+ ){{0,3}}{_CARD}\b",
)
_SECONDS = re.compile(r"(?<![\w.:])(\d+(?:\.\d+)?)[ -]?(?:s|secs?|seconds?)\b")
_GROUND = re.compile(r"\bon (?:an? )?$|\bground (?:is |in )?$")
_GROUND_BEHIND = re.compile(rf"[ -]?(?:{_CARD}|{_BAND}|title|ground)\b")


def apart(is_film: bool) -> Kind:
    """Where words stand that cover nothing: of a picture on a strip, of a film on a card too."""
    ways = {"strip": _STRIP} | ({"before": _BEFORE_IT, "behind": _BEHIND_IT} if is_film else {})

    def find(words: str) -> Iterator[Found]:
        for way, patterns in ways.items():
            for pattern in patterns:
                found = re.search(pattern, words)
                if found is None or not _is_colour(found):
                    continue
                ground = _ground(words) or (_STRIP_GROUND if way == "strip" else _CARD_GROUND)
                lasts = _SECONDS.search(words) if way != "strip" else None
                value = f"{way} {ground}" + (f" {float(lasts[1]):g}" if lasts else "")
                # Nothing is taken: these words may say the place as well.
                yield Found(value, found.end(), found.end())
                return

    said = "words that cover nothing, such as on a strip below"
    return Kind(f"{said} or a card before it" if is_film else said, find, _FORM)


def _is_colour(found: re.Match[str]) -> bool:
    """ "A black title" is a card, "a long title" is not said to be one."""
    ground = found.groupdict().get("ground")
    return ground is None or next(find_colours(ground), None) is not None


def _ground(words: str) -> str:
    """The colour that is said of what the words stand on."""
    for found in find_colours(words):
        before, behind = words[: found.start], words[found.end :]
        if is_around(words, found) or _GROUND.search(before) or _GROUND_BEHIND.match(behind):
            return str(found.value)
    return ""


@dataclass(frozen=True)
class Apart:
    """What such a value says."""

    way: str
    ground: Ink
    seconds: float

    @classmethod
    def of(cls, value: str) -> Apart:
        """A value read. Raises ToolError where a card lasts no time, or too long."""
        way, ground, *seconds = value.split()
        lasts = float(seconds[0]) if seconds else _USUAL_SECONDS
        if not 0 < lasts <= _LONGEST:
            raise ToolError(
                f"A card of words can be seen for up to {_LONGEST:g} seconds, not {lasts:g}."
            )
        return cls(way, PIL.ImageColor.getrgb(ground)[:3], lasts)


def strip(size: tuple[int, int], words: str, colour: str, ground: Ink) -> PIL.Image.Image:
    """A strip with words, as wide as a picture of a size, in even pixels.

    Raises ToolError where there is no room for the words.
    """
    laid = lay_out(words, size)
    free = 2 * round(_AROUND_WORDS * laid.letter)
    height = laid.block_size()[1] + free
    made = PIL.Image.new("RGB", (size[0], height + height % 2), ground)
    _set(made, laid.drawn(_ink(colour, ground), edge=ground))
    return made


def with_strip(
    picture: PIL.Image.Image, words: str, place: str, colour: str, value: Apart
) -> PIL.Image.Image:
    """A picture with a strip of words below it, or above where the place says so."""
    band = strip(picture.size, words, colour, value.ground)
    mode = "RGBA" if picture.mode in ("RGBA", "LA") else "RGB"
    whole = PIL.Image.new(mode, (picture.width, picture.height + band.height))
    is_above = "top" in place
    whole.paste(picture.convert(mode), (0, band.height if is_above else 0))
    whole.paste(band.convert(mode), (0, 0 if is_above else picture.height))
    return whole


def card(size: tuple[int, int], words: str, colour: str, ground: Ink) -> PIL.Image.Image:
    """Words alone on a ground, in the middle.

    Raises ToolError where there is no room for the words.
    """
    made = PIL.Image.new("RGB", size, ground)
    laid = lay_out(words, size, min(_CARD_LETTERS, _CARD_LETTERS * size[0] / size[1]))
    _set(made, laid.drawn(_ink(colour, ground), edge=ground))
    return made


def _set(ground: PIL.Image.Image, block: PIL.Image.Image) -> None:
    place = ((ground.width - block.width) // 2, (ground.height - block.height) // 2)
    ground.paste(block, place, block)


def _ink(colour: str, ground: Ink) -> Ink:
    """The colour of letters, black or white where none is said or it cannot be read there."""
    ink = PIL.ImageColor.getrgb(colour)[:3] if colour else ground
    if max(abs(one - two) for one, two in zip(ink, ground, strict=True)) >= _LEAST_CONTRAST:
        return ink
    return DARK if lightness(ground) > 127 else WHITE
