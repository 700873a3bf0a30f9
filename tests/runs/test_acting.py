"""Requests that an agent works on: as asked, beside the ways found, or where a plan fails."""

from __future__ import annotations

import asyncio
import io
import threading

import pytest

from controlllm.agents.choosing import agent_of
from controlllm.agents.roles import Decision, Outcome, Taken
from controlllm.cli.terminal import show_events
from controlllm.core.events import (
    ActionFailed,
    ActionFinished,
    ActionStarted,
    AgentActed,
    AnswerFinished,
    PlanReady,
    RequestCancelled,
    SolutionSwitched,
)
from controlllm.core.plans import (
    Action,
    Literal,
    Plan,
    Reference,
    Solution,
    Subtask,
    TypedValue,
    generated,
)
from controlllm.core.state import AgentView, Result, State
from controlllm.engine.compile import compile_plan
from controlllm.resources import Tags, Text, Title
from controlllm.runs.agent_run import in_words
from controlllm.runs.assistant import Assistant
from controlllm.runs.run_options import RunOptions
from controlllm.runs.turn_recorder import keep_planned
from controlllm.settings import Settings
from controlllm.store import Store
from controlllm.toolbox import Code, Toolbox, ToolError, tool
from tests.every_case import every_case

#: Which of the almanacs answer, and what was asked of them.
ANSWERING: set[int] = set()
ASKED: list[int] = []
WAIT = threading.Event()


def _almanac(number: int):
    def almanac(country: Text) -> Text:
        return told(number, country)

    almanac.__name__ = f"capital_almanac_{number}"
    almanac.__doc__ = f"Tell the capital city of a country, by almanac number {number}."
    return tool(domain="public-api", examples=["What is the capital of Norway?"])(almanac)


def told(number: int, country: str) -> str:
    ASKED.append(number)
    WAIT.wait(600)
    if number not in ANSWERING:
        raise ToolError(f"Almanac {number} is closed today.", Code.NOT_FOUND)
    return f"The capital of {country} is Oslo."


@tool(domain="natural-language-processing", examples=["Write this in capital letters."])
def in_capitals(text: Text) -> Text:
    """Write a text in capital letters."""
    return text.upper()


@pytest.fixture
def assistant(tmp_path):
    ANSWERING.clear()
    ASKED.clear()
    WAIT.set()
    toolbox = Toolbox.of([*map(_almanac, range(8)), in_capitals])
    return Assistant(toolbox, Store(tmp_path))


def events_of(stream):
    async def all_of():
        return [event async for event in stream]

    return asyncio.run(all_of())


def kinds(events, *wanted):
    return [event for event in events if isinstance(event, wanted)]


QUESTION = "What is the capital of Norway?"


def test_an_agent_takes_over_where_every_way_of_a_plan_has_failed(assistant):
    session = assistant.store.new_session()
    planned = (
        assistant.tools.planner_for(_request(QUESTION)).plan(_request(QUESTION))[0].solutions[0]
    )
    in_plan = {int(way.tools[-1].rsplit("_", 1)[1]) for way in planned}
    others = set(range(8)) - in_plan
    ANSWERING.update(others)
    events = events_of(assistant.answer(session.id, QUESTION))
    answer = events[-1]
    assert isinstance(answer, AnswerFinished)
    assert "Oslo" in answer.text
    assert {event.tool for event in kinds(events, ActionFailed)} >= {
        way.tools[-1] for way in planned
    }
    first = kinds(events, AgentActed)[0].view.state
    assert {failure.tool for failure in first.failures} == {way.tools[-1] for way in planned}
    assert all("closed today" in failure.reason for failure in first.failures)
    turn = assistant.store.load(session.id).turns[0]
    (found,) = turn.plan.solution(0).tools
    assert found in {f"capital_almanac_{other}" for other in others}
    assert turn.acting == ()
    assert len(ASKED) == len(set(ASKED))


def test_without_the_setting_no_agent_takes_over(assistant):
    session = assistant.store.new_session()
    events = events_of(
        assistant.answer(session.id, QUESTION, options=RunOptions(Settings(act_when_stuck=False)))
    )
    assert not kinds(events, AgentActed)
    assert "closed today" in events[-1].text


def test_what_an_agent_finds_is_what_later_parts_work_on(assistant):
    session = assistant.store.new_session()
    request = f"{QUESTION} Then write it in capital letters."
    plan = assistant.tools.planner_for(_request(request)).plan(_request(request))[0]
    assert len(plan.subtasks) == 2
    in_plan = {int(way.tools[-1].rsplit("_", 1)[1]) for way in plan.solutions[0]}
    ANSWERING.update(set(range(8)) - in_plan)
    events = events_of(assistant.answer(session.id, request))
    assert "OSLO" in events[-1].text
    made = [event.tool for event in kinds(events, ActionFinished)]
    assert made[-1] == "in_capitals"


