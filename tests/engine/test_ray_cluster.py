"""The same plans on a Ray cluster of two nodes, both on this machine's loopback."""

from __future__ import annotations

import threading

import pytest

from controlllm.core.events import ActionFailed, ActionFinished, ActionProgress
from controlllm.core.plans import Literal
from controlllm.engine import Engine
from controlllm.engine.attempt import Call, Failed, Made
from controlllm.engine.ray_cluster import RayCluster
from controlllm.resources import Resource
from tests.engine.bench import action, only, plan_of

pytestmark = [pytest.mark.cluster, pytest.mark.long, pytest.mark.timeout(900)]


@pytest.fixture(scope="module")
def nodes():
    """A head with one processor and a second node with another."""
    import ray
    from ray.cluster_utils import Cluster

    common = {"num_cpus": 1, "object_store_memory": 100_000_000, "include_dashboard": False}
    cluster = Cluster(
        initialize_head=True, head_node_args={**common, "node_ip_address": "127.0.0.2"}
    )
    cluster.add_node(**common, node_ip_address="127.0.0.3")
    yield cluster
    ray.shutdown()
    cluster.shutdown()


@pytest.fixture(scope="module")
def cluster(nodes, toolbox, store):
    made = RayCluster(toolbox, store, nodes.address)
    yield made
    made.close()


@pytest.fixture
def attempt(cluster, toolbox):
    def make(name, text="hello", cancelled=None, report=lambda fraction, words: None):
        way = toolbox.implementations[name][0]
        call = Call(toolbox[name], way, {"text": Literal(text)}, {}, "key", False)
        return cluster(call, cancelled or threading.Event(), report)

    return make


def test_it_has_a_slot_for_each_processor(cluster):
    assert cluster.slots == 2


def test_a_call_is_made_on_a_node_and_its_result_is_kept_here(attempt, store):
    told = []
    outcome = attempt("says", report=lambda fraction, words: told.append((fraction, words)))
    assert isinstance(outcome, Made)
    text = store.path(outcome.resource.digest, outcome.resource.media_type).read_text()
    assert text.startswith("hello! (")
    assert told == [(0.5, "half of it said")]


def test_a_plan_runs_as_it_does_here_and_what_one_makes_the_next_reads(
    bench, cluster, toolbox, store
):
    ways = [
        action("says", "<GEN>-0-0", text="one"),
        action("says", "<GEN>-0", text="<GEN>-0-0"),
    ]
    events = bench.run(plan_of([ways]), engine=Engine(toolbox, store, attempt=cluster))
    made = [event.resource for event in only(events, ActionFinished)]
    texts = [store.path(item.digest, item.media_type).read_text() for item in made]
    assert texts[1].startswith(f"{texts[0]}!")
    assert only(events, ActionProgress)


def test_every_file_is_on_the_node_before_the_call_that_reads_it_begins(cluster, toolbox, store):
    tool, way = toolbox["says"], toolbox.implementations["says"][0]
    for number in range(20):
        digest = store.put_bytes(f"{number} {'word ' * 10_000}".encode(), "text/plain")
        inputs = {"text": Resource("text", "note.txt", digest, "text/plain")}
        call = Call(tool, way, inputs, {}, f"key {number}", False)
        outcome = cluster(call, threading.Event(), lambda fraction, words: None)
        assert isinstance(outcome, Made), outcome


@pytest.mark.parametrize("name", ["exits", "crashes", "raises"])
def test_a_tool_that_ends_its_process_costs_only_its_call(attempt, name):
    outcome = attempt(name)
    assert isinstance(outcome, Failed)
    assert isinstance(attempt("says"), Made)


def test_a_blocked_call_is_stopped_at_once(attempt):
    cancelled = threading.Event()
    outcome = attempt(
        "holds_the_lock", cancelled=cancelled, report=lambda fraction, words: cancelled.set()
    )
    assert isinstance(outcome, Failed) and outcome.message.endswith("was stopped.")


def test_what_no_node_can_run_says_so(cluster, toolbox, store):
    way = toolbox.implementations["says"][0]
    object.__setattr__(way, "needs_gpu", True)
    try:
        call = Call(toolbox["says"], way, {"text": Literal("x")}, {}, "key", False)
        outcome = cluster(call, threading.Event(), lambda fraction, words: None)
    finally:
        object.__setattr__(way, "needs_gpu", False)
    assert isinstance(outcome, Failed)
    assert "GPU" in outcome.message
    assert not outcome.may_pass


def test_a_lost_node_costs_a_retry(bench, nodes, cluster, toolbox, store):
    """The node that works is taken away in the middle; the plan is finished on the other."""
    extra = nodes.add_node(num_cpus=1, object_store_memory=100_000_000, node_ip_address="127.0.0.4")
    ways = [[action("rests", f"<GEN>-{n}", text=f"part {n}")] for n in range(3)]
    lost = threading.Timer(4.0, nodes.remove_node, (extra,), {"allow_graceful": False})
    lost.start()
    events = bench.run(
        plan_of(*[[item] for item in ways]), engine=Engine(toolbox, store, 3, attempt=cluster)
    )
    lost.join()
    assert not only(events, ActionFailed)
    assert len(only(events, ActionFinished)) == 3
