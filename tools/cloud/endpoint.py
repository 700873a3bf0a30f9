"""Which of an OpenAI-compatible endpoint's models a tool needs, and whether one is set."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any

from controlllm.toolbox import Context, Reason, ToolDefinition, Unavailable
from controlllm.toolbox.capabilities import Capabilities, CloudEndpoint

from ..shared.forwarding import forwarded

_NO_ENDPOINT = Reason(
    "needs an API key, and your leave to send files there, in the settings", "endpoint"
)


def needs_chat(capabilities: Capabilities) -> str | None:
    """The `check` of what needs a language model; it looks at pictures too."""
    return _reason(capabilities, "chat_model", "language model")


def needs_images(capabilities: Capabilities) -> str | None:
    """The `check` of what needs a model that makes pictures."""
    return _reason(capabilities, "image_model", "model for pictures")


def needs_speech(capabilities: Capabilities) -> str | None:
    """The `check` of what needs a model that speaks."""
    return _reason(capabilities, "speech_model", "model that speaks")


def needs_transcription(capabilities: Capabilities) -> str | None:
    """The `check` of what needs a model that writes down what is said."""
    return _reason(capabilities, "transcription_model", "model that writes down speech")


def endpoint_of(context: Context) -> CloudEndpoint:
    """The endpoint that a tool may use; raises Unavailable where it may use none."""
    if context.capabilities.endpoint is None:
        raise Unavailable(f"This {_NO_ENDPOINT}.")
    return context.capabilities.endpoint


def by_chat(
    definition: ToolDefinition,
    work: str,
    packages: tuple[str, ...] = (),
    check: Callable[[Capabilities], str | None] = needs_chat,
) -> None:
    """Let a function of this room, such as "seeing.caption", do a tool's work with a language
    model, or with the model that `check` asks for; it takes the tool's inputs in their order and
    the context. `packages` are what it needs beside the client."""
    module, name = work.split(".")

    def asked_elsewhere(inputs: Mapping[str, Any], context: Context) -> Any:
        function = getattr(importlib.import_module(f".{module}", __package__), name)
        return function(*inputs.values(), context)

    definition.implementation(
        "cloud", packages=("openai", *packages), check=check, deterministic=False
    )(forwarded(definition, asked_elsewhere))


def _reason(capabilities: Capabilities, model: str, words: str) -> str | None:
    endpoint = capabilities.endpoint
    if endpoint is None:
        return _NO_ENDPOINT
    if getattr(endpoint, model):
        return None
    return Reason(f"needs the name of a {words} in the settings", model)
