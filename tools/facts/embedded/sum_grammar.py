"""Sums in figures and signs: read, worked out exactly, and written as they were understood."""

from __future__ import annotations

import math
import re
import statistics
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from controlllm.toolbox import ToolError

from ...shared.sentences import listed
from . import exact

_TOKEN = re.compile(
    r"\s*(?P<token>\d+(?:\.\d+)?(?:e[+-]?\d{1,4}(?![\w.]))?|\.\d+|[a-z]+|\*\*|[-+*/^!%(),])"
)
_MOST_TOKENS, _DEEPEST = 400, 40
_PI = Fraction("3.14159265358979323846264338327950288419716939937510")
_E = Fraction("2.71828182845904523536028747135266249775724709369995")
_CONSTANTS = {"pi": (_PI, "π"), "e": (_E, "e")}
#: How tightly an expression holds together: a sum, a product, a sign, a power, a single thing.
_LISTED, _SUM, _PRODUCT, _SIGN, _POWER, _SINGLE = range(6)


class NotASum(ToolError):
    """The words are none that could be worked out."""


@dataclass(frozen=True)
class Worked:
    """A part of a sum: its value, how it is written and how tightly that holds together.

    `steps` says how many operations there are in it, `share` that it is so many per cent.
    """

    value: Fraction
    text: str
    level: int = _SINGLE
    steps: int = 0
    share: bool = False
    fraction: bool = False

    def within(self, level: int) -> str:
        """As it is written inside of something that holds so tightly."""
        return f"({self.text})" if self.level < level else self.text


def work_out(written: str) -> Worked:
    """A sum of figures, signs and the names of functions, worked out.

    Raises NotASum where it is none, ToolError where it has no result.
    """
    return _Reader(written).whole()


