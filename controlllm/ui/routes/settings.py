"""The settings: their form, and what it sends."""

from __future__ import annotations

from starlette.responses import Response
from starlette.routing import Route

from controlllm.comparing.choosing import habits_of
from controlllm.settings import Settings
from controlllm.settings.data_egress import data_egress
from controlllm.ui.calls import OWN, Call, answer, in_thread, shown
from controlllm.ui.drawings.habits import remembered
from controlllm.ui.drawings.leaves import leaves
from controlllm.ui.drawings.settings_panel import settings_form
from controlllm.ui.verbs.settings import Sender, changed, tried_in_words


def get_settings(call: Call) -> Response:
    """The settings of a conversation, as a form."""
    conversations = call.conversations
    return _form(call, conversations.settings(call.session_id))


def set_settings(call: Call) -> Response:
    """Change settings to what the form sent."""
    conversations = call.conversations
    settings = _changed(call)
    conversations.set_settings(call.session_id, settings)
    return _form(call, settings)


def _changed(call: Call) -> Settings:
    return changed(call.conversations.settings(call.session_id), call.sent, Sender.of(call))


def _form(call: Call, settings: Settings) -> Response:
    conversations = call.conversations
    habits = habits_of(conversations.assistant.store, call.session_id)
    form = settings_form(settings, conversations.hosts(), call.is_operators)
    return shown(form + remembered(habits.places))


def leaves_line(call: Call) -> Response:
    """What would leave this machine, in words."""
    return shown(leaves(data_egress(call.conversations.settings(call.session_id))))


def test_model(call: Call) -> Response:
    """Ask the language model of a form that need not be saved for one short answer."""
    return answer({"said": tried_in_words(_changed(call))})


ROUTES = (
    Route(f"{OWN}/leaves", in_thread(leaves_line), methods=["GET"]),
    Route(f"{OWN}/settings/test", in_thread(test_model), methods=["POST"]),
    Route(f"{OWN}/settings", in_thread(get_settings), methods=["GET"]),
    Route(f"{OWN}/settings", in_thread(set_settings), methods=["POST"]),
)
