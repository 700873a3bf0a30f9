"""Which of several labelled objects a phrase means: "the second dog from the left", "all cars".

`matching` reads the noun only. `choose` also reads number ("dogs", "the two largest"), order
("second from the right"), place ("at the bottom"), size ("smallest"), certainty ("above 50 %"),
neighbours ("the man next to the horse"), lists ("the dog and the cat") and exceptions
("everything except the sky").
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from controlllm.resources import Box
from tools.seeing.embedded.things import ANYTHING, GROUPS, classes_of, is_known
from tools.seeing.embedded.wording import is_plural, singular
from tools.shared.boxes import area, centre, shared_area
from tools.shared.spoken_numbers import cardinal, ordinal

_NUMBERS = {cardinal(number): number for number in range(1, 11)} | {"both": 2}
_ORDER = {ordinal(number): number for number in range(1, 11)} | {
    f"{number}{ending}": number
    for number, ending in enumerate(["st", "nd", "rd", *["th"] * 7], start=1)
}
_PLACES = {
    "left": "left leftmost lefthand left-hand left-most",
    "right": "right rightmost righthand right-hand right-most",
    "top": "top topmost upper uppermost highest",
    "bottom": "bottom bottommost lower lowermost lowest",
    "middle": "middle center centre central",
    "large": "large larger largest big bigger biggest huge main foreground nearest closest front",
    "small": "small smaller smallest little tiny tiniest littlest background farthest furthest",
    "tall": "tall taller tallest longest",
    "wide": "wide wider widest",
    "sure": "likely likeliest best probable confident certain",
    "unsure": "unlikely worst uncertain",
}
_PLACE_OF = {word: place for place, words in _PLACES.items() for word in words.split()}
_SUPERLATIVE = re.compile(r"most$|est$|^(best|worst|main)$")
_RELATIONS = {
    "near": r"next to|near to|near|beside|close to|closest to|nearest to|by|with|holding|riding|"
    r"on top of|sitting on|standing on|on|in|inside|under|underneath|wearing|carrying|at",
    "left": r"(?:on |to )?(?:the )?left (?:side )?of|left of",
    "right": r"(?:on |to )?(?:the )?right (?:side )?of|right of",
    "above": r"above|over",
    "below": r"below|beneath",
}
_RELATION = re.compile(
    "|".join(f"(?P<{name}>\\b(?:{words})\\b)" for name, words in sorted(_RELATIONS.items())[::-1])
)
_EXCEPT = re.compile(r"\b(?:except(?: for)?|but not|other than|without|excluding|apart from)\b")
_SCORE = re.compile(
    r"\b(above|over|at least|more than|greater than|higher than|below|under|less than|>=?|<=?)\s*"
    r"(\d+(?:\.\d+)?)\s*(%|percent|per cent)?"
)
_FILLER = frozenset(
    "the a an this that these those of in on at to from side part hand picture image photo "
    "photograph which who is are be please select pick choose find get show me my only just with "
    "whose object's there and all every each any its it most very whole complete for as was were "
    "selected everything far many several".split()
)
_SAYS_NO_NAME = _FILLER | _ORDER.keys() | _NUMBERS.keys()
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
    words: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()


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
    for fits in (_is_same, _ends_alike, _is_one_of):
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
    kept, *left_out = _EXCEPT.split(text, maxsplit=1)
    if left_out:
        unwanted = {
            index
            for part in re.split(r",|\band\b|\bor\b", left_out[0])
            for index in matching(part, [box.label for box in boxes])
        }
        everything = range(len(boxes))
        chosen = (
            choose(kept, boxes, size=size, areas=areas, which=which) if kept.strip() else everything
        )
        return [index for index in chosen if index not in unwanted]
    scene = _Scene(tuple(boxes), size, areas)
    limit = _SCORE.search(text)
    if limit and _is_score(limit, text):
        rest = _SCORE.sub(" ", text)
        rest = re.sub(r"\b(a |the )?(confidence|scores?|probability|certainty)\b", " ", rest)
        kept_indices = [i for i, box in enumerate(boxes) if _passes(box.score, limit)]
        wanted = set(matching(rest, [box.label for box in boxes]))
        return [index for index in kept_indices if index in wanted]
    parts = [part for part in re.split(r",|\band\b|\bor\b|&|\bplus\b", text) if part.strip()]
    if len(parts) > 1 and all(parse(part, scene.labels).noun for part in parts):
        found: list[int] = []
        for part in parts:
            found += [index for index in _choose_one(part, scene, which) if index not in found]
        return found
    return _choose_one(text, scene, which)


def parse(condition: str, labels: Sequence[str] = ()) -> Phrase:
    """Read the noun, number, order and places of a phrase that names one kind of object."""
    text = condition.lower()
    main = text
    for relation in _RELATION.finditer(text):
        tail = text[relation.end() :]
        if relation.start() and _names_object(tail):
            main = text[: relation.start()]
            break
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
    elif plural or {"all", "every", "each", "everything", "any", "these", "those"} & set(words):
        several = None
    strict = any(word in _PLACE_OF and _SUPERLATIVE.search(word) for word in words)
    unread = tuple(word for word in rest if singular(word) not in noun.split())
    return Phrase(noun, several, order, places, strict, tuple(words), unread)


@dataclass(frozen=True)
class _Scene:
    boxes: tuple[Box, ...]
    size: tuple[float, float] | None
    areas: Sequence[float] | None

    @property
    def labels(self) -> list[str]:
        return [box.label for box in self.boxes]

    def area(self, index: int) -> float:
        return area(self.boxes[index]) if self.areas is None else self.areas[index]

    def centre(self, index: int) -> tuple[float, float]:
        return centre(self.boxes[index])

    def middle(self) -> tuple[float, float]:
        if self.size is not None:
            return self.size[0] / 2, self.size[1] / 2
        left, top = min(b.left for b in self.boxes), min(b.top for b in self.boxes)
        right, bottom = max(b.right for b in self.boxes), max(b.bottom for b in self.boxes)
        return (left + right) / 2, (top + bottom) / 2

    def key(self, place: str) -> Callable[[int], float]:
        """A sort key that puts the objects that fit the place word best first."""
        middle = self.middle()
        keys: dict[str, Callable[[int], float]] = {
            "left": lambda i: self.centre(i)[0],
            "right": lambda i: -self.centre(i)[0],
            "top": lambda i: self.centre(i)[1],
            "bottom": lambda i: -self.centre(i)[1],
            "middle": lambda i: math.dist(self.centre(i), middle),
            "large": lambda i: -self.area(i),
            "small": self.area,
            "tall": lambda i: self.boxes[i].top - self.boxes[i].bottom,
            "wide": lambda i: self.boxes[i].left - self.boxes[i].right,
            "sure": lambda i: -self.boxes[i].score,
            "unsure": lambda i: self.boxes[i].score,
        }
        return keys[place]

    def within(self, index: int, place: str) -> bool:
        """Whether an object lies in the half that a place word names, for plural phrases."""
        (x, y), (middle_x, middle_y) = self.centre(index), self.middle()
        mean = sum(map(self.area, range(len(self.boxes)))) / len(self.boxes)
        return {
            "left": x <= middle_x,
            "right": x >= middle_x,
            "top": y <= middle_y,
            "bottom": y >= middle_y,
            "large": self.area(index) >= mean,
            "small": self.area(index) <= mean,
        }.get(place, True)


def _choose_one(text: str, scene: _Scene, which: Which | None) -> list[int]:
    phrase = parse(text, scene.labels)
    found = matching(text, scene.labels)
    found, related = _related(text, found, scene)
    if not found:
        return []
    places = phrase.places
    if phrase.order is not None:
        place = places[0] if places else "left"
        ranked = sorted(found, key=scene.key(place))
        position = phrase.order - 1 if phrase.order > 0 else len(ranked) - 1
        return ranked[position : position + 1]
    if not places:
        if phrase.several is None:
            return found
        if related:
            return found[: phrase.several]
        best = _best(found, phrase, scene)
        rivals = _rivals(best, found, scene) if phrase.several == 1 else []
        if which is not None and rivals and _DEFINITE.match(text):
            return [[*best, *rivals][which([*best, *rivals])]]
        return best
    if phrase.several is None and not phrase.strict:
        return [index for index in found if all(scene.within(index, p) for p in places)]
    orders = [sorted(found, key=scene.key(place)) for place in places]
    ranked = sorted(orders[0], key=lambda index: sum(order.index(index) for order in orders))
    return ranked[: phrase.several or 1]


def _best(found: list[int], phrase: Phrase, scene: _Scene) -> list[int]:
    """The surest ones; among those that are about as sure, the largest."""
    if not phrase.noun and phrase.several == 1 and not phrase.words:
        return found
    best = max(scene.boxes[index].score for index in found)

    def rank(index: int) -> tuple[bool, float]:
        return scene.boxes[index].score < _AS_SURE * best, -scene.area(index)

    return sorted(found, key=rank)[: phrase.several]


def _rivals(best: list[int], found: list[int], scene: _Scene) -> list[int]:
    """Those that are about as sure as the best one and not much smaller, largest first."""
    if len(best) != 1:
        return []
    score, area = scene.boxes[best[0]].score, scene.area(best[0])
    rivals = [
        index
        for index in found
        if index != best[0]
        and scene.boxes[index].score >= _AS_SURE * score
        and scene.area(index) >= _AS_LARGE * area
    ]
    return sorted(rivals, key=lambda index: -scene.area(index))


def _related(text: str, found: list[int], scene: _Scene) -> tuple[list[int], bool]:
    """Narrow down or order by the neighbour that the phrase names, if it names one."""
    for relation in _RELATION.finditer(text):
        tail = text[relation.end() :]
        if not relation.start() or not _names_object(tail):
            continue
        anchors = matching(tail, scene.labels, by_meaning=False)
        if not anchors:
            return found, False
        anchor = scene.boxes[anchors[0]]
        others = [index for index in found if index != anchors[0]] or found
        centre_x, centre_y = scene.centre(anchors[0])
        kept = {
            "left": [i for i in others if scene.centre(i)[0] < centre_x],
            "right": [i for i in others if scene.centre(i)[0] > centre_x],
            "above": [i for i in others if scene.centre(i)[1] < centre_y],
            "below": [i for i in others if scene.centre(i)[1] > centre_y],
        }.get(str(relation.lastgroup), others)
        return sorted(kept, key=lambda i: _gap(scene.boxes[i], anchor)), True
    return found, False


def _gap(one: Box, other: Box) -> float:
    """Distance between two boxes; negative by how much of the smaller one they share."""
    across = max(one.left, other.left) - min(one.right, other.right)
    down = max(one.top, other.top) - min(one.bottom, other.bottom)
    if across < 0 and down < 0:
        return -shared_area(one, other) / max(min(area(one), area(other)), 1e-6)
    return max(across, 0.0) ** 2 + max(down, 0.0) ** 2


def _names_object(tail: str) -> bool:
    """Whether what follows a relation word names an object and not a part of the picture."""
    words = [word for word in re.findall(r"[a-z0-9'-]+", tail) if word not in _FILLER]
    return bool(
        [
            word
            for word in words
            if word not in _PLACE_OF and word not in _NUMBERS and word not in _ORDER
        ]
    )


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


def _is_same(noun: str, name: str) -> bool:
    return noun == name


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
    from controlllm import encoder  # loads a model, so only where no word list helps

    rows = encoder.encode([noun, *(names[index] for index in open_names)])
    closeness = rows[1:] @ rows[0]
    best = float(closeness.max())
    if best < 0.5:
        return []
    return [i for i, value in zip(open_names, closeness, strict=True) if value > best - 0.05]


def _is_score(limit: re.Match[str], text: str) -> bool:
    return bool(limit[3]) or "." in limit[2] or bool(re.search(r"confiden|score|probab|sure", text))


def _passes(score: float, limit: re.Match[str]) -> bool:
    value = float(limit[2]) / (100 if limit[3] or float(limit[2]) > 1 else 1)
    if limit[1] in ("below", "under", "less than", "<", "<="):
        return score < value or (limit[1] == "<=" and score == value)
    return score > value or (limit[1] in ("at least", ">=") and score == value)
