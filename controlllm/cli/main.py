"""The command line: ``controlllm ask|plan|serve|tools|models|…``, or ``python -m controlllm``."""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TextIO, get_args

from controlllm import __version__
from controlllm.cli.accounts import add_accounts_command
from controlllm.cli.bench import add_bench_command, bench
from controlllm.cli.completion import add_completion_command
from controlllm.cli.mcp import add_mcp_command
from controlllm.cli.models import add_models_command
from controlllm.cli.options import add_home, add_tool_folders
from controlllm.cli.recipes import add_recipe_command
from controlllm.cli.self_test import add_self_test_command
from controlllm.cli.serve import add_serve_command
from controlllm.cli.setup import add_setup_command
from controlllm.cli.supervising import SUPERVISED, WORK, can_supervise, supervised
from controlllm.cli.terminal import choice_of, show_events
from controlllm.cli.tokens import add_tokens_command
from controlllm.cli.tools import add_tools_actions
from controlllm.core.events import Event, Notice, RequestFailed
from controlllm.core.plans import Plan, Request, SearchCost
from controlllm.language.asking import LanguageModelFailed
from controlllm.planning.graph import ToolGraph
from controlllm.planning.roles import Proposes
from controlllm.resources import BadInput, Resource, TypeLattice, guess_type, plain_name
from controlllm.resources.well_formed import json_from_outside, well_formed
from controlllm.runs.assistant import Assistant
from controlllm.runs.planners import (
    BEAM,
    STRATEGIES,
    THRESHOLD,
    Planner,
    embedded_planner,
    planners_of,
)
from controlllm.settings import PREFERENCES, VARIANTS, AgentName, Settings
from controlllm.sources.loading import load_toolbox
from controlllm.store import Store, StoreError
from controlllm.toolbox import DefinitionError, Tool, Toolbox, ToolError, read_catalogue


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit status is 0 where it did what was asked."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    # Only on the real command line: a program that calls this has its own threads.
    if arguments is None and words[:1] in ([name] for name in SUPERVISED) and can_supervise():
        return supervised(words, lambda: main(words))
    parser = _parser()
    options = None if words[:1] == ["bench"] else _with_files_after_options(parser, words)
    # What went wrong is told in sentences; the log's details would tear the display apart.
    logging.getLogger("controlllm").addHandler(logging.NullHandler())
    logging.getLogger("controlllm").propagate = False
    try:
        if options is None:
            return bench(words[1:], f"{parser.prog} bench")
        return int(options.run(options))
    except BrokenPipeError:
        # Whoever read the output has read enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (
        BadInput, StoreError, DefinitionError, LanguageModelFailed, ToolError, ValueError, OSError,
    ) as error:  # fmt: skip
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        sys.stdout.flush()
        # A model may still be at work in native code; waiting for it would crash at the end.
        os._exit(130)


