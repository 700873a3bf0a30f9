"""Which resources a clause means: file names, kinds, order, pronouns and clicks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from controlllm.resources import Resource, TypeLattice

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

#: Words that say which special kind of picture a file is, when they stand right before its name.
_SPECIAL_KINDS = (
    "mask", "edge", "canny", "line", "hed", "scribble", "pose", "depth", "normal", "segmentation",
)  # fmt: skip

_ORDINALS = {
    "first": 0, "1st": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "fourth": 3, "4th": 3,
    "fifth": 4, "5th": 4, "sixth": 5, "6th": 5, "last": -1, "latest": -1, "newest": -1,
}  # fmt: skip

_ORDINAL = re.compile(
    r"\b(\w+)\s+(?:one|image|picture|photo|video|clip|recording|file|audio|pic)\b"
    r"|(?:in|of|from|on)\s+the\s+(\w+)\s*(?:[.,;?!]|$)",
    re.IGNORECASE,
)
_PLURALS = re.compile(
    r"\b(?:all|both|each|every|these|those)\s+(?:one\s+|of\s+)?(?:the\s+|my\s+|these\s+|them\b)?"
    r"(?:\w+\s+)?(?:images?|pictures?|photos?|photographs?|pics?|videos?|clips?|recordings?|files?)"
    r"\b|\b(?:images|pictures|photos|photographs|pics|videos|clips|recordings|files)\b"
    r"|\b(?:both|all)\s+of\s+(?:them|these|those)\b|\beach\s+of\s+them\b|\bthem\b"
    r"|\b(?:all|both)\s*(?:[.,;?!]|$)",
    re.IGNORECASE,
)
_PRONOUN = re.compile(
    r"\b(?:it|them|him|her|that\s+one|this\s+one|the\s+result|the\s+output|the\s+new\s+(?:one|image"
    r"|picture|photo)|the\s+(?:cropped|edited|generated|resulting|cut|masked|highlighted|inpainted"
    r"|dubbed|transcribed|cleaned)\s+\w+|the\s+(?:summary|transcript|transcription|caption"
    r"|description|translation|mask|cut-?out)|what\s+(?:remains|is\s+left)|its)\b",
    re.IGNORECASE,
)
_DEICTIC = re.compile(
    r"\b(?:this|that)(?=\s*(?:[.,;:?!]|$|for\s+me|please|to\s+me|into|in\s+))", re.IGNORECASE
)
CLICKED = re.compile(
    r"\b(?:click(?:ed|s)?|select(?:ed|ion)|point(?:ed|s)?(?:\s+(?:at|to|on))?|marked|chose|picked"
    r"|tapped|my\s+(?:points|clicks|dots|marks))\b",
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
    """What a clause says of resources.

    `named` are resources whose names stand in it, in order, with the type that the words give
    them; `masked` is its text with the names replaced by ``<image>`` and so on; `pronoun` says that
    it speaks of "it" or of an earlier result; `ordinal` is the place that "the second one" means,
    -1 the last; `plural` that it means several; `kinds` the media whose words stand in it;
    `clicked` that it means what was clicked.
    """

    named: tuple[tuple[Resource, str], ...]
    masked: str
    pronoun: bool
    ordinal: int | None
    plural: bool
    kinds: frozenset[str]
    clicked: bool

    @property
    def points_at_something(self) -> bool:
        """Whether the clause speaks of any resource at all."""
        return bool(self.named or self.pronoun or self.kinds or self.clicked) or (
            self.ordinal is not None
        )


def read_mentions(clause: str, resources: Sequence[Resource], lattice: TypeLattice) -> Mentions:
    """What a clause says of the resources of its session."""
    named: list[tuple[int, Resource, str]] = []
    masked = clause
    for resource in sorted(resources, key=lambda item: -len(item.value)):
        for name in _names(resource):
            pattern = rf"(?<![\w\-.])['\"“]?{re.escape(name)}['\"”]?(?![\w\-])(?!\.\w)"
            found = re.search(pattern, masked, re.IGNORECASE)
            if found is None:
                continue
            kind = _told_kind(masked[: found.start()], resource, lattice)
            named.append((clause.lower().find(name.lower()), resource, kind))
            media = _medium(resource.type, lattice)
            masked = re.sub(pattern, f"<{media}>", masked, flags=re.IGNORECASE)
            break
    words = set(re.findall(r"[a-z0-9]+", masked.lower()))
    numbered = re.search(
        r"\b(?:image|picture|photo|video|clip|recording|file|pic)\s+(?:no\.?\s*|#)?([1-9])\b",
        masked,
        re.IGNORECASE,
    )
    ordinal = int(numbered.group(1)) - 1 if numbered else next(
        (
            _ORDINALS[(found.group(1) or found.group(2)).lower()]
            for found in _ORDINAL.finditer(masked)
            if (found.group(1) or found.group(2)).lower() in _ORDINALS
        ),
        None,
    )  # fmt: skip
    return Mentions(
        tuple((resource, kind) for _, resource, kind in sorted(named, key=lambda item: item[0])),
        re.sub(r"(<\w+>)(?:\s*,?\s*(?:and|&)?\s*\1)+", r"\1", masked),
        bool(_PRONOUN.search(masked) or _DEICTIC.search(masked)),
        ordinal,
        bool(_PLURALS.search(masked)),
        frozenset(kind for kind, names in KIND_WORDS.items() if words & names),
        bool(CLICKED.search(masked)),
    )


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


def _medium(type_name: str, lattice: TypeLattice) -> str:
    for medium in ("image", "audio", "video", "text"):
        if lattice.is_a(type_name, medium):
            return medium
    return type_name


def _told_kind(before: str, resource: Resource, lattice: TypeLattice) -> str:
    """The type that the words right before a name give it: "the HED result image_3.png"."""
    found = re.search(
        rf"\b({'|'.join(_SPECIAL_KINDS)})(?:\s+(?:map|image|picture|result|file|sketch))?\s*$",
        re.sub(r"[\s'\"“(]+$", "", before),
        re.IGNORECASE,
    )
    if found and resource.type == "image" and found.group(1).lower() in lattice:
        return found.group(1).lower()
    return resource.type


def names_kind(spoken: str, type_name: str) -> bool:
    """Whether words call a kind of thing by its name, as one that is known: "this title"."""
    name = re.escape(type_name.replace("_", " "))
    return bool(re.search(rf"\b(?:this|that|the|its)\s+{name}\b", spoken, re.IGNORECASE))
