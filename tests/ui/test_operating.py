"""What programs of an operator ask: is it alive, is it ready, its figures, and who may ask."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.testclient import TestClient

from controlllm.store import StoreError
from controlllm.ui import operating
from controlllm.ui.operating import Operating
from tests.every_case import every_case
from tests.ui.conftest import store


def client_of(state, client=("127.0.0.1", 50000), host="127.0.0.1:7860"):
    app = Starlette(routes=operating.ROUTES)
    app.state.operating = state
    return TestClient(app, base_url=f"http://{host}", client=client)


def test_a_server_that_can_work_is_ready(store):
    client = client_of(Operating(store))
    assert client.get("/health").json() == {"state": "ok"}
    answer = client.get("/ready")
    assert answer.status_code == 200
    parts = {"store": True, "workers": True, "planner": True}
    assert answer.json() == {"ready": True, **parts, "wrong": []}
    assert not list((store.folder / "work").iterdir())


def test_without_a_worker_the_planner_or_room_it_is_not_and_says_so(store, monkeypatch):
    def full():
        raise StoreError("The disk is full.")

    for state, wrong in (
        (Operating(store, lambda: False), "No worker is ready yet."),
        (Operating(store, can_plan=lambda: False), "The planner is still being loaded."),
    ):
        answer = client_of(state).get("/ready")
        assert (answer.status_code, answer.json()["wrong"]) == (503, [wrong])
    monkeypatch.setattr(store, "check", full)
    answer = client_of(Operating(store)).get("/ready")
    assert (answer.status_code, answer.json()["store"]) == (503, False)
    assert answer.json()["wrong"] == ["The disk is full."]


def test_the_store_is_not_asked_each_time(store, monkeypatch):
    asked = []
    monkeypatch.setattr(store, "check", lambda: asked.append(1))
    client = client_of(Operating(store))
    for _ in range(20):
        client.get("/ready")
    assert len(asked) == 1


@every_case(
    ("readers", "client", "host", "headers", "status"),
    [
        ("here", ("127.0.0.1", 1), "127.0.0.1:7860", {}, 200),
        ("here", ("::1", 1), "localhost:7860", {}, 200),
        ("here", ("192.0.2.7", 1), "127.0.0.1:7860", {}, 404),
        ("here", ("127.0.0.1", 1), "controlllm.example", {}, 404),
        ("here", ("127.0.0.1", 1), "127.0.0.1", {"x-forwarded-for": "192.0.2.7"}, 404),
        ("here", ("127.0.0.1", 1), "127.0.0.1", {"via": "1.1 proxy"}, 404),
        ("everybody", ("192.0.2.7", 1), "controlllm.example", {}, 200),
        ("nobody", ("127.0.0.1", 1), "127.0.0.1", {}, 404),
    ],
    anew=(store,),
)
def test_figures_are_for_those_who_may_read_them(store, readers, client, host, headers, status):
    answer = client_of(Operating(store, readers=readers), client, host).get(
        "/metrics", headers=headers
    )
    assert answer.status_code == status
    assert ("controlllm_requests_running" in answer.text) == (status == 200)
    if status == 200:
        assert answer.headers["content-type"].startswith("text/plain; version=")
