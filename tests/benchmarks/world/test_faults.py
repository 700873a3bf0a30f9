"""Faults are the same for the same seed, as frequent as asked for, and of every kind."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from benchmarks.world.apis import apis
from benchmarks.world.faults import (
    _SHARES,
    CALL_SECONDS,
    NOISE,
    TIMED_OUT_SECONDS,
    Faults,
    FaultyWorld,
    Kind,
)
from benchmarks.world.tasks import HELD_OUT, read_tasks
from benchmarks.world.world import World
from controlllm.toolbox import Code, ToolError
from tests.every_case import every_case

FORECAST = {"city": "cty_101", "date": "2026-05-16"}


class Fixed(Faults):
    """Faults of which the kind is given: what draws them is tested apart."""

    def __init__(self, *kinds: Kind, seed: int = 0) -> None:
        super().__init__(0.5, seed)
        object.__setattr__(self, "kinds", kinds)

    def down(self, task, tool):
        return None

    def kind(self, task, tool, arguments, times):
        met = self.kinds if tool != "current_date" else ()
        return met[times] if times < len(met) else ""


def faulty(*kinds: Kind, seed: int = 0) -> FaultyWorld:
    return FaultyWorld(World(), Fixed(*kinds, seed=seed), "a task")


def code_of(world: FaultyWorld, tool: str, arguments: dict) -> Code:
    try:
        world.call(tool, arguments)
    except ToolError as error:
        return error.code
    return Code.DONE


def test_without_faults_nothing_is_changed():
    world = FaultyWorld(World(), Faults(), "a task")
    assert world.call("skyview_forecast", FORECAST) == World().call("skyview_forecast", FORECAST)
    assert all(Faults().down("a task", name) is None for name in apis())


@every_case("rate", [0.1, 0.3])
def test_about_as_many_calls_as_asked_for_go_wrong(rate):
    calls = wrong = 0
    for seed in range(12):
        faults = Faults(rate, seed)
        for tool in apis():
            for times in range(4):
                calls += 1
                is_down = faults.down("a task", tool) is not None
                wrong += is_down or bool(faults.kind("a task", tool, "{}", times))
    assert wrong / calls == pytest.approx(rate, abs=0.02)


def test_every_kind_occurs_as_often_as_its_share_says():
    readers = [api.name for api in apis().values() if not api.acts and api.returns != "number"]
    faults = Faults(1.0)
    found = Counter(
        faults.kind("a task", tool, "{}", times) for tool in readers for times in range(30)
    )
    for kind, share in _SHARES.items():
        assert 100 * found[kind] / found.total() == pytest.approx(share, abs=4)


def test_codes_5_to_12_all_occur():
    found = set()
    for seed in range(20):
        world = FaultyWorld(World(), Faults(0.9, seed), "a task")
        for tool in apis():
            found.add(code_of(world, tool, {}))
    assert {Code(number) for number in range(5, 13)} <= found


def test_the_same_seed_brings_the_same_and_another_one_something_else():
    def told(seed: int) -> list:
        world = FaultyWorld(World(), Faults(0.5, seed), "a task")
        brought = []
        for _ in range(30):
            try:
                brought.append(world.call("skyview_forecast", FORECAST))
            except ToolError as error:
                brought.append(error.code)
        return brought

    assert told(1) == told(1)
    assert told(1) != told(2)


def test_a_task_meets_faults_of_its_own():
    kinds = [
        [Faults(0.5).kind(task, "find_city", "{}", times) for times in range(40)]
        for task in ("one", "two")
    ]
    assert kinds[0] != kinds[1]


def test_a_tool_that_is_down_stays_down():
    tool = next(
        name
        for name in apis()
        if Faults(0.3).down("a task", name) is not None and not apis()[name].acts
    )
    world = FaultyWorld(World(), Faults(0.3), "a task")
    codes = {code_of(world, tool, {}) for _ in range(8)}
    assert codes == {Faults(0.3).down("a task", tool)}


def test_a_passing_error_passes():
    world = faulty("error")
    assert code_of(world, "skyview_forecast", FORECAST) is not Code.DONE
    assert code_of(world, "skyview_forecast", FORECAST) is Code.DONE


def test_a_time_out_takes_simulated_time_only():
    world = faulty("time-out")
    assert code_of(world, "skyview_forecast", FORECAST) is Code.TIMED_OUT
    assert world.seconds == CALL_SECONDS + TIMED_OUT_SECONDS


@every_case("seed", range(8))
def test_a_rate_limit_passes_after_some_calls_of_any_tool(seed):
    world = faulty("rate limit", seed=seed)
    assert code_of(world, "skyview_forecast", FORECAST) in (Code.TOO_MANY, Code.RATE_LIMITED)
    assert code_of(world, "skyview_forecast", FORECAST) is Code.RATE_LIMITED
    for _ in range(3):
        world.call("current_date", {})
    assert code_of(world, "skyview_forecast", FORECAST) is Code.DONE


@every_case("seed", range(12))
def test_a_lie_is_of_another_place_or_empty(seed):
    told = json.loads(faulty("lie", seed=seed).call("skyview_forecast", FORECAST))
    assert told["daily"] == {} or told["daily"]["location"] != "Lisbon"


def test_lies_of_both_sorts_occur():
    told = [
        json.loads(faulty("lie", seed=seed).call("skyview_forecast", FORECAST))["daily"]
        for seed in range(12)
    ]
    assert {} in told and any(told)


def test_a_number_that_lies_is_one_that_cannot_be():
    arguments = {"city": "cty_101", "day": "2026-05-16"}
    assert faulty("lie").call("rain_chance", arguments) == "-9999"


def test_a_lie_changes_nothing_and_noise_holds_the_answer():
    told = faulty("noise").call("skyview_forecast", FORECAST)
    assert NOISE <= len(told) < NOISE * 1.1
    assert json.loads(told)["daily"]["temp_max_c"] == 23


def test_a_changed_shape_holds_the_same_values():
    plain = World().call("skyview_forecast", FORECAST)
    shapes = {faulty("shape", seed=seed).call("skyview_forecast", FORECAST) for seed in range(12)}
    assert len(shapes) == 3
    for told in shapes:
        assert told != plain
        assert "Lisbon" in told and "23" in told


def test_an_entity_with_noise_or_another_shape_can_still_be_used():
    for kind in ("noise", "shape"):
        for seed in range(4):
            city = faulty(kind, seed=seed).call("find_city", {"name": "Lisbon"})
            told = World().call("rain_chance", {"city": city, "day": "2026-05-16"})
            assert told == "26"


@every_case("tool", [name for name, api in apis().items() if api.acts])
def test_what_acts_outside_fails_before_it_acts_and_says_so(tool):
    unsure = {Code.TIMED_OUT, Code.ERROR}
    for seed in range(6):
        faults = Faults(1.0, seed)
        assert faults.down("a task", tool) not in unsure
        for times in range(20):
            assert faults.kind("a task", tool, "{}", times) in ("error", "rate limit")
            assert faults.code("a task", tool, "{}", times) not in unsure


def test_a_task_of_which_every_solution_needs_what_is_down_is_not_solvable():
    tasks = {task.id: task for task in (*read_tasks(), *read_tasks(HELD_OUT))}
    assert all(Faults().solvable(task) for task in tasks.values() if task.is_solvable)
    assert not any(Faults().solvable(task) for task in tasks.values() if not task.is_solvable)
    assert not Faults(1e9).solvable(tasks["dev-01"])
    for seed in range(40):
        faults = Faults(0.9, seed)
        needed = faults.down("dev-08", "league_table") is None
        assert faults.solvable(tasks["dev-08"]) is needed