class _Reader:
    def __init__(self, written: str) -> None:
        self._tokens: list[tuple[str, bool]] = []
        place = 0
        while place < len(written.rstrip()):
            found = _TOKEN.match(written, place)
            if found is None or len(self._tokens) >= _MOST_TOKENS:
                raise NotASum("")
            # Whether a blank stands before it.
            self._tokens.append((found["token"], found.start("token") > place))
            place = found.end()
        self._place, self._depth = 0, 0

    def whole(self) -> Worked:
        found = self._sum()
        if self._place < len(self._tokens):
            raise NotASum("")
        return found

    @property
    def _next(self) -> str:
        return self._tokens[self._place][0] if self._place < len(self._tokens) else ""

    def _take(self, *wanted: str) -> str:
        if self._next in wanted and self._next:
            self._place += 1
            return self._tokens[self._place - 1][0]
        return ""

    def _sum(self) -> Worked:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise NotASum("")
        left = self._product()
        while sign := self._take("+", "-"):
            right = self._product()
            part = right.value * left.value if right.share and not left.share else right.value
            value = left.value + part if sign == "+" else left.value - part
            both = right.share and left.share
            text = f"{left.within(_SUM)} {'+' if sign == '+' else '−'} {right.within(_PRODUCT)}"
            left = _joined(value, text, _SUM, left, right, share=both)
        self._depth -= 1
        return left

    def _product(self) -> Worked:
        left = self._signed()
        while True:
            sign = self._take("*", "/", "mod", "of", "off")
            if not sign and not self._goes_on():
                return left
            close = sign == "/" and not any(
                blank for _, blank in self._tokens[self._place - 1 : self._place + 1]
            )
            spaced = sign == "/" and not close
            right = self._fraction() if spaced else None
            right = right or (self._signed() if sign in ("*", "/") else self._power())
            left = self._multiplied(left, sign, right, close)

    def _fraction(self) -> Worked | None:
        """A fraction written without blanks, by which something is divided: 10 / 1/2."""
        ahead = self._tokens[self._place : self._place + 4]
        if len(ahead) < 3 or ahead[1] != ("/", False) or ahead[2][1]:
            return None
        follows = ahead[3][0] if len(ahead) > 3 else ""
        whole = ahead[0][0].isdigit() and ahead[2][0].isdigit()
        if not whole or follows in ("^", "**", "!", "%"):
            return None
        above, below = self._signed(), (self._take("/"), self._signed())[1]
        return self._multiplied(above, "/", below, True)

    def _goes_on(self) -> bool:
        """Whether something stands right behind a number to be multiplied: 2(3 + 4), 2 pi."""
        token = self._next
        before = self._tokens[self._place - 1][0]
        opens = token == "(" or token in _CONSTANTS or token in _FUNCTIONS or token in _OF_MANY
        return opens and bool(re.fullmatch(r"[\d.]+|\)", before))

    def _multiplied(self, left: Worked, sign: str, right: Worked, close: bool) -> Worked:
        if sign in ("/", "mod") and right.value == 0:
            raise ToolError("This divides by zero, which has no result. Change the sum.")
        a, b = left.value, right.value
        inner, outer = left.within(_PRODUCT), right.within(_SIGN)
        if sign == "off":
            if not left.share:
                raise NotASum("")
            return _joined(b - a * b, f"{outer} less {inner}", _SUM, left, right)
        if sign == "of":
            return _joined(a * b, f"{inner} of {outer}", _PRODUCT, left, right)
        if sign == "mod":
            return _joined(a % b, f"{inner} mod {outer}", _PRODUCT, left, right)
        if sign == "/":
            whole = a.denominator == b.denominator == 1 and left.steps == right.steps == 0
            text = f"{inner}/{outer}" if close and whole else f"{inner} ÷ {outer}"
            return _joined(a / b, text, _PRODUCT, left, right, fraction=close and whole)
        return _joined(a * b, f"{inner} × {outer}", _PRODUCT, left, right)

    def _signed(self) -> Worked:
        if sign := self._take("-", "+"):
            self._depth += 1
            if self._depth > _DEEPEST:
                raise NotASum("")
            found = self._signed()
            self._depth -= 1
            if sign == "+":
                return found
            text = f"-{found.within(_POWER)}"
            return Worked(-found.value, text, _SIGN, found.steps, found.share, found.fraction)
        return self._power()

    def _power(self) -> Worked:
        base = self._followed()
        if not self._take("^", "**"):
            return base
        exponent = self._signed()
        value = exact.power(base.value, exponent.value)
        text = f"{base.within(_SINGLE)}^{exponent.within(_SINGLE)}"
        return _joined(value, text, _POWER, base, exponent)

    def _followed(self) -> Worked:
        found = self._single()
        while sign := self._take("!", "%"):
            if sign == "%":
                if found.share:
                    raise NotASum("")
                text = f"{found.within(_SINGLE)} %"
                found = Worked(found.value / 100, text, _SINGLE, found.steps, share=True)
            else:
                found = _joined(
                    _factorial(found.value), f"{found.within(_SINGLE)}!", _SINGLE, found
                )
        return found

    def _single(self) -> Worked:
        token = self._next
        self._place += 1
        if re.match(r"[\d.]", token):
            return _number(token)
        if token == "(":
            found = self._sum()
            if not self._take(")"):
                raise NotASum("")
            return found
        if token in _CONSTANTS:
            return Worked(*_CONSTANTS[token], steps=1)
        if token in _FUNCTIONS:
            return self._function(token)
        if token in _OF_MANY:
            return self._of_many(token)
        raise NotASum("")

    def _function(self, name: str) -> Worked:
        work, shown = _FUNCTIONS[name]
        inner = self._signed()
        degrees = bool(self._take("degrees")) and name in _TURNING
        value = inner.value * _PI / 180 if degrees else inner.value
        text = f"{inner.text} degrees" if degrees else inner.text
        if shown in "√∛":
            return _joined(work(value), f"{shown}{inner.within(_SINGLE)}", _POWER, inner)
        text = shown.format(text) if "{}" in shown else f"{shown}({text})"
        return _joined(work(value), text, _SINGLE, inner)

    def _of_many(self, name: str) -> Worked:
        work, shown = _OF_MANY[name]
        closed = bool(self._take("("))
        parts = self._listed(closed)
        if closed and not self._take(")"):
            raise NotASum("")
        if len(parts) < 2:
            raise NotASum("")
        texts = [part.text for part in parts]
        text = f"{shown} {listed(texts)}"
        return _joined(work([part.value for part in parts]), text, _LISTED, *parts)

    def _listed(self, closed: bool) -> list[Worked]:
        """The parts of a list; what is done after its last plain number is done to all of it."""
        parts: list[Worked] = []
        while not parts or self._take(","):
            place = self._place
            found = self._signed()
            goes_on = self._next not in ("", ",", ")")
            more = "," in [token for token, _ in self._tokens[self._place :]]
            if goes_on and (closed or more or any(part.steps for part in parts)):
                self._place = place
                found = self._sum()
            parts.append(found)
        return parts


