"""What is counted and noted of a run, told from its events."""

from __future__ import annotations

import io
import json
import logging
import threading

import pytest

from controlllm.core import events
from controlllm.core.costs import SearchCost, Usage
from controlllm.observing import logs
from controlllm.observing.figures import Figures
from controlllm.observing.wanted import Wanted
from controlllm.observing.watching import Notes, Watching
from controlllm.resources import Resource
from tests.every_case import every_case

SECRET = "sk-planted-key"
SENTENCE = "the name of my first love was Ophelia"

MADE = Resource("image", f"{SENTENCE}.png", "0" * 64, "image/png", "made", 0)
RUN = (
    events.RequestReceived(0, SENTENCE, (MADE,)),
    events.SubtasksReady(()),
    events.LanguageModelUsed("assess", Usage()),
    events.SolutionsReady(0, (), SearchCost("best-first"), SENTENCE),
    events.PlanReady(None),
    events.ActionStarted("0.0.0", "crops", "embedded"),
    events.ActionFailed("0.0.0", "crops", SENTENCE),
    events.ActionStarted("0.0.0", "crops", "hub"),
    events.ActionFinished("0.0.0", "crops", MADE, 0.2),
    events.ActionFinished("0.0.1", "counts", MADE, 0.0, cached=True),
    events.AnswerToken(SENTENCE),
    events.AnswerFinished(SENTENCE),
)


async def stream(*told):
    for event in told:
        yield event


async def passed(watching, *told):
    return [event async for event in watching(stream(*told))]


@pytest.fixture
def written():
    """Records as they are written, as JSON."""
    to = io.StringIO()
    handler = logging.StreamHandler(to)
    handler.setFormatter(logs.Lines("json"))
    logger = logging.getLogger("controlllm")
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    yield to
    logger.removeHandler(handler)
    logger.setLevel(level)


def value(figures, name):
    for line in figures.text().decode().splitlines():
        if line.startswith(f"{name} "):
            return float(line.split()[-1])
    return None


async def test_events_pass_unchanged_and_are_counted():
    figures = Figures()
    assert await passed(Watching(figures), *RUN) == list(RUN)
    await passed(Watching(figures), RUN[0], events.RequestFailed(SENTENCE))
    assert value(figures, 'controlllm_requests_total{outcome="answered"}') == 1
    assert value(figures, 'controlllm_requests_total{outcome="failed"}') == 1
    assert value(figures, "controlllm_requests_running") == 0
    assert value(figures, 'controlllm_actions_total{outcome="done",tool="crops"}') == 1
    assert value(figures, 'controlllm_actions_total{outcome="failed",tool="crops"}') == 1
    assert value(figures, 'controlllm_actions_total{outcome="known",tool="counts"}') == 1
    assert value(figures, 'controlllm_action_seconds_sum{tool="crops"}') == pytest.approx(0.2)
    assert value(figures, 'controlllm_action_seconds_count{tool="counts"}') is None
    assert value(figures, 'controlllm_language_model_calls_total{role="assess"}') == 1
    for stage in ("search", "run", "answer"):
        assert value(figures, f'controlllm_stage_seconds_count{{stage="{stage}"}}') == 1
    assert value(figures, 'controlllm_stage_seconds_count{stage="understand"}') == 2
    assert SENTENCE not in figures.text().decode()


async def test_a_run_that_nobody_wants_to_the_end_was_left():
    figures = Figures()
    left = Watching(figures)(stream(*RUN))
    assert isinstance(await anext(left), events.RequestReceived)
    assert value(figures, "controlllm_requests_running") == 1
    await left.aclose()
    assert value(figures, 'controlllm_requests_total{outcome="left"}') == 1
    assert value(figures, "controlllm_requests_running") == 0


async def test_a_watcher_that_fails_harms_no_run(written):
    class Broken:
        def begin(self, run):
            return self

        def saw(self, event):
            raise RuntimeError(SENTENCE)

        def ended(self):
            raise RuntimeError(SENTENCE)

    figures = Figures()
    assert await passed(Watching(Broken(), figures), *RUN) == list(RUN)
    assert value(figures, 'controlllm_requests_total{outcome="answered"}') == 1
    assert "RuntimeError" in written.getvalue()
    assert SENTENCE not in written.getvalue()


async def test_a_run_is_noted_with_its_id_and_without_what_it_was_about(written):
    await passed(Watching(Notes()), *RUN)
    failed, ended = map(json.loads, written.getvalue().splitlines())
    assert failed["tool"] == "crops"
    assert (ended["outcome"], ended["actions"], ended["message"]) == ("answered", 2, "A run ended.")
    assert len(ended["run"]) == 16
    assert ended["run"] == failed["run"]
    assert SENTENCE not in written.getvalue()


def test_figures_are_read_when_they_are_asked_for():
    figures, held = Figures(), {"7": 100}
    figures.read_also("worker_memory_bytes", "Memory.", lambda: held, "worker")
    figures.read_also("sessions", "Sessions.", lambda: 3)
    figures.read_also("broken", "Cannot be had.", lambda: 1 / 0)
    assert value(figures, 'controlllm_worker_memory_bytes{worker="7"}') == 100
    held["7"] = 200
    assert value(figures, 'controlllm_worker_memory_bytes{worker="7"}') == 200
    assert value(figures, "controlllm_sessions") == 3
    assert b"broken" not in figures.text()
    assert value(figures, "process_resident_memory_bytes") > 1e6


@every_case("form", ["plain", "json"])
def test_no_line_holds_what_was_put_into_it(form):
    to = io.StringIO()
    handler = logging.StreamHandler(to)
    handler.setFormatter(logs.Lines(form))
    for name in ("controlllm.tests", "tools.tests", "somebody.elses"):
        logger = logging.getLogger(name)
        logger.addHandler(handler)
        try:
            try:
                raise ValueError(SECRET)
            except ValueError as error:
                logger.exception("It failed for %s", SENTENCE, extra={"said": SECRET})
                logger.error("It failed again.", exc_info=error, extra={"tool": "crops"})
        finally:
            logger.removeHandler(handler)
    logging.getLogger("somebody.elses").addHandler(handler)
    logging.getLogger("somebody.elses").warning(f"POST {SENTENCE} {SECRET}")
    logging.getLogger("somebody.elses").removeHandler(handler)
    text = to.getvalue()
    assert len(text.splitlines()) == 7
    assert SECRET not in text
    assert SENTENCE not in text
    assert "ValueError" in text
    assert "test_no_line_holds_what_was_put_into_it" in text
    assert "crops" in text


def test_threads_of_the_engine_know_their_run():
    from controlllm.engine.pool import Pool

    found, done = [], threading.Event()
    token = logs.current_run.set("abc")
    try:
        Pool(1).submit(lambda: (found.append(logs.current_run.get()), done.set()))
    finally:
        logs.current_run.reset(token)
    assert done.wait(60)
    assert found == ["abc"]


@every_case(
    ("name", "value"),
    [("CONTROLLLM_METRICS", "all"), ("CONTROLLLM_TRACES", "collector:4318")],
)
def test_wishes_that_say_nothing_are_refused_by_name(name, value):
    with pytest.raises(ValueError, match=name):
        Wanted.from_environment({name: value})


def test_the_form_of_the_log_is_one_of_two():
    assert logs.form_from_environment({}) == "plain"
    assert logs.form_from_environment({"CONTROLLLM_LOG": "json"}) == "json"
    with pytest.raises(ValueError, match="plain or json"):
        logs.form_from_environment({"CONTROLLLM_LOG": "xml"})
