"""A reason is words for whoever reads English, and data for whoever is told it otherwise."""

from __future__ import annotations

import json

from controlllm.core.plans import Action, Plan, Solution, Subtask, TypedValue, generated
from controlllm.core.reasons import Reason, reason_from_json, reason_to_json
from controlllm.ui.drawings.wording import reason_label
from controlllm.ui.texts import speaking
from tests.every_case import every_case

WEIGHTS = Reason("needs weights, 2 GB: `python -m x`", "weights", size="2 GB")
GPU = Reason("needs a GPU, and none was found here", "gpu")
EITHER = Reason.one_of((WEIGHTS, GPU))
UNAVAILABLE = {"text_to_image": EITHER, "someones_tool": "needs a licence key"}
LACK = Reason.of_tools(["image_cropping", "text_to_image", "someones_tool"], UNAVAILABLE)


def test_tools_that_cannot_run_are_told_together():
    assert f"text to image {EITHER}; someones tool needs a licence key" == LACK
    assert [tool for tool, _ in LACK.lacks] == ["text_to_image", "someones_tool"]
    assert not Reason.of_tools(["image_cropping"], UNAVAILABLE)


@every_case("reason", [WEIGHTS, GPU, EITHER, LACK, "plain words", ""])
def test_a_reason_survives_json_and_is_said_the_same(reason):
    read = reason_from_json(json.loads(json.dumps(reason_to_json(reason))))
    assert read == reason and reason_to_json(read) == reason_to_json(reason)
    for language in ("en", "de", "ar"):
        with speaking(language):
            assert reason_label(read) == reason_label(reason)


def test_it_is_said_in_the_language_of_the_page_with_what_is_not_ours_as_it_is():
    with speaking("de"):
        said = reason_label(LACK)
    assert said == (
        "Text to image: braucht Gewichte, 2 GB; oder braucht eine GPU, und hier wurde keine "
        "gefunden; und Someones tool: needs a licence key"
    )
    with speaking("ar"):
        assert "تحتاج إلى أوزان" in reason_label(LACK) and "needs weights" not in reason_label(LACK)


def test_a_text_that_there_is_not_is_said_in_its_own_words():
    with speaking("de"):
        assert reason_label(Reason("It rains.", "no_such_text")) == "It rains."


def test_a_plan_keeps_what_its_reasons_are_said_by():
    action = Action("text_to_image", {}, TypedValue("image", generated(1)))
    steps = Reason("Found step by step, in 3 steps.", "by_steps", count="3")
    subtask = Subtask(1, "draw", ("image-generation",), (), TypedValue("image", generated(1)))
    plan = Plan((subtask,), {1: (Solution((action,), 4.0, steps, LACK),)})
    data = json.loads(json.dumps(plan.to_json()))
    (way,) = Plan.from_json(data).solutions[1]
    with speaking("de"):
        assert reason_label(way.reason) == "Schritt für Schritt gefunden, in 3 Schritten."
        assert reason_label(way.missing) == reason_label(LACK)
    # Programs read words.
    told = json.dumps(data)
    assert json.dumps(str(LACK)) in told and json.dumps(str(steps)) in told
