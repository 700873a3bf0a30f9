"""The hybrid: one budget for both of its passes, and the same failing call three times."""

from __future__ import annotations

from itertools import cycle

from controlllm.agents.environment import FINISH
from controlllm.agents.hybrid import PATIENCE, PatientEnvironment, hybrid
from controlllm.agents.roles import Decision, Task
from controlllm.agents.running import Oversight
from controlllm.core.state import Budget
from controlllm.toolbox import Code, ToolError
from tests.agents.conftest import FIND, ONE_CALL, Notes, environment, give_up, world
from tests.every_case import every_case

TASK = Task("What is the weather in Bern?")


class Stubborn:
    """A router that makes the same calls and gives up, over and over."""

    def __init__(self, *said):
        self._said = cycle(said)

    def decide(self, task, state, environment, hidden):
        tool, arguments = next(self._said)
        return Decision("", tool, arguments, ONE_CALL)


def worked(environment, budget, *said, told=None):
    router = Stubborn(*said)
    tell = (lambda view: None) if told is None else told.append
    return hybrid(TASK, environment, router, router, Notes(), Oversight(budget, tell))


def down(world, code, times=99):
    world.fails["find_city"] = [ToolError("Not now.", code)] * times


@every_case(
    "code",
    [Code.TIMED_OUT, Code.RATE_LIMITED, Code.NOT_SUBSCRIBED],
    anew=(world, environment),
)
def test_a_failing_call_is_made_once_more_and_once_again_at_the_end(environment, world, code):
    down(world, code)
    outcome = worked(environment, Budget(), *[FIND] * 5, give_up())
    assert not outcome.is_answered
    assert len(world.called) == PATIENCE + 1
    # What was refused is still known for what it is.
    (failure,) = outcome.view.state.failures
    assert failure.kind == "unavailable"


def test_a_call_that_passes_the_second_time_is_one_step(environment, world):
    down(world, Code.TIMED_OUT, 1)
    outcome = worked(environment, Budget(), FIND, (FINISH, {"answer": "Bern."}))
    assert outcome.is_answered
    assert len(world.called) == 2
    assert outcome.view.spent.steps == 2


@every_case(
    ("budget", "name"),
    [
        (Budget(steps=5), "steps"),
        (Budget(steps=0, model_calls=6), "model_calls"),
        (Budget(steps=0, tokens=600), "tokens"),
    ],
    anew=(world, environment),
)
def test_a_budget_holds_for_both_passes_together(environment, world, budget, name):
    down(world, Code.NOT_FOUND)
    told = []
    outcome = worked(environment, budget, FIND, FIND, give_up(), told=told)
    assert not outcome.is_answered
    assert "not done after" in outcome.reason
    # What one question costs may be over it, as in one pass.
    assert getattr(outcome.view.spent, name) <= getattr(budget, name) + ONE_CALL.tokens - 1
    spent = [getattr(view.spent, name) for view in told]
    assert spent == sorted(spent)
    assert {view.budget for view in told} == {budget}


def test_what_was_spent_is_that_of_the_whole_run(environment, world):
    down(world, Code.NOT_FOUND)
    outcome = worked(environment, Budget(), FIND, FIND, give_up())
    assert outcome.view.spent.steps == len(outcome.steps) == 6
    # The router each time, the keeper where something was called.
    assert outcome.view.spent.model_calls == 6 + len(world.called)
    assert outcome.view.spent.tokens == outcome.view.spent.model_calls * ONE_CALL.tokens


def test_how_often_a_call_failed_is_counted_in_forks_too(environment, world):
    down(world, Code.TIMED_OUT)
    room = PatientEnvironment(environment)
    assert room.step(*FIND).times == 2
    assert room.fork().step(*FIND).times == 3
    assert room.step("find_city", {"name": "Basel"}).times == 2
    assert len(world.called) == 5
