"""How fast a request wants a video, or a passage of it, to play; the words: ``speed.toml``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from controlllm.toolbox import ToolError

from ...seeing.embedded.questions import Questions
from ...shared import instructions
from ...shared.amounts import ratio
from ...shared.time_phrases import Clock, Span, marked, passages

_LENGTHS = Questions(Path(__file__).with_name("lengths.toml"))
_PASSAGE = re.compile(
    r"(?:\bthe (?:first|last|middle|final|opening)|(?:^|[,.;]|\b(?:only|just|its|my)) ?last) @\d+$"
)
SLOWEST, FASTEST = 0.05, 200.0

_LENGTH_OF_TIME_LAPSE = 10.0  # seconds
_SLOWEST_TIME_LAPSE, _FASTEST_TIME_LAPSE = 8.0, 60.0


@dataclass(frozen=True)
class Speed:
    """How many times as fast, whether backwards, and the passages it is for (none: all of it)."""

    factor: float
    backwards: bool
    spans: tuple[Span, ...] = ()


def read_speed(prompt: str, seconds: float, frame_rate: float) -> Speed:
    """The speed that a request asks for.

    Raises ToolError where it names none, or an extreme one.
    """
    table = instructions.table(Path(__file__).with_name("speed.toml"))
    asked = {edit.name: edit for edit in table.read(prompt) if isinstance(edit, instructions.Edit)}
    clock = Clock(seconds, frame_rate)
    backwards = "backwards" in asked
    plain = re.sub(
        r"\bfrom (?:the )?(?:end|back) to (?:the )?(?:start|beginning|front)\b",
        " ",
        marked(prompt, clock, shares=False),
    )
    wanted, plain = _wanted_length(plain, clock)
    named = passages(plain, clock, bare=False)
    length = sum(end - start for start, end in named.spans) or seconds
    factor = length / wanted if wanted else _factor(named.rest, asked, length)
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


def _wanted_length(plain: str, clock: Clock) -> tuple[float | None, str]:
    """The length that the result shall have, and the text without it."""
    for _, found in _LENGTHS.read(plain):
        # "The last @0" is a passage, "make it last @0" a length.
        if _PASSAGE.search(found.string[: found.end(1)]):
            continue
        if clock[found[1]] <= 0:
            raise ToolError("A video cannot last no time; name a length above 0.")
        return clock[found[1]], plain.replace(found[0], " ", 1)
    return None, plain


def _factor(plain: str, asked: dict[str, instructions.Edit], seconds: float) -> float | None:
    pace = asked.get("pace")
    direction = pace.direction if pace else 0
    told = ratio(plain, direction, of_speed=True)
    if told is not None:
        if told <= 0:
            raise ToolError("A video cannot play at no speed at all; name a speed above 0.")
        return told
    if "time_lapse" in asked:
        fitting = seconds / _LENGTH_OF_TIME_LAPSE
        factor = min(max(fitting, _SLOWEST_TIME_LAPSE), _FASTEST_TIME_LAPSE)
        return max(min(factor, seconds), 1.5)  # a second is the least that can be watched
    if pace and direction:
        return pace.size(*pace.row["faster" if direction > 0 else "slower"])
    return 1.0 if "normal" in asked or pace else None
