"""A person chooses a way: what is remembered of it, and what becomes of what was compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from controlllm.comparing.habits import Habits, chosen_over
from controlllm.core.comparison import Comparison
from controlllm.core.plans import NotThere, Plan
from controlllm.core.session import Session, Turn, handle_of
from controlllm.engine import Engine, Terms
from controlllm.resources import Resource
from controlllm.runs.turn_recorder import capabilities_of
from controlllm.settings import Settings
from controlllm.store import Store


def habits_of(store: Store, session_id: str) -> Habits:
    """What the person of a conversation chose before."""
    return Habits.of(store.choices.of(whose(store, session_id)))


def whose(store: Store, session_id: str) -> str:
    """The name under which the store has what the person of a conversation chose: that of the
    conversation's owner, or its own where it has none."""
    return store.owners.owner_of(session_id) or handle_of(session_id)


def place_of(handle: str, turn: int, subtask: int) -> str:
    """What stands for the place of a choice: the conversation's handle and the numbers."""
    return f"{handle}/{turn}/{subtask}"


def choose_way(store: Store, session: Session, turn: int, subtask: int, way: int) -> None:
    """Note that the person chose a way, over the one in use and those tried beside it.

    The ways compared stay so, but for those of later subtasks that read its result: these are not
    theirs any more. Which way is in use is not changed here. Raises NotThere where there is no
    such turn, subtask or way.
    """
    asked = session.turn(turn)
    plan = asked.plan
    if plan is None:
        raise NotThere(f"Request {turn} has no plan.")
    plan.switched(subtask, way)  # raises where there is none
    before, ways = plan.chosen.get(subtask, 0), plan.solutions[subtask]
    beside = asked.beside.get(subtask, Comparison())
    worked = {place for place, problem in beside.tried.items() if not problem} | {before}
    part = next(item for item in plan.subtasks if item.id == subtask)
    place = place_of(handle_of(session.id), turn, subtask)
    others = [ways[other] for other in sorted(worked - {way})]
    made = chosen_over(place, part, ways[way], others)
    if made:
        rows = [(item.kind, item.chosen, item.other) for item in made]
        store.choices.keep(whose(store, session.id), place, rows)

    def change(current: Session) -> Session:
        there = current.turn(turn)
        if way != before:
            there = _in_use(there, plan, subtask, way, before)
        if subtask in there.beside:
            kept = there.beside[subtask].kept(way, before)
            there = replace(there, beside={**there.beside, subtask: kept})
        return current.with_turn(there)

    store.update(session.id, change)


def take_back(store: Store, session: Session, turn: int, subtask: int) -> int:
    """Forget that the person kept a way; the way that was in use before that.

    Which way is in use is not changed here. Raises NotThere where nothing was kept.
    """
    asked = session.turn(turn)
    beside, plan = asked.beside.get(subtask), asked.plan
    if beside is None or plan is None or beside.keeps < 0:
        raise NotThere(f"Nothing was kept of part {subtask}.")
    former = beside.former
    place = place_of(handle_of(session.id), turn, subtask)
    store.choices.keep(whose(store, session.id), place, ())

    def change(current: Session) -> Session:
        there = current.turn(turn)
        now = plan.chosen.get(subtask, 0)
        if former != now:
            there = _in_use(there, plan, subtask, former, now)
        free = replace(there.beside[subtask], keeps=-1, former=-1)
        return current.with_turn(replace(there, beside={**there.beside, subtask: free}))

    store.update(session.id, change)
    return former


def known_of(
    engine: Engine,
    store: Store,
    session: Session,
    turn: Turn,
    plan: Plan,
    settings: Settings,
) -> dict[str, Resource]:
    """The results of a plan's steps, by their keys, that need not be made any more for a turn and
    that are in the conversation. Nothing is run; for a way's plan see
    `controlllm.comparing.trying.only`."""
    answers = {call: places for each in session.turns for call, places in each.chosen.items()}
    found = engine.known(
        plan,
        {resource.value: resource for resource in session.resources},
        Terms(
            settings.runtimes,
            f"{session.id}/{turn.number}",
            capabilities_of(settings, store, session.id),
            answers,
        ),
    )
    # What others have made is known to the engine, and nobody else's business.
    own = {(item.type, item.digest): item for item in session.resources}
    return {
        key: own[made.type, made.digest]
        for key, made in found.items()
        if (made.type, made.digest) in own
    }


def compare(store: Store, session_id: str, turn: int, subtask: int, left: int, right: int) -> None:
    """Say which two of a subtask's ways are compared; the same twice ends the comparing.

    Raises NotThere where there is no such turn, or nothing was tried beside.
    """

    def change(session: Session) -> Session:
        there = session.turn(turn)
        beside = dict(there.beside)
        if subtask not in beside or there.plan is None:
            raise NotThere(f"Nothing was tried beside part {subtask}.")
        if left == right:
            del beside[subtask]
        else:
            known = {*beside[subtask].tried, there.plan.chosen.get(subtask, 0)}
            if not {left, right} <= known:
                raise NotThere("These ways were not tried.")
            beside[subtask] = replace(beside[subtask], left=left, right=right)
        return session.with_turn(replace(there, beside=beside))

    store.update(session_id, change)


def _in_use(turn: Turn, plan: Plan, subtask: int, way: int, before: int) -> Turn:
    """A turn that is to use another way: what was compared, and what later parts have made."""
    later = _dependents(plan, subtask)
    beside: Mapping[int, Comparison] = {
        number: item.in_use(way, before) if number == subtask else item
        for number, item in turn.beside.items()
        if number not in later
    }
    in_use = {step.key for step in plan.steps()}
    results = {
        key: made
        for key, made in turn.results.items()
        if int(key.split(".")[0]) not in later or key in in_use
    }
    return replace(turn, beside=beside, results=results)


def _dependents(plan: Plan, subtask: int) -> frozenset[int]:
    """The subtasks that read the result of one, directly or not."""
    found: set[int] = set()
    for item in plan.subtasks:
        if {subtask, *found} & set(item.deps):
            found.add(item.id)
    return frozenset(found)
