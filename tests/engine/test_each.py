"""What is done with one file is done on each of several that a step before made."""

from __future__ import annotations

import zipfile
from typing import Annotated

import PIL.Image
import pytest

from controlllm.core.events import ActionFailed, ActionFinished, ActionProgress
from controlllm.core.plans import Action, Reference, TypedValue
from controlllm.resources import REMARKS, Image, Member, MembersOf, ResourceType, Text
from controlllm.resources.several import member_types
from controlllm.toolbox import Context, ToolError, tool
from tests.engine.bench import only, plan_of

Words = Annotated[tuple[Member, ...], ResourceType("files"), MembersOf("text")]


@tool(domain="general")
def cut(text: Text) -> Words:
    """Cut a sentence into its words, each a file."""
    return tuple(Member(f"word {place}", "text", word) for place, word in enumerate(text.split()))


@tool(domain="general")
def louder(text: Text, context: Context | None = None) -> Text:
    """Say a word louder; not one that is loud."""
    if text.isupper():
        raise ToolError("It is as loud as can be.")
    assert context is not None
    context.progress(0.5, "Louder")
    context.remark(f"{text} was quiet.")
    return text.upper()


@tool(domain="general")
def sign(text: Text, context: Context | None = None) -> Image:
    """Draw a sign as wide as a word is long."""
    assert context is not None and context.files("text")
    return PIL.Image.new("RGB", (len(text), 4), "red")


@tool(domain="general")
def wider(image: Image) -> Image:
    """Make a picture twice as wide."""
    return image.resize((image.width * 2, image.height))


@tool(domain="general")
def row(images: list[Image]) -> Text:
    """Tell how wide pictures are that stand in a row."""
    return "+".join(str(image.width) for image in images)


@tool(domain="general")
def pair(one: Text, other: Text) -> Text:
    """Put two words together."""
    return f"{one}-{other}"


@tool(domain="general", acts_outside=True)
def send(text: Text) -> Text:
    """Send a word away."""
    return text


@pytest.fixture
def several(bench):
    bench.definitions = [cut, louder, sign, wider, row, pair, send]
    return bench


def step(name: str, output: str, made: str = "text", **inputs: str) -> Action:
    given = {key: (Reference(value),) if key == "images" else Reference(value)
             for key, value in inputs.items()}  # fmt: skip
    return Action(name, given, TypedValue(made, output))


def done(bench, words: str, *steps: Action):
    return bench.run(plan_of([steps]), [bench.keep(words, "words.txt")])


FIRST = step("cut", "<GEN>-0-0", "files", text="words.txt")


def test_each_goes_through_a_chain_and_into_what_takes_all(several):
    events = done(
        several, "a bee sings", FIRST,
        step("sign", "<GEN>-0-1", "image", text="<GEN>-0-0"),
        step("wider", "<GEN>-0-2", "image", image="<GEN>-0-1"),
        step("row", "<GEN>-0", images="<GEN>-0-2"),
    )  # fmt: skip
    assert not only(events, ActionFailed)
    *_, signs, wide, told = only(events, ActionFinished)
    path = several.store.path(signs.resource.digest, signs.resource.media_type)
    assert member_types(path) == dict.fromkeys(("word 0.png", "word 1.png", "word 2.png"), "image")
    assert wide.resource.type == "files"
    assert several.read(told.resource) == "2+6+10"


def test_what_is_told_of_each_is_one_text_and_what_fails_is_said(several):
    events = done(several, "hush NOW", FIRST, step("louder", "<GEN>-0", text="<GEN>-0-0"))
    _, told = only(events, ActionFinished)
    assert told.resource.type == "text"
    assert several.read(told.resource) == "**word 0**\n\nHUSH"
    assert told.resource.details[REMARKS] == [
        "hush was quiet.", "word 1: It is as loud as can be."
    ]  # fmt: skip
    fractions = [event.fraction for event in only(events, ActionProgress)]
    assert fractions == sorted(fractions)


def test_where_it_fails_for_all_it_has_failed(several):
    events = done(several, "ALL LOUD", FIRST, step("louder", "<GEN>-0", text="<GEN>-0-0"))
    (failed,) = only(events, ActionFailed)
    assert "as loud as can be" in failed.message


def test_two_inputs_of_several_go_together_one_by_one(several):
    events = done(
        several, "to be", FIRST, step("pair", "<GEN>-0", one="<GEN>-0-0", other="<GEN>-0-0")
    )
    *_, told = only(events, ActionFinished)
    assert several.read(told.resource) == "**word 0**\n\nto-to\n\n**word 1**\n\nbe-be"


def test_nothing_is_sent_away_several_times_in_one_step(several):
    events = done(several, "do not", FIRST, step("send", "<GEN>-0", text="<GEN>-0-0"))
    (failed,) = only(events, ActionFailed)
    assert "not done on several files" in failed.message


def test_pictures_are_no_words(several):
    events = done(several, "a bee", FIRST, step("wider", "<GEN>-0", "image", image="<GEN>-0-0"))
    (failed,) = only(events, ActionFailed)
    assert "needs an image" in failed.message


def test_the_archive_is_the_same_bytes_for_the_same_files(several):
    first, again = (only(done(several, "one two", FIRST), ActionFinished)[-1] for _ in range(2))
    assert first.resource.digest == again.resource.digest
    path = several.store.path(first.resource.digest, first.resource.media_type)
    assert zipfile.ZipFile(path).namelist() == ["word 0.txt", "word 1.txt"]
