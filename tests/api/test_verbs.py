"""The verbs against the real server, as curl and Gradio's own client call them."""

from __future__ import annotations

import hashlib
import io

import httpx
import PIL.Image
import pytest
from gradio_client import Client, handle_file
from gradio_client.exceptions import AppError
from starlette.testclient import TestClient

from controlllm.runs.assistant import Assistant
from controlllm.store import Store
from controlllm.toolbox import Toolbox
from tests.api.conftest import FRIEND
from tests.api.programs import CALL, Refused, picture, planned
from tests.every_case import every_case

EDGES = {"request": "Turn photo.png into an edge map", "files": ["photo.png"]}


def test_a_request_is_answered_by_its_events_and_what_came_of_it(api):
    session = api.with_picture()
    *events, outcome = api.told("ask", **EDGES, session=session)
    names = [event["event"] for event in events]
    assert names[0] == "RequestReceived" and names[-1] == "AnswerFinished"
    assert {"PlanReady", "ActionFinished"} <= set(names)
    assert {event["run"] for event in events} == {outcome["run"]}
    assert [event["number"] for event in events] == list(range(len(events)))
    assert outcome["state"] == "answered" and "edge map" in outcome["answer"]
    assert outcome["session"] == session and outcome["plan"]["subtasks"]
    fetched = api.fetch(outcome["files"][0])
    made = events[-1]["resources"][0]
    assert hashlib.sha256(fetched.content).hexdigest() == made["digest"]
    assert PIL.Image.open(io.BytesIO(fetched.content)).size == (64, 48)


def test_gradios_own_client_uploads_asks_and_listens(server, api, tmp_path):
    (tmp_path / "photo.png").write_bytes(picture())
    client = Client(
        f"{server[0]}/programs", headers={"Authorization": f"Bearer {api.token}"}, verbose=False
    )
    files = [handle_file(str(tmp_path / "photo.png"))]
    job = client.submit(EDGES["request"], files, api_name="/ask")
    told = list(job)
    assert {"PlanReady", "AnswerFinished"} <= {event.get("event") for event in told}
    outcome = job.result()
    assert outcome == told[-1] and outcome["state"] == "answered"
    assert api.fetch(outcome["files"][0]).content[:4] == b"\x89PNG"
    called = client.predict("image_to_canny", {"image": files[0]}, api_name="/call")
    assert [file["type"] for file in called["files"]] == ["canny"]
    with pytest.raises(AppError, match="no tool called rm"):
        client.predict("rm", api_name="/call")
    told = client.view_api(return_format="dict")["named_endpoints"]
    assert set(told) == {
        *("/ask", "/plan", "/run", "/call", "/go_on", "/follow", "/stop", "/files"),
        *("/sessions", "/tools"),
    }
    assert "plain words" in told["/ask"]["description"]


def test_the_agent_that_a_request_names_decides_step_by_step(api):
    session = api.with_picture()
    how = {"agent": "dfsdt", "divide_first": True}
    *events, outcome = api.told("ask", **EDGES, session=session, how=how)
    views = [event["view"] for event in events if event["event"] == "AgentActed"]
    assert {view["agent"] for view in views} == {"dfsdt"}
    assert outcome["state"] == "answered" and outcome["files"]
    with pytest.raises(Refused, match="agent"):
        api("ask", **EDGES, session=session, how={"agent": "oracle"})


def test_an_answer_that_failed_says_so(api):
    outcome = api("ask", request="???")
    assert outcome["state"] == "failed" and "request" in outcome["answer"]


def test_events_can_be_read_again_from_any_of_them_on(api):
    session = api.with_picture()
    told = api.told("ask", **EDGES, session=session)
    wish = {"session": session, "run": told[-1]["run"]}
    assert api.told("follow", **wish, first=2) == told[2:]
    assert api.told("follow", **wish, first=1000) == told[-1:]
    with pytest.raises(Refused, match="no such run"):
        api("follow", session=session, run="0" * 16)
    with pytest.raises(Refused, match="first"):
        api("follow", **wish, first=-1)
    assert api("stop", **wish) == {"stopped": False}


