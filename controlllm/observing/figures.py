"""What is counted and measured, in the text format of Prometheus.

Labels are names out of the program (tools, stages, limits), never what anybody said.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
)
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

from controlllm.core import events
from controlllm.observing.watching import outcome_of, stage_after

# When each counter began would be a series of its own for every one.
disable_created_metrics()

#: Upper ends of the ranges that durations are counted in, in seconds.
_SECONDS = (0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000)

#: Gives, for one figure, its value, or its values by the label.
Reading = Callable[[], float | Mapping[str, float]]


class Figures:
    """Counts what happens in runs, and reads what there is at the moment when it is asked."""

    content_type = CONTENT_TYPE_LATEST

    def __init__(self) -> None:
        self._registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        registry.register(_Readings(self))
        self._readings: dict[str, tuple[str, str, Reading]] = {}
        self.requests = self._counted(
            "requests",
            "Requests that ended, by what became of them (left: nobody waited for the end).",
            "outcome",
        )
        self.running = Gauge(
            "controlllm_requests_running", "Requests being answered now.", registry=registry
        )
        self.request_seconds = self._timed("request_seconds", "From a request to its end.")
        self.stage_seconds = self._timed(
            "stage_seconds", "How long a stage of a request took.", "stage"
        )
        self.actions = self._counted(
            "actions",
            "Actions by tool and outcome: done, known (a result was there), failed.",
            *("tool", "outcome"),
        )
        self.action_seconds = self._timed("action_seconds", "How long a tool worked.", "tool")
        self.switches = self._counted(
            "switches", "Times that another way was taken for a part of a request."
        )
        self.model_calls = self._counted(
            "language_model_calls", "Calls to a language model by role.", "role"
        )
        self.attempts = self._counted(
            "worker_attempts",
            "Attempts by worker processes and their end: made, asked, failed, stopped, lost (it "
            "crashed, or passed a limit).",
            "outcome",
        )
        self.limits = self._counted("limits_reached", "Refusals by limit.", "limit")

    def _counted(self, name: str, says: str, *labels: str) -> Counter:
        return Counter(f"controlllm_{name}", says, labels, registry=self._registry)

    def _timed(self, name: str, says: str, *labels: str) -> Histogram:
        return Histogram(
            f"controlllm_{name}", says, labels, buckets=_SECONDS, registry=self._registry
        )

    def read_also(self, name: str, says: str, reading: Reading, label: str = "") -> None:
        """Tell one more figure, which is read each time; with a label one for each of its values.

        A reading that fails leaves its figure out.
        """
        self._readings[f"controlllm_{name}"] = (says, label, reading)

    def text(self) -> bytes:
        """All figures."""
        return generate_latest(self._registry)

    def begin(self, run: str) -> _Counted:
        """Count one more run; see `controlllm.observing.watching`."""
        return _Counted(self)

    def collect(self) -> Iterable[Metric]:
        for name, (says, label, reading) in self._readings.items():
            try:
                found = reading()
            except Exception:  # one figure that cannot be had hides no others
                continue
            family = GaugeMetricFamily(name, says, labels=[label] if label else None)
            values = found.items() if isinstance(found, Mapping) else [("", found)]
            for value_of_label, value in values:
                family.add_metric([value_of_label] if label else [], value)
            yield family


class _Readings:
    """What the registry asks; of the figures only their reading."""

    def __init__(self, figures: Figures) -> None:
        self._figures = figures

    def collect(self) -> Iterable[Metric]:
        return self._figures.collect()

    def describe(self) -> Iterable[Metric]:
        return ()


class _Counted:
    """Counts one run."""

    def __init__(self, figures: Figures) -> None:
        self._figures = figures
        self._began = self._since = time.perf_counter()
        self._stage = ""
        self._outcome = "left"
        figures.running.inc()

    def saw(self, event: events.Event) -> None:
        figures = self._figures
        self._turn_to(stage_after(self._stage, event))
        self._outcome = outcome_of(event) or self._outcome
        match event:
            case events.ActionFinished(_, tool, _, seconds, cached):
                figures.actions.labels(tool, "known" if cached else "done").inc()
                if not cached:
                    figures.action_seconds.labels(tool).observe(seconds)
            case events.ActionFailed(tool=tool):
                figures.actions.labels(tool, "failed").inc()
            case events.SolutionSwitched():
                figures.switches.inc()
            case events.LanguageModelUsed(role):
                figures.model_calls.labels(role).inc()

    def ended(self) -> None:
        self._turn_to("")
        self._figures.running.dec()
        self._figures.requests.labels(self._outcome).inc()
        self._figures.request_seconds.observe(time.perf_counter() - self._began)

    def _turn_to(self, stage: str) -> None:
        if stage == self._stage:
            return
        now = time.perf_counter()
        if self._stage:
            self._figures.stage_seconds.labels(self._stage).observe(now - self._since)
        self._stage, self._since = stage, now
