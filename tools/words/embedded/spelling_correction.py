"""Mistakes of spelling and grammar mended: Harper's rules, and lists of common misspellings.

Harper (Apache-2.0) checks English offline. Only what it finds both in American and in British
English is taken for a mistake, and a capitalised word that no dictionary has for a name. The lists
lie in ``assets/language``.
"""

from __future__ import annotations

import re
import threading
from functools import lru_cache
from typing import Any

from controlllm.models import resident

from .language_requests import pieces_of
from .languages import language_of
from .text_edits import sentence_case, tidy_spaces
from .word_lists import lines_of

#: Kinds of remarks that are a matter of taste, or that names and shortened words draw.
_TASTE = frozenset("Capitalization Enhancement Formatting Readability Regionalism Style".split())
#: Rules that took correct words for others in correct texts.
_UNSURE_RULES = (
    "CompoundNouns MergeWords SplitWords MissingTo WrongNegative Overall InDetail "
    "ExpandMemoryShorthands ExpandTimeShorthands"
).split()
#: A shorter word that is in no dictionary is rather shortened or foreign: "plc", "von".
_LEAST_LETTERS = 4
#: How many characters are checked at once.
_AT_ONCE = 20_000
#: Of a long text so many characters tell the language.
_READ_FOR_LANGUAGE = 2_000
#: One linter cannot be asked by two threads at once.
_turn = threading.Lock()


def corrected(text: str) -> str:
    """The text with mistakes of spelling and grammar, shorthand, capitals and spaces mended; of
    other languages than English only spaces and capitals."""
    text = re.sub(r"(?<![\w@./#-])[\w'’/]+(?![\w@]|[./-]\w)", _from_lists, tidy_spaces(text))
    text = re.sub(r"\bi(?='(?:m|ve|ll|d)\b|\b(?!\.[a-z]|[-/']))", "I", text)
    text = exchanged_patterns(text, "confused-words")
    if _is_english(text[:_READ_FOR_LANGUAGE]):
        text = "".join(map(_checked, pieces_of(text, _AT_ONCE)))
    text = sentence_case(re.sub(r"([!?,;])\1+(?!\1)", r"\1", text))
    if re.search(r"\w$", text) and len(text.split()) > 4 and "\n" not in text:
        text += "."
    return text


def written_out(text: str) -> str:
    """The text with "do not" for "don't" and the like."""
    return exchanged_patterns(text.replace("’", "'"), "contractions")


def exchanged_patterns(text: str, name: str) -> str:
    """The text with each pattern of a list exchanged for the words beside it, capitals kept."""
    for pattern, words in _patterns(name):
        text = pattern.sub(lambda match: as_begun(match[0], match.expand(words)), text)  # noqa: B023
    return text


def as_begun(old: str, new: str) -> str:
    """The new words with a capital where the old ones have one."""
    return new[:1].upper() + new[1:] if old[0].isupper() else new


def _is_english(text: str) -> bool:
    """Whether a text, perhaps full of mistakes, may be English; in doubt it is."""
    if language_of(text) in ("en", None):
        return True
    with _turn:
        return bool(_linters()[0].is_likely_english(text))


def _checked(text: str) -> str:
    """The text with what Harper finds mended."""
    with _turn:
        american, british = (linter.lint(text) for linter in _linters())
    agreed = {(lint.span.start, lint.span.end) for lint in british}
    parts: list[str] = []
    done = 0
    for lint in sorted(american, key=lambda lint: (lint.span.start, -lint.span.end)):
        start, end = lint.span.start, lint.span.end
        right = _mended(text, lint) if (start, end) in agreed and start >= done else None
        if right is not None:
            parts += [text[done:start], right]
            done = end
    return "".join([*parts, text[done:]])


def _mended(text: str, lint: Any) -> str | None:
    """What should stand instead, None where a remark is no sure mistake."""
    wrong, start, end = lint.problem_text, lint.span.start, lint.span.end
    if lint.lint_kind in _TASTE or not lint.suggestions:
        return None
    right = lint.suggestions[0]
    if lint.lint_kind == "Spelling":
        around = text[max(start - 1, 0) : start], text[end : end + 2]
        inside = re.match(r"[\w./@#_-]", around[0]) or re.match(r"[\w/@_-]|\.\w", around[1])
        if inside or not re.fullmatch(rf"[a-z']{{{_LEAST_LETTERS},}}", wrong):
            return None
        # Few mistype the first letter; of names in small letters ("json") it often changes.
        if right.replacement_text[:1].lower() != wrong[0]:
            return None
    return None if right.kind.name == "INSERT_AFTER" else str(right.replacement_text)


@resident
def _linters() -> tuple[Any, Any]:
    """Harper for American and for British English; they share one dictionary."""
    from harper import Dialect, Linter

    linters = Linter(Dialect.AMERICAN), Linter(Dialect.BRITISH)
    for linter in linters:
        linter.set_lint_config(dict.fromkeys(_UNSURE_RULES, False))
    return linters


def _from_lists(match: re.Match[str]) -> str:
    word = match[0].replace("’", "'")
    instead = _right_words().get(word.lower())
    if instead is None or (word.isupper() and len(word) > 1 and word.lower() != "teh"):
        return match[0]
    return as_begun(word, instead)


@lru_cache(maxsize=1)
def _right_words() -> dict[str, str]:
    lines = lines_of("misspellings") + lines_of("shorthand")
    return {wrong.lower(): right for wrong, right in (line.split(" ", 1) for line in lines)}


@lru_cache(maxsize=4)
def _patterns(name: str) -> list[tuple[re.Pattern[str], str]]:
    pairs = (line.rsplit("|", 1) for line in lines_of(name))
    return [(re.compile(pattern, re.IGNORECASE), words) for pattern, words in pairs]
