"""The server: Gradio's page, and the plain routes for files, points, settings and conversations.

Every route finds the conversation among those of the browser's own cookie; what belongs to anybody
else does not exist for it (404).
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterable
from dataclasses import replace
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import gradio as gr
import PIL.Image
from fastapi import Body, Depends, FastAPI, HTTPException, Request, Response
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect

from controlllm.assistant import Assistant
from controlllm.resources import ClickedPoint, Resource
from controlllm.resources.probing import BadInput, Limits
from controlllm.session import Session
from controlllm.settings import Settings
from controlllm.store import StoreError
from controlllm.ui import examples
from controlllm.ui.conversation import turn
from controlllm.ui.media import Media, is_picture, thumbnail
from controlllm.ui.page import build_page, head, theme
from controlllm.ui.security import FILE_POLICY, LOCAL_HOSTS, Guard
from controlllm.ui.settings_panel import settings_form
from controlllm.ui.streams import Runs, drawings
from controlllm.ui.toolbox_view import toolbox_list
from controlllm.ui.tray import tray
from controlllm.ui.view import TurnView, views_of
from controlllm.ui.visitor import Visitor, handle_of

_log = logging.getLogger(__name__)

ASSETS = Path(__file__).resolve().parent.parent.parent / "assets"
_THUMBNAIL = (360, 360)
_SHOWN_INLINE = ("image/", "audio/", "video/", "text/", "application/json")
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


class Conversations:
    """What the routes and the listeners do with conversations: one place for each thing.

    Parameters
    ----------
    assistant: does the work.
    cookie: the name of the cookie that holds a browser's conversations.
    """

    def __init__(self, assistant: Assistant, cookie: str) -> None:
        self.assistant = assistant
        self.cookie = cookie
        self.runs = Runs()
        self._settings: dict[str, Settings] = {}

    def visitor(self, request: Request | gr.Request) -> Visitor:
        return Visitor(dict(request.cookies), self.cookie)

    def settings(self, session_id: str) -> Settings:
        return self._settings.get(session_id, self.assistant.settings)

    def set_settings(self, session_id: str, settings: Settings) -> None:
        self._settings[session_id] = settings

    def media(self, session_id: str) -> Media:
        return Media(
            handle_of(session_id), lambda value: self.assistant.file(session_id, value)[0]
        )

    def titles(self, visitor: Visitor) -> list[dict[str, Any]]:
        """The browser's conversations that hold anything, newest first."""
        found = sorted(
            self.assistant.store.titles(visitor.ids), key=lambda item: item[2], reverse=True
        )
        return [
            {"handle": handle_of(session_id), "title": title or "New conversation"}
            for session_id, title, _ in found
        ]

    def open(self, visitor: Visitor, handle: str, new: bool) -> Session:
        """The conversation of this handle; else the newest; else, or where wanted, a new one."""
        if handle:
            try:
                return self.assistant.open_session(self._existing(visitor, handle))
            except KeyError:
                pass
        if not new:
            titles = self.titles(visitor)
            if titles:
                return self.assistant.open_session(visitor.session_id(titles[0]["handle"]))
        for session_id in visitor.ids:
            empty = self._if_empty(session_id)
            if empty is not None:
                return empty
        session = self.assistant.open_session(None)
        for session_id in visitor.ids:
            if session_id in self._settings:
                self._settings[session.id] = self._settings[session_id]
                break
        return session

    def _existing(self, visitor: Visitor, handle: str) -> str:
        session_id = visitor.session_id(handle)
        self.assistant.store.load(session_id)
        return session_id

    def _if_empty(self, session_id: str) -> Session | None:
        try:
            session = self.assistant.store.load(session_id)
        except KeyError:
            return None
        return session if not session.turns and not session.resources else None

    def drawn(self, session: Session) -> dict[str, Any]:
        """Everything the page needs to draw a conversation."""
        media = self.media(session.id)
        known = {resource.value: resource for resource in session.resources}
        turns = "".join(turn(view, media, known) for view in views_of(session))
        return {
            "handle": handle_of(session.id),
            "title": session.title or "New conversation",
            "turns": turns or examples.welcome(),
            "running": any(item.state == "running" for item in session.turns),
            **self.files(session),
        }

    def files(self, session: Session) -> dict[str, Any]:
        """The tray, and what the composer and the picker need to know of each file."""
        media = self.media(session.id)
        return {
            "tray": tray(session, media),
            "files": [self.described(resource, media) for resource in session.resources],
        }

    def described(self, resource: Resource, media: Media) -> dict[str, Any]:
        return {
            "value": resource.value,
            "type": resource.type,
            "picture": is_picture(resource),
            "address": media.address(resource),
            "thumbnail": thumbnail(resource, media),
            "width": resource.details.get("width"),
            "height": resource.details.get("height"),
            "of": resource.details.get("image"),
            "points": resource.details.get("points"),
        }

    async def ask(
        self, sent: dict[str, Any], request: gr.Request
    ) -> AsyncIterator[dict[str, Any]]:
        """The drawings of a new turn."""
        text, attached = str(sent.get("text", "")), [str(item) for item in sent.get("attached", ())]

        def stream(session: Session, **rest: Any) -> Any:
            return self.assistant.answer(session.id, text, attached, **rest)

        async for drawing in self._stream(sent, request, stream, None):
            yield drawing

    async def switch(
        self, sent: dict[str, Any], request: gr.Request
    ) -> AsyncIterator[dict[str, Any]]:
        """The drawings of a turn that goes another way."""
        number, subtask, solution = (
            int(sent.get(name, -1)) for name in ("turn", "subtask", "solution")
        )

        def stream(session: Session, **rest: Any) -> Any:
            return self.assistant.switch(session.id, number, subtask, solution, **rest)

        async for drawing in self._stream(sent, request, stream, number):
            yield drawing

    async def _stream(
        self, sent: dict[str, Any], request: gr.Request, start: Any, number: int | None
    ) -> AsyncIterator[dict[str, Any]]:
        handle, run = str(sent.get("handle", "")), str(sent.get("run", ""))
        try:
            session_id = self.visitor(request).session_id(handle)
            session = self.assistant.store.load(session_id)
        except KeyError:
            yield {
                "handle": handle,
                "run": run,
                "ended": True,
                "error": "This conversation is not there any more. Load the page again.",
            }
            return
        view = TurnView(len(session.turns)) if number is None else TurnView()
        for stored in session.turns:
            if stored.number == number:
                view = TurnView.of(stored, session)
        known = {resource.value: resource for resource in session.resources}
        cancelled = self.runs.begin(session_id, run)
        try:
            events = start(session, settings=self.settings(session_id), cancelled=cancelled)
            async for drawing in drawings(events, view, self.media(session_id), known):
                yield {"handle": handle, "run": run, **drawing}
        finally:
            self.runs.end(session_id, run)


