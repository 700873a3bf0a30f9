"""m&m's as a suite of the command."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.suites.answers import Answer, Call, Task, calls_of
from benchmarks.suites.mnms import tables
from benchmarks.suites.mnms.catalogue import (
    GRAPHS,
    Edges,
    as_written,
    edges_of,
    known,
    planning_toolbox,
)
from benchmarks.suites.mnms.execution import Execution
from benchmarks.suites.mnms.metrics import Compared, figures
from benchmarks.suites.mnms.prompted import Protocol, asks
from benchmarks.suites.mnms.reading import OWN, Sample, read_samples
from benchmarks.suites.mnms.running import Executed, executed, execution_figures
from benchmarks.suites.mnms.verifier import strict_check, their_check
from benchmarks.suites.reports import Report, Row
from benchmarks.suites.running import Answerer
from benchmarks.suites.scoring import mean
from benchmarks.suites.suite import Options
from controlllm.core.plans import Plan
from controlllm.language.endpoint import ChatEndpoint
from controlllm.models.encoder import encode as encode_sentences
from controlllm.toolbox import Toolbox

_MEANS = frozenset({"turns", "input tokens", "output tokens", "seconds"})


@dataclass(frozen=True)
class ModelsInMultiSteps:
    """Samples of m&m's, or of our own set over its tools."""

    samples: Sequence[Sample]
    tasks: Sequence[Task]
    toolbox: Toolbox
    edges: Edges
    options: Options

    def calls(self, plan: Plan) -> tuple[Call, ...]:
        return as_written(calls_of(plan))

    def prompted(self, options: Options) -> Answerer:
        settings = options.settings
        endpoint = ChatEndpoint(settings.base_url, settings.api_key, settings.model)
        run = None
        if "E" in options.feedback:
            run = Execution(options.media, options.tools, settings).ran
        return asks(
            endpoint,
            Protocol(
                options.mode,
                options.format,
                options.feedback,
                options.max_reply,
                options.verifier,
                self.edges,
                run,
            ),
        )

    def report(self, answers: Mapping[str, Answer], kept: Path | None = None) -> Report:
        """All samples, then by how many tools are expected."""
        asked = [sample for sample in self.samples if sample.id in answers]
        runs: dict[str, Executed] = {}
        if self.options.execute:
            runs = executed(asked, answers, self.options, kept)
        groups = {"all": asked}
        for sample in sorted(asked, key=lambda item: len(item.plan)):
            count = len(sample.plan)
            groups.setdefault("1 tool" if count == 1 else f"{count} tools", []).append(sample)
        rows = [
            Row(name, len(items), self._figures(items, answers, runs))
            for name, items in groups.items()
        ]
        mode, form, feedback = self.options.mode, self.options.format, self.options.feedback
        if not any(answer.turns for answer in answers.values()):
            # Who asks no model is shown beside whole plans in JSON, read without a fault.
            mode, form, feedback = "multi-step", "json", "P"
        own = " (own set of 20, not theirs)" if not self.options.data else ""
        return Report(
            f"m&m's{own}, {self.options.planner}",
            rows,
            tables.lines(mode, form, feedback),
            self._notes(own),
            _MEANS,
        )

    def _notes(self, own: str) -> list[str]:
        notes = [
            "Figures without `strict` are computed as m&m's code does. Entailment is judged by the "
            "words a text has and by the sentence encoder; it is no natural language inference. "
            "CodeBLEU's syntax comes from Python's own grammar."
        ]
        graph = self.options.graph or GRAPHS[0]
        if graph in GRAPHS:
            notes.append(
                f"The graph that judged is `{graph}` with {len(self.edges)} edges; the authors' "
                f"has {known()['edges']}, picked by hand (`--graph constants.py`)."
            )
        else:
            notes.append(f"The graph that judged is {Path(graph).name}, {len(self.edges)} edges.")
        if own:
            notes.append(
                "These are 20 requests of our own: the published figures are for scale, no more."
            )
        return notes

    def _figures(
        self,
        samples: Sequence[Sample],
        answers: Mapping[str, Answer],
        runs: Mapping[str, Executed],
    ) -> dict[str, float]:
        given = [answers[sample.id] for sample in samples]
        compared = [
            Compared(
                answer.calls, sample.plan, sample.others, str(answer.details.get("program", ""))
            )
            for sample, answer in zip(samples, given, strict=True)
        ]
        found = {
            "coverage": mean(bool(answer.calls) for answer in given),
            **figures(compared, encode_sentences),
            "sound by their verifier": mean(
                bool(answer.calls) and their_check(answer.calls, self.edges).is_sound
                for answer in given
            ),
            "sound by the strict verifier": mean(
                bool(answer.calls) and strict_check(answer.calls, self.edges).is_sound
                for answer in given
            ),
        }
        if runs:
            found |= execution_figures([runs[sample.id] for sample in samples])
        if any(answer.turns for answer in given):
            found |= {
                "turns": mean(answer.turns for answer in given),
                "input tokens": mean(answer.usage.prompt_tokens for answer in given),
                "output tokens": mean(answer.usage.completion_tokens for answer in given),
            }
        found["seconds"] = mean(answer.seconds for answer in given)
        return found


def read(options: Options) -> ModelsInMultiSteps:
    """Read a file of samples, or our own set where none is named.

    Raises ValueError where the data or the graph are not what they should be.
    """
    samples = read_samples(Path(options.data) if options.data else OWN)
    tasks = tuple(Task(sample.id, sample.asked()) for sample in samples)
    return ModelsInMultiSteps(samples, tasks, planning_toolbox(), edges_of(options.graph), options)
