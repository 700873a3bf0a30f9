"""The next call for a part of a task: the cheapest way on from the present state.

A call is worth making where its tool serves the part and its arguments can be had from the words or
from what was found. Where an argument cannot, tools that could bring it are called first, and what
they need before them: a search backwards over the tools, begun anew from every state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from controlllm.agents.embedded.arguments import AtHand, Filling, fillings
from controlllm.agents.embedded.facts import words_of
from controlllm.agents.embedded.parts import Part
from controlllm.agents.embedded.situation import Situation
from controlllm.agents.embedded.wants import wanted_kinds
from controlllm.agents.embedded.words import reads_of
from controlllm.agents.environment import fingerprint
from controlllm.core.plans import Action, values_of
from controlllm.core.state import Result
from controlllm.toolbox import Argument, Tool

#: So many tools are considered for a part, and so many to bring an argument, so many steps ahead.
_ENDS, _MAKERS, _DEEP = 6, 5, 3
#: How much counts that a tool serves a part badly, and its arguments; what a failure of a tool adds
#: and what each step before costs.
_SERVES, _FILLS, _FAILED, _BEFORE = 3.0, 0.6, 0.5, 0.35
#: What it costs that a tool only finds what others work on, and that one looks up what was to be
#: done, or does what was to be looked up.
_ONLY_FINDS, _NOT_A_DEED = 1.0, 1.0
#: What it costs to use one thing for two arguments.
_TWICE = 1.5
#: How much better a tool must serve a part to be called after another one has answered, and what
#: such a call may cost.
_BETTER, _SURE, _LEAST_FURTHER = 0.1, 1.2, 0.2
#: What it costs that a value of the part is not made use of, and a day.
_UNREAD, _UNREAD_DAY = 0.5, 0.7
#: A tool that serves a part less than this, beside the best, is not called for it.
_LEAST_SERVING = 0.35
#: How well a tool has to serve a part to stand in for one that cannot be had.
_STANDS_IN = 0.6
#: An argument that costs more than this is better brought by a tool.
_WEAK = 0.5
#: A tool whose description comes less near to an argument than this does not bring it, nor, where
#: any words would do, less than the second.
_LEAST_NEAR, _LEAST_NEAR_WORDS = 0.35, 0.7
#: How much less likely than the likeliest a tool may be to bring an argument.
_BEAM = 0.3


@dataclass(frozen=True)
class Call:
    """A call that could be made next, with what it costs to believe in it; `ends` says that it
    should answer the part itself, `reads` are the characters of the request that it, and what it
    leads to, makes use of, and `open` is how many arguments of what it leads to are still to be
    brought, each of which may make use of a value more."""

    tool: str
    arguments: Mapping[str, Any]
    ends: bool
    cost: float
    reads: tuple[tuple[int, int], ...] = ()
    open: int = 0


def calls_for(part: Part, situation: Situation) -> Iterator[Call]:
    """The calls that could be made next for a part, the cheapest first."""
    planned = list(_planned(part, situation))
    if planned:
        yield from planned
        return
    able = [name for name in situation.tools if name not in part.unfit]
    best = max((part.scores[name] for name in able), default=0.0)
    ranked = sorted(able, key=lambda name: -part.scores[name])
    stands_in = _standing_in(part, situation)
    found: list[Call] = []
    for name in ranked[:_ENDS]:
        score = part.scores[name]
        tool = situation.tools[name]
        if name in situation.gone or score < _LEAST_SERVING * best or not stands_in(tool):
            continue
        away = _SERVES * (best - score) + _ill_ending(tool, part, ranked, situation)
        for call in _ways_to(tool, part, situation, (name,)):
            cost = call.cost + away + _unread(call, part)
            found.append(replace(call, cost=cost))
    yield from sorted(found, key=lambda call: call.cost)


def _standing_in(part: Part, situation: Situation) -> Callable[[Tool], bool]:
    """Whether a tool may do what those cannot that would serve a part better and are not to be had:
    nothing stands in for a deed, no deed stands in for anything, and where it is certain enough
    that they are not to be had, only what serves the part nearly as well."""
    offered = {tool.name: tool for tool in situation.environment.tools}
    lost = {name for name in offered if name in situation.gone or name in situation.hidden}
    best_lost = max((part.scores[name] for name in lost), default=0.0)
    for_certain = situation.surely_gone | (lost & situation.hidden)
    surely_lost = max((part.scores[name] for name in for_certain & lost), default=0.0)
    wanted = max(offered, key=lambda name: part.scores[name], default="")
    is_lost_deed = wanted in lost and offered[wanted].acts_outside

    def may(tool: Tool) -> bool:
        score = part.scores[tool.name]
        if is_lost_deed or (tool.acts_outside and score < best_lost):
            return False
        return score >= _STANDS_IN * surely_lost

    return may


def further_calls(part: Part, result: Result, situation: Situation) -> Iterator[Call]:
    """Calls that add to what a part has been answered with: of tools that make use of a value of
    the part that was left unread, or that serve it better and can be called only now."""
    known = next((item for item in situation.known if item.step == result.step), None)
    if known is None or result.tool not in part.scores:
        return
    spans = reads_of(known, part.words, situation.known)
    unread = [
        (item.start, item.end)
        for item in part.words.mentions
        if part.words.holds(item) and not any(a < item.end and item.start < b for a, b in spans)
    ]
    deed = situation.tools.get(result.tool)
    if deed is not None and deed.acts_outside:
        return
    found: list[Call] = []
    for name, tool in situation.tools.items():
        better = part.scores[name] > part.scores[result.tool] + _BETTER
        if tool.acts_outside or name in situation.gone or part.scores[name] < _LEAST_FURTHER:
            continue
        if name in part.unfit:
            continue
        for call in _ways_to(tool, part, situation, (name,)):
            reads = any(a < end and start < b for a, b in call.reads for start, end in unread)
            is_done = fingerprint(call.tool, call.arguments) in situation.done
            if call.ends and not is_done and call.cost < _SURE and (better or reads):
                found.append(replace(call, cost=call.cost - part.scores[name]))
    yield from sorted(found, key=lambda call: call.cost)


def _ways_to(
    tool: Tool,
    part: Part,
    situation: Situation,
    path: tuple[str, ...],
    taken: tuple[tuple[int, int], ...] = (),
) -> Iterator[Call]:
    """Calls of a tool, the last of a `path`, or of those that bring what it lacks; `taken` are the
    characters of the request that the tools before it in the path have a use for."""
    depth = len(path) - 1
    ways = _fillings(tool, part, situation, taken)
    penalty = _FAILED * situation.failures.get(tool.name, 0) + _BEFORE * (depth > 0)
    fresh = [way for way in ways if not way.missing]
    fresh = [way for way in fresh if not _is_spent(tool, way, part, situation, depth)]
    for way in fresh[:2]:
        cost = penalty + _FILLS * way.cost + _TWICE * bool(way.repeated)
        yield Call(tool.name, way.arguments, depth == 0, cost, way.reads_but(""))
    if depth >= _DEEP or not ways:
        return
    first = ways[0]
    weak = list(first.missing)
    for argument in tool.required:
        is_weak = first.cost_of(argument.name) > _WEAK or argument.name in first.repeated
        if argument not in weak and is_weak:
            weak.append(argument)
    if not first.missing:
        weak = [item for item in weak if _can_be_brought(item, situation)]
    for argument in weak[:2]:
        others = [item for item in tool.required if item is not argument]
        rest = sum(min(first.cost_of(item.name), _WEAK) for item in others)
        for far, maker in _makers(argument, tool, part, situation):
            if maker.name in path:
                continue
            used = (*taken, *first.reads_but(argument.name))
            for call in _ways_to(maker, part, situation, (*path, maker.name), used):
                if call.ends:
                    continue
                cost = call.cost + penalty + _FILLS * max(rest, 0.0) + far
                reads = (*call.reads, *first.reads_but(argument.name))
                left = call.open + sum(item is not argument for item in first.missing)
                yield Call(call.tool, call.arguments, False, cost, reads, left)


def _ill_ending(tool: Tool, part: Part, ranked: Sequence[str], situation: Situation) -> float:
    """What it costs that a tool hardly answers a part itself: it only finds what others work on,
    or it looks something up where something is to be done, or the other way round."""
    first = situation.tools[ranked[0]]
    if tool.acts_outside:
        return 0.0 if part.scores[tool.name] > 0.9 * part.scores[first.name] else _NOT_A_DEED
    if first.acts_outside:
        return _NOT_A_DEED
    made = tool.returns.type
    taken = any(item.type == made for other in situation.tools.values() for item in other.args)
    is_entity = not situation.lattice.is_a(made, "text")
    return _ONLY_FINDS * (taken and is_entity)


def _unread(call: Call, part: Part) -> float:
    """What it costs that values of a part are made no use of."""
    left = 0.0
    said = [item for item in part.words.mentions if part.words.holds(item)]
    for mention in said:
        twins = [(m.start, m.end) for m in said if m.start < mention.end and mention.start < m.end]
        if not any(a < end and start < b for a, b in call.reads for start, end in twins):
            left += (_UNREAD_DAY if mention.kind == "date" else _UNREAD) / len(twins)
    return max(0.0, left - _UNREAD * call.open)


def _is_spent(tool: Tool, way: Filling, part: Part, situation: Situation, depth: int) -> bool:
    """Whether a call has failed before, or is done and brought what it brings for a part."""
    mark = fingerprint(tool.name, way.arguments)
    if mark in situation.failed:
        return True
    done = situation.done.get(mark)
    if done is None:
        return False
    return depth > 0 or tool.acts_outside or done.subtask == part.words.part


def _fillings(
    tool: Tool, part: Part, situation: Situation, taken: tuple[tuple[int, int], ...]
) -> list[Filling]:
    key = (part.words.part, tool.name, taken)
    if key not in situation.filled:
        before = (situation.answers.get(item.value) for item in part.subtask.args if not item.role)
        at_hand = AtHand(
            part.words,
            situation.known,
            situation.resources,
            situation.lattice,
            situation.encode,
            [name for name in before if name is not None],
        )
        situation.filled[key] = list(fillings(tool, at_hand, taken))
    return situation.filled[key]


def _can_be_brought(argument: Argument, situation: Situation) -> bool:
    """Whether an argument is one that other tools bring: an entity, or what identifies one."""
    if not situation.lattice.is_a(argument.type, "text"):
        return True
    return "id" in wanted_kinds(argument)


def _makers(
    argument: Argument, tool: Tool, part: Part, situation: Situation
) -> list[tuple[float, Tool]]:
    """Tools that could bring an argument, with how unlikely each is to."""
    others = [
        item
        for item in situation.tools.values()
        if item.name not in situation.gone and not item.acts_outside and item is not tool
    ]
    if not situation.lattice.is_a(argument.type, "text"):
        others = [item for item in others if item.returns.type == argument.type]
        least = -1.0
    else:
        named = wanted_kinds(argument).keys() & {"quoted"}
        least = _LEAST_NEAR_WORDS if named else _LEAST_NEAR
    if not others:
        return []
    wanted = f"find {words_of(argument.name)}: {argument.description}"
    texts = [f"{item.name.replace('_', ' ')}: {item.description}" for item in others]
    vectors = situation.encode([wanted, *texts])
    near = (vectors[1:] @ vectors[0]).tolist()
    noun = {word for word in words_of(argument.name).split() if word not in ("id", "code", "key")}
    scored = []
    for item, value in zip(others, near, strict=True):
        said = set(words_of(item.name).split()) | set(words_of(item.description).split())
        value += 0.25 * bool(noun & {word.rstrip("s") for word in said} or noun & said)
        scored.append((value, item))
    scored.sort(key=lambda pair: -pair[0])
    top = scored[0][0]
    return [
        (top - value, item) for value, item in scored[:_MAKERS] if value >= max(least, top - _BEAM)
    ]


def _planned(part: Part, situation: Situation) -> Iterator[Call]:
    """The first open action of each way that the planner found for a part about files."""
    for place, solution in enumerate(part.solutions):
        outputs = dict(situation.answers)
        last = len(solution.actions) - 1
        if solution.actions[-1].tool in part.unfit:
            continue
        for number, action in enumerate(solution.actions):
            if not all(situation.has(later.tool) for later in solution.actions[number:]):
                # Its first steps lead nowhere where a later one cannot be made.
                break
            arguments = _resolved(action, outputs, situation)
            if arguments is None:
                break
            mark = fingerprint(action.tool, arguments)
            if mark in situation.failed:
                break
            done = situation.done.get(mark)
            if done is None or done.source not in situation.resources:
                yield Call(action.tool, arguments, number == last, 0.2 * place)
                break
            outputs[action.output.value] = done.source


def _resolved(
    action: Action, outputs: Mapping[str, str], situation: Situation
) -> dict[str, Any] | None:
    """An action's arguments with the names of resources; None where one was not made."""
    tool = situation.tools[action.tool]
    many = {item.name for item in tool.args if item.many}
    found: dict[str, Any] = {}
    for name, given in action.inputs.items():
        values = [situation.value(item, outputs) for item in values_of(given)]
        if any(value is None for value in values):
            return None
        found[name] = values if name in many else values[0]
    return found
