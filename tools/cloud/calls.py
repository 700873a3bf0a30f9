"""One call of the person's OpenAI-compatible endpoint: its answer, or a sentence about its fault.

Servers differ in what they understand. An optional parameter that a server refuses by name is not
sent to it again. Answers come as bytes and are read by who asked: nothing in them is trusted.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from controlllm.network.waiting import waited
from controlllm.toolbox import Context, Unavailable
from controlllm.toolbox.capabilities import CloudEndpoint

from .endpoint import endpoint_of
from .waiting import Answer, Fault, answered, refusal, unreached

CONNECT_SECONDS = 10.0

#: Optional parameters with the words by which a refusal names them.
_OPTIONAL = {
    "response_format": ("response_format", "json_schema", "json schema", "grammar"),
    "temperature": ("temperature",),
    "size": ("size",),
}
_LEARNED_FROM = (400, 404, 415, 422, 500, 501)


@dataclass(frozen=True)
class Asked:
    """What a call is of: `subject` names the model's kind in a sentence's beginning, `role` is its
    name among an endpoint's models; the call takes at most `seconds`, its answer `most_bytes`."""

    subject: str
    role: str
    seconds: float
    most_bytes: int


CHAT = Asked("The language model", "chat_model", 180.0, 4 * 1024 * 1024)
PICTURES = Asked("The model for pictures", "image_model", 300.0, 64 * 1024 * 1024)
SPEECH = Asked("The model that speaks", "speech_model", 180.0, 128 * 1024 * 1024)
TRANSCRIPTION = Asked(
    "The model that writes down speech", "transcription_model", 300.0, 4 * 1024 * 1024
)


