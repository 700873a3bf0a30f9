"""Sum2Act's rules, each with roles that try to break it."""

from __future__ import annotations

import json
import threading
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controlllm.agents.roles import Task
from controlllm.agents.running import Oversight
from controlllm.agents.sum2act import MOST_FAILURES_OF_TOOL, sum2act
from controlllm.agents.tool_environment import ToolEnvironment
from controlllm.core.costs import Usage
from controlllm.core.state import (
    MOST_FAILURES,
    MOST_FINDING,
    MOST_RESULTS,
    Budget,
    Failure,
    Result,
    Spent,
    State,
)
from controlllm.resources import TypeLattice
from controlllm.toolbox import Cancelled, Code, ToolError
from tests.agents.conftest import (
    DOWN,
    EMPTY,
    FIND,
    ONE_CALL,
    TOOLS,
    WEATHER,
    Keeps,
    Notes,
    Says,
    World,
    answer,
    environment,
    give_up,
    world,
)
from tests.every_case import every_case

TASK = Task("What is the weather in Bern?")


def codes(outcome):
    return [taken.observation.code for taken in outcome.steps]


def test_a_task_is_answered_from_what_was_found(environment):
    told = []
    router = Says(FIND, WEATHER, answer(result="text-1"))
    outcome = sum2act(TASK, environment, router, Notes(), Oversight(Budget(), told.append))
    assert outcome.is_answered
    assert (outcome.answer, outcome.result) == ("It rains.", "text-1")
    assert codes(outcome) == [Code.DONE, Code.DONE, Code.ANSWERED]
    assert outcome.path == outcome.steps
    assert [result.source for result in outcome.view.state.results] == ["city-1", "text-1"]
    assert outcome.view.spent.steps == 3
    assert outcome.view.spent.model_calls == 5
    assert outcome.view.spent.tokens == 5 * ONE_CALL.tokens
    # After each decision and after each observation.
    assert [view.tool for view in told] == ["find_city"] * 2 + ["weather"] * 2 + ["Finish"]
    assert [len(view.state.results) for view in told] == [0, 1, 1, 2, 2]


def test_the_router_sees_the_state_and_no_history(environment):
    router = Says(FIND, WEATHER, answer())
    sum2act(TASK, environment, router, Notes())
    states = [state for state, _, _ in router.seen]
    assert states[0] == EMPTY
    assert [result.step for result in states[2].results] == [1, 2]


def test_a_call_that_failed_is_not_made_again_however_it_is_written(environment, world):
    world.fails["other_weather"] = [DOWN]
    router = Says(
        ("other_weather", {"name": "New York"}),
        ("other_weather", {"name": " New \n York "}),
        ("other_weather", {"name": "York"}),
        answer(),
    )
    outcome = sum2act(TASK, environment, router, Notes())
    assert [inputs["name"] for _, inputs in world.called] == ["New York", "York"]
    refused = outcome.steps[1].observation
    assert refused.code is Code.BAD_INPUT
    assert "failed in step 1: The service is down." in refused.text
    # It cost a step, and the router was told, once for this call.
    assert outcome.view.spent.steps == 4
    (failure,) = router.seen[2][0].failures
    assert failure.step == 2
    assert failure.reason == refused.text


@every_case(
    ("code", "kind"),
    [(Code.NOT_FOUND, "unavailable"), (Code.ERROR, "error"), (Code.BAD_INPUT, "bad input")],
    anew=(world, environment),
)
def test_a_call_that_is_refused_keeps_the_kind_that_it_failed_by(environment, world, code, kind):
    world.fails["find_city"] = [ToolError("No.", code)]
    outcome = sum2act(TASK, environment, Says(FIND, FIND, give_up()), Notes())
    (failure,) = outcome.view.state.failures
    assert (failure.kind, failure.times, len(world.called)) == (kind, 2, 1)


def test_a_call_of_a_hidden_tool_is_refused_for_what_the_tool_failed_by(environment, world):
    world.fails["find_city"] = [DOWN] * 3
    router = Says(*(("find_city", {"name": f"Bern {n}"}) for n in range(4)), give_up())
    outcome = sum2act(TASK, environment, router, Notes())
    assert len(world.called) == 3
    assert [item.kind for item in outcome.view.state.failures] == ["unavailable"] * 4


