"""ControlLLM's own tasks: our annotated suites, and the authors' instructions with their kinds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks import kinds
from benchmarks.annotation import SUITES, Suite, read_suite
from benchmarks.metrics import judge, rates
from benchmarks.suites.answers import Answer, Call, Task, calls_of
from benchmarks.suites.reports import Published, Report, Row, published
from benchmarks.suites.running import Answerer
from benchmarks.suites.suite import Options
from controlllm.core.plans import Plan
from controlllm.toolbox import Toolbox, read_catalogue

_NO_PLAN = Plan((), {})


class _Planned:
    """What both have: plans of ours are judged as they are."""

    def calls(self, plan: Plan) -> tuple[Call, ...]:
        return calls_of(plan)

    def prompted(self, options: Options) -> Answerer | None:
        return None


@dataclass(frozen=True)
class AnnotatedRequests(_Planned):
    """A suite whose plans are judged by IR, NR, HR, CR and SE (paper Sec. 4.2)."""

    suite: Suite
    tasks: Sequence[Task]

    @property
    def toolbox(self) -> Toolbox:
        return self.suite.toolbox

    def report(self, answers: Mapping[str, Answer], kept: Path | None = None) -> Report:
        judgements = [
            judge(answers[item.id].plan or _NO_PLAN, item, self.suite.toolbox)
            for item in self.suite.annotations
            if item.id in answers
        ]
        share = rates(judgements)
        rows = [
            Row(
                "all",
                share.requests,
                {
                    "IR": share.irrelevant,
                    "NR": share.necessary,
                    "HR": share.hallucinated,
                    "CR": share.consistent,
                    "SE": share.solved,
                    **{f"SE {level}": value for level, value in share.solved_by_level.items()},
                },
            )
        ]
        lines = [
            Published(line["who"], line["setting"], line["figures"])
            for line in published("controlllm")["lines"]
        ]
        notes = [
            "IR and HR are better the lower they are. The paper had people judge other requests "
            "over other tools; its figures are for scale."
        ]
        return Report(f"ControlLLM, {self.suite.name}", rows, lines, notes)


@dataclass(frozen=True)
class KindsOfInstructions(_Planned):
    """The authors' public instructions, each with its kind: see `benchmarks.kinds`."""

    toolbox: Toolbox
    instructions: Sequence[kinds.Instruction]
    tasks: Sequence[Task]

    def report(self, answers: Mapping[str, Answer], kept: Path | None = None) -> Report:
        found = [
            kinds.judged(instruction, answer.plan or _NO_PLAN, self.toolbox, answer.seconds)
            for instruction, task in zip(self.instructions, self.tasks, strict=True)
            if (answer := answers.get(task.id)) is not None
        ]
        groups = {"all": found}
        for item in sorted(found, key=lambda item: item.instruction.group):
            groups.setdefault(item.instruction.group, []).append(item)
        rows = [
            Row(
                name,
                len(items),
                {
                    "right": sum(item.right for item in items) / len(items),
                    "right tools": sum(item.tools for item in items) / len(items),
                    "all files": sum(item.files for item in items) / len(items),
                },
            )
            for name, items in groups.items()
        ]
        return Report("ControlLLM, public instructions with kinds", rows)


def read(options: Options) -> AnnotatedRequests | KindsOfInstructions:
    """One of our suites by its name, or the authors' file of instructions with a catalogue.

    Raises ValueError where there is neither.
    """
    name = options.data or next(iter(SUITES))
    if name in SUITES:
        suite = read_suite(name)
        tasks = tuple(Task(item.id, item.asked()) for item in suite.annotations)
        return AnnotatedRequests(suite, tasks)
    if not Path(name).is_file():
        raise ValueError(
            f"There is no suite and no file called {name}. The suites are {', '.join(SUITES)}."
        )
    if options.toolbox is None:
        raise ValueError("Instructions with kinds need their catalogue of tools: --toolbox FILE.")
    instructions = kinds.read_instructions(Path(name))
    tasks = tuple(Task(str(place), item.asked()) for place, item in enumerate(instructions))
    return KindsOfInstructions(read_catalogue(options.toolbox), instructions, tasks)
