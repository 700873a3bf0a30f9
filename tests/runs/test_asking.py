"""Asking the person: which of several things, or which of two readings, instead of guessing."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import PIL.Image
import pytest

from controlllm.core.events import ActionFinished, AnswerFinished, Doubt
from controlllm.core.plans import TypedValue
from controlllm.planning.planner import Planner
from controlllm.resources import Box, Boxes, Image, Number, Text
from controlllm.runs.assistant import Assistant
from controlllm.runs.run_options import RunOptions
from controlllm.settings import Settings
from controlllm.store import Store
from controlllm.store.handed_over import add_file
from controlllm.toolbox import Context, Toolbox, Undecided, tool

DOGS = (Box(10, 0, 20, 9, "dog"), Box(0, 0, 8, 9, "dog"))
CALLS: list[str] = []


@tool(domain="image-perception", examples=["Find the dog", "Where is the cat?", "Locate the car"])
def visual_grounding(image: Image, query: Text, context: Context) -> Boxes:
    """Locate a named object in an image: the boxes of what a phrase names."""
    CALLS.append(query)
    return (DOGS[context.which(DOGS, query)],)


@tool(domain="image-editing", examples=["Crop the dog", "Cut the photo down to the car"])
def image_cropping(image: Image, bbox: Boxes) -> Image:
    """Crop an image to boxes."""
    box = bbox[0]
    return image.crop((int(box.left), int(box.top), int(box.right), int(box.bottom)))


@tool(domain="image-perception", examples=["What is this a picture of?", "Describe the picture"])
def image_captioning(image: Image) -> Text:
    """Describe an image in a caption."""
    return "A picture."


@tool(domain="general", examples=["How many dogs are there?", "Count the cars"])
def count_objects(bbox: Boxes) -> Number:
    """Count the objects in boxes."""
    return len(bbox)


@pytest.fixture
def world(tmp_path):
    CALLS.clear()
    toolbox = Toolbox.of([visual_grounding, image_cropping, image_captioning, count_objects])
    assistant = Assistant(toolbox, Store(tmp_path / "home"), Settings())
    session = assistant.open_session(None)
    path = tmp_path / "photo.png"
    PIL.Image.new("RGB", (30, 20)).save(path)
    resource, _ = add_file(assistant.store, session.id, path, "photo.png")
    return SimpleNamespace(assistant=assistant, id=session.id, photo=resource.value, path=path)


async def asked(world, text, asks=True):
    stream = world.assistant.answer(world.id, text, [world.photo], RunOptions(asks=asks))
    return [event async for event in stream]


async def chosen(world, turn, question, choice):
    return [event async for event in world.assistant.choose(world.id, turn, question, choice)]


def size_of(world, value):
    path, _ = world.assistant.file(world.id, value)
    with PIL.Image.open(path) as picture:
        return picture.size


async def test_one_of_several_is_asked_about_and_the_choice_runs(world):
    events = await asked(world, "Crop the dog")
    (doubt,) = [event for event in events if isinstance(event, Doubt)]
    assert doubt.question.boxes == DOGS and doubt.question.picture == world.photo
    assert doubt.question.choices == (
        "dog, number 2 from the left", "dog, number 1 from the left",
    )  # fmt: skip
    assert isinstance(events[-1], AnswerFinished) and not events[-1].resources
    assert "choice above" in events[-1].text
    (turn,) = world.assistant.open_session(world.id).turns
    assert turn.questions == (doubt.question,)
    events = await chosen(world, 0, 0, 1)
    assert not any(isinstance(event, Doubt) for event in events)
    assert size_of(world, events[-1].resources[0].value) == (8, 9)
    (turn,) = world.assistant.open_session(world.id).turns
    assert turn.questions == () and turn.state == "answered"


async def test_what_was_chosen_is_meant_later_too(world):
    await asked(world, "Crop the dog")
    await chosen(world, 0, 0, 1)
    events = await asked(world, "Crop the dog")
    assert not any(isinstance(event, Doubt) for event in events)
    assert size_of(world, events[-1].resources[0].value) == (8, 9)


async def test_the_rest_goes_on_without_an_answer(world):
    events = await asked(world, "Describe the picture. Crop the dog")
    assert any(isinstance(event, Doubt) for event in events)
    made = [event.tool for event in events if isinstance(event, ActionFinished)]
    assert made == ["image_captioning"]
    assert "A picture." in events[-1].text and "choice above" in events[-1].text


async def test_nobody_is_asked_where_there_is_nobody_and_the_guess_is_not_kept(world):
    events = await asked(world, "Crop the dog", asks=False)
    assert not any(isinstance(event, Doubt) for event in events)
    assert size_of(world, events[-1].resources[0].value) == (10, 9)
    world.id = world.assistant.open_session(None).id
    add_file(world.assistant.store, world.id, world.path, "photo.png")
    events = await asked(world, "Crop the dog")
    assert any(isinstance(event, Doubt) for event in events)


async def test_a_choice_that_is_not_there(world):
    await asked(world, "Crop the dog")
    for question, choice in ((0, 2), (1, 0), (0, -1)):
        with pytest.raises(IndexError):
            await chosen(world, 0, question, choice)


@pytest.fixture
def two_readings(monkeypatch):
    """Every part of a plan may mean its picture or only the boxes."""
    solve = Planner.solve

    def doubtful(planner, subtasks, request):
        for solved in solve(planner, subtasks, request):
            found = solved.solutions[0]
            action = replace(found.actions[0], output=TypedValue("bbox", "<GEN>-0"))
            yield replace(
                solved,
                subtask=replace(solved.subtask, between=("image", "bbox")),
                solutions=(found, replace(found, actions=(action,))),
            )

    monkeypatch.setattr(Planner, "solve", doubtful)


async def test_two_readings_are_asked_about_before_anything_runs(world, two_readings):
    events = await asked(world, "Crop the dog")
    (doubt,) = [event for event in events if isinstance(event, Doubt)]
    assert doubt.question.choices == (
        "Crop an image to boxes.",
        "Locate a named object in an image:",
    )
    assert CALLS == []
    events = await chosen(world, 0, 0, 1)
    plan = world.assistant.open_session(world.id).turns[0].plan
    assert plan.solution(0).tools == ("visual_grounding",)
    # It runs as far as the next question: which dog.
    assert [type(event) for event in events].count(Doubt) == 1


async def test_what_is_asked_of_several_pictures_is_asked_once(world, two_readings):
    other, _ = add_file(world.assistant.store, world.id, world.path, "other.png")
    stream = world.assistant.answer(
        world.id, "Crop the dog in both pictures", [world.photo, other.value], RunOptions(asks=True)
    )
    (doubt,) = [event async for event in stream if isinstance(event, Doubt)]
    assert doubt.question.subtasks == (0, 1)
    await chosen(world, 0, 0, 1)
    (turn,) = world.assistant.open_session(world.id).turns
    for number in (0, 1):
        assert turn.plan.solution(number).tools == ("visual_grounding",)


def test_which_guesses_raises_or_answers():
    alone = Context()
    assert alone.which(DOGS, "the dog") == 0 and alone.has_guessed
    told = Context(chosen=(1,))
    assert told.which(DOGS, "the dog") == 1 and not told.has_guessed
    with pytest.raises(Undecided) as asked:
        told.which(DOGS, "the other dog")
    assert asked.value.boxes == DOGS and asked.value.thing == "the other dog"
