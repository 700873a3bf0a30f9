"""A recording's own sound is never put back onto it as a way to do something."""

from __future__ import annotations

from controlllm.core.plans import Action, Literal, Reference, Solution, TypedValue
from controlllm.planning.round_trips import without_round_trips
from controlllm.toolbox import Argument, Tool, Toolbox

VIDEO, AUDIO, IMAGE = (Argument(kind, kind) for kind in ("video", "audio", "image"))
WISH = Argument("wish", "text", optional=True)
BOX = Toolbox(
    (
        Tool("sound_of", "Take the sound out.", "general", (VIDEO,), Argument("result", "audio")),
        Tool("edit", "Edit a sound.", "general", (AUDIO, WISH), Argument("result", "audio")),
        Tool("dub", "Put a sound on.", "general", (VIDEO, AUDIO), Argument("result", "video")),
        Tool("hum", "Hum a picture.", "general", (IMAGE,), Argument("result", "audio")),
        Tool("film", "Show and play.", "general", (IMAGE, AUDIO), Argument("result", "video")),
    )
)


def step(tool: str, made: str, **given: str) -> Action:
    inputs = {name: Reference(value) for name, value in given.items()}
    return Action(tool, inputs, TypedValue(BOX[tool].returns.type, made))


TAKEN = step("sound_of", "a", video="clip.mp4")
CHANGED = step("edit", "c", audio="a")
BACK = step("dub", "b", video="clip.mp4", audio="c")


def kept(*actions: Action) -> bool:
    return bool(without_round_trips([(1.0, Solution(actions, 4.0))], BOX))


def test_a_sound_put_back_as_it_was_is_no_way():
    assert not kept(TAKEN, step("dub", "b", video="clip.mp4", audio="a"))


def test_another_sound_a_changed_one_and_another_film_are():
    assert kept(TAKEN, CHANGED, BACK)
    assert kept(TAKEN, step("dub", "b", video="other.mp4", audio="a"))
    assert kept(step("hum", "a", image="a.png"), step("film", "b", image="a.png", audio="a"))
    assert kept(TAKEN)


def test_what_is_done_in_between_is_told_where_it_can_be():
    untold = Solution((TAKEN, CHANGED, BACK), 4.0)
    wish = {**CHANGED.inputs, "wish": Literal("mute it")}
    told = Solution((TAKEN, Action("edit", wish, CHANGED.output), BACK), 3.8)
    assert without_round_trips([(1.0, untold), (1.2, told)], BOX) == [(1.2, told)]
    assert without_round_trips([(1.0, untold)], BOX) == [(1.0, untold)]
