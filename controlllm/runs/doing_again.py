"""What was done last is done to another file: the same steps with the same values, not planned
anew."""

from __future__ import annotations

from collections.abc import Sequence

from controlllm.core.lineage import Lineage, ends_of, is_work, kind_of, lineage, spoken_of
from controlllm.core.plans import Plan
from controlllm.core.replaying import joined, on_other_file
from controlllm.core.session import Session, Turn, branch, resources_of
from controlllm.planning.correcting import corrected_plan
from controlllm.planning.follow_ups import is_named
from controlllm.planning.mentions import read_mentions
from controlllm.planning.repeating import Again, repeating
from controlllm.resources import Resource
from controlllm.toolbox import Toolbox


def plan_again(session: Session, turn: Turn) -> Plan | None:
    """The plan of a turn that asks for the same again; None where it asks anything else, or where
    it is not plain what was done or to which file."""
    again = repeating(turn.text)
    if again is None:
        return None
    turns = branch(session, turn.number)[:-1]
    now = lineage(turns)
    done = _done(turns, now, again)
    if not done:
        return None
    known = {item.value: item for item in resources_of(session, turn.number)}
    worked_on = [_worked_on(item, known, now) for item in done]
    if not all(worked_on):
        return None
    found: Plan | None = None
    for target in _targets(again, turn, list(known.values()), turns, now):
        plan = _on(target, done, known, now)
        if plan is None:
            return None
        found = plan if found is None else joined(found, plan, {})
    return found


def plan_corrected(
    session: Session, turn: Turn, toolbox: Toolbox
) -> tuple[Plan, tuple[str, ...]] | None:
    """The plan of the last turn with another value, where that is all that a turn says, and the
    results that come of it are to stand in place of; None where it asks anything else."""
    turns = branch(session, turn.number)[:-1]
    if turn.attached or not turns:
        return None
    last, now = turns[-1], lineage(turns)
    ends = ends_of(last)
    if last.plan is None or not ends or now.taken_back.intersection(ends):
        return None
    known = {item.value for item in resources_of(session, turn.number)}
    plan = corrected_plan(turn.text, last.plan, toolbox)
    if plan is None or not _read(plan) <= known:
        return None
    return plan, ends


def _read(plan: Plan) -> set[str]:
    """The files that a plan reads and does not make."""
    steps = list(plan.steps())
    made = {step.action.output.value for step in steps}
    made |= {task.returns.value for task in plan.subtasks}
    return {value for step in steps for value in step.action.references()} - made


def _done(turns: Sequence[Turn], now: Lineage, again: Again) -> tuple[Turn, ...]:
    """The turns whose steps are done again, the first first."""
    found: list[Turn] = []
    for turn in reversed(turns):
        ends = ends_of(turn)
        if turn.plan is None or not ends or now.taken_back.issuperset(ends):
            continue
        if found and not _goes_on(found[-1], turn, now) and again.what == "all":
            break
        found.append(turn)
        if again.what == "last" or (again.what == "both" and len(found) == 2):
            break
        if again.what == "both" and len(turn.plan.subtasks) > 1:
            break
    return tuple(reversed(found))


def _goes_on(later: Turn, turn: Turn, now: Lineage) -> bool:
    """Whether a turn worked on what another one made."""
    return any(set(now.line(value)) & set(ends_of(turn)) for value in ends_of(later))


def _worked_on(turn: Turn, known: dict[str, Resource], now: Lineage) -> tuple[str, ...]:
    """The files that a turn's steps read and did not make, without what was pointed at."""
    own = {item.value for item in turn.results.values()}
    read = [
        value
        for step in (turn.plan.steps() if turn.plan else ())
        for value in step.action.references()
    ]
    return tuple(
        value
        for value in dict.fromkeys(read)
        if value in known and value not in own and is_work(known[value].type)
    )


def _targets(
    again: Again,
    turn: Turn,
    resources: Sequence[Resource],
    turns: Sequence[Turn],
    now: Lineage,
) -> list[Resource]:
    """The files that the same is to be done to, as they are now; none where it is not plain."""
    known = {item.value: item for item in resources}
    handed = [known[value] for value in turn.attached if is_work(known[value].type)]
    if handed and again.to in ("this", "other", "others"):
        return handed
    added = [item for item in resources if item.value not in now.made and is_work(item.type)]
    if again.to == "named":
        named = [item for item in resources if is_named(item.value, again.words)]
        place = read_mentions(again.words, added).ordinal
        if place is not None and not named and -len(added) <= place < len(added):
            named = [known[now.current(added[place].value, added[place].type)]]
        return named[:1]
    if again.to == "this":
        return []
    spoken = spoken_of(turns)
    about = {root for value in spoken for root in now.roots(value)}
    kinds = {kind_of(known[value].type) for value in spoken if value in known}
    others = [item for item in added if item.value not in about and kind_of(item.type) in kinds]
    if again.to == "other" and len(others) > 1:
        # "The other one" is the one that nothing was done to yet.
        others = [item for item in others if not now.made_of(item.value)]
        others = others if len(others) == 1 else []
    return [known[now.current(item.value, item.type)] for item in others]


def _on(
    target: Resource, done: Sequence[Turn], known: dict[str, Resource], now: Lineage
) -> Plan | None:
    """The steps of some turns on another file: what the later ones read of the earlier ones' they
    read of what is made anew."""
    found: Plan | None = None
    made: dict[str, int] = {}
    for turn in done:
        assert turn.plan is not None
        read = _worked_on(turn, known, now)
        pointed = _pointed(turn, known)
        alike = [value for value in read if kind_of(known[value].type) == kind_of(target.type)]
        fresh = [value for value in alike if value not in made]
        if len(fresh) > 1 or (not fresh and not set(alike) & made.keys()) or pointed:
            return None
        plan = on_other_file(turn.plan, fresh[0] if fresh else "", target.value)
        start = 0 if found is None else 1 + max(task.id for task in found.subtasks)
        found = plan if found is None else joined(found, plan, made)
        for number, key in turn.plan.last_keys().items():
            if key in turn.results:
                made[turn.results[key].value] = number + start
    return found


def _pointed(turn: Turn, known: dict[str, Resource]) -> bool:
    """Whether a turn's steps read what was pointed at in its file, which says nothing of others."""
    own = {item.value for item in turn.results.values()}
    return any(
        value in known
        and value not in own
        and not is_work(known[value].type)
        and known[value].type in ("point", "bbox", "mask")
        for step in (turn.plan.steps() if turn.plan else ())
        for value in step.action.references()
    )
