"""Which of several labelled objects a phrase means: "the second dog from the left", "all cars".

`matching` reads the noun only. `choose` also reads number ("dogs", "the two largest"), order
("second from the right"), place ("at the bottom"), size ("smallest"), certainty ("above 50 %"),
neighbours ("the man next to the horse"), lists ("the dog and the cat") and exceptions
("everything except the sky").
"""

from __future__ import annotations

import math
import operator
import re
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from controlllm.resources import Box

from ...shared.boxes import area, centre, distance, shared_area
from . import relations
from .grammar import is_plural, singular
from .things import ANYTHING, GROUPS, classes_of, is_known

_TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
_NUMBERS, _ORDER = (
    {word: number for number, word in enumerate(_TABLE["numbers"][kind].split(), 1)}
    for kind in ("counts", "places")
)
_NUMBERS["both"] = 2
_ORDER |= {
    f"{number}{ending}": number
    for number, ending in enumerate(["st", "nd", "rd", *["th"] * 7], start=1)
}
_PLACE_OF = {word: place for place, words in _TABLE["places"].items() for word in words.split()}
_SUPERLATIVE = re.compile(r"most$|est$|^(best|worst|main)$")
# "The left dog" says where it is by itself.
_NEIGHBOURS = [word for word in relations.NAMED if not word.endswith(("left", "right"))]
_RELATION = re.compile(rf"\b(?:{'|'.join(_NEIGHBOURS)}|at)\b")
_EXCEPT = re.compile(r"\b(?:except(?: for)?|but not|other than|without|excluding|apart from)\b")
_LIMIT = re.compile(
    r"(?:(?P<least>\b(?:above|over|at least|more than|greater than|higher than)|>=?)|"
    r"\b(?:below|under|less than)|<=?)\s*(?P<value>\d+(?:\.\d+)?)\s*(?P<percent>%|per ?cent)?"
)
_CERTAINTY = re.compile(r"\b(?:a |the )?(?:confiden\w+|scores?|probabilit\w+|certainty)\b")
_ALL = frozenset(_TABLE["words"]["all"].split())
_SAYS_NO_NAME = {*_TABLE["words"]["filler"].split(), *_ORDER, *_NUMBERS}
#: "The dog" is one that somebody has in mind; "a dog" is any.
_DEFINITE = re.compile(r"(?:the|this|that|my|our|your|his|her|their)\b")
#: One box is as good as another from this part of its score, and of its size.
_AS_SURE, _AS_LARGE = 0.8, 0.4
#: Tells the place of the one that is meant among the indices of boxes.
Which = Callable[[Sequence[int]], int]


@dataclass(frozen=True)
class Phrase:
    """What a phrase asks for. `several` is how many at most, None for all of them.

    `unread` are words that are neither the noun nor of any other meaning here.
    """

    noun: str = ""
    several: int | None = 1
    order: int | None = None
    places: tuple[str, ...] = ()
    strict: bool = False
    unread: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Candidate:
    """A box among several; `x` and `y` of its middle are counted from the picture's."""

    index: int
    box: Box
    area: float
    x: float
    y: float


#: How well a candidate fits a place word; the best has the most.
_FITS: dict[str, Callable[[_Candidate], float]] = {
    "left": lambda one: -one.x,
    "right": lambda one: one.x,
    "top": lambda one: -one.y,
    "bottom": lambda one: one.y,
    "middle": lambda one: -math.hypot(one.x, one.y),
    "large": lambda one: one.area,
    "small": lambda one: -one.area,
    "tall": lambda one: one.box.bottom - one.box.top,
    "short": lambda one: one.box.top - one.box.bottom,
    "wide": lambda one: one.box.right - one.box.left,
    # On level ground what is nearer stands lower in the picture; of two that the picture's edge
    # cuts off alike, the taller one is nearer.
    "near": lambda one: 1.1 * one.box.bottom - 0.1 * one.box.top,
    "far": lambda one: 0.1 * one.box.top - 1.1 * one.box.bottom,
    "sure": lambda one: one.box.score,
    "unsure": lambda one: -one.box.score,
}


def matching(condition: str, labels: Sequence[str], *, by_meaning: bool = True) -> list[int]:
    """The indices of the labels that the phrase's noun names, in their order.

    An exact name wins over a synonym ("woman" before "person"), a synonym over a group ("dog"
    before "animal"). Where the word lists do not know a word and `by_meaning` is set, a sentence
    encoder decides. A phrase without a noun, or with one such as "object", matches every label,
    and so does any phrase where no label says anything.
    """
    noun = parse(condition, labels).noun
    names = [_canonical(label) for label in labels]
    if not noun or noun in ANYTHING or not any(names):
        return list(range(len(labels)))
    for fits in (operator.eq, _ends_alike, _is_one_of):
        found = [index for index, name in enumerate(names) if name and fits(noun, name)]
        if found:
            return found
    return _similar(noun, names) if by_meaning else []


