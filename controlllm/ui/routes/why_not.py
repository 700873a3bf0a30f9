"""Why a tool is not in the ways of a part of a request."""

from __future__ import annotations

from starlette.responses import Response
from starlette.routing import Route

from controlllm.editing.why_not import WhyNot
from controlllm.resources.probing import BadInput
from controlllm.toolbox import Toolbox
from controlllm.ui.calls import OWN, Call, in_thread, shown
from controlllm.ui.drawings.why_not import why_not_answer
from controlllm.ui.texts import say

#: How many tools are told of at once.
_MOST = 5


def why_not(call: Call) -> Response:
    """Why tools that a person names were not taken."""
    conversations, session = call.conversations, call.session()
    turn, subtask = call.field("turn", int), call.field("subtask", int)
    names = named(conversations.assistant.toolbox, call.field("words", str))[:_MOST]
    state = call.request.app.state
    if not hasattr(state, "why_not"):
        state.why_not = WhyNot(conversations.assistant)
    settings = conversations.settings(call.session_id)
    try:
        found: WhyNot = state.why_not
        return shown(why_not_answer(found.ask(session, turn, subtask, names, settings)))
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


ROUTES = (Route(f"{OWN}/why-not", in_thread(why_not), methods=["POST"]),)
