"""Limits as the page meets them: over its own routes."""

from __future__ import annotations

import re

import pytest
from starlette.testclient import TestClient

from controlllm.runs.assistant import Assistant
from controlllm.settings.quotas import Quotas
from controlllm.store import Store
from controlllm.toolbox import Toolbox
from controlllm.ui.conversations import Conversations
from controlllm.ui.operating import Operating
from controlllm.ui.server import routes_of
from tests.every_case import every_case

QUOTAS = Quotas(
    visitor_sessions=3, visitor_bytes=5000, visitor_files=3, address_sessions=20, free_bytes=0
)


@pytest.fixture
def served(tmp_path):
    store = Store(tmp_path / "home")
    state = Operating(store)
    assistant = Assistant(Toolbox.of([]), store)
    app = routes_of(Conversations(assistant, "cookie", quotas=QUOTAS), state)
    # Not entered: what starts with the server is not needed here.
    yield TestClient(app, base_url="http://127.0.0.1:7860", client=("127.0.0.1", 1)), state
    store.close()


def opened(client):
    return client.post("/conversations", json={"new": True})


def added(client, handle, content):
    return client.post(f"/conversations/{handle}/files?name=a.txt", content=content)


def reached(state, limit):
    text = state.figures.text().decode()
    found = re.search(f'limits_reached_total{{limit="{limit}"}} ([0-9.]+)', text)
    return float(found[1]) if found else 0


def test_files_beyond_what_is_kept_are_refused_and_leave_nothing(served):
    client, state = served
    handle = opened(client).json()["handle"]
    assert added(client, handle, b"words " * 500).status_code == 200
    refused = added(client, handle, b"other " * 500)
    assert refused.status_code == 429
    assert "Delete a conversation" in refused.json()["detail"]
    assert added(client, handle, b"small").status_code == 200
    assert added(client, handle, b"tiny").status_code == 200
    assert "3 files" in added(client, handle, b"wee").json()["detail"]
    assert reached(state, "visitor_bytes") == reached(state, "visitor_files") == 1
    assert len(client.get(f"/conversations/{handle}/files").json()["files"]) == 3
    assert not list((state.store.folder / "work").iterdir())


def test_a_conversation_too_many_is_refused_until_one_is_deleted(served):
    client, state = served
    handles = []
    for number in range(3):
        handles.append(opened(client).json()["handle"])
        added(client, handles[-1], b"%d" % number)
    refused = opened(client)
    assert refused.status_code == 429
    assert "You have 3 conversations" in refused.json()["detail"]
    assert client.delete(f"/conversations/{handles[0]}").status_code == 200
    assert opened(client).status_code == 200


def test_an_address_cannot_open_conversations_without_end(served):
    client, state = served
    codes = []
    for _ in range(30):
        client.cookies.clear()
        codes.append(opened(client).status_code)
    assert codes == [200] * 20 + [429] * 10
    assert state.store.session_count() == 20
    assert reached(state, "address_sessions") == 10


@every_case(
    "sent",
    [{"preference": []}, {"model": "x" * 3000}, {"base_url": {"a": 1}}, {"variant": None}],
    anew=(served,),
)
def test_settings_that_are_none_are_refused_in_words(served, sent):
    client, _ = served
    handle = opened(client).json()["handle"]
    answer = client.post(f"/conversations/{handle}/settings", json=sent)
    assert answer.status_code == 422
    assert "could not be read" in answer.json()["detail"]


def test_more_clicks_than_anybody_makes_are_refused(served):
    client, _ = served
    handle = opened(client).json()["handle"]
    points = [{"x": 1, "y": 1}] * 1001
    answer = client.post(
        f"/conversations/{handle}/points", json={"image": "a.png", "points": points}
    )
    assert answer.status_code == 422
    assert "1,001 clicks" in answer.json()["detail"]


def test_a_large_body_is_refused_before_it_is_read(served):
    client, state = served
    handle = opened(client).json()["handle"]
    answer = client.post(f"/conversations/{handle}/settings", content=b"x" * 3_000_000)
    assert answer.status_code == 413
    assert reached(state, "body_bytes") == 1
