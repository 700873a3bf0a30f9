"""The branches of a conversation: what was asked anew goes on beside what was asked before.

Every turn knows the one that it goes on from, so a conversation is a tree; a branch is the way from
its beginning to one of the turns. What a turn may speak of is only what lies on its way.
"""

from __future__ import annotations

from controlllm.core.session import Session, Turn
from controlllm.resources import Resource


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
