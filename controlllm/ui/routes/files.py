"""Files: added, listed, sent, clicked on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from controlllm.admission.bodies import receive
from controlllm.resources import ClickedPoint
from controlllm.resources.probing import BadInput, Limits
from controlllm.store.document_pages import original_file
from controlllm.ui import examples
from controlllm.ui.calls import OWN, Call, answer, in_thread
from controlllm.ui.carrying import carried_in, downloaded
from controlllm.ui.files import media_response
from controlllm.ui.texts import say

#: Clicks on one picture.
_MOST_POINTS = 1000


def files(call: Call) -> Response:
    """The files of a conversation, its title and those of the others."""
    session = call.session()
    return answer(
        {
            **call.conversations.files(session),
            "title": session.title or say("conversations.new"),
            "conversations": call.conversations.titles(call.visitor),
        }
    )


async def add_file(request: Request) -> Response:
    """Take in a file, which is the body as it is."""
    call = await run_in_threadpool(Call.of, request)
    conversations, name = call.conversations, request.query_params.get("name", "file")
    assistant, check = conversations.assistant, conversations.allowance.check_file
    told = request.headers.get("content-length", "0")
    await run_in_threadpool(check, call.visitor.ids, int(told) if told.isdecimal() else 0)
    with assistant.store.work_folder() as folder:
        path = Path(folder) / "upload"
        await receive(request, path, Limits().max_bytes, name)
        await run_in_threadpool(check, call.visitor.ids, path.stat().st_size)
        carried = await run_in_threadpool(carried_in, path, name, assistant.toolbox)
        async with conversations.taking_in:
            resource, notices = await run_in_threadpool(
                assistant.add_file, call.session_id, path, name
            )

    def told_of() -> Response:
        session = call.session()
        file = conversations.described(resource, conversations.media_of(session))
        told = {"file": file, "notices": notices, **carried}
        return answer({**told, **conversations.files(session)})

    return await run_in_threadpool(told_of)


def add_example(call: Call) -> Response:
    """Put an example's files into the conversation."""
    found = {example.id: example for example in examples.examples()}
    if call.part("example_id") not in found:
        raise HTTPException(404, say("errors.no_example"))
    call.conversations.allowance.check_file(call.visitor.ids, 0)
    example, assistant = found[call.part("example_id")], call.conversations.assistant
    added = [
        assistant.add_file(call.session_id, examples.FOLDER / name, name)[0]
        for name in example.files
    ]
    if example.points and added:
        width, height = added[0].details["width"], added[0].details["height"]
        points = [
            ClickedPoint(int(point.x * width), int(point.y * height), point.positive)
            for point in example.points
        ]
        added.append(assistant.add_points(call.session_id, added[0].value, points))
    return answer(
        {
            "text": example.text,
            "attached": [resource.value for resource in added],
            **call.conversations.files(call.session()),
        }
    )


def add_points(call: Call) -> Response:
    """Take places that were clicked in a picture as a resource."""
    clicked = _points_of(call.field("points", list))
    image, conversations = call.field("image", str), call.conversations
    resource = conversations.assistant.add_points(call.session_id, image, clicked)
    session = call.session()
    file = conversations.described(resource, conversations.media_of(session))
    return answer({"file": file, **conversations.files(session)})


def set_type(call: Call) -> Response:
    """Say what a file is where that was guessed."""
    value, kind = call.field("value", str), call.field("type", str)
    call.conversations.assistant.set_type(call.session_id, value, kind)
    return answer(call.conversations.files(call.session()))


def media_file(call: Call) -> Response:
    """A file's content, whole or small, to be shown or to be kept."""
    value, asked = call.part("value"), call.request.query_params
    assistant, is_download = call.conversations.assistant, asked.get("download") == "1"
    try:
        path, media_type = assistant.file(call.session_id, value)
        if is_download:  # a document as it was handed over, not its text
            path, media_type = original_file(call.session().resource(value), assistant.store)
    except KeyError:
        raise HTTPException(404, say("errors.no_file")) from None
    if is_download:
        return downloaded(call, value, path, media_type)
    return media_response(path, media_type, value, asked.get("size") == "small", False)


def _points_of(sent: list[Any]) -> list[ClickedPoint]:
    if len(sent) > _MOST_POINTS:
        raise BadInput(say("errors.too_many_clicks", count=len(sent), most=_MOST_POINTS))
    try:
        return [
            ClickedPoint(float(point["x"]), float(point["y"]), bool(point.get("positive", True)))
            for point in sent
        ]
    except (AttributeError, KeyError, TypeError, ValueError):
        raise BadInput(say("errors.points_not_read")) from None


ROUTES = (
    Route(f"{OWN}/files", in_thread(files), methods=["GET"]),
    Route(f"{OWN}/files", add_file, methods=["POST"]),
    Route(f"{OWN}/examples/{{example_id}}", in_thread(add_example), methods=["POST"]),
    Route(f"{OWN}/points", in_thread(add_points), methods=["POST"]),
    Route(f"{OWN}/type", in_thread(set_type), methods=["POST"]),
    Route("/media/{handle}/{value:path}", in_thread(media_file), methods=["GET"]),
)