def test_a_request_is_worked_on_step_by_step_where_the_person_wants_that(assistant):
    ANSWERING.update(range(8))
    session = assistant.store.new_session()
    events = events_of(
        assistant.answer(session.id, QUESTION, options=RunOptions(Settings(manner="act")))
    )
    assert "Oslo" in events[-1].text
    assert len(ASKED) == 1
    last = kinds(events, AgentActed)[-1].view
    assert last.answer and last.way == 0 and last.spent.steps >= 1
    stored = assistant.store.load(session.id).turns[0]
    assert (stored.agents[0].answer, stored.agents[0].state) == (last.answer, last.state)
    assert stored.answer == events[-1].text
    assert [resource.type for resource in events[-1].resources] == ["text"]


def test_acting_is_a_choice_beside_the_ways_found_and_repeats_no_call(assistant):
    ANSWERING.update(range(8))
    session = assistant.store.new_session()
    events_of(assistant.answer(session.id, QUESTION))
    before = len(ASKED)
    events = events_of(assistant.act(session.id, 0, 0))
    assert isinstance(events[-1], AnswerFinished)
    chosen = kinds(events, SolutionSwitched)[-1]
    assert chosen.plan.solution(0).tools == (kinds(events, ActionFinished)[-1].tool,)
    assert len(ASKED) - before <= 1
    with pytest.raises(IndexError):
        events_of(assistant.act(session.id, 0, 7))


def test_where_nothing_answers_the_person_hears_why(assistant):
    session = assistant.store.new_session()
    events = events_of(assistant.answer(session.id, QUESTION))
    assert isinstance(events[-1], AnswerFinished)
    # More was tried than the plan knew, and nothing twice.
    turn = assistant.store.load(session.id).turns[0]
    assert len(ASKED) == len(set(ASKED)) > len(turn.plan.solutions[0])
    assert turn.agents[0].way == -1
    assert {failure.tool for failure in turn.agents[0].state.failures} == {
        f"capital_almanac_{number}" for number in ASKED
    }
    assert "did not work" in events[-1].text or "closed" in events[-1].text, events[-1].text


def test_an_agent_is_stopped_in_the_middle_and_goes_on(assistant):
    ANSWERING.update(range(8))
    session = assistant.store.new_session()
    WAIT.clear()
    stop = threading.Event()

    async def stopped():
        found = []
        stream = assistant.answer(
            session.id, QUESTION, options=RunOptions(Settings(manner="act"), cancelled=stop)
        )
        async for event in stream:
            found.append(event)
            if isinstance(event, AgentActed) and event.view.tool:
                stop.set()
        return found

    events = asyncio.run(stopped())
    assert isinstance(events[-1], RequestCancelled)
    WAIT.set()
    again = events_of(assistant.resume(session.id, 0, RunOptions(Settings(manner="act"))))
    assert "Oslo" in again[-1].text


def test_a_step_is_skipped_and_the_agent_goes_on(assistant):
    ANSWERING.update(range(8))
    session = assistant.store.new_session()
    WAIT.clear()

    async def skipped():
        found = []
        stream = assistant.answer(session.id, QUESTION, options=RunOptions(Settings(manner="act")))
        async for event in stream:
            found.append(event)
            if isinstance(event, ActionStarted) and not kinds(found, ActionFailed):
                assert assistant.skip_step(session.id, 0)
            # The almanac answers only after its step was ended.
            if isinstance(event, ActionFailed):
                WAIT.set()
        return found

    events = asyncio.run(skipped())
    first = kinds(events, ActionFailed)[0]
    assert first.tool == kinds(events, ActionStarted)[0].tool
    assert "person ended this step" in first.message
    assert "Oslo" in events[-1].text
    assert kinds(events, ActionFinished)[0].tool != first.tool
    assert not assistant.skip_step(session.id, 0)


@tool(domain="general", examples=["Ring the bell of the tower."], acts_outside=True)
def ring_the_bell(text: Text) -> Text:
    """Ring the bell of the tower."""
    ASKED.append(0)
    raise ConnectionError


def test_nobody_brings_about_in_another_way_what_may_have_happened(tmp_path):
    ASKED.clear()
    assistant = Assistant(Toolbox.of([ring_the_bell, in_capitals]), Store(tmp_path))
    session = assistant.store.new_session()
    events = events_of(
        assistant.answer(
            session.id,
            "Ring the bell of the tower.",
            options=RunOptions(Settings(acting="allow")),
        )
    )
    assert "not known whether" in events[-1].text
    assert not kinds(events, AgentActed)
    assert len(ASKED) == 1


@tool(domain="natural-language-processing", examples=["Head this text"])
def heads(text: Text) -> Title:
    """Put a heading over a text."""
    return text.split()[0]


