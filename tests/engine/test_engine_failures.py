"""A tool that fails: again where that helps, then another version, then another way."""

from __future__ import annotations

import errno
import logging

import pytest

from controlllm.core.events import ActionFailed, ActionFinished, ActionStarted, SolutionSwitched
from controlllm.core.plans import Solution
from controlllm.engine import Engine
from controlllm.engine.attempt import Failed
from controlllm.engine.fallback import expression_of, is_transient
from controlllm.models import ModelFileError
from controlllm.resources import Text
from controlllm.store import StoreError
from controlllm.toolbox import Code, ToolError, Unavailable, tool
from tests.engine.bench import action, kinds, only, plan_of
from tests.engine.conftest import bench
from tests.every_case import every_case


def failing(bench, **errors):
    """Let the calls of these words fail; a list fails once for each of its errors."""

    def fail(name, context):
        error = errors.get(name)
        if isinstance(error, list):
            error = error.pop(0) if error else None
        if error is not None:
            raise error

    bench.before = fail


ONE = [[[action("join", "<GEN>-0", text="a")]]]


def test_transient_error_is_tried_again_once(bench):
    failing(bench, a=[ConnectionError("reset")])
    events = bench.run(plan_of(*ONE))
    assert only(events, ActionFailed) == []
    assert bench.calls == ["a", "a"]


UNREACHABLE = "“join” could not reach what it needs. Check the network."
NO_FACE = "No face in it."


@every_case(
    ("error", "said", "times"),
    [
        (ConnectionError("reset by 10.0.0.7"), UNREACHABLE, 2),
        (TimeoutError(), UNREACHABLE, 2),
        # Sentences for people are shown as they are.
        *((kind(NO_FACE), NO_FACE, 1) for kind in (ToolError, Unavailable, ModelFileError)),
        (StoreError(NO_FACE), NO_FACE, 1),
        (MemoryError(), "“join” needs more memory than is free. Try a smaller file.", 1),
        (OSError(errno.ENOSPC, "No space"), "The disk is full. Make some room and try again.", 1),
    ],
    anew=(bench,),
)
def test_an_error_is_told_and_tried_again_where_it_may_pass(bench, error, said, times):
    failing(bench, a=error)
    (event,) = only(bench.run(plan_of(*ONE)), ActionFailed)
    assert event.message == said and bench.calls == ["a"] * times
    # What is to be tried once is.
    assert len(only(bench.run(plan_of(*ONE), one_try=True), ActionFailed)) == 1
    assert bench.calls == ["a"] * (times + 1)


def test_causes_are_looked_through():
    try:
        try:
            raise ConnectionRefusedError
        except OSError as error:
            raise RuntimeError("request failed") from error
    except RuntimeError as wrapped:
        assert is_transient(wrapped)
    assert not is_transient(ValueError())


@every_case("error", [ValueError("/secret/path"), KeyError("x"), SystemExit(3)], anew=(bench,))
def test_unexpected_errors_are_told_plainly_and_logged(bench, caplog, error):
    failing(bench, a=error)
    with caplog.at_level(logging.ERROR):
        (event,) = only(bench.run(plan_of(*ONE)), ActionFailed)
    name = type(error).__name__
    assert event.message == f"“join” stopped with an unexpected error ({name})."
    assert event.next == "There is no other way to do this here."
    assert any(record.exc_info and record.exc_info[1] is error for record in caplog.records)


def two_versions(bench, first, second="from the hub"):
    @tool(domain="general")
    def tell(text: Text) -> Text:
        """Tell it."""

    def version(runtime, result):
        def run(text):
            if isinstance(result, Exception):
                raise result
            return result

        tell.implementation(runtime)(run)

    version("embedded", first)
    version("hub", second)
    bench.definitions.append(tell)
    return plan_of(
        [[action("tell", "<GEN>-0", text="x")], [action("join", "<GEN>-0", text="other")]]
    )


def test_next_version_of_the_tool_takes_over(bench):
    plan = two_versions(bench, ToolError("Not this time."))
    events = bench.run(plan)
    assert kinds(events) == ["ActionStarted", "ActionFailed", "ActionStarted", "ActionFinished"]
    assert [event.runtime for event in only(events, ActionStarted)] == ["embedded", "hub"]
    assert only(events, ActionFailed)[0].next == "Trying its hub version instead."
    assert bench.read(events[-1].resource) == "from the hub"


def test_preference_is_the_order_and_leaves_out(bench):
    plan = two_versions(bench, "from here")
    events = bench.run(plan, preference=("hub", "embedded"))
    assert bench.read(events[-1].resource) == "from the hub"
    events = bench.run(plan, preference=("embedded",))
    assert bench.read(events[-1].resource) == "from here"
    events = bench.run(plan, preference=("cloud",))
    assert "cannot run here" in only(events, ActionFailed)[0].message


