"""Sums in plain words: what they ask, as a sum in figures, and the sentence that answers them."""

from __future__ import annotations

import re
from fractions import Fraction

from controlllm.toolbox import ToolError

from ...shared.tables import filled, table_beside
from . import exact
from .everyday_sums import everyday_sum
from .story_sums import story_sum
from .sum_grammar import NotASum, Worked, work_out

_TABLE = table_beside(__file__)
_LONGEST = 1000
_WORDS = [
    (
        re.compile(filled(pattern, _TABLE["parts"])),
        # What is divided by 1/2 is divided by all of it.
        re.sub(r"\\[12]", r"(\g<0>)", written) if "<n>" in pattern else written,
    )
    for group in _TABLE["words"]
    for pattern, written in group["as"]
]
_BEFORE = re.compile(rf"\A\s*(?:{filled(_TABLE['around']['before'], {})})(?![\w'])[\s,:]*")
_AFTER = re.compile(
    rf"[\s,]*(?:(?<![\w'])|(?=[=?!.,]))(?:{filled(_TABLE['around']['after'], {})})\s*$"
)
_THEN = re.compile(
    r"\s*,?\s*(?:and then|and|then|,)\s+(add|plus|subtract|minus|take away|multiply|times|divide)"
    r"(?: (?:it|that|this|the result|all|everything))?(?: (?:by|with|from it))? (?=[-\d(.])"
)
_SIGNS = {"add": "+", "plus": "+", "subtract": "-", "minus": "-", "take away": "-",
          "multiply": "*", "times": "*", "divide": "/"}  # fmt: skip
_PLACES = re.compile(
    r",?\s*\b(?:rounded )?(?:to|with|at|up to) (\d{1,2})(?: digits?)?(?: after the)? "
    r"?(?:decimals?|digits|dp)?(?: ?(?:places?|points?|figures))?$"
)
#: Where a second question begins.
_NEXT = re.compile(
    r"[?;]\s+(?=\S)|[,.]?\s+and (?=(?:how (?:much|many)|what(?:'s| is)?|which)\b)", re.IGNORECASE
)
#: What only leads to a sum: "different thing: 17 % of 80".
_LEAD = re.compile(r"[^\d:]+:\s+(?=\S)")
#: What a sum is said to come to: "does 12 + 5 make 18", "is 3 x 4 really 13".
_CLAIMED = re.compile(
    r"\A(?:.*?[:;.] )?(?:is it (?:true|right|correct)(?: that)?|does|do|is|are|will|would) "
    r"(?P<sum>\S*\d.*?)(?: (?:really|actually|indeed|truly|together))*"
    r"(?: (?:comes? (?:out )?(?:to|at)|makes?|equals?(?: to)?|adds? up to|amounts? to|gives?|"
    r"totals?)|"
    r" ?=|(?<=really)|(?<=actually)) ?(?P<claim>-?\d+(?:\.(?P<places>\d+))?)[\s?.!]*\Z"
)
_NO_SUM = (
    "I find no sum in this that I can work out; write it like 12 * 34 - 7, 15 % of 80 or "
    "the average of 3, 5 and 10."
)


def answer(text: str) -> str:
    """The sentence that answers a sum asked in plain words; raises ToolError where it is none."""
    if len(text) > _LONGEST:
        raise ToolError("That is too long for a sum. Give me the few figures that matter.")
    try:
        return _one_answer(text)
    except ToolError:
        if lead := _LEAD.match(text):
            return answer(text[lead.end() :])
        parts = [part for part in _NEXT.split(text) if re.search(r"\w", part)]
        if len(parts) < 2:
            raise
        return "\n".join(_one_answer(part) for part in parts)


def _one_answer(text: str) -> str:
    plain, money = _money(_plain(text))
    try:
        return _judged(plain, money) or everyday_sum(plain, money) or _answered(plain, money)
    except NotASum as error:
        if (told := story_sum(plain, money)) is not None:
            return told
        raise ToolError(_NO_SUM) from error


def _plain(text: str) -> str:
    """The request in small letters, with numbers in figures and signs on every keyboard."""
    from text_to_num import alpha2digit

    text = f" {text.lower()} "
    for sign, plain in _TABLE["signs"].items():
        text = text.replace(sign, plain)
    text = figures(" ".join(text.split()))
    text = re.sub(r"\bone (?=half|third|quarter|fourth|fifth|sixth|eighth|tenth)", "a ", text)
    text = alpha2digit(text, "en", 0.0)
    # "3.5 million" comes as 3.5 1000000.
    text = re.sub(
        r"(?<![\w.])(\d+(?:\.\d+)?) (1(?:000){1,4}|100)(?![\w.])",
        lambda found: f"{float(found[1]) * int(found[2]):.6f}".rstrip("0").rstrip("."),
        text,
    )
    return " ".join(text.split())


