"""How the batches stand that were begun from a conversation: what is told of them there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from controlllm.recipes import batch as batches
from controlllm.recipes.batch import Item
from controlllm.store import Store, StoreError


class AtWork(Protocol):
    """A batch at work, as far as its standing needs it."""

    batch: batches.Batch

    @property
    def files(self) -> list[Item]: ...

    @property
    def remaining(self) -> float | None: ...

    @property
    def ended(self) -> bool: ...


@dataclass(frozen=True)
class Standing:
    """How far a batch is; `after` is the number of the turn after which it was begun."""

    id: str
    name: str
    after: int
    items: Sequence[Item]
    at_work: bool = False
    remaining: float | None = None


def standing_of(work: AtWork) -> Standing:
    """How a batch stands that is, or just was, at work."""
    batch, left = work.batch, None if work.ended else work.remaining
    return Standing(batch.id, batch.recipe.name, batch.after, work.files, not work.ended, left)


def begun_in(store: Store, session_id: str, works: Mapping[str, AtWork]) -> list[Standing]:
    """The batches that were begun from a conversation, the oldest first. Looks into the store."""
    found = []
    owner = store.owners.owner_of(session_id)
    for id, own, after in batches.begun_in(store.shelf, owner, session_id) if owner else ():
        work = works.get(id)
        if work is not None:
            found.append(standing_of(work))
            continue
        try:
            session = store.load(own)
        except (KeyError, StoreError):
            continue
        items = batches.states_of(session, is_at_work=False)
        found.append(Standing(id, session.title, after, items))
    return found
