"""The toolbox: which tools there are, and the weights that are fetched for them."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

from starlette.exceptions import HTTPException

from controlllm.models.weights.pulling import ENDS
from controlllm.ui.calls import Call
from controlllm.ui.drawings.toolbox_view import tool_card, toolbox_parts
from controlllm.ui.drawings.wording import tool_label
from controlllm.ui.outcome import NOTHING, Outcome
from controlllm.ui.texts import say
from controlllm.ui.verbs.registry import verb


@verb("toolbox")
def open_toolbox(call: Call) -> Outcome:
    """Open the toolbox, at a tool where one is wanted."""
    return Outcome(opens={"what": "toolbox", "find": call.field("find", str, "")})


def tools_in_parts(call: Call, words: str, told: Collection[str]) -> list[str]:
    """The tools that words are searched for in, or all; how the fetching of weights goes is said
    of those in `told`."""
    going = call.conversations.pulls.progress()
    pulls = {name: pull for name, pull in going.items() if name in told}
    return toolbox_parts(call.assistant.toolbox, call.settings, pulls, call.may_pull, words)


def cards_of(call: Call, names: Collection[str]) -> dict[str, str]:
    """The cards of these tools, by name, as they are now."""
    known, pulls = call.assistant.toolbox, call.conversations.pulls.progress()
    return {
        name: tool_card(known[name], known, call.settings, pulls.get(name), call.may_pull)
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


def change_weights(call: Call, wish: str, tool: str) -> Outcome:
    """Fetch a tool's weights, stop fetching them, or remove them from this machine; raises
    HTTPException where that cannot be done."""
    if tool not in call.assistant.toolbox:
        raise HTTPException(404, say("errors.no_tool"))
    if not call.may_pull:
        raise HTTPException(403, say("toolbox.not_allowed"))
    settings, pulls = call.settings, call.conversations.pulls
    if wish == "pull":
        return Outcome(begin=partial(pulls.begin, tool, settings.weights_size))
    if wish == "stop-pull":
        return Outcome(begin=partial(pulls.stop, tool))
    for way in call.assistant.toolbox.implementations[tool] if wish == "remove-weights" else ():
        for weights in settings.capabilities.weights_of(way.weights).values():
            weights.remove()
    return NOTHING


def try_all(call: Call, begins: bool) -> Outcome:
    """Begin trying every tool, or stop; raises HTTPException where that may not be done here."""
    if not call.may_pull:
        raise HTTPException(403, say("selftest.not_here"))
    tests = call.conversations.self_tests
    return Outcome(begin=tests.begin if begins else tests.stop)