def test_what_was_spent_before_counts(environment, world):
    spent = Spent(3, 2, 220, 1.5)
    budget = Budget(steps=5)
    outcome = sum2act(TASK, environment, Says(FIND), Notes(), Oversight(budget, before=spent))
    assert len(outcome.steps) == 2
    assert outcome.view.spent.steps == 5
    assert outcome.view.spent.model_calls == 2 + 4
    assert outcome.view.spent.tokens == 220 + 4 * ONE_CALL.tokens
    assert outcome.view.spent.seconds >= 1.5
    assert "after 5 steps" in outcome.reason


def test_a_call_that_failed_before_the_agent_began_is_not_made(environment, world):
    state = State(failures=(Failure("find_city", {"name": "Bern"}, "It was down.", "error", 4),))
    router = Says(FIND, give_up())
    outcome = sum2act(replace(TASK, state=state), environment, router, Notes())
    assert not world.called
    assert "It was down." in outcome.steps[0].observation.text
    # Steps are numbered on.
    assert router.seen[1][0].failures[-1].step == 5


def test_a_failure_that_was_cut_refuses_no_other_call(environment, world):
    name = "x" * 300
    state = EMPTY.with_failure(Failure("find_city", {"name": name}, "no", "error", 1))
    router = Says(("find_city", {"name": name}), answer())
    sum2act(replace(TASK, state=state), environment, router, Notes())
    assert len(world.called) == 1


@every_case(
    "patience",
    [1, 2, 3],
    anew=(world, environment),
)
def test_the_patient_make_a_call_again_that_failed_by_what_may_pass(environment, world, patience):
    world.fails["find_city"] = [DOWN] * 9
    outcome = sum2act(TASK, environment, Says(*[FIND] * 5, give_up()), Notes(), patience=patience)
    assert len(world.called) == patience
    (failure,) = outcome.view.state.failures
    assert failure.times == 5
    assert codes(outcome)[patience:-1] == [Code.BAD_INPUT] * (5 - patience)


@every_case(("code", "times"), [(Code.TOO_MANY, 2), (Code.TIMED_OUT, 1)], anew=(world,))
def test_what_may_have_been_done_outside_is_not_made_again(world, code, times):
    environment = ToolEnvironment(TOOLS, world, permitted=lambda tool, inputs: True)
    world.fails["send"] = [ToolError("Not now.", code)]
    letter = ("send", {"to": "Ana", "words": "Hello"})
    sum2act(TASK, environment, Says(letter, letter, give_up()), Notes(), patience=2)
    assert len(world.called) == times


def test_three_failures_hide_a_tool(environment, world):
    world.fails["find_city"] = [DOWN] * 9
    router = Says(*(("find_city", {"name": f"Bern {n}"}) for n in range(5)), give_up())
    outcome = sum2act(TASK, environment, router, Notes())
    assert len(world.called) == MOST_FAILURES_OF_TOOL == 3
    assert [hidden for _, hidden, _ in router.seen[2:4]] == [frozenset(), {"find_city"}]
    assert "is not offered any more" in outcome.steps[3].observation.text


def test_three_failures_before_hide_a_tool_too(environment):
    failures = tuple(Failure("weather", {"n": n}, "no", "error", n) for n in range(3))
    router = Says(give_up())
    sum2act(replace(TASK, state=State(failures=failures)), environment, router, Notes())
    assert router.seen[0][1] == {"weather"}


def test_a_success_may_be_repeated(environment, world):
    sum2act(TASK, environment, Says(FIND, FIND, answer()), Notes())
    assert len(world.called) == 2


@every_case(
    ("source", "is_taken"),
    [
        ("text-1", True),
        ("12 degrees", True),
        ("rains  in\nBern", True),
        ("12", True),
        ("1", False),
        ("13 degrees", False),
        ("text-2", False),
        ("", False),
        (" . ", False),
        ("the tool said so", False),
    ],
    anew=(world, environment),
)
def test_a_result_quotes_a_resource_or_what_was_seen(environment, source, is_taken):
    def note(state, taken, step):
        if taken.decision.tool == "weather":
            return state.with_result(Result("It is warm.", source, step))
        return state.with_result(Result("Bern", "city-1", step))

    outcome = sum2act(TASK, environment, Says(FIND, WEATHER, answer()), Keeps(note))
    state = outcome.view.state
    assert [result.finding for result in state.results][1:] == ["It is warm."] * is_taken
    # A step that leaves no trace would be taken again.
    assert [failure.kind for failure in state.failures] == ["irrelevant"] * (not is_taken)


