"""The HTTP interface against the real server: conversations, files, requests, plans, tools."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re

import httpx
import PIL.Image
import pytest

from tests.serving.conftest import FRIEND
from tests.serving.programs import events_of, opened, picture, planned, with_picture
from tests.waiting import wait_until

EDGES = {"request": "Turn photo.png into an edge map", "files": ["photo.png"]}


def test_a_request_is_answered_by_its_events(api):
    session = with_picture(api)
    with api.stream("POST", f"/sessions/{session}/ask", json=EDGES) as answer:
        assert answer.headers["content-type"] == "application/x-ndjson"
        events = events_of(answer)
    names = [event["event"] for event in events]
    assert names[0] == "RequestReceived" and names[-1] == "AnswerFinished"
    assert {"PlanReady", "ActionFinished"} <= set(names)
    assert {event["run"] for event in events} == {answer.headers["x-run"]}
    assert [event["number"] for event in events] == list(range(len(events)))
    made = events[-1]["resources"][0]
    fetched = api.get(f"/sessions/{session}/files/{made['value']}")
    assert hashlib.sha256(fetched.content).hexdigest() == made["digest"]
    assert PIL.Image.open(io.BytesIO(fetched.content)).size == (64, 48)


def test_the_same_comes_as_server_sent_events_or_at_once(api):
    session = with_picture(api)
    asked = {"accept": "text/event-stream"}
    answer = api.post(f"/sessions/{session}/ask", json=EDGES, headers=asked)
    assert answer.headers["content-type"].startswith("text/event-stream")
    blocks = [block.split("\n", 1) for block in answer.text.strip().split("\n\n")]
    assert [block[0] for block in blocks] == [f"id: {number}" for number in range(len(blocks))]
    told = [json.loads(block[1].removeprefix("data: ")) for block in blocks]
    assert told[-1]["event"] == "AnswerFinished"
    whole = api.post(f"/sessions/{session}/ask", params={"wait": 1}, json=EDGES).json()
    assert whole["state"] == "answered" and "edge map" in whole["answer"]
    assert api.get(whole["files"][0]["address"].removeprefix("/api/v1")).content[:4] == b"\x89PNG"


def test_the_agent_that_a_request_names_decides_step_by_step(api):
    session = with_picture(api)
    asked = {**EDGES, "agent": "dfsdt", "divide_first": True}
    events = [
        json.loads(line)
        for line in api.post(f"/sessions/{session}/ask", json=asked).text.splitlines()
    ]
    views = [event["view"] for event in events if event["event"] == "AgentActed"]
    assert {view["agent"] for view in views} == {"dfsdt"}
    assert events[-1]["event"] == "AnswerFinished" and events[-1]["resources"]
    wrong = api.post(f"/sessions/{session}/ask", json={**EDGES, "agent": "oracle"})
    assert wrong.status_code == 422


def test_an_answer_that_failed_says_so(api):
    session = opened(api)
    whole = api.post(f"/sessions/{session}/ask", params={"wait": 1}, json={"request": "???"})
    assert whole.status_code == 200
    assert whole.json()["state"] == "failed" and "request" in whole.json()["answer"]


def test_events_can_be_read_again_from_any_of_them_on(api):
    session = with_picture(api)
    first = api.post(f"/sessions/{session}/ask", json=EDGES)
    run, lines = first.headers["x-run"], first.text.splitlines()
    again = api.get(f"/sessions/{session}/runs/{run}/events", params={"first": 2})
    assert again.text.splitlines() == lines[2:]
    shown = api.get(f"/sessions/{session}/runs/{run}").json()
    assert shown["state"] == "answered" and shown["run"] == run
    assert api.get(f"/sessions/{session}/runs/{'0' * 16}").status_code == 404
    assert api.get(f"/sessions/{session}/runs/{run}/events?first=x").status_code == 422


def test_conversations_are_listed_shown_and_deleted(api):
    session = with_picture(api)
    api.post(f"/sessions/{session}/ask", params={"wait": 1}, json=EDGES)
    assert [item["session"] for item in api.get("/sessions").json()["sessions"]] == [session]
    shown = api.get(f"/sessions/{session}").json()
    assert shown["turns"][0]["state"] == "answered" and shown["running"] == []
    assert shown["turns"][0]["results"]["0.0.0"] in [file["name"] for file in shown["files"]]
    assert api.delete(f"/sessions/{session}").status_code == 204
    assert api.get(f"/sessions/{session}").status_code == 404
    assert api.get("/sessions").json() == {"sessions": []}


def test_files_are_known_by_their_content_and_can_be_deleted(api):
    session = opened(api)
    files = f"/sessions/{session}/files"
    taken = api.post(files, params={"name": "holiday.mp4"}, content=picture()).json()
    assert taken["file"]["type"] == "image"
    refused = api.post(files, params={"name": "photo.png"}, content=b"\x7fELF" + bytes(100))
    assert refused.status_code == 422 and refused.json()["detail"].endswith(".")
    name = taken["file"]["name"]
    assert api.delete(f"{files}/{name}").status_code == 204
    assert api.delete(f"{files}/{name}").status_code == 404
    assert api.get(files).json() == {"files": []}
    masked = api.post(files, params={"name": "m.png", "type": "mask"}, content=picture())
    assert masked.json()["file"]["type"] == "mask"
    changed = api.post(f"{files}/m.png/type", json={"type": "canny"})
    assert changed.json()["type"] == "canny"
    assert api.post(files, params={"type": "text"}, content=b"hello").status_code == 422


def test_what_is_fetched_cannot_run_in_a_browser(api):
    session = opened(api)
    page = b"<!doctype html><html><body><script>alert(1)</script></body></html>"
    taken = api.post(f"/sessions/{session}/files", params={"name": "page.html"}, content=page)
    if taken.status_code == 201:
        fetched = api.get(f"/sessions/{session}/files/{taken.json()['file']['name']}")
        assert fetched.headers["content-disposition"].startswith("attachment")
        assert "sandbox" in fetched.headers["content-security-policy"]
        assert fetched.headers["x-content-type-options"] == "nosniff"


def test_a_plan_is_made_changed_and_run(api):
    session = with_picture(api)
    plan = api.post(f"/sessions/{session}/plan", json=EDGES).json()["plan"]
    assert plan["subtasks"][0]["solutions"][0]["actions"][-1]["tool"] == "image_to_edge"
    assert api.get(f"/sessions/{session}").json()["turns"] == []
    action = plan["subtasks"][0]["solutions"][0]["actions"][-1]
    action["tool"], action["output"]["type"] = "image_to_canny", "canny"
    plan["subtasks"][0]["returns"]["type"] = "canny"
    plan["subtasks"][0]["solutions"] = plan["subtasks"][0]["solutions"][:1]
    whole = api.post(f"/sessions/{session}/run", params={"wait": 1}, json={"plan": plan}).json()
    assert whole["state"] == "answered", whole
    assert [file["type"] for file in whole["files"]] == ["canny"]


def test_a_plan_needs_no_files_and_no_conversation(api):
    asked = {"request": "Transcribe talk.mp3 and summarise it", "files": ["talk.mp3"]}
    plan = api.post("/plan", json=asked).json()["plan"]
    ways = [subtask["solutions"][0]["actions"] for subtask in plan["subtasks"]]
    tools = {action["tool"] for actions in ways for action in actions}
    assert tools == {"speech_to_text", "summarization"}
    assert api.get("/sessions").json() == {"sessions": []}


def test_another_way_is_taken_and_numbers_that_count_nothing_are_refused(api):
    session = with_picture(api)
    plan = planned("image", ("image_crop_top",), ("image_crop_left",))
    first = api.post(f"/sessions/{session}/run", params={"wait": 1}, json={"plan": plan}).json()
    wish = {"turn": first["turn"], "subtask": 0, "solution": 1}
    taken = api.post(f"/sessions/{session}/switch", params={"wait": 1}, json=wish).json()
    assert [item["files"][0]["origin"] for item in (first, taken)] == [
        "image_crop_top",
        "image_crop_left",
    ]
    assert api.get(f"/sessions/{session}").json()["turns"][0]["plan"]["chosen"] == {"0": 1}
    for way, wish in (
        ("switch", {"turn": 9, "subtask": 0, "solution": 0}),
        ("switch", {"turn": 0, "subtask": 7, "solution": 0}),
        ("switch", {"turn": 0, "subtask": 0, "solution": 99}),
        ("choose", {"turn": 0, "question": 0, "choice": 0}),
        ("resume", {"turn": 5}),
    ):
        assert api.post(f"/sessions/{session}/{way}", json=wish).status_code == 404, (way, wish)
    assert api.post(f"/sessions/{session}/resume", json={"turn": -1}).status_code == 422


def test_an_agent_works_on_a_subtask_step_by_step(api, reader):
    session = with_picture(api)
    plan = planned("edge", ("image_crop_left", "image_to_edge"))
    plan["subtasks"][0]["description"] = EDGES["request"]
    ran = api.post(f"/sessions/{session}/run", params={"wait": 1}, json={"plan": plan}).json()
    assert ran["state"] == "answered" and ran["files"][0]["details"]["width"] == 32
    turn = ran["turn"]
    wish = {"turn": turn, "subtask": 0}
    events = events_of(api.post(f"/sessions/{session}/act", json=wish))
    names = [event["event"] for event in events]
    assert "AgentActed" in names and names[-1] == "AnswerFinished"
    assert events[-1]["resources"][0]["details"]["width"] == 64
    # What it found is one more way, and is taken.
    after = api.get(f"/sessions/{session}").json()["turns"][turn]["plan"]
    ways = [
        [action["tool"] for action in way["actions"]] for way in after["subtasks"][0]["solutions"]
    ]
    assert ["image_crop_left", "image_to_edge"] in ways
    assert ways[after["chosen"]["0"]] == ["image_to_edge"]
    for wrong in ({"turn": 9, "subtask": 0}, {"turn": turn, "subtask": 77}):
        assert api.post(f"/sessions/{session}/act", json=wrong).status_code == 404, wrong
    assert api.post(f"/sessions/{session}/act", json={"turn": turn}).status_code == 422
    assert reader.post(f"/sessions/{session}/act", json=wish).status_code == 403


def test_the_step_of_an_agent_is_skipped(api, other, reader):
    session = opened(api)
    asked = {"request": "Write a long piece of music about the sea", "agent": "sum2act"}
    skip, events = f"/sessions/{session}/skip", []
    with api.stream("POST", f"/sessions/{session}/ask", json=asked) as answer:
        for line in answer.iter_lines():
            events.append(json.loads(line))
            if events[-1]["event"] == "ActionStarted":
                assert reader.post(skip, json={"turn": 0}).status_code == 403
                assert other.post(skip, json={"turn": 0}).status_code == 404
                assert api.post(skip, json={"turn": 0}).json() == {"skipped": True}
                break
        run = answer.headers["x-run"]
    told = events_of(api.get(f"/sessions/{session}/runs/{run}/events"))
    failed = [event for event in told if event["event"] == "ActionFailed"]
    assert "person ended this step" in failed[0]["message"]
    assert told[-1]["event"] in ("AnswerFinished", "RequestFailed")
    # By now there is no step, and there never was another turn.
    assert api.post(skip, json={"turn": 0}).json() == {"skipped": False}
    assert api.post(skip, json={"turn": 3}).status_code == 404
    assert api.post(skip, json={}).status_code == 422


def test_a_tool_is_called_with_files_of_a_conversation(api):
    session = with_picture(api)
    called = {"arguments": {"image": "photo.png"}}
    whole = api.post(f"/sessions/{session}/tools/image_to_canny", params={"wait": 1}, json=called)
    assert [file["type"] for file in whole.json()["files"]] == ["canny"]
    boxed = {
        "arguments": {
            "image": "photo.png",
            "bbox": [{"left": 10, "top": 10, "right": 40, "bottom": 30}],
        }
    }
    cropped = api.post(f"/sessions/{session}/tools/image_cropping", params={"wait": 1}, json=boxed)
    assert cropped.json()["files"][0]["details"] == {"width": 32, "height": 22}


@pytest.mark.parametrize("as_form", [True, False])
def test_one_request_calls_a_tool_and_gets_its_result(api, as_form):
    box = [{"left": 10, "top": 10, "right": 40, "bottom": 30}]
    if as_form:
        sent = {"files": {"image": ("p.png", picture())}, "data": {"bbox": json.dumps(box)}}
    else:
        sent = {"json": {"image": base64.b64encode(picture()).decode(), "bbox": box}}
    answer = api.post("/tools/image_cropping", **sent)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "image/png"
    assert PIL.Image.open(io.BytesIO(answer.content)).size == (32, 22)
    # What was sent and made is kept for a moment only. Looked at less often than the pace allows.
    wait_until(lambda: api.get("/sessions").json() == {"sessions": []}, every=0.2)


def test_one_request_gets_words_and_lists_as_such(api):
    told = api.post(
        "/tools/text_classification", json={"text": "I love it", "labels": "joy, anger"}
    )
    assert told.headers["content-type"] == "application/json" and told.json()[0]["name"]
    told = api.post("/tools/sentiment_analysis", json={"text": "I love it"})
    assert told.headers["content-type"].startswith("text/plain") and told.text


def test_a_tool_that_cannot_do_it_says_why(api):
    refused = api.post("/tools/get_weather", json={"place": "Rome"})
    assert refused.status_code == 422
    assert refused.json()["detail"].endswith(".") and 0 < refused.json()["code"] <= 12
    assert api.post("/tools/nothing", json={}).status_code == 404
    missing = api.post("/tools/image_cropping", json={})
    assert missing.status_code == 422 and "'image'" in missing.json()["detail"]


def test_the_tools_say_what_they_take(api):
    tools = {tool["name"]: tool for tool in api.get("/tools").json()["tools"]}
    assert tools["image_to_edge"]["arguments"]["required"] == ["image"]
    assert tools["image_to_edge"]["available"] and tools["image_to_edge"]["returns"] == "edge"
    away = tools["get_weather"]
    assert away["available"] or away["reason"]


def test_the_page_and_the_document_are_open_and_everything_else_is_not(server):
    with httpx.Client(base_url=f"{server[0]}/api/v1") as nobody:
        page = nobody.get("/")
        assert page.status_code == 200 and "Have a request answered" in page.text
        assert not re.search(r"<(script|link|img|iframe)|url\(|@import", page.text)
        assert "default-src 'none'" in page.headers["content-security-policy"]
        paths = nobody.get("/openapi.json").json()["paths"]
        for path, methods in paths.items():
            for method in methods:
                asked = path.replace("{", "").replace("}", "")
                answer = nobody.request(method.upper(), asked)
                assert answer.status_code == 401, (method, path)
                assert answer.headers["www-authenticate"] == "Bearer"


def test_pages_elsewhere_may_ask_only_where_the_operator_said_so(api):
    asked = {
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization",
    }
    friend = api.options("/sessions", headers={"origin": FRIEND, **asked})
    assert friend.headers["access-control-allow-origin"] == FRIEND
    assert "access-control-allow-credentials" not in friend.headers
    assert api.post("/sessions", headers={"origin": FRIEND}).status_code == 201
    stranger = api.options("/sessions", headers={"origin": "https://evil.example", **asked})
    assert "access-control-allow-origin" not in stranger.headers
    assert api.post("/sessions", headers={"origin": "https://evil.example"}).status_code == 403


def test_pages_elsewhere_may_use_mcp_as_they_may_use_the_rest(server, api):
    door = f"{server[0]}/mcp"
    asked = {
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization, content-type, mcp-protocol-version",
    }
    friend = httpx.options(door, headers={"origin": FRIEND, **asked})
    assert friend.status_code == 200
    assert friend.headers["access-control-allow-origin"] == FRIEND
    assert "access-control-allow-credentials" not in friend.headers
    stranger = httpx.options(door, headers={"origin": "https://evil.example", **asked})
    assert stranger.status_code == 400
    assert "access-control-allow-origin" not in stranger.headers
    refused = httpx.post(door, headers={"origin": FRIEND}, json={})
    assert refused.status_code == 401
    assert refused.headers["access-control-allow-origin"] == FRIEND
    known = {"authorization": f"Bearer {api.token}"}
    assert httpx.options(door, headers=known).status_code == 405


def test_what_a_browser_asks_before_is_not_let_in_without_a_token(server):
    for path in ("/mcp", "/api/v1/sessions"):
        answer = httpx.options(f"{server[0]}{path}")
        assert answer.status_code == 401 and answer.headers["www-authenticate"] == "Bearer"
