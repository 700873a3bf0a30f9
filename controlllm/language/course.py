"""What is known of one request while it is planned: for the parts that a language model keeps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from controlllm.core.plans import Request, Subtask
from controlllm.resources import TypeLattice

#: How many texts of the session are named as values for inputs, the newest first.
_MOST_TEXTS = 12


class Course:
    """One request, and the subtasks that it was divided into; each part of it sees both."""

    def __init__(self, lattice: TypeLattice) -> None:
        self.lattice = lattice
        self.request = Request("")
        self.subtasks: tuple[Subtask, ...] = ()

    def begin(self, request: Request, subtasks: Sequence[Subtask]) -> None:
        """Take up a request with its subtasks."""
        self.request, self.subtasks = request, tuple(subtasks)

    def origin(self, value: str) -> str:
        """Where a value comes from, in words; empty where that is not known."""
        for subtask in self.subtasks:
            if subtask.returns.value == value:
                return f"result of the task before: {subtask.description}"
        for resource in self.request.resources:
            if resource.value == value:
                return "handed over" if value in self.request.attached else resource.origin
        return ""

    def texts_at_hand(self) -> tuple[str, ...]:
        """The names of texts that were handed over or made before this request."""
        found = [
            item.value for item in self.request.resources if self.lattice.is_a(item.type, "text")
        ]
        return tuple(found[-_MOST_TEXTS:])


def without_names(text: str, subtask: Subtask) -> str:
    """Words of a subtask with the kind of each file in place of its name.

    The same wish for five files reads the same five times.
    """
    files = [item for item in subtask.args if not item.role and item.type != "text"]
    for item in sorted(files, key=lambda item: -len(item.value)):
        text = text.replace(item.value, f"the {item.type}")
    return text


def described_args(subtask: Subtask, course: Course) -> list[dict[str, Any]]:
    """What a subtask is given, for a model that is to judge tools: kinds for files, and words."""
    found: list[dict[str, Any]] = []
    made = {item.returns.value for item in course.subtasks}
    files = {item.value for item in course.request.resources}
    for item in subtask.args:
        told: dict[str, Any] = {"type": item.type}
        if item.role or item.value not in made | files:
            told["words"] = item.value if len(item.value) <= 300 else "a long text"
            if item.role:
                told["for"] = item.role
        elif item.value in made:
            told["from"] = course.origin(item.value)
        found.append(told)
    return found
