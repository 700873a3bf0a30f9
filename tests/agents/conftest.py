"""Scripted roles and a small world for agents."""

from __future__ import annotations

import pytest

from controlllm.agents.environment import FINISH
from controlllm.agents.roles import Decision
from controlllm.agents.tool_environment import ToolEnvironment
from controlllm.core.costs import Usage
from controlllm.core.state import Result, State
from controlllm.resources import Resource, TypeLattice
from controlllm.toolbox import Argument, Code, Tool, ToolError

ONE_CALL = Usage(1, 100, 10)


def tool(name, *args, returns="text", **more):
    return Tool(name, f"{name}.", "public-api", args, Argument("result", returns), **more)


TOOLS = (
    tool("find_city", Argument("name", "text"), returns="city"),
    tool("weather", Argument("city", "city")),
    tool("other_weather", Argument("name", "text")),
    tool("send", Argument("to", "text"), Argument("words", "text"), acts_outside=True),
)
PHOTO = Resource("image", "photo.jpg")


class World:
    """A city is found, its weather is told; `fails` are failures by tool, in turn."""

    def __init__(self):
        self.fails: dict[str, list[ToolError]] = {}
        self.answers = {
            "find_city": '{"name": "Bern", "id": 7}',
            "weather": "It rains in Bern, 12 degrees.",
            "other_weather": "No such place in this list.",
            "send": "sent",
        }
        self.called: list[tuple[str, dict]] = []
        self.failed: list[tuple[str, dict]] = []

    def __call__(self, tool, inputs):
        self.called.append((tool.name, dict(inputs)))
        waiting = self.fails.get(tool.name)
        if waiting:
            self.failed.append(self.called[-1])
            raise waiting.pop(0)
        return self.answers[tool.name]


@pytest.fixture
def world():
    return World()


@pytest.fixture
def environment(world):
    return ToolEnvironment(TOOLS, world, [PHOTO], TypeLattice().extended(["city"]))


class Says:
    """A router and a chooser: its decisions in turn, the last one again and again."""

    def __init__(self, *decisions, usage=ONE_CALL):
        self.decisions = list(decisions)
        self.usage = usage
        self.seen: list[tuple] = []

    def _next(self):
        said = self.decisions.pop(0) if len(self.decisions) > 1 else self.decisions[0]
        tool, arguments, *thought = said
        return Decision(thought[0] if thought else "", tool, arguments, self.usage)

    def decide(self, task, state, environment, hidden):
        self.seen.append((state, frozenset(hidden), dict(environment.resources)))
        return self._next()

    def choose(self, task, history, environment, elsewhere=()):
        self.seen.append((tuple(history), tuple(elsewhere), dict(environment.resources)))
        return self._next()


class Notes:
    """A keeper that notes what was done with its resource, and leaves failures to the loop."""

    def __init__(self, usage=ONE_CALL):
        self.usage = usage

    def updated(self, task, state, taken, step):
        seen = taken.observation
        if seen.is_done:
            state = state.with_result(Result(seen.text, seen.resource.value, step))
        return state, self.usage


class Keeps:
    """A keeper that says what a function makes of the state."""

    def __init__(self, change):
        self.change = change

    def updated(self, task, state, taken, step):
        return self.change(state, taken, step), Usage()


def answer(words="It rains.", result=""):
    return (FINISH, {"answer": words, "result": result})


def give_up(why="It cannot be."):
    return (FINISH, {"give_up": why})


FIND = ("find_city", {"name": "Bern"})
WEATHER = ("weather", {"city": "city-1"})
DOWN = ToolError("The service is down.", Code.NOT_FOUND)
EMPTY = State()


def said(tool, thought="So.", **arguments):
    """A decision as a model replies with it."""
    pairs = [
        {"name": name, "value": item}
        for name, value in arguments.items()
        for item in (value if isinstance(value, list) else [value])
    ]
    return {"thought": thought, "tool": tool, "arguments": pairs}


def noted(*findings, reason="", kind="", corrections=()):
    """Notes as a model replies with them; findings are pairs of words and evidence."""
    return {
        "findings": [{"finding": words, "rests_on": source} for words, source in findings],
        "reason": reason,
        "kind": kind,
        "corrections": [
            {"result": number, "finding": words, "rests_on": source}
            for number, words, source in corrections
        ],
    }
