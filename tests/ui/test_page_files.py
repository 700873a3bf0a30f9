"""The page as a browser gets it: nothing in it runs but its own files, and it is not sent twice."""

from __future__ import annotations

import gzip
import re

import pytest
from starlette.testclient import TestClient

from controlllm.runs.assistant import Assistant
from controlllm.store import Store
from controlllm.toolbox import Toolbox
from controlllm.ui.server import create_app
from tests.every_case import every_case


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    store = Store(tmp_path_factory.mktemp("home"))
    app = create_app(Assistant(Toolbox.of([]), store))
    # Not entered: what starts with the server is not needed here.
    yield TestClient(app, base_url="http://127.0.0.1:7860", raise_server_exceptions=False)
    store.close()


def test_the_page_holds_no_script_of_its_own_and_no_browser_keeps_it(client):
    answer = client.get("/")
    assert answer.status_code == 200 and answer.headers["cache-control"] == "no-store"
    assert answer.headers["content-type"].startswith("text/html")
    scripts = re.findall(r"<script\b([^>]*)>(.*?)</script>", answer.text, re.DOTALL)
    assert scripts and all("src=" in head and not body for head, body in scripts)
    assert not re.search(r"<style\b|\son[a-z]+\s*=|javascript:", answer.text)


def test_the_policy_lets_nothing_else_run(client):
    policy = client.get("/").headers["content-security-policy"]
    rules = {rule.split()[0]: rule.split()[1:] for rule in policy.split("; ")}
    assert rules["script-src"] == rules["connect-src"] == rules["style-src"] == ["'self'"]
    assert rules["default-src"] == rules["base-uri"] == rules["frame-ancestors"] == ["'none'"]
    assert "unsafe-eval" not in policy and "http" not in policy


def test_everything_that_the_page_names_is_there(client):
    for path in re.findall(r'(?:src|href)="(/[^"]+)"', client.get("/").text):
        answer = client.get(path)
        assert answer.status_code == 200 and answer.content, path


@every_case("path", ["/", "/page/main.js", "/page/style.css", "/page/logo.svg"])
def test_it_comes_compressed_to_those_who_can_read_that(client, path):
    plain = client.get(path, headers={"accept-encoding": "identity"})
    with client.stream("GET", path, headers={"accept-encoding": "gzip"}) as packed:
        sent = b"".join(packed.iter_raw())
        assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert len(sent) < len(plain.content) and gzip.decompress(sent) == plain.content
    assert plain.headers["vary"] == packed.headers["vary"] == "accept-encoding"


@every_case("path", ["/page/main.js", "/page/examples/coffee.jpg"])
def test_what_a_browser_has_is_not_sent_again(client, path):
    first = client.get(path)
    known = first.headers["etag"]
    for sent in (known, f"W/{known}", f'"other", {known}'):
        again = client.get(path, headers={"if-none-match": sent})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == known
    assert client.get(path, headers={"if-none-match": '"other"'}).content == first.content


@every_case("path", ["/", "/page/main.js", "/health"])
def test_its_head_may_be_asked_for(client, path):
    answer = client.head(path)
    assert (answer.status_code, answer.content) == (200, b"")
    assert int(answer.headers["content-length"]) > 0


@every_case(
    "path",
    [
        "/page/../app.py",
        "/page/%2e%2e/app.py",
        "/page/examples/examples.json",
        "/page/examples/../../../app.py",
        "/config",
        "/docs",
        "/file=/etc/passwd",
        "/gradio_api/app_id",
        "/gradio_api/dev/reload",
        "/gradio_api/file=app.py",
        "/gradio_api/info",
        "/gradio_api/proxy=http://127.0.0.1/",
        "/gradio_api/queue/data?session_hash=x",
        "/monitoring",
        "/openapi.json",
        "/queue/data?session_hash=x",
        "/theme.css",
    ],
)
def test_nothing_else_is_there(client, path):
    answer = client.get(path, headers={"x-forwarded-host": "evil.example"})
    assert answer.status_code == 404
    assert "evil.example" not in answer.text


@every_case(
    "path",
    [
        "/gradio_api/call/ask",
        "/gradio_api/process_recording",
        "/gradio_api/queue/join",
        "/gradio_api/run/on_ask",
        "/gradio_api/upload",
        "/queue/join",
        "/upload",
    ],
)
def test_nothing_else_can_be_begun(client, path):
    assert client.post(path, json={}).status_code == 404
