"""Times and memory in few words: percentiles, slopes, Markdown tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def percentile(values: Sequence[float], share: float) -> float:
    """The value that a share (0..1) of the values does not pass; not a number where none is."""
    if not values:
        return float("nan")
    ordered = sorted(values)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)]


def slope(points: Sequence[tuple[float, float]]) -> float:
    """How much the second number grows for each 1 of the first: the line through the points that
    is nearest to them. Zero where there are fewer than two."""
    if len(points) < 2:
        return 0.0
    middle = sum(x for x, _ in points) / len(points)
    spread = sum((x - middle) ** 2 for x, _ in points)
    return sum((x - middle) * y for x, y in points) / spread if spread else 0.0


def milliseconds(values: Sequence[float]) -> str:
    """The median and the 95th percentile of some seconds, as a cell of a table."""
    if not values:
        return "none"
    return f"{percentile(values, 0.5) * 1000:.0f} / {percentile(values, 0.95) * 1000:.0f} ms"


def seconds(values: Sequence[float]) -> str:
    """The same in seconds."""
    if not values:
        return "none"
    return f"{percentile(values, 0.5):.2f} / {percentile(values, 0.95):.2f} s"


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> Iterator[str]:
    """The lines of a Markdown table, with an empty one behind it."""
    yield f"| {' | '.join(head)} |"
    yield "| --- |" + " --- |" * (len(head) - 1)
    for row in rows:
        cells = (str(cell).replace("\n", " ").replace("|", "\\|") for cell in row)
        yield f"| {' | '.join(cells)} |"
    yield ""
