"""How fast a request wants a video, or a passage of it, to play."""

from __future__ import annotations

import re
from dataclasses import dataclass

from controlllm.toolbox import ToolError
from tools.shared.time_phrases import Clock, Span, marked, passages

SLOWEST, FASTEST = 0.05, 200.0

_LENGTH_OF_TIME_LAPSE = 10.0  # seconds
_SLOWEST_TIME_LAPSE, _FASTEST_TIME_LAPSE = 8.0, 60.0

_BACKWARDS = re.compile(
    r"\b(?:backwards?|revers\w+|rewind\w*|rewound|in reverse|from (?:the )?(?:end|back) to "
    r"(?:the )?(?:start|beginning|front)|back to front|other way (?:a?round)?)\b"
)
_TIME_LAPSE = re.compile(r"\b(?:time[- ]?lapse[ds]?|hyper[- ]?lapse[ds]?)\b")
_VERY_SLOW = re.compile(
    r"\b(?:super|ultra|extreme(?:ly)?|very|really|dramatic(?:ally)?|much) ?-?slow\w*|"
    r"\bmuch slower\b"
)
_SLOW = re.compile(r"\b(?:slow\w*|slo-?mo|bullet time|less fast)\b")
_FAST = re.compile(r"\b(?:fast\w*|speed\w*|quick\w*|accelerat\w+|rapid\w*|hurr\w+|sped|rush\w*)\b")
_MUCH = re.compile(r"\b(?:much|a lot|lots|very|super|really|way|far|ultra)\b")
_LITTLE = re.compile(r"\b(?:slightly|a (?:little|bit|touch|tad)|somewhat|gently)\b")
_TIMES = r"(\d+(?:\.\d+)?) ?(?:x\b|×|times\b|-?fold\b)"
_FRACTIONS = {
    "half": 1 / 2, "third": 1 / 3, "quarter": 1 / 4, "fourth": 1 / 4, "fifth": 1 / 5,
    "eighth": 1 / 8, "tenth": 1 / 10,
}  # fmt: skip


@dataclass(frozen=True)
class Speed:
    """How many times as fast, whether backwards, and the passages it is for (none: all of it)."""

    factor: float
    backwards: bool
    spans: tuple[Span, ...] = ()


def read_speed(prompt: str, seconds: float, frame_rate: float) -> Speed:
    """The speed that a request asks for. Raises ToolError where it names none, or an extreme "
    "one."""
    clock = Clock(seconds, frame_rate)
    plain = _multiples(marked(prompt, clock, shares=False))
    backwards = bool(_BACKWARDS.search(plain))
    plain = re.sub(
        r"\bfrom (?:the )?(?:end|back) to (?:the )?(?:start|beginning|front)\b", " ", plain
    )
    wanted, plain = _wanted_length(plain, clock)
    named = passages(plain, clock, bare=False)
    length = sum(end - start for start, end in named.spans) or seconds
    factor = length / wanted if wanted else _factor(plain, length)
    if factor is None and backwards:
        factor = 1.0
    if factor is None:
        raise ToolError(
            "I cannot tell which speed is meant; say for example “twice as fast”, “half speed”, "
            "“make it 10 seconds long” or “backwards”."
        )
    if not SLOWEST <= factor <= FASTEST:
        raise ToolError(
            f"That would be {factor:.3g} times the speed; I can make a video between "
            f"{SLOWEST:g} and {FASTEST:g} times as fast. Choose a speed between them."
        )
    return Speed(factor, backwards, _inside(named.spans, seconds))


def _inside(spans: tuple[Span, ...], seconds: float) -> tuple[Span, ...]:
    inside: list[Span] = []
    for start, end in sorted(spans):
        start, end = max(start, inside[-1][1] if inside else 0.0), min(end, seconds)
        if end - start > 0.02:
            inside.append((start, end))
    if spans and not inside:
        raise ToolError(
            f"The video lasts only {seconds:.0f} seconds; name a passage that lies within it."
        )
    return tuple(inside)


def _multiples(plain: str) -> str:
    """The text with "twice", "double" and "x2" written as "2x"."""
    plain = re.sub(r"\b(?:twice|double[ds]?|doubling)\b", "2x", plain)
    plain = re.sub(r"\b(?:thrice|triple[ds]?|tripling)\b", "3x", plain)
    plain = re.sub(r"\b(?:quadruple[ds]?|quadrupling)\b", "4x", plain)
    plain = re.sub(r"\bhalve[ds]?|\bhalving\b", "half", plain)
    return re.sub(r"(?<!\w)[x×] ?(\d+(?:\.\d+)?)\b", r"\1x", plain)