def test_sessions_are_listed_shown_and_deleted(api):
    session = api.with_picture()
    api("ask", **EDGES, session=session)
    assert [item["session"] for item in api("sessions")["sessions"]] == [session]
    shown = api("sessions", session=session)
    assert shown["turns"][0]["state"] == "answered" and shown["running"] == []
    assert shown["turns"][0]["results"]["0.0.0"] in [file["name"] for file in shown["files"]]
    assert api("sessions", session=session, forget=True) == {"sessions": []}
    with pytest.raises(Refused, match="no such session"):
        api("sessions", session=session)


def test_files_are_known_by_their_content_and_can_be_taken_out(api):
    found = api("files", files=[api.upload("holiday.mp4")])
    session, (file,) = found["session"], found["files"]
    assert file["type"] == "image"
    with pytest.raises(Refused, match=r"\.$"):
        api("files", session=session, files=[api.upload(content=b"\x7fELF" + bytes(100))])
    assert api("files", session=session, forget=[file["name"]])["files"] == []
    with pytest.raises(Refused, match="no file called"):
        api("files", session=session, forget=[file["name"]])
    assert api.fetch(file).status_code == 404
    masked = api("files", session=session, files=[api.upload("m.png")], kind="mask")
    assert masked["files"][0]["type"] == "mask"
    changed = api("files", session=session, files=["m.png"], kind="canny")
    assert changed["files"][0]["type"] == "canny" and len(changed["files"]) == 1
    for kind in ("bbox", "nothing", "text"):
        with pytest.raises(Refused, match="cannot"):
            api("files", session=session, files=[api.upload("a.txt", b"hello")], kind=kind)


def test_what_is_fetched_cannot_run_in_a_browser(api):
    page = b"<!doctype html><html><body>Hello.<script>alert(1)</script></body></html>"
    found = api("files", files=[api.upload("page.html", page)])
    fetched = api.fetch(found["files"][0])
    assert fetched.headers["content-disposition"].startswith("attachment")
    assert "sandbox" in fetched.headers["content-security-policy"]
    assert fetched.headers["x-content-type-options"] == "nosniff"


def test_a_plan_is_made_changed_and_run(api):
    session = api.with_picture()
    plan = api("plan", **EDGES, session=session)["plan"]
    assert plan["subtasks"][0]["solutions"][0]["actions"][-1]["tool"] == "image_to_edge"
    assert api("sessions", session=session)["turns"] == []
    action = plan["subtasks"][0]["solutions"][0]["actions"][-1]
    action["tool"], action["output"]["type"] = "image_to_canny", "canny"
    plan["subtasks"][0]["returns"]["type"] = "canny"
    plan["subtasks"][0]["solutions"] = plan["subtasks"][0]["solutions"][:1]
    outcome = api("run", plan=plan, session=session)
    assert outcome["state"] == "answered", outcome
    assert [file["type"] for file in outcome["files"]] == ["canny"]
    # Without a session the files come along.
    alone = api("run", plan=planned("image", ("image_crop_top",)), files=[api.upload()])
    assert alone["state"] == "answered" and alone["session"] != session


def test_a_plan_needs_no_files_and_no_session(api):
    asked = {"request": "Transcribe talk.mp3 and summarise it", "files": ["talk.mp3"]}
    plan = api("plan", **asked)["plan"]
    ways = [subtask["solutions"][0]["actions"] for subtask in plan["subtasks"]]
    tools = {action["tool"] for actions in ways for action in actions}
    assert tools == {"speech_to_text", "summarization"}
    assert api("sessions") == {"sessions": []}


