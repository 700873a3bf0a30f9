"""Uploads, sessions of pages and what they are told belong to one browser; for others they are not
there."""

from __future__ import annotations

import asyncio
import json
import threading
from types import SimpleNamespace
from urllib.parse import quote

import gradio as gr
import pytest
from fastapi import FastAPI
from starlette.requests import Request

from controlllm.ui.handlers import Handlers
from controlllm.ui.owned import Owned, Owners
from tests.every_case import every_case
from tests.ui.person import Person


@pytest.fixture(scope="module")
def mine(browser_of):
    return browser_of()


@pytest.fixture(scope="module")
def theirs(browser_of):
    return browser_of()


def uploaded(browser, content=b"words", **asked):
    sent = {"files": ("a note.txt", content, "text/plain")}
    answer = browser.post("/gradio_api/upload", files=sent, params=asked)
    assert answer.status_code == 200
    (path,) = answer.json()
    return path


def test_a_browser_that_opens_the_page_gets_a_secret_that_no_script_reads(browser_of, mine):
    first = browser_of().get("/", headers={"cookie": "x=y"})
    cookie = first.headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=strict" in cookie
    assert "set-cookie" not in mine.get("/").headers


def test_an_upload_is_there_for_who_sent_it(mine, theirs, browser_of):
    path = uploaded(mine, b"my own words")
    for way in (path, quote(path, safe="")):
        assert mine.get(f"/gradio_api/file={way}").content == b"my own words"
        assert theirs.get(f"/gradio_api/file={way}").status_code == 404
    nobody = browser_of()
    nobody.cookies.clear()
    assert nobody.get(f"/gradio_api/file={path}").status_code == 404
    # Who has sent the same has it as well, and takes it from nobody.
    assert uploaded(theirs, b"my own words") == path
    assert theirs.get(f"/gradio_api/file={path}").status_code == 200
    assert mine.get(f"/gradio_api/file={path}").status_code == 200


def test_who_has_no_secret_owns_nothing_that_they_upload(browser_of):
    nobody = browser_of()
    nobody.cookies.clear()
    path = uploaded(nobody, b"nobody's words")
    assert nobody.get(f"/gradio_api/file={path}").status_code == 404


def test_how_far_an_upload_is_is_told_to_who_sends_it(mine, theirs):
    uploaded(mine, upload_id="mine")
    assert theirs.get("/gradio_api/upload_progress?upload_id=mine").status_code == 404


def test_what_a_page_is_told_goes_to_its_browser_alone(mine, theirs, application):
    component = application.state.page.drawn._id
    sent = {"session_hash": "page of mine", "component_id": component, "fn_name": "look",
            "data": {"do": "plan", "handle": "", "turn": 0}}  # fmt: skip
    assert mine.post("/gradio_api/component_server", json=sent).status_code == 200
    assert theirs.post("/gradio_api/component_server", json=sent).status_code == 404
    assert theirs.get("/gradio_api/queue/data?session_hash=page of mine").status_code == 404
    assert theirs.get("/gradio_api/heartbeat/page of mine").status_code == 404


@every_case(
    "path", ["queue/join", "queue/join/", "run/predict", "cancel", "reset", "component_server/"]
)
def test_nothing_is_done_in_the_name_of_another_page(mine, theirs, path):
    sent = {"session_hash": "another of mine", "data": [], "fn_index": 0, "event_id": "x"}
    mine.post("/gradio_api/reset", json=sent)
    assert theirs.post(f"/gradio_api/{path}", json=sent).status_code == 404


@every_case("body", [b"", b"{", b"[" * 100_000, b'"x"', b"\xff", b"[1]", b'{"session_hash": 5}'])
def test_a_body_that_is_none_breaks_nothing(mine, body):
    headers = {"content-type": "application/json"}
    answer = mine.post("/gradio_api/queue/join", content=body, headers=headers)
    assert 400 <= answer.status_code < 500