def _with_files_after_options(
    parser: argparse.ArgumentParser, arguments: Sequence[str] | None
) -> argparse.Namespace:
    """The arguments read, with files wherever they stand: argparse by itself takes those before
    the first option or those after the last."""
    options, left = parser.parse_known_args(arguments)
    command = getattr(options, "parser", parser)
    if left and (not hasattr(options, "files") or any(word.startswith("-") for word in left)):
        command.error(f"unrecognized arguments: {' '.join(left)}")
    if left:
        options.files = [*options.files, *map(Path, left)]
    return options


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="controlllm" if Path(sys.argv[0]).stem == "controlllm" else "python -m controlllm",
        description="Say what you want done with pictures, sound, video or text.",
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    ask = commands.add_parser("ask", help="answer a request and keep its results")
    ask.add_argument("request", help="what you want done, in plain words")
    ask.add_argument("files", nargs="*", type=Path, help="the files to work on")
    ask.add_argument("--out", type=Path, help="a folder for the results")
    ask.add_argument("--json", action="store_true", help="print every event, one a line")
    ask.add_argument(
        "--allow-acting",
        action="store_true",
        help="let tools do what cannot be taken back where nobody can be asked, as in a script",
    )
    ask.add_argument(
        "--agent",
        choices=get_args(AgentName),
        help="have this agent decide step by step, instead of planning before anything runs",
    )
    ask.add_argument(
        "--divide-first",
        action="store_true",
        default=None,
        help="tell an agent the parts of its task before it begins",
    )
    _add_strategy(ask)
    _add_model(ask)
    _add_preference(ask)
    _add_tools(ask)
    ask.set_defaults(run=_ask, parser=ask)

    plan = commands.add_parser("plan", help="show how a request would be solved; runs nothing")
    plan.add_argument("request", nargs="?", help="what you want done, in plain words")
    plan.add_argument("files", nargs="*", type=Path, help="the files meant; they need not exist")
    plan.add_argument("--json", action="store_true", help="print the plan as one line of JSON")
    plan.add_argument("--batch", type=Path, help="a file of tasks, one JSON object a line")
    plan.add_argument("--toolbox", type=Path, help="a catalogue of tools to plan with (JSON)")
    _add_strategy(plan)
    _add_model(plan)
    _add_preference(plan)
    _add_tools(plan)
    plan.set_defaults(run=_plan, parser=plan)

    tools = commands.add_parser("tools", help="list the tools and whether they can run here")
    tools.add_argument("--json", action="store_true", help="print them as one JSON list")
    _add_preference(tools)
    _add_tools(tools)
    tools.set_defaults(run=_tools, parser=tools)
    add_tools_actions(tools)

    graph = commands.add_parser("graph", help="print the tool graph's edges")
    graph.add_argument("--json", action="store_true", help="print nodes and edges as JSON")
    _add_tools(graph)
    graph.set_defaults(run=_graph, parser=graph)

    add_serve_command(commands)
    add_setup_command(commands)
    add_self_test_command(commands)
    add_models_command(commands)
    add_recipe_command(commands)
    add_tokens_command(commands)
    add_accounts_command(commands)
    add_mcp_command(commands)
    add_bench_command(commands)
    add_completion_command(commands, parser)
    return parser


def _add_strategy(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--strategy",
        choices=STRATEGIES,
        default=STRATEGIES[0],
        help="how to search for solutions; best-first, unless you want to compare",
    )
    parser.add_argument(
        "--beam",
        type=int,
        default=BEAM,
        help="how many tools beam tries at each step (%(default)s)",
    )
    parser.add_argument(
        "--threshold",
        type=float,
        default=THRESHOLD,
        help="the score, 1 to 5, that a tool needs to be tried by adaptive (%(default)s)",
    )


def _planner(toolbox: Toolbox, options: argparse.Namespace) -> Planner:
    return embedded_planner(
        toolbox, strategy=options.strategy, beam=options.beam, threshold=options.threshold
    )


def _add_model(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--language-model",
        choices=tuple(VARIANTS),
        metavar="VARIANT",
        help="llama: none, all on this machine; mix: a language model judges tools and ways; "
        "chatgpt: it plans as well; proposal: it proposes the whole plan in one call "
        "(OPENAI_BASE_URL, OPENAI_API_KEY, OPENAI_MODEL say which)",
    )
    parser.add_argument(
        "--no-fall-back",
        action="store_true",
        help="end the request where the language model fails",
    )


def _settings(options: argparse.Namespace) -> Settings:
    """The settings of the environment with what the options say.

    Raises ValueError where a language model is to plan and none is set.
    """
    settings = replace(_tool_settings(options), fall_back=not options.no_fall_back)
    if options.language_model is None and not settings.prompted:
        return settings
    return settings.as_variant(options.language_model or settings.used_variant)


def _add_preference(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--prefer",
        choices=tuple(PREFERENCES),
        help="what matters most where a tool can work in several ways: private (on this machine), "
        "quality, or fast (CONTROLLLM_PREFERENCE says it otherwise)",
    )


def _tool_settings(options: argparse.Namespace) -> Settings:
    """The settings of the environment with the preference that the options say."""
    settings = Settings.from_environment()
    return settings if options.prefer is None else replace(settings, preference=options.prefer)


def _add_tools(parser: argparse.ArgumentParser) -> None:
    add_tool_folders(parser)
    add_home(parser)


