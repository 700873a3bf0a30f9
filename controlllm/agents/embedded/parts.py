"""The parts of a task: what is asked for, in which words, and which tools can answer it.

How well tools serve a part beside each other says which is best, and never that none is any good:
of tools that all do something else one is always nearest. That takes the planner's own scale of 1
to 5, and a look at the tools that would do it and cannot run here.
"""

from __future__ import annotations

import math
import re
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from controlllm.agents.embedded.facts import words_of
from controlllm.agents.embedded.relevance import Encode
from controlllm.agents.embedded.words import Words
from controlllm.agents.environment import Environment
from controlllm.agents.roles import Task
from controlllm.core.plans import OUTSIDE, Request, Solution, Subtask, TypedValue
from controlllm.core.state import MOST_REASON
from controlllm.planning.assessment import described
from controlllm.planning.planner import Planner
from controlllm.planning.said_values import day_told, mentions_in
from controlllm.planning.solver import Solved
from controlllm.resources import PARENTS, Resource, TypeLattice
from controlllm.toolbox import Tool, Toolbox

#: Makes the planner over a toolbox, see `controlllm.runs.planners.embedded_planner`.
PlannerOf = Callable[[Toolbox], Planner]

#: How many planners, and how many tasks that were taken apart, are remembered.
_MOST_PLANNERS, _MOST_TASKS = 8, 64
#: How much counts what the reader of wishes says of a tool, how near its description comes to the
#: words by meaning, and the words that both share.
_READER, _NEAR, _SHARED = 0.35, 0.4, 0.25
#: Types whose values are words, so that tools of them are used like any service over JSON.
_WORDS = frozenset({"text", "number", "title", "tags", "category"})

_THOUGHT = re.compile(r"(?P<how>For|Towards|To do) “(?P<words>.*?)” I call ", re.DOTALL)


@dataclass(frozen=True)
class Part:
    """A part of a task: its subtask, its words, how well each tool serves it (0..1, by name), and
    the ways that the planner found where it is about files.

    `unfit` are the tools that do not answer it, though they may help on the way; `lacking` says
    what would, and what that needs, where no tool does, or that it needs such a part's result.
    """

    subtask: Subtask
    words: Words
    scores: dict[str, float]
    solutions: tuple[Solution, ...] = ()
    unfit: frozenset[str] = frozenset()
    lacking: str = ""


def thought_for(part: str, tool: Tool, ends: bool) -> str:
    """What a router says when it calls a tool to answer a part of a task, to do it, or on the way
    there."""
    how = "Towards" if not ends else "To do" if tool.acts_outside else "For"
    return f"{how} “{part}” I call {tool.name}."


def purpose_of(thought: str) -> tuple[str, str]:
    """The part that a call is for, and whether it ``answers``, ``does`` or only ``leads to`` it;
    empty where a thought does not say."""
    match = _THOUGHT.match(thought)
    how = {"For": "answers", "To do": "does", "Towards": "leads to"}
    return (match["words"], how[match["how"]]) if match else ("", "")


