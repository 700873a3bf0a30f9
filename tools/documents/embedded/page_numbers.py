"""Page numbers as people ask for them: that they are asked for, in which form, on which pages.

A form is written with 1 in place of the page's number and n in place of how many there are:
"1 / n", "Page 1 of n", "- 1 -"; "i" stands for Roman figures.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from controlllm.toolbox import ToolError
from controlllm.values import Colour, Kind, Pages, Place, kind_of_hint
from controlllm.values.kinds import Found
from controlllm.values.plain import HIDDEN, plain

from . import pdf_files

_OF_ALL = re.compile(
    r"(?P<page>\b(?:page|p\.|pg\.?|seite) ?)?(?<![\w./])(?:\d+|x|n|#)(?P<between> ?/ ?| of | "
    r"out of | von )(?:\d+|y|n|m|z|total)(?![\w/]| (?:pages|sheets|the))"
)
_DASHED = re.compile(r"(?<![\w-])- ?(?:\d+|x|n) ?-(?!\w)|\b(?:between|with|in) dashes\b")
_PAGE = re.compile(
    r"\b(?:as|like|say\w*|reading|form|format|style|written)[:,]? (?:the )?page \d+\b|"
    r"\bpage 1(?:,| and|,? then) ?page 2\b"
)
_ROMAN = re.compile(r"\broman\b(?: (?:figures|numerals|numbers))?|\bi, ?ii\b(?:, ?iii)?")
_HOW_MANY = re.compile(
    r"\b(?:out )?of (?:all|how many)\b|\b(?:the |a )?total\b|\bhow many (?:pages )?there are\b"
)
#: The words that ask for numbers on the pages.
_ASKED = re.compile(
    r"\bpage[ -]?(?:numbers?|nos?\b|numbering|numerals?)|\b"
    r"number(?:ed|ing|s)? (?:on |for |of |at )?(?:all |the |each |every |its |of ){0,3}"
    r"(?:pages?|sheets?)\b|"
    r"\bpaginat\w+|\bpages? (?:\w+ ){0,3}(?:numbers?|numbered)\b|\bseitenzahl\w*|"
    r"\bpage (?:x|n|1)(?: of |/)(?:y|n|m|\d+)\b|\bpage 1(?:,| and|,? then) ?page 2\b"
)
_EXCEPT = re.compile(
    r"\b(?:not|not on|except|except for|except on|without|skip\w*|leav\w+ out|leav\w+|all but|"
    r"apart from|other than|no (?:page )?numbers? (?:on|for)) (?:the )?"
    r"(?:(?P<word>first|title|cover|front|last)(?: (?:page|sheet|one))?|"
    r"(?:first (?P<many>\d+) pages|pages? (?P<number>\d+(?: ?(?:,|-|&|and|to) ?\d+)*)))\b"
    r"(?: (?:out|blank|alone))?"
)
_FROM = re.compile(
    r"(?:\b(?:from|start\w* (?:on|at|with|from))|(?:(?<= at \d )|(?<= with \d )|(?<= from \d ))on) "
    r"(?:the )?(?:page (?P<number>\d+)|(?P<word>second|"
    r"third) page)\b(?! ?(?:to|-|until|till|through))(?: on\w*)?"
)
_BEGINS = re.compile(
    r"\b(?:begin\w*|start\w*|count\w*|number\w*)(?: the)?(?: (?:page )?(?:numbers?|numbering|count"
    r"\w*))?(?: (?:at|with|from|as))+(?: the)?(?: number)? (?!(?:page|the) )(?P<first>\d{1,4})\b"
    r"(?! ?(?:/|of|pages?|mm|cm|pt)\b)|"
    r"\bfirst (?:page )?number (?:is|should be|shall be|being) (?P<named>\d{1,4})\b|"
    r"(?<=page \d) with (?P<with>\d{1,4})\b|"
    r"\b(?:page|one|sheet)(?: \w+){0,4} (?:is|as|gets|becomes|should be|shall be|be|being|has|"
    r"carries)(?: the)?(?: number| page number| page)? (?P<is>\d{1,4})\b(?! ?(?:/|of)\b)"
)
_ORDER_WORDS = frozenset(
    "a an the please put add write stamp number numbers page pages sheet sheets on at in of to "
    "each every all foot head edge corner side hand footer header document pdf it its them and "
    "like as form format style with so etc on across over big large small bold my our this me i "
    "want need but not would could can you for side margin line up down out x y n centre "
    "middle center watermark stamp".split()
)


def _forms(words: str) -> Iterator[Found]:
    for match in _OF_ALL.finditer(words):
        form = f"1{match['between']}n"
        yield Found(f"Page {form}" if match["page"] else form, *match.span())
    for pattern, form in (
        (_DASHED, "- 1 -"),
        (_PAGE, "Page 1"),
        (_ROMAN, "i"),
        (_HOW_MANY, "1 / n"),
    ):
        for match in pattern.finditer(words):
            yield Found(form, *match.span())


FORM = Kind("a form of numbers, such as 1 / n or Page 1 of n", _forms, r".*(?:1|\bi\b).*")


def _asked(words: str) -> Iterator[Found]:
    for match in _ASKED.finditer(words):
        form = next(_forms(words), None)
        yield Found(form.value if form else "1", *match.span())


ASKED = Kind("page numbers, such as 1 / n or Page 1 of n", _asked, r".*(?:1|\bi\b).*")


def _pages(words: str) -> Iterator[Found]:
    for match in _EXCEPT.finditer(words):
        left_out = "last" if match["word"] == "last" else "1"
        if match["many"]:
            left_out = f"1-{match['many']}"
        if match["number"]:
            left_out = re.sub(" ?(?:,|&|and) ?", ",", re.sub(" ?(?:-|to) ?", "-", match["number"]))
        yield Found(f"not {left_out}", *match.span())
    for match in _FROM.finditer(words):
        first = match["number"] or str(2 + (match["word"] == "third"))
        yield Found(f"{first}-", *match.span())
    # "Page 1 of 5" is how the numbers look.
    for form in _forms(words):
        words = words[: form.start] + HIDDEN * (form.end - form.start) + words[form.end :]
    if asked := kind_of_hint(Pages):
        yield from asked[1].find(words)


PAGES = Kind(
    "pages, such as 2 to 5 or not the first",
    _pages,
    r"(?:\d+(?:-\d+)?|last\d*|odd|even|all)(?:,(?:\d+(?:-\d+)?|last\d*))*|"
    r"not (?:\d+(?:-\d+)?|last)(?:,\d+(?:-\d+)?)*|\d+-",
)


def _beginnings(words: str) -> Iterator[Found]:
    for match in _BEGINS.finditer(words):
        yield Found(
            int(match["first"] or match["named"] or match["with"] or match["is"]), *match.span()
        )


BEGINS = Kind("the first number, such as starting with 5", _beginnings, r"\d{1,4}")


def form_in(text: str) -> str:
    """The form of numbers that a text shows, also in quotation marks; empty where it shows none."""
    found = next(_forms(plain(re.sub(r"[\"“”„«»]", " ", text))), None)
    return found.value if found else ""


def spelt(pages: str, count: int) -> str:
    """Pages as they are said here, as pages that every tool understands; all where none are.

    Raises ToolError where none is left.
    """
    left_out, first = re.fullmatch(r"not (.+)", pages), re.fullmatch(r"(\d+)-", pages)
    if first:
        return f"{first[1]}-{count}" if int(first[1]) <= count else first[1]
    if left_out:
        without = set(pdf_files.places(left_out[1], count))
        kept = [str(number + 1) for number in range(count) if number not in without]
        if not kept:
            raise ToolError("All pages of this PDF shall stay as they are. Leave fewer out.")
        return ",".join(kept)
    return pages or "all"


def written(form: str, number: int, count: int) -> str:
    """The number of a page in a form."""
    from roman_numerals import RomanNumeral

    if re.search(r"\bi\b", form):
        return re.sub(r"\bi\b", RomanNumeral(number).to_lowercase(), form)
    return re.sub(r"1|\bn\b", lambda held: str(number if held[0] == "1" else count), form)


def is_of_the_order(words: str) -> bool:
    """Whether words say only where, in which form and colour something is to be written, and
    nothing that could be written."""
    left = plain(words)
    kinds = [ASKED, FORM, PAGES, *(kind_of_hint(hint)[1] for hint in (Place, Colour))]  # type: ignore[index]
    for kind in kinds:
        for found in kind.find(left):
            left = left[: found.start] + " " * (found.end - found.start) + left[found.end :]
    return not set(re.findall(r"[^\W_]+", left)) - _ORDER_WORDS
