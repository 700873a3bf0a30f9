"""What a kind of value is: how it is found in plain words, and what a person may type for it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, get_args, get_origin

from controlllm.values.plain import UP_TO_TWELVE, plain


@dataclass(frozen=True)
class Found:
    """A value with where it stands in plain words, from `start` to `end`."""

    value: Any
    start: int
    end: int


@dataclass(frozen=True)
class Kind:
    """A kind of value.

    `name` is what a person calls it, with an example behind; `find` gives all of its values in
    plain words (see `plain.plain`), the surest first. `form` is a pattern of how a value that is
    text is written in plans.
    """

    name: str
    find: Callable[[str], Iterator[Found]]
    form: str = "(?!)"

    def read(self, text: str) -> Any:
        """The value that a person typed for it, in its own form or in words; None where the words
        hold none."""
        if re.fullmatch(self.form, text.strip()):
            return text.strip()
        return next((found.value for found in self.find(plain(text))), None)


def found_in(words: str, *forms: tuple[str | re.Pattern[str], Any]) -> Iterator[Found]:
    """What stands in plain words for values, pattern by pattern, each with its value or with what
    makes it of a match."""
    for pattern, value in forms:
        for match in re.finditer(pattern, words):
            yield Found(value(match) if callable(value) else value, *match.span())


def phrase(words: str) -> str:
    """A pattern for a phrase: any blank or hyphen between its words, "_" where a plan has it; a
    number in words stands in figures too, as plain words have it."""
    return r"[ _-]?".join(map(_word, re.split(r"[ _-]", words)))


def _word(word: str) -> str:
    number = UP_TO_TWELVE.get(word)
    return f"(?:{re.escape(word)}|{number})" if number else re.escape(word)


def Choice(**words: str) -> Kind:  # noqa: N802 - it stands in annotations, where types stand
    """One of a few values: `jpeg="jpg jpeg"` has the words that people say for each, "_" in place
    of a blank. The value's own name is always among them."""
    return Kind(f"one of {', '.join(words)}", lambda text: _chosen(words, text))


def Flag(*phrases: str) -> Kind:  # noqa: N802
    """Something that is switched on by one of some phrases."""
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(phrase, phrases))})(?!\w)")
    return Kind(
        "yes or no",
        lambda text: (
            Found(True, *found.span())
            for found in pattern.finditer(text)
            if not _is_denied(text, *found.span())
        ),
    )


#: What comes before something that is not to be: "as MP4, not MOV", "don't stretch it".
_DENYING = re.compile(
    r"(?:(?<!why )\bnot|\b(?:no|(?<!of )nothing|never|nor|without|instead of|rather than|"
    r"(?:rather|sooner|better)(?: [^.;]{1,40})? than)|n't) (?:\w+ ){0,2}$"
)
#: What comes before something that is there and compared: "the intro is much louder than the talk".
_COMPARING = re.compile(
    r"(?:^|[,.;])(?![^,.;]*\b(?:so|sure|until|till)\b)[^,.;]*(?:\b(?:is|are|was|were)|'s) "
    r"(?:\w+ ){0,2}$"
)
#: A name of letters with a figure or without a vowel, of which there may be several: "JPGs".
_SHORT_NAME = re.compile(r"[a-z]*\d+[a-z]*|[^\W\d_aeiouy]+")
_FARTHEST = 80


#: What tells that something is so already: "an MP4 from this MOV", "mine is a WAV", "it is stereo".
_TOLD = re.compile(
    r"(?:\b(?:from|out of|this|that|these|those|my|our|his|her|their)|"
    r"\b(?:this|that|it|they|these|those|file|video|clip|film|recording|one|mine|i)"
    r"(?:'s| is| are|'re|'ve| have)(?: got)?(?: only| just| still)?) (?:an? |the |my |this )?$"
)
#: What is said of what does not work: "the left is broken".
_BAD = re.compile(
    r"(?: \w+)?(?: is| was| are|'s| has)(?: \w+)? (?:broken|dead|damaged|defect\w*|empty|silent|"
    r"gone|useless|nois\w+|hiss\w*|distort\w+|crackl\w+|missing|forbidden|banned|"
    r"not (?:allowed|accepted|possible|wanted))\b"
)
_FILE = re.compile(r" (?:files?|recordings?|interviews?|tracks?|originals?)\b|(?: right)? now\b")


def _is_told(text: str, start: int, end: int) -> bool:
    """Whether words from `start` to `end` of plain words only tell what is there."""
    before = text[max(0, start - _FARTHEST) : start]
    is_a_file = re.search(r"\b(?:the|is an?) $", before) and _FILE.match(text, end)
    return bool(is_a_file or _TOLD.search(before) or _BAD.match(text, end))


def _is_denied(text: str, start: int, end: int) -> bool:
    """Whether words from `start` to `end` of plain words are said not to be, or only compared."""
    before = text[max(0, start - _FARTHEST) : start]
    is_compared = text.startswith(" than ", end) and _COMPARING.search(before)
    return bool(is_compared or _DENYING.search(before))


def _chosen(words: Mapping[str, str], text: str) -> Iterator[Found]:
    found = []
    for name, said in words.items():
        for each in {name, *said.split()}:
            several = "s?" if _SHORT_NAME.fullmatch(each) else ""
            pattern = rf"(?<!\w)(?<!\w\.){phrase(each)}{several}(?!\w)"
            found += [
                Found(name, *match.span())
                for match in re.finditer(pattern, text)
                if not _is_denied(text, *match.span())
            ]
    # "More contrast" before "contrast": the longer phrase says more. Of several the last counts:
    # "turn the PNG into a JPEG". What is there already comes behind all others.
    found.sort(key=lambda item: (-item.end, item.start))
    longest: list[Found] = []
    for item in found:
        if not any(item.start < other.end and other.start < item.end for other in longest):
            longest.append(item)
    yield from sorted(longest, key=lambda item: _is_told(text, item.start, item.end))


def kind_of_hint(hint: Any) -> tuple[type, Kind] | None:
    """The Python type and the kind that an annotation names, or None where it names none."""
    if get_origin(hint) is Annotated:
        base, *extras = get_args(hint)
        for extra in extras:
            if isinstance(extra, Kind):
                return base, extra
    return None
