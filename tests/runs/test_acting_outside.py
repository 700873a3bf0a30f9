"""What cannot be taken back is done after a yes of the person, or where a setting allows it."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from controlllm.cli.terminal import choice_of
from controlllm.core.costs import SearchCost
from controlllm.core.events import ActionFinished, Doubt
from controlllm.core.plans import (
    Action,
    Literal,
    Solution,
    Subtask,
    TypedValue,
    generated,
)
from controlllm.core.questions import Question
from controlllm.resources import Text
from controlllm.runs.assistant import Assistant
from controlllm.runs.run_options import RunOptions
from controlllm.settings import Settings
from controlllm.store import Store
from controlllm.toolbox import Toolbox, tool
from tests.every_case import every_case

SENT: list[str] = []


@tool(domain="general", examples=["Send a letter"], acts_outside=True)
def send_letter(text: Text) -> Text:
    """Send a letter."""
    SENT.append(text)
    return "sent"


class Planner:
    """Plans the one way there is to what each word of a request stands for."""

    def __init__(self, toolbox):
        self.graph = SimpleNamespace(toolbox=toolbox)

    def with_parts(self, **parts):
        return self

    def decompose(self, request):
        return tuple(
            Subtask(number, f"Send {word}", ("general",), (), TypedValue("text", generated(number)))
            for number, word in enumerate(request.text.split()[1:])
        )

    def solve(self, subtasks, request):
        for subtask, word in zip(subtasks, request.text.split()[1:], strict=True):
            send = Action("send_letter", {"text": Literal(word)}, subtask.returns)
            yield SimpleNamespace(
                subtask=subtask,
                solutions=(Solution((send,), 5.0),),
                search=SearchCost("none"),
                message="",
            )


@pytest.fixture
def world(tmp_path):
    SENT.clear()

    def opened(**settings):
        toolbox = Toolbox.of([send_letter])
        store = Store(tmp_path / "home")
        return Assistant(toolbox, store, Settings(**settings), Planner(toolbox))

    return opened


async def all_of(stream):
    return [event async for event in stream]


async def test_the_answer_is_kept_and_outlives_the_program(world):
    assistant = world()
    session = assistant.open_session(None).id
    events = await all_of(
        assistant.answer(session, "Send thanks regrets", options=RunOptions(asks=True))
    )
    asked = [event.question for event in events if isinstance(event, Doubt)]
    assert [question.choices for question in asked] == [("Do it", "Leave it out")] * 2
    assert SENT == [] and "choice above" in events[-1].text
    assistant = world()
    assert assistant.open_session(session).turns[0].questions == tuple(asked)
    events = await all_of(assistant.choose(session, 0, 0, 0))
    assert SENT == ["thanks"]
    turn = assistant.open_session(session).turns[0]
    assert turn.questions == (asked[1],) and turn.chosen == {asked[0].call: (0,)}
    assistant = world()
    events = await all_of(assistant.choose(session, 0, 0, 1))
    assert "You left this out" in events[-1].text and SENT == ["thanks"]
    assert not any(isinstance(event, Doubt) for event in events)
    # What was asked in one request says nothing about the next.
    events = await all_of(assistant.answer(session, "Send thanks", options=RunOptions(asks=True)))
    assert any(isinstance(event, Doubt) for event in events) and SENT == ["thanks"]


async def test_going_on_asks_again_what_was_not_answered(world):
    assistant = world(acting="allow")
    session = assistant.open_session(None).id
    await all_of(assistant.answer(session, "Send thanks", options=RunOptions(asks=True)))
    events = await all_of(assistant.resume(session, 0, RunOptions(asks=True)))
    assert any(isinstance(event, Doubt) for event in events) and SENT == []


@every_case(("acting", "sent"), [("ask", []), ("allow", ["thanks"])], anew=(world,))
async def test_where_nobody_can_be_asked(world, acting, sent):
    assistant = world(acting=acting)
    session = assistant.open_session(None).id
    events = await all_of(assistant.answer(session, "Send thanks"))
    assert sent == SENT and any(isinstance(event, ActionFinished) for event in events) == bool(sent)
    assert ("nobody here to ask" in events[-1].text) == (not sent)


def test_the_setting_has_two_values():
    assert Settings.from_environment({}).acting == "ask"
    assert Settings.from_environment({"CONTROLLLM_ACT_OUTSIDE": "allow"}).acting == "allow"
    with pytest.raises(ValueError, match="Acting outside cannot be set to 'yes'"):
        Settings.from_environment({"CONTROLLLM_ACT_OUTSIDE": "yes"})


@every_case(
    ("typed", "chosen"), [(["2"], (0, 1)), (["3", "x", "1"], (0, 0)), ([""], None), ([], None)]
)
def test_a_person_at_a_terminal_types_a_number(typed, chosen):
    said, answers = [], iter(typed)

    def answer(prompt):
        try:
            return next(answers)
        except StopIteration:
            raise EOFError from None

    question = Question("May it?", 0, ("Do it", "Leave it out"), call="x")
    assert choice_of((question,), said.append, answer) == chosen
    assert said[:3] == ["May it?", "  1. Do it", "  2. Leave it out"]
    assert choice_of((), said.append, answer) is None