class Parts:
    """Takes tasks apart with a planner, which is made once for a set of tools.

    Parameters
    ----------
    planner_of: makes the planner over a toolbox.
    encode: vectors of texts.
    today: the day that "tomorrow" comes after, where a request does not say which day it is.
    """

    def __init__(self, planner_of: PlannerOf, encode: Encode, today: Callable[[], date]) -> None:
        self._planner_of = planner_of
        self._encode = encode
        self._today = today
        self._planners: OrderedDict[tuple[object, ...], Planner] = OrderedDict()
        self._known: OrderedDict[tuple[object, ...], tuple[Part, ...]] = OrderedDict()

    def planner(self, tools: Sequence[Tool]) -> Planner:
        """The planner over these tools."""
        ordered = sorted(tools, key=lambda tool: tool.name)
        key = tuple((tool.name, tool.description, tool.args, tool.returns) for tool in ordered)
        if key not in self._planners:
            types = {item.type for tool in tools for item in (*tool.args, tool.returns)}
            lattice = TypeLattice().extended(sorted(types))
            box = Toolbox(tuple(ordered), {}, lattice)
            self._planners[key] = self._planner_of(box)
            while len(self._planners) > _MOST_PLANNERS:
                self._planners.popitem(last=False)
        self._planners.move_to_end(key)
        return self._planners[key]

    def of(self, task: Task, environment: Environment) -> tuple[Part, ...]:
        """The parts of a task, each after those that it needs; one where it cannot be parted."""
        tools = tuple(environment.tools)
        handed = tuple(
            item for name, item in environment.resources.items() if name in task.attached
        )
        offered = tuple(tool.name for tool in tools)
        key = (offered, task.instruction, task.subtasks, tuple(map(str, handed)))
        if key not in self._known:
            self._known[key] = self._taken_apart(task, tools, handed)
            while len(self._known) > _MOST_TASKS:
                self._known.popitem(last=False)
        return self._known[key]

    def _taken_apart(
        self, task: Task, tools: Sequence[Tool], handed: tuple[Resource, ...]
    ) -> tuple[Part, ...]:
        planner = self.planner(tools)
        request = Request(task.instruction, handed, tuple(item.value for item in handed))
        subtasks = list(planner.decompose(request))
        if task.subtasks and task.subtasks != tuple(item.description for item in subtasks):
            # Parts that somebody else found; of its own it knows what each has of those before.
            subtasks = []
            for words in task.subtasks:
                for found in planner.decompose(replace(request, text=words)):
                    number = len(subtasks)
                    returns = TypedValue(found.returns.type, f"<GEN>-{number}")
                    subtasks.append(
                        replace(found, id=number, description=words, returns=returns, deps=())
                    )
                    break
        if not subtasks:
            returns = TypedValue(task.returns or "text", "<GEN>-0")
            subtasks = [Subtask(0, task.instruction, (), (), returns)]
        fits = {item.id: fits_of(item, planner) for item in subtasks}
        unfit = {number: unfit_tools(found, tools) for number, found in fits.items()}
        nothing = {number for number, names in unfit.items() if len(names) == len(tools)}
        solved: dict[int, Solved] = {}
        if handed or nothing or any(_is_of_files(item, planner) for item in subtasks):
            solved = {item.subtask.id: item for item in planner.solve(subtasks, request)}
        day = day_told(task.instruction, self._today())
        mentions = mentions_in(task.instruction, day)
        parts: list[Part] = []
        seen: dict[str, int] = {}
        for item in subtasks:
            words = item.description
            seen[words] = seen.get(words, 0) + 1
            if seen[words] > 1:
                # Results are told apart by the words that they are for.
                words = f"{words} ({seen[words]})"
            begin = max(task.instruction.find(item.description), 0)
            is_said = item.description in task.instruction
            end = begin + len(item.description if is_said else task.instruction)
            # A state keeps no more of it, and it is known again by its words.
            words = words[:MOST_REASON]
            heard = tuple(argument for argument in item.args if argument.role)
            said = Words(words, task.instruction, mentions, heard, begin, end)
            is_of_files = bool(handed) or _is_of_files(item, planner)
            whole = solved.get(item.id)
            solutions = whole.solutions if whole and is_of_files else ()
            lacking = what_it_needs(whole, planner.solver.unavailable) if item.id in nothing else ""
            lost = [part for part in parts if part.lacking and part.subtask.id in item.deps]
            if lost and not lacking:
                before = lost[0].subtask.description
                lacking = f"This was not done: it needs what “{before}” was to find or make."
            # What the reader does not know at all is told by what tools say of themselves.
            read = item.ends or fits[item.id]
            scores = self._scores(item, tools, read)
            parts.append(Part(item, said, scores, solutions, unfit[item.id], lacking))
        return tuple(parts)

    def _scores(
        self, subtask: Subtask, tools: Sequence[Tool], read: Mapping[str, float]
    ) -> dict[str, float]:
        """How well each tool serves a subtask, 0..1: what the reader says, and how near what the
        tool says of itself comes to the words."""
        texts = [described(tool) for tool in tools]
        vectors = self._encode([subtask.description, *texts])
        near = vectors[1:] @ vectors[0]
        top = max(float(near.max()), 0.2) if len(near) else 1.0
        shared = shared_words(subtask.description, texts)
        return {
            tool.name: _READER * (read.get(tool.name, 1.0) - 1) / 4
            + _NEAR * max(0.0, float(value)) / top
            + _SHARED * same
            for tool, value, same in zip(tools, near, shared, strict=True)
        }


