"""Instructions in plain words, read into edits in their order by a table of what can be asked for.

A room keeps its table in a TOML file: under ``[edits]`` the names of its edits, each with the phrases
that ask for it, ``robot = "robot* | android"``, or with several keys, ``volume.more = "louder"``.
``asks`` leaves open which way ("the volume"), which other words of the clause tell; ``more``
and ``less`` tell it themselves ("louder", "quieter"). A phrase is made of words as they are said:

- ``bright*`` any ending, ``(a|b)`` either, ``[a]`` with or without, ``|`` another phrase;
- ``..`` up to four words between, ``...`` any number, ``_`` any number of fillers; ``^`` and ``$`` the ends of the clause;
- ``<name>`` one of the phrases of the list ``name``, ``{name}`` the same, kept under that name;
- ``{number}``, ``{time}``, ``{quoted}``; ``{anything else}`` keeps one to six words as typed.

Further keys of an edit: ``edit`` the name of the one that it is another way to ask for, ``takes`` the kinds of amounts that belong to it (see `amounts`), ``along``
phrases that it takes with it, ``unless`` edits of the same clause that it gives way to, ``weak``
for one that is read only where the clause holds nothing else; what else there is, is the room's.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from tools.shared import amounts

_TOKEN = re.compile(
    r"\"[^\"]*\"|“[^”]*”|‘[^’]*’|`[^`]*`|(?<!\w)'[^']*'(?!\w)"
    r"|(?:https?://|www\.)\S+|\S+\.(?:wav|mp3|flac|ogg|m4a|aac|mp4|opus|jpe?g|png|webp|mov)\b"
    r"|\d+(?:st|nd|rd|th)\b|\d+(?::\d\d)+(?:[.,]\d+)?|(?<![\w:%])[-−+](?=\d)\d+(?:[.,]\d+)*"
    r"|\d+(?:[.,]\d+)*|(?<=\d)[^\W\d_]+|[^\W\d_](?:['’]?\w)*|[^\s\w]"
)
_END = r"(?= |$)"
_PIECE = re.compile(r"\.\.\.|\.\.|[<{][\w ]+[>}]|[][()|^$]|[^][()|^${}<>\s]+")
#: What tells of an edit, and which way it then goes.
_WAYS = {"more": 1, "less": -1, "asks": 0}
#: Quiet marks of a wish that is already taken, or that is none.
_TAKEN = "·"
#: Shorter words are one letter apart too often.
_TYPO_LENGTH = 5


class Token(str):
    """A word in its plain form, and where it was typed."""

    start: int
    end: int

    @classmethod
    def at(cls, plain: str, start: int, end: int) -> Token:
        token = cls(plain)
        token.start, token.end = start, end
        return token


@dataclass(frozen=True)
class Edit:
    """One change that is asked for.

    `words` are those of its clause in plain form, `said` as they were typed (from `start` to `end`
    of the instruction), `matched` those that ask for it, from `place` on. `direction` is 1 for more, -1 for less, 0 where it is not said; `degree` likewise
    for much and a little. `row` is the edit's entry in the table, `parts` what its phrase keeps.
    """

    name: str
    words: str
    said: str
    matched: str
    place: int
    direction: int
    degree: int
    row: dict[str, Any]
    start: int
    end: int
    parts: dict[str, str] = field(default_factory=dict)

    def amount(self, kind: str) -> float | None:
        """The amount of a kind in the clause that stands nearest to what asks for the edit."""
        found = [amount for amount in amounts.amounts(self.words) if amount.kind == kind]
        nearest = min(found, key=lambda amount: abs(amount.start - self.place), default=None)
        return nearest.value if nearest else None

    def goes_on_in(self, other: Edit) -> bool:
        """Whether another edit is this one, told in more detail: "slower, 70 % of the speed"."""
        against = self.direction * other.direction < 0
        told = against or (self.parts and other.parts) or amounts.amounts(self.words)
        return self.name == other.name and not told

    def size(self, usual: float, little: float, much: float) -> float:
        """Of three sizes the one that fits the degree."""
        return (usual, much, little)[self.degree]

    def says(self, phrases: str) -> bool:
        """Whether the clause holds one of some phrases, written as in a table."""
        return pattern(phrases).search(self.words) is not None


@dataclass(frozen=True)
class Unread:
    """A part of the instruction that asks for nothing the table knows, as it was typed."""

    said: str
    start: int
    end: int


@dataclass(frozen=True)
class _Clause:
    """A stretch of an instruction: `shift` letters of it were carried over from the one before."""

    words: str
    tokens: tuple[Token, ...]
    shift: int = 0

    def typed(self, instruction: str, start: int, end: int) -> str:
        """What was typed where the plain words from `start` to `end` are."""
        places, place = [], self.shift
        for token in self.tokens:
            if start <= place < end:
                places.append(token)
            place += 1 + len(token)
        return instruction[places[0].start : places[-1].end] if places else ""


class Table:
    """The edits that a room knows, from a TOML file.

    `lists` adds to its lists; `known` are edits whose words another module tells in a regular
    expression, by their names.
    """

    def __init__(
        self, path: Path, lists: dict[str, str] | None = None, known: dict[str, str] | None = None
    ) -> None:
        shared = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
        own = tomllib.loads(path.read_text("utf-8"))
        self._spellings = shared["spellings"] | own.get("spellings", {})
        self.lists: dict[str, str] = shared["words"] | own.get("words", {}) | (lists or {})
        self._polite = frozenset(shared["words"]["fillers"].split())
        self._fillers = frozenset(f"{shared['words']['fillers']} {own.get('fillers', '')}".split())
        self.lists["_"] = " | ".join(sorted(self._fillers))
        self._break = re.compile(f"(?:{_compiled(shared['clauses']['breaks'], self.lists)}{_END})+")
        # Of two words of this list "and" makes one thing: "blue and white".
        together = _compiled(f"<{own['together']}>" if "together" in own else "$ ^", self.lists)
        self._together = re.compile(f"{together}$"), re.compile(together)
        self._forms = [
            (rf"(?<= ){re.escape(said)}{_END}", form)
            for said, form in self._spellings.items()
            if not said.isalpha()
        ]
        self._rows = _rows(own["edits"])
        self._ways: list[tuple[dict[str, Any], int, re.Pattern[str]]] = []
        for row in self._rows:
            for way, sign in _WAYS.items():
                for phrases in _listed(row.get(way, ())):
                    self._ways.append((row, sign, self.pattern(phrases)))
            if known and row["name"] in known:
                words = re.compile(f"(?<= )(?:{known[row['name']]}){_END}")
                self._ways.append((row, 0, words))
        self._along = {
            row["name"]: self.pattern(row["along"]) for row in self._rows if "along" in row
        }
        self._more, self._less = self.pattern("<more>"), self.pattern("<less>")
        self._little, self._much = self.pattern("<little>"), self.pattern("<much>")
        how_much = (self._more, self._less, self._little, self._much)
        self._how_much = how_much if own.get("degrees", True) else ()
        self._flips = re.compile(f"(?:{_compiled('<flips>', self.lists)})$")

    def pattern(self, phrases: str) -> re.Pattern[str]:
        """What finds phrases in plain words; a space stands before each of these."""
        return re.compile(f"(?:{_compiled(phrases, self.lists)}){_END}")

    def plain(self, instruction: str) -> str:
        """The instruction in plain words: small letters, one spelling, numbers as figures."""
        return _joined(self._tokens(instruction))

    def read(self, instruction: str, whole: bool = False) -> list[Edit | Unread]:
        """What an instruction asks for, in its order.

        With `whole` a clause counts only where all of its words are understood.
        """
        tokens = self._tokens(instruction)
        found: list[Edit | Unread] = []
        verb: tuple[Token, ...] = ()
        direction = 0
        for part in self._clauses(tokens):
            clause = _Clause(_joined(part), part)
            edits = self._edits(instruction, clause, direction, whole)
            if verb and (not edits or all(_is_open(edit) for edit in edits)):
                # "Raise the bass and the treble": the verb counts for both.
                carried = _joined(verb)
                longer = _Clause(carried + clause.words, part, len(carried))
                again = self._edits(instruction, longer, direction, whole)
                if any(edit.place + len(edit.matched) > len(carried) for edit in again):
                    edits = again
            last = found[-1] if found else None
            amount_left = bool(amounts.amounts(clause.words))
            if edits:
                direction = edits[-1].direction or direction
                verb = self._verb(part) or verb
                edits = [edit for edit in edits if edit.name != "nothing"]
                if isinstance(last, Edit) and edits and last.goes_on_in(edits[0]):
                    found[-1] = self._told_more(last, edits.pop(0))
                first = 0 if clause.words.startswith(" first ") else len(found)
                found[first:first] = edits
            elif isinstance(last, Edit) and not self._left(clause.words, ("",)):
                # "More treble, by 9 dB, but only a little": how much comes later.
                found[-1] = self._told_more(last, replace(last, words=clause.words))
            elif amount_left or self._left(clause.words, ()):
                start, end = part[0].start, part[-1].end
                found.append(Unread(instruction[start:end], start, end))
        return found

    def _edits(self, typed: str, clause: _Clause, before: int, whole: bool) -> list[Edit]:
        left, edits = clause.words, []
        span = clause.tokens[0].start, clause.tokens[-1].end
        for row, sign, ask in self._ways:
            names = {edit.name for edit in edits} - {"nothing"}
            if (row.get("weak") and names) or names & {row["name"], *row.get("unless", ())}:
                continue
            match = ask.search(left)
            if match is None:
                continue
            parts = {
                name: clause.typed(typed, *match.span(name)) or match[name].strip()
                for name in ask.groupindex
                if match[name]
            }
            edits.append(
                Edit(
                    row["name"],
                    clause.words,
                    typed[slice(*span)],
                    match[0],
                    match.start(),
                    self._direction(clause.words, match, sign) or before or row.get("else", 0),
                    self._degree(clause.words),
                    row,
                    *span,
                    parts,
                )
            )
            left = _without(left, *match.span())
            if row["name"] in self._along:
                for taken in list(self._along[row["name"]].finditer(left)):
                    left = _without(left, *taken.span())
        kinds = {kind for edit in edits for kind in edit.row.get("takes", ())}
        if whole and self._left(left, tuple(kinds)):
            return []
        return sorted(edits, key=lambda edit: edit.place)

    def _direction(self, words: str, match: re.Match[str], sign: int) -> int:
        if sign:
            flipped = self._flips.search(words[: match.start()])
            return -sign if flipped and not words[match.end() :].startswith(" enough") else sign
        near: list[tuple[int, int]] = []
        for way, ask in ((1, self._more), (-1, self._less)):
            for said in ask.finditer(words):
                near.append((max(match.start() - said.end(), said.start() - match.end(), 0), way))
        signed = re.search(r" ([-+])\d", words)
        if signed:
            return 1 if signed[1] == "+" else -1
        return min(near)[1] if near else 0

    def _degree(self, words: str) -> int:
        if self._little.search(words):
            return -1
        return 1 if self._much.search(words) else 0

    def _told_more(self, edit: Edit, more: Edit) -> Edit:
        words = f"{edit.words} ,{more.words}"
        direction, degree = edit.direction or more.direction, self._degree(words)
        return replace(edit, words=words, direction=direction, degree=degree,
                       parts=edit.parts | more.parts)  # fmt: skip

    def _left(self, words: str, kinds: tuple[str, ...]) -> list[str]:
        """The words that say something and were not understood."""
        for amount in reversed(amounts.amounts(words)):
            if amount.kind in kinds or (amount.kind and kinds == ("",)):
                words = _without(words, amount.start, amount.end)
        for ask in self._how_much:
            words = ask.sub(f" {_TAKEN}", words)
        return [
            word
            for word in words.split()
            if word not in self._fillers and re.search(r"[^\W_]|\"", word.replace(_TAKEN, ""))
        ]

    def _verb(self, part: tuple[Token, ...]) -> tuple[Token, ...]:
        """What a clause tells to do: its first word of weight, and "out", "rid of"."""
        first = next((n for n, word in enumerate(part) if word not in self._polite), len(part))
        end = first + 1
        while end < len(part) and part[end] in ("out", "off", "away", "rid", "of", "up", "down"):
            end += 1
        return part[first:end]

    def _clauses(self, tokens: list[Token]) -> Iterator[tuple[Token, ...]]:
        words = _joined(tokens)
        starts = [0]
        for token in tokens:
            starts.append(starts[-1] + 1 + len(token))
        begin = 0
        for cut in self._break.finditer(words):
            before, after = words[: cut.start()], words[cut.end() :]
            if _BY.match(after) or (_PASSAGE.search(before) and _ITS_OTHER_END.match(after)):
                continue
            if self._together[0].search(before) and self._together[1].match(after):
                continue
            until = starts.index(cut.start())
            if until > begin:
                yield tuple(tokens[begin:until])
            begin = starts.index(cut.end())
        if begin < len(tokens):
            yield tuple(tokens[begin:])

    def _tokens(self, instruction: str) -> list[Token]:
        tokens = []
        for found in _TOKEN.finditer(instruction):
            for plain in self._plain(found[0]).split():
                tokens.append(Token.at(plain, *found.span()))
        tokens = [self._mended(token) for token in tokens]
        for spoken, figures in (*_MARKS, *self._forms, *amounts.SPOKEN, *_FORMS):
            tokens = _rewritten(tokens, spoken, figures)
        return tokens

    def _plain(self, typed: str) -> str:
        if typed[0] in "\"“‘`" or (typed[0] == "'" and typed[-1] == "'" and len(typed) > 1):
            return '"'
        if re.fullmatch(r"\S+\.[a-z]\w{2,3}", typed) or typed.startswith(("http", "www.")):
            return "it"
        word = typed.lower().replace("’", "'").replace("−", "-").replace("–", "-").replace("—", ",")
        if word[-1].isdigit() and not word[0].isalpha():
            return re.sub(r",(?=\d{3}(?!\d))", "", word).replace(",", ".").lstrip()
        if word in self._spellings:
            return str(self._spellings[word])
        word = re.sub(r"^x(?=\d)", "x ", word)
        word = re.sub(r"^(colo|flavo)r", r"\1ur", word)
        return re.sub(r"(?<=[a-z]{4})iz(?=(?:e[drs]?|ing|ation)$)", "is", word)

    def _mended(self, token: Token) -> Token:
        """A word without a typing mistake, where it is one for a word of the table."""
        if len(token) < _TYPO_LENGTH or not token.isalpha() or self._known.fullmatch(token):
            return token
        if token in _common_words() or token in self._fillers:
            return token
        meant = next((word for word in self._candidates if _one_slip(token, word)), token)
        return Token.at(meant, token.start, token.end)

    @cached_property
    def _known(self) -> re.Pattern[str]:
        texts = [*self.lists.values()]
        for row in self._rows:
            for way in (*_WAYS, "along"):
                texts += _listed(row.get(way, ()))
        words = set(re.findall(r"(?<![<{])\b[a-z']{2,}\*?(?![\w>}])", " ".join(texts)))
        return re.compile("|".join(word.replace("*", r"\w*") for word in sorted(words)))

    @cached_property
    def _candidates(self) -> list[str]:
        return sorted(word for word in _common_words() if self._known.fullmatch(word))


@cache
def table(path: Path) -> Table:
    """The table of a file, read once."""
    return Table(path)


@cache
def pattern(phrases: str) -> re.Pattern[str]:
    """What finds phrases, written as in a table but without its lists, in plain words."""
    return re.compile(f"(?:{_compiled(phrases, {})}){_END}")


@cache
def _common_words() -> frozenset[str]:
    """Some 20,000 English words: those that the sentence encoder has a token for."""
    from controlllm.encoder import TOKENIZER

    words = json.loads(TOKENIZER.path().read_text("utf-8"))["model"]["vocab"]
    return frozenset(word for word in words if word.isalpha() and len(word) >= _TYPO_LENGTH)


def _one_slip(typed: str, word: str) -> bool:
    """Whether a letter is missing, too much or wrong, or two have changed places."""
    if abs(len(typed) - len(word)) > 1 or typed[0] != word[0]:
        return False
    while typed and word and typed[0] == word[0]:
        typed, word = typed[1:], word[1:]
    while typed and word and typed[-1] == word[-1]:
        typed, word = typed[:-1], word[:-1]
    return max(len(typed), len(word)) < 2 or (len(typed) == 2 and typed == word[::-1])


def _compiled(phrases: str, lists: dict[str, str]) -> str:
    made = []
    for piece in _PIECE.findall(phrases):
        if piece in ("..", "..."):
            made.append(r"(?: [^ ]+){0,4}?" if piece == ".." else r"(?: [^ ]+)*")
        elif piece == "_" and "_" in lists:
            made.append(f"(?:{_compiled(lists['_'], lists)})*?")
        elif piece[0] in "<{":
            name = piece[1:-1]
            inner = _compiled(lists[name], lists) if name in lists else _KEPT.get(name, _ANY)
            made.append(f"({'?:' if piece[0] == '<' else f'?P<{name}>'}{inner}){_END}")
        elif piece in "[]()|^$":
            made.append({"[": "(?:", "]": ")?", "(": "(?:"}.get(piece, piece))
        else:
            made.append(" " + re.escape(piece).replace(r"\*", "[^ ]*") + _END)
    return "".join(made)


_KEPT = {
    "number": rf" {amounts.FIGURE}",
    "quoted": ' "',
    "time": rf" (?:\d+:\d\d\S*|{amounts.FIGURE} {amounts.TIME})",
}
_ANY = r"(?: [^ ]+){1,6}?"
#: Nothing is parted from its amount, nor the ends of a passage: "the first and last 5 seconds".
_BY = re.compile(r" by [-+]?\d")
_PASSAGE = re.compile(rf" (?:first|last|start|beginning|end|\d\S*|\d\S* {amounts.TIME})$")
_ITS_OTHER_END = re.compile(r" (?:the )?(?:very )?(?:first|last|final|end|start|beginning|\d)")
#: "0:10-0:20" is "0:10 to 0:20", any other mark says nothing.
_MARKS: tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...] = (
    (r"(?<=\d)(?: | [a-z]+ )-(?= \d)", lambda m: m[0].replace("-", "to")),
    (r"(?: (?:-|\(|\)|\*|#))+(?= |$)", ""),
)
#: Words that have another form here.
_FORMS: tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...] = (
    (r"(?<= between) (\d\S*(?: [a-z]+)?) and (?=\d)", r" \1 to "),
    (rf"(?<=\d) ({amounts.TIME}) and (?=\d+ (?:s|seconds?)\b)", r" \1 "),
    (r"\bper cent\b", "%"),
)


def _rewritten(
    tokens: list[Token], spoken: str, figures: str | Callable[[re.Match[str]], str]
) -> list[Token]:
    """The tokens with what a regular expression finds in them written in another way."""
    words = _joined(tokens)
    for match in reversed(list(re.finditer(spoken, words))):
        new = figures(match) if callable(figures) else match.expand(figures)
        begin = match.start() + len(match[0]) - len(match[0].lstrip())
        places, place = [], 1
        for number, token in enumerate(tokens):
            if place < match.start() + len(match[0].rstrip()) and place + len(token) > begin:
                places.append(number)
            place += 1 + len(token)
        if places:
            first, last = tokens[places[0]], tokens[places[-1]]
            tokens[places[0] : places[-1] + 1] = [
                Token.at(word, first.start, last.end) for word in new.split()
            ]
    return tokens


def _joined(tokens: list[Token] | tuple[Token, ...]) -> str:
    return "".join(f" {token}" for token in tokens)


def _without(words: str, start: int, end: int) -> str:
    """The words with some of them marked as taken."""
    return words[:start] + re.sub(r"[^ ]", _TAKEN, words[start:end]) + words[end:]


def _is_open(edit: Edit) -> bool:
    """Whether it is not said which way an edit goes that needs to be told."""
    return "unclear" in edit.row and not edit.direction


def _rows(edits: dict[str, Any]) -> list[dict[str, Any]]:
    """The entries of a table with their names; one that is another's takes over what that has."""
    rows = []
    for name, told in edits.items():
        row = dict(told) if isinstance(told, dict) else {"asks": told}
        if "edit" in row:
            name = row["edit"]
            inherited = edits[name] if isinstance(edits[name], dict) else {}
            row = {key: told for key, told in inherited.items() if key not in _WAYS} | row
        rows.append({"name": name} | row)
    return rows


def _listed(phrases: str | list[str] | tuple[str, ...]) -> list[str]:
    return [phrases] if isinstance(phrases, str) else list(phrases)
