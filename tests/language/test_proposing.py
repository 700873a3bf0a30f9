"""A whole plan in one call: what the model is told, and what becomes of what it proposes."""

from __future__ import annotations

import datetime
import json
from dataclasses import replace

import pytest

from controlllm.cli.main import main
from controlllm.core.events import (
    AnswerFinished,
    LanguageModelUsed,
    PlanReady,
    RoleFellBack,
    RoleRepaired,
    RoleRetried,
)
from controlllm.core.plans import (
    Action,
    Literal,
    Plan,
    Reference,
    Request,
    Solution,
    Subtask,
    TypedValue,
)
from controlllm.core.session import Turn
from controlllm.core.state import AgentView
from controlllm.language.asking import Asker, LanguageModelFailed
from controlllm.language.proposals import read_proposal
from controlllm.language.proposing import MOST_CHARACTERS, PromptedProposer
from controlllm.language.reading import Unusable
from controlllm.language.telling import turns_before
from controlllm.planning.graph import ToolGraph
from controlllm.planning.planner import Planner
from controlllm.resources import Image, Number, Resource, Text
from controlllm.runs.planners import embedded_planner
from controlllm.runs.run_options import RunOptions
from controlllm.settings import Settings
from controlllm.toolbox import Toolbox, tool
from tests.every_case import every_case
from tests.language.conftest import Talk, endpoint, server
from tests.language.scripted_server import KEY, Said


@tool(domain="image-editing", examples=["Make it grey"])
def grayscale_image(image: Image) -> Image:
    """Turn a picture plain grey."""
    return image


@tool(domain="image-editing", examples=["Mirror it"])
def flip_image(image: Image) -> Image:
    """Flip a picture from left to right."""
    return image


@tool(domain="image-perception", examples=["How many pixels has it?"])
def count_pixels(image: Image) -> Number:
    """Count the pixels of a picture."""
    return image.width * image.height


@tool(domain="natural-language-processing", examples=["Shout this"])
def shout(text: Text) -> Text:
    """Put a text in capitals."""
    return text.upper()


TOOLBOX = Toolbox.of([grayscale_image, flip_image, count_pixels, shout])
HAND = (Resource("image", "a.jpg", details={"width": 640, "height": 480}),)
DAY = datetime.date(2026, 11, 30)


def step(number, tool, does="", **inputs):
    return {
        "step": number,
        "does": does,
        "tool": tool,
        "inputs": [{"name": name, "values": [value]} for name, value in inputs.items()],
    }


def reply(*steps, wanted=(), cannot=(), ask=""):
    return {"steps": list(steps), "wanted": list(wanted), "cannot": list(cannot), "ask": ask}


GREY = step(1, "grayscale_image", "Make it grey.", image="a.jpg")
WHOLE = Subtask(0, "as heard here", (), (), TypedValue("image", "<GEN>-0"))


class Embedded:
    """Stands for the embedded keepers: hears one part, and finds every tool a little fit."""

    def decompose(self, request):
        return (WHOLE,)

    def assess(self, subtask, tools):
        return {tool.name: 2.0 for tool in tools}


@pytest.fixture
def proposer(endpoint, told):
    return proposing(Asker(endpoint, told.append))


def proposing(asker, toolbox=TOOLBOX):
    embedded = Embedded()
    planner = Planner(ToolGraph(toolbox), embedded, embedded)
    return PromptedProposer(asker, planner, lambda: DAY)


def kinds(told):
    return [type(event) for event in told if not isinstance(event, LanguageModelUsed)]


def test_one_call_divides_the_request(server, proposer, told):
    server.says(reply(GREY, wanted=[1]))
    (subtask,) = proposer.decompose(Request("grey please", HAND, ("a.jpg",)))
    assert [action.tool for action in subtask.way] == ["grayscale_image"]
    assert subtask.description == "Make it grey."
    assert (len(server.asked), kinds(told)) == (1, [])
    data = server.data()
    assert data["today"] == "Monday, 30 November 2026"
    assert data["at_hand"] == [
        {"name": "a.jpg", "is": "image, 640x480 px; handed over with this request"}
    ]
    assert "flip_image(image: image) -> image: Flip a picture from left to right." in data["tools"]


def test_what_was_mended_is_told(server, proposer, told):
    server.says(reply(step(1, "grayscale", "Make it grey.", image="A.JPG")))
    (subtask,) = proposer.decompose(Request("grey please", HAND, ("a.jpg",)))
    assert subtask.way[0].tool == "grayscale_image"
    assert subtask.way[0].inputs == {"image": Reference("a.jpg")}
    assert kinds(told) == [RoleRepaired]
    assert "there is no tool grayscale; grayscale_image comes nearest" in told[-1].message


