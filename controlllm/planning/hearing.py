"""What the trained reader hears in a request: clauses, what each wants, words by their role."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from controlllm.core.plans import Request
from controlllm.planning.clauses import Clause, bare, is_result, likely_starts, split_content
from controlllm.planning.graph import ToolGraph
from controlllm.planning.mentions import CLICKED
from controlllm.planning.phrasebook import Intent
from controlllm.planning.reading import MaskedText, Read, ReadClause, clauses_of, masked
from controlllm.planning.wording import completed

#: A text that is handed over within a request is set apart before reading if it has so many words;
#: a shorter one the reader tells from the wish itself.
_LONG_CONTENT = 25
#: What no intent is likelier than is not understood; after a question it is more of the question.
_VAGUE = 0.8
#: Words count as the reader says where it is surer of them than this.
_SURE_WORDS = 0.6

_FILE_WORDS = re.compile(
    r"\b[a-z]+\d\b|\b(?:image|picture|photo|pic|video|clip|film|audio|recording|sound|mask)s?\b",
    re.I,
)
#: Words beside the clauses that tell which file is meant, or that something was clicked.
_TELLS = re.compile(rf"\b[a-z]+\d\b|{CLICKED.pattern}", re.IGNORECASE)
#: Words that lead on to the next clause.
_TRAILING = re.compile(r"(?:[\s,;]+(?:and|then|also|but|plus|&|afterwards|after that))+$", re.I)
_INTRODUCES = re.compile(
    r"[a-z]+\d\s+(?:is|has|was|shows)\b[^?.]*\.?"
    r"|(?:please\s+)?answer\s+(?:the\s+|my\s+)?questions?\s+(?:based\s+)?(?:on|about|for)\b[^?.]*\.?"
    r"|(?:please\s+)?(?:analy[sz]e|examine|inspect|study|look\s+at)\s+(?:the\s+|this\s+|these\s+)?"
    r"(?:\w+\s+){0,3}[a-z]+\d(?:[\s,]+(?:and\s+)?[a-z]+\d)*(?:\s+files?)?[\s,]*(?:and)?",
    re.IGNORECASE,
)
#: A clause that says nothing but which files are meant besides, and into what.
_MORE_FILES = re.compile(
    r"[\s,;]*(?:(?:and|or|&|plus)\s+)?(?:the\s+(?:image|video|file|picture)s?\s+)?[a-z]+\d"
    r"(?:(?:[\s,;]|and)+[a-z]+\d)*(?:\s+(?:in)?to\s+[A-Z][a-z]+)?"
    r"(?:,?\s+(?:together|too|as\s+well|please))?[\s,;.?!]*(?:and)?"
)
_GIVE = re.compile(r"(?:make|give|get|create|write|produce|show|find|do)(?:\s+me)?", re.I)


@dataclass(frozen=True)
class Reader:
    """The trained reader: `read` scores the tokens of a text, `intents` are what it tells apart."""

    read: Read
    intents: tuple[str, ...]

    def clauses(self, text: str, likely: frozenset[int]) -> tuple[ReadClause, ...]:
        """The clauses of a text, grammar's `likely` starts considered; none where it is empty."""
        return clauses_of(self.read(text), text, likely) if text.strip() else ()


@dataclass(frozen=True)
class Heard:
    """A clause with what the reader heard in it: how likely each intent is, the words that count
    by their role, and how sure it is that this is a clause."""

    clause: Clause
    likely: Mapping[str, float] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)
    certainty: float = 1.0