def shared_words(asked: str, texts: Sequence[str]) -> list[float]:
    """How much of the words that are rare among some texts each shares with what is asked, 0..1."""
    said = [{_stem(word) for word in words_of(text).split() if len(word) > 2} for text in texts]
    counts = Counter(word for words in said for word in words)
    rarity = {word: math.log(1 + len(texts) / count) for word, count in counts.items()}
    wanted = {_stem(word) for word in words_of(asked).split() if len(word) > 2} & rarity.keys()
    found = [sum(rarity[word] for word in wanted & words) for words in said]
    most = max(found, default=0.0) or 1.0
    return [value / most for value in found]


def _stem(word: str) -> str:
    return re.sub(r"(?:ies|es|s|ing|ed)$", "", word) if len(word) > 4 else word


def _is_of_files(subtask: Subtask, planner: Planner) -> bool:
    """Whether a subtask works on files or makes one: then it takes the planner's whole ways."""
    media = PARENTS.keys() - _WORDS
    if any(not item.role and item.type in media for item in subtask.args):
        return True
    best = max(subtask.ends, key=lambda name: subtask.ends[name], default="")
    if best not in planner.graph.toolbox:
        return subtask.returns.type in media
    tool = planner.graph.toolbox[best]
    return any(item.type in media for item in (*tool.required, tool.returns))


#: A tool that fits a part worse than this does not answer it, as in planning; one without examples
#: is known less well.
_FIT_NEEDED, _FIT_NEEDED_UNTAUGHT = 3.0, 1.6
#: Where a tool that cannot be had fits better by so much, what is offered does something else.
_MUCH_BETTER = 1.0


def fits_of(subtask: Subtask, planner: Planner) -> dict[str, float]:
    """How well each tool that the planner knows fits a part, 1..5 by name, also those that cannot
    run here: what the reader of wishes says, or how near what a tool says of itself comes."""
    tools = tuple(planner.graph.toolbox)
    if subtask.returns.type == OUTSIDE:
        # Something is always nearest to what no tool does.
        return {tool.name: 1.0 for tool in tools}
    # The reader's share of a tool is small where many do the same, however well they do it.
    near = planner.solver.assessor.assess(replace(subtask, ends={}, helps={}), tools)
    return {name: max(fit, subtask.ends.get(name, 1.0)) for name, fit in near.items()}


def unfit_tools(fits: Mapping[str, float], offered: Sequence[Tool]) -> frozenset[str]:
    """The tools of those offered that do not answer a part: they fit it too badly, or much worse
    than one that is not offered."""
    names = {tool.name for tool in offered}
    best_absent = max((fit for name, fit in fits.items() if name not in names), default=1.0)

    def answers(tool: Tool) -> bool:
        fit = fits.get(tool.name, 1.0)
        needed = _FIT_NEEDED if tool.examples else _FIT_NEEDED_UNTAUGHT
        return fit >= needed and fit > best_absent - _MUCH_BETTER

    return frozenset(tool.name for tool in offered if not answers(tool))


def what_it_needs(solved: Solved | None, unavailable: Mapping[str, str]) -> str:
    """Why nothing that is offered answers a part, as planning says it: what would, and what that
    needs. `unavailable` says why tools cannot be had, by their names."""
    said = solved.message if solved is not None else ""
    if solved is not None and solved.solutions:
        best = dict.fromkeys(solved.solutions[0].tools)
        lacking = {name: unavailable[name] for name in best if name in unavailable}
        said = "; ".join(
            f"{name.replace('_', ' ')} cannot run here: {why}" for name, why in lacking.items()
        )
    said = said.strip() or "I found no way to do this: no tool here does this."
    return f"{said[0].upper()}{said[1:]}" + "." * (said[-1] not in ".!?")
