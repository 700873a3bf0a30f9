"""What sums told as a story have in common: their figures, and how these are written."""

from __future__ import annotations

import re
from fractions import Fraction

from . import exact

NUMBER = r"(\d+(?:\.\d+)?)"
FIGURE = re.compile(r"(?<![\w.:])\d+(?:\.\d+)?(?![\d:])")


_LESS = re.compile(
    r"\b(?:reduced|off|discount|cheaper|reduction|less|falls?|fell|drops?|dropped|lower(?:ed)?|"
    r"loses?|"
    r"lost|deduct(?:s|ed|ing)?|decreases?d?|down|rebate|minus|knocked|marked down|goes? down|cut)\b"
)
_MORE = re.compile(
    r"\b(?:more|dearer|raised?|raises|rises?|rose|increases?d?|up|surcharge|plus|added?|tax|vat|"
    r"tip|"
    r"on top|service|gratuity|interest|fee|gains?|gained|grows?|grew|interest)\b"
)


def figures_in(plain: str) -> int:
    return len(FIGURE.findall(plain))


def in_money(value: Fraction, money: str) -> str:
    return f"{money}{exact.shown(value, 0 if value.denominator == 1 else 2)[0]}"


def few(value: Fraction) -> str:
    """A number with at most two decimals, none where they would be noughts."""
    shown = exact.shown(value, 2)[0]
    return shown.rstrip("0").rstrip(".") if "." in shown else shown


def hours_said(seconds: int) -> str:
    hours, minutes = divmod(round(seconds / 60), 60)
    said = f"{hours} hour{'' if hours == 1 else 's'}"
    return f"{said} and {minutes} minutes" if minutes else said


def is_taken_off(before: str, behind: str) -> bool | None:
    """Whether a percentage is taken off; None where it is not said."""
    near = behind.split(",")[0].split(" and ")[0]
    for text in (near, before.rsplit(",", 1)[-1], before):
        less, more = (
            _LESS.search(text),
            _MORE.search(re.sub(r"\bmore\b(?= off)|(?:one |once )more", "", text)),
        )
        if bool(less) != bool(more):
            return bool(less)
    return None
