"""Requests over the page's routes: streams of drawings, for whoever has the conversation."""

from __future__ import annotations

import asyncio
import json

import pytest
from controlllm.ui.server import routes_of
from starlette.testclient import TestClient

from controlllm.core import events
from controlllm.core.plans import Action, Plan, Solution, Subtask, TypedValue
from controlllm.core.questions import Question
from controlllm.core.session import Turn, handle_of
from controlllm.runs.assistant import Assistant
from controlllm.settings.quotas import Quotas
from controlllm.store import Store
from controlllm.toolbox import Toolbox
from controlllm.ui.conversations import Conversations
from controlllm.ui.operating import Operating
from controlllm.ui.streams import Run
from controlllm.ui.view import TurnView
from tests.every_case import every_case
from tests.waiting import PATIENCE, until

KINDS = ("ask", "switch", "choose", "resume", "follow")
SENT = {"run": "r", "text": "???", "turn": 0, "subtask": 0, "solution": 0, "question": 0}


@pytest.fixture
def served(tmp_path):
    store = Store(tmp_path / "home")
    conversations = Conversations(Assistant(Toolbox.of([]), store), "cookie", quotas=Quotas())
    yield routes_of(conversations, Operating(store)), conversations
    store.close()


def client_of(served):
    # Not entered: what starts with the server is not needed here.
    return TestClient(served[0], base_url="http://127.0.0.1:7860")


def opened(client):
    return client.post("/conversations", json={"new": True}).json()["handle"]


def lines_of(answer):
    assert answer.headers["content-type"] == "application/x-ndjson"
    assert answer.headers["cache-control"] == "no-store"
    return [json.loads(line) for line in answer.text.splitlines()]


def test_an_answer_comes_in_lines_of_which_the_last_says_so(served):
    client = client_of(served)
    sent = {"run": "r", "text": "???", "attached": []}
    lines = lines_of(client.post(f"/conversations/{opened(client)}/ask", json=sent))
    assert [line["ended"] for line in lines] == [False] * (len(lines) - 1) + [True]
    assert lines[-1]["state"] == "failed" and "cannot find a request" in lines[-1]["html"]


@every_case("kind", KINDS, anew=(served,))
def test_nobody_else_begins_or_reads_anything(served, kind):
    mine, theirs, nobody = client_of(served), client_of(served), client_of(served)
    handle, _ = opened(mine), opened(theirs)
    for client in (theirs, nobody):
        answer = client.post(f"/conversations/{handle}/{kind}", json={**SENT, "choice": 0})
        assert answer.status_code == 404
        assert answer.json() == {"detail": "There is no such conversation."}
    assert not served[1].runs._runs


def test_a_run_that_is_not_there_is_gone(served):
    client = client_of(served)
    answer = client.post(f"/conversations/{opened(client)}/follow", json={"run": "other"})
    assert lines_of(answer) == [{"ended": True, "gone": True}]


@every_case(
    ("kind", "sent"),
    [
        ("ask", {"text": "Do it"}),
        ("ask", {"run": "", "text": "Do it"}),
        ("ask", {"run": "x" * 65, "text": "Do it"}),
        ("ask", {"run": 1, "text": "Do it"}),
        ("ask", {"run": "r"}),
        ("ask", {"run": "r", "text": ["Do it"]}),
        ("ask", {"run": "r", "text": "Do it", "attached": "a.png"}),
        ("ask", {"run": "r", "text": "Do it", "attached": ["gone.png"]}),
        ("ask", {"run": "r", "text": "Do it", "attached": [[]]}),
        ("ask", ["r"]),
        ("switch", {"run": "r", "turn": 0, "subtask": 0}),
        ("switch", {"run": "r", "turn": "0", "subtask": 0, "solution": 0}),
        ("choose", {"run": "r", "turn": True, "question": 0, "choice": 0}),
        ("resume", {"run": "r", "turn": 0.5}),
        ("follow", {}),
        ("stop", {"run": "x" * 65}),
    ],
    anew=(served,),
)
def test_what_cannot_be_read_begins_nothing_and_is_told(served, kind, sent):
    client = client_of(served)
    handle = opened(client)
    answer = client.post(f"/conversations/{handle}/{kind}", json=sent)
    assert answer.status_code == 422
    assert answer.json()["detail"].endswith(("Load the page again.", "Add it again."))
    assert 'class="turn' not in client.get(f"/conversations/{handle}").json()["turns"]


