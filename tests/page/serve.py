"""Serves the page for a test: ``python -m tests.page.serve PORT FOLDER``."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path

os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")
os.environ.setdefault("HF_HUB_OFFLINE", "1")

import gradio as gr
import uvicorn
from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from controlllm.layout import ASSETS
from controlllm.runs.assistant import Assistant
from controlllm.settings import Settings
from controlllm.sources.loading import load_toolbox
from controlllm.store import Store
from controlllm.ui import operating, page_files, routes
from controlllm.ui.conversations import Conversations
from controlllm.ui.operating import Operating
from controlllm.ui.page import Page
from controlllm.ui.texts import Speaking
from controlllm.ui.theme import THEME, css, head


def main(port: int, home: Path) -> None:
    """Serve the page from a folder of its own until the process is ended."""
    assistant = Assistant(load_toolbox([], home), Store(home), Settings.from_environment())
    conversations = Conversations(assistant, f"controlllm-{port}", True)
    plain = [item for item in page_files.ROUTES if item.path != "/"]
    plain += [item for item in routes.ROUTES if "GET" in (item.methods or ())]
    app = FastAPI(
        docs_url=None, redoc_url=None, openapi_url=None, routes=[*operating.ROUTES, *plain]
    )

    class Secret:
        """Gives each browser that comes its secret."""

        def __init__(self, inner: ASGIApp) -> None:
            self.inner = inner

        async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "http" or scope["path"] != "/":
                return await self.inner(scope, receive, send)
            visitor, held = conversations.visitor(Request(scope)), Response()
            if not visitor.owner:
                visitor.have_secret()
                visitor.remember(held, False)
            cookies = [item for item in held.raw_headers if item[0] == b"set-cookie"]

            async def with_secret(message: Message) -> None:
                if message["type"] == "http.response.start":
                    message = {**message, "headers": [*message["headers"], *cookies]}
                await send(message)

            await self.inner(scope, receive, with_secret)

    app.add_middleware(Secret)
    app.add_middleware(Speaking)
    app.state.conversations = conversations
    app.state.operating = Operating(assistant.store)
    threading.Thread(target=assistant.tools.warm_up, daemon=True).start()
    page = Page(conversations)
    gr.mount_gradio_app(
        app, page.demo, "/", theme=THEME, css=css(), head=head(), i18n=page.texts, ssr_mode=False,
        footer_links=[], run_history=False, max_file_size="200mb", show_error=True,
        allowed_paths=[], mcp_server=False, favicon_path=ASSETS / "logo.svg",
    )  # fmt: skip
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning")


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