def _ask(options: argparse.Namespace) -> int:
    with tempfile.TemporaryDirectory(prefix=f"{WORK}{os.getpid()}-") as folder:
        home = Path(folder)
        toolbox = load_toolbox(options.tools, options.home)
        planner = _planner(toolbox, options)
        settings = _settings(options).acting_by(options.agent, options.divide_first)
        if options.allow_acting:
            settings = replace(settings, acting="allow")
        assistant = Assistant(toolbox, Store(home), settings, planner)
        return asyncio.run(_answer(assistant, options))


async def _answer(assistant: Assistant, options: argparse.Namespace) -> int:
    if options.out is not None:
        options.out.mkdir(parents=True, exist_ok=True)
    session = assistant.open_session(None)
    attached = []
    for path in options.files:
        try:
            if not path.is_file():
                raise BadInput(f"There is no file {path}.")
            resource, notices = assistant.add_file(session.id, path, path.name)
        except BadInput as error:
            if not options.json:
                raise
            print(json.dumps(RequestFailed(f"{path.name}: {error}").to_json()))
            return 2
        attached.append(resource.value)
        for notice in notices:
            print(f"{path.name}: {notice}", file=sys.stderr)

    def keep(resource: Resource) -> None:
        if options.out is not None:
            path, _ = assistant.file(session.id, resource.value)
            shutil.copyfile(path, options.out / resource.value)

    asks = not options.json and sys.stdin.isatty() and sys.stdout.isatty()
    events = assistant.answer(session.id, well_formed(options.request), attached, asks=asks)
    shown = await show_events(events, sys.stdout, as_json=options.json, keep=keep)
    while asks:
        turns = assistant.store.load(session.id).turns
        choice = choice_of(turns[-1].questions) if turns else None
        if choice is None:
            break
        events = assistant.choose(session.id, turns[-1].number, *choice)
        shown = await show_events(events, sys.stdout, as_json=False, keep=keep)
    if options.out is not None and not options.json:
        count = "1 result" if shown.made == 1 else f"{shown.made} results"
        print(f"{count} in {options.out}")
    return 0 if shown.answered else 1


def _plan(options: argparse.Namespace) -> int:
    if (options.request is None) == (options.batch is None):
        raise ValueError("Give either a request or --batch with a file of tasks.")
    settings = _settings(options)
    toolbox = (
        read_catalogue(options.toolbox)
        if options.toolbox
        else load_toolbox(options.tools, options.home)
    )
    planner = _planner(toolbox, options)
    if not options.toolbox:
        unavailable = toolbox.reasons_unavailable(settings.capabilities, settings.runtimes)
        planner = planner.with_parts(unavailable=unavailable)
    planner_of_request = planners_of(planner, settings, _say_notice)
    if options.batch is None:
        resources = tuple(Resource(guess_type(path.name), path.name) for path in options.files)
        names = tuple(resource.value for resource in resources)
        request = Request(well_formed(options.request), resources, names)
        planner = planner_of_request()
        plan, search = planner.plan(request)
        proposed = planner.decomposer
        if isinstance(proposed, Proposes) and proposed.proposal and proposed.proposal.question:
            print(f"First it asks: {proposed.proposal.question}", file=sys.stderr)
        if options.json:
            print(json.dumps(_plan_line("0", plan, search)))
        else:
            _print_plan(plan, sys.stdout)
        return 0
    unread = 0
    with options.batch.open() as tasks:
        for number, line in enumerate(tasks, 1):
            if not line.strip():
                continue
            try:
                task_id, request = _read_task(line, number, toolbox.lattice)
            except ValueError as error:
                print(error, file=sys.stderr)
                unread += 1
                continue
            try:
                plan, search = planner_of_request().plan(request)
            except LanguageModelFailed as error:
                print(f"Line {number} of the tasks: {error}", file=sys.stderr)
                unread += 1
                continue
            print(json.dumps(_plan_line(task_id, plan, search)), flush=True)
    return 2 if unread else 0


def _say_notice(event: Event) -> None:
    if isinstance(event, Notice):
        print(event.message, file=sys.stderr)