def figures(text: str) -> str:
    """Figures without marks between thousands and with a point before decimals."""
    # 1.234,50 and 1.234.567
    text = re.sub(
        r"(?<![\d.,])\d{1,3}(?:\.\d{3})+,\d{1,2}(?![\d.])|"
        r"(?<![\d.,])\d{1,3}(?:\.\d{3}){2,}(?![\d.,])",
        lambda found: found[0].replace(".", "").replace(",", "."),
        text,
    )
    # No sum of money has three decimals.
    text = re.sub(r"(?<![\d.,])(\d{1,3})\.(\d{3})(?= ?(?:€|euros?\b|eur\b))", r"\1\2", text)
    text = re.sub(
        r"(?<![\d.,])\d{1,3}(?:[,']\d{3})+(?!\d|,\d)",
        lambda found: re.sub(r"[,']", "", found[0]),
        text,
    )
    if re.search(r"\d,\d+,\d", text):
        return text
    listed = re.search(r"\b(?:average|mean|median|sum|total|product|m(?:in|ax)imum)\b", text)
    return text if listed and not re.search(r"\d,\s", text) else _with_points(text)


def _with_points(text: str) -> str:
    return re.sub(r"(?<![\d.,])(\d+),(\d+)(?![\d,.])", r"\1.\2", text)


def _money(plain: str) -> tuple[str, str]:
    """The request without the sign or name of its currency, and its sign, "" without one."""
    found = ""
    for pattern, sign in _TABLE["currencies"].items():
        plain, count = re.subn(pattern, " ", plain)
        if count and found:
            raise ToolError(
                "There are two currencies in this; an exchange rate is something only a service "
                "on the network knows. Give me all sums in one currency."
            )
        found = sign if count else found
    return " ".join(plain.split()), found


def _stripped(plain: str) -> str:
    """The sum without what is said around it."""
    while True:
        shorter = _AFTER.sub("", _BEFORE.sub("", plain, count=1)).strip()
        if shorter == plain:
            return plain
        plain = shorter


def _answered(plain: str, money: str) -> str:
    plain = _stripped(plain)
    places: int | None = None
    if found := _PLACES.search(plain):
        places, plain = int(found[1]), plain[: found.start()].strip()
    if found := re.match(r"round(?:ed)?(?: off)? ", plain):
        plain, places = plain[found.end() :], places or 0
    if money:
        # "20 euros and 15 euros" is what they come to.
        plain = re.sub(r"^([\d.]+) and ([\d.]+)$", r"\1 + \2", plain)
    worked = work_out(in_signs(plain))
    if worked.steps == 0 and places is None:
        raise NotASum("")
    return _sentence(worked, money, places)


def _judged(plain: str, money: str) -> str | None:
    """Whether a sum comes to what it is said to; None where none is said to come to anything."""
    claimed = _CLAIMED.search(plain)
    if claimed is None:
        return None
    worked = work_out(in_signs(_stripped(claimed["sum"])))
    if worked.steps == 0:
        raise NotASum("")
    claim, places = Fraction(claimed["claim"]), len(claimed["places"] or "")
    told = _sentence(worked, money, None)
    apart = claim - worked.value * (100 if worked.share else 1)
    if abs(apart) * 2 * 10**places < 1:
        return f"Yes: {told}"
    shown = _money_shown(abs(apart), money) if money else exact.shown(abs(apart), None)
    return f"No: {told} That is {shown[0]} {'less' if apart > 0 else 'more'}."


def in_signs(plain: str) -> str:
    """Words for sums as signs and the names of functions."""
    parts = _THEN.split(plain)
    first = parts[0]
    for verb, rest in zip(parts[1::2], parts[2::2], strict=True):
        # "add 7 and 8 and multiply by 2" goes from left to right.
        first = f"({_in_signs(first)}) {_SIGNS[verb]} {rest}"
    return _in_signs(first)


def _in_signs(plain: str) -> str:
    for pattern, written in _WORDS:
        plain = pattern.sub(written, plain)
    if re.search(r"\b(?:avg|med|sum|prod|min|max|gcd|lcm)\b", plain):
        plain = re.sub(r",?\s*\band\b|;|(?<=\d)\s+(?=-?\d)", ",", plain)
        plain = re.sub(r"(?<=\d)\s*\+\s*(?=\d)", ",", plain) if " sum " in plain else plain
    return plain


def _sentence(worked: Worked, money: str, places: int | None) -> str:
    value = worked.value * 100 if worked.share else worked.value
    result, rounded = _money_shown(value, money) if money else exact.shown(value, places)
    result += " %" if worked.share else ""
    said = f"about {result}" if rounded else result
    small = 1 < worked.value.denominator <= 1000
    if worked.fraction and worked.steps > 1 and small and places is None and not money:
        said = f"{_as_fraction(worked.value)}, or {said}"
    if places is not None and worked.steps == 0:
        return f"{worked.text} rounded is {said}."
    text = re.sub(r"\Athe ", "The ", worked.text)
    return f"{text} is {said}."


def _money_shown(value: Fraction, money: str) -> tuple[str, bool]:
    return amount_shown(value, money), (value * 100).denominator != 1


def amount_shown(value: Fraction, money: str) -> str:
    """A sum of money with two decimals where it has any."""
    places = 0 if value.denominator == 1 else 2
    sign = "-" if value < 0 else ""
    return f"{sign}{money}{exact.shown(abs(value), places)[0]}"


def _as_fraction(value: Fraction) -> str:
    whole, rest = divmod(abs(value.numerator), value.denominator)
    sign = "-" if value < 0 else ""
    part = f"{rest}/{value.denominator}"
    return f"{sign}{whole} {part}" if whole else f"{sign}{part}"
