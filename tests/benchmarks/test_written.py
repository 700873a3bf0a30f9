"""Plans for written requests are judged by what their authors meant."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from benchmarks.written import (
    FOREIGN,
    PEOPLE,
    WrittenResult,
    gives_names,
    is_right,
    read_with_toolboxes,
    read_written,
    table,
)
from controlllm.core.plans import Action, Literal, Plan, Reference, Solution, Subtask, TypedValue
from controlllm.toolbox import Toolbox
from tests.every_case import every_case

ROW = {
    "request": "write down talk.wav, then the gist. and print both photos",
    "files": ["audio", "image", "image"],
    "file_names": {"audio_1": "talk.wav"},
    "wishes": [
        {"says": ["write down"], "ways": [["speech_to_text"]], "on": ["audio_1"]},
        {"says": ["the gist"], "ways": [["summarization"], ["other"]], "on": ["wish 1"]},
        {"says": ["print"], "ways": [], "on": ["image_1", "image_2"], "impossible": True},
    ],
}


def written(tmp_path, row=ROW):
    path = tmp_path / "set.json"
    path.write_text(json.dumps([row]))
    return read_written(path)[0]


def plan(*parts):
    """A plan of (tool or None, what it is about) for each subtask."""
    subtasks, solutions = [], {}
    for number, (tool, about) in enumerate(parts):
        returns = TypedValue("text", f"<GEN>-{number}")
        args = tuple(TypedValue("image", value) for value in about)
        subtasks.append(Subtask(number, "x", (), args, returns))
        action = Action(tool or "", {"in": Reference("x")}, returns)
        solutions[number] = (Solution((action,), 5.0),) if tool else ()
    return Plan(tuple(subtasks), solutions)


def test_a_plan_that_does_each_wish_on_what_it_is_about_is_right(tmp_path):
    item = written(tmp_path)
    first, second = ("speech_to_text", ["talk.wav"]), ("summarization", ["<GEN>-0"])
    assert item.kind == "two"
    assert is_right(plan(first, second), item)
    assert is_right(plan(first, ("other", ["<GEN>-0"]), (None, ["image_1.jpg"])), item)


@every_case(
    "parts",
    [
        [("speech_to_text", ["talk.wav"])],
        [("speech_to_text", ["talk.wav"]), ("summarization", ["talk.wav"])],
        [("audio_to_audio", ["talk.wav"]), ("summarization", ["<GEN>-0"])],
        [
            ("speech_to_text", ["talk.wav"]),
            ("summarization", ["<GEN>-0"]),
            ("image_captioning", ["image_1.jpg"]),
        ],
    ],
)
def test_what_is_missing_misplaced_or_too_much_is_wrong(tmp_path, parts):
    assert not is_right(plan(*parts), written(tmp_path))


def test_one_wish_for_several_files_may_be_a_subtask_for_each(tmp_path):
    row = {
        "request": "describe both and read it out",
        "files": ["image", "image"],
        "wishes": [
            {"says": ["describe"], "tools": ["teller"], "on": ["image_1", "image_2"]},
            {"says": ["read"], "tools": ["speaker"], "on": ["wish 1"]},
        ],
    }
    item = written(tmp_path, row)
    each = [("teller", ["image_1.jpg"]), ("teller", ["image_2.jpg"])]
    said = [("speaker", ["<GEN>-0"]), ("speaker", ["<GEN>-1"])]
    assert is_right(plan(*each, *said), item)
    assert not is_right(plan(*each, said[0]), item)
    assert not is_right(plan(each[0], said[0]), item)


def test_an_entry_that_does_not_fit_is_named(tmp_path):
    path = tmp_path / "set.json"
    path.write_text(json.dumps([ROW, {"request": "x"}]))
    with pytest.raises(ValueError, match="set.json, entry 1"):
        read_written(path)


@every_case("path", PEOPLE, ids=lambda path: path.stem)
def test_the_sets_that_ship_name_tools_that_there_are(path):
    found = read_written(path)
    names = {tool.name for tool in Toolbox.load()}
    assert len(found) == 200
    assert {end for item in found for wish in item.wishes for end in wish.ends} <= names


def test_a_file_may_bring_its_toolboxes_along():
    for path, count in zip(FOREIGN, (260, 232), strict=True):
        sets = read_with_toolboxes(path)
        assert len(sets) == 4 and sum(len(found) for _, found in sets) == count
        for toolbox, found in sets:
            ends = {name for item in found for wish in item.wishes for name in wish.ends}
            assert ends <= {tool.name for tool in toolbox}


def test_a_list_is_over_our_own_toolbox():
    ((toolbox, found),) = read_with_toolboxes(PEOPLE[0])
    assert len(found) == 200 and "image_captioning" in toolbox


@every_case(
    ("given", "gives"),
    [
        (["old  mill", "Ann Lee"], True),
        (["The old mill!", "ann lee’s", "else"], True),
        (["Old Mill"], False),
        (["where Ann Lee lives", "old mill"], False),
        ([], False),
    ],
)
def test_who_is_called_by_a_name_has_to_be_told_by_it(tmp_path, given, gives):
    wishes = [
        {"says": ["x"], "tools": ["teller"], "on": [], "words": {"query": name}}
        for name in ("the Old Mill", "Ann Lee's")
    ]
    item = written(tmp_path, {"request": "x", "files": [], "wishes": wishes})
    returns = TypedValue("text", "<GEN>-0")
    inputs = {str(place): Literal(name) for place, name in enumerate(given)}
    way = Solution((Action("teller", inputs, returns),), 5.0)
    made = Plan((Subtask(0, "x", (), (), returns),), {0: (way,)})
    assert gives_names(made, item) is gives
    assert gives_names(made, written(tmp_path)) is None


def test_how_many_right_plans_tell_the_name_is_said_where_any_should():
    result = WrittenResult((True,) * 3, ("one",) * 3, (0.01,) * 3, (True, None, False))
    told = "Of 2 right plans about things with names, 1 give tools the name."
    assert told in table(result)
    assert "names" not in table(replace(result, names=(None,)))


def test_results_are_added_up():
    one = WrittenResult((True, False), ("one", "two"), (0.01, 0.02))
    both = one + WrittenResult((True,), ("two",), (0.04,))
    assert both.by_kind == {"one": (1, 1), "two": (1, 2)} and both.wrong == (1,)
    assert "| **all** | 2 | 3 | 0.667 |" in table(both)
    assert table(both).endswith("Planning: 20 ms median, 20 ms p95.")
