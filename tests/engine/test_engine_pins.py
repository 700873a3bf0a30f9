"""A pinned result is not made again; what a person wants anew is, though it was made before."""

from __future__ import annotations

from dataclasses import replace

from controlllm.core.events import ActionFinished
from tests.engine.bench import action, only, plan_of

FIRST = action("join", "<GEN>-0-1", text="one")
SECOND = action("join", "<GEN>-0-2", text="two", parts=["<GEN>-0-1"])
THIRD = action("join", "<GEN>-0", text="three", parts=["<GEN>-0-2"])


def finished(bench, *actions, resources=()):
    """The events of the finished steps by their keys."""
    events = bench.run(plan_of([actions]), resources)
    return {event.key: event for event in only(events, ActionFinished)}


def test_a_pinned_result_stands_for_its_step_and_what_only_that_read_is_left_out(bench):
    kept = bench.keep("mine", "mine.txt")
    pinned = replace(SECOND, pinned="mine.txt")
    events = finished(bench, FIRST, pinned, THIRD, resources=[kept])
    assert bench.calls == ["three"]
    assert bench.read(events["0.0.2"].resource) == "three(mine)"
    assert events["0.0.1"].cached and "0.0.0" not in events
    # It stands whatever has become of what it was made of.
    bench.calls.clear()
    other = replace(FIRST, tool="gone")
    assert "0.0.2" in finished(bench, other, pinned, THIRD, resources=[kept])
    assert bench.calls == []
    # A pin to what is not there any more is none.
    events = finished(bench, FIRST, pinned, THIRD)
    assert bench.read(events["0.0.2"].resource) == "three(two(one()))"


def test_what_is_wanted_anew_is_made_once_more_and_then_known(bench):
    finished(bench, FIRST, SECOND, THIRD)
    anew = (FIRST, replace(SECOND, version=1), replace(THIRD, version=1))
    bench.calls.clear()
    events = finished(bench, *anew)
    assert bench.calls == ["two", "three"]
    assert events["0.0.0"].cached and not events["0.0.1"].cached
    bench.calls.clear()
    assert all(event.cached for event in finished(bench, *anew).values())
    assert bench.calls == []