def test_another_way_is_taken_and_numbers_that_count_nothing_are_refused(api):
    session = api.with_picture()
    plan = planned("image", ("image_crop_top",), ("image_crop_left",))
    first = api("run", plan=plan, session=session)
    wish = {"session": session, "turn": first["turn"], "do": "switch", "numbers": [0, 1]}
    taken = api("go_on", **wish)
    assert [item["files"][0]["origin"] for item in (first, taken)] == [
        "image_crop_top",
        "image_crop_left",
    ]
    assert taken["plan"]["chosen"] == {"0": 1}
    for wrong in (
        {"turn": 9},
        {"numbers": [7, 0]},
        {"numbers": [0, 99]},
        {"do": "choose", "numbers": [0, 0]},
        {"do": "resume", "numbers": [], "turn": 5},
    ):
        with pytest.raises(Refused, match="no such turn"):
            api("go_on", **{**wish, **wrong})
    for wrong in ({"turn": -1}, {"numbers": [1]}, {"do": "nothing"}, {"numbers": ["a", "b"]}):
        with pytest.raises(Refused, match=r"\.$"):
            api("go_on", **{**wish, **wrong})


def test_an_agent_works_on_a_subtask_step_by_step(api, reader):
    session = api.with_picture()
    plan = planned("edge", ("image_crop_left", "image_to_edge"))
    plan["subtasks"][0]["description"] = EDGES["request"]
    ran = api("run", plan=plan, session=session)
    assert ran["state"] == "answered" and ran["files"][0]["details"]["width"] == 32
    wish = {"session": session, "turn": ran["turn"], "do": "act", "numbers": [0]}
    *events, outcome = api.told("go_on", **wish)
    assert "AgentActed" in [event["event"] for event in events]
    assert outcome["files"][0]["details"]["width"] == 64
    # What it found is one more way, and is taken.
    after = outcome["plan"]
    ways = [
        [action["tool"] for action in way["actions"]] for way in after["subtasks"][0]["solutions"]
    ]
    assert ["image_crop_left", "image_to_edge"] in ways
    assert ways[after["chosen"]["0"]] == ["image_to_edge"]
    with pytest.raises(Refused, match="only reads"):
        reader("go_on", **wish)


@pytest.mark.long
def test_the_step_of_an_agent_is_ended(api, other, reader):
    session = api.opened()
    asked = {"request": "Write a long piece of music about the sea", "how": {"agent": "sum2act"}}
    with api.listening("ask", **asked, session=session) as told:
        for event in told:
            if event["event"] == "ActionStarted":
                wish = {"session": session, "run": event["run"], "only_step": True}
                with pytest.raises(Refused, match="only reads"):
                    reader("stop", **wish)
                with pytest.raises(Refused, match="no such session"):
                    other("stop", **wish)
                assert api("stop", **wish) == {"stopped": True}
                break
    *told, outcome = api.told("follow", session=session, run=event["run"])
    failed = [event for event in told if event["event"] == "ActionFailed"]
    assert "person ended this step" in failed[0]["message"]
    assert outcome["state"] in ("answered", "failed")
    assert api("stop", **wish) == {"stopped": False}


def test_a_tool_is_called_with_files_of_a_session(api):
    session = api.with_picture()
    canny = api("call", tool="image_to_canny", inputs={"image": "photo.png"}, session=session)
    assert [file["type"] for file in canny["files"]] == ["canny"] and canny["value"] is None
    box = [{"left": 10, "top": 10, "right": 40, "bottom": 30}]
    inputs = {"image": "photo.png", "bbox": box}
    cropped = api("call", tool="image_cropping", inputs=inputs, session=session)
    assert cropped["files"][0]["details"] == {"width": 32, "height": 22}


def test_one_call_gets_a_picture_words_and_lists(api):
    made = api("call", tool="image_to_edge", inputs={"image": api.upload()})
    assert api.fetch(made["files"][0]).content[:4] == b"\x89PNG"
    text = {"text": "I love it"}
    assert "positive" in api("call", tool="sentiment_analysis", inputs=text)["value"]
    labels = {**text, "labels": "joy, anger"}
    assert api("call", tool="text_classification", inputs=labels)["value"][0]["name"]


