"""The table of all sets of requests: its rows, where it is written, and the plans beside it."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from benchmarks import __main__ as command
from benchmarks import annotation, planner, written
from benchmarks.planner import BEGIN, END, Circumstances, Result, rewritten, row

AT = Circumstances("abc1234", "2031-02-03", "a processor, 2 cores")
SETS = ("--only", "people", "--only", "field")


@pytest.fixture
def few(monkeypatch):
    """Only two requests of each set."""
    boxes, suite = written.read_with_toolboxes, annotation.read_suite

    def shorter(name):
        found = suite(name)
        return replace(found, annotations=found.annotations[:2])

    monkeypatch.setattr(
        written, "read_with_toolboxes", lambda path: [(box, all_[:2]) for box, all_ in boxes(path)]
    )
    monkeypatch.setattr(annotation, "read_suite", shorter)


@pytest.fixture
def page(tmp_path, monkeypatch):
    path = tmp_path / "planner.md"
    path.write_text(f"# Before\n\n{BEGIN}\nold words\n{END}\n\nAfter | it |\n")
    monkeypatch.setattr(planner, "PAGE", path)
    return path


def titles(text):
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    return [line.split("|")[1].strip() for line in lines[2:]]


@pytest.mark.long
def test_each_set_asked_for_has_a_row_and_the_same_plans_are_the_same_files(
    few, page, tmp_path, capsys
):
    before = page.read_text()
    folders = [tmp_path / "once", tmp_path / "again"]
    for folder in folders:
        assert command.main(["planner", *SETS, "--dump", str(folder)]) == 0
    printed = capsys.readouterr().out
    assert titles(printed)[:2] == ["people's first 200", "field"]
    assert page.read_text() == before
    once, again = ({path.name: path.read_text() for path in each.iterdir()} for each in folders)
    assert once == again and set(once) == {"people.json", "field.json"}
    plans = json.loads(once["people.json"])
    assert len(plans) == 2 and plans[0]["subtasks"]
    ways = plans[0]["solutions"]["0"]
    assert ways[0]["actions"][0]["tool"] and ways[0]["score"] == round(ways[0]["score"], 4)


def test_only_what_is_between_the_marks_is_replaced(few, page, capsys):
    assert command.main(["planner", "--only", "field", "--write"]) == 0
    text = page.read_text()
    assert text.startswith(f"# Before\n\n{BEGIN}\n") and text.endswith(f"{END}\n\nAfter | it |\n")
    assert "old words" not in text and titles(text) == ["field"]
    assert " cores" in text


def result(right=0.5):
    return Result(right, [0.01, 0.02, 0.5], [], by_kind={"one": 0.75}, parts={"node F1": 0.7})


def test_a_row_says_what_there_is_and_nothing_of_the_rest():
    assert row("x", result(), AT) == (
        "| x | 3 | 0.500 | 0.750 |  |  |  |  |  |  |  | node F1 0.700 | 20 ms | 500 ms |"
        " 2031-02-03, abc1234 |"
    )


def test_rows_of_other_sets_stay_as_they_stand_in_the_order_of_the_sets():
    later = replace(AT, date="2031-02-04")
    names = ["TaskBench, as told", "field", "people's first 200"]
    page = f"{BEGIN}\n{END}\n"
    for name, at in zip(names, (AT, AT, later), strict=True):
        page = rewritten(page, {name: row(name, result(), at)}, at)
    page = rewritten(page, {"field": row("field", result(0.75), later)}, later)
    assert titles(page) == ["people's first 200", "field", "TaskBench, as told"]
    lines = page.splitlines()
    assert row("TaskBench, as told", result(), AT) in lines
    assert row("field", result(0.75), later) in lines


def test_the_page_of_the_project_has_a_row_for_each_set():
    page = planner.PAGE.read_text("utf-8")
    named = [*(item.title for item in planner.SETS.values()), *planner.PUBLIC.values()]
    assert titles(page.partition(BEGIN)[2].partition(END)[0]) == named
    assert titles(rewritten(page, {}, AT).partition(BEGIN)[2].partition(END)[0]) == named


def test_a_page_without_the_marks_is_refused():
    with pytest.raises(ValueError, match="no table between"):
        rewritten("# A page\n", {}, AT)


def test_rows_with_other_columns_are_not_mixed_in():
    page = f"{BEGIN}\n| set | right |\n| --- | --- |\n| field | 0.5 |\n{END}\n"
    with pytest.raises(ValueError, match="measure field"):
        rewritten(page, {"sealed": row("sealed", result(), AT)}, AT)
    assert titles(rewritten(page, {"field": row("field", result(), AT)}, AT)) == ["field"]


def test_files_of_others_need_their_tools(tmp_path, capsys):
    assert command.main(["planner", "--kinds", str(tmp_path / "asked.json")]) == 2
    assert command.main(["planner", "--only", "kinds"]) == 2
    assert "--toolbox" in capsys.readouterr().err


def test_instructions_with_kinds_get_a_row(tmp_path, capsys):
    asked, tools = tmp_path / "asked.json", tmp_path / "tools.json"
    image = {"name": "image", "type": "image", "description": "a picture"}
    tool = {
        "name": "image_question_answering",
        "description": "Answer a question about a picture.",
        "domain": "image-perception",
        "args": [image, {"name": "question", "type": "text", "description": "the question"}],
        "returns": [{"name": "result", "type": "text", "description": "the answer"}],
    }
    tools.write_text(json.dumps([tool]))
    asked.write_text(
        json.dumps([{"type": "image_QA", "instruction": "What is the owl in a_image.png doing?"}])
    )
    words = ["planner", "--only", "kinds", "--kinds", str(asked), "--toolbox", str(tools)]
    assert command.main(words) == 0
    assert "| authors' instructions | 1 | " in capsys.readouterr().out
