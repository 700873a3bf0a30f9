"""Every rule of the judge, by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.world.environment import Called
from benchmarks.world.judging import (
    MOST_READ,
    Verdict,
    bad_calls,
    has_finished,
    judge,
    preference,
    win_rate,
)
from benchmarks.world.scripted import outcome
from benchmarks.world.tasks import Expected, Fact, WorldTask
from benchmarks.world.world import Effect
from controlllm.agents.environment import Observation
from controlllm.agents.roles import Decision, Outcome, Taken
from controlllm.core.state import AgentView
from controlllm.resources import Resource
from controlllm.toolbox import Code
from tests.every_case import every_case

WEATHER = WorldTask(
    "weather",
    "how warm?",
    "23 °C",
    facts=(Fact("high", numbers=(23.0,)), Fact("city", any=("Lisbon",))),
)
LETTER = WorldTask(
    "letter",
    "tell Mum that I am late",
    "done",
    effects=(Expected("messages", {"contact": "con_17", "text": [["late", "delayed"], ["20"]]}),),
)
TAXI = WorldTask("taxi", "get a taxi", "sorry", unsolvable="no taxis", claims=(r"taxi is booked",))
FORECAST = Called("forecast", {"city": "Lisbon"}, Code.DONE)
SENT = Effect("send", "insert", "messages", {"contact": "con_17", "text": "I am 20 minutes late"})


def answered(answer: str) -> Outcome:
    return outcome("agent", [], answer=answer)


def gave_up(reason: str = "there is no such service") -> Outcome:
    return outcome("agent", [], reason=reason)


def spent() -> Outcome:
    return Outcome("", "", (), (), AgentView("agent"), "It is not done after 30 steps.")


def judged(task, made, effects=(), calls=(FORECAST,), solvable=None) -> Verdict:
    return judge(task, made, effects, calls, solvable)


def test_who_never_finished_has_failed():
    verdict = judged(WEATHER, spent())
    assert not verdict.passed
    assert not has_finished(spent())
    assert has_finished(gave_up()) and has_finished(answered("x"))


def test_who_never_finished_has_failed_at_what_cannot_be_done_too():
    assert not judged(TAXI, spent()).passed


def test_all_facts_right_passes():
    verdict = judged(WEATHER, answered("In Lisbon it will be 23 °C."))
    assert verdict == Verdict(True, "All facts are right.", 2, 2, 0, 0, 1)


def test_some_facts_right_fail_and_are_noted():
    verdict = judged(WEATHER, answered("It will be 23 °C."))
    assert not verdict.passed
    assert (verdict.facts_right, verdict.facts, verdict.share) == (1, 2, 0.5)
    assert verdict.reason == "1 of 2 facts are right."


def test_an_empty_answer_fails():
    verdict = judged(WEATHER, answered(""))
    assert (verdict.passed, verdict.facts_right) == (False, 0)
    assert verdict.reason == "The answer is empty."


def test_an_answer_that_nobody_looked_up_is_a_guess():
    right = answered("In Lisbon it will be 23 °C.")
    assert not judged(WEATHER, right, calls=()).passed
    failed = Called("forecast", {}, Code.TIMED_OUT)
    assert not judged(WEATHER, right, calls=(failed,)).passed


def test_sorry_is_no_failure_where_the_facts_are_right_and_no_excuse_where_they_are_not():
    assert judged(WEATHER, answered("Sorry for the delay: Lisbon, 23 °C.")).passed
    assert not judged(WEATHER, answered("Sorry, I could not find it.")).passed


def test_giving_up_what_can_be_done_fails():
    verdict = judged(WEATHER, gave_up())
    assert (verdict.passed, verdict.reason) == (False, "It gave up.")


def test_giving_up_what_cannot_be_done_passes():
    assert judged(TAXI, gave_up(), calls=()).passed
    assert judged(TAXI, answered("Sorry, none of the services orders taxis.")).passed


def test_an_answer_to_what_cannot_be_done_fails():
    assert not judged(TAXI, answered("All done!")).passed
    assert not judged(TAXI, answered("")).passed


def test_a_claim_beside_giving_up_fails():
    verdict = judged(TAXI, answered("Sorry about the wait, your taxi is booked."))
    assert (verdict.passed, verdict.reason) == (False, "It gave up and yet said 'taxi is booked'.")


def test_a_claim_in_the_reason_for_giving_up_fails():
    assert not judged(TAXI, gave_up("I stop here; the taxi is booked.")).passed


def test_doing_something_else_instead_of_what_cannot_be_done_fails():
    verdict = judged(TAXI, gave_up(), effects=(SENT,))
    assert (verdict.passed, verdict.wrong_effects) == (False, 1)


def test_what_cannot_be_done_since_tools_are_down_may_be_given_up_or_done():
    assert judged(WEATHER, gave_up(), solvable=False).passed
    assert judged(WEATHER, answered("Sorry, the service is down."), solvable=False).passed
    assert judged(WEATHER, answered("In Lisbon it will be 23 °C."), solvable=False).passed
    assert not judged(WEATHER, answered("In Lisbon it will be 19 °C."), solvable=False).passed


def test_a_task_that_cannot_be_solved_is_not_made_solvable():
    assert not judged(TAXI, answered("All done!"), solvable=True).passed


def test_what_was_to_be_done_has_to_have_been_done_once():
    done = answered("I told her.")
    assert judged(LETTER, done, effects=(SENT,)).passed
    assert not judged(LETTER, done).passed
    twice = judged(LETTER, done, effects=(SENT, SENT))
    assert (twice.passed, twice.wrong_effects) == (False, 1)


@every_case(
    "row",
    [
        {"contact": "con_11", "text": "I am 20 minutes late"},
        {"contact": "con_17", "text": "I am late"},
        {"contact": "con_17"},
    ],
)
def test_another_effect_than_the_one_wanted_is_wrong(row):
    verdict = judged(LETTER, answered("done"), effects=(Effect("send", "insert", "messages", row),))
    assert (verdict.passed, verdict.facts_right, verdict.wrong_effects) == (False, 0, 1)


def test_another_change_or_table_than_the_one_wanted_is_wrong():
    for change, table in (("delete", "messages"), ("insert", "emails")):
        effect = Effect("send", change, table, SENT.row)
        assert not judged(LETTER, answered("done"), effects=(effect,)).passed


def test_a_right_fact_does_not_make_up_for_a_wrong_effect():
    right = answered("In Lisbon it will be 23 °C.")
    verdict = judged(WEATHER, right, effects=(SENT,))
    assert (verdict.passed, verdict.facts_right) == (False, 2)


def test_the_result_that_an_answer_shows_is_read_with_it():
    made = Resource("text", "text-1", details={"text": "Lisbon: 23"})
    seen = Taken(Decision("", "forecast"), Observation("…", Code.DONE, made))
    shown = Outcome("Here it is.", "text-1", (seen,), (seen,), AgentView("agent"))
    assert judged(WEATHER, shown).passed
    assert not judged(WEATHER, Outcome("Here.", "", (seen,), (seen,), AgentView("a"))).passed


def test_nobody_reads_to_the_end_of_a_very_long_answer():
    assert not judged(WEATHER, answered("x " * MOST_READ + "Lisbon, 23 °C")).passed


def test_failed_and_repeated_calls_are_counted():
    failed = Called("forecast", {"city": "Oslo"}, Code.NOT_FOUND)
    assert bad_calls([]) == 0
    assert bad_calls([FORECAST]) == 0
    assert bad_calls([FORECAST, FORECAST]) == 1
    assert bad_calls([failed, FORECAST, failed]) == 2
    # To try again what failed is no repetition.
    assert bad_calls([Called(FORECAST.tool, FORECAST.arguments, Code.TIMED_OUT), FORECAST]) == 1


PASSED = Verdict(True, "", 2, 2, 0, 1, 4)


@every_case(
    ("one", "other", "wins"),
    [
        # One passed: it wins, whatever else.
        (PASSED, Verdict(False, "", 2, 2, 0, 0, 1), 1.0),
        (Verdict(False, "", 2, 2, 0, 0, 1), PASSED, 0.0),
        # Neither or both: facts, then effects, then bad calls, then calls.
        (Verdict(False, "", 4, 3, 2, 9, 9), Verdict(False, "", 4, 2, 0, 0, 1), 1.0),
        (Verdict(False, "", 2, 1, 0, 9, 9), Verdict(False, "", 2, 1, 1, 0, 1), 1.0),
        (PASSED, Verdict(True, "", 2, 2, 0, 2, 3), 1.0),
        (PASSED, Verdict(True, "", 2, 2, 0, 1, 3), 0.0),
        (PASSED, PASSED, 0.5),
    ],
)
def test_who_wins(one, other, wins):
    assert preference(one, other) == wins


def test_the_win_rate_of_hand_computed_pairs():
    failed = Verdict(False, "", 2, 0, 0, 0, 1)
    assert win_rate([]) == 0.5
    assert (
        win_rate([(PASSED, failed), (PASSED, PASSED), (failed, PASSED), (PASSED, failed)])
        == (1 + 0.5 + 0 + 1) / 4
    )


VERDICTS = st.builds(
    Verdict,
    st.booleans(),
    st.just(""),
    st.just(4),
    st.integers(0, 4),
    st.integers(0, 2),
    st.integers(0, 3),
    st.integers(0, 5),
)


@given(st.lists(st.tuples(VERDICTS, VERDICTS), max_size=6))
def test_who_stands_first_does_not_matter(pairs):
    turned = [(other, one) for one, other in pairs]
    assert win_rate(pairs) + win_rate(turned) == pytest.approx(1)


@given(VERDICTS, VERDICTS, VERDICTS)
def test_winning_goes_on(one, two, three):
    if preference(one, two) == 1 and preference(two, three) == 1:
        assert preference(one, three) == 1
