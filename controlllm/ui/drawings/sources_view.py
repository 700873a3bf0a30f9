"""Tools from elsewhere in the toolbox: add them, look at their types, correct, try, remove them."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from controlllm.sources.correcting import RESULT, TYPES, confidence_of, reasons_of
from controlllm.sources.source import ForeignArgument, ForeignTool, Source
from controlllm.sources.trying import Tried
from controlllm.ui.drawings.icons import icon
from controlllm.ui.drawings.markup import attributes, button, chosen_of, inline_code, quiet
from controlllm.ui.drawings.wording import tool_label
from controlllm.ui.texts import percent, say, say_html

#: What is less sure than this is pointed at.
_SURE = 0.65
_MOST_SHOWN = 1500


def sources_about(may_add: bool) -> str:
    """What can be added, or who may."""
    if not may_add:
        return quiet(inline_code(say("sources.not_here")))
    told = f"{say_html('sources.about')} {say_html('sources.when')} "
    return quiet(told + inline_code(say("sources.secrets_how")))


def said_of_adding(words: str, is_failed: bool = False) -> str:
    """What came of adding or removing tools."""
    state = attributes(
        class_="is-failed" if is_failed else None, role="alert" if is_failed else "status"
    )
    return f"<p {state}>{escape(words)}</p>"


def sources_list(sources: Sequence[Source]) -> str:
    """The sources that were added; what a tool's fold shows is asked for when it is opened."""
    listed = "".join(map(_source, sources))
    return f'<ul class="plain sources">{listed}</ul>' if listed else ""


def _source(source: Source) -> str:
    tools = "".join(
        f'<details class="fold source-tool" data-source="{escape(source.name)}" '
        f'data-tool="{escape(tool.name)}"><summary>{escape(tool_label(tool.name))}{_mark(tool)}'
        '</summary><div class="source-body"></div></details>'
        for tool in source.tools
    )
    tools_there = say_html("words.tools", count=len(source.tools))
    remove = button(
        "remove-source", say_html("sources.remove"), data_source=source.name,
        data_sure=say("sources.remove_sure", name=source.name),
    )  # fmt: skip
    return (
        f'<li><details class="fold source" data-source="{escape(source.name)}">'
        f"<summary><b>{escape(source.name)}</b>: {tools_there}</summary>"
        f"{quiet(f'{escape(source.description)} {escape(source.address)}')}"
        f'<div class="row">{remove}</div>{tools}'
        "</details></li>"
    )


def _mark(tool: ForeignTool) -> str:
    if tool.is_checked:
        return f' <span class="badge is-ready">{icon("check")}{say_html("sources.tried")}</span>'
    if confidence_of(tool) < _SURE:
        look = say_html("sources.look_at_types")
        return f' <span class="badge is-missing">{icon("info")}{look}</span>'
    return ""


def source_tool(source: Source, tool: ForeignTool, tried: Tried | None = None) -> str:
    """One tool: what it says of itself, its types with their reasons, and how to try it; and the
    mark beside its name, which stands outside of this and is exchanged with it."""
    rows = [_row(source, tool, item) for item in (*tool.arguments, None)]
    about = {"data_source": source.name, "data_tool": tool.name}
    acts = attributes(type="checkbox", data_do="source-acts", checked=tool.acts_outside, **about)
    run = button(
        "try-source-tool", say_html("sources.try"), data_acts=str(tool.acts_outside).lower(),
        **about,
    )  # fmt: skip
    return (
        f"<template data-mark>{_mark(tool)}</template>"
        f"<p>{escape(tool.description)}</p>{''.join(rows)}"
        f'<label class="check"><input {acts}> {say_html("sources.acts")}</label>'
        f'<div class="row">{run}</div>{_tried(tried)}'
    )


def _row(source: Source, tool: ForeignTool, argument: ForeignArgument | None) -> str:
    """What an argument (the result where there is none) is called and is, and a value to try it
    with."""
    about = argument.name if argument is not None else RESULT
    now = _value(argument.type, argument.part) if argument is not None else tool.returns
    key = f"{source.name}-{tool.name}-{about}"
    choices = chosen_of(_choices(source, about, now), now)
    told = next((item for item in reasons_of(tool) if item.get("about") == about), {})
    why = str(told.get("why", ""))
    if told:
        why = say("sources.why_sure", why=why, sure=percent(told["confidence"]))
    select = attributes(
        id=f"type-{key}", data_do="source-type", data_source=source.name, data_tool=tool.name,
        data_about=about,
    )  # fmt: skip
    label = say("sources.returns") if argument is None else about.replace("_", " ")
    if argument is not None and not argument.required:
        label = say("sources.optional", name=label)
    given = ""
    if argument is not None and argument.type not in ("image", "audio", "video"):
        words = say("sources.sample_for", name=about.replace("_", " "))
        field = attributes(data_value=about, aria_label=words, placeholder=say("sources.sample"))
        given = f"<input {field}>"
    return (
        f'<div class="field"><label for="type-{escape(key)}">{escape(label)}</label>'
        f"<select {select}>{choices}</select>{given}"
        f"{quiet(escape(why))}</div>"
    )


def _value(type_name: str, part: str) -> str:
    return f"{type_name}/{part}" if part else type_name


def _choices(source: Source, about: str, now: str) -> dict[str, str]:
    """The types that can be chosen, with words for each: what it is now, plain ones, and the
    entities that the source knows."""
    found = [now, *TYPES]
    for tool in source.tools:
        if about == RESULT and "." in tool.returns:
            found.append(tool.returns)
        elif about != RESULT:
            found += [_value(item.type, item.part) for item in tool.arguments if item.part]
    return {value: _words(*value.partition("/")[::2]) for value in found}


def _words(type_name: str, part: str) -> str:
    _, dot, entity = type_name.partition(".")
    name = entity.replace("_", " ") if dot else type_name
    return say("sources.part_of", part=part, name=name) if part else name


def _tried(tried: Tried | None) -> str:
    if tried is None:
        return ""
    given = "".join(
        f"<li>{escape(name.replace('_', ' '))}: {escape(value)}</li>"
        for name, value in tried.given.items()
    )
    role = "status" if tried.is_done else "alert"
    said = say_html("sources.works" if tried.is_done else "sources.did_not_work")
    return (
        f'<div class="tried{"" if tried.is_done else " is-failed"}" role="{role}"><p>{said}</p>'
        f'<ul class="plain">{given}</ul>'
        f"<pre>{escape(tried.words[:_MOST_SHOWN])}</pre></div>"
    )
