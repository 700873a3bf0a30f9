"""Two ways drawn side by side: what is shown depends on what they made."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import PIL.Image
import pytest

from controlllm.comparing.habits import Choice, Habits, kind_of
from controlllm.comparing.outlook import Outlook
from controlllm.core.comparison import Comparison
from controlllm.core.plans import Action, Plan, Reference, Solution, Subtask, TypedValue, generated
from controlllm.engine import Durations
from controlllm.resources import Resource
from controlllm.settings import Settings
from controlllm.toolbox import Toolbox
from controlllm.ui.drawings.comparison import Compared, compared_ways
from controlllm.ui.drawings.media import Media
from controlllm.ui.drawings.solutions import ways
from controlllm.ui.view import ActionView, TurnView
from tests.every_case import every_case

PHOTO = Resource("image", "a.jpg", "0" * 64, "image/jpeg", details={"width": 30, "height": 20})
PART = Subtask(0, "do it", (), (TypedValue("image", "a.jpg"),), TypedValue("image", generated(0)))


def way(tool: str, makes: str, score: float) -> Solution:
    action = Action(tool, {"image": Reference("a.jpg")}, TypedValue(makes, generated(0)))
    return Solution(
        (action,), score, f"{tool.replace('_', ' ')} does just what was asked, in one step."
    )


def made(kind: str, name: str, digest: str = "", **details: object) -> Resource:
    return Resource(kind, name, (digest or name[0]) * 64, details=details)


def view_of(first: Resource, second: Resource | None, problem: str = "") -> TurnView:
    plan = Plan((PART,), {0: (way("one", first.type, 4.0), way("two", first.type, 3.9))})
    actions = {"0.0.0": ActionView("done", 1.0, resource=first)}
    if second is not None:
        actions["0.1.0"] = ActionView("done", 1.0, resource=second)
    return TurnView(
        0, "do it", state="answered", subtasks=(PART,), solutions=plan.solutions, plan=plan,
        actions=actions, beside={0: Comparison({1: problem}, 0, 1)},
    )  # fmt: skip


@pytest.fixture
def media(tmp_path: Path) -> Media:
    outlook = Outlook(Toolbox(), Durations(), Settings())
    return Media("handle", lambda value: tmp_path / value, outlook)


def compared(view: TurnView, media: Media) -> Compared:
    found = compared_ways(view, 0, media, {"a.jpg": PHOTO})
    assert found is not None
    return found


def drawn(view: TurnView, media: Media) -> str:
    return "".join(compared(view, media).parts)


def test_pictures_of_one_shape_lie_under_a_slider_and_of_two_shapes_beside_each_other(media):
    left = made("image", "b.png", width=300, height=200)
    other = made("image", "c.png", width=600, height=401)
    found = compared(view_of(left, other), media)
    assert found.pictures == (left, other) and "<figure" not in "".join(found.parts)
    found = compared(view_of(left, made("image", "c.png", width=300, height=100)), media)
    assert found.pictures is None and "".join(found.parts).count("<figure") == 2


def test_the_same_result_is_shown_once(media):
    shown = drawn(view_of(made("image", "b.png", "x"), made("image", "c.png", "x")), media)
    assert "exactly the same" in shown and shown.count("<figure") == 1


@every_case("kind", ["audio", "video"], anew=(media,))
def test_players_have_one_set_of_controls(media, kind):
    shown = drawn(view_of(made(kind, "b"), made(kind, "c")), media)
    assert shown.count(f"<{kind}") == 2 and shown.count('data-do="play-both"') == 1
    assert "controls" not in shown.replace("both-controls", "")


def test_boxes_are_drawn_on_the_picture_that_they_were_found_in(media, tmp_path):
    for name in ("b.json", "c.json"):
        (tmp_path / name).write_text('[{"left": 1, "top": 1, "right": 9, "bottom": 9}]')
    shown = drawn(view_of(made("bbox", "b.json"), made("bbox", "c.json")), media)
    assert shown.count("<rect") == 2 and shown.count("/media/handle/a.jpg") == 2


def test_why_nothing_came_of_it_is_said_with_a_way_to_try_again(media):
    shown = drawn(view_of(made("image", "b.png"), None, "The <b>model</b> is gone."), media)
    assert "The &lt;b&gt;model&lt;/b&gt; is gone." in shown and 'role="alert"' in shown
    assert 'data-do="try-way"' in shown and shown.count('data-do="keep-way"') == 1


def test_cards_say_what_differs_and_never_the_same_of_all(media):
    view = view_of(made("image", "b.png"), None)
    cards = ways(view, PART, media)
    assert "Two instead of One" in cards and "just what was asked" not in cards


def test_a_way_that_was_chosen_before_says_so(tmp_path):
    view = view_of(made("image", "b.png"), None)
    solutions = view.solutions[0]
    before = Choice("elsewhere/0/0", kind_of(PART, solutions[1]), "two", "one")
    for choice, said in ((before, True), (Choice("handle/0/0", *vars_of(before)), False)):
        outlook = Outlook(Toolbox(), Durations(), Settings(), lambda one=choice: Habits((one,)))
        media = Media("handle", lambda value: tmp_path / value, outlook)
        assert ("You chose this last time" in ways(view, PART, media)) is said


def vars_of(choice: Choice) -> tuple[str, str, str]:
    return choice.kind, choice.chosen, choice.other


def test_what_comes_to_the_same_is_said_to(tmp_path, media):
    for name, grey in (("b.png", 100), ("c.png", 101), ("d.png", 140)):
        PIL.Image.new("RGB", (30, 20), (grey, grey, grey)).save(tmp_path / name)
    pictures = {name: made("image", f"{name}.png", width=30, height=20) for name in "bcd"}
    alike = compared(view_of(pictures["b"], pictures["c"]), media)
    assert "look the same" in "".join(alike.parts) and alike.pictures
    assert "look the same" not in drawn(view_of(pictures["b"], pictures["d"]), media)
    for name, words in (("e.txt", "A cat  sleeps."), ("f.txt", "A cat sleeps.\n")):
        (tmp_path / name).write_text(words)
    same = drawn(view_of(made("text", "e.txt"), made("text", "f.txt")), media)
    assert "the same words" in same and same.count("<blockquote") == 1


def test_what_was_kept_says_so_and_can_be_taken_back(media):
    view = view_of(made("image", "b.png"), made("image", "c.png"))
    kept = drawn(replace(view, beside={0: Comparison({1: ""}, 0, 1).kept(0, 0)}), media)
    assert kept.count('data-do="keep-way"') == kept.count('data-do="take-back"') == 1
    assert "Kept: in use, and remembered" in kept
    assert 'data-do="take-back"' not in drawn(view, media)
