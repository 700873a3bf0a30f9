"""Every task can be done, its facts come from the APIs, and its answer is judged right."""

from __future__ import annotations

from benchmarks.world.apis import apis
from benchmarks.world.environment import WorldEnvironment
from benchmarks.world.faults import Faults
from benchmarks.world.judging import judge
from benchmarks.world.saying import says, spellings_of_date
from benchmarks.world.scripted import oracle, played
from benchmarks.world.tasks import DEVELOPMENT, HELD_OUT, Fact, WorldTask, read_tasks
from controlllm.agents.roles import Taken, Task
from tests.every_case import every_case

ALL = [*read_tasks(DEVELOPMENT), *read_tasks(HELD_OUT)]
SOLVABLE = [task for task in ALL if task.is_solvable]


def name_of(task: WorldTask) -> str:
    return task.id


def test_there_are_as_many_tasks_as_promised():
    assert [len(read_tasks(file)) for file in (DEVELOPMENT, HELD_OUT)] == [30, 30]
    assert len({task.id for task in ALL}) == len({task.words for task in ALL}) == 60
    assert len(ALL) - len(SOLVABLE) == 6


def test_tasks_need_one_to_five_calls_and_several_mix_fields():
    shortest = [min(map(len, task.solutions)) for task in SOLVABLE]
    assert set(shortest) == {1, 2, 3, 4, 5}
    mixed = [
        task for task in SOLVABLE if len({apis()[call.tool].area for call in task.solutions[0]}) > 1
    ]
    assert len(mixed) >= 18


@every_case("task", SOLVABLE, ids=name_of)
def test_every_recorded_solution_goes_well_and_brings_the_facts(task: WorldTask):
    for solution in task.solutions:
        one = WorldTask(task.id, task.words, task.answer, (solution,), task.facts, task.effects)
        environment = WorldEnvironment(one)
        steps: list[Taken] = []
        assert played(solution, environment, steps, WorldEnvironment(one)), steps
        observed = "\n".join(taken.observation.text for taken in steps)
        for fact in task.facts:
            assert is_observed(fact, observed), (fact.name, observed)
        assert len(environment.effects) == len(task.effects)


@every_case("task", ALL, ids=name_of)
def test_the_oracle_passes_every_task(task: WorldTask):
    environment = WorldEnvironment(task)
    outcome = oracle(Task(task.words), environment)
    verdict = judge(task, outcome, environment.effects, environment.calls)
    assert verdict.passed, verdict.reason
    assert verdict.facts_right == verdict.facts
    assert not verdict.bad_calls


@every_case("task", ALL, ids=name_of)
@every_case("rate", [0.1, 0.3])
def test_every_task_can_be_passed_whatever_goes_wrong(task: WorldTask, rate: float):
    faults = Faults(rate)
    environment = WorldEnvironment(task, faults)
    outcome = oracle(Task(task.words), environment)
    solvable = faults.solvable(task)
    verdict = judge(task, outcome, environment.effects, environment.calls, solvable)
    assert verdict.passed, verdict.reason
    assert outcome.is_answered == solvable


@every_case("task", ALL, ids=name_of)
def test_an_answer_without_facts_does_not_pass(task: WorldTask):
    assert not all(says("It is done, whatever it was.", fact) for fact in task.facts) or (
        task.effects or not task.is_solvable
    )


@every_case("task", ALL, ids=name_of)
def test_tools_are_offered_with_8_to_15_distractors(task: WorldTask):
    offered = task.offered()
    assert set(task.oracle_tools) <= set(offered)
    assert 8 <= len(offered) - len(task.oracle_tools) <= 15
    assert len(set(offered)) == len(offered)
    assert offered == task.offered()
    assert set(task.offered(all_tools=True)) == set(apis())
    assert set(offered) <= set(apis())


def is_observed(fact: Fact, observed: str) -> bool:
    """Whether a fact, or what it is reckoned of, stands in what the APIs have answered."""
    if fact.name in ("closed", "dog", "on time", "breakfast", "cash"):
        # A yes or no in other words than the API's.
        return True
    if fact.date:
        return any(spelling in observed for spelling in spellings_of_date(fact.date))
    plain = Fact(fact.name, fact.numbers, fact.tolerance, fact.any, fact.time)
    if says(observed, plain) and not fact.reckoned:
        return True
    for how, (first, second) in fact.derived.items():
        both = all(says(observed, Fact("", (part,))) for part in (first, second))
        # What an amount is multiplied by is how many the person asked for.
        number = first - second if how == "difference" else first * second
        known = both or (how == "product" and says(observed, Fact("", (first,))))
        known = known or (how == "product" and says(observed, Fact("", (second,))))
        near = max(fact.tolerance, 1e-6)
        if known and any(abs(number - wanted) <= near for wanted in fact.numbers):
            return True
    return False
