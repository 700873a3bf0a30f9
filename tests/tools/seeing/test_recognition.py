"""Objects, phrases, classes, captions and text in photos that scikit-image and gradio ship."""

from __future__ import annotations

import re

import numpy as np
import PIL.Image
import PIL.ImageDraw
import PIL.ImageFont
import pytest

from controlllm.resources import Box
from tests.every_case import every_case
from tests.tools.photos import photo
from tools.seeing.embedded import (
    class_regions,
    colours,
    detection,
    faces,
    grammar,
    imagenet,
    things,
)
from tools.seeing.embedded.captions import describe_scene
from tools.seeing.embedded.phrases_to_boxes import ground
from tools.seeing.embedded.scene import Scene
from tools.seeing.recognition import (
    image_captioning,
    image_classification,
    object_detection,
    optical_character_recognition,
    visual_grounding,
)
from tools.shared import boxes


def sign(*lines: str) -> PIL.Image.Image:
    picture = PIL.Image.new("RGB", (480, 90 * len(lines) + 40), "white")
    draw = PIL.ImageDraw.Draw(picture)
    for number, line in enumerate(lines):
        draw.text((30, 30 + 90 * number), line, fill="black", font=PIL.ImageFont.load_default(48))
    return picture


def test_detects_the_cat_where_it_is() -> None:
    found = object_detection(photo("chelsea.png"))
    assert found[0].label == "cat"
    assert boxes.overlap(found[0], Box(0, 0, 451, 300)) > 0.8


def test_scores_are_sorted_and_boxes_lie_in_the_picture() -> None:
    picture = photo("motorcycle_left.png")
    found = detection.examine(picture)[0]
    assert "motorcycle" in {box.label for box in found if box.score > 0.35}
    assert all(0 <= box.left < box.right <= picture.width + 1e-6 for box in found)
    assert all(0 <= box.top < box.bottom <= picture.height + 1e-6 for box in found)
    kept = object_detection(picture)
    assert [box.score for box in kept] == sorted((box.score for box in kept), reverse=True)


@pytest.mark.few(1)
@pytest.mark.parametrize(("name", "label"), [("lion", "lion"), ("cheetah1", "cheetah")])
def test_classifier_corrects_what_the_detectors_do_not_know(name: str, label: str) -> None:
    assert object_detection(photo(f"{name}.jpg"))[0].label == label


@every_case(
    ("query", "expected"),
    [
        ("the cat on the right", Box(500, 90, 726, 240)),
        ("largest cat", Box(0, 10, 451, 310)),
        ("the smaller kitten", Box(500, 90, 726, 240)),
        ("Where is the cat on the left?", Box(0, 10, 451, 310)),
    ],
)
def test_phrase_chooses_between_two(cats: Scene, query: str, expected: Box) -> None:
    found = ground(cats, query)
    assert len(found) == 1
    assert boxes.overlap(found[0], expected) > 0.6


def test_plural_phrase_finds_both(cats: Scene) -> None:
    assert len(ground(cats, "all the cats")) == 2


@every_case("query", ["an elephant", "the stop sign", "a giraffe and a zebra"])
def test_absent_things_are_not_found(cats: Scene, query: str) -> None:
    assert ground(cats, query) == ()


def test_face_is_found_in_the_portrait(astronaut: Scene) -> None:
    (face,) = ground(astronaut, "the face")
    assert boxes.overlap(face, Box(170, 65, 275, 190)) > 0.4
    assert faces.find(photo("gravel.png"), 0.7) == ()


@every_case(
    ("query", "label"),
    [
        ("her out", "person"),
        ("her face unrecognisable", "face"),
        ("the woman's face so nobody can tell who she is", "face"),
        ("the face blurry, not the helmet", "face"),
        ("the giraffe invisible", ""),
        ("my brother", "person"),
        ("our chemistry teacher", "person"),
        ("the bloke in orange", "person"),
        ("the tourist", "person"),
    ],
)
def test_what_is_no_part_of_the_thing_is_left_aside(
    astronaut: Scene, query: str, label: str
) -> None:
    assert {box.label for box in ground(astronaut, query)} == ({label} if label else set())


def test_words_and_colours_are_found() -> None:
    picture = PIL.Image.new("RGB", (320, 320), "white")
    picture.paste(sign("PLATFORM NINE").resize((320, 87)), (0, 40))
    PIL.ImageDraw.Draw(picture).rectangle([40, 200, 140, 300], fill="red")
    PIL.ImageDraw.Draw(picture).rectangle([200, 200, 300, 300], fill="blue")
    (line,) = visual_grounding(picture, "the text that says platform nine")
    assert line.bottom < 140
    found = visual_grounding(picture, "the red one")
    assert boxes.overlap(found[0], Box(40, 200, 140, 300)) > 0.8


def test_classes_are_named_and_add_up() -> None:
    found = image_classification(photo("chelsea.png"))
    assert found[0].name == "Egyptian Mau"
    assert len(found) == 5
    assert sum(label.score for label in found) <= 1.0 + 1e-3
    assert image_classification(photo("coffee.png"))[0].name == "espresso"


def test_class_map_says_where() -> None:
    seen = class_regions.ClassMap.of(photo("chelsea.png"))
    cat = seen.heat(imagenet.numbers_of("cat"))
    assert cat.max() > 0.9
    assert seen.heat(imagenet.numbers_of("bus")).max() < 0.1