@every_case(
    ("first", "words"),
    [
        (Said("Sure! I would make it grey."), "no complete JSON"),
        (reply(step(1, "fax", "Fax it.", image="a.jpg")), "Step 1 (fax): there is no such tool"),
        (reply(step(1, "shout", "Shout.", text="step 4")), "Step 1 (shout): text needs text"),
    ],
    anew=(server, endpoint),
)
def test_a_broken_reply_is_asked_for_once_more_with_what_failed(server, endpoint, first, words):
    told = []
    server.says(first, reply(GREY))
    (subtask,) = proposing(Asker(endpoint, told.append)).decompose(Request("grey", HAND))
    assert subtask.way
    assert kinds(told) == [RoleRetried]
    assert words in server.asked[1]["messages"][3]["content"]


def test_where_the_second_reply_fails_too_the_embedded_planner_takes_over(
    server, endpoint, proposer, told
):
    server.says(Said("no"))
    assert proposer.decompose(Request("grey", HAND)) == (WHOLE,)
    assert proposer.proposal is None
    assert kinds(told) == [RoleRetried, RoleFellBack]
    assert "planning the request" in told[-1].message
    strict = proposing(Asker(endpoint, fall_back=False))
    with pytest.raises(LanguageModelFailed, match="allow ControlLLM to go on"):
        strict.decompose(Request("grey", HAND))


def test_what_is_sound_of_a_second_reply_is_done(server, proposer, told):
    fax = step(2, "fax", "Fax it.", image="a.jpg")
    server.says(reply(GREY, fax))
    done, left = proposer.decompose(Request("grey and fax", HAND, ("a.jpg",)))
    assert ([item.tool for item in done.way], left.way) == (["grayscale_image"], ())
    assert left.description == "Fax it."
    assert kinds(told) == [RoleRetried]


def test_the_better_of_two_replies_is_done(server, proposer):
    fax, lost = step(2, "fax", image="a.jpg"), step(1, "fax", image="a.jpg")
    flip = step(3, "flip_image", "Mirror it.", image="a.jpg")
    server.says(reply(GREY, fax, flip), reply(lost, fax, flip))
    made = proposer.decompose(Request("grey, mirror and fax", HAND, ("a.jpg",)))
    tools = [[action.tool for action in task.way] for task in made]
    assert tools == [["grayscale_image"], ["flip_image"], []]


@every_case(
    ("text",),
    [("Shorten this: " + "word " * 2_000,), ('"\n' * 2_400,)],
    anew=(server, endpoint),
)
def test_a_request_that_holds_a_long_text_stays_here(server, endpoint, text, our_toolbox):
    told = []
    proposer = proposing(Asker(endpoint, told.append), our_toolbox)
    assert proposer.decompose(Request(text)) == (WHOLE,)
    assert server.asked == []
    assert "too long" in told[-1].message


def turn(number, text, tool, source, made, **more):
    """A turn that made one picture of another."""
    action = Action(
        tool, {"image": Reference(source), "how": Literal("softly")}, TypedValue("image", "<GEN>-0")
    )
    subtask = Subtask(0, text, (), (TypedValue("image", source),), TypedValue("image", "<GEN>-0"))
    plan = Plan((subtask,), {0: (Solution((action,), 5.0),)})
    results = {"0.0.0": Resource("image", made)} if made else {}
    return Turn(number, text, (), plan, results, state="answered", **more)


def test_the_prompt_says_how_things_came_about_and_what_failed(server, proposer):
    turns = (
        turn(0, "make it grey", "grayscale_image", "a.jpg", "grey.png"),
        turn(1, "mirror it", "flip_image", "grey.png", "mirrored.png"),
        turn(2, "now draw it", "flip_image", "mirrored.png", ""),
        Turn(3, "no, the grey one", restored=("grey.png",), taken_back=("mirrored.png",)),
        Turn(4, "put them there"),
    )
    every = (*HAND, Resource("image", "grey.png"), Resource("image", "mirrored.png"))
    said = Request("put them there", every, (), turns=turns)
    server.says(reply(ask="Where?"))
    assert proposer.decompose(Request("put them there", every, as_said=said)) == ()
    assert proposer.proposal.question == "Where?"
    data = server.data()
    assert [item["is"] for item in data["at_hand"]] == [
        "image, 640x480 px; handed over before",
        "image; made by grayscale_image of a.jpg in request 1 for “make it grey”; current",
        "image; made by flip_image of grey.png in request 2 for “mirror it”; taken back",
    ]
    assert data["before"] == [
        {"number": 1, "request": "make it grey",
         "steps": ["grayscale_image(image=a.jpg, how=softly) -> grey.png"]},
        {"number": 2, "request": "mirror it",
         "steps": ["flip_image(image=grey.png, how=softly) -> mirrored.png"]},
        {"number": 3, "request": "now draw it",
         "steps": ["flip_image(image=mirrored.png, how=softly) -> failed, no result"]},
        {"number": 4, "request": "no, the grey one", "went_back_to": ["grey.png"]},
    ]  # fmt: skip


