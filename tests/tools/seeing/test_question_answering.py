"""Questions about photos that scikit-image and gradio ship, and about pictures made here."""

from __future__ import annotations

import PIL.Image
import PIL.ImageDraw
import PIL.ImageFont
import pytest

from controlllm.resources import Box
from controlllm.toolbox import ToolError
from tests.every_case import every_case
from tests.tools.photos import photo
from tools.seeing.embedded.answers import answer
from tools.seeing.embedded.scene import Scene
from tools.seeing.embedded.setting import room_or_open_air, surroundings


def found_in(picture: PIL.Image.Image, *boxes: Box) -> Scene:
    """A scene in which the detectors have found these boxes: what is said of them is looked at."""
    return Scene(picture, _examined=(boxes, None))


def grey(width: int = 400, height: int = 300) -> PIL.Image.Image:
    return PIL.Image.new("RGB", (width, height), (120, 110, 130))


@pytest.fixture
def room() -> Scene:
    """A cat on a couch, a dog left of it, a laptop on the right; the couch behind a person."""
    return found_in(
        grey(),
        Box(150, 100, 390, 220, "couch", 0.8),
        Box(200, 90, 260, 150, "cat", 0.8),
        Box(20, 150, 100, 230, "dog", 0.8),
        Box(300, 230, 390, 290, "laptop", 0.8),
    )


@pytest.fixture(scope="module")
def motorcycle() -> Scene:
    return Scene(photo("motorcycle_left.png"))


@pytest.fixture(scope="module")
def clock() -> Scene:
    picture = PIL.Image.new("RGB", (260, 240), "black")
    font = PIL.ImageFont.load_default(80)
    PIL.ImageDraw.Draw(picture).text((20, 70), "10:45", fill="red", font=font)
    return Scene(picture)


def test_counts(cats: Scene) -> None:
    assert answer(cats, "How many cats are there in the picture?") == "There are two cats."
    assert answer(cats, "how many dogs can you see") == "None: I see no dogs in the picture."


def test_presence_with_and_without(cat: Scene) -> None:
    assert answer(cat, "Is there a cat in this image?").startswith("Yes, there is a cat")
    assert answer(cat, "Does the picture contain an elephant?").startswith("No, I see no")
    assert answer(cat, "Can you see a dog?") == "No, I see no dog in the picture."
    assert answer(cat, "Is there a dog or a cat?") == "I see a cat, and no dog."


@pytest.mark.long
def test_kind_and_content(cat: Scene) -> None:
    assert "Egyptian mau" in answer(cat, "What breed is the cat?")
    assert "cat" in answer(cat, "What is in this picture?")
    assert "cat" in answer(cat, "What animal is this?")


def test_place_and_size(cats: Scene) -> None:
    assert answer(cats, "Where is the small cat?").startswith("The small cat is on the right")
    assert "one cat" in answer(cats, "What is on the left?")
    question = "Which is bigger, the cat on the left or the cat on the right?"
    assert answer(cats, question) == "In the picture, the cat on the left is."


def test_colour_of_an_object(motorcycle: Scene) -> None:
    assert answer(motorcycle, "Is the motorcycle red?").startswith("Yes")
    assert answer(motorcycle, "Is the motorcycle green?").startswith("No")


def test_text_and_time(clock: Scene) -> None:
    assert answer(clock, "What time is it?") == "It shows 10:45."
    assert "10:45" in answer(clock, "What does it say?")
    assert answer(clock, "Is it day or night?").startswith("The picture is dark")


def test_a_photographed_receipt_is_read_and_not_looked_at(clock: Scene, monkeypatch) -> None:
    receipt = Scene(grey(), _examined=((), None))
    monkeypatch.setattr(Scene, "lines", [Box(0, 0, 9, 9, label="Tea 2.00")] * 5)
    for question in ("how much was the total", "when was it bought", "what does it cost"):
        with pytest.raises(ToolError, match="read it as text"):
            answer(receipt, question)


def test_people_are_counted_and_not_named(astronaut: Scene) -> None:
    said = answer(astronaut, "Who is this?")
    assert "one person" in said and "do not recognise" in said


