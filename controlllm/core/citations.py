"""What the pieces of an answer rest on: the step that found it, and where in a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Citation:
    """A piece of an answer's text, from `start` to `end`, that rests on the result of a step.

    `key` is the step's place in the plan, `subtask.solution.position`; `region` is the place, from
    0, of the one box of that result which it speaks of, None where it speaks of all of it.
    """

    start: int
    end: int
    key: str
    region: int | None = None

    def to_json(self) -> list[Any]:
        return [self.start, self.end, self.key, self.region]

    @classmethod
    def from_json(cls, data: Sequence[Any]) -> Citation:
        region = data[3]
        return cls(
            int(data[0]), int(data[1]), str(data[2]), None if region is None else int(region)
        )
