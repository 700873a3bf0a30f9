"""Which of many tools the model of an agent is told: the likeliest for its task as it stands, in
full, some others briefly; and what others there are that do what it asks for in words."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence, Set
from typing import Any

from controlllm.agents.environment import Environment
from controlllm.agents.roles import Task
from controlllm.agents.telling import told_tool
from controlllm.core.plans import Request, Subtask
from controlllm.core.state import State
from controlllm.language.tool_lines import likely_tools, told_briefly, told_in_full
from controlllm.planning.planner import Planner
from controlllm.toolbox import Tool

#: What a whole prompt takes where many tools could be told: some 4,500 tokens of 4 characters; more
#: only where a task and its state alone leave less room for tools than the second.
MOST_CHARACTERS, _LEAST_ROOM = 17_500, 6_000
#: How many tools are told in full where not all can be, and how many are found for words.
_IN_FULL, _MOST_FOUND = 16, 6
#: How many of the tools that failed last stay among those that are told.
_FAILED_LAST = 3


class LikelyTools:
    """Chooses among the tools of an environment; `planner_of` gives the planner over some."""

    def __init__(self, planner_of: Callable[[Sequence[Tool]], Planner]) -> None:
        self._planner_of = planner_of
        #: The parts that were heard in the last task.
        self._heard: tuple[object, Sequence[Subtask]] = (None, ())

    def told(
        self, task: Task, state: State, environment: Environment, hidden: Set[str], taken: int
    ) -> dict[str, list[Any]]:
        """All "tools" that are not hidden, where there is room for them beside the characters that
        are `taken`; else the likeliest of them, and "others" in a line each."""
        room = max(MOST_CHARACTERS - taken, _LEAST_ROOM)
        offered = {tool.name: told_tool(tool) for tool in environment.tools}
        every = [told for name, told in offered.items() if name not in hidden]
        if sum(map(_size, every)) <= room:
            return {"tools": every}
        in_full: list[Any] = []
        briefly: list[Any] = []
        room -= _size({"tools": in_full, "others": briefly})
        for tool in self._likeliest(task, state, environment):
            if tool.name in hidden or tool.name not in offered:
                continue
            is_full = len(in_full) < _IN_FULL
            told = offered[tool.name] if is_full else _briefly(tool)
            room -= _size(told)
            if room < 0:
                break
            (in_full if is_full else briefly).append(told)
        return {"tools": in_full, "others": briefly}

    def found(self, words: str, environment: Environment, hidden: Set[str]) -> list[str]:
        """Tools that do what is asked for in words, a line each, the likeliest first."""
        offered = {tool.name for tool in environment.tools} - hidden
        planner = self._planner_of(environment.tools)
        likely = likely_tools(planner, Request(words, ()), ())
        return [told_in_full(tool) for tool in likely if tool.name in offered][:_MOST_FOUND]

    def _likeliest(self, task: Task, state: State, environment: Environment) -> list[Tool]:
        """By the task, its parts and what came of them: what failed is put right or done by
        another tool that does the same."""
        planner = self._planner_of(environment.tools)
        handed = tuple(item for name in task.attached if (item := environment.resources.get(name)))
        request = Request(task.instruction, handed, tuple(item.value for item in handed))
        if self._heard[0] != (key := (request, id(planner))):
            self._heard = key, planner.decompose(request)
        used = [item.tool for item in reversed(state.failures[-_FAILED_LAST:])]
        used += [item.tool for item in state.results if item.tool]
        others = [*task.subtasks, *_instead(state, environment.tools)]
        return likely_tools(planner, request, self._heard[1], list(dict.fromkeys(used)), others)


def _instead(state: State, tools: Sequence[Tool]) -> Iterator[str]:
    """What the tool does that failed last, and why it failed."""
    for failure in state.failures[-1:]:
        yield from (tool.description for tool in tools if tool.name == failure.tool)
        yield failure.reason


def _briefly(tool: Tool) -> str:
    return f"{'[acts outside] ' * tool.acts_outside}{told_briefly(tool)}"


def _size(told: Any) -> int:
    return len(json.dumps(told, ensure_ascii=False)) + 2
