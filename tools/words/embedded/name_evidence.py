"""What speaks for a name being that of a person, a place or an organisation, where it stands."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from ...shared.tables import filled
from .gazetteers import NAME_TABLE, NAME_WORDS, gazetteers
from .name_runs import Mention
from .word_lists import one_of

PERSON, PLACE, ORGANISATION = "person", "place", "organisation"

_ORGANISATION_BEGINS = re.compile(filled(NAME_TABLE["organisation_begins"], {}))


@dataclass(frozen=True)
class _Around:
    """How much what stands before and after a name adds to a kind, and when."""

    kind: str
    weight: float
    before: re.Pattern[str] | None
    after: re.Pattern[str] | None
    only: str
    unless: str

    def fits(self, mention: Mention, states: set[str]) -> bool:
        if (self.only and self.only not in states) or self.unless in states:
            return False
        return (self.before is None or self.before.search(mention.before) is not None) and (
            self.after is None or self.after.search(mention.after) is not None
        )


def weigh(mention: Mention) -> None:
    """Add up what speaks for each kind at one place of the text."""
    article = bool(re.search(r"\bthe\s$", mention.before, re.IGNORECASE))
    _weigh_words(mention, article)
    single = len(mention.words) == 1
    states = {
        *(["article"] if article else []),
        *(["single"] if single else []),
        *(["acronym"] if single and mention.name.isupper() and len(mention.name) > 1 else []),
    }
    for around in _capabilities():
        if around.fits(mention, states):
            mention.evidence[around.kind] += around.weight


def _weigh_words(mention: Mention, article: bool) -> None:
    """What the words of the name itself say."""
    evidence, known = mention.evidence, gazetteers()
    names = [word.text for word in mention.words if re.match(r"\w", word.text)]
    name, first, last, several = mention.name, names[0], names[-1].rstrip("."), len(names) > 1
    of_it = bool(_ORGANISATION_BEGINS.match(name))

    if name in known.places:
        evidence[PLACE] += 3
    if article and name in known.rivers:
        evidence[PLACE] += 4
    if name in known.organisations:
        evidence[ORGANISATION] += 3.5 if name not in known.places else 1.5
    if several and last in NAME_WORDS["organisation_ends"]:
        evidence[ORGANISATION] += 4
    if of_it or "&" in name or re.search(r"\.(?:com|org|net|io)$", name):
        evidence[ORGANISATION] += 4
    if several and last in NAME_WORDS["place_ends"]:
        evidence[PLACE] += 3.5
    if several and first.rstrip(".") in NAME_WORDS["place_begins"] and not mention.title:
        evidence[PLACE] += 3.5
    if " of " in name and first in NAME_WORDS["place_ends"] and not of_it:
        evidence[PLACE] += 3
    if first in NAME_WORDS["compass"] and " ".join(names[1:]) in known.places:
        evidence[PLACE] += 4
    if re.fullmatch(r"[A-Z][A-Z&]{1,5}\d?|(?:[A-Z]\.){2,}[A-Z]?\.?", name):
        evidence[ORGANISATION] += 2.2
    if re.fullmatch(r"(?!(?:Mc|Mac|De|La|Le|Di|O)[A-Z])[A-Z][a-z]+[A-Z]\w+", name):
        evidence[ORGANISATION] += 2

    if mention.title:
        evidence[PERSON] += 5
    if several and first in known.first_names:
        evidence[PERSON] += 3.5
    elif first in known.first_names and name not in known.places:
        evidence[PERSON] += 2
    if last in known.last_names and last not in NAME_WORDS["place_ends"]:
        evidence[PERSON] += 2 if several else 1
    if re.match(r"(?:[A-Z]\.\s?)+[A-Z][a-z]", name) or re.search(r"[a-z] [A-Z]\. [A-Z]", name):
        evidence[PERSON] += 4
    strange = any(part.lower() not in known.ordinary for part in names[1:])
    if len(names) in (2, 3) and not article and strange and not evidence[ORGANISATION]:
        evidence[PERSON] += 1


@lru_cache(maxsize=1)
def _capabilities() -> tuple[_Around, ...]:
    parts = {name: one_of(words) for name, words in NAME_TABLE["parts"].items()}

    def pattern(words: str | None) -> re.Pattern[str] | None:
        return None if words is None else re.compile(filled(words, parts))

    return tuple(
        _Around(
            rule["kind"],
            rule["weight"],
            pattern(rule.get("before")),
            pattern(rule.get("after")),
            rule.get("only", ""),
            rule.get("unless", ""),
        )
        for rule in NAME_TABLE["around"]
    )
