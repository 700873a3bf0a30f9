"""A number with its unit, written for a parameter whose description names the unit it counts in."""

from __future__ import annotations

import re
from collections.abc import Mapping

from controlllm.values.times import seconds_of

_UNITS: Mapping[str, Mapping[str, float]] = {
    "bytes": {
        **{"b": 1, "byte": 1, "kb": 1e3, "kilobyte": 1e3, "mb": 1e6, "megabyte": 1e6, "gb": 1e9},
        **{"gigabyte": 1e9, "kib": 2**10, "mib": 2**20, "gib": 2**30},
    },
    "seconds": {
        **{"ms": 1e-3, "millisecond": 1e-3, "s": 1, "sec": 1, "second": 1, "min": 60, "minute": 60},
        **{"h": 3600, "hour": 3600},
    },
    "pixels": {"px": 1, "pixel": 1},
    "percent": {"%": 1, "percent": 1, "per cent": 1},
    "decibels": {"db": 1, "decibel": 1},
    "LUFS": {"lufs": 1, "lu": 1, "db": 1},
    "degrees": {"°": 1, "degree": 1, "deg": 1},
    "hertz": {"hz": 1, "hertz": 1, "khz": 1e3},
}
_NAMED = re.compile(rf"\b(?:{'|'.join(_UNITS)})\b")
_MEASURE = re.compile(r"([-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?) ?([a-z°%][a-z ]*)")
_CLOCK = re.compile(r"(?:\d{1,2}:)?\d{1,3}:\d\d(?:\.\d+)?")


def measure_of(text: str, description: str) -> float | None:
    """What a text such as ``"150 KB"`` or ``"0.5 s"`` counts in the unit that a description names
    first; None where it is no measure, or one of something else."""
    named, said = _NAMED.search(description), text.strip().lower()
    if named is None:
        return None
    if named[0] == "seconds" and _CLOCK.fullmatch(said):
        return seconds_of(said)
    if (match := _MEASURE.fullmatch(said)) is None:
        return None
    units = _UNITS[named[0]]
    scale = units.get(match[2]) or units.get(match[2].removesuffix("s"))
    return None if scale is None else float(match[1].replace(",", "")) * scale
