"""What programs send and get, as models: they check what comes in and describe themselves."""

from __future__ import annotations

from typing import Annotated, Any, Literal
from urllib.parse import quote

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from controlllm.core.events import AnswerFinished, RequestCancelled
from controlllm.core.session import Session, handle_of
from controlllm.resources import Resource
from controlllm.runs.sent_plans import Long, Name, SentPlan
from controlllm.serving.works import Work
from controlllm.settings import AgentName

_Count = Annotated[int, Field(ge=0, lt=1_000_000)]
Title = Annotated[str, StringConstraints(max_length=200)]


class Sent(BaseModel):
    """What is sent as the body of a request."""

    model_config = ConfigDict(extra="forbid", strict=True)


class _Begun(Sent):
    stop_when_left: bool = Field(
        False, description="Stop as soon as nobody reads of it any more; else it goes on."
    )


class _Asking(_Begun):
    asks: bool = Field(
        False,
        description="Whether questions can be answered (by `choose`); else the likeliest is taken.",
    )


class Ask(_Asking):
    """A request in plain words, about files of the conversation."""

    request: Long
    files: Annotated[list[Name], Field(max_length=100)] = Field(
        default=[], description="Names of files of this conversation."
    )

    agent: AgentName | None = Field(
        None, description="Have this agent decide step by step, instead of planning first."
    )
    divide_first: bool | None = Field(
        None, description="Whether an agent is told the parts of its task before it begins."
    )


class AskForPlan(Sent):
    """A request to be planned only."""

    request: Long
    files: Annotated[list[Name], Field(max_length=100)] = Field(
        default=[],
        description="Names of files of this conversation; without one they need not exist.",
    )


class Run(_Asking):
    """A plan to be run, such as `plan` gives."""

    plan: SentPlan
    request: Long = Field("", description="What it is for, in words.")


class Switch(_Asking):
    """Another solution of a subtask to be taken instead."""

    turn: _Count
    subtask: _Count
    solution: _Count


class Act(_Asking):
    """A subtask that an agent is to work on step by step."""

    turn: _Count
    subtask: _Count


class Skip(Sent):
    """A turn in which an agent is to end the step that it makes."""

    turn: _Count


class Choose(_Begun):
    """The answer to a question of a turn."""

    turn: _Count
    question: _Count
    choice: _Count


class Resume(_Asking):
    """A turn that was stopped, to go on with."""

    turn: _Count


class CallTool(_Begun):
    """Arguments of one tool; files are names of files of the conversation."""

    arguments: dict[Name, Any]


class SetType(Sent):
    """A special kind of picture (`mask`, `canny`, …) that a file is."""

    type: Name


class File(BaseModel):
    """A file of a conversation: handed over, or made."""

    name: str
    type: str
    media_type: str
    sha256: str
    origin: str
    details: dict[str, Any]
    address: str = Field(description="Where its bytes are, a path on this server.")


class Taken(BaseModel):
    """A file that was taken in, and what should be known about it."""

    file: File
    notices: list[str]


class Files(BaseModel):
    """The files of a conversation."""

    files: list[File]


class Outcome(BaseModel):
    """What a request has come to."""

    run: str
    turn: int | None
    state: Literal["running", "answered", "failed", "stopped"]
    answer: str = Field(description="Markdown; quotes files as data.")
    files: list[File] = Field(description="What the answer shows, in order.")
    questions: list[dict[str, Any]] = Field(description="Questions that wait for `choose`.")


class Stopped(BaseModel):
    """Whether there was anything to stop."""

    stopped: bool


class Skipped(BaseModel):
    """Whether an agent was at a step."""

    skipped: bool


class Conversation(BaseModel):
    """A conversation in a list."""

    session: str
    title: str
    updated: float = Field(description="Seconds since 1970.")


class Conversations(BaseModel):
    """A token's own conversations, the newest first."""

    sessions: list[Conversation]


class TurnShown(BaseModel):
    """A request of a conversation and what came of it."""

    turn: int
    request: str
    state: str
    answer: str
    plan: dict[str, Any] | None
    results: dict[str, str] = Field(description="Names of files by the plan's node.")
    questions: list[dict[str, Any]]


class ConversationShown(BaseModel):
    """A conversation with all that is in it."""

    session: str
    title: str
    running: list[str] = Field(description="The runs that are at work.")
    turns: list[TurnShown]
    files: list[File]


class Planned(BaseModel):
    """How a request would be solved."""

    plan: dict[str, Any]


class ToolShown(BaseModel):
    """A tool: what it does, what it takes, what it makes."""

    name: str
    description: str
    domain: str
    returns: str
    arguments: dict[str, Any] = Field(description="A JSON Schema.")
    available: bool
    reason: str = Field(description="Why it cannot run here, where it cannot.")


class Tools(BaseModel):
    """All tools."""

    tools: list[ToolShown]


class Problem(BaseModel):
    """What was wrong, in a sentence; `node` is the place in a plan, `code` the kind of a tool's
    failure (0 to 12, as in the events)."""

    detail: str
    node: str | None = None
    code: int | None = None


def file_of(session_id: str, resource: Resource, prefix: str) -> File:
    """A resource as programs see it."""
    handle, name = handle_of(session_id), quote(resource.value, safe="")
    return File(
        name=resource.value,
        type=resource.type,
        media_type=resource.media_type,
        sha256=resource.digest,
        origin=resource.origin,
        details=dict(resource.details),
        address=f"{prefix}/sessions/{handle}/files/{name}",
    )


def outcome_of(work: Work, session: Session, prefix: str) -> Outcome:
    """What a request has come to, or that it is still at work."""
    state: Literal["running", "answered", "failed", "stopped"] = "running"
    answer, shown = "", []
    if isinstance(work.end, AnswerFinished):
        state, answer = "answered", work.end.text
        shown = [file_of(session.id, item, prefix) for item in work.end.resources]
    elif work.end is not None:
        state = "stopped" if isinstance(work.end, RequestCancelled) else "failed"
        answer = getattr(work.end, "message", "")
    turns = [turn for turn in session.turns if turn.number == work.turn]
    questions = [item.to_json() for turn in turns for item in turn.questions]
    return Outcome(
        run=work.name,
        turn=work.turn,
        state=state,
        answer=answer,
        files=shown,
        questions=questions,
    )


def shown(session: Session, running: list[str], prefix: str) -> ConversationShown:
    """A conversation with all that is in it."""
    return ConversationShown(
        session=handle_of(session.id),
        title=session.title,
        running=running,
        turns=[
            TurnShown(
                turn=turn.number,
                request=turn.text,
                state=turn.state,
                answer=turn.answer,
                plan=turn.plan.to_json() if turn.plan else None,
                results={key: item.value for key, item in turn.results.items()},
                questions=[item.to_json() for item in turn.questions],
            )
            for turn in session.turns
        ],
        files=[file_of(session.id, item, prefix) for item in session.resources],
    )
