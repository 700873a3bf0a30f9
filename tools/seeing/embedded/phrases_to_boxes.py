"""From a phrase to boxes: which objects in a picture "the brown dog on the left" means."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from pathlib import Path

from controlllm.resources import Box
from controlllm.toolbox import ToolError

from ...shared.boxes import inside, overlap
from . import (
    choosing,
    class_regions,
    colours,
    imagenet,
    like_things,
    things,
)
from .questions import patterns
from .scene import Scene

_TABLE = Path(__file__).with_suffix(".toml")
_SAID = patterns(_TABLE, colour="|".join([*colours.NAMES, *colours.SYNONYMS]))
_NOUNS = {
    kind: frozenset(words.split())
    for kind, words in tomllib.loads(_TABLE.read_text("utf-8"))["nouns"].items()
}
#: The score from which one thing is taken for sure.
SURE = 0.35
#: One of many like it may be doubted more.
_SURE_OF_SEVERAL = 0.27
_FITS_COLOUR = 0.12
#: The score from which the classifier alone is asked.
_SEEN_AT_ALL = 0.25

#: Of a thing on a plain ground so much has the colour that is asked for.
_MOSTLY_OF_IT = 0.5


def phrase_of(query: str) -> str:
    """What a request names, in small letters, without the asking around it: "the brown dog".

    Raises ToolError where it has no words.
    """
    if not query.strip():
        raise ToolError("There is no phrase to look for; say what to find, such as “the dog”.")
    return _phrase_of(query)


def _phrase_of(query: str) -> str:
    phrase = _SAID["openings"].sub("", query.strip())
    return _SAID["endings"].sub("", _SAID["endings"].sub("", phrase)).strip().lower()


#: Tells the place of the box that is meant among several that a phrase fits as well.
Which = Callable[[Sequence[Box]], int]


def ground(scene: Scene, query: str, which: Which | None = None) -> tuple[Box, ...]:
    """The boxes in a scene that a phrase names, labelled with what was found; empty for none.

    Of several that fit as well the likeliest is taken, or the one that `which` tells.
    """
    whole = _phrase_of(query)
    phrase = _SAID["not_that"].sub("", whole).strip() or whole
    found = _ground(scene, phrase, which)
    cut = _shorter(phrase)
    return found if found or not cut else _ground(scene, cut, which)


def alike(scene: Scene, query: str) -> tuple[Box, ...]:
    """Things that a phrase calls by a name which the detectors do not know, such as coins or pills,
    where the picture shows many that are alike on a plain ground."""
    parsed = choosing.parse(_phrase_of(query))
    if parsed.several == 1 or parsed.noun not in _NOUNS["like"] or parsed.places:
        return ()
    found = like_things.find(scene.image)
    wanted, _ = _split_colours(_phrase_of(query))
    if wanted:
        found = tuple(
            box
            for box in found
            if all(
                colours.likeness_in_middle(scene.image, box, colour) >= _MOSTLY_OF_IT
                for colour in wanted
            )
        )
    return tuple(replace(box, label=parsed.noun) for box in found[: parsed.several])


def is_known(query: str) -> bool:
    """Whether a phrase names something that can be known by sight here, so that not finding it
    means that it is not there."""
    phrase = _phrase_of(query)
    noun = choosing.parse(_shorter(phrase) or phrase).noun
    return (
        not noun
        or noun in things.ANYTHING
        or things.is_known(noun)
        or any(noun in words for kind, words in _NOUNS.items() if kind != "like")
        or bool(imagenet.numbers_of(noun))
        or colours.is_colour(noun)
        or bool(_SAID["says"].search(query))
    )


def _shorter(phrase: str) -> str:
    """A phrase without what is no part of the thing: "the plate unreadable" is about the plate;
    "her" is about a woman, who is a person. Empty where nothing is cut off."""
    cut = _SAID["after_all"].sub("", phrase).strip(" ,")
    cut = _SAID["after_the_edit"].sub("", cut).strip(" ,")
    cut = _SAID["her"].sub("person", cut)
    return cut if cut != phrase else ""


def _ground(scene: Scene, phrase: str, which: Which | None) -> tuple[Box, ...]:
    says = _SAID["says"].search(phrase)
    if says:
        return _boxes_of_words(scene, says["words"], phrase[: says.start()])
    phrase = _SAID["young"].sub("smallest ", phrase)
    phrase = _SAID["colour_pair"].sub(r"\1 ", phrase)
    parts = [part.strip() for part in re.split(r",|\band\b|&", phrase) if part.strip()]
    if len(parts) < 2 or not all(choosing.parse(part).noun for part in parts):
        return _ground_one(scene, phrase, which)
    found: list[Box] = []
    for part in parts:
        found += [box for box in _ground_one(scene, part, which) if box not in found]
    return tuple(found)


def _ground_one(scene: Scene, phrase: str, which: Which | None) -> tuple[Box, ...]:
    wanted, rest = _split_colours(phrase)
    noun = choosing.parse(rest, [box.label for box in scene.doubtful]).noun
    candidates = _named(scene, noun, rest)
    if wanted:
        candidates = _coloured(scene, candidates, wanted)
        if not candidates and (not noun or noun in things.ANYTHING):
            candidates = colours.areas(scene.image, wanted[0])
    if not candidates or noun in _NOUNS["text"]:
        return candidates
    parsed = choosing.parse(rest)
    if wanted and parsed.several == 1 and not parsed.places and parsed.order is None:
        return candidates[:1]
    labels = {box.label for box in candidates}
    relatives = [box for box in scene.doubtful if box.score >= 0.3 and box.label not in labels]
    pool = [*candidates, *relatives]
    named = [*(replace(box, label=noun or box.label) for box in candidates), *relatives]
    chosen = choosing.choose(
        rest or "everything",
        named,
        size=scene.image.size,
        which=which and (lambda places: which([pool[place] for place in places])),
    )
    return tuple(candidates[index] for index in chosen if index < len(candidates))


def _named(scene: Scene, noun: str, phrase: str) -> tuple[Box, ...]:
    """All boxes that a singular noun may name, surest first; every sure object for no noun."""
    if not noun or noun in things.ANYTHING:
        return scene.objects
    if noun in _NOUNS["text"]:
        return scene.lines
    if noun in _NOUNS["face"]:
        return scene.every_face
    if _is_plate(noun, phrase):
        return scene.plates
    specific = _specific(scene, noun)
    if specific:
        return specific
    boxes = scene.doubtful
    matching = choosing.matching(phrase, [box.label for box in boxes], by_meaning=False)
    found = [boxes[index] for index in matching]
    least = SURE if choosing.parse(phrase).several == 1 else _SURE_OF_SEVERAL
    sure = [box for box in found if box.score >= least]
    if sure and sure[0].score >= SURE:
        return tuple(sure)
    if found:
        best = max(box.score for box in found)
        return tuple(box for box in found if box.score >= max(0.8 * best, 0.2))
    if noun in things.COCO_CLASSES and noun not in things.IMAGENET:
        return ()
    return _seen_by_classifier(scene, noun)


def _is_plate(noun: str, phrase: str) -> bool:
    return noun in _NOUNS["plate"] and _SAID["plate"].search(phrase) is not None


def _specific(scene: Scene, noun: str) -> tuple[Box, ...]:
    """Objects of a kind that the classifier knows and detectors do not: a breed, a taxi."""
    numbers = imagenet.numbers_of(noun)
    if not numbers or noun in things.IMAGENET or noun in things.COCO_CLASSES:
        return ()
    everyday = {imagenet.everyday_names()[number] for number in numbers}
    found = []
    for box in scene.doubtful:
        if box.score >= 0.3 and box.label in everyday:
            part = class_regions.crop(scene.image, box)
            likely = class_regions.probabilities(part)
            if likely[list(numbers)].sum() >= 0.25:
                found.append(box)
    return tuple(found)


def _seen_by_classifier(scene: Scene, noun: str) -> tuple[Box, ...]:
    """Places where the classifier sees the noun, with a detector's tighter box where it fits.

    The score is the mean of the map there and of the classification of that part alone.
    """
    numbers = imagenet.numbers_of(noun)
    if scene.class_map is None or not numbers:
        return ()
    found = []
    for box in scene.class_map.regions(numbers, least=0.45)[:4]:
        score = (box.score + class_regions.confirmed(scene.image, box, numbers)) / 2
        if score < _SEEN_AT_ALL:
            continue
        fitting = max(scene.doubtful, key=lambda other: overlap(other, box), default=None)
        if fitting is not None and overlap(fitting, box) > 0.6:
            box = fitting
        found.append(replace(box, label=noun, score=score))
    return tuple(sorted(found, key=lambda box: -box.score))


def _split_colours(phrase: str) -> tuple[list[str], str]:
    """The colour words of a phrase, and the phrase without them and the clothes they colour."""
    words = phrase.split()
    places = [i for i, word in enumerate(words) if colours.is_colour(word.strip(",."))]
    if not places:
        return [], phrase
    wanted = [words[place].strip(",.") for place in places]
    before, after = " ".join(words[: places[0]]), " ".join(words[places[0] + len(wanted) :])
    before = re.sub(r"\b(?:in|wearing|with|dressed in)(?:\s+(?:an?|the))?\s*$", "", before)
    if before.strip() and choosing.parse(before).noun:
        after = _SAID["clothes"].sub("", after)
    return wanted, " ".join(f"{before} {after}".split())


def _coloured(scene: Scene, boxes: Sequence[Box], wanted: Sequence[str]) -> tuple[Box, ...]:
    """The boxes that show all the colours, best first."""

    def fit(box: Box) -> float:
        return min(colours.likeness(scene.image, box, colour) for colour in wanted)

    ranked = sorted(((fit(box), index) for index, box in enumerate(boxes)), reverse=True)
    least = max(_FITS_COLOUR, 0.5 * ranked[0][0]) if ranked else 0.0
    return tuple(boxes[index] for value, index in ranked if value >= least)


def _boxes_of_words(scene: Scene, words: str, before: str) -> tuple[Box, ...]:
    """The lines of text that hold the words, or the sign around them where one is asked for."""
    wanted = re.sub(r"\W+", "", words.lower())
    fitting = []
    for line in scene.lines:
        text = re.sub(r"\W+", "", line.label.lower())
        alike = SequenceMatcher(None, wanted, text).ratio() > 0.75
        if wanted and text and (wanted in text or (len(text) > 2 and text in wanted) or alike):
            fitting.append(line)
    noun = choosing.parse(before).noun
    if not fitting or not noun or noun in _NOUNS["text"]:
        return tuple(fitting)
    around = [
        box
        for box in scene.doubtful
        if inside(fitting[0], box) > 0.8
        and scene.share(box) < 0.8
        and (noun in {*_NOUNS["sign"], "stop sign"} or choosing.matching(noun, [box.label]))
    ]
    return (max(around, key=lambda box: box.score),) if around else tuple(fitting)
