"""Ways compared, kept and taken back by the page's verbs."""

from __future__ import annotations

from dataclasses import replace

import PIL.Image
import pytest

from controlllm.core.comparison import Comparison
from controlllm.core.plans import Action, Plan, Reference, Solution, Subtask, TypedValue
from controlllm.core.session import Turn
from controlllm.resources.probing import BadInput
from controlllm.runs.assistant import Assistant
from controlllm.ui.drawings.comparison import standing
from controlllm.ui.view import TurnView
from tests.ui.person import Person, conversations_of


def way(tool: str) -> Solution:
    given = {"image": Reference("a.png")}
    return Solution((Action(tool, given, TypedValue("image", "<GEN>-0")),), 4.0)


SUBTASK = Subtask(
    0, "its left", (), (TypedValue("image", "a.png"),), TypedValue("image", "<GEN>-0")
)
PLAN = Plan(
    (SUBTASK,), {0: tuple(map(way, ("image_crop_left", "image_crop_right", "super_resolution")))}
)


class Page(Person):
    """Somebody in a conversation of one answered request, beside whose way another was tried."""

    def call(self, attached=(), /, **sent):
        return super().call(attached, **{"turn": "0", "subtask": "0", **sent})

    def turn(self):
        return self.session.turns[0]

    def view(self):
        return TurnView.of(self.turn(), self.session)


@pytest.fixture
def page(store, own_toolbox, tmp_path):
    person = Page(conversations_of(Assistant(own_toolbox, store)))
    for number, name in enumerate(("a.png", "b.png", "c.png")):
        picture = PIL.Image.effect_mandelbrot((80, 60), (-2, -1, 1, 1 + number), 20)
        picture.convert("RGB").save(tmp_path / name)
        person.add(tmp_path / name)
    made = person.session.resources
    turn = Turn(
        0, "its left", ("a.png",), PLAN, state="answered", answer="Here.",
        results={"0.0.0": made[1], "0.1.0": made[2]}, beside={0: Comparison({1: ""}, 0, 1)},
    )  # fmt: skip
    store.update(person.session_id, lambda there: there.with_turn(turn))
    return person


def test_two_pictures_lie_over_each_other_and_say_who_they_are(page):
    found = page.look("comparison")
    assert (found["left"], found["right"], len(found["ways"])) == (0, 1, 2)
    assert [item["value"] for item in found["pictures"]] == ["b.png", "c.png"]
    assert all(item["address"].startswith("/media/") for item in found["pictures"])
    drawn = "".join(found["parts"])
    assert "Image crop right instead of Image crop left" in drawn and "<img" not in drawn
    assert page.look("comparison", subtask="7") == {} == page.look("comparison", turn="7")


def test_the_way_in_use_is_kept_without_a_run_and_another_one_by_a_run(page):
    kept = page.do("keep-way", solution="0")
    assert kept.begin is None and kept.told == "Kept as it is."
    assert page.turn().beside[0].keeps == 0
    back = page.do("take-back", solution="0")
    assert back.begin is None and page.turn().beside[0].keeps == -1
    kept = page.do("keep-way", solution="1")
    assert kept.begin is not None and kept.turn == 0
    for solution in ("9", "-1", "x"):
        with pytest.raises(BadInput):
            page.do("keep-way", solution=solution)
    with pytest.raises(BadInput):
        page.do("take-back", solution="0", subtask="4")


def test_which_two_are_compared_and_the_end_of_it_change_the_mark(page):
    before = standing(page.view(), "a")
    assert before["trying"] == -1
    with pytest.raises(BadInput):
        page.do("compare-pair", left="0", right="2")
    page.do("compare-pair", left="1", right="0")
    assert standing(page.view(), "a")["mark"] != before["mark"]
    assert page.look("comparison")["left"] == 1
    assert page.do("end-comparison").opens["what"] == "comparing"
    assert not page.turn().beside and page.look("comparison") == {}


def test_one_that_is_tried_now_shows_how_far_it_is(page):
    view = replace(page.view(), trying=(0, 1))
    assert standing(view, "a")["trying"] == 0


def test_an_answer_leads_to_its_step_and_a_button_to_the_ways(page):
    ground = page.do("ground", step="0.0.0")
    assert (ground.tab, ground.node, ground.turn) == ("plan", "0.0.0", 0)
    assert page.do("show-ways").tab == "ways" and page.do("show-plan").tab == "plan"
