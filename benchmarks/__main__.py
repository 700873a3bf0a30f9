"""``python -m benchmarks COMMAND`` prints what was measured; ``--help`` lists them.

A command is one of our own measurements, or a benchmark of the field by its name.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from benchmarks import (
    declined,
    engine_speed,
    kinds,
    later_turns,
    planner,
    plans,
    retrieval,
    search_speed,
    speed,
    tool_cost,
    written,
)
from benchmarks.annotation import SUITES, read_suite
from benchmarks.jobs.doing import APART, SECOND_APART, SECOND_SETS, SETS, measure
from benchmarks.quality import measuring, sheets
from benchmarks.quality.figures import table as figures_table
from benchmarks.suites import command
from controlllm.planning.strategies import DEFAULT_STRATEGY, STRATEGIES
from controlllm.runs.planners import embedded_planner
from controlllm.settings import VARIANTS, Settings
from controlllm.toolbox import read_catalogue


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what the arguments name; the exit status is 0 where that was possible."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        if words[:1] and words[0] in command.NAMES:
            return command.main(words)
        options = _parser().parse_args(words)
        options.run(options)
    except (ValueError, OSError) as error:
        print(f"python -m benchmarks: {error}", file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Measure planners, tools and the engine.",
        epilog=f"Benchmarks of the field: {', '.join(command.NAMES)}. Each has its own --help.",
    )
    parser.set_defaults(run=_speed)
    commands = parser.add_subparsers(metavar="COMMAND")
    commands.add_parser("speed", help="how long things take here; without a command too")
    added = commands.add_parser("search", help="how fast the search strategies are")
    added.add_argument(
        "--toolbox", type=Path, action="append", default=[], help="a JSON catalogue of tools"
    )
    added.set_defaults(run=_search)
    added = commands.add_parser("engine", help="what the engine adds, beside other libraries")
    added.set_defaults(run=_engine)
    added = commands.add_parser("plans", help="how good the plans for annotated requests are")
    added.add_argument("--suite", choices=tuple(SUITES), default=next(iter(SUITES)))
    added.add_argument(
        "--examples",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="whether the planner knows example requests of the tools",
    )
    added.add_argument("--strategy", choices=STRATEGIES, default=DEFAULT_STRATEGY)
    added.add_argument("--confidence", action="store_true", help="how often it is right when sure")
    added.add_argument("--failures", action="store_true", help="list the requests not solved")
    added.set_defaults(run=_plans)
    added = commands.add_parser("jobs", help="ordinary jobs, done and judged by their results")
    names = (*SETS, APART, *SECOND_SETS, SECOND_APART)
    added.add_argument("--set", action="append", choices=names, help="only these")
    added.add_argument("--only", default="", help="only those in whose name this stands")
    added.add_argument("--keep", type=Path, help="a folder for what came, to be looked at")
    _add_language_model(added)
    added.set_defaults(run=_jobs)
    added = commands.add_parser("declined", help="what no tool can do: how often nothing is made")
    added.add_argument("--wrong", action="store_true", help="list those that are judged wrongly")
    added.set_defaults(run=lambda options: declined.measure(options.wrong))
    added = commands.add_parser("later-turns", help="how good the plans in conversations are")
    added.add_argument("requests", type=Path, nargs="?", default=later_turns.KEPT_ASIDE)
    added.add_argument("--wrong", action="store_true", help="list those that are not right")
    _add_language_model(added)
    added.set_defaults(run=_later_turns)
    added = commands.add_parser("kinds", help="how good the plans for instructions of kinds are")
    added.add_argument("instructions", type=Path, help="a JSON file of instructions with kinds")
    added.add_argument("--toolbox", type=Path, required=True, help="a JSON catalogue of tools")
    added.add_argument("--wrong", type=int, default=0, help="list so many that are not right")
    added.set_defaults(run=_kinds)
    added = commands.add_parser("written", help="how good the plans for written requests are")
    added.add_argument(
        "requests",
        type=Path,
        nargs="*",
        default=written.PEOPLE,
        help="JSON files of requests with their wishes; by default two of 200 as people type them. "
        "Those to tools of the web are in benchmarks/data/foreign_*.json",
    )
    added.add_argument("--wrong", action="store_true", help="list those that are not right")
    _add_language_model(added)
    added.set_defaults(run=_written)
    _add_planner(commands)
    added = commands.add_parser("retrieval", help="how well tools are found out of 16,000")
    added.add_argument("--index", type=Path, help="a file to keep their vectors in")
    added.add_argument(
        "--plans",
        type=int,
        metavar="N",
        help="plan one in N of people's requests over them, with the vectors of --index",
    )
    added.set_defaults(run=_retrieval)
    added = commands.add_parser("quality", help="how good the embedded tools are on real media")
    added.add_argument("--media", type=Path, help="a folder of photos and recordings of one's own")
    added.add_argument("--references", type=Path, help="a JSON file that says what is in them")
    added.add_argument("--only", choices=measuring.PARTS, action="append", default=[])
    added.add_argument("--details", action="store_true", help="a line for each thing tried")
    added.add_argument("--keep", type=Path, help="where to write pictures to look at")
    added.add_argument("--sheets", type=Path, help="write only the contact sheets, to a folder")
    added.set_defaults(run=_quality)
    added = commands.add_parser("tool-cost", help="time and memory of every embedded tool")
    added.add_argument("tool", nargs="*", help="only these")
    added.add_argument("--keep", action="store_true", help="keep them for docs/toolbox.md")
    added.add_argument("--here", metavar="TOOL", help="one tool in this process, as JSON")
    added.set_defaults(run=_tool_cost)
    return parser


def _add_planner(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    added = commands.add_parser("planner", help="one table of all sets of requests")
    added.add_argument(
        "--only",
        choices=(*planner.SETS, *planner.PUBLIC),
        action="append",
        default=[],
        metavar="SET",
        help=f"only this set, may be given several times: {', '.join(planner.SETS)}, and with "
        f"their files {', '.join(planner.PUBLIC)}",
    )
    added.add_argument("--taskbench", type=Path, metavar="FILE", help="TaskBench's samples as well")
    added.add_argument(
        "--kinds", type=Path, metavar="FILE", help="the authors' instructions with kinds as well"
    )
    added.add_argument(
        "--toolbox",
        type=Path,
        action="append",
        default=[],
        metavar="CATALOGUE",
        help="the tools of the file given; with both files twice, TaskBench's first",
    )
    added.add_argument("--write", action="store_true", help="put the rows into docs/planner.md")
    added.add_argument("--dump", type=Path, metavar="FOLDER", help="write all plans, to compare")
    added.set_defaults(run=_planner)


def _add_language_model(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--language-model",
        choices=tuple(VARIANTS),
        default="llama",
        metavar="VARIANT",
        help="who plans: llama (no model, the default), mix, chatgpt, proposal (OPENAI_BASE_URL, "
        "OPENAI_API_KEY, OPENAI_MODEL say which model)",
    )


def _settings(options: argparse.Namespace) -> Settings:
    return Settings.from_environment().as_variant(options.language_model)


def _speed(options: argparse.Namespace) -> None:
    print(speed.table(speed.measured()))


def _jobs(options: argparse.Namespace) -> None:
    measure(options.set or SETS, options.only, options.keep, _settings(options))


def _later_turns(options: argparse.Namespace) -> None:
    later_turns.measure(options.requests, options.wrong, _settings(options))


def _search(options: argparse.Namespace) -> None:
    print(search_speed.report(options.toolbox))


def _engine(options: argparse.Namespace) -> None:
    for line in engine_speed.report():
        print(line, flush=True)


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


def _written(options: argparse.Namespace) -> None:
    for path in options.requests:
        requests, result = written.measured(path, _settings(options))
        print(f"{path.name}\n\n{written.table(result)}\n")
        if options.wrong:
            for place in result.wrong:
                print(f"{place}: {requests[place].request.text[:300]!r}")


def _planner(options: argparse.Namespace) -> None:
    at = planner.Circumstances.here()
    sets = planner.chosen(options.only, options.taskbench, options.kinds, options.toolbox)
    rows = {}

    def tell(told: str) -> None:
        print(told, file=sys.stderr, flush=True)

    for name, result in planner.measured(sets, tell):
        rows[sets[name].title] = planner.row(sets[name].title, result, at)
        if options.dump is not None:
            planner.dump(name, result, options.dump)
    print(planner.block(rows.values(), at))
    if options.write:
        planner.write(rows, at, planner.PAGE)


def _retrieval(options: argparse.Namespace) -> None:
    if options.plans:
        if options.index is None or not options.index.is_file():
            sys.exit("Name the file of vectors with --index, as made without --plans.")
        print(retrieval.plans(options.index, options.plans))
        return
    for line in retrieval.report(options.index):
        print(line, flush=True)


def _quality(options: argparse.Namespace) -> None:
    if options.sheets is not None:
        for path in sheets.write(options.sheets):
            print(path)
        return
    if options.media is not None and not options.media.is_dir():
        sys.exit(f"{options.media} is no folder; name one with photos and recordings.")
    try:
        found = measuring.measured(options.media, options.references, options.only, options.keep)
    except ValueError as error:
        sys.exit(str(error))
    if options.details:
        print("\n".join(found.details))
        print()
    print(figures_table(found))


def _tool_cost(options: argparse.Namespace) -> None:
    if options.here:
        print(json.dumps(asdict(tool_cost.measure(options.here))))
        return
    found = {}
    for name, cost in tool_cost.measured(options.tool):
        found[name] = cost
        if options.keep:
            tool_cost.keep({name: cost})
    print(tool_cost.table(found))


if __name__ == "__main__":
    sys.exit(main())