@every_case(
    "question",
    ["What skills does a cat need?", "Why is the cat sad?", "What is the cat thinking?"],
)
def test_what_the_models_cannot_see_is_said(cat: Scene, question: str) -> None:
    said = answer(cat, question)
    assert question in said
    assert "vision-language model" in said
    assert "cat" in said.split(question)[0]


def test_a_garment_is_looked_for_on_the_person(astronaut: Scene) -> None:
    assert "orange" in answer(astronaut, "What colour is her suit?")
    assert "orange" in answer(astronaut, "What colour is the woman's suit?")
    assert "orange" in answer(astronaut, "What is she wearing?")
    assert answer(astronaut, "Is her suit orange?").startswith("Yes")
    assert answer(astronaut, "Is her suit green?").startswith("No")
    assert "brown" in answer(astronaut, "What colour is the woman's hair?")


def test_the_lower_half_of_a_person_is_the_trousers() -> None:
    picture = grey(300, 400)
    drawn = PIL.ImageDraw.Draw(picture)
    drawn.rectangle([100, 100, 200, 220], fill=(210, 30, 30))
    drawn.rectangle([100, 221, 200, 380], fill=(30, 50, 200))
    scene = found_in(picture, Box(90, 50, 210, 385, "person", 0.9))
    assert answer(scene, "What colour is the man's shirt?") == "The shirt looks red."
    assert answer(scene, "What colour are his trousers?") == "The trousers look blue."


def test_shadows_do_not_colour_a_thing(motorcycle: Scene) -> None:
    assert answer(motorcycle, "What colour is the motorcycle?") == "The motorcycle is red."
    cup = Scene(photo("coffee.png"))
    assert answer(cup, "What colour is the cup?") == "The cup is red."


def test_each_of_several_questions_is_answered_or_said_not_to_be() -> None:
    cup = Scene(photo("coffee.png"))
    both = answer(cup, "Is there a cup? Is there a dog?")
    assert both.startswith("Yes, there is a cup") and "no dog" in both and "“" not in both
    said = answer(cup, "What colour is the cup and is it round?")
    assert said.startswith("The cup is red.") and "“is it round”" in said


def test_where_says_the_place_and_what_is_there(room: Scene) -> None:
    said = answer(room, "Where is the cat sitting?")
    assert said.startswith("The cat is in the middle of the picture, on the couch")
    assert "to the left of the couch" in answer(room, "Where is the dog?")


@every_case(
    ("question", "start"),
    [
        ("Is the laptop on the left or on the right?", "The laptop is on the right"),
        ("Is the dog on the left?", "Yes, the dog is on the left"),
        ("Is the dog on the right side of the picture?", "No, the dog is on the left"),
        ("Is the cat on the couch?", "Yes, the cat is on the couch"),
        ("Is the dog to the left of the cat?", "Yes"),
        ("Is the dog to the right of the cat?", "No, the dog is to the left of the cat"),
        ("Is the dog on the left or on the right of the cat?", "The dog is on the left of the cat"),
        ("Is the couch bigger than the dog?", "Yes"),
        ("Is the dog larger than the couch?", "No, in the picture the couch is larger"),
        ("Which is closer, the laptop or the cat?", "In the picture, the laptop is"),
        ("Who is further to the left, the dog or the cat?", "In the picture, the dog is"),
        ("What is on the couch?", "I see one cat on the couch"),
        ("Is anyone on the couch?", "No, I see nobody"),
        ("Is the cat lying on a bed?", "I see no bed in the picture."),
        ("Does the cat have whiskers?", "I see a"),
    ],
)
def test_relations_are_told_from_the_boxes(room: Scene, question: str, start: str) -> None:
    assert answer(room, question).startswith(start)


