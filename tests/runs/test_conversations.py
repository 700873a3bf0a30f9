"""Conversations as people have them, with the tools that there are: which file comes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import aclosing
from pathlib import Path

import numpy as np
import PIL.Image
import pytest

from controlllm.core.events import (
    ActionStarted,
    AnswerFinished,
    Event,
    PlanReady,
    RequestFailed,
    SubtasksReady,
)
from controlllm.runs.assistant import Assistant
from controlllm.settings import Settings
from controlllm.store import Store
from controlllm.store.handed_over import add_file
from controlllm.toolbox import Toolbox


@pytest.fixture(scope="module")
def assistant(tmp_path_factory) -> Iterator[Assistant]:
    store = Store(tmp_path_factory.mktemp("home"))
    yield Assistant(Toolbox.load(), store, Settings(act_when_stuck=False))
    store.close()


def drawn(folder: Path, name: str, shade: int) -> Path:
    """A picture whose left half is dark and whose right half is lighter, with a sharp edge."""
    pixels = np.full((60, 90, 3), shade, np.uint8)
    pixels[:, 45:] = shade + 60
    pixels[5:20, 5:20] = (200, 40, 40)
    path = folder / name
    PIL.Image.fromarray(pixels).save(path)
    return path


class Talk:
    """One conversation; each thing that is said gives the events of its answer."""

    def __init__(self, assistant: Assistant, *files: Path) -> None:
        self.assistant = assistant
        self.id = assistant.open_session(None).id
        self.events: list[Event] = []
        self._handed = self.add(*files)

    def add(self, *files: Path) -> list[str]:
        return [add_file(self.assistant.store, self.id, file, file.name)[0].value for file in files]

    async def say(self, text: str, *files: Path) -> tuple[str, ...]:
        """The names of the files that come of what is said."""
        handed: Sequence[str] = [*self._handed, *self.add(*files)]
        self._handed = []
        async with aclosing(self.assistant.answer(self.id, text, handed)) as events:
            self.events = [event async for event in events]
        last = self.events[-1]
        assert isinstance(last, AnswerFinished | RequestFailed)
        return tuple(item.value for item in getattr(last, "resources", ()))

    def pixels(self, name: str) -> np.ndarray:
        path, _ = self.assistant.file(self.id, name)
        return np.asarray(PIL.Image.open(path).convert("RGB")).astype(float)

    @property
    def nothing_was_run(self) -> bool:
        kinds = (SubtasksReady, PlanReady, ActionStarted)
        return not any(isinstance(event, kinds) for event in self.events)

    @property
    def said(self) -> str:
        return getattr(self.events[-1], "text", "")


async def test_it_is_what_was_made_last_and_taking_back_needs_no_tool(assistant, tmp_path):
    talk = Talk(assistant, drawn(tmp_path, "tree.png", 60), drawn(tmp_path, "house.png", 90))
    (blurred,) = await talk.say("Blur house.png.")
    (brighter,) = await talk.say("Make it brighter.")
    assert talk.pixels(brighter).mean() > talk.pixels(blurred).mean() > 90
    assert await talk.say("Undo that.") == (blurred,)
    assert talk.nothing_was_run and "is current again" in talk.said and blurred in talk.said
    # What was taken back is not gone on with.
    (mirrored,) = await talk.say("now mirror it")
    assert np.abs(talk.pixels(mirrored) - talk.pixels(blurred)[:, ::-1]).mean() < 3
    assert await talk.say("go back to the original") == ("house.png",)
    assert await talk.say("give me the brighter one again") == (brighter,)
    session = assistant.store.load(talk.id)
    assert session.turns[-1].state == "answered" and session.turns[-1].plan is None


async def test_something_else_instead_is_done_to_what_was_before(assistant, tmp_path):
    talk = Talk(assistant, drawn(tmp_path, "house.png", 90))
    await talk.say("Blur the picture")
    (mirrored,) = await talk.say("oh no that was a mistake, undo that. Mirror it instead")
    assert np.array_equal(talk.pixels(mirrored), talk.pixels("house.png")[:, ::-1])
    assert assistant.store.load(talk.id).turns[-1].restored == ("house.png",)


async def test_what_is_asked_of_the_original_is_done_to_it(assistant, tmp_path):
    talk = Talk(assistant, drawn(tmp_path, "house.png", 90))
    await talk.say("make it brighter")
    (mirrored,) = await talk.say("I meant: mirror the original instead")
    assert np.array_equal(talk.pixels(mirrored), talk.pixels("house.png")[:, ::-1])


async def test_the_same_is_done_to_another_file_without_a_search(assistant, tmp_path):
    tree, house = drawn(tmp_path, "tree.png", 60), drawn(tmp_path, "house.png", 90)
    talk = Talk(assistant, tree, house)
    (first,) = await talk.say("Mirror house.png")
    (second,) = await talk.say("and the other one as well")
    assert np.array_equal(talk.pixels(second), talk.pixels("tree.png")[:, ::-1])
    assert first != second and "tree" in second


async def test_both_steps_are_done_to_a_new_file(assistant, tmp_path):
    talk = Talk(assistant, drawn(tmp_path, "house.png", 90))
    await talk.say("make it brighter")
    await talk.say("now mirror it")
    made = await talk.say("do both to this one as well", drawn(tmp_path, "tree.png", 40))
    pixels, before = talk.pixels(made[-1]), talk.pixels("tree.png")
    assert pixels.mean() > before.mean()
    assert pixels[:, :40].mean() > pixels[:, 50:].mean() and before[:, :40].mean() < before.mean()
    # What is shown at first is not what comes at last, and one can go back from there as well.
    assert await talk.say("undo that") == ("tree.png",)


async def test_there_is_nothing_to_take_back_at_the_beginning(assistant):
    talk = Talk(assistant)
    assert await talk.say("undo that") == ()
    assert "nothing left to take back" in talk.said and talk.nothing_was_run


async def test_another_value_makes_the_last_step_anew(assistant, tmp_path):
    talk = Talk(assistant, drawn(tmp_path, "house.png", 90))
    (first,) = await talk.say("make it 30 pixels wide")
    (second,) = await talk.say("40 rather")
    assert talk.pixels(first).shape[1] == 30 and talk.pixels(second).shape[1] == 40
    # The first one does not stand any more, so that one goes back to what it was made of.
    assert await talk.say("undo that") == ("house.png",)


async def test_a_remark_asks_for_nothing(assistant, tmp_path):
    talk = Talk(assistant, drawn(tmp_path, "house.png", 90))
    await talk.say("make it brighter")
    assert await talk.say("thanks, my gran will love it") == ()
    assert isinstance(talk.events[-1], AnswerFinished)
    assert talk.events[-1].text == "You are welcome."
    assert not any(isinstance(event, ActionStarted) for event in talk.events)
