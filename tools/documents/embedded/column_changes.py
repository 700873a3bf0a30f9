"""Columns renamed, moved, taken out and mended: empty cells filled, words replaced, rounded."""

from __future__ import annotations

import re
from collections.abc import Sequence

from controlllm.toolbox import ToolError

from .asking import asked_of
from .cells import Column
from .measures import AGGREGATES, is_measure
from .reading import Sheet, columns_of, unknown_column
from .row_numbers import as_cells, rounded

Grid = list[list[str]]
_VERBS = (
    r"(?:rename|call|move|put|drop|remove|delete|take|leave|keep|fill|replace|round|swap|order|"
    r"change|hide|get|lose|make)\b"
)
_TO_END = r"(?:the )?\w[^,;]*? (?:at |to )?(?:the )?(?:first|last|front|end|beginning|start)\b"
_NEEDLESS = (
    r"(?:needn't|need not|don't need to|doesn't need to|isn't needed|aren't needed|is not needed|"
    r"are not needed|nobody needs|no one needs|"
    r"(?:is|are) nobody's business|is no longer needed|are no longer needed|can go|"
    r"can be (?:removed|dropped|deleted|left out)|should go|must go|may go|has to go|have to go)"
)
_EMPTY = r"(?:empty|missing|blanks?|gaps?)"
_DIGITS = (
    r"(?:one|two|three|no|\d) (?:decimals?|digits?|(?:decimal )?places?)(?: (?:places?|"
    r"digits?))?(?: (?:after|behind) the (?:decimal )?(?:point|comma))?"
)
_PIECES = re.compile(
    r"\s*(?:;|\.(?=\s|$))\s*(?:then )?|,?\s+(?:and then|then|and also|and)\s+(?="
    rf"{_VERBS}|{_TO_END}|{_DIGITS}|[^,;]*? {_NEEDLESS})|"
    rf",\s*(?={_VERBS}|then\b)",
    re.IGNORECASE,
)
_RENAME = re.compile(
    r"(?:rename|call|change|title|name)\s+(?P<pairs>.+)$|(?P<old>.+?) (?:should|shall|must) be "
    r"(?:called|named|renamed(?: to)?) (?P<new>.+)$",
    re.IGNORECASE,
)
#: "Fix the headings: 'amt' -> 'Amount'", "the heading amt should be Amount".
_ARROWS = re.compile(r"(?:[^>]*?:\s*)?(?P<old>)(?P<pairs>.+? ?(?:->|→|=>) ?.+)", re.IGNORECASE)
_HEADING = re.compile(
    r"(?:the |my )?(?:column )?(?:heading|header|title|name|column)s? (?P<old>[\"“'‘].+?[\"”'’]|"
    r"\S+)"
    r" (?:should|shall|must|has to|ought to|is to) (?:be|become|read|say)(?: called)? (?P<new>.+)",
    re.IGNORECASE,
)
_PAIR = re.compile(
    r"(?P<old>.+?)\s*(?:\b(?:to|into|as)\b|->|→|=>)\s*(?P<new>.+?)(?=\s*(?:,|\band\b)\s+.+?\s"
    r"(?:to|into|as|->|→|=>)\s|$)",
    re.IGNORECASE,
)
_DROP = re.compile(
    r"(?:drop|remove|delete|take out|leave out|get rid of|hide|take away|throw (?:out|"
    r"away)|without|omit|lose)\s+(?P<names>.+)|(?:take|leave|throw|cut|"
    r"kick)\s+(?P<names2>.+?)\s+(?:out|off|away)|"
    rf"(?P<names3>.+?) {_NEEDLESS}(?: be (?:there|in it|shown|kept))?(?: any ?more| any longer)?",
    re.IGNORECASE,
)
_KEEP = re.compile(r"(?:keep|leave)(?: only| just)?\s+(?P<names>.+)", re.IGNORECASE)
_PLACE = (
    r"(?:at |to |in )?(?:the )?(?P<place>very )?(?:(?P<front>first|front|beginning|start|left|"
    r"leftmost)|"
    r"(?P<back>last|end|back|right|rightmost))(?: (?:column|place|position))?"
)
_MOVE = re.compile(
    rf"(?:move|put|bring|place|set|shift)?\s*(?P<name>.+?)\s+{_PLACE}$", re.IGNORECASE
)
_BESIDE = re.compile(
    r"(?:move|put|bring|place|set|shift)\s+(?P<name>.+?)\s+(?:to )?(?P<way>(?:right |directly )?"
    r"(?:before|after|behind|next to|in front of|beside)|(?:to the )?(?:left|right) "
    r"of)\s+(?P<other>.+)$",
    re.IGNORECASE,
)
_SWAP = re.compile(
    # "So that Friday is first" says no more than that.
    r"(?:swap|exchange|switch)\s+(?P<one>.+?)\s+(?:and|with)\s+(?P<two>.+?)"
    r"(?: (?:round|around|over))?(?:,? (?:so (?:that )?)?[^,]+ (?:first|before .+|in front))?$",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"(?:(?:re)?order|arrange|sort|put|bring) (?:the |all )?columns?\b(?: (?:in|into|to))?(?: "
    r"the| this)?"
    r"(?: order)?\s*(?:as|so|like|:|by|-)?\s*(?P<names>.+)$",
    re.IGNORECASE,
)
_FILL = re.compile(
    r"(?:fill(?: in| up)?|replace|set|put|write)\s+(?:(?P<with1>\S+) in(?:to)? )?(?:all |the |"
    rf"every |\d+ )*{_EMPTY}"
    r"(?: \w+)?(?: (?:in|of|for|under)(?: the)? (?P<name>.+?))?(?:(?: column)? "
    r"(?:with|by|to|as)(?: an?| the)? (?P<with>.+))?$",
    re.IGNORECASE,
)
_WRITE = re.compile(
    r"(?:put|write|set|enter|use|say|insert)(?: an?| the)? (?P<with>\S+|"
    r"[\"“‘'].+?[\"”’'])(?P<with1>) (?:where(?:ver)?|"
    r"if|when(?:ever)?)(?: the| an?| there is no| no)? (?P<name>.+?) (?:is |are )?(?:missing|"
    r"empty|blank|"
    r"given|unknown|not there)$",
    re.IGNORECASE,
)
#: "Where the weight is missing write 0", "empty cells in Country should become UK".
_WRITE_THERE = re.compile(
    rf"(?:where(?:ver)?|if|when(?:ever)?)(?: the| an?| there is no| no)? (?P<name>.+?) (?:is |are "
    rf")?"
    rf"(?:{_EMPTY}|not there|not given|unknown),? (?:please )?(?:put|write|set|enter|use|insert|"
    r"say)(?: an?| the| it to| in)? (?P<with>.+)(?P<with1>)|"
    rf"(?:(?:all|the|any|every|\d+) )*{_EMPTY} ?(?:cells?|ones?|fields?|values?|entries)?"
    r"(?: (?:in|of|for|under)(?: the)?(?: column)? (?P<name2>.+?))? (?:should|shall|must|are to|"
    r"have "
    r"to|to) (?:be(?:come)?|say|read|get|have)(?: filled with)?(?: an?| the)? (?P<with2>.+)",
    re.IGNORECASE,
)
_REPLACE = re.compile(
    r"(?:replace|change|substitute|turn)(?: all| every| each)?\s+(?P<old>.+?)\s+(?:by|with|into|"
    r"to)\s+(?P<new>.+?)"
    r"(?:\s+in (?:the )?(?:column )?(?P<name>.+?)(?: column)?)?$",
    re.IGNORECASE,
)
_ROUND = re.compile(
    r"round(?: off)?(?: all)?\s+(?P<name>.+?)(?:\s+(?:to|on|with)\s+(?P<to>.+))?$", re.IGNORECASE
)
#: "Price to full euros", "one digit after the point everywhere".
_ROUNDED = re.compile(
    r"(?:make |set |bring |show )?(?P<name>.+?) (?:to|in|with|as) (?P<to>(?:the )?(?:nearest "
    r")?(?:full|"
    rf"whole)(?: \w+)?|{_DIGITS})$|(?:with |only |just )*(?P<to2>{_DIGITS})"
    r"(?: (?:everywhere|throughout|(?:in|for) (?:all|every|each)(?: (?:of them|columns?|"
    r"numbers?))?|"
    r"(?:in|for) (?P<name2>.+)))?$",
    re.IGNORECASE,
)
#: "'UK' and 'United Kingdom' are the same", which the words behind it only go on with.
_QUOTED = r"[\"“'‘][^\"”'’]+[\"”'’]"
_SAME = re.compile(
    rf"(?P<one>{_QUOTED}) and (?P<two>{_QUOTED}) (?:are|is|mean) (?:all |both )?(?:the same|one)"
    r"(?: \w+)?|make (?:it|them|both|that) (?:all )?(?:one|the same)",
    re.IGNORECASE,
)
#: What was spoken of before.
_THAT = re.compile(r"\b(?:it|them|that(?: one| column)?|this(?: one)?)\b", re.IGNORECASE)
_CONTENTS = frozenset("numbers values figures entries data dates cells names".split())
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()


