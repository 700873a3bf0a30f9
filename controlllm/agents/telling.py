"""What a language model is told of a task, as data: tools, resources, the state, the history."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from controlllm.agents.environment import Environment
from controlllm.agents.quoting import excerpt
from controlllm.agents.roles import Decision, Taken, Task
from controlllm.agents.running import cut, noted
from controlllm.core.state import State
from controlllm.language.endpoint import Message
from controlllm.language.prompting import shortened
from controlllm.toolbox import Argument, Code, Tool

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
#: How much is told of a tool and of an argument, in characters (a tool's as in ToolBench).
_MOST_OF_TOOL, _MOST_OF_ARGUMENT = 512, 160
#: How many resources are told: all that were handed over, then the newest.
_MOST_RESOURCES = 60
#: How much is told of a text that was handed over or made, and of an instruction, in characters.
_MOST_OF_TEXT, _MOST_OF_MADE, _MOST_OF_INSTRUCTION = 400, 120, 12_000
#: How much of an observation a keeper reads, in characters.
_MOST_READ = 6_000


def told_task(task: Task, environment: Environment, today: date) -> dict[str, Any]:
    """What is to be done, and on what."""
    return {**told_aims(task, today), "at_hand": _told_resources(task, environment)}


def told_aims(task: Task, today: date) -> dict[str, Any]:
    """What is to be done, and the day it is."""
    return {
        "today": f"{_DAYS[today.weekday()]}, {today.isoformat()}",
        "instruction": shortened(task.instruction, _MOST_OF_INSTRUCTION),
        **({"subtasks": [shortened(item) for item in task.subtasks]} if task.subtasks else {}),
        "wanted": task.returns,
    }


def told_state(state: State) -> dict[str, Any]:
    """A state, its results numbered."""
    return {
        "results": [
            {"number": number, "finding": item.finding, "rests_on": item.source, "step": item.step}
            for number, item in enumerate(state.results, 1)
        ],
        "failures": [
            {
                "tool": item.tool,
                "arguments": noted(item.arguments),
                "reason": item.reason,
                "kind": item.kind,
                "step": item.step,
            }
            for item in state.failures
        ],
    }


def told_step(taken: Taken, tools: Sequence[Tool], question: str) -> dict[str, Any]:
    """A call and what came of it; of a long text what has to do with the question."""
    call, seen = taken.decision, taken.observation
    does = next((tool.description for tool in tools if tool.name == call.tool), "")
    asked = " ".join([question, call.thought, *map(str, call.arguments.values())])
    return {
        "call": {
            "tool": call.tool,
            "does": shortened(does, _MOST_OF_TOOL),
            "arguments": noted(call.arguments),
        },
        "outcome": {
            "became": became(seen.code),
            "text": excerpt(seen.text, asked, _MOST_READ),
            **_made(taken),
        },
    }


def told_history(history: Sequence[Taken]) -> list[Message]:
    """The steps of a chain as the messages of a conversation, observations cut as in ToolBench."""
    messages: list[Message] = []
    for taken in history:
        messages.append({"role": "assistant", "content": _json(_as_replied(taken.decision))})
        seen = cut(taken).observation
        told = {"became": became(seen.code), "observation": seen.text, **_made(taken)}
        messages.append({"role": "user", "content": _json(told)})
    return messages


def told_elsewhere(elsewhere: Sequence[Taken]) -> Message:
    """What was done from here before, from which the next step has to differ."""
    tried = [
        {**_as_replied(taken.decision), "observation": cut(taken).observation.text}
        for taken in elsewhere
    ]
    return {"role": "user", "content": _json({"tried": tried})}


def became(code: Code) -> str:
    """A code in words."""
    return code.name.lower().replace("_", " ")


def _told_resources(task: Task, environment: Environment) -> list[dict[str, Any]]:
    attached = [name for name in task.attached if name in environment.resources]
    others = [name for name in environment.resources if name not in attached]
    room = max(_MOST_RESOURCES - len(attached), 0)
    told = []
    for name in [*attached, *(others[-room:] if room else [])]:
        item = environment.resources[name]
        text = str(item.details.get("text", ""))
        most = _MOST_OF_TEXT if name in attached else _MOST_OF_MADE
        about: dict[str, Any] = {"holds": shortened(text, most)} if text else {}
        if header := item.details.get("header"):
            about["columns"] = list(header)
        told.append({"name": name, "type": item.type, "from": shortened(item.origin, 80), **about})
    return told


def told_tool(tool: Tool) -> dict[str, Any]:
    """A tool with all that it says of itself and of its inputs, in short."""
    return {
        "name": tool.name,
        "does": shortened(tool.description, _MOST_OF_TOOL),
        "arguments": {
            **{item.name: _told_argument(item) for item in tool.args},
            **{
                item.name: {
                    "type": type(item.default).__name__,
                    **_means(item.description),
                    "default": item.default,
                }
                for item in tool.parameters
            },
        },
        "makes": tool.returns.type,
        **({"acts_outside": True} if tool.acts_outside else {}),
    }


def _told_argument(argument: Argument) -> dict[str, Any]:
    return {
        "type": argument.type,
        **_means(argument.description),
        **({"several": True} if argument.many else {}),
        **({"optional": True} if argument.optional else {}),
    }


def _means(description: str) -> dict[str, str]:
    return {"means": shortened(description, _MOST_OF_ARGUMENT)} if description else {}


def _made(taken: Taken) -> dict[str, Any]:
    made = taken.observation.resource
    return {} if made is None else {"made": {"name": made.value, "type": made.type}}


def _as_replied(decision: Decision) -> dict[str, Any]:
    """A decision in the form in which a model replies with it."""
    pairs = [
        {"name": name, "value": str(item)}
        for name, value in decision.arguments.items()
        for item in (value if isinstance(value, list | tuple) else [value])
    ]
    return {"thought": decision.thought, "tool": decision.tool, "arguments": pairs}


def _json(data: Mapping[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False)
