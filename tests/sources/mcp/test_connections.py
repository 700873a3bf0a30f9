"""Calls beside each other and after each other, and what a server's words say of what it did."""

from __future__ import annotations

import json
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from controlllm.core.events import ActionFailed
from controlllm.engine import Engine
from controlllm.sources.loading import with_sources
from controlllm.sources.mcp import calls as mcp_requests
from controlllm.sources.mcp.calls import call
from controlllm.sources.mcp.describing import described
from controlllm.sources.source import Adding
from controlllm.toolbox import Cancelled, Code, Context, Toolbox, ToolError
from tests.engine.bench import Bench, action, only, plan_of
from tests.every_case import every_case
from tests.sources.conftest import command
from tests.sources.mcp.test_network import Rough
from tests.sources.mcp.test_rough_servers import is_running
from tests.sources.rough_http import serving
from tests.waiting import wait_until


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Where a server's program notes what has begun, and looks whether it may go on."""
    # A program that works well may still be slow where the machine is busy.
    monkeypatch.setattr(mcp_requests, "SECONDS_TO_OPEN", 120.0)
    made = tmp_path / "noted"
    made.mkdir()
    yield made
    let_go(made)


@pytest.fixture
def shared(request, folder):
    """A source of its own, so that its program is too."""
    name = f"shared_{abs(hash(request.node.name)) % 10**8}"
    return described(command("shared_mcp_server.py", folder), name, Adding(command=True))


@pytest.fixture
def people():
    with ThreadPoolExecutor(8) as found:
        yield found


def asked(source, name, given=None, context=None):
    tool = next(tool for tool in source.tools if tool.name == name)
    inputs = {} if given is None else {"given": given}
    return call(source, tool, inputs, context or Context())


def has_begun(folder, name, times=1):
    return len(list(folder.glob(f"{name} *"))) >= times


def let_go(folder):
    (folder / "go on").touch()


class StoppedOnce(threading.Event):
    """Set as soon as something holds, which is looked at when it is asked whether it is set."""

    def __init__(self, holds):
        super().__init__()
        self.holds = holds

    def is_set(self):
        return self.holds()


def stopped_once(folder, name, times=1):
    """A run that the person stops as soon as so many calls of a tool have begun."""
    return Context(cancelled=StoppedOnce(lambda: has_begun(folder, name, times)))


def test_calls_beside_each_other_have_connections_of_their_own_that_are_kept(
    shared, people, folder
):
    number = asked(shared, "who")
    assert asked(shared, "who") == number
    first = people.submit(asked, shared, "wait")
    wait_until(lambda: has_begun(folder, "wait"))
    second = people.submit(asked, shared, "wait")
    wait_until(lambda: has_begun(folder, "wait", 2))
    let_go(folder)
    assert {first.result(), second.result()} > {number}
    assert asked(shared, "who") in {first.result(), second.result()}


def test_one_that_is_stopped_or_late_ends_its_server_and_no_other(
    shared, people, folder, monkeypatch
):
    first = asked(shared, "who")
    with pytest.raises(Cancelled):
        asked(shared, "hang", context=stopped_once(folder, "hang"))
    second = asked(shared, "who")
    assert second != first
    wait_until(lambda: not is_running(int(first)))
    other = people.submit(asked, shared, "wait")
    wait_until(lambda: has_begun(folder, "wait"))
    monkeypatch.setattr(mcp_requests, "SECONDS_OF_A_CALL", 3.0)
    with pytest.raises(ToolError, match="did not answer within 3 seconds"):
        asked(shared, "hang")
    assert is_running(int(second))
    let_go(folder)
    assert other.result() == second


def test_an_answer_in_a_wrong_form_ends_its_server(shared):
    first = asked(shared, "who")
    with pytest.raises(ToolError, match="cannot be read"):
        asked(shared, "read", json.dumps({"result": {"content": "words"}}))
    assert asked(shared, "who") != first


@every_case(
    ("way", "said"),
    [
        ("hangs up", "could not be reached"),
        ("breaks off", "cannot be read"),
        ("refuses the key", "refused the key"),
        ("packs", "packs its answers"),
    ],
)
def test_what_goes_wrong_on_the_network_in_a_call_is_told(way, said):
    usual = Rough()

    def answer(asked):
        if b"tools/call" not in asked.content:
            usual(asked)
        elif way == "breaks off":
            asked.begin(200, Content_Type="application/json", Content_Length="100")
            asked.write(b"{")
            raise OSError
        elif way == "refuses the key":
            asked.answer(401)
        elif way == "packs":
            asked.answer(200, b"x", Content_Encoding="gzip")
        else:
            raise OSError

    with serving(answer) as (address, _):
        source = described(address, "rough", Adding(is_local=True))
        with pytest.raises(ToolError, match=said):
            asked(source, "work")


def test_a_connection_that_a_server_knows_no_more_is_opened_anew():
    usual, known = Rough(), []

    def answer(asked):
        told = json.loads(asked.content) if asked.method == "POST" else {}
        if told.get("method") == "initialize":
            known.append(str(len(known)))
            result = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}}
            result["serverInfo"] = {"name": "rough", "version": "1"}
            message = {"jsonrpc": "2.0", "id": told["id"], "result": result}
            asked.json(message, **{"Mcp-Session-Id": known[-1]})
        elif asked.headers.get("mcp-session-id") == "0" and len(known) == 1 and forgotten.is_set():
            asked.answer(404)
        else:
            usual(asked)

    forgotten = threading.Event()
    with serving(answer) as (address, _):
        source = described(address, "rough", Adding(is_local=True))
        assert asked(source, "work") == "done"
        forgotten.set()
        assert asked(source, "work") == "done" and len(known) == 2


# --- what a server's words say of what it did ---

SENT = "The mail was sent, but its copy folder does not exist"
FAILED = json.dumps({"result": {"content": [{"type": "text", "text": SENT}], "isError": True}})


def refused(code):
    return json.dumps({"error": {"code": code, "message": "It is not found."}})


def failure(source, name, given):
    with pytest.raises(ToolError) as failed:
        asked(source, name, given)
    return failed.value


def test_words_do_not_say_that_what_acts_outside_did_nothing(shared):
    failed = failure(shared, "act", FAILED)
    assert SENT in str(failed)
    assert not failed.code.did_nothing and isinstance(failed.__cause__, ConnectionError)
    read = failure(shared, "read", FAILED)
    assert read.code is Code.NOT_FOUND and read.__cause__ is None


@pytest.mark.parametrize(
    ("code", "is_known"),
    [(-32602, True), (-32601, True), (-32600, True), (-32603, False), (-32000, False), (0, False)],
)
def test_a_refusal_of_the_protocol_says_that_nothing_was_done_and_no_other_error_does(
    shared, code, is_known
):
    failed = failure(shared, "act", refused(code))
    assert (failed.__cause__ is None) is is_known
    assert is_known or not failed.code.did_nothing
    assert failure(shared, "read", refused(code)).__cause__ is None


def test_the_engine_says_that_it_is_not_known(shared, tmp_path):
    toolbox = with_sources(Toolbox(), iter([shared]))
    bench = Bench(tmp_path)
    plan = plan_of([[action(f"{shared.name}_act", "<GEN>-0", given=FAILED)]])
    engine = Engine(toolbox, bench.store, 1, pause=0.0)
    events = bench.run(plan, engine=engine, occasion="turn", may_act=True)
    (failed,) = only(events, ActionFailed)
    assert "not known whether" in failed.message
    bench.store.close()
