"""The command line's ``ask``: a request answered, its results kept."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

from controlllm.cli.options import PLANNING, command, flag, option, planner_of, settings_of
from controlllm.cli.supervising import WORK
from controlllm.cli.terminal import choice_of, show_events
from controlllm.core.events import RequestFailed
from controlllm.resources import BadInput, Resource
from controlllm.resources.well_formed import well_formed
from controlllm.runs.assistant import Assistant
from controlllm.runs.run_options import RunOptions
from controlllm.settings import AgentName
from controlllm.sources.loading import load_toolbox
from controlllm.store import Store
from controlllm.store.handed_over import add_file


def add_ask_command(commands: Any) -> None:
    """Register ``ask`` with the parser of all commands."""
    command(
        commands,
        "ask",
        _ask,
        "answer a request and keep its results",
        option("request", help="what you want done, in plain words"),
        option("files", nargs="*", type=Path, help="the files to work on"),
        option("--out", type=Path, help="a folder for the results"),
        flag("--json", "print every event, one a line"),
        flag(
            "--allow-acting",
            "let tools do what cannot be taken back where nobody can be asked, as in a script",
        ),
        option(
            "--agent",
            choices=get_args(AgentName),
            help="have this agent decide step by step, instead of planning before anything runs",
        ),
        option(
            "--divide-first",
            action="store_true",
            default=None,
            help="tell an agent the parts of its task before it begins",
        ),
        PLANNING,
    )


def _ask(options: argparse.Namespace) -> int:
    with tempfile.TemporaryDirectory(prefix=f"{WORK}{os.getpid()}-") as folder:
        home = Path(folder)
        toolbox = load_toolbox(options.tools, options.home)
        planner = planner_of(toolbox, options)
        settings = settings_of(options).acting_by(options.agent, options.divide_first)
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
            resource, notices = add_file(assistant.store, session.id, path, path.name)
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
    events = assistant.answer(
        session.id, well_formed(options.request), attached, RunOptions(asks=asks)
    )
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