def changed(sheet: Sheet, prompt: str) -> Grid:
    """The table with its columns as the words want them.

    Raises ToolError where a column is not there, or what shall be done is not understood.
    """
    work = _Work(sheet)
    text = re.sub(r"^\W*(?:(?:please|can|could|would|will|you|i(?:'d)?|we|want|need|like|to|"
                  r"me)\b\W*)+", "",
                  " ".join(prompt.split()), flags=re.IGNORECASE)  # fmt: skip
    text = re.sub(r"\b((?:swap|exchange|switch)\s+[^,;.]+?) and ", r"\1 with ", text, flags=re.I)
    pieces = [
        " ".join(re.sub(r"\b(?:please|then|also|instead)\b", " ", piece or "").split()).strip(
            " ,.:"
        )
        for piece in _PIECES.split(text.strip(" .!?"))
    ]
    for piece, following in zip(pieces, [*pieces[1:], ""], strict=True):
        if piece and not (_THAT.search(following) and work.points_at(piece)):
            work.do(piece)
    rows = [[cells[row] for _, cells in work.columns] for row in range(sheet.count)]
    return [[name for name, _ in work.columns], *rows]


class _Work:
    """The columns as they are changed, one wish after the other."""

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet
        self.columns = [(column.name, list(column.cells)) for column in sheet.columns]
        self._own = {name: cells for name, cells in self.columns}
        self._last: list[Column] = []
        self._acts = (
            (_SAME, self._make_one), (_FILL, self._fill), (_WRITE, self._fill),
            (_WRITE_THERE, self._fill_there), (_ROUND, self._round), (_ROUNDED, self._round_all),
            (_SWAP, self._swap), (_ORDER, self._order), (_BESIDE, self._beside),
            (_DROP, self._drop), (_KEEP, self._keep), (_MOVE, self._move),
            (_REPLACE, self._replace), (_HEADING, self._rename), (_ARROWS, self._rename),
            (_RENAME, self._rename),
        )  # fmt: skip

    def points_at(self, piece: str) -> bool:
        """Whether a piece only says which column the next is about: "amt means nothing to us"."""
        named = asked_of(self._sheet, piece).named(asked_of(self._sheet, piece).line)
        if len(named) != 1 or any(pattern.fullmatch(piece) for pattern, _ in self._acts):
            return False
        self._last = named
        return True

    def do(self, piece: str) -> None:
        for pattern, act in self._acts:
            found = pattern.fullmatch(piece)
            if found and act(found):
                return
        raise ToolError(
            f"I do not understand “{piece[:60]}”. Columns can be renamed, moved, taken out, "
            f"filled, replaced in and rounded; they are {columns_of(self._sheet)}."
        )

    def _found(self, words: str) -> Column | None:
        """The column of the table that some words name and nothing else."""
        bare = re.sub(r"\b(?:the|my|all|its|our|called|named|columns?|fields?|header|from|of|"
                      r"heading)\b", " ",
                      words, flags=re.IGNORECASE).strip(" ,:\"“”'‘’")  # fmt: skip
        for column in self._sheet.columns:
            if column.name.casefold() == " ".join(bare.split()).casefold():
                return column
        words = words.lower()
        if "column" in words:
            for place, ordinal in enumerate([*_ORDINALS, "last"]):
                if re.search(rf"\b{ordinal}\b", words):
                    place = len(self._sheet.columns) - 1 if ordinal == "last" else place
                    return self._sheet.columns[place] if place < len(self._sheet.columns) else None
        asked = asked_of(self._sheet, bare)
        marks = asked.line.split()
        named = [asked.items[mark].column for mark in marks if mark in asked.items]
        # "The fax numbers" are what stands in the column Fax.
        is_alone = len(marks) == 1 or (len(marks) == 2 and marks[1] in _CONTENTS)
        return named[0] if is_alone and named else None

    def _column(self, words: str) -> Column:
        found = self._found(words)
        if found is None and self._last and _THAT.fullmatch(words.strip()):
            return self._last[0]
        if found is None:
            raise unknown_column(self._sheet, words.strip(' ,:"“”'))
        self._last = [found]
        return found

    def _columns(self, words: str) -> list[Column]:
        whole = self._found(words)
        if whole is None and _THAT.fullmatch(words.strip()) and self._last:
            return self._last
        pieces = re.split(r"\s*(?:,|;|&|\band\b|\bthen\b)\s*", words)
        self._last = [whole] if whole else [self._column(one) for one in pieces if one.strip()]
        return self._last

    def _place(self, column: Column) -> int:
        cells = self._cells(column)
        return next(place for place, (_, some) in enumerate(self.columns) if some is cells)

    def _cells(self, column: Column) -> list[str]:
        return self._own[column.name]

    def _put(self, column: Column, place: int) -> None:
        pair = self.columns.pop(self._place(column))
        self.columns.insert(place, pair)

    def _rename(self, found: re.Match[str]) -> bool:
        if found["old"]:
            pairs = [(found["old"], found["new"])]
        else:
            pairs = [(one["old"], one["new"]) for one in _PAIR.finditer(found["pairs"])]
        if not pairs:
            # "Call the first column Name".
            alone = re.fullmatch(
                r"(?P<old>.*\bcolumn(?: \w+)??|th(?:at|is) one|\S+) (?P<new>\S+.*)", found["pairs"]
            )
            pairs = [(alone["old"], alone["new"])] if alone else []
        for old, new in pairs:
            column = self._column(re.sub(r"^(?:,|and)\s+", "", old.strip(), flags=re.IGNORECASE))
            name = re.sub(r"\s*(?:,|\band)$", "", new).strip(" ,.\"“”'‘’")
            self.columns[self._place(column)] = (name, self._cells(column))
        return bool(pairs)

    def _drop(self, found: re.Match[str]) -> bool:
        gone = {
            self._place(column)
            for column in self._columns(found["names"] or found["names2"] or found["names3"])
            if any(cells is self._cells(column) for _, cells in self.columns)
        }
        if len(gone) == len(self.columns):
            raise ToolError("No column would be left. Name fewer of them to take out.")
        self.columns = [one for place, one in enumerate(self.columns) if place not in gone]
        return True

    def _keep(self, found: re.Match[str]) -> bool:
        self.columns = [
            self.columns[self._place(column)] for column in self._columns(found["names"])
        ]
        return True

    def _move(self, found: re.Match[str]) -> bool:
        columns = self._columns(found["name"])
        for column in reversed(columns) if found["front"] else columns:
            self._put(column, 0 if found["front"] else len(self.columns) - 1)
        return True

    def _beside(self, found: re.Match[str]) -> bool:
        column, other = self._found(found["name"]), self._found(found["other"])
        if column is None or other is None:
            return False
        pair = self.columns.pop(self._place(column))
        is_before = re.search(r"before|front|left", found["way"], re.IGNORECASE)
        self.columns.insert(self._place(other) + (0 if is_before else 1), pair)
        return True

    def _swap(self, found: re.Match[str]) -> bool:
        one, two = self._place(self._column(found["one"])), self._place(self._column(found["two"]))
        self.columns[one], self.columns[two] = self.columns[two], self.columns[one]
        return True

    def _order(self, found: re.Match[str]) -> bool:
        if re.search(r"alphabet|a to z|a-z|name$", found["names"], re.IGNORECASE) and (
            "," not in found["names"]
        ):
            self.columns.sort(key=lambda one: one[0].casefold())
            return True
        for place, column in enumerate(self._columns(found["names"])):
            self._put(column, place)
        return True

    def _fill(self, found: re.Match[str]) -> bool:
        return self._fill_in(found["name"], found["with"] or found["with1"] or "")

    def _fill_there(self, found: re.Match[str]) -> bool:
        return self._fill_in(found["name"] or found["name2"], found["with"] or found["with2"])

    def _fill_in(self, name: str | None, said: str) -> bool:
        """Write what is said into the empty cells of the columns named, of all where none is."""
        value = said.strip(" .\"“”'‘’")
        if not value:
            return False
        columns = self._columns(name) if name else list(self._sheet.columns)
        is_above = re.search(r"above|previous|before", value, re.IGNORECASE)
        way = re.fullmatch(r"(average|mean|median)(?: .*)?", value, re.IGNORECASE)
        for column in columns:
            cells, last, written = self._cells(column), "", value
            if way and column.kind == "number":
                kind = "median" if way[1].lower() == "median" else "mean"
                written = as_cells([AGGREGATES[kind](column.numbers)], [column])[0]
            for row in range(self._sheet.count):
                if column.is_empty(row):
                    cells[row] = last if is_above else written
                last = cells[row]
        return True

    def _replace(self, found: re.Match[str]) -> bool:
        old, new = (found[name].strip(" \"“”'‘’") for name in ("old", "new"))
        columns = self._columns(found["name"]) if found["name"] else list(self._sheet.columns)
        if not found["name"] and self._found(found["old"]) is not None:
            return False  # The name of a column is to be another.
        pattern = re.compile(rf"(?<!\w){re.escape(old)}(?!\w)", re.IGNORECASE)
        count = 0
        for column in columns:
            cells = self._cells(column)
            for row, cell in enumerate(cells):
                cells[row], hits = pattern.subn(lambda _: new, cell)
                count += hits
        if not count:
            raise ToolError(f"“{old}” stands nowhere in this table, so nothing is replaced.")
        return True

    def _make_one(self, found: re.Match[str]) -> bool:
        """Write the more frequent of two spellings for the other."""
        if not found["one"]:
            return True
        spellings = [found[name].strip(" \"“”'‘’").casefold() for name in ("one", "two")]
        cells = [cell.strip() for _, column in self.columns for cell in column]
        known = {one: [cell for cell in cells if cell.casefold() == one] for one in spellings}
        rare, usual = sorted(spellings, key=lambda one: len(known[one]))
        if not known[rare]:
            raise ToolError(f"“{rare}” stands nowhere in this table, so nothing is replaced.")
        for _, column in self.columns:
            for row, cell in enumerate(column):
                if cell.strip().casefold() == rare:
                    column[row] = known[usual][0]
        return True

    def _round(self, found: re.Match[str]) -> bool:
        name, to = re.sub(r"\s*\bup\b|\bdown\b", "", found["name"]), (found["to"] or "").lower()
        if name.lower() in ("it", "them", "everything", "all") and not self._last:
            return self._round_to(self._numbers(), to)
        return self._round_to(self._columns(name), to)

    def _round_all(self, found: re.Match[str]) -> bool:
        name = found["name"] or found["name2"]
        columns = self._columns(name) if name else self._numbers()
        return self._round_to(columns, (found["to"] or found["to2"]).lower())

    def _numbers(self) -> list[Column]:
        numbers = [one for one in self._sheet.columns if is_measure(one) and not one.is_whole]
        if not numbers:
            raise ToolError("No column of this table has numbers to round.")
        return numbers

    def _round_to(self, columns: Sequence[Column], to: str) -> bool:
        for column in columns:
            self._cells(column)[:] = rounded(column, self._cells(column), to)
        return True
