"""The answer: written from the results, by rules or by a language model (paper Sec. 3.3, 9), and
what of it certainly rests on a result: names and values that it quotes from one only."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Any

from controlllm.answers.rendering import escaped, in_pieces
from controlllm.answers.run_results import RunResult
from controlllm.core.citations import Citation
from controlllm.language.asking import Asker
from controlllm.language.prompting import messages_of, read_prompt, shortened

#: How many characters of a text result go to a language model.
_MODEL_TEXT_LIMIT = 4000


@dataclass(frozen=True)
class Answer:
    """An answer in Markdown, and what its pieces rest on."""

    text: str
    grounds: tuple[Citation, ...] = ()


def written_answer(outcomes: tuple[RunResult, ...]) -> Answer:
    """An answer in plain English, made from the results alone."""
    text, grounds, every = "", [], outcomes
    outcomes = tuple(item for item in every if not item.is_on_the_way or item.unused)
    if outcomes:
        # What a step remarked that went on into another has to be known of what came of it.
        last = outcomes[-1]
        said = [one for item in every if item not in outcomes for one in item.remarks]
        remarks = tuple(dict.fromkeys([*last.remarks, *said]))
        outcomes = (*outcomes[:-1], replace(last, remarks=remarks))
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
        text += "\n\n" if text else ""
        if several:
            text += "  \n".join(f"**{escaped(heading)}**" for heading in dict.fromkeys(named))
            text += "\n\n"
        for piece in in_pieces(outcome):
            if piece.rests and piece.text.strip():
                end = len(text) + len(piece.text.rstrip())
                grounds.append(Citation(len(text), end, outcome.key, piece.region))
            text += piece.text
    used = [
        " → ".join(tool.replace("_", " ") for tool in outcome.tools)
        for outcome in every
        if outcome.resource is not None
    ]
    ways = list(dict.fromkeys(used))
    if ways:
        steps = "; then ".join(ways) if len(ways) > 1 else ways[0]
        text += f"\n\n*How: {steps}.*"
    return Answer(text, tuple(grounds))


async def model_answer(
    asker: Asker, request: str, outcomes: tuple[RunResult, ...]
) -> AsyncGenerator[str, None]:
    """The answer's pieces from a language model (paper Sec. 9, Table 10); raises EndpointError."""
    data = {
        "request": shortened(request, _MODEL_TEXT_LIMIT),
        "results": [_for_model(outcome) for outcome in outcomes],
    }
    stream = asker.stream("answer", messages_of(read_prompt("answer"), data))
    async with aclosing(stream) as pieces:
        async for piece in pieces:
            yield piece


def _for_model(outcome: RunResult) -> dict[str, Any]:
    """What a model is told of one subtask; texts from files stand inside JSON strings."""
    told: dict[str, Any] = {
        "task": shortened(outcome.subtask.description),
        "tools": list(outcome.tools),
    }
    if outcome.resource is None and not outcome.said:
        return {**told, "problem": outcome.problem}
    found = shortened("".join(piece.text for piece in in_pieces(outcome)), _MODEL_TEXT_LIMIT)
    if outcome.resource is None:
        return {**told, "found": found}
    return {**told, "file": outcome.resource.value, "found": found}


def _heading(outcome: RunResult) -> str:
    text = re.sub(r"\s+", " ", outcome.subtask.description).strip(" .")
    text = text if len(text) <= 90 else text[:87].rsplit(" ", 1)[0] + " …"
    return text[:1].upper() + text[1:]


#: A passage of a text that is quoted has at least so many characters.
_PASSAGE = 16
#: A name has at least so many.
_NAME = 3
#: Where Markdown must not be cut: code, links.
_WHOLE = re.compile(r"```.*?```|`[^`\n]*`|!?\[[^\]\n]*\]\([^)\n]*\)", re.DOTALL)

Place = tuple[str, int | None]


def citations_in(text: str, outcomes: tuple[RunResult, ...]) -> tuple[Citation, ...]:
    """The pieces of a text that quote a result, in order."""
    places: dict[str, set[Place]] = {}
    for outcome in outcomes:
        if outcome.resource is not None and outcome.key:
            for phrase, region in _phrases(outcome):
                places.setdefault(phrase.lower(), set()).add((outcome.key, region))
    certain = {phrase: _one(found) for phrase, found in places.items()}
    free = [True] * len(text)
    for whole in _WHOLE.finditer(text):
        free[whole.start() : whole.end()] = [False] * len(whole.group())
    grounds = []
    for phrase in sorted(certain, key=len, reverse=True):
        place = certain[phrase]
        if place is None:
            continue
        words = r"\s+".join(map(re.escape, phrase.split()))
        for found in re.finditer(rf"(?<![\w.,]){words}(?!\w|[.,]\d)", text, re.IGNORECASE):
            if all(free[found.start() : found.end()]):
                free[found.start() : found.end()] = [False] * len(found.group())
                grounds.append(Citation(found.start(), found.end(), *place))
    return tuple(sorted(grounds, key=lambda item: item.start))


def _one(found: set[Place]) -> Place | None:
    """The one place that a phrase stands in; None where it stands in several results."""
    keys = {key for key, _ in found}
    if len(keys) != 1:
        return None
    return next(iter(found)) if len(found) == 1 else (keys.pop(), None)


def _phrases(outcome: RunResult) -> Iterator[tuple[str, int | None]]:
    """What an answer may quote of a result, each with the box that it stands for."""
    assert outcome.resource is not None
    kind, value = outcome.resource.type, outcome.value
    if kind == "bbox":
        for place, box in enumerate(value):
            if len(box.label) >= _NAME:
                yield box.label, place
    elif kind == "category":
        for label in value[:4]:
            if len(label.name) >= _NAME:
                yield label.name, None
    elif kind == "tags":
        yield from ((tag, None) for tag in value if len(tag) >= _NAME)
    elif kind == "number":
        # "2" may count anything, "1384" hardly does.
        if len(f"{value:g}") >= _NAME:
            yield f"{value:g}", None
    elif isinstance(value, str):
        for piece in in_pieces(outcome):
            for passage in re.split(r"(?<=[.!?])\s+", piece.text):
                if len(passage.strip()) >= _PASSAGE:
                    yield passage.strip().rstrip(".!?"), None
