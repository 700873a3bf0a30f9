"""Questions to the person: where a request may mean several things (what Doubt events carry)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from controlllm.resources import Box


@dataclass(frozen=True)
class Question:
    """A question with its choices, one of which a person takes.

    `choices` say each in words. They are ways to do a subtask, whose places are the `solutions`, or
    things in a picture: then `boxes` are where, `picture` is its value, `call` the tool call that
    waits for the answer, and `chosen` what it was told before.
    """

    message: str
    subtask: int
    choices: tuple[str, ...]
    solutions: tuple[int, ...] = ()
    picture: str = ""
    boxes: tuple[Box, ...] = ()
    call: str = ""
    chosen: tuple[int, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "boxes": [asdict(box) for box in self.boxes]}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Question:
        return cls(
            str(data["message"]),
            int(data["subtask"]),
            tuple(map(str, data["choices"])),
            tuple(map(int, data["solutions"])),
            str(data["picture"]),
            tuple(Box(**box) for box in data["boxes"]),
            str(data["call"]),
            tuple(map(int, data["chosen"])),
        )
