"""MCP servers on the network that lead elsewhere, refuse, or never end."""

from __future__ import annotations

import gzip
import json
import threading

import pytest

from controlllm.sources.mcp import calls as mcp_requests
from controlllm.sources.mcp import connections as mcp_connections
from controlllm.sources.mcp.calls import call
from controlllm.sources.mcp.describing import described
from controlllm.sources.source import Adding
from controlllm.toolbox import Code, Context, ToolError
from tests.every_case import every_case
from tests.sources.rough_http import Asked, serving


class Rough:
    """A server by hand with one tool; `answer` is made of each request that is not the usual."""

    def __init__(self) -> None:
        self.result: object = {"content": [{"type": "text", "text": "done"}]}
        self.tool = {
            "name": "work",
            "inputSchema": {"type": "object"},
            "annotations": {"readOnlyHint": True},
        }

    def __call__(self, asked: Asked) -> None:
        if asked.method != "POST":
            asked.answer(405)
            return
        told = json.loads(asked.content)
        known = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}}
        results = {
            "initialize": {**known, "serverInfo": {"name": "rough", "version": "1"}},
            "tools/list": {"tools": [self.tool]},
            "tools/call": self.result,
        }
        if "id" not in told:
            asked.answer(202)
        elif told["method"] in results:
            asked.json({"jsonrpc": "2.0", "id": told["id"], "result": results[told["method"]]})
        else:
            error = {"code": -32601, "message": "no such method"}
            asked.json({"jsonrpc": "2.0", "id": told["id"], "error": error})


def worked(address, **more):
    source = described(address, "rough", Adding(is_local=True, **more))
    return call(source, source.tools[0], {}, Context())


def test_a_server_by_hand_works_and_gets_its_secrets(monkeypatch):
    monkeypatch.setenv("CONTROLLLM_SECRET_TOWN", "tell-nobody")
    with serving(Rough()) as (address, seen):
        assert worked(address, secrets={"bearer": "TOWN", "X-Key": "TOWN"}) == "done"
        for asked in seen:
            assert asked.headers["Authorization"] == "Bearer tell-nobody"
            assert asked.headers["X-Key"] == "tell-nobody"


def test_a_secret_that_is_not_set_is_told_so():
    with serving(Rough()) as (address, seen):
        with pytest.raises(ToolError, match="The secret 'GONE' is not set") as refused:
            worked(address, secrets={"bearer": "GONE"})
        assert refused.value.code is Code.UNAUTHORISED and not seen


@every_case(
    ("address", "said"),
    [
        ("http://127.0.0.1:8765/mcp", "--local"),
        ("http://10.0.0.1/mcp", "--local"),
        ("http://key@example.com/mcp", "name or password"),
        ("ftp://example.com/mcp", "http and https"),
    ],
)
def test_addresses_that_are_not_asked(address, said):
    with pytest.raises(ToolError, match=said):
        described(address, "rough")


def test_a_server_nearby_leads_to_no_other_machine():
    with serving(lambda asked: asked.answer(200, b"secret")) as (other, seen):
        for status in (302, 307, 308):
            with (
                serving(lambda asked, status=status: asked.answer(status, Location=other)) as (
                    address,
                    _,
                ),
                pytest.raises(ToolError),
            ):
                described(address, "rough", Adding(is_local=True))
        assert not seen


def test_a_name_that_means_another_machine_by_then_is_not_followed(monkeypatch):
    with serving(Rough()) as (address, seen):
        left = [3]

        async def resolved(host, port):
            left[0] -= 1
            return ["127.0.0.1"] if left[0] >= 0 else ["169.254.169.254"]

        monkeypatch.setattr(
            "controlllm.network.transport.CheckedTransport.__init__.__defaults__",
            (None, resolved, None),
        )
        with pytest.raises(ToolError, match="169.254.169.254"):
            worked(address.replace("127.0.0.1", "town.test"))
        assert len(seen) == 3


@every_case(
    ("status", "code"),
    [
        (401, Code.UNAUTHORISED),
        (403, Code.UNAUTHORISED),
        (429, Code.RATE_LIMITED),
        (503, Code.TOO_MANY),
    ],
)
def test_statuses_become_codes(status, code):
    with serving(lambda asked: asked.answer(status)) as (address, _):
        with pytest.raises(ToolError) as failed:
            described(address, "rough", Adding(is_local=True))
        assert failed.value.code is code


@every_case(
    ("status", "code", "is_known"),
    [
        (400, Code.ERROR, True),
        (401, Code.UNAUTHORISED, True),
        (429, Code.RATE_LIMITED, True),
        (500, Code.ERROR, False),
        (503, Code.ERROR, False),
    ],
)
def test_statuses_of_a_call_say_whether_it_may_have_been_done(status, code, is_known):
    usual = Rough()
    usual.tool["annotations"] = {}

    def answer(asked):
        if b"tools/call" in asked.content:
            asked.answer(status)
        else:
            usual(asked)

    with serving(answer) as (address, _), pytest.raises(ToolError) as failed:
        worked(address)
    assert failed.value.code is code
    assert (failed.value.__cause__ is None) is is_known


def test_nobody_there_is_told_so():
    with serving(Rough()) as (address, _):
        pass
    with pytest.raises(ToolError, match="could not be reached") as failed:
        described(address, "rough", Adding(is_local=True))
    assert failed.value.code is Code.NOT_SENT


def test_answers_that_are_packed_or_have_no_end_are_not_read(monkeypatch):
    packed = gzip.compress(b"0" * 10_000_000)
    with (
        serving(lambda asked: asked.answer(200, packed, Content_Encoding="gzip")) as (address, _),
        pytest.raises(ToolError, match="packs its answers"),
    ):
        described(address, "rough", Adding(is_local=True))
    monkeypatch.setattr(mcp_connections, "MOST_BYTES", 100_000)

    def endless(asked):
        asked.begin(200, Content_Type="application/json")
        while True:
            asked.write(b" " * 10_000)

    with serving(endless) as (address, _), pytest.raises(ToolError):
        described(address, "rough", Adding(is_local=True))


@every_case("kind", ["text/html", "application/json", "text/event-stream"])
def test_garbage_is_no_server(kind):
    with (
        serving(lambda asked: asked.answer(200, b"<h1>\x00{", Content_Type=kind)) as (address, _),
        pytest.raises(ToolError),
    ):
        described(address, "rough", Adding(is_local=True))


def test_a_server_that_never_answers_is_told_so(monkeypatch):
    monkeypatch.setattr(mcp_requests, "SECONDS_TO_OPEN", 0.5)

    over = threading.Event()

    def silent(asked):
        asked.begin(200, Content_Type="text/event-stream")
        over.wait()

    with serving(silent) as (address, _), pytest.raises(ToolError, match="did not answer") as late:
        described(address, "rough", Adding(is_local=True))
    over.set()
    assert late.value.code is Code.TIMED_OUT
