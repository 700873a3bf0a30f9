"""Results that carry the recipe that made them, as they leave and as they come back."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any

from starlette.background import BackgroundTask
from starlette.responses import Response

from controlllm.core.session import Session
from controlllm.recipes import recipe_of
from controlllm.recipes.archive import with_recipe
from controlllm.resources import Resource, decode
from controlllm.runs.assistant import Assistant
from controlllm.ui.calls import Call
from controlllm.ui.files import media_response


def downloaded(call: Call, value: str, path: Path, media_type: str) -> Response:
    """A file to keep. What a request has made carries its recipe, unless the settings forbid it;
    what is stored stays as it is."""
    conversations = call.conversations
    store = conversations.assistant.store
    recipe = ""
    if conversations.settings(call.session_id).recipes_in_files:
        recipe = _recipe_for(call.session(), value, conversations.assistant)
    with ExitStack() as stack:
        if recipe:
            folder = stack.enter_context(store.work_folder())
            path = with_recipe(path, value, recipe, folder)
        response = media_response(path, media_type, value, False, True)
        if recipe:
            response.headers["cache-control"] = "no-store"
            response.background = BackgroundTask(stack.pop_all().close)
        return response


def _recipe_for(session: Session, value: str, assistant: Assistant) -> str:
    """The text of the recipe of the request that made a resource last; empty where none did."""

    store, toolbox = assistant.store, assistant.toolbox

    def read(resource: Resource) -> Any:
        return decode(resource.type, store.path(resource.digest, resource.media_type))

    for turn in reversed(session.turns):
        if turn.plan is not None and value in {item.value for item in turn.every}:
            try:
                return (
                    recipe_of(session, turn, "", read, toolbox=toolbox)
                    .named_after_request()
                    .to_text()
                )
            except (ValueError, KeyError):
                return ""
    return ""
