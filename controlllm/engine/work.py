"""One tool call in its thread: read the inputs, run the tool, keep the result."""

from __future__ import annotations

import errno
import logging
import math
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from controlllm.engine.cache import GivenInputs
from controlllm.engine.fallback import is_transient
from controlllm.engine.input_gate import admitted
from controlllm.engine.values import Details, InputError, keep_value, read_input
from controlllm.models import ModelFileError
from controlllm.plan import Literal
from controlllm.resources import Box, Resource
from controlllm.store import Store, StoreError
from controlllm.surroundings import ALONE, Surroundings
from controlllm.toolbox import Cancelled, Context, Implementation, Tool, ToolError, Undecided

_log = logging.getLogger(__name__)

#: The shortest time between two reports of one action, in seconds; what comes faster is left out.
REPORT_INTERVAL = 0.1


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
    surroundings: Surroundings = ALONE
    chosen: tuple[int, ...] | None = None
    base: str = ""


@dataclass(frozen=True)
class Started:
    """The tool began to work."""


@dataclass(frozen=True)
class Progress:
    """How far the tool is, 0..1, with a few words."""

    fraction: float
    words: str


@dataclass(frozen=True)
class Done:
    """The result, without a name; `cached` where it was known."""

    resource: Resource
    seconds: float
    cached: bool


@dataclass(frozen=True)
class Failed:
    """`message` is for the person; `is_final` says that no other tool could do better."""

    message: str
    is_final: bool = False


@dataclass(frozen=True)
class Asked:
    """The tool has to know which of these boxes is `thing`."""

    boxes: tuple[Box, ...]
    thing: str


Message = Started | Progress | Done | Failed | Asked


@dataclass(frozen=True)
class Worker:
    """Carries out calls. `retries` is how often a call is made again after a transient error,
    `pause` the seconds before that."""

    store: Store
    details: Details
    retries: int
    pause: float

    def carry_out(
        self, call: Call, cancelled: threading.Event, post: Callable[[Message], None]
    ) -> None:
        """Make a call and post what happens, `Done`, `Failed` or `Asked` at the end.

        Nothing is posted once the run was stopped.
        """

        def post_if_wanted(message: Message) -> None:
            if not cancelled.is_set():
                post(message)

        try:
            known = self.store.cached(call.key) if call.is_kept else None
            if known is not None:
                post_if_wanted(Done(known, 0.0, True))
            elif not cancelled.is_set():
                post_if_wanted(Started())
                began = time.perf_counter()
                made = self._made(call, cancelled, _throttled(post_if_wanted))
                post_if_wanted(Done(made, time.perf_counter() - began, False))
        except Undecided as question:
            post_if_wanted(Asked(question.boxes, question.thing))
        except Cancelled:
            post_if_wanted(Failed(f"{call.tool.name} stopped before it was done."))
        except BaseException as error:  # a thread has nobody else to tell
            post_if_wanted(_failure(call.tool, error))

    def _made(
        self, call: Call, cancelled: threading.Event, report: Callable[[float, str], None]
    ) -> Resource:
        for _ in range(self.retries):
            try:
                return self._made_at_once(call, cancelled, report)
            except Exception as error:
                if isinstance(error, Cancelled | Undecided) or not is_transient(error):
                    raise
                _log.warning("%s is tried again after %s", call.tool.name, type(error).__name__)
                report(0.0, "Trying again")
                if cancelled.wait(self.pause):
                    raise Cancelled from error
        return self._made_at_once(call, cancelled, report)

    def _made_at_once(
        self, call: Call, cancelled: threading.Event, report: Callable[[float, str], None]
    ) -> Resource:
        inputs: dict[str, Any] = {
            argument.name: self._read(call, argument.name) for argument in call.tool.args
        }
        names = {
            name: given.value
            for name, given in call.inputs.items()
            if isinstance(given, Resource) and not given.value.startswith("<")
        }
        inputs = admitted(call.tool, inputs, names)
        with self.store.work_folder() as folder:
            context = Context(report, cancelled, folder, call.surroundings, chosen=call.chosen)
            context.check()
            value = call.implementation.run({**inputs, **call.parameters}, context)
            context.check()
            resource = keep_value(call.tool, value, self.store, self.details)
        if call.is_kept and not context.has_guessed:
            self.store.remember(call.key, resource)
        return resource

    def _read(self, call: Call, name: str) -> Any:
        argument = next(item for item in call.tool.args if item.name == name)
        given = call.inputs.get(name)
        if given is None:
            return [] if argument.many else None
        if isinstance(given, Literal | Resource):
            return read_input(call.tool, argument, given, self.store)
        return [read_input(call.tool, argument, item, self.store) for item in given]


def _throttled(post: Callable[[Message], None]) -> Callable[[float, str], None]:
    last = -math.inf

    def report(fraction: float, words: str) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= REPORT_INTERVAL and math.isfinite(fraction):
            last = now
            post(Progress(float(fraction), str(words)))

    return report


def _failure(tool: Tool, error: BaseException) -> Failed:
    """An error in words: what its author wrote for people, or that it was not expected."""
    if isinstance(error, StoreError | InputError):
        return Failed(str(error), is_final=True)
    if isinstance(error, ToolError | ModelFileError) and str(error):
        return Failed(str(error))
    _log.error("%s failed", tool.name, exc_info=error)
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return Failed("The disk is full. Make some room and try again.", is_final=True)
    if isinstance(error, MemoryError):
        return Failed(f"{tool.name} needs more memory than is free. Try a smaller file.")
    if is_transient(error):
        return Failed(f"{tool.name} could not reach what it needs. Check the network.")
    return Failed(f"{tool.name} stopped with an unexpected error ({type(error).__name__}).")
