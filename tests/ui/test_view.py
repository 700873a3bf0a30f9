"""A turn's view follows the events, and a stored turn gives the same picture again."""

from __future__ import annotations

from pathlib import Path

from controlllm import events
from controlllm.plan import (
    Action,
    Literal,
    Plan,
    Reference,
    SearchCost,
    Solution,
    Subtask,
    TypedValue,
)
from controlllm.resources import Resource
from controlllm.session import Session, Turn
from controlllm.ui.conversation import doing, turn
from controlllm.ui.media import Media
from controlllm.ui.view import TurnView

PHOTO = Resource("image", "photo.jpg", "0" * 64, "image/jpeg", details={"width": 4, "height": 3})
BOXES = Resource("bbox", "boxes-1.json", "1" * 64, "application/json", "object_detection")
CROP = Resource("image", "crop-1.png", "2" * 64, "image/png", "image_cropping")


def plan() -> Plan:
    subtask = Subtask(
        1,
        "crop <the> cup",
        ("image-processing",),
        (TypedValue("image", "photo.jpg"),),
        TypedValue("image", "<GEN>-1"),
    )
    find = Action(
        "object_detection",
        {"image": Reference("photo.jpg"), "query": Literal("cup")},
        TypedValue("bbox", "<GEN>-1-1"),
    )
    crop = Action(
        "image_cropping",
        {"image": Reference("photo.jpg"), "boxes": Reference("<GEN>-1-1")},
        TypedValue("image", "<GEN>-1-2"),
    )
    other = Solution((crop,), 2.0, "It guesses.")
    return Plan((subtask,), {1: (Solution((find, crop), 4.5, "It looks first."), other)})


def after(*happened: events.Event) -> TurnView:
    view = TurnView(0)
    for event in happened:
        view = view.after(event)
    return view


def begun() -> list[events.Event]:
    made = plan()
    return [
        events.RequestReceived(0, "crop the cup", (PHOTO,)),
        events.SubtasksReady(made.subtasks),
        events.SolutionsReady(1, made.solutions[1], SearchCost("best-first", visited=12)),
        events.PlanReady(made),
    ]


def media(folder: Path) -> Media:
    (folder / "boxes").write_text('[{"left":1,"top":1,"right":3,"bottom":2,"label":"cup"}]')
    return Media("handle", lambda value: folder / "boxes")


def drawn(view: TurnView, folder: Path) -> str:
    known = {item.value: item for item in (PHOTO, BOXES, CROP)}
    return turn(view, media(folder), known)


def test_stages_follow_the_events() -> None:
    stream = begun()
    assert [after(*stream[:length]).stage for length in range(1, 5)] == [0, 1, 1, 2]
    writing = after(*stream, events.AnswerToken("It "), events.AnswerToken("is done."))
    assert writing.stage == 3 and writing.answer == "It is done."
    done = writing.after(events.AnswerFinished("It is done.", (CROP,)))
    assert done.stage == 4 and done.state == "answered" and done.shown == (CROP,)


def test_progress_is_told_in_words(tmp_path: Path) -> None:
    view = after(
        *begun(),
        events.ActionStarted("1.0.0", "object_detection", "embedded"),
        events.ActionProgress("1.0.0", 0.5, "half of it"),
    )
    assert "Object detection" in doing(view) and "half of it" in doing(view)
    html = drawn(view, tmp_path)
    assert 'value="0.50"' in html and "is-running" in html


def test_nothing_runs_on_after_a_stop(tmp_path: Path) -> None:
    view = after(
        *begun(),
        events.ActionStarted("1.0.0", "object_detection", "embedded"),
        events.RequestCancelled("Stopped."),
    )
    assert view.state == "cancelled" and doing(view) == ""
    assert "icon-spin" not in drawn(view, tmp_path)


def test_reused_results_are_marked(tmp_path: Path) -> None:
    view = after(
        *begun(), events.ActionFinished("1.0.0", "object_detection", BOXES, 0.01, cached=True)
    )
    assert "reused" in drawn(view, tmp_path)


def test_a_doubt_offers_its_readings_to_choose_from(tmp_path: Path) -> None:
    doubt = events.Doubt("Which is it?", 0, ('Count the "owls" in a.png', "Find the owls in a.png"))
    page = drawn(after(*begun(), doubt), tmp_path)
    assert "Which is it?" in page
    assert page.count('data-do="reading"') == 2
    assert 'data-text="Count the &quot;owls&quot; in a.png"' in page


def test_words_of_people_and_models_are_escaped(tmp_path: Path) -> None:
    view = after(
        events.RequestReceived(0, "<b>bold</b>", ()),
        *begun()[1:],
        events.ActionFailed("1.0.0", "object_detection", "<i>broken</i>", "next"),
        events.Notice("<u>note</u>"),
        events.RequestFailed("<s>gone</s>"),
    )
    html = drawn(view, tmp_path)
    for tag in ("<b>", "<i>", "<u>", "<s>", "<the>"):
        assert tag not in html
    assert "&lt;b&gt;bold" in html


def test_switch_after_a_failure_is_explained_and_a_chosen_one_is_not() -> None:
    switched = events.SolutionSwitched(1, 1, "The first way failed.", plan().switched(1, 1))
    assert after(*begun(), switched).notices == ()
    failed = events.ActionFailed("1.0.0", "object_detection", "It broke.")
    assert after(*begun(), failed, switched).notices == ("The first way failed.",)


def test_stored_turn_is_drawn_like_the_live_one(tmp_path: Path) -> None:
    live = after(
        *begun(),
        events.ActionFinished("1.0.0", "object_detection", BOXES, 0.4),
        events.ActionFinished("1.0.1", "image_cropping", CROP, 0.2),
        events.AnswerFinished("Here it is.", (CROP,)),
    )
    stored = Turn(
        0,
        "crop the cup",
        ("photo.jpg",),
        plan(),
        {"1.0.0": BOXES, "1.0.1": CROP},
        "Here it is.",
        "answered",
    )
    again = TurnView.of(stored, Session("x", resources=(PHOTO, BOXES, CROP)))
    assert again.shown == live.shown and again.answer == live.answer
    for part in ("crop-1.png", "Here it is.", "It looks first.", "Object detection"):
        assert part in drawn(again, tmp_path) and part in drawn(live, tmp_path)
