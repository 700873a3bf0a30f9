"""Rows that are told apart by a rule: pass from 50 points, else fail; yes where it is over 100."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from controlllm.toolbox import ToolError

from .asking import asked_of
from .conditions import conditions_in
from .measures import measure_of, measures
from .plain_requests import reject_leftovers
from .reading import Sheet

_START = (
    r"(?:if|when|where|whenever|for|from|above|over|under|below|at least|at most|up to|until|less|"
    r"more|between|[<>≤≥]=?|\d)"
)
_ELSE = r"(?:otherwise|or else|else|if not|(?:all |and )?(?:the )?(?:rest|others?|remaining)|or)"
_PARTS = re.compile(
    r"\s*[,;]\s*(?:and )?|\. +|\s+(?=(?:or else|otherwise|else)\b)|\s+and (?=(?:the )?(?:rest|"
    r"others?)"
    rf"\b)|\s+and (?=\S+ {_START}\b)|\s+or (?=\S+ (?:if|when)\b)",
    re.IGNORECASE,
)  # fmt: skip
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"{_ELSE}(?: it| them)?(?: is| are| get| gets| as| to| should say)?[:\s]+(?P<rest>.+)",
        r"(?:mark|flag|label|tag)(?: all| every| the)?(?: rows?| those| ones)? ?(?P<cond>.+) "
        r"(?:as|with) (?P<label>.+)",
        r"(?:if|when|where) (?P<cond>.+?)(?: then| it (?:should )?(?:says?|is)| say| says| write| "
        r"put|:| gets?| should (?:say|be)) (?P<label>.+)",
        r"(?:if|when|where) (?P<cond>.+)",
        r"(?:(?:over|under|from|above|below|at least|up to|until|less than|more than|between)\b|"
        r"[<>≤≥]=?) ?(?P<cond>.+?)(?: (?:is|are|gets?|means|counts as|=)|:) (?P<label>.+)",
        r"(?:from|between) (?P<cond>\d+(?: and \d+)?) (?P<label>\S+)",
        rf"(?:say |says |write |put |a |an )?(?P<label>\S+(?: \S+){{0,3}}?) (?P<cond>{_START}.+)",
    )
)
_LEAD = re.compile(r"^(?:(?!\b(?:if|when|where)\b)[^:\d\"“']){3,60}:\s+(?=\S)", re.IGNORECASE)
#: "'Adult' otherwise" says of the rest what "otherwise 'adult'" says.
_REST_LAST = re.compile(
    r"(?P<mark>[,;] ?(?:and )?)(?P<rest>[^,;]{1,40}?) (?:otherwise|else|if not|for (?:all |"
    r"everyone |"
    r"everybody )?(?:the )?(?:rest|others?))\W*$",
    re.IGNORECASE,
)
#: Bands of marks: "90+ is A, 80-89 B".
_BAND = re.compile(r"(?<![\w.-])(?P<low>\d+)(?:\+|(?: ?[-–] ?| to )(?P<high>\d+))(?![\w-])")
_BELOW = re.compile(
    r"\b(?:anything|everything|everyone|all|whatever|the rest|the others?)(?: (?:else|below|under|"
    r"lower|less|above|over|higher))(?! ?[\d€$£])(?: that)?\b",
    re.IGNORECASE,
)
_FROM = re.compile(r"^(?:from|starting (?:at|from)) (?=[\d€$£])", re.IGNORECASE)
_IF = re.compile(r"^(?:if|when|where|whenever|for)\b(?: it(?:'s| is)?)? ?", re.IGNORECASE)


@dataclass(frozen=True)
class _Clause:
    label: str
    rows: frozenset[int]
    #: The number that a row must at least have, where that is all that is asked.
    least: float | None


def is_labelling(rule: str) -> bool:
    """Whether a rule says what shall stand in which rows."""
    return len(_BAND.findall(rule)) > 1 or bool(
        re.search(
            rf"\b(?:if|when|otherwise|else)\b|^(?:mark|flag|label)\b|\S+ from \d|[,;] {_ELSE}\b"
            r"|^(?:yes|no) where\b|\bthe (?:rest|others)\b",
            rule,
            re.IGNORECASE,
        )
    )


def labels(sheet: Sheet, rule: str) -> list[str]:
    """What the rule writes into each row; rows without a value to be judged stay empty.

    Raises ToolError where it cannot be told what is to be written where.
    """
    usual = _usual_column(sheet, rule)
    rule = _in_order(rule)
    clauses: list[_Clause] = []
    rest, condition = "", ""
    for piece in filter(None, _PARTS.split(rule)):
        form = next((form for one in _FORMS if (form := one.fullmatch(piece))), None)
        said = form.groupdict() if form else {}
        if condition:
            clauses.append(_clause(sheet, condition, piece, usual))
            condition = ""
        elif said.get("rest"):
            rest = _bare(said["rest"])
        elif said.get("label") and form is not None:
            start = piece[: form.start("cond")].strip()
            cond = said["cond"]
            if re.fullmatch(r"(?:over|under|from|above|below|at least|up to|until|less than|more "
                            r"than|between|[<>≤≥]=?)", start, re.IGNORECASE):  # fmt: skip
                cond = f"{start} {cond}"
            clauses.append(_clause(sheet, cond, said["label"], usual))
        elif said.get("cond"):
            condition = said["cond"]
        else:
            raise ToolError(
                f"I do not understand “{piece[:60]}”. Say it as in “pass from 50 points, otherwise "
                "fail”."
            )
    if not clauses:
        raise ToolError("It is not said what shall stand where; say it as in “yes if over 100”.")
    return _written(sheet, clauses, rest, usual)


def _in_order(rule: str) -> str:
    """The rule without what is said ahead of it, what is for the rest behind "otherwise", and
    bands of numbers in words: "80-89 B" is B from 80 where the next band begins above it."""
    rule = _LEAD.sub("", rule)
    rule = _REST_LAST.sub(lambda found: f"{found['mark']}otherwise {found['rest']}", rule)
    if len(_BAND.findall(rule)) < 2:
        return rule
    rule = re.sub(r"^.*?\b(?:where|with|whereby|in which) (?=\d)", "", rule, flags=re.IGNORECASE)
    lows = {int(found["low"]) for found in _BAND.finditer(rule)}

    def banded(found: re.Match[str]) -> str:
        low, high = found["low"], found["high"]
        goes_on = high is None or {int(high), int(high) + 1} & lows
        return f"from {low}" if goes_on else f"between {low} and {high}"

    return _BELOW.sub("otherwise", _BAND.sub(banded, rule))


def _usual_column(sheet: Sheet, rule: str) -> str:
    """The column that a number is held against where a clause names none."""
    asked = asked_of(sheet, rule)
    named = [item.column for item in asked.items.values() if item.column is not None]
    numbers = [column for column in named if column.kind == "number"]
    if numbers:
        return numbers[0].name
    return measure_of(asked, "is meant").name if measures(sheet) else ""


def _clause(sheet: Sheet, condition: str, label: str, usual: str) -> _Clause:
    condition = _IF.sub("", condition.strip())
    least = re.fullmatch(r"(?:from|over|above|at least|more than|[>≥]=?) ?([\d.,]+)\D*", condition)
    condition = _FROM.sub("at least ", condition)
    # "At least 50 points in maths" is a condition on the maths.
    condition = re.sub(r"(?<=\d) (?:points?|marks?|percent) (?:in|for|of) ", " ", condition)
    asked = asked_of(sheet, condition)
    if usual and all(item.column is None for item in asked.items.values()) and re.search(
        r"(?<!\w)N\d", asked.line
    ):  # fmt: skip
        asked = asked_of(sheet, f'"{usual}" {condition}')
    conditions = conditions_in(asked)
    asked.line = re.sub(r"(?<!\w)(?:points?|marks?|then)(?!\w)", " ", asked.line)
    reject_leftovers(asked)
    if not conditions:
        raise ToolError(f"“{condition}” is no condition that a row could meet.")
    number = float(least[1].replace(",", "")) if least and least[1].strip(".,") else None
    return _Clause(_bare(label), frozenset(conditions.rows(sheet.count)), number)


def _bare(label: str) -> str:
    label = re.sub(r"^(?:an?|the|as|is|are|to) (?=\w)", "", label.strip(" .:"), flags=re.IGNORECASE)
    return label.strip("\"“”'‘’ ")


def _written(sheet: Sheet, clauses: Sequence[_Clause], rest: str, usual: str) -> list[str]:
    # Of bands each from a number on the highest that is reached counts, in whatever order.
    bands = sorted(
        (clause for clause in clauses if clause.least is not None),
        key=lambda clause: -(clause.least or 0.0),
    )
    clauses = [clause if clause.least is None else bands.pop(0) for clause in clauses]
    judged = next((column for column in sheet.columns if column.name == usual), None)
    found = []
    for row in range(sheet.count):
        label = next((clause.label for clause in clauses if row in clause.rows), rest)
        is_unknown = label == rest and judged is not None and judged.is_empty(row)
        found.append("" if is_unknown else label)
    return found
