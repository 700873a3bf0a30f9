"""What training learns from: requests with their wishes, over toolboxes that say what tools do.

The requests in ``training/data/requests`` were written one by one, as people would type them, each
with its meaning beside it; the README there has the format. Here they become examples: the text
with files by kind and number, as the reader is shown it, and for each wish where it stands, what it
works on, which tools serve it and where its words stand.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from controlllm.planning.wishes import ROLES, RequestText, Slot, noted, spoken_name, told_of
from controlllm.toolbox import Toolbox
from training.file_names import moved, with_needless_names
from training.toolboxes import DATA, OWN, Boxes, read_toolboxes

Span = tuple[int, int]

#: A text of this length has no slips: a letter may be all that tells its wish.
_WITHOUT_SLIPS = 20
#: So many other requests are tried for one that stands in a sentence with a short one.
_TRIED = 40


@dataclass(frozen=True)
class WantedWish:
    """What the reader is to say of one wish.

    `files` and `wishes` are places of what it works on, None where that is not known; `tools` is a
    chain that serves it, the last making the result, empty where none can; `words` has for each
    role the characters that play it, None where they are not known.
    """

    spans: tuple[Span, ...]
    tools: tuple[str, ...]
    files: tuple[int, ...] | None
    wishes: tuple[int, ...] | None
    words: Mapping[str, tuple[Span, ...] | None]


@dataclass(frozen=True)
class Example:
    """A request as the reader is shown it, with its wishes; `context` are characters that wish
    nothing, `box` names the toolbox, `author` the file it comes from."""

    shown: RequestText
    wishes: tuple[WantedWish, ...]
    box: str
    author: str
    context: tuple[Span, ...] = ()


def read_examples(folder: Path = DATA / "requests") -> tuple[Boxes, list[Example]]:
    """All toolboxes, each tool's name with what the reader is told of it, and all examples.

    Raises ValueError with the file and the entry where one does not fit the format.
    """
    boxes = read_toolboxes(folder)
    examples = []
    for path in sorted(folder.glob("*.json")):
        found = json.loads(path.read_text("utf-8"))
        rows = found["requests"] if isinstance(found, dict) else found
        for place, row in enumerate(rows):
            box = f"{path.stem}/{row['field']}" if "field" in row else OWN
            try:
                examples.append(example_of(row, box, path.stem))
            except (KeyError, ValueError, TypeError) as error:
                raise ValueError(f"{path.name}, entry {place}: {error!r}") from error
    return boxes, examples


def example_of(row: Mapping[str, Any], box: str, author: str) -> Example:
    """An entry of a file of requests as an example."""
    names = _file_names(row["files"])
    made = [turn.get("names", ()) for turn in row.get("earlier", ())]
    notes = noted({name: name.rpartition("_")[0] for name in names}, made)
    called = {name: spoken_name(said) for name, said in row.get("called", {}).items()}
    slots = tuple(
        Slot(slot, notes.get(name, ""), called.get(name, "")) for name, slot in names.items()
    )
    places = {name: place for place, name in enumerate(names)}
    spoken = [(said, names[name]) for name, said in row.get("file_names", {}).items()]
    spoken += [(name, slot) for name, slot in names.items() if name in row["request"]]
    spoken.sort(key=lambda pair: -len(pair[0]))

    def masked(text: str) -> str:
        for said, slot in spoken:
            text = text.replace(said, slot)
        return text

    text = masked(row["request"])

    def span_of(stretch: str) -> Span | None:
        start = text.find(masked(stretch))
        if start < 0:
            start = text.lower().find(masked(stretch).lower())
        return (start, start + len(masked(stretch))) if start >= 0 else None

    wishes = []
    for wish in row["wishes"]:
        on = [item for item in wish["on"] if not item.startswith("wish ")]
        after = [int(item[5:]) - 1 for item in wish["on"] if item.startswith("wish ")]
        wishes.append(
            WantedWish(
                tuple(filter(None, map(span_of, wish["says"]))),
                tuple(wish["tools"]),
                tuple(places[item] for item in on),
                tuple(after),
                {role: _spans_of(wish.get("words", {}).get(role), span_of) for role in ROLES},
            )
        )
    earlier = told_of(
        (turn["request"], [names[name] for name in turn.get("names", ()) if name in names])
        for turn in row.get("earlier", ())
    )
    context = tuple(filter(None, map(span_of, row.get("context", ()))))
    return Example(RequestText(text, slots, earlier), tuple(wishes), box, author, context)


def _file_names(kinds: Sequence[str]) -> dict[str, str]:
    """The names that a request's files go by in its entry, with what the reader calls them."""
    counts: dict[str, int] = {}
    found = {}
    for kind in kinds:
        counts[kind] = counts.get(kind, 0) + 1
        spoken = re.sub(r"[^a-z]", "", kind.lower()) or "file"
        found[f"{kind}_{counts[kind]}"] = f"{spoken}{counts[kind]}"
    return found


