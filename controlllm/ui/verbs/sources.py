"""Tools from elsewhere: added, looked at, corrected, tried and removed by whoever may add them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from starlette.exceptions import HTTPException

from controlllm.network.addresses import Refused, machines_here
from controlllm.network.transport import place_of
from controlllm.resources.probing import BadInput
from controlllm.sources.correcting import acting, corrected, tried
from controlllm.sources.keeping import found_at, keep, remove, source_named
from controlllm.sources.loading import folder_of, kept_sources, with_sources_now
from controlllm.sources.source import Adding, ForeignTool, Source
from controlllm.sources.trying import Tried, try_tool
from controlllm.toolbox import ToolError
from controlllm.ui.calls import Call
from controlllm.ui.drawings.sources_view import source_tool
from controlllm.ui.operating import is_from_here
from controlllm.ui.texts import say
from controlllm.ui.verbs.registry import look

_LONGEST = 2000


@dataclass(frozen=True)
class Wanted:
    """What a person says of tools to be added; what is empty is told from what stands there.

    `document` is a file that was sent along: then `address` is its name.
    """

    address: str
    name: str = ""
    server: str = ""
    secrets: str = ""
    is_local: bool = False
    reads: bool = False
    document: Path | None = None


def may_add(call: Call) -> bool:
    """Whether it comes from whoever may add tools: by their account, else at this machine."""
    return call.is_operators if call.account is not None else is_from_here(call.request)


def check_may_add(call: Call) -> None:
    """Raise HTTPException (403) where it comes from somebody else."""
    if not may_add(call):
        raise HTTPException(403, say("sources.only_here"))


def sources_of(call: Call) -> list[Source]:
    """What was added, as it is kept now and used from now on."""
    if not may_add(call):
        return []
    use_now(call)
    return list(kept_sources(folder_of(_home(call))))


def use_now(call: Call) -> None:
    """Have requests planned with the sources as they are kept now, whoever has changed them."""
    assistant = call.assistant
    found = with_sources_now(assistant.toolbox, _home(call))
    if found is not assistant.toolbox:
        assistant.use(found)


def add_source(call: Call, wanted: Wanted) -> Source:
    """Add what stands at an address, or in a document; raises BadInput where it cannot be added."""
    check_may_add(call)
    address = _short(wanted.address)
    if not address:
        raise BadInput(say("sources.address_missing"))
    if wanted.document is None and "://" not in address and not is_from_here(call.request):
        raise BadInput(say("sources.choose_instead"))
    adding = Adding(
        wanted.is_local,
        _secrets(_short(wanted.secrets)),
        _home(call),
        reads=wanted.reads,
        server=_short(wanted.server),
    )
    with _refusing():
        source = found_at(
            address if wanted.document is None else str(wanted.document),
            _short(wanted.name),
            adding,
        )
        if wanted.document is not None:
            source = replace(source, address=address)
        if not wanted.is_local:
            _check_is_public(source)
        kept = {item.name: item.address for item in kept_sources(folder_of(_home(call)))}
        # The same once more takes the place of what was read before.
        if kept.get(source.name, source.address) != source.address:
            raise BadInput(say("sources.there_already", name=source.name))
        keep(source, _home(call))
    return source


def _secrets(said: str) -> dict[str, str]:
    secrets = {}
    for pair in said.replace(",", " ").split():
        role, equals, named = pair.partition("=")
        if not (role and equals and named):
            raise BadInput(say("sources.secret_how"))
        secrets[role] = named
    return secrets


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


def remove_source(call: Call, name: str) -> None:
    """Remove a source with its tools."""
    check_may_add(call)
    try:
        remove(name, _home(call))
    except KeyError:
        raise HTTPException(404, say("errors.no_tools")) from None


@look("source-tool")
def look_at_tool(call: Call) -> dict[str, str]:
    """One tool of a source, with the types inferred."""
    return {"html": source_tool(*_sent(call))}


@look("source-type")
def correct_type(call: Call) -> dict[str, str]:
    """Say what an argument of a tool is, or what it returns; kept and used from now on."""
    source, tool = _sent(call)
    about, chosen = call.field("about", str), call.field("chosen", str)
    type_name, _, part = _short(chosen).partition("/")
    with _refusing():
        return _drawn(call, corrected(source, tool.name, _short(about), type_name, part), tool)


@look("source-acts")
def correct_acts(call: Call) -> dict[str, str]:
    """Say whether a tool does what cannot be taken back; kept and used from now on."""
    source, tool = _sent(call)
    acts = call.field("chosen", bool)
    with _refusing():
        return _drawn(call, acting(source, tool.name, acts), tool)


@look("try-source-tool")
def try_it(call: Call) -> dict[str, str]:
    """Call a tool with values for its arguments; one that worked is kept as tried."""
    source, tool = _sent(call)
    values, is_allowed = call.field("values", dict, {}), call.field("allowed", bool, False)
    given = {
        str(about): str(value)[:_LONGEST] for about, value in values.items() if str(value).strip()
    }
    with _refusing():
        found = try_tool(source, tool, given, is_allowed=is_allowed)
        if found.is_done:
            source = tried(source, tool.name)
        return _drawn(call, source, tool, found)


@contextmanager
def _refusing() -> Iterator[None]:
    """Raise BadInput with what was wrong."""
    try:
        yield
    except (ToolError, ValueError, OSError) as error:
        raise BadInput(str(error)) from None


def _drawn(
    call: Call, source: Source, tool: ForeignTool, tried: Tried | None = None
) -> dict[str, str]:
    """A tool of a source that has changed, drawn; the source is kept, and used from now on."""
    source = keep(source, _home(call))
    use_now(call)
    return {"html": source_tool(source, _tool_of(source, tool.name), tried)}


def _sent(call: Call) -> tuple[Source, ForeignTool]:
    """The source and the tool of it that were sent; raises HTTPException (404) where there is
    none."""
    check_may_add(call)
    name, tool = call.field("source", str), call.field("tool", str)
    try:
        source = source_named(name, _home(call))
        return source, _tool_of(source, tool)
    except (KeyError, StopIteration):
        raise HTTPException(404, say("errors.no_tool")) from None


def _tool_of(source: Source, name: str) -> ForeignTool:
    return next(item for item in source.tools if item.name == name)


def _home(call: Call) -> Path:
    return call.store.folder


def _short(words: str) -> str:
    words = words.strip()
    if len(words) > _LONGEST:
        raise BadInput(say("errors.too_long"))
    return words
