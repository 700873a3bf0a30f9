"""A Hugging Face inference endpoint that does one tool's work, asked in its task's protocol.

The task is told from what the tool takes and returns: words alone, a file alone, or both together.
"""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import PIL.Image

from controlllm.network.retry_after import retry_after
from controlllm.network.waiting import waited
from controlllm.resources import Clip, Region, Sound, as_text
from controlllm.toolbox import Context, Tool, ToolError
from controlllm.toolbox.capabilities import HostedTool

from . import answers
from .payloads import from_base64, mask_picture, picture_file, png_file, wav_file
from .waiting import Answer, Fault, answered, refusal, unreached

WHOLE_SECONDS = 300.0
MOST_BYTES = 256 * 1024 * 1024
CONNECT_SECONDS = 10.0
_LONGEST_SIDE = 2048
_WHO = "The inference endpoint"

#: Where an answer in JSON keeps a file.
_FILES = ("image", "images", "blob", "audio", "video", "mask", "depth", "generated_image")
#: What the protocols call an argument that has another name here.
_PARAMETER_NAMES = {"language": "tgt_lang"}


@dataclass
class _Given:
    """A tool's inputs by what they are."""

    words: dict[str, str] = field(default_factory=dict)
    files: list[tuple[bytes, str]] = field(default_factory=list)
    mask: bytes | None = None
    size: tuple[int, int] | None = None
    parameters: dict[str, Any] = field(default_factory=dict)


def run(tool: Tool, hosted: HostedTool, inputs: Mapping[str, Any], context: Context) -> Any:
    """What the endpoint makes of a tool's inputs, as the tool's return; raises ToolError."""
    address = hosted.address.strip()
    if urlsplit(address).scheme not in ("http", "https"):
        raise ToolError(
            f"{address!r} is no address of an inference endpoint. Write one that begins with "
            "https:// in the settings."
        )
    given = _given(tool, inputs)
    body, media_type = _request(tool, given)
    context.progress(0.05, "Asking the inference endpoint")
    headers = {"Content-Type": media_type, "Accept": _accepted(tool.returns.type)}
    if hosted.api_key:
        headers["Authorization"] = f"Bearer {hosted.api_key}"
    answer = answered(lambda: waited(_once(address, body, headers, hosted), context), context)
    return _value(tool, answer, given, context)


def _given(tool: Tool, inputs: Mapping[str, Any]) -> _Given:
    given = _Given()
    for argument in tool.args:
        value = inputs.get(argument.name)
        if value is None:
            continue
        if argument.many or argument.type in ("bbox", "point"):
            raise ToolError(f"An inference endpoint cannot be given what {tool.name} works on.")
        if argument.type == "mask":
            given.mask = _mask_file(value)
        elif isinstance(value, PIL.Image.Image):
            given.files.append(picture_file(value, _LONGEST_SIDE))
            given.size = given.size or value.size
        elif isinstance(value, Sound):
            given.files.append((wav_file(value), "audio/wav"))
        elif isinstance(value, Clip):
            suffix = value.path.suffix.lower()
            media_type = "video/webm" if suffix == ".webm" else "video/mp4"
            given.files.append((value.path.read_bytes(), media_type))
        else:
            given.words[argument.name] = as_text(argument.type, value)
    for parameter in tool.parameters:
        # Only what was asked for: a server may refuse names that it does not know.
        if inputs.get(parameter.name, parameter.default) != parameter.default:
            given.parameters[parameter.name] = inputs[parameter.name]
    return given


def _mask_file(regions: tuple[Region, ...]) -> bytes:
    mask = mask_picture(regions)
    mask.thumbnail((_LONGEST_SIDE, _LONGEST_SIDE), PIL.Image.Resampling.NEAREST)
    return png_file(mask)


def _request(tool: Tool, given: _Given) -> tuple[bytes, str]:
    """The body of the request in the task's protocol, and its media type."""
    words = dict(given.words)
    extra = dict(given.parameters)
    if len(given.files) > 1:
        raise ToolError(f"An inference endpoint cannot be given the several files of {tool.name}.")
    if not given.files:
        if given.mask is not None:
            return given.mask, "image/png"
        return _json(*_words_alone(words, extra, tool))
    content, media_type = given.files[0]
    if not words and given.mask is None and not extra:
        return content, media_type
    inside = base64.b64encode(content).decode()
    returned = tool.returns.type
    if given.mask is not None:
        extra["mask_image"] = base64.b64encode(given.mask).decode()
    if media_type.startswith("image/"):
        if returned != "mask" and answers.is_file(returned):
            if words:
                extra["prompt"] = ". ".join(words.values())
            return _json(inside, extra)
        if returned in ("mask", "bbox") and words:
            extra["candidate_labels"] = list(words.values())
            return _json(inside, extra)
        question = " ".join(words.values())
        return _json({"image": inside, "question": question} if question else inside, extra)
    extra.update({_PARAMETER_NAMES.get(name, name): value for name, value in words.items()})
    return _json(inside, extra)


