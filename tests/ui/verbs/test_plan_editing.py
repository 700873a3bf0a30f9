"""Changing a plan by hand: what is shown, what is refused, what then runs."""

from __future__ import annotations

from dataclasses import replace

import PIL.Image
import pytest

from controlllm.core.plans import Action, Plan, Reference, Solution, Subtask, TypedValue
from controlllm.core.session import Turn
from controlllm.resources.probing import BadInput
from controlllm.runs.assistant import Assistant
from tests.every_case import every_case
from tests.ui.conftest import store
from tests.ui.person import Person, conversations_of

CUT = Action("image_crop_left", {"image": Reference("a.png")}, TypedValue("image", "<GEN>-0-1"))
EDGES = Action("image_to_edge", {"image": Reference("<GEN>-0-1")}, TypedValue("edge", "<GEN>-0"))


@pytest.fixture
def page(store, own_toolbox, tmp_path):
    """Somebody in a conversation whose one request was stopped before anything ran."""
    person = Person(conversations_of(Assistant(own_toolbox, store)))
    path = tmp_path / "a.png"
    PIL.Image.effect_mandelbrot((80, 60), (-2, -1, 1, 1), 20).convert("RGB").save(path)
    person.add(path)
    args = (TypedValue("image", "a.png"),)
    subtask = Subtask(0, "its edges", (), args, TypedValue("edge", "<GEN>-0"))
    plan = Plan((subtask,), {0: (Solution((CUT, EDGES), 4.0),)})
    turn = Turn(0, "its edges", ("a.png",), plan, state="cancelled", answer="Stopped.")
    store.update(person.session_id, lambda session: session.with_turn(turn))
    return person


def change(person, **changes):
    person.store.update(
        person.session_id, lambda session: session.with_turn(replace(session.turns[0], **changes))
    )


def shown(person, **sent):
    return person.look("plan", **{"turn": 0, **sent})["html"]


SWAP = {"kind": "swap", "subtask": 0, "position": 0, "tool": "image_crop_right"}


def test_what_can_be_changed_at_a_step_is_shown_and_then_the_plan_as_it_would_be(page):
    html = shown(page, selected=[0, 0])
    assert "Change this step: Image crop left" in html and "<svg" in html
    assert 'class="graph"' not in html
    assert 'value="image_crop_right"' in html and "text_to_music" not in html
    html = shown(page, edits=[SWAP], selected=[0, "<GEN>-0-1"])
    assert "Change this step: Image crop right" in html and 'class="graph"' in html
    assert "Image crop right instead of Image crop left" in html
    assert "Run (2 steps to make)" in html
    # A step that is put in is looked at; one that is gone is not.
    put_in = {"kind": "insert", "subtask": 0, "position": 1, "name": "image", "index": 0}
    put_in["tool"] = "style_transfer"
    html = shown(page, edits=[put_in], fresh=True)
    assert "Change this step: Style transfer" in html and "its edges</textarea>" in html
    assert "step-panel" not in shown(page, edits=[SWAP], selected=[0, 9])
    assert "step-panel" not in shown(page, edits=[SWAP], selected=[0, "gone"])
    # Nothing of this has changed the conversation.
    assert len(page.session.turns[0].plan.solutions[0]) == 1


@every_case(
    ("edits", "said"),
    [
        ([{**SWAP, "tool": "text_to_music"}], "makes audio, which what comes next cannot read"),
        ([{**SWAP, "tool": "nothing"}], "no tool called"),
        ([{**SWAP, "position": 7}], "not there any more"),
        ([{"kind": "delete", "subtask": 3, "position": 0}], "not there any more"),
        ([{"kind": "burn"}], "no such change"),
        ([{"kind": "delete", "subtask": 0, "position": 0}] * 2, "the only step"),
    ],
    anew=(store, page),
)
def test_what_cannot_be_is_refused_with_a_sentence(page, edits, said):
    with pytest.raises(BadInput, match=said):
        shown(page, edits=edits)
    with pytest.raises(BadInput, match=said):
        page.do("run-edits", turn=0, edits=edits)
    with pytest.raises(BadInput):
        shown(page, turn=4)
    with pytest.raises(BadInput):
        page.do("run-edits", turn=0, edits=[])


def test_a_changed_plan_runs_beside_the_one_that_was(page):
    assert page.run("run-edits", turn=0, edits=[SWAP]).state == "answered"
    turn = page.session.turns[0]
    assert [way.tools for way in turn.plan.solutions[0]] == [
        ("image_crop_left", "image_to_edge"), ("image_crop_right", "image_to_edge"),
    ]  # fmt: skip
    assert turn.plan.chosen == {0: 1} and sorted(turn.results) == ["0.1.0", "0.1.1"]
    # Nothing is left to make where a person pins what is there.
    pin = {"kind": "pin", "subtask": 0, "position": 0, "value": turn.results["0.1.0"].value}
    assert "Run (all is there already)" in shown(page, edits=[pin])
    change(page, state="running")
    with pytest.raises(BadInput, match="Stop it first"):
        page.do("run-edits", turn=0, edits=[SWAP])
    assert shown(page, edits=[]) == ""
    change(page, plan=None, state="failed")
    with pytest.raises(BadInput, match="no plan"):
        page.do("run-edits", turn=0, edits=[SWAP])
    assert shown(page, edits=[]) == ""


def test_why_not_is_answered_for_what_has_all_the_words(page):
    def said(**sent):
        return page.look("why-not", **{"turn": 0, "subtask": 0, **sent})["html"]

    answer = said(words="image to edge")
    assert "Image to edge" in answer and "It is in the best way." in answer
    assert "There is no tool like that" in said(words="qqq")
    for sent in ({"subtask": 5}, {"turn": 5}):
        with pytest.raises(BadInput):
            said(words="edge", **sent)
