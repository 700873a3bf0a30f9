"""Requests over HTTP: files in, events out, results fetched; against the real server."""

from __future__ import annotations

import hashlib
import io

import PIL.Image

from tests.serving.programs import events_of, with_picture

EDGES = {"request": "Turn photo.png into an edge map", "files": ["photo.png"]}


def test_a_request_is_answered_by_its_events(api):
    session = with_picture(api)
    with api.stream("POST", f"/sessions/{session}/ask", json=EDGES) as answer:
        assert answer.headers["content-type"] == "application/x-ndjson"
        events = events_of(answer)
    names = [event["event"] for event in events]
    assert names[0] == "RequestReceived" and names[-1] == "AnswerFinished"
    assert {"PlanReady", "ActionStarted", "ActionFinished"} <= set(names)
    assert {event["run"] for event in events} == {answer.headers["x-run"]}
    made = events[-1]["resources"][0]
    fetched = api.get(f"/sessions/{session}/files/{made['value']}")
    assert hashlib.sha256(fetched.content).hexdigest() == made["digest"]
    assert PIL.Image.open(io.BytesIO(fetched.content)).size == (64, 48)
