"""Measures in other units: converted exactly by pint, told in one sentence with sensible digits."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import Any

from controlllm.toolbox import ToolError

from ...shared.tables import table_beside
from . import exact
from .measure_words import UNITS, Asked, Unit, read, tokens_of, told_beside

_TABLE = table_beside(__file__)
_LONGEST = 500
#: Where a second measure with a unit of its own begins.
_NEXT = re.compile(
    r"[?;,.]?\s+and (?:also )?(?:what(?:'s| is| are)? |how (?:much|many) (?:is |are )?|convert "
    r")?(?=\d)|"
    r"[?;]\s+(?=\S)|\.\s+(?=\S+ )|,\s+(?=\d\S* ?[^\d\W]+ (?:in|to|into|as) )",
    re.IGNORECASE,
)
_FUEL = {"l100km", *_TABLE["fuel"]}
_TEMPERATURES = ("degree_Celsius", "degree_Fahrenheit", "kelvin")
_PACES = ("minute/kilometer", "minute/mile")
#: Larger units whose rest is told in a smaller one: 5 ft 10 in.
_PARTS = {
    "foot": ("inch", "ft", "in"),
    "stone": ("pound", "st", "lb"),
    "pound": ("ounce", "lb", "oz"),
    "hour": ("minute", "h", "min"),
    "minute": ("second", "min", "s"),
    "day": ("hour", "d", "h"),
    "meter": ("centimeter", "m", "cm"),
    "year": ("month", "years", "months"),
}
_METRIC_LENGTHS = ("centimeter", "meter")
_TALLEST = Fraction(10)
_FEW_DIGITS = 5
#: Beside these an American unit is meant.
_AMERICAN = ("tablespoon", "teaspoon", "imperial_gallon", "imperial_pint", "imperial_quart",
             "imperial_fluid_ounce", "metric_cup", "long_ton", "mpg_uk")  # fmt: skip


def answer(text: str) -> str:
    """The sentence that answers a conversion asked in plain words; ToolError where it is none."""
    if len(text) > _LONGEST:
        raise ToolError("That is too long for a measure. Give me the few words that matter.")
    try:
        return _as_asked(text)
    except ToolError:
        asked, named = told_beside(text)
        fitting = [unit for unit in named if asked and _fits(asked, unit)]
        if asked is None or len(fitting) != 1:
            raise
        asked.targets = fitting
        return _told(asked)


def _as_asked(text: str) -> str:
    try:
        return _one_answer(text)
    except ToolError:
        parts = _NEXT.split(text)
        if len(parts) < 2:
            raise
        try:
            return "\n".join(map(_one_answer, parts))
        except ToolError:
            return _one_answer(text, is_story=True)


def _fits(asked: Asked, unit: Unit) -> bool:
    """Whether all of what is asked can be told in a unit."""
    try:
        _converted(*asked.amounts[0], unit, asked)
    except ToolError:
        return False
    return True


def _one_answer(text: str, is_story: bool = False) -> str:
    asked = read(text)
    if is_story and asked.targets:
        _only_fitting(asked)
    return _told(asked)


def _told(asked: Asked) -> str:
    targets = asked.targets or [_counterpart(asked)]
    _understand_degrees(asked, targets[0])
    value = _total(asked, targets[0])
    given = " ".join(_said(amount, unit)[0] for amount, unit in asked.amounts)
    if asked.ingredient:
        given += f" of {asked.ingredient}"
    result, rounded = _result(value, targets, asked)
    about = "about " if rounded or asked.grams and _crosses(asked, targets[0]) else ""
    return f"{given} is {about}{result}{_otherwise(asked, targets)}."


@lru_cache(maxsize=1)
def _registry() -> Any:
    import pint

    registry: Any = pint.UnitRegistry(non_int_type=Fraction)
    registry.define("metric_cup = 250 * milliliter")
    return registry


def _only_fitting(asked: Asked) -> None:
    """Of measures of several kinds only those that can be told in the unit that is asked for."""
    fitting = []
    for amount, unit in asked.amounts:
        try:
            _converted(amount, unit, asked.targets[0], asked)
        except ToolError:
            continue
        fitting.append((amount, unit))
    if fitting and len(fitting) < len(asked.amounts):
        asked.amounts = fitting


def _counterpart(asked: Asked) -> Unit:
    unit = asked.amounts[0][1]
    if [one.name for _, one in asked.amounts] == ["foot", "inch"]:
        return UNITS["centimeter"]
    other = _TABLE["counterparts"].get(unit.name)
    if other is None:
        raise ToolError(f"Into what unit shall I convert {unit.many}? Write it like 5 miles in km.")
    return UNITS[other]


def _understand_degrees(asked: Asked, target: Unit) -> None:
    """Degrees without more are of the other temperature where one is asked for."""
    for place, (amount, unit) in enumerate(asked.amounts):
        if unit.name == "degree" and target.name in (*_TEMPERATURES, "gas_mark"):
            other = "degree_Celsius" if target.name != "degree_Celsius" else "degree_Fahrenheit"
            asked.amounts[place] = (amount, UNITS[other])


def _total(asked: Asked, target: Unit) -> Fraction:
    """All amounts together in the target's unit."""
    if len(asked.amounts) > 1 and any(
        unit.name in (*_TEMPERATURES, *_FUEL, "gas_mark") for _, unit in asked.amounts
    ):
        raise ToolError("I convert one such measure at a time; give me only one of them.")
    total = Fraction(0)
    for amount, unit in asked.amounts:
        # Of "-5 ft 3 in" the inches are below zero as well.
        sign = -1 if total < 0 and amount > 0 else 1
        total += _converted(sign * amount, unit, target, asked)
    return total


