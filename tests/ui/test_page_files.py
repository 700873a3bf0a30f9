"""The page as a browser gets it: nothing in it comes from elsewhere, it is not sent twice, and of
Gradio's nothing is there that the page has no use for."""

from __future__ import annotations

import gzip
import re

import pytest

from tests.every_case import every_case


@pytest.fixture(scope="module")
def client(browser_of):
    return browser_of(raise_server_exceptions=False)


def test_the_page_begins_with_what_runs_before_gradio_and_no_browser_keeps_it(client):
    answer = client.get("/")
    assert answer.status_code == 200 and answer.headers["cache-control"] == "no-store"
    assert answer.headers["content-type"].startswith("text/html")
    first = re.search(r"<script\b[^>]*>(.*?)</script>", answer.text, re.DOTALL)
    assert first is not None and "controlllm-language" in first[1]


def test_the_policy_lets_nothing_come_from_elsewhere_or_go_there(client):
    policy = client.get("/").headers["content-security-policy"]
    rules = {rule.split()[0]: set(rule.split()[1:]) for rule in policy.split("; ")}
    assert rules["default-src"] == rules["frame-ancestors"] == {"'none'"}
    nearby = {"'self'", "data:", "blob:", "'unsafe-inline'", "'unsafe-eval'", "'none'"}
    assert set().union(*rules.values()) <= nearby
    # What makes functions of its templates is Gradio; styles and pictures need no such thing.
    assert [name for name, where in rules.items() if "'unsafe-eval'" in where] == ["script-src"]


@every_case("path", ["/", "/health", "/page/style.css", "/nowhere", "/media/x/y", "/config"])
def test_every_answer_carries_the_safety_headers(client, path):
    headers = client.get(path).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    policy = headers["content-security-policy"]
    assert "frame-ancestors" in policy and "default-src 'none'" in policy
    assert "http:" not in policy and "*" not in policy


def test_nothing_that_the_page_names_lies_elsewhere_and_all_of_it_is_there(client):
    page = client.get("/").text
    head = page[: page.index("</head>")]
    named = re.findall(r"""<(?:script|link)\b[^>]*?\b(?:src|href)=["']([^"']+)""", head)
    assert named
    for path in named:
        assert not re.match(r"(?:https?:)?//", path), path
        answer = client.get(path.removeprefix("."))
        assert answer.status_code == 200 and answer.content, path


@every_case("path", ["/", "/page/style.css"])
def test_it_comes_compressed_to_those_who_can_read_that(client, path):
    plain = client.get(path, headers={"accept-encoding": "identity"})
    with client.stream("GET", path, headers={"accept-encoding": "gzip"}) as packed:
        sent = b"".join(packed.iter_raw())
        assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert len(sent) < len(plain.content) / 3
    assert len(gzip.decompress(sent)) == len(plain.content)
    assert plain.headers["vary"].lower() == packed.headers["vary"].lower() == "accept-encoding"


@every_case("path", ["/page/style.css", "/page/examples/coffee.jpg", "/page/logo.svg"])
def test_what_a_browser_has_is_not_sent_again(client, path):
    first = client.get(path)
    known = first.headers["etag"]
    for sent in (known, f"W/{known}", f'"other", {known}'):
        again = client.get(path, headers={"if-none-match": sent})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == known
    assert client.get(path, headers={"if-none-match": '"other"'}).content == first.content


@every_case("path", ["/", "/page/style.css", "/health"])
def test_its_head_may_be_asked_for(client, path):
    answer = client.head(path)
    assert (answer.status_code, answer.content) == (200, b"")


@every_case(
    ("language", "cookie", "said"),
    [("de,en;q=0.5", "", "Schließen"), ("en", "de", "Schließen"), ("xx", "", "Close")],
)
def test_what_its_scripts_say_is_in_the_readers_language(client, language, cookie, said):
    headers = {"accept-language": language}
    if cookie:
        headers["cookie"] = f"controlllm-language={cookie}"
    answer = client.get("/page/texts.json", headers=headers)
    assert answer.headers["cache-control"] == "no-store"
    assert answer.json()["texts"]["page.close"] == said


@every_case(
    "path",
    [
        "/page/../app.py",
        "/page/%2e%2e/app.py",
        "/page/examples/examples.json",
        "/page/examples/../../../app.py",
        "/docs",
        "/file=/etc/passwd",
        "/gradio_api/custom_component/x/client/component/index.js",
        "/gradio_api/deep_link?session_hash=x",
        "/gradio_api/dev/reload",
        "/gradio_api/file=/etc/passwd",
        "/gradio_api/file=app.py",
        "/gradio_api/file/app.py",
        "/gradio_api/proxy=http://127.0.0.1/",
        "/gradio_api/run-history",
        "/gradio_api/stream/x/y/z/playlist.m3u8",
        "/queue/data?session_hash=x",
    ],
)
def test_nothing_else_is_there(client, path):
    answer = client.get(path, headers={"x-forwarded-host": "evil.example"})
    assert answer.status_code == 404
    assert "evil.example" not in answer.text


@every_case(
    "path",
    [
        "/gradio_api/api/send",
        "/gradio_api/call/act",
        "/gradio_api/call/v2/act",
        "/gradio_api/process_recording",
        "/gradio_api/vibe-edit",
        "/queue/join",
        "/upload",
    ],
)
def test_nothing_else_can_be_begun(client, path):
    assert client.post(path, json={"data": []}).status_code in (404, 405)


def test_nothing_of_the_page_is_told_to_programs(client):
    told = client.get("/gradio_api/info").json()
    assert told == {"named_endpoints": {}, "unnamed_endpoints": {}}
    assert client.get("/monitoring").status_code in (403, 404)


@every_case(
    ("headers", "status"),
    [
        ({"host": "evil.example"}, 400),
        ({"host": "localhost.evil.example"}, 400),
        ({"origin": "https://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://[x"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
    ],
)
def test_pages_of_elsewhere_get_nothing_done(client, headers, status):
    for path in ("/gradio_api/queue/join", "/gradio_api/upload", "/gradio_api/component_server"):
        assert client.post(path, json={}, headers=headers).status_code == status