def test_what_was_irrelevant_is_a_failure_with_the_keepers_reason(environment, world):
    def note(state, taken, step):
        return state.with_failure(Failure("find_city", {}, "A list, no weather.", "irrelevant", 9))

    router = Says(
        ("other_weather", {"name": "Bern"}), ("other_weather", {"name": "Bern"}), answer()
    )
    outcome = sum2act(TASK, environment, router, Keeps(note))
    assert len(world.called) == 1
    first = router.seen[1][0].failures[0]
    # It is about the call that was made, whatever the keeper says.
    assert first == Failure(
        "other_weather", {"name": "Bern"}, "A list, no weather.", "irrelevant", 1
    )
    assert outcome.view.state.failures[0].tool == "other_weather"


def test_a_keeper_can_correct_an_earlier_result(environment):
    def note(state, taken, step):
        if step == 1:
            return state.with_result(Result("Bern is city 8.", "city-1", 1))
        corrected = replace(state.results[0], finding="Bern is city 7.")
        return replace(state, results=(corrected,)).with_result(Result("Rain", "It rains", 2))

    outcome = sum2act(TASK, environment, Says(FIND, WEATHER, answer()), Keeps(note))
    assert [(item.finding, item.step) for item in outcome.view.state.results] == [
        ("Bern is city 7.", 1),
        ("Rain", 2),
    ]


def test_a_keeper_can_take_an_earlier_result_back(environment):
    def note(state, taken, step):
        if step == 1:
            return state.with_result(Result("It is sunny.", "Bern", 1))
        return replace(state, results=()).with_result(Result("It rains.", "It rains in Bern", 2))

    outcome = sum2act(TASK, environment, Says(FIND, WEATHER, answer()), Keeps(note))
    assert [item.finding for item in outcome.view.state.results] == ["It rains."]
    # What its call was given was made by the step before.
    assert [taken.decision.tool for taken in outcome.path] == ["find_city", "weather", "Finish"]


def test_the_path_leaves_out_what_led_nowhere(environment, world):
    world.fails["find_city"] = [DOWN]
    router = Says(
        ("find_city", {"name": "Berne"}),
        ("other_weather", {"name": "Bern"}),
        FIND,
        WEATHER,
        answer(result="text-2"),
    )

    def note(state, taken, step):
        if taken.observation.is_done and taken.decision.tool == "weather":
            return state.with_result(Result("rain", "It rains", step))
        return state

    outcome = sum2act(TASK, environment, router, Keeps(note))
    assert [taken.decision.tool for taken in outcome.path] == ["find_city", "weather", "Finish"]
    assert len(outcome.steps) == 5


def test_a_keeper_cannot_forget_a_failure(environment, world):
    world.fails["find_city"] = [DOWN]
    router = Says(FIND, FIND, give_up())
    outcome = sum2act(TASK, environment, router, Keeps(lambda state, taken, step: EMPTY))
    assert len(world.called) == 1
    assert [failure.tool for failure in outcome.view.state.failures] == ["find_city"]


@every_case(
    ("arguments", "said"),
    [
        ({}, "needs an answer"),
        ({"answer": "  "}, "needs an answer"),
        ({"answer": "Rain", "result": "text-9"}, "no resource called 'text-9'"),
        ({"answer": "Rain"}, "needs the name of the resource of type image"),
        ({"answer": "Rain", "result": "city-1"}, "'city-1' is of type city"),
        ({"answer": "Rain", "result": "photo.jpg", "sources": "x"}, "and not 'sources'"),
    ],
    anew=(world, environment),
)
def test_an_ending_that_is_none_is_told_and_the_work_goes_on(environment, arguments, said):
    router = Says(FIND, ("Finish", arguments), answer("Here", "photo.jpg"))
    outcome = sum2act(replace(TASK, returns="image"), environment, router, Notes())
    assert codes(outcome) == [Code.DONE, Code.BAD_INPUT, Code.ANSWERED]
    assert said in outcome.steps[1].observation.text
    assert said in router.seen[2][0].failures[-1].reason


def test_the_same_ending_is_right_once_its_result_is_there(environment):
    ending = answer("Here", "city-1")
    outcome = sum2act(TASK, environment, Says(ending, FIND, ending), Notes())
    assert outcome.result == "city-1"


def test_giving_up_is_an_outcome(environment):
    outcome = sum2act(TASK, environment, Says(FIND, give_up("No weather anywhere.")), Notes())
    assert not outcome.is_answered
    assert outcome.reason == "No weather anywhere."
    assert outcome.path == ()
    assert codes(outcome) == [Code.DONE, Code.GAVE_UP]


