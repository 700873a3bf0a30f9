"""What a component asks while somebody works in it: nothing in the page changes by it but there."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Any

from controlllm.comparing.choosing import known_of
from controlllm.editing.why_not import WhyNot
from controlllm.resources.probing import BadInput
from controlllm.toolbox import Toolbox
from controlllm.ui.calls import Call
from controlllm.ui.drawings.differing import preview
from controlllm.ui.drawings.solutions import why_not_answer
from controlllm.ui.texts import say
from controlllm.ui.verbs.registry import VERBS
from controlllm.ui.view import TurnView

Look = Callable[[Call], Any]

LOOKS: dict[str, Look] = {}

#: How many tools are told of at once.
_MOST = 5


def look(name: str) -> Callable[[Look], Look]:
    """Register a function under the name by which components ask for it (``do``). It is called in a
    thread, or on the event loop where it is asynchronous, returns what JSON can hold, and may raise
    what verbs may."""

    def register(function: Look) -> Look:
        assert name not in LOOKS, name
        LOOKS[name] = function
        return function

    return register


@look("panel")
def look_at_panel(call: Call) -> dict[str, Any]:
    """How a panel looks now in which something goes on: what its verb draws, without what that is
    known by its mark to the page already."""
    panel = VERBS[call.field("panel", str)](call).panel
    if panel is None:
        raise BadInput(say("errors.field_not_read", field="panel"))
    parts, known = [panel.html, *panel.pieces], call.field("marks", list, [])
    marks = [f"{zlib.crc32(part.encode()):x}" for part in parts]
    changed = [
        None if place < len(known) and known[place] == mark else part
        for place, (part, mark) in enumerate(zip(parts, marks, strict=True))
    ]
    return {"parts": changed, "marks": marks, "live": panel.is_live, "title": panel.title}


@look("preview")
def show_preview(call: Call) -> dict[str, str]:
    """What a way would do, from what is known; nothing is run."""
    session, conversations = call.session(), call.conversations
    turn, subtask, way = (call.number(name) for name in ("turn", "subtask", "solution"))
    if not 0 <= turn < len(session.turns):
        raise BadInput(say("compare.no_way"))
    there = session.turns[turn]
    if there.plan is None or not 0 <= way < len(there.plan.solutions.get(subtask, ())):
        raise BadInput(say("compare.no_way"))
    assistant, settings = conversations.assistant, conversations.settings(session.id)
    found = known_of(assistant.engine, assistant.store, session, there, subtask, way, settings)
    view, media = TurnView.of(there, session), conversations.media_of(session)
    return {"html": preview(view, subtask, way, found, media, session.resources)}


@look("why-not")
def why_not(call: Call) -> dict[str, str]:
    """Why tools that a person names were not taken."""
    conversations, session = call.conversations, call.session()
    turn, subtask = call.number("turn"), call.number("subtask")
    names = named(conversations.assistant.toolbox, call.field("words", str))[:_MOST]
    settings = conversations.settings(call.session_id)
    try:
        asked: WhyNot = conversations.why_not
        return {"html": why_not_answer(asked.ask(session, turn, subtask, names, settings))}
    except IndexError:
        raise BadInput(say("plan_editing.no_plan")) from None


def named(toolbox: Toolbox, words: str) -> list[str]:
    """The names of the tools that have all of some words in their names; where none has, of those
    that say them of themselves."""
    wanted = words.lower().replace("_", " ").split()
    if not wanted:
        return []
    names = {tool.name: tool.name.replace("_", " ").lower() for tool in toolbox}
    found = [name for name, said in names.items() if all(word in said for word in wanted)]
    if not found:
        said = {tool.name: tool.description.lower() for tool in toolbox}
        found = [name for name in names if all(word in said[name] for word in wanted)]
    return sorted(found, key=lambda name: (len(name), name))
