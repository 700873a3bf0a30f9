"""Another way of a subtask is run beside the one in use, which stays so with all its results."""

from __future__ import annotations

import logging
import threading
from collections.abc import AsyncGenerator
from dataclasses import replace

from controlllm.core.comparison import Comparison
from controlllm.core.events import (
    ActionFailed,
    ActionFinished,
    AnswerFinished,
    Doubt,
    Event,
    WayBegun,
    WayEnded,
)
from controlllm.core.plans import NotThere, Plan
from controlllm.runs.plan_run import PlanRun, Ran
from controlllm.runs.turn_recorder import TurnRecorder
from controlllm.store import StoreError

_log = logging.getLogger(__name__)

_STOPPED = "Stopped."
#: What keeps other ways from being taken in place of the one that is tried.
_NOT_ASKED_FOR = "another way was asked for"
_NO_RESULT = "It came to no result."
_ASKS = "It would have to ask which of several things is meant. Use it instead to be asked."
_INSIDE = "Something went wrong inside the program. What was there before is as it was."


async def try_way(
    kept: TurnRecorder, plans: PlanRun, cancelled: threading.Event, subtask: int, way: int
) -> AsyncGenerator[Event, None]:
    """Run a way beside the one in use, and keep with the turn what came of it.

    What both share is known already and not made again. The events end with the answer that there
    was. Raises NotThere where the turn has no such way.
    """
    turn = kept.turn
    if turn.plan is None:
        raise NotThere(f"Request {turn.number} has no plan.")
    ran = Ran(only(turn.plan, subtask, way))
    chosen = turn.plan.chosen.get(subtask, 0)
    wanted, problem = ran.plan.last_keys()[subtask], _NO_RESULT
    yield WayBegun(subtask, way)
    try:
        async for event in plans.run(ran):
            if isinstance(event, ActionFailed):
                problem = event.message
                event = replace(event, next="")
            elif isinstance(event, ActionFinished) and event.key == wanted:
                problem = ""
            elif isinstance(event, Doubt):
                problem = _ASKS
                continue
            yield event
    except StoreError as error:
        problem = str(error)
    except Exception:
        _log.exception("A way that was tried failed unexpectedly.")
        problem = _INSIDE
    finally:
        if cancelled.is_set() and problem:
            problem = _STOPPED
        cancelled.set()
        beside = kept.turn.beside.get(subtask, Comparison()).with_tried(way, chosen, problem)
        kept.keep(beside={**kept.turn.beside, subtask: beside})
    yield WayEnded(subtask, way, problem)
    results = kept.turn.results
    shown = {results[key].value: results[key] for key in turn.plan.ends() if key in results}
    yield AnswerFinished(turn.answer, tuple(shown.values()))


def only(plan: Plan, subtask: int, way: int) -> Plan:
    """A plan with this way chosen, of the subtask and those that it depends on. None of these has
    another way to fall back to: what was asked for is this one.

    Raises NotThere where there is no such way.
    """
    wanted = {subtask}
    for item in reversed(plan.subtasks):  # each comes after those it depends on
        if item.id in wanted:
            wanted.update(item.deps)
    switched = plan.switched(subtask, way)
    solutions = {
        number: tuple(
            one if place == switched.chosen.get(number, 0) else replace(one, missing=_NOT_ASKED_FOR)
            for place, one in enumerate(ways)
        )
        for number, ways in plan.solutions.items()
        if number in wanted
    }
    chosen = {number: place for number, place in switched.chosen.items() if number in wanted}
    subtasks = tuple(item for item in plan.subtasks if item.id in wanted)
    return Plan(subtasks, solutions, chosen)
