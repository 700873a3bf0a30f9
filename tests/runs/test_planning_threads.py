"""Planning has few threads of its own, and who stops a request gives them back."""

from __future__ import annotations

import asyncio
import threading

import pytest

from controlllm.core.events import (
    TERMINAL,
    AnswerFinished,
    Loading,
    RequestCancelled,
    RequestFailed,
    SubtasksReady,
)
from controlllm.core.plans import Request
from controlllm.resources import Number, Text
from controlllm.runs.assistant import Assistant
from controlllm.runs.planners import embedded_planner
from controlllm.runs.run_options import RunOptions
from controlllm.store import Store
from controlllm.toolbox import Toolbox, tool

LONG = "word " * 4_000


@tool(domain="natural-language-processing", examples=["Count the words", "How long is it?"])
def count_words(text: Text) -> Number:
    """Count the words of a text."""
    return len(text.split())


class Reads:
    """Reads requests as the planner does; those that are long only when the test lets it."""

    def __init__(self, decomposer):
        self.decomposer = decomposer
        self.let = threading.Event()
        self.begun = threading.Semaphore(0)
        self.texts = []

    def decompose(self, request):
        self.texts.append(request.text)
        if len(request.text) > 1000:
            self.begun.release()
            assert self.let.wait(60)
        return self.decomposer.decompose(request)


@pytest.fixture(scope="module")
def planner():
    return embedded_planner(Toolbox.of([count_words]))


@pytest.fixture
def world(tmp_path, planner):
    reads = Reads(planner.decomposer)
    slow = planner.with_parts(decomposer=reads)
    assistant = Assistant(Toolbox.of([count_words]), Store(tmp_path / "home"), planner=slow)
    yield assistant, reads
    reads.let.set()
    assistant.store.close()


async def stopped(assistant, cancelled):
    """The last event of a long request that is stopped."""
    session = assistant.open_session(None)
    events = assistant.answer(session.id, LONG, options=RunOptions(cancelled=cancelled))
    return [event async for event in events][-1]


async def test_eight_long_texts_that_were_stopped_leave_the_others_their_turn(world):
    assistant, reads = world
    flags = [threading.Event() for _ in range(8)]
    asked = [asyncio.create_task(stopped(assistant, flag)) for flag in flags]
    for _ in range(2):
        await asyncio.to_thread(reads.begun.acquire)
    # As many as are planned at once are being read, the others wait.
    assert len(reads.texts) == 2
    for flag in flags:
        flag.set()
    # All end at once, also those whose text is being read.
    assert {type(event) for event in await asyncio.gather(*asked)} == {RequestCancelled}
    assert not reads.let.is_set()
    begun = asyncio.Event()
    light = asyncio.create_task(last_of(assistant, "What is the weather like?", begun))
    await begun.wait()
    reads.let.set()
    assert isinstance(await light, RequestFailed | AnswerFinished)
    # None of those that waited was read after all.
    assert [len(text) > 1000 for text in reads.texts] == [True, True, False]


async def last_of(assistant, text, begun):
    """The last event of a request; `begun` is set with the first."""
    session = assistant.open_session(None)
    told = []
    async for event in assistant.answer(session.id, text):
        told.append(event)
        begun.set()
    return told[-1]


async def test_what_was_stopped_while_it_was_read_is_not_searched_for(world, monkeypatch):
    assistant, reads = world
    flag = threading.Event()
    asked = asyncio.create_task(stopped(assistant, flag))
    await asyncio.to_thread(reads.begun.acquire)
    searched = []
    monkeypatch.setattr(
        type(assistant.tools.planner_for(Request(""))), "solve", lambda *_: searched.append(1)
    )
    flag.set()
    assert isinstance(await asked, RequestCancelled)
    reads.let.set()
    await last_of_threads(assistant)
    assert not searched


async def last_of_threads(assistant):
    """Wait until the planning threads have nothing to do: each of them meets the others."""
    loop, threads = asyncio.get_running_loop(), assistant._planning._max_workers
    meeting = threading.Barrier(threads)
    await asyncio.gather(
        *(loop.run_in_executor(assistant._planning, meeting.wait, 60) for _ in range(threads))
    )


async def test_a_request_that_comes_before_the_planner_is_loaded_waits_and_says_so(world):
    assistant, reads = world
    loading = threading.Event()
    reads.decompose = lambda request: (loading.set(), reads.let.wait(60))
    warming = threading.Thread(target=assistant.tools.warm_up)
    warming.start()
    await asyncio.to_thread(loading.wait)
    assert not assistant.tools.is_warm()
    session = assistant.open_session(None)
    events = assistant.answer(session.id, "What is the weather like?")
    told = []
    async for event in events:
        told.append(event)
        if isinstance(event, Loading):
            reads.decompose = reads.decomposer.decompose
            reads.let.set()
    assert [type(event) for event in told].index(Loading) == 1
    assert isinstance(told[-1], TERMINAL)
    assert any(isinstance(event, SubtasksReady) for event in told)
    warming.join()
    assert assistant.tools.is_warm()


async def test_a_request_can_be_stopped_while_it_waits_for_the_planner(world):
    assistant, reads = world
    loading, flag = threading.Event(), threading.Event()
    reads.decompose = lambda request: (loading.set(), reads.let.wait(60))
    warming = threading.Thread(target=assistant.tools.warm_up)
    warming.start()
    await asyncio.to_thread(loading.wait)
    session = assistant.open_session(None)
    told = []
    async for event in assistant.answer(
        session.id, "Describe it", options=RunOptions(cancelled=flag)
    ):
        told.append(event)
        if isinstance(event, Loading):
            flag.set()
    assert isinstance(told[-1], RequestCancelled)
    reads.let.set()
    warming.join()
