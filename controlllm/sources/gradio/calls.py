"""Calls of Gradio apps: what goes to a function, and what comes back as a value of a type."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote, urljoin

from controlllm.network.addresses import Refused
from controlllm.network.gradio_client import fetched
from controlllm.network.transport import place_of
from controlllm.resources import Clip
from controlllm.sources.gradio.describing import fingerprint, functions_of, opened
from controlllm.sources.naming import shortened
from controlllm.sources.source import ForeignArgument, ForeignTool, Source
from controlllm.sources.wire import after_acting, as_value, bad_input, file_of, sent
from controlllm.toolbox import Code, Context, ToolError
from controlllm.toolbox.rooms import tool_module

#: What asks a Gradio app, and reads what it answers.
_APPS = "cloud.gradio_apps"
_MEDIA = ("image", "audio", "video")
MOST_SENT = 64 * 1024 * 1024


def call(source: Source, tool: ForeignTool, inputs: Mapping[str, Any], context: Context) -> Any:
    """A value of the tool's return type out of what an app gives.

    Raises ToolError with a code where the app cannot be asked, refuses, or gives something else.
    """
    context.progress(0.02, f"Reaching {source.name}")
    with opened(source, context) as client:
        name = str(tool.call["name"])
        function = functions_of(source, client).get(name)
        if function is None or fingerprint(function) != tool.call["fingerprint"]:
            raise ToolError(
                f"{source.name} has changed {tool.name}, or no longer has it. Add the source again "
                "to use it as it is now.",
                Code.NOT_FOUND,
            )
        asked = {
            str(argument.call["name"]): _sent(argument, inputs[argument.name], context)
            for argument in tool.arguments
            if inputs.get(argument.name) is not None
        }
        lost: ToolError
        try:
            job = client.submit(api_name=name, **asked)
            output = tool_module(_APPS).waited_for(job, context, _given_up)
        except ToolError as error:
            lost = ToolError(shortened(str(error), 400), error.code)
        except (TypeError, ValueError, LookupError, AttributeError):
            lost = ToolError(f"{source.name} does not take what it says that it takes.")
        else:
            with after_acting(tool):
                return _value(source, tool, _output(source, tool, output), client, context)
    if lost.code in (Code.TIMED_OUT, Code.NOT_SENT):
        with after_acting(tool):
            raise lost
    raise lost


def _given_up(job: Any) -> None:
    # Not `job.cancel`, which makes a request that nothing watches.
    with contextlib.suppress(Exception):
        job.cancel_fn()


def _sent(argument: ForeignArgument, value: Any, context: Context) -> Any:
    gradio_apps = tool_module(_APPS)
    component = argument.call.get("component")
    if component == "imageeditor":
        return gradio_apps.for_editor(value, None, context)
    if argument.type in _MEDIA:
        if isinstance(value, Clip):
            path = Path(value.path)
        else:
            name, content, _ = file_of(argument, value)
            path = context.folder / name
            path.write_bytes(content)
        if path.stat().st_size > MOST_SENT:
            raise bad_input(argument, f"has more than the {MOST_SENT >> 20} MB that can be sent")
        file = gradio_apps.handed(path)
        return {"video": file, "subtitles": None} if argument.call.get("in_two") else file
    if component == "multimodaltextbox":
        return {"text": str(value), "files": []}
    return sent(argument, value)


def _output(source: Source, tool: ForeignTool, found: Any) -> Any:
    """The output that is the tool's result, out of all."""
    place, outputs = int(tool.call["output"]), int(tool.call["outputs"])
    if outputs == 1:
        return found
    if not isinstance(found, tuple | list) or len(found) != outputs:
        raise ToolError(f"{source.name} sent an answer that cannot be read.")
    return found[place]


def _value(source: Source, tool: ForeignTool, output: Any, client: Any, context: Context) -> Any:
    who = source.name
    if tool.returns not in _MEDIA:
        if isinstance(output, Mapping) and isinstance(output.get("label"), str | int | float):
            output = output["label"]
        return as_value(tool.returns, output, who, context)
    context.progress(0.92, "Fetching the result")
    kind = "picture" if tool.returns == "image" else tool.returns
    file = tool_module(_APPS).file_in(output, kind)
    content = file if isinstance(file, str) else _fetched(source, file, client)
    return as_value(tool.returns, content, who, context)


def _fetched(source: Source, file: Mapping[str, Any], client: Any) -> bytes:
    """A file that an app has made, from this app alone."""
    import httpx

    path, url = str(file.get("path") or ""), str(file.get("url") or "")
    if path and "://" not in path:
        address = f"{client.src_prefixed}file={quote(path)}"
    else:
        address = urljoin(client.src, url or path)
    if place_of(address) != client.watched.place:
        raise Refused(f"{source.name} names a file at another address, which is not asked.")
    try:
        return fetched(address, client.watched, client.headers)
    except httpx.HTTPError:
        pass
    raise ToolError(f"The file that {source.name} made could not be fetched. Try again.")
