"""The toolbox: its list, a tool's card, and its weights."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from controlllm.models.weights.pulling import ENDS
from controlllm.ui.calls import OWN, Call, in_thread, shown
from controlllm.ui.drawings.self_test import self_test_fold
from controlllm.ui.drawings.sources_view import sources_fold
from controlllm.ui.drawings.toolbox_view import tool_card, toolbox_list
from controlllm.ui.pulls import TooManyPulls
from controlllm.ui.texts import say


def toolbox(call: Call) -> Response:
    """All tools, and whether each can run here."""
    conversations = call.conversations
    settings, known = conversations.settings(call.session_id), conversations.assistant.toolbox
    # How an earlier one ended was shown when it did.
    going_on = {
        name: pull for name, pull in conversations.pulls.progress().items() if pull.step not in ENDS
    }
    listed = toolbox_list(known, settings, going_on, call.may_pull)
    return shown(sources_fold() + self_test_fold() + listed)


def toolbox_card(call: Call) -> Response:
    """One tool as the list shows it."""
    conversations, name = call.conversations, call.part("name")
    settings, known = conversations.settings(call.session_id), conversations.assistant.toolbox
    if name not in known:
        raise HTTPException(404, say("errors.no_tool"))
    pull = conversations.pulls.progress().get(name)
    return shown(tool_card(known[name], known, settings, pull, call.may_pull))


async def change_weights(request: Request) -> Response:
    """Fetch a tool's weights, stop fetching them, or remove them."""
    body = await request.body()
    call = await run_in_threadpool(Call.of, request, body)
    conversations, name, wish = call.conversations, call.part("name"), call.field("wish", str)
    if name not in conversations.assistant.toolbox:
        raise HTTPException(404, say("errors.no_tool"))
    if not call.may_pull:
        raise HTTPException(403, say("toolbox.not_allowed"))
    settings = conversations.settings(call.session_id)
    if wish == "pull":
        try:
            await conversations.pulls.begin(name, settings.weights_size)
        except TooManyPulls as error:
            raise HTTPException(409, str(error)) from None
    elif wish == "stop":
        await conversations.pulls.stop(name)
    elif wish == "remove":
        for way in conversations.assistant.toolbox.implementations[name]:
            for weights in settings.capabilities.weights_of(way.weights).values():
                await run_in_threadpool(weights.remove)
    return await run_in_threadpool(toolbox_card, call)


ROUTES = (
    Route(f"{OWN}/toolbox", in_thread(toolbox), methods=["GET"]),
    Route(f"{OWN}/toolbox/{{name}}", in_thread(toolbox_card), methods=["GET"]),
    Route(f"{OWN}/toolbox/{{name}}", change_weights, methods=["POST"]),
)
