"""Who may add tools from elsewhere through the page: whoever sits at the machine."""

from __future__ import annotations

import json

import pytest
from controlllm.ui.server import routes_of
from starlette.testclient import TestClient

from controlllm.runs.assistant import Assistant
from controlllm.settings.quotas import Quotas
from controlllm.sources.correcting import corrected
from controlllm.sources.keeping import keep, source_named
from controlllm.sources.source import ForeignArgument, ForeignTool, Source
from controlllm.store import Store
from controlllm.toolbox import Toolbox
from controlllm.ui.conversations import Conversations
from controlllm.ui.operating import Operating
from tests.every_case import every_case
from tests.sources.town import town_served

DOCUMENT = {
    "openapi": "3.1.0",
    "servers": [{"url": "https://x.example"}],
    "paths": {"/a": {"get": {"operationId": "look", "responses": {"200": {}}}}},
}
HERE = ("127.0.0.1", 5000)
KEPT = Source(
    "kept",
    "openapi",
    "https://x.example",
    "<script>alert(1)</script>",
    (
        ForeignTool(
            "send",
            "<img src=x onerror=alert(1)>",
            (ForeignArgument("<b>words</b>", "text", call={"in": "query", "name": "w"}),),
            "text",
            acts_outside=True,
            call={
                "method": "POST",
                "path": "/send",
                "reasons": [
                    {"about": "result", "type": "text", "why": "<i>so</i>", "confidence": 0.4}
                ],
            },
        ),
    ),
    options={"server": "https://x.example"},
)


@pytest.fixture(scope="module")
def town_address():
    """The address of an MCP server."""
    with town_served() as address:
        yield address


@pytest.fixture
def home(tmp_path):
    return tmp_path / "home"


@pytest.fixture
def asked(home):
    """Asks a route as somebody: the answer."""
    store = Store(home)
    conversations = Conversations(Assistant(Toolbox.of([]), store), "cookie", quotas=Quotas())
    served = routes_of(conversations, Operating(store))
    keep(KEPT, home)

    def ask(method, path="", body=None, client=HERE, host="127.0.0.1:7860", **headers):
        browser = TestClient(served, base_url=f"http://{host}", client=client, headers=headers)
        handle = browser.post("/conversations", json={"new": True}).json()["handle"]
        return browser.request(method, f"/conversations/{handle}/sources{path}", json=body)

    yield ask
    store.close()


ELSEWHERE = (
    {"client": ("192.0.2.7", 5000)},
    {"host": "controlllm.example"},
    {"x-forwarded-for": "192.0.2.7"},
    {"forwarded": "for=192.0.2.7"},
)
CHANGES = (
    ("POST", "", {"address": "https://x.example/openapi.json"}),
    ("DELETE", "/kept", None),
    ("GET", "/kept/send", None),
    ("POST", "/kept/send", {"wish": "try", "allowed": True}),
    ("POST", "/kept/send", {"wish": "type", "about": "result", "type": "number"}),
)


@every_case(
    "who",
    ELSEWHERE,
    anew=(home, asked),
)
def test_others_see_nothing_and_change_nothing(asked, home, who):
    seen = asked("GET", **who)
    assert "python -m controlllm tools add" in seen.text
    assert "form" not in seen.text and "x.example" not in seen.text
    for method, path, body in CHANGES:
        assert asked(method, path, body, **who).status_code == 403
    assert source_named("kept", home) == KEPT


def test_whoever_sits_here_adds_corrects_and_removes(asked, home, tmp_path):
    path = tmp_path / "api.json"
    path.write_text(json.dumps(DOCUMENT))
    sent = {"address": str(path), "name": "mine", "secrets": "header=KEY, query=OTHER"}
    assert "mine was added." in asked("POST", "", sent).text
    assert source_named("mine", home).secrets == {"header": "KEY", "query": "OTHER"}
    # The same once more takes its place; another under its name does not.
    assert "mine was added." in asked("POST", "", {**sent, "secrets": "header=KEY"}).text
    assert source_named("mine", home).secrets == {"header": "KEY"}
    other = tmp_path / "other.json"
    other.write_text(json.dumps(DOCUMENT))
    again = asked("POST", "", {**sent, "address": str(other)})
    assert again.status_code == 422 and "already" in again.json()["detail"]
    assert "mine was added." in asked("POST", "", sent).text
    changed = asked("POST", "/mine/look", {"wish": "type", "about": "result", "type": "number"})
    assert "You said so. (100% sure)" in changed.text
    keep(corrected(source_named("mine", home), "look", is_checked=True), home)
    assert 'badge is-ready">' in asked("GET", "/mine/look").text
    for wish in ("number", "text"):
        changed = asked("POST", "/mine/look", {"wish": "type", "about": "result", "type": wish})
        assert ("is-ready" in changed.text) is (wish == "number")
    asked("POST", "/mine/look", {"wish": "type", "about": "result", "type": "number"})
    assert source_named("mine", home).tools[0].returns == "number"
    asked("POST", "/mine/look", {"wish": "acts", "acts": True})
    assert source_named("mine", home).tools[0].acts_outside
    assert "mine was removed." in asked("DELETE", "/mine").text
    assert asked("GET", "/mine/look").status_code == 404


