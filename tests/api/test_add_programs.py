"""The verbs in somebody else's Gradio app, and alone."""

from __future__ import annotations

import asyncio

import httpx
import pytest
import uvicorn
from fastapi import FastAPI
from gradio_client import Client, handle_file
from gradio_client.exceptions import AppError

from controlllm.admission.shared import Shared
from controlllm.api.door import Gate, Uploads
from controlllm.api.served import alone, fetching
from controlllm.api.service import Service
from controlllm.api.taking import Taking
from controlllm.api.tokens import Tokens
from controlllm.runs.assistant import Assistant
from controlllm.settings.quotas import Quotas
from controlllm.store import Store
from controlllm.toolbox import Toolbox
from tests.api.programs import picture
from tests.waiting import until


@pytest.fixture
def service(tmp_path):
    quotas, store = Quotas(), Store(tmp_path / "home")
    assistant = Assistant(Toolbox.load(), store)
    yield Service(assistant, Tokens(store.folder), Shared.of(store, quotas))
    store.close()


async def with_served(app, what):
    """Do something that blocks with the address of an app, which this loop serves meanwhile."""
    config = uvicorn.Config(app, port=0, log_level="error", ws="none", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    try:
        await until(lambda: server.started)
        port = server.servers[0].sockets[0].getsockname()[1]
        await asyncio.to_thread(what, f"http://127.0.0.1:{port}")
    finally:
        server.should_exit = True
        await serving


def tried(address, headers, path):
    """Where the result of a call with a file lies."""
    client = Client(address, headers=headers, verbose=False)
    inputs = {"image": handle_file(str(path))}
    outcome = client.predict("image_to_edge", inputs, api_name="/call")
    assert outcome["state"] == "answered" and outcome["files"][0]["type"] == "edge"
    return outcome["files"][0]["address"]


async def test_a_page_with_the_verbs_in_it_keeps_its_own_events(service, tmp_path):
    import gradio as gr

    from controlllm.api.programs import add_programs
    from controlllm.api.served import GradioDoor

    uploads, gate = Uploads(), Gate(service.tokens, 0)
    with gr.Blocks(analytics_enabled=False) as demo:
        shown = gr.Textbox()
        gr.Button().click(lambda: "pressed", None, shown, api_name="pressed")
        add_programs(service, Taking(service, uploads=uploads))
    page = FastAPI(routes=[*fetching(service, gate)])
    page.add_middleware(GradioDoor, service=service, gate=gate, uploads=uploads, alone=False)
    gr.mount_gradio_app(page, demo, "/", run_history=False, ssr_mode=False)
    (tmp_path / "photo.png").write_bytes(picture())
    headers = {"Authorization": f"Bearer {service.tokens.add('a program')}"}

    def look(address):
        # Who has no token is a visitor: the page's events are theirs, the verbs are not.
        visitor = Client(address, verbose=False)
        assert visitor.predict(api_name="/pressed") == "pressed"
        with pytest.raises(AppError, match="Send a token"):
            visitor.predict(api_name="/tools")
        made = tried(address, headers, tmp_path / "photo.png")
        assert httpx.get(address + made, headers=headers).content[:4] == b"\x89PNG"
        assert httpx.get(address + made).status_code == 401

    await with_served(page, look)


async def test_alone_they_are_served_by_one_function(service, tmp_path):
    (tmp_path / "photo.png").write_bytes(picture())
    headers = {"Authorization": f"Bearer {service.tokens.add('a program')}"}

    def look(address):
        made = tried(f"{address}/programs", headers, tmp_path / "photo.png")
        assert httpx.get(address + made, headers=headers).content[:4] == b"\x89PNG"
        wrong = Client(f"{address}/programs", headers={"Authorization": "Bearer x"}, verbose=False)
        with pytest.raises(AppError, match="not valid"):
            wrong.predict(api_name="/tools")

    await with_served(alone(service), look)
