"""Which passages of a recording a request to cut it keeps, told by their times or by what is in
them: "the bit with the train"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from controlllm.toolbox import ToolError

from .comparing import lasting
from .tables import filled, table_beside
from .time_phrases import Clock, Passages, Span, in_words, marked, passages

_TABLE = table_beside(__file__)
_TOLD = [(kind, re.compile(filled(form, _TABLE["words"]))) for kind, form in _TABLE["told"]]
_ENDS = {
    kind: re.compile(filled(_TABLE["ends"]["thing"], _TABLE["ends"] | {"gone": gone}))
    for kind, gone in (("seen", _TABLE["ends"]["gone"]), ("said", "$"), ("about", "$"))
}
_PATTERNS = {
    name: re.compile(filled(pattern, {}))
    for name, pattern in _TABLE.items()
    if isinstance(pattern, str)
}
_QUOTED = re.compile(r"[\s:,]*(?:[\"“][^\"”]+[\"”]|'[^']{3,}'(?!\w))")
_LONGEST = 80


@dataclass(frozen=True)
class Meant:
    """What is in the part that is meant.

    `kind` tells whether it is "seen", "said", or that the part is "about" it, which may be either.
    `around` is the request with "it" in place of the thing.
    """

    thing: str
    kind: str
    around: str


def meant_part(plain: str) -> Meant | None:
    """The part that a plain request, in small letters, tells by what is in it; None for none."""
    for kind, told in _TOLD:
        for match in told.finditer(plain):
            # What is quoted begins behind its mark.
            first = len(match["thing"]) - len(match["thing"].lstrip(" :,\"'“"))
            quoted = _QUOTED.match(match["thing"])
            end = None if quoted else _ENDS[kind].search(match["thing"], first)
            thing = quoted[0] if quoted else match["thing"][: end.start() if end else None]
            if re.search(r"[a-z]", thing) and len(thing) <= _LONGEST:
                begin = match.start("thing")
                around = f"{plain[:begin]} it {plain[begin + len(thing) :]}"
                return Meant(thing.strip(" :,\"'“”"), kind, " ".join(around.split()))
    return None


#: Finds the passages that are told by what is seen or said in them; raises ToolError for none.
Find = Callable[[Meant], Sequence[Span]]

_NOUN = r"(?:an? |the )?(?:short |new |small )?(?:clip|video|excerpt|extract|snippet|scene)\b"
_SHORTEST = 0.02


def kept_passages(
    prompt: str,
    seconds: float,
    frame_rate: float = 25.0,
    what: str = "video",
    find: Find | None = None,
) -> list[Span]:
    """The passages to keep, in order and apart from each other; `what` is cut, in a word. `find`
    looks for those that are told without a time.

    Raises ToolError where the request names no passage, one outside it, or leaves nothing.
    """
    clock = Clock(seconds, frame_rate)
    plain = marked(prompt, clock)
    rest_named = _PATTERNS["the_rest"].search(plain)
    plain = _PATTERNS["the_rest"].sub("", plain)
    found = passages(plain, clock)
    meant = None if found.spans or find is None else meant_part(plain)
    if meant is not None and find is not None:
        found = Passages(tuple(find(meant)), plain)
        plain = meant.around
    if not found.spans:
        raise ToolError(
            "I cannot tell which passage is meant; say it by its times, such as “from 0:05 to "
            "0:12”, “the first ten seconds” or “cut out seconds 3 to 5”."
        )
    named = _within(found.spans, seconds, what)
    removing = _removes(plain, rest_named[0] if rest_named else "", found.spans, seconds)
    kept = _others(named, seconds) if removing else named
    if not kept:
        raise ToolError(
            f"Nothing would be left of the {what}, which is {lasting(seconds)} long; name a "
            "shorter passage to remove."
        )
    return kept


def _removes(plain: str, rest: str, spans: tuple[Span, ...], seconds: float) -> bool:
    """Whether the passages that are named go; where no word says so they stay."""
    if rest:
        return re.search(r"keep|leav|stay|remain|kept|left", rest) is not None and not _PATTERNS[
            "keeping"
        ].search(plain)
    removing = any(_PATTERNS[name].search(plain) for name in ("removing", "out_later", "gone"))
    if (
        re.search(rf"\bcut\w* out {_NOUN}", plain)
        or _PATTERNS["to_have"].search(plain)
        or _PATTERNS["nothing_else"].search(plain)
    ):
        removing = False
    if _PATTERNS["except"].search(plain):
        return not removing
    if removing:
        return True
    # "Cut the first two seconds" takes an end away; "cut from 3 to 5" takes a passage out to have.
    at_ends = all(start <= 0 or end >= seconds for start, end in spans)
    edge = re.search(
        r"\b(?:cut|trim)\w* (?:away )?(?:the )?(?:very )?(?:first|last|final|opening|initial|@\d+ "
        r"(?:from|off|at))",
        plain,
    )
    return bool(
        at_ends
        and edge
        and _PATTERNS["cutting_ends"].search(plain)
        and not _PATTERNS["keeping"].search(plain)
    )


def _within(spans: tuple[Span, ...], seconds: float, what: str) -> list[Span]:
    """The spans cut to the video and joined where they touch, in the order of time."""
    inside: list[Span] = []
    for start, end in sorted(spans):
        if start >= seconds - _SHORTEST and end > start:
            raise ToolError(
                f"The {what} lasts only {in_words(seconds)}, so there is nothing at "
                f"{in_words(start)}; name an earlier passage."
            )
        start, end = max(start, 0.0), min(end, seconds)
        if end - start < _SHORTEST:
            continue
        if inside and start <= inside[-1][1] + _SHORTEST:
            inside[-1] = (inside[-1][0], max(inside[-1][1], end))
        else:
            inside.append((start, end))
    if not inside:
        raise ToolError("The passage that is named lasts no time; name a longer one.")
    return inside


def _others(spans: list[Span], seconds: float) -> list[Span]:
    edges = [0.0, *(edge for span in spans for edge in span), seconds]
    pairs = zip(edges[::2], edges[1::2], strict=True)
    return [(start, end) for start, end in pairs if end - start >= _SHORTEST]
