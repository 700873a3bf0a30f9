"""A proposal as subtasks: each result that was asked for with the way proposed to it.

The other ways of each come from the search, as for any subtask; what was proposed comes first where
it can run here (`Planner.solve`). Where a step could not be made sound, the search alone is left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from controlllm.core.lineage import is_work
from controlllm.core.plans import (
    OUTSIDE,
    Action,
    Literal,
    Reference,
    Request,
    Solution,
    Subtask,
    TypedValue,
    deps_of,
    generated,
    values_of,
    with_values,
)
from controlllm.core.proposals import GO_BACK, Proposal
from controlllm.planning.arguments import role_of
from controlllm.planning.drafts import BEST_SCORE
from controlllm.planning.graph import ToolGraph
from controlllm.planning.judged import ENDS
from controlllm.planning.mending import Sound, mended
from controlllm.planning.replacing import Assess, renamed
from controlllm.planning.solution_expert import ALTERNATIVE_THRESHOLD, reason_of
from controlllm.resources.types import is_on_the_way
from controlllm.toolbox import Toolbox

#: What other tools that make a result may count beside the one proposed, and those proposed on the
#: way to it.
_OTHERS, _ON_THE_WAY = 4.5, 4.6
#: A way that scores this can stand in place of a proposed one that cannot run here; below it, the
#: reader of requests gives as much to whatever could run on what is there.
_AS_GOOD = 4.0
#: What another tool that makes the result has to score by what it says of itself, where the reader
#: was not that sure of it.
_SAYS_SO = 2.5
#: A reader's part of the request is the same as a step where it gives the step's tool this much.
_SAME_PART = 2.0


@dataclass(frozen=True)
class Divided:
    """What a proposal comes to: subtasks, each after those it depends on, with the ways proposed,
    and what is to be current again. `problems` say why some of what was wanted could not be made
    sound, so that the search alone is left for it; `repairs` what was mended."""

    proposal: Proposal
    subtasks: tuple[Subtask, ...]
    back_to: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    repairs: tuple[str, ...] = ()

    @property
    def has_sound_part(self) -> bool:
        """Whether any of it can be done as it was proposed."""
        return bool(self.back_to) or any(task.way or task.cannot for task in self.subtasks)


@dataclass(frozen=True)
class _Part:
    """One result that was asked for: the steps of its way in order, the last of which makes it."""

    number: int
    steps: tuple[int, ...]


def _wanted_steps(proposal: Proposal) -> tuple[int, ...]:
    """The numbers of the steps whose results were asked for: those that were said, and those that
    nothing goes on from."""
    made = [step for step in proposal.steps if step.tool != GO_BACK]
    read = {
        value for step in made for value in step.references() if value != generated(step.number)
    }
    return tuple(
        step.number
        for step in made
        if step.number in proposal.wanted or generated(step.number) not in read
    )


def divided(
    proposal: Proposal,
    request: Request,
    graph: ToolGraph,
    assess: Assess,
    heard: Sequence[Subtask] = (),
) -> Divided:
    """A request divided by a plan that somebody proposes for it, whoever that is.

    `heard` are subtasks that a reader of the request made, whose scores of tools serve to find
    other ways.
    """
    sound = mended(proposal, request, graph, assess)
    wanted = _wanted_steps(proposal)
    types = {item.value: item.type for item in request.resources}
    found = _Found(sound, graph, types, heard, assess)
    for part in _parts(sound, wanted, graph.toolbox):
        found.add(part, part.number in proposal.wanted)
    for number in wanted:
        if number not in sound.actions:
            found.add_unsound(proposal, number)
    for refused in proposal.refused:
        found.refuse(refused.what, refused.why)
    stays = any(s.tool == GO_BACK and s.number in sound.problems for s in proposal.steps)
    unmade = stays or any(number not in sound.actions for number in wanted)
    is_nothing = not (found.subtasks or sound.back_to)
    problems = tuple(sound.problems.values()) if unmade or is_nothing else ()
    return Divided(proposal, tuple(found.subtasks), sound.back_to, problems, sound.repairs)


def _parts(sound: Sound, wanted: Sequence[int], box: Toolbox) -> list[_Part]:
    """The parts of a plan in order. A file that is changed further is a part of its own; so is one
    that several parts go on from, and what would not come out the same when it is made for each.
    Other steps on the way belong to each part that needs them."""
    by_output = {action.output.value: number for number, action in sound.actions.items()}
    ends = {number for number in wanted if number in sound.actions}
    for action in sound.actions.values():
        for source in (by_output.get(value) for value in action.references()):
            if source is None or not is_work(made := sound.actions[source].output.type):
                continue
            if is_on_the_way(made, action.output.type):
                ends.add(source)
    while True:
        ways = {number: _way(number, sound, by_output, ends) for number in ends}
        shared = {
            step
            for number, way in ways.items()
            for step in way
            if step not in ends
            and (is_work(sound.actions[step].output.type) or _is_once(step, sound, box))
            and sum(step in other for other in ways.values()) > 1
        }
        if not shared:
            break
        # The last of those that are shared: what leads to it is shared no more then.
        ends.add(max(shared, key=list(sound.actions).index))
    order = [number for number in sound.actions if number in ends]
    return [_Part(number, ways[number]) for number in order]


def _is_once(step: int, sound: Sound, box: Toolbox) -> bool:
    """Whether a step that is done twice does something twice, or not the same."""
    name = sound.actions[step].tool
    ways = box.implementations.get(name, ())
    return box[name].acts_outside or not all(way.deterministic for way in ways)


def _way(
    number: int, sound: Sound, by_output: Mapping[str, int], ends: set[int]
) -> tuple[int, ...]:
    """The steps that lead to one, itself last, back to where other parts end."""
    needed, waiting = {number}, [number]
    while waiting:
        for value in sound.actions[waiting.pop()].references():
            source = by_output.get(value)
            if source is not None and source not in needed and source not in ends:
                needed.add(source)
                waiting.append(source)
    return tuple(step for step in sound.actions if step in needed)


def with_proposed(
    subtask: Subtask, missing: str, found: Sequence[Solution]
) -> tuple[Solution, ...]:
    """The ways of a subtask with the one proposed before those that were found; where it cannot run
    here, because of what is `missing`, after those of them that can."""
    own = Solution(subtask.way, BEST_SCORE, reason_of(subtask.way, BEST_SCORE), missing)
    needed = {item.value for item in subtask.args if item.role not in ("", "prompt")} & _words_read(
        own.actions
    )
    others = [
        way
        for way in found
        if way.score >= ALTERNATIVE_THRESHOLD
        and _calls(way.actions) != _calls(own.actions)
        # With no other tool in place of one, it does less than was proposed, or more.
        and set(way.tools) - set(own.tools)
        and set(own.tools) - set(way.tools)
        # A language or a thing that nothing reads any more was asked for all the same.
        and needed <= _words_read(way.actions)
    ]
    first = [way for way in others if missing and not way.missing and way.score >= _AS_GOOD]
    return (*first, own, *(way for way in others if way not in first))


def _words_read(actions: Sequence[Action]) -> set[str]:
    return {
        value.text
        for action in actions
        for given in action.inputs.values()
        for value in values_of(given)
        if isinstance(value, Literal)
    }


def _calls(actions: Sequence[Action]) -> frozenset[str]:
    """The calls of a way, whatever it calls what it makes on the way."""
    made: dict[str, str] = {}
    for action in actions:
        inputs = {
            name: [made.get(value.value, value) if isinstance(value, Reference) else value
                   for value in values_of(given)]
            for name, given in sorted(action.inputs.items())
        }  # fmt: skip
        made[action.output.value] = f"{action.tool}({inputs})"
    return frozenset(made.values())


class _Found:
    """Subtasks being made of the parts of a plan, one after the other."""

    def __init__(
        self,
        sound: Sound,
        graph: ToolGraph,
        resources: Mapping[str, str],
        heard: Sequence[Subtask],
        assess: Assess,
    ) -> None:
        self.subtasks: list[Subtask] = []
        self._sound = sound
        self._graph = graph
        self._types = dict(resources)
        self._heard = heard
        self._assess = assess
        #: The results of parts that are done, by what the proposal calls them.
        self._done: dict[str, str] = {}

    def add(self, part: _Part, is_wanted: bool) -> None:
        box = self._graph.toolbox
        own = len(self.subtasks)
        names = dict(self._done)
        actions: list[Action] = []
        args: dict[TypedValue, None] = {}
        inside: set[str] = set()
        for step in part.steps:
            action = self._sound.actions[step]
            is_last = step == part.steps[-1]
            output = generated(own, None if is_last else len(actions) + 1)
            inputs = with_values(action.inputs, partial(renamed, names=names))
            for argument in box[action.tool].args:
                for value in values_of(inputs.get(argument.name, ())):
                    if isinstance(value, Literal):
                        args[TypedValue("text", value.text, role_of(argument))] = None
                    elif value.value not in inside:
                        args[TypedValue(self._types[value.value], value.value)] = None
            names[action.output.value] = output
            inside.add(output)
            actions.append(
                replace(action, inputs=inputs, output=replace(action.output, value=output))
            )
        last = box[actions[-1].tool]
        # What comes after works on each of several files.
        self._types[generated(own)] = last.returns.each
        self._done[self._sound.actions[part.number].output.value] = generated(own)
        says = self._sound.does.get(part.number) or last.in_words
        ends, helps = self._scores(actions, says)
        self.subtasks.append(
            Subtask(
                own, says, (last.domain,), tuple(args),
                TypedValue(last.returns.type, generated(own)), deps_of(args),
                ends=ends, helps=helps, way=tuple(actions), is_wanted=is_wanted,
            )
        )  # fmt: skip

    def add_unsound(self, proposal: Proposal, number: int) -> None:
        """A result whose steps could not be made sound, for the search to find."""
        step = next(item for item in proposal.steps if item.number == number)
        own, box = len(self.subtasks), self._graph.toolbox
        args: dict[TypedValue, None] = {}
        for values in step.inputs.values():
            for value in values:
                name = (
                    self._done.get(value.value, value.value) if isinstance(value, Reference) else ""
                )
                if name in self._types:
                    args[TypedValue(self._types[name], name)] = None
                elif isinstance(value, Literal):
                    args[TypedValue("text", value.text, "prompt")] = None
        made = box[step.tool].returns.type if step.tool in box else "text"
        self._types[generated(own)] = made
        self._done[generated(number)] = generated(own)
        says, returns = step.does or step.tool, TypedValue(made, generated(own))
        self.subtasks.append(Subtask(own, says, (), tuple(args), returns, deps_of(args)))

    def refuse(self, what: str, why: str) -> None:
        """A part that nothing here can do."""
        own = len(self.subtasks)
        returns = TypedValue(OUTSIDE, generated(own))
        self.subtasks.append(Subtask(own, what, (), (), returns, cannot=why or what))

    def _scores(
        self, actions: Sequence[Action], says: str
    ) -> tuple[dict[str, float], dict[str, float]]:
        """How well tools make the result or help on the way: as proposed, then as it was heard,
        if what a tool says of itself does not speak against it."""
        last = actions[-1].tool
        best = max(self._heard, key=lambda item: item.ends.get(last, 0.0), default=None)
        ends: dict[str, float] = {}
        helps: dict[str, float] = {}
        if best is not None and best.ends.get(last, 0.0) >= _SAME_PART:
            box = self._graph.toolbox
            likely = [box[name] for name, score in best.ends.items() if score >= ENDS]
            asked = Subtask(0, says, (), (), TypedValue("", generated(0)))
            told = self._assess(asked, likely)
            ends = {
                tool.name: min(best.ends[tool.name], _OTHERS)
                for tool in likely
                if best.ends[tool.name] >= _AS_GOOD or told[tool.name] >= _SAYS_SO
            }
            helps = dict(best.helps)
        helps.update(dict.fromkeys((action.tool for action in actions[:-1]), _ON_THE_WAY))
        return {**ends, last: BEST_SCORE}, helps
