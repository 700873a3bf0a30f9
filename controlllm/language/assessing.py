"""The prompted tool assessment: one call for all subtasks of a request (paper Sec. 3.2.2, Table 7).

Two things are asked of each tool apart: whether its result can be what is wanted, and whether it
helps on the way there. Only useful tools are named in the reply, so that many can be judged.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from controlllm.core.plans import OUTSIDE, Request, Subtask
from controlllm.language.asking import Asker
from controlllm.language.course import Course, described_args, without_names
from controlllm.language.prompting import messages_of, read_prompt, shortened
from controlllm.language.reading import Checked, Unusable, read_value, strict_object
from controlllm.planning.graph import ToolGraph
from controlllm.planning.roles import Assessor, Judgement
from controlllm.resources import TypeLattice
from controlllm.toolbox import Tool

#: How many tools one call judges; of more, those that the embedded assessor finds nearest.
MOST_TOOLS = 100
#: Tokens that a reply may take, for each task and besides.
_TOKENS_EACH, _TOKENS_BESIDE = 400, 400
#: The score of a tool that helps on the way, of one that is not named, and of the only one.
_HELPS, _USELESS, _ONLY = 5.0, 1.0, 4.0
#: What a tool on the way is worth less than the one named before it.
_LATER = 0.01
#: How much of a request those who judge its tools are shown, in characters.
_LONGEST_REQUEST = 2_000


class PromptedAssessor:
    """Judges tools with a language model; `embedded` takes over where that fails.

    All subtasks that are told beforehand by `prepare` are judged in one call, equal ones once.
    """

    def __init__(
        self,
        asker: Asker,
        embedded: Assessor,
        graph: ToolGraph | None = None,
        course: Course | None = None,
    ) -> None:
        self._asker = asker
        self._embedded = embedded
        self._graph = graph
        self._course = course or Course(graph.lattice if graph else TypeLattice())
        self._judged: dict[int, Judgement] = {}
        self._known: dict[str, Judgement] = {}

    def prepare(self, subtasks: Sequence[Subtask], request: Request) -> None:
        """Judge the tools for all subtasks of a request.

        Raises LanguageModelFailed where the model fails and nothing may take over.
        """
        if self._graph is None:
            return
        self._course.begin(request, subtasks)
        tools = {
            subtask.id: self._useful(subtask, self._graph)
            for subtask in subtasks
            if not subtask.lacks and subtask.returns.type != OUTSIDE
        }
        self._judge([item for item in subtasks if tools.get(item.id)], tools)

    def judgement(self, subtask: Subtask) -> Judgement | None:
        """What the model said of the tools for a subtask; None where it was not asked or failed."""
        return self._judged.get(subtask.id)

    def assess(self, subtask: Subtask, tools: Sequence[Tool]) -> Mapping[str, float]:
        """A score 1..5 for each tool by name, whichever way it is useful.

        Raises LanguageModelFailed where the model fails and nothing may take over.
        """
        if not tools:
            return {}
        if subtask.id not in self._judged:
            self._judge([subtask], {subtask.id: tuple(tools)})
        judged = self._judged.get(subtask.id)
        if judged is None:
            return self._embedded.assess(subtask, tools)
        return {
            tool.name: max(
                judged.ends.get(tool.name, _USELESS), judged.helps.get(tool.name, _USELESS)
            )
            for tool in tools
        }

    def _useful(self, subtask: Subtask, graph: ToolGraph) -> tuple[Tool, ...]:
        """The tools that can have to do with a subtask, by what it is given."""
        given = [item.type for item in subtask.args if not item.role and item.type != "text"]
        found = reachable(graph, given)
        wanted = {subtask.returns.type, *subtask.other_returns}
        if not any(tool.returns.type in wanted for tool in found):
            found = tuple(graph.toolbox)
        return found

    def _judge(self, subtasks: Sequence[Subtask], tools: Mapping[int, tuple[Tool, ...]]) -> None:
        """Judge the tools for those subtasks that are not known yet; in one call, if any."""
        new: dict[str, Subtask] = {}
        keys: dict[int, str] = {}
        for subtask in subtasks:
            told = self._described(subtask)
            names = sorted(tool.name for tool in tools[subtask.id])
            key = keys[subtask.id] = json.dumps([told, names], ensure_ascii=False)
            if key in self._known:
                continue
            if len(names) == 1:
                # There is nothing to choose from.
                self._known[key] = Judgement({names[0]: _ONLY}, {})
            else:
                new.setdefault(key, subtask)
        if new:
            asked = list(new.values())
            found = self._asker.keep(
                "assess", lambda: self._ask(asked, tools), lambda: dict[int, Judgement]()
            )
            for key, subtask in new.items():
                if subtask.id in found:
                    self._known[key] = found[subtask.id]
        for number, key in keys.items():
            if key in self._known:
                self._judged[number] = self._known[key]

    def _described(self, subtask: Subtask) -> dict[str, Any]:
        return {
            "task": shortened(without_names(subtask.description, subtask), _LONGEST_REQUEST),
            "given": described_args(subtask, self._course),
            "wanted": subtask.returns.type,
        }

    def _ask(
        self, subtasks: Sequence[Subtask], tools: Mapping[int, tuple[Tool, ...]]
    ) -> dict[int, Judgement]:
        shown = self._shown(subtasks, tools)
        names = [tool.name for tool in shown]
        numbers = [str(subtask.id) for subtask in subtasks]
        data: dict[str, Any] = {}
        if self._course.request.text:
            data["request"] = shortened(self._course.request.text, _LONGEST_REQUEST)
        data["tasks"] = {str(subtask.id): self._described(subtask) for subtask in subtasks}
        data["tools"] = {tool.name: _line(tool) for tool in shown}

        def check(reply: Any) -> Checked[dict[int, Judgement]]:
            return read_judgements(reply, numbers, names)

        return self._asker.ask(
            "assess",
            messages_of(read_prompt("assess"), data),
            _schema(numbers, names),
            check,
            _TOKENS_BESIDE + _TOKENS_EACH * len(numbers),
        )

    def _shown(
        self, subtasks: Sequence[Subtask], tools: Mapping[int, tuple[Tool, ...]]
    ) -> list[Tool]:
        """The tools that the call is about, by name; of too many, the nearest to each subtask."""
        found = {tool.name: tool for item in subtasks for tool in tools[item.id]}
        if len(found) > MOST_TOOLS:
            each = max(MOST_TOOLS // len(subtasks), 1)
            near: dict[str, Tool] = {}
            for item in subtasks:
                scores = self._embedded.assess(item, tools[item.id])
                best = sorted(tools[item.id], key=lambda tool: (-scores[tool.name], tool.name))
                near.update({tool.name: tool for tool in best[:each]})
            found = near
        return [found[name] for name in sorted(found)]


def reachable(graph: ToolGraph, given: Sequence[str]) -> tuple[Tool, ...]:
    """The tools that can have to do with files of these types.

    Words make any file, so that nearly every tool can run on anything. What works only on files
    that are neither given nor in what is given is left out; what needs one such file beside one
    that is there stays.
    """
    at_hand = graph.makeable(given) | graph.handed_types(given)
    # What is only another form of words, such as an address in a text.
    at_hand |= {tool.returns.type for tool in graph.toolbox if graph.is_about_text(tool)}
    found = []
    for tool in graph.toolbox:
        files = [item.type for item in tool.required if item.type != "text"]
        if not files or any(name in at_hand for name in files):
            found.append(tool)
    return tuple(found)


def read_judgements(
    data: Any, numbers: Sequence[str], names: Sequence[str]
) -> Checked[dict[int, Judgement]]:
    """What a reply says of the tools for each task. Raises Unusable.

    Tools that do not exist and tasks that nobody asked about are left out.
    """
    if isinstance(data, dict) and len(data) == 1 and not set(data) & set(numbers):
        data = next(iter(data.values()))
    if not isinstance(data, dict):
        raise Unusable("Expected a JSON object with an entry for every task.")
    missing = [number for number in numbers if not isinstance(data.get(number), dict)]
    if missing:
        raise Unusable(f"There is no entry for task {', '.join(missing[:10])}.")
    repairs: list[str] = []
    found: dict[int, Judgement] = {}
    for number in numbers:
        entry = data[number]
        ends: dict[str, float] = {}
        helps: dict[str, float] = {}
        for item in _list(entry.get("last"), number):
            name = item.get("tool") if isinstance(item, dict) else item
            if name not in names:
                repairs.append(f"there is no tool {name}")
                continue
            score = read_value(str(name), item.get("score") if isinstance(item, dict) else 4)
            ends[str(name)] = max(score, ends.get(str(name), 0.0))
        for item in _list(entry.get("way"), number):
            name = item.get("tool") if isinstance(item, dict) else item
            if name in names:
                # Named first, preferred where all else is equal.
                helps.setdefault(str(name), _HELPS - _LATER * len(helps))
            else:
                repairs.append(f"there is no tool {name}")
        found[int(number)] = Judgement(ends, helps)
    return Checked(found, tuple(dict.fromkeys(repairs))[:3])


def _list(told: Any, number: str) -> list[Any]:
    if isinstance(told, dict):
        # {"tool": score} says the same.
        return [{"tool": name, "score": score} for name, score in told.items()]
    if not isinstance(told, list):
        raise Unusable(f'Task {number} needs the lists "last" and "way".')
    return told


def _schema(numbers: Sequence[str], names: Sequence[str]) -> dict[str, Any]:
    name = {"$ref": "#/$defs/tool"}
    last = strict_object(tool=name, score={"type": "integer", "enum": [3, 4, 5]})
    task = strict_object(
        last={"type": "array", "items": last}, way={"type": "array", "items": name}
    )
    return {
        "$defs": {"tool": {"type": "string", "enum": list(names)}, "task": task},
        **strict_object(**{number: {"$ref": "#/$defs/task"} for number in numbers}),
    }


def _line(tool: Tool) -> str:
    takes = ", ".join(
        f"{item.name}: {'several of ' if item.many else ''}{item.type}"
        f"{' (optional)' if item.optional else ''}"
        for item in tool.args
    )
    return f"({takes}) -> {tool.returns.type}. {tool.description}"
