"""The settings of a conversation: what may be set, by whom, and what was sent for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

from controlllm.core.session import handle_of
from controlllm.language.endpoint import EndpointError
from controlllm.language.trial import try_model
from controlllm.network.addresses import Refused, machines_here
from controlllm.network.transport import place_of
from controlllm.resources.probing import BadInput
from controlllm.settings import BEST_VARIANT, Settings
from controlllm.toolbox.capabilities import HostedTool
from controlllm.ui.calls import Call
from controlllm.ui.outcome import Outcome
from controlllm.ui.texts import say
from controlllm.ui.verbs.registry import verb

#: Of one settings field, in characters.
_LONGEST = 2000
#: The models for tools, beside the one that plans.
OTHER_MODELS = ("image_model", "speech_model", "speech_voice", "transcription_model")
#: Fields of a form that are ticked or not, those that are chosen, and those that are typed.
_TICKED = (
    "answer_with_model", "fall_back", "tools_use_endpoint", "public_services", "act_when_stuck",
    "divide_first", "stop_when_left", "recipes_in_files",
)  # fmt: skip
_CHOSEN = ("preference", "agent", "weights_size")
_TYPED = ("base_url", "model", "variant", *OTHER_MODELS)
#: What stays where no language model is to be used any more.
_STAYS = (
    *_CHOSEN, "hosted", "go_on", "stop_when_left", "manner", "act_when_stuck", "recipes_in_files",
    "divide_first", "results_apart", "public_services",
)  # fmt: skip


@dataclass(frozen=True)
class Sender:
    """Whether somebody may set addresses, and whether these must then be public ones: where others
    reach the server, one of its own network is for its environment to name, not for a page."""

    may_set: bool
    only_public: bool

    @classmethod
    def of(cls, call: Call) -> Sender:
        """Whoever did something in the page."""
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


@verb("settings")
def open_settings(call: Call) -> Outcome:
    """Open the settings, at a field where one is wanted."""
    return Outcome(opens={"what": "settings", "find": call.field("find", str, "")})


@verb("delete-here")
def delete_here(call: Call) -> Outcome:
    """Delete the conversation that is shown, unless that is taken back soon, and show another."""
    title = call.session().title or say("conversations.new")
    call.conversations.deletions.begin(call.session_id)
    session = call.conversations.open(call.visitor, "", False)
    here = handle_of(session.id)
    told = say("search.deleted", title=title)
    return Outcome(told=told, here=here, turn=-1, attached=(), editing={})


def set_fields(call: Call, sent: Mapping[str, Any]) -> Settings:
    """Set what was sent and leave all else as it is; raises BadInput as `changed` does."""
    settings = _with_fields(call, sent)
    call.conversations.set_settings(call.session_id, settings)
    return settings


def use_no_model(call: Call) -> Settings:
    """Forget the language model, its key and its address."""
    settings = without_model(call.settings)
    call.conversations.set_settings(call.session_id, settings)
    return settings


def model_tried(call: Call, sent: Mapping[str, Any]) -> str:
    """What is to be said of the language model of fields that need not be saved, after it was asked
    for one short answer; raises BadInput where it gives none."""
    return tried_in_words(_with_fields(call, sent))


def _with_fields(call: Call, sent: Mapping[str, Any]) -> Settings:
    return changed(call.settings, {**fields_of(call.settings), **sent}, Sender.of(call))


def fields_of(settings: Settings) -> dict[str, Any]:
    """Settings as the fields of a form: keys are left out, for what is empty keeps them."""
    same = {name: getattr(settings, name) for name in (*_TICKED, *_CHOSEN, *_TYPED)}
    return {**same, "acts": settings.manner == "act"}


def tried_in_words(settings: Settings) -> str:
    """Ask the language model of settings for one short answer, and say what came of it."""
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
    return " ".join(told)


def without_model(settings: Settings) -> Settings:
    """The settings without a language model."""
    return Settings(**{name: getattr(settings, name) for name in _STAYS})


def changed(
    settings: Settings, sent: Mapping[str, Any], who: Sender = Sender(True, False)
) -> Settings:
    """The settings with what a form sent, all of whose fields count; an empty key field keeps the
    key.

    Raises BadInput where an address is none, or a choice is none of those offered.
    """
    if not all(
        isinstance(value, bool | int | float) or (isinstance(value, str) and len(value) <= _LONGEST)
        for value in sent.values()
    ):
        raise BadInput(say("settings.not_read"))
    if sent.get("forget"):
        return without_model(settings)
    address = address_of_model(sent.get("base_url", settings.base_url))
    only_public = settings.only_public
    if address != settings.base_url:
        only_public = who.check(address)
    # A key belongs to the address it was typed for; it is never sent to another.
    kept_key = settings.api_key if address == settings.base_url else ""
    key = str(sent.get("api_key", "")).strip() or kept_key
    variant = str(sent.get("variant", settings.variant))
    if variant == BEST_VARIANT and not (address or key):
        # What the form shows where nobody chose; it holds as soon as there is a model.
        variant = ""
    read: dict[str, Any] = {name: bool(sent.get(name)) for name in _TICKED}
    read |= {name: sent.get(name, getattr(settings, name)) for name in _CHOSEN}
    read |= {name: str(sent.get(name, "")).strip() for name in ("model", *OTHER_MODELS)}
    read["model"] = read["model"] or Settings().model
    read["manner"] = "act" if sent.get("acts") else "plan"
    try:
        return replace(
            settings, base_url=address, api_key=key, variant=variant, only_public=only_public,
            hosted=_hosted(settings.hosted, sent, who), **read,
        )  # fmt: skip
    except ValueError as error:
        raise BadInput(str(error)) from None


def _hosted(
    known: Mapping[str, HostedTool], sent: Mapping[str, Any], who: Sender
) -> dict[str, HostedTool]:
    """The programs elsewhere that do tools' work, with what the form adds and takes away."""
    kept = [tool for tool in known if not (who.may_set and sent.get(f"forget_hosted:{tool}"))]
    found = {tool: known[tool] for tool in kept}
    address = address_of_host(sent.get("hosted_address", ""))
    tool = str(sent.get("hosted_tool", ""))
    if address and tool:
        kind = "endpoint" if sent.get("hosted_kind") == "endpoint" else "gradio"
        key = str(sent.get("hosted_key", "")).strip()
        found[tool] = HostedTool(address, kind, key, who.check(address))
    return found


def address_of_model(sent: Any) -> str:
    """The address of a language model, or nothing; raises BadInput where it is none."""
    return _address(sent, "language_model.bad_address", "http://localhost:11434/v1")


def address_of_host(sent: Any) -> str:
    """The address of a program elsewhere, or nothing; raises BadInput where it is none."""
    return _address(sent, "settings.bad_hosted_address", "https://name.hf.space")


def _address(sent: Any, otherwise: str, example: str) -> str:
    address = str(sent).strip()
    try:
        parts = urlsplit(address)
        is_one = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        is_one = False
    if address and not is_one:
        raise BadInput(say(otherwise, example=example))
    return address
