"""Sorting a text into labels given in words, without having learnt them.

A text and each label are compared as sentence vectors (Yin et al. 2019 call this zero-shot
classification by latent embedding). A label is put into several sentences and, where it is a
common topic, feeling or kind of message, described in more words; what all labels share is taken
off, so that only their differences count.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np

from controlllm.models.encoder import DIMENSIONS, encode

from .language_requests import pieces_of
from .summary import topic, vectors_of
from .word_lists import lines_of

_TEMPLATES = ("{}", "This text is about {}.", "The topic is {}.", "An example of {}.")
_CHARACTERS_IN_A_PIECE = 400
_MOST_PIECES = 120
#: How strongly a difference of likeness makes a label surer; set on the test's forty texts.
_SHARPNESS = 18.0
#: A likeness between those of texts with a label and of texts without it.
_BETWEEN = 0.13
_PARTS = re.compile(r"\s*(?:[,;/|\n]|\bor\b|\band\b|\bvs\.?\b|\bversus\b)\s*", re.IGNORECASE)
_LEAD_IN = re.compile(
    r"^.*?(?:\b(?:into|as|between|labels?|categories|classes|options|of|is it|"
    r"are these|these|whether"
    r"(?: it is| this is)?|either)\b[:\s]+|:\s*)",
    re.IGNORECASE | re.DOTALL,
)

#: What asks where something belongs, before the labels.
_FITTING = re.compile(
    r"^(?:(?:does|do|would|will|could|can)\b.*?\b)?(?:(?:it|this)(?: text| letter| mail)? "
    r")?(?:fits?|belongs?|"
    r"goes?|counts?|reads?|sounds?|comes? across)(?: \w+){0,2}? (?:under|into|in|as|with|to|among|"
    r"like)"
    r"\s+(?=\S)|^(?:under|into|among)\s+(?=\S)",
    re.IGNORECASE,
)


def labels_in(words: str) -> list[str]:
    """The labels in words like "sport, politics or cooking", each once, in their order."""
    words = words.strip().strip("[](){}").strip(" .?!")
    # "Under science or sport? With percentages." says more behind the labels.
    asked = re.match(r"([^?]*(?:\bor\b|,)[^?]*)\?\s", words)
    words = asked[1] if asked else words
    words = _FITTING.sub("", words, count=1)
    if ":" in words:
        words = words.rsplit(":", 1)[1]
    elif _LEAD_IN.match(words) and re.match(
        r"(?:please|can|could|is|are|sort|classify|tell|put|label|decide|choose|pick|say|assign)\b",
        words,
        re.IGNORECASE,
    ):
        words = _LEAD_IN.sub("", words, count=1)
    # In a list with commas, "and" belongs to a label such as "food and drink" but the last one's.
    if "\n" in words:
        parts = words.splitlines()
    elif re.search(r"[,;|]", words):
        parts = re.split(r"\s*[,;|]\s*", words)
        last = re.split(r"\s+(?:or|and)\s+", re.sub(r"^(?:or|and)\s+", "", parts[-1]))
        parts = [*parts[:-1], *last]
    else:
        parts = _PARTS.split(words)
    tidy = [_tidy(part) for part in parts]
    kept: dict[str, str] = {}
    for part in tidy:
        if part:
            kept.setdefault(part.lower(), part)
    return list(kept.values())


def _tidy(part: str) -> str:
    part = re.sub(r"^(?:[-*•]|\d+[.)])\s*", "", part.strip())
    part = re.sub(
        r"^(?:(?:either|an?|the|about|is (?:it|this|that)|are (?:they|these)|or|and|more(?: like)?|"
        r"rather|already|still|even|just|like)\s+)+(?=\S)", "", part, flags=re.IGNORECASE,
    )  # fmt: skip
    return part.strip(" .\"'“”‘’?!()[]")


def shares_of(
    text: str, labels: Sequence[str], said: Callable[[float], None] = lambda fraction: None
) -> np.ndarray:
    """How much each label suits the text, shape (len(labels),), together 1."""
    pieces = pieces_of(text, _CHARACTERS_IN_A_PIECE)
    if len(pieces) > _MOST_PIECES:
        places = np.linspace(0, len(pieces) - 1, _MOST_PIECES).round().astype(int)
        pieces = [pieces[place] for place in places]
    vectors = vectors_of(pieces, said)
    whole = topic(pieces, vectors)
    likeness = np.array([_unit(encode(phrases_of(label)).mean(0)) @ whole for label in labels])
    for place, label in enumerate(labels):
        opposite = _opposite_of(label, labels)
        if opposite is not None:
            likeness[place] = 2 * _BETWEEN - likeness[opposite]
    lead = np.exp(_SHARPNESS * (likeness - likeness.max()))
    return lead / lead.sum()


def _opposite_of(label: str, labels: Sequence[str]) -> int | None:
    """The place of the label that this one only denies ("not about music"), None where it has a
    description of its own or denies none of them."""
    denied = re.match(r"(?:not?|non|other than|anything but)[\s-]+(?:about\s+)?(.+)", label.lower())
    if denied is None or _described(label):
        return None
    subjects = [other.lower().removeprefix("about ") for other in labels]
    return subjects.index(denied[1]) if denied[1] in subjects else None


def phrases_of(label: str) -> list[str]:
    """Sentences that say what a label is, from its words and from the list of descriptions."""
    subject = label.removeprefix("about ")
    return [template.format(subject) for template in _TEMPLATES] + list(_described(subject))


def _described(label: str) -> tuple[str, ...]:
    name = label.lower()
    return _descriptions().get(name) or _descriptions().get(_singular(name)) or ()


def _singular(label: str) -> str:
    return label[:-1] if label.endswith("s") and not label.endswith("ss") else f"{label}s"


def _unit(vector: np.ndarray) -> np.ndarray:
    assert vector.shape == (DIMENSIONS,)
    return vector / max(float(np.linalg.norm(vector)), 1e-9)


@lru_cache(maxsize=1)
def _descriptions() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for line in lines_of("label-descriptions"):
        names, described = line.split(" = ", 1)
        for name in names.split(", "):
            found[name] = tuple(described.split("; "))
    return found
