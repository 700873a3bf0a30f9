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
        r"(?:(?:over|under|from|above|below|at least|up to|until|less than|more than)\b|[<>≤≥]=?) ?"
        r"(?P<cond>.+?)(?: (?:is|are|gets?|means|counts as|=)|:) (?P<label>.+)",
        rf"(?:say |says |write |put |a |an )?(?P<label>\S+(?: \S+){{0,3}}?) (?P<cond>{_START}.+)",
    )
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
    return bool(
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
                            r"than|[<>≤≥]=?)", start, re.IGNORECASE):  # fmt: skip
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
    if all(clause.least is not None for clause in clauses):
        # Of bands each from a number on the highest that is reached counts, in whatever order.
        clauses = sorted(clauses, key=lambda clause: -(clause.least or 0.0))
    judged = next((column for column in sheet.columns if column.name == usual), None)
    found = []
    for row in range(sheet.count):
        label = next((clause.label for clause in clauses if row in clause.rows), rest)
        is_unknown = label == rest and judged is not None and judged.is_empty(row)
        found.append("" if is_unknown else label)
    return found
