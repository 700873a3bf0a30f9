"""One tool called with everything in one request: files and words in, the result's bytes out."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException
from starlette.responses import FileResponse, JSONResponse, Response

from controlllm.admission.security import FILE_POLICY
from controlllm.core.session import Session
from controlllm.resources import BadInput, Limits
from controlllm.serving.arguments import is_media
from controlllm.serving.calls import Call
from controlllm.serving.service import ONLY_STEP, Service, failure_of
from controlllm.serving.tokens import Token
from controlllm.toolbox import Argument, Tool

#: Of a body of JSON with files in it, in bytes: it is held in memory. A form may be larger.
MOST_INLINE = 32_000_000
_MOST_PARTS = 200
_MOST_WORDS = 2_000_000
_COPIED_AT_ONCE = 1 << 20


async def call_once(call: Call, tool: Tool) -> Response:
    """Call a tool with what a form, or an object of JSON, holds; the answer is the result itself.

    Raises BadInput where that cannot be; a tool that fails is answered with 422 and the reason.
    """
    told = call.request.headers.get("content-length", "")
    kind = call.request.headers.get("content-type", "").partition(";")[0].strip().lower()
    is_form = kind == "multipart/form-data"
    most = Limits().max_bytes if is_form else MOST_INLINE
    if not told.isdecimal():
        raise HTTPException(411, "Say how long the body is (Content-Length).")
    if int(told) > most:
        raise HTTPException(413, f"This is more than {most // 1_000_000} MB.")
    await run_in_threadpool(call.service.check_file, call.token, int(told))
    session = await run_in_threadpool(call.service.open, call.token, True)
    try:
        if is_form:
            sent = await _of_form(call, tool, session)
        else:
            body = await call.json()
            if not isinstance(body, dict):
                raise BadInput("Send an object of JSON: the tool's arguments by their names.")
            sent = await inline(call.service, call.token, session, tool, body)
        return await _result(call, tool, session, sent)
    except BaseException:
        await call.service.close(session)
        raise


async def inline(
    service: Service,
    token: Token,
    session: Session,
    tool: Tool,
    sent: Mapping[str, Any],
) -> dict[str, Any]:
    """Arguments with files as bytes (base64, also as a ``data:`` address): the files are taken into
    a conversation, and stand there by their names."""
    found = dict(sent)
    for argument in tool.args:
        given = sent.get(argument.name)
        if not is_media(argument.type) or given is None:
            continue
        name, names = argument.name, []
        for one in given if argument.many and isinstance(given, list) else [given]:
            content = decoded(name, one)
            names.append(await add_bytes(service, token, session, name, content, argument.type))
        found[name] = names if argument.many else names[0]
    return found


def decoded(name: str, given: Any) -> bytes:
    """The bytes of base64; raises BadInput, with the argument's name, where it is none."""
    if not isinstance(given, str):
        raise BadInput(f"{name!r} has to be the bytes of a file, in base64.")
    words = given.partition(",")[2] if given.startswith("data:") else given
    try:
        return base64.b64decode("".join(words.split()), validate=True)
    except (binascii.Error, ValueError):
        raise BadInput(f"{name!r} is no base64.") from None


async def add_bytes(
    service: Service,
    token: Token,
    session: Session,
    name: str,
    content: bytes,
    type_name: str = "",
) -> str:
    """Take bytes into a conversation as a file; its name there."""
    with service.assistant.store.work_folder() as folder:
        path = Path(folder) / "upload"
        await run_in_threadpool(path.write_bytes, content)
        return await _added(service, token, session, path, name, type_name)


async def _added(
    service: Service, token: Token, session: Session, path: Path, name: str, type_name: str
) -> str:
    special = type_name if type_name not in ("image", "audio", "video") else ""
    resource, _ = await service.add_file(token, session.id, path, name, special)
    return resource.value


async def _of_form(call: Call, tool: Tool, session: Session) -> dict[str, Any]:
    arguments = {argument.name: argument for argument in tool.args}
    sent: dict[str, Any] = {}
    try:
        form = await call.request.form(
            max_files=_MOST_PARTS, max_fields=_MOST_PARTS, max_part_size=_MOST_WORDS
        )
    except (MultiPartException, HTTPException) as error:
        said = getattr(error, "message", None) or getattr(error, "detail", "")
        raise BadInput(f"This form could not be read: {said}") from None
    try:
        for name, part in form.multi_items():
            argument = arguments.get(name)
            if isinstance(part, UploadFile):
                value: Any = await _of_part(call, session, name, part, argument)
            else:
                value = part
            if argument is not None and argument.many:
                sent.setdefault(name, []).append(value)
            elif name in sent:
                raise BadInput(f"{tool.name} takes one {name!r}, and there are several.")
            else:
                sent[name] = value
    finally:
        await form.close()
    return sent


async def _of_part(
    call: Call, session: Session, name: str, part: UploadFile, argument: Argument | None
) -> Any:
    if argument is None or not is_media(argument.type):
        content = await part.read(_MOST_WORDS)
        return content.decode("utf-8", "replace")
    with call.service.assistant.store.work_folder() as folder:
        path = Path(folder) / "upload"
        with path.open("wb") as file:
            while piece := await part.read(_COPIED_AT_ONCE):
                await run_in_threadpool(file.write, piece)
        given = part.filename or name
        return await _added(call.service, call.token, session, path, given, argument.type)


async def _result(call: Call, tool: Tool, session: Session, sent: dict[str, Any]) -> Response:
    service = call.service
    work = await service.call(call.token, session, tool, sent, stops_when_left=True)
    await work.begun()
    await call.wait_for(work)
    made = work.made.get(ONLY_STEP)
    if made is None:
        said, code = failure_of(work)
        await service.close(session)
        return JSONResponse({"detail": said, "code": code}, 422)
    resource = made.resource
    path = service.assistant.store.path(resource.digest, resource.media_type)
    return FileResponse(
        path,
        media_type=resource.media_type,
        filename=resource.value,
        headers={"content-security-policy": FILE_POLICY, "x-type": resource.type},
        background=BackgroundTask(service.close, session),
    )
