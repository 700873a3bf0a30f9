"""How numbers of a new column shall be rounded: "rounded up to the next 10 pence"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Decimal

_SMALL = r"(?:pence|pennies|penny|p|cents?|ct|rappen|centimes?)"
PLACES = {"no": 0, "one": 1, "a": 1, "two": 2, "three": 3}
_ROUNDED = re.compile(
    r"[,;]? ?(?:\b(?:and|then|all|each|always|but)\s+)*"
    # "Points per round" rounds nothing.
    r"\b(?:rounded|rounding|round(?= (?:it|them|that|up|down|off|to|on)\b))(?: (?:it|them|that))?"
    r"(?: (?P<way>up|down|off))?"
    r"(?: (?:to|on) (?:the )?(?:(?:next|nearest|closest|full|whole)\s+)*"
    rf"(?:(?P<places>\d|one|a|two|three) (?:decimals?|digits?|places?)(?: (?:places?|digits?))?|"
    rf"(?P<step>\d{{1,3}}(?:,\d{{3}})+(?!\d)|\d+(?:[.,]\d+)?)(?: ?(?P<small>{_SMALL})\b)?"
    rf"(?: ?(?:euros?|pounds?|dollars?|€|£))?|(?P<one>{_SMALL})\b|"
    r"(?P<many>ten|hundred|thousand)s?\b|(?:numbers?|euros?|pounds?|dollars?|francs?|units?|amounts?)))?"
    r"(?:\s*\((?:so|e\.?g|i\.?e|for example|that is|meaning)[^)]*\))?",
    re.IGNORECASE,
)
#: "With 1 decimal", "two decimal places" behind a comma or in brackets.
_DECIMALS = re.compile(
    r"[,;(]? ?\b(?:(?:with|to|on|at|in|and|just|only) )?(?P<places>\d|no|one|two|three) "
    r"(?:decimals?|(?:decimal )?(?:places?|digits?)(?: (?:after|behind) the (?:decimal )?"
    r"(?:point|comma))?)(?: places?)?\)?(?!\w)",
    re.IGNORECASE,
)
_MANY = {"ten": 10, "hundred": 100, "thousand": 1000}
#: Beyond it numbers have no digits that could be rounded.
_LARGEST = 1e15
_WAYS = {"up": ROUND_CEILING, "down": ROUND_FLOOR}


@dataclass(frozen=True)
class Rounding:
    """To multiples of what numbers are rounded, and which way, to the nearest where none."""

    step: Decimal
    way: str
    is_in_places: bool = False

    def decimals(self, usual: int) -> int:
        """With how many decimals the numbers are written, as many as were said or the usual ones
        where the step does not need more."""
        own = max(-int(self.step.normalize().as_tuple().exponent), 0)
        return own if self.is_in_places else max(own, usual)

    def of(self, value: float | None) -> float | None:
        """The number rounded, after what binary numbers add to it is gone."""
        if value is None or not abs(value) < _LARGEST:
            return value
        exact = Decimal(f"{value:.9f}") / self.step
        return float(exact.quantize(Decimal(1), self.way or ROUND_HALF_UP) * self.step)


def without_rounding(rule: str) -> tuple[str, Rounding | None]:
    """A rule without what it says of rounding, and that."""
    found = _ROUNDED.search(rule)
    if found is None:
        alone = _DECIMALS.search(rule)
        if alone is None:
            return rule, None
        rest = f"{rule[: alone.start()]} {rule[alone.end() :]}".strip(" ,.;")
        places = alone["places"].lower()
        step = Decimal(1).scaleb(-int(PLACES.get(places, places)))
        return rest, Rounding(step, "", is_in_places=True)
    rest = f"{rule[: found.start()]} {rule[found.end() :]}".strip(" ,.;")
    way = _WAYS.get((found["way"] or "").lower(), "")
    if found["places"]:
        places = found["places"].lower()
        step = Decimal(1).scaleb(-int(PLACES.get(places, places)))
    elif found["one"]:
        step = Decimal("0.01")
    elif found["many"]:
        step = Decimal(_MANY[found["many"].lower()])
    else:
        said = found["step"] or "1"
        is_large = re.fullmatch(r"\d{1,3}(?:,\d{3})+", said)
        step = Decimal(said.replace(",", "" if is_large else "."))
        step = step / 100 if found["small"] else step
    return rest, Rounding(step, way, bool(found["places"])) if step else None
