"""Times and memory in few words: percentiles, slopes, Markdown tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np


def percentile(values: Sequence[float], share: float) -> float:
    """The value that a share (0..1) of the values does not pass; not a number where none is."""
    return float(np.quantile(values, share, method="higher")) if values else float("nan")


def slope(points: Sequence[tuple[float, float]]) -> float:
    """How much the second number grows for each 1 of the first. Zero where there are fewer than two
    points."""
    return float(np.polyfit(*zip(*points, strict=True), 1)[0]) if len(points) > 1 else 0.0


def shown(values: Sequence[float], unit: str = "s") -> str:
    """The median and the 95th percentile of some seconds, as a cell of a table, in s or ms."""
    if not values:
        return "none"
    by, places = (1000, 0) if unit == "ms" else (1, 2)
    cells = (f"{percentile(values, share) * by:.{places}f}" for share in (0.5, 0.95))
    return f"{' / '.join(cells)} {unit}"


def compared(now: Sequence[float], before: Sequence[float]) -> str:
    """Seconds beside those of before: how many, and how many times the 95th percentile."""
    times = percentile(now, 0.95) / percentile(before, 0.95)
    return f"{shown(now, 'ms')} ({len(now)}), {times:.1f} ×"


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> Iterator[str]:
    """The lines of a Markdown table, with an empty one behind it."""
    yield f"| {' | '.join(head)} |"
    yield "| --- |" + " --- |" * (len(head) - 1)
    for row in rows:
        cells = (str(cell).replace("\n", " ").replace("|", "\\|") for cell in row)
        yield f"| {' | '.join(cells)} |"
    yield ""