def test_words_that_an_agent_may_have_out_of_a_file_are_not_told():
    made = turn(0, "make it grey", "grayscale_image", "a.jpg", "grey.png")
    acted = replace(made, agents={0: AgentView("router")})
    softly = replace(acted, text="make it grey, Softly")
    told = [turns_before(Request("x", turns=(one, one)), 900) for one in (made, acted, softly)]
    assert [one[0]["steps"][0].split(" -> ")[0] for one in told] == [
        "grayscale_image(image=a.jpg, how=softly)",
        "grayscale_image(image=a.jpg, how=…)",
        "grayscale_image(image=a.jpg, how=softly)",
    ]


def test_a_prompt_with_all_our_tools_is_small(server, endpoint, our_toolbox):
    """However much there is to tell: sixty files, a long conversation and a long request."""
    proposer = proposing(Asker(endpoint), our_toolbox)
    files = tuple(Resource("image", f"holiday picture number {n}.jpg") for n in range(60))
    turns = tuple(
        turn(n, "make it a little softer " * 9, "style_transfer", files[n].value, f"soft {n}.png")
        for n in range(9)
    )
    said = Request("Brighten them. " * 300, files, (), turns=(*turns, Turn(9, "Brighten them")))
    server.says(reply())
    proposer.decompose(Request("x", files, as_said=said))
    asked = server.asked[0]
    characters = sum(len(item["content"]) for item in asked["messages"])
    characters += len(json.dumps(asked["response_format"]["json_schema"]["schema"]))
    assert characters <= MOST_CHARACTERS < 4 * 4_000
    assert len(server.data()["tools"]) >= 20
    short = Request("Brighten it", files[:1], (files[0].value,))
    proposer.decompose(short)
    assert len(server.data()["tools"]) >= 40
    full = next(line for line in server.data()["tools"] if "the picture" in line)
    assert " -> " in full


@pytest.fixture(scope="module")
def our_toolbox():
    from controlllm.sources.loading import load_toolbox

    return load_toolbox((), None)


@every_case(
    ("data", "problem"),
    [
        ("steps", "Expected a JSON object"),
        ({"steps": ["grey"], "wanted": []}, "list of objects"),
        ({"steps": [{"step": 1, "inputs": []}]}, 'has no "tool"'),
        ({"steps": [{"step": 1, "tool": "grey", "inputs": ["a.jpg"]}]}, '"name"'),
        ({"steps": [{"step": 1, "tool": "a"}, {"step": 1, "tool": "b"}]}, "number of its own"),
        ({"steps": [{"step": n, "tool": "a"} for n in range(90)]}, "90 steps"),
    ],
)
def test_a_reply_of_another_form_is_refused(data, problem):
    with pytest.raises(Unusable, match=problem):
        read_proposal(data, ("a.jpg",))


def test_what_a_reply_says_with_no_words_says_nothing():
    told = ["", {"what": "", "why": " "}, None, "Print it.", {"why": "No printer."}]
    data = {"steps": [{"step": "9" * 5_000, "tool": "a"}], "cannot": told}
    proposal = read_proposal(data, ()).value
    assert [(item.what, item.why) for item in proposal.refused] == [
        ("Print it.", ""), ("No printer.", "No printer."),
    ]  # fmt: skip
    assert proposal.steps[0].number == 1


def test_inputs_may_be_a_plain_object_and_numbers():
    inputs = {"image": "the result of step 1", "width": 800, "sharp": True, "of": ["a.jpg", "b"]}
    read = read_proposal([{"tool": "x", "inputs": inputs}], ("a.jpg",)).value
    assert read.steps[0].inputs == {
        "image": (Reference("<GEN>-1"),),
        "width": (Literal("800"),),
        "sharp": (Literal("true"),),
        "of": (Reference("a.jpg"), Literal("b")),
    }


