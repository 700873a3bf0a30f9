"""A judge's judgements of ToolBench's answers, each made once and kept as soon as it is there."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from benchmarks.suites.kept import Kept, mark_of
from benchmarks.suites.toolbench.answers import Answered
from benchmarks.suites.toolbench.judging import Judge, Vote, decided, has_passed


class Judgements:
    """The same as `Judge` gives, of which each reply that was paid for is a line of a file.

    Answers to different queries can be judged from several threads. An answer whose file has
    changed since is another one, and is judged anew.
    """

    def __init__(self, judge: Judge, kept: Kept, votes: int) -> None:
        self._judge = judge
        self._kept = kept
        self._count = votes
        self._lock = threading.Lock()
        self._failure: Exception | None = None
        self._known: dict[tuple[str, int], dict[str, Any]] = {}
        for line in kept.lines:
            self._known[line["of"], line["number"]] = line

    def votes(self, answer: Answered, side: str = "ours") -> tuple[Vote, ...]:
        """All votes on an answer; what is on the other `side` is judged by itself, also where it is
        the same. Raises EndpointError and Unusable."""

        def vote(number: int) -> dict[str, Any]:
            return dict(vars(self._judge.vote(answer, number)))

        name = f"{side} {answer.id} {mark_of(answer)}"
        lines = [self._once(name, number, vote) for number in range(self._count)]
        return tuple(Vote(line["status"], line["passed"]) for line in lines)

    def share_won(
        self,
        one: Answered,
        other: Answered,
        votes: tuple[tuple[Vote, ...], tuple[Vote, ...]],
    ) -> float:
        """What the first of two answers to a query has won, see `Judge.share_won`."""
        passed = [has_passed(each) for each in votes]
        if passed[0] != passed[1]:
            return float(passed[0])

        def compared(number: int) -> dict[str, Any]:
            return {"won": self._judge.compared(one, other, votes, number)}

        name = f"both {one.id} {mark_of(one)} {mark_of(other)}"
        lines = [self._once(name, number, compared) for number in range(self._count)]
        return decided([line["won"] for line in lines])

    def _once(
        self, name: str, number: int, make: Callable[[int], dict[str, Any]]
    ) -> dict[str, Any]:
        with self._lock:
            known = self._known.get((name, number))
        if known is None:
            if self._failure is not None:
                # Where the model fails for one, nobody goes on asking for the others.
                raise self._failure
            try:
                known = {"of": name, "number": number, **make(number)}
            except Exception as failure:
                self._failure = failure
                raise
            self._kept.add(known)
            with self._lock:
                self._known[name, number] = known
        return known