@every_case(
    ("budget", "steps", "said"),
    [
        (Budget(), 30, "after 30 steps"),
        (Budget(steps=4), 4, "after 4 steps"),
        (Budget(steps=0, model_calls=6), 3, "6 calls"),
        (Budget(steps=0, model_calls=5), 3, "5 calls"),
        (Budget(steps=0, tokens=8 * ONE_CALL.tokens), 4, "880 tokens"),
    ],
    anew=(world, environment),
)
def test_a_budget_ends_the_work(environment, budget, steps, said):
    outcome = sum2act(TASK, environment, Says(FIND), Notes(), Oversight(budget))
    assert len(outcome.steps) == steps
    assert said in outcome.reason
    assert not outcome.is_answered
    assert outcome.view.budget == budget


def test_seconds_end_the_work(environment, monkeypatch):
    now = iter(range(1000))
    monkeypatch.setattr("controlllm.agents.running.time.monotonic", lambda: float(next(now)))
    outcome = sum2act(TASK, environment, Says(FIND), Notes(), Oversight(Budget(seconds=40)))
    assert "after 40 seconds" in outcome.reason
    assert 0 < len(outcome.steps) < 30


@every_case(
    "after",
    range(1, 7),
    anew=(world, environment),
)
def test_a_person_can_stop_it_between_any_two_things(environment, world, after):
    cancelled = threading.Event()
    views = []

    def tell(view):
        views.append(view)
        if len(views) == after:
            cancelled.set()

    with pytest.raises(Cancelled):
        sum2act(TASK, environment, Says(FIND), Notes(), Oversight(Budget(), tell, cancelled))
    # What was decided is done no more, what was done is still told.
    assert len(views) == after
    assert len(world.called) == after // 2


_TEXTS = st.text(max_size=20) | st.sampled_from(["Bern", "rains", "city-1", "x" * 5_000])
_VALUES = _TEXTS | st.integers() | st.lists(_TEXTS, max_size=3) | st.none()
_DECISIONS = st.tuples(
    st.sampled_from([*(tool.name for tool in TOOLS), "Finish", "no_tool", "y" * 3_000]),
    st.dictionaries(
        st.sampled_from(["name", "city", "to", "words", "answer", "result", "give_up", "z" * 999]),
        _VALUES,
        max_size=3,
    ),
)
_RESULTS = st.builds(Result, _TEXTS, _TEXTS, st.integers(0, 40))
_FAILURES = st.builds(
    Failure,
    st.sampled_from(["weather", "find_city"]),
    st.dictionaries(_TEXTS, _VALUES, max_size=2),
    _TEXTS,
    st.sampled_from(["error", "irrelevant", "sabotage"]),
    st.integers(0, 40),
)
_STATES = st.builds(
    State,
    st.lists(_RESULTS, max_size=40).map(tuple),
    st.lists(_FAILURES, max_size=40).map(tuple),
)


@settings(max_examples=25, deadline=None)
@given(st.lists(_DECISIONS, min_size=1, max_size=12), st.lists(_STATES, min_size=1, max_size=5))
def test_whatever_the_roles_say_the_rules_hold(decisions, states):
    world = World()
    for name in ("weather", "other_weather"):
        world.fails[name] = [ToolError("x" * 5_000, Code.ERROR)] * 2
    environment = ToolEnvironment(TOOLS, world, (), TypeLattice().extended(["city"]))
    turns = iter(states * 40)
    views = []
    outcome = sum2act(
        TASK,
        environment,
        Says(*decisions, usage=Usage()),
        Keeps(lambda state, taken, step: next(turns)),
        Oversight(Budget(), views.append),
    )
    assert len(outcome.steps) <= 30
    for place, failed in enumerate(world.failed):
        assert failed not in world.failed[:place]
        assert world.called.count(failed) == 1
    assert max(Counter(name for name, _ in world.failed).values(), default=0) <= 3
    for view in views:
        state = view.state
        assert len(state.results) <= MOST_RESULTS
        assert len(state.failures) <= MOST_FAILURES
        for result in state.results:
            assert len(result.finding) <= MOST_FINDING
            seen = [taken.observation.text for taken in outcome.steps]
            assert result.source in environment.resources or any(
                " ".join(result.source.rstrip("…").split()) in " ".join(text.split())
                for text in seen
            )
        assert {failure.kind for failure in state.failures} <= {
            *("unavailable", "bad input", "irrelevant", "error")
        }
        assert len(json.dumps(view.to_json())) < 140_000