@every_case("body", [b"{", b"[" * 100_000, b'"x"', b"\xff"], anew=(served,))
def test_a_body_that_is_no_object_is_told(served, body):
    client = client_of(served)
    headers = {"content-type": "application/json"}
    answer = client.post(f"/conversations/{opened(client)}/ask", content=body, headers=headers)
    assert answer.status_code == 422


def test_a_body_that_does_not_say_that_it_is_json_is_not_read(served):
    client = client_of(served)
    sent = b'{"run": "r", "text": "Do it"}'
    headers = {"content-type": "text/plain"}
    answer = client.post(f"/conversations/{opened(client)}/ask", content=sent, headers=headers)
    assert answer.status_code == 422


class Held:
    """A run in a session that goes on until the test says so."""

    def __init__(self, conversations, is_left=False):
        self.end = asyncio.Event()
        self.conversations = conversations
        self.session = conversations.assistant.store.new_session()
        self.run = Run(TurnView(0), {}, lambda: is_left)
        conversations.runs.begin(self.session.id, "held", self.run, self.start)

    async def start(self, cancelled):
        yield events.RequestReceived(0, "Do it")
        while not self.end.is_set() and not cancelled.is_set():
            await asyncio.sleep(0.01)
        yield events.RequestCancelled() if cancelled.is_set() else events.AnswerFinished("Done")


async def followed(app, held, left, got):
    """What a browser gets that follows a run until it has `left`; `got` holds it as it came."""
    handle = handle_of(held.session.id)
    body = [json.dumps({"run": "held"}).encode()]

    async def receive():
        if body:
            return {"type": "http.request", "body": body.pop(), "more_body": False}
        await left.wait()
        return {"type": "http.disconnect"}

    async def send(message):
        got.append(message.get("body", b""))

    headers = [
        (b"content-type", b"application/json"),
        (b"cookie", f"cookie={held.session.id}".encode()),
    ]
    path = f"/conversations/{handle}/follow"
    asked = {"type": "http", "method": "POST", "path": path, "raw_path": path.encode()}
    about = {"asgi": {"spec_version": "2.3"}, "query_string": b"", "root_path": ""}
    await app({**asked, **about, "headers": headers}, receive, send)
    return [json.loads(line) for line in b"".join(got).splitlines()]


async def test_a_page_that_goes_is_no_longer_written_to_and_the_run_goes_on(served):
    app, conversations = served
    held, left, got = Held(conversations), asyncio.Event(), []
    reading = asyncio.create_task(followed(app, held, left, got))
    await until(lambda: held.run._watching)
    await until(lambda: any(got))
    left.set()
    lines = await reading
    assert lines and not any(line["ended"] for line in lines)
    await until(lambda: not held.run._watching)
    assert not held.run.cancelled.is_set()
    back = asyncio.create_task(followed(app, held, asyncio.Event(), []))
    await until(lambda: held.run._watching)
    held.end.set()
    assert (await back)[-1]["state"] == "answered"


async def test_a_run_stops_with_its_page_where_that_is_wanted(served):
    app, conversations = served
    held, left = Held(conversations, is_left=True), asyncio.Event()
    reading = asyncio.create_task(followed(app, held, left, []))
    await until(lambda: held.run._watching)
    left.set()
    await reading
    await conversations.runs.have_ended(PATIENCE)
    assert held.run.view.state == "cancelled"


async def test_what_a_browser_sends_twice_is_one_run(served):
    _, conversations = served
    session = conversations.assistant.store.new_session()
    first = conversations.ask(session, "name", "owner", "???", [])
    assert conversations.ask(session, "name", "owner", "???", []) is first
    await conversations.runs.have_ended(PATIENCE)
    assert first.view.state == "failed"


