"""Conditions on the rows of a table, found in words.

What each wording makes is in `comparisons`, `cell_conditions` and `stretches`; how rows are held
against it is in `row_tests`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from controlllm.toolbox import ToolError

from .asking import Asked
from .cell_conditions import (
    contains,
    has_gaps,
    has_quoted,
    has_value,
    is_empty,
    is_filled,
    is_so,
    says_yes_or_no,
)
from .comparisons import (
    between,
    compared,
    equals,
    has_sign,
    in_each,
    in_period,
    in_stock,
    in_year,
    so_many,
    sold_out,
    two_columns,
)
from .condition_words import (
    AT_LEAST,
    AT_MOST,
    ENTRY,
    IS,
    LESS,
    MORE,
    NOT,
    OTHER,
    SAME,
    UNIT,
    C,
    D,
    N,
    Q,
    V,
)
from .row_tests import Condition, Conditions
from .stretches import ORDINALS, at_an_end, from_to, nth, quarter_of

#: Makes a condition of what was found in the words, None where it is none after all.
Make = Callable[[Asked, re.Match[str]], Condition | None]


def conditions_in(asked: Asked) -> Conditions:
    """The conditions in the words, which are taken out of the line."""
    found: list[Condition] = []
    for pattern, make in _patterns():
        place = 0
        while match := re.compile(pattern).search(asked.line, place):
            made = make(asked, match)
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


def _patterns() -> Iterator[tuple[str, Make]]:
    """What says a condition, and what makes one of it; what is surer comes first."""
    c, is_ = rf"(?:(?P<c>{C}) )?", rf"(?:(?<!\w){IS} )*"
    n, after = rf"(?P<v>{N}|{D})(?: {UNIT}(?!\w))?", rf"(?: (?P<after>{C}))?"
    no = rf"(?:(?<!\w)(?P<no>{NOT}) )?"
    yield (
        rf"{no}(?:(?<!\w)(?:only|just|in|of|for|over|during|the|from|show|keep) "
        rf")*(?<!\w)(?P<way>first|"
        rf"last|final|latest) (?P<n>{N}) (?:(?P<unit>(?:month|week|day|quarter|year)s?)|"
        rf"(?P<c>{C}))(?!\w)",
        at_an_end,
    )
    yield (
        rf"{no}(?:(?<!\w)(?:only|just|in|of|for|over|during|the|from) "
        rf")*(?P<what>(?<!\w)(?:(?P<which>first|"
        r"second|third|fourth|last|1st|2nd|3rd|4th) (?P<part>quarter|half)|q(?P<q>[1-4])))"
        r"(?: of the year)?(?!\w)",
        quarter_of,
    )
    yield (
        rf"{c}{no}(?:(?:only|just|the|in|months?|C\d+) )*(?:(?:between|from|starting) "
        rf")?(?P<v>{V}) (?:and|to|until|"
        rf"till|til|through|thru|up to) (?:the )?(?P<w>{V})",
        from_to,
    )
    yield (
        rf"{c}{no}(?:in )?(?P<v>{D}) (?:to|until|till|til|through|thru|up to) "
        rf"(?P<w>{D}){after}", between,
    )  # fmt: skip
    yield (
        rf"{c}{is_}{no}(?:(?:an? )?(?:between|from|ranging from) |(?<=\d ))(?P<v>{N}|"
        rf"{D})(?: {UNIT}(?!\w))?"
        rf"(?: (?P<mid>{C}))? (?:and|to|until|till|through|-) (?P<w>{N}|{D})(?: "
        rf"{UNIT}(?!\w))?{after}",
        between,
    )
    yield (
        rf"{c}{no}(?:from|since|starting(?: from| on| with)?|as of) (?P<v>{D})(?P<op> "
        r"on(?:wards?)?"
        r"| onwards?)(?!\w)(?! [CVD]\d)",
        partial(compared, sign=">="),
    )
    for sign, words in ((">=", AT_LEAST), ("<=", AT_MOST), (">", MORE), ("<", LESS)):
        all_of = (
            rf"(?: (?:{IS}|for|both|all|each|every|either|marks?))* (?P<all>{C}"
            rf"(?: ?(?:,|and|or|,? and|&) (?:the )?{C})+)"
        )
        yield (
            rf"{no}(?<!\w)(?P<op>{words})(?!\w) (?:the |of )*{n}{all_of}",
            partial(in_each, sign=sign),
        )
    yield (rf"{no}{n} or (?:more|above|higher|over|better|up){all_of}", partial(in_each, sign=">="))
    yield rf"{no}{n} or (?:less|fewer|below|under|lower){all_of}", partial(in_each, sign="<=")
    for sign, words in (
        (">=", AT_LEAST), ("<=", AT_MOST), (">", MORE), ("<", LESS), ("=", SAME),
        ("!=", OTHER),
    ):  # fmt: skip
        yield (
            rf"(?P<c>{C}) {is_}{no}{is_}(?<!\w)(?:{words})(?!\w) (?:than |the |its |their |"
            r"to |we |they |i |you |he |she )*"
            rf"(?P<w>{C})",
            partial(two_columns, sign=sign),
        )
        if sign in ("=", "!="):
            continue
        yield (
            rf"{c}{is_}{no}{is_}(?:an? )?(?<!\w)(?P<op>{words})(?!\w) (?:the |of )*{n}{after}",
            partial(compared, sign=sign),
        )
    for sign, words in ((">=", r"or (?:more|above|higher|over|later|older|better|up)|and "
                               r"(?:more|above|over|up|older|later)|plus|\+"),
                        ("<=", r"or (?:less|fewer|below|under|lower|earlier|younger|"
                               r"cheaper)|and (?:less|below|under|younger)")):  # fmt: skip
        yield (
            rf"{c}{is_}{no}{n}(?: (?P<mid>{C}))? (?:{words})(?!\w)",
            partial(compared, sign=sign),
        )
    yield (
        rf"{c}(?:that |which |who |whose )?(?:{IS} )*{no}(?<!\w)(?P<op>contain(?:s|ing)?|"
        rf"includ(?:es|ing)|"
        r"mention(?:s|ing)?|(?:start|begin|end)(?:s|n?ing)? (?:with|in)) "
        rf"(?:the |word |words |text |letters? |phrase )*(?P<v>{Q}|{V}|{N}|{C}|[^\s;,]+)",
        contains,
    )
    yield (
        rf"(?P<c>{C}) (?:is |are |was |were |has |that )*{no}(?P<op>empty|missing|blank|"
        rf"unknown|"
        r"filled(?: in)?|given|present)(?!\w)", is_empty,
    )  # fmt: skip
    yield (
        r"(?<!\w)(?P<op>missing|lacks?|lacking|empty|blank|have no|has no|with no|without an?|"
        rf"without any)(?: (?:{ENTRY}))?(?: (?:in|for|under|at|of))?(?: the)? (?P<c>{C})",
        is_empty,
    )
    yield (
        rf"(?<!\w)(?P<no>without|no|not) (?:any )?(?:missing|empty|blank) (?:{ENTRY})s?(?!\w)|"
        rf"(?<!\w)(?:any |some |a |an )?(?:missing|empty|blank) (?:{ENTRY})s?(?!\w)|(?<!\w)"
        r"(?:incomplete|(?:any|some)thing(?: is)? missing|gaps?)(?!\w)|(?<!\w)(?P<no2>complete"
        r"(?:ly filled)?)(?= (?:rows?|entries|lines?|records)|$)",
        has_gaps,
    )
    yield (
        rf"(?<!\w)(?:with|have|has|having) (?:an?|any|some) (?P<c>{C})"
        rf"(?! (?:(?:{IS}|over|under|above|below|between|{NOT}|at|more|less) "
        rf")*[VNDQ\d])(?! {MORE})",
        is_filled,
    )
    yield rf"(?<!\w)(?P<op>negative|positive)(?: (?P<c>{C}))?(?!\w)", has_sign
    yield rf"(?P<c>{C})(?: {IS})* {no}(?P<v>yes|no|true|false)(?!\w)", says_yes_or_no
    yield (
        rf"{c}{is_}{no}{is_}(?P<v>{V})(?P<more>(?: ?(?:,|or|and|nor|&) ?(?:or |and )?"
        rf"(?:{IS} )*{V})*){after}", has_value,
    )  # fmt: skip
    yield rf"{c}{is_}{no}{is_}(?P<v>{Q}){after}", has_quoted
    yield (
        rf"{c}{is_}{no}{is_}(?P<v>{D})(?P<more>(?: (?:,|or|and) (?:or |and )?(?:in |on "
        rf")?{D})*)",
        in_period,
    )
    yield (
        rf"{no}{is_}(?P<nth>{'|'.join(ORDINALS)}) (?P<c>{C})",
        nth,
    )
    yield (
        rf"(?:(?<!\w)(?:with|has|have|having|are|is|there's)|\() {no}(?P<v>{N}) "
        rf"(?:left )?(?:(?:in|on)(?: the)? )?(?P<c>{C})",
        so_many,
    )
    yield rf"{is_}{no}{is_}(?<!\w)(?:sold out|none left)(?!\w)", sold_out
    yield (
        rf"(?P<c>{C}) {is_}{no}(?:{IS} )*(?P<v>{N})(?: {UNIT}(?!\w))?(?! (?:first|last|on "
        rf"top)(?!\w))",
        equals,
    )
    yield (
        rf"{no}(?:{IS} )*(?:(?<!\w)(?P<way>in|out of) |(?<= ones )|(?<= those )|(?<= are ))"
        rf"(?P<c>{C})(?! (?:{IS} )*[VNDQ]\d)",
        in_stock,
    )
    yield (
        rf"{no}(?:{IS} )*{no.replace('no>', 'no2>')}(?:(?:yet|ever|come|been|got|gone|came|"
        r"brought|"
        rf"{IS}) )*(?<!by )(?<!per )(?P<c>{C})(?! "
        rf"(?:{IS} )*[VNDQ]\d)",
        is_so,
    )
    yield rf"(?<!\w)(?:in|of|for|from|during) (?P<v>{N})(?!\w)", in_year
