"""A worker that is killed before it begins with a call costs the call nothing: another makes it."""

from __future__ import annotations

import os
import signal
import sys
import threading

import pytest

from controlllm.core.events import ActionFailed, ActionFinished, ActionProgress
from controlllm.core.plans import Literal
from controlllm.engine import Engine, WorkerProcesses, processes
from controlllm.engine.attempt import Call, Failed, Made
from controlllm.engine.process import Process
from controlllm.store import Store
from tests.engine.bench import action, only, plan_of
from tests.engine.kills_server import TOOLS
from tests.engine.quick_worker import only as quick_tools

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs signals")

PLAN = plan_of([[action("send", "<GEN>-0", text="a letter")]])


class World:
    """Workers with quick tools, the log that these write, and the attempts that were told."""

    def __init__(self, folder, log) -> None:
        self.log = log
        self.store = Store(folder)
        self.toolbox = quick_tools(TOOLS)
        self.told = []
        self.processes = WorkerProcesses(
            self.toolbox, self.store, tell=self.told.append, module="tests.engine.quick_worker"
        )

    def attempt(self):
        way = self.toolbox.implementations["step"][0]
        inputs = {"text": Literal("a step"), "parts": ()}
        call = Call(self.toolbox["step"], way, inputs, {}, "key", False)
        return self.processes(call, threading.Event(), lambda fraction, words: None)

    def send(self, bench, retries=1):
        """The events of a plan that sends a letter, which may be done once only."""
        engine = Engine(
            self.toolbox, self.store, retries=retries, pause=0.0, attempt=self.processes
        )
        return bench.run(PLAN, engine=engine, occasion="session/0", may_act=True)

    def sent(self) -> list[str]:
        return self.log.read_text().splitlines() if self.log.exists() else []

    def spare(self) -> Process:
        """The worker that is kept ready."""
        return self.processes._spare.result(60)


@pytest.fixture
def world(tmp_path, monkeypatch):
    monkeypatch.setenv("QUICK_LOG", str(tmp_path / "log"))
    made = World(tmp_path / "workers", tmp_path / "log")
    yield made
    made.processes.close()
    made.store.close()


def kill(process: Process) -> None:
    os.kill(process.running.pid, signal.SIGKILL)


def kill_and_wait(process: Process) -> None:
    kill(process)
    process.running.wait()


def kill_unseen(process: Process) -> None:
    """Kill it, and let that be noticed no sooner than when something is said to it."""
    kill_and_wait(process)
    process.running.poll = lambda: None


def kill_when_told(process: Process) -> None:
    """Kill it once a call lies in its pipe, of which it can have read nothing: it is suspended."""
    os.kill(process.running.pid, signal.SIGSTOP)
    tell = process.tell

    def tell_and_kill(content):
        tell(content)
        kill(process)

    process.tell = tell_and_kill


WAYS = [kill_and_wait, kill_unseen, kill_when_told]


@pytest.mark.few(1)
@pytest.mark.parametrize("kill_it", WAYS)
def test_a_call_for_a_worker_that_is_killed_while_it_rests_is_made_by_another(world, kill_it):
    assert isinstance(world.attempt(), Made)
    (rests,) = world.processes._idle
    kill_it(rests)
    assert isinstance(world.attempt(), Made)
    assert [item.outcome for item in world.told] == ["made", "made"]


@pytest.mark.few(1)
@pytest.mark.parametrize("kill_it", WAYS)
def test_a_letter_is_sent_though_the_spare_worker_was_killed_before_it(world, bench, kill_it):
    spare = world.spare()
    kill_it(spare)
    events = world.send(bench)
    assert only(events, ActionFinished) and not only(events, ActionFailed)
    # It was no try, so nobody is told that there is another.
    assert not only(events, ActionProgress)
    assert world.sent() == ["sent a letter"]
    (told,) = world.told
    assert told.outcome == "made" and told.worker != spare.running.pid
    assert spare.running.pid not in world.processes.memory()


def test_a_letter_that_no_worker_began_is_known_not_to_be_sent(world, bench, monkeypatch):
    tell, killed = Process.tell, []

    def kill_before(process, content):
        kill_and_wait(process)
        killed.append(process)
        tell(process, content)

    monkeypatch.setattr(Process, "tell", kill_before)
    monkeypatch.setattr(processes, "_STARTS", 2)
    outcome = world.attempt()
    assert isinstance(outcome, Failed) and outcome.is_undone and outcome.may_pass
    assert "crashed (SIGKILL)" in outcome.message and len(killed) == 2
    (failed,) = only(world.send(bench, retries=0), ActionFailed)
    assert "crashed (SIGKILL)" in failed.message and "not known" not in failed.message
    monkeypatch.undo()
    monkeypatch.setenv("QUICK_LOG", str(world.log))
    assert world.sent() == []
    assert only(world.send(bench), ActionFinished)
    assert world.sent() == ["sent a letter"]


def test_a_letter_whose_worker_is_killed_after_it_began_is_not_sent_again(world, bench):
    spare = world.spare()
    lines = spare.lines

    def lines_and_kill(seconds):
        for told in lines(seconds):
            if "begun" in told:
                kill(spare)
            yield told

    spare.lines = lines_and_kill
    (failed,) = only(world.send(bench), ActionFailed)
    assert "It is not known whether “send” did its work" in failed.message
    assert len(world.sent()) <= 1
