"""The figures that come out, and how they are written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Figure:
    """A measured value: of which tool, what it says, and on what it was measured."""

    tool: str
    what: str
    value: str
    on: str


@dataclass
class Findings:
    """Figures, with a line for each thing that was tried so that a person can look at it."""

    figures: list[Figure] = field(default_factory=list)
    details: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)

    def add(self, tool: str, what: str, value: str, on: str) -> None:
        """Keep a figure."""
        self.figures.append(Figure(tool, what, value, on))

    def tell(self, line: str) -> None:
        """Keep a line on one thing that was tried."""
        self.details.append(" ".join(line.split()))

    def leave_out(self, line: str) -> None:
        """Keep what could not be measured, and why."""
        self.left_out.append(line)

    def join(self, other: Findings) -> None:
        """Take over everything of another part."""
        self.figures += other.figures
        self.details += other.details
        self.left_out += other.left_out


def table(findings: Findings) -> str:
    """The figures as a Markdown table, and what was left out."""
    lines = ["| tool | what | measured | on |", "| --- | --- | --- | --- |"]
    lines += [
        f"| {figure.tool} | {figure.what} | {figure.value} | {figure.on} |"
        for figure in findings.figures
    ]
    lines += [f"\nLeft out: {line}" for line in findings.left_out]
    return "\n".join(lines)


def share(right: int, total: int) -> str:
    """So many of so many, and in per cent."""
    return f"{right} of {total} ({right / total:.0%})" if total else "none"


def percent(rate: float) -> str:
    """A share with one decimal."""
    return f"{rate:.1%}"


def on_scale(judgements: Iterable[str], scale: Sequence[str]) -> str:
    """How many of each judgement, in the order of the scale."""
    counted = Counter(judgements)
    return ", ".join(f"{counted[name]} {name}" for name in scale)
