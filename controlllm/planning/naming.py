"""The names and times that tools from elsewhere are asked with, told by how they are written.

The reader tells which words a wish is about without capital letters, and of tools that it never saw
not where a name begins and ends: "the stone for Keats", "Crosby's". Who types a name mostly writes
it as one, or in quotation marks.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from controlllm.core.plans import TypedValue
from controlllm.planning.arguments import may_be_name
from controlllm.planning.graph import ToolGraph
from controlllm.planning.matching import Fitting
from controlllm.planning.said_values import Mention, mentions_in
from controlllm.planning.said_wish import SaidWish
from controlllm.toolbox import Tool, Toolbox

#: Roles of words that name what is asked about.
_NAMES = ("query", "place", "other")
#: A request longer than this holds a text to work on, in characters.
_LONGEST = 2000
#: Times with no more than this between them are said together: "from the 4th to the 6th of June".
_TOGETHER = 8
_MONTHS = tuple(calendar.month_name)[1:]
#: What is a time although it is no day: a year, or a month by itself.
_PERIOD = re.compile(rf"\b(?:(?:1[5-9]|20)\d\d|{'|'.join(_MONTHS)})\b")

Span = tuple[int, int]


def named(
    words: Sequence[TypedValue], wish: SaidWish, fits: Fitting, graph: ToolGraph
) -> tuple[TypedValue, ...]:
    """The words of a wish with the name, role ``name``, and the time that its tools from elsewhere
    are asked with, where it says any; as they are where there is no such tool."""
    foreign, text = [tool for tool in fits.chain if _is_told(tool, graph.toolbox)], wish.text
    if not foreign or len(text) > _LONGEST:
        return tuple(words)
    said = mentions_in(text)
    original = wish.shown.original
    heard = {role: original(*span) for role, span in wish.wish.words.items()}
    around = [original(*span) for span in wish.wish.spans]
    within = [heard[role] for role in _NAMES if role in heard]
    name = _name(said, within)
    if not name and any(graph.finds(tool) for tool in foreign):
        name = _name(said, around) or ("" if within else _name(said, [(0, len(text))]))
    time = _time(said, text, around)
    if "time" in heard and not _name(said, [heard["time"]]):
        time = text[slice(*heard["time"])]
    found = [item for item in words if item.role != "time"]
    if name:
        takes_more = any(
            item.type == "text" and not may_be_name(item) for tool in foreign for item in tool.args
        )
        replaced = _NAMES if takes_more else (*_NAMES, "content")
        found = [_unquoted(item, said) for item in found if item.role not in replaced]
    times = [TypedValue("text", time, "time")] if time else []
    return (TypedValue("text", name, "name"), *times, *found) if name else (*found, *times)


def _is_told(tool: Tool, toolbox: Toolbox) -> bool:
    """Whether it is a tool from elsewhere that has to be told something in words."""
    return toolbox.is_foreign(tool.name) and any(item.type == "text" for item in tool.required)


def _unquoted(item: TypedValue, said: Sequence[Mention]) -> TypedValue:
    """A text that is handed over in quotation marks, without the words around it."""
    quoted = (str(one.value) for one in said if one.kind == "quoted")
    return replace(item, value=next((one for one in quoted if one in item.value), item.value))


def _name(said: Sequence[Mention], spans: Sequence[Span]) -> str:
    """The last name within some spans, or touched by them; else the last that is quoted there."""
    for kinds in (("name", "code"), ("quoted",)):
        names = [
            str(item.value)
            for item in _within(said, spans)
            if item.kind in kinds and item.value not in _MONTHS
        ]
        if names:
            return names[-1]
    return ""


def _time(said: Sequence[Mention], text: str, spans: Sequence[Span]) -> str:
    """The last that a wish says of a date or a time, or of both where they are said together."""
    times = [
        (item.start, item.end) for item in _within(said, spans) if item.kind in ("date", "time")
    ]
    if not times:
        times = [found.span() for span in spans for found in _PERIOD.finditer(text, *span)][-1:]
    if not times:
        return ""
    begin, end = times[-1]
    for first, last in reversed(times[:-1]):
        if begin - last <= _TOGETHER:
            begin = first
    return text[begin:end]


def _within(said: Sequence[Mention], spans: Sequence[Span]) -> Iterator[Mention]:
    """What touches some spans, but languages, which are written like names and are none."""
    languages = {item.start for item in said if item.kind == "language"}
    for item in said:
        is_language = item.kind == "name" and item.start in languages
        if not is_language and any(item.start < end and item.end > start for start, end in spans):
            yield item
