"""TaskBench as a suite of the command."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.suites.answers import Answer, Call, Task, calls_of
from benchmarks.suites.reports import Published, Report, Row, published
from benchmarks.suites.running import Answerer
from benchmarks.suites.suite import Options
from benchmarks.suites.taskbench.metrics import Judged, figures, judged
from benchmarks.suites.taskbench.reading import Domain, read_domain
from controlllm.core.plans import Plan
from controlllm.toolbox import Toolbox

#: How plans are built, in TaskBench's words.
_KINDS = ("single", "chain", "dag")


@dataclass(frozen=True)
class TaskBench:
    """One domain, asked in one wording."""

    domain: Domain
    wording: str
    tasks: Sequence[Task]

    @property
    def toolbox(self) -> Toolbox:
        return self.domain.toolbox

    def calls(self, plan: Plan) -> tuple[Call, ...]:
        return calls_of(plan)

    def prompted(self, options: Options) -> Answerer | None:
        return None

    def report(self, answers: Mapping[str, Answer], kept: Path | None = None) -> Report:
        """All samples, then by the plan's structure and by how many tools are expected."""
        found = judged(self.domain, answers)
        groups: dict[str, list[Judged]] = {"all": found}
        for kind in _KINDS:
            groups[kind] = [item for item in found if item.sample.kind == kind]
        for item in sorted(found, key=lambda item: len(item.sample.nodes)):
            count = len(item.sample.nodes)
            groups.setdefault("1 tool" if count == 1 else f"{count} tools", []).append(item)
        rows = [
            Row(name, len(items), figures(items, self.domain))
            for name, items in groups.items()
            if items
        ]
        notes = [
            "n-F1 is micro where it says micro, macro where it says macro; the published n-F1 does "
            "not say which. Figures without `strict` are computed as TaskBench's code does, "
            "`coverage` says of how many samples; `strict` ones are over all samples.",
        ]
        if self.domain.dependency == "temporal":
            notes.append("Temporal links of our plans are their calls in order.")
        return Report(
            f"TaskBench {self.domain.name}, {self.wording or 'first wording'}",
            rows,
            _beside(self.domain),
            notes,
        )


def read(options: Options) -> TaskBench:
    """Read a domain; raises ValueError where its files are not what they should be."""
    if not options.data:
        raise ValueError("Name the folder of a TaskBench domain with --data.")
    domain = read_domain(Path(options.data), options.toolbox)
    tasks = tuple(Task(sample.id, sample.asked(options.wording)) for sample in domain.samples)
    return TaskBench(domain, options.wording, tasks)


def _beside(domain: Domain) -> tuple[Published, ...]:
    """The leaderboard of the domain that has these tools."""
    for entry in published("taskbench")["domains"]:
        if entry["known_by"] in domain.toolbox:
            return tuple(
                Published(
                    line["model"],
                    entry["domain"],
                    dict(zip(entry["metrics"], line["figures"], strict=True)),
                )
                for line in entry["lines"]
            )
    return ()