def test_half_an_emoji_in_a_request_never_breaks_the_page(served):
    client = client_of(served)
    handle = opened(client)
    sent = '{"run": "r", "text": "Say \\ud83d now", "attached": []}'
    headers = {"content-type": "application/json"}
    lines = lines_of(
        client.post(f"/conversations/{handle}/ask", content=sent.encode(), headers=headers)
    )
    assert lines[-1]["ended"]
    for path in (f"/conversations/{handle}", f"/conversations/{handle}/files"):
        assert client.get(path).status_code == 200
    assert "\ufffd" in client.get(f"/conversations/{handle}").text


def test_a_conversation_that_cannot_be_read_keeps_no_page_from_opening_and_can_be_deleted(served):
    client, store = client_of(served), served[1].assistant.store
    handle = opened(client)
    client.post(f"/conversations/{handle}/files?name=a.txt", content=b"words")
    with store._database.transaction() as connection:
        connection.execute("UPDATE sessions SET content = '{'")
    page = client.post("/conversations", json={"handle": handle, "new": False})
    assert page.status_code == 200 and page.json()["handle"] != handle
    assert client.get(f"/conversations/{handle}").status_code == 507
    assert handle in [item["handle"] for item in page.json()["conversations"]]
    left = client.delete(f"/conversations/{handle}")
    assert left.status_code == 200
    assert handle not in [item["handle"] for item in left.json()["conversations"]]


@pytest.fixture
def asked(served):
    """A conversation with one request that has one part with one way, and one question."""
    client, store = client_of(served), served[1].assistant.store
    handle = opened(client)
    (session_id,) = store._database._connection.execute("SELECT id FROM sessions").fetchone()
    result = TypedValue("text", "<GEN>-0")
    way = Solution((Action("say", {}, result),), 5.0)
    plan = Plan((Subtask(0, "Say it", ("general",), (), result),), {0: (way,)})
    question = Question("Which?", 0, ("this", "that"), (0, 0))
    turn = Turn(0, "Say it", plan=plan, state="cancelled", questions=(question,))
    store.update(session_id, lambda session: session.with_turn(turn))
    return client, handle, session_id


@every_case(
    ("kind", "numbers"),
    [
        *((kind, {"turn": turn}) for kind in KINDS[1:4] for turn in (-1, 1, 10**30)),
        *(("act", {"turn": turn}) for turn in (-1, 1)),
        *(("try", {"turn": turn}) for turn in (-1, 1)),
        *(("switch", {"solution": number}) for number in (-1, 1, 10**30)),
        *(("switch", {"subtask": number}) for number in (-1, 1)),
        *(("why-not", {"turn": number, "words": "say"}) for number in (-1, 1)),
        *(("branch", {"turn": number}) for number in (-1, 1)),
    ],
    anew=(served, asked),
)
def test_numbers_that_count_nothing_are_refused_with_a_sentence(asked, caplog, kind, numbers):
    client, handle, _ = asked
    sent = {**SENT, "choice": 0, **numbers}
    answer = client.post(f"/conversations/{handle}/{kind}", json=sent)
    assert answer.status_code in (404, 422), answer.text
    assert answer.json()["detail"].endswith(".")
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


@every_case(
    ("kind", "numbers"),
    [
        *(("choose", {"question": number}) for number in (-1, 1)),
        *(("choose", {"choice": number}) for number in (-1, 2)),
        *(("act", {"subtask": number}) for number in (-1, 1)),
        *(("try", {"solution": number}) for number in (-1, 1)),
    ],
    anew=(served, asked),
)
def test_a_run_that_finds_nothing_under_a_number_says_so(asked, caplog, kind, numbers):
    client, handle, _ = asked
    sent = {**SENT, "choice": 0, **numbers}
    lines = lines_of(client.post(f"/conversations/{handle}/{kind}", json=sent))
    assert lines[-1]["ended"] and lines[-1]["state"] == "failed"
    assert not [record for record in caplog.records if record.levelname == "ERROR"]
