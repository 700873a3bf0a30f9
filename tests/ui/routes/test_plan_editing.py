"""Changing a plan through the page's routes: what is shown, what is refused, what then runs."""

from __future__ import annotations

import json
from dataclasses import replace

import PIL.Image
import pytest
from starlette.testclient import TestClient

from controlllm.core.plans import Action, Plan, Reference, Solution, Subtask, TypedValue
from controlllm.core.session import Turn
from controlllm.runs.assistant import Assistant
from controlllm.settings.quotas import Quotas
from controlllm.store import Store
from controlllm.toolbox import Toolbox
from controlllm.ui.conversations import Conversations
from controlllm.ui.operating import Operating
from controlllm.ui.server import routes_of
from tests.every_case import every_case

CUT = Action("image_crop_left", {"image": Reference("a.png")}, TypedValue("image", "<GEN>-0-1"))
EDGES = Action("image_to_edge", {"image": Reference("<GEN>-0-1")}, TypedValue("edge", "<GEN>-0"))


@pytest.fixture
def page(tmp_path):
    """Asks a route of a conversation whose one request was stopped before anything ran."""
    store = Store(tmp_path / "home")
    made = []
    new_session = store.new_session
    store.new_session = lambda: made.append(new_session()) or made[-1]
    conversations = Conversations(Assistant(Toolbox.load(), store), "cookie", quotas=Quotas())
    with TestClient(routes_of(conversations, Operating(store))) as browser:
        handle = browser.post("/conversations", json={"new": True}).json()["handle"]
        path = tmp_path / "a.png"
        PIL.Image.effect_mandelbrot((80, 60), (-2, -1, 1, 1), 20).convert("RGB").save(path)
        sent = browser.post(f"/conversations/{handle}/files?name=a.png", content=path.read_bytes())
        assert sent.status_code == 200, sent.text
        args = (TypedValue("image", "a.png"),)
        subtask = Subtask(0, "its edges", (), args, TypedValue("edge", "<GEN>-0"))
        plan = Plan((subtask,), {0: (Solution((CUT, EDGES), 4.0),)})
        turn = Turn(0, "its edges", ("a.png",), plan, state="cancelled", answer="Stopped.")
        store.update(made[0].id, lambda session: session.with_turn(turn))

        def ask(route, **body):
            return browser.post(f"/conversations/{handle}/{route}", json={"turn": 0, **body})

        ask.load = lambda: store.load(made[0].id)
        ask.change = lambda **changes: store.update(
            made[0].id, lambda session: session.with_turn(replace(session.turns[0], **changes))
        )
        yield ask
    store.close()


SWAP = {"kind": "swap", "subtask": 0, "position": 0, "tool": "image_crop_right"}


def test_what_can_be_changed_at_a_step_is_shown_and_then_the_plan_as_it_would_be(page):
    shown = page("plan", selected=[0, 0]).text
    assert "Change this step: Image crop left" in shown and "<svg" in shown
    assert 'class="graph"' not in shown
    assert 'value="image_crop_right"' in shown and "text_to_music" not in shown
    shown = page("plan", edits=[SWAP], selected=[0, "<GEN>-0-1"]).text
    assert "Change this step: Image crop right" in shown and 'class="graph"' in shown
    assert "Image crop right instead of Image crop left" in shown
    assert "Run (2 steps to make)" in shown
    # A step that is put in is looked at; one that is gone is not.
    put_in = {"kind": "insert", "subtask": 0, "position": 1, "name": "image", "index": 0}
    put_in["tool"] = "style_transfer"
    shown = page("plan", edits=[put_in], fresh=True).text
    assert "Change this step: Style transfer" in shown and "its edges</textarea>" in shown
    assert "step-panel" not in page("plan", edits=[SWAP], selected=[0, 9]).text
    assert "step-panel" not in page("plan", edits=[SWAP], selected=[0, "gone"]).text
    # Nothing of this has changed the conversation.
    assert len(page.load().turns[0].plan.solutions[0]) == 1


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
    anew=(page,),
)
def test_what_cannot_be_is_refused_with_a_sentence(page, edits, said):
    for route in ("plan", "edit"):
        refused = page(route, edits=edits, run="a")
        assert refused.status_code == 422 and said in refused.json()["detail"]
    assert page("plan", turn=4).status_code == 422
    assert page("edit", run="a", edits=[]).status_code == 422


def test_a_changed_plan_runs_beside_the_one_that_was(page):
    drawings = [json.loads(line) for line in page("edit", run="a", edits=[SWAP]).text.splitlines()]
    assert drawings[-1]["ended"] and drawings[-1]["state"] == "answered"
    turn = page.load().turns[0]
    assert [way.tools for way in turn.plan.solutions[0]] == [
        ("image_crop_left", "image_to_edge"), ("image_crop_right", "image_to_edge"),
    ]  # fmt: skip
    assert turn.plan.chosen == {0: 1} and sorted(turn.results) == ["0.1.0", "0.1.1"]
    # Nothing is left to make where a person pins what is there.
    pin = {"kind": "pin", "subtask": 0, "position": 0, "value": turn.results["0.1.0"].value}
    assert "Run (all is there already)" in page("plan", edits=[pin]).text
    page.change(state="running")
    assert "Stop it first" in page("edit", run="b", edits=[SWAP]).json()["detail"]
    page.change(plan=None, state="failed")
    assert "no plan" in page("edit", run="b", edits=[SWAP]).json()["detail"]
    assert "no plan" in page("plan", edits=[]).json()["detail"]


def test_why_not_is_answered_for_what_has_all_the_words(page):
    said = page("why-not", subtask=0, words="image to edge").text
    assert "Image to edge" in said and "It is in the best way." in said
    assert "There is no tool like that" in page("why-not", subtask=0, words="qqq").text
    assert page("why-not", subtask=5, words="edge").status_code == 422
    assert page("why-not", turn=5, subtask=0, words="edge").status_code == 422
