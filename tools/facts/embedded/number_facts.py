"""What arithmetic and language say of a number: every fact here is computed."""

from __future__ import annotations

import math
import random
import re
import unicodedata
from decimal import Decimal
from fractions import Fraction

from controlllm.toolbox import ToolError
from tools.facts.embedded.chemical_elements import element
from tools.facts.embedded.written_numbers import find_number, to_roman
from tools.shared.spoken_numbers import cardinal, ordinal

#: Up to here a number is taken apart into primes.
_MOST_FACTORISED = 10**18
#: Up to here all ways to write a number as a sum of two squares or cubes are looked for.
_MOST_SUMS = 10**9
_WITNESSES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
_SMALL_PRIMES = tuple(n for n in range(2, 1000) if all(n % d for d in range(2, math.isqrt(n) + 1)))


def number_asked(text: str) -> Decimal:
    """The number that a request is about; raises ToolError where it names none that is usable."""
    if not text.strip():
        raise ToolError("There is no number to tell of; give me one, such as 42.")
    number = find_number(text)
    if number is None and re.search(r"\bpi\b|π", text, re.IGNORECASE):
        number = Decimal("3.1415926535897")
    if number is None:
        said = " ".join(text.split())
        said = said if len(said) <= 60 else said[:59] + "…"
        raise ToolError(
            f"I find no number in “{said}” that I can work with; give me one of at most 100 "
            "digits, such as 42 or forty-two."
        )
    return number


def maths_facts(number: Decimal) -> str:
    """What arithmetic says of a number, the most remarkable first, a fact on a line."""
    if number != int(number):
        return _facts_of_fraction(number)
    whole = int(number)
    if whole < 0:
        return "\n".join(
            [
                f"{_grouped(whole)} is a negative {_parity(whole)} whole number, the opposite of "
                f"{_grouped(-whole)}. Its square is {_grouped(whole * whole)}.",
                f"Of {_grouped(-whole)}: {maths_facts(Decimal(-whole))}",
            ]
        )
    if whole == 0:
        return (
            "0 is an even whole number, neither positive nor negative and neither prime nor "
            "composite.\nAdding it changes nothing, multiplying by it gives 0, and nothing can be "
            "divided by it.\nIt is the first square, triangular and Fibonacci number (0² = 0)."
        )
    lines = [_opening(whole)]
    marks = _remarkable(whole)
    if marks:
        lines.append(f"It is {_listed(marks)}.")
    lines += _divisor_lines(whole)
    lines += _sum_lines(whole)
    lines += _digit_lines(whole)
    lines.append(_written_line(whole))
    return "\n".join(line for line in lines if line)


def _grouped(number: int) -> str:
    return f"{number:,}".replace("-", "−")


def _parity(number: int) -> str:
    return "odd" if number % 2 else "even"


def _listed(items: list[str]) -> str:
    return items[0] if len(items) == 1 else ", ".join(items[:-1]) + " and " + items[-1]


def _opening(number: int) -> str:
    said = _grouped(number)
    if number == 1:
        return (
            "1 is an odd whole number; it is neither prime nor composite.\nMultiplying by it "
            "changes nothing. It divides every whole number, and it is its own square, cube and "
            "square root."
        )
    if is_prime(number):
        return f"{said} is a prime number: nothing but 1 and itself divides it."
    if number >= _MOST_FACTORISED:
        small = next((prime for prime in _SMALL_PRIMES if number % prime == 0), None)
        told = f", divisible by {small}" if small else ""
        return f"{said} is an {_parity(number)} number, not a prime{told}."
    parts = [
        f"{_grouped(prime)}{_superscript(power)}"
        for prime, power in sorted(factors(number).items())
    ]
    written = " × ".join(parts)
    return f"{said} is an {_parity(number)} number, not a prime: {said} = {written}."


def _superscript(power: int) -> str:
    return "" if power == 1 else str(power).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))


def is_prime(number: int) -> bool:
    """Whether a number is prime; certain below 3·10²⁴, beyond that as good as certain."""
    if number < 2:
        return False
    for prime in _SMALL_PRIMES:
        if number % prime == 0:
            return number == prime
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for witness in _WITNESSES:
        value = pow(witness, odd, number)
        if value in (1, number - 1):
            continue
        for _ in range(twos - 1):
            value = value * value % number
            if value == number - 1:
                break
        else:
            return False
    return True


