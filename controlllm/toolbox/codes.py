"""What becomes of a call, as a number that agents and benchmarks share."""

from __future__ import annotations

from enum import IntEnum


class Code(IntEnum):
    """What became of a call; 0 to 12 are those of ToolBench's environment (Qin et al. 2023)."""

    DONE = 0
    UNKNOWN_TOOL = 1
    BAD_INPUT = 2
    ANSWERED = 3
    GAVE_UP = 4
    TIMED_OUT = 5
    NOT_FOUND = 6
    UNAUTHORISED = 7
    NOT_SUBSCRIBED = 8
    TOO_MANY = 9
    RATE_LIMITED = 10
    ERROR = 11
    NOT_SENT = 12
    #: What is to be worked on is nowhere in the picture.
    NOTHING_MARKED = 13
    #: What was named is nothing that can be looked for here.
    NOT_KNOWN = 14

    @property
    def may_pass(self) -> bool:
        """Whether the same call may go well a little later."""
        return self in (Code.TIMED_OUT, Code.TOO_MANY, Code.RATE_LIMITED, Code.NOT_SENT)

    @property
    def did_nothing(self) -> bool:
        """Whether it is certain that a call which failed so has changed nothing outside."""
        return self in (
            *(Code.UNKNOWN_TOOL, Code.BAD_INPUT, Code.NOT_FOUND, Code.UNAUTHORISED),
            *(Code.NOT_SUBSCRIBED, Code.TOO_MANY, Code.RATE_LIMITED, Code.NOT_SENT),
            *(Code.NOTHING_MARKED, Code.NOT_KNOWN),
        )
