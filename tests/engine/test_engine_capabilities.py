"""What the person allows decides which implementation runs, and what results are kept by."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controlllm.core.events import ActionFailed, ActionFinished, ActionStarted, SolutionSwitched
from controlllm.core.plans import Literal
from controlllm.engine.cache import Content
from controlllm.models.weights import MANIFEST, Weights
from controlllm.resources import Text
from controlllm.toolbox import ToolError, tool
from controlllm.toolbox.capabilities import Capabilities, CloudEndpoint, HostedTool
from tests.engine.bench import action, only, plan_of

WEIGHTS = Weights("someone/writer", "MIT", 1_000)
OPEN = Capabilities(CloudEndpoint(api_key="k", chat_model="m"))
ORDER = ("hub", "embedded", "cloud")


def needs_endpoint(capabilities):
    return None if capabilities.endpoint else "needs an API key"


@pytest.fixture
def writer(bench, tmp_path, monkeypatch):
    """A tool with an implementation on each runtime; each writes its name."""
    monkeypatch.setenv("CONTROLLLM_MODELS", str(tmp_path / "models"))

    @tool(domain="general")
    def write(text: Text) -> Text:
        """Write who wrote."""
        if text == "hard":
            raise ToolError("This is too hard.")
        return "embedded"

    @write.implementation("hub", weights={"model": {"usual": WEIGHTS}})
    def _hub(text, context):
        return f"hub with {context.weights['model'].name}"

    @write.implementation("cloud", check=needs_endpoint)
    def _cloud(text, context):
        return f"cloud with {context.capabilities.endpoint.chat_model}"

    bench.definitions.append(write)
    return write


def written(bench, text="easy", **settings):
    plan = plan_of([[action("write", "<GEN>-0", text=text)]])
    events = bench.run(plan, preference=ORDER, **settings)
    (finished,) = only(events, ActionFinished)
    return bench.read(finished.resource), events


def fetch():
    WEIGHTS.folder.mkdir(parents=True)
    (WEIGHTS.folder / MANIFEST).write_text("{}")


def test_the_preferred_of_those_that_can_run_does(bench, writer):
    assert written(bench)[0] == "embedded"
    fetch()
    assert written(bench)[0] == "hub with someone--writer"
    assert written(bench, capabilities=OPEN)[0] == "hub with someone--writer"


def test_what_is_allowed_takes_over_where_another_fails(bench, writer):
    said, events = written(bench, "hard", capabilities=OPEN)
    assert said == "cloud with m"
    assert [event.runtime for event in only(events, ActionStarted)] == ["embedded", "cloud"]
    assert only(events, ActionFailed)[0].message == "This is too hard."


def test_a_tool_that_cannot_run_says_what_each_way_lacks(bench, writer):
    plan = plan_of([[action("write", "<GEN>-0", text="easy")]])
    events = bench.run(plan, preference=("hub", "cloud"))
    (failed,) = only(events, ActionFailed)
    assert "needs weights, 1 MB: `python -m controlllm models pull write`" in failed.message
    assert "needs an API key" in failed.message


def test_keys_change_with_weights_and_with_who_is_asked(writer):
    embedded, hub, cloud = writer.implementations

    def key(way, capabilities):
        return Content(writer.tool, way, 0, {"text": Literal("x")}, {}, (), capabilities).key

    nobody = Capabilities()
    other_key = Capabilities(replace(OPEN.endpoint, api_key="another"))
    other_model = Capabilities(replace(OPEN.endpoint, chat_model="n"))
    hosted = Capabilities(hosted={"write": HostedTool("https://x.example")})
    assert key(embedded, nobody) == key(embedded, OPEN)
    assert key(cloud, OPEN) == key(cloud, other_key)
    assert len({key(cloud, item) for item in (nobody, OPEN, other_model, hosted)}) == 4
    moved = replace(hub, weights={"model": {"usual": replace(WEIGHTS, revision="2")}})
    assert key(hub, nobody) != key(moved, nobody)


def test_what_cannot_run_is_not_replaced_by_what_does_something_else(bench, writer):
    @tool(domain="general")
    def paint(text: Text) -> Text:
        """Paint what is written."""

    paint.implementation("cloud", check=needs_endpoint)(lambda text: text)
    bench.definitions.append(paint)
    wanted, other = (action(name, "<GEN>-0", text="easy") for name in ("paint", "write"))
    for score, takes_over in ((4.5, True), (3.0, False)):
        plan = plan_of([[wanted], [other]])
        first, second = plan.solutions[0]
        plan = replace(plan, solutions={0: (first, replace(second, score=score))})
        events = bench.run(plan, preference=ORDER)
        assert bool(only(events, SolutionSwitched)) == takes_over
        assert "no other way" not in only(events, ActionFailed)[0].next
