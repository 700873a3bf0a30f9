"""People, places and organisations in English text, found without a trained model.

Names are the runs of words with a capital. What a name is, is decided by evidence that adds up over
all places where it stands in the text: lists of known names, the words inside it ("River", "Ltd"),
the words around it ("Mayor", "lives in", "shares of"), and what longer name it belongs to.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from tools.words.embedded.amounts_and_dates import amounts_and_dates
from tools.words.embedded.gazetteers import gazetteers
from tools.words.embedded.name_evidence import ORGANISATION, PERSON, PLACE, weigh
from tools.words.embedded.name_runs import Mention, mentions_in


@dataclass(frozen=True)
class Entity:
    """What is named, in the words of the text, and of which kind it is."""

    name: str
    kind: str


def named_entities(text: str) -> list[Entity]:
    """The entities of a text in the order in which they first stand, each once.

    A family or first name alone is left out where the whole name stands in the text.
    """
    text = text.replace("\u00a0", " ")
    numbers = amounts_and_dates(text)
    mentions = mentions_in(text, numbers)
    for mention in mentions:
        weigh(mention)
    _weigh_neighbours(mentions, text)
    kinds = _kinds(mentions)
    named = [
        (mention.words[0].start, Entity(mention.name, kinds[mention.name]))
        for mention in mentions
        if mention.name in kinds
    ]
    counted = [
        (found.start, Entity(" ".join(text[found.start : found.end].split()), found.kind))
        for found in numbers
    ]
    seen: dict[tuple[str, str], Entity] = {}
    for _, entity in sorted(named + counted, key=lambda item: item[0]):
        seen.setdefault((entity.name.lower(), entity.kind), entity)
    return list(seen.values())


def _weigh_neighbours(mentions: Sequence[Mention], text: str) -> None:
    """What stands in one list with a known name is of its kind: "Tom and Priti"."""
    for one, other in zip(mentions, mentions[1:], strict=False):
        between = text[one.words[-1].end : other.words[0].start]
        if not re.fullmatch(r",?\s(?:and|or|&)\s|,\s", between):
            continue
        for sure, unsure in ((one, other), (other, one)):
            best = max(sure.evidence.items(), key=lambda item: item[1], default=("", 0.0))
            if best[1] >= 2 and max(unsure.evidence.values(), default=0.0) < 1:
                unsure.evidence[best[0]] += 1


def _kinds(mentions: Sequence[Mention]) -> dict[str, str]:
    """The kind of each name by the evidence of all its places, without parts of longer names."""
    total: dict[str, dict[str, float]] = {}
    for mention in mentions:
        evidence = total.setdefault(mention.name, defaultdict(float))
        for kind, weight in mention.evidence.items():
            # Once said is nearly enough; being repeated says only a little more.
            evidence[kind] = max(evidence[kind], weight) + 0.25 * min(evidence[kind], weight, 2)
    kinds = {}
    for name, evidence in total.items():
        kind, weight = max(evidence.items(), key=lambda item: item[1], default=("", 0.0))
        if weight > 0.9 or weight > 0 and " " in name:
            kinds[name] = kind
    people = [name.split() for name, kind in kinds.items() if kind == PERSON and " " in name]
    firms = [name for name, kind in kinds.items() if kind == ORGANISATION and " " in name]
    return {
        name: kind
        for name, kind in kinds.items()
        if not _is_part_of_person(name.split(), total[name], people)
        and not any(_is_short_for(name, kind, whole) for whole in firms)
    }


def _is_part_of_person(
    own: list[str], evidence: dict[str, float], people: Sequence[list[str]]
) -> bool:
    """Whether a name is the first or last part of a person's: "Torres" of "Linda Torres"."""
    strong = evidence.get(PLACE, 0) >= 3 or evidence.get(ORGANISATION, 0) >= 3
    for whole in people:
        ends = own == whole[-len(own) :]
        counts = not strong or (ends and evidence.get(PERSON, 0) > 0)
        if counts and len(own) < len(whole) and (ends or own == whole[: len(own)]):
            return True
    return False


def _is_short_for(name: str, kind: str, whole: str) -> bool:
    """Whether a name is an organisation's first word or its initials."""
    short = whole.split()[0] == name and name not in gazetteers().places and kind == ORGANISATION
    initials = "".join(part[0] for part in whole.split() if part[0].isupper())
    return name != whole and (short or name == initials)
