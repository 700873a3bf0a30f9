"""How something is to be taken apart, as people say it: how many pieces, how large, where cut, and
which pauses are to go."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, pairwise

from controlllm.values import Kind
from controlllm.values.kinds import Found, found_in
from controlllm.values.plain import HIDDEN
from controlllm.values.times import find_seconds, seconds_of

_PIECES = (
    r"(?:pieces?|parts?|files?|slices?|strips?|sections?|segments?|chunks?|portions?|tiles?|"
    r"clips?|tracks?|stills?|frames?|pictures?|images?|photos?|screenshots?|snapshots?|shots?|"
    r"recordings?|sounds?|documents?|pdfs?|columns?|rows?|panels?|squares)"
)
_ONE = r"(?:file|clip|video|film|piece|part|track|upload|post|message|recording|episode|one)s?"
_SIZES = (
    rf"(?:(?:equally|evenly|of|equal|even|spread|same|big|large|long|sized|spaced|separate|single|"
    rf"different|smaller|vertical|horizontal|stacked|square|{HIDDEN}+)[ -]){{0,3}}"
)
_FRACTIONS = (
    (r"\b(?:in|into|to) (?:two )?(?:half|halves)\b|\bhalves\b", 2),
    (r"\bthirds\b", 3),
    (r"\bquarters\b|\bfourths\b", 4),
    (r"\bfifths\b", 5),
    (r"\bsixths\b", 6),
)


_COUNTS = (
    (rf"(?<![\w.:x])1 {_SIZES}{_PIECES} (?:of|from|out of) (?:each|every) {_ONE}\b", 1),
    # "One file per song" is no number of files.
    (rf"(?<![\w.:x])(?!1 )(\d+) {_SIZES}{_PIECES}\b", lambda match: int(match[1])),
    (
        r"\b(?:in|into) (?!1\b)(\d+)\b(?! ?(?:x|by|seconds?|minutes?|[:.]))",
        lambda match: int(match[1]),
    ),
    *_FRACTIONS,
)
#: Nothing is cut into one piece: "one single picture" is what there is.
PIECES = Kind(
    "a number of pieces, such as 3",
    lambda words: (found for found in found_in(words, *_COUNTS) if found.value > 1),
    r"\d+",
)
HOW_MANY = Kind("a number, such as 3", lambda words: found_in(words, *_COUNTS), r"\d+")
#: "Twice as loud" is another matter.
_NOT_AS = r"\b(?! (?:as|the|its|more|less|\w+er)\b)"
HOW_OFTEN = Kind(
    "a number of times, such as 3 times",
    lambda words: found_in(
        words,
        (rf"\btwice{_NOT_AS}", 2),
        (rf"(?<![\w.:])(\d+) ?(?:times|x){_NOT_AS}", lambda match: int(match[1])),
    ),
    r"\d+",
)
_PAGES_EACH = tuple(
    (pattern, lambda match: int(match[1]))
    for pattern in (
        r"\b(?:after )?every (\d+) pages?\b",
        r"\b(\d+) pages? (?:each|every|per|apiece|at a time|a file|in each|to a file|long)\b",
        r"\b(?:groups|bundles|files|parts|chunks|pieces|documents|pdfs|sets|batches) (?:of|with) "
        r"(\d+)(?: pages?)?\b",
    )
)
PAGES_EACH = Kind(
    "pages to a file, such as every 2 pages", lambda words: found_in(words, *_PAGES_EACH), r"\d+"
)
_GRIDS = (
    (
        r"\b(\d+) rows?(?: and| by|,| of)? (\d+)(?: columns?)?\b",
        lambda match: f"{match[1]}x{match[2]}",
    ),
    (
        r"\b(\d+) columns?(?: and| by|,| of)? (\d+) rows?\b",
        lambda match: f"{match[2]}x{match[1]}",
    ),
    (
        r"\b(\d+) (?:across|wide)(?:,| and| by|, and)? (\d+) (?:down|high|deep)\b",
        lambda match: f"{match[2]}x{match[1]}",
    ),
    (
        r"(?<![\w.])(\d{1,2}) ?(?:x|by) ?(\d{1,2})\b(?! ?(?:px|pix|cm|mm))",
        lambda match: f"{match[1]}x{match[2]}",
    ),
    (r"\b(?:4 )?(?:quadrants|corners)\b|\bquarters\b", "2x2"),
)
#: How many pictures are on one page: "2 per page", "all 4 on one A4 page", "2x2".
ON_A_PAGE = Kind(
    "pictures on a page, such as 2x2 or 4 per page",
    lambda words: found_in(
        words,
        *_GRIDS[:-1],
        (
            r"(?<![\w.:x])([1-9]\d?)(?: (?:of them|pictures|photos|images|scans|receipts|pics))*"
            r" (?:(?:to|per|on|onto) (?:a|each|every|1|one|the same|a single)(?: single)?|per)"
            rf"(?: (?:upright|a4|letter|din|portrait|landscape|{HIDDEN}+))* (?:page|sheet)\b",
            lambda match: match[1],
        ),
    ),
    r"\d+(?:x\d+)?",
)
GRID = Kind("rows and columns, such as 2x3", lambda words: found_in(words, *_GRIDS), r"\d+x\d+")


_SO_MANY = (
    rf"(?<![\w.:])([1-9]\d*)(?: (?:of them|times|{_PIECES}))? "
    r"(?:(?:per|each|every) (?:1 )?|1 )(second|minute|hour)\b"
)


def _everies(words: str) -> Iterator[Found]:
    """How far apart pieces begin, in seconds: "every ten seconds", "one a second"."""
    # "Two a second" is "2 1 second" in plain words.
    yield from found_in(
        words, (_SO_MANY, lambda match: seconds_of(f"1 {match[2]}") / int(match[1]))
    )
    for match in re.finditer(
        r"\b(?:every|each|per|an?(?= (?:single )?(?:second|minute)s?\b)|for every|once an?) "
        r"(?:single )?(?:(other)|(\d+(?:\.\d+)?))? ?(seconds?|secs?|s|minutes?|mins?|hours?)\b",
        words,
    ):
        unit = {"s": 1.0, "m": 60.0, "h": 3600.0}[match[3][0]]
        yield Found((2.0 if match[1] else float(match[2] or 1)) * unit, *match.span())
    yield from found_in(
        words,
        (
            r"\bevery half (?:an? )?(second|minute|hour)\b",
            lambda match: seconds_of(f"1 {match[1]}") / 2,
        ),
    )
    for found in find_seconds(words):
        before, after = words[: found.start], words[found.end :]
        if re.search(
            r"(?:\bevery|\beach|\bpieces of|\bparts of|\bchunks of|\bfiles of|\bclips of|"
            r"\bsegments of|\bblocks of|\bsections of|\bbits of) $",
            before,
        ) or re.match(
            r"[ -](?:each\b|apiece\b|long\b|apart\b|at a time\b|pieces\b|parts\b|chunks\b|files\b|"
            r"clips\b|segments\b|blocks\b|sections\b|bits\b|intervals\b)",
            after,
        ):
            yield found


EVERY = Kind("a time between, such as every 2 seconds", _everies)


#: How long no piece may be: "no longer than five minutes", "ten minutes per video".
_AT_MOST = (
    rf"\b(?:(?:no|any|every|each) {_ONE} )?(?:longer than|at most|max(?:imum)?(?: of| is)?|over|"
    r"exceed\w*|beyond|no more than|limit\w*(?: of| is| at| to)?) $"
)
_EACH = rf" (?:per|a|for (?:each|every|one)) {_ONE}\b|,? (?:max\w*|at (?:the )?most|tops|or less)\b"
_PAUSE = re.compile(r"\b(?:paus|gap|silen|quiet)\w* (?:\w+ )?$")


def _longest(words: str) -> Iterator[Found]:
    """How long a piece may be at most, in seconds."""
    for found in find_seconds(words):
        before = words[: found.start]
        most = re.search(_AT_MOST, before)
        of_pauses = most and _PAUSE.search(before[: most.start()])
        if (most and not of_pauses) or re.match(_EACH, words[found.end :]):
            yield found


_AT = re.compile(r"\b(?:at|after|from|to|until|till|and|or|between|before|then|first)(?: the)? $")


def _places(words: str) -> list[Found]:
    """The times in plain words that are places in a recording, in their order; not how long it
    lasts, as in "this 40-minute lesson"."""
    places: list[Found] = []
    for found in sorted(find_seconds(words), key=lambda item: item.start):
        between = words[places[-1].end : found.start] if places else ""
        is_listed = bool(places) and re.fullmatch(r" ?[-,;]? ?", between)
        is_clock = ":" in words[found.start : found.end]
        if is_clock or is_listed or _AT.search(words[: found.start]):
            places.append(found)
    return places


def _cuts(words: str) -> Iterator[Found]:
    """Where a recording is cut, in seconds: "0,6,11", passages "5..12,30..41", or "every 600"."""
    for found in chain(_everies(words), _longest(words)):
        yield Found(f"every {found.value:g}", found.start, found.end)
        return
    times = _places(words)
    passages = [
        (first, last)
        for first, last in pairwise(times)
        if re.fullmatch(r" ?(?:-|to|until|till|through|up to) ?", words[first.end : last.start])
        and last.value > first.value
    ]
    if passages:
        told = ",".join(f"{first.value:g}..{last.value:g}" for first, last in passages)
        yield Found(told, passages[0][0].start, passages[-1][1].end)
    elif times:
        yield Found(",".join(f"{item.value:g}" for item in times), times[0].start, times[-1].end)


_N = r"\d+(?:\.\d+)?"
CUTS = Kind(
    "times, such as 0:00, 0:06 and 0:11, or every 10 minutes",
    _cuts,
    rf"every {_N}|{_N}(?:\.\.{_N})?(?:, ?{_N}(?:\.\.{_N})?)*",
)


#: Of a film with several of them.
EACH_SCENE = re.compile(
    r"\b(?:(?:of|for|from|per|in) )?(?:each|every|per|all(?: the)?|any|different) "
    r"(?:new |different |single )?(?:scenes?|shots?|settings?|places?|animals?|persons?|people|"
    r"things?|(?<=different )clips?|camera angles?|locations?)\b"
)
OF_EACH_SCENE = Kind("yes or no", lambda words: found_in(words, (EACH_SCENE, True)))


#: Seconds from which on silence is a pause that is shortened, and what is left of it.
USUALLY_FROM, USUALLY_LEFT = 0.7, 0.35


def _said_behind(words: str, before: str) -> Iterator[Found]:
    """The times in plain words that stand behind one of some words."""
    for found in find_seconds(words):
        if re.search(rf"\b{before} (?:about |around |only |just )?$", words[: found.start]):
            yield found


#: How long a pause has to be to be shortened, and how long it is then.
PAUSES_OVER = Kind(
    "how long pauses are at least, such as longer than 2 seconds",
    lambda words: _said_behind(words, r"(?:over|above|exceed\w*|than|at least|from)"),
)
PAUSE_LEFT = Kind(
    "how long a pause is afterwards, such as to half a second",
    lambda words: _said_behind(words, r"(?:to|at most|max(?:imum)?|down to|no more than|leave)"),
)
