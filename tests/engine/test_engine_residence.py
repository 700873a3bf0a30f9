"""What all workers hold together stays within a budget, and nobody waits for ever."""

from __future__ import annotations

import queue
import threading
import time

import pytest

from controlllm.core.plans import Literal
from controlllm.engine.attempt import Failed, Made
from tests.engine.heavy_tools import heavy
from tests.engine.residence import BUDGET, HEAVY, Watched, call_of, heavy_calls, outcomes, workers


@pytest.fixture(scope="module")
def heavy_workers(tmp_path_factory):
    home = tmp_path_factory.mktemp("home")
    with workers(BUDGET, home, HEAVY, module="tests.engine.quick_worker") as made:
        yield made


def text_of(store, outcome) -> str:
    assert isinstance(outcome, Made), outcome
    return store.path(outcome.resource.digest, outcome.resource.media_type).read_text()


@pytest.mark.long
@pytest.mark.parametrize(("models", "rounds"), [(6, 1), (heavy.MODELS, 2)])
def test_models_of_more_than_the_budget_keep_within_it(heavy_workers, monkeypatch, models, rounds):
    toolbox, store, processes = heavy_workers
    begin, at_once = processes.capacity.begin, []

    def counted(call):
        may = begin(call)
        at_once.append(len(processes.capacity._begun))
        return may

    monkeypatch.setattr(processes.capacity, "begin", counted)
    assert (models * heavy.SIZE) << 20 >= 1.5 * BUDGET
    assert (heavy.MODELS * heavy.SIZE) << 20 >= 3 * BUDGET
    calls = heavy_calls(toolbox, store, rounds, models)
    with Watched(processes) as watched:
        found = outcomes(processes, calls)
    assert [text_of(store, outcome) for outcome in found] == [
        f"a {call.tool.name.rpartition('_')[2]}" for call in calls
    ]
    # The last one's model is still there.
    assert watched.held[-1] > heavy.SIZE << 20
    assert max(watched.held) <= 1.1 * BUDGET
    # Two fit beside each other once it is known what they take.
    assert max(at_once) >= min(rounds, 2)
    needs = processes.capacity.needs
    assert all(heavy.SIZE << 20 < needs.of(call).cold < BUDGET // 2 for call in calls)


@pytest.mark.long
def test_what_takes_more_than_anybody_expected_is_made_all_the_same(heavy_workers):
    toolbox, store, processes = heavy_workers
    names = ["surprises", "surprises", "holds_1", "rests", "holds_2", "surprises"]
    found = outcomes(processes, [call_of(toolbox, name, {"text": Literal("a")}) for name in names])
    # How far beyond the budget they come until it is seen is a figure of `make bench-engine`.
    assert all(isinstance(outcome, Made) for outcome in found)


@pytest.mark.long
def test_of_two_that_take_too_much_one_is_ended_and_made_again_later(heavy_workers, tmp_path):
    toolbox, store, processes = heavy_workers
    enough = tmp_path / "enough"
    calls = [
        call_of(toolbox, "surprises_and_stays", {"text": Literal(str(enough))}) for _ in range(2)
    ]
    expected = processes.capacity.needs.of(calls[0]).cold
    ended: queue.SimpleQueue = queue.SimpleQueue()

    def make(call):
        ended.put((call, processes(call, threading.Event(), lambda fraction, words: None)))

    threads = [threading.Thread(target=make, args=(call,), daemon=True) for call in calls]
    for thread in threads:
        thread.start()
    # Both stay until one of them has had to go, however late that is seen.
    call, outcome = ended.get(timeout=120)
    enough.touch()
    assert isinstance(outcome, Failed) and outcome.may_pass
    assert "needed more memory than was left beside what else is at work" in outcome.message
    # It may have had to go before it had taken all.
    assert processes.capacity.needs.of(call).cold > expected
    assert isinstance(ended.get(timeout=120)[1], Made)
    make(call)
    assert isinstance(ended.get(timeout=120)[1], Made)


def test_a_model_stays_for_the_next_call_and_is_learnt_as_warm(heavy_workers):
    toolbox, _, processes = heavy_workers
    calls = [call_of(toolbox, "holds_3", {"text": Literal(text)}) for text in "abc"]
    outcomes(processes, calls, at_once=1)
    need = processes.capacity.needs.of(calls[0])
    assert need.warm < heavy.SIZE << 20 < need.cold


def test_one_that_waits_for_memory_is_stopped_at_once(heavy_workers):
    toolbox, _, processes = heavy_workers
    # Nothing else may begin beside it.
    large = call_of(toolbox, "surprises", {"text": Literal("a")})
    processes.capacity.needs.raise_to(large, BUDGET)
    assert processes.capacity.begin(large)
    cancelled, ended = threading.Event(), []
    waiting = call_of(toolbox, "holds_1", {"text": Literal("a")})
    thread = threading.Thread(
        target=lambda: ended.append(processes(waiting, cancelled, lambda fraction, words: None))
    )
    thread.start()
    while id(waiting) not in processes.capacity._held_up:
        assert not ended
        time.sleep(0.01)
    cancelled.set()
    # The large one holds its memory still.
    thread.join(120)
    processes.capacity.end(large)
    (outcome,) = ended
    assert isinstance(outcome, Failed)
    assert processes.capacity.begin(waiting)
    processes.capacity.end(waiting)
