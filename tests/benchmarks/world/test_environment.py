"""The environment over the world: names, forks, what was called and what has happened."""

from __future__ import annotations

import pytest

from benchmarks.world.apis import apis
from benchmarks.world.environment import WorldEnvironment
from benchmarks.world.faults import Faults
from benchmarks.world.tasks import WorldTask, read_tasks
from benchmarks.world.world import World
from controlllm.toolbox import Code

TASKS = {task.id: task for task in read_tasks()}


@pytest.fixture
def environment() -> WorldEnvironment:
    return WorldEnvironment(TASKS["dev-05"], all_tools=True)


def test_a_city_found_is_what_a_forecast_takes(environment):
    city = environment.step("find_city", {"name": "Lisbon"})
    assert city.resource.type == "world_city"
    assert city.resource.value in environment.resources
    seen = environment.step("rain_chance", {"city": city.resource.value, "day": "Saturday"})
    assert (seen.text, seen.code, seen.resource.type) == ("26", Code.DONE, "number")


def test_a_citys_name_is_no_city(environment):
    seen = environment.step("rain_chance", {"city": "Lisbon", "day": "Saturday"})
    assert seen.code is Code.BAD_INPUT
    assert environment.calls[0].code is Code.BAD_INPUT


def test_a_tool_that_is_not_offered_is_not_there():
    environment = WorldEnvironment(TASKS["dev-08"])
    names = {tool.name for tool in environment.tools}
    missing = next(name for name in apis() if name not in names)
    assert environment.step(missing, {}).code is Code.UNKNOWN_TOOL


def test_forks_name_things_apart_and_share_the_world(environment):
    fork = environment.fork()
    contact = fork.step("find_contact", {"name": "Mum"})
    assert not environment.resources
    fork.step("send_message", {"contact": contact.resource.value, "text": "late"})
    assert [effect.table for effect in environment.effects] == ["messages"]
    assert len(environment.calls) == len(fork.calls) == 2
    own = environment.step("find_contact", {"name": "Mum"})
    assert own.resource.value != contact.resource.value


def test_each_environment_has_a_world_of_its_own(environment):
    world = World()
    one = WorldEnvironment(TASKS["dev-05"], all_tools=True, world=world)
    one.step("set_reminder", {"text": "tea", "day": "today"})
    assert one.effects and not world.effects and not environment.effects


def test_the_same_letter_is_not_sent_twice(environment):
    contact = environment.step("find_contact", {"name": "Mum"}).resource.value
    for _ in range(2):
        environment.step("send_message", {"contact": contact, "text": "late"})
    assert len(environment.effects) == 1


def test_what_goes_wrong_is_an_observation_with_a_code():
    task = WorldTask("t", "w", "a", needs=tuple(apis())[:30])
    seen = set()
    for seed in range(6):
        environment = WorldEnvironment(task, Faults(0.9, seed))
        for tool in environment.tools:
            seen.add(environment.step(tool.name, {}).code)
            arguments = {
                item.name: "1" for item in tool.required if item.type in ("text", "number")
            }
            seen.add(environment.step(tool.name, arguments).code)
    assert {Code.BAD_INPUT, Code.TIMED_OUT, Code.TOO_MANY, Code.ERROR} <= seen


def test_simulated_time_goes_by():
    environment = WorldEnvironment(TASKS["dev-05"])
    environment.step("find_contact", {"name": "Mum"})
    assert environment.seconds == pytest.approx(0.6)
