"""What a person says is in pictures, recordings and texts, and how that person judged results.

The project ships references for media that pip packages carry, in `data/tool_quality.json`. A file
of one's own with the same sections adds to them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.quality.scores import Counts, counts_of

SHIPPED = Path(__file__).resolve().parents[1] / "data" / "tool_quality.json"
#: The two ends of each scale and what lies between, best first.
CAPTION_SCALE = ("right", "partly", "wrong")
REMOVAL_SCALE = ("good", "fair", "bad")
_LISTS = (
    *("masks", "questions", "removals", "spoken", "feelings", "grammar", "summaries", "music"),
    "instruments",
)
_TABLES = ("photos", "printed", "recordings", "captions")


@dataclass(frozen=True)
class Photo:
    """The things in a photo by name: counted, counted only at least so far, or not counted.

    `also` names other words that mean the same thing.
    """

    objects: Mapping[str, int] = field(default_factory=dict)
    at_least: Mapping[str, int] = field(default_factory=dict)
    ignored: tuple[str, ...] = ()
    also: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def named(self, found: Mapping[str, int]) -> dict[str, int]:
        """Found numbers under the names of the reference."""
        names = {other: name for name, others in self.also.items() for other in others}
        numbers: dict[str, int] = {}
        for name, number in found.items():
            name = names.get(name, name)
            numbers[name] = numbers.get(name, 0) + number
        return numbers

    def judged(self, found: Mapping[str, int]) -> Counts:
        """Right, extra and missed things; more than "at least" are neither right nor extra."""
        seen = self.named(found)
        total = counts_of(self.objects, seen, frozenset({*self.ignored, *self.at_least}))
        for name, lowest in self.at_least.items():
            there = min(seen.get(name, 0), lowest)
            total += Counts(there, 0, lowest - there)
        return total


@dataclass(frozen=True)
class References:
    """All references: tables by file name and lists of items, as in the JSON file."""

    tables: Mapping[str, Mapping[str, Any]]
    lists: Mapping[str, tuple[Any, ...]]

    def photos(self) -> dict[str, Photo]:
        """The photos with counted things, by file name."""
        return {name: _photo(entry) for name, entry in self.tables["photos"].items()}


def read_references(path: Path | None) -> References:
    """The shipped references and those of a file; raises ValueError where it is not such a file."""
    ours = _read(SHIPPED)
    more = _read(path) if path is not None else {}
    return References(
        {name: {**ours.get(name, {}), **more.get(name, {})} for name in _TABLES},
        {name: (*ours.get(name, ()), *more.get(name, ())) for name in _LISTS},
    )


def mark_of(result: str | bytes) -> str:
    """A short mark by which a judged result is known again."""
    content = result.encode() if isinstance(result, str) else result
    return hashlib.sha256(content).hexdigest()[:12]


def _read(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise ValueError(f"{path.name} could not be read as references: {error}") from error
    if not isinstance(content, dict):
        raise ValueError(f"{path.name} holds no references: an object with sections is expected.")
    unknown = sorted(set(content) - {*_LISTS, *_TABLES})
    if unknown:
        raise ValueError(
            f"{path.name} has the section {unknown[0]!r}; known are "
            f"{', '.join(sorted({*_LISTS, *_TABLES}))}."
        )
    for name, section in content.items():
        if not isinstance(section, dict if name in _TABLES else list):
            kind = "an object by file name" if name in _TABLES else "a list"
            raise ValueError(f"{path.name}: the section {name!r} must be {kind}.")
    return content


def _photo(entry: Mapping[str, Any]) -> Photo:
    return Photo(
        entry.get("objects", {}),
        entry.get("at_least", {}),
        tuple(entry.get("ignored", ())),
        {name: tuple(others) for name, others in entry.get("also", {}).items()},
    )
