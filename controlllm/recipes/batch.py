"""A batch: a recipe and the many files that it is put to, kept with how far each is.

The files, and what is made of them, lie in a conversation of their own that nobody is shown. Its
first turn stands for the batch: while that runs, the batch does, and a program that starts goes on
with it. Each further turn is one file. So nothing is done twice, and what the program's end
interrupts is found again, by the promises of the store and the engine alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from controlllm.core.lineage import finals
from controlllm.core.plans import Plan
from controlllm.core.session import Session, Turn, handle_of
from controlllm.recipes.recipe import Recipe, recipe_in
from controlllm.recipes.running import bind
from controlllm.resources import BadInput, ClickedPoint, Resource
from controlllm.runs.assistant import Assistant
from controlllm.store import Kept, Shelf, Store, handed_over
from controlllm.toolbox import Toolbox

KIND = "batch"
#: Of one batch; each change to it is written as a whole.
MOST_FILES = 200
#: Of one person; the oldest that is not at work makes room.
MOST_BATCHES = 20

State = Literal["pointing", "waiting", "working", "stopped", "done", "failed"]
#: Those of which something is left to do.
UNDONE: frozenset[State] = frozenset({"waiting", "working", "stopped"})


@dataclass(frozen=True)
class Batch:
    """What a batch does. `session` is the id of its own conversation; `others` are the files that
    are the same each time and `words` what was said, by the names of inputs; with `points` it is
    pointed in each picture anew. `seconds` is how long each file took, by its turn. `begun_in` is
    the id of the conversation that it was begun from, and `after` the number of the turn at which
    that stood; empty and -1 where nobody's was."""

    id: str
    owner: str
    session: str
    recipe: Recipe
    others: Mapping[str, str] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)
    points: bool = False
    seconds: Mapping[int, float] = field(default_factory=dict)
    begun_in: str = ""
    after: int = -1


@dataclass(frozen=True)
class Item:
    """One file of a batch; `number` is that of its turn. `reason` is why it failed. `again` says
    whether it can be tried again."""

    number: int
    name: str
    state: State
    source: Resource | None = None
    results: tuple[Resource, ...] = ()
    seconds: float = 0.0
    reason: str = ""
    again: bool = False


def open_batch(
    store: Store,
    owner: str,
    recipe: Recipe,
    words: Mapping[str, str] | None = None,
    points: bool = False,
    begun_in: Session | None = None,
) -> Batch:
    """A new batch without files, kept; begun from a conversation, where one is named."""
    session = store.new_session()
    first = Turn(0, recipe.name, state="cancelled")
    store.update(session.id, lambda current: replace(current.with_turn(first), title=recipe.name))
    batch = Batch(handle_of(session.id), owner, session.id, recipe, {}, words or {}, points)
    if begun_in is not None:
        batch = replace(batch, begun_in=begun_in.id, after=begun_in.at)
    keep(store.shelf, batch)
    return batch


def keep(shelf: Shelf, batch: Batch, is_urgent: bool = True) -> None:
    """Keep what has changed of a batch."""
    names = ("session", "others", "words", "points", "seconds", "begun_in", "after")
    told = {name: getattr(batch, name) for name in names} | {"recipe": batch.recipe.to_text()}
    shelf.put(batch.id, KIND, batch.owner, json.dumps(told), is_urgent)


def find(shelf: Shelf, owner: str, id: str, toolbox: Toolbox) -> Batch:
    """One of an owner's batches; raises KeyError where they have none of this id, BadPlan where
    its recipe cannot be run any more."""
    kept = shelf.find(id)
    if kept.kind != KIND or kept.owner != owner:
        raise KeyError(id)
    return _read(kept, toolbox)


def of_session(shelf: Shelf, session_id: str, toolbox: Toolbox) -> Batch | None:
    """The batch to which a conversation belongs; None where it is somebody's own."""
    try:
        kept = shelf.find(handle_of(session_id))
    except KeyError:
        return None
    return _read(kept, toolbox) if kept.kind == KIND else None


