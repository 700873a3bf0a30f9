"""The hybrid over a small town of services that fail: once, always, or in the middle of a deed."""

from __future__ import annotations

import pytest

from controlllm.agents.embedded.router import EmbeddedRouter
from controlllm.agents.hybrid import PATIENCE, hybrid
from controlllm.agents.roles import Task
from controlllm.agents.running import Oversight
from controlllm.agents.sum2act import sum2act
from controlllm.core.state import Budget
from controlllm.models.encoder import encode
from controlllm.runs.planners import embedded_planner
from controlllm.toolbox import Code, ToolError
from tests.agents.embedded.conftest import TODAY, Town, environment_of
from tests.every_case import every_case

ASKED = "What will the weather be like in Lisbon tomorrow?"
LETTER = "Send ana@town.example an e-mail with the subject 'Dinner' saying that I will be late."


class Failing(Town):
    """A town whose tools fail so often, in turn, by the names of tools."""

    def __init__(self, **fails):
        super().__init__()
        self.fails = {name: list(codes) for name, codes in fails.items()}

    def __call__(self, tool, inputs):
        waiting = self.fails.get(tool.name)
        if waiting:
            self.calls.append(tool.name)
            code = waiting.pop(0)
            if isinstance(code, str):
                return code
            raise ToolError("Not now.", code)
        return super().__call__(tool, inputs)


@pytest.fixture(scope="module")
def patient():
    return EmbeddedRouter(embedded_planner, encode, lambda: TODAY, PATIENCE)


def worked(patient, keeper, town, asked=ASKED):
    return hybrid(
        Task(asked),
        environment_of(town),
        patient,
        patient,
        keeper,
        Oversight(Budget()),
    )


def one_after_the_other(router, keeper, town, asked=ASKED):
    return sum2act(Task(asked), environment_of(town), router, keeper)


def _asked_of_lisbon(outcome):
    asked = [taken.decision for taken in outcome.steps]
    return [dict(one.arguments) for one in asked if one.tool == "forecast"].count(
        {"city": "Lisbon", "date": "2026-05-15"}
    )


@every_case("failure", [Code.UNAUTHORISED, Code.ERROR, '{"daily": []}'])
def test_what_failed_once_is_tried_again_where_nothing_else_will_do(
    router, patient, keeper, failure
):
    down = [Code.UNAUTHORISED] * 9
    town = Failing(forecast=[failure], daily_weather=down, find_city=down)
    outcome = worked(patient, keeper, town)
    assert "high: 23" in outcome.answer and "city: Lisbon" in outcome.answer
    assert _asked_of_lisbon(outcome) == 2
    alone = Failing(forecast=[failure], daily_weather=down, find_city=down)
    assert _asked_of_lisbon(one_after_the_other(router, keeper, alone)) == 1


def test_what_the_person_asked_for_wrongly_is_not_asked_again(patient, keeper):
    outcome = worked(patient, keeper, Failing(), "In which time zone is Atlantis?")
    asked = [dict(taken.decision.arguments) for taken in outcome.steps]
    assert asked[0] == {"name": "Atlantis"} and asked.count(asked[0]) == 1


@every_case(
    ("code", "times"), [(Code.RATE_LIMITED, 2), (Code.UNAUTHORISED, 2), (Code.TIMED_OUT, 1)]
)
def test_a_deed_is_tried_again_only_where_it_is_certain_that_it_was_not_done(
    patient, keeper, code, times
):
    town = Failing(send_mail=[code])
    outcome = worked(patient, keeper, town, LETTER)
    assert town.calls.count("send_mail") == times
    assert outcome.is_answered == (times > 1)


def test_nothing_that_is_looked_up_stands_in_for_a_deed(router, patient, keeper):
    for run, who in ((worked, patient), (one_after_the_other, router)):
        town = Failing(send_mail=[Code.NOT_SUBSCRIBED] * 99)
        outcome = run(who, keeper, town, LETTER)
        assert not outcome.is_answered
        assert "Not now" in outcome.reason
