"""What somebody might try: without a token, with another's, with nonsense, far too much of it."""

from __future__ import annotations

import json
import socket
import threading
from urllib.parse import urlsplit

import httpx

from tests.every_case import every_case
from tests.serving.conftest import api
from tests.serving.programs import opened, picture, with_picture
from tests.waiting import PATIENCE, wait_until


@every_case(
    "header",
    ["", "Bearer", "bearer -", "Basic eDp5", "Bearer x", "Bearer cllm_000000000000_" + "A" * 43,
     "Bearer " + "x" * 9000, "Token cllm_0_0", "Bearer '; DROP TABLE tokens; --"],
    anew=(api,))  # fmt: skip
def test_nobody_gets_in_with_a_wrong_token(server, api, header):
    answer = httpx.get(f"{server[0]}/api/v1/sessions", headers={"authorization": header})
    assert answer.status_code in (401, 429) and "set-cookie" not in answer.headers
    if answer.status_code == 401:
        assert answer.json()["detail"].endswith((".", "NAME"))


def test_a_cookie_is_no_token_and_a_token_in_the_address_is_none(server, api):
    cookies = {"token": api.token, "controlllm-7860": "A" * 32, "authorization": api.token}
    with httpx.Client(base_url=f"{server[0]}/api/v1", cookies=cookies) as nobody:
        assert nobody.get("/sessions").status_code == 401
        for name in ("token", "authorization", "access_token"):
            assert nobody.get("/sessions", params={name: api.token}).status_code == 401


def test_who_guesses_is_held_up_and_others_of_the_same_address_are_not(server, api):
    guess = {"authorization": "Bearer cllm_000000000000_" + "A" * 43}
    with httpx.Client(base_url=f"{server[0]}/api/v1", headers=guess) as guessing:
        codes = {guessing.get("/sessions").status_code for _ in range(120)}
    assert codes <= {401, 429} and 429 in codes
    assert api.get("/sessions").status_code == 200


def test_one_token_sees_nothing_of_another(api, other):
    session = with_picture(api)
    asked = {"request": "Turn photo.png into an edge map", "files": ["photo.png"]}
    run = api.post(f"/sessions/{session}/ask", json=asked).headers["x-run"]
    own = opened(other)
    own_path, their_path = f"/sessions/{own}", f"/sessions/{session}"
    for method, path, sent in (
        ("GET", their_path, None),
        ("DELETE", their_path, None),
        ("GET", f"{their_path}/files", None),
        ("POST", f"{their_path}/files", None),
        ("GET", f"{their_path}/files/photo.png", None),
        ("DELETE", f"{their_path}/files/photo.png", None),
        ("POST", f"{their_path}/ask", asked),
        ("POST", f"{their_path}/plan", asked),
        ("POST", f"{their_path}/run", {"plan": {}}),
        ("POST", f"{their_path}/switch", {"turn": 0, "subtask": 0, "solution": 0}),
        ("POST", f"{their_path}/resume", {"turn": 0}),
        ("POST", f"{their_path}/tools/image_to_edge", {"arguments": {"image": "photo.png"}}),
        ("GET", f"{their_path}/runs/{run}", None),
        ("GET", f"{their_path}/runs/{run}/events", None),
        ("POST", f"{their_path}/runs/{run}/stop", None),
        ("GET", f"{own_path}/runs/{run}", None),
        ("GET", f"{own_path}/runs/{run}/events", None),
        ("GET", f"{own_path}/files/photo.png", None),
    ):
        answer = other.request(method, path, json=sent) if sent else other.request(method, path)
        assert answer.status_code == 404, (method, path, answer.text)
    assert other.get("/sessions").json()["sessions"][0]["session"] == own
    stolen = other.post(f"{own_path}/ask", json=asked)
    assert stolen.status_code == 422 and "no file called photo.png" in stolen.json()["detail"]
    taken = {"arguments": {"image": "photo.png"}}
    assert other.post(f"{own_path}/tools/image_to_edge", json=taken).status_code == 422
    assert api.get(their_path).json()["turns"][0]["state"] == "answered"


def test_who_only_reads_runs_and_changes_nothing(server, reader):
    for path in ("/sessions", "/tools/image_to_edge", "/sessions/0/ask", "/sessions/0/files"):
        answer = reader.post(path, json={})
        assert answer.status_code == 403 and "only reads" in answer.json()["detail"]
    assert reader.get("/tools").status_code == 200
    assert reader.post("/plan", json={"request": "Describe a.png", "files": ["a.png"]}).is_success


NAMES = [
    *("../../etc/passwd", "..", ".", "/etc/passwd", "a/b/c.png", "C:\\x.png", "a\0b.png", "-rf"),
    *("x" * 299, "\u202egnp.exe", "<script>.png", "%2e%2e%2f", "con.png", " "),
]