def create_app(
    assistant: Assistant, host: str = "127.0.0.1", port: int = 7860, also: Iterable[str] = ()
) -> FastAPI:
    """The whole web application.

    Parameters
    ----------
    host, port: where it will listen. `also` are more names by which it may be addressed.
    """
    conversations = Conversations(assistant, f"controlllm-{port}")
    app = FastAPI(title="ControlLLM", docs_url=None, redoc_url=None, openapi_url=None)

    def visitor_of(request: Request) -> Visitor:
        return conversations.visitor(request)

    def session_id_of(handle: str, visitor: Visitor = Depends(visitor_of)) -> str:
        try:
            session_id = visitor.session_id(handle)
            assistant.store.load(session_id)
        except KeyError:
            raise HTTPException(404, "There is no such conversation.") from None
        return session_id

    @app.exception_handler(BadInput)
    async def bad_input(_: Request, error: BadInput) -> JSONResponse:
        return JSONResponse({"detail": str(error)}, 422)

    @app.exception_handler(StoreError)
    async def not_kept(_: Request, error: StoreError) -> JSONResponse:
        return JSONResponse({"detail": str(error)}, 507)

    @app.exception_handler(ClientDisconnect)
    async def gone(_: Request, __: ClientDisconnect) -> Response:
        return Response(status_code=499)

    @app.get("/health")
    async def health() -> dict[str, str]:
        return {"state": "ok"}

    @app.get("/page/{name:path}")
    async def page_file(name: str) -> FileResponse:
        path = _PAGE_FILES.get(name)
        if path is None:
            raise HTTPException(404, "There is no such file.")
        return FileResponse(path, headers={"cache-control": "no-cache"})

    @app.post("/conversations")
    def open_conversation(
        request: Request,
        response: Response,
        handle: str = Body("", embed=True),
        new: bool = Body(False, embed=True),
        visitor: Visitor = Depends(visitor_of),
    ) -> dict[str, Any]:
        session = conversations.open(visitor, handle, new)
        visitor.add(session.id)
        visitor.remember(response, request.url.scheme == "https")
        return {**conversations.drawn(session), "conversations": conversations.titles(visitor)}

    @app.get("/conversations/{handle}")
    def conversation(
        session_id: str = Depends(session_id_of), visitor: Visitor = Depends(visitor_of)
    ) -> dict[str, Any]:
        session = assistant.open_session(session_id)
        return {**conversations.drawn(session), "conversations": conversations.titles(visitor)}

    @app.get("/conversations/{handle}/files")
    def files(
        session_id: str = Depends(session_id_of), visitor: Visitor = Depends(visitor_of)
    ) -> dict[str, Any]:
        session = assistant.store.load(session_id)
        return {
            **conversations.files(session),
            "title": session.title or "New conversation",
            "conversations": conversations.titles(visitor),
        }

    @app.delete("/conversations/{handle}")
    def delete_conversation(
        request: Request,
        response: Response,
        session_id: str = Depends(session_id_of),
        visitor: Visitor = Depends(visitor_of),
    ) -> dict[str, Any]:
        assistant.store.delete(session_id)
        visitor.remove(session_id)
        visitor.remember(response, request.url.scheme == "https")
        return {"conversations": conversations.titles(visitor)}

    @app.post("/conversations/{handle}/files")
    async def add_file(
        request: Request, name: str = "file", session_id: str = Depends(session_id_of)
    ) -> dict[str, Any]:
        with assistant.store.work_folder() as folder:
            path = Path(folder) / "upload"
            await _receive(request, path, Limits().max_bytes, name)
            resource, notices = await run_in_threadpool(
                assistant.add_file, session_id, path, name
            )
        media = conversations.media(session_id)
        return {
            "file": conversations.described(resource, media),
            "notices": notices,
            **conversations.files(assistant.store.load(session_id)),
        }

    @app.post("/conversations/{handle}/examples/{example_id}")
    def add_example(example_id: str, session_id: str = Depends(session_id_of)) -> dict[str, Any]:
        found = {example.id: example for example in examples.examples()}
        if example_id not in found:
            raise HTTPException(404, "There is no such example.")
        example = found[example_id]
        added = [
            assistant.add_file(session_id, examples.FOLDER / name, name)[0]
            for name in example.files
        ]
        if example.points and added:
            width, height = added[0].details["width"], added[0].details["height"]
            points = [
                ClickedPoint(int(point.x * width), int(point.y * height), point.positive)
                for point in example.points
            ]
            added.append(assistant.add_points(session_id, added[0].value, points))
        return {
            "text": example.text,
            "attached": [resource.value for resource in added],
            **conversations.files(assistant.store.load(session_id)),
        }

    @app.post("/conversations/{handle}/points")
    def add_points(
        image: str = Body(),
        points: list[dict[str, Any]] = Body(),
        session_id: str = Depends(session_id_of),
    ) -> dict[str, Any]:
        clicked = _points_of(points)
        resource = assistant.add_points(session_id, image, clicked)
        media = conversations.media(session_id)
        return {
            "file": conversations.described(resource, media),
            **conversations.files(assistant.store.load(session_id)),
        }

    @app.post("/conversations/{handle}/type")
    def set_type(
        value: str = Body(), type: str = Body(), session_id: str = Depends(session_id_of)
    ) -> dict[str, Any]:
        assistant.set_type(session_id, value, type)
        return conversations.files(assistant.store.load(session_id))

    @app.post("/conversations/{handle}/stop")
    def stop(
        run: str = Body(embed=True), session_id: str = Depends(session_id_of)
    ) -> dict[str, bool]:
        return {"stopped": conversations.runs.stop(session_id, run)}

    @app.get("/conversations/{handle}/settings")
    def get_settings(session_id: str = Depends(session_id_of)) -> HTMLResponse:
        return HTMLResponse(settings_form(conversations.settings(session_id)))

    @app.post("/conversations/{handle}/settings")
    def set_settings(
        sent: dict[str, Any] = Body(), session_id: str = Depends(session_id_of)
    ) -> HTMLResponse:
        changed = _changed(conversations.settings(session_id), sent)
        conversations.set_settings(session_id, changed)
        return HTMLResponse(settings_form(changed))

    @app.get("/toolbox")
    def toolbox() -> HTMLResponse:
        return HTMLResponse(toolbox_list(assistant.toolbox))

    @app.get("/media/{handle}/{value:path}")
    def media_file(
        value: str,
        size: str = "",
        download: bool = False,
        session_id: str = Depends(session_id_of),
    ) -> Response:
        try:
            path, media_type = assistant.file(session_id, value)
        except KeyError:
            raise HTTPException(404, "There is no such file.") from None
        return _media_response(path, media_type, value, size == "small", download)

    page = build_page(conversations.ask, conversations.switch)
    app = gr.mount_gradio_app(
        app,
        page,
        path="/",
        server_name=host,
        server_port=port,
        footer_links=[],
        run_history=False,
        enable_monitoring=False,
        ssr_mode=False,
        mcp_server=False,
        pwa=False,
        show_error=False,
        max_file_size="1kb",
        allowed_paths=[],
        favicon_path=str(ASSETS / "logo.svg"),
        theme=theme(),
        head=head(),
    )
    app.add_middleware(Guard, hosts=[*LOCAL_HOSTS, host, *also])
    return app


