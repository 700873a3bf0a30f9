"""Which of the values that words hold goes to which parameter."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from controlllm.values.kinds import Found, Kind
from controlllm.values.plain import HIDDEN, plain


def values_in(
    text: str, kinds: Mapping[str, Kind], taken: Mapping[str, str] = MappingProxyType({})
) -> dict[str, Any]:
    """What a text says for parameters, by their names; those for which it says nothing are left
    out. What one has taken is not taken again; the name of a parameter beside a value decides
    ("a border of 20 pixels"), then the order in which the parameters stand.

    `taken` has values that some of the parameters have already, as plans write them: these get no
    other, and the words for theirs are no other's.
    """
    words = plain(text)
    for name in kinds.keys() & taken.keys():
        same = (item for item in kinds[name].find(words) if as_said(item.value) == taken[name])
        if (found := next(same, None)) is not None:
            words = _hidden(words, found)
    return _filled(words, {name: kind for name, kind in kinds.items() if name not in taken})[0]


def as_said(value: object) -> str:
    """A value as it is written in a plan: ``"true"``, ``"50"``, ``"16:9"``."""
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:.10g}" if isinstance(value, float) else str(value)


def values_and_rest(text: str, kinds: Mapping[str, Kind]) -> tuple[dict[str, Any], str]:
    """The values that a text says for parameters (see `values_in`), and its plain words with
    `HIDDEN` in place of each."""
    return _filled(plain(text), kinds)


def _filled(words: str, kinds: Mapping[str, Kind]) -> tuple[dict[str, Any], str]:
    values: dict[str, Any] = {}
    order = sorted(kinds, key=lambda name: not _is_named(name, kinds[name], words))
    for name in order:
        found = _best(name, kinds[name], words)
        if found is not None:
            values[name] = found.value
            words = _hidden(words, found)
    return values, words


def _hidden(words: str, found: Found) -> str:
    return words[: found.start] + HIDDEN * (found.end - found.start) + words[found.end :]


def _is_named(name: str, kind: Kind, words: str) -> bool:
    return any(_stands_beside(name, found, words) for found in kind.find(words))


def _best(name: str, kind: Kind, words: str) -> Found | None:
    found = list(kind.find(words))
    beside = [item for item in found if _stands_beside(name, item, words)]
    return next(iter([*beside, *found]), None)


def _stands_beside(name: str, found: Found, words: str) -> bool:
    """Whether a value stands right before or after a parameter's name."""
    said = re.escape(name.replace("_", " "))
    before, after = words[: found.start], words[found.end :]
    return bool(
        re.search(rf"(?<!\w){said}s? ?(?:of|to|is|=|:|at|about)? ?$", before)
        or re.match(rf"[ -]?(?:of )?{said}s?(?!\w)", after)
    )
