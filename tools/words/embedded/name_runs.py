"""The runs of words with a capital in a text that may be names."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from ...shared.function_words import FUNCTION_WORDS
from .amounts_and_dates import Found
from .gazetteers import NAME_WORDS, gazetteers

_LONGEST_NAME = 80
_SHORTENED = frozenset(["Inc", "Ltd", "Co", "Corp", "Bros"])
#: After these, "of" goes on with a name ("House of", "Bank of"), after those it does not.
_TAKE_OF = frozenset("House Statue Order Friends Chamber Confederation Emirates States".split())
_TAKE_NO_OF = frozenset("Team State Office Service Group Park Police Coast Shore".split())
_ENDS = NAME_WORDS["organisation_ends"] | NAME_WORDS["place_ends"]
_TOKEN = re.compile(
    r"[A-Z](?:\.[A-Z])+\.?|[^\W\d_]+(?:['’](?!s\b)[^\W\d_]+|-[^\W\d_]+|\.(?:com|org|net|io)\b)*"
    r"(?:\d+(?!\w))?|&|\d+(?:[.,]\d+)*|['’]s\b|[^\w\s]"
)


@dataclass
class Word:
    """A word or mark of a text; `first` in its sentence or line, `taken` by a date or a number, in
    a `heading`, where capitals say nothing."""

    text: str
    start: int
    end: int
    first: bool
    taken: bool = False
    heading: bool = False

    @property
    def capital(self) -> bool:
        return self.text[0].isupper()

    @property
    def goes_on(self) -> bool:
        """Whether it can go on with a name."""
        return self.capital and not self.taken


@dataclass
class Mention:
    """A run of words that may be a name, with what stands before and after it, whether a title
    does, and how much speaks for each kind."""

    words: list[Word]
    before: str
    after: str
    title: bool = False
    evidence: dict[str, float] = field(default_factory=lambda: defaultdict(float))

    @property
    def name(self) -> str:
        joined = self.words[0].text
        for last, word in zip(self.words, self.words[1:], strict=False):
            joined += (" " if word.start > last.end else "") + word.text
        return joined


def mentions_in(text: str, numbers: Sequence[Found]) -> list[Mention]:
    """The runs in order; what is a date or a number is in none of them."""
    words = _words_of(text, numbers)
    inner = {word.text for word in words if word.capital and not word.first and not word.heading}
    mentions: list[Mention] = []
    place = 0
    while place < len(words):
        end = place + 1
        if _may_begin(words, place, inner):
            end = _end_of_run(words, place)
            found = _mention(_without_links(words[place:end]), text)
            mentions += [found] if found else []
        place = end
    return mentions


def _words_of(text: str, numbers: Sequence[Found]) -> list[Word]:
    headings, shouted = _headings(text)
    words: list[Word] = []
    first = True
    for match in _TOKEN.finditer(text):
        start, end = match.span()
        first = first or "\n" in (text[words[-1].end : start] if words else "")
        written = match[0].capitalize() if _within(start, shouted) else match[0]
        taken = any(found.start < end and start < found.end for found in numbers)
        words.append(Word(written, start, end, first, taken, _within(start, headings)))
        if match[0] in ".!?…" and not _is_abbreviation(words):
            first = True
        elif match[0] in ':—–•*"“‘«':
            # What begins a quotation or a list may owe its capital to that.
            first = True
        elif re.match(r"\w", match[0]):
            first = False
    return words


def _within(place: int, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start <= place < end for start, end in spans)


def _headings(text: str) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Where lines begin and end whose words all have capitals, and of these the shouted ones."""
    headings, shouted = [], []
    for match in re.finditer(r"[^\n]+", text):
        letters = [word for word in re.findall(r"[^\W\d_]+", match[0]) if len(word) > 3]
        sentence = re.search(r"[.!?]\s*$", match[0]) or len(letters) < 4
        if len(letters) > 2 and sum(word.isupper() for word in letters) > 0.8 * len(letters):
            shouted.append(match.span())
            headings.append(match.span())
        elif not sentence and sum(word[0].isupper() for word in letters) > 0.85 * len(letters):
            headings.append(match.span())
    return headings, shouted


def _is_abbreviation(words: Sequence[Word]) -> bool:
    """Whether the full stop that comes last only ends a shortened word."""
    if len(words) < 2 or words[-2].end != words[-1].start:
        return False
    last = words[-2].text
    return last in NAME_WORDS["titles"] | {"St", "No", "Mt", "vs"} or (
        len(last) == 1 and last.isupper()
    )


