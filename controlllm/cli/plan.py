"""The command line's ``plan`` and ``graph``: what would be done, and what it is searched in."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any, TextIO

from controlllm.cli.options import (
    HOME,
    PLANNING,
    TOOL_FOLDERS,
    command,
    flag,
    option,
    planner_of,
    settings_of,
)
from controlllm.core.costs import SearchCost
from controlllm.core.events import Event, Notice
from controlllm.core.plans import Plan, Request
from controlllm.language.asking import LanguageModelFailed
from controlllm.planning.graph import ToolGraph
from controlllm.planning.roles import Proposes
from controlllm.resources import Resource, TypeLattice, guess_type, plain_name
from controlllm.resources.well_formed import json_from_outside, well_formed
from controlllm.runs.planners import planners_of
from controlllm.sources.loading import load_toolbox
from controlllm.toolbox import read_catalogue


def add_plan_commands(commands: Any) -> None:
    """Register ``plan`` and ``graph`` with the parser of all commands."""
    command(
        commands,
        "plan",
        _plan,
        "show how a request would be solved; runs nothing",
        option("request", nargs="?", help="what you want done, in plain words"),
        option("files", nargs="*", type=Path, help="the files meant; they need not exist"),
        flag("--json", "print the plan as one line of JSON"),
        option("--batch", type=Path, help="a file of tasks, one JSON object a line"),
        option("--toolbox", type=Path, help="a catalogue of tools to plan with (JSON)"),
        PLANNING,
    )
    as_json = flag("--json", "print nodes and edges as JSON")
    words = "print the tool graph's edges"
    command(commands, "graph", _graph, words, as_json, TOOL_FOLDERS, HOME)


def _plan(options: argparse.Namespace) -> int:
    if (options.request is None) == (options.batch is None):
        raise ValueError("Give either a request or --batch with a file of tasks.")
    settings = settings_of(options)
    toolbox = (
        read_catalogue(options.toolbox)
        if options.toolbox
        else load_toolbox(options.tools, options.home)
    )
    planner = planner_of(toolbox, options)
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
