"""Worker processes: what a tool does to its own worker touches nobody else."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from controlllm.core.events import ActionFailed, ActionFinished, ActionProgress
from controlllm.core.plans import Literal
from controlllm.engine import Engine, Limits, WorkerProcesses
from controlllm.engine.attempt import Asked, Call, Failed, Made
from controlllm.observing import logs
from controlllm.store import Store
from tests.engine.bench import ROUGH, action, only, plan_of
from tests.engine.quick_worker import only as quick_tools

PROJECT = Path(__file__).resolve().parents[2]
#: Times that no call reaches on a machine that is busy; the test of one that hangs has its own.
LIMITS = Limits(
    seconds=3600.0,
    silent_seconds=3600.0,
    memory=300_000_000,
    seconds_to_stop=0.3,
    file_bytes=50_000_000,
)
#: A worker with the rough tools alone; the one that is killed with its server is a real one.
WORKER = "tests.engine.quick_worker"
#: Seconds after which something has hung; nothing else is decided by it.
PATIENCE = 120


@pytest.fixture(scope="module")
def toolbox():
    return quick_tools(ROUGH)


@pytest.fixture(scope="module")
def processes(toolbox, store):
    made = WorkerProcesses(toolbox, store, LIMITS, module=WORKER)
    yield made
    made.close()
    assert not made.memory()


@pytest.fixture
def attempt(processes, toolbox):
    def make(name, text="hello", cancelled=None, chosen=None, report=lambda fraction, words: None):
        way = toolbox.implementations[name][0]
        call = Call(toolbox[name], way, {"text": Literal(text)}, {}, "key", False, chosen=chosen)
        return processes(call, cancelled or threading.Event(), report)

    return make


def text_of(store, outcome) -> str:
    assert isinstance(outcome, Made), outcome
    return store.path(outcome.resource.digest, outcome.resource.media_type).read_text()


def left_in_work(store) -> list[Path]:
    return list((store.folder / "work").iterdir())


def test_a_result_comes_back_with_progress_whatever_is_printed(attempt, store):
    told = []
    made = attempt("says", report=lambda fraction, words: told.append((fraction, words)))
    assert text_of(store, made).startswith("hello! (")
    assert str(os.getpid()) not in text_of(store, made)
    assert told == [(0.5, "half of it said")]


def test_the_worker_that_did_it_before_does_it_again(attempt, store):
    assert text_of(store, attempt("says")) == text_of(store, attempt("says"))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("exits", "ended in the middle of its work"),
        ("crashes", "crashed (SIGSEGV)"),
        ("hangs", "gave no sign of life for 2 seconds"),
        ("takes_memory", "more than the 0.3 GB of memory"),
    ],
)
def test_what_ends_a_worker_is_said_and_the_next_call_goes_well(
    attempt, store, processes, monkeypatch, name, said
):
    if name == "hangs":
        # For this call alone: any other might be silent for so long on a busy machine.
        monkeypatch.setattr(processes, "_limits", replace(LIMITS, silent_seconds=2.0))
    failed = attempt(name)
    monkeypatch.undo()
    assert isinstance(failed, Failed) and said in failed.message
    assert failed.may_pass and not failed.is_final and not failed.is_undone
    assert text_of(store, attempt("says")).startswith("hello!")
    assert not left_in_work(store)


@pytest.mark.parametrize(
    ("name", "said"), [("raises", "unexpected error"), ("returns_garbage", "wrong kind of value")]
)
def test_what_a_tool_raises_or_returns_ends_no_worker(attempt, processes, name, said):
    attempt("says")
    before = set(processes.memory())
    failed = attempt(name)
    assert isinstance(failed, Failed) and said in failed.message
    assert before <= set(processes.memory())


@pytest.mark.parametrize("name", ["hangs", "holds_the_lock"])
def test_a_stopped_call_ends_though_its_tool_does_not(attempt, store, name):
    cancelled, begun = threading.Event(), threading.Event()
    ended = []
    thread = threading.Thread(
        target=lambda: ended.append(attempt(name, cancelled=cancelled, report=tells(begun)))
    )
    thread.start()
    assert begun.wait(PATIENCE)
    assert not ended
    cancelled.set()
    thread.join(PATIENCE)
    (outcome,) = ended
    assert isinstance(outcome, Failed) and outcome.message.endswith("was stopped.")
    assert not left_in_work(store)


def tells(begun: threading.Event):
    """A report that sets an event when a tool says that it has begun."""
    return lambda fraction, words: begun.set()


def test_a_question_comes_back_and_its_answer_goes_there(attempt, store):
    asked = attempt("asks", "the dog", chosen=())
    assert isinstance(asked, Asked) and asked.thing == "the dog"
    assert [box.label for box in asked.boxes] == ["left", "right"]
    assert text_of(store, attempt("asks", "the dog", chosen=(1,))) == "right"
    guessed = attempt("asks", "the dog")
    assert isinstance(guessed, Made) and not guessed.is_sure


def test_others_work_while_one_hangs(attempt, store):
    cancelled, begun = threading.Event(), threading.Event()
    told = {"cancelled": cancelled, "report": tells(begun)}
    thread = threading.Thread(target=attempt, args=("hangs",), kwargs=told)
    thread.start()
    try:
        assert begun.wait(PATIENCE)
        assert text_of(store, attempt("says")).startswith("hello!")
        assert thread.is_alive()
    finally:
        cancelled.set()
        thread.join(PATIENCE)


def test_a_crash_is_tried_again_in_another_worker(bench, processes, toolbox, store, tmp_path):
    engine = Engine(toolbox, store, pause=0.0, attempt=processes)
    plan = plan_of([[action("crashes_once", "<GEN>-0", text=str(tmp_path / "mark"))]])
    events = bench.run(plan, engine=engine)
    assert "crashed (SIGSEGV)" in only(events, ActionProgress)[0].words
    assert len(only(events, ActionFinished)) == 1


def test_another_way_is_tried_where_one_always_crashes(bench, processes, toolbox, store):
    engine = Engine(toolbox, store, pause=0.0, attempt=processes)
    ways = [[action(name, "<GEN>-0", text="hello")] for name in ("exits", "says")]
    events = bench.run(plan_of(ways), engine=engine)
    (failed,) = only(events, ActionFailed)
    assert "ended in the middle" in failed.message and "another way" in failed.next
    assert [event.tool for event in only(events, ActionFinished)] == ["says"]


@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux's word of a parent's end")
def test_workers_end_with_a_server_that_is_killed(tmp_path):
    script = (
        "import sys, threading, time\n"
        "from pathlib import Path\n"
        "from controlllm.engine import WorkerProcesses\n"
        "from controlllm.engine.attempt import Call\n"
        "from controlllm.core.plans import Literal\n"
        "from controlllm.store import Store\n"
        "from controlllm.toolbox import Toolbox\n"
        "toolbox = Toolbox.load(Path(sys.argv[1]))\n"
        "workers = WorkerProcesses(toolbox, Store(Path(sys.argv[2])))\n"
        "way = toolbox.implementations['holds_the_lock'][0]\n"
        "call = Call(toolbox['holds_the_lock'], way, {'text': Literal('x')}, {}, '', 0)\n"
        "begun = threading.Event()\n"
        "told = (call, threading.Event(), lambda fraction, words: begun.set())\n"
        "threading.Thread(target=workers, args=told).start()\n"
        "begun.wait()\n"
        "while len(workers.memory()) < 2: time.sleep(0.05)\n"
        "print(*workers.memory(), flush=True)\n"
        "time.sleep(1000)\n"
    )
    server = subprocess.Popen(
        [sys.executable, "-c", script, str(ROUGH), str(tmp_path)],
        cwd=PROJECT,
        stdout=subprocess.PIPE,
        text=True,
    )
    with server:
        workers = [int(number) for number in server.stdout.readline().split()]
        server.send_signal(signal.SIGKILL)
    assert len(workers) >= 2
    limit = time.monotonic() + PATIENCE
    while any(is_running(number) for number in workers) and time.monotonic() < limit:
        time.sleep(0.05)
    assert not [number for number in workers if is_running(number)]
    # What the killed one left in the middle of its work goes at the next start.
    Store(tmp_path).close()
    assert not list((tmp_path / "work").iterdir())


def is_running(number: int) -> bool:
    try:
        return Path(f"/proc/{number}/stat").read_text().split()[2] != "Z"
    except OSError:
        return False


def test_limits_are_read_from_the_environment():
    found = Limits.from_environment(
        {"CONTROLLLM_CALL_SECONDS": "90", "CONTROLLLM_CALL_GIGABYTES": "2.5"}
    )
    assert found.seconds == 90 and found.memory == 2_500_000_000
    assert found.silent_seconds == Limits().silent_seconds
    for wrong in ("0", "-1", "many", "inf", "nan"):
        with pytest.raises(ValueError, match="CONTROLLLM_SILENT_SECONDS"):
            Limits.from_environment({"CONTROLLLM_SILENT_SECONDS": wrong})


def test_attempts_are_told_with_their_run_and_worker(toolbox, store):
    told = []
    made = WorkerProcesses(toolbox, store, LIMITS, told.append, module=WORKER)
    token = logs.current_run.set("a run")
    try:
        assert isinstance(_attempt_of(made, toolbox, "says"), Made)
        assert isinstance(_attempt_of(made, toolbox, "exits"), Failed)
        limit = time.monotonic() + PATIENCE
        while not made.is_ready() and time.monotonic() < limit:
            time.sleep(0.05)
        assert made.counts() == {"working": 0, "resting": 1, "starting": 0}
    finally:
        logs.current_run.reset(token)
        made.close()
    assert [(item.run, item.tool, item.outcome) for item in told] == [
        ("a run", "says", "made"),
        ("a run", "exits", "lost"),
    ]
    assert told[0].worker > 0
    assert not made.is_ready()


@pytest.mark.few(1)
@pytest.mark.parametrize("form", ["plain", "json"])
def test_a_worker_writes_down_no_word_of_what_it_works_on(toolbox, store, capfd, monkeypatch, form):
    monkeypatch.setenv("CONTROLLLM_LOG", form)
    made = WorkerProcesses(toolbox, store, LIMITS, module=WORKER)
    token = logs.current_run.set("0123456789abcdef")
    try:
        failed = _attempt_of(made, toolbox, "complains", "my planted secret")
    finally:
        logs.current_run.reset(token)
        made.close()
    assert isinstance(failed, Failed)
    written = capfd.readouterr().err
    assert "planted" not in written
    for part in ("A tool failed.", "complains", "ValueError", "0123456789abcdef", "rough.py"):
        assert part in written


def test_a_worker_writes_no_file_without_end(attempt, store, processes):
    failed = attempt("writes_much")
    assert isinstance(failed, Failed)
    said = "“writes much” made a larger file than one tool may make here."
    assert failed.message.startswith(said)
    assert not left_in_work(store)
    assert isinstance(attempt("says"), Made)


def test_a_call_ends_before_the_disk_is_full(attempt, monkeypatch):
    found = SimpleNamespace(total=10**9, used=10**9 - 1000, free=1000)
    monkeypatch.setattr(
        "controlllm.engine.limits.shutil", SimpleNamespace(disk_usage=lambda folder: found)
    )
    assert isinstance(attempt("says"), Made)
    failed = attempt("hangs")
    assert failed.message.startswith("“hangs” was ended, since the disk is nearly full.")


def _attempt_of(processes, toolbox, name, text="hello"):
    way = toolbox.implementations[name][0]
    call = Call(toolbox[name], way, {"text": Literal(text)}, {}, "key", False)
    return processes(call, threading.Event(), lambda fraction, words: None)
