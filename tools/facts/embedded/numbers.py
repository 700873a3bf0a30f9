"""Numbers: found in requests, and what arithmetic, chemistry and language say of them."""

from __future__ import annotations

import math
import re
from fractions import Fraction

from controlllm.toolbox import ToolError

from ...shared.spoken_numbers import cardinal, ordinal
from ...shared.tables import table_beside

#: Longer numbers are no longer a matter for facts.
_MOST_DIGITS = 100
#: Up to here a number is taken apart into primes.
_MOST_FACTORISED = 10**12
#: Sign, whole part, decimals, power, and the thousands or millions that it counts.
_NUMBER = re.compile(
    r"(?<![\w.])((?:minus|negative) |[-−–])?(\d{1,3}(?:[,' ]\d{3})+(?!\d)|\d+)(\.\d+)?"
    r"(?: ?(?:\^|\*\*) ?(\d{1,3}))?(?: (10{3,})\b)?"
)
_KNOWN = table_beside(__file__)
_ELEMENTS = " ".join(_KNOWN["elements"].split()).split(", ")


def in_figures(text: str, least: float = 0.0) -> str:
    """A text with its number words in figures: "nineteen sixty-nine" is 1969, "fourth" 4th.

    A number by itself that is not above `least` stays a word.
    """
    from text_to_num import alpha2digit

    plain = alpha2digit(text.replace("’", "'"), "en", least)
    # A year in two halves comes as "19 69" or "19 oh 5".
    halves = re.sub(r"\b(1\d|20) oh (\d)\b", r"\g<1>0\2", plain)
    return re.sub(r"\b(1\d|20) ([1-9]\d)(?=s?\b)(?! \d)", r"\1\2", halves)


def from_roman(numeral: str) -> int:
    """The value of a Roman numeral in capitals, 0 for what is none."""
    from roman_numerals import RomanNumeral

    try:
        return int(RomanNumeral.from_string(numeral))
    except ValueError:
        return 0


def to_roman(number: int) -> str:
    """A number from 1 to 3999 as a Roman numeral, empty for others."""
    from roman_numerals import RomanNumeral

    return RomanNumeral(number).to_uppercase() if 1 <= number <= 3999 else ""


def number_asked(text: str) -> Fraction:
    """The number that a request is about, in figures, words or Roman numerals.

    Raises ToolError where it names none or one that is too large.
    """
    # "One thing about six": a small number counts where no other is named.
    found = _NUMBER.search(in_figures(text, 3.0)) or _NUMBER.search(in_figures(text))
    if found:
        sign, whole, decimals, power, scale = found.groups(default="")
        if (len(whole) - 1) * int(power or 1) < _MOST_DIGITS:
            number = Fraction(re.sub(r"\D", "", whole) + decimals) ** int(power or 1)
            return number * int(scale or 1) * (-1 if sign else 1)
    for numeral in re.findall(r"\b[MDCLXVI]+\b", text):
        # "I" is the person who asks unless nothing else is said.
        if (value := from_roman(numeral)) and (numeral != "I" or text == "I"):
            return Fraction(value)
    most = f"at most {_MOST_DIGITS} digits, such as 42 or forty-two"
    raise ToolError(f"I find no number in this that I can work with; give me one of {most}.")


def maths_facts(number: Fraction) -> str:
    """What arithmetic says of a number, a fact on a line."""
    if number.denominator > 1:
        return f"It is no whole number. As a fraction in lowest terms it is {number}."
    whole, parity = int(number), "odd" if number % 2 else "even"
    if whole < 0:
        rest = maths_facts(-number)
        return f"{whole:,} is a negative {parity} whole number. Of {-whole:,}:\n{rest}"
    lines = [_KNOWN["maths"].get(str(whole), ""), *_factor_lines(whole, parity)]
    marks = _marks(whole)
    marks += [f"{whole:b} in binary", f"{whole:X} in hexadecimal"] if whole < 2**64 else []
    marks += [f"{roman} in Roman numerals"] if (roman := to_roman(whole)) else []
    lines.append(f"It is {', '.join(marks)}." if marks else "")
    return "\n".join(filter(None, lines))


def _factor_lines(number: int, parity: str) -> list[str]:
    """Whether a number is prime, else its factors; nothing of 0 and 1."""
    if number < 2:
        return []
    if number > _MOST_FACTORISED:
        return [f"{number:,} is an {parity} number, too large to take apart into primes here."]
    found, divisors = factors(number), {1}
    if found == [number]:
        return [f"{number:,} is a prime number: nothing but 1 and itself divides it."]
    for prime in found:
        divisors |= {value * prime for value in divisors}
    product = " × ".join(f"{prime:,}" for prime in found)
    shown = ", ".join(f"{one:,}" for one in sorted(divisors))
    is_perfect = sum(divisors) == 2 * number
    return [
        f"{number:,} is an {parity} number, not a prime: {number:,} = {product}.",
        f"It has {len(divisors):,} divisors{f': {shown}' if len(divisors) < 50 else ''}.",
        "It is a perfect number: the smaller ones add up to it." * is_perfect,
    ]


def _marks(number: int) -> list[str]:
    """The well-known kinds of numbers that a number belongs to."""
    root = math.isqrt(number)
    marks = [f"a square ({root:,}²)"] if root * root == number else []
    before, value, count = 1, 1, 2
    while value < number:
        before, value, count = value, before + value, count + 1
    return [*marks, f"the {ordinal(count)} Fibonacci number"] if value == number else marks


def factors(number: int) -> list[int]:
    """The prime factors of a number from 1 to 10¹², the smallest first."""
    found, candidate = [], 2
    while candidate * candidate <= number:
        if number % candidate:
            candidate += 1 if candidate == 2 else 2
        else:
            found.append(candidate)
            number //= candidate
    return [*found, number] if number > 1 else found


def word_facts(number: Fraction) -> str:
    """What language and chemistry make of a whole number, a fact on a line."""
    if number.denominator > 1:
        raise ToolError("I know such facts of whole numbers only; ask for a maths fact about it.")
    whole = int(number)
    lines = [f"{whole:,} has {len(str(abs(whole)))} digits."]
    if abs(whole) < 10**18:
        lines = [f"In words {whole:,} is “{_british(cardinal(whole))}”."]
    if 1 <= whole <= len(_ELEMENTS):
        lines.append(f"It is the atomic number of {_ELEMENTS[whole - 1]}.")
    lines += [_KNOWN[kind].get(str(whole), "") for kind in ("remarks", "maths")]
    lines.append(f"The Romans wrote it {roman}." if (roman := to_roman(whole)) else "")
    return "\n".join(filter(None, lines))


def _british(words: str) -> str:
    """Number words with "and" after the hundreds and before a last group without any."""
    said = re.sub(r"hundred (?!thousand|\w+illion)", "hundred and ", words)
    return re.sub(r"(.*(?:thousand|illion)) (?!.*(?:hundred|and ))", r"\1 and ", said)
