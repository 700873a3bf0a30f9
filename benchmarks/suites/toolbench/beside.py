"""ToolBench's runs beside what Sum2Act's paper prints, as tables in Markdown, and as drawings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.suites.charts import bars
from benchmarks.suites.reports import Report, Row, published

#: What has to be said with the published figures, of agents here and of answers made elsewhere.
OTHER_TASKS = (
    "**The published figures are of other tasks and of another model**: ToolBench's, 100 a subset, "
    "over real APIs, where ChatGPT acted and judged who won. Here are simulated APIs, and facts "
    "judge. They are for scale, no more."
)
OTHER_JUDGE = (
    "**The published figures are of another model**: ChatGPT acted and judged who won, on 100 "
    "tasks a subset. Who made these answers, and whether they are to the same tasks, the program "
    "does not know. The average is over the sets."
)


@dataclass(frozen=True)
class Shown:
    """A line of this run: who, in which setting, the average and the subsets, as shares.

    What was not measured is None, and is not among the subsets.
    """

    who: str
    setting: str
    average: float | None
    by_subset: Mapping[str, float] = field(default_factory=dict)


def tables(passes: Sequence[Shown], wins: Sequence[Shown], note: str) -> str:
    """Pass and win rates of a run beside the published ones, in percent."""
    told = published("toolbench")
    parts = [note, ""]
    for name, ours in (("pass", passes), ("win", wins)):
        subsets = told["subsets"]
        rows = [
            f"| {name} rate | setting | {' | '.join(subsets)} | average |",
            "| --- | --- |" + " ---: |" * (len(subsets) + 1),
        ]
        for line in ours:
            cells = [_percent(line.by_subset.get(subset)) for subset in subsets]
            rows.append(
                f"| **{line.who}** | {line.setting} | {' | '.join(cells)} "
                f"| {_percent(line.average)} |"
            )
        for line in told[name]:
            cells = [f"{value:g}" for value in (*line["figures"], line["average"])]
            rows.append(f"| {line['who']} | published, {line['setting']} | {' | '.join(cells)} |")
        parts += [*rows, ""]
    return "\n".join([*parts, f"Published: {told['source']}"]) + "\n"


def of_agents(lines: Sequence[Mapping[str, Any]], against: str, setting: str) -> str:
    """The tables for agents on the simulated world; `lines` as `world.running.summary` has them."""

    def shown(line: Mapping[str, Any], name: str, versus: str = "") -> Shown:
        return Shown(f"{line['agent']}{versus}, {line['rate']:.0%} faults", setting, line[name])

    passes = [shown(line, "passed") for line in lines]
    wins = [shown(line, "win", f" against {against}") for line in lines if line["win"] is not None]
    return tables(passes, wins, OTHER_TASKS)


def of_answers(lines: Sequence[Mapping[str, Any]]) -> str:
    """The tables for answer files; `lines` as `report.figures` has them."""
    names = published("toolbench")["sets"]

    def shown(who: str, name: str) -> Shown:
        had = {line["set"]: line[name] for line in lines if line[name] is not None}
        average = sum(had.values()) / len(had) if had else None
        known = {names[set_]: share for set_, share in had.items() if set_ in names}
        return Shown(who, "this run", average, known)

    wins = [shown("these answers against the others", "win")]
    return tables([shown("these answers", "passed")], wins, OTHER_JUDGE)


def drawing_of_agents(lines: Sequence[Mapping[str, Any]], setting: str) -> str:
    """A drawing (SVG) with a bar for each agent, by figure and share of faults."""
    figures: dict[str, dict[str, float]] = {}
    runs: dict[str, int] = {}
    for line in lines:
        agent = line["agent"]
        runs[agent] = runs.get(agent, 0) + line["runs"]
        for name, words in _AGENTS_FIGURES.items():
            if line[name] is not None:
                found = figures.setdefault(agent, {})
                found[f"{words}, {line['rate']:.0%} faults"] = line[name]
    # All shares of faults of a figure together.
    order = [
        f"{words}, {rate:.0%} faults"
        for words in _AGENTS_FIGURES.values()
        for rate in sorted({line["rate"] for line in lines})
    ]
    rows = [
        Row(agent, runs[agent], {name: found[name] for name in order if name in found})
        for agent, found in figures.items()
    ]
    return bars(Report(f"Agents on the simulated world, {setting}", rows))


def drawing_of_answers(lines: Sequence[Mapping[str, Any]]) -> str:
    """A drawing (SVG) with a bar for each set of answers, by figure."""
    rows = [
        Row(
            line["set"],
            line["answers"],
            {
                words: line[name]
                for name, words in _ANSWERS_FIGURES.items()
                if line[name] is not None
            },
        )
        for line in lines
    ]
    return bars(Report("ToolBench's answers", rows))


_AGENTS_FIGURES = {"passed": "pass", "solved": "solved", "facts": "facts", "win": "win"}
_ANSWERS_FIGURES = {
    "passed": "pass",
    "solved": "solved",
    "win": "win",
    "answered": "answered",
    "gave_up": "gave up",
    "no_end": "no end",
}


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f}"
