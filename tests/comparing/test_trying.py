"""Another way is run beside the one in use; one of both is kept."""

from __future__ import annotations

import threading
import time
from types import SimpleNamespace

import PIL.Image
import pytest

from controlllm.comparing.choosing import choose_way, compare, habits_of, known_of, take_back
from controlllm.comparing.trying import only
from controlllm.core.comparison import Comparison
from controlllm.core.events import (
    ActionFailed,
    ActionFinished,
    AnswerFinished,
    SolutionSwitched,
    WayBegun,
    WayEnded,
)
from controlllm.core.plans import Action, Plan, Reference, Solution, Subtask, TypedValue, generated
from controlllm.core.session import Turn
from controlllm.resources import Image, Text
from controlllm.runs.assistant import Assistant
from controlllm.runs.run_options import RunOptions
from controlllm.settings import Settings
from controlllm.store import Store
from controlllm.store.handed_over import add_file
from controlllm.toolbox import Context, Toolbox, ToolError, tool
from controlllm.ui.verbs.ways import tried

CALLS: list[str] = []


@tool(domain="image-processing")
def image_grey(image: Image) -> Image:
    """Take the colour out of an image."""
    CALLS.append("image_grey")
    return image.convert("L").convert("RGB")


@tool(domain="image-processing")
def image_flip(image: Image) -> Image:
    """Turn an image upside down."""
    CALLS.append("image_flip")
    return image.transpose(PIL.Image.Transpose.FLIP_TOP_BOTTOM)


@tool(domain="image-processing")
def image_tear(image: Image) -> Image:
    """Tear an image to pieces."""
    raise ToolError("This picture cannot be torn. Try another one.")


@tool(domain="image-processing")
def image_stare(image: Image, context: Context | None = None) -> Image:
    """Look at an image for a long time."""
    for step in range(50_000):
        context.progress(step / 50_000, "looking")
        time.sleep(0.02)
    return image


@tool(domain="image-perception")
def image_size(image: Image) -> Text:
    """Say how large an image is."""
    CALLS.append("image_size")
    return f"{image.width} by {image.height}, {image.getpixel((0, 0))}"


def step(name: str, reads: str, makes: str, subtask: int, number: int | None = None) -> Action:
    made = TypedValue(makes, generated(subtask, number))
    return Action(name, {"image": Reference(reads)}, made)


GREY = step("image_grey", "photo.png", "image", 0, 1)
PLAN = Plan(
    (
        Subtask(0, "make it grey", (), (TypedValue("image", "photo.png"),),
                TypedValue("image", generated(0))),
        Subtask(1, "tell its size", (), (TypedValue("image", generated(0)),),
                TypedValue("text", generated(1)), (0,)),
    ),
    {
        0: (
            Solution((step("image_grey", "photo.png", "image", 0),), 4.5),
            Solution((GREY, step("image_flip", generated(0, 1), "image", 0)), 4.0),
            Solution((GREY, step("image_tear", generated(0, 1), "image", 0)), 3.5),
            Solution((step("image_stare", "photo.png", "image", 0),), 3.0),
        ),
        1: (Solution((step("image_size", generated(0), "text", 1),), 4.5),),
    },
)  # fmt: skip


@pytest.fixture
async def world(tmp_path):
    tools = [image_grey, image_flip, image_tear, image_stare, image_size]
    store = Store(tmp_path / "home")
    assistant = Assistant(Toolbox.of(tools), store, Settings())
    session = assistant.open_session(None)
    path = tmp_path / "photo.png"
    picture = PIL.Image.new("RGB", (12, 8), "red")
    picture.putpixel((0, 0), (0, 0, 255))
    picture.save(path)
    add_file(assistant.store, session.id, path, "photo.png")
    turn = Turn(0, "make it grey and tell its size", ("photo.png",), PLAN)
    store.update(session.id, lambda current: current.with_turn(turn))
    found = SimpleNamespace(assistant=assistant, store=store, id=session.id)
    await switch(found, 0)
    CALLS.clear()
    return found


def turn_of(world) -> Turn:
    return world.store.load(world.id).turns[0]


async def switch(world, way):
    return [event async for event in world.assistant.switch(world.id, 0, 0, way)]


async def try_way(world, way, cancelled=None, subtask=0):
    cancelled = cancelled or threading.Event()
    stream = tried(
        world.assistant, world.id, 0, subtask, way, RunOptions(Settings(), cancelled, asks=True)
    )
    found = []
    async for event in stream:
        found.append(event)
        if getattr(event, "words", "") == "looking":
            cancelled.set()
    return found


