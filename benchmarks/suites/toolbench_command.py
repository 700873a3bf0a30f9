"""``python -m benchmarks toolbench``: agents on the simulated world, or ToolBench's answers."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

from benchmarks.suites.kept import told_model
from benchmarks.suites.toolbench import beside, report
from benchmarks.suites.toolbench.judging import VOTES, Judge
from benchmarks.world import acting, running
from benchmarks.world.faults import RATES
from controlllm.agents.choosing import AGENTS
from controlllm.agents.options import Options
from controlllm.language.asking import Asker
from controlllm.language.endpoint import TIMEOUT_SECONDS, ChatEndpoint, EndpointError
from controlllm.language.reading import Unusable
from controlllm.settings import Settings

_USUAL = Options()


def add_toolbench_options(bench: argparse.ArgumentParser) -> None:
    """Add the options that this suite alone has."""
    world = bench.add_argument_group(
        "toolbench, agents on the simulated world (without --data)",
        "several --planner may be given; without one, all four act",
    )
    world.add_argument(
        "--faults",
        type=float,
        nargs="+",
        default=list(RATES),
        help="shares of calls, 0 to 1, that something goes wrong with (0 0.1 0.3)",
    )
    world.add_argument(
        "--tasks", choices=tuple(acting.TASKS), default="all", help="which tasks (%(default)s)"
    )
    world.add_argument("--seeds", type=int, nargs="+", default=[0], help="of the faults (0)")
    world.add_argument(
        "--all-tools",
        action="store_true",
        help="offer every tool of the world, not the task's own and some others",
    )
    world.add_argument(
        "--tries",
        type=int,
        default=_USUAL.tries,
        metavar="N",
        help="chains that react begins until one ends in an answer (%(default)s); "
        "needs a language model",
    )
    world.add_argument(
        "--temperature",
        type=float,
        default=_USUAL.temperature,
        help="chance in what a language model chooses for react and dfsdt, 0 to 2 (%(default)s)",
    )
    world.add_argument(
        "--width",
        type=int,
        default=_USUAL.width,
        metavar="N",
        help="ways on that dfsdt tries from each place (%(default)s)",
    )
    world.add_argument(
        "--depth",
        type=int,
        default=_USUAL.depth,
        metavar="N",
        help="nodes of a chain of react and of a branch of dfsdt: thoughts, calls and what came "
        "of them (%(default)s)",
    )
    world.add_argument(
        "--calls",
        type=int,
        metavar="N",
        help="calls of the language model that an agent has for a task (no limit); for dfsdt "
        f"also choices without one ({_USUAL.calls})",
    )
    world.add_argument(
        "--tokens",
        type=int,
        default=0,
        metavar="N",
        help="tokens of the language model that an agent has for a task (no limit)",
    )
    world.add_argument(
        "--seconds",
        type=float,
        default=0.0,
        metavar="S",
        help="seconds that an agent has for a task (no limit)",
    )
    files = bench.add_argument_group("toolbench with --data, answers that were made elsewhere")
    files.add_argument("--against", type=Path, help="other answer files, to win against")
    files.add_argument(
        "--votes",
        type=int,
        default=VOTES,
        metavar="N",
        help="judgements of each answer by the language model (%(default)s)",
    )
    both = bench.add_argument_group("toolbench, both")
    both.add_argument(
        "--timeout",
        type=float,
        default=TIMEOUT_SECONDS,
        metavar="S",
        help="seconds that a language model has for a reply (%(default)s)",
    )


def bench_toolbench(options: argparse.Namespace) -> int:
    """Run the suite as the options say, print its tables, and write its files."""
    if options.data:
        return _answer_files(options)
    agents = options.planner or list(AGENTS)
    with tempfile.TemporaryDirectory() as folder:
        out = options.out or Path(folder)
        out.mkdir(parents=True, exist_ok=True)
        conditions = _conditions(options)
        lines = acting.measured(
            agents,
            options.faults,
            out / "records.jsonl",
            options.tasks,
            options.limit,
            options.seeds,
            conditions,
            options.parallel,
        )
        against = "react" if "react" in agents else agents[0]
        setting = conditions.roles + (", all tools offered" if conditions.all_tools else "")
        shown = running.markdown(lines, against)
        shown += "\n" + beside.of_agents(lines, against, setting)
        (out / "table.md").write_text(shown, "utf-8")
        (out / "figures.json").write_text(json.dumps(lines, indent=1), "utf-8")
        (out / "figures.svg").write_text(beside.drawing_of_agents(lines, setting), "utf-8")
    print(shown, end="")
    return 0


def _conditions(options: argparse.Namespace) -> acting.Conditions:
    settings = Settings()
    if options.language_model:
        settings = Settings.from_environment().as_variant(options.language_model)
    calls = options.calls
    return acting.Conditions(
        settings,
        options.timeout,
        Options(
            options.tries,
            options.temperature,
            options.width,
            options.depth,
            _USUAL.calls if calls is None else calls,
        ),
        calls or 0,
        options.tokens,
        options.seconds,
        options.all_tools,
    )


def _answer_files(options: argparse.Namespace) -> int:
    """ToolBench's own answer files, judged where a language model is asked for."""
    judge, told = None, {}
    if options.language_model:
        settings = Settings.from_environment().as_variant(options.language_model)
        told = told_model(settings)
        if settings.has_model:
            endpoint = ChatEndpoint(
                settings.base_url, settings.api_key, settings.model, options.timeout
            )
            judge = Judge(Asker(endpoint, fall_back=False))
    if options.votes < 1:
        raise ValueError("--votes has to be at least 1.")
    try:
        lines = report.figures(
            Path(options.data),
            judge,
            options.against,
            options.votes,
            options.limit,
            told_progress,
            kept=options.out and options.out / "toolbench.judgements.jsonl",
            settings={"data": options.data, "against": str(options.against or ""), **told},
            parallel=options.parallel,
        )
    except (EndpointError, Unusable) as error:
        goes_on = " What was judged is kept; run again, it goes on." if options.out else ""
        raise ValueError(f"The language model could not judge: {error}{goes_on}") from None
    shown = report.markdown(lines) + "\n" + beside.of_answers(lines)
    if options.out is not None:
        options.out.mkdir(parents=True, exist_ok=True)
        (options.out / "toolbench.md").write_text(shown, "utf-8")
        (options.out / "toolbench.json").write_text(json.dumps(lines, indent=1), "utf-8")
        (options.out / "toolbench.svg").write_text(beside.drawing_of_answers(lines), "utf-8")
    print(shown, end="")
    if judge is None:
        print("\nWhether they pass a language model judges: set one, and --language-model chatgpt.")
    return 0


def told_progress(done: int, total: int) -> None:
    """Progress for a person at a terminal; it is not part of the output."""
    if sys.stderr.isatty():
        print(
            f"\r{done} of {total}", end="\n" if done == total else "", file=sys.stderr, flush=True
        )
