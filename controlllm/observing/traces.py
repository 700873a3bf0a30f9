"""Runs as traces of OpenTelemetry: a span for the run, its stages, its actions and the attempts of
worker processes. Only imported where a setting asks for traces.

Spans hold names of tools, outcomes and times; never what anybody said, handed over or made.
"""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from typing import Any

from opentelemetry import trace
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanProcessor

from controlllm.core import events
from controlllm.engine import Attempted
from controlllm.observing.watching import outcome_of, stage_after


class Traces:
    """Makes traces of runs.

    Parameters
    ----------
    processor: what takes the spans that have ended.
    """

    def __init__(self, processor: SpanProcessor) -> None:
        self._provider = TracerProvider(resource=Resource.create({"service.name": "controlllm"}))
        self._provider.add_span_processor(processor)
        self._tracer = self._provider.get_tracer("controlllm")
        self._lock = threading.Lock()
        self._attempts: dict[str, list[Attempted]] = {}

    @classmethod
    def to(cls, address: str) -> Traces:
        """Traces that go to a collector which speaks OTLP over HTTP, such as
        ``http://localhost:4318``."""
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

        exporter: SpanExporter = OTLPSpanExporter(f"{address.rstrip('/')}/v1/traces")
        return cls(BatchSpanProcessor(exporter))

    def begin(self, run: str) -> _Trace:
        """Trace one more run; see `controlllm.observing.watching`."""
        with self._lock:
            self._attempts[run] = []
        return _Trace(self, self._tracer, run)

    def attempted(self, attempt: Attempted) -> None:
        """Note an attempt of a worker process; from any thread."""
        with self._lock:
            if attempt.run in self._attempts:
                self._attempts[attempt.run].append(attempt)

    def attempts(self, run: str, tool: str) -> list[Attempted]:
        """The attempts of a run with a tool that were not asked for yet."""
        with self._lock:
            noted = self._attempts.get(run, [])
            self._attempts[run] = [attempt for attempt in noted if attempt.tool != tool]
        return [attempt for attempt in noted if attempt.tool == tool]

    def forget(self, run: str) -> None:
        with self._lock:
            self._attempts.pop(run, None)

    def close(self) -> None:
        """Send what has not been sent yet."""
        self._provider.shutdown()


class _Trace:
    """The spans of one run."""

    def __init__(self, traces: Traces, tracer: trace.Tracer, run: str) -> None:
        self._traces, self._tracer, self._run = traces, tracer, run
        self._whole = tracer.start_span("request", attributes={"controlllm.run": run})
        self._stage = ""
        self._stage_span: trace.Span | None = None
        self._actions: dict[str, tuple[str, trace.Span]] = {}
        self._outcome = "left"
        self._counts: dict[str, int] = defaultdict(int)

    def saw(self, event: events.Event) -> None:
        self._turn_to(stage_after(self._stage, event))
        self._outcome = outcome_of(event) or self._outcome
        match event:
            case events.SubtasksReady(subtasks):
                self._counts["controlllm.subtasks"] = len(subtasks)
            case events.ActionStarted(key, tool, runtime):
                span = self._begun(tool, **{"controlllm.runtime": runtime})
                self._actions[key] = (tool, span)
            case events.ActionFinished(key, tool, _, _, cached):
                self._counts["controlllm.actions"] += 1
                self._end_action(key, tool, "known" if cached else "done")
            case events.ActionFailed(key, tool):
                self._end_action(key, tool, "failed")

    def ended(self) -> None:
        for key, (tool, _) in list(self._actions.items()):
            self._end_action(key, tool, "stopped")
        self._turn_to("")
        self._whole.set_attributes({**self._counts, "controlllm.outcome": self._outcome})
        if self._outcome == "failed":
            self._whole.set_status(trace.StatusCode.ERROR)
        self._whole.end()
        self._traces.forget(self._run)

    def _turn_to(self, stage: str) -> None:
        if stage == self._stage:
            return
        if self._stage_span is not None:
            self._stage_span.end()
        self._stage = stage
        self._stage_span = self._span(stage, self._whole) if stage else None

    def _begun(self, tool: str, **attributes: str) -> trace.Span:
        parent = self._stage_span or self._whole
        return self._span("action", parent, {"controlllm.tool": tool, **attributes})

    def _end_action(self, key: str, tool: str, outcome: str) -> None:
        # One that was not begun is a result that was known, or a step that could not begin.
        span = self._actions.pop(key)[1] if key in self._actions else self._begun(tool)
        for attempt in self._traces.attempts(self._run, tool):
            self._span_of(attempt, span)
        span.set_attribute("controlllm.outcome", outcome)
        if outcome == "failed":
            span.set_status(trace.StatusCode.ERROR)
        span.end()

    def _span_of(self, attempt: Attempted, action: trace.Span) -> None:
        attributes = {"controlllm.worker": attempt.worker, "controlllm.outcome": attempt.outcome}
        ended = attempt.ended
        began = ended - attempt.seconds
        span = self._span("worker", action, attributes, int(began * 1e9))
        span.end(int(ended * 1e9))

    def _span(
        self,
        name: str,
        parent: trace.Span,
        attributes: dict[str, Any] | None = None,
        began: int | None = None,
    ) -> trace.Span:
        return self._tracer.start_span(
            name,
            trace.set_span_in_context(parent),
            attributes=attributes,
            start_time=began or time.time_ns(),
        )
