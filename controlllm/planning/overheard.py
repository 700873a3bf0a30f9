"""Wishes that the reader overheard beside another: "join them, with page numbers at the bottom".

Where two wishes are joined by a comma, "with" or "and", the reader often hears the one that has
more to say for itself, and takes the other's words for a part of it. So the request is read once
more with each such join written out as the beginning of another order. That is believed where both
parts then have likely tools of their own, and what was overheard is no value that the tool of the
whole takes itself, as in "side by side, with a gap of 20 pixels".
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace

from controlllm.planning.arguments import roles_of, works_on
from controlllm.planning.graph import ToolGraph, files_of
from controlllm.planning.wishes import OMITTED, Read, RequestText, Wish
from controlllm.toolbox import Tool
from controlllm.values import values_in

#: What was overheard is so likely to be for its tool behind the words of a wish, before them, and
#: where it says something for a setting of the wish's tool as well; what was heard anyway is.
_BEHIND, _BEFORE, _FOR_ALL_THAT, _HEARD = 0.7, 0.55, 0.85, 0.3
#: What is likelier to be needed on the way than this is no wish beside.
_NEEDED = 0.5
#: So many joins of one request are tried.
_MOST_TRIED = 5
#: What may join two wishes: the surest first, since "in black and white" is one.
_JOINS = tuple(
    re.compile(join, re.IGNORECASE)
    for join in (
        r"(?<!\s)\s*[,;:](?:\s+(?:and|then|plus|but|also))*\s+(?=\w)",
        r"(?<!\s)\s+(?=with(?:out)?\s)",
        r"(?<!\s)\s+(?:and|plus|but)(?:\s+(?:then|also))*\s+(?=\w)",
    )
)
#: What is written in place of a join.
_WRITTEN_OUT = ". Then "
#: Begins what describes rather than what is wished.
_WITH = re.compile(r"with(?:out)?\b", re.IGNORECASE)
#: Two words that are joined.
_PAIR = re.compile(r"\b(\w+) and (?=(\w+))", re.IGNORECASE)


def reading_overheard(read: Read, graph: ToolGraph) -> Read:
    """A reader that hears the wishes whose words it took for those of another."""

    pairs = {
        pair
        for tool in graph.toolbox
        for text in (tool.description, *tool.examples)
        for pair in _PAIR.findall(text.lower())
    }

    def read_again(shown: RequestText) -> tuple[Wish, ...]:
        found = read(shown)
        if OMITTED in shown.text:
            return found
        apart: list[tuple[int, int]] = []
        for join in itertools.islice(_joins(shown, found, pairs), _MOST_TRIED):
            if any(join[0] < end and start < join[1] for start, end in apart):
                continue
            others = _read_apart(read, shown, [*apart, join])
            parts = _apart(others, found, join, shown, graph)
            if parts:
                found = parts
                apart.append(join)
        return found

    return read_again


def _read_apart(
    read: Read, shown: RequestText, joins: Sequence[tuple[int, int]]
) -> tuple[Wish, ...]:
    """The wishes of a request with some joins written out, with their places in the original."""
    written: list[_Written] = []
    text = shown.text
    # The last join first: what stands before it keeps its place.
    for start, end in sorted(joins, reverse=True):
        written.append(_Written.out(text, start, end))
        text = written[-1].text
    found = read(replace(shown, text=text))
    for one in reversed(written):
        found = tuple(map(one.back, found))
    return found


def _joins(
    shown: RequestText, wishes: Sequence[Wish], pairs: Set[tuple[str, str]]
) -> Iterator[tuple[int, int]]:
    """The joins of a text that stand within or right behind the words of a wish, but not between
    two words that tools use as one, such as "black and white", nor before a file that is only
    named, nor where one wish ends and the next begins as it is."""
    text, files = shown.text, {slot.name for slot in shown.slots}
    spans = [span for wish in wishes for span in wish.spans]
    begins = {start for start, _ in spans}
    together = [found.span() for found in _PAIR.finditer(text) if _words(found) in pairs]
    for kind in _JOINS:
        for join in kind.finditer(text):
            start, end = join.span()
            is_within = any(a < start and end < b for a, b in spans)
            if not is_within and any(start <= a <= end for a in begins):
                continue
            if any(a < start < b for a, b in together) or _first_word(text[end:]) in files:
                continue
            if is_within or any(a < start <= b + 1 for a, b in spans):
                yield start, end


def _first_word(text: str) -> str:
    found = re.match(r"\w+", text)
    return found.group() if found else ""


def _words(found: re.Match[str]) -> tuple[str, str]:
    return found[1].lower(), found[2].lower()


def _apart(
    others: Sequence[Wish],
    found: Sequence[Wish],
    join: tuple[int, int],
    shown: RequestText,
    graph: ToolGraph,
) -> tuple[Wish, ...]:
    """Wishes with two instead of one, if another reading has two at the join and all others as they
    were; none where it has not, or its parts are not likely to be wishes of their own."""
    if len(others) != len(found) + 1:
        return ()
    others, heard_so = _able(others, shown, graph), others
    before = [wish.likeliest for wish in _able(found, shown, graph)]
    names = [wish.likeliest for wish in others]
    for place, whole in enumerate(before):
        first, second = names[place : place + 2]
        is_same = names[:place] == before[:place] and names[place + 2 :] == before[place + 1 :]
        parts = _cut(found[place], others[place], others[place + 1], join)
        if not is_same or parts is None or first == second or whole not in (first, second):
            continue
        if not works_on(graph.toolbox[second], graph.toolbox[first].returns.each, graph.lattice):
            continue
        (heard, overheard), least = (parts, _BEHIND) if whole == first else (parts[::-1], _BEFORE)
        name = second if whole == first else first
        rest = (*found[:place], *found[place + 1 :])
        if any(_holds(span, other) for span in overheard.spans for other in rest):
            continue
        if name in before or found[place].steps.get(name, 0.0) > _NEEDED:
            continue
        if _names_input(found[place], parts, place):
            continue
        words = shown.text[join[1] :]
        is_within = any(_holds(span, found[place]) for span in overheard.spans)
        if is_within and _is_told_how(graph.toolbox[whole]):
            continue
        if is_within and _WITH.match(words) and _says_more(found[place], found, shown, graph):
            continue
        if _may_be_told(graph.toolbox[whole], overheard, heard, shown.text):
            least = _FOR_ALL_THAT
        # What stands behind has to be likely for its tool among all tools.
        share = heard_so[place + 1].ends[name] if whole == first else overheard.ends[name]
        if heard.ends[whole] >= _HEARD and share >= least:
            return _with(found, place, parts)
    return ()


def _names_input(whole: Wish, parts: tuple[Wish, Wish], place: int) -> bool:
    """Whether the second part names one of several things that the tool of a wish works on: "turn
    it into a video with that tune"."""
    of_whole = {*((at, "file") for at in whole.files), *((at, "wish") for at in whole.wishes)}
    second = parts[1]
    named = {(at, "file") for at in second.files}
    named |= {(at, "wish") for at in second.wishes if at != place}
    return bool(named) and named < of_whole


