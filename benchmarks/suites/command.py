"""``python -m benchmarks SUITE``: run a benchmark, print its table, write its files."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.suites import registry, reports
from benchmarks.suites.suite import FEEDBACK, FORMATS, MODES, VERIFIERS, Options
from benchmarks.suites.toolbench_command import (
    add_toolbench_options,
    bench_toolbench,
    told_progress,
)
from controlllm.agents.choosing import AGENTS
from controlllm.cli.options import HOME
from controlllm.settings import VARIANTS, Settings
from controlllm.sources.loading import load_toolbox

#: The suite of agents: the simulated world in place of ToolBench's servers.
TOOLBENCH = "toolbench"


#: What ``python -m benchmarks`` may be asked for beside its own measurements.
NAMES = (*registry.SUITES, TOOLBENCH)


def main(arguments: Sequence[str], prog: str = "python -m benchmarks") -> int:
    """Run the suite that the arguments name; the exit status is 0 where it was run.

    Raises ValueError with what is wrong with the options or the data.
    """
    return _bench(_parser(prog).parse_args(arguments))


def _parser(prog: str) -> argparse.ArgumentParser:
    bench = argparse.ArgumentParser(
        prog=prog, description="Run a benchmark of the field and judge the plans."
    )
    bench.add_argument("suite", choices=NAMES)
    bench.add_argument("--data", default="", help="the public files, or a set that is shipped")
    planning = ", ".join(registry.SUITES)
    bench.add_argument(
        "--planner",
        choices=(*registry.PLANNERS, *AGENTS),
        action="append",
        metavar="NAME",
        help=f"who plans, with {planning}: {_either(registry.PLANNERS)}; "
        f"who acts, with {TOOLBENCH}: {_either(AGENTS)}",
    )
    bench.add_argument(
        "--language-model",
        choices=tuple(VARIANTS),
        metavar="VARIANT",
        help="who keeps the roles: llama (no model), mix, chatgpt or proposal (OPENAI_BASE_URL, "
        f"OPENAI_API_KEY, OPENAI_MODEL say which); with {TOOLBENCH} all let it keep all of an "
        "agent's, and judge with --data",
    )
    bench.add_argument("--parallel", type=int, default=1, metavar="N", help="tasks at once")
    bench.add_argument("--limit", type=int, default=0, metavar="N", help="only the first N tasks")
    bench.add_argument(
        "--out", type=Path, help="a folder for answers, figures and drawing; run again, it goes on"
    )
    HOME(bench)
    planned = bench.add_argument_group(planning)
    planned.add_argument("--beam", type=int, default=_usual("beam"))
    planned.add_argument("--threshold", type=float, default=_usual("threshold"))
    planned.add_argument("--toolbox", type=Path, help="a catalogue of tools, where data bring none")
    planned.add_argument(
        "--wording", default="", help="the field that holds the request (taskbench)"
    )
    _add_mnms_options(bench)
    add_toolbench_options(bench)
    return bench


def _add_mnms_options(bench: argparse.ArgumentParser) -> None:
    mnms = bench.add_argument_group("mnms")
    mnms.add_argument("--format", choices=FORMATS, default=_usual("format"), help="of plans")
    mnms.add_argument("--mode", choices=MODES, default=_usual("mode"), help="of asking")
    mnms.add_argument(
        "--feedback",
        type=str.upper,
        choices=FEEDBACK,
        default="",
        help="what a model is told: of parsing (P), verification (V), execution (E)",
    )
    mnms.add_argument("--max-reply", type=int, default=0, metavar="N", help="turns after the first")
    mnms.add_argument("--graph", default="", help="which tool may follow which")
    mnms.add_argument("--verifier", choices=VERIFIERS, default=VERIFIERS[0])
    mnms.add_argument("--execute", action="store_true", help="run the plans as well")
    mnms.add_argument("--media", type=Path, help="the folder of the files that plans read")


def _either(names: Iterable[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} or {last}"


def _usual(name: str) -> object:
    return getattr(Options(""), name)


def _bench(options: argparse.Namespace) -> int:
    if options.suite == TOOLBENCH:
        return bench_toolbench(options)
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
    if chosen.executes:
        chosen = replace(chosen, tools=load_toolbox((), options.home))
    measured = registry.run(
        replace(chosen, settings=settings),
        out=options.out,
        parallel=options.parallel,
        tell=told_progress,
    )
    print(reports.table(measured), end="")
    if options.out is not None:
        print(f"\nWritten to {options.out}.")
    return 0
