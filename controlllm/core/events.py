"""The events of a request: everything that happens, in order, on one stream.

Every stream ends with exactly one of `AnswerFinished`, `RequestFailed` and `RequestCancelled`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from controlllm.core.citations import Citation
from controlllm.core.costs import SearchCost, Usage
from controlllm.core.plans import Plan, Solution, Subtask
from controlllm.core.questions import Question
from controlllm.core.state import AgentView
from controlllm.resources import Resource
from controlllm.resources.json_data import JsonData


@dataclass(frozen=True)
class Event(JsonData):
    """Something that happened while a request was answered."""

    def to_json(self) -> dict[str, Any]:
        """The event's name under ``event`` and its fields, all plain JSON."""
        return {"event": type(self).__name__, **super().to_json()}


@dataclass(frozen=True)
class RequestReceived(Event):
    """The request was taken; `resources` are those handed over with it."""

    turn: int
    text: str
    resources: tuple[Resource, ...] = ()


@dataclass(frozen=True)
class Waiting(Event):
    """The request waits for its turn; `place` is its place in the line, from 1."""

    place: int


@dataclass(frozen=True)
class Loading(Event):
    """The program has just started: the request waits until what plans it is loaded."""


@dataclass(frozen=True)
class Notice(Event):
    """Something a person should know: a repair, a fallback, a doubt."""

    message: str


@dataclass(frozen=True)
class Doubt(Notice):
    """It is not clear what a subtask means: a person is asked."""

    question: Question


@dataclass(frozen=True)
class RoleRepaired(Notice):
    """What a language model returned for a role was wrong in a way that could be put right."""

    role: str = ""


@dataclass(frozen=True)
class RoleRetried(Notice):
    """A language model is asked once more for a role, after `seconds` of waiting."""

    role: str = ""
    seconds: float = 0.0


@dataclass(frozen=True)
class RoleFellBack(Notice):
    """A language model could not keep a role; the embedded one does, for this request."""

    role: str = ""


@dataclass(frozen=True)
class LanguageModelUsed(Event):
    """One call to a language model for a role, with the tokens it took."""

    role: str
    usage: Usage


@dataclass(frozen=True)
class SubtasksReady(Event):
    """The decomposer's parts of the request (paper Sec. 3.1)."""

    subtasks: tuple[Subtask, ...]


@dataclass(frozen=True)
class SolutionsReady(Event):
    """The solutions of one subtask, best first (paper Sec. 3.2); none where no tool fits."""

    subtask: int
    solutions: tuple[Solution, ...]
    search: SearchCost
    message: str = ""


@dataclass(frozen=True)
class PlanReady(Event):
    """The chosen solution of every subtask, joined, and the alternatives beside it."""

    plan: Plan


@dataclass(frozen=True)
class ActionStarted(Event):
    """An action began. `key` is its place in the plan, `subtask.solution.position`."""

    key: str
    tool: str
    runtime: str


@dataclass(frozen=True)
class ActionProgress(Event):
    """How far an action is, 0..1, with a few words."""

    key: str
    fraction: float
    words: str = ""


@dataclass(frozen=True)
class ActionFinished(Event):
    """An action's output is there. `cached` says that it was already known."""

    key: str
    tool: str
    resource: Resource
    seconds: float
    cached: bool = False


@dataclass(frozen=True)
class ActionFailed(Event):
    """An action failed; `message` is for the person, `next` says what happens now, `code` what kind
    of failure it is (`controlllm.toolbox.Code`)."""

    key: str
    tool: str
    message: str
    next: str = ""
    code: int = 11


@dataclass(frozen=True)
class AgentActed(Event):
    """An agent that works on a subtask step by step has decided on a call, or has seen what came of
    one; `view` is all that it knows now."""

    subtask: int
    view: AgentView


@dataclass(frozen=True)
class SolutionSwitched(Event):
    """Another solution of a subtask is now the chosen one."""

    subtask: int
    solution: int
    reason: str
    plan: Plan


@dataclass(frozen=True)
class WayBegun(Event):
    """Another way of a subtask is tried beside the one in use, which stays so."""

    subtask: int
    solution: int


@dataclass(frozen=True)
class WayEnded(Event):
    """What was tried beside has come to a result, or, as the `problem` says, to none."""

    subtask: int
    solution: int
    problem: str = ""


@dataclass(frozen=True)
class AnswerToken(Event):
    """The next piece of the answer's text (Markdown)."""

    text: str


@dataclass(frozen=True)
class AnswerFinished(Event):
    """The whole answer and the resources that it shows, in order; `fallbacks` say what was done in
    another way than first tried, and why, and `grounds` what pieces of the text rest on."""

    text: str
    resources: tuple[Resource, ...] = ()
    fallbacks: tuple[str, ...] = ()
    grounds: tuple[Citation, ...] = ()


@dataclass(frozen=True)
class RequestFailed(Event):
    """The request could not be answered; the message says why and what to do next."""

    message: str


@dataclass(frozen=True)
class RequestCancelled(Event):
    """The person stopped the request; what was finished stays."""

    message: str = "Stopped."


TERMINAL = (AnswerFinished, RequestFailed, RequestCancelled)
