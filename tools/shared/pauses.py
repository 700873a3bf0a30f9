"""How pauses of a recording are told, and how long they are."""

from __future__ import annotations

import re
from collections.abc import Iterator

from controlllm.values import Kind
from controlllm.values.kinds import Found
from controlllm.values.times import find_seconds

#: Seconds from which on silence is a pause that is shortened, and what is left of it.
USUALLY_FROM, USUALLY_LEFT = 0.7, 0.35


def _said_behind(words: str, before: str) -> Iterator[Found]:
    """The times in plain words that stand behind one of some words."""
    for found in find_seconds(words):
        if re.search(rf"\b{before} (?:about |around |only |just )?$", words[: found.start]):
            yield found


#: How long a pause has to be to be shortened, and how long it is then.
PAUSES_OVER = Kind(
    "how long pauses are at least, such as longer than 2 seconds",
    lambda words: _said_behind(words, r"(?:over|above|exceed\w*|than|at least|from)"),
)
PAUSE_LEFT = Kind(
    "how long a pause is afterwards, such as to half a second",
    lambda words: _said_behind(words, r"(?:to|at most|max(?:imum)?|down to|no more than|leave)"),
)
