"""What differs between two texts, in lines or sentences, written so that a person can read it."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher

from controlllm.toolbox import Context

from ...shared.sentences import split_sentences

#: Two lines are one that was changed where they share so much of their words.
_ALIKE = 0.4
#: Blocks of more lines and lines of more words are told whole; comparing all takes too long.
_MOST_IN_BLOCK, _MOST_WORDS = 40, 1500
_MOST_PAIRS = 100_000
_PIECE = re.compile(r"\w+(?:['’.-]\w+)*|\s+|[^\w\s]")


@dataclass(frozen=True)
class Change:
    """A part that is other in the second text; "" on the side where there is none."""

    before: str
    after: str
    place: int


def told(one: str, two: str, context: Context) -> str:
    """The differences of two texts with a line of counts above them."""
    if _plain(one) == _plain(two):
        return "The two texts are the same."
    if one.split() == two.split():
        return "The two texts have the same words; only blanks or the ends of lines differ."
    unit, first, second = _parts(one, two)
    changes = _changes(first, second, context)
    counts = (
        (sum(bool(change.before and change.after) for change in changes), "changed"),
        (sum(not change.before for change in changes), "added"),
        (sum(not change.after for change in changes), "taken out"),
    )
    said = ", ".join(f"{count:,} {what}" for count, what in counts if count)
    total = max(len(first), len(second))
    head = f"{said}, of {total:,} {unit}{'' if total == 1 else 's'}."
    return "\n\n".join([head[:1].upper() + head[1:], *(_shown(one, unit) for one in changes)])


def _plain(text: str) -> str:
    lines = text.replace("\r\n", "\n").replace("\ufeff", "").strip().split("\n")
    return "\n".join(line.rstrip() for line in lines)


def _parts(one: str, two: str) -> tuple[str, list[str], list[str]]:
    """Lines where both texts have several, else sentences."""
    lines = [[line.strip() for line in text.splitlines() if line.strip()] for text in (one, two)]
    if min(map(len, lines)) > 1 and not _is_prose(lines[0]):
        return "line", lines[0], lines[1]
    first, second = split_sentences(one), split_sentences(two)
    # What has no words has no sentences.
    return "sentence", first or lines[0], second or lines[1]


def _is_prose(lines: list[str]) -> bool:
    """Whether lines are paragraphs or wrapped text, in which sentences are of more use."""
    long = sum(len(line) > 60 for line in lines)
    return long > 0.5 * len(lines) and any(re.search(r"[.!?] +\S", line) for line in lines)


def _changes(first: list[str], second: list[str], context: Context) -> list[Change]:
    found: list[Change] = []
    blocks = _matched(first, second)
    for number, (kind, a, b, c, d) in enumerate(blocks):
        context.progress(number / len(blocks), "Comparing")
        if kind != "equal":
            found += _within(first[a:b], second[c:d], c)
    return found


def _within(before: list[str], after: list[str], place: int) -> list[Change]:
    """A block of other lines: those alike as changed, the rest as taken out or added."""
    pairs: dict[int, int] = {}
    if before and after and max(len(before), len(after)) <= _MOST_IN_BLOCK:
        start = 0
        for index, line in enumerate(before):
            likely = [(_likeness(line, after[at]), -at) for at in range(start, len(after))]
            best, at = max(likely, default=(0.0, 0))
            if best >= _ALIKE:
                pairs[index], start = -at, -at + 1
    found: list[Change] = []
    done = 0
    for index, line in enumerate(before):
        if index in pairs:
            goal = pairs[index]
            found += [Change("", after[at], place + at + 1) for at in range(done, goal)]
            found.append(Change(line, after[goal], place + goal + 1))
            done = goal + 1
        else:
            found.append(Change(line, "", place + done + 1))
    found += [Change("", after[at], place + at + 1) for at in range(done, len(after))]
    return found


def _likeness(one: str, two: str) -> float:
    """How much of their words two lines share, from 0 to 1."""
    first, second = (Counter(re.findall(r"\w+|[^\w\s]{2,}", line.lower())) for line in (one, two))
    return 2 * (first & second).total() / max(first.total() + second.total(), 1)


def _matched(one: list[str], two: list[str]) -> list[tuple[str, int, int, int, int]]:
    """The steps from one list to another, as `difflib` tells them.

    What occurs so often that it would take long to look at each pair is no place to begin at.
    """
    often = Counter(two)
    work: Counter[int] = Counter()
    for part in one:
        work[often[part]] += often[part]
    most, total = 0, 0
    for count in sorted(work):
        total += work[count]
        if total > _MOST_PAIRS:
            break
        most = count
    junk = {part for part, count in often.items() if count > most}
    matcher = SequenceMatcher(junk.__contains__ if junk else None, one, two, autojunk=False)
    return list(matcher.get_opcodes())


def _shown(change: Change, unit: str) -> str:
    where = f"{unit.capitalize()} {change.place:,}"
    if not change.before:
        return f"{where}, added: **{change.after}**"
    if not change.after:
        return f"Before {unit} {change.place:,}, taken out: ~~{change.before}~~"
    return f"{where}, changed: {_marked(change.before, change.after)}"


def _marked(before: str, after: str) -> str:
    """One line with what was taken out struck and what was put in bold."""
    one, two = _PIECE.findall(before), _PIECE.findall(after)
    if max(len(one), len(two)) > 2 * _MOST_WORDS:
        return f"~~{before}~~ **{after}**"
    steps = _matched(one, two)
    begun = {at for kind, at, *_ in steps if kind != "equal"}
    parts: list[tuple[str, str]] = []
    for kind, a, b, c, d in steps:
        same = kind == "equal"
        gap = same and not "".join(one[a:b]).strip() and parts and b < len(one)
        if gap and parts[-1] != ("", "") and b in begun:
            # A blank between two changed words belongs to the change.
            parts[-1] = (parts[-1][0] + " ", parts[-1][1] + " ")
        elif same:
            parts += [("=", "".join(one[a:b])), ("", "")]
        elif parts and parts[-1] != ("", "") and parts[-1][0] != "=":
            parts[-1] = (parts[-1][0] + "".join(one[a:b]), parts[-1][1] + "".join(two[c:d]))
        else:
            parts = parts[:-1] if parts and parts[-1] == ("", "") else parts
            parts.append(("".join(one[a:b]), "".join(two[c:d])))
    return " ".join("".join(_part(*part) for part in parts).split())


def _part(before: str, after: str) -> str:
    if before == "=":
        return after
    if not before.strip() and not after.strip():
        return " "
    struck, bold = before.strip(), after.strip()
    marks = " ".join(
        filter(None, (f"~~{struck}~~" if struck else "", f"**{bold}**" if bold else ""))
    )
    lead = " " if (before or after)[:1].isspace() else ""
    tail = " " if (after or before)[-1:].isspace() else ""
    return f"{lead}{marks}{tail}"
