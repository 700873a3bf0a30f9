"""What all workers hold together stays within a budget, and nobody waits for ever."""

from __future__ import annotations

import threading
import time

import pytest

from controlllm.core.plans import Literal
from controlllm.engine.attempt import Failed, Made
from tests.engine.heavy_tools import heavy
from tests.engine.residence import BUDGET, HEAVY, Watched, call_of, heavy_calls, outcomes, workers


@pytest.fixture(scope="module")
def heavy_workers(tmp_path_factory):
    with workers(BUDGET, tmp_path_factory.mktemp("home"), HEAVY) as made:
        yield made


def text_of(store, outcome) -> str:
    assert isinstance(outcome, Made), outcome
    return store.path(outcome.resource.digest, outcome.resource.media_type).read_text()


def test_models_of_three_times_the_budget_keep_within_it(heavy_workers):
    toolbox, store, processes = heavy_workers
    assert (heavy.MODELS * heavy.SIZE) << 20 >= 3 * BUDGET
    calls = heavy_calls(toolbox, store)
    with Watched(processes) as watched:
        found = outcomes(processes, calls)
    assert [text_of(store, outcome) for outcome in found] == [
        f"a {call.tool.name.rpartition('_')[2]}" for call in calls
    ]
    assert len(watched.held) > 20
    assert 0.5 * BUDGET < max(watched.held) <= 1.1 * BUDGET
    # Two fit beside each other once it is known what they take.
    needs = processes.capacity.needs
    assert all(heavy.SIZE << 20 < needs.of(call).cold < BUDGET // 2 for call in calls)


def test_what_takes_more_than_anybody_expected_is_made_again_later(heavy_workers):
    toolbox, store, processes = heavy_workers
    names = ["surprises", "surprises", "holds_1", "rests", "holds_2", "surprises"]
    with Watched(processes) as watched:
        found = outcomes(
            processes, [call_of(toolbox, name, {"text": Literal("a")}) for name in names]
        )
    assert all(isinstance(outcome, Made) for outcome in found)
    assert max(watched.held) <= 1.1 * BUDGET


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
    time.sleep(0.3)
    assert not ended
    cancelled.set()
    thread.join(1.0)
    processes.capacity.end(large)
    (outcome,) = ended
    assert isinstance(outcome, Failed)
    assert processes.capacity.begin(waiting)
    processes.capacity.end(waiting)


def test_what_was_learnt_outlives_the_program(heavy_workers):
    toolbox, store, processes = heavy_workers
    call = call_of(toolbox, "holds_3", {"text": Literal("a")})
    outcomes(processes, [call])
    assert type(processes.capacity.needs)(store.folder / "needs.json").of(call).cold > 0
