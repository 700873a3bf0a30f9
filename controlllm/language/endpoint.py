"""Chat with any OpenAI-compatible endpoint: whole replies, and answers streamed.

A server may answer without an end, or with more than anybody can take: what is read of it is
bounded in bytes and in whole time. A stop ends the call itself, by closing its connection.

Servers differ in what they understand beside the messages. An optional parameter that a server
refuses by name is left out from then on, by this endpoint object, and the call is made again.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from controlllm.core.costs import Usage
from controlllm.network.retry_after import retry_after
from controlllm.network.waiting import waited
from controlllm.resources.well_formed import WellFormedPieces, well_formed
from controlllm.toolbox import Context

#: How long to wait for the first sign of an answer and between its pieces, in seconds.
TIMEOUT_SECONDS = 60.0
#: How long an answer may take from its first sign to its end, in seconds, and how many bytes it may
#: have on the wire: a hundred times what any role asks for.
WHOLE_SECONDS = 600.0
MOST_BYTES = 16 * 1024 * 1024

Message = Mapping[str, str]
Fault = Literal[
    "key",
    "model",
    "limit",
    "timeout",
    "unreachable",
    "server",
    "broken",
    "too-long",
    "refused",
    "endless",
]

#: Where a streamed answer is cut off, in tokens; a small model may never end by itself.
_MOST_ANSWER_TOKENS = 2_000

#: Parameters that some servers do not know, each with the words by which a refusal names it.
_OPTIONAL = {
    "response_format": ("response_format", "json_schema", "json schema", "grammar"),
    "stream_options": ("stream_options", "include_usage"),
    "temperature": ("temperature",),
    "max_tokens": ("max_tokens", "max_completion_tokens"),
}


_TOO_LARGE = "The language model's answer is larger than can be taken."


class EndpointError(Exception):
    """The endpoint could not answer. The message says why and what to do next; it holds no key.

    `retry_after` is how many seconds the endpoint asks to wait, None where it does not say.
    """

    def __init__(self, message: str, fault: Fault, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.fault = fault
        self.retry_after = retry_after


@dataclass(frozen=True)
class Reply:
    """A whole reply: its text, whether it was cut off at the most tokens allowed, and its cost."""

    text: str
    cut: bool
    usage: Usage


class ChatEndpoint:
    """One endpoint with its model. It remembers which parameters its server refuses."""

    def __init__(
        self,
        base_url: str,
        api_key: str,
        model: str,
        timeout: float = TIMEOUT_SECONDS,
        only_public: bool = False,
    ) -> None:
        self._base_url = base_url
        self._api_key = api_key
        self.model = model
        self._timeout = timeout
        self._only_public = only_public
        self._refused: set[str] = set()
        #: What an answer may take and be at most; the tests make them small.
        self.whole_seconds, self.most_bytes = WHOLE_SECONDS, MOST_BYTES

    @property
    def takes_schemas(self) -> bool:
        """Whether the server takes a JSON schema for its reply, as far as is known."""
        return "response_format" not in self._refused

    def reply(
        self,
        messages: Sequence[Message],
        schema: Mapping[str, Any] | None = None,
        without_schema: Sequence[Message] | None = None,
        max_tokens: int | None = None,
        temperature: float = 0.0,
        cancelled: threading.Event | None = None,
    ) -> Reply:
        """One whole reply; raises EndpointError, and Cancelled as soon as the person stops it.

        Parameters
        ----------
        schema: the JSON schema (strict) that the reply must follow.
        without_schema: what to send in place of `messages` to a server that takes no schemas.
        max_tokens: where the reply is cut off.
        temperature: how much chance there is in it; none at 0.
        cancelled: set when the person stops the request.
        """
        wanted: dict[str, Any] = {"temperature": temperature}
        if max_tokens is not None:
            wanted["max_tokens"] = max_tokens
        if schema is not None:
            wanted["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": "reply", "strict": True, "schema": dict(schema)},
            }

        def told() -> Sequence[Message]:
            has_no_schema = schema is not None and not self.takes_schemas
            return without_schema or messages if has_no_schema else messages

        return waited(self._replied(told, wanted), Context(cancelled=cancelled))

    async def _replied(
        self, told: Callable[[], Sequence[Message]], wanted: Mapping[str, Any]
    ) -> Reply:
        with self._told_apart():
            async with asyncio.timeout(self.whole_seconds), self._client() as client:
                completion = await self._created(client, told, wanted)
        choices = getattr(completion, "choices", None)
        if not choices or choices[0].message is None:
            raise EndpointError("The language model's reply holds no answer.", "broken")
        return Reply(
            well_formed(choices[0].message.content or ""),
            choices[0].finish_reason == "length",
            _usage(completion.usage),
        )

    async def stream(
        self,
        messages: Sequence[Message],
        counted: Callable[[Usage], None] = lambda usage: None,
    ) -> AsyncGenerator[str, None]:
        """The answer's pieces of text as they come; raises EndpointError.

        `counted` is told once what the answer cost. One that is cut off for its length ends in "…".
        Where the generator is closed, or its task cancelled, the call ends.
        """
        wanted = {"stream_options": {"include_usage": True}, "max_tokens": _MOST_ANSWER_TOKENS}
        ends = asyncio.get_running_loop().time() + self.whole_seconds
        with self._told_apart():
            async with self._client() as client:
                async with asyncio.timeout_at(ends):
                    stream = await self._created(client, lambda: messages, wanted, stream=True)
                ended, usage, pieces = "", None, WellFormedPieces()
                async with stream:
                    async for chunk in _until(ends, stream):
                        usage = getattr(chunk, "usage", None) or usage
                        if chunk.choices:
                            ended = ended or chunk.choices[0].finish_reason or ""
                            piece = pieces.take(chunk.choices[0].delta.content or "")
                            if piece:
                                yield piece
                if rest := pieces.rest():
                    yield rest
                if not ended:
                    raise EndpointError("The language model's answer broke off.", "broken")
                if ended == "length":
                    yield " …"
                counted(_usage(usage))

    async def _created(
        self,
        client: Any,
        told: Callable[[], Sequence[Message]],
        wanted: Mapping[str, Any],
        **more: Any,
    ) -> Any:
        """What the server answers to a call, made again without each parameter that it refuses."""
        import openai

        while True:
            sent = self._call(told(), wanted)
            try:
                return await client.chat.completions.create(**sent, **more)
            except openai.APIStatusError as error:
                if not self._learn_from(error, sent):
                    raise

    @contextlib.asynccontextmanager
    async def _client(self) -> AsyncIterator[Any]:
        """OpenAI's client, for one call."""
        import openai

        from controlllm.network.bounded import bounded_to
        from controlllm.network.transport import CheckedTransport

        # A redirect could take words and key elsewhere.
        carried = openai.DefaultAsyncHttpxClient(
            follow_redirects=False,
            transport=CheckedTransport() if self._only_public else None,
            **bounded_to(self.most_bytes),
        )
        async with openai.AsyncOpenAI(**self._connection(), http_client=carried) as client:
            yield client

    def _connection(self) -> dict[str, Any]:
        # Retries are ours: each is told to the person and can be stopped.
        return {
            "base_url": self._base_url or None,
            "api_key": self._api_key or "none",
            "timeout": self._timeout,
            "max_retries": 0,
        }

    def _call(self, messages: Sequence[Message], wanted: Mapping[str, Any]) -> dict[str, Any]:
        """What is sent: the messages, and those wanted parameters that the server takes."""
        taken = {name: value for name, value in wanted.items() if name not in self._refused}
        return {"model": self.model, "messages": [dict(item) for item in messages], **taken}

    def _learn_from(self, error: Any, sent: Mapping[str, Any]) -> bool:
        """Whether the server refused one of the optional parameters sent; it is not sent again."""
        if error.status_code not in (400, 404, 415, 422, 500, 501):
            return False
        said = str(error.message).lower()
        for name, words in _OPTIONAL.items():
            if name in sent and any(word in said for word in words):
                self._refused.add(name)
                return True
        return False

    @contextlib.contextmanager
    def _told_apart(self) -> Iterator[None]:
        """Every fault of a call as an EndpointError with a sentence."""
        import openai

        from controlllm.network.addresses import Refused
        from controlllm.network.bounded import AnswerTooLarge

        try:
            yield
        except TimeoutError as error:
            raise EndpointError(
                f"The language model's answer had no end after {self.whole_seconds:.0f} seconds.",
                "endless",
            ) from error
        except AnswerTooLarge as error:
            raise EndpointError(_TOO_LARGE, "endless") from error
        except openai.AuthenticationError as error:
            raise EndpointError(
                "The language model refused the key. Check it in the settings.", "key"
            ) from error
        except openai.PermissionDeniedError as error:
            raise EndpointError(
                "The language model does not let this key use it. Check key and model in the "
                "settings.",
                "key",
            ) from error
        except openai.NotFoundError as error:
            raise EndpointError(
                f"The endpoint has no model called {self.model!r}. Choose another in the settings.",
                "model",
            ) from error
        except openai.RateLimitError as error:
            wait = retry_after(error.response.headers)
            asks = "Wait a little" if wait is None else f"It asks to wait {wait:.0f} seconds; wait"
            raise EndpointError(
                f"The language model has had too many requests. {asks} and ask again.",
                "limit",
                wait,
            ) from error
        except openai.APITimeoutError as error:
            raise EndpointError(
                f"The language model did not answer within {self._timeout:.0f} seconds.", "timeout"
            ) from error
        except openai.APIConnectionError as error:
            if isinstance(error.__cause__, AnswerTooLarge):
                raise EndpointError(_TOO_LARGE, "endless") from error
            if isinstance(error.__cause__, Refused):
                raise EndpointError(str(error.__cause__), "refused") from error
            if type(error.__cause__).__name__ in ("ReadError", "RemoteProtocolError"):
                raise EndpointError("The language model's answer broke off.", "broken") from error
            raise EndpointError(
                "The language model could not be reached. Check its address in the settings, and "
                "that it is running.",
                "unreachable",
            ) from error
        except openai.APIStatusError as error:
            if error.status_code >= 500:
                raise EndpointError(
                    f"The language model answered with an error ({error.status_code}).", "server"
                ) from error
            if error.status_code == 413 or "context" in str(error.message).lower():
                raise EndpointError(
                    "This is too long for the language model.", "too-long"
                ) from error
            raise EndpointError(
                f"The language model refused the request ({error.status_code}).", "refused"
            ) from error
        except openai.OpenAIError as error:
            raise EndpointError("The language model's answer broke off.", "broken") from error
        except ValueError as error:
            # Also what is no JSON though the server calls it so.
            raise EndpointError(
                "The language model's reply could not be read. Check its address in the settings.",
                "broken",
            ) from error


def _usage(told: Any) -> Usage:
    """What one call cost; tokens are 0 where the server does not say."""
    return Usage(
        1,
        int(getattr(told, "prompt_tokens", None) or 0),
        int(getattr(told, "completion_tokens", None) or 0),
    )


async def _until(ends: float, stream: AsyncIterator[Any]) -> AsyncIterator[Any]:
    """What comes of a stream until a time of the loop's clock; then it raises TimeoutError."""
    # A limit around a whole generator would also strike whoever reads it, at work with a piece.
    while True:
        async with asyncio.timeout_at(ends):
            try:
                piece = await anext(stream)
            except StopAsyncIteration:
                return
        yield piece