def _converted(amount: Fraction, unit: Unit, target: Unit, asked: Asked) -> Fraction:
    import pint

    if "gas_mark" in (unit.name, target.name):
        return _by_gas_mark(amount, unit, target, asked)
    if unit.name in _FUEL or target.name in _FUEL:
        return _fuel(amount, unit, target)
    registry = _registry()
    quantity = registry.Quantity(amount, unit.name)
    if unit.name in _TEMPERATURES and quantity.to("kelvin").magnitude < 0:
        raise ToolError(
            f"Nothing is as cold as {_said(amount, unit)[0]}: the lowest temperature is -273.15 °C."
        )
    if unit.name in _PACES or target.name in _PACES:
        return _pace(quantity, unit, target)
    if asked.grams and unit.name not in _TEMPERATURES and _crosses(asked, target):
        density = registry.Quantity(Fraction(asked.grams), "gram") / registry.Quantity(
            Fraction(1), "cup"
        )
        by_weight = quantity.check("[mass]")
        quantity = quantity / density if by_weight else quantity * density
    try:
        return Fraction(quantity.to(target.name).magnitude)
    except pint.DimensionalityError as error:
        reason = f"{unit.many} and {target.many} measure different things"
        more = " Name what is weighed, such as flour." if _kitchen(quantity, target) else ""
        raise ToolError(
            f"I cannot convert these: {reason}. Ask for a unit of the same kind.{more}"
        ) from error


def _kitchen(quantity: Any, target: Unit) -> bool:
    kinds = quantity.dimensionality, _registry().get_dimensionality(target.name)
    return kinds in (_weight_and_room(), _weight_and_room()[::-1])


def _crosses(asked: Asked, target: Unit) -> bool:
    """Whether a volume of something is to be told as a weight, or the other way round."""
    registry = _registry()
    if target.name in ("gas_mark", *_FUEL) or asked.amounts[0][1].name in ("gas_mark", *_FUEL):
        return False
    given = registry.Quantity(Fraction(1), asked.amounts[0][1].name)
    return _kitchen(given, target)


def _weight_and_room() -> tuple[Any, Any]:
    dimensions = _registry().get_dimensionality
    return dimensions("gram"), dimensions("liter")


def _pace(quantity: Any, unit: Unit, target: Unit) -> Fraction:
    """Between minutes a kilometre and kilometres an hour one is the inverse of the other."""
    import pint

    if quantity.magnitude == 0:
        raise ToolError("Standing still has no pace; give me one above 0.")
    try:
        both = unit.name in _PACES and target.name in _PACES
        return Fraction((quantity if both else 1 / quantity).to(target.name).magnitude)
    except pint.DimensionalityError as error:
        raise ToolError(
            f"I cannot convert these: {unit.many} and {target.many} measure different things. "
            "Ask for a unit of the same kind."
        ) from error


def _fuel(amount: Fraction, unit: Unit, target: Unit) -> Fraction:
    if unit.name not in _FUEL or target.name not in _FUEL or amount <= 0:
        raise ToolError(
            f"I cannot convert {unit.many} to {target.many}; how much fuel a car needs I tell in "
            "mpg, l/100 km or km per litre."
        )
    factor = {name: Fraction(told) for name, told in _TABLE["fuel"].items()}
    litres = amount if unit.name == "l100km" else factor[unit.name] / amount
    return litres if target.name == "l100km" else factor[target.name] / litres


def _by_gas_mark(amount: Fraction, unit: Unit, target: Unit, asked: Asked) -> Fraction:
    marks = {int(mark): Fraction(told) for mark, told in _TABLE["gas_marks"].items()}
    if unit.name == target.name:
        return amount
    if unit.name == "gas_mark":
        if amount not in marks:
            raise ToolError("Ovens have the gas mark 1 to 9; give me one of these.")
        if target.name not in _TEMPERATURES:
            raise ToolError("A gas mark is a heat; ask for it in °C or °F.")
        return _converted(marks[int(amount)], UNITS["degree_Celsius"], target, asked)
    if unit.name not in _TEMPERATURES:
        raise ToolError("A gas mark is a heat; give me one in °C or °F.")
    celsius = _converted(amount, unit, UNITS["degree_Celsius"], asked)
    if not 130 <= celsius <= 250:
        raise ToolError("The gas marks 1 to 9 are for 140 to 240 °C; give me a heat within these.")
    return Fraction(min(marks, key=lambda mark: abs(marks[mark] - celsius)))


