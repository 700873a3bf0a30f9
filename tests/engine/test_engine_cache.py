"""What was made once is not made again; what differs is."""

from __future__ import annotations

import threading
from dataclasses import replace

from controlllm.core.events import ActionFinished, ActionStarted
from controlllm.core.plans import Literal
from controlllm.engine.cache import Content
from controlllm.resources import Resource, Text
from controlllm.toolbox import Implementation, Parameter, ToolError, tool
from tests.engine.bench import Bench, action, kinds, only, plan_of

TWO_WAYS = plan_of(
    [[action("join", "<GEN>-0-1", text="shared"),
      action("join", "<GEN>-0", text="one", parts=["<GEN>-0-1"])],
     [action("join", "<GEN>-0-1", text="shared"),
      action("join", "<GEN>-0", text="two", parts=["<GEN>-0-1"])]],
    [[action("join", "<GEN>-1", text="apart")]],
    [[action("join", "<GEN>-2", text="after", parts=["<GEN>-0"])]],
)  # fmt: skip


def test_switching_runs_only_what_differs_and_back_runs_nothing(bench):
    bench.run(TWO_WAYS, engine=bench.engine(workers=1))
    bench.calls.clear()
    events = bench.run(TWO_WAYS.switched(0, 1))
    assert bench.calls == ["two", "after"]
    assert {event.key for event in only(events, ActionFinished) if event.cached} == {
        "0.1.0", "1.0.0",
    }  # fmt: skip
    bench.calls.clear()
    events = bench.run(TWO_WAYS)
    assert bench.calls == []
    assert set(kinds(events)) == {"ActionFinished"}
    assert all(event.cached and event.seconds == 0 for event in events)


def test_results_outlive_the_program(tmp_path):
    first = Bench(tmp_path)
    first.run(TWO_WAYS)
    first.store.close()
    second = Bench(tmp_path)
    assert len(second.run(TWO_WAYS)) == 4
    assert second.calls == []
    second.store.close()


def test_gone_or_damaged_result_is_made_again(bench):
    plan = plan_of([[action("join", "<GEN>-0", text="a")]])
    (_, finished) = bench.run(plan)
    path = bench.store.path(finished.resource.digest, "text/plain")
    path.unlink()
    assert kinds(bench.run(plan)) == ["ActionStarted", "ActionFinished"]
    path.write_text("nonsense")
    (_, finished) = bench.run(plan)
    assert bench.read(finished.resource) == "a()"
    assert bench.calls == ["a", "a", "a"]


def test_equal_calls_at_once_are_one(bench):
    both_wait = threading.Event()
    bench.before = lambda name, context: both_wait.wait(0.2)
    same = [action("join", "<GEN>-0", text="same")]
    also = [action("join", "<GEN>-1", text="same")]
    events = bench.run(plan_of([same], [also]), engine=bench.engine(workers=2))
    assert bench.calls == ["same"]
    finished = only(events, ActionFinished)
    assert [(event.key, event.cached) for event in finished] == [("0.0.0", False), ("1.0.0", True)]
    assert finished[0].resource.digest == finished[1].resource.digest


def test_equal_calls_that_fail_fail_once(bench):
    def fail(name, context):
        raise ToolError("No.")

    bench.before = fail
    same = [[action("join", f"<GEN>-{number}", text="same")] for number in range(3)]
    events = bench.run(plan_of(*[[item] for item in same]))
    assert bench.calls == ["same"]
    assert kinds(events).count("ActionFailed") == 3


def test_same_file_by_another_name_is_the_same(bench):
    for name in ("a.txt", "b.txt"):
        plan = plan_of([[action("join", "<GEN>-0", text="x", parts=[name])]])
        bench.run(plan, [bench.keep("content", name)])
    plan = plan_of([[action("join", "<GEN>-0", text="x", parts=["content"])]])
    bench.run(plan)  # words that are the same as the file's
    assert bench.calls == ["x"]
    bench.run(plan_of([[action("join", "<GEN>-0", text="x", parts=["b.txt"])]]),
              [bench.keep("changed", "b.txt")])  # fmt: skip
    assert bench.calls == ["x", "x"]


def chance(bench):
    @tool(domain="general")
    def draw(text: Text) -> Text:
        """Draw by chance."""

    @draw.implementation("embedded", deterministic=False)
    def _(text):
        bench.calls.append(text)
        return f"draw {len(bench.calls)}"

    bench.definitions.append(draw)
    return plan_of(
        [[action("draw", "<GEN>-0", text="card")]], [[action("draw", "<GEN>-1", text="card")]]
    )


def test_results_of_chance_stay_within_their_occasion(bench):
    plan = chance(bench)

    def drawn(occasion):
        events = bench.run(plan, occasion=occasion)
        return {event.key: event.resource.digest for event in only(events, ActionFinished)}

    first = drawn("request 1")
    assert len(set(first.values())) == 2
    assert drawn("request 1") == first
    assert not set(drawn("request 2").values()) & set(first.values())
    assert len(bench.calls) == 4


def test_keys_change_with_everything_that_matters(bench):
    (definition,) = bench.definitions
    tool_, implementation = definition.tool, definition.implementations[0]
    words, file = Literal("words"), Resource("text", "a", "1" * 64)

    def key(of=tool_, by=implementation, ordinal=0, parameters=(), occasion=(), **inputs):
        return Content(of, by, ordinal, inputs, dict(parameters), occasion).key

    keys = [
        key(),
        key(of=replace(tool_, name="other")),
        key(by=replace(implementation, version="2")),
        key(by=replace(implementation, runtime="hub")),
        key(ordinal=1),
        key(parameters={"size": 1}),
        key(parameters={"size": 1.0}),
        key(parameters={"size": "1"}),
        key(occasion=("now",)),
        key(text=words),
        key(parts=words),
        key(parts=(words,)),
        key(parts=(words, file)),
        key(parts=(file, words)),
        key(text=file),
        key(text=replace(file, type="title")),
        key(text=replace(file, digest="2" * 64)),
        key(text=Literal("\ud83d")),
        key(text=Literal("?")),
    ]
    assert len(set(keys)) == len(keys)
    assert key(text=file) == key(text=replace(file, value="b", origin="elsewhere", turn=3))
    assert key(text=words, parts=file) == key(parts=file, text=words)


def test_setting_of_a_tool_is_part_of_the_key(bench):
    @tool(domain="general")
    def repeat(text: Text, times: int = 2) -> Text:
        """Say it again."""
        return text * times

    bench.definitions.append(repeat)
    assert repeat.tool.parameters == (Parameter("times", 2),)
    assert isinstance(repeat.implementations[0], Implementation)
    for given, expected in (({}, "haha"), ({"times": "3"}, "hahaha"), ({"times": "2"}, "haha")):
        events = bench.run(plan_of([[action("repeat", "<GEN>-0", text="ha", **given)]]))
        assert bench.read(events[-1].resource) == expected
    assert only(events, ActionStarted) == []
