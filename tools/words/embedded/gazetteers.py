"""Lists of names that are known: places, first and family names, organisations, other names.

They lie in ``assets/language`` and were written for this project.
"""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from functools import lru_cache

from tools.speech.embedded.pronunciation import LEXICON
from tools.words.embedded.spelling_correction import LANGUAGE_FOLDER


@dataclass(frozen=True)
class Gazetteers:
    """What is known of names. `rivers` are places only after "the"; `ordinary` are the words of
    the English dictionary that are written small."""

    places: frozenset[str]
    rivers: frozenset[str]
    first_names: frozenset[str]
    last_names: frozenset[str]
    organisations: frozenset[str]
    other: frozenset[str]
    ordinary: frozenset[str]


@lru_cache(maxsize=1)
def gazetteers() -> Gazetteers:
    """The lists, read once."""
    return Gazetteers(
        _names("places"),
        _names("rivers"),
        _names("first-names"),
        _names("last-names"),
        _names("organisations"),
        _names("other-names"),
        _ordinary_words(),
    )


def _names(name: str) -> frozenset[str]:
    lines = (LANGUAGE_FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(
        part.strip() for line in lines if not line.startswith("#") for part in line.split(",")
    ) - {""}


def _ordinary_words() -> frozenset[str]:
    words = json.loads(gzip.decompress(LEXICON.path().read_bytes()))
    return frozenset(word for word in words if word.islower() and word.capitalize() not in words)