def _words_alone(
    words: dict[str, str], extra: dict[str, Any], tool: Tool
) -> tuple[Any, dict[str, Any]]:
    if not words:
        raise ToolError(f"There is nothing to send for {tool.name}.")
    if "question" in words and len(words) == 2:
        context = next(value for name, value in words.items() if name != "question")
        return {"question": words["question"], "context": context}, extra
    first, *others = words
    extra.update({_PARAMETER_NAMES.get(name, name): words[name] for name in others})
    return words[first], extra


def _json(inputs: Any, parameters: Mapping[str, Any]) -> tuple[bytes, str]:
    sent: dict[str, Any] = {"inputs": inputs}
    if parameters:
        sent["parameters"] = dict(parameters)
    return json.dumps(sent).encode(), "application/json"


def _accepted(returned: str) -> str:
    if answers.kind_of(returned) == "picture":
        return "image/png"
    return "*/*" if answers.is_file(returned) else "application/json"


async def _once(
    address: str, body: bytes, headers: Mapping[str, str], hosted: HostedTool
) -> Answer | Fault:
    import httpx2

    from controlllm.network.transport import CheckedTransport

    limits = httpx2.Timeout(WHOLE_SECONDS, connect=CONNECT_SECONDS)
    try:
        async with (
            asyncio.timeout(WHOLE_SECONDS),
            httpx2.AsyncClient(
                timeout=limits,
                headers=dict(headers),
                transport=CheckedTransport() if hosted.only_public else None,
            ) as client,
            client.stream("POST", address, content=body) as response,
        ):
            content = bytearray()
            async for chunk in response.aiter_bytes():
                content += chunk
                if len(content) > MOST_BYTES:
                    return Fault(f"{_WHO} sent more than can be taken.")
            if response.status_code != 200:
                return _fault(response, bytes(content[:20_000]), hosted)
            told = response.headers.get("content-type", "").partition(";")[0]
            return Answer(bytes(content), told.strip().lower())
    except httpx2.InvalidURL:
        return Fault(f"{_WHO}'s address cannot be read. Check it in the settings.")
    except (httpx2.ConnectError, httpx2.ConnectTimeout):
        return unreached(_WHO)
    except (TimeoutError, httpx2.TimeoutException):
        return Fault(f"{_WHO} did not answer within {WHOLE_SECONDS:.0f} seconds. Try again.")
    except httpx2.HTTPError:
        return Fault(f"{_WHO}'s answer broke off. Try again.", passes=True)


def _fault(response: Any, content: bytes, hosted: HostedTool) -> Fault:
    status = response.status_code
    wait = retry_after(response.headers)
    said = _told(content)
    if status in (401, 403):
        return Fault(f"{_WHO} refused the key. Check it in the settings.")
    if status == 404:
        return Fault("There is no inference endpoint at this address. Check it in the settings.")
    if status == 503:
        loading = said.get("estimated_time")
        if isinstance(loading, int | float) and not isinstance(loading, bool) and loading >= 0:
            wait = float(loading)
        return Fault(f"{_WHO} is still starting. Try again in a while.", True, wait)
    words = said.get("error")
    words = " ".join(words.split())[:200] if isinstance(words, str) else ""
    if hosted.api_key:
        words = words.replace(hosted.api_key, "…")
    return refusal(_WHO, status, response.headers, words)


def _told(content: bytes) -> Mapping[str, Any]:
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _value(tool: Tool, answer: Answer, given: _Given, context: Context) -> Any:
    """The answer as the tool's return."""
    returned = tool.returns.type
    if returned == "point":
        raise ToolError("An inference endpoint cannot tell places in a picture.")
    if returned == "bbox" and given.size is None:
        raise ToolError(f"{_WHO} was asked for boxes without a picture.")
    if answers.is_file(returned):
        content, media_type = _file_in(answer)
        return answers.file_value(returned, content, media_type, given.size, _WHO, context)
    if answer.media_type.startswith("text/"):
        words = answer.body.decode("utf-8", "replace").strip()
        if not words:
            raise ToolError(f"{_WHO} sent no words. Try again.")
        return answers.value_of_words(returned, words, _WHO)
    return answers.told_value(returned, _json_in(answer), given.size, _WHO)


def _file_in(answer: Answer) -> tuple[bytes, str]:
    """The bytes of the file in an answer, which may be JSON with base64 in it, and their type."""
    if answer.media_type not in ("application/json", "text/plain"):
        return answer.body, answer.media_type
    found = _json_in(answer)
    for _ in range(3):
        if isinstance(found, list) and found:
            found = found[0]
        if isinstance(found, dict):
            media_type = found.get("content-type", "")
            inner = next((found[name] for name in _FILES if found.get(name)), None)
            if isinstance(inner, str):
                return from_base64(inner, _WHO), media_type if isinstance(media_type, str) else ""
            found = inner
        if isinstance(found, str):
            return from_base64(found, _WHO), ""
    raise ToolError(f"{_WHO} sent no file that can be read. Try again.")


def _json_in(answer: Answer) -> Any:
    try:
        return json.loads(answer.body)
    except (ValueError, RecursionError):
        raise ToolError(f"{_WHO} sent an answer that cannot be read. Try again.") from None
