"""Traces of runs: which spans there are, how they hang together, and what they never hold."""

from __future__ import annotations

import time
from pathlib import Path

from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from controlllm.core import events
from controlllm.engine import Attempted
from controlllm.observing import logs
from controlllm.observing.traces import Traces
from controlllm.observing.watching import Watching
from tests.observing.test_watching import MADE, RUN, SENTENCE, passed

ROOT = Path(__file__).resolve().parents[2]


def traced():
    exporter = InMemorySpanExporter()
    return Traces(SimpleSpanProcessor(exporter)), exporter


async def test_a_run_is_a_tree_of_its_stages_actions_and_workers():
    traces, exporter = traced()

    async def run():
        for event in RUN:
            if isinstance(event, events.ActionFinished) and not event.cached:
                now, run = time.time(), logs.current_run.get()
                traces.attempted(Attempted(run, "crops", 4711, 0.2, now, "made"))
                traces.attempted(Attempted("another run", "crops", 4712, 0.2, now, "made"))
            yield event

    async for _ in Watching(traces)(run()):
        pass
    spans = {span.context.span_id: span for span in exporter.get_finished_spans()}
    whole = [span for span in spans.values() if span.parent is None]
    assert [span.name for span in whole] == ["request"]
    assert whole[0].attributes["controlllm.outcome"] == "answered"
    assert len(whole[0].attributes["controlllm.run"]) == 16

    def above(span):
        return spans[span.parent.span_id].name

    stages = [span.name for span in spans.values() if span.parent and above(span) == "request"]
    assert stages == ["understand", "search", "run", "answer"]
    actions = [span for span in spans.values() if span.name == "action"]
    assert {above(span) for span in actions} == {"run"}
    assert [
        (span.attributes["controlllm.tool"], span.attributes["controlllm.outcome"])
        for span in actions
    ] == [("crops", "failed"), ("crops", "done"), ("counts", "known")]
    (worker,) = [span for span in spans.values() if span.name == "worker"]
    assert above(worker) == "action"
    assert worker.attributes["controlllm.worker"] == 4711
    assert abs((worker.end_time - worker.start_time) / 1e9 - 0.2) < 0.01
    assert SENTENCE not in "".join(span.to_json() for span in spans.values())


async def test_a_run_that_is_stopped_ends_all_its_spans():
    traces, exporter = traced()
    told = (RUN[0], RUN[1], RUN[4], RUN[5], events.RequestCancelled())
    await passed(Watching(traces), *told)
    names = sorted(span.name for span in exporter.get_finished_spans())
    assert names == ["action", "request", "run", "search", "understand"]
    (action,) = [span for span in exporter.get_finished_spans() if span.name == "action"]
    assert action.attributes["controlllm.outcome"] == "stopped"


async def test_runs_are_traces_of_their_own():
    traces, exporter = traced()
    for _ in range(2):
        await passed(Watching(traces), RUN[0], events.ActionFinished("0.0.0", "crops", MADE, 0.1))
    assert len({span.context.trace_id for span in exporter.get_finished_spans()}) == 2
