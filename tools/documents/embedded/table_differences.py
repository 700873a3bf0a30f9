"""What two tables have in common and what apart, by the column that tells their rows."""

from __future__ import annotations

import re
from collections.abc import Sequence

from controlllm.toolbox import ToolError

from .asking import asked_of
from .cells import Column
from .joining import Grid, folded, value_of
from .reading import Sheet, sheets_in
from .short_words import in_full
from .words import parts
from .writing import grid

_FIRST = r"(?:first|one|1st|former|old(?:er)?|previous|upper|left|original|earlier|list one|list 1)"
_SECOND = (
    r"(?:second|two|2nd|other|latter|new(?:er)?|current|lower|right|later|last|list two|list 2)"
)
_CHANGED = re.compile(
    r"\b(?:chang\w*|different values?|values? (?:that )?differ\w*|updated|altered|became|gone "
    r"up|risen|"
    r"raised|cheaper|dearer|more expensive|price differences?|(?:an? )?different (?!from)\w+|"
    r"another (?!list|table|file|sheet)\w+|"
    r"went (?:up|down)|fallen|rose|fell|sunk|more than before|less than before)\b",
    re.IGNORECASE,
)
#: Which of the numbers that changed are meant: those that are more now, or less.
_MORE = re.compile(
    r"\b(?:dearer|more expensive|gone up|went up|risen|rose|raised|increased|more than before)\b",
    re.IGNORECASE,
)
_LESS = re.compile(
    r"\b(?:cheaper|less expensive|gone down|went down|fallen|fell|sunk|decreased|reduced|"
    r"less than before)\b",
    re.IGNORECASE,
)
_NOT = (
    r"(?:not|n't|missing|lack\w*|absent|without|never|no longer|isn't|aren't|doesn't|hasn't|"
    r"haven't)"
)
_BOTH = re.compile(
    r"\b(?:both|common|overlap\w*|share[ds]?|as well|also|match(?:es|ing)?|same|either list too|"
    r"intersection|too|twice|duplicates?)\b",
    re.IGNORECASE,
)
_NEW = re.compile(
    r"\b(?:new in|newly|added|joined|what(?:'s| is) new|(?<!the )new (?:ones?|names?|entries|rows|"
    r"members|customers)|who is new|which are new|are new|is new)\b",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"\b(?:differences?|differ|different|apart|compare|either|only one of|difference)\b", re.I
)
_IDENTIFYING = re.compile(
    r"\b(?:e-?mail|mail|id|ids|number|nr|no|sku|ean|isbn|code|article|key|iban|phone)\b", re.I
)
_NAMING = re.compile(r"\b(?:name|who|member|customer|guest|person|title|product|item)\b", re.I)


def compared(first: str, second: str, words: str) -> Grid:
    """The rows that are asked for, or for each value that changed a row with both.

    Raises ToolError where the tables have no column by which their rows can be told apart.
    """
    one, two = sheets_in(first)[0], sheets_in(second)[0]
    keys = _key(one, two, words)
    ours, theirs = grid(one, has_total=False), grid(two, has_total=False)
    wanted = _wanted(words)
    known_one = {_key_of(row, [place for place, _ in keys]) for row in ours[1:]}
    known_two = {_key_of(row, [place for _, place in keys]) for row in theirs[1:]}
    lone_one = [row for row in ours[1:] if _key_of(row, [p for p, _ in keys]) not in known_two]
    lone_two = [row for row in theirs[1:] if _key_of(row, [p for _, p in keys]) not in known_one]
    if wanted == "first":
        return _some(
            [ours[0], *lone_one], "Nothing is in the first table that is not in the second."
        )
    if wanted == "second":
        return _some(
            [theirs[0], *lone_two], "Nothing is in the second table that is not in the first."
        )
    if wanted == "both":
        rows = [row for row in ours[1:] if _key_of(row, [p for p, _ in keys]) in known_two]
        return _some([ours[0], *rows], "The tables have no row in common.")
    way = bool(_MORE.search(words)) - bool(_LESS.search(words))
    lone = (lone_one, lone_two) if wanted == "all" and not way else ([], [])
    return _differences(one, two, keys, lone, way)


def _wanted(words: str) -> str:
    """Which rows are asked for: of the first, the second, both, the changed ones or all."""
    text = in_full(words.lower().replace("’", "'"))
    missing = re.search(
        rf"{_NOT}\b(?:(?!\b(?:but|and)\b).)*?\b(?:in|on|from|at|to)? ?(?:the |my |list |table |"
        r"file |sheet )*"
        rf"(?:(?P<first>{_FIRST})|(?P<second>{_SECOND}))\b",
        text,
    )
    if missing:
        return "second" if missing["first"] else "first"
    only = re.search(rf"\b(?:only|just)\b.*?(?:(?P<first>{_FIRST})|(?P<second>{_SECOND}))\b", text)
    if only and not re.search(r"only one", text):
        return "first" if only["first"] else "second"
    if _NEW.search(text):
        return "second"
    if _CHANGED.search(text):
        return (
            "all"
            if re.search(r"\bwhat(?:'s| has| have| is)? (?:all )?changed\b|differences", text)
            else "changed"
        )
    if _BOTH.search(text) and not re.search(rf"\b{_NOT}\b", text):
        return "both"
    if re.search(
        rf"\b{_NOT}\b|n't\b|\b(?:gone|left|dropped|removed|disappeared|cancelled|open|"
        r"outstanding)\b",
        text,
    ):
        return "first"
    return "all" if _ALL.search(text) else "both"