@tool(domain="natural-language-processing", examples=["Praise this heading"])
def praises(title: Title) -> Tags:
    """Praise a heading."""
    raise ToolError("There is nothing to praise in it.", Code.NOT_FOUND)


@tool(domain="natural-language-processing", examples=["Shorten this text"])
def shortens(text: Text) -> Text:
    """Shorten a text."""
    raise ToolError("How short shall it be? Say a number of words.")


def test_what_a_tool_says_is_not_followed_by_what_nobody_asked(tmp_path):
    store = Store(tmp_path)
    ASKED.clear()
    ANSWERING.update(range(8))
    assistant = Assistant(Toolbox.of([shortens, *map(_almanac, range(8))]), store)
    session, wanted = store.new_session(), TypedValue("text", generated(0))
    way = Solution((Action("shortens", {"text": Literal("Spring in Oslo is here")}, wanted),), 5.0)
    plan = Plan((Subtask(0, "Shorten it", (), (), wanted),), {0: (way,)})
    number = keep_planned(store, session.id, plan, "Shorten it", assistant.settings.mark)
    events = events_of(assistant.resume(session.id, number))
    assert not kinds(events, AgentActed) and not ASKED
    assert "How short shall it be?" in events[-1].text
    store.close()


def test_what_failed_in_a_plan_is_told_by_the_names_of_what_it_was_given(tmp_path):
    store = Store(tmp_path)
    assistant = Assistant(Toolbox.of([heads, praises]), store)
    session = store.new_session()
    made, wanted = TypedValue("title", generated(0, 1)), TypedValue("tags", generated(0))
    way = Solution(
        (
            Action("heads", {"text": Literal("Spring is here")}, made),
            Action("praises", {"title": Reference(made.value)}, wanted),
        ),
        5.0,
    )
    plan = Plan((Subtask(0, "Praise it", (), (), wanted),), {0: (way,)})
    number = keep_planned(store, session.id, plan, "Praise it", assistant.settings.mark)
    events = events_of(assistant.resume(session.id, number))
    known = {resource.value for resource in store.load(session.id).resources}
    (failure,) = kinds(events, AgentActed)[0].view.state.failures
    assert failure.tool == "praises" and failure.arguments["title"] in known
    store.close()


def _request(text):
    from controlllm.core.plans import Request

    return Request(text)


@every_case("agent", ["react", "dfsdt"], anew=(assistant,))
def test_the_person_chooses_the_agent(assistant, agent):
    ANSWERING.update(range(8))
    session = assistant.store.new_session()
    request = f"{QUESTION} Then write it in capital letters."
    settings = Settings(manner="act", agent=agent)
    events = events_of(assistant.answer(session.id, request, options=RunOptions(settings)))
    # What one call of a branch has made, the next can work on.
    assert "THE CAPITAL OF NORWAY IS OSLO" in events[-1].text
    views = [event.view for event in kinds(events, AgentActed)]
    assert {view.agent for view in views} == {agent}
    assert views[-1].way == 0 and views[-1].state.results
    stored = assistant.store.load(session.id).turns[0]
    assert stored.plan.solution(0).tools[-1] == "in_capitals"
    assert stored.agents[0].agent == agent


@every_case("divides", [False, True], anew=(assistant,))
def test_an_agent_is_told_the_parts_of_its_task_where_the_person_wants_that(
    assistant, monkeypatch, divides
):
    ANSWERING.update(range(8))
    told = []

    def known_agent(*given):
        work = agent_of(*given)

        def noted(task, *more):
            told.append(task.subtasks)
            return work(task, *more)

        return noted

    monkeypatch.setattr("controlllm.runs.assistant.agent_of", known_agent)
    session = assistant.store.new_session()
    settings = Settings(manner="act", divide_first=divides)
    request = f"{QUESTION} Then write it in capital letters."
    events = events_of(assistant.answer(session.id, request, options=RunOptions(settings)))
    assert "OSLO" in events[-1].text
    (parts,) = told
    assert [len(parts), bool(parts)] == ([2, True] if divides else [0, False])


def test_what_was_found_is_told_in_words():
    found = "days[0].max_temp = 21; days[0].rain = false; days[1].max_temp = 19; city = Oslo"
    view = AgentView("sum2act", State((Result(found, "text-1", 1), Result("It rains.", "", 2))))
    told = [result.finding for result in in_words(view).state.results]
    assert told == [
        "Max temp: 21, rain: no; max temp: 19; city: Oslo.",
        "It rains.",
    ]
    raw = AgentView("react", State((Result('{"rows": [{"name": "Oslo", "id": 7}]}', "", 1),)))
    assert in_words(raw).state.results[0].finding == "Name: Oslo, id: 7."


