"""What a run tells an implementation, how one says that it cannot go on, and what becomes of a
call as a number that agents and benchmarks share."""

from __future__ import annotations

import copy
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

from controlllm.resources import Box
from controlllm.toolbox.capabilities import ALONE, Capabilities


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


class ToolError(Exception):
    """A tool could not do its work. The message is a sentence for the person who asked, `code` says
    what kind of failure it is."""

    def __init__(self, message: str = "", code: Code = Code.ERROR) -> None:
        super().__init__(message)
        self.code = code


class Unavailable(ToolError):
    """An implementation cannot run here. The message says why and how to get it."""


class Cancelled(Exception):
    """The person stopped the run; raised by `Context.check`."""


class Undecided(Exception):
    """What a tool was told may mean any of these `boxes`; raised by `Context.which` where a person
    can be asked."""

    def __init__(self, boxes: Sequence[Box], thing: str) -> None:
        super().__init__(thing)
        self.boxes = tuple(boxes)
        self.thing = thing


@dataclass(frozen=True)
class GivenFile:
    """A file that an input of a tool was given as: what the person calls it, empty where nothing
    is known, its type, and where it lies."""

    name: str
    type: str
    path: Path


class Context:
    """What an implementation may ask of the run: say how far it is, stop in time, keep files.

    Parameters
    ----------
    report: called with a fraction 0..1 and a few words.
    cancelled: set when the person stops the run.
    folder: where the implementation writes new files; made on first use where not given.
    capabilities: what it may use.
    weights: the folders of its downloaded weights, by their role.
    chosen: what a person answered to `which`, one place for each time that it asks; None where
        there is nobody to ask.
    """

    def __init__(
        self,
        report: Callable[[float, str], None] | None = None,
        cancelled: threading.Event | None = None,
        folder: Path | None = None,
        capabilities: Capabilities = ALONE,
        weights: Mapping[str, Path] | None = None,
        chosen: Sequence[int] | None = None,
    ) -> None:
        self._report = report
        self._cancelled = cancelled
        self._folder = folder
        self.capabilities = capabilities
        self.weights: Mapping[str, Path] = weights or {}
        self._left = None if chosen is None else list(chosen)
        #: Filled by `which` and shared by copies of this context.
        self._guesses: list[str] = []
        self._files: Callable[[str], Sequence[GivenFile]] | None = None
        #: Filled by `files` and shared by copies of this context.
        self._used: set[str] = set()
        #: Filled by `remark` and shared by copies of this context.
        self._remarks: dict[str, None] = {}

    def with_weights(self, weights: Mapping[str, Path]) -> Context:
        """The same context with the folders of downloaded weights."""
        changed = copy.copy(self)
        changed.weights = weights
        return changed

    def given(self, files: Callable[[str], Sequence[GivenFile]]) -> Context:
        """The same context for other files: `files` gives those that an argument was given as."""
        changed = copy.copy(self)
        changed._files = files
        return changed

    def within(self, name: str) -> Context:
        """The same context for a part of the run with a folder of its own inside this one's."""
        changed = copy.copy(self)
        changed._folder = self.folder / name
        return changed

    def part(self, first: float, last: float) -> Context:
        """The same context for a part of the run, whose progress 0..1 is `first`..`last` of it."""
        changed = copy.copy(self)
        changed._report = lambda fraction, words: self.progress(
            first + (last - first) * fraction, words
        )
        return changed

    def progress(self, fraction: float, words: str = "") -> None:
        """Tell how much is done, 0..1; raises Cancelled where the person stopped the run."""
        self.check()
        if self._report is not None:
            self._report(min(max(fraction, 0.0), 1.0), words)

    def which(self, boxes: Sequence[Box], thing: str) -> int:
        """The place of the box that is meant, where `thing` names one and fits several as well.

        The first, the best guess, where nobody can be asked; raises Undecided where a person can
        be and has not answered yet.
        """
        if self._left is None:
            self._guesses.append(thing)
            return 0
        if not self._left:
            raise Undecided(boxes, thing)
        return min(self._left.pop(0), len(boxes) - 1)

    @property
    def has_guessed(self) -> bool:
        """Whether `which` was answered by nobody."""
        return bool(self._guesses)

    def files(self, argument: str) -> tuple[GivenFile, ...]:
        """The files that an input was given as, under the names that the person knows; none where
        it is not made of files. What comes of a name is not kept for other names."""
        self._used.add(argument)
        return tuple(self._files(argument)) if self._files is not None else ()

    @property
    def has_used_files(self) -> bool:
        """Whether `files` was asked for any."""
        return bool(self._used)

    def remark(self, sentence: str) -> None:
        """Say something of the result that a person has to know: how much was found, what may be
        missing, and what to do about it. It stands in the answer."""
        self._remarks[sentence] = None

    @property
    def remarks(self) -> tuple[str, ...]:
        """The sentences told to `remark`, each once."""
        return tuple(self._remarks)

    def check(self) -> None:
        """Raise Cancelled where the person stopped the run."""
        if self._cancelled is not None and self._cancelled.is_set():
            raise Cancelled

    @property
    def folder(self) -> Path:
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="controlllm-"))
        self._folder.mkdir(parents=True, exist_ok=True)
        return self._folder
