"""Names of files in what the reader learns from: names that nobody speaks of, as most files have,
and other orders in which named files may lie.

Where only those files had names that a request means by them, a reader would learn that what has a
name is meant.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from controlllm.planning.wishes import Slot

if TYPE_CHECKING:
    from training.examples import Example

#: How often files without names get some, and how often one of these is what a person wrote.
_NAMED, _WRITTEN = 0.4, 0.3
#: What cameras, phones and scanners call files.
_CAMERAS = (
    "img", "dsc", "dscn", "pxl", "vid", "mvi", "mov", "p", "gopr", "scan", "recording", "voice",
    "new recording", "untitled", "document", "download", "screenshot", "whatsapp image", "dji",
    "whatsapp video", "whatsapp audio", "signal", "img e", "zoom", "track", "export", "unnamed",
)  # fmt: skip
#: What people call them.
_SUBJECTS = (
    "garden may", "opa 80", "zugspitze 2", "rechnung 0815", "lola beach", "final v 3", "team",
    "kitchen old", "report q 3", "holiday list", "take 4", "intro new", "members 2025", "cv anna",
    "bike for sale", "choir b", "flat viewing", "notes monday", "prices spring", "school play",
    "logo white", "draft 2", "cabin", "marcel", "budget 26", "poster a 3", "goal", "harbour night",
    "offer mueller", "lecture 07", "rosie", "receipt dm",
)  # fmt: skip


def with_needless_names(slots: Sequence[Slot], text: str, draw: random.Random) -> tuple[Slot, ...]:
    """The files of a request, those that were handed over with names of which `text` says nothing,
    or as they are: where some have names, and mostly."""
    if any(slot.called for slot in slots) or draw.random() > _NAMED:
        return tuple(slots)
    camera, said = draw.choice(_CAMERAS), f" {text.lower()} "
    named = []
    for slot in slots:
        called = f"{camera} {draw.randrange(10 ** draw.randint(1, 5))}"
        if draw.random() < _WRITTEN:
            called = draw.choice(_SUBJECTS)
        is_spoken_of = any(word in said for word in called.split())
        named.append(slot if slot.note or is_spoken_of else replace(slot, called=called))
    return tuple(named)


#: Words that tell files apart by where they lie.
_PLACES = re.compile(
    r"\b(?:first|second|third|fourth|last|1st|2nd|3rd|next|others?|latter|former|left|right|top)\b"
    r"|\b[a-z]+[0-9]\b"
)


def moved(example: Example, draw: random.Random) -> Example:
    """An example whose files lie in another order, each kind's among themselves; as it is where
    something is said by their places, and where they have no names."""
    slots = example.shown.slots
    if not all(slot.called for slot in slots) or _PLACES.search(example.shown.text.lower()):
        return example
    by_kind: dict[str, list[int]] = {}
    for place, slot in enumerate(slots):
        by_kind.setdefault(slot.name.rstrip("0123456789"), []).append(place)
    now = list(range(len(slots)))
    for places in by_kind.values():
        for old, new in zip(places, draw.sample(places, len(places)), strict=True):
            now[old] = new
    called = {now[place]: slot.called for place, slot in enumerate(slots)}
    put = tuple(replace(slot, called=called[place]) for place, slot in enumerate(slots))
    wishes = tuple(
        replace(wish, files=wish.files and tuple(now[place] for place in wish.files))
        for wish in example.wishes
    )
    return replace(example, shown=replace(example.shown, slots=put), wishes=wishes)