def test_that_a_server_only_reads_is_said_when_it_is_added(asked, home, town_address):
    sent = {"address": f"mcp+{town_address}", "name": "town", "local": True}
    assert "town was added." in asked("POST", "", sent).text
    assert any(tool.acts_outside for tool in source_named("town", home).tools)
    assert "town was added." in asked("POST", "", {**sent, "reads": True}).text
    assert not any(tool.acts_outside for tool in source_named("town", home).tools)


def test_a_document_says_by_itself_what_acts(asked, home, tmp_path):
    path = tmp_path / "api.json"
    paths = {"/a": {"post": {"operationId": "send", "responses": {"200": {}}}}}
    path.write_text(json.dumps({**DOCUMENT, "paths": paths}))
    sent = {"address": str(path), "name": "mine", "reads": True}
    assert "mine was added." in asked("POST", "", sent).text
    assert source_named("mine", home).tools[0].acts_outside


def test_what_the_command_line_adds_counts_once_the_page_shows_it(home):
    store = Store(home)
    assistant = Assistant(Toolbox(Toolbox.load().tools[:1]), store)
    conversations = Conversations(assistant, "cookie", quotas=Quotas())
    served = routes_of(conversations, Operating(store))
    browser = TestClient(served, base_url="http://127.0.0.1:7860", client=HERE)
    keep(KEPT, home)
    handle = browser.post("/conversations", json={"new": True}).json()["handle"]
    assert "kept_send" not in assistant.toolbox
    assert browser.get(f"/conversations/{handle}/sources").status_code == 200
    assert "kept_send" in assistant.toolbox
    store.close()


@every_case(
    "body",
    [
        {"address": 5},
        {"address": "x" * 3000},
        {"address": "none.json"},
        {"address": "https://x.example", "local": "yes"},
        {"address": "https://x.example", "reads": "yes"},
        {"address": "https://x.example", "secrets": "sk-canary-1"},
        {"address": "http://127.0.0.1:9/openapi.json"},
    ],
    anew=(home, asked),
)
def test_what_cannot_be_added_gets_a_sentence(asked, body):
    refused = asked("POST", "", body)
    assert (
        refused.status_code == 422
        and refused.json()["detail"].endswith(".") is True
        or ("--local" in refused.json()["detail"])
    )
    assert "canary" not in refused.text


def test_what_would_be_asked_nearby_is_added_only_where_that_is_said(asked, home, tmp_path):
    path = tmp_path / "near.json"
    path.write_text(json.dumps({**DOCUMENT, "servers": [{"url": "http://127.0.0.1:8009"}]}))
    sent = {"address": str(path), "name": "near"}
    refused = asked("POST", "", sent)
    assert refused.status_code == 422 and "127.0.0.1" in refused.json()["detail"]
    assert "near was added." in asked("POST", "", {**sent, "local": True}).text
    assert source_named("near", home).options["is_local"] is True


def test_a_path_of_the_server_counts_only_from_the_machine_itself(asked, monkeypatch, tmp_path):
    from controlllm.ui.routes import sources as routes

    from controlllm.ui.verbs import sources

    path = tmp_path / "api.json"
    path.write_text(json.dumps(DOCUMENT))
    for module in (sources, routes):
        monkeypatch.setattr(module, "may_add", lambda call: True)  # an operator, elsewhere
    monkeypatch.setattr(sources, "is_from_here", lambda request: False)
    refused = asked("POST", "", {"address": str(path), "name": "mine"})
    assert refused.status_code == 422 and "own computer" in refused.json()["detail"]
    sent = {"address": "api.json", "name": "mine", "document": path.read_text()}
    assert "mine was added." in asked("POST", "", sent).text


@every_case(
    ("path", "body", "status"),
    [
        ("/kept/send", {"wish": "fly"}, 422),
        ("/kept/send", {"wish": "type", "about": "result", "type": "poem"}, 422),
        ("/kept/send", {"wish": "try", "values": {"no": "1"}}, 422),
        ("/kept/none", {"wish": "try"}, 404),
        ("/..%2f..%2fetc/none", {"wish": "try"}, 404),
        ("/none/none", {"wish": "try"}, 404),
    ],
    anew=(home, asked),
)
def test_what_cannot_be_changed_is_refused(asked, path, body, status):
    assert asked("POST", path, body).status_code == status


def test_what_acts_outside_is_not_tried_unasked_and_no_file_is_read(asked, tmp_path):
    path = tmp_path / "private.txt"
    path.write_text("canary")
    tried = asked("POST", "/kept/send", {"wish": "try", "values": {"<b>words</b>": f"@{path}"}})
    assert "was not tried" in tried.text and "canary" not in tried.text


def test_what_sources_say_of_themselves_is_only_words(asked):
    for found in (asked("GET"), asked("GET", "/kept/send")):
        assert found.status_code == 200
        for markup in ("<script>", "<img", "<b>words", "<i>so"):
            assert markup not in found.text
