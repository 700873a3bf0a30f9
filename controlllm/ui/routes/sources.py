"""The page's routes for tools from elsewhere; only whoever sits at the machine may use them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from controlllm.network.addresses import Refused, machines_here
from controlllm.network.transport import place_of
from controlllm.resources.probing import BadInput
from controlllm.sources.adding import found_at
from controlllm.sources.correcting import corrected
from controlllm.sources.keeping import keep, remove, source_named
from controlllm.sources.loading import folder_of, kept_sources, with_sources_now
from controlllm.sources.source import ForeignTool, Source
from controlllm.sources.trying import try_tool
from controlllm.toolbox import ToolError
from controlllm.ui.calls import OWN, Call, in_thread, shown
from controlllm.ui.drawings.sources_view import source_tool, sources_panel
from controlllm.ui.operating import is_from_here
from controlllm.ui.texts import say

_LONGEST = 2000


def _is_here(call: Call) -> bool:
    """Whether it comes from whoever may add tools: by their account, else at this machine."""
    return call.is_operators if call.account is not None else is_from_here(call.request)


def panel(call: Call) -> Response:
    """The sources of tools that were added."""
    return _panel(call)


def _panel(call: Call, said: str = "") -> Response:
    may_add = _is_here(call)
    if may_add:
        _use_now(call)
    sources = list(kept_sources(folder_of(_home(call)))) if may_add else []
    return shown(sources_panel(sources, may_add, said))


def add(call: Call) -> Response:
    """Add what stands at an address that a person has typed."""
    _check(call)
    address, name = _words(call, "address"), _words(call, "name")
    server = _words(call, "server")
    secrets = {}
    for pair in _words(call, "secrets").replace(",", " ").split():
        role, equals, named = pair.partition("=")
        if not (role and equals and named):
            raise BadInput(say("sources.secret_how"))
        secrets[role] = named
    try:
        is_local = call.field("local", bool, False)
        more: dict[str, Any] = {"server": server} if server else {}
        more |= {"reads": True} if call.field("reads", bool, False) else {}
        with _given(call, address) as place:
            source = found_at(
                place,
                name,
                is_local=is_local,
                secrets=secrets,
                home=_home(call),
                **more,
            )
        if place != address:
            source = replace(source, address=address)
        if not is_local:
            _check_is_public(source)
        kept = {item.name: item.address for item in kept_sources(folder_of(_home(call)))}
        # The same once more takes the place of what was read before.
        if kept.get(source.name, source.address) != source.address:
            raise BadInput(say("sources.there_already", name=source.name))
        keep(source, _home(call))
    except (ToolError, ValueError, OSError) as error:
        raise BadInput(str(error)) from None
    return _panel(call, say("sources.added", name=source.name))


def forget(call: Call) -> Response:
    """Remove a source with its tools."""
    _check(call)
    try:
        remove(call.part("source"), _home(call))
    except KeyError:
        raise HTTPException(404, say("errors.no_tools")) from None
    return _panel(call, say("sources.removed", name=call.part("source")))


def tool(call: Call) -> Response:
    """One tool of a source, with the types inferred."""
    _check(call)
    return shown(source_tool(*_named(call)))


def change(call: Call) -> Response:
    """Correct a tool's types, or try it."""
    _check(call)
    source, found = _named(call)
    wish, tried = call.field("wish", str), None
    try:
        if wish == "type":
            type_name, _, part = _words(call, "type").partition("/")
            source = corrected(source, found.name, _words(call, "about"), type_name, part)
        elif wish == "acts":
            source = corrected(source, found.name, acts_outside=call.field("acts", bool))
        elif wish == "try":
            given = {
                str(name): str(value)[:_LONGEST]
                for name, value in call.field("values", dict, {}).items()
                if str(value).strip()
            }
            tried = try_tool(source, found, given, is_allowed=call.field("allowed", bool, False))
            if tried.is_done:
                source = corrected(source, found.name, is_checked=True)
        else:
            raise BadInput(say("errors.field_not_read", field="wish"))
        source = keep(source, _home(call))
        _use_now(call)
    except (ToolError, ValueError, OSError) as error:
        raise BadInput(str(error)) from None
    return shown(source_tool(source, _tool_of(source, found.name), tried))


def _check_is_public(source: Source) -> None:
    """Raise BadInput where a source would be asked nearby, and nobody has said that it is there."""
    server = str(source.options.get("server") or "")
    if not server:
        return
    where = place_of(server)
    try:
        machines_here(where)
    except Refused:
        raise BadInput(say("sources.is_near", host=where.host)) from None
    except OSError:
        return  # It is not known now; whoever asks it looks again.


def _use_now(call: Call) -> None:
    """Have requests planned with the sources as they are kept now, whoever has changed them."""
    assistant = call.conversations.assistant
    found = with_sources_now(assistant.toolbox, _home(call))
    if found is not assistant.toolbox:
        assistant.use(found)


def _check(call: Call) -> None:
    if not _is_here(call):
        raise HTTPException(403, say("sources.only_here"))


def _home(call: Call) -> Path:
    return call.conversations.assistant.store.folder


@contextmanager
def _given(call: Call, address: str) -> Iterator[str]:
    """Where to look: the address, or the document that was sent along, as a file.

    Raises BadInput where it is a path and whoever sends it does not sit at this machine.
    """
    document = call.field("document", str, "")
    if not document:
        if "://" not in address and not is_from_here(call.request):
            raise BadInput(say("sources.choose_instead"))
        yield address
        return
    with call.conversations.assistant.store.work_folder() as folder:
        place = Path(folder) / (Path(address).name or "document")
        place.write_text(document, "utf-8")
        yield str(place)


def _words(call: Call, name: str) -> str:
    words = call.field(name, str, "").strip()
    if len(words) > _LONGEST:
        raise BadInput(say("errors.too_long"))
    return words


def _named(call: Call) -> tuple[Source, ForeignTool]:
    try:
        source = source_named(call.part("source"), _home(call))
        return source, _tool_of(source, call.part("tool"))
    except (KeyError, StopIteration):
        raise HTTPException(404, say("errors.no_tool")) from None


def _tool_of(source: Source, name: str) -> ForeignTool:
    return next(item for item in source.tools if item.name == name)


_SOURCES = f"{OWN}/sources"
ROUTES = (
    Route(_SOURCES, in_thread(panel), methods=["GET"]),
    Route(_SOURCES, in_thread(add), methods=["POST"]),
    Route(f"{_SOURCES}/{{source}}", in_thread(forget), methods=["DELETE"]),
    Route(f"{_SOURCES}/{{source}}/{{tool}}", in_thread(tool), methods=["GET"]),
    Route(f"{_SOURCES}/{{source}}/{{tool}}", in_thread(change), methods=["POST"]),
)
