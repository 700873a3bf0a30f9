"""Sizes, parts and turns of pictures, as people say them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated

from controlllm.values import Kind
from controlllm.values.kinds import Found
from controlllm.values.plain import HIDDEN
from controlllm.values.sizes import find_sizes

_N = r"(\d+(?:\.\d+)?)"
_PERCENT = r"(?:%|percent\b|per cent\b)"
_SMALLER = r"(?:smaller|less)\b"
_LARGER = r"(?:larger|bigger)\b"
_SHRINK = r"\b(?:shrink|shrunk|reduc\w+|scal\w+ (?:\w+ )?down|mak\w+ (?:\w+ )?smaller)\b"
_GROW = (
    r"\b(?:enlarg\w+|increas\w+|scal\w+ (?:\w+ )?up|blow\w* (?:\w+ )?up|mak\w+ (?:\w+ )?larger)\b"
)
_LITTLE = r"\b(?:a (?:bit|little|touch)|slightly|somewhat) "
_PER_INCH = 300
_INCHES = {"mm": 1 / 25.4, "cm": 1 / 2.54}
#: By how much something changes: words with what is left of 100 % by a share of 1.
_CHANGES = (
    (rf"{_N} ?{_PERCENT} {_SMALLER}", -1),
    (rf"\b(?:smaller|down) by {_N} ?{_PERCENT}", -1),
    (rf"{_SHRINK}(?: \w+){{0,3}}? by {_N} ?{_PERCENT}", -1),
    (rf"{_N} ?{_PERCENT} {_LARGER}", 1),
    (rf"\b(?:larger|bigger|up) by {_N} ?{_PERCENT}", 1),
    (rf"{_GROW}(?: \w+){{0,3}}? by {_N} ?{_PERCENT}", 1),
)
#: In words, the surest first; the last are for who only says which way.
_IN_WORDS = (
    (r"\b(?:three|3) quarters\b", "75%"),
    (r"\b(?:two|2) thirds\b", "66.667%"),
    (rf"\b(?:a|1) third {_SMALLER}", "66.667%"),
    (rf"\b(?:a|1) quarter {_SMALLER}", "75%"),
)
_WAYS = (
    (_LITTLE + _SMALLER, "75%"),
    (_LITTLE + _LARGER, "133%"),
    (rf"\b(?:much|a lot|far) {_SMALLER}", "25%"),
    (rf"\b(?:smaller|scaled? (?:it )?down|downsize\w*)\b|{_SHRINK}", "50%"),
    (rf"\b(?:larger|bigger)\b|{_GROW}", "200%"),
)
#: A number alone, which is a length in pixels where no other unit follows.
_ALONE = (
    r"\b(?:to|at|be|exactly|only) (\d{2,5})\b(?! ?(?:[x:/*%°.-]|by|px|dpi|ppi|percent|per cent|"
    r"degrees|cm|mm|in\b|inch|kb|mb|kilo|mega|colou?rs|times))"
)


def _new_sizes(words: str) -> Iterator[Found]:
    for pattern, way in _CHANGES:
        for match in re.finditer(pattern, words):
            share = 100 + way * float(match[1])
            if share > 0:
                yield Found(f"{share:g}%", *match.span())
    for pattern, size in _IN_WORDS:
        for match in re.finditer(pattern, words):
            yield Found(size, *match.span())
    for match in re.finditer(
        rf"(?<![\w.x]){_N} ?(cm|mm|in|inch(?:es)?) (wide|across|high|tall)\b", words
    ):
        pixels = round(float(match[1]) * _INCHES.get(match[2], 1.0) * _PER_INCH)
        form = "{}x" if match[3] in ("wide", "across") else "x{}"
        yield Found(form.format(pixels), *match.span())
    yield from find_sizes(words)
    for match in re.finditer(_ALONE, words):
        yield Found(f"max{match[1]}", *match.span())
    for pattern, size in _WAYS:
        for match in re.finditer(pattern, words):
            yield Found(size, *match.span())


_FORM = r"{n}x{n}(?:cm|mm|in)?|{n}x|x{n}|(?:max|min){n}|{n}%|a[3-6]".format(n=r"\d+(?:\.\d+)?")

#: A size as `Size` has it, where what something is changed by counts too: "20 % smaller".
NewSize = Annotated[
    str, Kind("a size, such as 1200x800, 800 wide or 20 % smaller", _new_sizes, _FORM)
]

_SIDES = {"upper": "top", "lower": "bottom", "center": "middle", "centre": "middle"}
_OPPOSITE = {"left": "right", "right": "left", "top": "bottom", "bottom": "top"}
_REST = {
    "half": "half", "third": "two_thirds", "quarter": "three_quarters",
    "two_thirds": "third", "three_quarters": "quarter",
}  # fmt: skip
_SIDE = r"(?P<side>left|right|top|bottom|upper|lower|middle|center|centre)"
_SHARE = r"(?P<share>half|third|quarter|(?:two|2)[ -]thirds|(?:three|3)[ -]quarters)"
_PART = re.compile(
    rf"\b{_SIDE}(?:[ -]hand)?(?:[ -](?P<corner>left|right))?(?:[ -]hand)?(?: side)?[ -]{_SHARE}\b|"
    rf"\b{_SHARE.replace('share', 'share2')} (?:on|at|of|to|from) the "
    rf"{_SIDE.replace('side', 'side2')}\b"
)
_AWAY = re.compile(
    r"\b(?:(?:cut|crop|trim|chop|lop|slice|tak|shav)\w*(?: \w+)? (?:off|away)|remov\w+|get rid of|"
    r"delet\w+|lose|drop|without)(?: \w+){0,2} ?$"
)


def _parts(words: str) -> Iterator[Found]:
    for match in _PART.finditer(words):
        side = match["side"] or match["side2"]
        side = _SIDES.get(side, side)
        share = re.sub(r"[ -]", "_", match["share"] or match["share2"])
        share = share.replace("2_", "two_").replace("3_", "three_")
        is_away = _AWAY.search(words[: match.start()]) or re.match(
            r" (?:off|away)\b|(?: \w+){0,3} (?:can|should|must) go\b", words[match.end() :]
        )
        if match["corner"] and side in ("top", "bottom") and share == "quarter":
            yield Found(f"{side}_{match['corner']}_quarter", *match.span())
        elif is_away and side in _OPPOSITE:
            yield Found(f"{_OPPOSITE[side]}_{_REST[share]}", *match.span())
        else:
            yield Found(f"{side}_{share}", *match.span())


#: A part such as "left_half", "top_third" or "bottom_left_quarter", the one that stays.
Part = Annotated[
    str,
    Kind(
        "a part, such as the left half or the upper third",
        _parts,
        r"(?:left|right|top|bottom|middle)_(?:half|third|quarter|two_thirds|three_quarters)|"
        r"(?:top|bottom)_(?:left|right)_quarter",
    ),
]

_OFF = re.compile(
    r"\b(?:off|trim\w*|lop\w*|shav\w+|chop\w*|remov\w+|cut\w* away|tak\w+ away|lose|"
    r"(?:cut|crop)\w*(?: \S+){0,4} (?:from|at|on))\b"
)
_AMOUNT = re.compile(
    rf"(?<![\w.x])(?<!\bto ){_N}[ -]?(px|pixels?|pix|%|percent|per cent)(?![\w])"
    r"(?! (?:wide|high|tall|across|square|jpe?g))"
)
_EDGE = re.compile(r"\b(left|right|top|bottom|upper|lower|above|below)\b")


def _edges(words: str) -> Iterator[Found]:
    amounts = list(_AMOUNT.finditer(words))
    if not amounts or not _OFF.search(words):
        return
    said = []
    for match, following in zip(amounts, [*amounts[1:], None], strict=True):
        behind = words[match.end() : following.start() if following else len(words)]
        sides = _edge_names(behind)
        if not sides and len(amounts) == 1:
            sides = _edge_names(words[: match.start()])
        unit = "%" if match[2] in ("%", "percent", "per cent") else "px"
        said.append(" ".join([f"{match[1]}{unit}", *sides]))
    yield Found(",".join(said), amounts[0].start(), amounts[-1].end())


def _edge_names(words: str) -> list[str]:
    names = {"upper": "top", "above": "top", "lower": "bottom", "below": "bottom"}
    found = [names.get(match[1], match[1]) for match in _EDGE.finditer(words)]
    return list(dict.fromkeys(found))


_ONE_EDGE = r"\d+(?:\.\d+)?(?:px|%)?(?: (?:left|right|top|bottom))*"
#: What is cut off: "40px" off every edge, "10% left right", "100px top,20px bottom".
Edge = Annotated[
    str,
    Kind("how much is cut off, such as 40 px or 10 %", _edges, rf"{_ONE_EDGE}(?:,{_ONE_EDGE})*"),
]


_DEGREES = r"(?<![\w.:])([-+]?\d+(?:\.\d+)?) ?(?:°|degrees?\b|deg\b|grad\b)"
#: A number alone behind what is done, which is no picture's number.
_BARE = (
    r"\b(?:by|rotat\w+|turn\w*|tilt\w*)(?: it| this| that)? ([-+]?\d{2,3})\b"
    r"(?! ?(?:and\b|,|px|pix|%|per))"
)
_DIRECTION = re.compile(
    r"\b(?P<left>(?:counter|anti)[ -]?clockwise|a?ccw|acw|left(?:wards?)?)\b|"
    r"\b(?P<right>clockwise|cw|right(?:wards?)?)\b"
)
#: "Tilt the poster to the left" turns it there, unlike "it tilts to the left".
_LEANS = (
    r"\b(?:lean|hang|tilt(?! (?:it|this|that|them|the|my|our|her|him)\b)|slop|slant|drop|droop|"
    r"crooked|sag|dip|fall|lopsided|skew)\w*"
)
#: Where left and right do not say which way something is turned.
_NO_TURN = re.compile(
    rf"{_LEANS}(?: \S+){{0,6}}? (?:to|towards) (?:the|its) (?:left|right)|"
    r"\bright (?:way|side|now|away)\b|\ball right\b|\b(?:left|right)[ -]hand\b|"
    r"\b(?:what|who|how much)(?:'s| is)? left\b|\bleft and right\b|"
    r"\b(?:left|right) (?:edge|one|picture|photo|image)\b"
)
_LYING = re.compile(
    r"\bon(?:to)? (?:its|her|his|their|the) (?P<side>left|right)(?:[ -]hand)? side\b|"
    r"\b(?P<edge>left|right) (?:edge|side) is (?:at |on )?(?:the )?top\b|"
    r"\b(?:top|head|sky) (?:is|points) (?:on|at|to) the (?P<top>left|right)\b"
)
_PARTS = (
    (r"\bthree[ -]quarter turn\b|\b3 quarters? turns?\b", 270.0),
    (r"\b(?:half|180)[ -](?:a |of a )?(?:turn|way round)\b", 180.0),
    (r"\bquarter\b(?! (?:of the|size|hour))|\b90[ -](?:of a )?turn\b", 90.0),
)
_VAGUE = re.compile(
    r"\b(?:(?:a )?(?:few|couple(?: of)?) degrees|slight(?:ly)?|"
    r"a (?:little|bit|touch|tad|hair)|un peu)\b"
)
_OVER = re.compile(
    r"\bupside[ -]?down\b|\bon (?:its|his|her|their) head\b|\bother way up\b|\bhead over heels\b|"
    r"\bbottom to (?:the )?top\b|"
    r"\b(?:turn|rotat)\w*(?: (?!way)\S+){0,8} (?:round|around)(?= *[,.!;]|$| please)"
)
_SLIGHT = 3.0


def _turns(words: str) -> Iterator[Found]:
    said = _NO_TURN.sub(lambda match: HIDDEN * len(match[0]), words)
    ways = [(*match.span(), -1 if match["left"] else 1) for match in _DIRECTION.finditer(said)]

    def sign(end: int) -> int:
        """Of the way that stands nearest, rather behind than before."""
        near = min(
            ways,
            key=lambda way: way[0] - end if way[0] >= end else 1000 + end - way[1],
            default=None,
        )
        return near[2] if near else 1

    for match in re.finditer(_DEGREES, words):
        yield Found(float(match[1]) * sign(match.end()), *match.span())
    for match in re.finditer(_BARE, words):
        yield Found(float(match[1]) * sign(match.end()), *match.span())
    for pattern, angle in _PARTS:
        for match in re.finditer(pattern, words):
            yield Found(angle if angle == 180 else angle * sign(match.end()), *match.span())
    for match in _LYING.finditer(words):
        is_left = "left" in (match["side"], match["edge"], match["top"])
        yield Found(90.0 if is_left else -90.0, *match.span())
    if ways:
        for match in _VAGUE.finditer(words):
            yield Found(_SLIGHT * sign(match.end()), *match.span())
    for match in _OVER.finditer(words):
        if "way" not in match[0] or "other way" in match[0]:
            yield Found(180.0, *match.span())
    for start, end, way in ways:
        yield Found(90.0 * way, start, end)


#: Clockwise, in degrees.
Turn = Annotated[float, Kind("an angle, such as 90 degrees or a quarter to the left", _turns)]


def _leanings(words: str) -> Iterator[Found]:
    """Only angles in figures whose way is known: "a bit to the left" is better measured."""
    for match in re.finditer(_DEGREES, words):
        turn = re.search(
            r"\b(?:turn|rotat)\w*(?: \w+){0,6}? (?=left|right|\w*clockwise|a?cc?w)", words
        )
        way = _DIRECTION.search(words, turn.end() if turn else 0)
        angle = float(match[1])
        if way:
            # What leans to the left is turned to the right.
            leans = not turn and re.search(rf"{_LEANS}|\btoo far\b", words) is not None
            yield Found(-angle if bool(way["left"]) != leans else angle, *match.span())
        elif angle < 0 or match[1].startswith("+") or words.strip() == match[0]:
            yield Found(angle, *match.span())


#: Clockwise, in degrees, by which something that leans is made level.
Leaning = Annotated[float, Kind("an angle, such as 3 degrees", _leanings)]
