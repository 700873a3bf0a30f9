"""What a suite of tasks and a run over it are, for those that add one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from benchmarks.suites.answers import Answer, Call, Task
from benchmarks.suites.kept import networks, told_model
from benchmarks.suites.reports import Report
from benchmarks.suites.running import Answerer
from controlllm.core.plans import Plan
from controlllm.planning.strategies import BEAM, DEFAULT_STRATEGY, STRATEGIES, THRESHOLD
from controlllm.settings import Settings
from controlllm.toolbox import Toolbox

MODES = ("multi-step", "step-by-step")
FORMATS = ("json", "code")
#: Who tells a model what was wrong: the parser (P), the verifier (V), the execution (E).
FEEDBACK = ("", "P", "PV", "PE", "PVE")
VERIFIERS = ("theirs", "strict")


@dataclass(frozen=True)
class Options:
    """How a benchmark is run.

    `data` is where the public files are, or the name of a set that is shipped; `toolbox` a
    catalogue of tools where the data bring none. `wording` is the field of the request. `mode`,
    `format`, `feedback` and `max_reply` (turns after the first) are for prompted plans of m&m's;
    `graph` is who judges which tool may follow which there, and
    `verifier` who tells the model what is not sound; `execute` runs the plans, with files
    out of `media`, on `tools` or else the project's own.
    """

    suite: str
    data: str = ""
    toolbox: Path | None = None
    planner: str = DEFAULT_STRATEGY
    beam: int = BEAM
    threshold: float = THRESHOLD
    wording: str = ""
    mode: str = MODES[0]
    format: str = FORMATS[0]
    feedback: str = ""
    max_reply: int = 0
    graph: str = ""
    verifier: str = "theirs"
    execute: bool = False
    media: Path | None = None
    tools: Toolbox | None = field(default=None, repr=False)
    limit: int = 0
    settings: Settings = field(default_factory=Settings, repr=False)

    def told(self) -> dict[str, object]:
        """What decides the answers, to keep with them; no key is in it."""
        return {
            "suite": self.suite,
            "data": self.data,
            "toolbox": str(self.toolbox or ""),
            "planner": self.planner,
            **told_model(self.settings),
            "variant": self.settings.used_variant,
            "beam": self.beam,
            "threshold": self.threshold,
            "wording": self.wording,
            "mode": self.mode,
            "format": self.format,
            "feedback": self.feedback,
            "max_reply": self.max_reply,
            "graph": self.graph,
            "verifier": self.verifier,
            "execute": self.execute,
            "media": str(self.media or ""),
            # Where plans are executed it matters what their tools may use.
            "tools": self.settings.mark if self.executes else "",
            "networks": networks() if self.executes or not self.prompts_alone else "",
        }

    @property
    def executes(self) -> bool:
        """Whether plans are executed, after planning or for the feedback."""
        return self.execute or "E" in self.feedback

    @property
    def prompts_alone(self) -> bool:
        """Whether a language model answers by itself, so that no network of ours has a part."""
        return self.suite == "mnms" and self.planner not in STRATEGIES


class Benchmark(Protocol):
    """Tasks over a toolbox, and how answers to them are judged."""

    @property
    def toolbox(self) -> Toolbox: ...

    @property
    def tasks(self) -> Sequence[Task]: ...

    def calls(self, plan: Plan) -> tuple[Call, ...]:
        """The calls of one of our plans as this benchmark writes them."""

    def prompted(self, options: Options) -> Answerer | None:
        """A language model prompted in the benchmark's own formats, None where it has none."""

    def report(self, answers: Mapping[str, Answer], kept: Path | None = None) -> Report:
        """The figures of these answers; every task has one. A suite whose judging takes long keeps
        what it has judged in the file `kept` and goes on there."""
