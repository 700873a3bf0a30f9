"""The order in which a request speaks of files: "first the cover, then the report"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from os.path import commonprefix

from controlllm.planning.wishes import Slot

#: Two words are forms of one from so many common letters at their beginning on: price, prices.
_COMMON = 4
#: The most letters of an ending.
_ENDING = 2


def order_spoken_of(slots: Sequence[Slot], text: str) -> list[int]:
    """The places of files as a text, in which files stand by kind and number, speaks of them; as
    they lie where it does not speak of each by a word of its name that no other has."""
    words = [(found.group().lower(), found.start()) for found in re.finditer(r"[^\W_]+", text)]
    spoken = []
    for slot in slots:
        others = {word for one in slots if one is not slot for word in one.called.split()}
        own = {slot.name, *slot.called.split()} - others
        starts = [start for word, start in words if any(_is_form_of(word, name) for name in own)]
        if not starts:
            return list(range(len(slots)))
        spoken.append(min(starts))
    return sorted(range(len(slots)), key=spoken.__getitem__)


def _is_form_of(word: str, name: str) -> bool:
    """Whether a word is one of a name, or another form of it."""
    if word == name:
        return True
    common = len(commonprefix((word, name)))
    return common >= _COMMON and max(len(word), len(name)) - common <= _ENDING