@tool(domain="natural-language-processing", examples=["What is the feeling of this text?"])
def tells_feeling(text: Text) -> Text:
    """Tell the feeling of a text."""
    return "The feeling is neutral."


def _scripted(monkeypatch, *calls, wanted):
    """Have an agent that makes these calls, each with what a call before made by its number; it
    ends with the result of the one that is wanted."""

    def act(task, environment, tell, cancelled):
        made, steps = [], []
        for name, given in calls:
            value = made[given] if isinstance(given, int) else given
            decision = Decision("", name, {"text": value})
            seen = environment.step(name, decision.arguments)
            assert seen.resource is not None, seen.text
            steps.append(Taken(decision, seen))
            made.append(seen.resource.value)
        view = AgentView("sum2act")
        return Outcome("Done.", made[wanted], tuple(steps), tuple(steps), view)

    monkeypatch.setattr("controlllm.runs.assistant.agent_of", lambda *given: act)


@every_case(
    ("calls", "wanted", "tools"),
    [
        # The same comes out of another text, and of what came out itself.
        ((("tells_feeling", "A"), ("tells_feeling", "B")), 1, ["tells_feeling"]),
        ((("tells_feeling", "A"), ("tells_feeling", 0)), 1, ["tells_feeling"]),
        (
            (("tells_feeling", "A"), ("in_capitals", 0), ("tells_feeling", 1)),
            2,
            ["tells_feeling"],
        ),
        (
            (("tells_feeling", "A"), ("in_capitals", 0), ("tells_feeling", 1)),
            1,
            ["tells_feeling", "in_capitals"],
        ),
        # What went on from the result that was wanted is none of the way to it.
        ((("in_capitals", "a"), ("tells_feeling", 0)), 0, ["in_capitals"]),
        (
            (("tells_feeling", "A"), ("in_capitals", "b"), ("in_capitals", 0)),
            0,
            ["in_capitals", "tells_feeling"],
        ),
    ],
)
def test_a_way_works_though_the_same_came_out_twice(tmp_path, monkeypatch, calls, wanted, tools):
    _scripted(monkeypatch, *calls, wanted=wanted)
    store = Store(tmp_path)
    assistant = Assistant(Toolbox.of([tells_feeling, in_capitals]), store)
    session = store.new_session()
    asked = "Tell me how this feels."
    events = events_of(
        assistant.answer(session.id, asked, options=RunOptions(Settings(manner="act")))
    )
    assert isinstance(events[-1], AnswerFinished)
    plan = kinds(events, SolutionSwitched)[-1].plan
    (way,) = plan.solutions[0]
    assert [action.tool for action in way.actions] == tools
    made: set[str] = set()
    for action in way.actions:
        assert set(action.references()) <= made
        made.add(action.output.value)
    nodes = compile_plan(plan, assistant.toolbox, {}).nodes.values()
    assert not [node.problem for node in nodes if node.problem]
    assert not kinds(events, ActionFailed)
    store.close()


def test_what_was_there_before_is_what_a_step_was_given(tmp_path, monkeypatch):
    store = Store(tmp_path)
    assistant = Assistant(Toolbox.of([tells_feeling, in_capitals]), store)
    session = store.new_session()
    settings = Settings(manner="act")
    _scripted(monkeypatch, ("tells_feeling", "A"), wanted=0)
    first = events_of(
        assistant.answer(session.id, "How does this feel?", options=RunOptions(settings))
    )
    (earlier,) = first[-1].resources
    _scripted(monkeypatch, ("tells_feeling", earlier.value), wanted=0)
    again = events_of(assistant.answer(session.id, "And that?", options=RunOptions(settings)))
    (action,) = kinds(again, SolutionSwitched)[-1].plan.solution(0).actions
    assert list(action.references()) == [earlier.value]
    assert again[-1].resources == (earlier,)
    assert not kinds(again, ActionFailed)
    store.close()


@every_case(("answers", "said"), [(True, True), (False, False)], anew=(assistant,))
def test_what_an_agent_gave_up_is_not_answered_for_a_program(assistant, answers, said):
    if answers:
        ANSWERING.update(range(8))
    session = assistant.store.new_session()
    events = assistant.answer(session.id, QUESTION, options=RunOptions(Settings(manner="act")))
    shown = asyncio.run(show_events(events, io.StringIO(), as_json=True))
    assert shown.answered is said


@every_case(("answer", "said"), [("It is Oslo.", True), ("", False)])
def test_an_agent_may_answer_in_words_alone(answer, said):
    async def events():
        yield PlanReady(Plan((), {}))
        yield AgentActed(0, AgentView("sum2act"))
        yield AgentActed(0, AgentView("sum2act", answer=answer))
        yield AnswerFinished("It is Oslo.")

    shown = asyncio.run(show_events(events(), io.StringIO(), as_json=True))
    assert shown.answered is said
