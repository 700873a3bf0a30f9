"""Measures in plain words: which amounts and units a request names, and into what it wants them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction

from controlllm.toolbox import ToolError

from ...shared.tables import filled, table_beside
from .sums import figures

_TABLE = table_beside(__file__.replace("measure_words", "measures"))
_WORDS = _TABLE["words"]
_FILLERS, _CONNECTORS = (
    frozenset(_WORDS["fillers"].split()),
    frozenset(_WORDS["connectors"].split()),
)
_CURRENCY = re.compile(filled(_WORDS["currency"], {}))
_NUMBERS = [(re.compile(pattern), figure) for pattern, figure in _WORDS["numbers"]]
_NUMBER = re.compile(
    r"(?:(?P<whole>\d+) )?(?P<above>\d+)/(?P<below>[1-9]\d*)(?![\d./])|"
    r"(?P<minutes>\d+):(?P<seconds>[0-5]\d)(?!\d)|"
    r"(?P<number>\d+(?:\.\d+)?|\.\d+)(?: \* (?P<times>\d+))?(?:e(?P<exponent>[+-]?\d{1,2})(?!\w))?"
)
_NO_MEASURE = (
    "I find no measure in this that I can convert; write it like 5 miles in km, or 250 ml in cups."
)


@dataclass(frozen=True)
class Unit:
    """A unit: its name in pint, how one and several of it are written, and the British one."""

    name: str
    one: str
    many: str
    british: str = ""


UNITS = {row[0]: Unit(row[0], row[1], row[2], *row[4:]) for row in _TABLE["units"]}
#: A letter or figure that goes on with the word makes it another: 5'11 is no 5'1.
_NAMES = [
    (re.compile(rf"(?:{row[3]})(?:(?<=\w)(?!\w)|(?<!\w))"), row[0]) for row in _TABLE["units"]
]
_INGREDIENTS = [(re.compile(name), grams) for name, grams in _TABLE["cups"].items()]

#: A number, a unit's name, or a word that is neither.
Token = Fraction | Unit | str


@dataclass
class Asked:
    """What a request wants: amounts with their units, added up, told in the `targets`.

    `assumed` are units that it does not name; `grams` is what a cup of an ingredient weighs.
    """

    amounts: list[tuple[Fraction, Unit]]
    targets: list[Unit]
    ingredient: str = ""
    grams: int = 0
    assumed: list[str] = field(default_factory=list)


def read(text: str) -> Asked:
    """What a request for a conversion says; raises ToolError where it is none."""
    plain = _plain(text)
    if not re.search(r"\w", plain):
        raise ToolError(_NO_MEASURE)
    _refuse_currencies(plain)
    plain, ingredient, grams = _without_ingredient(plain)
    tokens = tokens_of(plain)
    if not any(isinstance(token, Unit) for token in tokens):
        raise ToolError(_NO_MEASURE)
    tokens, targets = _split_target(tokens)
    amounts = _amounts(tokens, bool(targets))
    return Asked(amounts, targets, ingredient, grams)


def told_beside(text: str) -> tuple[Asked | None, list[Unit]]:
    """The one measure in a text that tells a story around it, and the other units that it names:
    "the cake wants 180 °C, my oven only knows Fahrenheit". None where there is no measure, or more.
    """
    plain, ingredient, grams = _without_ingredient(_plain(text))
    tokens = tokens_of(plain)
    pairs = zip(tokens, tokens[1:], strict=False)
    amounts = [(a, b) for a, b in pairs if isinstance(a, Fraction) and isinstance(b, Unit)]
    if len(amounts) != 1 or sum(isinstance(token, Fraction) for token in tokens) > 1:
        return None, []
    named = dict.fromkeys(token for token in tokens if isinstance(token, Unit))
    others = [unit for unit in named if unit != amounts[0][1]]
    return Asked(amounts, [], ingredient, grams), others


def _plain(text: str) -> str:
    from text_to_num import alpha2digit

    # Only here small and large letters differ: MB/s has eight times as much as Mb/s.
    text = re.sub(r"\bMB(?:/s|ps)\b", "megabytes per second", text)
    text = text.lower()
    for odd, usual in {
        "’": "'", "‘": "'", "“": '"', "”": '"', "−": "-", "–": "-", "º": "°",
        "½": " 1/2", "¼": " 1/4", "¾": " 3/4", "⅓": " 1/3", "⅔": " 2/3", "\u00a0": " ",
    }.items():  # fmt: skip
        text = text.replace(odd, usual)
    text = figures(" ".join(text.split()))
    # "8000 paces of 75 cm" is so many times the measure.
    text = re.sub(
        r"\b(\d+) (?!(?:of|in|to|and)\b)(?P<thing>[a-z]{3,}) (?:of|at|with|à|each of|each) "
        r"(?:about )?"
        r"(?P<each>\d+(?:\.\d+)?)(?= ?[a-z]+)",
        lambda found: found[0] if unit_called(found["thing"]) else f"{found['each']} * {found[1]}",
        text,
    )
    # A quantity in quotation marks is not one in inches.
    text = re.sub(r'(?<!\S)"([^"]*)"(?!\S)', r"\1", text).rstrip(" ?!")
    text = re.sub(r"(?<=[a-z])\.(?=\s|$)", "", text)
    text = (
        re.sub(r"\b(\w+)'s\b", r"\1s", text).rstrip(".") if "what's" in text else text.rstrip(".")
    )
    text = re.sub(r"\bone (?=half|third|quarter)", "a ", text)
    text = alpha2digit(text, "en", 0.0)
    text = re.sub(r"\b2nd\b", "second", re.sub(r"\b2nds\b", "seconds", text))
    text = re.sub(r"(?<![\w.])([\d.]+) (1(?:000){1,3}|100)(?![\w.])", r"\1 * \2", text)
    text = re.sub(
        r"\b(gallons?|pints?|mpg|cups?|fl\.? oz|fluid ounces?|quarts?|tons?) "
        r"?\(?(uk|us|imperial|metric)\)?(?!\w)",
        r"\2 \1",
        text,
    )
    for pattern, figure in _NUMBERS:
        text = pattern.sub(figure, text)
    return " ".join(text.split())


def _refuse_currencies(plain: str) -> None:
    if found := _CURRENCY.search(plain):
        raise ToolError(
            f"“{found[0]}” is money, and exchange rates change by the minute: I would need a "
            "service on the network for them. I convert measures such as length and weight."
        )


def _without_ingredient(plain: str) -> tuple[str, str, int]:
    """The request without what a cup or so is of, that, and the grams of a US cup of it."""
    if not re.search(
        r"\b(?:cups?|tablespoons?|teaspoons?|tbsp|tsp|ml|cl|dl|litres?|liters?|g|"
        r"grams?|kg|oz|ounces?)\b",
        plain,
    ):
        return plain, "", 0
    found: list[tuple[int, str, int, re.Match[str]]] = []
    for pattern, grams in _INGREDIENTS:
        match = re.search(rf"\b(?:of )?(?:the )?({pattern.pattern})\b", plain)
        if match:
            found.append((len(match[1]), match[1], grams, match))
    if not found:
        return plain, "", 0
    _, name, grams, match = max(found, key=lambda one: one[0])
    return f"{plain[: match.start()]} {plain[match.end() :]}", name, grams


def tokens_of(plain: str) -> list[Token]:
    """The numbers, units and words of a text in small letters."""
    tokens: list[Token] = []
    place = 0
    while place < len(plain):
        if plain[place] in " ,:;()?!":
            place += 1
            continue
        after_number = bool(tokens) and isinstance(tokens[-1], Fraction)
        token, end = _token(plain, place, after_number)
        if token == "in" and tokens and tokens[-1] == "many":
            token = UNITS["inch"]
        if token != "-":
            tokens.append(token)
        place = end
    return tokens


def _token(plain: str, place: int, after_number: bool) -> tuple[Token, int]:
    signed = re.match(r"(?:-|minus |negative )(?=[\d.])", plain[place:])
    start = place + (signed.end() if signed else 0)
    # "5-mile" and "2-3": only what no number stands before is a sign.
    sign = -1 if signed and not (place and plain[place - 1].isalnum()) else 1
    unit, end = _unit_at(plain, place, after_number)
    # "100 km" may be the end of the unit before, but never begins one.
    number = _NUMBER.match(plain, start)
    if number and unit is None:
        return sign * _value(number), number.end()
    if unit is not None:
        return unit, end
    word = re.match(r"[^\W\d_]+(?:'[a-z]+)?|->|→|=|.", plain[place:])
    assert word is not None  # the dot fits anything
    return word[0], place + word.end()


def unit_called(word: str) -> bool:
    """Whether a word is what a unit is called."""
    return any(pattern.fullmatch(word) for pattern, _ in _NAMES)


def _unit_at(plain: str, place: int, after_number: bool) -> tuple[Unit | None, int]:
    best, end = "", place
    for pattern, name in _NAMES:
        found = pattern.match(plain, place)
        if found is None or found.end() <= end:
            continue
        if not after_number and found[0] in ("'", '"', "''", "#", "a", "°"):
            continue
        best, end = name, found.end()
    if (
        not best
        and after_number
        and re.match(r"in\b(?=\.?\s*(?:in|to|into|as|=|->|$|\())", plain[place:])
    ):
        return UNITS["inch"], place + 2
    return (UNITS[best], end) if best else (None, place)


def _value(found: re.Match[str]) -> Fraction:
    if len(found[0]) > 60:
        raise ToolError("That number is too long for a measure; give me one of at most 60 digits.")
    if found["above"]:
        return Fraction(int(found["whole"] or 0)) + Fraction(
            int(found["above"]), int(found["below"])
        )
    if found["minutes"]:
        return int(found["minutes"]) + Fraction(int(found["seconds"]), 60)
    value = Fraction(found["number"]) * int(found["times"] or 1)
    return value * Fraction(10) ** int(found["exponent"] or 0)


def _split_target(tokens: list[Token]) -> tuple[list[Token], list[Unit]]:
    """The rest of a request and the units into which it wants a measure, if it says them."""
    found = _asked_many(tokens)
    return found or _after_connector(tokens) or (tokens, [])


def _asked_many(tokens: list[Token]) -> tuple[list[Token], list[Unit]] | None:
    """What "how many cups are 250 ml" and "the number of feet in a mile" ask for."""
    for place in range(len(tokens) - 1):
        asks = tokens[place] == "many" or tokens[place : place + 2] == ["number", "of"]
        start = place + 1 if tokens[place] == "many" else place + 2
        if place and tokens[place] in ("what", "which") and isinstance(tokens[place + 1], Unit):
            # "350 °F, what gas mark is that?"
            return [*tokens[:place], *tokens[place + 2 :]], [tokens[place + 1]]  # type: ignore[list-item]
        units, length = _units_first(tokens[start:])
        if asks and units:
            return [*tokens[:place], *tokens[start + length :]], units
        follows = tokens[start] if start < len(tokens) else None
        if asks and isinstance(follows, str) and follows not in _FILLERS:
            raise ToolError(_unknown(follows))
    return None


def _after_connector(tokens: list[Token]) -> tuple[list[Token], list[Unit]] | None:
    """What "5 miles in km" and "km to miles: 5" ask for."""
    for place in range(len(tokens) - 1, -1, -1):
        if tokens[place] in _CONNECTORS:
            after = tokens[place + 1 :]
            units, length = _units_first(after)
            left = after[length:]
            if units and all(isinstance(token, Fraction) or token in _FILLERS for token in left):
                # "km to miles: 42.195" has its number at the end.
                return [*tokens[:place], *(one for one in left if isinstance(one, Fraction))], units
            if after and isinstance(after[0], str) and after[0] in ("metric", "imperial"):
                return tokens[:place], []
            unknown = [one for one in after if isinstance(one, str) and one not in _FILLERS]
            if unknown and not units and not any(isinstance(one, Fraction) for one in after):
                raise ToolError(_unknown(" ".join(unknown)))
    return None


def _units_first(tokens: list[Token]) -> tuple[list[Unit], int]:
    """The units that tokens begin with, "feet and inches", and how many tokens those are."""
    place = 1 if tokens and tokens[0] in ("the", "a", "an") else 0
    units: list[Unit] = []
    while place < len(tokens):
        token = tokens[place]
        if isinstance(token, Unit):
            units.append(token)
        elif token != "and" or not units or not isinstance((tokens + [""])[place + 1], Unit):
            break
        place += 1
    return units[:2], place


def _amounts(tokens: list[Token], has_target: bool) -> list[tuple[Fraction, Unit]]:
    """The numbers with their units; a last number without one counts the next smaller unit."""
    amounts: list[tuple[Fraction, Unit]] = []
    number: Fraction | None = None
    bare: Unit | None = None
    for place, token in enumerate(tokens):
        if isinstance(token, Unit):
            if number is None and place and tokens[place - 1] in ("a", "an", "one"):
                number = Fraction(1)
            if number is None:
                bare = bare or token
                continue
            amounts.append((number, token))
            number = None
        elif isinstance(token, Fraction):
            if number is not None:
                raise ToolError(_NO_MEASURE)
            number = token
        elif token not in _FILLERS and (
            number is not None or not has_target or _is_of_unit(tokens, place)
        ):
            # Of a story the words beside the measure and its unit matter to nobody.
            raise ToolError(_unknown(token))
    if number is not None and amounts and amounts[-1][1].name in _SMALLER:
        amounts.append((number, UNITS[_SMALLER[amounts[-1][1].name]]))
    elif number is not None and bare is not None and not amounts:
        amounts.append((number, bare))
    elif not amounts and bare is not None and has_target:
        amounts.append((Fraction(1), bare))
    elif number is not None and not amounts:
        raise ToolError("I miss a unit; write it like 5 miles in km. Say what the measure is in.")
    if not amounts:
        raise ToolError(_NO_MEASURE)
    return amounts


def _is_of_unit(tokens: list[Token], place: int) -> bool:
    """Whether a word says of what a measure is: "a cup of gravel"."""
    return place > 1 and tokens[place - 1] == "of" and isinstance(tokens[place - 2], Unit)


_SMALLER = {"foot": "inch", "stone": "pound", "pound": "ounce", "hour": "minute",
            "minute": "second", "meter": "centimeter"}  # fmt: skip


def _unknown(word: str) -> str:
    return f"I do not know “{word[:40]}” as a measure; use a unit such as km, pounds or cups."
