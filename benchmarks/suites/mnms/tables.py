"""The published tables of m&m's supplement, by who was asked how."""

from __future__ import annotations

from collections import defaultdict

from benchmarks.suites.reports import Published, published

#: The tables that tell one figure for each model, by strategy and feedback.
_PLAIN = (3, 4, 5, 6, 8, 12, 13)
_MODES = ("multi-step", "step-by-step")


def lines(mode: str, form: str, feedback: str) -> tuple[Published, ...]:
    """The published figures of every model in one setting; `feedback` is empty for none."""
    column = feedback or "N/A"
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for table in published("mnms")["tables"]:
        number, metric, columns = table["table"], table["metric"], table["columns"]
        if table.get("format", "json") != form or table.get("strategy", mode) != mode:
            continue
        if column not in columns:
            continue
        place = columns.index(column)
        for row in table["rows"]:
            model, figures = row[0], row[-len(columns) :]
            if number == 2:
                # The feedbacks stand there as differences to none.
                found[model][metric] = round(figures[0] + (figures[place] if place else 0.0), 2)
            elif number in (11, 16) or number in _PLAIN and row[1] == mode:
                found[model][metric] = figures[place]
    setting = f"{mode}, {form}, feedback {column}"
    return tuple(Published(model, setting, figures) for model, figures in found.items())
