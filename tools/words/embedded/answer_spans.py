"""What kind of answer a question asks for, and where a sentence holds one."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ...shared.function_words import FUNCTION_WORDS, stem
from ...shared.tables import filled, table_beside

_TABLE = table_beside(__file__)
_PARTS = {name: filled(part, _TABLE["parts"]) for name, part in _TABLE["parts"].items()}
_ASKED = {kind["name"]: re.compile(filled(kind["asked"], _PARTS)) for kind in _TABLE["kinds"]}
_HELD = {kind["name"]: re.compile(filled(kind["held"], _PARTS)) for kind in _TABLE["kinds"]}
_PERSON_NOUN = re.compile(
    next(filled(kind["else"], _PARTS) for kind in _TABLE["kinds"] if "else" in kind)
)
_COUNTED = re.compile(rf"(?i)\b(?:{_PARTS['amount']}|an?)\b((?:\s[\w'’-]+){{0,4}})")
_FUNCTION_STEMS = frozenset(stem(word) for word in FUNCTION_WORDS)


#: A comma between counts as much as so many letters.
_PARTED = 40


@dataclass(frozen=True)
class Kind:
    """A kind of answer by its name; of a count, the stems of what is counted."""

    name: str
    wanted: tuple[str, ...] = ()


def kind_of(question: str) -> Kind:
    """The kind of answer that a question asks for; "sentence" where no span would do."""
    small = " ".join(re.findall(r"[\w']+", question.lower()))
    counted = re.search(r"\bhow many (\w+(?: \w+)?)", small)
    if counted:
        words = [stem(word) for word in counted[1].split() if word not in FUNCTION_WORDS]
        return Kind("count", tuple(words[:2]))
    names = (name for name, pattern in _ASKED.items() if pattern.search(small))
    return Kind(next(names, "sentence"))


def spans(kind: Kind, sentence: str, question: str) -> list[str]:
    """Parts of a sentence that are of the kind, without those that the question says already.

    The part nearest to the sentence's words that the question shares comes first.
    """
    asked = {stem(word) for word in re.findall(r"\w+", question)} - _FUNCTION_STEMS
    places = [match.start() for match in re.finditer(r"\w+", sentence) if stem(match[0]) in asked]
    found = []
    for span in dict.fromkeys(match.strip(" ,") for match in _of_kind(kind, sentence)):
        if {stem(word) for word in re.findall(r"\w+", span)} - asked - _FUNCTION_STEMS:
            start = sentence.find(span)
            far = (_distance(sentence, place, start + len(span) // 2) for place in places)
            found.append((min(far, default=start), span))
    return [span for _, span in sorted(found)]


def _distance(sentence: str, place: int, middle: int) -> float:
    """How far a span is from a word: what a comma parts is farther."""
    parted = ", " in sentence[min(place, middle) : max(place, middle)]
    return abs(place - middle) + _PARTED * parted


def _of_kind(kind: Kind, sentence: str) -> list[str]:
    if kind.name == "count":
        return _counts(kind, sentence)
    if kind.name not in _HELD:
        return []
    matches = list(_HELD[kind.name].finditer(sentence))
    if kind.name == "person":
        matches = [match for match in matches if _is_person(match, sentence)]
        matches = matches or list(_PERSON_NOUN.finditer(sentence))
    found = [match[0] for match in matches]
    if kind.name == "place":
        return [span for span in found if not _HELD["time"].fullmatch(span)]
    return found


def _counts(kind: Kind, sentence: str) -> list[str]:
    """Numbers with what is counted: "1,200 workers"."""
    found = []
    for match in _COUNTED.finditer(sentence):
        words = match[1].split()
        followed = [stem(word) for word in words]
        if kind.wanted and kind.wanted[0] in followed:
            counted = " ".join(words[: followed.index(kind.wanted[0]) + 1])
            found.append(f"{match[0].removesuffix(match[1])} {counted}")
    return found


def _is_person(match: re.Match[str], sentence: str) -> bool:
    name = match[0]
    if (
        re.fullmatch(rf"{_PARTS['months']}|{_PARTS['days']}", name)
        or name.lower() in FUNCTION_WORDS
    ):
        return False
    before = sentence[: match.start()].rstrip()
    if not before and " " not in name:
        # A single word at the beginning may owe its capital to its place alone.
        after = sentence[match.end() :].split()[:1]
        follows = after[0] if after else ""
        return bool(re.match(r"[a-z]+(?:ed|s|d)$|was|is|has|had|won|said", follows))
    return not re.search(r"\b(?:in|at|near|to|from|across|over)(?:\sthe)?$", before)