def _spans_of(words: Any, span_of: Any) -> tuple[Span, ...] | None:
    """Where the words of a role stand; None where they are no words of the request."""
    if words is None:
        return ()
    found = [span_of(each) for each in (words if isinstance(words, list) else [words])]
    return tuple(found) if all(found) else None


def cut(example: Example, keep: Sequence[Span], drop: Sequence[Span]) -> Example:
    """An example with only some stretches of its text, as if the rest had not been said."""
    text = example.shown.text
    kept = [
        any(start <= place < end for start, end in keep)
        and not any(start <= place < end for start, end in drop)
        for place in range(len(text))
    ]
    places, letters = [], []
    for place, letter in enumerate(text):
        places.append(len(letters))
        if kept[place]:
            letters.append(letter)
        elif letters and letters[-1] != " ":
            letters.append(" ")
    places.append(len(letters))

    def moved(spans: Sequence[Span]) -> tuple[Span, ...]:
        return tuple(
            (places[start], places[end])
            for start, end in spans
            if any(kept[start:end]) and places[end] > places[start]
        )

    wishes = tuple(
        replace(
            wish,
            spans=moved(wish.spans),
            words={
                role: None if spans is None else moved(spans) for role, spans in wish.words.items()
            },
        )
        for wish in example.wishes
    )
    return replace(
        example, shown=replace(example.shown, text="".join(letters)), wishes=wishes, context=()
    )


def joined(first: Example, second: Example, between: str) -> Example:
    """Two requests over one toolbox as one; the files of the second are numbered anew."""
    counts: dict[str, int] = {}
    for slot in first.shown.slots:
        counts[slot.name.rstrip("0123456789")] = counts.get(slot.name.rstrip("0123456789"), 0) + 1
    renamed = {}
    for slot in second.shown.slots:
        kind, number = re.match(r"(\D+)(\d+)", slot.name).groups()  # type: ignore[union-attr]
        renamed[slot.name] = f"{kind}{int(number) + counts.get(kind, 0)}"
    if any(len(old) != len(new) for old, new in renamed.items()):
        return first
    text = re.sub(
        r"\b[a-z]+\d\b", lambda found: renamed.get(found.group(), found.group()), second.shown.text
    )
    offset = len(first.shown.text) + len(between)
    files, wishes = len(first.shown.slots), len(first.wishes)

    def later(spans: Sequence[Span]) -> tuple[Span, ...]:
        return tuple((start + offset, end + offset) for start, end in spans)

    added = tuple(
        replace(
            wish,
            spans=later(wish.spans),
            files=None if wish.files is None else tuple(place + files for place in wish.files),
            wishes=None if wish.wishes is None else tuple(place + wishes for place in wish.wishes),
            words={
                role: None if spans is None else later(spans) for role, spans in wish.words.items()
            },
        )
        for wish in second.wishes
    )
    slots = tuple(replace(slot, name=renamed[slot.name]) for slot in second.shown.slots)
    shown = RequestText(first.shown.text + between + text, (*first.shown.slots, *slots))
    return Example(shown, (*first.wishes, *added), first.box, first.author)


def in_one_sentence(first: Example, second: Example, between: str) -> Example | None:
    """Two short wishes for one file as somebody says them in one breath: "make it grey and turn it
    left". The second goes on from what the first makes, where that is of the file's kind. None
    where they do not go together."""
    if not (_is_short(first) and _is_short(second)) or first.shown.slots != second.shown.slots:
        return None
    start, end = first.wishes[0], second.wishes[0]
    if start.tools[-1] == end.tools[-1] or _PLACE_IN_ORDER.search(second.shown.text):
        return None
    said = first.shown.text.rstrip(" .!?")
    offset = len(said) + len(between)
    then = second.shown.text
    if re.match(r"[A-Z][a-z]|A ", then):
        then = then[0].lower() + then[1:]

    def later(spans: Sequence[Span]) -> tuple[Span, ...]:
        return tuple((start + offset, end + offset) for start, end in spans)

    kind = first.shown.slots[0].name.rstrip("0123456789")
    goes_on = _made_by(start.tools[-1]) == kind
    words = {role: spans and later(spans) for role, spans in end.words.items()}
    added = replace(end, spans=later(end.spans), words=words)
    if goes_on:
        added = replace(added, files=(), wishes=(0,))
    shown = replace(first.shown, text=said + between + then)
    return Example(shown, (start, added), first.box, first.author)


