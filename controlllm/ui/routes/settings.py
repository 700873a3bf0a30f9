"""The settings: their form, and what it sends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, cast
from urllib.parse import urlsplit

from starlette.responses import Response
from starlette.routing import Route

from controlllm.comparing.choosing import habits_of
from controlllm.language.endpoint import EndpointError
from controlllm.language.trial import try_model
from controlllm.models.weights import Size
from controlllm.network.addresses import Refused, machines_here
from controlllm.network.transport import place_of
from controlllm.resources.probing import BadInput
from controlllm.settings import BEST_VARIANT, AgentName, Preference, Settings
from controlllm.settings.data_egress import data_egress
from controlllm.toolbox.capabilities import HostedTool
from controlllm.ui.calls import OWN, Call, answer, in_thread, shown
from controlllm.ui.drawings.habits import remembered
from controlllm.ui.drawings.leaves import leaves
from controlllm.ui.drawings.settings_panel import settings_form
from controlllm.ui.texts import say

#: Of one settings field, in characters.
_LONGEST = 2000


@dataclass(frozen=True)
class _Sender:
    """Whether somebody may set addresses, and whether these must then be public ones: where others
    reach the server, one of its own network is for its environment to name, not for a page."""

    may_set: bool
    only_public: bool

    @classmethod
    def of(cls, call: Call) -> _Sender:
        return cls(call.is_operators, call.conversations.is_shared)

    def check(self, address: str) -> bool:
        """Whether an address that was typed is asked only while it is public.

        Raises BadInput where it cannot be set.
        """
        if not address:
            return False
        if not self.may_set:
            raise BadInput(say("accounts.only_operator"))
        if self.only_public:
            try:
                machines_here(place_of(address))
            except Refused as error:
                raise BadInput(say("accounts.not_public", reason=str(error))) from None
            except OSError:
                raise BadInput(say("accounts.not_known", address=address)) from None
        return self.only_public


def get_settings(call: Call) -> Response:
    """The settings of a conversation, as a form."""
    conversations = call.conversations
    return _form(call, conversations.settings(call.session_id))


def set_settings(call: Call) -> Response:
    """Change settings to what the form sent."""
    conversations = call.conversations
    changed = _changed(conversations.settings(call.session_id), call.sent, _Sender.of(call))
    conversations.set_settings(call.session_id, changed)
    return _form(call, changed)


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
    settings = _changed(call.conversations.settings(call.session_id), call.sent, _Sender.of(call))
    if not settings.has_model:
        raise BadInput(say("language_model.test_nothing"))
    try:
        found = try_model(settings.base_url, settings.api_key, settings.model, settings.only_public)
    except EndpointError as error:
        raise BadInput(str(error)) from None
    told = [say("language_model.tested", model=settings.model, seconds=found.seconds)]
    if not found.takes_schemas:
        told.append(say("language_model.tested_no_schemas"))
    if not found.understood:
        told.append(say("language_model.tested_astray"))
    return answer({"said": " ".join(told)})


def _changed(
    settings: Settings, sent: Mapping[str, Any], who: _Sender = _Sender(True, False)
) -> Settings:
    """The settings with what the form sent; an empty key field keeps the key.

    Raises BadInput where an address is none, or a choice is none of those offered.
    """
    if not all(
        isinstance(value, bool | int | float) or (isinstance(value, str) and len(value) <= _LONGEST)
        for value in sent.values()
    ):
        raise BadInput(say("settings.not_read"))
    if sent.get("forget"):
        stay = (
            "preference",
            "weights_size",
            "hosted",
            "go_on",
            "stop_when_left",
            "manner",
            "act_when_stuck",
            "recipes_in_files",
            "agent",
            "divide_first",
            "results_apart",
        )
        kept = {name: getattr(settings, name) for name in stay}
        return Settings(public_services=settings.public_services, **kept)
    address = _address(
        sent.get("base_url", settings.base_url),
        "language_model.bad_address",
        "http://localhost:11434/v1",
    )
    only_public = settings.only_public
    if address != settings.base_url:
        only_public = who.check(address)
    # A key belongs to the address it was typed for; it is never sent to another.
    kept_key = settings.api_key if address == settings.base_url else ""
    names = ("image_model", "speech_model", "speech_voice", "transcription_model")
    models: dict[str, Any] = {name: str(sent.get(name, "")).strip() for name in names}
    key = str(sent.get("api_key", "")).strip() or kept_key
    variant = str(sent.get("variant", settings.variant))
    if variant == BEST_VARIANT and not (address or key):
        # What the form shows where nobody chose; it holds as soon as there is a model.
        variant = ""
    try:
        return replace(
            settings,
            base_url=address,
            api_key=key,
            model=str(sent.get("model", "")).strip() or Settings().model,
            answer_with_model=bool(sent.get("answer_with_model")),
            variant=variant,
            fall_back=bool(sent.get("fall_back")),
            preference=cast(Preference, sent.get("preference", settings.preference)),
            tools_use_endpoint=bool(sent.get("tools_use_endpoint")),
            public_services=bool(sent.get("public_services")),
            go_on=settings.go_on,
            stop_when_left=bool(sent.get("stop_when_left")),
            manner="act" if sent.get("acts") else "plan",
            act_when_stuck=bool(sent.get("act_when_stuck")),
            recipes_in_files=bool(sent.get("recipes_in_files")),
            agent=cast(AgentName, sent.get("agent", settings.agent)),
            divide_first=bool(sent.get("divide_first")),
            weights_size=cast(Size, sent.get("weights_size", settings.weights_size)),
            hosted=_hosted(settings.hosted, sent, who),
            only_public=only_public,
            **models,
        )
    except ValueError as error:
        raise BadInput(str(error)) from None


def _hosted(
    known: Mapping[str, HostedTool], sent: Mapping[str, Any], who: _Sender
) -> dict[str, HostedTool]:
    """The programs elsewhere that do tools' work, with what the form adds and takes away."""
    kept = [tool for tool in known if not (who.may_set and sent.get(f"forget_hosted:{tool}"))]
    found = {tool: known[tool] for tool in kept}
    address = _address(
        sent.get("hosted_address", ""), "settings.bad_hosted_address", "https://name.hf.space"
    )
    tool = str(sent.get("hosted_tool", ""))
    if address and tool:
        kind = "endpoint" if sent.get("hosted_kind") == "endpoint" else "gradio"
        key = str(sent.get("hosted_key", "")).strip()
        found[tool] = HostedTool(address, kind, key, who.check(address))
    return found


def _address(sent: Any, otherwise: str, example: str) -> str:
    """An address from the form, or nothing; raises BadInput, with the text of the key `otherwise`,
    where it is none."""
    address = str(sent).strip()
    try:
        parts = urlsplit(address)
        is_one = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        is_one = False
    if address and not is_one:
        raise BadInput(say(otherwise, example=example))
    return address


ROUTES = (
    Route(f"{OWN}/leaves", in_thread(leaves_line), methods=["GET"]),
    Route(f"{OWN}/settings/test", in_thread(test_model), methods=["POST"]),
    Route(f"{OWN}/settings", in_thread(get_settings), methods=["GET"]),
    Route(f"{OWN}/settings", in_thread(set_settings), methods=["POST"]),
)