async def test_a_way_is_tried_and_the_first_stays_as_it_was(world):
    before = turn_of(world)
    events = await try_way(world, 1)
    assert events[0] == WayBegun(0, 1) and events[-2] == WayEnded(0, 1)
    assert isinstance(events[-1], AnswerFinished) and events[-1].text == before.answer
    assert CALLS == ["image_flip"], "what both share is not made again"
    after = turn_of(world)
    assert (after.plan, after.answer, after.state) == (before.plan, before.answer, "answered")
    assert before.results.items() <= after.results.items()
    assert after.results["0.1.1"].digest != after.results["0.0.0"].digest
    assert after.beside == {0: Comparison({1: ""}, 0, 1)}
    assert Turn.from_json(after.to_json()) == after, "a reload shows it again"


async def test_nothing_else_is_taken_in_place_of_a_way_that_fails(world):
    events = await try_way(world, 2)
    (failure,) = (event for event in events if isinstance(event, ActionFailed))
    assert failure.message.startswith("This picture cannot be torn") and failure.next == ""
    assert not [event for event in events if isinstance(event, SolutionSwitched)]
    assert turn_of(world).beside[0].tried[2].startswith("This picture cannot be torn")
    assert turn_of(world).state == "answered"


async def test_it_can_be_stopped_and_the_answer_stays(world):
    answer = turn_of(world).answer
    events = await try_way(world, 3)
    assert events[-2] == WayEnded(0, 3, "Stopped.")
    assert (turn_of(world).answer, turn_of(world).state) == (answer, "answered")


async def test_a_way_that_is_not_there_cannot_be_tried(world):
    with pytest.raises(IndexError):
        await try_way(world, 9)


async def test_the_way_kept_is_in_use_and_what_reads_its_result_is_made_anew(world):
    first = turn_of(world).answer
    await try_way(world, 1)
    choose_way(world.store, world.store.load(world.id), 0, 0, 1)
    assert turn_of(world).beside == {0: Comparison({0: ""}, 0, 1, 1, 0)}, (
        "still compared with the first"
    )
    CALLS.clear()
    await switch(world, 1)
    assert CALLS == ["image_size"], "the way that was kept is not run again"
    assert turn_of(world).plan.chosen == {0: 1} and turn_of(world).answer != first
    (choice,) = habits_of(world.store, world.id).choices
    assert (choice.chosen, choice.other) == ("image_flip", "")


async def test_what_is_tried_of_a_later_part_is_dropped_when_what_it_reads_changes(world):
    await try_way(world, 0, subtask=1)
    assert 1 in turn_of(world).beside
    choose_way(world.store, world.store.load(world.id), 0, 0, 1)
    assert 1 not in turn_of(world).beside


async def test_keeping_the_first_is_a_choice_as_well(world):
    await try_way(world, 1)
    choose_way(world.store, world.store.load(world.id), 0, 0, 0)
    (choice,) = habits_of(world.store, world.id).choices
    assert (choice.chosen, choice.other) == ("", "image_flip")
    assert turn_of(world).plan.chosen.get(0, 0) == 0


async def test_what_was_kept_is_taken_back_and_not_remembered(world):
    await try_way(world, 1)
    choose_way(world.store, world.store.load(world.id), 0, 0, 1)
    await switch(world, 1)
    assert turn_of(world).beside[0].keeps == 1
    assert take_back(world.store, world.store.load(world.id), 0, 0) == 0
    assert turn_of(world).beside == {0: Comparison({1: ""}, 0, 1)}
    assert habits_of(world.store, world.id).choices == ()
    # Where the way in use was kept as it is, nothing else is to be done.
    await switch(world, 0)
    choose_way(world.store, world.store.load(world.id), 0, 0, 0)
    assert turn_of(world).beside[0].keeps == 0 and turn_of(world).beside[0].tried == {1: ""}
    assert take_back(world.store, world.store.load(world.id), 0, 0) == 0
    with pytest.raises(IndexError):
        take_back(world.store, world.store.load(world.id), 0, 0)


async def test_which_two_are_compared_is_kept_and_the_comparing_ends(world):
    await try_way(world, 1)
    await try_way(world, 2)
    compare(world.store, world.id, 0, 0, 1, 2)
    assert (turn_of(world).beside[0].left, turn_of(world).beside[0].right) == (1, 2)
    for left, right in ((0, 3), (1, 7)):
        with pytest.raises(IndexError):
            compare(world.store, world.id, 0, 0, left, right)
    compare(world.store, world.id, 0, 0, 1, 1)
    assert turn_of(world).beside == {}


async def test_what_is_known_of_a_way_is_told_without_running_it(world):
    def known(way):
        session, engine = world.store.load(world.id), world.assistant.engine
        turn = session.turns[0]
        return known_of(engine, world.store, session, turn, only(turn.plan, 0, way), Settings())

    assert known(1).keys() == {"0.1.0"} and CALLS == []
    events = await try_way(world, 1)
    made = [event.resource for event in events if isinstance(event, ActionFinished)]
    assert known(1)["0.1.1"].value == made[-1].value
