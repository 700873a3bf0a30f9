"""The paper's metrics of tool selection, arguments and solutions (Sec. 4.2, Sec. 11, Eq. 4-13).

A plan is judged as the sequence of the actions of its subtasks' best solutions: how the planner cut
the request into subtasks is its own affair. The paper had people vote; here the annotation decides.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from benchmarks.annotation import LEVELS, Annotation, Expected
from controlllm.core.plans import Action, Literal, Plan, Reference, Value, values_of
from controlllm.toolbox import Toolbox

#: Words that may be added to or left out of a person's words without making anything up.
_SMALL_WORDS = frozenset("a an the this that these those it its of in on to and or is are".split())


@dataclass(frozen=True)
class Judgement:
    """What holds for one predicted plan: F, H, P, Q and W of Eq. 4, 6, 8, 10 and 12."""

    id: str
    level: str
    irrelevant: bool
    necessary: bool
    hallucinated: bool
    consistent: bool
    solves: bool


@dataclass(frozen=True)
class Rates:
    """The shares, 0..1, of `requests` plans: Eq. 5, 7, 9, 11 and 13, SE also by level."""

    requests: int
    irrelevant: float
    necessary: float
    hallucinated: float
    consistent: float
    solved: float
    solved_by_level: dict[str, float]


def rates(judgements: Sequence[Judgement]) -> Rates:
    """The rates over all judged plans; a level that has none is left out."""
    by_level = {
        level: [item.solves for item in judgements if item.level == level] for level in LEVELS
    }
    return Rates(
        len(judgements),
        _share(item.irrelevant for item in judgements),
        _share(item.necessary for item in judgements),
        _share(item.hallucinated for item in judgements),
        _share(item.consistent for item in judgements),
        _share(item.solves for item in judgements),
        {level: _share(found) for level, found in by_level.items() if found},
    )


def _share(values: Iterable[bool]) -> float:
    found = list(values)
    return sum(found) / len(found) if found else 0.0


def judge(plan: Plan, annotation: Annotation, toolbox: Toolbox) -> Judgement:
    """Judge one predicted plan by what is expected of it.

    An empty plan holds nothing irrelevant, made up or mistyped, but nothing necessary either,
    unless no tool is needed.
    """
    calls = _Calls(plan, annotation, toolbox)
    tools = Counter(action.tool for action in calls.actions)
    irrelevant = not set(tools) <= annotation.relevant
    necessary = _holds_all(annotation.subtasks, tools)
    hallucinated = calls.hallucinated()
    consistent = calls.consistent()
    if annotation.subtasks:
        sound = necessary and not hallucinated and consistent
        solves = sound and calls.reaches_all()
    else:
        solves = not irrelevant
    return Judgement(
        annotation.id,
        annotation.level,
        irrelevant,
        necessary,
        hallucinated,
        consistent,
        solves,
    )


def _holds_all(parts: Sequence[Expected], tools: Counter[str]) -> bool:
    """Whether the tools, each as often as it is there, hold one solution of every part (Eq. 6)."""
    dead: set[tuple[int, frozenset[tuple[str, int]]]] = set()

    def holds(number: int, left: Counter[str]) -> bool:
        if number == len(parts):
            return True
        key = (number, frozenset(left.items()))
        if key in dead:
            return False
        for solution in parts[number].solutions:
            needed = Counter(solution)
            if needed <= left and holds(number + 1, left - needed):
                return True
        dead.add(key)
        return False

    return holds(0, tools)


class _Calls:
    """The actions of a plan's best solutions in order, and what each of them comes from."""

    def __init__(self, plan: Plan, annotation: Annotation, toolbox: Toolbox) -> None:
        self.annotation = annotation
        self.toolbox = toolbox
        self.files = {resource.value: resource.type for resource in annotation.resources}
        self.actions: list[Action] = []
        self.finals: set[int] = set()
        for subtask in plan.subtasks:
            found = plan.solutions.get(subtask.id, ())
            if found:
                self.actions.extend(found[0].actions)
                self.finals.add(len(self.actions) - 1)
        self.made_by: dict[str, int] = {}
        self.sources: list[frozenset[int]] = []
        self.identities: list[tuple[object, ...]] = []
        for index, action in enumerate(self.actions):
            direct = {self.made_by[v] for v in action.references() if v in self.made_by}
            self.sources.append(
                frozenset({index}).union(*(self.sources[source] for source in direct))
            )
            self.identities.append(self._identity(action))
            self.made_by[action.output.value] = index

    def _identity(self, action: Action) -> tuple[object, ...]:
        """The same for equal calls on equal inputs, whatever their outputs are called."""

        def of(value: Value) -> object:
            if isinstance(value, Reference) and value.value in self.made_by:
                return self.identities[self.made_by[value.value]]
            return value

        inputs = (
            (name, tuple(map(of, values_of(action.inputs[name])))) for name in sorted(action.inputs)
        )
        return (action.tool, *inputs)

    def _type_of(self, index: int) -> str:
        """The type that an action's tool makes, whatever the plan calls it."""
        action = self.actions[index]
        known = action.tool in self.toolbox
        return self.toolbox[action.tool].returns.type if known else action.output.type

    def hallucinated(self) -> bool:
        """Whether a tool, an argument or an input is made up, or one that is needed is missing:
        every input is a file, an earlier output or words of the request (Eq. 8).

        A file may be spoken of as what it is: "the image" for its name."""
        lattice = self.toolbox.lattice
        kinds = {kind for name in self.files.values() for kind in lattice.ancestors(name)}
        said = _words(self.annotation.request) | kinds
        for index, action in enumerate(self.actions):
            if action.tool not in self.toolbox:
                return True
            tool = self.toolbox[action.tool]
            if not {item.name for item in tool.required} <= set(action.inputs):
                return True
            if not set(action.inputs) <= {item.name for item in tool.args}:
                return True
            for given in action.inputs.values():
                for value in values_of(given):
                    if isinstance(value, Literal):
                        if not _taken_from(said, value.text):
                            return True
                    elif value.value not in self.files:
                        maker = self.made_by.get(value.value)
                        if maker is None or maker >= index:
                            return True
        return False

    def consistent(self) -> bool:
        """Whether every input is of the type that its tool takes (Eq. 10).

        What a person handed over may turn out to be any kind of what it is (an image a depth map);
        what a tool made is what that tool returns. Inputs that do not exist have no type.
        """
        lattice = self.toolbox.lattice
        for action in self.actions:
            if action.tool not in self.toolbox:
                continue
            wanted = {item.name: item.type for item in self.toolbox[action.tool].args}
            for name, given in action.inputs.items():
                for value in values_of(given):
                    if name not in wanted:
                        continue
                    if isinstance(value, Literal):
                        fits = lattice.is_a(wanted[name], "text")
                    elif value.value in self.files:
                        have = self.files[value.value]
                        fits = lattice.is_a(have, wanted[name]) or lattice.is_a(wanted[name], have)
                    elif value.value in self.made_by:
                        have = self._type_of(self.made_by[value.value])
                        fits = lattice.is_a(have, wanted[name])
                    else:
                        continue
                    if not fits:
                        return False
        return True

    def reaches_all(self) -> bool:
        """Whether every expected part has a result of its own that comes from the right files,
        words and earlier results by the right tools (Eq. 12).

        What no later part builds on must be a result of the plan, not something on the way.
        """
        parts = self.annotation.subtasks
        built_on = {earlier for part in parts for earlier in part.after}
        fitting = [
            [
                index
                for index in range(len(self.actions))
                if (number in built_on or index in self.finals) and self._fits(part, index)
            ]
            for number, part in enumerate(parts)
        ]
        return self._assign(parts, fitting, ())

    def _assign(
        self, parts: Sequence[Expected], fitting: Sequence[Sequence[int]], chosen: tuple[int, ...]
    ) -> bool:
        if len(chosen) == len(parts):
            return True
        part = parts[len(chosen)]
        for index in fitting[len(chosen)]:
            if index in chosen:
                continue
            reached = {self.identities[source] for source in self.sources[index] - {index}}
            after = all(self.identities[chosen[earlier]] in reached for earlier in part.after)
            if after and self._assign(parts, fitting, (*chosen, index)):
                return True
        return False

    def _fits(self, part: Expected, index: int) -> bool:
        """Whether an action's output is a result of this part, but for the earlier parts."""
        if self._type_of(index) not in part.returns:
            return False
        way = [self.actions[source] for source in sorted(self.sources[index])]
        read = {value for action in way for value in action.references()}
        said = [text.lower() for action in way for text in _literals(action)]
        tools = Counter(action.tool for action in way)
        return (
            set(part.files) <= read
            and all(any(word in text for text in said) for word in part.words)
            and any(Counter(solution) <= tools for solution in part.solutions)
        )


def _literals(action: Action) -> Iterator[str]:
    for given in action.inputs.values():
        for value in values_of(given):
            if isinstance(value, Literal):
                yield value.text


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[^\W_]+", text.lower()))


def _taken_from(said: frozenset[str], literal: str) -> bool:
    """Whether a literal is made of a person's words; another ending of a word is the same word."""
    words = _words(literal) - _SMALL_WORDS
    return bool(_words(literal)) and all(
        any(
            word == other or (min(len(word), len(other)) > 2 and _same_stem(word, other))
            for other in said
        )
        for word in words
    )


def _same_stem(word: str, other: str) -> bool:
    shorter, longer = sorted((word, other), key=len)
    return longer.startswith(shorter) and len(longer) - len(shorter) <= 3
