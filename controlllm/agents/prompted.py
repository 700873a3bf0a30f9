"""The roles of agents kept by a language model: router, state keeper, chooser.

Each is asked as the planner's roles are (`controlllm.language.asking`): what it replies is checked,
asked for once more where it cannot be used, and where the model fails the embedded role takes over
for the rest of the request.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from controlllm.agents.deciding import (
    NOTES_SCHEMA,
    DecisionReader,
    NotesReader,
    decision_schema,
)
from controlllm.agents.environment import Environment
from controlllm.agents.likely import LikelyTools
from controlllm.agents.roles import Chooser, Decision, Router, StateKeeper, Taken, Task
from controlllm.agents.telling import (
    told_aims,
    told_elsewhere,
    told_history,
    told_state,
    told_step,
    told_task,
    told_tool,
)
from controlllm.core.costs import Usage
from controlllm.core.state import State
from controlllm.language.asking import Asker
from controlllm.language.endpoint import Message
from controlllm.language.prompting import messages_of, read_prompt
from controlllm.resources import TypeLattice

#: The day that a task speaks from, where it says "tomorrow".
Today = Callable[[], date]

_PROMPTS = Path(__file__).parent / "prompts"
#: Where replies are cut off, in tokens: an answer may be long, notes are not.
_MOST_OF_DECISION, _MOST_OF_NOTES = 2_000, 1_200


@dataclass(frozen=True)
class _Situation:
    """What a decision is about."""

    task: Task
    state: State
    environment: Environment
    hidden: Set[str]


class _Deciding:
    """Decides with a language model; `embedded` takes over where that fails. Where there are many
    tools, `likely` chooses those that it is told."""

    def __init__(
        self,
        asker: Asker,
        lattice: TypeLattice | None,
        today: Today,
        likely: LikelyTools | None,
        temperature: float = 0.0,
    ) -> None:
        self._asker = asker
        self._lattice = lattice or TypeLattice()
        self._today = today
        self._likely = likely
        self._temperature = temperature

    def _decided(
        self,
        about: _Situation,
        instructions: str,
        more: Mapping[str, Any],
        further: Sequence[Message],
        embedded: Callable[[], Decision],
    ) -> Decision:
        """The next call, or the end, with what it cost: the model is told what it is about with
        `more` of that, and after it `further` messages.

        Raises LanguageModelFailed where the model fails and nothing may take over, Cancelled where
        the person stopped the request.
        """
        before = self._asker.usage
        environment, hidden = about.environment, about.hidden

        def prompted() -> Decision:
            told = told_task(about.task, environment, self._today())
            tools = self._told_tools(about, len(instructions) + len(json.dumps([told, more])))
            found = None
            if self._likely is not None and "others" in tools:
                likely = self._likely
                found = lambda words: likely.found(words, environment, hidden)  # noqa: E731
            return self._asker.ask(
                "act",
                [*messages_of(instructions, {**told, **tools, **more}), *further],
                decision_schema(environment, hidden, found is not None),
                DecisionReader(about.task, environment, hidden, self._lattice, found).read,
                _MOST_OF_DECISION,
                self._temperature,
            )

        decision = self._asker.keep("act", prompted, embedded)
        return replace(decision, usage=decision.usage + _cost(before, self._asker))

    def _told_tools(self, about: _Situation, taken: int) -> dict[str, list[Any]]:
        if self._likely is not None:
            return self._likely.told(
                about.task, about.state, about.environment, about.hidden, taken
            )
        every = about.environment.tools
        return {"tools": [told_tool(tool) for tool in every if tool.name not in about.hidden]}


class PromptedRouter(_Deciding):
    """Decides from the state with a language model; `embedded` takes over where that fails.

    `patience` is how often the same call may be made while it fails by what may pass.
    """

    def __init__(
        self,
        asker: Asker,
        embedded: Router,
        lattice: TypeLattice | None = None,
        today: Today = date.today,
        patience: int = 1,
        likely: LikelyTools | None = None,
    ) -> None:
        super().__init__(asker, lattice, today, likely)
        self._embedded = embedded
        self._again = read_prompt("again_once" if patience > 1 else "again_never", _PROMPTS)

    def decide(
        self, task: Task, state: State, environment: Environment, hidden: Set[str]
    ) -> Decision:
        """The next call, or the end; see `controlllm.agents.roles.Router`."""
        return self._decided(
            _Situation(task, state, environment, hidden),
            _instructions("route", again=self._again.rstrip()),
            {"state": told_state(state)},
            (),
            lambda: self._embedded.decide(task, state, environment, hidden),
        )


class PromptedKeeper:
    """Takes observations into the state with a language model; `embedded` takes over where that
    fails."""

    def __init__(
        self,
        asker: Asker,
        environment: Environment,
        embedded: StateKeeper,
        today: Today = date.today,
    ) -> None:
        self._asker = asker
        self._environment = environment
        self._embedded = embedded
        self._today = today

    def updated(self, task: Task, state: State, taken: Taken, step: int) -> tuple[State, Usage]:
        """The state with what a step brought; see `controlllm.agents.roles.StateKeeper`.

        Raises LanguageModelFailed where the model fails and nothing may take over, Cancelled where
        the person stopped the request.
        """
        before = self._asker.usage
        question = " ".join([task.instruction, *task.subtasks])
        told = {
            **told_aims(task, self._today()),
            "state": told_state(state),
            **told_step(taken, self._environment.tools, question),
        }
        names = frozenset(self._environment.resources)

        def embedded() -> tuple[State, Usage]:
            return self._embedded.updated(task, state, taken, step)

        def prompted() -> tuple[State, Usage]:
            noted = self._asker.ask(
                "observe",
                messages_of(read_prompt("observe", _PROMPTS), told),
                NOTES_SCHEMA,
                NotesReader(state, taken, names, step).read,
                _MOST_OF_NOTES,
            )
            return noted, Usage()

        updated, usage = self._asker.keep("observe", prompted, embedded)
        return updated, usage + _cost(before, self._asker)


class PromptedChooser(_Deciding):
    """Decides from the whole history with a language model; `embedded` takes over where that fails.

    `temperature` is how much chance there is in it: independent tries of ReAct need some.
    """

    def __init__(
        self,
        asker: Asker,
        embedded: Chooser,
        lattice: TypeLattice | None = None,
        temperature: float = 0.0,
        today: Today = date.today,
        likely: LikelyTools | None = None,
    ) -> None:
        super().__init__(asker, lattice, today, likely, temperature)
        self._embedded = embedded

    def choose(
        self,
        task: Task,
        history: Sequence[Taken],
        environment: Environment,
        elsewhere: Sequence[Taken] = (),
    ) -> Decision:
        """The next call, or the end; see `controlllm.agents.roles.Chooser`."""

        further = told_history(history)
        further += [told_elsewhere(elsewhere)] if elsewhere else []
        return self._decided(
            _Situation(task, task.state, environment, frozenset()),
            _instructions("choose"),
            {},
            further,
            lambda: self._embedded.choose(task, history, environment, elsewhere),
        )


def _instructions(name: str, **values: str) -> str:
    rules = read_prompt("rules", _PROMPTS).rstrip()
    return read_prompt(name, _PROMPTS, rules=rules, **values).rstrip()


def _cost(before: Usage, asker: Asker) -> Usage:
    now = asker.usage
    return Usage(
        now.calls - before.calls,
        now.prompt_tokens - before.prompt_tokens,
        now.completion_tokens - before.completion_tokens,
    )
