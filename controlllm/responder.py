"""The answer: written from the results, by rules or by a language model (paper Sec. 3.3, 9)."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from controlllm.language.asking import Asker
from controlllm.language.prompting import messages_of, read_prompt, shortened
from controlllm.plans import Plan, Subtask
from controlllm.resources import PARENTS, Box, Label, Resource

_PICTURE_WORDS = {
    "segmentation": "the map of regions",
    "edge": "the edge map",
    "line": "the line drawing",
    "hed": "the soft edge map",
    "canny": "the Canny edge map",
    "scribble": "the scribble",
    "pose": "the pose",
    "depth": "the depth map",
    "normal": "the normal map",
}

#: How many characters of a text result go to a language model.
_MODEL_TEXT_LIMIT = 4000


#: "Is there a dog?", "tell me whether it has wheels": a question that wants a yes or a no.
_ASKS_WHETHER = re.compile(
    r"^\W*(?:is|are|has|have|does|do)\b(?!\s+(?:you|me)\b)|\b(?:if|whether)\s+(?:there|it|the|an?)\b"
    r"|\bcan\s+you\s+(?:see|spot)\b",
    re.IGNORECASE,
)


_ARTICLE = re.compile(r"^(?:the|an?)\s+", re.IGNORECASE)


@dataclass(frozen=True)
class Outcome:
    """What came of one subtask: its result with the value, or why there is none; `said` is what an
    agent that worked on it answered."""

    subtask: Subtask
    tools: tuple[str, ...] = ()
    resource: Resource | None = None
    value: Any = None
    problem: str = ""
    size: tuple[int, int] | None = None
    words: tuple[str, ...] = field(default=())
    said: str = ""

    @property
    def about(self) -> str:
        """The object that the subtask was about, without an article; empty where it names none."""
        found = [argument.value for argument in self.subtask.args if argument.role == "object"]
        return _ARTICLE.sub("", found[0]) if found else ""

    @property
    def file(self) -> str:
        """The name of the file that it worked on, empty where there is none of the session's."""
        found = [
            argument.value
            for argument in self.subtask.args
            if not argument.role and argument.type != "text"
            and not argument.value.startswith("<GEN>-")
        ]  # fmt: skip
        return found[0] if found else ""


def outcomes_of(
    plan: Plan,
    results: Mapping[str, Resource],
    problems: Mapping[int, str],
    read: Callable[[Resource], Any],
    known: Callable[[str], Resource | None],
    said: Mapping[int, str] = MappingProxyType({}),
) -> tuple[Outcome, ...]:
    """What came of every subtask of a plan.

    `results` are by step key; `problems` say, by subtask, why there is no result; `read` gives the
    value of a resource and `known` the session's resource of a name; `said` is what agents that
    worked on subtasks answered.
    """
    found = []
    last_keys = plan.last_keys()
    for subtask in plan.subtasks:
        solution = plan.solution(subtask.id)
        tools = solution.tools if solution else ()
        resource = results.get(last_keys.get(subtask.id, ""))
        if resource is None:
            problem = problems.get(subtask.id, "It was not done.")
            found.append(Outcome(subtask, tools, problem=problem, said=said.get(subtask.id, "")))
            continue
        source = next(
            (
                known(argument.value)
                for argument in subtask.args
                if known(argument.value) is not None
            ),
            None,
        )
        details = source.details if source else {}
        size = (
            (int(details["width"]), int(details["height"]))
            if "width" in details and "height" in details
            else None
        )
        words = said.get(subtask.id, "")
        found.append(Outcome(subtask, tools, resource, read(resource), size=size, said=words))
    return tuple(found)


def written_answer(outcomes: tuple[Outcome, ...]) -> str:
    """An answer in plain English, in Markdown, made from the results alone."""
    parts = []
    several = len(outcomes) > 1
    same = len({outcome.subtask.description for outcome in outcomes}) == 1
    headings: dict[str, list[str]] = {}
    for place, outcome in enumerate(outcomes):
        # What failed for the same reason is told of together, what was made each by itself.
        failed = outcome.resource is None and not outcome.said
        heading = outcome.file if same and outcome.file else _heading(outcome)
        headings.setdefault(outcome.problem if failed else str(place), []).append(heading)
    for place, outcome in enumerate(outcomes):
        failed = outcome.resource is None and not outcome.said
        named = headings.pop(outcome.problem if failed else str(place), None)
        if named is None:
            continue
        bold = "  \n".join(f"**{_escaped(heading)}**" for heading in dict.fromkeys(named))
        parts.append(f"{bold}\n\n{_said(outcome)}" if several else _said(outcome))
    used = [
        " → ".join(tool.replace("_", " ") for tool in outcome.tools)
        for outcome in outcomes
        if outcome.resource is not None
    ]
    ways = list(dict.fromkeys(used))
    if ways:
        steps = "; then ".join(ways) if len(ways) > 1 else ways[0]
        parts.append(f"*How: {steps}.*")
    return "\n\n".join(parts)


