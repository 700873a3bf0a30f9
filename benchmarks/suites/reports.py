"""What a benchmark run came to: figures in rows, as JSON and as Markdown."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

_PUBLISHED = Path(__file__).parent / "published"


@dataclass(frozen=True)
class Row:
    """The figures of one group of samples, by metric; `count` is how many there are."""

    group: str
    count: int
    figures: Mapping[str, float]


@dataclass(frozen=True)
class Published:
    """One line of a published table: who, in which setting, and the figures by our metrics' names,
    as printed (most in percent)."""

    who: str
    setting: str
    figures: Mapping[str, float]


@dataclass(frozen=True)
class Report:
    """A run's rows, the first of all samples together; every figure is a share or a mean.

    `beside` are lines of the papers and `notes` what has to be said with the figures. `means` are
    the metrics that are no shares, such as turns.
    """

    title: str
    rows: Sequence[Row]
    beside: Sequence[Published] = ()
    notes: Sequence[str] = ()
    means: frozenset[str] = frozenset()
    details: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return {
            "title": self.title,
            "rows": [
                {"group": row.group, "count": row.count, "figures": dict(row.figures)}
                for row in self.rows
            ],
            "beside": [
                {"who": line.who, "setting": line.setting, "figures": dict(line.figures)}
                for line in self.beside
            ],
            "notes": list(self.notes),
            "details": dict(self.details),
        }


def table(report: Report) -> str:
    """The report as Markdown: a metric a line, then the papers' figures beside the first group."""
    lines = [f"## {report.title}", ""]
    groups = [f"{row.group} ({row.count})" for row in report.rows]
    lines += _rows(["metric", *groups], _metric_lines(report))
    if report.beside:
        shared = [
            name
            for name in report.rows[0].figures
            if any(name in line.figures for line in report.beside)
        ]
        own = [
            _shown(report.rows[0].figures[name], name in report.means, percent=True)
            for name in shared
        ]
        lines += ["", "Published, and this run; shares in percent:", ""]
        lines += _rows(
            ["who", "setting", *shared],
            [
                [f"**{report.title}**", "this run", *own],
                *(
                    [line.who, line.setting, *(_published(line, name) for name in shared)]
                    for line in report.beside
                ),
            ],
        )
    lines += [f"\n{note}" for note in report.notes]
    return "\n".join(lines) + "\n"


def _metric_lines(report: Report) -> Iterable[list[str]]:
    for name in dict.fromkeys(name for row in report.rows for name in row.figures):
        cells = [
            _shown(row.figures[name], name in report.means) if name in row.figures else "–"
            for row in report.rows
        ]
        yield [name, *cells]


def _shown(value: float, is_mean: bool, percent: bool = False) -> str:
    if is_mean:
        return f"{value:,.2f}"
    return f"{100 * value:.2f}" if percent else f"{value:.3f}"


def _published(line: Published, name: str) -> str:
    return f"{line.figures[name]:g}" if name in line.figures else "–"


def _rows(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    lines = [head, ["---"] * len(head), *rows]
    return [f"| {' | '.join(line)} |" for line in lines]


def write(report: Report, folder: Path, stem: str) -> list[Path]:
    """Write a report as JSON and as Markdown; the paths."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{stem}.json", folder / f"{stem}.md"]
    paths[0].write_text(json.dumps(report.to_json(), indent=1, ensure_ascii=False) + "\n")
    paths[1].write_text(table(report))
    return paths


@cache
def published(name: str) -> Mapping[str, Any]:
    """The published tables of a benchmark (``published/NAME.json``)."""
    found: Mapping[str, Any] = json.loads((_PUBLISHED / f"{name}.json").read_text("utf-8"))
    return found
