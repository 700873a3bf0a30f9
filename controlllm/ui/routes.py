"""The page's plain routes: files, points, types, settings, conversations.

Every route finds the conversation among those of the browser's own cookie; what belongs to anybody
else does not exist for it (404).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, cast
from urllib.parse import urlsplit

from fastapi import APIRouter, Body, Depends, HTTPException, Request, Response
from fastapi.responses import FileResponse, HTMLResponse
from starlette.concurrency import run_in_threadpool

from controlllm.models.weights import Size
from controlllm.models.weights.pulling import ENDS
from controlllm.resources import ClickedPoint
from controlllm.resources.probing import BadInput, Limits
from controlllm.settings import BEST_VARIANT, Preference, Settings
from controlllm.surroundings import HostedTool
from controlllm.ui import examples
from controlllm.ui.conversations import Conversations
from controlllm.ui.files import media_response, receive
from controlllm.ui.pulls import TooManyPulls
from controlllm.ui.settings_panel import settings_form
from controlllm.ui.toolbox_view import tool_card, toolbox_list
from controlllm.ui.visitor import Visitor

ASSETS = Path(__file__).resolve().parent.parent.parent / "assets"
_PAGE_FILES = {
    "style.css": ASSETS / "style.css",
    "logo.svg": ASSETS / "logo.svg",
    **{path.name: path for path in (ASSETS / "page").glob("*.js")},
    **{
        f"examples/{path.name}": path
        for path in (ASSETS / "examples").iterdir()
        if path.suffix not in (".json", ".md", ".py")
    },
}

#: Of one settings field, in characters, and of clicks on one picture.
_LONGEST = 2000
_MOST_POINTS = 1000

router = APIRouter()


def _conversations(request: Request) -> Conversations:
    found: Conversations = request.app.state.conversations
    return found


Shared = Annotated[Conversations, Depends(_conversations)]


def _visitor(request: Request, conversations: Shared) -> Visitor:
    return conversations.visitor(request)


Caller = Annotated[Visitor, Depends(_visitor)]


def _session_id(handle: str, visitor: Caller, conversations: Shared) -> str:
    try:
        session_id = visitor.session_id(handle)
        conversations.assistant.store.load(session_id)
    except KeyError:
        raise HTTPException(404, "There is no such conversation.") from None
    return session_id


SessionId = Annotated[str, Depends(_session_id)]


@router.get("/page/{name:path}")
async def page_file(name: str) -> FileResponse:
    path = _PAGE_FILES.get(name)
    if path is None:
        raise HTTPException(404, "There is no such file.")
    return FileResponse(path, headers={"cache-control": "no-cache"})


@router.post("/conversations")
def open_conversation(
    conversations: Shared,
    request: Request,
    response: Response,
    visitor: Caller,
    handle: Annotated[str, Body(embed=True)] = "",
    new: Annotated[bool, Body(embed=True)] = False,
) -> dict[str, Any]:
    address = request.client.host if request.client else ""
    session = conversations.open(visitor, handle, new, address)
    visitor.add(session.id)
    visitor.remember(response, request.url.scheme == "https")
    return {**conversations.drawn(session), "conversations": conversations.titles(visitor)}


@router.get("/conversations/{handle}")
def conversation(conversations: Shared, session_id: SessionId, visitor: Caller) -> dict[str, Any]:
    session = conversations.assistant.open_session(session_id)
    return {**conversations.drawn(session), "conversations": conversations.titles(visitor)}


@router.get("/conversations/{handle}/files")
def files(conversations: Shared, session_id: SessionId, visitor: Caller) -> dict[str, Any]:
    session = conversations.assistant.store.load(session_id)
    return {
        **conversations.files(session),
        "title": session.title or "New conversation",
        "conversations": conversations.titles(visitor),
    }


@router.delete("/conversations/{handle}")
def delete_conversation(
    conversations: Shared,
    request: Request,
    response: Response,
    session_id: SessionId,
    visitor: Caller,
) -> dict[str, Any]:
    conversations.runs.stop_all(session_id)
    conversations.assistant.store.delete(session_id)
    visitor.remove(session_id)
    visitor.remember(response, request.url.scheme == "https")
    return {"conversations": conversations.titles(visitor)}


@router.post("/conversations/{handle}/files")
async def add_file(
    conversations: Shared,
    request: Request,
    session_id: SessionId,
    visitor: Caller,
    name: str = "file",
) -> dict[str, Any]:
    assistant, check = conversations.assistant, conversations.allowance.check_file
    told = request.headers.get("content-length", "0")
    await run_in_threadpool(check, visitor.ids, int(told) if told.isdecimal() else 0)
    with assistant.store.work_folder() as folder:
        path = Path(folder) / "upload"
        await receive(request, path, Limits().max_bytes, name)
        await run_in_threadpool(check, visitor.ids, path.stat().st_size)
        async with conversations.taking_in:
            resource, notices = await run_in_threadpool(assistant.add_file, session_id, path, name)
    media = conversations.media(session_id)
    return {
        "file": conversations.described(resource, media),
        "notices": notices,
        **conversations.files(conversations.assistant.store.load(session_id)),
    }


@router.post("/conversations/{handle}/examples/{example_id}")
def add_example(
    conversations: Shared, example_id: str, session_id: SessionId, visitor: Caller
) -> dict[str, Any]:
    found = {example.id: example for example in examples.examples()}
    if example_id not in found:
        raise HTTPException(404, "There is no such example.")
    conversations.allowance.check_file(visitor.ids, 0)
    example = found[example_id]
    added = [
        conversations.assistant.add_file(session_id, examples.FOLDER / name, name)[0]
        for name in example.files
    ]
    if example.points and added:
        width, height = added[0].details["width"], added[0].details["height"]
        points = [
            ClickedPoint(int(point.x * width), int(point.y * height), point.positive)
            for point in example.points
        ]
        added.append(conversations.assistant.add_points(session_id, added[0].value, points))
    return {
        "text": example.text,
        "attached": [resource.value for resource in added],
        **conversations.files(conversations.assistant.store.load(session_id)),
    }


@router.post("/conversations/{handle}/points")
def add_points(
    conversations: Shared,
    image: Annotated[str, Body()],
    points: Annotated[list[dict[str, Any]], Body()],
    session_id: SessionId,
) -> dict[str, Any]:
    clicked = _points_of(points)
    resource = conversations.assistant.add_points(session_id, image, clicked)
    media = conversations.media(session_id)
    return {
        "file": conversations.described(resource, media),
        **conversations.files(conversations.assistant.store.load(session_id)),
    }


@router.post("/conversations/{handle}/type")
def set_type(
    conversations: Shared,
    value: Annotated[str, Body()],
    type: Annotated[str, Body()],
    session_id: SessionId,
) -> dict[str, Any]:
    conversations.assistant.set_type(session_id, value, type)
    return conversations.files(conversations.assistant.store.load(session_id))


@router.post("/conversations/{handle}/stop")
def stop(
    conversations: Shared, run: Annotated[str, Body(embed=True)], session_id: SessionId
) -> dict[str, bool]:
    return {"stopped": conversations.runs.stop(session_id, run)}


@router.get("/conversations/{handle}/settings")
def get_settings(conversations: Shared, session_id: SessionId) -> HTMLResponse:
    return HTMLResponse(settings_form(conversations.settings(session_id), conversations.hosts()))


@router.post("/conversations/{handle}/settings")
def set_settings(
    conversations: Shared, sent: Annotated[dict[str, Any], Body()], session_id: SessionId
) -> HTMLResponse:
    changed = _changed(conversations.settings(session_id), sent)
    conversations.set_settings(session_id, changed)
    return HTMLResponse(settings_form(changed, conversations.hosts()))


@router.get("/conversations/{handle}/toolbox")
def toolbox(conversations: Shared, session_id: SessionId) -> HTMLResponse:
    settings = conversations.settings(session_id)
    known = conversations.assistant.toolbox
    # How an earlier one ended was shown when it did.
    going_on = {
        name: pull for name, pull in conversations.pulls.progress().items() if pull.step not in ENDS
    }
    return HTMLResponse(toolbox_list(known, settings, going_on, conversations.may_pull))


@router.get("/conversations/{handle}/toolbox/{name}")
def toolbox_card(conversations: Shared, name: str, session_id: SessionId) -> HTMLResponse:
    settings = conversations.settings(session_id)
    known = conversations.assistant.toolbox
    if name not in known:
        raise HTTPException(404, "There is no such tool.")
    pull = conversations.pulls.progress().get(name)
    return HTMLResponse(tool_card(known[name], known, settings, pull, conversations.may_pull))


@router.post("/conversations/{handle}/toolbox/{name}")
async def change_weights(
    conversations: Shared,
    name: str,
    wish: Annotated[str, Body(embed=True)],
    session_id: SessionId,
) -> HTMLResponse:
    """Fetch a tool's weights, stop fetching them, or remove them."""
    if name not in conversations.assistant.toolbox:
        raise HTTPException(404, "There is no such tool.")
    if not conversations.may_pull:
        raise HTTPException(403, "Whoever runs this server has not allowed this from the page.")
    settings = conversations.settings(session_id)
    if wish == "pull":
        try:
            await conversations.pulls.begin(name, settings.weights_size)
        except TooManyPulls as error:
            raise HTTPException(409, str(error)) from None
    elif wish == "stop":
        await conversations.pulls.stop(name)
    elif wish == "remove":
        for way in conversations.assistant.toolbox.implementations[name]:
            for weights in settings.surroundings.weights_of(way.weights).values():
                await run_in_threadpool(weights.remove)
    return await run_in_threadpool(toolbox_card, conversations, name, session_id)