@pytest.mark.parametrize(("one_try", "tried"), [(True, 1), (False, 4)])
def test_after_one_that_took_too_long_no_other_version_where_one_try_is_wanted(
    bench, one_try, tried
):
    plan = two_versions(bench, "from here")
    made = []

    def attempt(call, cancelled, report):
        made.append(call.tool.name)
        return Failed("It took too long.", may_pass=True, is_late=True)

    engine = Engine(bench.toolbox, bench.store, 1, pause=0.0, attempt=attempt)
    alone = plan_of([plan.solutions[0][0].actions])
    bench.run(alone, engine=engine, one_try=one_try)
    assert made == ["tell"] * tried


def test_next_solution_takes_over_when_no_version_is_left(bench):
    plan = two_versions(bench, ToolError("Not this time."), ToolError("Nor now."))
    events = bench.run(plan)
    assert kinds(events) == [
        "ActionStarted", "ActionFailed", "ActionStarted", "ActionFailed", "SolutionSwitched",
        "ActionStarted", "ActionFinished",
    ]  # fmt: skip
    assert [event.next for event in only(events, ActionFailed)] == [
        "Trying its hub version instead.", "Trying another way: join.",
    ]  # fmt: skip


def test_solution_is_switched(bench):
    failing(bench, bad=ToolError("Nothing to see."))
    plan = plan_of(
        [[action("join", "<GEN>-0-1", text="shared"),
          action("join", "<GEN>-0", text="bad", parts=["<GEN>-0-1"])],
         [action("join", "<GEN>-0-1", text="more", parts=["words"]),
          action("join", "<GEN>-0", text="bad", parts=["<GEN>-0-1"])],
         [action("join", "<GEN>-0-1", text="shared"),
          action("join", "<GEN>-0", text="good", parts=["<GEN>-0-1"])]],
        [[action("join", "<GEN>-1", text="after", parts=["<GEN>-0"])]],
    )  # fmt: skip
    events = bench.run(plan)
    switched = only(events, SolutionSwitched)
    assert [(event.subtask, event.solution) for event in switched] == [(0, 1), (0, 2)]
    assert switched[0].reason == "Nothing to see."
    assert switched[1].plan.chosen == {0: 2}
    assert [event.next for event in only(events, ActionFailed)] == [
        "Trying another way: join → join.",
    ] * 2
    assert bench.calls == ["shared", "bad", "more", "bad", "good", "after"]
    last = only(events, ActionFinished)[-1]
    assert bench.read(last.resource) == "after(good(shared()))"
    (again,) = [event for event in only(events, ActionFinished) if event.key == "0.2.0"]
    assert again.cached


def marked_by(*named: str):
    """Ways that look for a thing, "faces" or by other words, and then work on what was found."""
    return [
        [action("join", "<GEN>-0-1", text=words),
         action("join", "<GEN>-0", text=f"work {number}", parts=["<GEN>-0-1"])]
        for number, words in enumerate(named)
    ]  # fmt: skip


def test_where_nothing_is_marked_only_the_same_thing_is_looked_for_in_other_ways(bench):
    empty = ToolError("The mask is empty.", Code.NOTHING_MARKED)
    failing(bench, **{"work 0": empty})
    ways = [*marked_by("the faces", "everything"), [action("join", "<GEN>-0", text="all of it")]]
    events = bench.run(plan_of(ways))
    assert bench.calls == ["the faces", "work 0"] and not only(events, SolutionSwitched)
    (told,) = only(events, ActionFailed)
    assert told.message.startswith("I found no faces in the picture. Point at what you mean")
    assert told.code is Code.NOTHING_MARKED

    bench.calls.clear()
    ways[1][0] = action("join", "<GEN>-0-1", text="the faces", parts=["otherwise"])
    events = bench.run(plan_of(ways))
    assert [event.solution for event in only(events, SolutionSwitched)] == [1]
    assert bench.calls[-1] == "work 1"


def test_what_was_not_looked_for_by_words_may_be_done_another_way(bench):
    failing(bench, bad=ToolError("The mask is empty.", Code.NOTHING_MARKED))
    ways = [[action("join", "<GEN>-0", text="bad")], [action("join", "<GEN>-0", text="good")]]
    assert only(bench.run(plan_of(ways)), SolutionSwitched)


