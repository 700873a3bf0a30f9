"""Exact numbers: 0.1 + 0.2 is 0.3. Roots and powers that have no end are right to fifty digits."""

from __future__ import annotations

import math
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, DecimalException
from fractions import Fraction

from controlllm.toolbox import ToolError

#: About 6,000 decimal digits; what is larger takes long and helps nobody.
_MOST_BITS = 20_000
_MOST_DIGITS_SHOWN = 30
_DIGITS, _PLACES = 9, 8
_WIDE = Context(prec=50, Emax=MAX_EMAX, Emin=MIN_EMIN)


def bounded(value: Fraction) -> Fraction:
    """The value itself; raises ToolError where it is too large to go on with."""
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > _MOST_BITS:
        raise ToolError("The result has thousands of digits; ask for a smaller sum.")
    return value


def power(base: Fraction, exponent: Fraction) -> Fraction:
    """One number to the power of another."""
    if base == 0 and exponent < 0:
        raise ToolError("This divides by zero, which has no result. Change the sum.")
    if exponent.denominator == 1:
        bits = max(base.numerator.bit_length(), base.denominator.bit_length())
        if base not in (0, 1, -1) and bits * abs(exponent.numerator) > 2 * _MOST_BITS:
            raise ToolError("The result has thousands of digits; ask for a smaller sum.")
        return bounded(base ** int(exponent)) if base not in (0, 1, -1) else _unit(base, exponent)
    if exponent.numerator == 1 and exponent.denominator <= 64:
        return root(base, exponent.denominator)
    if base < 0:
        raise ToolError("A negative number has no such power among the ordinary numbers.")
    try:
        return bounded(Fraction(_WIDE.power(decimal(base), decimal(exponent))))
    except DecimalException as error:
        raise ToolError("The result is too large or too small; ask for a smaller sum.") from error


def _unit(base: Fraction, exponent: Fraction) -> Fraction:
    if base == -1:
        return Fraction(-1 if exponent.numerator % 2 else 1)
    return Fraction(1) if exponent == 0 else base


def root(value: Fraction, degree: int) -> Fraction:
    """The root of a degree, exact where there is an exact one."""
    if degree == 0:
        raise ToolError("There is no zeroth root of a number. Change the sum.")
    if value < 0 and degree % 2 == 0:
        raise ToolError(
            "A negative number has no such root among the ordinary numbers; give me one above 0."
        )
    sign = -1 if value < 0 else 1
    above, below = (_whole_root(abs(part), degree) for part in value.as_integer_ratio())
    if above is not None and below is not None:
        return sign * Fraction(above, below)
    found = _WIDE.power(decimal(abs(value)), decimal(Fraction(1, degree)))
    return sign * Fraction(found)


def _whole_root(number: int, degree: int) -> int | None:
    low, high = 0, 1 << (number.bit_length() // degree + 1)
    while low < high:
        middle = (low + high) // 2
        if middle**degree < number:
            low = middle + 1
        else:
            high = middle
    return low if low**degree == number else None


def decimal(value: Fraction) -> Decimal:
    """The value in fifty digits."""
    return _WIDE.divide(Decimal(value.numerator), Decimal(value.denominator))


def of_float(value: float) -> Fraction:
    """A value of the functions that are only known to fifteen digits."""
    if not math.isfinite(value) or abs(value) > 1e15:
        raise ToolError("This has no result, or none that is a number. Change the sum.")
    return Fraction(str(round(value, 15)))


def shown(value: Fraction, places: int | None = None) -> tuple[str, bool]:
    """A number as people write it, and whether it had to be rounded."""
    if places is not None:
        return f"{_rounded(value, places):,.{max(places, 0)}f}", False
    if value.denominator == 1:
        if abs(value) < 10**_MOST_DIGITS_SHOWN:
            return f"{int(value):,}", False
        return _scientific(value), True
    written = decimal(value)
    digits, exponent = len(written.as_tuple().digits), int(written.as_tuple().exponent)
    if Fraction(written) == value and digits <= 15 and exponent >= -10:
        return f"{written:,f}", False
    if abs(written) < Decimal("0.0001") or abs(written) >= Decimal(10) ** 15:
        return _scientific(value), True
    kept = min(_PLACES, max(_DIGITS - 1 - max(written.adjusted(), 0), 2))
    text = f"{_rounded(value, kept):,.{kept}f}"
    return text.rstrip("0").rstrip("."), True


def _rounded(value: Fraction, places: int) -> Decimal:
    """Rounded as at school, a half away from zero."""
    scaled = abs(value) * Fraction(10) ** places
    whole = int(scaled + Fraction(1, 2))
    signed = Decimal(whole if value >= 0 else -whole)
    return _WIDE.scaleb(signed, -places)


def _scientific(value: Fraction) -> str:
    mantissa, _, exponent = f"{decimal(value):.6e}".partition("e")
    return f"{mantissa.rstrip('0').rstrip('.')} × 10^{int(exponent):,}"
