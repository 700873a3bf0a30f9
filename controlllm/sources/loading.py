"""The toolbox with the tools of all sources that are kept, and those of installed packages, beside
the project's own.

A package names modules under the entry point group ``controlllm.tools`` of its ``pyproject.toml``::

    [project.entry-points."controlllm.tools"]
    weather = "our_weather.tools"

and every tool that such a module defines with the `tool` decorator is one of the toolbox. To
install a package is to trust it: its modules are imported where the toolbox is loaded, workers
included.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any

from controlllm.sources.source import ForeignArgument, ForeignTool, Source
from controlllm.toolbox import (
    A_NUMBER,
    Argument,
    Context,
    Implementation,
    Parameter,
    Tool,
    Toolbox,
    ToolDefinition,
    definitions_in,
)

GROUP = "controlllm.tools"


def with_packages(toolbox: Toolbox) -> Toolbox:
    """A toolbox with the tools of installed packages besides. What cannot be had is left out and
    written down; it never keeps the rest from being loaded."""
    definitions, left_out = tools_of_packages(toolbox)
    for name, sentence in left_out:
        _log.error(sentence, extra={"tool": name})
    if not definitions:
        return toolbox
    tools = (*toolbox, *(definition.tool for definition in definitions))
    ways = {item.tool.name: tuple(item.implementations) for item in definitions}
    return replace(
        toolbox,
        tools=tuple(sorted(tools, key=lambda tool: tool.name)),
        implementations={**toolbox.implementations, **ways},
    )


def tools_of_packages(toolbox: Toolbox) -> tuple[list[ToolDefinition], list[tuple[str, str]]]:
    """The tools that installed packages bring to a toolbox; and of each entry point or tool that is
    left out the name, and a sentence that says why."""
    found: list[ToolDefinition] = []
    left_out: list[tuple[str, str]] = []
    taken = {name for tool in toolbox for name in (tool.name, *tool.aliases)}
    for point in sorted(metadata.entry_points(group=GROUP), key=lambda point: point.name):
        definitions, problem = _loaded(point)
        if problem:
            left_out.append((point.name, problem))
        for definition in definitions:
            names = {definition.tool.name, *definition.tool.aliases}
            if names & taken:
                said = "A tool of an installed package has a name that is taken, and is left out."
                left_out.append((definition.tool.name, said))
                continue
            taken |= names
            found.append(definition)
    return found, left_out


def _loaded(point: metadata.EntryPoint) -> tuple[list[ToolDefinition], str]:
    """The tools of an entry point, and what is wrong with it, if anything."""
    try:
        definitions = list(_definitions(point.load()))
    # What a package does when it is imported is its own, `sys.exit` included.
    except (Exception, SystemExit) as error:
        _log.debug("An installed package cannot be imported", exc_info=error)
        return [], "The tools of an installed package cannot be loaded; they are left out."
    if not definitions:
        return [], "An installed package that should bring tools has none."
    return definitions, ""


def _definitions(loaded: object) -> Iterator[ToolDefinition]:
    """The tools in what an entry point names: a module, or a tool itself."""
    if isinstance(loaded, ToolDefinition):
        yield loaded
    else:
        yield from definitions_in([loaded])  # type: ignore[list-item]


_log = logging.getLogger(__name__)


def load_toolbox(folders: Sequence[Path], home: Path | None) -> Toolbox:
    """All tools that can run: the project's own, those of folders, those of installed packages,
    those of sources kept in the program's home folder. Without a home there are no sources."""
    toolbox = with_packages(Toolbox.load(*folders))
    return toolbox if home is None else with_sources(toolbox, kept_sources(folder_of(home)))


def folder_of(home: Path) -> Path:
    """Where sources are kept in the program's home folder."""
    return home / "sources"


def kept_sources(folder: Path) -> Iterator[Source]:
    """The sources kept in a folder, a JSON file each; one that cannot be read is left out."""
    for path in sorted(folder.glob("*.json")):
        try:
            yield replace(Source.from_json(json.loads(path.read_text("utf-8"))), home=folder.parent)
        except (OSError, KeyError, TypeError, ValueError) as error:
            _log.error(
                "A source of tools cannot be read", extra={"tool": path.stem}, exc_info=error
            )


