"""Numbers: found in requests, and what arithmetic, chemistry and language say of them."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from fractions import Fraction

from controlllm.toolbox import ToolError
from tools.facts.embedded.data import table
from tools.shared.spoken_numbers import cardinal, ordinal

#: Longer numbers are no longer a matter for facts.
_MOST_DIGITS = 100
#: Up to here a number is taken apart into primes.
_MOST_FACTORISED = 10**12
_NUMBER = re.compile(
    r"(?<![\w.])((?:minus|negative)\s|[-−–])?(\d{1,3}(?:[,' ]\d{3})+(?!\d)|\d+)(\.\d+)?"
    r"(?:st|nd|rd|th)?(?:\s*(?:\^|\*\*)\s*(\d{1,3}))?(?:\s(dozen|10{3,})\b)?"
)
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_LOWERED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


def in_figures(text: str, least: float = 0.0) -> str:
    """A text with its number words in figures: "nineteen sixty-nine" is 1969, "fourth" 4th.

    A number by itself that is not above `least` stays a word.
    """
    from text_to_num import alpha2digit

    plain = alpha2digit(text.replace("’", "'"), "en", least)
    # A year in two halves comes as "19 69" or "19 oh 5".
    halves = re.sub(r"\b(1\d|20) oh (\d)\b", r"\g<1>0\2", plain)
    return re.sub(r"\b(1\d|20) ([1-9]\d)(?=s?\b)(?! \d)", r"\1\2", halves)


def find_number(text: str) -> Decimal | None:
    """The number that a text is about in figures, words or Roman numerals, None where it names
    none or one that is too large."""
    raised = re.sub(r"(?<=\d)[⁰¹²³⁴⁵⁶⁷⁸⁹]+", lambda m: f"^{m[0].translate(_LOWERED)}", text)
    # "One thing about six": a small number counts where no other is named.
    for least in (3.0, 0.0):
        if found := _NUMBER.search(in_figures(raised, least)):
            sign, whole, rest, power, scale = found.groups(default="")
            number = Decimal(re.sub(r"\D", "", whole) + rest)
            if number.adjusted() * int(power or 1) >= _MOST_DIGITS or (power and rest):
                return None
            number = Decimal(int(number) ** int(power)) if power else number
            number *= 12 if scale == "dozen" else int(scale or 1)
            return -number if sign else number
    # "I" is the person who asks unless nothing else is said.
    numerals = [one for one in re.findall(r"\b[MDCLXVI]+\b", text) if one != "I" or text == "I"]
    return next((Decimal(value) for one in numerals if (value := from_roman(one))), None)


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


def number_asked(text: str) -> Decimal:
    """The number that a request is about; raises ToolError where it names none that is usable."""
    number = find_number(text)
    if number is None:
        raise ToolError(
            f"I find no number in “{' '.join(text.split())[:60]}” that I can work with; give me "
            f"one of at most {_MOST_DIGITS} digits, such as 42 or forty-two."
        )
    return number


def maths_facts(number: Decimal) -> str:
    """What arithmetic says of a number, a fact on a line."""
    whole = int(number)
    if number != whole:
        exact, below = Fraction(number), math.floor(number)
        return (
            f"{number} lies between {below:,} and {below + 1:,}.\nAs a fraction in lowest terms it "
            f"is {exact.numerator}/{exact.denominator}."
        )
    parity = "odd" if whole % 2 else "even"
    if whole < 0:
        rest = maths_facts(Decimal(-whole))
        return f"{whole:,} is a negative {parity} whole number. Of {-whole:,}:\n{rest}"
    lines = [table("numbers")["maths"].get(str(whole), ""), *_factor_lines(whole, parity)]
    lines.append(f"It is {_listed(_marks(whole))}." if _marks(whole) else "")
    written = [f"{whole:b} in binary", f"{whole:X} in hexadecimal"] if whole < 2**64 else []
    written += [f"{roman} in Roman numerals"] if (roman := to_roman(whole)) else []
    lines.append(f"It is {_listed(written)}." if written else "")
    return "\n".join(filter(None, lines))


def _listed(items: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(items[:-1]), items[-1]]))


def _factor_lines(number: int, parity: str) -> list[str]:
    """Whether a number is prime, else its factors; nothing of 0 and 1."""
    if number > _MOST_FACTORISED:
        return [f"{number:,} is an {parity} number, too large to take apart into primes here."]
    found = factors(number) if number > 1 else {}
    if found == {number: 1}:
        return [f"{number:,} is a prime number: nothing but 1 and itself divides it."]
    divisors, parts = [1], []
    for prime, power in found.items():
        divisors = [value * prime**step for value in divisors for step in range(power + 1)]
        parts.append(f"{prime:,}" + (str(power).translate(_RAISED) if power > 1 else ""))
    shown = ": " + ", ".join(f"{one:,}" for one in sorted(divisors)) if len(divisors) < 50 else ""
    perfect = " It is a perfect number: the smaller ones add up to it."
    return [
        f"{number:,} is an {parity} number, not a prime: {number:,} = {' × '.join(parts)}.",
        f"It has {len(divisors):,} divisors{shown}."
        + (perfect if sum(divisors) == 2 * number else ""),
    ] * bool(found)


def _marks(number: int) -> list[str]:
    """The well-known kinds of numbers that a number belongs to."""
    marks = []
    root, row = math.isqrt(number), math.isqrt(8 * number + 1)
    if root * root == number:
        marks.append(f"a square ({root:,}²)")
    if row * row == 8 * number + 1:
        marks.append(f"the {place(row // 2)} triangular number")
    before, value, count = 1, 1, 2
    while value < number:
        before, value, count = value, before + value, count + 1
    if value == number:
        marks.append(f"the {place(count)} Fibonacci number")
    return marks


def place(number: int) -> str:
    """A place in a row: ``21st``."""
    last = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number:,}{last}"


def factors(number: int) -> dict[int, int]:
    """The prime factors of a number from 1 to 10¹² with their powers."""
    found: dict[int, int] = {}
    candidate = 2
    while number > 1:
        if candidate * candidate > number:
            candidate = number
        while number % candidate == 0:
            found[candidate] = found.get(candidate, 0) + 1
            number //= candidate
        candidate += 1 if candidate == 2 else 2
    return found


def word_facts(number: Decimal) -> str:
    """What language and chemistry make of a whole number, a fact on a line."""
    whole = int(number)
    if number != whole:
        raise ToolError(
            f"I know such facts of whole numbers only, and {number} is none; ask for a maths fact "
            f"about it, or about {whole}."
        )
    lines = [f"{whole:,} has {len(str(abs(whole)))} digits."]
    if abs(whole) < 10**18:
        row = f", and its place in a row is “{_british(ordinal(whole))}”" if whole > 0 else ""
        lines = [f"In words {whole:,} is “{_british(cardinal(whole))}”{row}."]
    known = table("numbers")
    if 1 <= whole <= len(known["elements"]):
        lines.append(f"It is the atomic number of {known['elements'][whole - 1]}.")
    lines += filter(None, [known[kind].get(str(whole)) for kind in ("remarks", "maths")])
    if roman := to_roman(whole):
        lines.append(f"The Romans wrote it {roman}.")
    return "\n".join(lines)


def _british(words: str) -> str:
    """Number words with "and" after the hundreds and before a last group without any."""
    scales = "(?:thousand|million|billion|trillion|quadrillion)"
    said = re.sub(rf"hundred (?!{scales})", "hundred and ", words)
    return re.sub(rf"(.*{scales}) (?!.*hundred|and )", r"\1 and ", said)
