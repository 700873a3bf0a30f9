"""What becomes of one tool call: a result that is known, or attempts until one ends it; what is new
gets to the disk in groups, while what reads it is at work already."""

from __future__ import annotations

import hashlib
import logging
import math
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from controlllm.engine.attempt import Asked, Attempt, Call, Failed, Made
from controlllm.engine.learnt import Durations
from controlllm.resources import Resource
from controlllm.store import Store, StoreError
from controlllm.toolbox import Code

_log = logging.getLogger(__name__)

#: The shortest time between two reports of one action, in seconds; what comes faster is left out.
REPORT_INTERVAL = 0.1


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
    """The result, without a name; `cached` where it was known, else `Kept` or `Failed` follows."""

    resource: Resource
    seconds: float
    cached: bool


@dataclass(frozen=True)
class Kept:
    """The result outlives a power cut."""


Message = Started | Progress | Done | Kept | Failed | Asked


@dataclass(frozen=True)
class Worker:
    """Carries out calls.

    Parameters
    ----------
    attempt: makes one attempt at a call, here or in another process.
    retries: how often a call is made again after a failure that may pass.
    pause: the seconds before that.
    prepare: is told of calls that come later, so that what they need can be loaded ahead.
    """

    store: Store
    attempt: Attempt
    retries: int
    pause: float
    keeper: Keeper
    prepare: Callable[[Sequence[Call]], None] = lambda calls: None
    durations: Durations = field(default_factory=Durations)

    def carry_out(
        self,
        call: Call,
        cancelled: threading.Event,
        post: Callable[[Message], None],
        retries: int | None = None,
    ) -> None:
        """Make a call and post what happens: `Done`, `Failed` or `Asked`, and after a `Done` that
        is new `Kept`, or `Failed` where it could not be kept.

        Nothing is posted once the run was stopped. `retries` says otherwise how often it is made
        again after a failure that may pass.
        """
        retries = self.retries if retries is None else retries

        def post_if_wanted(message: Message) -> None:
            if not cancelled.is_set():
                post(message)

        try:
            known = self.known(call)
            if known is not None:
                post_if_wanted(Done(known, 0.0, True))
            elif cancelled.is_set():
                return
            elif _is_once(call) and not self.store.begin_once(call.key):
                post_if_wanted(_unknown(call))
            else:
                post_if_wanted(Started())
                report = _throttled(post_if_wanted)
                outcome, key = self._outcome(call, cancelled, report, retries)
                post_if_wanted(outcome)
                if isinstance(outcome, Done):
                    self.keeper.keep(key, outcome.resource, partial(_tell, post_if_wanted))
        except StoreError as error:
            post_if_wanted(Failed(str(error), is_final=True))
        except BaseException:  # a thread has nobody else to tell
            _log.exception("A call could not be carried out.", extra={"tool": call.tool.name})
            said = Failed(f"“{call.tool.in_words}” stopped with an unexpected error.")
            post_if_wanted(_unknown(call) if _is_once(call) else said)

    def known(self, call: Call) -> Resource | None:
        """The result of a call that was made before; a guess only where nobody can be asked."""
        if not call.is_kept:
            return None
        known = self.store.cached(call.key)
        if known is None and call.chosen is None:
            known = self.store.cached(_guess_key(call))
        return known

    def _outcome(
        self,
        call: Call,
        cancelled: threading.Event,
        report: Callable[[float, str], None],
        retries: int,
    ) -> tuple[Message, str]:
        """What came of a call, and the key to keep its result under, if any."""
        began = time.perf_counter()
        outcome = self.attempt(call, cancelled, report)
        for _ in range(retries):
            if not (isinstance(outcome, Failed) and outcome.may_pass):
                break
            if _is_once(call) and not outcome.is_undone:
                break
            _log.warning("A call is made again.", extra={"tool": call.tool.name})
            report(0.0, f"Trying again. {outcome.message}")
            if cancelled.wait(self.pause):
                return Failed(f"“{call.tool.in_words}” stopped before it was done."), ""
            outcome = self.attempt(call, cancelled, report)
        if _is_once(call) and not isinstance(outcome, Made):
            if isinstance(outcome, Failed) and not outcome.is_undone:
                return _unknown(call), ""
            self.store.take_back(call.key)
        if not isinstance(outcome, Made):
            return replace(outcome, may_pass=False) if isinstance(outcome, Failed) else outcome, ""
        key = (call.key if outcome.is_sure else _guess_key(call)) if call.is_kept else ""
        seconds = time.perf_counter() - began
        self.durations.learn(call.implementation, call.capabilities, call.inputs, seconds)
        return Done(outcome.resource, seconds, False), key


def _guess_key(call: Call) -> str:
    """The key of a result for which something had to be guessed."""
    return hashlib.sha256(f"guessed {call.key}".encode()).hexdigest()


def _is_once(call: Call) -> bool:
    """Whether a call may be made once only. One whose result is not kept is made for nobody's
    request, and nothing could tell it from another."""
    return call.tool.acts_outside and call.is_kept


def _unknown(call: Call) -> Failed:
    """What is said where a call may have done its work or not: it is not made again."""
    said = (
        f"It is not known whether “{call.tool.in_words}” did its work: it was ended in the middle "
        "of it. Look what came of it, and ask again if it did not happen."
    )
    # Nor shall anybody bring it about in another way.
    return Failed(said, is_final=True, code=Code.GAVE_UP)


def _tell(post: Callable[[Message], None], problem: str) -> None:
    post(Failed(problem, is_final=True) if problem else Kept())


def _throttled(post: Callable[[Message], None]) -> Callable[[float, str], None]:
    last = -math.inf

    def report(fraction: float, words: str) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= REPORT_INTERVAL and math.isfinite(fraction):
            last = now
            post(Progress(float(fraction), str(words)))

    return report


#: How long the thread waits for another result before it ends, in seconds.
_PATIENCE = 1.0

#: Told when a result is on the disk, or with the sentence why it could not be kept.
Then = Callable[[str], None]


@dataclass
class Keeper:
    """Settles results in the store, in the order in which they come; safe for many threads.

    To write something so that a power cut leaves it there takes a disk some milliseconds, for one
    result about as long as for many: those that come meanwhile are settled together.
    """

    store: Store
    _waiting: list[tuple[str, Resource, Then]] = field(default_factory=list)
    _changed: threading.Condition = field(default_factory=threading.Condition)
    _is_at_work: bool = False

    def keep(self, key: str, resource: Resource, then: Then) -> None:
        """Have a result settled, without a key its file alone; `then` is called from a thread, with
        nothing where it went well."""
        with self._changed:
            self._waiting.append((key, resource, then))
            if self._is_at_work:
                self._changed.notify()
                return
            self._is_at_work = True
        threading.Thread(target=self._work, name="keeps-results", daemon=True).start()

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting, _PATIENCE)
                group, self._waiting = self._waiting, []
                if not group:
                    self._is_at_work = False
                    return
            if len(group) > 1 and not self._settle(group):
                for _, _, then in group:
                    then("")
            else:
                # One that cannot be kept does not take the others with it.
                for one in group:
                    one[2](self._settle([one]))

    def _settle(self, group: list[tuple[str, Resource, Then]]) -> str:
        """Settle some results; the sentence why they could not be kept, or nothing."""
        try:
            self.store.settle((key, resource) for key, resource, _ in group)
        except StoreError as error:
            return str(error)
        except Exception:  # a thread has nobody else to tell
            _log.exception("Results could not be kept.")
            return "The result could not be kept. Ask again."
        return ""
