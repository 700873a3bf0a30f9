"""In which order files are to follow each other, as people say it by their names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Annotated

from controlllm.toolbox import Context
from controlllm.values import Kind
from controlllm.values.kinds import Found
from controlllm.values.plain import HIDDEN

#: What is of a file and no place among the others: "only the first page of the letter".
_NO_PART = r"(?! (?:\d+ )?(?:pages?|sheets?|slides?|half|parts?|lines?|names?|columns?|rows?)\b)"
_FIRST = rf"\b(?:first{_NO_PART}|(?:at|to|in|from) the (?:very )?(?:beginning|start|front)\b)"
_LAST = rf"\b(?:last{_NO_PART}|(?:at|to|in) the (?:very )?(?:end|back)\b|finally\b|lastly\b)"
_NUMBERED = tuple(
    rf"\b{word}{_NO_PART}\b" for word in ("second", "third", "fourth", "fifth", "sixth")
)
_BEHIND, _BEFORE = r"\b(?:behind|after|following)\b", r"\b(?:before|in front of|ahead of)\b"
_ORDER = re.compile(
    rf"{_FIRST}|{_LAST}|(?:{_BEHIND}|{_BEFORE}|\bthen\b|\bfollowed by) (?:the|my|our|his|her)\b|"
    r"\b(?:in|the) (?:(?:this|the|that|following|right) )*order\b"
)
_CLAUSES = re.compile(r"[,;:.](?= |$)|\b(?:then|and|next|followed by)\b")
#: Where among the others stands what is told without a place, what is not told, and the last.
_TOLD, _UNTOLD, _AT_END = 50, 60, 99


def _orders(words: str) -> Iterator[Found]:
    """All that was said, where an order is said in it: only who has the names can read it."""
    for match in _ORDER.finditer(words):
        yield Found(words.replace(HIDDEN, " ").strip(), *match.span())


SaidOrder = Annotated[
    str,
    Kind(
        "an order by names, such as letter first, then cv",
        _orders,
        rf"(?is).*(?:{_ORDER.pattern}).*",
    ),
]


def ordered(said: str, argument: str, count: int, context: Context) -> list[int]:
    """The places of `count` files of an argument, in the order that was said; as they came where
    none of them is named."""
    as_given = list(range(count))
    if not said:
        return as_given
    names = [file.name for file in context.files(argument)]
    return places(said, names) if len(names) == count else as_given


def places(said: str, names: Sequence[str]) -> list[int]:
    """The places of names in the order that was said."""
    said = said.lower()
    own = [_own_words(name) for name in names]
    many = Counter(word for words in own for word in set(words))
    clauses, start = [], 0
    for cut in [*(match.span() for match in _CLAUSES.finditer(said)), (len(said), len(said))]:
        clauses.append((start, said[start : cut[0]]))
        start = cut[1]
    found: dict[int, tuple[int, int]] = {}
    moves: list[tuple[int, int, int]] = []
    for start, clause in clauses:
        named = sorted(
            (at, place)
            for place, words in enumerate(own)
            if (at := _mentioned([it for it in words if many[it] == 1], clause)) >= 0
        )
        if len(named) == 2:
            between = clause[named[0][0] : named[1][0]]
            if re.search(_BEHIND, between) or re.search(_BEFORE, between):
                is_behind = re.search(_BEHIND, between) is not None
                moves.append((named[0][1], named[1][1], 1 if is_behind else 0))
                continue
        for at, place in named:
            found.setdefault(place, (_rank(clause), start + at))
    order = list(range(len(names)))
    if found:
        order.sort(key=lambda place: found.get(place, (_UNTOLD, place)))
    for moved, beside, behind in moves:
        order.remove(moved)
        order.insert(order.index(beside) + behind, moved)
    return order


def _rank(clause: str) -> int:
    if re.search(_FIRST, clause):
        return 0
    if re.search(_LAST, clause):
        return _AT_END
    numbered = (at for at, word in enumerate(_NUMBERED, 1) if re.search(word, clause))
    return next(numbered, _TOLD)


def _own_words(name: str) -> list[str]:
    """The words of a file's name, and its numbers with the word before: "chapter 2"."""
    stem = re.sub(r"\.\w{2,5}$", "", name.lower())
    parts = re.findall(r"[^\W\d_]+|\d+", stem)
    told = []
    for before, part in zip(["", *parts], parts, strict=False):
        if not part.isdigit():
            told.append(part)
        elif before and not before.isdigit():
            told.append(f"{before} {int(part)}")
    return [word for word in told if len(word) > 1]


def _mentioned(words: Sequence[str], clause: str) -> int:
    """Where a name is meant in a clause, by a word that no other name has; -1 where it is not."""
    found = [re.search(rf"\b{re.escape(word)}(?:'?s)?\b", clause) for word in words]
    return min((match.start() for match in found if match), default=-1)