def test_a_word_that_is_not_known_is_not_answered_by_what_does_not_read_it(bench):
    failing(bench, coins=ToolError("I do not know coins.", Code.NOT_KNOWN))
    ways = [[action("join", "<GEN>-0", text="coins")], [action("join", "<GEN>-0", text="all")]]
    events = bench.run(plan_of(ways))
    assert bench.calls == ["coins"] and not only(events, SolutionSwitched)
    assert only(events, ActionFailed)[0].message == "I do not know coins."


def test_solution_with_the_call_that_failed_is_passed_over(bench):
    failing(bench, bad=ToolError("No."))
    plan = plan_of(
        [[action("join", "<GEN>-0", text="bad")],
         [action("join", "<GEN>-0-1", text="bad"),
          action("join", "<GEN>-0", text="x", parts=["<GEN>-0-1"])],
         [action("join", "<GEN>-0", text="good")]],
    )  # fmt: skip
    assert [event.solution for event in only(bench.run(plan), SolutionSwitched)] == [2]
    assert bench.calls == ["bad", "good"]


def test_what_a_tool_said_it_lacks_is_not_answered_by_something_else(bench):
    ways = [[action("join", "<GEN>-0", text="bad")], [action("join", "<GEN>-0", text="good")]]
    failing(bench, bad=ToolError("I find no sum in this."))
    events = bench.run(plan_of(ways, apart=2.0))
    assert bench.calls == ["bad"] and not only(events, SolutionSwitched)
    assert only(events, ActionFailed)[0].message == "I find no sum in this."
    # What only could not be reached, or broke, may be done by anything.
    for error in (ToolError("It is not there.", Code.NOT_FOUND), RuntimeError("broken")):
        bench.calls.clear()
        failing(bench, bad=error)
        assert only(bench.run(plan_of(ways, apart=2.0)), SolutionSwitched), error


def test_solution_that_cannot_run_is_passed_over(bench):
    failing(bench, bad=ToolError("No."))
    plan = plan_of(
        [[action("join", "<GEN>-0", text="bad")],
         [action("fly", "<GEN>-0", text="x")],
         [action("join", "<GEN>-0", text="x", parts=["<GEN>-1"])],
         [action("join", "<GEN>-0", text="missing")]],
        [],
    )  # fmt: skip
    last = plan.solutions[0][3]
    plan.solutions[0] = (*plan.solutions[0][:3], Solution(last.actions, 1.0, missing="a GPU"))
    (event,) = only(bench.run(plan), ActionFailed)
    assert event.next == "There is no other way to do this here."
    assert bench.calls == ["bad"]


def test_what_is_left_is_said(bench):
    failing(bench, bad=ToolError("No."))
    plan = plan_of(
        [[action("join", "<GEN>-0", text="bad")]],
        [[action("join", "<GEN>-1", text="b", parts=["<GEN>-0"])]],
        [[action("join", "<GEN>-2", text="c", parts=["<GEN>-1"])]],
        [[action("join", "<GEN>-3", text="d")]],
    )
    events = bench.run(plan, engine=bench.engine(workers=1))
    (event,) = only(events, ActionFailed)
    assert event.next == (
        "There is no other way to do this here. Parts 2 and 3 need the result and are left out. "
        "The rest goes on."
    )
    assert [event.key for event in only(events, ActionFinished)] == ["3.0.0"]


def test_nothing_else_is_tried_where_the_result_cannot_be_kept(bench, monkeypatch):
    def full(content, media_type, is_urgent):
        raise StoreError("The disk is full.")

    monkeypatch.setattr(bench.store, "put_bytes", full)
    plan = plan_of([[action("join", "<GEN>-0", text="a")], [action("join", "<GEN>-0", text="b")]])
    events = bench.run(plan)
    assert kinds(events) == ["ActionStarted", "ActionFailed"]
    assert events[1].message == "The disk is full."


def test_expressions_see_through_names():
    def last(solution):
        return expression_of(solution.actions[-1], solution)

    first = Solution(
        (action("join", "<GEN>-0-1", text="a"),
         action("join", "<GEN>-0", text="b", parts=["<GEN>-0-1", "cat.png"])), 5.0,
    )  # fmt: skip
    second = Solution(
        (action("join", "<GEN>-0-1", text="z"), action("join", "<GEN>-0-2", text="a"),
         action("join", "<GEN>-0", text="b", parts=["<GEN>-0-2", "cat.png"])), 4.0,
    )  # fmt: skip
    third = Solution(
        (action("join", "<GEN>-0-1", text="z"),
         action("join", "<GEN>-0", text="b", parts=["<GEN>-0-1", "cat.png"])), 3.0,
    )  # fmt: skip
    assert last(first) == last(second) != last(third)
