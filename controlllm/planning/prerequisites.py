"""Things that have to be got before what is asked can be done with them: "put the motto of the town
on a greeting card", "how big is the flag of Portugal?".

The reader hears one wish where one thing is asked for, however many tools that takes, and says of
tools that it never saw rarely that they are needed on the way. So where it is not sure which tool
such a wish is for, and there is nothing at hand to work on, the things that its words name are read
as wishes of their own; one that a tool surely gives, and that a likely tool for the whole takes,
becomes a wish before it.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from controlllm.planning.arguments import works_on
from controlllm.planning.graph import ToolGraph
from controlllm.planning.wishes import OMITTED, Read, RequestText, Wish

#: A wish of which some tool is likelier than this is what it seems to be.
_SURE = 0.7
#: A thing is got by a tool that is at least so likely, were it all that is asked for, and by those
#: that give the same kind of thing together; a text, which many tools take, by a likelier one.
_GIVES, _GIVE_ALIKE, _GIVES_TEXT = 0.35, 0.5, 0.6
#: What takes the thing is so likely for the whole, or so likely where it makes the same kind of
#: thing as the likeliest.
_TAKES, _TAKES_ALIKE = 0.1, 0.03
#: So many things of one request are read.
_MOST_READ = 6
#: A thing by its name: words behind an article, up to one that only joins, with what they are of.
_WORD = (
    r"(?!(?:on|in|at|to|for|from|with|by|into|onto|as|of|and|or|but|so|when|while|where|if|than|"
    r"then|is|are|was|were|has|have|had|does|do|can|could|would|will|should|shall|may|might|must|that|"
    r"which|who|it|please|pls|thanks|thx)\b)[\w'’-]+"
)
_ARTICLE = r"(?:the|our|a|an|(?!(?:what|that|who|how|where|when|there|here|let|it)['’])\w+['’]s)"
_NAMED = rf"{_WORD}(?:\s+{_WORD})*"
_THING = re.compile(
    rf"\b(?P<alone>{_ARTICLE}\s+{_NAMED})(?:\s+(?:of|in)\s+(?:{_ARTICLE}\s+)?{_NAMED})*",
    re.IGNORECASE,
)
_ASKED_FOR = "I need {}."


def reading_prerequisites(read: Read, graph: ToolGraph) -> Read:
    """A reader that hears, in wishes of which no tool is sure, what has to be got for them first,
    and what is to be made of what they are about."""

    def read_further(shown: RequestText) -> tuple[Wish, ...]:
        found = read(shown)
        return found if OMITTED in shown.text else _gathered(with_things(shown, found), graph)

    def with_things(shown: RequestText, found: tuple[Wish, ...]) -> tuple[Wish, ...]:
        for place, (start, end) in itertools.islice(_things(shown.text, found), _MOST_READ):
            wish = found[place]
            text = RequestText(_ASKED_FOR.format(shown.text[start:end]))
            alone = read(replace(text, slots=shown.slots) if wish.files else text)
            if len(alone) != 1 or _is_got(alone[0], found):
                continue
            words = {role: at for role, at in wish.words.items() if at[1] <= start or end <= at[0]}
            is_open = _works_on_nothing(wish, shown, graph) and alone[0].files == wish.files
            using = _using(alone[0], wish, graph) if is_open else None
            if using is not None:
                first = replace(alone[0], spans=((start, end),), words=_moved(alone[0], start))
                return _with(found, place, first, replace(using, words=words))
            if _is_made_of(alone[0], wish, graph):
                made = replace(alone[0], spans=((start, end),), words={})
                return _with(found, place, replace(wish, words=words), made)
        return found

    return read_further


def _things(text: str, wishes: Sequence[Wish]) -> Iterator[tuple[int, tuple[int, int]]]:
    """The things named in wishes of which no tool is sure, or beside them, each with its wish's
    place."""
    for place, wish in enumerate(wishes):
        if not wish.impossible < max(wish.ends.values(), default=0.0) < _SURE:
            continue
        others = [span for other in wishes if other is not wish for span in other.spans]
        first, last = min(a for a, _ in wish.spans), max(b for _, b in wish.spans)
        first = max((b for _, b in others if b <= first), default=0)
        last = min((a for a, _ in others if a >= last), default=len(text))
        for thing in _THING.finditer(text, first, last):
            yield from (
                (place, span) for span in dict.fromkeys((thing.span(), thing.span("alone")))
            )


def _works_on_nothing(wish: Wish, shown: RequestText, graph: ToolGraph) -> bool:
    """Whether a wish is about nothing at hand, or about files of which its likeliest tool, which
    takes nothing but words, has to be told what they show."""
    if wish.wishes or "content" in wish.words:
        return False
    needed = graph.toolbox[_likeliest(wish)].required
    return not wish.files or all(
        item.type in ("text", "number") and not shown.slots[at].name.startswith("text")
        for item in needed
        for at in wish.files
    )


def _is_got(getting: Wish, wishes: Sequence[Wish]) -> bool:
    """Whether one of several wishes is for the tool that gets a thing, and so gets it already:
    "simplify it and draw the simplified text"."""
    likeliest = [_likeliest(wish) for wish in (getting, *wishes)]
    return likeliest[0] in likeliest[1:] and len(wishes) > 1


def _likeliest(wish: Wish) -> str:
    return max(wish.ends, key=lambda name: wish.ends[name])


def _using(getting: Wish, wish: Wish, graph: ToolGraph) -> Wish | None:
    """A wish as it is where a thing is got for it, None where no likely tool takes that."""
    gives = _likeliest(getting)
    made = graph.toolbox[gives].returns.type
    alike = [name for name in getting.ends if graph.toolbox[name].returns.type == made]
    least = _GIVES_TEXT if made == "text" else _GIVES
    if getting.ends[gives] < least or sum(map(getting.ends.__getitem__, alike)) < _GIVE_ALIKE:
        return None
    likeliest = graph.toolbox[_likeliest(wish)]
    takes = {
        name: share
        for name, share in wish.ends.items()
        if name != gives
        and works_on(graph.toolbox[name], made, graph.lattice)
        and share
        >= (_TAKES_ALIKE if graph.toolbox[name].returns.type == likeliest.returns.type else _TAKES)
    }
    if not takes:
        return None
    whole = sum(takes.values())
    return replace(
        wish,
        ends={name: takes.get(name, 0.0) / whole * (1 - wish.impossible) for name in wish.ends},
    )


def _is_made_of(making: Wish, wish: Wish, graph: ToolGraph) -> bool:
    """Whether a thing of another kind is made, by a tool that a wish may be for, of what its
    likeliest tool gives: "put what is on this photo on a card"."""
    makes, gives = _likeliest(making), _likeliest(wish)
    made, given = (graph.toolbox[name].returns.type for name in (makes, gives))
    return (
        graph.lattice.ancestors(made)[-1] != graph.lattice.ancestors(given)[-1]
        and making.ends[makes] >= _GIVES
        and wish.ends.get(makes, 0.0) >= _TAKES_ALIKE
        and works_on(graph.toolbox[makes], given, graph.lattice)
    )


def _gathered(wishes: tuple[Wish, ...], graph: ToolGraph) -> tuple[Wish, ...]:
    """Wishes where one of whose tool nobody is sure comes last, if a likely tool for it takes what
    the last one makes too, which nothing else uses: "a film of the flag and a tone"."""

    def made(wish: Wish) -> str:
        return graph.toolbox[_likeliest(wish)].returns.type

    def takes(name: str, types: Sequence[str]) -> bool:
        return all(works_on(graph.toolbox[name], item, graph.lattice) for item in types)

    last = len(wishes) - 1
    for place, wish in enumerate(wishes[:last]):
        likeliest = max(wish.ends.values())
        used = any(place in other.wishes for other in wishes[:last])
        if used or not wish.wishes or wish.files or likeliest >= _SURE:
            continue
        if takes(_likeliest(wishes[last]), [made(wish)]):
            continue
        types = [made(wishes[at]) for at in (*wish.wishes, last)]
        ends = {name: share for name, share in wish.ends.items() if takes(name, types)}
        if len(set(types)) == len(types) and sum(ends.values()) >= _GIVES:
            whole = sum(ends.values())
            ends = {name: ends.get(name, 0.0) / whole * (1 - wish.impossible) for name in wish.ends}
            before = [*wishes[:place], *wishes[place + 1 :]]
            before = [replace(one, wishes=_without(one.wishes, place)) for one in before]
            return (*before, replace(wish, ends=ends, wishes=(*wish.wishes, last - 1)))
    return wishes


def _without(wishes: Sequence[int], place: int) -> tuple[int, ...]:
    """Places of wishes where that of one place is gone."""
    return tuple(at - (at > place) for at in wishes if at != place)


def _moved(getting: Wish, start: int) -> dict[str, tuple[int, int]]:
    """The words of a thing read alone, at their places in the request."""
    off = start - _ASKED_FOR.index("{")
    return {
        role: (max(start, a + off), b + off)
        for role, (a, b) in getting.words.items()
        if b + off > start
    }


def _with(wishes: Sequence[Wish], place: int, first: Wish, then: Wish) -> tuple[Wish, ...]:
    """Wishes with two instead of one, the second of which works on the first."""
    later = (
        replace(wish, wishes=tuple(at + (at >= place) for at in wish.wishes))
        for wish in wishes[place + 1 :]
    )
    return (*wishes[:place], first, replace(then, files=(), wishes=(place,)), *later)
