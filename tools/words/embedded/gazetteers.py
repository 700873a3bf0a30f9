"""Lists of names that are known: places, first and family names, organisations, other names; and
the words inside names.

They lie in ``assets/language`` and in ``name_evidence.toml``, and were written for this project.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from ...shared.tables import table_beside
from ...speech.embedded.pronunciation import LEXICON
from .word_lists import lines_of, parted_by_commas

#: Titles, first and last words, links and more that names have, each as a set; and the patterns
#: around them.
NAME_TABLE: Mapping[str, Any] = table_beside(str(Path(__file__).with_name("name_evidence")))
NAME_WORDS: Mapping[str, frozenset[str]] = {
    name: frozenset(words.split()) for name, words in NAME_TABLE["words"].items()
}


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

    def has(self, name: str) -> bool:
        """Whether a name is known as that of a place, a person or an organisation."""
        lists = (self.places, self.first_names, self.last_names, self.organisations)
        return any(name in names for names in lists)


@lru_cache(maxsize=1)
def gazetteers() -> Gazetteers:
    """The lists, read once."""
    words = json.loads(gzip.decompress(LEXICON.path().read_bytes()))
    ordinary = (word for word in words if word.islower() and word.capitalize() not in words)
    return Gazetteers(
        _names("places"),
        _names("rivers"),
        _names("first-names"),
        _names("last-names"),
        _names("organisations"),
        _names("other-names"),
        frozenset(ordinary),
    )


def _names(name: str) -> frozenset[str]:
    return frozenset(parted_by_commas(",".join(lines_of(name))))
