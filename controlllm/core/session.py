"""A session: one conversation with its messages, resources, plans and results, and its branches.

What was asked anew goes on beside what was asked before. Every turn knows the one that it goes on
from, so a conversation is a tree; a branch is the way from its beginning to one of the turns. What
a turn may speak of is only what lies on its way.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from controlllm.core.citations import Citation
from controlllm.core.comparison import Comparison
from controlllm.core.costs import Usage
from controlllm.core.plans import NotThere, Plan
from controlllm.core.questions import Question
from controlllm.core.state import AgentView
from controlllm.resources import Resource
from controlllm.resources.json_data import JsonData


@dataclass(frozen=True)
class Turn(JsonData):
    """One request of a session and what came of it.

    `state` is ``running``, ``answered``, ``failed`` or ``cancelled``. `results` maps an action's
    key in the plan (``subtask.solution.position``) to the resource that it made; results of
    solutions that are no longer chosen stay, so that switching back costs nothing. `usage` is how
    much a language model was used for it. `questions` are those that wait for an answer; `chosen`
    are the answers by the tool call that asked. `settings` stands for what it was asked under, see
    `controlllm.settings.Settings.mark`; `restarts` is how often it went on by itself after the
    program had ended in the middle of it. `agents` is what agents that worked on subtasks step by
    step know, by the subtask; `acting` are the subtasks that one has yet to work on. `beside` are
    ways that were tried beside the chosen one, by the subtask. `before` is the number of the turn
    that it goes on from, -1 for none; None means the turn of the number before. `fallbacks` say
    what was done in another way than first tried, and why; `grounds` which pieces of the answer
    rest on which results. `receipts` say of results, by the same keys as those, on which
    runtime they were made, when, and in how many seconds. `taken_back` are results that were not
    wanted any more from here on, `restored` what was gone back to, see `controlllm.core.lineage`.
    `members` are what results of several files were handed over as, by the same keys.
    """

    number: int
    text: str
    attached: tuple[str, ...] = ()
    plan: Plan | None = None
    results: Mapping[str, Resource] = field(default_factory=dict)
    answer: str = ""
    state: str = "running"
    usage: Usage = Usage()
    questions: tuple[Question, ...] = ()
    chosen: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    settings: str = ""
    restarts: int = 0
    agents: Mapping[int, AgentView] = field(default_factory=dict)
    acting: tuple[int, ...] = ()
    receipts: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    beside: Mapping[int, Comparison] = field(default_factory=dict)
    before: int | None = None
    fallbacks: tuple[str, ...] = ()
    grounds: tuple[Citation, ...] = ()
    restored: tuple[str, ...] = ()
    taken_back: tuple[str, ...] = ()
    members: Mapping[str, tuple[Resource, ...]] = field(default_factory=dict)

    @property
    def follows(self) -> int:
        """The number of the turn that it goes on from; -1 where it begins the conversation."""
        return self.number - 1 if self.before is None else self.before

    @property
    def made(self) -> Mapping[str, Resource]:
        """The results that came about by it, members of several files too, without what it only
        went back to."""
        if self.plan is None and self.restored:
            return {}
        members = (
            (f"{key} {place}", item)
            for key, found in self.members.items()
            for place, item in enumerate(found, 1)
        )
        return {**self.results, **dict(members)}

    @property
    def every(self) -> tuple[Resource, ...]:
        """All its results, and the members of several files."""
        return (
            *self.results.values(),
            *(item for found in self.members.values() for item in found),
        )

    def in_members(self, made: Iterable[Resource]) -> tuple[Resource, ...]:
        """Results as they are handed over: the members in place of several files, each once."""
        members = {
            self.results[key].value: found
            for key, found in self.members.items()
            if key in self.results
        }
        each = [item for given in made for item in members.get(given.value, (given,))]
        return tuple({item.value: item for item in each}.values())

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        turn = super().from_json(data)
        # No way back goes in circles.
        is_known = turn.before is None or -1 <= turn.before < turn.number
        return turn if is_known else replace(turn, before=None)


@dataclass(frozen=True)
class Waiting(JsonData):
    """A request that waits until the one before it has ended. `settings` stands for what it was
    asked under, see `controlllm.settings.Settings.mark`."""

    name: str
    text: str
    attached: tuple[str, ...] = ()
    settings: str = ""


@dataclass(frozen=True)
class Session(JsonData):
    """One conversation. `id` is a secret that only its owner's browser knows.

    Sessions are values: each change makes a new one, which the store keeps. `head` is the number of
    the turn at which the conversation stands, None for the last: see `controlllm.core.session`.
    What is `waiting` are requests that wait for their turn.
    """

    id: str
    title: str = ""
    resources: tuple[Resource, ...] = ()
    turns: tuple[Turn, ...] = ()
    updated: float = 0.0
    head: int | None = None
    waiting: tuple[Waiting, ...] = ()

    @property
    def at(self) -> int:
        """The number of the turn at which the conversation stands; -1 where it has none."""
        last = self.turns[-1].number if self.turns else -1
        return last if self.head is None else min(self.head, last)

    def turn(self, number: int) -> Turn:
        """The turn of this number; raises NotThere where there is none."""
        if not 0 <= number < len(self.turns):
            raise NotThere(f"This conversation has no request {number}.")
        return self.turns[number]

    def resource(self, value: str) -> Resource:
        """The resource of this value; raises KeyError where the session has none."""
        for resource in self.resources:
            if resource.value == value:
                return resource
        raise KeyError(value)

    def with_resource(self, resource: Resource) -> Session:
        """The session with one more resource, or a changed one of the same value."""
        kept = tuple(item for item in self.resources if item.value != resource.value)
        return replace(self, resources=(*kept, resource))

    def with_turn(self, turn: Turn) -> Session:
        """The session with a new turn, or a changed one of the same number.

        A new one goes on from where the conversation stands, unless it says another turn.
        """
        known = next((item for item in self.turns if item.number == turn.number), None)
        if turn.before is None:
            begun = None if self.at == turn.number - 1 else self.at
            before = known.before if known else begun
            turn = replace(turn, before=before)
        kept = tuple(item for item in self.turns if item.number != turn.number)
        turns = tuple(sorted((*kept, turn), key=lambda item: item.number))
        head = self.head if known else turn.number
        return replace(self, turns=turns, head=head)

    def without_waiting(self, name: str) -> Session:
        """The session in which the request of this name waits no more; raises KeyError where there
        is a name and none waits by it."""
        left = tuple(item for item in self.waiting if item.name != name)
        if name and len(left) == len(self.waiting):
            raise KeyError(name)
        return replace(self, waiting=left)

    def free_name(self, wanted: str) -> str:
        """`wanted`, or the first ``name-2.ext``, ``name-3.ext``, ... that no resource has yet."""
        taken = {resource.value for resource in self.resources}
        if wanted not in taken:
            return wanted
        stem, dot, suffix = wanted.rpartition(".")
        stem, suffix = (stem, dot + suffix) if dot and stem else (wanted, "")
        number = 2
        while f"{stem}-{number}{suffix}" in taken:
            number += 1
        return f"{stem}-{number}{suffix}"

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        # One of which only pieces are left is not to look like an empty one.
        if missing := {"title", "resources", "turns", "updated"} - data.keys():
            raise KeyError(*missing)
        return super().from_json(data)


def handle_of(session_id: str) -> str:
    """The name by which a session is called where its id is not told; it opens nothing."""
    return hashlib.sha256(session_id.encode()).hexdigest()[:16]


def title_of(text: str) -> str:
    """What a conversation is called that begins with this request."""
    line = " ".join(text.split())
    return line if len(line) <= 60 else line[:57].rsplit(" ", 1)[0] + " …"


def branch(session: Session, number: int | None = None) -> tuple[Turn, ...]:
    """The turns from the beginning to the one of a number, or to where the conversation stands."""
    turns = {turn.number: turn for turn in session.turns}
    way: list[Turn] = []
    at = session.at if number is None else number
    while at in turns:
        way.append(turns[at])
        at = turns[at].follows
    return tuple(reversed(way))


def siblings(session: Session, number: int) -> tuple[int, ...]:
    """The numbers of the turns that go on from the same one as this turn, itself among them."""
    follows = {turn.number: turn.follows for turn in session.turns}
    mine = follows.get(number)
    return tuple(sorted(other for other, one in follows.items() if one == mine))


def newest_of(session: Session, number: int) -> int:
    """The number of the turn at which the branch over this turn ends, the newest where it parts."""
    at = number
    for turn in session.turns:
        if at in {item.number for item in branch(session, turn.number)}:
            at = turn.number
    return at


def resources_of(session: Session, number: int | None = None) -> tuple[Resource, ...]:
    """The resources that a branch holds: all but those that only turns beside it were given or have
    made."""
    inside: set[str] = set()
    outside: set[str] = set()
    way = {turn.number for turn in branch(session, number)}
    for turn in session.turns:
        values = inside if turn.number in way else outside
        values.update(turn.attached)
        values.update(resource.value for resource in turn.made.values())
    gone = outside - inside
    return tuple(item for item in session.resources if item.value not in gone)