def _wanted_length(plain: str, clock: Clock) -> tuple[float | None, str]:
    """The length that the result shall have, and the text without it."""
    about = r"(?:(?:about|around|only|just|exactly|roughly|no more than|at most|under) )?"
    for pattern in (
        rf"(?:make|made|making|be|is|lasts?|take[s]?|"
        rf"run[s]?)(?: \w+){{0,3}}? {about}(@\d+)(?: long)?"
        r"(?: in (?:total|all))?(?! (?:from|off|at))",
        rf"(?:fit(?:s|ted)?|squeez\w*|compress\w*|condens\w*|shrink|stretch\w*|shorten\w*|"
        rf"extend\w*|"
        rf"lengthen\w*|speed\w*(?: \w+){{0,3}}? up|slow\w*(?: \w+){{0,3}}? down|play\w*|show\w*)"
        rf"(?: \w+){{0,4}}? (?:into|to|in|within|over|until it (?:lasts|is)|so that it lasts|for) "
        rf"{about}(@\d+)(?! ?(?:to|-|until))",
        rf"^(?:to|in|into) {about}(@\d+)$",
        rf"^{about}(@\d+)(?: long)?$",
        rf"(@\d+) long\b|\bwith(?:in)? (?:a length of )?{about}(@\d+)|\blength (?:of|to) (@\d+)",
    ):
        found = re.search(pattern, plain)
        # "The last @0" is a passage, "make it last @0" a length.
        named = r"\bthe (?:first|last|middle|final|opening) @\d+$"
        if found and not re.search(named, plain[: found.end()].strip()):
            mark = next(group for group in found.groups() if group)
            if clock[mark] <= 0:
                raise ToolError("A video cannot last no time; name a length above 0.")
            return clock[mark], plain[: found.start()] + " " + plain[found.end() :]
    return None, plain


def _factor(plain: str, seconds: float) -> float | None:
    for rule in (_share_faster, _of_speed, _times):
        found = rule(plain)
        if found is not None:
            return found
    if _TIME_LAPSE.search(plain):
        fitting = seconds / _LENGTH_OF_TIME_LAPSE
        factor = min(max(fitting, _SLOWEST_TIME_LAPSE), _FASTEST_TIME_LAPSE)
        return max(min(factor, seconds), 1.5)  # a second is the least that can be watched
    much, little = bool(_MUCH.search(plain)), bool(_LITTLE.search(plain))
    if _SLOW.search(plain):
        return 0.8 if little else 0.25 if _VERY_SLOW.search(plain) or much else 0.5
    if _FAST.search(plain):
        return 1.25 if little else 3.0 if much else 2.0
    if re.search(r"\b(?:normal|original|usual|same) speed\b", plain):
        return 1.0
    return None


def _share_faster(plain: str) -> float | None:
    """ "Speed up by 50 %", "20 % slower", "at 75 % speed"."""
    percent = re.search(r"(\d+(?:\.\d+)?) ?%|(\d+(?:\.\d+)?) per ?cent", plain)
    if percent is None:
        return None
    share = float(percent[1] or percent[2]) / 100
    if re.search(
        r"%\s*(?:of (?:the )?)?(?:\w+ )?(?:speed|as fast)|\bto \d+(?:\.\d+)? ?%|\bat \d", plain
    ):
        return share
    if _SLOW.search(plain):
        return max(1 - share, 0.0)
    return 1 + share if _FAST.search(plain) else share


def _of_speed(plain: str) -> float | None:
    parts = "|".join(_FRACTIONS)
    found = re.search(
        rf"\b(?:(\d) )?({parts})s?\b(?: of)?(?: the| its| an?)?(?: (?:normal|original|usual|real|"
        r"current))? ?-?(?:speed|as fast|time|tempo|pace|the speed)?",
        plain,
    )
    if found is None or re.search(
        rf"\b(?:first|second|last|middle|other) (?:\d )?(?:{parts})", plain
    ):
        return None
    share = (float(found[1]) if found[1] else 1.0) * _FRACTIONS[found[2]]
    if re.search(r"(?:half|third|quarter) (?:as long|the (?:length|time|duration))", plain):
        return 1 / share
    return share


def _times(plain: str) -> float | None:
    found = re.search(_TIMES, plain)
    if found is None:
        return None
    number = float(found[1])
    if number <= 0:
        raise ToolError("A video cannot play at no speed at all; name a speed above 0.")
    if re.search(r"\bas long\b|\bthe length\b|\blonger\b|\bthe duration\b", plain):
        return 1 / number
    slower = _SLOW.search(plain) and not _FAST.search(plain)
    # "0.5x slow motion" is half the speed, and so is "2x slower".
    return 1 / number if slower and number > 1 else number
