"""Sum2Act: decide from a state in place of the whole history (Algorithm 1 of the Sum2Act paper).

What a role says is never trusted where it can be checked: calls that failed are not made again,
results quote what was really seen, and the state stays within its bounds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from controlllm.agents.environment import Environment, Observation, fingerprint
from controlllm.agents.quoting import stands_in
from controlllm.agents.roles import Decision, Outcome, Router, StateKeeper, Taken, Task
from controlllm.agents.running import (
    KINDS_OF_FAILURE,
    PASSING_KINDS,
    Meter,
    Oversight,
    ending,
    finished,
    kind_of,
    noted,
    way_to,
)
from controlllm.core.state import (
    MOST_ARGUMENT,
    MOST_FINDING,
    Budget,
    Failure,
    Result,
    State,
)
from controlllm.toolbox import Code

#: After this many failures a tool is not offered any more.
MOST_FAILURES_OF_TOOL = 3
#: What it may use up where nothing else is said: 30 steps, as in the paper.
USUAL = Oversight(Budget())


def sum2act(
    task: Task,
    environment: Environment,
    router: Router,
    keeper: StateKeeper,
    oversight: Oversight = USUAL,
    patience: int = 1,
) -> Outcome:
    """Work on a task until it is answered, given up, or the budget is spent.

    `patience` is how often the same call may be made while it fails by what may pass; once, in the
    paper. Steps are numbered on from those that the task's state knows. Raises
    `controlllm.toolbox.Cancelled` where the person stopped the run, and what the roles raise.
    """
    meter = Meter("sum2act", oversight)
    ledger = _Ledger(task.state, patience)
    state = task.state
    numbers = [item.step for item in state.results] + [item.step for item in state.failures]
    before = max(numbers, default=0)
    steps: list[Taken] = []
    while True:
        meter.check()
        if reason := meter.what_is_spent():
            return finished(meter, steps, (), state, None, reason)
        decision = router.decide(task, state, environment, ledger.hidden)
        meter.count(decision.usage, steps=1)
        meter.show(state, decision)
        meter.check()
        step = before + meter.steps
        refusal = ""
        if decision.finishes:
            seen = ending(decision, task, environment)
        elif refusal := ledger.refusal(decision.tool, decision.arguments):
            seen = Observation(refusal, Code.BAD_INPUT)
        else:
            seen = environment.step(decision.tool, decision.arguments)
        taken = Taken(decision, seen)
        steps.append(taken)
        if seen.code is Code.GAVE_UP:
            return finished(meter, steps, (), state, decision, seen.text)
        if seen.code is Code.ANSWERED:
            standing = {result.step for result in state.results}
            wanted = {str(decision.arguments.get("result") or "")}
            wanted.update(result.source for result in state.results)
            kept = [
                item
                for number, item in enumerate(steps, before + 1)
                if number in standing or item is taken
            ]
            path = way_to(steps, wanted, kept)
            return finished(meter, steps, path, state, decision)
        if refusal or decision.finishes:
            # Nothing was observed; what is wrong is known without asking for it. A call that was
            # refused is no worse than what it failed by before.
            kind = ledger.kind_of(decision) if refusal else "bad input"
            state = _with_failure(state, taken, seen.text, kind, step)
        else:
            meter.check()
            if reason := meter.what_is_spent(within_step=True):
                return finished(meter, steps, (), state, decision, reason)
            told, usage = keeper.updated(task, state, taken, step)
            meter.count(usage)
            state, has_failed = _checked(state, told, taken, step, environment)
            if has_failed:
                ledger.note(taken, step, state.failures[-1])
        meter.show(state, decision)


class _Ledger:
    """Which calls failed: all of them, and whole, whatever the state has room for."""

    def __init__(self, state: State, patience: int) -> None:
        self._patience = patience
        self._failed: dict[str, str] = {}
        #: The kinds of the calls that failed, and the last of each tool.
        self._kinds: dict[str, str] = {}
        #: How often calls failed that may be made again.
        self._passing: Counter[str] = Counter()
        self._counts: Counter[str] = Counter()
        for failure in state.failures:
            self._counts[failure.tool] += 1
            self._kinds[failure.tool] = failure.kind
            # One that was cut for the state says no more which call it was.
            if not any(_is_cut(value) for value in failure.arguments.values()):
                self._put(failure.tool, failure.arguments, failure.step, failure)

    @property
    def hidden(self) -> frozenset[str]:
        """The tools that are not offered any more."""
        return frozenset(
            tool for tool, count in self._counts.items() if count >= MOST_FAILURES_OF_TOOL
        )

    def note(self, taken: Taken, step: int, failure: Failure) -> None:
        """Keep in mind that a call failed."""
        call = taken.decision
        if failure.kind in PASSING_KINDS and not failure.unsure:
            mark = fingerprint(call.tool, call.arguments)
            self._passing[mark] = max(self._passing[mark] + 1, taken.observation.times)
            if self._passing[mark] < self._patience:
                return
        self._counts[call.tool] += 1
        self._kinds[call.tool] = failure.kind
        self._put(call.tool, call.arguments, step, failure)

    def kind_of(self, call: Decision) -> str:
        """The kind of failure that a call is refused for: what it failed by, or, where its tool is
        not offered any more, what that failed by last."""
        known = self._kinds.get(fingerprint(call.tool, call.arguments))
        return known or self._kinds.get(call.tool, "unavailable")

    def refusal(self, tool: str, arguments: Mapping[str, Any]) -> str:
        """Why a call is not made, in words; empty where it may be."""
        if tool in self.hidden:
            return (
                f"Not called: {tool} has failed {MOST_FAILURES_OF_TOOL} times and is not offered "
                "any more. Take another tool, or give up."
            )
        known = self._failed.get(fingerprint(tool, arguments))
        return f"Not called: {known} Change the arguments or take another tool." if known else ""

    def _put(self, tool: str, arguments: Mapping[str, Any], step: int, failure: Failure) -> None:
        mark = fingerprint(tool, arguments)
        self._failed[mark] = f"the same call failed in step {step}: {failure.reason}"
        self._kinds[mark] = failure.kind


def _is_cut(value: object) -> bool:
    return isinstance(value, str) and value.endswith("…")


def _with_failure(
    state: State, taken: Taken, reason: str, kind: str, step: int, unsure: bool = False
) -> State:
    """The state with this step as a failure; one for the same call before it goes."""
    call = taken.decision
    arguments = noted(call.arguments)
    same = fingerprint(call.tool, arguments)
    earlier = [
        failure
        for failure in state.failures
        if fingerprint(failure.tool, failure.arguments) == same
    ]
    times = 1 + sum(failure.times for failure in earlier)
    times = max(times, taken.observation.times)
    unsure = unsure or any(failure.unsure for failure in earlier)
    left = tuple(failure for failure in state.failures if failure not in earlier)
    failure = Failure(call.tool[:MOST_ARGUMENT], arguments, reason, kind, step, times, unsure)
    return replace(state, failures=left).with_failure(failure)


def _acts_outside(taken: Taken, environment: Environment) -> bool:
    name = taken.decision.tool
    return any(tool.name == name and tool.acts_outside for tool in environment.tools)


def _checked(
    before: State, told: State, taken: Taken, step: int, environment: Environment
) -> tuple[State, bool]:
    """The state as a keeper told it, of which only what can be relied on is taken; and whether the
    step counts as failed.

    A result has to rest on the name of a resource, on a piece of the observation, or on what the
    earlier result that it corrects rests on. Failures can be added for this step's call only, and
    none can be taken back. A step that leaves no trace in the state would be made again, so it is a
    failure as well.
    """
    seen = taken.observation
    evidence = {(result.step, result.source) for result in before.results}
    state = replace(before, results=())
    for result in told.results:
        if (result.step, result.source) in evidence:
            state = state.with_result(result)
        elif _is_quoted(result, seen, environment):
            state = state.with_result(replace(result, step=step))
    added = [failure for failure in told.failures if failure not in before.failures]
    brought = state.results != before.results
    if seen.is_done and brought and not added:
        return state, False
    if added:
        reason = added[-1].reason.strip()
        kind = added[-1].kind if added[-1].kind in KINDS_OF_FAILURE else kind_of(seen.code)
    elif seen.is_done:
        unquoted = len(told.results) > len(state.results)
        reason = (
            "It answered, but what was noted of its answer does not stand there."
            if unquoted
            else "It answered, and nothing in its answer was worth noting."
        )
        kind = "irrelevant"
    else:
        reason, kind = "", kind_of(seen.code)
    reason = reason or seen.text.strip() or "It failed and did not say why."
    unsure = not seen.code.did_nothing and _acts_outside(taken, environment)
    return _with_failure(state, taken, reason, kind, step, unsure), True


def _is_quoted(result: Result, seen: Observation, environment: Environment) -> bool:
    return result.source in environment.resources or stands_in(
        result.source[:MOST_FINDING], seen.text
    )