class _Refusals:
    """The optional parameters that each server refuses, by its address and model."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], frozenset[str]] = {}
        self._lock = threading.Lock()

    def of(self, endpoint: CloudEndpoint, model: str) -> frozenset[str]:
        with self._lock:
            return self._known.get((endpoint.base_url, model), frozenset())

    def add(self, endpoint: CloudEndpoint, model: str, name: str) -> None:
        with self._lock:
            key = (endpoint.base_url, model)
            self._known[key] = self._known.get(key, frozenset()) | {name}

    def clear(self) -> None:
        with self._lock:
            self._known.clear()


@dataclass(frozen=True)
class _Refused(Fault):
    """A server does not take an optional parameter."""

    parameter: str = ""


_REFUSALS = _Refusals()


def forget() -> None:
    """Forget which parameters servers refuse."""
    _REFUSALS.clear()


def call(
    asked: Asked,
    method: Callable[[Any], Callable[..., Any]],
    sent: Callable[[frozenset[str]], Mapping[str, Any]],
    context: Context,
) -> Answer:
    """The answer to one call; raises ToolError.

    Parameters
    ----------
    method: finds the streaming method on openai's asynchronous client.
    sent: the parameters besides the model, told which optional ones the server refuses.
    """
    endpoint = endpoint_of(context)
    model = getattr(endpoint, asked.role)
    if not model:
        who = f"{asked.subject[0].lower()}{asked.subject[1:]}"
        raise Unavailable(f"This needs the name of {who} in the settings.")

    def once() -> Answer | Fault:
        while True:
            refused = _REFUSALS.of(endpoint, model)
            parameters = {
                name: value for name, value in sent(refused).items() if name not in refused
            }
            found = waited(_once(endpoint, asked, method, parameters), context)
            if not (isinstance(found, _Refused) and found.parameter not in refused):
                return found
            _REFUSALS.add(endpoint, model, found.parameter)

    return answered(once, context)


async def _once(
    endpoint: CloudEndpoint,
    asked: Asked,
    method: Callable[[Any], Callable[..., Any]],
    parameters: Mapping[str, Any],
) -> Answer | Fault:
    import httpx2
    import openai

    from controlllm.network.bounded import AnswerTooLarge, bounded_to
    from controlllm.network.transport import CheckedTransport

    limits = httpx2.Timeout(asked.seconds, connect=CONNECT_SECONDS)
    model = getattr(endpoint, asked.role)
    try:
        async with (
            asyncio.timeout(asked.seconds),
            # A redirect could take files and key elsewhere.
            openai.AsyncOpenAI(
                base_url=endpoint.base_url or None,
                api_key=endpoint.api_key or "none",
                timeout=limits,
                max_retries=0,
                http_client=openai.DefaultAsyncHttpxClient(
                    follow_redirects=False,
                    timeout=limits,
                    transport=CheckedTransport() if endpoint.only_public else None,
                    **bounded_to(asked.most_bytes),
                ),
            ) as client,
            method(client)(model=model, **parameters) as response,
        ):
            body = bytearray()
            async for chunk in response.iter_bytes():
                body += chunk
            told = response.headers.get("content-type", "")
            return Answer(bytes(body), told.partition(";")[0].strip().lower())
    except AnswerTooLarge:
        return Fault(f"{asked.subject} sent more than can be taken.")
    except (openai.OpenAIError, httpx2.HTTPError, TimeoutError, ValueError) as error:
        if isinstance(error.__cause__, AnswerTooLarge):
            return Fault(f"{asked.subject} sent more than can be taken.")
        return _fault(error, endpoint, asked, parameters)


def _fault(
    error: Exception, endpoint: CloudEndpoint, asked: Asked, parameters: Mapping[str, Any]
) -> Fault:
    """What an error of one call comes to."""
    import httpx2
    import openai

    who = asked.subject
    if isinstance(error, openai.APIStatusError):
        return _status_fault(error, endpoint, asked, parameters)
    if isinstance(error, openai.APITimeoutError | TimeoutError | httpx2.TimeoutException):
        return Fault(
            f"{who} did not answer within {asked.seconds:.0f} seconds. Try again, or choose a "
            "faster one in the settings."
        )
    cause = error.__cause__ if isinstance(error, openai.APIConnectionError) else error
    if isinstance(cause, httpx2.ReadError | httpx2.RemoteProtocolError | httpx2.WriteError):
        return Fault(f"{who}'s answer broke off. Try again.", passes=True)
    if isinstance(error, openai.APIConnectionError):
        return unreached(who)
    return Fault(f"{who}'s answer could not be read. Check its address in the settings.")


def _status_fault(
    error: Any, endpoint: CloudEndpoint, asked: Asked, parameters: Mapping[str, Any]
) -> Fault:
    status, who = error.status_code, asked.subject
    said = _said(error, endpoint)
    low = f"{said} {getattr(error, 'code', '') or ''}".lower()
    if status in _LEARNED_FROM:
        for name, words in _OPTIONAL.items():
            if name in parameters and any(word in low for word in words):
                return _Refused(f"{who} refused the request ({status}).", parameter=name)
    if status == 401:
        key = "the key" if endpoint.api_key else "to answer without a key"
        return Fault(f"{who} refused {key}. Check the key in the settings.")
    if any(word in low for word in ("content_policy", "content policy", "moderation", "safety")):
        return Fault(f"{who} declined this because of what it shows or says. Ask for another.")
    if status == 403:
        return Fault(f"{who} does not let this key use it. Check key and model in the settings.")
    model = getattr(endpoint, asked.role)
    if status == 404 or ("model" in low and ("not found" in low or "does not exist" in low)):
        return Fault(
            f"The endpoint has no model called {model!r} for this. Choose another in the settings."
        )
    if status == 429 and ("insufficient_quota" in low or "billing" in low):
        return Fault(f"{who} refused, since your account there has no credit left.")
    if status < 500 and ("context_length" in low or "context length" in low):
        status = 413
    of_looking = asked is CHAT and _has_pictures(parameters) and ("image" in low or "vision" in low)
    if status in (400, 415, 422) and of_looking:
        return Fault(
            f"The language model {model!r} cannot look at pictures. Choose one that can in the "
            "settings."
        )
    return refusal(who, status, error.response.headers, said)


def _said(error: Any, endpoint: CloudEndpoint) -> str:
    """What the server says of its refusal, on one line, without the key."""
    body = getattr(error, "body", None)
    found: Any = body
    while isinstance(found, Mapping):
        found = found.get("message") or found.get("error") or found.get("detail")
    said = " ".join(str(found or "").split())
    if endpoint.api_key:
        said = said.replace(endpoint.api_key, "…")
    return said if len(said) <= 200 else said[:199] + "…"


def _has_pictures(parameters: Mapping[str, Any]) -> bool:
    return any(isinstance(item["content"], list) for item in parameters.get("messages", ()))