#: What would be wrong of a wish that stands second.
_PLACE_IN_ORDER = re.compile(r"\b(?:first|hi|hello|hey|original)\b", re.IGNORECASE)
#: How people go on in a sentence.
_BETWEEN_WISHES = (
    " and ", ", and ", " and then ", ", then ", " and also ", ", also ", " plus ", " + ", ", ",
    ". also ", " & ", "; ", " - and ", ", while you're at it ",
)  # fmt: skip


def _is_short(example: Example) -> bool:
    """Whether an example asks one thing of one file, in a few words of which most ask for it."""
    if len(example.wishes) != 1 or len(example.shown.slots) != 1 or example.shown.earlier:
        return False
    wish = example.wishes[0]
    asked = sum(end - start for start, end in wish.spans)
    return (
        len(example.shown.text) <= _SHORT
        and asked >= 0.6 * len(example.shown.text)
        and wish.files == (0,)
        and not wish.wishes
        and bool(wish.tools)
    )


#: So many characters at most has a wish that stands in a sentence with another.
_SHORT = 90


@cache
def _kinds() -> dict[str, str]:
    return {tool.name: tool.returns.type for tool in Toolbox.load()}


def _made_by(name: str) -> str:
    """The type that one of our own tools gives; empty for others."""
    return _kinds().get(name, "")


def varied(example: Example, others: Sequence[Example], draw: random.Random) -> Example:
    """An example, or a variant of it: without its context, one of its wishes alone, in lower case,
    with a slip of the fingers, with another wish in its sentence, or another request behind it.
    Files that have no names may get some that say nothing."""
    slots = with_needless_names(example.shown.slots, example.shown.text, draw)
    example = moved(replace(example, shown=replace(example.shown, slots=slots)), draw)
    chance = draw.random()
    if chance < 0.12 and example.context:
        return cut(example, [(0, len(example.shown.text))], example.context)
    if chance < 0.24 and len(example.wishes) > 1:
        wish = draw.choice(example.wishes)
        if wish.spans and not wish.wishes:
            alone = cut(replace(example, wishes=(wish,)), wish.spans, ())
            if alone.wishes[0].spans:
                return alone
    if chance < 0.32:
        lower = example.shown.text.lower()
        if len(lower) == len(example.shown.text):
            return replace(example, shown=replace(example.shown, text=lower))
    if chance < 0.38 and len(example.shown.text) > _WITHOUT_SLIPS:
        return replace(example, shown=replace(example.shown, text=_slipped(example, draw)))
    if chance > 0.7 and example.box == OWN and _is_short(example):
        for other in draw.sample(others, min(_TRIED, len(others))):
            both = in_one_sentence(example, other, draw.choice(_BETWEEN_WISHES))
            if both is not None:
                return both
    if chance > 0.9 and not example.shown.earlier:
        other = draw.choice(others)
        fits = len(example.wishes) + len(other.wishes) <= 8 and not other.shown.earlier
        if fits and len(example.shown.text) + len(other.shown.text) < 700:
            return joined(example, other, draw.choice((" ", ". ", "\n", " And then: ", " Also, ")))
    return example


def _slipped(example: Example, draw: random.Random) -> str:
    """The text of an example in which two letters beside each other have changed places, or one is
    another, outside of the words that go into tools."""
    text = list(example.shown.text)
    kept = {
        place
        for wish in example.wishes
        for spans in wish.words.values()
        for start, end in spans or ()
        for place in range(start, end)
    }
    places = [
        place
        for place in range(1, len(text) - 1)
        if not {place, place + 1} & kept and text[place].isalpha() and text[place + 1].isalpha()
    ]
    for place in draw.sample(places, min(len(places), 1 + len(text) // 60)):
        if draw.random() < 0.5:
            text[place], text[place + 1] = text[place + 1], text[place]
        else:
            text[place] = draw.choice("abcdefghijklmnopqrstuvwxyz")
    return "".join(text)


def lacking(examples: Sequence[Example], draw: random.Random) -> tuple[list[Example], str | None]:
    """The examples as if the toolbox had not one of the tools that they end with, and which.

    Wishes for it have no tool then: so the reader learns what cannot be done from toolboxes where
    almost all can. A tool that some wish needs on its way is never the one.
    """
    ends = {wish.tools[-1] for item in examples for wish in item.wishes if wish.tools}
    ends -= {name for item in examples for wish in item.wishes for name in wish.tools[:-1]}
    if not ends:
        return list(examples), None
    name = draw.choice(sorted(ends))
    return [
        replace(
            item,
            wishes=tuple(
                replace(wish, tools=()) if wish.tools[-1:] == (name,) else wish
                for wish in item.wishes
            ),
        )
        for item in examples
    ], name
