"""A part of a recording that is told by what is in it: "the bit with the train"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .tables import filled, table_beside

_TABLE = table_beside(__file__)
_TOLD = [(kind, re.compile(filled(form, _TABLE["words"]))) for kind, form in _TABLE["told"]]
_ENDS = {
    kind: re.compile(filled(_TABLE["ends"]["thing"], _TABLE["ends"] | {"gone": gone}))
    for kind, gone in (("seen", _TABLE["ends"]["gone"]), ("said", "$"), ("about", "$"))
}
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
            end = _ENDS[kind].search(match["thing"], first)
            thing = match["thing"][: end.start() if end else None]
            if re.search(r"[a-z]", thing) and len(thing) <= _LONGEST:
                begin = match.start("thing")
                around = f"{plain[:begin]} it {plain[begin + len(thing) :]}"
                return Meant(thing.strip(" :,\"'“"), kind, " ".join(around.split()))
    return None
