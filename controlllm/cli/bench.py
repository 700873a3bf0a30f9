"""``python -m controlllm bench SUITE``: run a benchmark, print its table, write its files."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from controlllm.evaluation.benchmarks import registry, reports
from controlllm.evaluation.benchmarks.suite import FEEDBACK, FORMATS, MODES, VERIFIERS, Options
from controlllm.settings import VARIANTS, Settings


def add_bench_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``bench`` with its options."""
    bench = commands.add_parser("bench", help="run a benchmark and judge the plans")
    bench.add_argument("suite", choices=tuple(registry.SUITES))
    bench.add_argument("--data", default="", help="the public files, or a set that is shipped")
    bench.add_argument("--toolbox", type=Path, help="a catalogue of tools, where data bring none")
    bench.add_argument("--planner", choices=tuple(registry.PLANNERS), default=_usual("planner"))
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


def _bench(options: argparse.Namespace) -> int:
    settings = Settings.from_environment()
    if options.planner != registry.MODEL:
        # A strategy searches by itself unless a model is asked for here.
        settings = settings.as_variant(options.language_model or "llama")
    elif options.language_model:
        settings = settings.as_variant(options.language_model)
    names = Options.__dataclass_fields__.keys() & vars(options).keys()
    chosen = Options(**{name: getattr(options, name) for name in names})
    report = registry.run(
        replace(chosen, settings=settings),
        out=options.out,
        parallel=options.parallel,
        tell=_told,
    )
    print(reports.table(report), end="")
    if options.out is not None:
        print(f"\nWritten to {options.out}.")
    return 0


def _told(done: int, total: int) -> None:
    """Progress for a person at a terminal; it is not part of the output."""
    if sys.stderr.isatty():
        print(
            f"\r{done} of {total}", end="\n" if done == total else "", file=sys.stderr, flush=True
        )
