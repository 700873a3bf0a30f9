"""Pages of documents that words name: "what does the second page show", "pages 2 and 3".

A page that is named is meant as the picture that it is, and its text can be read off that picture;
but for what is done to pages of a document: "keep only page 2", "turn the last page".
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from controlllm.core.plans import Request, Subtask
from controlllm.resources import Resource
from controlllm.toolbox import Tool, Toolbox
from controlllm.values.plain import UP_TO_TWELVE

#: Places of pages; those before zero are counted from the end.
_ORDINALS = {
    **{
        word: number
        for number, word in enumerate(
            "first second third fourth fifth sixth seventh eighth ninth tenth eleventh"
            " twelfth".split(),
            1,
        )
    },
    "last": -1,
    "final": -1,
    "second to last": -2,
    "next to last": -2,
    "penultimate": -2,
}
_NUMBER = rf"(?:\d{{1,4}}|{'|'.join(UP_TO_TWELVE)})"
_ORDINAL = rf"(?:\d{{1,4}}(?:st|nd|rd|th)|(?:second|next)[\s-]to[\s-]last|{'|'.join(_ORDINALS)})"
_JOIN = r"\s*(?:,\s*and|,|and|&|or)\s*"
_RANGE = r"\s*(?:to|through|until|-|–)\s*"  # noqa: RUF001
_OTHER_PAGES = r"(?<!web )(?<!home )(?<!landing )(?<!per )(?<!a )(?<!an )"
_SAID = re.compile(
    rf"(?:\bthe\s+|\bits\s+)?{_OTHER_PAGES}(?:"
    rf"\b(?:pages?|pgs?\.?|pp?\.)\s*(?:no\.?|number|\#)?\s*(?P<numbers>{_NUMBER}\b"
    rf"(?:(?:{_JOIN}|{_RANGE})(?:pages?\s+)?{_NUMBER}\b)*)"
    rf"|\b(?P<end>first|last)\s+(?P<count>{_NUMBER})\s+pages\b"
    rf"|\b(?P<places>{_ORDINAL}(?:{_JOIN}(?:the\s+)?{_ORDINAL})*)\s+pages?\b"
    r")(?!\s+(?:numbers?|long|story|essay|summary|report|each)\b)",
    re.IGNORECASE,
)
_OF = (
    r"\s+(?:of|in|from|on)\s+(?:the\s+|this\s+|that\s+|my\s+)?(?:{name}|pdf|document|file|it)(?!\w)"
)
#: What only asks to see pages, and nothing to be done with them.
_SHOWS = frozenset(
    "a an and as can convert could display each export extract file files get give has have i image"
    " images into is it jpeg jpg just let like look make me need of only open or out page pages"
    " photo picture pictures please png render s save see show take the them to turn us want we"
    " what will with would you your".split()
)
_ASKS = re.compile(r"\bwhat\b", re.IGNORECASE)
_WORD = re.compile(r"[a-z]+")


@dataclass(frozen=True)
class NamedPages:
    """Pages that a stretch of a request names: of each document the numbers, which count from 1.

    `start` and `end` are characters of the request's text. Numbers are as they were said: there
    need not be such pages.
    """

    start: int
    end: int
    pages: tuple[tuple[str, int], ...]


def named_pages(request: Request) -> tuple[NamedPages, ...]:
    """Where a request names pages of documents that it is about, in order."""
    documents = _documents(request)
    if not documents:
        return ()
    found = []
    for said in _SAID.finditer(request.text):
        names = "|".join(re.escape(item.value) for item in documents)
        of = re.compile(_OF.format(name=f"(?P<name>{names})"), re.IGNORECASE)
        behind = of.match(request.text, said.end())
        named = (behind["name"] or "").lower() if behind else ""
        about = [item for item in documents if item.value.lower() == named] or documents
        end = behind.end() if behind else said.end()
        pages = tuple(
            (item.value, number)
            for item in about
            for number in _numbers(said, int(item.details["pages"]))
        )
        found.append(NamedPages(said.start(), end, pages))
    return tuple(found)


def with_pictures(
    request: Request,
    named: Sequence[NamedPages],
    pictures: Mapping[tuple[str, int], Resource],
) -> Request:
    """A request that speaks of the pictures of its pages instead, by their names."""
    text = request.text
    for said in reversed(named):
        names = [pictures[page].value for page in said.pages]
        listed = " and ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names)
        text = text[: said.start] + listed + text[said.end :]
    # Of a document only pages are meant, unless it is spoken of besides.
    gone = {value for value, _ in pictures if value not in text}
    made = {item.value: item for item in pictures.values()}
    kept = [item for item in request.resources if item.value not in {*gone, *made}]
    attached = [value for value in request.attached if value not in gone]
    return replace(
        request,
        text=text,
        resources=(*kept, *made.values()),
        there=(),
        attached=tuple(dict.fromkeys([*attached, *made])),
    )


def only_shows(request: Request, named: Sequence[NamedPages]) -> bool:
    """Whether a request wants nothing but the pages it names: "page 3 as a picture"."""
    left = request.text
    for said in reversed(named):
        left = left[: said.start] + " " + left[said.end :]
    for item in request.resources:
        left = left.replace(item.value, " ")
    return not _ASKS.search(left) and set(_WORD.findall(left.lower())) <= _SHOWS


def works_on_pages(subtasks: Sequence[Subtask], toolbox: Toolbox) -> bool:
    """Whether what a request asks is most likely done by a tool that takes a document and is told
    which of its pages."""
    for subtask in subtasks:
        likeliest = max(subtask.ends, key=subtask.ends.__getitem__, default="")
        if likeliest in toolbox and _takes_pages(toolbox[likeliest]):
            return True
    return False


def _takes_pages(tool: Tool) -> bool:
    takes_document = any(item.type == "document" for item in tool.required)
    return takes_document and any(setting.name == "pages" for setting in tool.parameters)


def _documents(request: Request) -> list[Resource]:
    """The documents with pages that a request is about: named, handed over, or the newest."""
    known = [item for item in request.resources if {"pages", "original"} <= item.details.keys()]
    named = [item for item in known if item.value.lower() in request.text.lower()]
    handed = [item for item in known if item.value in request.attached]
    return named or handed or ([] if request.attached else known[-1:])


def _numbers(said: re.Match[str], count: int) -> list[int]:
    if said["end"]:
        number = _number(said["count"])
        first = 1 if said["end"].lower() == "first" else count - number + 1
        return list(range(first, first + number))
    if said["places"]:
        places = re.findall(_ORDINAL, said["places"], re.IGNORECASE)
        return [_place(place, count) for place in places]
    numbers: list[int] = []
    for joined in re.split(_JOIN, said["numbers"], flags=re.IGNORECASE):
        ends = [_number(it) for it in re.findall(rf"{_NUMBER}\b", joined, re.IGNORECASE)]
        numbers += range(ends[0], ends[-1] + 1) if ends[-1] >= ends[0] else ends
    return numbers


def _number(word: str) -> int:
    return int(word) if word.isdecimal() else UP_TO_TWELVE[word.lower()]


def _place(word: str, count: int) -> int:
    plain = re.sub(r"[\s-]+", " ", word.lower())
    place = int(re.sub(r"\D", "", plain)) if plain[0].isdecimal() else _ORDINALS[plain]
    return place if place > 0 else count + 1 + place
