"""Wishes that were read as one though they are several: "ring the bell and tell me how loud it is".

The reader takes what is joined by "and" for one wish where it never saw tools like those that are
meant; written as "Ring the bell. Then tell me how loud it is." it hears both. So where it is not
sure which tool a wish is for, the request is read again with its joins written out, and the surer
reading is believed.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from controlllm.planning.wishes import OMITTED, Read, RequestText, Wish
from controlllm.toolbox import Toolbox

#: A wish of which some tool is likelier than this is what it seems to be.
_SURE = 0.7
#: How many times likelier the tools of several wishes have to be, in the mean, than that of one.
_SURER = 1.1
#: A longer request, in characters, is no question with its figures.
_LONGEST_QUESTION = 600
#: So many joins of one request are tried.
_MOST_TRIED = 4
#: What joins two orders, or ends one; and what is written instead.
_JOIN = re.compile(
    r",?\s+and\s+(?:then\s+|also\s+)?(?=[a-z]\S*\s+\w)|[.?!;]\s+(?:and\s+|then\s+)*(?=\w)", re.I
)
_WRITTEN_OUT = ". Then "


def reading_joins(read: Read) -> Read:
    """A reader that reads a request again, its joins written out, where a wish may be several."""

    def read_again(shown: RequestText) -> tuple[Wish, ...]:
        found = read(shown)
        if OMITTED in shown.text:
            return found
        for join in itertools.islice(_joins(shown.text, found), _MOST_TRIED):
            written = Written.out(shown.text, *join)
            others = tuple(map(written.back, read(replace(shown, text=written.text))))
            if _is_rather(others, found, join):
                found = others
        return found

    return read_again


def one_question(wishes: Sequence[Wish], text: str, toolbox: Toolbox) -> tuple[Wish, ...]:
    """Wishes of which those that follow each other for one tool that is told but a question are
    one, with the figures around it: "I ran 10 km in 52:30. What is my pace, and how long would 15
    km take?" says only together what is to be reckoned. Whoever works such a question out takes it
    apart itself."""
    places: list[int] = []
    found: list[Wish] = []
    for wish in wishes:
        before = found[-1] if found else None
        own = tuple(places[place] for place in wish.wishes)
        if before is not None and _asks_the_same(before, wish, toolbox):
            start = min(a for one in (before, wish) for a, _ in one.spans)
            end = max(b for one in (before, wish) for _, b in one.spans)
            words = {**wish.words, **before.words, "question": (start, end)}
            found[-1] = replace(before, spans=((start, end),), words=words)
        else:
            found.append(replace(wish, wishes=own))
        places.append(len(found) - 1)
    if len(found) == 1 and len(text) <= _LONGEST_QUESTION and _is_a_question(found[0], toolbox):
        # A figure may also stand between two parts of the question.
        rest = list(text)
        for start, end in found[0].spans:
            rest[start:end] = " " * (end - start)
        if re.search(r"\d", "".join(rest)):
            whole = (0, len(text))
            words = {**found[0].words, "question": whole}
            found[0] = replace(found[0], spans=(whole,), words=words)
    return tuple(found)


def _asks_the_same(before: Wish, wish: Wish, toolbox: Toolbox) -> bool:
    is_one = _is_a_question(before, toolbox) and _is_a_question(wish, toolbox)
    return is_one and likeliest(before) == likeliest(wish)


def _is_a_question(wish: Wish, toolbox: Toolbox) -> bool:
    name = likeliest(wish)
    if wish.files or name not in toolbox:
        return False
    return [argument.name for argument in toolbox[name].required] == ["question"]


def likeliest(wish: Wish) -> str:
    """The tool that most likely makes the result of a wish; empty where there is none."""
    return max(wish.ends, key=wish.ends.__getitem__, default="")


def _joins(text: str, wishes: Sequence[Wish]) -> Iterator[tuple[int, int]]:
    """The joins within the words of wishes of which no tool is sure, in their order."""
    for join in _JOIN.finditer(text):
        start, end = join.span()
        if any(_likely(wish) < _SURE and _spans(wish, start, end) for wish in wishes):
            # The mark at the end of a question is part of it.
            yield (start + 1 if text[start] in "?!" else start), end


def _spans(wish: Wish, start: int, end: int) -> bool:
    return any(a < start and b > end for a, b in wish.spans) or (
        min(a for a, _ in wish.spans) < start and max(b for _, b in wish.spans) > end
    )


def _likely(wish: Wish) -> float:
    """How likely the likeliest tool for a wish is, or that there is none."""
    return max([wish.impossible, *wish.ends.values()])


def _is_rather(others: Sequence[Wish], found: Sequence[Wish], join: tuple[int, int]) -> bool:
    """Whether another reading has more wishes, one of which begins behind the join, each for a tool
    of its own, and is the surer one."""
    if len(others) <= sum(not _lies_within(wish, found) for wish in found) or any(
        _spans(wish, *join) for wish in others
    ):
        return False
    if len({max(wish.ends, key=lambda name: wish.ends[name]) for wish in others}) < len(others):
        return False
    return _mean(others) > _SURER * _mean(found)


def _lies_within(wish: Wish, wishes: Sequence[Wish]) -> bool:
    """Whether all that asks for a wish asks for another as well, and more does."""
    return any(
        all(any(a <= start and end <= b for a, b in other.spans) for start, end in wish.spans)
        for other in wishes
        if other.spans != wish.spans
    )


def _mean(wishes: Sequence[Wish]) -> float:
    return math.exp(sum(math.log(max(_likely(wish), 1e-6)) for wish in wishes) / len(wishes))


@dataclass(frozen=True)
class Written:
    """A text with one join written out, and the way back to the original's characters."""

    text: str
    start: int
    end: int
    words: str

    @classmethod
    def out(cls, text: str, start: int, end: int) -> Written:
        """A text whose join from `start` to `end` is the beginning of another order."""
        words = _WRITTEN_OUT.lstrip(".") if text[start - 1] in "?!" else _WRITTEN_OUT
        return cls(text[:start] + words + text[end:], start, end, words)

    def back(self, wish: Wish) -> Wish:
        """A wish with its places in the original."""
        words = {role: (self._place(a), self._place(b)) for role, (a, b) in wish.words.items()}
        return replace(
            wish,
            spans=tuple((self._place(a), self._place(b)) for a, b in wish.spans),
            words={role: span for role, span in words.items() if span[0] < span[1]},
        )

    def _place(self, character: int) -> int:
        if character <= self.start:
            return character
        return max(self.end, character - len(self.words) + self.end - self.start)
