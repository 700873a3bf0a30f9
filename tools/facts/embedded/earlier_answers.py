"""Questions about what stands in another text, such as an earlier answer: "less 15 percent" of what
"3 x 14.90 + 22 is 66.70." came to, "in miles?" of "Those were 43.2 km.", "is that a weekday?"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import date

from controlllm.toolbox import ToolError

from . import calendar_questions, measures, sums
from .day_phrases import days_in

_NUMBER = r"(?<![\w.,])\d+(?:[,'. ]\d{3})*(?:[.,]\d+)?(?!\d|[.,]\d| ?%)"
_FIGURE = rf"(?:[€$£¥₹] ?)?{_NUMBER}(?![^\W\d])(?: ?(?:€|euros?\b|eur\b))?"
#: What a text comes to, the surest first: "95.04 in total", "Total: 86.40", "is 83.70".
_COMES_TO = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"({_FIGURE}) (?:in total|in all|altogether|each)\b",
        rf"\b(?:grand total|total|sum|amount due|balance)\b[^\d\n]{{0,20}}?({_FIGURE})",
        rf"(?:\b(?:is|are|was|were)|=)(?: about)? ({_FIGURE})",
        rf"({_FIGURE})",
    )
)
_THAT = re.compile(
    r"\b(?:(?:the|that|this) (?:total|sum|result|amount|bill|price|whole(?: thing)?|lot)|"
    r"that|this|it)\b",
    re.IGNORECASE,
)
#: The measure that an answer tells: "it is 565 days, or 80 weeks".
_MEASURE = re.compile(rf"\b(?:is|are|was|were) (?:about )?({_NUMBER} ?(?:°|[^\W\d])[^\s,;)]*)")
_THEN = re.compile(r"\b(?:that|this|then|it)(?: (?:day|date|one))?\b", re.IGNORECASE)
_THAT_YEAR = re.compile(r"\b(?:in )?(?:the same|that) year\b", re.IGNORECASE)


def sum_of(question: str, text: str) -> str:
    """The answer to a sum, with the figure that a text comes to where the sum lacks one."""
    figures = [found for form in _COMES_TO for found in form.findall(text)[-1:]]
    return _first(sums.answer, _sums(question, text, figures[0] if figures else ""))


def _sums(question: str, text: str, figure: str) -> Iterator[str]:
    yield question
    if figure:
        words = question.strip(" ?!.,")
        yield _THAT.sub(figure, words, count=1)
        for form in ("{0} {1}", "{0} and then {1}", "{1} of {0}", "{1} {0}"):
            yield form.format(figure, words)
    if text:
        yield text


def measure_of(question: str, text: str) -> str:
    """The answer to a conversion, with the measure that a text tells where it lacks one; of a list
    each line that has one is converted."""
    words, told = question.strip(" ?!.,"), _MEASURE.findall(text)[-1:]
    asked = (
        question,
        *(f"{one} {to}{words}" for one in told for to in ("", "in ")),
        f"{text}: {words}",
    )
    try:
        return _first(measures.answer, asked)
    except ToolError:
        found = []
        for line in text.splitlines():
            with suppress(ToolError):
                found.append(measures.answer(f"{line}: {words}"))
        if not found:
            raise
        return "\n".join(found)


def date_of(question: str, text: str, today: date) -> str:
    """The answer to a question about dates, with those that a text names where it lacks them."""
    named = [text[day.start : day.end] for day in days_in(text.lower(), today)]
    return _first(
        lambda asked: calendar_questions.answer(asked, today), _dated(question, text, named)
    )


def _dated(question: str, text: str, named: list[str]) -> Iterator[str]:
    yield question
    words = question.strip(" ?!.")
    if named:
        years = re.findall(r"\b\d{4}\b", named[-1])
        words = _THAT_YEAR.sub(years[-1] if years else r"\g<0>", words)
        yield _THEN.sub(named[-1], words, count=1)
    if len(named) > 1:
        yield f"{words} from {named[0]} to {named[1]}"
    if named:
        yield f"{words} {named[-1]}"
    if text:
        yield text


def _first(answer: Callable[[str], str], questions: Iterable[str]) -> str:
    """The answer to the first of some questions that has one; the first error where none has."""
    failed: ToolError | None = None
    for question in questions:
        try:
            return answer(question)
        except ToolError as error:
            failed = failed or error
    raise failed or ToolError("Nothing was asked.")
