"""Correcting what was inferred of foreign tools."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from controlllm.resources import PARENTS
from controlllm.sources.loading import folder_of, kept_sources
from controlllm.sources.source import NAME, ForeignTool, Source

#: Types that a foreign tool can take and return, besides entities of its source.
TYPES = ("text", "number", "image", "audio", "video", "html")
RESULT = "result"


def named_tool(name: str, home: Path) -> tuple[Source, ForeignTool]:
    """A foreign tool by its name in the tool graph, with its source.

    Raises ValueError with a sentence where there is none.
    """
    for source in kept_sources(folder_of(home)):
        for tool in source.tools:
            if name in (f"{source.name}_{tool.name}", f"{source.name}.{tool.name}"):
                return source, tool
    raise ValueError(
        f"No tool {name!r} was added. python -m controlllm tools list shows which are."
    )


def corrected(source: Source, tool: str, about: str, type_name: str, part: str = "") -> Source:
    """The source with a tool's argument, or its ``result``, of another type; with another type it
    counts as not tried.

    `part` is the field of an entity that the argument takes. Raises ValueError with a sentence
    where there is no such tool, argument or type.
    """
    found = _tool(source, tool)
    _check_type(source, type_name, part, about)
    changed = _typed(found, about, type_name, part)
    if (changed.arguments, changed.returns) != (found.arguments, found.returns):
        changed = replace(changed, is_checked=False)
    return _with(source, found, changed)


def acting(source: Source, tool: str, acts_outside: bool) -> Source:
    """The source with a tool that does, or does not do, what cannot be taken back. Raises
    ValueError with a sentence where there is no such tool."""
    found = _tool(source, tool)
    return _with(source, found, replace(found, acts_outside=acts_outside))


def tried(source: Source, tool: str) -> Source:
    """The source with a tool that was tried and works. Raises ValueError with a sentence where
    there is no such tool."""
    found = _tool(source, tool)
    return _with(source, found, replace(found, is_checked=True))


def _tool(source: Source, name: str) -> ForeignTool:
    found = next((item for item in source.tools if item.name == name), None)
    if found is None:
        raise ValueError(f"{source.name} has no tool {name!r}.")
    return found


def _with(source: Source, found: ForeignTool, changed: ForeignTool) -> Source:
    return replace(source, tools=tuple(changed if item is found else item for item in source.tools))


def _check_type(source: Source, type_name: str, part: str, about: str) -> None:
    own, dot, entity = type_name.partition(".")
    if dot:
        if own != source.name or not NAME.fullmatch(entity):
            raise ValueError(
                f"A type of {source.name}'s own is called {source.name}.something, not {type_name}."
            )
        if about != RESULT and not part:
            raise ValueError("Say with --part which field of the entity the argument takes.")
    elif type_name not in TYPES:
        known = (
            f" ({type_name} is one that tools elsewhere do not know)"
            if type_name in PARENTS
            else ""
        )
        raise ValueError(
            f"There is no type {type_name!r}{known}; choose one of {', '.join(TYPES)}."
        )


def _typed(tool: ForeignTool, about: str, type_name: str, part: str) -> ForeignTool:
    said = {"about": about, "type": type_name, "why": "You said so.", "confidence": 1.0}
    reasons = [item for item in reasons_of(tool) if item.get("about") != about]
    call = {**tool.call, "reasons": [said, *reasons]}
    if about == RESULT:
        if "." not in type_name and "." in tool.returns:
            call["take"] = []  # all of the answer, no longer the entity in it
        return replace(tool, returns=type_name, call=call)
    if about not in {item.name for item in tool.arguments}:
        raise ValueError(f"{tool.name} has no argument {about!r}.")
    arguments = tuple(
        replace(item, type=type_name, part=part if "." in type_name else "")
        if item.name == about
        else item
        for item in tool.arguments
    )
    return replace(tool, arguments=arguments, call=call)


def reasons_of(tool: ForeignTool) -> list[Mapping[str, Any]]:
    """Why a tool's arguments and result have their types: what each is ``about``, the ``type``,
    ``why``, and the ``confidence`` 0..1."""
    return list(tool.call.get("reasons") or ())


def confidence_of(tool: ForeignTool) -> float:
    """How sure the least sure type of a tool is, 0..1; entirely where a person has tried it."""
    if tool.is_checked:
        return 1.0
    return min((float(item.get("confidence", 1.0)) for item in reasons_of(tool)), default=1.0)