class World(Talk):
    async def ask(self, text, *said, attached=True, asks=False):
        before = len(self.server.asked)
        if said:
            self.server.says(*said)
        settings = Settings(self.server.base_url, KEY, "m", answer_with_model=False)
        files = [self.value] if attached else []
        stream = self.assistant.answer(self.id, text, files, RunOptions(settings, asks=asks))
        events = [event async for event in stream]
        self.calls = len(self.server.asked) - before
        assert isinstance(events[-1], AnswerFinished)
        return events

    def turn(self):
        return self.assistant.open_session(self.id).turns[-1]


@pytest.fixture(scope="module")
def planner():
    return embedded_planner(TOOLBOX)


@pytest.fixture
def world(tmp_path, planner, server):
    return World(tmp_path, planner, server, "a.jpg")


def plan_of(events):
    return next(event.plan for event in events if isinstance(event, PlanReady))


async def test_a_conversation_takes_a_call_a_turn(world):
    grey = step(1, "grayscale_image", "Make it grey.", image=world.value)
    counted = step(2, "count_pixels", "Count the pixels.", image="step 1")
    said = reply(grey, counted, wanted=[1, 2])
    events = await world.ask("grey, please, and count its pixels", said)
    assert world.calls == 1
    assert [item.type for item in events[-1].resources] == ["image", "number"]
    first = events[-1].resources[0].value
    flipped = step(1, "flip_image", "Mirror it.", image=first)
    events = await world.ask("and the other way round", reply(flipped), attached=False)
    assert world.calls == 1
    second = events[-1].resources[0].value
    # To go back is a step that needs no tool.
    back = step(1, "go_back", "Go back.", to=first)
    await world.ask("hm, I was happier with what we had", reply(back), attached=False)
    assert (world.turn().restored, world.turn().taken_back) == ((first,), (second,))
    assert world.turn().plan is None
    # So it is where something else is done with what was gone back to.
    again = step(2, "flip_image", "Mirror it.", image="step 1")
    back = step(1, "go_back", "Go back to the start.", to=world.value)
    events = await world.ask("from the very start, flipped", reply(back, again), attached=False)
    assert world.turn().restored == (world.value,)
    assert plan_of(events).solution(0).actions[0].inputs["image"] == Reference(world.value)


async def test_a_question_is_the_answer_and_the_next_turn_is_told_of_it(world):
    events = await world.ask("do the thing", reply(ask="Which thing do you mean?"))
    assert events[-1].text == "Which thing do you mean?"
    assert world.turn().state == "answered"
    await world.ask("the grey one", reply(), attached=False)
    assert world.server.data()["before"] == [
        {"number": 1, "request": "do the thing", "answered": "Which thing do you mean?"}
    ]


async def test_a_question_waits_only_where_somebody_can_be_asked(world):
    grey = step(1, "grayscale_image", "Make it grey.", image=world.value)
    said = reply(grey, ask="Grey or sepia?")
    events = await world.ask("make it old", said, asks=True)
    assert events[-1].text == "Grey or sepia?"
    events = await world.ask("make it old", said)
    assert [item.type for item in events[-1].resources] == ["image"]


async def test_what_cannot_be_done_is_said_with_its_reason(world):
    refusal = {"what": "Print it.", "why": "There is no printer here."}
    events = await world.ask("print it", reply(cannot=[refusal]))
    assert "This cannot be done here: There is no printer here." in events[-1].text


async def test_a_plan_of_many_steps_is_not_a_text_without_an_instruction(world):
    steps = [step(n, "flip_image", f"Mirror it, {n}.", image=world.value) for n in range(1, 31)]
    await world.ask("mirror it thirty times", reply(*steps))
    assert len(world.turn().results) == 30


def test_the_command_line_tells_what_is_asked_first(server, monkeypatch, capsys):
    monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.delenv("CONTROLLLM_VARIANT", raising=False)
    grey = step(1, "grayscale_image", "Make it grey.", image="photo.png")
    server.says(reply(grey, ask="All of it?"))
    assert main(["plan", "Make it old", "photo.png", "--json"]) == 0
    printed = capsys.readouterr()
    line = json.loads(printed.out)
    assert line["subtasks"][0]["solutions"][0]["actions"][0]["tool"] == "grayscale_image"
    assert line["search"]["llm_calls"] == 1
    assert "All of it?" in printed.err