async def _receive(request: Request, path: Path, limit: int, name: str) -> None:
    """Write a request's body to a file; raises BadInput where it is larger than the limit."""
    received = 0
    too_large = BadInput(
        f"{name} is larger than {limit // 1_000_000} MB, the most I take. Send a shorter or "
        "smaller version."
    )
    if int(request.headers.get("content-length") or 0) > limit:
        raise too_large
    with path.open("wb") as file:
        async for piece in request.stream():
            received += len(piece)
            if received > limit:
                raise too_large
            await run_in_threadpool(file.write, piece)


def _points_of(sent: list[dict[str, Any]]) -> list[ClickedPoint]:
    try:
        return [
            ClickedPoint(float(point["x"]), float(point["y"]), bool(point.get("positive", True)))
            for point in sent[:1000]
        ]
    except (KeyError, TypeError, ValueError):
        raise BadInput("These points could not be read. Set them again.") from None


def _changed(settings: Settings, sent: dict[str, Any]) -> Settings:
    """The settings with what the form sent; an empty key field keeps the key.

    Raises BadInput where the address is none.
    """
    if sent.get("forget"):
        return Settings()
    address = str(sent.get("base_url", "")).strip()
    parts = urlsplit(address)
    if address and (parts.scheme not in ("http", "https") or not parts.hostname):
        raise BadInput(
            "The address of the language model must begin with http:// or https://, such as "
            "http://localhost:11434/v1."
        )
    # A key belongs to the address it was typed for; it is never sent to another.
    kept = settings.api_key if address == settings.base_url else ""
    return replace(
        settings,
        base_url=address,
        api_key=str(sent.get("api_key", "")).strip() or kept,
        model=str(sent.get("model", "")).strip() or Settings().model,
        answer_with_model=bool(sent.get("answer_with_model")),
    )


def _media_response(
    path: Path, media_type: str, name: str, small: bool, download: bool
) -> Response:
    headers = {
        "content-security-policy": FILE_POLICY,
        "cache-control": "private, max-age=86400",
    }
    if small and media_type.startswith("image/"):
        content = _thumbnail(path)
        if content is not None:
            return Response(content, media_type="image/webp", headers=headers)
    inline = media_type.startswith(_SHOWN_INLINE) and not download
    if media_type in ("image/svg+xml", "text/xml"):
        inline = False
    return FileResponse(
        path,
        media_type=media_type,
        filename=name,
        content_disposition_type="inline" if inline else "attachment",
        headers=headers,
    )


@lru_cache(maxsize=256)
def _thumbnail(path: Path) -> bytes | None:
    """A small copy of a picture as WebP; files are content-addressed, so it never goes stale."""
    try:
        with PIL.Image.open(path) as picture:
            picture.draft("RGB", _THUMBNAIL)
            small = picture if picture.mode in ("RGB", "RGBA", "L") else picture.convert("RGB")
            small.thumbnail(_THUMBNAIL)
            buffer = BytesIO()
            small.save(buffer, "WEBP", quality=82)
            return buffer.getvalue()
    except (OSError, ValueError):
        return None
