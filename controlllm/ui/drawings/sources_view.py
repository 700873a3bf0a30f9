"""Tools from elsewhere in the toolbox: add them, look at their types, correct, try, remove them."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from controlllm.sources.correcting import RESULT, TYPES, confidence_of, reasons_of
from controlllm.sources.source import ForeignArgument, ForeignTool, Source
from controlllm.sources.trying import Tried
from controlllm.ui.drawings.icons import icon
from controlllm.ui.drawings.wording import attributes, inline_code, tool_label
from controlllm.ui.texts import percent, say, say_html

#: What is less sure than this is pointed at.
_SURE = 0.65
_MOST_SHOWN = 1500


def sources_fold() -> str:
    """The closed fold; `sources_panel` fills it when it is opened."""
    return (
        f'<details class="fold" id="sources"><summary>{say_html("sources.title")}</summary>'
        '<div id="sources-panel"></div></details>'
    )


def sources_about(may_add: bool) -> str:
    """What can be added, or who may."""
    if not may_add:
        return f'<p class="quiet-words">{inline_code(say("sources.not_here"))}</p>'
    return (
        f'<p class="quiet-words">{say_html("sources.about")} {say_html("sources.when")} '
        f"{inline_code(say('sources.secrets_how'))}</p>"
    )


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


def sources_panel(sources: Sequence[Source], may_add: bool, said: str = "") -> str:
    """How to add tools, and the sources that were added."""
    if not may_add:
        return f'<p class="quiet-words">{inline_code(say("sources.not_here"))}</p>'
    local = attributes(type="checkbox", name="local")
    reads = attributes(type="checkbox", name="reads", aria_describedby="source-reads-how")
    address = attributes(
        id="source-address", name="address", dir="ltr", placeholder=say("sources.address_such_as"),
        required=True, autocomplete="off",
    )  # fmt: skip
    name = attributes(id="source-name", name="name", placeholder=say("sources.name_told"))
    file = attributes(
        id="source-file", type="file", accept=".json,.yaml,.yml", class_="for-screen-readers"
    )
    server = attributes(id="source-server", name="server", dir="ltr", placeholder="https://")
    secrets = attributes(
        id="source-secrets", name="secrets", dir="ltr", placeholder="header=MAPS_KEY"
    )
    return f"""
<p class="quiet-words">{say_html("sources.about")} {say_html("sources.when")}</p>
<form id="source-form" class="field">
<label for="source-address">{say_html("sources.address")}</label>
<input {address}>
<div class="row"><label class="small button" for="source-file">{icon("clip")}<span>{
        say_html("sources.choose_file")
    }</span></label><input {file}></div>
<label for="source-name">{say_html("sources.name")}</label><input {name}>
<label for="source-secrets">{say_html("sources.secrets")}</label><input {secrets}>
<p class="quiet-words">{inline_code(say("sources.secrets_how"))}</p>
<label for="source-server">{say_html("sources.server")}</label><input {server}>
<label class="check"><input {local}> {say_html("sources.local")}</label>
<label class="check"><input {reads}> {say_html("sources.reads")}</label>
<p class="quiet-words" id="source-reads-how">{say_html("sources.reads_how")}</p>
<div class="row"><button type="submit" class="small">{say_html("sources.add")}</button>
<p id="sources-status" role="status">{escape(said)}</p></div></form>
{sources_list(sources)}"""


def _source(source: Source) -> str:
    tools = "".join(
        f'<details class="fold source-tool" data-source="{escape(source.name)}" '
        f'data-tool="{escape(tool.name)}"><summary>{escape(tool_label(tool.name))}{_mark(tool)}'
        '</summary><div class="source-body"></div></details>'
        for tool in source.tools
    )
    tools_there = say_html("words.tools", count=len(source.tools))
    remove = attributes(
        type="button", class_="small", data_do="remove-source", data_source=source.name,
        data_sure=say("sources.remove_sure", name=source.name),
    )  # fmt: skip
    return (
        f'<li><details class="fold source" data-source="{escape(source.name)}">'
        f"<summary><b>{escape(source.name)}</b>: {tools_there}</summary>"
        f'<p class="quiet-words">{escape(source.description)} {escape(source.address)}</p>'
        f'<div class="row"><button {remove}>{say_html("sources.remove")}</button></div>{tools}'
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
    rows = [
        _row(source, tool, item.name, item.type, item.part, item) for item in tool.arguments
    ] + [_row(source, tool, RESULT, tool.returns, "", None)]
    acts = attributes(
        type="checkbox",
        data_do="source-acts",
        data_source=source.name,
        data_tool=tool.name,
        checked=tool.acts_outside,
    )
    run = attributes(
        type="button", class_="small", data_do="try-source-tool", data_source=source.name,
        data_tool=tool.name, data_acts=str(tool.acts_outside).lower(),
    )  # fmt: skip
    return (
        f"<template data-mark>{_mark(tool)}</template>"
        f"<p>{escape(tool.description)}</p>{''.join(rows)}"
        f'<label class="check"><input {acts}> {say_html("sources.acts")}</label>'
        f'<div class="row"><button {run}>{say_html("sources.try")}</button></div>{_tried(tried)}'
    )


def _row(
    source: Source,
    tool: ForeignTool,
    about: str,
    type_name: str,
    part: str,
    argument: ForeignArgument | None,
) -> str:
    """What an argument is called and is, and a value to try it with."""
    key = f"{source.name}-{tool.name}-{about}"
    choices = "".join(
        f"<option {attributes(value=value, selected=value == _value(type_name, part))}>"
        f"{escape(words)}</option>"
        for value, words in _choices(source, about, type_name, part)
    )
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
        f'<p class="quiet-words">{escape(why)}</p></div>'
    )


def _value(type_name: str, part: str) -> str:
    return f"{type_name}/{part}" if part else type_name


def _choices(source: Source, about: str, type_name: str, part: str) -> list[tuple[str, str]]:
    """The types that can be chosen: plain ones, and the entities that the source knows."""
    found = {_value(type_name, part): _words(type_name, part)}
    found |= {name: _words(name, "") for name in TYPES}
    for tool in source.tools:
        if about == RESULT and "." in tool.returns:
            found[tool.returns] = _words(tool.returns, "")
        for item in tool.arguments:
            if about != RESULT and item.part:
                found[_value(item.type, item.part)] = _words(item.type, item.part)
    return list(found.items())


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
