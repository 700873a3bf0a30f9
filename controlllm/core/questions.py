"""Questions to the person: where a request may mean several things (what Doubt events carry)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from controlllm.resources import Box
from controlllm.resources.json_data import JsonData


@dataclass(frozen=True)
class Question(JsonData):
    """A question with its choices, one of which a person takes.

    `subtask` is what it is about, `also` are others that the same is asked of: what is done to
    each of several files is asked about once. `choices` say each in words. They are ways to do a
    subtask, whose places are the `solutions`, or things in a picture: then `boxes` are where,
    `picture` is its value, `call` the tool call that waits for the answer, and `chosen` what it
    was told before.
    """

    message: str
    subtask: int
    choices: tuple[str, ...]
    solutions: tuple[int, ...] = ()
    picture: str = ""
    boxes: tuple[Box, ...] = ()
    call: str = ""
    chosen: tuple[int, ...] = ()
    also: tuple[int, ...] = ()

    @property
    def subtasks(self) -> tuple[int, ...]:
        """All that it is about."""
        return (self.subtask, *self.also)


def left_open(questions: Iterable[Question], subtask: int) -> tuple[Question, ...]:
    """The questions that are left where a subtask was decided otherwise."""
    found = []
    for asked in questions:
        others = [number for number in asked.subtasks if number != subtask]
        if others:
            found.append(replace(asked, subtask=others[0], also=tuple(others[1:])))
    return tuple(found)
