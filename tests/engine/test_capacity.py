"""Which calls may be made beside each other."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from functools import partial

from hypothesis import given, settings
from hypothesis import strategies as st

from controlllm.engine.attempt import Call
from controlllm.engine.capacity import MOST_PASSED, Capacity
from controlllm.engine.learnt import Needs
from controlllm.engine.pool import Pool
from controlllm.resources import Text
from controlllm.toolbox import Toolbox, tool
from controlllm.toolbox.capabilities import Capabilities, CloudEndpoint, HostedTool


@tool(domain="general", examples=["Do it."])
def does(text: Text) -> Text:
    """Do it."""
    return text


TOOLBOX = Toolbox.of([does])
WAY = TOOLBOX.implementations["does"][0]
MIB = 1 << 20


class Known(Needs):
    """What calls need is written on them."""

    def of(self, call):
        return replace(super().of(call), cold=int(call.key) * MIB)


def a_call(mebibytes: int = 1, runtime="embedded", capabilities=None, **told) -> Call:
    way = replace(WAY, runtime=runtime, **told)
    return Call(TOOLBOX["does"], way, {}, {}, str(mebibytes), False, capabilities or Capabilities())


def a_capacity(mebibytes: int, **told) -> Capacity:
    made = Capacity(mebibytes * MIB, Known(), **told)
    made.empty = 10 * MIB
    return made


def expected(capacity, calls) -> int:
    return sum(capacity.empty + int(call.key) * MIB for call in calls) + capacity.empty


@settings(deadline=None)
@given(st.integers(20, 200), st.lists(st.integers(0, 250), min_size=1, max_size=30), st.data())
def test_a_budget_is_passed_by_one_call_alone_at_most_and_all_come_to_their_turn(
    budget, sizes, data
):
    capacity = a_capacity(budget)
    waiting = [a_call(size) for size in sizes]
    begun: list[Call] = []
    while waiting or begun:
        for call in data.draw(st.permutations(waiting)):
            if capacity.begin(call):
                waiting = [other for other in waiting if other is not call]
                begun.append(call)
        # Where nothing is at work, something begins.
        assert begun
        assert len(begun) == 1 or expected(capacity, begun) <= budget * MIB
        capacity.end(begun.pop(data.draw(st.integers(0, len(begun) - 1))))


@given(st.integers(20, 200), st.lists(st.integers(0, 250), min_size=1, max_size=20))
@settings(max_examples=20, deadline=None)
def test_a_pool_begins_what_there_is_room_for_and_forgets_nobody(budget, sizes):
    capacity = a_capacity(budget)
    pool, ended, passed = Pool(4, capacity), threading.Semaphore(0), []

    def work(call):
        with capacity._lock:
            begun = [item.call for item in capacity._begun.values()]
        if len(begun) > 1 and expected(capacity, begun) > budget * MIB:
            passed.append(call)
        time.sleep(0.001)
        ended.release()

    calls = [a_call(size) for size in sizes]
    for number, call in enumerate(calls):
        pool.submit(partial(work, call), f"owner {number % 3}", call=call)
    for _ in calls:
        assert ended.acquire(timeout=60)
    assert not passed


def test_a_large_call_is_passed_so_often_and_not_more():
    capacity = a_capacity(100)
    small = [a_call(20) for _ in range(MOST_PASSED + 2)]
    large = a_call(85)
    assert capacity.begin(small[0])
    assert not capacity.begin(large)
    for before, following in zip(small[:MOST_PASSED], small[1:], strict=False):
        assert capacity.begin(following)
        capacity.end(before)
    assert not capacity.begin(small[-1])
    capacity.end(small[MOST_PASSED])
    assert not capacity.begin(small[-1])
    assert capacity.begin(large)
    # One that is no longer wanted holds nobody up.
    other = a_call(85)
    for _ in range(3):
        assert not capacity.begin(other)
    capacity.end(other)
    capacity.end(large)
    assert capacity.begin(small[-1])


def test_one_call_alone_may_need_more_than_there_is():
    capacity = a_capacity(100)
    huge = a_call(10_000)
    assert capacity.begin(huge) and capacity.begin(huge)
    assert not capacity.begin(a_call(1))
    assert capacity.widen(huge, 20_000 * MIB) == 10_010 * MIB
    assert capacity.for_resting() == 0
    capacity.end(huge)
    assert capacity.begin(a_call(1))


def test_a_worker_with_old_models_takes_no_more_than_leaves_half_for_others():
    capacity = a_capacity(200)
    first, second = a_call(20), a_call(50)
    assert capacity.begin(first)
    assert capacity.widen(first, 180 * MIB) == 100 * MIB
    assert capacity.begin(second)
    assert capacity.widen(first, 180 * MIB) == 100 * MIB
    assert capacity.for_resting(second) == 100 * MIB


def test_of_those_that_hold_more_than_expected_the_last_leaves():
    capacity = a_capacity(200)
    first, second, third = a_call(20), a_call(20), a_call(20)
    for call in (first, second, third):
        assert capacity.begin(call)
    assert not capacity.must_leave(first, 100 * MIB)
    assert capacity.must_leave(second, 120 * MIB)
    assert not capacity.must_leave(first, 120 * MIB)
    assert not capacity.must_leave(third, 30 * MIB)
    capacity.end(second)
    capacity.end(third)
    assert not capacity.must_leave(first, 500 * MIB)


def test_nobody_else_leaves_for_what_one_that_leaves_still_holds():
    capacity = a_capacity(200)
    first, second = a_call(20), a_call(20)
    for call in (first, second):
        assert capacity.begin(call)
    # The first is looked at before the second is known to hold anything.
    assert capacity.must_leave(first, 210 * MIB)
    assert not capacity.must_leave(second, 150 * MIB)
    assert capacity.must_leave(first, 210 * MIB)
    capacity.end(first)
    assert not capacity.must_leave(second, 150 * MIB)


@settings(deadline=None)
@given(st.lists(st.sampled_from(["https://one.org/a", "http://two.org", "endpoint", "here"])))
def test_an_endpoint_gets_so_many_calls_at_once(places):
    capacity = Capacity(at_endpoint=3)
    begun = {}
    for place in places:
        match place:
            case "here":
                call = a_call()
            case "endpoint":
                capabilities = Capabilities(CloudEndpoint("http://two.org:80/v1", "key"))
                call = a_call(runtime="cloud", capabilities=capabilities)
            case _:
                hosted = Capabilities(hosted={"does": HostedTool(place)})
                call = a_call(runtime="cloud", capabilities=hosted, is_hosted=True)
        may = len(begun.setdefault(place, [])) < 3 or place == "here"
        assert capacity.begin(call) == may
        if may:
            begun[place].append(call)


def test_an_accelerator_runs_one_model_at_a_time(monkeypatch):
    monkeypatch.setattr(Capabilities, "accelerator", "cuda")
    capacity, elsewhere = Capacity(), Capacity(at_accelerator=0)
    first, second = a_call(runtime="hub"), a_call(runtime="hub")
    assert capacity.begin(first) and capacity.begin(a_call())
    assert not capacity.begin(second)
    capacity.end(first)
    assert capacity.begin(second)
    assert elsewhere.begin(first) and elsewhere.begin(second)


def test_needs_are_learnt_upwards_at_once_and_downwards_slowly(tmp_path):
    needs, call = Needs(tmp_path / "needs.json"), a_call()
    unknown = needs.of(call)
    assert unknown.cold == unknown.warm > 100 * MIB
    needs.learn(call, False, 50 * MIB, 40 * MIB)
    assert needs.of(call).warm == 10 * MIB
    needs.learn(call, True, 20 * MIB)
    assert (needs.of(call).cold, needs.of(call).warm) == (50 * MIB, 20 * MIB)
    needs.learn(call, False, 80 * MIB)
    assert needs.of(call).cold == 80 * MIB
    needs.learn(call, False, 10 * MIB)
    assert 70 * MIB < needs.of(call).cold < 80 * MIB
    assert Needs(tmp_path / "needs.json").of(call).warm == 20 * MIB
    (tmp_path / "needs.json").write_text("[1]")
    assert Needs(tmp_path / "needs.json").of(call) == unknown


def test_what_was_never_called_needs_what_it_says_and_more():
    declared = Needs().of(a_call(memory="2 GiB")).cold
    assert declared > 2048 * MIB