def choose(
    condition: str,
    boxes: Sequence[Box],
    *,
    size: tuple[float, float] | None = None,
    areas: Sequence[float] | None = None,
    which: Which | None = None,
) -> list[int]:
    """The indices of the boxes that the phrase means, best first where it names an order.

    Parameters
    ----------
    size: width and height of the picture, for "in the middle"; the boxes' extent where not given.
    areas: what counts as an object's size; the boxes' areas where not given.
    which: tells, of several boxes that a phrase such as "the dog" fits as well, the place of the
        one that is meant; the best guess where not given.
    """
    text = " ".join(condition.lower().replace("’", "'").split())
    if not boxes or not text:
        return list(range(len(boxes)))
    labels = [box.label for box in boxes]
    kept, *left_out = _EXCEPT.split(text, maxsplit=1)
    if left_out:
        parts = re.split(r",|\band\b|\bor\b", left_out[0])
        unwanted = {index for part in parts for index in matching(part, labels)}
        chosen = choose(kept, boxes, size=size, areas=areas, which=which)
        return [index for index in chosen if index not in unwanted]
    limit = _LIMIT.search(text)
    if limit and (limit["percent"] or "." in limit["value"] or _CERTAINTY.search(text)):
        value = float(limit["value"])
        value = value / 100 if limit["percent"] or value > 1 else value
        wanted = matching(_CERTAINTY.sub(" ", _LIMIT.sub(" ", text)), labels)
        return [i for i in sorted(wanted) if (boxes[i].score >= value) == bool(limit["least"])]
    candidates = _candidates(boxes, size, areas)
    parts = [part for part in re.split(r",|\band\b|\bor\b|&|\bplus\b", text) if part.strip()]
    if len(parts) < 2 or not all(parse(part, labels).noun for part in parts):
        parts = [text]
    found = (one.index for part in parts for one in _choose_one(part, candidates, which))
    return list(dict.fromkeys(found))


def most(word: str, boxes: Sequence[Box]) -> int | None:
    """The index of the box that a word such as "larger" or "left" fits most; None for others."""
    place = _PLACE_OF.get(word)
    if place is None or not boxes:
        return None
    return max(_candidates(boxes, None, None), key=_FITS[place]).index


def _candidates(
    boxes: Sequence[Box], size: tuple[float, float] | None, areas: Sequence[float] | None
) -> list[_Candidate]:
    if size is None:
        x = (min(box.left for box in boxes) + max(box.right for box in boxes)) / 2
        y = (min(box.top for box in boxes) + max(box.bottom for box in boxes)) / 2
    else:
        x, y = size[0] / 2, size[1] / 2
    sizes = areas if areas is not None else [area(box) for box in boxes]
    return [
        _Candidate(index, box, sizes[index], centre(box)[0] - x, centre(box)[1] - y)
        for index, box in enumerate(boxes)
    ]


def parse(condition: str, labels: Sequence[str] = ()) -> Phrase:
    """Read the noun, number, order and places of a phrase that names one kind of object."""
    text = condition.lower()
    relation = _relation_in(text)
    main = text[: relation.start()] if relation else text
    words = re.findall(r"[a-z0-9][a-z0-9'-]*", main)
    places = tuple(dict.fromkeys(_PLACE_OF[word] for word in words if word in _PLACE_OF))
    known = {_canonical(label) for label in labels}
    rest = [
        word
        for word in words
        if word not in _SAYS_NO_NAME | {"last"} and (word not in _PLACE_OF or word in known)
    ]
    noun, plural = _noun(rest, known)
    counts = [_NUMBERS[word] for word in words if word in _NUMBERS]
    order = -1 if "last" in words else next((_ORDER[w] for w in words if w in _ORDER), None)
    several: int | None = 1
    if counts and words[-1] != "one":
        several = counts[0]
    elif plural or _ALL & set(words):
        several = None
    strict = any(word in _PLACE_OF and _SUPERLATIVE.search(word) for word in words)
    unread = tuple(word for word in rest if singular(word) not in noun.split())
    return Phrase(noun, several, order, places, strict, unread)


def _choose_one(text: str, candidates: list[_Candidate], which: Which | None) -> list[_Candidate]:
    labels = [one.box.label for one in candidates]
    phrase = parse(text, labels)
    found, related = _related(text, [candidates[i] for i in matching(text, labels)], candidates)
    places = phrase.places
    if not found:
        return []
    if phrase.order is not None:
        ranked = sorted(found, key=_FITS[places[0] if places else "left"], reverse=True)
        position = phrase.order - 1 if phrase.order > 0 else len(ranked) - 1
        return ranked[position : position + 1]
    if not places:
        if phrase.several is None or related:
            return found[: phrase.several]
        return _likeliest(found, phrase.several, which if _DEFINITE.match(text) else None)
    if phrase.several is None and not phrase.strict:
        mean = sum(one.area for one in candidates) / len(candidates)
        least = dict.fromkeys(("left", "right", "top", "bottom"), 0.0)
        least |= {"large": mean, "small": -mean}
        asked = [(_FITS[place], least[place]) for place in places if place in least]
        return [one for one in found if all(fits(one) >= value for fits, value in asked)]
    orders = [sorted(found, key=_FITS[place], reverse=True) for place in places]
    ranked = sorted(orders[0], key=lambda one: sum(order.index(one) for order in orders))
    return ranked[: phrase.several or 1]


