"""``python -m controlllm bench SUITE``: run a benchmark, print its table, write its files."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from controlllm.agents.choosing import AGENTS
from controlllm.evaluation.benchmarks import registry, reports
from controlllm.evaluation.benchmarks.suite import FEEDBACK, FORMATS, MODES, VERIFIERS, Options
from controlllm.evaluation.benchmarks.toolbench import report
from controlllm.evaluation.benchmarks.toolbench.judging import VOTES, Judge
from controlllm.evaluation.world import acting, running
from controlllm.evaluation.world.faults import RATES
from controlllm.language.asking import Asker
from controlllm.language.endpoint import TIMEOUT_SECONDS, ChatEndpoint, EndpointError
from controlllm.language.reading import Unusable
from controlllm.settings import VARIANTS, Settings

#: The suite of agents: the simulated world in place of ToolBench's servers.
TOOLBENCH = "toolbench"


def add_bench_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``bench`` with its options."""
    bench = commands.add_parser("bench", help="run a benchmark and judge the plans")
    bench.add_argument("suite", choices=(*registry.SUITES, TOOLBENCH))
    bench.add_argument("--data", default="", help="the public files, or a set that is shipped")
    bench.add_argument("--toolbox", type=Path, help="a catalogue of tools, where data bring none")
    bench.add_argument(
        "--planner",
        choices=(*registry.PLANNERS, *AGENTS),
        action="append",
        help="who plans or acts; several may be given for toolbench",
    )
    bench.add_argument(
        "--faults",
        type=float,
        nargs="+",
        default=list(RATES),
        help="shares of calls, 0 to 1, that something goes wrong with (toolbench)",
    )
    bench.add_argument("--tasks", choices=tuple(acting.TASKS), default="all", help="(toolbench)")
    bench.add_argument(
        "--timeout",
        type=float,
        default=TIMEOUT_SECONDS,
        help="seconds that a language model has for a reply (toolbench)",
    )
    bench.add_argument(
        "--against", type=Path, help="other answer files, to win against (toolbench with --data)"
    )
    bench.add_argument(
        "--votes",
        type=int,
        default=VOTES,
        metavar="N",
        help="judgements of each answer by the language model (toolbench with --data)",
    )
    bench.add_argument("--seeds", type=int, nargs="+", default=[0], help="(toolbench)")
    bench.add_argument("--beam", type=int, default=_usual("beam"))
    bench.add_argument("--threshold", type=float, default=_usual("threshold"))
    bench.add_argument(
        "--language-model",
        choices=tuple(VARIANTS),
        metavar="VARIANT",
        help="who keeps the planner's roles: llama (none), mix or chatgpt",
    )
    bench.add_argument("--wording", default="", help="the field that holds the request (TaskBench)")
    bench.add_argument(
        "--format", choices=FORMATS, default=_usual("format"), help="of plans (m&m's)"
    )
    bench.add_argument("--mode", choices=MODES, default=_usual("mode"), help="of asking (m&m's)")
    bench.add_argument(
        "--feedback",
        type=str.upper,
        choices=FEEDBACK,
        default="",
        help="what a model is told: of parsing (P), verification (V), execution (E) (m&m's)",
    )
    bench.add_argument(
        "--max-reply", type=int, default=0, metavar="N", help="turns after the first (m&m's)"
    )
    bench.add_argument("--graph", default="", help="which tool may follow which (m&m's)")
    bench.add_argument("--verifier", choices=VERIFIERS, default=VERIFIERS[0], help="(m&m's)")
    bench.add_argument("--execute", action="store_true", help="run the plans as well (m&m's)")
    bench.add_argument("--media", type=Path, help="the folder of the files that plans read (m&m's)")
    bench.add_argument("--parallel", type=int, default=1, metavar="N", help="tasks at once")
    bench.add_argument("--limit", type=int, default=0, metavar="N", help="only the first N tasks")
    bench.add_argument(
        "--out", type=Path, help="a folder for answers, figures and drawing; run again, it goes on"
    )
    bench.set_defaults(run=_bench, parser=bench)


def _usual(name: str) -> object:
    return getattr(Options(""), name)


def _answer_files(options: argparse.Namespace) -> int:
    """ToolBench's own answer files, judged where a language model is asked for."""
    judge = None
    if options.language_model:
        settings = Settings.from_environment().as_variant(options.language_model)
        if settings.has_model:
            endpoint = ChatEndpoint(
                settings.base_url, settings.api_key, settings.model, options.timeout
            )
            judge = Judge(Asker(endpoint, fall_back=False))
    if options.votes < 1:
        raise ValueError("--votes has to be at least 1.")
    try:
        lines = report.figures(
            Path(options.data), judge, options.against, options.votes, options.limit, _told
        )
    except (EndpointError, Unusable) as error:
        raise ValueError(f"The language model could not judge: {error}") from None
    table = report.markdown(lines)
    if options.out is not None:
        options.out.mkdir(parents=True, exist_ok=True)
        (options.out / "toolbench.md").write_text(table, "utf-8")
        (options.out / "toolbench.json").write_text(json.dumps(lines, indent=1), "utf-8")
    print(table, end="")
    if judge is None:
        print("\nWhether they pass a language model judges: set one, and --language-model chatgpt.")
    return 0


def _toolbench(options: argparse.Namespace) -> int:
    """Agents on the simulated world, in place of ToolBench's servers."""
    if options.data:
        return _answer_files(options)
    agents = options.planner or list(AGENTS)
    settings = None
    if options.language_model:
        settings = Settings.from_environment().as_variant(options.language_model)
    with tempfile.TemporaryDirectory() as folder:
        out = options.out or Path(folder)
        out.mkdir(parents=True, exist_ok=True)
        lines = acting.measured(
            agents,
            options.faults,
            out / "records.jsonl",
            options.tasks,
            options.limit,
            options.seeds,
            settings,
            options.parallel,
            options.timeout,
        )
        table = running.markdown(lines, "react" if "react" in agents else agents[0])
        (out / "table.md").write_text(table, "utf-8")
        (out / "figures.json").write_text(json.dumps(lines, indent=1), "utf-8")
    print(table, end="")
    return 0


def _bench(options: argparse.Namespace) -> int:
    if options.suite == TOOLBENCH:
        return _toolbench(options)
    named = options.planner or [_usual("planner")]
    if len(named) > 1 or named[0] not in registry.PLANNERS:
        raise ValueError(
            f"{options.suite} takes one --planner of {', '.join(registry.PLANNERS)}; agents act on "
            f"{TOOLBENCH}."
        )
    options.planner = named[0]
    settings = Settings.from_environment()
    if options.planner != registry.MODEL:
        # A strategy searches by itself unless a model is asked for here.
        settings = settings.as_variant(options.language_model or "llama")
    elif options.language_model:
        settings = settings.as_variant(options.language_model)
    names = Options.__dataclass_fields__.keys() & vars(options).keys()
    chosen = Options(**{name: getattr(options, name) for name in names})
    measured = registry.run(
        replace(chosen, settings=settings),
        out=options.out,
        parallel=options.parallel,
        tell=_told,
    )
    print(reports.table(measured), end="")
    if options.out is not None:
        print(f"\nWritten to {options.out}.")
    return 0


def _told(done: int, total: int) -> None:
    """Progress for a person at a terminal; it is not part of the output."""
    if sys.stderr.isatty():
        print(
            f"\r{done} of {total}", end="\n" if done == total else "", file=sys.stderr, flush=True
        )
