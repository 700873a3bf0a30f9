"""A turn's view follows the events, and a stored turn gives the same picture again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from controlllm.core import events
from controlllm.core.costs import SearchCost
from controlllm.core.plans import (
    Action,
    Literal,
    Plan,
    Reference,
    Solution,
    Subtask,
    TypedValue,
)
from controlllm.core.questions import Question
from controlllm.core.reasons import Reason
from controlllm.core.session import Session, Turn
from controlllm.resources import Resource
from controlllm.toolbox import Toolbox
from controlllm.ui.drawings.conversation import doing, turn
from controlllm.ui.drawings.media import Media
from controlllm.ui.drawings.plan import plan_parts, way_parts
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
    parts = (*plan_parts(view, media(folder), known), *way_parts(view, media(folder)))
    return turn(view, media(folder), known) + "".join(parts)


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


def test_a_program_that_has_just_started_is_told_until_the_request_is_read() -> None:
    view = TurnView(0).after(events.RequestReceived(0, "Do it")).after(events.Loading())
    assert "just started" in doing(view)
    assert "just started" not in doing(view.after(events.SubtasksReady(())))


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


def test_questions_go_when_the_turn_goes_on() -> None:
    asked = events.Doubt("Which is it?", Question("Which is it?", 0, ("Count", "Find"), (0, 1)))
    view = after(*begun(), asked)
    assert view.questions == (asked.question,)
    assert view.after(events.RequestReceived(0, "Count the owls")).questions == ()


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
        receipts={"1.0.0": {"seconds": 0.4}, "1.0.1": {"seconds": 0.2, "reused": True}},
    )
    again = TurnView.of(stored, Session("x", resources=(PHOTO, BOXES, CROP)))
    assert again.shown == live.shown and again.answer == live.answer
    for part in ("crop-1.png", "Here it is.", "It looks first.", "Object detection"):
        assert part in drawn(again, tmp_path) and part in drawn(live, tmp_path)
    # How long steps took is known afterwards, also of one that an edited plan has elsewhere.
    assert again.action("1.0.0").seconds == 0.4 and not again.action("1.0.0").cached
    assert again.action("1.0.1").cached
    way = stored.plan.solutions[1][0]
    moved = replace(stored.plan, solutions={1: (stored.plan.solutions[1][1], way)}, chosen={1: 1})
    view = TurnView.of(
        replace(stored, plan=moved, results={"1.1.0": BOXES}, receipts={"1.1.0": {"seconds": 0.7}}),
        Session("x", resources=(PHOTO, BOXES)),
    )
    assert view.action("1.1.0").seconds == 0.7


def lacking(reason: str) -> Plan:
    made = plan()
    (way, _) = made.solutions[1]
    missing = Reason.of_tools(way.tools, {"object_detection": reason})
    return replace(made, solutions={1: (replace(way, missing=missing),)})


def failed_with(reason: str, answer: str) -> TurnView:
    made = lacking(reason)
    sentence = f"Object detection cannot run here: {reason}."
    return after(
        *begun()[:2],
        events.SolutionsReady(1, made.solutions[1], SearchCost("best-first")),
        events.PlanReady(made),
        events.Notice(sentence),
        events.ActionFailed("1.0.0", "object_detection", sentence, "There is no other way."),
        events.AnswerFinished(answer or sentence, ()),
    )


def test_what_failed_is_said_once_and_without_a_command(tmp_path: Path) -> None:
    reason = "needs weights, 9 GB: `python -m controlllm models pull object_detection`"
    view = failed_with(reason, "")
    assert not view.is_met
    page = drawn(view, tmp_path)
    assert "python -m" not in page
    # Besides, whoever selects the step in the drawing is told there.
    page = page.replace("<dt>Why</dt><dd>Object detection cannot run here", "")
    assert page.count("cannot run here: needs weights, 9 GB") == 1
    assert "There is no other way." in page
    assert "What was tried" in page and "How it was done" not in page
    assert 'data-do="toolbox" data-find="object_detection"' in page
    assert "Get what it needs" in page
    # Where the answer does not say it, the step does.
    page = drawn(failed_with(reason, "Sorry."), tmp_path)
    assert '<span class="why">Object detection cannot run here: needs weights, 9 GB.' in page


def test_what_the_settings_forbid_is_changed_there(tmp_path: Path) -> None:
    toolbox = Toolbox.load()
    services = [tool.name for tool in toolbox if tool.domain == "public-api"]
    reasons = {toolbox.reason_unavailable(name) for name in services}
    for reason in filter(lambda words: "public service" in words, reasons):
        page = drawn(failed_with(reason, ""), tmp_path)
        assert 'data-do="settings" data-find="public_services"' in page
    assert any("public service" in words for words in reasons)


def test_a_result_counts_as_met() -> None:
    assert after(*begun(), events.AnswerFinished("Here.", (CROP,))).is_met
    assert TurnView(0).after(events.AnswerFinished("Hello.", ())).is_met
    assert not after(*begun(), events.RequestFailed("No.")).is_met