def sessions_of(shelf: Shelf, owner: str) -> list[tuple[str, str]]:
    """Id and conversation of each of an owner's batches, the newest first."""
    return [(kept.id, str(json.loads(kept.content)["session"])) for kept in shelf.of(owner, KIND)]


def begun_in(shelf: Shelf, owner: str, session_id: str) -> list[tuple[str, str, int]]:
    """Of each of an owner's batches that was begun from a conversation: id, its own conversation,
    and the number of the turn that it was begun after, the oldest first."""
    found = []
    for kept in shelf.of(owner, KIND):
        told = json.loads(kept.content)
        if told.get("begun_in") == session_id:
            found.append((kept.id, str(told["session"]), int(told["after"])))
    return found[::-1]


def _read(kept: Kept, toolbox: Toolbox) -> Batch:
    told = json.loads(kept.content)
    told["recipe"] = recipe_in(told["recipe"], toolbox)
    told["seconds"] = {int(number): float(taken) for number, taken in told["seconds"].items()}
    return Batch(kept.id, kept.owner, **told)


def remove(store: Store, id: str, session_id: str) -> None:
    """Forget a batch with its files and results."""
    store.shelf.remove(id)
    try:
        store.delete(session_id)
    except KeyError:
        return


def add_other(assistant: Assistant, batch: Batch, name: str, path: Path, file: str) -> Batch:
    """Take in a file that is the same each time, for the input `name`; raises BadInput where it
    cannot be used."""
    wanted = next((item for item in batch.recipe.files[1:] if item.name == name), None)
    if wanted is None:
        raise BadInput("This recipe has no such input.")
    resource, _ = handed_over.add_file(assistant.store, batch.session, path, file)
    if not assistant.toolbox.lattice.is_a(resource.type, wanted.type):
        raise BadInput(f"This recipe works on a {wanted.label}, and {file} is {resource.type}.")
    batch = replace(batch, others={**batch.others, name: resource.value})
    keep(assistant.store.shelf, batch)
    return batch


def add_file(assistant: Assistant, batch: Batch, path: Path, name: str) -> int:
    """Add a file to a batch; the number of its turn. One that cannot be used is in it as failed.

    Raises BadInput where the batch has as many as there may be.
    """
    session = assistant.store.load(batch.session)
    if len(session.turns) > MOST_FILES:
        raise BadInput(f"A batch has room for {MOST_FILES} files. Begin another one for the rest.")
    turn = Turn(0, name, state="waiting")
    try:
        resource, _ = handed_over.add_file(assistant.store, batch.session, path, name)
        turn = replace(turn, attached=(resource.value,))
        if batch.points and batch.recipe.of_kind("place"):
            _check_type(assistant, batch, resource)
        else:
            turn = replace(turn, plan=_plan(assistant, batch, resource.value))
    except BadInput as problem:
        turn = replace(turn, state="failed", answer=str(problem))
    return _added(assistant.store, batch, turn)


def add_failed(store: Store, batch: Batch, name: str, reason: str) -> int:
    """Note a file that could not be taken in, and why; the number of its turn."""
    return _added(store, batch, Turn(0, name, state="failed", answer=reason))


def _added(store: Store, batch: Batch, turn: Turn) -> int:
    numbers: list[int] = []

    def change(session: Session) -> Session:
        numbers[:] = [len(session.turns)]
        return session.with_turn(replace(turn, number=numbers[0]))

    store.update(batch.session, change)
    return numbers[0]


def _check_type(assistant: Assistant, batch: Batch, resource: Resource) -> None:
    wanted = batch.recipe.files[0]
    if not assistant.toolbox.lattice.is_a(resource.type, wanted.type):
        raise BadInput(
            f"This recipe works on a {wanted.label}, and {resource.value} is {resource.type}."
        )


