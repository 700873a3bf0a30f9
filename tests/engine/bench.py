"""Small tools that work on words, so that what an engine does with them can be read off."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from dataclasses import fields
from pathlib import Path

from controlllm.core.plans import (
    Action,
    Literal,
    Plan,
    Reference,
    Solution,
    Subtask,
    TypedValue,
    generated,
)
from controlllm.engine import Engine, Terms
from controlllm.resources import Resource, Text
from controlllm.store import Store
from controlllm.toolbox import Context, Toolbox, tool

#: A folder of tools that do what a tool should not do.
ROUGH = Path(__file__).parent / "rough_tools"


class Bench:
    """A store, a toolbox and an engine to try plans on. `calls` lists what ran, in order."""

    def __init__(self, folder) -> None:
        self.store = Store(folder)
        self.calls: list[str] = []
        self.before: Callable[[str, Context], None] = lambda name, context: None
        self.definitions = [self._join()]

    def _join(self):
        bench = self

        @tool(domain="general")
        def join(
            text: Text, parts: list[Text] | None = None, context: Context | None = None
        ) -> Text:
            """Write a word with others in brackets behind it."""
            bench.calls.append(text)
            bench.before(text, context)
            return f"{text}({','.join(parts)})"

        return join

    @property
    def toolbox(self) -> Toolbox:
        return Toolbox.of(self.definitions)

    def engine(self, workers: int = 2, **settings) -> Engine:
        return Engine(self.toolbox, self.store, workers, **{"pause": 0.0, **settings})

    def keep(self, content: str, value: str) -> Resource:
        digest = self.store.put_bytes(content.encode(), "text/plain")
        return Resource("text", value, digest, "text/plain")

    def read(self, resource: Resource) -> str:
        return self.store.path(resource.digest, resource.media_type).read_text()

    def run(self, plan: Plan, resources: Sequence[Resource] = (), engine=None, **settings):
        """All events of a run; the settings are its terms, or arguments of `Engine.run`."""
        engine = engine or self.engine()
        named = settings.keys() & {item.name for item in fields(Terms)}
        terms = Terms(**{name: settings.pop(name) for name in named})
        arguments = {
            "name_output": lambda step, media_type: f"made-{step.key}",
            "cancelled": threading.Event(),
            "terms": terms,
            **settings,
        }
        known = {resource.value: resource for resource in resources}

        async def collect():
            return [event async for event in engine.run(plan, known, **arguments)]

        return asyncio.run(collect())


def action(name: str, output: str, /, **inputs: object) -> Action:
    """An action: strings are words, except those that name a result or a file."""
    read = {key: _value(given) for key, given in inputs.items()}
    return Action(name, read, TypedValue("text", output))


def _value(given):
    if isinstance(given, tuple | list):
        return tuple(_value(item) for item in given)
    return Reference(given) if given.startswith("<GEN>") or "." in given else Literal(given)


def plan_of(*subtasks: Sequence[Sequence[Action]], apart: float = 0.5) -> Plan:
    """A plan: for each subtask its solutions, each a list of actions, whose scores are so far
    apart."""
    parts = tuple(
        Subtask(number, "Do it", ("general",), (), TypedValue("text", generated(number)))
        for number in range(len(subtasks))
    )
    solutions = {
        number: tuple(
            Solution(tuple(actions), 5.0 - apart * index) for index, actions in enumerate(given)
        )
        for number, given in enumerate(subtasks)
    }
    return Plan(parts, solutions)


def kinds(events) -> list[str]:
    return [type(event).__name__ for event in events]


def only(events, kind):
    return [event for event in events if isinstance(event, kind)]