def test_what_a_person_has_and_does() -> None:
    player = Box(100, 40, 200, 280, "person", 0.9)
    tie = Box(140, 90, 155, 160, "tie", 0.3)
    racket = Box(180, 100, 250, 150, "tennis racket", 0.7)
    scene = found_in(grey(), player, racket, tie)
    assert answer(scene, "Is the man wearing a tie?").startswith("Probably yes, I see a tie")
    assert answer(scene, "Does the man have a tennis racket?").startswith("Yes")
    assert answer(scene, "What is the man doing?") == "The man is probably playing tennis."
    assert "tennis racket" in answer(scene, "What is the man holding?")
    assert "cannot be sure" in answer(scene, "Is the man holding a spoon?")
    rider = found_in(
        grey(), Box(150, 40, 210, 180, "person", 0.9), Box(100, 100, 280, 260, "horse", 0.9)
    )
    assert answer(rider, "What is the woman doing?") == "The woman is probably riding a horse."
    assert answer(rider, "Is anyone riding the horse?").startswith("Yes")
    beside = found_in(
        grey(), Box(20, 40, 80, 260, "person", 0.9), Box(100, 100, 280, 260, "horse", 0.9)
    )
    assert answer(beside, "Is the man riding the horse?").startswith("No")


def test_small_or_unknown_things_are_not_denied_for_sure(cat: Scene) -> None:
    assert answer(cat, "Is there a spoon?").startswith("I do not see a spoon")
    assert answer(cat, "Is there a thurible?").startswith("I do not see a thurible")


def test_noise_is_not_read_as_text() -> None:
    camera = Scene(photo("camera.png"))
    assert answer(camera, "Is there any text?").startswith("No")
    assert answer(camera, "Is this in colour?") == "It is a black-and-white picture."
    assert "cannot tell colours" in answer(camera, "What colour is his coat?")


def test_people_are_not_told_apart_by_sex(astronaut: Scene) -> None:
    assert answer(astronaut, "How many women are there?").startswith("I see one person")
    assert answer(astronaut, "How many people are there?") == "There is one person."


@pytest.mark.long
def test_a_lion_is_where_it_is() -> None:
    lion = Scene(photo("lion.jpg"))
    assert answer(lion, "Where is the lion?") == "The lion is in the middle of the picture."


def test_a_narrower_kind_than_can_be_seen_is_not_affirmed() -> None:
    scene = found_in(grey(), Box(100, 40, 300, 280, "bear", 0.9))
    assert "whether it is a polar bear I cannot tell" in answer(scene, "Is it a polar bear?")
    assert "whether" in answer(scene, "Is there a panda bear?")
    assert answer(scene, "Is there a bear?").startswith("Yes, there is a bear")
    assert "vision-language model" in answer(scene, "How many legs does the bear have?")


def test_what_is_seen_with_doubt_is_not_counted() -> None:
    scene = found_in(grey(), Box(100, 40, 200, 280, "person", 0.25))
    assert answer(scene, "How many people are there?") == "I see no people for sure."
    assert answer(scene, "Is there a person?").endswith("(but I am not sure).")


def test_animals_are_named_by_their_place() -> None:
    scene = found_in(
        grey(), Box(10, 50, 90, 250, "llama", 0.8), Box(250, 50, 390, 250, "horse", 0.8)
    )
    assert answer(scene, "How many animals are there?").startswith("There are two animals")
    assert answer(scene, "What animal is on the left?") == "I see one llama."
    assert answer(scene, "Which animal is closer?").startswith("The one on the")


def test_whose_clothes_are_meant_is_left_open_between_two_people() -> None:
    picture = grey(400, 400)
    drawn = PIL.ImageDraw.Draw(picture)
    drawn.rectangle([50, 60, 150, 390], fill=(10, 10, 10))
    drawn.rectangle([250, 60, 350, 390], fill=(200, 30, 30))
    people = Box(40, 10, 160, 395, "person", 0.9), Box(240, 10, 360, 395, "person", 0.9)
    said = answer(found_in(picture, *people), "What colour is the woman's coat?")
    assert "black on the person on the left" in said
    assert "red on the person on the right" in said


def test_what_a_picture_is_set_in() -> None:
    bus = found_in(grey(), Box(50, 20, 350, 240, "bus", 0.8))
    assert room_or_open_air(bus) == "outdoors"
    assert surroundings(bus) == "on a street"
    assert surroundings(found_in(grey(), Box(50, 20, 350, 240, "stop sign", 0.8))) == ""