def _plan(
    assistant: Assistant, batch: Batch, value: str, points: Sequence[ClickedPoint] = ()
) -> Plan:
    files = {**batch.others, **({batch.recipe.files[0].name: value} if batch.recipe.files else {})}
    places = [item for item in batch.recipe.of_kind("place") if item.type == "point"]
    marks = {item.name: tuple(points) for item in places} if points else None
    return bind(batch.recipe, assistant, batch.session, files, batch.words, marks)


def point(
    assistant: Assistant, batch: Batch, number: int, marks: Sequence[Mapping[str, float]]
) -> None:
    """Say what is meant in a file's picture, in fractions of its width and height.

    Raises BadInput where that is nowhere in it, KeyError where there is no such file.
    """
    session = assistant.store.load(batch.session)
    source = session.resource(_turn(session, number).attached[0])
    width, height = source.details.get("width", 0), source.details.get("height", 0)
    clicked = [
        ClickedPoint(int(mark["x"] * width), int(mark["y"] * height), bool(mark.get("positive", 1)))
        for mark in marks
        if 0 <= mark["x"] < 1 and 0 <= mark["y"] < 1
    ]
    if not any(item.positive for item in clicked):
        raise BadInput("Click at least once on what you mean.")
    plan = _plan(assistant, batch, source.value, clicked)
    _change(assistant.store, batch, [number], lambda turn: replace(turn, plan=plan))


def try_again(store: Store, batch: Batch, number: int | None = None) -> list[int]:
    """Have what failed wait once more: one file, or all that can be; their numbers."""
    session = store.load(batch.session)
    wanted = [
        turn.number
        for turn in session.turns[1:]
        if turn.state == "failed" and turn.plan is not None and number in (None, turn.number)
    ]
    _change(
        store, batch, wanted, lambda turn: replace(turn, state="waiting", answer="", results={})
    )
    return wanted


def set_failed(store: Store, batch: Batch, number: int, reason: str) -> None:
    """Note that a file could not be done, and why."""
    _change(store, batch, [number], lambda turn: replace(turn, state="failed", answer=reason))


def _turn(session: Session, number: int) -> Turn:
    if not 0 < number < len(session.turns):
        raise KeyError(number)
    return session.turns[number]


def _change(
    store: Store, batch: Batch, numbers: Iterable[int], change: Callable[[Turn], Turn]
) -> None:
    wanted = list(numbers)

    def changed(session: Session) -> Session:
        for number in wanted:
            session = session.with_turn(change(_turn(session, number)))
        return session

    store.update(batch.session, changed)


def items_of(batch: Batch, session: Session, is_at_work: bool) -> list[Item]:
    """The files of a batch as they are kept, in the order in which they came."""
    known = {resource.value: resource for resource in session.resources}
    return [_item(batch.seconds, turn, known, is_at_work) for turn in session.turns[1:]]


def states_of(session: Session, is_at_work: bool) -> list[Item]:
    """The files of a batch's conversation as far as it takes no more to know."""
    return [_item({}, turn, {}, is_at_work) for turn in session.turns[1:]]


def _item(
    seconds: Mapping[int, float], turn: Turn, known: Mapping[str, Resource], is_at_work: bool
) -> Item:
    states: dict[str, State] = {"answered": "done", "failed": "failed", "cancelled": "stopped"}
    state = states.get(turn.state, "waiting" if is_at_work else "stopped")
    if turn.state == "waiting":
        state = "waiting" if turn.plan is not None else "pointing"
    results: tuple[Resource, ...] = ()
    if state == "done" and turn.plan is not None:
        made = [turn.results[key] for key in finals(turn.plan, turn.results)]
        results = turn.in_members(made)
    return Item(
        turn.number,
        turn.text,
        state,
        known.get(turn.attached[0]) if turn.attached else None,
        results,
        seconds.get(turn.number, 0.0),
        turn.answer if state == "failed" else "",
        turn.plan is not None,
    )