def _read_task(line: str, number: int, lattice: TypeLattice) -> tuple[Any, Request]:
    """A task line; raises ValueError with its number and what is wrong with it."""
    try:
        task = json_from_outside(line)
        if not isinstance(task, dict) or not isinstance(task["request"], str):
            raise ValueError("it is no object with an id and a request in words")
        resources = tuple(
            Resource(plain_name(item["type"]), str(item["value"]))
            for item in task.get("resources") or ()
        )
        unknown = [item.type for item in resources if item.type not in lattice]
        if unknown:
            raise ValueError(f"the type {unknown[0]!r} is not known")
        values = tuple(dict.fromkeys(item.value for item in resources))
        return task["id"], Request(task["request"], resources, values)
    except (KeyError, TypeError, ValueError) as error:
        what = f"it has no {error}" if isinstance(error, KeyError) else str(error)
        raise ValueError(f"Line {number} of the tasks: {what}.") from error


def _plan_line(task_id: Any, plan: Plan, search: SearchCost) -> dict[str, Any]:
    data = plan.to_json()
    return {"id": task_id, "subtasks": data["subtasks"], "search": search.to_json()}


def _print_plan(plan: Plan, out: TextIO) -> None:
    if not plan.subtasks:
        print("There is no request in this.", file=out)
    for subtask in plan.subtasks:
        print(f"{subtask.id + 1}. {subtask.description}", file=out)
        solutions = plan.solutions.get(subtask.id, ())
        for place, solution in enumerate(solutions):
            mark = "*" if place == 0 else " "
            print(f"   {mark} {solution.score:.2f}  {' -> '.join(solution.tools)}", file=out)
            if solution.missing:
                print(f"          cannot run here: {solution.missing}", file=out)
        if not solutions:
            print("     no way found", file=out)


def _tools(options: argparse.Namespace) -> int:
    toolbox = load_toolbox(options.tools, options.home)
    settings = _tool_settings(options)
    if options.json:
        print(json.dumps([_tool_entry(tool, toolbox, settings) for tool in toolbox], indent=1))
        return 0
    for domain in sorted({tool.domain for tool in toolbox}):
        print(domain)
        for tool in toolbox:
            if tool.domain == domain:
                _print_tool(tool, toolbox, settings)
    return 0


def _tool_entry(tool: Tool, toolbox: Toolbox, settings: Settings) -> dict[str, Any]:
    return {
        "name": tool.name,
        "domain": tool.domain,
        "description": tool.description,
        "args": [
            {"name": item.name, "type": item.type, "description": item.description}
            for item in tool.args
        ],
        "returns": [{"name": tool.returns.name, "type": tool.returns.type}],
        "implementations": [
            {
                "runtime": implementation.runtime,
                "available": (reason := implementation.reason_unavailable(settings.capabilities))
                is None,
                "reason": reason or "",
            }
            for implementation in toolbox.implementations.get(tool.name, ())
        ],
    }


def _print_tool(tool: Tool, toolbox: Toolbox, settings: Settings) -> None:
    """A tool, which of its implementations would run now, and why the others would not."""
    takes = ", ".join(item.type for item in tool.args)
    print(f"  {tool.name}({takes}) -> {tool.returns.type}")
    ready = toolbox.available(tool.name, settings.capabilities, settings.runtimes)
    for implementation in toolbox.implementations.get(tool.name, ()):
        reason = implementation.reason_unavailable(settings.capabilities)
        if reason is None:
            mark, words = ("*", "runs now") if implementation is ready[0] else (" ", "ready")
        elif implementation.is_hosted:
            continue
        else:
            mark, words = " ", reason
        print(f"    {mark} {implementation.runtime:<8}  {words}")


def _graph(options: argparse.Namespace) -> int:
    graph = ToolGraph(load_toolbox(options.tools, options.home))
    edges = sorted(graph.edges())
    if options.json:
        tools = [tool.name for tool in graph.toolbox]
        types = sorted({node for edge in edges for node in edge} - set(tools))
        print(json.dumps({"tools": tools, "types": types, "edges": edges}, indent=1))
    else:
        for start, end in edges:
            print(f"{start} -> {end}")
    return 0
