"""Ways to do what is asked of a region: the ways to do it to a picture, with what belongs before
and after them. See `controlllm.planning.pointed`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from controlllm.core.plans import (
    Action,
    Literal,
    Reference,
    Scope,
    Solution,
    Subtask,
    TypedValue,
    Value,
    generated,
    with_values,
)
from controlllm.core.reasons import Reason
from controlllm.planning.solution_expert import reason_of
from controlllm.toolbox import Tool, Toolbox

#: Said of a way that does not put a changed part back into its recording.
PART_ALONE = Reason("makes the changed part alone", "part_alone")


def bare_subtask(subtask: Subtask) -> Subtask:
    """What is searched for: the wish on the whole picture, where tools do not take its region."""
    scope = subtask.scope
    if scope is None or scope.how in ("mask", "part"):
        return subtask
    return replace(subtask, args=tuple(it for it in subtask.args if it != scope.region))


def scoped_solution(solution: Solution, subtask: Subtask, toolbox: Toolbox) -> Solution:
    """A way to do it to a picture, as one to do it to the region."""
    scope = subtask.scope
    if scope is None or scope.how == "mask":
        return solution
    if scope.how == "cut":
        return _after_cutting(solution, subtask, scope, toolbox)
    kind = scope.region.type if scope.how == "part" else "image"
    back = _tool(toolbox, "back", kind)
    if back is None or solution.actions[-1].output.type != kind:
        return solution
    *before, last = solution.actions
    changed = generated(subtask.id, len(solution.actions))
    given = [Reference(scope.picture.value), Reference(changed), Reference(scope.region.value)]
    inputs: dict[str, Value | tuple[Value, ...]] = {
        item.name: value for item, value in zip(back.args, given, strict=False)
    }
    if scope.how == "part":
        inputs |= _times(back, scope)
    if scope.how == "around":
        inputs[back.parameters[0].name] = Literal("true")
    actions = (
        *before,
        replace(last, output=replace(last.output, value=changed)),
        Action(back.name, inputs, TypedValue(kind, generated(subtask.id))),
    )
    return replace(solution, actions=actions)


def scoped_solutions(
    solutions: tuple[Solution, ...], subtask: Subtask, toolbox: Toolbox
) -> tuple[Solution, ...]:
    """Ways to do it to a region, or to a part of a recording; there the part alone stands last."""
    ways = tuple(scoped_solution(way, subtask, toolbox) for way in solutions)
    scope = subtask.scope
    if scope is None or scope.how != "part" or not solutions:
        return ways
    # What keeps the part as long goes before what cuts it shorter.
    order = sorted(range(len(ways)), key=lambda place: _cuts(solutions[place], toolbox))
    ways = tuple(ways[place] for place in order)
    if ways[0] == solutions[order[0]]:
        return ways
    alone = replace(solutions[order[0]], score=ways[-1].score, reason=PART_ALONE)
    return (*ways, alone)


def _cuts(way: Solution, toolbox: Toolbox) -> bool:
    return any(toolbox[name].places == "cuts" for name in way.tools)


def without_part(subtask: Subtask, toolbox: Toolbox) -> Solution | None:
    """The way to leave a part out of its recording; None where no tool does."""
    scope = subtask.scope
    if scope is None or scope.how != "without":
        return None
    back = _tool(toolbox, "back", scope.region.type)
    if back is None:
        return None
    inputs: dict[str, Value | tuple[Value, ...]] = {
        back.args[0].name: Reference(scope.picture.value),
        **_times(back, scope),
    }
    made = Action(back.name, inputs, TypedValue(scope.region.type, generated(subtask.id)))
    return Solution((made,), 5.0, reason_of((made,), 5.0))


def _times(back: Tool, scope: Scope) -> dict[str, Value | tuple[Value, ...]]:
    return {
        parameter.name: Literal(f"{time:.3f}")
        for parameter, time in zip(back.parameters, scope.times, strict=True)
    }


def moving_solution(subtask: Subtask, toolbox: Toolbox) -> Solution | None:
    """The way to put a thing where a region is; None where no tool does."""
    scope, tool = subtask.scope, _tool(toolbox, "moves")
    if scope is None or tool is None or scope.thing is None:
        return None
    given = (scope.picture, scope.region, scope.thing, scope.thing_region)
    inputs: dict[str, Value | tuple[Value, ...]] = {
        argument.name: Reference(item.value)
        for argument, item in zip(tool.args, given, strict=True)
        if item is not None
    }
    for parameter in tool.parameters:
        if parameter.name in scope.manners:
            inputs[parameter.name] = Literal("true")
    made = Action(tool.name, inputs, TypedValue("image", generated(subtask.id)))
    return Solution((made,), max(subtask.ends.values(), default=5.0), reason_of((made,), 5.0))


def _after_cutting(
    solution: Solution, subtask: Subtask, scope: Scope, toolbox: Toolbox
) -> Solution:
    """A way that looks at what was cut out instead of the whole picture."""
    cuts = _tool(toolbox, "cuts")
    framing = next(
        (
            tool
            for tool in toolbox
            if tool.returns.type == "bbox" and [item.type for item in tool.args] == ["mask"]
        ),
        None,
    )
    if cuts is None or framing is None:
        return solution
    count = len(solution.actions)
    box, part = generated(subtask.id, count + 1), generated(subtask.id, count + 2)
    image, where = cuts.args
    before = (
        Action(
            framing.name,
            {framing.args[0].name: Reference(scope.region.value)},
            TypedValue("bbox", box),
        ),
        Action(
            cuts.name,
            {image.name: Reference(scope.picture.value), where.name: Reference(box)},
            TypedValue("image", part),
        ),
    )
    after = tuple(
        replace(action, inputs=_instead(action.inputs, scope.picture.value, part))
        for action in solution.actions
    )
    return replace(solution, actions=(*before, *after))


def _instead(
    inputs: Mapping[str, Value | tuple[Value, ...]], old: str, new: str
) -> dict[str, Value | tuple[Value, ...]]:
    def changed(value: Value) -> Value:
        return Reference(new) if value == Reference(old) else value

    return with_values(inputs, changed)


def _tool(toolbox: Toolbox, places: str, kind: str = "image") -> Tool | None:
    found = (it for it in toolbox if it.places == places and it.returns.type == kind)
    return next(found, None)
