"""Which of the languages that a request names is the one to translate into."""

from __future__ import annotations

import re
from collections.abc import Sequence

from controlllm.planning.said_values import mentions_in

#: What stands before the language that something is in already: "it is in", "he writes in".
_IS_IN = re.compile(
    r"(?:\b(?:from|(?:is|are|was|were|writes?|wrote|written|speaks?|spoke|spoken|talks?|printed|"
    r"typed|comes?|came|with \w+)(?: (?:only|all|just|mostly))? in|(?:no|not any)|"
    r"(?:not|cannot) (?:read|speak|know|understand|get))|"
    r"n['’]t (?:read|speak|know|understand|get)|(?:it|that|this|s?he)['’]s(?: all| only)? in)"
    r"(?: the| an?| any| much| some)? $",
    re.IGNORECASE,
)
#: "My German is rusty" says that the text is in German.
_MINE = re.compile(r"\b(?:my|our|his|her|their) $", re.IGNORECASE)
_IS_POOR = re.compile(r" (?:is|isn|was|has)\b|['’]s\b")
_INTO = re.compile(r"(?:\b(?:to|into)(?: an?)?|[-–=]>|→) $", re.IGNORECASE)
#: In which language people wrote who ask for none: what they know no German for, they want in this.
_OWN = "English"

Span = tuple[int, int]


def wanted_language(heard: str, text: str, spoken: str) -> str:
    """The language to translate into, where some words of a request were heard as its name: not the
    one that the text is in already, as in "he writes in Dutch, could I have that in English?"."""
    named = [(item.start, item.end) for item in mentions_in(text) if item.kind == "language"]
    within = [text[start:end] for start, end in named if text[start:end] in heard]
    if not within:
        return heard
    into = [span for span in named if _INTO.search(text[: span[0]])]
    sources = _sources(text, named)
    left = [span for span in named if span not in sources]
    for wanted in ([span for span in into if span in left], left):
        names = list(dict.fromkeys(text[start:end] for start, end in wanted))
        own = [name for name in names if name in spoken] or names
        if own:
            return own[-1] if not any(name in heard for name in own) else _kept(heard, within, own)
    return _OWN


def _kept(heard: str, within: Sequence[str], own: Sequence[str]) -> str:
    """What was heard, such as "Brazilian Portuguese", or the name in it that is wanted."""
    return heard if set(within) <= set(own) else next(name for name in own if name in heard)


def _sources(text: str, named: Sequence[Span]) -> list[Span]:
    """Where languages are named that something is in: behind "from" or "is in", or before "to"."""
    found: list[Span] = []
    for place, (start, end) in enumerate(named):
        between = text[named[place - 1][1] : start] if place else ""
        follows = text[end : named[place + 1][0]] if place + 1 < len(named) else ""
        goes_on = place and named[place - 1] in found and between == " or "
        is_poor = _MINE.search(text[:start]) and _IS_POOR.match(text[end:])
        goes_before = re.fullmatch(r" (?:in)?to |-to-", follows)
        if _IS_IN.search(text[:start]) or is_poor or goes_on or goes_before:
            found.append((start, end))
    return found
