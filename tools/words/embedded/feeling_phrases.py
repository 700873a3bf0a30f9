"""Turns of phrase that say by themselves whether a clause is praise or blame.

In most of them the single words say the opposite, or nothing. They are in ``feeling_phrases.toml``.
"""

from __future__ import annotations

import re

from ...shared.tables import filled, table_beside

_TABLE = table_beside(__file__)
_MIXED, _INDIFFERENT = (
    re.compile(filled(_TABLE[name], {}), re.IGNORECASE) for name in ("mixed", "indifferent")
)
_TURNS = tuple(
    (re.compile(filled(turn["pattern"], _TABLE["parts"]), re.IGNORECASE), float(turn["score"]))
    for turn in _TABLE["turns"]
)


def turn_of_phrase(clause: str) -> float | None:
    """The feeling, from -1 to 1, of the strongest turn of phrase in a clause; None without one."""
    plain = _plain(clause)
    found = [score for pattern, score in _TURNS if pattern.search(plain)]
    return max(found, key=abs) if found else None


def says_mixed(clause: str) -> bool:
    """Whether a clause says outright that there are two sides to it."""
    return bool(_MIXED.search(_plain(clause)))


def says_indifferent(clause: str) -> bool:
    """Whether a clause says outright that it is neither good nor bad."""
    return bool(_INDIFFERENT.search(_plain(clause)))


def _plain(clause: str) -> str:
    return clause.lower().replace("’", "'").strip(' .!?…,;"“”')
