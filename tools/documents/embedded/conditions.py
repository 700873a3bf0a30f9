"""Conditions on the rows of a table: found in words, said in words, and held against the rows."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from controlllm.toolbox import ToolError

from .asking import Asked, Item, clipped, columns_of
from .cells import EMPTY, NO, YES, Column
from .condition_words import (
    ABOUT,
    AT_LEAST,
    AT_MOST,
    ENTRY,
    FLIPPED,
    IS,
    LESS,
    MONEY,
    MORE,
    NOT,
    OTHER,
    SAID,
    SAME,
    SIGNS,
    C,
    D,
    N,
    Q,
    V,
)
from .row_tests import (
    Condition,
    Conditions,
    against_period,
    aligned,
    as_number,
    by_value,
    condition,
    in_periods,
    in_span,
    unless,
)
from .stretches import ORDINALS, at_an_end, from_to, nth, quarter_of
from .words import parts, stem

_PEOPLE = re.compile(
    r"\b(?:everybody|everyone|anybody|anyone|people|persons?|those|kids|children|adults|members|"
    r"passengers|guests|women|men|boys|girls|who|all|them|they|someone|somebody)\b",
    re.IGNORECASE,
)


def conditions_in(asked: Asked) -> Conditions:
    """The conditions in the words, which are taken out of the line."""
    reader = _Reader(asked)
    found: list[Condition] = []
    for pattern, make in reader.patterns():
        place = 0
        while match := re.compile(pattern).search(asked.line, place):
            made = make(match)
            if made is None:
                place = match.start() + 1
                continue
            number = len(found)
            found.append(made)
            asked.take(match, f" K{number} ")
            place = 0
    return _joined(asked, found)


def _joined(asked: Asked, found: Sequence[Condition]) -> Conditions:
    """The conditions by how the words join them: "or" only where it stands between two."""
    order = [int(mark) for mark in re.findall(r"(?<!\w)K(\d+)(?!\w)", asked.line)]
    ways: list[list[Condition]] = [[]]
    for place, number in enumerate(order):
        if place and re.search(rf"K{order[place - 1]} (?:[,;] )*or(?: \w+){{0,2}} K{number}(?!\d)",
                               " ".join(asked.line.split())):  # fmt: skip
            ways.append([])
        ways[-1].append(found[number])
    for way in ways:
        _reject_both(way)
    asked.line = re.sub(r"(?:(?<!\w)or )?(?<!\w)K\d+(?!\w)", " ; ", asked.line)
    return Conditions(tuple(tuple(way) for way in ways if way))


def _reject_both(way: Sequence[Condition]) -> None:
    """Raise ToolError where a cell would have to be two things at once."""
    for place, one in enumerate(way):
        for two in way[place + 1 :]:
            if one.is_value and two.is_value and one.column is two.column and one.said != two.said:
                raise ToolError(
                    f"No row is both: {one.said} and {two.said}. Ask for one after the other."
                )


class _Reader:
    """Makes conditions of what patterns find."""

    def __init__(self, asked: Asked) -> None:
        self._asked = asked
        self._sheet = asked.sheet

    def patterns(self) -> Iterator[tuple[str, Callable[[re.Match[str]], Condition | None]]]:
        c, is_ = rf"(?:(?P<c>{C}) )?", rf"(?:(?<!\w){IS} )*"
        n, after = rf"(?P<v>{N}|{D})(?: {MONEY}(?!\w))?", rf"(?: (?P<after>{C}))?"
        no = rf"(?:(?<!\w)(?P<no>{NOT}) )?"
        yield (
            rf"{no}(?:(?<!\w)(?:only|just|in|of|for|over|during|the|from|show|keep) "
            rf")*(?<!\w)(?P<way>first|"
            rf"last|final|latest) (?P<n>{N}) (?:(?P<unit>(?:month|week|day|quarter|year)s?)|"
            rf"(?P<c>{C}))(?!\w)",
            lambda found: at_an_end(self._asked, found),
        )
        yield (
            rf"{no}(?:(?<!\w)(?:only|just|in|of|for|over|during|the|from) "
            rf")*(?P<what>(?<!\w)(?:(?P<which>first|"
            r"second|third|fourth|last|1st|2nd|3rd|4th) (?P<part>quarter|half)|q(?P<q>[1-4])))"
            r"(?: of the year)?(?!\w)",
            lambda found: quarter_of(self._asked, found),
        )
        yield (
            rf"{c}{no}(?:(?:only|just|the|in|months?|C\d+) )*(?:(?:between|from|starting) "
            rf")?(?P<v>{V}) (?:and|to|until|"
            rf"till|til|through|thru|up to) (?:the )?(?P<w>{V})",
            lambda found: from_to(self._asked, found),
        )
        yield (
            rf"{c}{no}(?:in )?(?P<v>{D}) (?:to|until|till|til|through|thru|up to) "
            rf"(?P<w>{D}){after}", self._between,
        )  # fmt: skip
        yield (
            rf"{c}{is_}{no}(?:an? )?(?:between|from|ranging from) (?P<v>{N}|{D})(?: {MONEY})?"
            rf"(?: (?P<mid>{C}))? (?:and|to|until|till|through|-) (?P<w>{N}|{D})(?: "
            rf"{MONEY})?{after}",
            self._between,
        )
        yield (
            rf"{c}{no}(?:from|since|starting(?: from| on| with)?|as of) (?P<v>{D})(?P<op> "
            r"on(?:wards?)?"
            r"| onwards?)(?!\w)(?! [CVD]\d)",
            lambda found: self._compared(found, ">="),
        )
        for sign, words in (
            (">=", AT_LEAST), ("<=", AT_MOST), (">", MORE), ("<", LESS), ("=", SAME),
            ("!=", OTHER),
        ):  # fmt: skip
            yield (
                rf"(?P<c>{C}) {is_}{no}{is_}(?<!\w)(?:{words})(?!\w) (?:than |the |its |their |"
                r"to )*"
                rf"(?P<w>{C})",
                lambda found, sign=sign: self._two_columns(found, sign),  # type: ignore[misc]
            )
            if sign in ("=", "!="):
                continue
            yield (
                rf"{c}{is_}{no}{is_}(?:an? )?(?<!\w)(?P<op>{words})(?!\w) (?:the |of )*{n}{after}",
                lambda found, sign=sign: self._compared(found, sign),  # type: ignore[misc]
            )
        for sign, words in ((">=", r"or (?:more|above|higher|over|later|older|better|up)|and "
                                   r"(?:more|above|over|up|older|later)|plus|\+"),
                            ("<=", r"or (?:less|fewer|below|under|lower|earlier|younger|"
                                   r"cheaper)|and (?:less|below|under|younger)")):  # fmt: skip
            yield (
                rf"{c}{is_}{no}{n}(?: (?P<mid>{C}))? (?:{words})(?!\w)",
                lambda found, sign=sign: self._compared(found, sign),  # type: ignore[misc]
            )
        yield (
            rf"{c}(?:that |which |who |whose )?(?:{IS} )*{no}(?<!\w)(?P<op>contain(?:s|ing)?|"
            rf"includ(?:es|ing)|"
            r"mention(?:s|ing)?|(?:start|begin|end)(?:s|ing)? (?:with|in)) "
            rf"(?:the |word |words |text |letters? |phrase )*(?P<v>{Q}|{V}|{N}|{C}|[^\s;,]+)",
            self._contains,
        )
        yield (
            rf"(?P<c>{C}) (?:is |are |was |were |has |that )*{no}(?P<op>empty|missing|blank|"
            rf"unknown|"
            r"filled(?: in)?|given|present)(?!\w)", self._empty,
        )  # fmt: skip
        yield (
            r"(?<!\w)(?P<op>missing|lacks?|lacking|empty|blank|have no|has no|with no|without an?|"
            rf"without any)(?: (?:{ENTRY}))?(?: (?:in|for|under|at|of))?(?: the)? (?P<c>{C})",
            self._empty,
        )
        yield (
            rf"(?<!\w)(?P<no>without|no|not) (?:any )?(?:missing|empty|blank) (?:{ENTRY})s?(?!\w)|"
            rf"(?<!\w)(?:any |some |a |an )?(?:missing|empty|blank) (?:{ENTRY})s?(?!\w)|(?<!\w)"
            r"(?:incomplete|(?:any|some)thing(?: is)? missing|gaps?)(?!\w)|(?<!\w)(?P<no2>complete"
            r"(?:ly filled)?)(?= (?:rows?|entries|lines?|records)|$)",
            self._any_empty,
        )
        yield (
            rf"(?<!\w)(?:with|have|has|having) (?:an?|any|some) (?P<c>{C})"
            rf"(?! (?:(?:{IS}|over|under|above|below|between|{NOT}|at|more|less) "
            rf")*[VNDQ\d])(?! {MORE})",
            self._filled,
        )
        yield rf"(?<!\w)(?P<op>negative|positive)(?: (?P<c>{C}))?(?!\w)", self._sign
        yield rf"(?P<c>{C})(?: {IS})* {no}(?P<v>yes|no|true|false)(?!\w)", self._yes_or_no
        yield (
            rf"{c}{is_}{no}{is_}(?P<v>{V})(?P<more>(?: ?(?:,|or|and|nor|&) ?(?:or |and )?"
            rf"(?:{IS} )*{V})*){after}", self._value,
        )  # fmt: skip
        yield rf"{c}{is_}{no}{is_}(?P<v>{Q}){after}", self._quoted
        yield (
            rf"{c}{is_}{no}{is_}(?P<v>{D})(?P<more>(?: (?:,|or|and) (?:or |and )?(?:in |on "
            rf")?{D})*)",
            self._period,
        )
        yield (
            rf"{no}{is_}(?P<nth>{'|'.join(ORDINALS)}) (?P<c>{C})",
            lambda found: nth(self._asked, found),
        )
        yield rf"(?P<c>{C}) {is_}{no}(?:{IS} )*(?P<v>{N})(?: {MONEY}(?!\w))?", self._number
        yield (
            rf"{no}(?:{IS} )*{no.replace('no>', 'no2>')}(?:(?:yet|ever|come|been|got|gone|came|"
            r"brought|"
            rf"{IS}) )*(?<!by )(?<!per )(?P<c>{C})(?! "
            rf"(?:{IS} )*[VNDQ]\d)",
            self._is_so,
        )
        yield rf"(?<!\w)(?:in|of|for|from|during) (?P<v>{N})(?!\w)", self._year

    # What each pattern makes.

    def _between(self, found: re.Match[str]) -> Condition | None:
        first, last = self._asked.items[found["v"]], self._asked.items[found["w"]]
        column = self._measured(self._nearest(found), first, "", last)
        if column is None:
            return None
        if first.period and last.period:
            low, high = aligned(first.period, last.period)
            holds = in_span(column, low, high)
        else:
            low_number, high_number = sorted((as_number(first), as_number(last)))
            holds = by_value(column, lambda value: low_number <= value <= high_number)
        said = f"{column.name} is between {first.said} and {last.said}"
        return condition(said, holds, found, column)

    def _compared(self, found: re.Match[str], sign: str) -> Condition | None:
        item = self._asked.items[found["v"]]
        groups = found.groupdict()
        word = groups.get("op") or ""
        if word in ("from", "by", "min", "max", "starting") and item.period is None:
            return None
        if word in ("from", "by") and item.period and (word == "from" or item.period.months):
            return None  # "Sales from March" are those in March.
        column = self._measured(self._nearest(found), item, word)
        if column is None:
            return None
        sign = FLIPPED[sign] if found["no"] else sign
        if item.period and column.kind == "date":
            holds = against_period(column, sign, item.period)
            words = {">": "after", "<": "before", ">=": "from", "<=": "up to"}[sign]
        else:
            limit = as_number(item)
            holds = by_value(column, lambda value: SIGNS[sign](value, limit))
            words = SAID[sign]
        return condition(f"{column.name} is {words} {item.said}", holds, found, column)

    def _nearest(self, found: re.Match[str]) -> str | None:
        """The column that stands beside a number: before it, or behind it where the one before
        has no numbers to be held against or stands farther off."""
        groups = found.groupdict()
        before, behind = groups.get("c"), groups.get("mid") or groups.get("after")
        column = self._asked.column(behind)
        if before is None or column is None or column.kind != "number":
            return before or behind
        first = self._asked.column(before)
        is_near = re.match(
            rf"{before} (?:(?:is|are|was|were|of|not) )*{re.escape(groups.get('op') or '')}",
            found[0],
        )
        if first is None or first.kind != "number" or first.is_label or not is_near:
            return behind
        return before

    def _measured(
        self, mark: str | None, item: Item, word: str, other: Item | None = None
    ) -> Column | None:
        """The column that a number or a time is held against."""
        named = self._asked.column(mark)
        wanted = (
            "date"
            if item.period and not (item.period.is_year and self._year_column())
            else "number"
        )
        if (
            named is not None
            and named.kind == wanted
            and not (named.is_label and not named.is_year and item.period is None)
        ):
            return named
        if named is not None and named.kind == "text" and wanted == "number":
            return None
        if wanted == "date":
            return self._date_column()
        for about, names in ABOUT.items():
            if about in word:
                return self._called(names.split(), word)
        if item.period:
            return self._year_column()
        return self._only_measure(item)

    def _only_measure(self, item: Item) -> Column:
        """The column that is reckoned with, where none is named beside a number."""
        from .measures import measure_of, measures

        named = [
            column for mark in re.findall(C, self._asked.line)
            if (column := self._asked.column(mark)) and column.kind == "number"
            and not column.is_label
        ]  # fmt: skip
        if named:
            return named[0]
        ages = [
            column for column in measures(self._sheet)
            if {"age", "alter"} & set(parts(column.name))
        ]  # fmt: skip
        if ages and item.number <= 120 and _PEOPLE.search(self._asked.text):
            # "Everybody under 18" is told by the age.
            return ages[0]
        return measure_of(self._asked, f"{item.said} is held against")

    def _called(self, names: Sequence[str], word: str) -> Column:
        for column in self._sheet.columns:
            if column.kind == "number" and set(names) & set(parts(column.name)):
                return column
        raise ToolError(
            f"It is not clear which column “{word}” is about. The columns are "
            f"{columns_of(self._sheet)}; name one of them."
        )

    def _date_column(self) -> Column:
        dates = [column for column in self._sheet.columns if column.kind == "date"]
        if not dates:
            raise ToolError(
                "There is no column of dates in this table. Its columns are "
                f"{columns_of(self._sheet)}."
            )
        for mark in re.findall(C, self._asked.line):
            column = self._asked.column(mark)
            if column is not None and column.kind == "date":
                return column
        return dates[0]

    def _year_column(self) -> Column | None:
        return next((column for column in self._sheet.columns if column.is_year), None)

    def _contains(self, found: re.Match[str]) -> Condition | None:
        item = self._asked.items.get(found["v"])
        words = (item.said if item else found["v"]).casefold()
        column = self._asked.column(found["c"])
        columns = [column] if column else list(self._sheet.columns)
        way = found["op"][:3]
        test = {"sta": str.startswith, "beg": str.startswith, "end": str.endswith}.get(
            way, operator.contains
        )

        def holds(row: int) -> bool:
            return any(test(each.cells[row].strip().casefold(), words) for each in columns)

        verb = {"sta": "starts with", "beg": "starts with", "end": "ends with"}.get(way, "contains")
        name = column.name if column else "a cell"
        return condition(f"{name} {verb} “{words}”", unless(found["no"], holds), found, column,
                     bool(found["no"]))  # fmt: skip

    def _empty(self, found: re.Match[str]) -> Condition | None:
        column = self._asked.column(found["c"])
        assert column is not None
        is_there = found["op"].split()[0] in ("filled", "given", "present")
        wants_empty = is_there == bool(found.groupdict().get("no"))
        said = f"{column.name} is {'' if wants_empty else 'not '}empty"
        return condition(said, lambda row: column.is_empty(row) == wants_empty, found, column)

    def _any_empty(self, found: re.Match[str]) -> Condition:
        """Rows in which some cell is empty."""
        columns = self._sheet.columns

        def holds(row: int) -> bool:
            return any(column.is_empty(row) for column in columns)

        is_not = found["no"] or found["no2"]
        said = "no cell is empty" if is_not else "a cell is empty"
        return condition(said, unless(is_not, holds), found, None)

    def _two_columns(self, found: re.Match[str], sign: str) -> Condition | None:
        """A column held against another of its kind; an empty number is none at all."""
        one, two = self._asked.column(found["c"]), self._asked.column(found["w"])
        if one is None or two is None or one is two or one.kind != two.kind:
            return None
        sign = FLIPPED[sign] if found["no"] else sign
        test = {**SIGNS, "=": operator.eq, "!=": operator.ne}[sign]

        def holds(row: int) -> bool:
            if one.kind == "text":
                pair = [column.cells[row].strip().casefold() for column in (one, two)]
                return bool(test(*pair))
            first, second = one.values[row], two.values[row]
            return first is not None and second is not None and bool(test(first, second))

        words = {**SAID, "=": "the same as", "!=": "other than"}[sign]
        return condition(f"{one.name} is {words} {two.name}", holds, found, one)

    def _filled(self, found: re.Match[str]) -> Condition | None:
        """ "With an email": its cell is not empty."""
        column = self._asked.column(found["c"])
        if column is None or column.kind == "number":
            return None
        said = f"{column.name} is not empty"
        return condition(said, lambda row: not column.is_empty(row), found, column)

    def _sign(self, found: re.Match[str]) -> Condition | None:
        column = self._asked.column(found["c"])
        if column is None or column.kind != "number":
            column = self._only_measure(Item(found["op"]))
        is_less = found["op"] == "negative"
        holds = by_value(column, lambda value: value < 0 if is_less else value > 0)
        return condition(f"{column.name} is {found['op']}", holds, found, column)

    def _yes_or_no(self, found: re.Match[str]) -> Condition | None:
        column = self._asked.column(found["c"])
        assert column is not None
        wants = (found["v"] in ("yes", "true")) != bool(found["no"])
        fitting = YES if wants else NO
        said = f"{column.name} is {'yes' if wants else 'no'}"
        return condition(
            said, lambda row: column.cells[row].strip().casefold() in fitting, found, column
        )

    def _is_so(self, found: re.Match[str]) -> Condition | None:
        """Of a column of yes and no its name is enough: "the paid orders"."""
        column = self._asked.column(found["c"])
        names_columns = re.search(
            r"(?<!\w)(?:columns?|fields?|by)(?!\w)", found.string[: found.start()]
        )
        if column is None or names_columns:
            return None
        if not column.is_yes_or_no:
            # "Have not come back": of a column of dates what is not is empty.
            is_told = column.kind == "date" and any(map(column.is_empty, range(self._sheet.count)))
            if not (is_told and (found["no"] or found["no2"])):
                return None
            return condition(f"{column.name} is empty", column.is_empty, found, column)
        wants = not (found["no"] or found["no2"])
        fitting = YES if wants else NO
        said = f"{column.name} is {'yes' if wants else 'no'}"
        return condition(
            said, lambda row: column.cells[row].strip().casefold() in fitting, found, column
        )

    def _value(self, found: re.Match[str]) -> Condition | None:
        marks = [found["v"], *re.findall(V, found["more"] or "")]
        items = [self._asked.items[mark] for mark in marks]
        before, after = found["c"], found["after"]
        column = self._owner(items, before) or self._owner(items, after)
        left = ""
        if column is None:
            words = found[0].split()
            column = self._by_word(items, words) or self._likely(items)
        if before and self._asked.column(before) is not column:
            left += f" {before} "
        place = self._sheet.columns.index(column)
        if any(place not in item.cells for item in items):
            return None if len(items) > 1 and self._shorten(found) else self._mixed(items, found)
        if after and self._asked.column(after) is not column:
            left += f" {after} "
        self._left = left
        cells = frozenset().union(*(item.cells[place] for item in items))
        # "Berlin" where the column has both "Berlin" and "berlin " is both.
        is_not = bool(found["no"])
        said_values = " or ".join(_as_written(item, place, column) for item in items)
        said = f"{column.name} is {'not ' if is_not else ''}{said_values}"
        made = condition(
            said,
            lambda row: (column.cells[row].strip().casefold() in cells) != is_not,
            found,
            column,
        )
        made = replace(made, is_value=not is_not)
        if left:
            # The other column that stood beside it is still to be understood.
            self._asked.line = (
                self._asked.line[: found.end()] + left + self._asked.line[found.end() :]
            )
        return made

    def _shorten(self, found: re.Match[str]) -> bool:
        """Part values of different columns, so that each is understood by itself."""
        line, more = self._asked.line, found["more"]
        parted = re.sub(r" ?(?:,|or|and|nor|&) ?(?=(?:\w+ )*V)", " ; ", more)
        if parted == more:
            return False
        start = found.start("more")
        self._asked.line = line[:start] + parted + line[start + len(more) :]
        return True

    def _mixed(self, items: Sequence[Item], found: re.Match[str]) -> Condition | None:
        return None

    def _owner(self, items: Sequence[Item], mark: str | None) -> Column | None:
        """The named column, where it has the first value."""
        column = self._asked.column(mark)
        if column is None:
            return None
        place = self._sheet.columns.index(column)
        return column if place in items[0].cells else None

    def _by_word(self, items: Sequence[Item], words: Sequence[str]) -> Column | None:
        """A column that is called as the word before the value: "from Berlin", "to Rome"."""
        for word in words:
            for place in items[0].cells:
                if stem(word) in parts(self._sheet.columns[place].name):
                    return self._sheet.columns[place]
        return None

    def _likely(self, items: Sequence[Item]) -> Column:
        """The column that has all of the values, the most often the first."""
        shared = set(items[0].cells)
        for item in items[1:]:
            shared = shared & set(item.cells) or shared
        counts = {
            place: sum(cell.strip().casefold() in items[0].cells[place]
                       for cell in self._sheet.columns[place].cells)
            for place in shared
        }  # fmt: skip
        return self._sheet.columns[max(sorted(counts), key=lambda place: counts[place])]

    def _quoted(self, found: re.Match[str]) -> Condition | None:
        words = self._asked.items[found["v"]].said
        column = self._asked.column(found["c"] or found["after"])
        if column is None:
            raise ToolError(
                f"“{clipped(words)}” stands nowhere in this table. Its columns are "
                f"{columns_of(self._sheet)}."
            )
        if column.kind != "text":
            return None
        if found["no"]:
            return condition(f"{column.name} is not {words}", lambda row: True, found, column)
        raise no_value(column, words)

    def _period(self, found: re.Match[str]) -> Condition | None:
        marks = [found["v"], *re.findall(D, found["more"] or "")]
        periods = [period for mark in marks if (period := self._asked.items[mark].period)]
        named = self._asked.column(found["c"])
        years = self._year_column()
        if years is not None and all(period.is_year for period in periods):
            column: Column = years
            numbers = {float(period.said) for period in periods}
            holds = by_value(column, lambda value: value in numbers)
        else:
            column = named if named and named.kind == "date" else self._date_column()
            holds = in_periods(column, periods)
        is_not = bool(found["no"])
        word = "on" if all(period.is_day for period in periods) else "in"
        times = " or ".join(period.said for period in periods)
        said = f"{column.name} is {'not ' if is_not else ''}{word} {times}"
        made = condition(said, unless(is_not, holds), found, column)
        if named is not None and named is not column:
            self._asked.line = (
                f"{self._asked.line[: found.end()]} {found['c']} {self._asked.line[found.end() :]}"
            )
        return made

    def _number(self, found: re.Match[str]) -> Condition | None:
        column = self._asked.column(found["c"])
        item = self._asked.items[found["v"]]
        assert column is not None
        is_not = bool(found["no"])
        said = f"{column.name} is {'not ' if is_not else ''}{item.said}"
        if column.kind == "number":
            holds = by_value(column, lambda value: abs(value - item.number) < 1e-9)
        elif column.kind == "text":
            cell = item.said.casefold()
            holds = lambda row: column.cells[row].strip().casefold() == cell  # noqa: E731
        else:
            return None
        return condition(said, unless(is_not, holds), found, column)

    def _year(self, found: re.Match[str]) -> Condition | None:
        item = self._asked.items[found["v"]]
        column = self._year_column()
        if column is None or not 1000 <= item.number <= 2200:
            return None
        said = f"{column.name} is {item.said}"
        return condition(said, by_value(column, lambda value: value == item.number), found, column)


def _as_written(item: Item, place: int, column: Column) -> str:
    """The value as it stands in the cells."""
    cells = item.cells[place]
    if len(cells) > 1 and item.is_part:
        return f"one with {item.said}"
    return next(cell.strip() for cell in column.cells if cell.strip().casefold() in cells)


def no_value(column: Column, words: str) -> ToolError:
    """What is said where a column never has a value."""
    kinds = sorted({cell.strip() for cell in column.cells if cell.strip().lower() not in EMPTY})
    shown = ", ".join(map(clipped, kinds[:8])) + (" and others" if len(kinds) > 8 else "")
    return ToolError(
        f"“{clipped(words)}” does not occur in the column “{column.name}”, which has {shown}."
    )
