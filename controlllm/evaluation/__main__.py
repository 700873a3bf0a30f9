"""``python -m controlllm.evaluation speed|search|plans|kinds`` prints what was measured."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from controlllm.assistant import embedded_planner
from controlllm.evaluation import kinds, plans, search_speed, speed
from controlllm.evaluation.annotation import SUITES, read_suite
from controlllm.planning.strategies import DEFAULT_STRATEGY, STRATEGIES
from controlllm.toolbox import read_catalogue


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure speed, or plan a suite of annotated requests and judge the plans."""
    parser = argparse.ArgumentParser(prog="python -m controlllm.evaluation")
    parser.set_defaults(run=_speed)
    commands = parser.add_subparsers(metavar="COMMAND")
    commands.add_parser("speed", help="how long things take here; without a command too")
    command = commands.add_parser("search", help="how fast the search strategies are")
    command.add_argument(
        "--toolbox", type=Path, action="append", default=[], help="a JSON catalogue of tools"
    )
    command.set_defaults(run=_search)
    command = commands.add_parser("plans", help="how good the plans for annotated requests are")
    command.add_argument("--suite", choices=tuple(SUITES), default=next(iter(SUITES)))
    command.add_argument(
        "--examples",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="whether the planner knows example requests of the tools",
    )
    command.add_argument("--strategy", choices=STRATEGIES, default=DEFAULT_STRATEGY)
    command.add_argument(
        "--confidence", action="store_true", help="how often it is right when sure"
    )
    command.add_argument("--failures", action="store_true", help="list the requests not solved")
    command.set_defaults(run=_plans)
    command = commands.add_parser("kinds", help="how good the plans for instructions of kinds are")
    command.add_argument("instructions", type=Path, help="a JSON file of instructions with kinds")
    command.add_argument("--toolbox", type=Path, required=True, help="a JSON catalogue of tools")
    command.add_argument("--wrong", type=int, default=0, help="list so many that are not right")
    command.set_defaults(run=_kinds)
    options = parser.parse_args(arguments)
    options.run(options)
    return 0


def _speed(options: argparse.Namespace) -> None:
    print(speed.table(speed.measured()))


def _search(options: argparse.Namespace) -> None:
    print(search_speed.report(options.toolbox))


def _plans(options: argparse.Namespace) -> None:
    found = plans.planned(read_suite(options.suite, options.examples), options.strategy)
    print(plans.table(found))
    if options.confidence:
        print()
        print(plans.confidence_table(found))
    if options.failures:
        print()
        print(plans.failures(found))


def _kinds(options: argparse.Namespace) -> None:
    planner = embedded_planner(read_catalogue(options.toolbox))
    found = list(kinds.outcomes(planner, kinds.read_instructions(options.instructions)))
    print(kinds.table(found))
    for outcome in [item for item in found if not item.right][: options.wrong]:
        tools = [
            " -> ".join(solution.tools) if solution else "-"
            for solution in map(outcome.plan.solution, range(len(outcome.plan.subtasks)))
        ]
        print(f"{outcome.instruction.group}: {outcome.instruction.text[:200]!r}: {tools}")


if __name__ == "__main__":
    sys.exit(main())
