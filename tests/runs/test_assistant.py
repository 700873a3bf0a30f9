"""The whole stream, from words to answer, with a few small tools."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import PIL.Image
import pytest

from controlllm.core.events import (
    TERMINAL,
    ActionFailed,
    ActionFinished,
    ActionProgress,
    ActionStarted,
    AnswerFinished,
    AnswerToken,
    Notice,
    PlanReady,
    RequestCancelled,
    RequestFailed,
    RequestReceived,
    SolutionsReady,
    SolutionSwitched,
    SubtasksReady,
)
from controlllm.core.plans import Request
from controlllm.core.session import Turn
from controlllm.resources import BadInput, Box, Boxes, ClickedPoint, Edge, Image, Number, Text
from controlllm.runs.assistant import Assistant
from controlllm.runs.recovery import MOST_RESTARTS
from controlllm.runs.run_options import RunOptions
from controlllm.settings import Settings
from controlllm.store import Store, StoreError
from controlllm.store.handed_over import add_file, add_points, set_type
from controlllm.toolbox import Context, Toolbox, ToolError, tool
from tests.every_case import every_case

CALLS: list[str] = []


@tool(domain="image-perception", examples=["Find the dog", "Where is the cat?", "Locate the car"])
def visual_grounding(image: Image, query: Text) -> Boxes:
    """Locate a named object in an image: the boxes of what a phrase names."""
    CALLS.append("visual_grounding")
    return (Box(1, 1, 9, 9, query.removeprefix("the "), 0.9),)


@tool(domain="image-perception", examples=["Detect all objects", "What objects are there?"])
def object_detection(image: Image) -> Boxes:
    """Detect all objects in an image."""
    CALLS.append("object_detection")
    return (Box(0, 0, 5, 5, "cat", 0.8), Box(1, 1, 9, 9, "dog", 0.9))


@tool(domain="general", examples=["Keep only the dogs"])
def select_bbox(bbox: Boxes, condition: Text) -> Boxes:
    """Select the boxes that meet a condition."""
    CALLS.append("select_bbox")
    return tuple(box for box in bbox if box.label in condition)


@tool(domain="image-editing", examples=["Crop the dog", "Cut the photo down to the car"])
def image_cropping(image: Image, bbox: Boxes) -> Image:
    """Crop an image to boxes."""
    CALLS.append("image_cropping")
    box = bbox[0]
    return image.crop((int(box.left), int(box.top), int(box.right), int(box.bottom)))


@tool(domain="general", examples=["How many dogs are there?", "Count the cars"])
def count_objects(bbox: Boxes) -> Number:
    """Count the objects in boxes."""
    return len(bbox)


@tool(domain="image-perception", examples=["Describe this photo", "Caption the picture"])
def image_captioning(image: Image, context: Context | None = None) -> Text:
    """Describe an image in a caption."""
    for step in range(200):
        context.progress(step / 200, "looking")
        time.sleep(0.02)
    return "A picture."


@tool(domain="image-processing", examples=["Get the edge map", "Detect the edges"])
def image_to_edge(image: Image) -> Edge:
    """Get the edge map of an image."""
    raise ToolError("This picture has no edges. Try another picture.")


@pytest.fixture(scope="module")
def toolbox():
    return Toolbox.of(
        [
            visual_grounding,
            object_detection,
            select_bbox,
            image_cropping,
            count_objects,
            image_captioning,
            image_to_edge,
        ]
    )


@pytest.fixture
def world(tmp_path, toolbox):
    CALLS.clear()
    assistant = Assistant(toolbox, Store(tmp_path / "home"), Settings())
    session = assistant.open_session(None)
    path = tmp_path / "photo.png"
    pixels = np.random.default_rng(0).integers(0, 255, (20, 30, 3), np.uint8)
    PIL.Image.fromarray(pixels).save(path)
    resource, notices = add_file(assistant.store, session.id, path, "photo.png")
    assert notices == ()
    return SimpleNamespace(
        assistant=assistant, id=session.id, photo=resource.value, path=path, home=tmp_path / "home"
    )


async def ask(world, text, attached=None, **more):
    attached = [world.photo] if attached is None else attached
    return [event async for event in world.assistant.answer(world.id, text, attached, **more)]


def kinds(events):
    return [type(event) for event in events]


def last(events):
    assert [isinstance(event, TERMINAL) for event in events].count(True) == 1
    assert isinstance(events[-1], TERMINAL)
    return events[-1]


async def test_the_stream_in_order(world):
    events = await ask(world, "Crop the dog")
    found = kinds(events)
    order = [RequestReceived, SubtasksReady, SolutionsReady, PlanReady, ActionStarted,
             ActionFinished, AnswerToken, AnswerFinished]  # fmt: skip
    assert [found.index(kind) for kind in order] == sorted(found.index(kind) for kind in order)
    answer = last(events)
    assert [resource.value for resource in answer.resources] == ["dog cropped.png"]
    assert "".join(e.text for e in events if isinstance(e, AnswerToken)) == answer.text
    assert "dog cropped.png" in answer.text
    path, media_type = world.assistant.file(world.id, "dog cropped.png")
    assert media_type == "image/png"
    with PIL.Image.open(path) as picture:
        assert picture.size == (8, 8)


async def test_the_turn_is_kept(world):
    await ask(world, "Crop the dog")
    session = Assistant(world.assistant.toolbox, Store(world.home)).open_session(world.id)
    (turn,) = session.turns
    assert turn.state == "answered"
    assert turn.plan.solution(0).tools == ("visual_grounding", "image_cropping")
    assert {resource.origin for resource in turn.results.values()} == {
        "visual_grounding",
        "image_cropping",
    }
    assert session.title == "Crop the dog"


async def test_switching_runs_only_what_differs(world):
    events = await ask(world, "Crop the dog. Then count the dogs in it")
    plan = next(event.plan for event in events if isinstance(event, PlanReady))
    ways = [solution.tools for solution in plan.solutions[0]]
    index = ways.index(("object_detection", "select_bbox", "image_cropping"))
    CALLS.clear()
    events = [event async for event in world.assistant.switch(world.id, 0, 0, index)]
    assert isinstance(events[1], SolutionSwitched)
    assert isinstance(last(events), AnswerFinished)
    # The crop has the same pixels, so what follows it is known already.
    assert CALLS == ["object_detection", "select_bbox"]
    back = [event async for event in world.assistant.switch(world.id, 0, 0, 0)]
    assert isinstance(last(back), AnswerFinished)
    assert CALLS == ["object_detection", "select_bbox"]


async def test_a_failed_tool_is_told_and_the_rest_goes_on(world):
    events = await ask(world, "Get the edge map of the picture and count the dogs")
    failed = [event for event in events if isinstance(event, ActionFailed)]
    assert failed[0].message == "This picture has no edges. Try another picture."
    answer = last(events)
    assert isinstance(answer, AnswerFinished)
    assert "no edges" in answer.text
    assert "Number of dogs: **1**" in answer.text


async def test_stopping(world):
    stop = threading.Event()
    events = []
    async for event in world.assistant.answer(
        world.id, "Describe this photo", [world.photo], RunOptions(cancelled=stop)
    ):
        events.append(event)
        if isinstance(event, ActionProgress):
            stop.set()
    assert isinstance(last(events), RequestCancelled)
    session = world.assistant.open_session(world.id)
    assert session.turns[0].state == "cancelled"
    assert isinstance(last(await ask(world, "Crop the dog")), AnswerFinished)


async def test_what_was_stopped_goes_on_without_doing_anything_twice(world):
    stop = threading.Event()
    events = []
    async for event in world.assistant.answer(
        world.id,
        "Crop the dog. Then count the dogs in it",
        [world.photo],
        RunOptions(cancelled=stop),
    ):
        events.append(event)
        if isinstance(event, ActionFinished):
            stop.set()
    assert isinstance(last(events), RequestCancelled)
    again = [event async for event in world.assistant.resume(world.id, 0)]
    assert isinstance(last(again), AnswerFinished) and SubtasksReady not in kinds(again)
    done = [event for event in events + again if isinstance(event, ActionFinished)]
    assert done[1].cached and done[1].key == done[0].key
    (turn,) = world.assistant.open_session(world.id).turns
    assert turn.state == "answered"


async def test_what_was_interrupted_before_it_had_a_plan_is_planned_anew(world):
    turn = Turn(0, "Crop the dog", (world.photo,))
    world.assistant.store.update(world.id, lambda session: session.with_turn(turn))
    assert world.assistant.open_session(world.id).turns[0].state == "cancelled"
    again = [event async for event in world.assistant.resume(world.id, 0)]
    assert isinstance(last(again), AnswerFinished)


def interrupted(world, go_on="itself", **changes):
    """Another program on what is left by one that ended in the middle of a request."""
    turn = Turn(0, "Crop the dog", (world.photo,), settings=world.assistant.settings.mark)
    world.assistant.store.update(
        world.id, lambda session: session.with_turn(replace(turn, **changes))
    )
    world.assistant.store.close()
    toolbox = world.assistant.toolbox
    world.assistant = Assistant(toolbox, Store(world.home), Settings(go_on=go_on))
    return world.assistant


async def test_what_the_programs_end_interrupted_goes_on_by_itself(world):
    assistant = interrupted(world)
    assert assistant.take_over() == ((world.id, 0),)
    # It is not given up where the page is opened first, nor begun twice.
    assert assistant.open_session(world.id).turns[0].state == "running"
    again = [event async for event in assistant.resume(world.id, 0, by_itself=True)]
    assert isinstance(last(again), AnswerFinished)
    assert assistant.take_over() == ()
    assert assistant.open_session(world.id).turns[0].restarts == 1


@every_case(
    "changes",
    [{"go_on": "asked"}, {"settings": "of a person with a key"}, {"restarts": MOST_RESTARTS}],
    anew=(world,),
)
async def test_what_must_not_go_on_by_itself_waits_to_be_asked(world, changes):
    assistant = interrupted(world, **changes)
    assert assistant.take_over() == ()
    assert assistant.open_session(world.id).turns[0].state == "cancelled"
    assert isinstance(
        last([event async for event in assistant.resume(world.id, 0)]), AnswerFinished
    )
    assert assistant.open_session(world.id).turns[0].restarts == 0


async def test_a_program_that_leaves_keeps_the_request_as_running(world):
    events = []
    async for event in world.assistant.answer(world.id, "Describe this photo", [world.photo]):
        events.append(event)
        if isinstance(event, ActionProgress):
            world.assistant.leave()
    assert "goes on when it runs again" in last(events).message
    assert world.assistant.store.load(world.id).turns[0].state == "running"
    world.assistant.store.close()
    again = Assistant(world.assistant.toolbox, Store(world.home), Settings())
    assert again.take_over() == ((world.id, 0),)
    again.store.close()


async def test_what_could_not_be_kept_to_its_end_goes_on_when_it_can_be_kept_again(
    world, monkeypatch
):
    def away(*given, **named):
        raise StoreError("The database's server cannot be reached.")

    events = []
    async for event in world.assistant.answer(world.id, "Describe this photo", [world.photo]):
        events.append(event)
        if isinstance(event, ActionProgress):
            monkeypatch.setattr(world.assistant.store, "update", away)
    assert isinstance(last(events), RequestFailed)
    assert "cannot be reached" in last(events).message
    monkeypatch.undo()
    assert world.assistant.store.load(world.id).turns[0].state == "running"
    assert world.assistant.take_over(is_start=False) == ((world.id, 0),)
    assert world.assistant.take_over(is_start=False) == ()
    for name in ("load", "update"):
        monkeypatch.setattr(world.assistant.store, name, away)
        with pytest.raises(StoreError):
            await anext(world.assistant.resume(world.id, 0, by_itself=True))
        monkeypatch.undo()
        assert world.assistant.take_over(is_start=False) == ((world.id, 0),)
    again = [event async for event in world.assistant.resume(world.id, 0, by_itself=True)]
    assert isinstance(last(again), AnswerFinished)
    assert world.assistant.take_over(is_start=False) == ()


async def test_what_another_program_left_is_not_given_up_before_it_is_taken_over(world):
    other = Assistant(world.assistant.toolbox, Store(world.home), Settings())
    turn = Turn(0, "Crop the dog", (world.photo,), settings=other.settings.mark)
    other.store.update(world.id, lambda session: session.with_turn(turn))
    assert world.assistant.take_over(is_start=False) == ()
    other.store.close()
    assert world.assistant.open_session(world.id).turns[0].state == "running"
    assert world.assistant.take_over(is_start=False) == ((world.id, 0),)
    assert world.assistant.open_session(world.id).turns[0].state == "running"


async def test_a_reader_that_goes_away_stops_the_run(world):
    events = world.assistant.answer(world.id, "Describe this photo", [world.photo])
    async for event in events:
        if isinstance(event, ActionStarted):
            break
    await events.aclose()
    assert world.assistant.open_session(world.id).turns[0].state == "cancelled"


@every_case(
    ("text", "attached", "words"),
    [
        ("", [], "nothing to do"),
        ("   \n ", None, "What shall I do with photo.png"),
        ("?!", None, "cannot find a request"),
        ("在这张图片中找到狗", None, "English"),
        ("Was ist auf diesem Bild?", None, "English"),
        ("Combien de chiens y a-t-il dans cette photo ?", None, "English"),
        ("Make a video of this", None, "No tool here does this"),
        ("What is the capital of France?", [], "language model"),
        ("word " * 100_000, None, "too long"),
        ("crop the dog and " * 60 + "crop the dog", None, "over and over"),
    ],
    anew=(world,),
)
async def test_requests_that_cannot_be_met_say_why(world, text, attached, words):
    answer = last(await ask(world, text, attached))
    assert isinstance(answer, RequestFailed)
    assert words in answer.message
    assert world.photo in [r.value for r in world.assistant.open_session(world.id).resources]


async def test_points(world):
    points = add_points(world.assistant.store, world.id, world.photo, [ClickedPoint(3, 4)])
    assert points.type == "point"
    assert points.details["image"] == world.photo
    for wrong in ([ClickedPoint(30, 4)], [ClickedPoint(-1, 4)], [], [ClickedPoint(1, 1, False)]):
        with pytest.raises(BadInput):
            add_points(world.assistant.store, world.id, world.photo, wrong)
    with pytest.raises(BadInput, match="no picture called"):
        add_points(world.assistant.store, world.id, "other.png", [ClickedPoint(1, 1)])


async def test_a_session_sees_only_its_own_files(world):
    other = world.assistant.open_session(None)
    with pytest.raises(KeyError):
        world.assistant.file(other.id, world.photo)
    with pytest.raises(KeyError):
        async for _ in world.assistant.answer(other.id, "Crop the dog", [world.photo]):
            pass


def test_two_files_of_one_name(world):
    second, _ = add_file(world.assistant.store, world.id, world.path, "photo.png")
    assert second.value == "photo-2.png"


def test_a_picture_can_be_called_a_mask(world):
    assert set_type(world.assistant.store, world.id, world.photo, "mask").type == "mask"
    with pytest.raises(BadInput, match="cannot be used as audio"):
        set_type(world.assistant.store, world.id, world.photo, "audio")


async def test_without_its_language_model_the_answer_is_written_by_rules(world):
    settings = Settings("http://127.0.0.1:1/v1", "sk-canary", "m")
    events = await ask(world, "Crop the dog", options=RunOptions(settings))
    notice = next(event for event in events if isinstance(event, Notice))
    assert "could not be reached" in notice.message
    assert "dog cropped.png" in last(events).text
    assert "sk-canary" not in str([event.to_json() for event in events])


@every_case(("text", "words"), [("Hello!", "Hello"), ("thank you", "welcome")], anew=(world,))
async def test_small_talk_is_answered(world, text, words):
    answer = last(await ask(world, text, []))
    assert isinstance(answer, AnswerFinished)
    assert words in answer.text


async def test_a_crash_inside_is_a_sentence(world, monkeypatch):
    def broken(*args, **kwargs):
        raise RuntimeError("/secret/path exploded")

    planner = world.assistant.tools.planner_for(Request(""))
    monkeypatch.setattr(planner, "decompose", broken)
    answer = last(await ask(world, "Crop the dog"))
    assert isinstance(answer, RequestFailed)
    assert "secret" not in answer.message