def test_what_was_read_of_a_body_is_read_again_by_what_comes_after():
    async def asked():
        got = []

        async def app(scope, receive, send):
            while (message := await receive())["type"] != "http.disconnect":
                got.append(message["body"])

        pieces = [{"type": "http.request", "body": b'{"session_hash":', "more_body": True},
                  {"type": "http.request", "body": b'"a"}', "more_body": False},
                  {"type": "http.disconnect"}]  # fmt: skip

        async def receive():
            return pieces.pop(0)

        def visitor(request: Request):
            return SimpleNamespace(owner="me")

        scope = {"type": "http", "method": "POST", "path": "/gradio_api/queue/join", "headers": []}
        await Owned(app, visitor, Owners())(scope, receive, lambda message: None)
        return b"".join(got)

    assert json.loads(asyncio.run(asked())) == {"session_hash": "a"}


def test_whoever_has_it_first_keeps_it_and_the_oldest_are_forgotten(monkeypatch):
    monkeypatch.setattr("controlllm.ui.owned._MOST", 2)
    owners = Owners()
    owners.note("a", "me")
    owners.note("a", "you")
    assert owners.is_of("a", "me") and not owners.is_of("a", "you")
    assert not owners.is_of("b", "") and not owners.is_of("b", "me")
    threads = [threading.Thread(target=owners.note, args=(name, "me")) for name in "bc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not owners.is_of("a", "me") and owners.is_of("c", "me")


def test_a_path_that_this_browser_has_not_uploaded_is_no_file_of_a_message(person, tmp_path):
    owners = Owners()
    handlers = Handlers(person.conversations, owners)
    own, other = tmp_path / "own.txt", tmp_path / "other.txt"
    for path in (own, other):
        path.write_text(path.name)
    owners.note_file(str(own), person.visitor.owner)
    owners.note_file(str(other), Person(person.conversations).visitor.owner)
    assert handlers.own_files(person.call(), [own, other]) == [own]
    message = {"text": "", "files": [str(other)]}
    changed = asyncio.run(
        handlers.send(message, person.handle, [], None, gr.Request(person.request))
    )
    assert changed[2] == [] and person.session.resources == ()


async def test_what_is_asked_while_a_stream_ends_is_not_lost():
    """A page hangs up at the last message of its stream, and asks anew before the stream has ended
    (as on a busy machine): the answer comes, by the next stream."""
    with gr.Blocks() as demo:
        gr.Button().click(lambda: "done", outputs=gr.Textbox(), api_name="do")
    program = gr.mount_gradio_app(FastAPI(), demo, path="")
    visitor = SimpleNamespace(owner="me")
    owned = Owned(program, lambda request: visitor, Owners())
    async with program.router.lifespan_context(program):
        await _asked(owned)
        told = await _told(owned, when_closing=lambda: _asked(owned))
        assert "process_completed" in told and "close_stream" in told
        told = await _told(owned)
    assert "done" in told and "404: Not Found" not in told


async def _asked(owned):
    body = json.dumps({"data": [], "fn_index": 0, "session_hash": "page"}).encode()
    answered = []

    async def receive():
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message):
        answered.append(message.get("status", 200))

    await owned(_scope("POST", "/gradio_api/queue/join"), receive, send)
    assert set(answered) == {200}


async def _told(owned, when_closing=None):
    """All that a stream tells. With `when_closing` the page hangs up at its end and does that."""
    hung_up, is_asked, told = asyncio.Event(), False, []

    async def receive():
        nonlocal is_asked
        if not is_asked:
            is_asked = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await hung_up.wait()
        return {"type": "http.disconnect"}

    async def send(message):
        told.append(message.get("body", b"").decode())
        if when_closing and "close_stream" in told[-1]:
            hung_up.set()
            await when_closing()
            await asyncio.sleep(0)

    await owned(_scope("GET", "/gradio_api/queue/data", b"session_hash=page"), receive, send)
    return "".join(told)


def _scope(method, path, query=b""):
    return {
        "type": "http", "asgi": {"version": "3.0", "spec_version": "2.3"}, "http_version": "1.1",
        "method": method, "path": path, "raw_path": path.encode(), "query_string": query,
        "headers": [(b"content-type", b"application/json"), (b"host", b"here")],
        "scheme": "http", "server": ("here", 80), "client": ("here", 1), "root_path": "",
    }  # fmt: skip
