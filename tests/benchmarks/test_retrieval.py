"""The hub is the same at each call, and its requests name what it has."""

from __future__ import annotations

import hashlib

import pytest

from benchmarks import retrieval
from benchmarks.hub import TOOLS, hub
from controlllm.core.plans import Request
from controlllm.toolbox import Toolbox


@pytest.mark.long
def test_the_hub_is_the_one_that_was_frozen_with_its_requests():
    whole = hub()
    assert len(whole.tools) == TOOLS == len({tool.name for tool in whole.tools})
    # Fields that tools have got since, and that are empty for all of these.
    told = repr(whole.tools)
    for empty in (", places=''", ", sets_form=()", ", members=''"):
        told = told.replace(empty, "")
    digest = hashlib.sha256(told.encode()).hexdigest()
    assert digest.startswith("dcdb5098ce7c")
    serving = [name for names in whole.serving.values() for name in names]
    assert len(serving) == len(set(serving)) == TOOLS


def test_the_requests_are_other_ones_to_develop_with_and_to_measure_with():
    frozen = retrieval.hub_requests(retrieval.FROZEN)
    other = retrieval.hub_requests(retrieval.DEVELOPMENT)
    by_others = retrieval.hub_requests(retrieval.BY_OTHERS)
    assert (len(frozen), len(other), len(by_others)) == (200, 100, 200)
    texts = [item.request.text for item in (*frozen, *other, *by_others)]
    assert len(set(texts)) == len(texts)
    assert all(need for item in (*frozen, *other, *by_others) for need in item.needs)


def test_the_wishes_of_people_need_our_own_tools():
    own = {tool.name for tool in Toolbox.load()}
    needing = retrieval.people_requests(retrieval.PEOPLE[1])
    assert len(needing) > 190
    assert all(need & own for item in needing for need in item.needs)


def test_recall_is_the_share_of_needs_that_are_met():
    needs = (frozenset("ab"), frozenset("c"))
    assert retrieval.recall(["x", "b"], needs) == 0.5
    assert retrieval.recall(["c", "a", "b"], needs) == 1.0
    assert retrieval.recall([], needs) == 0.0


def test_recalls_are_of_the_first_found():
    tools = hub().tools[:20]
    ranked = [(tool, 1.0) for tool in tools]
    requests = [
        retrieval.Needing(Request("a"), (frozenset({tools[0].name}),)),
        retrieval.Needing(Request("b"), (frozenset({tools[7].name}), frozenset({"none"}))),
    ]
    found, times = retrieval.recalls(requests, lambda request: ranked)
    assert found == {1: 0.5, 5: 0.5, 10: pytest.approx(0.75), 20: pytest.approx(0.75)}
    assert len(times.seconds) == 2
