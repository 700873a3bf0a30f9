"""The toolbox: which tools there are, and the weights that are fetched for them."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from starlette.exceptions import HTTPException

from controlllm.models.weights.pulling import ENDS, Progress
from controlllm.ui.calls import Call
from controlllm.ui.drawings.toolbox_view import tool_card, toolbox_parts
from controlllm.ui.drawings.wording import tool_label
from controlllm.ui.outcome import Outcome
from controlllm.ui.texts import say
from controlllm.ui.verbs.registry import verb


@verb("toolbox")
def open_toolbox(call: Call) -> Outcome:
    """Open the toolbox, at a tool where one is wanted."""
    return Outcome(opens={"what": "toolbox", "find": call.field("find", str, "")})


def tools_in_parts(call: Call, words: str, told: Collection[str]) -> list[str]:
    """The tools that words are searched for in, or all; how the fetching of weights goes is said
    of those in `told`."""
    conversations = call.conversations
    settings, known = conversations.settings(call.session_id), conversations.assistant.toolbox
    pulls = {name: pull for name, pull in conversations.pulls.progress().items() if name in told}
    return toolbox_parts(known, settings, pulls, call.may_pull, words)


def cards_of(call: Call, names: Collection[str]) -> dict[str, str]:
    """The cards of these tools, by name, as they are now."""
    conversations = call.conversations
    settings, known = conversations.settings(call.session_id), conversations.assistant.toolbox
    pulls: Mapping[str, Progress] = conversations.pulls.progress()
    return {
        name: tool_card(known[name], known, settings, pulls.get(name), call.may_pull)
        for name in names
        if name in known
    }


def being_fetched(call: Call) -> list[str]:
    """The tools whose weights are being fetched."""
    pulls = call.conversations.pulls.progress()
    return [name for name, pull in pulls.items() if pull.step not in ENDS]


def label_of(call: Call, tool: str) -> str:
    """What a tool is called; empty where there is none of this name."""
    return tool_label(tool) if tool in call.assistant.toolbox else ""


def may_change_weights(call: Call, tool: str) -> Call:
    """The call itself; raises HTTPException where weights of this tool cannot be changed by it."""
    if tool not in call.assistant.toolbox:
        raise HTTPException(404, say("errors.no_tool"))
    if not call.may_pull:
        raise HTTPException(403, say("toolbox.not_allowed"))
    return call


def remove_weights(call: Call, tool: str) -> Call:
    """Remove a tool's weights from this machine."""
    may_change_weights(call, tool)
    settings = call.settings
    for way in call.assistant.toolbox.implementations[tool]:
        for weights in settings.capabilities.weights_of(way.weights).values():
            weights.remove()
    return call


def may_try_all(call: Call) -> Call:
    """The call itself; raises HTTPException where it may not have all tools tried."""
    if not call.may_pull:
        raise HTTPException(403, say("selftest.not_here"))
    return call
