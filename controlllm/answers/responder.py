"""The answer: written from the results, by rules or by a language model (paper Sec. 3.3, 9)."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator
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
