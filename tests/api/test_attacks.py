"""What somebody might try: without a token, with another's, with nonsense, far too much of it."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from urllib.parse import urlsplit

import httpx
import pytest

from tests.api.conftest import api
from tests.api.programs import CALL, Program, Refused, picture, planned
from tests.every_case import every_case
from tests.waiting import PATIENCE, wait_until

EDGES = {"request": "Turn photo.png into an edge map", "files": ["photo.png"]}
MUSIC = {"request": "Write a long piece of music about the sea"}
GUESS = "Bearer cllm_000000000000_" + "A" * 43


@contextlib.contextmanager
def nobody(server, **headers):
    with httpx.Client(base_url=server[0], headers=headers, timeout=PATIENCE) as http:
        yield Program(http, "")


@every_case(
    "header",
    ["", "Bearer", "bearer -", "Basic eDp5", "Bearer x", GUESS, "Bearer " + "x" * 9000,
     "Token cllm_0_0", "Bearer '; DROP TABLE tokens; --"],
    anew=(api,))  # fmt: skip
def test_nobody_gets_in_with_a_wrong_token(server, api, header):
    session = api.with_picture()
    with nobody(server, authorization=header) as other:
        for verb, inputs in (("sessions", {}), ("tools", {}), ("ask", MUSIC)):
            with pytest.raises(Refused, match=r"token|too often"):
                other(verb, **inputs)
        fetched = other.http.get(f"/api/files/{session}/photo.png")
        assert fetched.status_code in (401, 429) and "set-cookie" not in fetched.headers
        if fetched.status_code == 401:
            assert fetched.json()["detail"].endswith((".", "NAME"))
        with pytest.raises(Refused, match=r"token|too often"):
            other.upload()


def test_a_cookie_is_no_token_and_a_token_in_the_address_is_none(server, api):
    cookies = {"token": api.token, "controlllm-7860": "A" * 32, "authorization": api.token}
    file = f"/api/files/{api.with_picture()}/photo.png"
    with httpx.Client(base_url=server[0], cookies=cookies) as http:
        with pytest.raises(Refused, match=r"token|too often"):
            Program(http, "")("sessions")
        for name in ("token", "authorization", "access_token"):
            assert http.get(file, params={name: api.token}).status_code in (401, 429)


def test_who_guesses_is_held_up_and_others_of_the_same_address_are_not(server, api):
    with nobody(server, authorization=GUESS) as guessing:
        answers = [guessing.http.post(f"{CALL}/v2/tools", json={}) for _ in range(120)]
    assert {answer.status_code for answer in answers} <= {200, 429}
    held_up = [answer for answer in answers if answer.status_code == 429]
    assert held_up and all(int(answer.headers["retry-after"]) >= 1 for answer in held_up)
    assert api("sessions") == {"sessions": []}


def test_one_token_sees_nothing_of_another(api, other):
    session, own = api.with_picture(), other.opened()
    outcome = api("ask", **EDGES, session=session)
    theirs, run = {"session": session}, outcome["run"]
    tool = {"tool": "image_to_edge", "inputs": {"image": "photo.png"}}
    for verb, inputs in (
        ("sessions", theirs),
        ("sessions", {**theirs, "forget": True}),
        ("files", theirs),
        ("files", {**theirs, "files": [other.upload()]}),
        ("files", {**theirs, "forget": ["photo.png"]}),
        ("ask", {**EDGES, **theirs}),
        ("plan", {**EDGES, **theirs}),
        ("run", {"plan": planned("edge", ("image_to_edge",)), **theirs}),
        ("call", {**tool, **theirs}),
        ("go_on", {**theirs, "turn": 0, "do": "switch", "numbers": [0, 0]}),
        ("go_on", {**theirs, "turn": 0}),
        ("follow", {**theirs, "run": run}),
        ("stop", {**theirs, "run": run}),
        ("follow", {"session": own, "run": run}),
        ("stop", {"session": own, "run": run}),
    ):
        with pytest.raises(Refused, match="no such"):
            other(verb, **inputs)
    for inputs in ({**EDGES, "session": own}, EDGES):
        with pytest.raises(Refused, match="no file"):
            other("ask", **inputs)
    with pytest.raises(Refused, match="no file"):
        other("call", **tool, session=own)
    link = f"controlllm://files/{session}/photo.png"
    with pytest.raises(Refused, match="no such file"):
        other("ask", request="Describe it", files=[link])
    assert other.fetch(outcome["files"][0]).status_code == 404
    assert [item["session"] for item in other("sessions")["sessions"]][-1] == own
    assert api("sessions", session=session)["turns"][0]["state"] == "answered"


def test_what_somebody_has_uploaded_is_nobody_elses(server, api, other):
    mine = api.upload("secret.png", picture(seed=7))
    path = server[1] / "tokens.sqlite"
    for sent in (
        mine,
        {**mine, "path": str(path)},
        {**mine, "path": "/etc/passwd"},
        {**mine, "path": f"{mine['path']}/../secret.png"},
        {**mine, "path": ""},
        {**mine, "path": f"{server[0]}/health"},
        {**mine, "path": "http://example.org/a.png", "url": "http://example.org/a.png"},
        {**mine, "path": "\ud800"},
        {"path": mine["path"]},
    ):
        with pytest.raises(Refused, match="not uploaded with your token"):
            other("files", files=[sent])
    uploads = server[1] / "uploads"
    assert not [file for file in uploads.rglob("*") if file.name in ("passwd", "tokens.sqlite")]
    # Gradio's own way to files, and what it offers beside its API, is closed to programs.
    for part in (f"file={mine['path']}", f"file/{mine['path']}", "proxy=http://127.0.0.1:1/",
                 "stream/x", "run-history/records", "deep_link", "runs"):  # fmt: skip
        for who in (api, other):
            assert who.http.get(f"/programs/gradio_api/{part}").status_code == 404, part
    sent = {"data": [], "session_hash": "x"}
    for part in ("run/tools", "api/tools", "component_server"):
        assert api.http.post(f"/programs/gradio_api/{part}", json=sent).status_code == 404
    # The same file may be somebody else's as well.
    theirs = other.upload("secret.png", picture(seed=7))
    assert other("files", files=[theirs])["taken"] == api("files", files=[mine])["taken"]


def test_who_only_reads_runs_and_changes_nothing(server, reader):
    for verb, inputs in (
        ("ask", MUSIC),
        ("run", {"plan": {}}),
        ("call", {"tool": "image_to_edge"}),
        ("files", {}),
        ("sessions", {"session": "0", "forget": True}),
        ("go_on", {"session": "0", "turn": 0}),
        ("stop", {"session": "0", "run": "0"}),
    ):
        with pytest.raises(Refused, match="only reads"):
            reader(verb, **inputs)
    with pytest.raises(Refused, match="only reads"):
        reader.upload()
    assert reader("tools")["tools"] and reader("sessions") == {"sessions": []}
    assert reader("plan", request="Describe a.png", files=["a.png"])["plan"]["subtasks"]


NAMES = [
    *("../../etc/passwd", "..", ".", "/etc/passwd", "a/b/c.png", "C:\\x.png", "a\0b.png", "-rf"),
    *("x" * 299, "\u202egnp.exe", "<script>.png", "%2e%2e%2f", "con.png", " "),
]


def test_names_lead_nowhere(server, api):
    session = api.opened()
    for name in NAMES:
        sent = {**api.upload(), "orig_name": name}
        (made,) = api("files", session=session, files=[sent])["taken"]
        listed = api("files", session=session)["files"]
        fetched = api.fetch(next(file for file in listed if file["name"] == made))
        assert fetched.status_code == 200 and fetched.content[:4] == b"\x89PNG", name
    with pytest.raises(Refused, match="300 characters"):
        api("files", session=session, files=[{**api.upload(), "orig_name": "x" * 301}])
    for path in ("%2e%2e%2f%2e%2e%2ftokens.sqlite", "..%2ftokens.sqlite", "tokens.sqlite"):
        assert api.http.get(f"/api/files/{session}/{path}").status_code == 404
    left = {path.name for path in server[1].iterdir()}
    assert not any("passwd" in name or name.endswith(".png") for name in left)


@every_case(
    "body",
    [b"", b"{", b"null", b"[]", b"5", b'{"request": 5}', b'{"request": "x", "more": 1}',
     b'{"request": null}', b'{"request": "x", "files": "photo.png"}', b"\xff\xfe",
     b'{"request": "x", "files": [{}]}', b"[" * 100_000, b'{"a":' * 50_000,
     b'{"request": "x", "how": {"asks": "yes"}}', b'{"request": "x", "how": 5}',
     b'{"request": 1' + b"0" * 5000 + b"}", b'{"request": "x", "files": [{"path": 5}]}',
     b'{"request": "x", "files": [{"path": "x", "meta": {"_type": "gradio.FileData"}, "size": []}]}',  # noqa: E501
     b'{"request": "x", "files": [' + b"[" * 900 + b"]" * 900 + b"]}"],
    anew=(api,))  # fmt: skip
def test_nonsense_is_refused_in_a_sentence(api, body):
    headers = {"content-type": "application/json"}
    for way in (f"{CALL}/v2/ask", f"{CALL}/ask", f"{CALL}/v2/nothing"):
        begun = api.http.post(way, content=body, headers=headers)
        assert len(begun.content) < 1500 and "Traceback" not in begun.text
        if begun.status_code != 200:
            assert begun.status_code in (400, 404, 422, 500), (way, begun.text)
            continue
        told = api.http.get(f"{way}/{begun.json()['event_id']}").text
        assert "event: error" in told and "event: complete" not in told, told
        assert "Traceback" not in told and len(told) < 1500
    assert api("tools", about="weather")["tools"]


def test_half_a_character_is_made_whole(api):
    outcome = api("ask", request="Describe \ud83d", how={})
    assert outcome["state"] in ("failed", "answered")
    with pytest.raises(Refused, match="no tool called"):
        api("call", tool="\udc80")


def test_a_plan_that_is_wrong_is_refused_with_its_node(api):
    session = api.opened()
    for plan in (planned("image", ("rm",)), planned("image", ("image_crop_top",))):
        with pytest.raises(Refused, match=r"At 0\.0\.0 of the plan"):
            api("run", plan=plan, session=session)
    for plan in ({}, {"subtasks": 5}, {"subtasks": [{"id": "x"}]}):
        with pytest.raises(Refused, match=r"\.$"):
            api("run", plan=plan, session=session)
    assert api("sessions", session=session)["turns"] == []


def test_huge_bodies_are_refused_before_they_are_read(server, api):
    host = urlsplit(server[0])
    for path, size in ((f"{CALL}/v2/ask", 10**9), ("/programs/gradio_api/upload", 10**10)):
        with socket.create_connection((host.hostname, host.port), timeout=PATIENCE) as line:
            head = (
                f"POST {path} HTTP/1.1\r\nhost: {host.netloc}\r\ncontent-length: {size}\r\n"
                f"content-type: application/json\r\nauthorization: Bearer {api.token}\r\n\r\n"
            )
            line.sendall(head.encode())
            status = int(line.recv(1000).split()[1])
            assert status in (413, 429), (path, status)
    path = "/programs/gradio_api/upload"
    assert api.http.post(path, content=iter([b"x"] * 3)).status_code == 411


def test_forms_of_nonsense_are_refused(api):
    headers = {"content-type": "multipart/form-data; boundary=x"}
    for body in (b"", b"--x\r\nnonsense", b"\0" * 1000):
        path = "/programs/gradio_api/upload"
        answer = api.http.post(path, content=body, headers=headers)
        assert answer.status_code == 400 or answer.json() == []
    with pytest.raises(Refused, match=r"\.$"):
        api("call", tool="image_to_edge", inputs={"image": api.upload("a.png", b"RIFF" + bytes(9))})


def test_a_connection_that_drops_leaves_the_run_going_or_stops_it_as_was_asked(api):
    session = api.opened()
    for stops, states in ((True, {"stopped"}), (False, {"running", "answered"})):
        asked = {"request": MUSIC["request"] + "." * stops, "how": {"stop_when_left": stops}}
        with api.listening("ask", **asked, session=session) as told:
            event = next(event for event in told if event["event"] == "ActionStarted")
        run = {"session": session, "run": event["run"]}

        def is_at_work(run=run):
            return run["run"] in api("sessions", session=session)["running"]

        if stops:
            # Looked at less often than the pace allows.
            wait_until(lambda is_at_work=is_at_work: not is_at_work(), every=0.3)
            assert api("follow", **run)["state"] in states
        else:
            assert is_at_work() or api("follow", **run)["state"] in states
    api("stop", **run)
    assert api("follow", **run)["state"] in ("stopped", "answered")


@pytest.mark.long
def test_a_flood_of_requests_is_held_to_the_pace_and_harms_nobody(server, api, other):
    answers, is_over = [], threading.Event()

    def ask():
        """As fast as the machine lets it, until the flood is over and it was refused often."""
        refused = 0
        with httpx.Client(base_url=server[0], headers=api.http.headers, timeout=PATIENCE) as http:
            while refused < 200 or not is_over.is_set():
                answers.append(http.get("/api/files/0000000000000000/a.png"))
                refused += answers[-1].status_code == 429

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    try:
        assert other("sessions") == {"sessions": []}
        # Between two refusals there is room for few, so it is refused while the flood goes on.
        with pytest.raises(Refused, match="too often"):
            while True:
                api("tools", about="weather")
    finally:
        is_over.set()
    for thread in threads:
        thread.join()
    refused = [answer for answer in answers if answer.status_code == 429]
    assert {answer.status_code for answer in answers} == {404, 429}
    assert len(answers) - len(refused) >= 400
    assert all(int(answer.headers["retry-after"]) >= 1 for answer in refused)
    assert other("sessions") == {"sessions": []}


def test_too_many_requests_at_once_are_refused_in_words(api):
    session = api.opened()
    runs, refused = [], []
    for _ in range(12):
        try:
            with api.listening("ask", **MUSIC, session=session) as told:
                runs.append(next(told)["run"])
        except Refused as error:
            refused.append(str(error))
    with pytest.raises(Refused, match="at work or waiting"):
        api("call", tool="text_to_music", inputs={"prompt": "sad"})
    for run in runs:
        api("stop", session=session, run=run)
    assert len(refused) >= 2 and all("at work or waiting" in said for said in refused)


def test_another_host_and_another_origin_are_refused(server, api):
    path = f"{CALL}/v2/tools"
    assert api.http.post(path, json={}, headers={"host": "evil.example"}).status_code == 400
    evil = {"origin": "http://evil.example"}
    assert api.http.post(path, json={}, headers=evil).status_code == 403
    assert json.loads(api.http.post(path, json={}).text)["event_id"]
