"""What an agent that acts step by step knows: plain data, JSON in and out (Sum2Act, Sec. 3.3).

The state stands in for everything that was observed before, so its size is bounded: by
`MOST_RESULTS`, `MOST_FAILURES` and the characters of each text in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from controlllm.resources.json_data import JsonData

#: How many results and failures a state holds; the oldest failures leave first.
MOST_RESULTS, MOST_FAILURES = 30, 30
#: The most characters of a finding, of a reason, and of one argument as it is noted.
MOST_FINDING, MOST_REASON, MOST_ARGUMENT = 600, 300, 200


@dataclass(frozen=True)
class Result(JsonData):
    """Something found or made: `finding` in words, `source` the value of the resource that it is or
    a quotation of the observation that it rests on, `step` the step that brought it.

    `subtask` is the part of the instruction that it was found for, in words, which it `answers` or
    only leads to; `tool` and `arguments` are the call that brought it, where that is known.
    """

    finding: str
    source: str
    step: int
    subtask: str = ""
    answers: bool = True
    tool: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Failure(JsonData):
    """A call that did not bring what was needed, with the reason and its kind.

    `kind` is ``unavailable`` (the tool cannot be had now), ``bad input``, ``irrelevant`` (it
    answered, and not what was needed) or ``error``; `times` is how often the same call failed,
    `unsure` says that what it does outside may have happened all the same.
    """

    tool: str
    arguments: Mapping[str, Any]
    reason: str
    kind: str
    step: int
    times: int = 1
    unsure: bool = False


@dataclass(frozen=True)
class Spent(JsonData):
    """What an agent has used up."""

    steps: int = 0
    model_calls: int = 0
    tokens: int = 0
    seconds: float = 0.0

    def to_json(self) -> dict[str, Any]:
        return {**super().to_json(), "seconds": round(self.seconds, 3)}


@dataclass(frozen=True)
class Budget(JsonData):
    """What an agent may use up; 0 means that there is no such limit."""

    steps: int = 30
    model_calls: int = 0
    tokens: int = 0
    seconds: float = 0.0

    def is_left(self, spent: Spent) -> bool:
        """Whether another step may be made."""
        return all(
            not limit or used < limit
            for limit, used in (
                (self.steps, spent.steps),
                (self.model_calls, spent.model_calls),
                (self.tokens, spent.tokens),
                (self.seconds, spent.seconds),
            )
        )


@dataclass(frozen=True)
class State(JsonData):
    """Current results and failure history (Sum2Act, Sec. 3.3), both oldest first."""

    results: tuple[Result, ...] = ()
    failures: tuple[Failure, ...] = ()

    def with_result(self, result: Result) -> State:
        """The state with one more result, its text cut to what a state holds."""
        kept = replace(
            result,
            finding=_cut(result.finding, MOST_FINDING),
            source=_cut(result.source, MOST_FINDING),
            subtask=_cut(result.subtask, MOST_REASON),
            arguments=_noted(result.arguments),
        )
        return replace(self, results=(*self.results, kept)[-MOST_RESULTS:])

    def with_failure(self, failure: Failure) -> State:
        """The state with one more failure, its texts cut to what a state holds."""
        kept = replace(
            failure,
            reason=_cut(failure.reason, MOST_REASON),
            arguments=_noted(failure.arguments),
        )
        return replace(self, failures=(*self.failures, kept)[-MOST_FAILURES:])


@dataclass(frozen=True)
class AgentView(JsonData):
    """An agent as a person sees it: what it knows, its last thought, what it may use up.

    `answer` is what it said in the end; `way` the place of what it did among the solutions of its
    subtask, -1 where it is none.
    """

    agent: str
    state: State = field(default_factory=State)
    thought: str = ""
    tool: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    spent: Spent = Spent()
    budget: Budget = Budget()
    answer: str = ""
    way: int = -1


def _noted(arguments: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: _cut(value, MOST_ARGUMENT) if isinstance(value, str) else value
        for name, value in arguments.items()
    }


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
