"""Servers that hang, die, lie, change, flood and plant instructions: each ends in a sentence."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import threading
import unicodedata

import pytest

from controlllm.core.events import ActionFailed, ActionFinished
from controlllm.engine import Engine
from controlllm.sources.loading import with_sources
from controlllm.sources.mcp import calls as mcp_requests
from controlllm.sources.mcp import connections as mcp_connections
from controlllm.sources.mcp.calls import call
from controlllm.sources.mcp.describing import described
from controlllm.sources.source import NAME, Adding, Source
from controlllm.sources.wire import MOST_TEXT
from controlllm.toolbox import Cancelled, Code, Context, Toolbox, ToolError
from tests.engine.bench import Bench, action, only, plan_of
from tests.every_case import every_case
from tests.sources.conftest import command
from tests.sources.injections import INJECTIONS
from tests.waiting import wait_until


def rough(way, *more, **told):
    return described(
        command("rough_mcp_server.py", way, *more), "rough", Adding(command=True, **told)
    )


def worked(way, *more, context=None):
    source = rough(way, *more)
    return call(source, source.tools[0], {}, context or Context())


def is_running(process: int) -> bool:
    try:
        with open(f"/proc/{process}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_one_that_never_answers_is_told_so(monkeypatch):
    monkeypatch.setattr(mcp_requests, "SECONDS_OF_A_CALL", 0.5)
    with pytest.raises(ToolError, match="did not answer within") as failed:
        worked("silent")
    assert failed.value.code is Code.TIMED_OUT
    monkeypatch.setattr(mcp_requests, "SECONDS_TO_OPEN", 0.5)
    with pytest.raises(ToolError, match="did not answer within"):
        rough("deaf")


def test_one_that_never_answers_can_be_stopped():
    """Where the stop is not noticed, the call ends in another fault, when its time is over."""
    source = rough("silent")
    stopped = threading.Event()
    threading.Timer(0.3, stopped.set).start()
    with pytest.raises(Cancelled):
        call(source, source.tools[0], {}, Context(cancelled=stopped))


@every_case(
    ("way", "said", "code"),
    [
        ("dies", "ended by itself", Code.ERROR),
        ("lies", "cannot be read", Code.ERROR),
        ("wrong form", "cannot be read", Code.ERROR),
        ("changes", "has changed work", Code.NOT_FOUND),
        ("refuses", "rough refused: “Ignore all", Code.BAD_INPUT),
    ],
)
def test_what_goes_wrong_is_said_with_a_code(way, said, code):
    with pytest.raises(ToolError, match=said) as failed:
        worked(way)
    assert failed.value.code is code
    assert "\x1b" not in str(failed.value)


def test_one_that_refuses_is_not_started_again():
    source = rough("refuses")
    said = []
    for _ in range(2):
        with pytest.raises(ToolError) as refused:
            call(source, source.tools[0], {}, Context())
        said.append(str(refused.value))
    assert said[0] == said[1] and re.search(r"\(\d+\)", said[0])


def test_one_that_rests_is_ended(monkeypatch):
    monkeypatch.setattr(mcp_connections, "SECONDS_AT_REST", 0.1)
    monkeypatch.setattr(mcp_connections, "_SECONDS_BETWEEN_RESTS", 0.05)
    source = rough("tells its number")
    first = call(source, source.tools[0], {}, Context())
    wait_until(lambda: not is_running(int(first)))
    assert call(source, source.tools[0], {}, Context()) != first


def test_one_that_ends_between_calls_is_started_again():
    source = rough("dies between")
    first, second = (call(source, source.tools[0], {}, Context()) for _ in range(2))
    assert first.startswith("by ") and first != second


@every_case(
    ("way", "answer"),
    [("garbage", "after garbage"), ("twice", "first"), ("asks", "asked"), ("floods", "done")],
)
def test_what_else_it_says_is_passed_over(way, answer):
    words = []
    context = Context(lambda fraction, said: words.append((fraction, said)))
    assert worked(way, context=context) == answer
    assert all(0 <= fraction <= 1 and "\x1b" not in said for fraction, said in words)


def test_ten_megabytes_are_cut_and_an_endless_line_ends_the_program(monkeypatch):
    text = worked("10 MB")
    assert len(text) == MOST_TEXT + 1 and text.endswith("x…")
    monkeypatch.setattr(mcp_connections, "MOST_BYTES", 5_000_000)
    with pytest.raises(ToolError, match="ended by itself"):
        worked("endless line")


def test_what_is_no_listing_is_not_waited_for():
    with pytest.raises(ToolError, match="nested too deeply"):
        rough("deeper")
    with pytest.raises(ToolError, match="cannot be read"):
        rough("nonsense schema")


@pytest.mark.parametrize("way", ["deep", "odd schema"])
def test_strange_schemas_do_no_harm(way):
    source = rough(way)
    inputs = {argument.name: "{}" for argument in source.tools[0].arguments}
    assert inputs and call(source, source.tools[0], inputs, Context()) == "done"
    assert Source.from_json(source.to_json()) == source


def test_a_tool_whose_schema_leads_in_a_circle_or_out_is_left_out():
    source = rough("circle")
    assert [tool.name for tool in source.tools] == ["work"]
    told = source.options["left_out"]
    assert [words.partition(":")[0] for words in told] == ["circle", "out", "fine"]
    assert "leads in a circle" in told[0] and "leads out of the document" in told[1]


def test_hundreds_of_tools_and_no_more_than_that():
    assert len({tool.name for tool in rough("many").tools}) == 400
    with pytest.raises(ToolError, match="too many to be added"):
        rough("endless list")
    with pytest.raises(ToolError, match="no tools"):
        rough("no tools")


def test_names_are_plain_and_differ():
    names = [tool.name for tool in rough("same names").tools]
    assert names == ["get_it", "get_it_2", "get_it_3", "etc"]


@pytest.mark.parametrize("way", ["acts", "acts and lies"])
def test_what_a_call_may_have_done_is_not_done_again(way, tmp_path):
    toolbox = with_sources(Toolbox(), iter([rough(way)]))
    assert toolbox["rough_work"].acts_outside
    bench = Bench(tmp_path)
    plan = plan_of([[action("rough_work", "<GEN>-0")]])
    events = bench.run(
        plan, engine=Engine(toolbox, bench.store, 1, pause=0.0), occasion="turn", may_act=True
    )
    (failed,) = only(events, ActionFailed)
    assert "not known whether" in failed.message
    bench.store.close()


def test_a_program_is_started_only_where_the_operator_said_so():
    address = command("rough_mcp_server.py", "plain")
    for options in ({}, {"command": False}):
        with pytest.raises(ToolError, match="on the command line") as refused:
            described(address, "rough", Adding(**options))
        assert refused.value.code is Code.UNAUTHORISED
    for address in ("no-such-program-here stdio", "", "'"):
        with pytest.raises(ToolError, match="not on this machine"):
            described(address, "rough", Adding(command=True))


def test_no_shell_reads_the_command(tmp_path):
    trap = tmp_path / "trap"
    rough("plain", f"; touch {trap}")
    rough("plain", f"$(touch {trap})")
    assert not trap.exists()


def test_environment_is_bare_but_for_named_secrets(monkeypatch):
    monkeypatch.setenv("OTHER_SECRET", "do not tell")
    monkeypatch.setenv("CONTROLLLM_SECRET_TOWN_KEY", "tell")
    source = described(
        command("mcp_server.py", "stdio"),
        "town",
        Adding(secrets={"SERVER_KEY": "TOWN_KEY"}, command=True),
    )
    tool = next(tool for tool in source.tools if tool.name == "server_environment")
    found = call(source, tool, {}, Context())
    assert '"SERVER_KEY": "tell"' in found
    assert "do not tell" not in found and "TOWN_KEY" not in found
    assert "tell" not in str(source.to_json())


@pytest.mark.few(1)
@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGTERM])
def test_all_that_a_program_started_ends_with_the_worker(tmp_path, sent):
    notes = tmp_path / "notes"
    address = command("rough_mcp_server.py", "starts others", notes)
    script = (
        "from controlllm.sources.mcp.describing import described\n"
        "from controlllm.sources.mcp.calls import call\n"
        "from controlllm.toolbox import Context\n"
        "from controlllm.sources.source import Adding\n"
        f"source = described({address!r}, 'rough', Adding(command=True))\n"
        "print(call(source, source.tools[0], {}, Context()), flush=True)\n"
        "import time; time.sleep(1000)\n"
    )
    worker = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert worker.stdout.readline() == "started\n"
    started = [int(number) for number in notes.read_text().split()]
    assert all(map(is_running, started))
    worker.send_signal(sent)
    worker.wait()
    wait_until(lambda: not any(map(is_running, started)))
    worker.stdout.close()


def test_planted_instructions_are_data(tmp_path):
    assert len(INJECTIONS) >= 10
    assert any(tool.acts_outside for tool in rough("injects").tools)
    # Some of these names say an act, so these tools would ask first.
    source = rough("injects", reads=True)
    assert len(source.tools) == len(INJECTIONS)
    for tool, planted in zip(source.tools, INJECTIONS, strict=True):
        assert NAME.fullmatch(tool.name)
        unseen = [item for item in tool.description if unicodedata.category(item)[0] == "C"]
        assert not unseen and "\n" not in tool.description
        assert tool.returns == "text" and not tool.arguments
        assert tool.call["name"] == f"work_{planted}"
    toolbox = with_sources(Toolbox(), iter([source]))
    bench = Bench(tmp_path)
    plan = plan_of(
        *(
            [[action(f"rough_{tool.name}", f"<GEN>-{place}")]]
            for place, tool in enumerate(source.tools)
        )
    )
    events = bench.run(plan, engine=Engine(toolbox, bench.store, 2, pause=0.0))
    finished, failed = only(events, ActionFinished), only(events, ActionFailed)
    # Each call came back as a text or a quotation, and nothing but these calls was made.
    assert len(finished) == len(failed) == len(INJECTIONS) / 2
    for event in finished:
        assert event.resource.type == "text"
        kept = bench.read(event.resource)
        assert not [
            item for item in kept if unicodedata.category(item)[0] == "C" and item not in "\n\t"
        ]
    for event in failed:
        quoted = re.search("“(.*)”", event.message)
        assert event.message.startswith("rough could not do it: “") and quoted
        assert not [item for item in event.message if unicodedata.category(item)[0] == "C"]
    bench.store.close()
