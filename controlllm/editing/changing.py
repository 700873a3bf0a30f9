"""Edits carried out: an immutable plan in, another one or a refusal out.

The edited way is one more solution of its subtask; the one it was made of stays beside it. What is
accepted compiles: every input has what it needs, of a type that fits, and goes backwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace

from controlllm.core.plans import (
    Action,
    Literal,
    Plan,
    Reference,
    Solution,
    TypedValue,
    Value,
    generated,
    told,
    values_of,
    with_values,
)
from controlllm.core.reasons import Reason
from controlllm.editing.bench import Bench, Reading, argument_of
from controlllm.editing.edits import Again, Delete, Edit, Give, Insert, Pin, Swap
from controlllm.resources import Resource
from controlllm.toolbox import Parameter, Toolbox


@dataclass(frozen=True)
class Refused:
    """Why an edit cannot be made: a sentence for whoever made it."""

    reason: str


@dataclass(frozen=True)
class Edited:
    """A plan after edits; `subtasks` are those whose way has changed."""

    plan: Plan
    subtasks: frozenset[int]


#: Why a tool cannot run here, by its name.
Reasons = Mapping[str, str]


def after_edits(
    plan: Plan,
    edits: Sequence[Edit],
    toolbox: Toolbox,
    resources: Mapping[str, Resource],
    unavailable: Reasons | None = None,
) -> Edited | Refused:
    """A plan after all the edits, or why one of them cannot be made.

    Positions in an edit are those in the way as the edits before have left it. A way that comes out
    as one that is there already is that one.
    """
    now, fresh = plan, dict[int, None]()
    for edit in edits:
        found = edited(now, edit, toolbox, resources)
        if isinstance(found, Refused):
            return found
        for number, way in found.items():
            way = replace(way, is_own=True, reason="", missing=_missing(way, unavailable or {}))
            if number in fresh:
                ways = now.solutions[number]
                now = replace(now, solutions={**now.solutions, number: (*ways[:-1], way)})
            else:
                now = now.with_way(number, way)
            fresh[number] = None
    for number in fresh:
        now = _settled(now, number, toolbox)
    return Edited(now, frozenset(fresh))


def edited(
    plan: Plan, edit: Edit, toolbox: Toolbox, resources: Mapping[str, Resource]
) -> Mapping[int, Solution] | Refused:
    """The ways of subtasks that an edit changes, or why it cannot be made."""
    return carried_out(Bench(plan, edit.subtask, toolbox, resources), edit)


def carried_out(bench: Bench, edit: Edit) -> Mapping[int, Solution] | Refused:
    """The same for an edit of the way that is on a bench."""
    try:
        actions = bench.actions
    except (KeyError, ValueError):
        return Refused("This part of the plan is not there any more.")
    if not 0 <= edit.position < len(actions):
        return Refused("This step is not there any more.")
    match edit:
        case Swap():
            found = _swapped(bench, edit)
        case Insert():
            found = _inserted(bench, edit)
        case Delete():
            found = _deleted(bench, edit.position)
        case Give():
            found = _given(bench, edit)
        case Pin():
            found = _pinned(bench, edit)
        case Again():
            return _made_anew(bench, edit.position)
    return found if isinstance(found, Refused) else {edit.subtask: _way(bench, found)}


def _swapped(bench: Bench, edit: Swap) -> list[Action] | Refused:
    if edit.tool not in bench.toolbox:
        return Refused(f"There is no tool called {edit.tool!r} here.")
    tool, old = bench.toolbox[edit.tool], bench.actions[edit.position]
    if tool.name == old.tool:
        return Refused(f"{_words(tool.name)} is what the step uses already.")
    if not bench.accepts(edit.position, tool.returns.type):
        return Refused(
            f"{_words(tool.name)} makes {tool.returns.type}, which what comes next cannot read."
        )
    given = [value for value in _values(old) if isinstance(value, Reference)]
    inputs = bench.bound(tool, edit.position, old.inputs, given or [*_values(old)])
    if inputs is None:
        return Refused(f"{_words(tool.name)} needs something that is not there at this step.")
    action = Action(tool.name, inputs, replace(old.output, type=tool.returns.type))
    return _with(bench, {edit.position: action})


def _inserted(bench: Bench, edit: Insert) -> list[Action] | Refused:
    if edit.tool not in bench.toolbox:
        return Refused(f"There is no tool called {edit.tool!r} here.")
    tool, is_end = bench.toolbox[edit.tool], not edit.name
    reader = bench.actions[edit.position]
    if is_end and edit.position != bench.last:
        return Refused("Only the last step of a part can be followed by another one.")
    place = _reading(bench, edit)
    if place is None:
        return Refused(f"The step reads nothing as {edit.name!r}.")
    made = tool.returns.type
    argument = argument_of(bench.tool(edit.position), edit.name)
    fits = (
        bench.accepts(edit.position, made)
        if is_end
        else argument is not None and bench.toolbox.lattice.is_a(made, argument.type)
    )
    if not fits:
        return Refused(f"{_words(tool.name)} makes {made}, which what comes next cannot read.")
    at = edit.position + 1 if is_end else edit.position
    inputs = bench.bound(tool, at, {}, [place.value])
    if inputs is None:
        return Refused(f"{_words(tool.name)} cannot work on what stands here.")
    name = _free_name(bench)
    if is_end:
        # The result keeps its name, which others read; what made it until now gets a new one.
        before = replace(reader, output=replace(reader.output, value=name))
        old = Reference(reader.output.value)
        inputs = with_values(inputs, lambda read: Reference(name) if read == old else read)
        action = Action(tool.name, inputs, TypedValue(made, reader.output.value))
        return [*bench.actions[:-1], before, action]
    action = Action(tool.name, inputs, TypedValue(made, name))
    changed = replace(reader, inputs=_at(reader, place, Reference(name)), pinned="")
    return [*bench.actions[: edit.position], action, changed, *bench.actions[edit.position + 1 :]]


def _deleted(bench: Bench, position: int) -> list[Action] | Refused:
    action = bench.actions[position]
    if len(bench.actions) == 1:
        return Refused("This is the only step of this part.")
    refused = Refused("What comes after it cannot read what it has read.")
    if position == bench.last:
        return _without_last(bench, refused)
    changed: dict[int, Action] = {}
    for reading in bench.readers(position):
        argument = argument_of(bench.tool(reading.position), reading.name)
        put = next(
            (value for value in _values(action) if argument and bench.fits(argument, value)), None
        )
        if put is None:
            return refused
        reader = changed.get(reading.position, bench.actions[reading.position])
        inputs = _at(reader, reading, put)
        changed[reading.position] = replace(reader, inputs=inputs, pinned="")
    kept = _with(bench, changed)
    del kept[position]
    return kept


def _without_last(bench: Bench, refused: Refused) -> list[Action] | Refused:
    """The steps without the one that makes the result: one that it has read makes it then."""
    last = bench.actions[-1]
    for value in _values(last):
        place = bench.own.get(value.value) if isinstance(value, Reference) else None
        if place is None:
            continue
        maker = bench.actions[place]
        is_read_only_by_it = all(item.position == bench.last for item in bench.readers(place))
        if is_read_only_by_it and bench.accepts(bench.last, bench.made_by(maker)):
            others = [item for item in bench.actions[:-1] if item is not maker]
            return [*others, replace(maker, output=replace(maker.output, value=last.output.value))]
    return refused


def _given(bench: Bench, edit: Give) -> list[Action] | Refused:
    action, tool = bench.actions[edit.position], bench.tool(edit.position)
    if tool is None:
        return Refused(f"There is no tool called {action.tool!r} here.")
    if any(item.name == edit.name for item in tool.parameters):
        setting = next(item for item in tool.parameters if item.name == edit.name)
        return _set(bench, edit, setting)
    argument = argument_of(tool, edit.name)
    if argument is None:
        return Refused(f"{_words(tool.name)} has no input called {edit.name!r}.")
    inputs = dict(action.inputs)
    if any(isinstance(value, Literal) and not value.text.strip() for value in edit.values):
        return Refused(f"{_words(tool.name)} needs something for {edit.name!r}.")
    there = set(bench.references(edit.position))
    for value in edit.values:
        if isinstance(value, Reference) and value not in there:
            return Refused(f"{value.value} is not there at this step.")
        if not bench.fits(argument, value):
            return Refused(f"{_words(tool.name)}: {told(value)!r} does not fit {edit.name!r}.")
    if not edit.values:
        if not argument.optional:
            return Refused(f"{_words(tool.name)} needs something for {edit.name!r}.")
        inputs.pop(edit.name, None)
    elif argument.many:
        inputs[edit.name] = edit.values
    elif len(edit.values) == 1:
        inputs[edit.name] = edit.values[0]
    else:
        return Refused(f"{_words(tool.name)} takes one thing for {edit.name!r}.")
    return _with(bench, {edit.position: replace(action, inputs=inputs, pinned="")})


def _set(bench: Bench, edit: Give, setting: Parameter) -> list[Action] | Refused:
    action = bench.actions[edit.position]
    inputs = {name: given for name, given in action.inputs.items() if name != edit.name}
    if edit.values:
        value = edit.values[0]
        if not isinstance(value, Literal) or setting.read(value.text) is None:
            return Refused(
                f"That is no value for {edit.name!r}, for example {setting.default!r} is."
            )
        inputs[edit.name] = value
    return _with(bench, {edit.position: replace(action, inputs=inputs, pinned="")})


def _pinned(bench: Bench, edit: Pin) -> list[Action] | Refused:
    action = bench.actions[edit.position]
    if edit.value:
        known = bench.resources.get(edit.value)
        if known is None:
            return Refused(f"{edit.value} is not in this conversation any more.")
        if known.type != bench.made_by(replace(action, pinned="")):
            return Refused(f"{edit.value} is {known.type}, not what this step makes.")
    return _with(bench, {edit.position: replace(action, pinned=edit.value)})


def _made_anew(bench: Bench, position: int) -> Mapping[int, Solution]:
    """A step and all that comes of it, in this way and in those of other subtasks, anew."""
    changed: dict[int, Solution] = {}
    stale: set[tuple[int, str]] = set()
    results: set[str] = set()
    for subtask in bench.plan.subtasks:
        way = bench.plan.solution(subtask.id)
        if way is None:
            continue
        versions = [item.version for other in bench.plan.solutions[subtask.id]
                    for item in other.actions]  # fmt: skip
        following = max(versions, default=0) + 1
        actions = list(way.actions)
        for place, action in enumerate(actions):
            names = set(action.references())
            is_first = subtask.id == bench.subtask_id and place == position
            read = any((subtask.id, name) in stale for name in names) or bool(names & results)
            if is_first or (read and not action.pinned):
                actions[place] = replace(action, version=following, pinned="")
                stale.add((subtask.id, action.output.value))
        if tuple(actions) != way.actions:
            changed[subtask.id] = replace(way, actions=tuple(actions))
        last = actions[-1].output.value
        if (subtask.id, last) in stale:
            results |= {last, subtask.returns.value, generated(subtask.id)}
    return changed


def _reading(bench: Bench, edit: Insert) -> Reading | None:
    if not edit.name:
        output = bench.actions[edit.position].output.value
        return Reading(edit.position, "", 0, Reference(output))
    place = (edit.position, edit.name, edit.index)
    found = (item for item in bench.readings() if (item.position, item.name, item.index) == place)
    return next(found, None)


def _with(bench: Bench, changed: Mapping[int, Action]) -> list[Action]:
    return [changed.get(place, action) for place, action in enumerate(bench.actions)]


def _way(bench: Bench, actions: list[Action]) -> Solution:
    """A way of these steps, without those that nothing needs any more."""
    before = {bench.actions[place].output.value for place in bench.way.ends}
    while True:
        read = {value for action in actions for value in action.references()}
        kept = [
            action
            for action in actions
            if action is actions[-1] or action.output.value in read | before
        ]
        if len(kept) == len(actions):
            return replace(bench.way, actions=tuple(kept), score=bench.way.score)
        actions = kept


def _settled(plan: Plan, number: int, toolbox: Toolbox) -> Plan:
    """The plan with a fresh way of a subtask, or with the same one where it was there already; what
    the subtask is to make and what it waits for as the way says."""
    *ways, way = plan.solutions[number]
    if way.actions in [other.actions for other in ways]:
        place = [other.actions for other in ways].index(way.actions)
        kept = replace(plan, solutions={**plan.solutions, number: tuple(ways)})
        return kept.switched(number, place)
    results = {
        name: item.id for item in plan.subtasks for name in (item.returns.value, generated(item.id))
    }
    subtasks = []
    for item in plan.subtasks:
        if item.id == number:
            read = {value for action in way.actions for value in action.references()}
            deps = {results[value] for value in read if value in results} - {number}
            made = way.actions[-1].output.type
            wanted = item.returns.type
            if wanted and not toolbox.lattice.is_a(made, wanted):
                common = [name for name in toolbox.lattice.ancestors(wanted)
                          if toolbox.lattice.is_a(made, name)]  # fmt: skip
                wanted = common[0]
            item = replace(
                item,
                deps=tuple(sorted(deps | set(item.deps))),
                returns=replace(item.returns, type=wanted),
            )
        subtasks.append(item)
    return replace(plan, subtasks=tuple(subtasks))


def _missing(way: Solution, unavailable: Reasons) -> str:
    names = dict.fromkeys(action.tool for action in way.actions if not action.pinned)
    return Reason.of_tools(names, unavailable)


def _values(action: Action) -> Iterable[Value]:
    for given in action.inputs.values():
        yield from values_of(given)


def _at(action: Action, place: Reading, value: Value) -> dict[str, Value | tuple[Value, ...]]:
    """An action's inputs with another value at one place."""
    inputs = dict(action.inputs)
    given = inputs[place.name]
    if isinstance(given, tuple):
        inputs[place.name] = (*given[: place.index], value, *given[place.index + 1 :])
    else:
        inputs[place.name] = value
    return inputs


def _free_name(bench: Bench) -> str:
    taken: Set[str] = bench.own.keys()
    number = 1
    while (name := generated(bench.subtask_id, number)) in taken:
        number += 1
    return name


def _words(tool: str) -> str:
    words = tool.replace("_", " ")
    return words[:1].upper() + words[1:]