def test_names_lead_nowhere(server, api):
    session = opened(api)
    files = f"/sessions/{session}/files"
    for name in NAMES:
        taken = api.post(files, params={"name": name}, content=picture())
        assert taken.status_code == 201, (name, taken.text)
        made = taken.json()["file"]
        fetched = api.get(made["address"].removeprefix("/api/v1"))
        assert fetched.status_code == 200 and fetched.content[:4] == b"\x89PNG", name
    assert api.post(files, params={"name": "x" * 301}, content=picture()).status_code == 422
    for path in ("%2e%2e%2f%2e%2e%2ftokens.sqlite", "..%2ftokens.sqlite", "tokens.sqlite"):
        assert api.get(f"{files}/{path}").status_code == 404
    left = {path.name for path in server[1].iterdir()}
    assert not any("passwd" in name or name.endswith(".png") for name in left)


@every_case(
    "body",
    [b"", b"{", b"null", b"[]", b"5", b'{"request": 5}', b'{"request": "x", "more": 1}',
     b'{"request": null}', b'{"request": "x", "files": "photo.png"}', b"\xff\xfe",
     b'{"request": "x", "files": [{}]}', b"[" * 100_000, b'{"a":' * 50_000,
     b'{"request": "x", "asks": "yes"}', b'{"request": 1' + b"0" * 5000 + b"}"],
    anew=(api,))  # fmt: skip
def test_nonsense_is_refused_in_a_sentence(api, body):
    session = opened(api)
    headers = {"content-type": "application/json"}
    for path in (f"/sessions/{session}/ask", f"/sessions/{session}/run", "/plan"):
        answer = api.post(path, content=body, headers=headers)
        assert answer.status_code == 422, (path, answer.text)
        assert answer.json()["detail"] and len(answer.content) < 1500
    api.delete(f"/sessions/{session}")


def test_json_has_to_be_said_to_be_json(api):
    session = opened(api)
    sent = json.dumps({"request": "x"}).encode()
    for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
        answer = api.post(f"/sessions/{session}/ask", content=sent, headers={"content-type": kind})
        assert answer.status_code == 422 and "application/json" in answer.json()["detail"]


def test_a_plan_that_is_wrong_is_refused_with_its_node(api):
    session = opened(api)
    action = {"tool": "rm", "inputs": {}, "output": {"type": "image", "value": "<GEN>-0"}}
    returns = {"type": "image", "value": "<GEN>-0"}
    plan = {"subtasks": [{"id": 0, "returns": returns, "solutions": [{"actions": [action]}]}]}
    answer = api.post(f"/sessions/{session}/run", json={"plan": plan})
    assert answer.status_code == 422
    assert answer.json()["node"] == "0.0.0" and "rm" in answer.json()["detail"]
    assert api.get(f"/sessions/{session}").json()["turns"] == []


def test_huge_bodies_are_refused_before_they_are_read(server, api):
    host = urlsplit(server[0])
    session = opened(api)
    for path, size in (
        (f"/sessions/{session}/ask", 10**9),
        ("/plan", 3 * 10**6),
        (f"/sessions/{session}/files", 10**10),
        ("/tools/image_to_edge", 10**9),
    ):
        with socket.create_connection((host.hostname, host.port), timeout=PATIENCE) as line:
            head = (
                f"POST /api/v1{path} HTTP/1.1\r\nhost: {host.netloc}\r\ncontent-length: {size}\r\n"
                f"content-type: application/json\r\nauthorization: Bearer {api.token}\r\n\r\n"
            )
            line.sendall(head.encode())
            status = int(line.recv(1000).split()[1])
            assert status in (413, 422, 429), (path, status)
    told = httpx.post(
        f"{server[0]}/api/v1/tools/image_to_edge",
        headers={"authorization": f"Bearer {api.token}"},
        content=iter([b"x"] * 3),
    )
    assert told.status_code == 411


def test_forms_of_many_parts_and_of_nonsense_are_refused(api):
    many = [("image", ("a.png", b"x"))] * 300
    assert api.post("/tools/image_to_edge", files=many).status_code == 422
    several = [("image", ("a.png", picture()))] * 2
    assert "several" in api.post("/tools/image_to_edge", files=several).json()["detail"]
    headers = {"content-type": "multipart/form-data; boundary=x"}
    for body in (b"", b"--x\r\nnonsense", b"\0" * 1000):
        assert api.post("/tools/image_to_edge", content=body, headers=headers).status_code == 422
    headers = {"content-type": "multipart/form-data"}
    assert api.post("/tools/image_to_edge", content=b"x", headers=headers).status_code == 422
    sound = {"files": {"image": ("a.png", b"RIFF" + bytes(200))}}
    assert api.post("/tools/image_to_edge", **sound).status_code == 422


def test_a_connection_that_drops_leaves_the_run_going_or_stops_it_as_was_asked(api):
    session = opened(api)
    asked = {"request": "Write a long piece of music about the sea"}
    for stops, states in ((True, {"stopped"}), (False, {"running", "answered"})):
        sent = {**asked, "request": asked["request"] + "." * stops, "stop_when_left": stops}
        with api.stream("POST", f"/sessions/{session}/ask", json=sent) as answer:
            run = answer.headers["x-run"]
            for line in answer.iter_lines():
                if "ActionStarted" in line:
                    break

        def state_of(run=run):
            return api.get(f"/sessions/{session}/runs/{run}").json()["state"]

        if stops:
            # Looked at less often than the pace allows.
            wait_until(lambda state_of=state_of: state_of() != "running", every=0.2)
        assert state_of() in states
    assert api.post(f"/sessions/{session}/runs/{run}/stop").status_code == 200
    ended = api.get(f"/sessions/{session}/runs/{run}", params={"wait": 1}).json()
    assert ended["state"] in ("stopped", "answered")


