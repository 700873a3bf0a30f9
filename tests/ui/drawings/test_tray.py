"""The tray of files says which one is current and which was taken back."""

from __future__ import annotations

import re
from dataclasses import replace

from controlllm.core.plans import Action, Plan, Reference, Solution, Subtask, TypedValue
from controlllm.core.session import Session, Turn
from controlllm.resources import Resource
from controlllm.ui.drawings.media import Media
from controlllm.ui.drawings.tray import shelved, tray


def made(number: int, source: str, value: str) -> Turn:
    output = TypedValue("image", "<GEN>-0")
    action = Action("change", {"image": Reference(source)}, output)
    plan = Plan((Subtask(0, "change it", (), (), output),), {0: (Solution((action,), 5.0),)})
    results = {"0.0.0": Resource("image", value, "1" * 64, "image/png", "made")}
    return Turn(number, "change it", plan=plan, results=results, state="answered")


def badges(session: Session, tmp_path) -> dict[str, str]:
    html = tray(session, Media("h", lambda value: tmp_path / value))
    items = re.findall(r'<li class="tray-item" data-key="([^"]*)"(.*?)</li>', html, re.DOTALL)
    found = {name: re.search(r'class="standing (\w+)"', drawn) for name, drawn in items}
    return {name: badge[1] if badge else "" for name, badge in found.items()}


def test_one_small_badge_says_what_is_current_and_what_was_taken_back(tmp_path):
    files = [Resource("image", f"{name}.png", "1" * 64, "image/png") for name in ("cat", "dog")]
    session = Session("s", resources=tuple(files))
    assert set(badges(session, tmp_path).values()) == {""}
    for turn in (made(0, "cat.png", "a.png"), made(1, "a.png", "b.png")):
        session = session.with_resource(turn.results["0.0.0"]).with_turn(turn)
    assert badges(session, tmp_path) == {
        "cat.png": "", "dog.png": "", "a.png": "", "b.png": "current",
    }  # fmt: skip
    undone = Turn(2, "undo", restored=("cat.png",), taken_back=("a.png", "b.png"))
    undone = replace(undone, results={"restored 0": files[0]})
    session = session.with_turn(undone)
    assert badges(session, tmp_path) == {
        "cat.png": "current", "dog.png": "", "a.png": "taken_back", "b.png": "taken_back",
    }  # fmt: skip
    # What was gone back to stays where it was.
    assert [item.value for item in shelved(session)["added"]] == ["dog.png", "cat.png"]
