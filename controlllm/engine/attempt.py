"""One attempt at a tool call: read the inputs, run the tool, store what it made.

Tools get copies of kept files: one belongs to everybody who has a file of that content, and a tool
that got its path could delete it or write into it.
"""

from __future__ import annotations

import errno
import logging
import shutil
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from controlllm.core.plans import Literal
from controlllm.engine.cache import GivenInputs
from controlllm.engine.each import OneOf, for_each, put_together, returned_of_each
from controlllm.engine.fallback import is_transient
from controlllm.engine.input_gate import admitted
from controlllm.engine.values import (
    Details,
    InputError,
    given_files,
    in_given_form,
    is_one_frame_of,
    keep_value,
    read_input,
)
from controlllm.models import ModelFileError
from controlllm.resources import EMPTY, REMARKS, Box, Clip, Resource
from controlllm.resources.well_formed import well_formed
from controlllm.store import Store, StoreError
from controlllm.toolbox import (
    Argument,
    Cancelled,
    Code,
    Context,
    Implementation,
    Tool,
    ToolError,
    Undecided,
)
from controlllm.toolbox.capabilities import ALONE, Capabilities

_log = logging.getLogger(__name__)

Report = Callable[[float, str], None]


@dataclass(frozen=True)
class Call:
    """A tool with one of its implementations and everything that it reads.

    `key` stands for the content of the call; `is_kept` says whether its result is to be kept under
    that key and may be taken from there. `chosen` is which of several things is meant, as often as
    the tool asks; None where nobody can be asked. `base` is the key without that.
    """

    tool: Tool
    implementation: Implementation
    inputs: GivenInputs
    parameters: Mapping[str, object]
    key: str
    is_kept: bool
    capabilities: Capabilities = ALONE
    chosen: tuple[int, ...] | None = None
    base: str = ""


@dataclass(frozen=True)
class Made:
    """What the tool made, stored, without a name; `is_sure` unless something had to be guessed."""

    resource: Resource
    is_sure: bool = True


@dataclass(frozen=True)
class Failed:
    """`message` is for the person; `is_final` says that no other tool could do better,
    `may_pass` that the same call may go well when it is made again, `is_undone` that the tool has
    certainly done nothing, `code` what kind of failure it is, `is_late` that the call has passed
    the time that one may take, `is_explained` that the tool itself said what it lacks."""

    message: str
    is_final: bool = False
    may_pass: bool = False
    is_undone: bool = False
    code: Code = Code.ERROR
    is_late: bool = False
    is_explained: bool = False


@dataclass(frozen=True)
class Asked:
    """The tool has to know which of these boxes is `thing`."""

    boxes: tuple[Box, ...]
    thing: str


Outcome = Made | Failed | Asked


@dataclass(frozen=True)
class Attempted:
    """An attempt that a worker process has made.

    Parameters
    ----------
    run: the id of the run that it was for. `worker` is the number of the process.
    seconds: how long it took. `ended` is when it did, in seconds since 1970.
    outcome: ``made``, ``asked``, ``failed``, ``stopped``, or ``lost`` where the worker crashed or
        passed a limit.
    """

    run: str
    tool: str
    worker: int
    seconds: float
    ended: float
    outcome: str


#: Makes an attempt somewhere; never raises.
Attempt = Callable[[Call, threading.Event, Report], Outcome]


