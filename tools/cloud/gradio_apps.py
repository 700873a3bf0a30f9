"""A Gradio app that does one tool's work: found out what it takes, asked, its files fetched.

An address may name one of the app's functions behind a ``#``: ``https://host/#/upscale``. Without
that it is the function whose inputs and outputs fit the tool.
"""

from __future__ import annotations

import contextlib
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import PIL.Image

from controlllm.resources import Clip, Region, Sound, as_text
from controlllm.toolbox import Code, Context, Tool, ToolError
from controlllm.toolbox.capabilities import HostedTool

from . import answers
from .downloads import fetch
from .gradio_functions import WHO, Fit, fitting
from .payloads import from_base64, mask_picture, png_file, wav_file
from .waiting import pause, wait_for

WHOLE_SECONDS = 900.0
_UNREACHED = f"{WHO} could not be reached. Check its address in the settings, and that it runs."


def run(tool: Tool, hosted: HostedTool, inputs: Mapping[str, Any], context: Context) -> Any:
    """What the app makes of a tool's inputs, as the tool's return; raises ToolError."""
    address, _, wanted = hosted.address.strip().partition("#")
    given = {
        argument.name: inputs[argument.name]
        for argument in tool.args
        if inputs.get(argument.name) is not None
    }
    context.progress(0.02, "Reaching the Gradio app")
    options = {}
    if hosted.only_public:
        from controlllm.network.gradio_client import MOST_BYTES, Watched

        options["auth"] = Watched(address, is_local=False, most=MOST_BYTES)
    with opened(address, hosted.api_key, context, request_options=options) as client:
        try:
            described = client.view_api(return_format="dict", print_info=False)
            fit = fitting(tool, given, described, wanted)
            asked = _parameters(tool, fit, given, inputs, described, context)
            job = client.submit(api_name=fit.name, **asked)
        except (AttributeError, LookupError, TypeError, ValueError):
            # What the app says of itself is not in Gradio's form.
            raise ToolError(
                f"{WHO} cannot be used from here. Choose another in the settings."
            ) from None
        found = waited_for(job, context)
        return _value(tool, fit, found, given, client, context)


@contextlib.contextmanager
def opened(
    address: str,
    api_key: str,
    context: Context,
    headers: Mapping[str, str] | None = None,
    request_options: Mapping[str, Any] | None = None,
) -> Iterator[Any]:
    """The client of an app; raises ToolError where there is none that can be used.

    `headers` and `request_options` (httpx's, such as ``auth``) are for every request to it.
    """
    client = wait_for(lambda: _connected(address, api_key, headers, request_options), context)
    if isinstance(client, ToolError):
        raise client
    try:
        yield client
    finally:
        client.close()
        for executor in (client.executor, client.helper_executor, client.stream_executor):
            executor.shutdown(wait=False, cancel_futures=True)


def _connected(
    address: str,
    api_key: str,
    headers: Mapping[str, str] | None,
    request_options: Mapping[str, Any] | None,
) -> Any:
    """The client of an app, or the fault that keeps it from being one. That is given, not raised:
    the engine would take what stands behind it for a reason to try all of this again."""
    import gradio_client
    import httpx
    from gradio_client.exceptions import AuthenticationError
    from gradio_client.utils import TooManyRequestsError

    class Client(gradio_client.Client):
        def _get_config(self) -> dict:
            config = super()._get_config()
            prefix = config.get("api_prefix", "")
            # Else an app could have the key and the files sent to another address.
            if not isinstance(prefix, str) or ":" in prefix or "//" in prefix:
                raise ValueError("the app names another address")
            if int(str(config.get("version", "0")).partition(".")[0]) < 4:
                raise ValueError("the app is too old")
            return config

        def _telemetry_thread(self) -> None:
            """Nobody is told."""

    try:
        # Without a key of its own, False keeps the client from sending one that lies on this
        # machine; files are fetched by us, within limits.
        return Client(
            address,
            token=api_key or False,
            headers=dict(headers or {}),
            httpx_kwargs=dict(request_options or {}),
            verbose=False,
            download_files=False,
            analytics_enabled=False,
        )
    except ToolError as error:
        return error
    except AuthenticationError:
        said = f"{WHO} refused the key. Check it in the settings."
        return ToolError(said, Code.UNAUTHORISED)
    except TooManyRequestsError:
        said = f"{WHO} has had too many requests. Wait a little and ask again."
        return ToolError(said, Code.RATE_LIMITED)
    except httpx.TimeoutException:
        return ToolError(
            f"{WHO} did not answer in time. It may be starting; try again in a while.",
            Code.TIMED_OUT,
        )
    except (httpx.HTTPError, OSError):
        return ToolError(_UNREACHED, Code.NOT_SENT)
    except Exception:
        # Whatever the client makes of an answer that is none of Gradio's.
        return ToolError(
            f"There is no Gradio app that can be used at {address}. Check it in the settings."
        )