def _holds(span: tuple[int, int], wish: Wish) -> bool:
    return any(start <= span[0] and span[1] <= end for start, end in wish.spans)


def _is_told_how(tool: Tool) -> bool:
    """Whether a tool makes something of words, or puts several things together as words say."""
    several = any(item.many for item in tool.required)
    return (several or not files_of(tool)) and "prompt" in roles_of(tool.required)


def _says_more(wish: Wish, wishes: Sequence[Wish], shown: RequestText, graph: ToolGraph) -> bool:
    """Whether a wish looks for something or takes several kinds of things, of which its own words
    tell more: "cut out the shoe without the lace", "put a film under it with that tune"."""
    return "object" in wish.words or len(_kinds(wish, wishes, shown, graph)) > 1


def _with(found: Sequence[Wish], place: int, parts: tuple[Wish, Wish]) -> tuple[Wish, ...]:
    """Wishes with two parts in place of one; what went on from it goes on from the second."""
    later = (
        replace(wish, wishes=tuple(at + (at >= place) for at in wish.wishes))
        for wish in found[place + 1 :]
    )
    return (*found[:place], *parts, *later)


def _cut(whole: Wish, first: Wish, second: Wish, join: tuple[int, int]) -> tuple[Wish, Wish] | None:
    """Two wishes with the words before and behind a join, the first of what both were taken to be
    about; None where one of them has none."""
    start, end = join
    before = tuple((a, min(b, start)) for a, b in first.spans if a < start)
    behind = tuple((max(a, end), b) for a, b in second.spans if b > end)
    if not before or not behind:
        return None
    first = replace(first, spans=before, files=whole.files, wishes=whole.wishes)
    return first, replace(second, spans=behind)


def _kinds(
    wish: Wish, before: Sequence[Wish], shown: RequestText, graph: ToolGraph
) -> frozenset[str]:
    """The types of what a wish works on."""
    files = (re.sub(r"\d+$", "", shown.slots[place].name) for place in wish.files)
    made = (graph.toolbox[before[place].likeliest].returns.each for place in wish.wishes)
    return frozenset((*files, *made))


def _able(wishes: Sequence[Wish], shown: RequestText, graph: ToolGraph) -> tuple[Wish, ...]:
    """Wishes with none but the tools that can be run on what they work on, where there are any."""
    found: list[Wish] = []
    for wish in wishes:
        kinds = _kinds(wish, found, shown, graph)
        ends = {
            name: share
            for name, share in wish.ends.items()
            if not files_of(graph.toolbox[name])
            or any(works_on(graph.toolbox[name], kind, graph.lattice) for kind in kinds)
        }
        whole = sum(ends.values())
        if whole > 0:
            ends = {name: share / whole * (1 - wish.impossible) for name, share in ends.items()}
            wish = replace(wish, ends={name: ends.get(name, 0.0) for name in wish.ends})
        found.append(wish)
    return tuple(found)


def _may_be_told(tool: Tool, overheard: Wish, heard: Wish, text: str) -> bool:
    """Whether the tool of a wish may be told another's words: it is told what to do, or they say
    something for a setting of which its own wish's words say nothing."""
    kinds = {item.name: item.kind for item in tool.parameters if item.kind is not None}
    said, other = (
        {name for start, end in wish.spans for name in values_in(text[start:end], kinds)}
        for wish in (overheard, heard)
    )
    return "prompt" in roles_of(tool.required) or bool(said - other)


@dataclass(frozen=True)
class _Written:
    """A text with one join written out, and the way back to the original's characters."""

    text: str
    start: int
    end: int
    words: str

    @classmethod
    def out(cls, text: str, start: int, end: int) -> _Written:
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
