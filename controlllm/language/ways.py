"""The prompted resource and solution expert: ways mended and ranked in one call.

What the search left open is filled in (paper Sec. 6.4, Table 9) by the same reply that ranks the
ways (Sec. 6.3, Table 8): whoever judges a way has to know what its inputs mean. Nothing is asked
where one way is clearly the best and every input of it is certain.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from controlllm.core.plans import Action, Literal, Solution, Subtask, TypedValue, Value
from controlllm.language.asking import Asker
from controlllm.language.changes import Inputs, Way, read_ways
from controlllm.language.course import Course
from controlllm.language.prompting import messages_of, read_prompt, shortened
from controlllm.language.reading import Checked, strict_object
from controlllm.planning.arguments import role_of
from controlllm.planning.drafts import (
    Absent,
    AllGiven,
    AllMade,
    Binding,
    Candidate,
    Draft,
    Given,
    Made,
    Words,
)
from controlllm.planning.roles import ResourceExpert, SolutionExpert
from controlllm.planning.solution_expert import ALTERNATIVE_THRESHOLD
from controlllm.toolbox import Argument, Toolbox

#: How many ways are shown at most.
_MOST_WAYS = 5
#: A way that costs so much more than the best has no chance of being the better one.
_CLEARLY = 0.6
#: Inputs longer than this are texts to work on, of which the beginning is shown, in characters.
_LONGEST_WORDS = 2_000
#: Tokens that a reply may take, for each way and besides.
_TOKENS_EACH, _TOKENS_BESIDE = 300, 400


class PromptedWays:
    """Mends and ranks ways with a language model; `resources` and `solutions` are the embedded
    experts that take over where that fails, and where nothing is open."""

    def __init__(
        self,
        asker: Asker,
        toolbox: Toolbox,
        resources: ResourceExpert,
        solutions: SolutionExpert,
        course: Course | None = None,
    ) -> None:
        self._asker = asker
        self._toolbox = toolbox
        self._resources = resources
        self._solutions = solutions
        self._course = course or Course(toolbox.lattice)
        self._known: dict[str, tuple[Mapping[str, Any], tuple[str, ...]]] = {}
        self._judged: list[tuple[tuple[Action, ...], Way]] = []

    def complete(
        self,
        candidates: Sequence[Candidate],
        subtask: Subtask,
        given: Sequence[TypedValue],
        texts: Sequence[TypedValue],
    ) -> tuple[tuple[Action, ...], ...]:
        """The actions of each candidate, none for one that only swaps inputs of another.

        One call at most. Raises LanguageModelFailed where the model fails and nothing may take
        over.
        """
        self._judged = []
        completed = self._resources.complete(candidates, subtask, given, texts)
        if not candidates or self._asker.rests("rank"):
            return completed
        first: dict[object, int] = {}
        for place, candidate in enumerate(candidates):
            shape = _shape(candidate.drafts, 0, given)
            best = first.setdefault(shape, place)
            if candidate.cost < candidates[best].cost:
                first[shape] = place
        places = sorted(first.values(), key=lambda place: candidates[place].cost)
        best_cost = candidates[places[0]].cost
        close = [place for place in places if candidates[place].cost <= best_cost + _CLEARLY]
        is_open = _is_open(candidates[places[0]], given, texts)
        ends = {candidates[place].drafts[0].tool.name for place in close}
        kept = [
            actions if place in first.values() else () for place, actions in enumerate(completed)
        ]
        if len(ends) == 1 and not is_open:
            # Of ways that end alike, the one with the fewest steps comes first as it is.
            return tuple(kept)
        shown = close[:_MOST_WAYS]
        ways = [completed[place] for place in shown]
        judged = self._asker.keep(
            "rank", lambda: self._ask(ways, subtask, given, texts), lambda: None
        )
        if judged is None:
            return tuple(kept)
        for place, way in zip(shown, judged, strict=True):
            kept[place] = way.actions
            self._judged.append((way.actions, way))
        return tuple(kept)

    def rank(self, subtask: Subtask, solutions: Sequence[Solution]) -> tuple[Solution, ...]:
        """By what was said of each, ties in the search's order; below the paper's 3 only where
        nothing is better. In the search's order where nothing was asked."""
        if not self._judged:
            return self._solutions.rank(subtask, solutions)
        scored = []
        for solution in solutions:
            for actions, way in self._judged:
                if actions == solution.actions:
                    reason = way.reason or solution.reason
                    scored.append(replace(solution, score=way.score, reason=reason))
                    break
            else:
                # It was behind all that were judged, and stays there.
                worst = min(way.score for _, way in self._judged)
                scored.append(replace(solution, score=min(solution.score, worst)))
        scored.sort(key=lambda solution: (-solution.score, bool(solution.missing)))
        worth = [item for item in scored if item.score >= ALTERNATIVE_THRESHOLD]
        return tuple(worth or scored[:1])

    def _ask(
        self,
        ways: Sequence[tuple[Action, ...]],
        subtask: Subtask,
        given: Sequence[TypedValue],
        texts: Sequence[TypedValue],
    ) -> list[Way]:
        inputs = Inputs(self._toolbox, self._course, subtask, given)
        numbers = [str(number) for number in range(1, len(ways) + 1)]
        data = {
            "request": shortened(self._course.request.text, _LONGEST_WORDS),
            "task": shortened(subtask.description, _LONGEST_WORDS),
            "wanted": subtask.returns.type,
            "words": [
                {"value": shortened(item.value, _LONGEST_WORDS), **_purpose(item)}
                for item in (*texts, *(item for item in given if item.role))
            ],
            "at_hand": inputs.at_hand(),
            "ways": {
                number: [self._described(step, action, way) for step, action in enumerate(way, 1)]
                for number, way in zip(numbers, ways, strict=True)
            },
        }
        names = tuple(item.value for item in given if not item.role)
        key = _anonymous(json.dumps(data, ensure_ascii=False, sort_keys=True), names)

        def check(reply: Any) -> Checked[list[Way]]:
            found = read_ways(reply, numbers, ways, inputs)
            self._known[key] = (reply, names)
            return found

        if key in self._known:
            reply, others = self._known[key]
            return check(_renamed(reply, dict(zip(others, names, strict=True)))).value
        return self._asker.ask(
            "rank",
            messages_of(read_prompt("rank"), data),
            _schema(numbers),
            check,
            _TOKENS_BESIDE + _TOKENS_EACH * len(numbers),
        )

    def _described(self, step: int, action: Action, way: Sequence[Action]) -> dict[str, Any]:
        """A step as the paper's formatted description: what it does, reads and makes."""
        tool = self._toolbox[action.tool]
        made = {item.output.value: f"result of step {n}" for n, item in enumerate(way, 1)}

        def plain(value: Value) -> str:
            if isinstance(value, Literal):
                return shortened(value.text, _LONGEST_WORDS)
            return made.get(value.value, value.value)

        inputs = {}
        for argument in tool.args:
            value = action.inputs.get(argument.name)
            if value is None and not _is_words(argument):
                continue
            inputs[argument.name] = {
                "means": _meaning(argument),
                "value": ""
                if value is None
                else [plain(item) for item in value]
                if isinstance(value, tuple)
                else plain(value),
            }
        return {
            "step": step,
            "tool": action.tool,
            "inputs": inputs,
            "makes": action.output.type,
        }


