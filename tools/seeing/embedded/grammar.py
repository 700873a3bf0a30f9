"""How things are put into words: singulars and plurals, articles, numbers and lists."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path

from controlllm.resources import Box

from ...shared.sentences import listed
from ...shared.spoken_numbers import cardinal

_TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
_PLURALS: dict[str, str] = _TABLE["plurals"]
_SINGULARS = {many: one for one, many in _PLURALS.items()}
#: Words that are always plural.
_PAIRS = frozenset(_TABLE["pairs"].split())
_ENDING_IN_S = _PAIRS | {*_TABLE["end_in_s"].split()}


def singular(word: str) -> str:
    """The singular of an English noun; other words come back as they are."""
    if word in _SINGULARS:
        return _SINGULARS[word]
    if word in _ENDING_IN_S or len(word) < 4 or not word.endswith("s"):
        return word
    if word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "xes", "sses", "zes", "oes")):
        return word[:-2]
    return word[:-1]


def is_plural(word: str) -> bool:
    """Whether the word is the plural of another, as far as its form tells."""
    return singular(word) != word


def plural(noun: str) -> str:
    """The plural of a noun."""
    if noun in _PLURALS or noun in _PAIRS:
        return _PLURALS.get(noun, noun)
    if noun.endswith(("s", "x", "ch", "sh")):
        return noun + "es"
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + "s"


def speaks_of_several(words: str) -> bool:
    """Whether "are" follows the words and no "a" stands before them."""
    last = words.split()[-1]
    return is_plural(last) or last in _PAIRS


def with_article(words: str) -> str:
    """The words with "a" or "an" before them, where they take one."""
    if words.split()[-1] in _PAIRS:
        return words
    silent = words.lower().startswith(("hour", "honest"))
    vowel = words[:1].lower() in "aeiou" and not words.lower().startswith(("uni", "one", "use"))
    return f"{'an' if vowel or silent else 'a'} {words}"


def counted(count: int, label: str) -> str:
    """ "one dog", "two dogs", "14 dogs"."""
    number = cardinal(count) if 0 < count < 13 else str(count or "no")
    return f"{number} {label if count == 1 else plural(label)}"


def sentence(words: str) -> str:
    """The words with a capital letter at the start."""
    return words[:1].upper() + words[1:]


def grouped(boxes: Sequence[Box]) -> list[list[Box]]:
    """The boxes of each label together, in the order of their first one."""
    groups: dict[str, list[Box]] = {}
    for box in boxes:
        groups.setdefault(box.label, []).append(box)
    return list(groups.values())


def each_counted(boxes: Sequence[Box], most: int | None = None) -> str:
    """ "two dogs and one cat": how many boxes there are of each label."""
    return listed([counted(len(group), group[0].label) for group in grouped(boxes)][:most])
