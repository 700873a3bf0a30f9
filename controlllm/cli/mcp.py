"""The command line's ``mcp``: an MCP server over standard input and output."""

from __future__ import annotations

import argparse
import asyncio
import os
import threading
from pathlib import Path
from typing import Any

from controlllm.cli.options import HOME, TOOL_FOLDERS, command, flag, option
from controlllm.runs.assistant import Assistant
from controlllm.settings import Settings
from controlllm.sources.loading import load_toolbox
from controlllm.store import Backends, Store


def add_mcp_command(commands: Any) -> None:
    """Register ``mcp`` with the sub-commands of a parser."""
    command(
        commands,
        "mcp",
        _serve,
        "serve assistants by the Model Context Protocol",
        option(
            "--files",
            dest="folders",
            type=Path,
            action="append",
            default=[],
            metavar="FOLDER",
            help="a folder that files may be read from; may be given several times",
        ),
        option(
            "--out", type=Path, metavar="FOLDER", help="a folder that results are copied to as well"
        ),
        flag("--each-tool", "offer every tool by itself as well"),
        *(HOME, TOOL_FOLDERS),
    )


def _serve(options: argparse.Namespace) -> int:
    from controlllm.engine import Engine, Limits, workers_from_environment

    folders = []
    for folder in options.folders:
        if not folder.expanduser().is_dir():
            raise ValueError(f"There is no folder {folder}.")
        folders.append(folder.expanduser().resolve())
    out = options.out and options.out.expanduser().resolve()
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
    home = options.home.expanduser().resolve()
    toolbox = load_toolbox(options.tools, home)
    store = Store(home, backends=Backends.from_environment())
    workers = workers_from_environment(toolbox, store, Limits.from_environment())
    try:
        engine = Engine(toolbox, store, attempt=workers)
        assistant = Assistant(toolbox, store, Settings.from_environment(), engine=engine)
        threading.Thread(target=assistant.tools.warm_up).start()
        asyncio.run(_served(assistant, tuple(folders), out, options.each_tool))
        assistant.leave()
    finally:
        workers.close()
        store.close()
    # A model may still be being loaded, or a request planned, for nobody.
    os._exit(0)


async def _served(
    assistant: Assistant, folders: tuple[Path, ...], out: Path | None, each_tool: bool
) -> None:
    from mcp.server.stdio import stdio_server

    from controlllm.admission.shared import Shared
    from controlllm.api.mcp_server import McpTools
    from controlllm.api.service import Service
    from controlllm.api.taking import Taking
    from controlllm.api.tokens import Token, Tokens
    from controlllm.settings.quotas import Quotas

    # Whoever starts the program over stdio is its only user.
    only_user = Token("stdio", "stdio")
    shared = Shared.of(assistant.store, Quotas())
    service = Service(assistant, Tokens(assistant.store.folder), shared)
    offered = McpTools(service, Taking(service, folders, out), lambda context: only_user, each_tool)
    server = offered.server()
    try:
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())
    finally:
        await service.end(1.0)