def factors(number: int) -> dict[int, int]:
    """The prime factors of a number from 1 to 10¹⁸ with their powers."""
    found: dict[int, int] = {}
    for prime in _SMALL_PRIMES:
        while number % prime == 0:
            found[prime] = found.get(prime, 0) + 1
            number //= prime
    waiting = [number] if number > 1 else []
    while waiting:
        part = waiting.pop()
        if is_prime(part):
            found[part] = found.get(part, 0) + 1
        else:
            divisor = _divisor(part)
            waiting += [divisor, part // divisor]
    return found


def _divisor(number: int) -> int:
    """A proper divisor of a composite number without small factors (Pollard's rho)."""
    root = math.isqrt(number)
    if root * root == number:
        return root
    chance = random.Random(number)
    while True:
        slow = fast = chance.randrange(2, number)
        step = chance.randrange(1, number)
        product, common = 1, 1
        while common == 1:
            for _ in range(64):
                slow = (slow * slow + step) % number
                fast = (fast * fast + step) % number
                fast = (fast * fast + step) % number
                product = product * abs(slow - fast) % number
            common = math.gcd(product, number)
        if common != number:
            return common


def _remarkable(number: int) -> list[str]:
    """The families that a number above 0 belongs to, each with what shows it."""
    marks: list[str] = []
    root = math.isqrt(number)
    if root * root == number:
        marks.append(f"a square ({_grouped(root)}²)")
    for power, name in ((3, "a cube"), (4, ""), (5, "a fifth power"), (7, "a seventh power")):
        base = _whole_root(number, power)
        if name and base**power == number and number > 1:
            marks.append(f"{name} ({_grouped(base)}{_superscript(power)})")
    if number > 1 and number & (number - 1) == 0:
        marks.append(f"a power of two (2{_superscript(number.bit_length() - 1)})")
    row = math.isqrt(8 * number + 1)
    if row * row == 8 * number + 1:
        count = (row - 1) // 2
        marks.append(f"the {_th(count)} triangular number (the sum of 1 to {_grouped(count)})")
    place = _fibonacci_place(number)
    if place:
        first = "1st and " if number == 1 else ""
        marks.append(f"the {first}{_th(place)} Fibonacci number")
    product, count = 1, 1
    while product < number:
        count += 1
        product *= count
    if product == number and number > 1:
        marks.append(f"a factorial ({count}! = 1 × … × {count})")
    place = 1
    while (value := math.comb(2 * place, place) // (place + 1)) < number:
        place += 1
    if value == number and number > 1:
        marks.append(f"the {_th(place)} Catalan number")
    if is_prime(number):
        if (number + 1) & number == 0:
            marks.append(f"a Mersenne prime (2{_superscript((number + 1).bit_length() - 1)} − 1)")
        twins = [other for other in (number - 2, number + 2) if is_prime(other)]
        if twins:
            marks.append(f"a twin prime (with {_listed([_grouped(other) for other in twins])})")
    if 1 < number < _MOST_FACTORISED:
        total = _divisor_sum(number)
        if total == 2 * number:
            marks.append("a perfect number (the sum of its smaller divisors)")
    digits = str(number)
    if len(digits) > 1:
        if digits == digits[::-1]:
            marks.append("a palindrome (the same read backwards)")
        if sum(int(digit) ** len(digits) for digit in digits) == number:
            marks.append(
                "a narcissistic number ("
                + " + ".join(f"{digit}{_superscript(len(digits))}" for digit in digits)
                + ")"
            )
        total = sum(map(int, digits))
        if number % total == 0:
            marks.append(f"divisible by the sum of its digits ({total})")
    return marks


def _th(number: int) -> str:
    suffix = (
        "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    )
    return f"{number:,}{suffix}"


def _whole_root(number: int, power: int) -> int:
    """The largest whole number whose power is not above a number."""
    low, high = 0, 1 << (number.bit_length() // power + 1)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if middle**power <= number else (low, middle - 1)
    return low


def _fibonacci_place(number: int) -> int:
    """The place of a number among 1, 1, 2, 3, 5, …, 0 where it is not there."""
    before, value, place = 1, 1, 2
    while value < number:
        before, value, place = value, before + value, place + 1
    return place if value == number else 0


def _divisor_sum(number: int) -> int:
    return math.prod(
        (prime ** (power + 1) - 1) // (prime - 1) for prime, power in factors(number).items()
    )


def _divisor_lines(number: int) -> list[str]:
    if number == 1 or number >= _MOST_FACTORISED:
        return []
    found = factors(number)
    count = math.prod(power + 1 for power in found.values())
    lines = []
    if not is_prime(number):
        small = _divisor_sum(number) - number
        kind = "abundant" if small > number else "deficient" if small < number else "perfect"
        listed = ""
        if count <= 48:
            listed = ": " + ", ".join(_grouped(divisor) for divisor in _divisors(found))
        lines.append(
            f"It has {count:,} divisors{listed}. The smaller ones add up to {_grouped(small)}, so "
            f"it is {kind}."
        )
    below, above = number - 1, number + 1
    while below > 1 and not is_prime(below):
        below -= 1
    while not is_prime(above):
        above += 1
    if below > 1:
        lines.append(f"The nearest other primes are {_grouped(below)} and {_grouped(above)}.")
    return lines


def _divisors(found: dict[int, int]) -> list[int]:
    divisors = [1]
    for prime, power in found.items():
        divisors = [value * prime**step for value in divisors for step in range(power + 1)]
    return sorted(divisors)


def sums_of_powers(number: int, power: int) -> list[tuple[int, int]]:
    """The ways to write a number as a sum of two positive powers, smaller base first."""
    ways = []
    for smaller in range(1, _whole_root(number // 2, power) + 1):
        rest = number - smaller**power
        larger = _whole_root(rest, power) if power > 2 else math.isqrt(rest)
        if larger**power == rest:
            ways.append((smaller, larger))
    return ways


def _sum_lines(number: int) -> list[str]:
    if not 1 < number <= _MOST_SUMS:
        return []
    lines = []
    for power, name in ((2, "squares"), (3, "cubes")):
        ways = sums_of_powers(number, power)
        if not ways:
            continue
        mark = _superscript(power)
        shown = [f"{_grouped(one)}{mark} + {_grouped(two)}{mark}" for one, two in ways[:4]]
        how = f", in {len(ways)} ways" if len(ways) > 1 else ""
        lines.append(f"It is a sum of two {name}{how}: {' = '.join(shown)}.")
        if power == 3 and len(ways) > 1:
            smallest = not any(
                len(sums_of_powers(smaller, 3)) > 1 for smaller in range(2, min(number, 4105))
            )
            if smallest:
                lines.append(
                    "No smaller number is a sum of two positive cubes in two ways; it is known as "
                    "the Hardy–Ramanujan number."
                )
    if len(lines) == 0 and number % 2 == 1:
        half = number // 2
        lines.append(
            f"It is the difference of two squares: {_grouped(half + 1)}² − {_grouped(half)}²."
        )
    return lines


def _digit_lines(number: int) -> list[str]:
    digits = str(number)
    if len(digits) == 1:
        return []
    total = sum(map(int, digits))
    root = 1 + (number - 1) % 9
    happy, seen = number, set()
    while happy != 1 and happy not in seen:
        seen.add(happy)
        happy = sum(int(digit) ** 2 for digit in str(happy))
    kind = (
        " It is a happy number: squaring and adding its digits again and again ends at 1."
        if (happy == 1)
        else ""
    )
    return [
        f"Its {len(digits)} digits add up to {total:,}"
        + (f", and these to {root}" * (total > 9))
        + f".{kind}"
    ]


def _written_line(number: int) -> str:
    ways = []
    if number < 2**64:
        ways.append(f"{number:b} in binary")
        ways.append(f"{number:X} in hexadecimal")
    else:
        ways.append(f"{number.bit_length()} digits long in binary")
    roman = to_roman(number)
    if roman:
        ways.append(f"{roman} in Roman numerals")
    return f"It is {_listed(ways)}."


def _facts_of_fraction(number: Decimal) -> str:
    exact = Fraction(number)
    below = math.floor(number)
    lines = [
        f"{number} lies between {_grouped(below)} and {_grouped(below + 1)}; to the nearest whole "
        f"number it is {_grouped(math.floor(exact + Fraction(1, 2)))}."
    ]
    top, bottom = exact.numerator, exact.denominator
    if len(str(top)) + len(str(bottom)) < 40:
        lines.append(f"As a fraction in lowest terms it is {_grouped(top)}/{_grouped(bottom)}.")
    if abs(exact) < 10**12:
        lines.append(
            f"Its square is {float(exact * exact):.10g}, and 1 divided by it is "
            f"{float(1 / exact):.10g}."
        )
        if exact > 0:
            lines.append(f"Its square root is {math.sqrt(exact):.10g}.")
    for name, value in (("π", math.pi), ("e", math.e), ("the golden ratio", (1 + 5**0.5) / 2)):
        places = -int(number.as_tuple().exponent)
        if places >= 2 and (
            round(value, places) == float(number)
            or math.floor(value * 10**places) == int(exact * 10**places)
        ):
            lines.append(f"It is {name} to {places} decimal places; {name} itself is irrational.")
    return "\n".join(lines)


_POLYGONS = {
    3: "triangle", 4: "quadrilateral", 5: "pentagon", 6: "hexagon", 7: "heptagon", 8: "octagon",
    9: "nonagon", 10: "decagon", 11: "hendecagon", 12: "dodecagon", 20: "icosagon",
}  # fmt: skip
_GROUP_NAMES = {
    1: "a solo is played by one", 2: "two make a pair or a couple, and play a duet",
    3: "three make a trio", 4: "four make a quartet", 5: "five make a quintet",
    6: "six make a sextet", 7: "seven make a septet", 8: "eight make an octet",
    9: "nine make a nonet", 10: "ten years make a decade", 12: "twelve make a dozen",
    13: "thirteen make a baker's dozen", 14: "fourteen days make a fortnight",
    20: "twenty make a score", 24: "twenty-four hours make a day", 60: "sixty minutes make an hour",
    100: "a hundred years make a century", 144: "144, twelve dozen, make a gross",
    1000: "a thousand years make a millennium", 10000: "ten thousand make a myriad",
    3600: "3,600 seconds make an hour", 86400: "86,400 seconds make a day",
}  # fmt: skip


def word_facts(number: Decimal) -> str:
    """What language, chemistry and writing make of a whole number, a fact on a line."""
    if number != int(number):
        raise ToolError(
            f"I know such facts of whole numbers only, and {number} is none; ask for a maths fact "
            f"about it, or about {int(number)}."
        )
    whole = int(number)
    words = _british(cardinal(whole), whole)
    lines = []
    if abs(whole) < 10**18:
        lines.append(
            f"In words {_grouped(whole)} is “{words}”"
            + (
                f", and its place in a row is “{_british(ordinal(whole), whole)}”."
                if whole > 0
                else "."
            )
        )
        lines.append(_letters(words))
    else:
        lines.append(f"{_grouped(whole)} has {len(str(abs(whole)))} digits.")
    power = len(str(whole)) - 1
    names = {6: "a million", 9: "a billion", 12: "a trillion", 100: "a googol"}
    if whole == 10**power and power in names:
        lines.append(f"It is {names[power]}: a 1 followed by {power} noughts.")
    found = element(whole)
    if found:
        symbol, name = found
        lines.append(
            f"It is the atomic number of {name} ({symbol}): each atom of {name} has "
            f"{whole} proton{'s' * (whole != 1)}."
        )
    if whole in _POLYGONS:
        lines.append(f"A flat figure with {words} sides is a {_POLYGONS[whole]}.")
    if whole in _GROUP_NAMES:
        named = _GROUP_NAMES[whole]
        lines.append(f"{named[0].upper()}{named[1:]}.")
    roman = to_roman(whole)
    if roman:
        lines.append(f"The Romans wrote it {roman}.")
    character = _character(whole)
    if character:
        lines.append(character)
    if 60 < whole < 10**12:
        lines.append(f"{_grouped(whole)} seconds are {_duration(whole)}.")
    return "\n".join(line for line in lines if line)


def _british(words: str, number: int) -> str:
    """Number words with "and" after the hundreds and before a last group without any."""
    scales = r"(?:thousand|million|billion|trillion|quadrillion)"
    said = re.sub(rf"hundred (?!{scales})", "hundred and ", words)
    if abs(number) > 1000 and 0 < abs(number) % 1000 < 100:
        return re.sub(rf"(.*{scales}) ", r"\1 and ", said)
    return said


def _letters(words: str) -> str:
    letters = [letter for letter in words if letter.isalpha()]
    said = f"That has {len(letters)} letters"
    if len(letters) == 4 and words == "four":
        return f"{said}: four is the only number whose English name has as many letters as it says."
    if letters == sorted(letters):
        return f"{said}, and they stand in alphabetical order."
    if letters == sorted(letters, reverse=True):
        return f"{said}, and they stand in reverse alphabetical order."
    return f"{said}."


def _character(number: int) -> str:
    if not 33 <= number < 0x110000 or 0xD800 <= number < 0xE000:
        return ""
    letter = chr(number)
    name = unicodedata.name(letter, "")
    if not name or not letter.isprintable() or unicodedata.combining(letter):
        return ""
    return f"In Unicode it stands for the character {letter} ({name.lower()})."


def _duration(seconds: int) -> str:
    parts = []
    for size, name in (
        (31_557_600, "year"),
        (86_400, "day"),
        (3600, "hour"),
        (60, "minute"),
        (1, "second"),
    ):
        count, seconds = divmod(seconds, size)
        if count:
            parts.append(f"{count:,} {name}{'s' * (count != 1)}")
    return _listed(parts[:3])
