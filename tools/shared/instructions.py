"""Instructions in plain words, read into edits in their order by a table of what can be asked for.

A room keeps its table in a TOML file: under ``[edits]`` its edits, each with the phrases that ask
for it, ``robot = "robot* | android"``, or with several keys, ``volume.more = "louder"``. ``asks``
leaves open which way ("the volume"), which other words of the clause tell; ``more`` and ``less``
tell it themselves. A phrase is made of words as they are said:

- ``bright*`` any ending, ``(a|b)`` either, ``[a]`` with or without, ``|`` another phrase;
- ``..`` up to four words between, ``...`` any number, ``_`` any number of fillers; ``^`` and ``$``
  the ends of the clause;
- ``<name>`` one of the phrases of the list ``name``, ``{name}`` the same, kept under that name;
- ``{number}``, ``{time}``, ``{quoted}``; ``{anything else}`` keeps one to six words as typed.

Further keys of an edit: ``edit`` the name of the one that it is another way to ask for, ``takes``
the kinds of amounts that belong to it, ``along`` phrases that it takes with it, ``unless`` edits of
the same clause that it gives way to, ``weak`` for one that is read only where the clause holds
nothing else, ``else`` its direction where none is said, ``unclear`` for one that needs a direction.
What else there is, is the room's. What ``nothing`` asks for is understood and left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from .amounts import FIGURE, TIME, amounts
from .plain_words import QUOTED, Token, covered, joined, tokens
from .tables import table_beside

_END = r"(?= |$)"
_PIECE = re.compile(r"\.\.\.|\.\.|[<{][\w ]+[>}]|[][()|^$]|[^][()|^${}<>\s]+")
_SIGNS = {"..": "(?: [^ ]+){0,4}?", "...": "(?: [^ ]+)*", "[": "(?:", "]": ")?", "(": "(?:"}
_KEPT = {
    "number": f" {FIGURE}",
    "quoted": f" {QUOTED}",
    "time": rf" (?:\d+:\d\d\S*|{FIGURE} {TIME})",
}
_ANY = "(?: [^ ]+){1,6}?"
#: What tells of an edit, and which way it then goes.
_WAYS = {"more": 1, "less": -1, "asks": 0}
#: In place of the letters of words that were read.
_TAKEN = "·"
#: What may stand behind the first word of a verb.
_PARTICLES = ("out", "off", "away", "rid", "of", "up", "down")
#: Nothing is parted from its amount, nor the ends of a passage: "the first and last 5 seconds".
_BY = re.compile(r" by [-+]?\d")
_PASSAGE = re.compile(rf" (?:first|last|start|beginning|end|\d\S*|\d\S* {TIME})$")
_ITS_OTHER_END = re.compile(r" (?:the )?(?:very )?(?:first|last|final|end|start|beginning|\d)")


@dataclass(frozen=True)
class _Part:
    """A part of the instruction as it was typed, from `start` to `end`."""

    said: str
    start: int
    end: int


@dataclass(frozen=True)
class Unread(_Part):
    """What asks for nothing that the table knows."""


@dataclass(frozen=True)
class Edit(_Part):
    """One change that is asked for, with its clause as it was typed.

    `words` are those of the clause in plain form; what asks for the edit is `matched` of them, from
    `place` on. `direction` is 1 for more, -1 for less, 0 where it is not said; `degree` likewise
    for much and a little. `row` is the edit's entry in the table, `parts` what its phrase keeps.
    """

    name: str
    words: str
    matched: str
    place: int
    direction: int
    degree: int
    row: dict[str, Any]
    parts: dict[str, str] = field(default_factory=dict)

    def amount(self, kind: str) -> float | None:
        """The amount of a kind in the clause that stands nearest to what asks for the edit."""
        found = [amount for amount in amounts(self.words) if amount.kind == kind]
        nearest = min(found, key=lambda amount: abs(amount.start - self.place), default=None)
        return nearest.value if nearest else None

    def size(self, usual: float, little: float, much: float) -> float:
        """Of three sizes the one that fits the degree."""
        return (usual, much, little)[self.degree]

    def says(self, phrases: str) -> bool:
        """Whether the clause holds one of some phrases, written as in a table without lists."""
        return _pattern(phrases).search(self.words) is not None

    def goes_on_in(self, other: Edit) -> bool:
        """Whether another edit is this one, told in more detail: "slower, 70 % of the speed"."""
        against = self.direction * other.direction < 0
        # A bare one is a pronoun: "make the second one slower, 75 % speed".
        sized = any(one.kind or one.value != 1 for one in amounts(self.words))
        told = against or (self.parts and other.parts) or sized
        return self.name == other.name and not told

    @property
    def is_open(self) -> bool:
        """Whether it is not said which way an edit goes that needs to be told."""
        return "unclear" in self.row and not self.direction


class Table:
    """The edits that a room knows, from a TOML file.

    `lists` adds to its lists; `known` has edits whose words another module tells, in a regular
    expression, by their names.
    """

    def __init__(
        self, path: Path, lists: dict[str, str] | None = None, known: dict[str, str] | None = None
    ) -> None:
        shared, own = table_beside(__file__), table_beside(str(path))
        self._spellings: dict[str, str] = shared["spellings"] | own.get("spellings", {})
        self._lists: dict[str, str] = shared["words"] | own.get("words", {}) | (lists or {})
        self._polite = frozenset(shared["words"]["fillers"].split())
        self._fillers = self._polite | set(own.get("fillers", "").split())
        self._lists["_"] = " | ".join(sorted(self._fillers))
        self._ways: list[tuple[dict[str, Any], int, re.Pattern[str]]] = []
        for row in _rows(own["edits"]):
            if "along" in row:
                row["along"] = self.pattern(row["along"])
            for way, sign in _WAYS.items():
                phrases = row.get(way, ())
                for phrase in (phrases,) if isinstance(phrases, str) else phrases:
                    self._ways.append((row, sign, self.pattern(phrase)))
            if known and row["name"] in known:
                words = re.compile(f"(?<= )(?:{known[row['name']]}){_END}")
                self._ways.append((row, 0, words))
        self._more, self._less = self.pattern("<more>"), self.pattern("<less>")
        self._little, self._much = self.pattern("<little>"), self.pattern("<much>")
        how_much = (self._more, self._less, self._little, self._much)
        self._how_much = how_much if own.get("degrees", True) else ()
        self._flips = self.pattern("(<flips>) $")
        self._breaks = re.compile(f"(?:{self.pattern('<breaks>').pattern})+")
        # Of two words of this list "and" makes one thing: "blue and white".
        self._lists.setdefault("nothing", "$ ^")
        one_thing = f"<{own.get('together', 'nothing')}>"
        self._one_thing = self.pattern(f"{one_thing} $"), self.pattern(f"^ {one_thing}")
        texts = f"{own} {[row for row, *_ in self._ways]} {self._lists}"
        known_words = set(re.findall(r"(?<![<{])\b[a-z']{2,}\*?(?![\w>}])", texts))
        self._vocabulary = re.compile("|".join(sorted(known_words)).replace("*", r"\w*"))

    def pattern(self, phrases: str) -> re.Pattern[str]:
        """What finds phrases in plain words; a space stands before each of these."""
        return re.compile(f"(?:{_compiled(phrases, self._lists)}){_END}")

    def plain(self, instruction: str) -> str:
        """The instruction in plain words."""
        return joined(self._tokens(instruction))

    def read(self, instruction: str, whole: bool = False) -> list[Edit | Unread]:
        """What an instruction asks for, in its order.

        With `whole` a clause counts only where all of its words are understood.
        """
        found: list[Edit | Unread] = []
        verb, direction = "", 0
        for clause in self._clauses(self._tokens(instruction)):
            words = joined(clause)
            edits = self._edits(instruction, clause, "", direction, whole)
            if verb and all(edit.is_open for edit in edits):
                # "Raise the bass and the treble": the verb counts for both.
                again = self._edits(instruction, clause, verb, direction, whole)
                if any(edit.place + len(edit.matched) > len(verb) for edit in again):
                    edits = again
            last = found[-1] if found else None
            if edits:
                direction = edits[-1].direction or direction
                verb = self._verb(clause) or verb
                edits = [edit for edit in edits if edit.name != "nothing"]
                if isinstance(last, Edit) and edits and last.goes_on_in(edits[0]):
                    found[-1] = self._told_more(last, edits.pop(0))
                first = 0 if words.startswith(" first ") else len(found)
                found[first:first] = edits
            elif isinstance(last, Edit) and not self._left(words, None):
                # "More treble, by 9 dB, but only a little": how much comes later.
                found[-1] = self._told_more(last, replace(last, words=words))
            elif amounts(words) or self._left(words, None):
                start, end = clause[0].start, clause[-1].end
                found.append(Unread(instruction[start:end], start, end))
        return found

    def _edits(
        self, typed: str, clause: list[Token], verb: str, before: int, whole: bool
    ) -> list[Edit]:
        """The edits in a clause that begins with a verb of an earlier one, in their order."""
        left = words = verb + joined(clause)
        start, end = clause[0].start, clause[-1].end
        edits: list[Edit] = []
        for row, sign, ask in self._ways:
            names = {edit.name for edit in edits} - {"nothing"}
            if (row.get("weak") and names) or names & {row["name"], *row.get("unless", ())}:
                continue
            match = ask.search(left)
            if match is None:
                continue
            parts = {}
            for name in ask.groupindex:
                here = covered(clause, *(place - len(verb) for place in match.span(name)))
                if match[name] and clause[here]:
                    parts[name] = typed[clause[here][0].start : clause[here][-1].end]
            direction = self._direction(words, match, sign) or before or row.get("else", 0)
            edits.append(
                Edit(typed[start:end], start, end, row["name"], words, match[0], match.start(),
                     direction, self._degree(words), row, parts)
            )  # fmt: skip
            left = _without(left, *match.span())
            if "along" in row:
                left = row["along"].sub(lambda taken: re.sub(r"[^ ]", _TAKEN, taken[0]), left)
        kinds = {kind for edit in edits for kind in edit.row.get("takes", ())}
        if whole and self._left(left, kinds):
            return []
        return sorted(edits, key=lambda edit: edit.place)

    def _direction(self, words: str, match: re.Match[str], sign: int) -> int:
        if sign:
            flipped = self._flips.search(words[: match.start()])
            return -sign if flipped and not words[match.end() :].startswith(" enough") else sign
        signed = re.search(r" ([-+])\d", words)
        if signed:
            return 1 if signed[1] == "+" else -1
        near = [
            (max(match.start() - said.end(), said.start() - match.end(), 0), way)
            for way, ask in ((1, self._more), (-1, self._less))
            for said in ask.finditer(words)
        ]
        return min(near)[1] if near else 0

    def _degree(self, words: str) -> int:
        if self._little.search(words):
            return -1
        return 1 if self._much.search(words) else 0

    def _told_more(self, edit: Edit, more: Edit) -> Edit:
        words, parts = f"{edit.words} ,{more.words}", edit.parts | more.parts
        direction = edit.direction or more.direction
        return replace(
            edit, words=words, direction=direction, degree=self._degree(words), parts=parts
        )

    def _left(self, words: str, kinds: set[str] | None) -> list[str]:
        """The words that say something and are no amount of the kinds, without kinds of any."""
        for amount in amounts(words):
            if amount.kind in kinds if kinds is not None else True:
                words = _without(words, amount.start, amount.end)
        for ask in self._how_much:
            words = ask.sub(f" {_TAKEN}", words)
        return [
            word
            for word in words.split()
            if word not in self._fillers and re.search(r"[^\W_]|\"", word.replace(_TAKEN, ""))
        ]

    def _verb(self, clause: list[Token]) -> str:
        """What a clause tells to do: its first word of weight, and "out", "rid of"."""
        first = next((n for n, word in enumerate(clause) if word not in self._polite), len(clause))
        end = first + 1
        while end < len(clause) and clause[end] in _PARTICLES:
            end += 1
        return joined(clause[first:end])

    def _clauses(self, found: list[Token]) -> Iterator[list[Token]]:
        words, begin = joined(found), 0
        for cut in self._breaks.finditer(words):
            before, after = words[: cut.start()], words[cut.end() :]
            one = self._one_thing[0].search(before) and self._one_thing[1].search(after)
            passage = _PASSAGE.search(before) and _ITS_OTHER_END.match(after)
            if one or passage or _BY.match(after):
                continue
            here = covered(found, *cut.span())
            if here.start > begin:
                yield found[begin : here.start]
            begin = here.stop
        if begin < len(found):
            yield found[begin:]

    def _tokens(self, instruction: str) -> list[Token]:
        return tokens(instruction, self._spellings, self._knows)

    def _knows(self, word: str) -> bool:
        return word in self._fillers or self._vocabulary.fullmatch(word) is not None


@cache
def table(path: Path) -> Table:
    """The table of a file, read once."""
    return Table(path)


@cache
def _pattern(phrases: str) -> re.Pattern[str]:
    return re.compile(f"(?:{_compiled(phrases, {})}){_END}")


def _compiled(phrases: str, lists: dict[str, str]) -> str:
    made = []
    for piece in _PIECE.findall(phrases):
        if piece == "_" and "_" in lists:
            made.append(f"(?:{_compiled(lists['_'], lists)})*?")
        elif piece[0] in "<{":
            name = piece[1:-1]
            inner = _compiled(lists[name], lists) if name in lists else _KEPT.get(name, _ANY)
            made.append(f"({'?:' if piece[0] == '<' else f'?P<{name}>'}{inner}){_END}")
        elif piece in _SIGNS or piece in ")|^$":
            made.append(_SIGNS.get(piece, piece))
        else:
            made.append(" " + re.escape(piece).replace(r"\*", "[^ ]*") + _END)
    return "".join(made)


def _without(words: str, start: int, end: int) -> str:
    """The words with some of them marked as taken."""
    return words[:start] + re.sub(r"[^ ]", _TAKEN, words[start:end]) + words[end:]


def _rows(edits: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The entries of a table with their names; one that is another's takes over what that has."""
    for name, told in edits.items():
        row = dict(told) if isinstance(told, dict) else {"asks": told}
        if "edit" in row:
            name = row["edit"]
            inherited = edits[name] if isinstance(edits[name], dict) else {}
            row = {key: told for key, told in inherited.items() if key not in _WAYS} | row
        yield {"name": name} | row