def _key(one: Sheet, two: Sheet, words: str) -> list[tuple[int, int]]:
    """By which columns the rows are told apart: the one that is named, else the likeliest."""
    pairs = [
        (place, other)
        for place, column in enumerate(one.columns)
        for other, their in enumerate(two.columns)
        if folded(column.name) == folded(their.name)
    ]
    asked = asked_of(one, words)
    said = [item.column for item in asked.items.values() if item.column is not None]
    by = re.search(r"\b(?:by|according to|using|on the basis of) (?:the )?(.+)$", words, re.I)
    if by or any(column.kind == "text" for column in said):
        named = [pair for pair in pairs if one.columns[pair[0]] in said
                 and (by or one.columns[pair[0]].kind == "text")]  # fmt: skip
        if named and (by or len(named) == 1 and _is_telling(one, two, named[0])):
            return named[:1]
    for pattern in (_IDENTIFYING, _NAMING):
        for pair in pairs:
            name = " ".join(parts(one.columns[pair[0]].name))
            if pattern.search(name) and _is_telling(one, two, pair):
                return [pair] if pattern is _IDENTIFYING else _names(one, pairs, pair)
    telling = [pair for pair in pairs if _is_telling(one, two, pair)]
    if telling:
        return telling[:1]
    if pairs:
        return pairs  # The whole row tells it from others.
    return [_alike(one, two)]


def _names(
    one: Sheet, pairs: Sequence[tuple[int, int]], first: tuple[int, int]
) -> list[tuple[int, int]]:
    """A first name with the last name beside it."""
    names = [pair for pair in pairs if "name" in parts(one.columns[pair[0]].name)]
    return names if len(names) > 1 else [first]


def _is_telling(one: Sheet, two: Sheet, pair: tuple[int, int]) -> bool:
    for sheet, place in zip((one, two), pair, strict=True):
        cells = [value_of(cell) for cell in sheet.columns[place].cells if cell.strip()]
        if not cells or len(set(cells)) < 0.9 * len(cells):
            return False
    return True


def _alike(one: Sheet, two: Sheet) -> tuple[int, int]:
    """The columns with the most values in common where no names agree."""
    best, found = 0, None
    for place, column in enumerate(one.columns):
        ours = {value_of(cell) for cell in column.cells if cell.strip()}
        for other, their in enumerate(two.columns):
            count = len(ours & {value_of(cell) for cell in their.cells if cell.strip()})
            if count > best:
                best, found = count, (place, other)
    if found is None:
        raise ToolError(
            "These tables share no column by which their rows could be compared. Give one column "
            "in both the same name."
        )
    return found


def _key_of(row: Sequence[str], places: Sequence[int]) -> tuple[str, ...]:
    return tuple(value_of(row[place]) for place in places)


def _some(rows: Grid, nothing: str) -> Grid:
    if len(rows) == 1:
        raise ToolError(nothing)
    return rows


def _differences(
    one: Sheet, two: Sheet, keys: Sequence[tuple[int, int]], lone: tuple[Grid, Grid], way: int = 0
) -> Grid:
    """A row for each cell that is another in the second table, and for each row only one has; with
    a `way` only for numbers that are more there, or less."""
    shared = [
        (place, other) for place, column in enumerate(one.columns)
        for other, their in enumerate(two.columns)
        if folded(column.name) == folded(their.name) and (place, other) not in keys
    ]  # fmt: skip
    ours = {_key_of(one.row(row), [p for p, _ in keys]): row for row in range(one.count)}
    names = [one.columns[place].name for place, _ in keys]
    rows: Grid = [[*names, "Column", "Before", "After"]]
    for row in range(two.count):
        mine = ours.get(_key_of(two.row(row), [other for _, other in keys]))
        if mine is None:
            continue
        said = [one.columns[place].cells[mine] for place, _ in keys]
        for place, other in shared:
            before, after = one.columns[place].cells[mine], two.columns[other].cells[row]
            if value_of(before) != value_of(after) and (
                not way or _went(one.columns[place], mine, two.columns[other], row) == way
            ):
                rows.append([*said, one.columns[place].name, before, after])
    for cells, places, words in (
        *((cells, [p for p, _ in keys], ("taken out", "in the first", "")) for cells in lone[0]),
        *((cells, [p for _, p in keys], ("added", "", "in the second")) for cells in lone[1]),
    ):
        rows.append([*(cells[place] for place in places), *words])
    if way:
        return _some(rows, f"No number is {'more' if way > 0 else 'less'} in the second table.")
    return _some(rows, "The tables have the same rows with the same values.")


def _went(before: Column, mine: int, after: Column, row: int) -> int:
    """Which way a number went: 1 where it is more afterwards, -1 where it is less, else 0."""
    old = before.values[mine] if before.values else None
    new = after.values[row] if after.values else None
    if not (isinstance(old, float) and isinstance(new, float)):
        return 0
    return (new > old) - (new < old)
