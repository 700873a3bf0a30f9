"""What of a drawing has changed since the last one, so that no page is sent the same again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class Differences:
    """What a page that watches has been sent, and what it needs to have the next drawing.

    A drawing is parts of HTML, one after another. Scripts count characters in units of UTF-16, and
    so does what is sent to them.
    """

    def __init__(self) -> None:
        self._sent: tuple[str, ...] = ()

    def to(self, parts: Sequence[str], is_last: bool = False) -> dict[str, Any]:
        """What makes this drawing of the last one: ``html`` with the length of each part where it
        is sent whole, else what has ``changed``: for each part its place, how much stays of its
        beginning and of its end, and what stands between them.

        The last drawing of all is sent whole, so that a page is right at the end whatever was lost.
        """
        before, self._sent = self._sent, tuple(parts)
        if is_last or len(before) != len(self._sent):
            return {"html": "".join(parts), "lengths": [_units(part) for part in parts]}
        changed = [
            [place, *spliced(old, new)]
            for place, (old, new) in enumerate(zip(before, self._sent, strict=True))
            if old != new
        ]
        return {"changed": changed}


def spliced(old: str, new: str) -> tuple[int, int, str]:
    """How much of the old text's beginning and end the new one has, in units of UTF-16, and what
    it has between them."""
    most = min(len(old), len(new))
    start = _common(old, new, most)
    end = _common(old[::-1], new[::-1], most - start)
    return _units(new[:start]), _units(new[len(new) - end :]), new[start : len(new) - end]


def _common(first: str, second: str, most: int) -> int:
    """How many characters both begin with, looked for by halves: comparing texts is quick."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if first[low:middle] == second[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