def _joined(
    value: Fraction,
    text: str,
    level: int,
    *parts: Worked,
    share: bool = False,
    fraction: bool = False,
) -> Worked:
    steps = 1 + sum(part.steps for part in parts)
    fraction = fraction or any(part.fraction for part in parts)
    return Worked(exact.bounded(Fraction(value)), text, level, steps, share, fraction)


def _number(token: str) -> Worked:
    if len(token) > 200:
        raise ToolError("That number is too long for me; give me one of at most 200 digits.")
    exponent = re.search(r"e([+-]?\d+)$", token)
    if exponent and abs(int(exponent[1])) > 1000:
        raise ToolError("That number is too large or too small; give me a smaller one.")
    value = Fraction(Decimal(token))
    return Worked(value, exact.shown(value)[0])


def _factorial(value: Fraction) -> Fraction:
    if value.denominator != 1 or not 0 <= value <= 1000:
        raise ToolError("I know the factorials of the whole numbers from 0 to 1,000; give me one.")
    return Fraction(math.factorial(int(value)))


def _whole(values: list[Fraction]) -> list[int]:
    if any(value.denominator != 1 for value in values):
        raise ToolError("This can only be told of whole numbers; give me some without decimals.")
    return [int(value) for value in values]


def _common_divisor(values: list[Fraction]) -> Fraction:
    return Fraction(math.gcd(*_whole(values)))


def _common_multiple(values: list[Fraction]) -> Fraction:
    found = Fraction(1)
    for value in _whole(values):
        found = exact.bounded(Fraction(math.lcm(int(found), value)))
    return found


def _logarithm(base: int | None) -> Callable[[Fraction], Fraction]:
    def work(value: Fraction) -> Fraction:
        if value <= 0:
            raise ToolError("Only numbers above 0 have a logarithm; give me one.")
        written = exact.decimal(value)
        return Fraction(written.log10() if base == 10 else written.ln()) / (
            Fraction(Decimal(base).ln()) if base not in (None, 10) else 1
        )

    return work


def _turning(function: Callable[[float], float]) -> Callable[[Fraction], Fraction]:
    return lambda value: exact.of_float(function(float(exact.decimal(value))))


def _product(values: list[Fraction]) -> Fraction:
    found = Fraction(1)
    for value in values:
        found = exact.bounded(found * value)
    return found


_TURNING = ("sin", "cos", "tan")
#: What is worked out of one number, with its sign or its name.
_FUNCTIONS: dict[str, tuple[Callable[[Fraction], Fraction], str]] = {
    "sqrt": (lambda value: exact.root(value, 2), "√"),
    "cbrt": (lambda value: exact.root(value, 3), "∛"),
    "sin": (_turning(math.sin), "sin"),
    "cos": (_turning(math.cos), "cos"),
    "tan": (_turning(math.tan), "tan"),
    "log": (_logarithm(10), "log"),
    "lb": (_logarithm(2), "log₂"),
    "ln": (_logarithm(None), "ln"),
    "abs": (abs, "|{}|"),
}
#: What is worked out of several numbers.
_OF_MANY: dict[str, tuple[Callable[[list[Fraction]], Fraction], str]] = {
    "avg": (lambda values: sum(values, Fraction(0)) / len(values), "the average of"),
    "med": (lambda values: Fraction(statistics.median(values)), "the median of"),
    "sum": (lambda values: sum(values, Fraction(0)), "the sum of"),
    "prod": (_product, "the product of"),
    "min": (min, "the smallest of"),
    "max": (max, "the largest of"),
    "gcd": (_common_divisor, "the greatest common divisor of"),
    "lcm": (_common_multiple, "the least common multiple of"),
}
