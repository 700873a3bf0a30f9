"""What of an answer in somebody's own words certainly rests on a result: names and values that it
quotes, and that stand in one result only."""

from __future__ import annotations

import re
from collections.abc import Iterator

from controlllm.answers.rendering import in_pieces
from controlllm.answers.run_results import RunResult
from controlllm.core.citations import Citation

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