@dataclass(frozen=True)
class AttemptHere:
    """Makes attempts in the thread that calls it."""

    store: Store
    details: Details

    def __call__(self, call: Call, cancelled: threading.Event, report: Report) -> Outcome:
        """What becomes of the call; `report` is told how far the tool is."""
        reached: list[str] = []
        try:
            return self._made(call, cancelled, report, reached.append)
        except Undecided as question:
            return Asked(question.boxes, question.thing)
        except Cancelled:
            return Failed(f"“{call.tool.in_words}” stopped before it was done.")
        except BaseException as error:  # a thread has nobody else to tell
            failed = _failure(call.tool, error)
            # A tool that says in words why it could not do its work has not done it.
            has_refused = reached == ["called"] and isinstance(error, ToolError)
            is_undone = not reached or (has_refused and not failed.may_pass)
            return replace(failed, message=well_formed(failed.message), is_undone=is_undone)

    def _made(
        self,
        call: Call,
        cancelled: threading.Event,
        report: Report,
        reach: Callable[[str], None],
    ) -> Made:
        try:
            each = for_each(call.tool, call.inputs, self.store)
        except KeyError:
            raise InputError("Files of a step before are not there any more.") from None
        with (
            self.store.work_folder(is_made=False) as folder,
            # A tool may hand back what it was given, so that stays until the result is kept.
            self.store.work_folder(is_made=False) as copies,
        ):
            context = Context(
                report,
                cancelled,
                folder,
                call.capabilities,
                # Of which of several files it is asked could not be shown.
                chosen=None if each[0].name else call.chosen,
            )
            if not each[0].name:
                value = self._called(call, each[0], context, reach, copies)
                resource = keep_value(call.tool, value, self.store, self.details)
            else:
                value = self._called_for_each(call, each, context, reach, copies)
                tool = replace(call.tool, returns=returned_of_each(call.tool))
                resource = keep_value(tool, value, self.store, self.details)
        if value == ():
            resource = replace(resource, details={**resource.details, EMPTY: True})
        if context.remarks:
            told = {REMARKS: [well_formed(sentence) for sentence in context.remarks]}
            resource = replace(resource, details={**resource.details, **told})
        return Made(resource, not (context.has_guessed or context.has_used_files))

    def _called(
        self,
        call: Call,
        one: OneOf,
        context: Context,
        reach: Callable[[str], None],
        copies: Path,
    ) -> Any:
        """What the tool makes of one file, or of all that it takes together; what it is lent lies
        in `copies`."""
        inputs: dict[str, Any] = {
            argument.name: self._read(call.tool, argument, one.inputs)
            for argument in call.tool.args
        }
        names = {
            name: given.value
            for name, given in one.inputs.items()
            if isinstance(given, Resource) and not given.value.startswith("<")
        }
        inputs = lent(admitted(call.tool, inputs, names), copies)
        context = context.given(lambda name: given_files(one.inputs.get(name), self.store))
        context.check()
        reach("called")
        value = call.implementation.run({**inputs, **call.parameters}, context)
        reach("came back")
        if not call.tool.acts_outside:
            context.check()
        if is_one_frame_of(inputs.values(), value):
            context.remark("It is one frame: this cannot be done to a picture that moves.")
        return in_given_form(call.tool, value, one.inputs, self.store, context)

    def _called_for_each(
        self,
        call: Call,
        each: Sequence[OneOf],
        context: Context,
        reach: Callable[[str], None],
        copies: Path,
    ) -> Any:
        """What the tool makes of each of several files; those of which it makes nothing are told
        of, and where that is each of them, the first reason is raised."""
        values: list[tuple[str, Any]] = []
        failed: list[tuple[str, ToolError]] = []
        for place, one in enumerate(each):
            # Tools may give what they make always the same name.
            part = context.part(place / len(each), (place + 1) / len(each)).within(str(place))
            part.progress(0.0, one.name)
            try:
                value = self._called(call, one, part, reach, copies / str(place))
                values.append((one.name, value))
            except ToolError as error:
                failed.append((one.name, error))
        if not values:
            raise failed[0][1]
        for name, reason in failed:
            context.remark(f"{name}: {reason}")
        return put_together(call.tool, values)

    def _read(self, tool: Tool, argument: Argument, inputs: GivenInputs) -> Any:
        given = inputs.get(argument.name)
        if given is None:
            return [] if argument.many else None
        if isinstance(given, Literal | Resource):
            return read_input(tool, argument, given, self.store)
        return [read_input(tool, argument, item, self.store) for item in given]


def _failure(tool: Tool, error: BaseException) -> Failed:
    """An error in words: what its author wrote for people, or that it was not expected."""
    may_pass = isinstance(error, Exception) and is_transient(error)
    if isinstance(error, StoreError | InputError):
        return Failed(str(error), is_final=True, may_pass=may_pass, code=Code.BAD_INPUT)
    if isinstance(error, ToolError) and str(error):
        # One that acts outside is not called again for a mere word that it may go better.
        may_pass = may_pass or (error.code.may_pass and not tool.acts_outside)
        is_explained = not may_pass and error.code is Code.ERROR
        return Failed(str(error), may_pass=may_pass, code=error.code, is_explained=is_explained)
    if isinstance(error, ModelFileError) and str(error):
        return Failed(str(error), may_pass=may_pass)
    _log.error("A tool failed.", exc_info=error, extra={"tool": tool.name})
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return Failed("The disk is full. Make some room and try again.", is_final=True)
    if isinstance(error, OSError) and error.errno == errno.EFBIG:
        return Failed(
            f"“{tool.in_words}” made a larger file than one tool may make here. Try a smaller "
            "or shorter one."
        )
    if isinstance(error, MemoryError):
        return Failed(f"“{tool.in_words}” needs more memory than is free. Try a smaller file.")
    if may_pass:
        said = f"“{tool.in_words}” could not reach what it needs. Check the network."
        return Failed(said, may_pass=True, code=Code.NOT_SENT)
    return Failed(f"“{tool.in_words}” stopped with an unexpected error ({type(error).__name__}).")


def lent(inputs: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """The inputs of a call; those that are files, alone or in a list, are copies in a folder that
    is made where there is any.

    Raises OSError where a copy cannot be written.
    """
    return {
        name: [_lent(item, folder) for item in value]
        if isinstance(value, list)
        else _lent(value, folder)
        for name, value in inputs.items()
    }


def _lent(value: Any, folder: Path) -> Any:
    if not isinstance(value, Clip):
        return value
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    copy = folder / value.path.name
    if not copy.exists():
        shutil.copyfile(value.path, copy)
    return replace(value, path=copy)