@router.get("/media/{handle}/{value:path}")
def media_file(
    conversations: Shared,
    value: str,
    session_id: SessionId,
    size: str = "",
    download: bool = False,
) -> Response:
    try:
        path, media_type = conversations.assistant.file(session_id, value)
    except KeyError:
        raise HTTPException(404, "There is no such file.") from None
    return media_response(path, media_type, value, size == "small", download)


def _points_of(sent: list[dict[str, Any]]) -> list[ClickedPoint]:
    if len(sent) > _MOST_POINTS:
        raise BadInput(f"These are {len(sent)} clicks; at most {_MOST_POINTS} can be used at once.")
    try:
        return [
            ClickedPoint(float(point["x"]), float(point["y"]), bool(point.get("positive", True)))
            for point in sent
        ]
    except (KeyError, TypeError, ValueError):
        raise BadInput("These points could not be read. Set them again.") from None


def _changed(settings: Settings, sent: dict[str, Any]) -> Settings:
    """The settings with what the form sent; an empty key field keeps the key.

    Raises BadInput where an address is none, or a choice is none of those offered.
    """
    if not all(
        isinstance(value, bool | int | float) or (isinstance(value, str) and len(value) <= _LONGEST)
        for value in sent.values()
    ):
        raise BadInput("These settings could not be read. Load the page again and set them anew.")
    if sent.get("forget"):
        stay = ("preference", "weights_size", "hosted", "go_on", "stop_when_left")
        kept = {name: getattr(settings, name) for name in stay}
        return Settings(public_services=settings.public_services, **kept)
    address = _address(sent.get("base_url", ""), "the language model", "http://localhost:11434/v1")
    # A key belongs to the address it was typed for; it is never sent to another.
    kept_key = settings.api_key if address == settings.base_url else ""
    names = ("image_model", "speech_model", "speech_voice", "transcription_model")
    models: dict[str, Any] = {name: str(sent.get(name, "")).strip() for name in names}
    key = str(sent.get("api_key", "")).strip() or kept_key
    variant = str(sent.get("variant", settings.variant))
    if variant == BEST_VARIANT and not (address or key):
        # What the form shows where nobody chose; it holds as soon as there is a model.
        variant = ""
    try:
        return replace(
            settings,
            base_url=address,
            api_key=key,
            model=str(sent.get("model", "")).strip() or Settings().model,
            answer_with_model=bool(sent.get("answer_with_model")),
            variant=variant,
            fall_back=bool(sent.get("fall_back")),
            preference=cast(Preference, sent.get("preference", settings.preference)),
            tools_use_endpoint=bool(sent.get("tools_use_endpoint")),
            public_services=bool(sent.get("public_services")),
            go_on=settings.go_on,
            stop_when_left=bool(sent.get("stop_when_left")),
            weights_size=cast(Size, sent.get("weights_size", settings.weights_size)),
            hosted=_hosted(settings.hosted, sent),
            **models,
        )
    except ValueError as error:
        raise BadInput(str(error)) from None


def _hosted(known: Mapping[str, HostedTool], sent: dict[str, Any]) -> dict[str, HostedTool]:
    """The programs elsewhere that do tools' work, with what the form adds and takes away."""
    found = {tool: item for tool, item in known.items() if not sent.get(f"forget_hosted:{tool}")}
    address = _address(sent.get("hosted_address", ""), "the program", "https://name.hf.space")
    tool = str(sent.get("hosted_tool", ""))
    if address and tool:
        kind = "endpoint" if sent.get("hosted_kind") == "endpoint" else "gradio"
        found[tool] = HostedTool(address, kind, str(sent.get("hosted_key", "")).strip())
    return found


def _address(sent: Any, whose: str, example: str) -> str:
    """An address from the form, or nothing; raises BadInput where it is none."""
    address = str(sent).strip()
    try:
        parts = urlsplit(address)
        is_one = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        is_one = False
    if address and not is_one:
        raise BadInput(
            f"The address of {whose} must begin with http:// or https://, such as {example}."
        )
    return address