def _likeliest(
    found: list[_Candidate], several: int | None, which: Which | None
) -> list[_Candidate]:
    """The surest ones; among those that are about as sure, the largest, or the one asked for."""
    surest = max(one.box.score for one in found)
    ranked = sorted(found, key=lambda one: (one.box.score < _AS_SURE * surest, -one.area))
    first = ranked[0]
    rivals = [
        one
        for one in sorted(ranked[1:], key=lambda one: -one.area)
        if one.box.score >= _AS_SURE * first.box.score and one.area >= _AS_LARGE * first.area
    ]
    if several == 1 and rivals and which is not None:
        ranked = [first, *rivals]
        return [ranked[which([one.index for one in ranked])]]
    return ranked[:several]


def _related(
    text: str, found: list[_Candidate], candidates: list[_Candidate]
) -> tuple[list[_Candidate], bool]:
    """Narrow down or order by the neighbour that the phrase names, if it names one."""
    relation = _relation_in(text)
    labels = [one.box.label for one in candidates]
    anchors = matching(text[relation.end() :], labels, by_meaning=False) if relation else []
    if not relation or not anchors:
        return found, False
    anchor = candidates[anchors[0]]
    others = [one for one in found if one is not anchor] or found
    name = relations.meant_by(relation[0])
    if name in relations.SIDES:
        others = [one for one in others if relations.holds(name, one.box, anchor.box)]
    return sorted(others, key=lambda one: _gap(one.box, anchor.box)), True


def _gap(one: Box, other: Box) -> float:
    """Distance between two boxes; negative by how much of the smaller one they share."""
    return distance(one, other) or -shared_area(one, other) / max(min(area(one), area(other)), 1e-6)


def _relation_in(text: str) -> re.Match[str] | None:
    """The first word for a relation that an object and not a part of the picture follows."""
    for found in _RELATION.finditer(text):
        words = re.findall(r"[a-z0-9'-]+", text[found.end() :])
        if found.start() and {*words} - _SAYS_NO_NAME - _PLACE_OF.keys():
            return found
    return None


def _noun(words: list[str], known: set[str]) -> tuple[str, bool]:
    """The last noun phrase that is a known name, else the last word; and whether it is plural."""
    if not words:
        return "", False
    for end in range(len(words), 0, -1):
        for start in range(max(end - 3, 0), end):
            run = words[start:end]
            name = " ".join([*run[:-1], singular(run[-1])])
            if name in known or name in ANYTHING or is_known(name):
                return name, is_plural(run[-1]) and name not in {"everything", "anything", "all"}
    return singular(words[-1]), is_plural(words[-1])


def _canonical(label: str) -> str:
    words = re.findall(r"[a-z0-9'-]+", label.lower().split(",")[0].replace("_", " "))
    return " ".join([*words[:-1], singular(words[-1])]) if words else ""


def _ends_alike(noun: str, name: str) -> bool:
    """A "golden retriever dog" is a dog; a known compound such as "hot dog" is only itself."""
    if (" " in name and is_known(name)) or (" " in noun and is_known(noun)):
        return False
    return name.endswith(" " + noun) or noun.endswith(" " + name)


def _is_one_of(noun: str, name: str) -> bool:
    """Whether either word's classes hold the other: a puppy is a dog, a horse is an animal."""
    meant = classes_of(noun)
    if name in meant:
        return True
    if is_known(name):
        return noun in classes_of(name) or (noun in GROUPS and bool(meant & classes_of(name)))
    last = name.rsplit(" ", 1)[-1]
    return bool(meant & classes_of(last))


def _similar(noun: str, names: list[str]) -> list[int]:
    """The names that mean nearly the same as the noun, by sentence embeddings.

    Where both are words that the lists know, the lists have decided already.
    """
    open_names = [
        i for i, name in enumerate(names) if name and not (is_known(noun) and is_known(name))
    ]
    if not open_names:
        return []
    from controlllm.models import encoder  # loads a model, so only where no word list helps

    rows = encoder.encode([noun, *(names[index] for index in open_names)])
    closeness = rows[1:] @ rows[0]
    best = float(closeness.max())
    if best < 0.5:
        return []
    return [i for i, value in zip(open_names, closeness, strict=True) if value > best - 0.05]