def _parameters(
    tool: Tool,
    fit: Fit,
    given: Mapping[str, Any],
    inputs: Mapping[str, Any],
    described: Mapping[str, Any],
    context: Context,
) -> dict[str, Any]:
    """What the function is called with; files are written to be handed over."""
    sent: dict[str, Any] = {}
    function = described["named_endpoints"][fit.name]
    masks = [argument for argument in tool.args if argument.type == "mask"]
    for parameter in function["parameters"]:
        name = parameter["parameter_name"]
        component = str(parameter["component"]).lower()
        argument = fit.arguments.get(name)
        if argument is None:
            own = next((item for item in tool.parameters if item.name == name), None)
            if own is not None:
                sent[name] = inputs.get(name, own.default)
            continue
        value = given[argument.name]
        if component == "imageeditor":
            alone = [item for item in masks if item not in fit.arguments.values()]
            mask = given.get(alone[0].name) if alone else None
            sent[name] = for_editor(value, mask, context)
        elif isinstance(value, PIL.Image.Image | Sound | Clip) or argument.type == "mask":
            file = handed(_file_of(value, context))
            in_two = "subtitles" in str(parameter.get("type", ""))
            sent[name] = {"video": file, "subtitles": None} if in_two else file
        elif argument.type == "number" and component != "textbox":
            sent[name] = value
        else:
            sent[name] = as_text(argument.type, value)
    return sent


def _file_of(value: Any, context: Context) -> Path:
    if isinstance(value, Clip):
        return Path(value.path)
    if isinstance(value, Sound):
        path = context.folder / f"{uuid.uuid4().hex}.wav"
        path.write_bytes(wav_file(value))
        return path
    if isinstance(value, tuple):
        value = mask_picture(value)
    path = context.folder / f"{uuid.uuid4().hex}.png"
    path.write_bytes(png_file(value))
    return path


def handed(path: Path) -> Any:
    """A file as an argument of an app."""
    import gradio_client

    return gradio_client.handle_file(path)


def for_editor(
    picture: PIL.Image.Image, mask: tuple[Region, ...] | None, context: Context
) -> dict[str, Any]:
    """A picture for an editor, with what is marked as painted over."""
    background = _file_of(picture, context)
    layers = []
    if mask is not None:
        marked = mask_picture(mask)
        painted = PIL.Image.merge("RGBA", [marked] * 4)
        layers.append(handed(_file_of(painted, context)))
    shown = handed(background)
    return {"background": shown, "layers": layers, "composite": shown}


def waited_for(job: Any, context: Context, give_up: Callable[[Any], None] | None = None) -> Any:
    """What the function answers: its outputs, one of them alone where there is but one.

    Raises ToolError; with the code TIMED_OUT or NOT_SENT nobody knows what the app has done.
    `give_up` tells the app that nobody waits any more.
    """
    until = time.monotonic() + WHOLE_SECONDS
    try:
        while not job.done():
            context.progress(*_how_far(job))
            if time.monotonic() > until:
                said = f"{WHO} did not finish within {WHOLE_SECONDS:.0f} seconds."
                raise ToolError(said, Code.TIMED_OUT)
            pause(0.1, context)
    except BaseException:
        # In a thread, since telling the app may take as long as the app likes.
        threading.Thread(target=give_up or _given_up, args=(job,), daemon=True).start()
        raise
    error = job.exception()
    if error is not None:
        raise _fault(error)
    return job.result()


