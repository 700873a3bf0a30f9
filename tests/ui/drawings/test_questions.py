"""How questions are drawn: words to choose from, or pieces of the picture."""

from __future__ import annotations

from pathlib import Path

from controlllm.core.questions import Question
from controlllm.resources import Box, Resource
from controlllm.ui.drawings.answer import questions
from controlllm.ui.drawings.media import Media
from controlllm.ui.view import TurnView

PHOTO = Resource("image", "photo.jpg", "ab12", "image/jpeg", details={"width": 100, "height": 80})
MEDIA = Media("h", lambda value: Path(value))


def drawn(asked: Question, state: str = "answered") -> str:
    view = TurnView(3, state=state, questions=(asked,))
    return questions(view, MEDIA, {"photo.jpg": PHOTO})


def test_ways_are_told_in_words():
    html = drawn(Question('Is it "this"?', 1, ("Count <them>", "Find them"), (0, 2)))
    assert "Is it &quot;this&quot;?" in html and "Count &lt;them&gt;" in html
    assert html.count('data-do="choose"') == 2 and 'data-turn="3"' in html
    assert 'data-choice="1"' in html and "<svg class" not in html.split("choices-of")[1]


def test_things_in_a_picture_are_shown_from_left_to_right():
    boxes = (Box(50, 0, 90, 40, "dog"), Box(0, 0, 40, 40, "dog"))
    html = drawn(Question("Which?", 0, ("dog 2", "dog 1"), (), "photo.jpg", boxes, "call"))
    shown = html.split("choices-of")[1]
    assert shown.index('data-choice="1"') < shown.index('data-choice="0"')
    assert shown.count("<image") == 2 and "/media/h/photo.jpg" in shown
    assert 'viewBox="0 0 54 54"' in shown and 'aria-label="dog 1"' in shown


def test_each_shows_the_thing_that_it_means_and_says_which_it_is():
    # Two that lie over each other: what is around them looks the same.
    boxes = (Box(10, 10, 60, 60, "woman"), Box(14, 10, 66, 62, "woman"))
    html = drawn(Question("Which?", 0, ("the left", "the right"), (), "photo.jpg", boxes, "call"))
    assert 'class="meant" d="M10 10h50v50h-50z"' in html
    assert 'class="meant" d="M14 10h52v52h-52z"' in html
    assert '<span class="choice-words">the right</span>' in html


def test_nothing_can_be_chosen_while_it_runs():
    assert drawn(Question("Which?", 0, ("a", "b"), (0, 1)), "running").count("disabled") == 2


def test_without_the_picture_words_are_left():
    boxes = (Box(0, 0, 4, 4), Box(5, 0, 9, 4))
    html = drawn(Question("Which?", 0, ("the left", "the right"), (), "gone.jpg", boxes, "call"))
    assert "the left</button>" in html
