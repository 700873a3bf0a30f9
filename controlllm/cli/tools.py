"""The command line's ``tools``: list them all, add tools from elsewhere, correct and try these."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping
from typing import Any

from controlllm.cli.options import (
    HOME,
    PREFERENCE,
    TOOL_FOLDERS,
    Add,
    command,
    flag,
    option,
    tool_settings,
)
from controlllm.settings import Settings
from controlllm.sources.correcting import (
    acting,
    confidence_of,
    corrected,
    named_tool,
    reasons_of,
    tried,
)
from controlllm.sources.keeping import found_at, keep, remove, source_named
from controlllm.sources.loading import folder_of, kept_sources, load_toolbox
from controlllm.sources.source import Adding, ForeignTool, Source
from controlllm.sources.trying import Tried, try_tool
from controlllm.toolbox import Tool, Toolbox

#: What is less sure than this is pointed at.
_SURE = 0.65
_MOST_SHOWN = 2000


def add_tools_command(commands: Any) -> None:
    """Register ``tools`` with the parser of all commands."""
    words = "list the tools and whether they can run here"
    as_json = flag("--json", "print them as one JSON list")
    takes = (as_json, PREFERENCE, TOOL_FOLDERS, HOME)
    tools = command(commands, "tools", _list_all, words, *takes)
    _add_actions(tools.add_subparsers(metavar="ACTION"), as_json)


def _add_actions(actions: Any, as_json: Add) -> None:
    """Register what can be done with tools from elsewhere with the actions of ``tools``."""

    def action(name: str, run: Callable[[argparse.Namespace], int], words: str, *takes: Add) -> Any:
        return command(actions, name, run, words, HOME, *takes, about=words)

    action(
        "add",
        _add,
        "add the tools that an OpenAPI document or a server describes",
        option(
            "address",
            nargs="?",
            default="",
            help="an URL or a file; mcp+https://... for an MCP server, gradio+https://... for an "
            "app",
        ),
        option("--name", default="", help="what to call the source; its tools begin with it"),
        flag(
            "--local",
            "it is on this computer or on a network of yours; without it only public addresses "
            "are asked",
        ),
        option(
            "--secret",
            action="append",
            default=[],
            metavar="FOR=NAME",
            help="a secret by its name, never itself: for a scheme of the document, or for header, "
            "query, cookie, bearer, basic, oauth2",
        ),
        option("--server", default="", help="where to ask, where a document does not say"),
        option(
            "--command", default="", help="the command that starts an MCP server on this computer"
        ),
        flag(
            "--reads",
            "nothing that an MCP server or a Gradio app offers does what cannot be taken back",
        ),
        flag("--replace", "in place of a source of this name"),
    )
    action("list", _list, "list the sources of tools that were added", as_json)
    named = option("tool", metavar="NAME", help="a source, or a tool")
    words = "show a source, or one of its tools, with the types inferred"
    action("show", _show, words, named, flag("--json", "print it as JSON"))
    tool = option("tool", help="a tool that was added")
    change = action(
        "type",
        _type,
        "correct what a tool takes or returns",
        tool,
        option("about", metavar="ARGUMENT", help="one of its arguments, or: result"),
        option("type", help="a type, such as text, number, image, or SOURCE.entity"),
        option("--part", default="", help="which field of an entity an argument takes"),
    )
    acts = change.add_mutually_exclusive_group()
    acts.add_argument("--acts", dest="acts", action="store_true", default=None)
    acts.add_argument("--reads", dest="acts", action="store_false")
    values = option("values", nargs="*", metavar="ARGUMENT=VALUE", help="@FILE for a file")
    yes = flag("--yes", "also where it acts outside")
    action("try", _try, "call a tool with sample values, or with your own", tool, values, yes)
    gone = option("source", help="a source that was added")
    action("remove", _remove, "forget a source and its tools", gone)


def _list_all(options: argparse.Namespace) -> int:
    toolbox = load_toolbox(options.tools, options.home)
    settings = tool_settings(options)
    if options.json:
        print(json.dumps([_entry_with_ways(tool, toolbox, settings) for tool in toolbox], indent=1))
        return 0
    for domain in sorted({tool.domain for tool in toolbox}):
        print(domain)
        for tool in toolbox:
            if tool.domain == domain:
                _print_with_ways(tool, toolbox, settings)
    return 0


def _entry_with_ways(tool: Tool, toolbox: Toolbox, settings: Settings) -> dict[str, Any]:
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


def _print_with_ways(tool: Tool, toolbox: Toolbox, settings: Settings) -> None:
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


def _add(options: argparse.Namespace) -> int:
    if bool(options.address) == bool(options.command):
        raise ValueError("Give either an address or a file, or --command for an MCP server.")
    adding = Adding(
        options.local,
        _secrets(options.secret),
        options.home.expanduser().absolute(),
        bool(options.command),
        options.reads,
        options.server,
    )
    address, kind = options.command or options.address, "mcp" if options.command else ""
    source = found_at(address, options.name, adding, kind)
    known = {item.name for item in kept_sources(folder_of(options.home))}
    if source.name in known and not options.replace:
        raise ValueError(
            f"There is a source {source.name} already. Say --replace, or another --name."
        )
    keep(source, options.home.expanduser().absolute())
    print(f"{source.name}: {len(source.tools)} tools from {source.address}")
    if server := source.options.get("server"):
        print(f"  asked at {server}")
    _print_tools(source)
    for words in list(source.options.get("left_out") or ())[:10]:
        print(f"left out: {words}")
    print(
        "A page that runs has them once its toolbox shows the tools from elsewhere, else after its "
        "next start."
    )
    return 0


def _secrets(given: list[str]) -> dict[str, str]:
    found = {}
    for words in given:
        role, equals, name = words.partition("=")
        if not (role and equals and name):
            raise ValueError("Say --secret FOR=NAME, such as --secret header=MAPS_KEY.")
        found[role] = name
    return found


def _list(options: argparse.Namespace) -> int:
    sources = list(kept_sources(folder_of(options.home)))
    if options.json:
        told = [
            {name: getattr(item, name) for name in ("name", "kind", "address", "description")}
            | {"tools": len(item.tools)}
            for item in sources
        ]
        print(json.dumps(told, indent=1))
        return 0
    if not sources:
        print("No tools from elsewhere were added. Add some: python -m controlllm tools add URL")
    for item in sources:
        print(f"{item.name:<20} {item.kind:<8} {len(item.tools):>4} tools  {item.address}")
    return 0


def _show(options: argparse.Namespace) -> int:
    try:
        source = source_named(options.tool, options.home)
    except KeyError:
        source, tool = named_tool(options.tool, options.home)
        if options.json:
            print(json.dumps(next(_entries(source, tool)), indent=1))
        else:
            _print_tool(source, tool)
        return 0
    if options.json:
        print(json.dumps(list(_entries(source)), indent=1))
    else:
        print(f"{source.name}: {source.description or source.address}")
        _print_tools(source)
    return 0


def _entries(source: Source, only: ForeignTool | None = None) -> Any:
    for tool in source.tools:
        if only is None or tool is only:
            yield {
                "name": f"{source.name}_{tool.name}",
                "description": tool.description,
                "returns": tool.returns,
                "acts_outside": tool.acts_outside,
                "is_checked": tool.is_checked,
                "arguments": [
                    {
                        name: getattr(item, name)
                        for name in ("name", "type", "part", "required", "description")
                    }
                    for item in tool.arguments
                ],
                "reasons": reasons_of(tool),
            }


def _print_tools(source: Source) -> None:
    for tool in source.tools:
        takes = ", ".join(
            f"{item.name}: {item.type}{'' if item.required else '?'}" for item in tool.arguments
        )
        marks = "  (acts outside)" if tool.acts_outside else ""
        marks += "  (look at its types)" if confidence_of(tool) < _SURE else ""
        print(f"  {source.name}_{tool.name}({takes}) -> {tool.returns}{marks}")


def _print_tool(source: Source, tool: ForeignTool) -> None:
    print(f"{source.name}_{tool.name}: {tool.description}")
    if tool.acts_outside:
        print("  It may do what cannot be taken back.")
    types = {item.name: (item.type, item.part) for item in tool.arguments}
    types["result"] = (tool.returns, "")
    reasons: Mapping[str, Mapping[str, Any]] = {item["about"]: item for item in reasons_of(tool)}
    for name, (type_name, part) in types.items():
        told = reasons.get(name, {})
        sure = f" ({told['confidence']:.0%} sure)" if told else ""
        field = f", its {part}" if part else ""
        print(f"  {name:<20} {type_name}{field}{sure}  {told.get('why', '')}")


def _type(options: argparse.Namespace) -> int:
    source, tool = named_tool(options.tool, options.home)
    changed = source
    if options.about:
        changed = corrected(changed, tool.name, options.about, options.type, options.part)
    if options.acts is not None:
        changed = acting(changed, tool.name, options.acts)
    kept = keep(changed, options.home)
    _print_tool(kept, next(item for item in kept.tools if item.name == tool.name))
    return 0


def _try(options: argparse.Namespace) -> int:
    source, tool = named_tool(options.tool, options.home)
    given = {}
    for words in options.values:
        name, equals, value = words.partition("=")
        if not equals:
            raise ValueError(f"Say ARGUMENT=VALUE, not {words!r}.")
        given[name] = value
    found = try_tool(source, tool, given, is_allowed=options.yes, reads_files=True)
    _print_tried(found)
    if found.is_done:
        keep(tried(source, tool.name), options.home)
    return 0 if found.is_done else 1


def _print_tried(tried: Tried) -> None:
    for name, value in tried.given.items():
        print(f"  {name} = {value}")
    print(tried.words[:_MOST_SHOWN])
    if tried.path is not None:
        print(f"kept as {tried.path}")


def _remove(options: argparse.Namespace) -> int:
    try:
        remove(options.source, options.home)
    except KeyError:
        raise ValueError(f"There is no source {options.source}.") from None
    print(f"{options.source} was removed.")
    return 0