def test_class_names_are_a_thousand_different_ones() -> None:
    assert len(set(imagenet.class_names())) == 1000
    assert imagenet.class_names()[985] == "daisy"
    assert imagenet.everyday_names()[161] == "dog"


def test_caption_names_what_is_there(cats: Scene, astronaut: Scene) -> None:
    assert "cat" in image_captioning(photo("chelsea.png"))
    assert describe_scene(cats, read_text=False).startswith("Two cats")
    assert "person" in describe_scene(astronaut, read_text=False)


def test_caption_tells_how_things_stand_together() -> None:
    picture = PIL.Image.new("RGB", (400, 300), (120, 110, 130))

    def caption(*found: Box) -> str:
        return describe_scene(Scene(picture, _examined=(found, None)), read_text=False)

    person = Box(150, 40, 210, 180, "person", 0.9)
    horse = Box(100, 100, 280, 260, "horse", 0.9)
    assert "riding a horse" in caption(person, horse)
    assert "riding" not in caption(Box(20, 40, 80, 260, "person", 0.9), horse)
    racket = Box(200, 100, 240, 130, "tennis racket", 0.7)
    assert "holding a tennis racket" in caption(person, racket)
    couch = Box(60, 90, 380, 260, "couch", 0.8)
    assert re.match(r"A \w+ cat on a \w+ couch", caption(Box(200, 90, 260, 150, "cat", 0.8), couch))
    bus = Box(50, 20, 350, 240, "bus", 0.8)
    people = [Box(x, 120, x + 60, 280, "person", 0.7) for x in (80, 200)]
    said = caption(*people, bus)
    assert said.startswith("Two people in front of a") and "on a street" in said


@pytest.mark.long
def test_caption_leaves_out_what_is_not_sure() -> None:
    assert "0000" not in image_captioning(photo("camera.png"))
    assert "black and white" in image_captioning(photo("camera.png"))
    assert "clock" not in image_captioning(photo("coins.png"))
    assert image_captioning(photo("motorcycle_left.png")).startswith("A red motorcycle")
    assert "black" not in image_captioning(photo("lion.jpg"))


@pytest.mark.long
def test_caption_of_a_page_begins_with_its_first_line() -> None:
    assert "Region-based segmentation" in image_captioning(photo("page.png"))


def test_text_is_read_in_order(capfd: pytest.CaptureFixture[str]) -> None:
    read = optical_character_recognition(sign("Mind the gap", "Platform 42"))
    assert read.lower().replace(" ", "") == "mindthegap\nplatform42"
    printed = capfd.readouterr()
    assert printed.out + printed.err == ""


@pytest.mark.long
def test_printed_page_is_read() -> None:
    read = optical_character_recognition(photo("page.png"))
    assert "segmentation" in read
    assert read.index("markers") < read.index("background")


@every_case(
    ("rgb", "name"),
    [
        ((220, 20, 20), "red"),
        ((20, 60, 200), "blue"),
        ((30, 140, 40), "green"),
        ((250, 220, 40), "yellow"),
        ((250, 130, 10), "orange"),
        ((110, 65, 30), "brown"),
        ((250, 250, 250), "white"),
        ((128, 128, 128), "grey"),
        ((8, 8, 8), "black"),
        ((250, 150, 190), "pink"),
        ((130, 40, 170), "purple"),
    ],
)
def test_colours_have_their_names(rgb: tuple[int, int, int], name: str) -> None:
    assert colours.NAMES[int(colours.classify(np.array(rgb)))] == name


def test_fusing_keeps_agreement_and_doubts_a_single_voice() -> None:
    one, other = Box(0, 0, 10, 10, "dog", 0.8), Box(1, 0, 11, 10, "dog", 0.6)
    lone = Box(50, 50, 60, 60, "cat", 0.9)
    fused = boxes.fuse([([one, lone], 0.5), ([other], 0.5)])
    dog = next(box for box in fused if box.label == "dog")
    assert 0 < dog.left < 1 and dog.score == pytest.approx(0.7)
    assert next(box for box in fused if box.label == "cat").score == pytest.approx(0.6)


def test_parts_of_one_thing_are_dropped_and_heaps_are_taken_apart() -> None:
    whole, half = Box(0, 0, 10, 10, "dog", 0.8), Box(0, 5, 10, 10, "dog", 0.9)
    assert boxes.without_parts([whole, half]) == (whole,)
    heap = Box(0, 0, 30, 10, "carrot", 0.5)
    pieces = [Box(10 * n, 0, 10 * n + 9, 10, "carrot", 0.5) for n in range(3)]
    assert boxes.without_parts([heap, *pieces]) == tuple(pieces)


def test_the_table_of_things_fits_the_models() -> None:
    assert [len(things.COCO_CLASSES), things.COCO_CLASSES[0]] == [80, "person"]
    numbers = [number for run in things.IMAGENET.values() for number in run]
    assert len(numbers) == len(set(numbers)) and max(numbers) < 1000
    assert things.classes_of("puppy") == {"puppy", "dog"}
    assert "carrot" in things.classes_of("vegetable")


@every_case(
    ("one", "several"),
    [("person", "people"), ("knife", "knives"), ("bus", "buses"), ("butterfly", "butterflies"),
     ("sheep", "sheep"), ("skis", "skis"), ("couch", "couches"), ("tie", "ties")],
)  # fmt: skip
def test_plurals_go_both_ways(one: str, several: str) -> None:
    assert grammar.plural(one) == several
    assert grammar.singular(several) == one
