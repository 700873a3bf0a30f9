"""A program to be killed: it asks for long plans and goes on with what was interrupted.

``python -m tests.engine.kills_server HOME`` works without a page until the file ``enough`` is in
HOME and everything that was asked is answered. ``QUICK_LOG`` names the log.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
from pathlib import Path
from types import SimpleNamespace

from controlllm.core.costs import SearchCost
from controlllm.core.plans import Plan
from controlllm.engine import Engine, WorkerProcesses
from controlllm.engine.attempt import Failed
from controlllm.runs.assistant import Assistant
from controlllm.settings import Settings
from controlllm.store import Store
from tests.engine.bench import action, plan_of
from tests.engine.kill_points import arm
from tests.engine.quick_worker import only

TOOLS = Path(__file__).parent / "quick_tools"
AT_ONCE = 2


def plan_for(number: int) -> Plan:
    """A plan of three parts with 18 actions, whose steps read one to three earlier ones; the last
    of each part sends a letter."""
    chance = random.Random(number)
    subtasks = []
    for part in range(3):
        actions, outputs = [], []
        for place in range(6):
            read = chance.sample(outputs, min(len(outputs), chance.randint(1, 3)))
            output = "<GEN>-" + str(part) if place == 5 else f"<GEN>-{part}-{place}"
            name = f"request {number} part {part} step {place}"
            tool = "send" if place == 5 else "step"
            actions.append(action(tool, output, text=name, parts=read))
            outputs.append(output)
        subtasks.append([actions])
    return plan_of(*subtasks)


class Planner:
    """Plans by the number in a request, and writes down that it did."""

    def __init__(self, toolbox, note) -> None:
        self.graph = SimpleNamespace(toolbox=toolbox)
        self.note = note

    def with_parts(self, **parts):
        return self

    def decompose(self, request):
        self.note(f"planned {request.text.split()[-1]}")
        return plan_for(int(request.text.split()[-1])).subtasks

    def solve(self, subtasks, request):
        plan = plan_for(int(request.text.split()[-1]))
        for subtask in subtasks:
            solutions = plan.solutions[subtask.id]
            yield SimpleNamespace(
                subtask=subtask, solutions=solutions, search=SearchCost("none"), message=""
            )


class Attempts:
    """Makes attempts, and writes down those whose worker was lost: it may have been killed before
    its tool came to write anything down."""

    def __init__(self, processes, note) -> None:
        self.processes = processes
        self.note = note

    def __call__(self, call, cancelled, report):
        outcome = self.processes(call, cancelled, report)
        if isinstance(outcome, Failed):
            self.note(f"lost {call.inputs['text'].text}")
        return outcome

    def __getattr__(self, name):
        return getattr(self.processes, name)


class Program:
    def __init__(self, home: Path) -> None:
        self.home = home
        self.store = Store(home)
        toolbox = only(TOOLS)
        note = sys.modules["added_tools_quick"].note
        self.processes = WorkerProcesses(toolbox, self.store, module="tests.engine.quick_worker")
        note("program started")
        self.assistant = Assistant(
            toolbox,
            self.store,
            Settings(acting="allow", act_when_stuck=False),
            engine=Engine(toolbox, self.store, attempt=Attempts(self.processes, note)),
            planner=Planner(toolbox, note),
        )
        self.sessions = home / "sessions.txt"

    async def work(self) -> None:
        due = self.assistant.take_over()
        going = [self.consumed(self.assistant.resume(*key, by_itself=True)) for key in due]
        numbers = self.sessions.read_text().split() if self.sessions.exists() else []
        for session_id in numbers:
            for turn in self.assistant.open_session(session_id).turns:
                if turn.state == "cancelled":  # a person would click now
                    going.append(self.consumed(self.assistant.resume(session_id, turn.number)))
        print("ready", len(due), len(going) - len(due), flush=True)
        await asyncio.gather(*going)
        await asyncio.gather(*(self.lane() for _ in range(AT_ONCE)))

    async def lane(self) -> None:
        while not (self.home / "enough").exists():
            session = self.assistant.open_session(None)
            with self.sessions.open("a") as file:
                file.write(f"{session.id}\n")
            number = len(self.sessions.read_text().split())
            await self.consumed(self.assistant.answer(session.id, f"Do the steps of {number}"))

    async def consumed(self, events) -> None:
        async for _ in events:
            pass

    def close(self) -> None:
        self.processes.close()
        self.store.close()


if __name__ == "__main__":
    arm(is_worker=False)
    assert os.environ["QUICK_LOG"]
    program = Program(Path(sys.argv[1]))
    try:
        asyncio.run(program.work())
    finally:
        program.close()
