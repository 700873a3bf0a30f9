"""The tables of `assets/music`: instruments, patterns, styles, words.

A pattern of chords, bass or drums is a bar of signs, all of the same length; `patterns.toml` has
them by genre and metre and says what the signs mean.
"""

from __future__ import annotations

import tomllib
from functools import cache
from typing import Any

from controlllm.layout import ASSETS

_FOLDER = ASSETS / "music"


@cache
def table(name: str) -> dict[str, Any]:
    """What the file of that name holds; it is shared, so leave it as it is."""
    return tomllib.loads((_FOLDER / f"{name}.toml").read_text("utf-8"))


#: Pattern and metre to the bars that take turns.
CHORDS: dict[str, dict[str, list[str]]] = table("patterns")["chords"]
BASS: dict[str, dict[str, list[str]]] = table("patterns")["bass"]
#: Pattern and metre to the signs of each drum; beside the metres stand "fill", "ending", "crashes".
DRUMS: dict[str, dict[str, Any]] = table("patterns")["drums"]


def bar_of(patterns: dict[str, list[str]], metre: str, number: int) -> str:
    """The signs of bar `number`; metres without patterns of their own take parts of others."""
    if metre == "2/4":
        whole = patterns["4/4"][number % len(patterns["4/4"])]
        half = whole[: len(whole) // 2]
        return half if set(half) & set("C12345BFRTOA") else whole[len(whole) // 2 :]
    if metre == "5/4":
        three = bar_of(patterns, "3/4", number)
        two = bar_of(patterns, "2/4", number)
        if len(three) * 2 != len(two) * 3:
            three, two = _finer(three, 12), _finer(two, 8)
        return three + two
    options = patterns[metre]
    return options[number % len(options)]


def drum_bar(pattern: str, metre: str) -> dict[str, str]:
    """The signs of one bar for each drum of a pattern."""
    bars = DRUMS[pattern]
    if metre == "2/4":
        return {drum: signs[:8] for drum, signs in bars["4/4"].items() if signs[:8].strip(".")}
    if metre == "5/4":
        three, two = bars["3/4"], drum_bar(pattern, "2/4")
        return {
            drum: three.get(drum, "." * 12) + two.get(drum, "." * 8) for drum in {**three, **two}
        }
    found: dict[str, str] = bars[metre]
    return found


def _finer(signs: str, length: int) -> str:
    factor = length // len(signs)
    return "".join(sign + ("-" if sign == "-" else ".") * (factor - 1) for sign in signs)
