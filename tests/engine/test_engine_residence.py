"""What all workers hold together stays within a budget, and nobody waits for ever."""

from __future__ import annotations

import threading
import time

import pytest

from controlllm.engine.attempt import Failed, Made
from controlllm.plan import Literal
from tests.engine.heavy_tools import heavy
from tests.engine.residence import BUDGET, HEAVY, Watched, call_of, heavy_calls, outcomes, workers


@pytest.fixture(scope="module")
def heavy_workers(tmp_path_factory):
    with workers(BUDGET, tmp_path_factory.mktemp("home"), HEAVY) as made:
        yield made


def test_models_of_three_times_the_budget_keep_within_it(heavy_workers):
    toolbox, processes = heavy_workers
    assert heavy.MODELS * heavy.SIZE << 20 >= 2.9 * BUDGET
    with Watched(processes) as watched:
        found = outcomes(processes, heavy_calls(toolbox))
    assert [outcome for outcome in found if not isinstance(outcome, Made)] == []
    assert len(watched.held) > 20
    assert max(watched.held) <= 1.1 * BUDGET
    assert max(watched.held) > 0.5 * BUDGET
