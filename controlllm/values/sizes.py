"""Sizes and shapes of pictures, as they are said and as text that stands for them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from controlllm.values.kinds import Found, found_in

_N = r"(\d+(?:\.\d+)?)"
_PX = r"(?:[ -]?(?:px|pixels?|pix))"
_PRINT = r"(?:cm|mm|in|inch(?:es)?|\")"
#: Screens and papers by their names.
_NAMED = tuple(
    (rf"(?<![\w.])(?:{named})(?!\w)", size)
    for named, size in (
        (r"full ?hd|1080p", "1920x1080"),
        (r"720p|hd ready", "1280x720"),
        (r"1440p|2k|qhd", "2560x1440"),
        (r"4k|2160p|uhd|ultra ?hd", "3840x2160"),
        (r"480p", "854x480"),
        (r"360p", "640x360"),
        (r"din ?a ?4|a4", "a4"),
        (r"a5", "a5"),
        (r"a3", "a3"),
        (r"a6|postcard", "a6"),
        (
            r"(?:us|american|u\.s\.) (?:passport|visa)(?: (?:photo|picture|format|size|pic)s?)?",
            "2x2in",
        ),
        (
            r"(?:passport|biometric|visa|id|identity|driving licence)(?: card)? "
            r"(?:photo|picture|format|size|pic|foto)(?:graph)?s?",
            "35x45mm",
        ),
    )
)
#: Sizes of prints as photographers name them, without a unit.
_CM_PRINTS = frozenset(
    "9x13 10x13 10x15 11x15 13x18 15x20 15x21 15x23 18x24 20x25 20x28 20x30 24x30 30x40 30x45 "
    "40x50 40x60 50x70 50x75 60x80 60x90 70x100".split()
)
_INCH_PRINTS = frozenset("3.5x5 4x6 5x7 6x8 8x10 8x12 10x12 11x14 12x18 16x20 16x24 24x36".split())
#: Sizes of photos for papers, in millimetres.
_MM_PHOTOS = frozenset("35x45 33x48 35x50 40x50 50x50 50x70 30x40 35x40 40x60 45x45".split())
_OF_A_PAPER = re.compile(
    r"\b(?:passport|visa|biometric|id (?:card|photo|picture|pic)|identity|licence|license|permit|"
    r"(?:student|membership|health|library) card)\b"
)
_PRINTED = re.compile(
    r"\b(?:print(?:s|ed|ing|er|able)?|paper|frames?|framed|glossy|matte?|photo lab|drugstore|album|"
    r"postcard|poster|inch(?:es)?)\b"
)
_SHARES = (
    (r"\b(?:twice|2 ?x|2 times|x ?2|double[ds]?|(?:two|2)[ -]?fold)\b", "200%"),
    (r"\b(?:triple[ds]?|3 ?x|3 times|x ?3|(?:three|3)[ -]?fold)\b", "300%"),
    (r"\b(?:4 ?x|4 times|x ?4|quadrupl\w+|(?:four|4)[ -]?fold)\b", "400%"),
    (r"\b(?:halve[ds]?|half)\b(?! (?:a )?(?:mega|meg|mb|second|minute|turn))", "50%"),
    (r"\bfactor (?:of )?(\d+(?:\.\d+)?)\b", lambda match: f"{100 * float(match[1]):g}%"),
    (r"\b(?:a |1 )?third\b", "33.333%"),
    (r"\b(?:a |1 )?quarter\b(?! turn)", "25%"),
)
#: Shapes by their names.
_SHAPES = (
    (r"\bsquare[ds]?\b|\bquadratic\b", "1:1"),
    (
        r"\b(?:tik ?tok|reels?|shorts|stor(?:y|ies)|phone|mobile|whatsapp status|upright|"
        r"vertical(?:ly)?)\b",
        "9:16",
    ),
    (r"\b(?:wide ?screen|youtube|landscape tv|tv|letterbox)\b", "16:9"),
    (r"\bpassport\b", "35:45"),
    (r"\bcinema\w*|cinemascope|ultra ?wide\b", "21:9"),
    (r"\bportrait\b", "4:5"),
    (r"\blandscape\b", "3:2"),
)


_IS = r"(?: (?:of|to|is|at|=|:|should be|exactly|about))*"
_LONG = r"(?:longest|longer|long|largest|larger|biggest)"
_SHORT = r"(?:shortest|shorter|short|smallest|smaller)"
_WIDE, _HIGH = r"(?:wide|across|in width|width)", r"(?:tall|high|in height|height)"
_SOME = rf"{_N}{_PX}?(?![\w%])"
_SIDE = r"(?: (?:side|edge))?"
#: One side or a share, with how it is written in a plan.
_ONE_SIDE = tuple(
    (rf"(?<![\w.:])(?:{pattern})", lambda match, form=form: form.format(match[1]))
    for pattern, form in (
        (rf"{_N}{_PX}? {_WIDE}\b", "{}x"),
        (rf"\b(?:width|wide){_IS} {_SOME}", "{}x"),
        (rf"{_N}{_PX}? {_HIGH}\b", "x{}"),
        (rf"\b(?:height|high|tall){_IS} {_SOME}", "x{}"),
        (rf"{_N}{_PX}? (?:on|at|along|for) (?:the|its) {_LONG}\b{_SIDE}", "max{}"),
        (rf"\b{_LONG} (?:side|edge)\W*(?:\w+ ){{0,3}}?{_SOME}", "max{}"),
        (rf"{_N}{_PX}? (?:on|at|along|for) (?:the|its) {_SHORT}\b{_SIDE}", "min{}"),
        (rf"\b{_SHORT} (?:side|edge)\W*(?:\w+ ){{0,3}}?{_SOME}", "min{}"),
        (rf"{_N} ?(?:%|percent\b|per cent\b)", "{}%"),
    )
)
_NEXT = r"(?:,? and (?:an? )?|, ?| by | x | )"
_SAID_APART = tuple(
    (rf"(?<![\w.:]){first}{_NEXT}{second}", lambda match: f"{match['width']}x{match['height']}")
    for first, second in (
        (
            rf"(?P<width>\d+){_PX}? {_WIDE}\b",
            rf"(?P<height>\d+){_PX}? {_HIGH}\b",
        ),
        (
            rf"(?P<height>\d+){_PX}? {_HIGH}\b",
            rf"(?P<width>\d+){_PX}? {_WIDE}\b",
        ),
        (
            rf"width{_IS} (?P<width>\d+){_PX}?",
            rf"height{_IS} (?P<height>\d+)",
        ),
    )
)
_SQUARE = tuple(
    (pattern, lambda match: f"{match[1]}x{match[1]}")
    for pattern in (
        rf"(?<![\w.:])(\d+){_PX} squared?\b",
        rf"\bsquare(?:,| of| with| at)? (?:sides of )?(\d+){_PX}(?!\w)",
        rf"(?<![\w.:])(\d+){_PX} (?:on|at|along) (?:each|every|all) sides?\b",
    )
)
_LONGEST_SIDE = (rf"(?<![\w.:]){_N}{_PX}(?!\w)", lambda match: f"max{match[1]}")
_BOTH_SIDES = re.compile(
    rf"(?<![\w.:]){_N} ?(?:{_PX}|({_PRINT}))? ?(?:x|\*|by) ?{_N} ?(?:{_PX}|({_PRINT}))?(?![\w:])"
)


def find_sizes(words: str) -> Iterator[Found]:
    """The sizes in plain words, the most exact first: ``"1200x800"``, ``"800x"`` for a width,
    ``"x600"`` for a height, ``"max1200"`` for a longest side, ``"50%"``, ``"10x15cm"``,
    ``"a4"``. Those that only tell how large something is come last."""
    told = []
    for found in _said_sizes(words):
        if _IS_SO.search(words[: found.start]) or _IS_ALL.match(words[found.end :]):
            told.append(found)
        else:
            yield found
    yield from told


#: What stands before the size that something has, or behind it.
_IS_SO = re.compile(
    r"(?:\b(?:it|this|that|which|picture|photo|image|scan|original|thumbnail|video|clip|film|file)"
    r"(?:'s| is| was| has)|\bfrom|\bmine is) (?:only |just |barely |about |currently |now )?"
    r"(?:an? )?$|\bbarely $"
)
_IS_ALL = re.compile(
    r" (?:is|was) (?:all|what|how|the (?:most|original|current))\b|,? (?:right )?now\b"
)


def _said_sizes(words: str) -> Iterator[Found]:
    for match in _BOTH_SIDES.finditer(words):
        unit = (match[4] or match[2] or "").replace('"', "in")
        unit = "in" if unit.startswith("in") else unit
        if not unit and not re.search(_PX, match[0]):
            unit = _unit_apart(words) or _print_unit(f"{match[1]}x{match[3]}", words)
        if unit or (float(match[1]) >= 8 and float(match[3]) >= 8 and "." not in match[0]):
            yield Found(f"{match[1]}x{match[3]}{unit}", *match.span())
    yield from found_in(words, *_SAID_APART, *_SQUARE, *_ONE_SIDE, *_NAMED, _LONGEST_SIDE, *_SHARES)


#: The unit that stands beside two sides rather than behind them: "in inches, 2 by 2".
_IN_A_UNIT = re.compile(
    r"\b(?:in|is|are) (?:(?P<in>inch(?:es)?)|(?P<cm>cm|centimet(?:re|er)s?)|"
    r"(?P<mm>mm|millimet(?:re|er)s?))\b"
)


def _unit_apart(words: str) -> str:
    said = _IN_A_UNIT.search(words)
    return (said.lastgroup or "") if said else ""


def _print_unit(pair: str, words: str) -> str:
    """The unit of two sides that are the size of a print or of a photo for a passport; empty where
    they are pixels."""
    first, _, second = pair.partition("x")
    pairs = {pair, f"{second}x{first}"}
    if _OF_A_PAPER.search(words):
        if pair == "2x2":
            return "in"
        if pairs & _MM_PHOTOS:
            return "mm"
    if "35x45" in pairs:
        return "mm"
    if pairs & _INCH_PRINTS and (_PRINTED.search(words) or _OF_A_PAPER.search(words)):
        return "in"
    return "cm" if pairs & _CM_PRINTS else ""


_IN_FIGURES = re.compile(
    r"(?<![\w.:])(\d{1,2}(?:\.\d+)?) ?(?::|x|/|to|by) ?(\d{1,2}(?:\.\d+)?)"
    r"(?![\w:]|\.\d| ?(?:cm|mm|in|px|\"|seconds))"
)


#: "My vertical clip" tells what is there: the shape that is wanted comes before it.
_WHAT_IS_THERE = re.compile(
    r"\b(?:my|the|this|that|these|those|our|his|her|of an?) (?:\w+ )?$",
)
_MEDIUM = re.compile(
    r"[\w ]{0,12}?(?<!\w)(?:videos?|clips?|films?|movies?|footage|recordings?|pictures?|photos?|"
    r"images?|shots?|selfies?)\b"
)


def find_ratios(words: str) -> Iterator[Found]:
    """The shapes in plain words, as ``"16:9"``: in figures first, then by their names, and last
    those that only tell what is there."""
    for match in _IN_FIGURES.finditer(words):
        first, second = float(match[1]), float(match[2])
        if 0.2 <= first / max(second, 0.01) <= 5 and (":" in match[0] or not _unit_apart(words)):
            yield Found(f"{match[1]}:{match[2]}", *match.span())
    told = []
    for pattern, shape in _SHAPES:
        for match in re.finditer(pattern, words):
            found = Found(shape, *match.span())
            before, behind = words[: match.start()], words[match.end() :].lstrip()
            if _WHAT_IS_THERE.search(before) and _MEDIUM.match(behind):
                told.append(found)
            else:
                yield found
    yield from told
