"""Results in words, piece by piece, each with what it rests on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from controlllm.answers.run_results import RunResult
from controlllm.resources import PARENTS, Box, Label, Resource
from controlllm.resources.records import records_in
from controlllm.resources.types import SEVERAL_TYPES

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

#: "Is there a dog?", "tell me whether it has wheels": a question that wants a yes or a no.
ASKS_WHETHER = re.compile(
    r"^\W*(?:is|are|has|have|does|do)\b(?!\s+(?:you|me)\b)|\b(?:if|whether)\s+(?:there|it|the|an?)\b"
    r"|\bcan\s+you\s+(?:see|spot)\b",
    re.IGNORECASE,
)

#: Below this share a detector or classifier is in doubt, and so is the answer.
DOUBTFUL = 0.6


#: Of more files than these only the first and the last are named.
_MOST_NAMED = 12

#: Recordings whose lengths differ by fewer seconds are as long as each other.
_SAME_LENGTH = 0.05


@dataclass(frozen=True)
class Piece:
    """A piece of an answer in Markdown. One that `rests` on the result may be marked; `region` is
    the place of the one box of the result that it speaks of."""

    text: str
    rests: bool = False
    region: int | None = None


def in_pieces(outcome: RunResult) -> tuple[Piece, ...]:
    """One subtask's result in words, and which measures that were said it is not after.
    What tools have remarked stands between."""
    left = " and ".join(f"“{escaped(words)}”" for words in outcome.unused)
    unused = [Piece(f" I did not use {left}: no step here takes it.")] if left else []
    remarks = [Piece(f" {escaped(said)}") for said in outcome.remarks]
    return (*_pieces(outcome), *remarks, *unused)


def _pieces(outcome: RunResult) -> Iterator[Piece]:
    if outcome.said:
        yield from _lines(escaped(outcome.said.strip()), rests=False)
        return
    if outcome.resource is None:
        yield Piece(outcome.problem)
        return
    type_name, value, name = outcome.resource.type, outcome.value, outcome.resource.value
    if type_name in ("text", "title") or type_name not in PARENTS:
        yield from _text(str(value).strip(), outcome.tools)
    elif type_name == "tags":
        yield from _tags(value)
    elif type_name == "number":
        yield from _number(outcome)
    elif type_name == "category":
        yield from _categories(value)
    elif type_name == "bbox":
        yield from _found(outcome)
    elif type_name == "mask":
        yield from _mask(outcome)
    elif type_name == "table" or outcome.resource.media_type == "application/pdf":
        yield Piece("The table is ready: " if type_name == "table" else "The PDF is ready: ", True)
        yield Piece(f"`{name}`.")
    elif type_name in SEVERAL_TYPES:
        yield from _several(outcome.resource, outcome.members)
    elif type_name == "html":
        yield Piece("The web page is ready: ", True)
        yield Piece(f"`{name}`. Open it below, or download it.")
    elif type_name in ("audio", "video"):
        seconds = outcome.resource.details.get("seconds")
        length = f", {float(seconds):.1f} seconds long" if seconds else ""
        kind = "sound" if type_name == "audio" else "video"
        yield Piece(f"The {kind} is ready: ", True)
        yield Piece(f"`{name}`{length}.")
        if outcome.whole is not None:
            yield Piece(_with_part(outcome.whole, float(seconds or 0.0)))
    else:
        yield Piece(f"Here is {_PICTURE_WORDS.get(type_name, 'the picture')}: ", True)
        yield Piece(f"`{name}`.")


def _text(text: str, tools: tuple[str, ...]) -> Iterator[Piece]:
    if records_in(text) is not None:
        yield Piece(f"What {tools[-1].replace('_', ' ')} found:", True)
        # A line of JSON never begins with these marks: words stand in quotation marks there.
        yield Piece(f"\n\n```json\n{text}\n```")
    elif text:
        yield from _lines(escaped(text))
    else:
        yield Piece("The result is an empty text.", True)


def _tags(tags: tuple[str, ...]) -> Iterator[Piece]:
    if not tags:
        yield Piece("I found no fitting tags.", True)
    for place, tag in enumerate(tags):
        yield Piece(", " if place else "")
        yield Piece(f"`{tag}`")


def _number(outcome: RunResult) -> Iterator[Piece]:
    value, about = outcome.value, outcome.about
    said = f"Number of {escaped(about)}: **{value:g}**" if about else f"I counted **{value:g}**"
    yield Piece(f"{said}.", True)
    if value == 0 and about:
        yield Piece(" ")
        yield Piece(_none_found(outcome, "objects"), True)


def _found(outcome: RunResult) -> Iterator[Piece]:
    """Which objects were found, and whether there are any where that was the question."""
    boxes, about = outcome.value, outcome.about
    asks_whether = ASKS_WHETHER.search(outcome.subtask.description)
    if asks_whether:
        is_sure = max((box.score for box in boxes), default=1.0) >= DOUBTFUL
        yield Piece(("Yes. " if is_sure else "Perhaps. ") if boxes else "No. ", True)
    if boxes:
        yield from _boxes(boxes, about, outcome.size)
    elif asks_whether:
        yield Piece(f"I found no {escaped(about) or 'objects'} there.", True)
    else:
        yield Piece(_none_found(outcome, "objects"), True)


def _several(packed: Resource, members: tuple[Resource, ...]) -> Iterator[Piece]:
    """How many files there are and what they are called; of very many the first and the last."""
    count = len(members) or int(packed.details.get("files", 0))
    many = "one file" if count == 1 else f"{count} files"
    if not members:
        yield Piece(f"The ZIP with {many} is ready: ", True)
        yield Piece(f"`{packed.value}`.")
        return
    names = [f"`{item.value}`" for item in members]
    if count > _MOST_NAMED:
        told = f"{names[0]}, {names[1]} and so on to {names[-1]}"
    else:
        told = " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
    yield Piece("Here is one file: " if count == 1 else f"Here are {many}: ", True)
    yield Piece(f"{told}. All together as a ZIP: `{packed.value}`.")


def _none_found(outcome: RunResult, anything: str) -> str:
    """That something is not in a picture, and what to do next."""
    named = escaped(outcome.about) or anything
    where = f"in `{outcome.file}`" if outcome.file else "there"
    if not outcome.about:
        return f"I found no {named} {where}."
    return f"I found no {named} {where}. If there is one, point at it, or name it in other words."


def _with_part(whole: Resource, seconds: float) -> str:
    """How a recording stands to the one that a changed part was put back into."""
    more = seconds - float(whole.details.get("seconds", seconds))
    said = f" All of {escaped(whole.value)} but that part is as it was"
    if abs(more) < _SAME_LENGTH:
        return f"{said}."
    how = "longer" if more > 0 else "shorter"
    return f"{said}; it is {abs(more):.1f} seconds {how} now, so what comes after has moved."


def _mask(outcome: RunResult) -> Iterator[Piece]:
    assert outcome.resource is not None
    regions = outcome.value
    if not regions:
        yield Piece(_none_found(outcome, "object"), True)
        return
    labels = ", ".join(dict.fromkeys(region.label for region in regions if region.label))
    named = f" ({escaped(labels)})" if labels else ""
    many = "one region" if len(regions) == 1 else f"{len(regions)} regions"
    yield Piece(f"The mask has {many}{named}: ", True)
    yield Piece(f"`{outcome.resource.value}`.")


def _lines(text: str, rests: bool = True) -> Iterator[Piece]:
    """Markdown whose single line breaks are kept when it is shown: a poem's, a list's."""
    # Two spaces and no backslash: what reads the answer as plain words must not trip over it.
    kept = re.sub(r"(?<=[^\s])[ \t]*\r?\n(?=[ \t]*[^\s])", "  \n", text)
    for place, part in enumerate(re.split(r"(\s*\n\s*)", kept)):
        yield Piece(part, rests and place % 2 == 0)


def _sure(score: float, who: str) -> str:
    """How sure somebody was, in words; empty of one who says nothing about that."""
    if score >= 1.0:
        return ""
    return f"{who} was {'only ' if score < DOUBTFUL else ''}{score:.0%} sure"


def _categories(labels: tuple[Label, ...]) -> Iterator[Piece]:
    if not labels:
        yield Piece("I could not tell what it is.", True)
        return
    first = labels[0]
    sure = _sure(first.score, "the classifier")
    if first.score < DOUBTFUL:
        yield Piece(f"It may be **{escaped(first.name)}**, but {sure}.", True)
    else:
        sure = f" ({sure})" if sure else ""
        yield Piece(f"It looks like **{escaped(first.name)}**{sure}.", True)
    rest = ", ".join(f"{escaped(label.name)} ({label.score:.0%})" for label in labels[1:4])
    if rest:
        yield Piece(" ")
        yield Piece(f"Other possibilities: {rest}.", True)


def _boxes(boxes: tuple[Box, ...], about: str, size: tuple[int, int] | None) -> Iterator[Piece]:
    count = "one object" if len(boxes) == 1 else f"{len(boxes)} objects"
    yield Piece(f"I found {count}", True)
    yield Piece(": ")
    who = "the detector"
    for place, box in enumerate(boxes[:12]):
        label = escaped(box.label or about or "object")
        perhaps = "perhaps " if box.score < DOUBTFUL else ""
        sure = _sure(box.score, who)
        who = "it" if sure else who
        facts = ", ".join(filter(None, (sure, _place(box, size) if size else "")))
        yield Piece("; " if place else "")
        yield Piece(f"{perhaps}{label} ({facts})" if facts else f"{perhaps}{label}", True, place)
    yield Piece(f" and {len(boxes) - 12} more." if len(boxes) > 12 else ".")


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


def escaped(text: str) -> str:
    """Text from files and models as Markdown that shows it and does nothing else."""
    text = re.sub(r"([\\`*_\[\]<>#|!])", r"\\\1", text)
    return re.sub(r"(?m)^(\s*)([-+=]|\d+\.)(?=\s)", r"\1\\\2", text)
