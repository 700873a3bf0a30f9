"""The page's routes for tools from elsewhere; only whoever sits at the machine may use them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from starlette.responses import Response
from starlette.routing import Route

from controlllm.resources.probing import BadInput
from controlllm.sources.trying import Tried
from controlllm.ui.calls import OWN, Call, in_thread, shown
from controlllm.ui.drawings.sources_view import source_tool, sources_panel
from controlllm.ui.texts import say
from controlllm.ui.verbs.sources import (
    Wanted,
    add_source,
    check_may_add,
    may_add,
    named,
    remove_source,
    sources_of,
    tried_with,
    with_acts,
    with_type,
)


def panel(call: Call) -> Response:
    """The sources of tools that were added."""
    return _panel(call)


def _panel(call: Call, said: str = "") -> Response:
    return shown(sources_panel(sources_of(call), may_add(call), said))


def add(call: Call) -> Response:
    """Add what stands at an address that a person has typed."""
    check_may_add(call)
    address = call.field("address", str, "").strip()
    with _document(call, address) as document:
        wanted = Wanted(
            address,
            *(call.field(part, str, "") for part in ("name", "server", "secrets")),
            call.field("local", bool, False),
            call.field("reads", bool, False),
            document,
        )
        source = add_source(call, wanted)
    return _panel(call, say("sources.added", name=source.name))


def forget(call: Call) -> Response:
    """Remove a source with its tools."""
    remove_source(call, call.part("source"))
    return _panel(call, say("sources.removed", name=call.part("source")))


def tool(call: Call) -> Response:
    """One tool of a source, with the types inferred."""
    return shown(source_tool(*named(call, call.part("source"), call.part("tool"))))


def change(call: Call) -> Response:
    """Correct a tool's types, or try it."""
    name, about = call.part("source"), call.part("tool")
    wish = call.field("wish", str)
    tried: Tried | None = None
    if wish == "type":
        chosen = call.field("type", str, "")
        source, _ = with_type(call, name, about, call.field("about", str, ""), chosen)
    elif wish == "acts":
        source, _ = with_acts(call, name, about, call.field("acts", bool))
    elif wish == "try":
        values, is_allowed = call.field("values", dict, {}), call.field("allowed", bool, False)
        source, _, tried = tried_with(call, name, about, values, is_allowed)
    else:
        raise BadInput(say("errors.field_not_read", field="wish"))
    return shown(source_tool(source, next(t for t in source.tools if t.name == about), tried))


@contextmanager
def _document(call: Call, address: str) -> Iterator[Path | None]:
    """The document that was sent along, as a file."""
    document = call.field("document", str, "")
    if not document:
        yield None
        return
    with call.conversations.assistant.store.work_folder() as folder:
        place = Path(folder) / (Path(address).name or "document")
        place.write_text(document, "utf-8")
        yield place


_SOURCES = f"{OWN}/sources"
ROUTES = (
    Route(_SOURCES, in_thread(panel), methods=["GET"]),
    Route(_SOURCES, in_thread(add), methods=["POST"]),
    Route(f"{_SOURCES}/{{source}}", in_thread(forget), methods=["DELETE"]),
    Route(f"{_SOURCES}/{{source}}/{{tool}}", in_thread(tool), methods=["GET"]),
    Route(f"{_SOURCES}/{{source}}/{{tool}}", in_thread(change), methods=["POST"]),
)
