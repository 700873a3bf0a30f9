"""Questions about photos that scikit-image and gradio ship, and about pictures made here."""

from __future__ import annotations

from pathlib import Path

import PIL.Image
import PIL.ImageDraw
import PIL.ImageFont
import pytest
import skimage

from controlllm.toolbox import ToolError
from tools.models.scene import Scene
from tools.models.visual_answers import answer
from tools.visual_question_answering import image_question_answering

_FOLDER = Path(skimage.__file__).parent / "data"


@pytest.fixture(scope="module")
def cats() -> Scene:
    """A large cat on the left and a small one on the right."""
    cat = PIL.Image.open(_FOLDER / "chelsea.png").convert("RGB")
    picture = PIL.Image.new("RGB", (760, 320), (120, 150, 120))
    picture.paste(cat, (0, 10))
    picture.paste(cat.resize((226, 150)), (500, 90))
    return Scene(picture)


@pytest.fixture(scope="module")
def cat() -> Scene:
    return Scene(PIL.Image.open(_FOLDER / "chelsea.png").convert("RGB"))


@pytest.fixture(scope="module")
def clock() -> Scene:
    picture = PIL.Image.new("RGB", (360, 160), "black")
    font = PIL.ImageFont.load_default(80)
    PIL.ImageDraw.Draw(picture).text((60, 30), "10:45", fill="red", font=font)
    return Scene(picture)


def test_counts(cats: Scene) -> None:
    assert answer(cats, "How many cats are there in the picture?") == "There are two cats."
    assert answer(cats, "how many dogs can you see") == "None: I see no dogs in the picture."


def test_presence_with_and_without(cat: Scene) -> None:
    assert answer(cat, "Is there a cat in this image?").startswith("Yes, there is a cat")
    assert answer(cat, "Does the picture contain an elephant?").startswith("No, I see no")
    assert answer(cat, "Can you see a dog?") == "No, I see no dog in the picture."
    assert answer(cat, "Is there a dog or a cat?") == "I see a cat, and no dog."


def test_kind_and_content(cat: Scene) -> None:
    assert "Egyptian mau" in answer(cat, "What breed is the cat?")
    assert "cat" in answer(cat, "What is in this picture?")
    assert "cat" in answer(cat, "What animal is this?")


def test_place_and_size(cats: Scene) -> None:
    assert answer(cats, "Where is the small cat?").startswith("The small cat is on the right")
    assert "one cat" in answer(cats, "What is on the left?")
    question = "Which is bigger, the cat on the left or the cat on the right?"
    assert answer(cats, question) == "In the picture, the cat on the left is."


def test_colour_of_an_object() -> None:
    motorcycle = PIL.Image.open(_FOLDER / "motorcycle_left.png").convert("RGB")
    assert "red" in answer(Scene(motorcycle), "What colour is the motorcycle?")
    assert answer(Scene(motorcycle), "Is the motorcycle red?").startswith("Yes")
    assert answer(Scene(motorcycle), "Is the motorcycle green?").startswith("No")


def test_text_and_time(clock: Scene) -> None:
    assert answer(clock, "What time is it?") == "It shows 10:45."
    assert "10:45" in answer(clock, "What does it say?")
    assert answer(clock, "Is it day or night?").startswith("The picture is dark")


def test_no_text_is_said_plainly(cat: Scene) -> None:
    assert answer(cat, "What does the sign say?") == "I can find no readable text in the picture."


def test_people_are_counted_and_not_named() -> None:
    portrait = Scene(PIL.Image.open(_FOLDER / "astronaut.png").convert("RGB"))
    assert "one person" in answer(portrait, "Who is this?")
    assert "do not recognise" in answer(portrait, "Who is this?")


@pytest.mark.parametrize(
    "question",
    ["What skills does a cat need?", "Why is the cat sad?", "What is the cat thinking?"],
)
def test_what_the_models_cannot_see_is_said(cat: Scene, question: str) -> None:
    said = answer(cat, question)
    assert question in said
    assert "vision-language model" in said
    assert "cat" in said.split(question)[0]


def test_tool_needs_a_question() -> None:
    with pytest.raises(ToolError, match="no question"):
        image_question_answering(PIL.Image.new("RGB", (20, 20)), " ")


@pytest.mark.parametrize("mode", ["L", "RGBA"])
def test_blank_picture_gets_an_honest_answer(mode: str) -> None:
    picture = PIL.Image.new(mode, (1, 1))
    assert image_question_answering(picture, "Is there a dog?").startswith("No")
    assert image_question_answering(picture, "Where is the dog?").startswith("I see no dog")
