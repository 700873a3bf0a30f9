"""What a request says of files: their names, kinds and order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from controlllm.resources import Resource

#: Words for each kind of medium. A word that could mean several stands with each.
KIND_WORDS: dict[str, frozenset[str]] = {
    "image": frozenset(
        "image images picture pictures photo photos photograph photographs pic pics snapshot "
        "screenshot drawing painting portrait sketch img".split()
    ),
    "audio": frozenset(
        "audio sound recording recordings speech voice song track music podcast interview "
        "soundtrack narration melody tune wav mp3".split()
    ),
    "video": frozenset("video videos clip clips footage movie film mp4".split()),
    "text": frozenset("text document article essay passage paragraph letter story report".split()),
}

_ORDINALS = {
    "first": 0, "1st": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "fourth": 3, "4th": 3,
    "fifth": 4, "5th": 4, "sixth": 5, "6th": 5, "last": -1, "latest": -1, "newest": -1,
}  # fmt: skip

_ORDINAL = re.compile(
    r"\b(\w+)\s+(?:one|image|picture|photo|video|clip|recording|file|audio|pic)\b"
    r"|(?:in|of|from|on)\s+the\s+(\w+)\s*(?:[.,;?!]|$)",
    re.IGNORECASE,
)
#: Words that tell one of several files from the others, or speak of one.
APART = re.compile(
    r"(?<!into )(?<!in )(?<!as )(?<!to )"
    r"\b(?:ones?|others?|another|both|each|either|rest|first|second|third|fourth|last|former|latter|"
    r"next|left|right|top|bottom|original|old(?:er)?|new(?:er)?|this|that|it|its|"
    r"(?:the|my|our|a|an) "
    r"(?:picture|photo|image|pic|shot|snap|video|clip|film|movie|recording|audio|sound|song|text|file|"
    r"drawing|scan|screenshot))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Mentions:
    """What a request says of resources.

    `named` are resources whose names stand in it, in order; `ordinal` is the place that "the second
    one" means, -1 the last; `kinds` are the media whose words stand in it.
    """

    named: tuple[Resource, ...]
    ordinal: int | None
    kinds: frozenset[str]


def read_mentions(text: str, resources: Sequence[Resource]) -> Mentions:
    """What a request says of the resources of its session."""
    named: list[tuple[int, Resource]] = []
    rest = text
    for resource in sorted(resources, key=lambda item: -len(item.value)):
        for name in _names(resource):
            pattern = rf"(?<![\w\-.])['\"“]?{re.escape(name)}['\"”]?(?![\w\-])(?!\.\w)"
            if re.search(pattern, rest, re.IGNORECASE):
                named.append((text.lower().find(name.lower()), resource))
                rest = re.sub(pattern, "<>", rest, flags=re.IGNORECASE)
                break
    words = set(re.findall(r"[a-z0-9]+", rest.lower()))
    kinds = frozenset(kind for kind, names in KIND_WORDS.items() if words & names)
    in_order = tuple(item for _, item in sorted(named, key=lambda pair: pair[0]))
    return Mentions(in_order, _ordinal(rest), kinds)


def _ordinal(text: str) -> int | None:
    """The place in a row that is spoken of, -1 the last; None where there is none."""
    numbered = re.search(
        r"\b(?:image|picture|photo|video|clip|recording|file|pic)\s+(?:no\.?\s*|#)?([1-9])\b",
        text,
        re.IGNORECASE,
    )
    if numbered:
        return int(numbered.group(1)) - 1
    said = ((found.group(1) or found.group(2)).lower() for found in _ORDINAL.finditer(text))
    return next((_ORDINALS[word] for word in said if word in _ORDINALS), None)


def without_marks(text: str, resources: Sequence[Resource]) -> str:
    """A request without the signs that files were called by: ``@photo.jpg`` is ``photo.jpg``."""
    for resource in sorted(resources, key=lambda item: -len(item.value)):
        text = re.sub(rf"(?<![\w.])@(?={re.escape(resource.value)})", "", text, flags=re.IGNORECASE)
    return text


def _names(resource: Resource) -> list[str]:
    """The resource's value, and its stem where that is distinctive enough to be meant."""
    stem = resource.value.rsplit(".", 1)[0]
    long_enough = len(stem) >= 4 and re.search(r"[\d_\-]", stem)
    return [resource.value, stem] if stem != resource.value and long_enough else [resource.value]


def names_kind(spoken: str, type_name: str) -> bool:
    """Whether words call a kind of thing by its name, as one that is known: "this title"."""
    name = re.escape(type_name.replace("_", " "))
    return bool(re.search(rf"\b(?:this|that|the|its)\s+{name}\b", spoken, re.IGNORECASE))
