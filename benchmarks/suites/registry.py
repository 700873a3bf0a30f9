"""The suites and planners of ``python -m benchmarks SUITE``, each added in one line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from benchmarks.suites import charts, mnms, planning_suites, reports, taskbench
from benchmarks.suites.answers import Answer, Task
from benchmarks.suites.reports import Report
from benchmarks.suites.running import Answerer, answered
from benchmarks.suites.suite import Benchmark, Options
from controlllm.core.plans import Request
from controlllm.language.asking import Asker, LanguageModelFailed
from controlllm.language.endpoint import ChatEndpoint
from controlllm.language.prompted import prompted_planner
from controlllm.planning.strategies import STRATEGIES
from controlllm.runs.planners import embedded_planner
from controlllm.settings import NO_MODEL

#: The planner that prompts a language model.
MODEL = "model"


def _searched(benchmark: Benchmark, options: Options) -> Answerer:
    """Our planner, with the strategy that the options name and the roles that the settings give to
    a language model."""
    planner = embedded_planner(
        benchmark.toolbox,
        strategy=options.planner if options.planner in STRATEGIES else STRATEGIES[0],
        beam=options.beam,
        threshold=options.threshold,
    )
    # The models load now, not in the time of the first task.
    planner.plan(Request("Describe the picture"))
    settings = options.settings
    roles = settings.prompted if settings.has_model else frozenset()
    endpoint = ChatEndpoint(settings.base_url, settings.api_key, settings.model)

    def answer(task: Task) -> Answer:
        # What the model cannot do shall show in the figures, not what takes over for it.
        asker = Asker(endpoint, fall_back=False)
        used = prompted_planner(planner, asker, roles) if roles else planner
        try:
            plan, cost = used.plan(task.request)
        except LanguageModelFailed as failure:
            return Answer(task.id, failure=str(failure), turns=asker.usage.calls, usage=asker.usage)
        steps = tuple(subtask.description for subtask in plan.subtasks)
        return Answer(
            task.id,
            benchmark.calls(plan),
            steps=steps,
            plan=plan,
            turns=cost.llm_calls,
            usage=asker.usage,
            details={"search": cost.to_json()},
        )

    return answer


def _prompted(benchmark: Benchmark, options: Options) -> Answerer:
    """A language model: in the benchmark's own formats where it has some, else in all roles of our
    planner."""
    if not options.settings.has_model:
        raise ValueError(f"The planner {MODEL} needs a language model. {NO_MODEL}")
    own = benchmark.prompted(options)
    if own is not None:
        return own
    settings = options.settings.as_variant("chatgpt")
    return _searched(benchmark, replace(options, settings=settings))


#: Each suite with how it is read.
SUITES: Mapping[str, Callable[[Options], Benchmark]] = {
    "controlllm": planning_suites.read,
    "mnms": mnms.read,
    "taskbench": taskbench.read,
}

#: Each planner with how it is made for a benchmark.
PLANNERS: Mapping[str, Callable[[Benchmark, Options], Answerer]] = {
    **dict.fromkeys(STRATEGIES, _searched),
    MODEL: _prompted,
}


def run(
    options: Options,
    *,
    out: Path | None = None,
    parallel: int = 1,
    tell: Callable[[int, int], None] = lambda done, total: None,
) -> Report:
    """Read a suite, ask the planner all its tasks, judge the answers, and write all to `out`.

    Raises ValueError with what is wrong with the options or the data.
    """
    benchmark = SUITES[options.suite](options)
    tasks = benchmark.tasks[: options.limit or None]
    if not tasks:
        raise ValueError("There is nothing to plan in these data.")
    answer = PLANNERS[options.planner](benchmark, options)
    stem = f"{options.suite}-{options.planner}"
    kept = None if out is None else out / f"{stem}.answers.jsonl"
    answers = answered(
        tasks, answer, kept=kept, settings=options.told(), parallel=parallel, tell=tell
    )
    report = benchmark.report(answers, out and out / f"{stem}.executions.jsonl")
    if out is not None:
        reports.write(report, out, stem)
        (out / f"{stem}.svg").write_text(charts.bars(report))
    return report