def _given_up(job: Any) -> None:
    with contextlib.suppress(Exception):
        job.cancel()


def _how_far(job: Any) -> tuple[float, str]:
    status = job.status()
    if status.rank:
        return 0.05, f"Waiting in the app's queue, {status.rank} before"
    for unit in status.progress_data or ():
        if unit.progress is not None:
            return 0.1 + 0.8 * min(max(float(unit.progress), 0.0), 1.0), "The Gradio app works"
        if unit.index is not None and unit.length:
            share = min(max(unit.index / unit.length, 0.0), 1.0)
            return 0.1 + 0.8 * share, "The Gradio app works"
    return 0.1, "The Gradio app works"


def _fault(error: BaseException) -> ToolError:
    import httpx
    from gradio_client.exceptions import AppError

    if isinstance(error, ToolError):
        return ToolError(str(error), error.code)
    if isinstance(error, AppError):
        said = " ".join(str(error).split())[:200]
        return ToolError(f"{WHO} could not do it: “{said}”")
    if isinstance(error, httpx.TimeoutException):
        said = f"{WHO} did not answer in time. Try again in a while."
        return ToolError(said, Code.TIMED_OUT)
    if isinstance(error, httpx.HTTPStatusError):
        return ToolError(f"{WHO} refused the request ({error.response.status_code}).")
    if isinstance(error, httpx.HTTPError | OSError):
        return ToolError(_UNREACHED, Code.NOT_SENT)
    return ToolError(f"{WHO}'s answer broke off. Try again.", Code.NOT_SENT)


def _value(
    tool: Tool, fit: Fit, found: Any, given: Mapping[str, Any], client: Any, context: Context
) -> Any:
    """The function's outputs as the tool's return."""
    if fit.outputs == 1:
        output = found
    elif isinstance(found, tuple | list) and len(found) == fit.outputs:
        output = found[fit.output]
    else:
        raise ToolError(f"{WHO} sent an answer that cannot be read. Try again.")
    returned = tool.returns.type
    size = next((item.size for item in given.values() if isinstance(item, PIL.Image.Image)), None)
    if not answers.is_file(returned):
        return answers.told_value(returned, output, size, WHO)
    context.progress(0.92, "Fetching the result")
    content = _fetched(output, answers.kind_of(returned), client, context)
    return answers.file_value(returned, content, "", size, WHO, context)


def _fetched(output: Any, kind: str, client: Any, context: Context) -> bytes:
    file = file_in(output, kind)
    if isinstance(file, str):
        return from_base64(file, WHO)
    path, url = file.get("path"), file.get("url")
    if isinstance(path, str) and path and urlsplit(path).scheme not in ("http", "https"):
        address = f"{client.src_prefixed}file={quote(path)}"
    elif isinstance(url, str) and url:
        address = url
    elif isinstance(path, str) and path:
        address = path
    else:
        raise ToolError(f"{WHO} made no file. Try again.")
    return fetch(address, client.src, WHO, context, client.headers)


def file_in(output: Any, kind: str) -> Mapping[str, Any] | str:
    """The description of the file in an output, or the base64 that stands for one; raises
    ToolError where there is neither."""
    for _ in range(4):
        if isinstance(output, str) and output.startswith("data:"):
            return output
        if isinstance(output, list | tuple) and output:
            # A slider shows before and after; the result is what comes after.
            output = output[-1 if len(output) == 2 and kind == "picture" else 0]
        elif isinstance(output, dict):
            if "path" in output or "url" in output:
                return output
            names = ("image", "composite", "video", "value")
            output = next((output[name] for name in names if output.get(name)), None)
        else:
            break
    raise ToolError(f"{WHO} made no file. Try again.")
