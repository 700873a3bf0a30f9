"""A run's figures as a drawing: bars side by side for every group (SVG, without any library)."""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape

from benchmarks.suites.reports import Report, Row

#: Told apart also by people who do not see all colours (after Okabe and Ito).
_COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#8a7a00", "#444444")
_MOST_GROUPS = 8
_BAR, _GAP, _WIDTH = 12, 10, 420
#: How wide a letter of a name is at most, in pixels.
_LETTER = 6.5


def bars(report: Report) -> str:
    """The report's shares as bars from 0 to 1: a block for each metric, a bar for each group.

    At most eight groups are drawn, the first ones; what is no share is left out.
    """
    rows = report.rows[:_MOST_GROUPS]
    metrics = [
        name
        for name in dict.fromkeys(name for row in rows for name in row.figures)
        if name not in report.means
    ]
    left = 24 + _LETTER * max(map(len, metrics), default=0)
    y = 56 + 18 * ((len(rows) + 3) // 4)
    parts = [_text(12, 24, report.title, size=15, weight="bold"), *_legend(rows)]
    top = y
    for metric in metrics:
        parts.append(_text(left - 8, y + _BAR * len(rows) / 2 + 4, metric, anchor="end"))
        for place, row in enumerate(rows):
            if metric in row.figures:
                parts += _bar(left, y + place * _BAR, row.figures[metric], _COLOURS[place])
        y += _BAR * len(rows) + _GAP
    for tenth in range(0, 11, 2):
        x = left + _WIDTH * tenth / 10
        parts.insert(0, f'<line x1="{x}" x2="{x}" y1="{top - 6}" y2="{y}" stroke="#ddd"/>')
        parts.append(_text(x, y + 14, f"{tenth / 10:g}", anchor="middle"))
    width, height = max(left + _WIDTH + 60, 680), y + 28
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="sans-serif">\n'
        f'<rect width="{width}" height="{height}" fill="white"/>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def _bar(left: float, y: float, value: float, colour: str) -> list[str]:
    length = _WIDTH * min(max(value, 0.0), 1.0)
    return [
        f'<rect x="{left}" y="{y}" width="{length:.1f}" height="{_BAR - 2}" fill="{colour}"/>',
        _text(left + length + 4, y + _BAR - 4, f"{value:.3f}", size=9),
    ]


def _legend(rows: Sequence[Row]) -> list[str]:
    parts = []
    for place, row in enumerate(rows):
        x, y = 12 + 160 * (place % 4), 38 + 18 * (place // 4)
        parts.append(f'<rect x="{x}" y="{y}" width="11" height="11" fill="{_COLOURS[place]}"/>')
        parts.append(_text(x + 16, y + 10, f"{row.group} ({row.count})"))
    return parts


def _text(
    x: float, y: float, words: str, size: int = 11, anchor: str = "start", weight: str = "normal"
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" '
        f'font-weight="{weight}">{escape(words)}</text>'
    )