def with_sources(toolbox: Toolbox, sources: Iterable[Source]) -> Toolbox:
    """A toolbox with the tools of these sources besides its own, and of no others; a tool's name
    is its source's and its own. Those of a source that is as it was are not made again."""
    before, toolbox = toolbox, toolbox if toolbox.own is None else toolbox.own
    known = _sources_in(before)
    tools = {tool.name: tool for tool in toolbox}
    ways = dict(toolbox.implementations)
    types: list[str] = []
    for source in sources:
        was = known.get(source.name)
        is_same = was is not None and was == source and was.home == source.home
        for foreign in source.tools:
            name = f"{source.name}_{foreign.name}"
            if name in toolbox:
                _log.error("A foreign tool has the name of another", extra={"tool": name})
                continue
            made = before.implementations.get(name, ())
            # The name may be another source's too.
            if is_same and made and _source_of(made[0]) is was:
                tools[name], ways[name] = before[name], made
            else:
                tools[name] = tool_of(source, foreign)
                ways[name] = (_implementation(source, foreign, tools[name]),)
            types += [
                # An entity is a text of JSON, and a person may hand it over as such.
                f"text.{_type(name)}" if "." in name else name
                for name in (foreign.returns, *(item.type for item in foreign.arguments))
            ]
    lattice = toolbox.lattice.extended(types)
    ordered = tuple(tools[name] for name in sorted(tools))
    return replace(toolbox, tools=ordered, implementations=ways, lattice=lattice, own=toolbox)


def sources_of(toolbox: Toolbox) -> frozenset[str]:
    """The names of the sources whose tools a toolbox has; each such tool's name begins with one."""
    return frozenset(_sources_in(toolbox))


def _sources_in(toolbox: Toolbox) -> Mapping[str, Source]:
    """The sources whose tools a toolbox has, by their names."""
    ways = (way for ways in toolbox.implementations.values() for way in ways)
    return {source.name: source for way in ways if (source := _source_of(way)) is not None}


def _source_of(way: Implementation) -> Source | None:
    """The source whose tool is called in this way; None where it is no foreign one."""
    call = way.function
    if not (isinstance(call, partial) and call.func is _call):
        return None
    source: Source = call.args[0]
    return source


def with_sources_now(toolbox: Toolbox, home: Path) -> Toolbox:
    """The toolbox with the sources that are kept by now; the same object where nothing changed."""
    found = with_sources(toolbox, kept_sources(folder_of(home)))
    return toolbox if _versions(found) == _versions(toolbox) else found


def _versions(toolbox: Toolbox) -> Mapping[str, Sequence[str]]:
    """What tools of sources do, by their names."""
    return {
        name: [way.version for way in ways]
        for name, ways in toolbox.implementations.items()
        if toolbox.is_foreign(name)
    }


def tool_of(source: Source, foreign: ForeignTool) -> Tool:
    """The node of the tool graph for a foreign tool.

    An argument with a default that is a number, a text or a truth value is a parameter.
    """
    args = [item for item in foreign.arguments if item.required or item.default is None]
    parameters = [item for item in foreign.arguments if item not in args]
    return Tool(
        f"{source.name}_{foreign.name}",
        foreign.description,
        foreign.domain,
        tuple(
            Argument(item.name, _type(item.type), _described(item), item.many, not item.required)
            for item in args
        ),
        Argument("result", _type(foreign.returns)),
        parameters=tuple(
            Parameter(item.name, item.default, item.description) for item in parameters
        ),
        acts_outside=foreign.acts_outside,
    )


def _described(item: ForeignArgument) -> str:
    """What an argument says of itself, and that it is a number where one is said in words."""
    is_number = item.type == "text" and item.call.get("type") in ("integer", "number")
    return f"{item.description} {A_NUMBER}".strip() if is_number else item.description


def _type(name: str) -> str:
    """The name of a type in the graph: a source's own keeps the source in its name."""
    return name.replace(".", "_")


def _implementation(source: Source, foreign: ForeignTool, tool: Tool) -> Implementation:
    return Implementation(
        tool.name,
        "cloud",
        partial(_call, source, foreign),
        version=hash_of(source, foreign),
        deterministic=False,
    )


def hash_of(source: Source, foreign: ForeignTool) -> str:
    """Changes when what a foreign tool calls does, or how and where it is asked."""
    # What was left out of a source may be long, and is not asked.
    options = {name: value for name, value in source.options.items() if name != "left_out"}
    (tool,) = Source.to_json(replace(source, tools=(foreign,)))["tools"]
    told = json.dumps([source.address, dict(source.secrets), options, tool])
    return hashlib.sha256(told.encode()).hexdigest()[:12]


def _call(source: Source, foreign: ForeignTool, /, context: Context, **inputs: Any) -> Any:
    return source.call(foreign, inputs, context)
