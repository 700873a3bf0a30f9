"""Tools of installed packages: modules named under the entry point group ``controlllm.tools``.

A package's ``pyproject.toml`` says::

    [project.entry-points."controlllm.tools"]
    weather = "our_weather.tools"

and every tool that this module defines with the `tool` decorator is one of the toolbox. To install
a package is to trust it: its modules are imported where the toolbox is loaded, workers included.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import replace
from importlib import metadata

from controlllm.toolbox import Toolbox, ToolDefinition, definitions_in

GROUP = "controlllm.tools"
_log = logging.getLogger(__name__)


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