def _is_words(argument: Argument) -> bool:
    return argument.type == "text"


def _meaning(argument: Argument) -> str:
    said = argument.description or argument.name.replace("_", " ")
    kind = f"several of {argument.type}" if argument.many else argument.type
    return f"{said} ({kind}{', optional' if argument.optional else ''})"


def _purpose(item: TypedValue) -> dict[str, str]:
    return {"for": item.role} if item.role else {}


def _shape(drafts: Sequence[Draft], position: int, given: Sequence[TypedValue]) -> object:
    """The tree of calls below an action; the same for all that differ only in which of several
    things of one type goes where."""

    def read(binding: Binding) -> object:
        if isinstance(binding, Made):
            return _shape(drafts, binding.position, given)
        if isinstance(binding, AllMade):
            return ("each", *(_shape(drafts, place, given) for place in binding.positions))
        if isinstance(binding, Given):
            item = given[binding.index]
            return "words" if item.role else item.type
        if isinstance(binding, Words):
            return "words"
        return type(binding).__name__

    draft = drafts[position]
    pairs = list(zip(draft.tool.args, draft.inputs, strict=True))
    words = sorted((read(binding) for argument, binding in pairs if _is_words(argument)), key=repr)
    others = [read(binding) for argument, binding in pairs if not _is_words(argument)]
    return (draft.tool.name, *others, *words)


def _is_open(
    candidate: Candidate, given: Sequence[TypedValue], texts: Sequence[TypedValue]
) -> bool:
    """Whether an input of a way is not certain: words that were meant for something else, words
    that nothing reads and that may belong somewhere, or inputs of one type that could be swapped.
    """
    seats: dict[str, int] = {}
    read: set[int] = set()
    left_out = False
    for draft in candidate.drafts:
        for argument, binding in zip(draft.tool.args, draft.inputs, strict=True):
            if isinstance(binding, Words):
                if binding.index < 0:
                    return True
                read.add(binding.index)
                if not _suits(texts[binding.index].role, argument, alone=len(texts) == 1):
                    return True
            elif isinstance(binding, Absent) and _is_words(argument):
                left_out = True
            elif isinstance(binding, Given):
                if given[binding.index].role not in ("", role_of(argument)):
                    return True
                kind = given[binding.index].type
                seats[kind] = seats.get(kind, 0) + 1
            elif isinstance(binding, AllGiven):
                # What is given as a list keeps the order in which it was told.
                continue
            elif binding is None:
                return True
    if left_out and len(read) < len(texts):
        return True
    several = {kind for kind in seats if sum(item.type == kind for item in given) > 1}
    return any(seats[kind] > 1 for kind in several)


def _suits(role: str, argument: Argument, alone: bool) -> bool:
    """Whether words of a role are certainly what a text argument wants.

    An argument that does not say what its words are for takes the only ones that there are, but a
    question has to be made into what it asks about.
    """
    wanted = role_of(argument)
    if role == wanted:
        return True
    return alone and (role == "" or (wanted == "content" and role in ("prompt", "content")))


def _anonymous(text: str, names: Sequence[str]) -> str:
    """A call's data with a sign in place of each file's name."""
    for number, name in sorted(enumerate(names), key=lambda item: -len(item[1])):
        text = text.replace(json.dumps(name, ensure_ascii=False)[1:-1], f"<{number}>")
    return text


def _renamed(reply: Any, names: Mapping[str, str]) -> Any:
    """A reply about other files as one about these."""
    if isinstance(reply, dict):
        return {key: _renamed(value, names) for key, value in reply.items()}
    if isinstance(reply, list):
        return [_renamed(value, names) for value in reply]
    return names.get(reply, reply) if isinstance(reply, str) else reply


def _schema(numbers: Sequence[str]) -> dict[str, Any]:
    words = {"type": "string"}
    change = strict_object(step={"type": "integer"}, input=words, value=words)
    way = strict_object(
        changes={"type": "array", "items": change},
        reason=words,
        score={"type": "integer", "enum": [1, 2, 3, 4, 5]},
    )
    return {
        "$defs": {"way": way},
        **strict_object(**{number: {"$ref": "#/$defs/way"} for number in numbers}),
    }
