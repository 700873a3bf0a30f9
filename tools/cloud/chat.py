"""The person's language model on the network: words and pictures in, words or checked data out.

What is worked on goes in as the user's message and never into the instruction, and what comes back
is data to check.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import partial
from typing import Any

import PIL.Image

from controlllm.toolbox import Context, ToolError

from . import schemas
from .calls import CHAT, call
from .payloads import data_url, picture_file
from .waiting import Answer

_MOST_PICTURES = 16
_AS_JSON = (
    "Reply with one JSON value that follows this JSON schema, and with nothing else:\n{schema}"
)
_AGAIN = "That reply did not fit: {fault}. Reply again, with the JSON alone."

_Messages = list[dict[str, Any]]


def ask(instruction: str, text: str, context: Context) -> str:
    """What the language model replies to a text under an instruction; raises ToolError."""
    return _words(_messages(instruction, text), context)


def ask_for(schema: schemas.Schema, instruction: str, text: str, context: Context) -> Any:
    """What the language model replies as JSON that follows a schema; raises ToolError."""
    return _data(schema, _messages(instruction, text), context)


def look(instruction: str, pictures: Sequence[PIL.Image.Image], context: Context) -> str:
    """What the language model says about pictures under an instruction; raises ToolError."""
    return _words(_messages(instruction, _shown(pictures)), context)


def look_for(
    schema: schemas.Schema,
    instruction: str,
    pictures: Sequence[PIL.Image.Image],
    context: Context,
) -> Any:
    """What the language model says about pictures as JSON that follows a schema.

    A picture whose longer side has more than `payloads.LOOKED_AT_SIDE` pixels is shown smaller, so
    places in it are best asked for as shares of its width and height. Raises ToolError.
    """
    return _data(schema, _messages(instruction, _shown(pictures)), context)


def _messages(instruction: str, content: str | list[dict[str, Any]]) -> _Messages:
    return [{"role": "system", "content": instruction}, {"role": "user", "content": content}]


def _shown(pictures: Sequence[PIL.Image.Image]) -> list[dict[str, Any]]:
    if not pictures:
        raise ToolError("There is no picture to look at. Hand over one.")
    if len(pictures) > _MOST_PICTURES:
        raise ToolError(
            f"These are {len(pictures)} pictures, and at most {_MOST_PICTURES} are looked at at "
            "once. Hand over fewer."
        )
    return [
        {"type": "image_url", "image_url": {"url": data_url(*picture_file(picture))}}
        for picture in pictures
    ]


def _words(messages: _Messages, context: Context) -> str:
    context.progress(0.05, "Asking the language model")
    reply = _reply_in(call(CHAT, _method, lambda refused: _sent(messages), context))
    if not reply:
        raise ToolError("The language model replied with nothing. Try again.")
    return reply


def _data(schema: schemas.Schema, messages: _Messages, context: Context) -> Any:
    context.progress(0.05, "Asking the language model")
    for _ in range(2):
        sent = partial(_sent_for, schema, messages)
        reply = _reply_in(call(CHAT, _method, sent, context))
        try:
            value = schemas.read_json(reply)
            schemas.check(value, schema)
            return value
        except schemas.NotFitting as error:
            again = _AGAIN.format(fault=error)
        messages = [
            *messages,
            {"role": "assistant", "content": reply},
            {"role": "user", "content": again},
        ]
    raise ToolError(
        "The language model's reply could not be used, since it was not in the form asked for. Try "
        "again, or choose another model in the settings."
    )


def _method(client: Any) -> Any:
    return client.chat.completions.with_streaming_response.create


def _sent(messages: _Messages) -> dict[str, Any]:
    return {"messages": messages, "temperature": 0.0}


def _sent_for(
    schema: schemas.Schema, messages: _Messages, refused: frozenset[str]
) -> dict[str, Any]:
    """The parameters for JSON; a server that takes no schemas is told the schema in words."""
    sent = schemas.as_sent(schema)
    if "response_format" in refused:
        system = dict(messages[0])
        system["content"] += "\n\n" + _AS_JSON.format(schema=json.dumps(sent))
        return _sent([system, *messages[1:]])
    named = {"name": "reply", "strict": True, "schema": sent}
    return {**_sent(messages), "response_format": {"type": "json_schema", "json_schema": named}}


def _reply_in(answer: Answer) -> str:
    """The words of a reply, without what a model thought aloud before."""
    try:
        choice = json.loads(answer.body)["choices"][0]
        message, ended = choice["message"], choice.get("finish_reason")
        content = message.get("content")
        refusal = message.get("refusal")
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise ToolError(
            "The language model's reply could not be read. Check its address in the settings."
        ) from None
    if refusal or ended == "content_filter":
        raise ToolError("The language model declined this. Ask in other words.")
    if ended == "length":
        raise ToolError("The language model's reply was cut off. Give it a smaller part.")
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        content = "".join(part for part in parts if isinstance(part, str))
    if not isinstance(content, str | None):
        raise ToolError("The language model's reply could not be read. Try again.")
    words = re.sub(r"^\s*<think>.*?</think>", "", content or "", flags=re.DOTALL)
    return words.strip()
