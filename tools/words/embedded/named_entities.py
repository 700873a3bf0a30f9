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

from .amounts_and_dates import amounts_and_dates
from .name_evidence import ORGANISATION, PERSON, weigh
from .name_runs import Mention, mentions_in


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
            kind, weight = max(sure.evidence.items(), key=lambda item: item[1], default=("", 0.0))
            if weight >= 2 and max(unsure.evidence.values(), default=0.0) < 1:
                unsure.evidence[kind] += 1


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
    wholes = [(name.split(), kind) for name, kind in kinds.items() if " " in name]
    return {
        name: kind
        for name, kind in kinds.items()
        if not any(_is_part(name.split(), kind, *whole, total[name]) for whole in wholes)
    }


def _is_part(
    own: list[str], kind: str, whole: list[str], whole_kind: str, evidence: dict[str, float]
) -> bool:
    """Whether a name is the first part of a firm's, or the first or last of a person's: "Torres" of
    "Linda Torres"."""
    begins, ends = own == whole[: len(own)], own == whole[-len(own) :]
    if whole_kind == ORGANISATION:
        return kind == ORGANISATION and begins and own != whole
    unsure = kind == PERSON or evidence[kind] < 3
    return whole_kind == PERSON and own != whole and unsure and (begins or ends)
