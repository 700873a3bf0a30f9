"""Wishes to have done to another file what was done last: "do the same to the other one"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from controlllm.planning.clauses import bare
from controlllm.planning.restoring import without_leads

_FILES = (
    "picture|photo|image|pic|photograph|recording|sound|audio|clip|video|film|movie|song|track|file"
    "|one|document|text"
)
_NAME = r"(?:\"[^\"]+\"|“[^”]+”|[\w ()-]*\.[a-z0-9]{2,5})"
_OTHERS = (
    rf"(?:all\s+)?(?:of\s+)?(?:(?:the|my)\s+)?(?:others|rest|(?:other|remaining)\s+(?:{_FILES})s)"
)
_OTHER = (
    r"(?:(?:the|my)\s+)?(?:other|first|second|third|fourth|fifth|last|next)"
    rf"(?:\s+(?:{_FILES}))?"
)
_THIS = (
    r"(?:this|that|these|the\s+new)(?:\s+(?:other|new))?(?:\s+(?:two|three))?"
    rf"(?:\s+(?:{_FILES})s?)?|it"
)
_TARGET = (
    rf"(?P<target>(?P<others>{_OTHERS})|(?P<other>{_OTHER})|(?P<this>{_THIS})|(?P<name>{_NAME}))"
)
_SAME = (
    r"(?:exactly\s+)?(?:the\s+)?same(?:\s+(?:thing|edit|edits|change|changes|steps?))?(?:\s+again)?"
)
_BOTH = (
    r"(?P<both>both(?:\s+(?:things|steps|edits|changes|of\s+(?:them|those|these)))?"
    r"|(?:those|these)\s+two\s+(?:things|steps|edits|changes))"
)
_ALL = (
    r"(?P<all>all(?:\s+of)?\s+(?:that|this|those|these|the\s+(?:steps|changes|edits))|everything)"
)
_ALSO = r"(?:\s+(?:too|also|as\s+well|again|next|now))*"
_PATTERNS = (
    rf"(?:do|apply|repeat|make|try)\s+(?:{_SAME}|{_BOTH}|{_ALL}|it|that|this)(?:\s+(?:again|also))?\s+"
    rf"(?:to|with|for|on|in)\s+{_TARGET}{_ALSO}",
    rf"(?:{_SAME}|{_BOTH}|{_ALL})\s+(?:to|with|for|on|in)\s+{_TARGET}{_ALSO}",
    rf"(?:(?:to|with|for|on)\s+)?{_TARGET}\s+(?:too|also|as\s+well)",
    rf"(?:what\s+about|how\s+about)\s+{_TARGET}{_ALSO}",
)


@dataclass(frozen=True)
class Again:
    """What of the last requests is done again, and to what: `others` of the files, the one that
    came along (`this`), or one that is called by its name or place (`named`, `words`)."""

    what: Literal["last", "both", "all"]
    to: Literal["others", "other", "this", "named"]
    words: str = ""


def repeating(text: str) -> Again | None:
    """What a request wants done again; None where it asks anything else."""
    said = bare(without_leads(bare(text))).strip(" .,!?;:").replace("’", "'")
    said = re.sub(r"\s*,\s*(?=please$)", " ", " ".join(said.split()))
    said = re.sub(r"\s*\b(?:please|thanks)$", "", said, flags=re.IGNORECASE)
    for pattern in _PATTERNS:
        found = re.fullmatch(pattern, said, re.IGNORECASE)
        if found is None:
            continue
        told = found.groupdict()
        what: Literal["last", "both", "all"] = (
            "both" if told.get("both") else "all" if told.get("all") else "last"
        )
        if told["others"]:
            return Again(what, "others")
        if told["other"] and re.match(r"(?:(?:the|my)\s+)?other", told["other"], re.IGNORECASE):
            return Again(what, "other")
        if told["this"]:
            return Again(what, "this")
        return Again(what, "named", told["target"])
    return None