class Hearing:
    """Hears requests with a reader.

    Parameters
    ----------
    intents: those that it tells apart, by name.
    verbs: words that a clause may begin with.
    """

    def __init__(
        self,
        reader: Reader,
        graph: ToolGraph,
        intents: Mapping[str, Intent],
        verbs: frozenset[str],
    ) -> None:
        self._reader = reader
        self._graph = graph
        self._intents = intents
        self._verbs = verbs

    def heard(self, request: Request) -> list[Heard]:
        """The clauses of a request as the reader hears them."""
        names = [resource.value for resource in request.resources]
        text, content = split_content(request.text, names)
        short = content if len(content.split()) < _LONG_CONTENT else ""
        if short:
            text, content = request.text, ""
        shown = masked(text, request.resources, self._graph.lattice)
        found: list[Heard] = []
        begun = ended = 0
        polite_from: int | None = None
        grammar = likely_starts(shown.text, self._verbs)
        for clause in self._reader.clauses(shown.text, grammar):
            start, end = shown.original(clause.start, clause.end)
            before, ended = ended, clause.end
            told = shown.text[clause.start : clause.end]
            if _only_polite(text[start:end]) or _only_told(told):
                polite_from = start if polite_from is None else polite_from
                continue
            start, polite_from = (start if polite_from is None else polite_from), None
            if _TELLS.search(shown.text[before : clause.start]):
                # "I clicked on something in image1. Segment it."
                start = min(start, shown.original(before, clause.start)[0])
            if found and _MORE_FILES.fullmatch(told):
                # "Translate image1, image2 and image3 into Dutch" wants one thing of three files.
                listed = _TRAILING.sub("", text[begun:end].strip(" ,;")).strip(" ,;")
                words = {**found[-1].words, **_words_of(clause, text, shown)}
                found[-1] = replace(
                    found[-1], clause=replace(found[-1].clause, text=listed), words=words
                )
                continue
            wording = _TRAILING.sub("", text[start:end].strip(" ,;")).strip(" ,;")
            words = _words_of(clause, text, shown)
            likely = dict(zip(self._reader.intents, map(float, clause.intents), strict=True))
            beside = bool(found) and is_result(wording)
            handed = words.pop("content", "")
            if self._likeliest(likely).text == "content":
                handed = short if short and short in wording else handed
            else:
                handed = ""
            own = Clause(wording, content=handed, beside=beside)
            heard = Heard(own, likely, words, clause.certainty)
            if (
                found
                and self._is_general(found[-1])
                and (self._is_general(heard) or (_is_vague(heard) and not _speaks_of_files(told)))
            ):
                # A puzzle of four sentences is one question.
                whole = replace(found[-1].clause, text=text[begun:end].strip(" ,;"))
                found[-1] = replace(found[-1], clause=whole, words={})
            else:
                begun = start
                found.append(heard)
        if polite_from is not None and not found:
            return [Heard(Clause(text))]
        if not found and content:
            return [Heard(Clause(content))]
        if found and content:
            found[0] = replace(found[0], clause=replace(found[0].clause, content=content))
        return found

    def _likeliest(self, likely: Mapping[str, float]) -> Intent:
        return self._intents[max(likely, key=lambda item: likely[item])]

    def _is_general(self, heard: Heard) -> bool:
        """Whether a clause most likely is a question to which no file belongs."""
        intent = self._likeliest(heard.likely)
        return intent.text == "question" and not intent.takes


def _words_of(clause: ReadClause, text: str, shown: MaskedText) -> dict[str, str]:
    """The words of a clause by their role: the first that play it, of descriptions the longest."""
    found: dict[str, str] = {}
    for span in clause.spans:
        if span.certainty <= _SURE_WORDS:
            continue
        words = text[slice(*shown.original(span.start, span.end))].strip(" .,\"'“”")
        longer = span.role == "prompt" and len(words) > len(found.get(span.role, ""))
        if len(words.split()) < 3 and span.role in ("object", "prompt"):
            start, end = shown.original(span.start, clause.end)
            words = completed(words, text[start:end])
        if words and (span.role not in found or longer):
            found[span.role] = words
    return found


def _only_told(wording: str) -> bool:
    """Whether a file is only introduced: "image1 is a sketch of mine", "analyse image1 and"."""
    return _INTRODUCES.fullmatch(wording) is not None


def _only_polite(wording: str) -> bool:
    """Whether nothing is said but "please", "can you" or "give me"."""
    said = wording.strip(" ,;:")
    return bare(f"{said} x") == "x" or _GIVE.fullmatch(said) is not None


def _is_vague(heard: Heard) -> bool:
    """Whether the reader does not know what a clause wants."""
    return max(heard.likely.values(), default=0.0) < _VAGUE


def _speaks_of_files(wording: str) -> bool:
    """Whether a clause names a file or a medium; files stand in it by kind and number."""
    return _FILE_WORDS.search(wording) is not None
