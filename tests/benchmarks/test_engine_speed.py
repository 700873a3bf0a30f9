"""Graphs to measure the engine on: their shortest possible runs, and that ours really runs them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks import engine_speed
from benchmarks.engine_speed import Graph, random_graph


def test_no_schedule_is_shorter_than_the_longest_path_or_the_shared_work():
    chain = Graph((1000, 2000, 3000), ((), (0,), (1,)))
    assert chain.bound(2) == 6.0
    apart = Graph((1000, 2000, 3000), ((), (), ()))
    assert apart.bound(2) == 3.0
    assert apart.bound(1) == 6.0
    assert Graph((1000,) * 8, ((),) * 8).bound(2) == 4.0


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 200), st.integers(0, 1000))
def test_random_graphs_go_one_way_and_are_the_same_each_time(size, seed):
    graph = random_graph(size, seed)
    assert graph == random_graph(size, seed)
    assert len(graph.seconds) == len(graph.parents) == size
    assert all(parent < node for node, of in enumerate(graph.parents) for parent in of)


@pytest.mark.few(1)
@pytest.mark.parametrize("in_processes", [False, True])
def test_ours_runs_a_whole_graph(in_processes):
    graph = random_graph(6, 1, (0, 10))
    with engine_speed._ours(in_processes) as run:
        assert run(graph) >= graph.bound(engine_speed.WORKERS)