async def model_answer(
    asker: Asker, request: str, outcomes: tuple[Outcome, ...]
) -> AsyncIterator[str]:
    """The answer's pieces from a language model (paper Sec. 9, Table 10); raises EndpointError."""
    data = {
        "request": shortened(request, _MODEL_TEXT_LIMIT),
        "results": [_for_model(outcome) for outcome in outcomes],
    }
    async for piece in asker.stream("answer", messages_of(read_prompt("answer"), data)):
        yield piece


def _for_model(outcome: Outcome) -> dict[str, Any]:
    """What a model is told of one subtask; texts from files stand inside JSON strings."""
    told: dict[str, Any] = {
        "task": shortened(outcome.subtask.description),
        "tools": list(outcome.tools),
    }
    if outcome.resource is None and not outcome.said:
        return {**told, "problem": outcome.problem}
    found = shortened(_said(outcome), _MODEL_TEXT_LIMIT)
    if outcome.resource is None:
        return {**told, "found": found}
    return {**told, "file": outcome.resource.value, "found": found}


def _heading(outcome: Outcome) -> str:
    text = re.sub(r"\s+", " ", outcome.subtask.description).strip(" .")
    text = text if len(text) <= 90 else text[:87].rsplit(" ", 1)[0] + " …"
    return text[:1].upper() + text[1:]


def _said(outcome: Outcome) -> str:
    """One subtask's result in words."""
    if outcome.said:
        return _in_lines(_escaped(outcome.said.strip()))
    if outcome.resource is None:
        return outcome.problem
    type_name, value, name = outcome.resource.type, outcome.value, outcome.resource.value
    about = outcome.about
    if type_name in ("text", "title") or type_name not in PARENTS:
        return _in_lines(_escaped(str(value).strip())) or "The result is an empty text."
    if type_name == "tags":
        return ", ".join(f"`{tag}`" for tag in value) or "I found no fitting tags."
    if type_name == "number":
        return (
            f"Number of {_escaped(about)}: **{value:g}**." if about else f"I counted **{value:g}**."
        )
    if type_name == "category":
        return _categories(value)
    if type_name == "bbox":
        found = _boxes(value, about, outcome.size)
        if _ASKS_WHETHER.search(outcome.subtask.description):
            return f"Yes. {found}" if value else f"No. {found}"
        return found
    if type_name == "mask":
        count = len(value)
        if not count:
            return f"I found no {_escaped(about) or 'object'} to mask."
        labels = ", ".join(dict.fromkeys(r.label for r in value if r.label))
        named = f" ({_escaped(labels)})" if labels else ""
        regions = "one region" if count == 1 else f"{count} regions"
        return f"The mask has {regions}{named}: `{name}`."
    if type_name == "html":
        return f"The web page is ready: `{name}`. Open it below, or download it."
    if type_name in ("audio", "video"):
        seconds = outcome.resource.details.get("seconds")
        length = f", {float(seconds):.1f} seconds long" if seconds else ""
        kind = "sound" if type_name == "audio" else "video"
        return f"The {kind} is ready: `{name}`{length}."
    return f"Here is {_PICTURE_WORDS.get(type_name, 'the picture')}: `{name}`."


def _in_lines(text: str) -> str:
    """Markdown whose single line breaks are kept when it is shown: a poem's, a list's."""
    # Two spaces and no backslash: what reads the answer as plain words must not trip over it.
    return re.sub(r"(?<=[^\s])[ \t]*\r?\n(?=[ \t]*[^\s])", "  \n", text)


def _categories(labels: tuple[Label, ...]) -> str:
    if not labels:
        return "I could not tell what it is."
    first = labels[0]
    rest = ", ".join(f"{_escaped(label.name)} ({label.score:.0%})" for label in labels[1:4])
    said = f"It looks like **{_escaped(first.name)}** ({first.score:.0%} sure)."
    return f"{said} Other possibilities: {rest}." if rest else said


def _boxes(boxes: tuple[Box, ...], about: str, size: tuple[int, int] | None) -> str:
    if not boxes:
        return f"I found no {_escaped(about) or 'objects'} there."
    told = []
    for box in boxes[:12]:
        label = _escaped(box.label or about or "object")
        place = f", {_place(box, size)}" if size else ""
        told.append(f"{label} ({box.score:.0%} sure{place})")
    more = f" and {len(boxes) - 12} more" if len(boxes) > 12 else ""
    count = "one object" if len(boxes) == 1 else f"{len(boxes)} objects"
    return f"I found {count}: {'; '.join(told)}{more}."


def _place(box: Box, size: tuple[int, int]) -> str:
    """Where a box lies, in words: "upper left", "centre"."""
    across = (box.left + box.right) / 2 / max(size[0], 1)
    down = (box.top + box.bottom) / 2 / max(size[1], 1)
    column = "left" if across < 0.36 else "right" if across > 0.64 else ""
    row = "upper" if down < 0.36 else "lower" if down > 0.64 else ""
    if row and column:
        return f"{row} {column}"
    if column:
        return f"on the {column}"
    if row:
        return "at the top" if row == "upper" else "at the bottom"
    return "in the middle"


def _escaped(text: str) -> str:
    """Text from files and models as Markdown that shows it and does nothing else."""
    text = re.sub(r"([\\`*_\[\]<>#|!])", r"\\\1", text)
    return re.sub(r"(?m)^(\s*)([-+=]|\d+\.)(?=\s)", r"\1\\\2", text)
