"""A long recording of speech in pieces that a model hears at once, cut where nobody speaks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

#: Sound is measured in steps of so many seconds to find the quietest moment.
_STEP = 0.05


def gathered(spans: Sequence[tuple[float, float]], longest: float) -> list[tuple[float, float]]:
    """Stretches of speech put together with the pauses between them, as long as they are not
    longer than `longest` seconds; one that is longer itself stays whole."""
    found: list[tuple[float, float]] = []
    for start, end in spans:
        if found and end - found[-1][0] <= longest:
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found


def cut(
    samples: np.ndarray, rate: int, start: float, end: float, longest: float
) -> list[tuple[float, float]]:
    """A stretch of a mono sound in stretches of at most `longest` seconds, cut at the quietest
    moment of the last third of each."""
    found: list[tuple[float, float]] = []
    while end - start > longest:
        first = round((start + longest * 2 / 3) * rate)
        last = round((start + longest) * rate)
        step = max(round(_STEP * rate), 1)
        part = np.abs(samples[first : max(last, first + step)])
        count = max(len(part) // step, 1)
        loudness = part[: count * step].reshape(count, -1).mean(axis=1)
        moment = (first + (int(loudness.argmin()) + 0.5) * step) / rate
        found.append((start, moment))
        start = moment
    return [*found, (start, end)]