def _result(value: Fraction, targets: list[Unit], asked: Asked) -> tuple[str, bool]:
    """The result with its unit, and whether it was rounded."""
    unit = targets[0]
    if len(targets) == 2 and _PARTS.get(unit.name, ("",))[0] == targets[1].name:
        return _in_two(value, unit)
    if len(targets) == 2:
        raise ToolError(
            f"I cannot tell a measure in {targets[0].many} and {targets[1].many} at once; "
            "ask for one of them."
        )
    plain, rounded = _said(value, unit)
    source = asked.amounts[0][1].name
    tall = unit.name == "foot" and source in _METRIC_LENGTHS and 1 <= value < _TALLEST
    if (tall or (unit.name == "stone" and value >= 1)) and value.denominator != 1:
        return f"{plain}, or {_in_two(value, unit)[0]}", rounded
    return plain, rounded


def _in_two(value: Fraction, unit: Unit) -> tuple[str, bool]:
    smaller, large, small = _PARTS[unit.name]
    size = Fraction(_registry().Quantity(Fraction(1), unit.name).to(smaller).magnitude)
    tenths = abs(value) * size * 10
    whole, rest = divmod(Fraction(round(tenths), 10), size)
    text = f"{int(whole):,} {large}" + (f" {exact.shown(rest)[0]} {small}" if rest else "")
    return f"{'-' if value < 0 else ''}{text}", tenths.denominator != 1


def _said(value: Fraction, unit: Unit) -> tuple[str, bool]:
    """An amount with its unit, and whether it was rounded."""
    if unit.name in _PACES:
        minutes, seconds = divmod(round(value * 60), 60)
        return f"{minutes}:{seconds:02d} {unit.many}", (value * 60).denominator != 1
    if unit.name == "gas_mark":
        return f"{unit.one} {exact.shown(value)[0]}", False
    figure, rounded = _figure(value, unit)
    return f"{figure} {unit.one if figure in ('1', '-1') else unit.many}", rounded


def _figure(value: Fraction, unit: Unit) -> tuple[str, bool]:
    """A number in as many digits as are of use: all where these are few, else four or so."""
    written, cut = exact.shown(value)
    few = sum(map(str.isdigit, written.lstrip("-0."))) <= _FEW_DIGITS
    if not cut and (few or value.denominator == 1):
        large = abs(value) >= 10**12
        return (_scientific(value), True) if large else (written, False)
    if unit.name in _TEMPERATURES:
        return _trimmed(exact.shown(value, 1)[0]), True
    if abs(value) >= 10**9 or abs(value) < Fraction(1, 10**4):
        return _scientific(value), True
    digits = len(str(int(abs(value)))) if abs(value) >= 1 else 0
    small = 0
    while abs(value) * 10 ** (small + 1) < 1:
        small += 1
    places = max(4 - digits + (small if not digits else 0), 0)
    return _trimmed(exact.shown(value, places)[0]), True


def _trimmed(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text


def _scientific(value: Fraction) -> str:
    mantissa, _, exponent = f"{exact.decimal(value):.3e}".partition("e")
    return f"{_trimmed(mantissa)} × 10^{int(exponent)}"


def _otherwise(asked: Asked, targets: list[Unit]) -> str:
    """What it is with the British unit of that name, where nobody said which is meant."""
    unit, target = asked.amounts[0][1], targets[0]
    other = target if unit.british else unit
    if len(asked.amounts) > 1 or len(targets) > 1 or bool(unit.british) == bool(target.british):
        return ""
    if other.name in _AMERICAN:
        return ""
    british = UNITS[(unit if unit.british else target).british]
    pair = (british, target) if unit.british else (unit, british)
    value = _converted(asked.amounts[0][0], *pair, asked)
    if unit.british:
        return f" ({british.many}: {_figure(value, target)[0]})"
    return f" ({british.many}: {_figure(value, british)[0]})"


def unit_named(words: str) -> Unit | None:
    """The unit that some words name, and nothing but it."""
    try:
        tokens = tokens_of(words)
    except ToolError:
        return None
    return tokens[0] if len(tokens) == 1 and isinstance(tokens[0], Unit) else None


def converted(amount: Fraction, source: Unit, target: Unit) -> Fraction:
    """An amount of one unit in another; raises ToolError where they measure different things."""
    return _converted(amount, source, target, Asked([(amount, source)], [target]))