def test_a_tool_that_cannot_do_it_says_why(api):
    with pytest.raises(Refused, match=r"\.$"):
        api("call", tool="get_weather", inputs={"place": "Rome"})
    with pytest.raises(Refused, match="'image'"):
        api("call", tool="image_cropping")


def test_the_tools_say_what_they_take(api):
    tools = {tool["name"]: tool for tool in api("tools")["tools"]}
    assert tools["image_to_edge"]["arguments"]["required"] == ["image"]
    assert tools["image_to_edge"]["available"] and tools["image_to_edge"]["returns"] == "edge"
    away = tools["get_weather"]
    assert away["available"] or away["reason"]
    assert {"get_weather"} <= {tool["name"] for tool in api("tools", about="Weather")["tools"]}


def test_what_was_stopped_is_gone_on_with(api):
    session = api.opened()
    asked = {"request": "Write a piece of music of 70 seconds about a river"}
    with api.listening("ask", **asked, session=session) as told:
        event = next(event for event in told if event["event"] == "ActionStarted")
    run = {"session": session, "run": event["run"]}
    with pytest.raises(Refused, match="at work"):
        api("go_on", session=session, turn=0)
    assert api("stop", **run) == {"stopped": True}
    assert api("follow", **run)["state"] == "stopped"
    again = api("go_on", session=session, turn=0, how={"stop_when_left": True})
    assert again["turn"] == 0 and again["state"] == "answered"


def test_the_page_that_shows_the_verbs_is_open_and_loads_nothing_from_elsewhere(server):
    page = httpx.get(f"{server[0]}/programs/")
    assert page.status_code == 200 and "ControlLLM for programs" in page.text
    assert "connect-src 'self'" in page.headers["content-security-policy"]
    info = httpx.get(f"{server[0]}/programs/gradio_api/info").json()["named_endpoints"]
    assert info["/ask"]["parameters"][0]["parameter_name"] == "request"


def test_pages_elsewhere_may_ask_only_where_the_operator_said_so(server, api):
    headers = "authorization, content-type, mcp-protocol-version"
    asked = {"access-control-request-method": "POST", "access-control-request-headers": headers}
    friend, evil = {"origin": FRIEND}, {"origin": "https://evil.example"}
    file = api("files", session=api.with_picture())["files"][0]["address"]
    for path in (f"{CALL}/v2/tools", file, "/mcp"):
        told = (
            asked
            if path == "/mcp"
            else {**asked, "access-control-request-headers": "authorization"}
        )
        answer = api.http.options(path, headers={**friend, **told})
        assert answer.status_code == 200
        assert answer.headers["access-control-allow-origin"] == FRIEND
        assert "access-control-allow-credentials" not in answer.headers
        stranger = api.http.options(path, headers={**evil, **told})
        assert "access-control-allow-origin" not in stranger.headers
    assert api.http.post(f"{CALL}/v2/tools", json={}, headers=friend).is_success
    assert api.http.post(f"{CALL}/v2/tools", json={}, headers=evil).status_code == 403
    refused = httpx.post(f"{server[0]}/mcp", headers=friend, json={})
    assert refused.status_code == 401
    assert refused.headers["access-control-allow-origin"] == FRIEND
    for path in ("/mcp", "/api/files/0/photo.png"):
        answer = httpx.options(f"{server[0]}{path}")
        assert answer.status_code == 401 and answer.headers["www-authenticate"] == "Bearer"


@every_case("path", ["/programs/", f"{CALL}/v2/tools", "/api/files/0/a.png", "/mcp"])
async def test_nothing_is_there_unless_it_was_asked_for(tmp_path, path):
    from controlllm.ui.application import create_app

    store = Store(tmp_path)
    client = TestClient(create_app(Assistant(Toolbox.of([]), store)), base_url="http://127.0.0.1")
    assert {client.get(path).status_code, client.post(path).status_code} <= {404, 405}
    store.close()