def _may_begin(words: Sequence[Word], place: int, inner: set[str]) -> bool:
    """Whether a name may begin here; a capital at the beginning of a sentence is not enough."""
    word, known = words[place], gazetteers()
    if word.taken:
        return False
    following = words[place + 1] if place + 1 < len(words) else None
    if following and _begins_organisation(word, following):
        return True
    lower = word.text.lower()
    if not word.capital or word.text in NAME_WORDS["outside"] | known.other:
        return False
    if lower in FUNCTION_WORDS:
        return False
    if not (word.first or word.heading) or known.has(word.text):
        return True
    if word.text in NAME_WORDS["titles"]:
        return True
    if word.heading:
        return lower not in known.ordinary and word.text in inner
    if word.text in inner or lower not in known.ordinary:
        return True
    if following is None or not following.goes_on:
        return False
    if word.text in NAME_WORDS["name_beginnings"]:
        return True
    plain_ending = re.search(r"(?:ing|ly|ed)$", lower)
    return not (following.text in known.other or known.has(following.text) or plain_ending)


def _begins_organisation(word: Word, following: Word) -> bool:
    """Whether a word that is no name of its own begins one: "American Airlines"."""
    other = word.text in gazetteers().other and len(word.text) > 3
    return other and following.text in NAME_WORDS["organisation_ends"]


def _end_of_run(words: Sequence[Word], place: int) -> int:
    """Where the run of words with a capital that begins here ends."""
    end = place + 1
    while end < len(words) and not words[end].taken and not words[end].first:
        more = _words_more(words, place, end)
        if not more:
            break
        end += more
    return end


def _words_more(words: Sequence[Word], place: int, end: int) -> int:
    """How many of the words from `end` go on with the name from `place`."""
    word, last = words[end], words[end - 1]
    following = words[end + 1] if end + 1 < len(words) else None
    joins = following is not None and following.goes_on
    spaced = word.start - last.end
    if word.text == "." and not spaced:
        initial = len(last.text) == 1 and last.capital
        shortened = last.text in NAME_WORDS["titles"] | {"St", "Mt"}
        inside = following is not None and (following.text[0].islower() or following.text in ",;:)")
        return int(initial or shortened or (last.text in _SHORTENED and inside))
    if spaced > 1:
        return 0
    if word.capital:
        return int(word.text not in NAME_WORDS["outside"] | gazetteers().other)
    if word.text in ("plc", "inc", "ltd"):
        return 1
    if word.text == "of":
        the = following is not None and following.text == "the" and end + 2 < len(words)
        more = 2 if joins else 3 if the and words[end + 2].capital else 0
        return more if _takes_of(last) else 0
    if joins and word.text in NAME_WORDS["links"] | {"&"}:
        return 2
    if joins and word.text == "and" and _takes_and(words[place:end]):
        return 2
    of_it = following is not None and following.text in NAME_WORDS["organisation_ends"] | {
        "Cathedral",
        "Square",
        "Park",
    }
    return 2 if word.text in ("'s", "’s") and of_it else 0


def _takes_of(head: Word) -> bool:
    """Whether "of" after this word belongs to the name: "Bank of", "Gulf of", "Isle of"."""
    return head.text in (_ENDS | _TAKE_OF) - _TAKE_NO_OF


def _takes_and(run: Sequence[Word]) -> bool:
    """Whether "and" is inside the name, as in "Ministry of Health and Welfare"."""
    ministry = any(word.text in ("Ministry", "Department", "Institute") for word in run[:2])
    return ministry and run[-1].text.lower() in gazetteers().ordinary


def _without_links(run: list[Word]) -> list[Word]:
    """The run without links and marks at its end."""
    while run and (run[-1].text in NAME_WORDS["links"] | {"&"} or not run[-1].text[0].isalpha()):
        if run[-1].text == "." and len(run) > 1 and run[-2].text in _SHORTENED:
            break
        run = run[:-1]
    return run


def _mention(run: list[Word], text: str) -> Mention | None:
    title = False
    while run and (run[0].text in NAME_WORDS["titles"] or run[0].text == "."):
        title = title or run[0].text != "."
        run = run[1:]
    if run and run[0].text == "State" and re.search(r"Secretary of\s$", text[: run[0].start]):
        run, title = run[1:], True
    if not any(re.match(r"\w", word.text) for word in run):
        return None
    if run[-1].end - run[0].start > _LONGEST_NAME:
        return None
    if len(run) == 1 and (len(run[0].text) < 2 or run[0].text in NAME_WORDS["outside"]):
        return None
    before = text[max(run[0].start - 60, 0) : run[0].start]
    return Mention(run, before, text[run[-1].end : run[-1].end + 60], title)