def test_who_hangs_up_while_waiting_stops_what_was_to_stop(server, api):
    body = json.dumps({"prompt": "a long piece of music of 70 seconds about a brook"}).encode()
    host = urlsplit(server[0])
    head = (
        f"POST /api/v1/tools/text_to_music HTTP/1.1\r\nhost: {host.netloc}\r\n"
        f"content-length: {len(body)}\r\ncontent-type: application/json\r\n"
        f"authorization: Bearer {api.token}\r\n\r\n"
    )

    def is_at_work():
        return api.get("/sessions").json() != {"sessions": []}

    with socket.create_connection((host.hostname, host.port), timeout=PATIENCE) as line:
        line.sendall(head.encode() + body)
        # Looked at less often than the pace allows.
        wait_until(is_at_work, every=0.2)
    wait_until(lambda: not is_at_work(), every=0.2)


def test_a_reader_that_does_not_read_holds_up_nobody(server, api):
    session = with_picture(api)
    asked = {"request": "Turn photo.png into an edge map", "files": ["photo.png"]}
    body = json.dumps(asked).encode()
    host = urlsplit(server[0])
    head = (
        f"POST /api/v1/sessions/{session}/ask HTTP/1.1\r\nhost: {host.netloc}\r\n"
        f"content-length: {len(body)}\r\ncontent-type: application/json\r\n"
        f"authorization: Bearer {api.token}\r\n\r\n"
    )
    lines = []
    try:
        for _ in range(5):
            line = socket.create_connection((host.hostname, host.port), timeout=PATIENCE)
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
            line.sendall(head.encode() + body)
            lines.append(line)
        whole = api.post(f"/sessions/{session}/ask", params={"wait": 1}, json=asked)
        assert whole.json()["state"] == "answered"
    finally:
        for line in lines:
            line.close()


def test_a_flood_of_requests_is_held_to_the_pace_and_harms_nobody(server, api, other):
    answers = []

    def ask():
        """As fast as the machine lets it, until it has been refused often."""
        refused = 0
        with httpx.Client(base_url=api.base_url, headers=api.headers, timeout=PATIENCE) as client:
            while refused < 200:
                answers.append(client.get("/sessions/0000000000000000"))
                refused += answers[-1].status_code == 429

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    assert other.get("/sessions").status_code == 200
    for thread in threads:
        thread.join()
    refused = [answer for answer in answers if answer.status_code == 429]
    assert {answer.status_code for answer in answers} == {404, 429}
    assert len(answers) - len(refused) >= 400
    assert all(int(answer.headers["retry-after"]) >= 1 for answer in refused)
    assert other.get("/sessions").status_code == 200


def test_too_many_requests_at_once_are_refused_in_words(api):
    session = opened(api)
    asked = {"request": "Write a long piece of music about the sea"}
    runs, refused = [], []
    for _ in range(12):
        with api.stream("POST", f"/sessions/{session}/ask", json=asked) as answer:
            if answer.status_code == 429:
                refused.append(json.loads(answer.read())["detail"])
            else:
                runs.append(answer.headers["x-run"])
    refused.append(api.post("/tools/text_to_music", json={"prompt": "sad"}).json()["detail"])
    for run in runs:
        api.post(f"/sessions/{session}/runs/{run}/stop")
    assert len(refused) >= 2 and all("at work or waiting" in said for said in refused)


def test_what_is_at_work_is_not_begun_a_second_time(api):
    session = opened(api)
    asked = {"request": "Write a piece of music of 70 seconds about a river"}
    with api.stream("POST", f"/sessions/{session}/ask", json=asked) as answer:
        run = answer.headers["x-run"]
        again = api.post(f"/sessions/{session}/resume", json={"turn": 0})
        assert again.status_code == 422 and "at work" in again.json()["detail"]
    assert api.post(f"/sessions/{session}/runs/{run}/stop").json() == {"stopped": True}
    ended = api.get(f"/sessions/{session}/runs/{run}", params={"wait": 1}).json()
    assert ended["state"] == "stopped" and ended["turn"] == 0
    assert api.post(f"/sessions/{session}/runs/{run}/stop").json() == {"stopped": False}


def test_half_a_character_is_replaced_and_breaks_no_answer(api):
    headers = {"content-type": "application/json"}
    sent = rb'{"request": "Say \ud83d now", "files": []}'
    session = opened(api)
    answer = api.post(f"/sessions/{session}/ask?wait=1", content=sent, headers=headers)
    assert answer.status_code == 200
    turns = api.get(f"/sessions/{session}").json()["turns"]
    assert [turn["request"] for turn in turns] == ["Say \ufffd now"]
    assert api.get("/sessions").status_code == 200
