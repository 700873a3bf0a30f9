"""The command line, as a person and as a program use it."""

from __future__ import annotations

import json

import numpy as np
import PIL.Image
import pytest

from controlllm.cli.main import main
from tests.every_case import every_case

ADDED = '''
from controlllm.resources import Image
from controlllm.toolbox import tool


@tool(domain="image-editing", examples=["Make a kaleidoscope of this photo", "kaleidoscope it"])
def kaleidoscope_image(image: Image) -> Image:
    """Make a kaleidoscope of an image: its quarters mirrored around the middle."""
    return image.transpose(0)
'''


@pytest.fixture
def picture(tmp_path):
    pixels = np.zeros((60, 80, 3), np.uint8)
    pixels[20:40, 20:60] = (200, 30, 30)
    path = tmp_path / "red box.png"
    PIL.Image.fromarray(pixels).save(path)
    return path


@pytest.fixture
def added(tmp_path):
    folder = tmp_path / "more tools"
    folder.mkdir()
    (folder / "kaleidoscope.py").write_text(ADDED)
    return folder


def test_ask_leaves_the_results(picture, tmp_path, capsys):
    out = tmp_path / "out"
    assert main(["ask", "Get the edges of this picture", str(picture), "--out", str(out)]) == 0
    with PIL.Image.open(out / "red box edges.png") as edges:
        assert edges.size == (80, 60)
        assert np.asarray(edges.convert("L")).max() > 100
    assert "red box edges.png" in capsys.readouterr().out


def test_ask_prints_events(picture, capsys):
    assert main(["ask", "Get the edges of this picture", str(picture), "--json"]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert events[0]["event"] == "RequestReceived"
    assert events[-1]["event"] == "AnswerFinished"
    finished = [event for event in events if event["event"] == "ActionFinished"]
    assert finished[0]["tool"] == "image_to_edge"
    assert finished[0]["resource"]["type"] == "edge"


@every_case(("content", "name"), [(b"", "empty.png"), (b"<html>hello</html>", "page.jpg")])
def test_ask_says_what_is_wrong_with_a_file(content, name, tmp_path, capsys):
    path = tmp_path / name
    path.write_bytes(content)
    assert main(["ask", "Describe it", str(path)]) == 2
    said = capsys.readouterr().err
    assert name in said
    assert "Traceback" not in said
    assert main(["ask", "Describe it", str(path), "--json"]) == 2
    (line,) = capsys.readouterr().out.splitlines()
    assert json.loads(line)["event"] == "RequestFailed"
    assert main(["ask", "Describe it", "nowhere.png"]) == 2
    assert "nowhere.png" in capsys.readouterr().err


def test_ask_has_the_agent_decide_that_is_named(picture, capsys):
    request = ["ask", "Get the edges of this picture", str(picture), "--json"]
    assert main([*request, "--agent", "react", "--divide-first"]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    acted = [event["view"] for event in events if event["event"] == "AgentActed"]
    assert {view["agent"] for view in acted} == {"react"}
    assert not [event for event in events if event["event"] == "SolutionsReady"]
    assert events[-1]["event"] == "AnswerFinished" and events[-1]["resources"]
    with pytest.raises(SystemExit):
        main([*request, "--agent", "oracle"])
    assert "invalid choice: 'oracle'" in capsys.readouterr().err


def test_a_request_that_cannot_be_met(picture, capsys):
    assert main(["ask", "Email this picture to Anna", str(picture), "--json"]) == 1
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert events[-1]["event"] == "RequestFailed"
    assert "outside of here" in events[-1]["message"]


def test_a_request_that_needs_weights(picture, capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("CONTROLLLM_MODELS", str(tmp_path / "models"))
    assert main(["ask", "Make a depth map of this", str(picture)]) == 1
    said = capsys.readouterr().out
    assert "needs weights" in said
    assert "models pull image_to_depth" in said
    assert main(["plan", "Make a depth map of this", str(picture)]) == 0
    assert "cannot run here: image to depth needs weights" in capsys.readouterr().out


def test_tools_say_which_way_they_would_work(capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("CONTROLLLM_MODELS", str(tmp_path / "models"))
    assert main(["tools"]) == 0
    said = capsys.readouterr().out
    assert "object_detection(image) -> bbox\n    * embedded  runs now" in said
    assert main(["tools", "--json"]) == 0
    entries = {entry["name"]: entry for entry in json.loads(capsys.readouterr().out)}
    edge, entry = entries["image_to_edge"], entries["translation"]
    assert (edge["args"][0]["type"], edge["returns"][0]["type"]) == ("image", "edge")
    ready = {"runtime": "embedded", "available": True, "reason": ""}
    assert edge["implementations"][0] == ready
    assert set(entry) == {"name", "domain", "description", "args", "returns", "implementations"}
    for way in entry["implementations"]:
        assert set(way) == {"runtime", "available", "reason"}
        assert not way["available"] and way["reason"]


def test_plan_as_data(capsys):
    assert main(["plan", "Get the edges of a.png and b.png", "a.png", "b.png", "--json"]) == 0
    line = json.loads(capsys.readouterr().out)
    assert line["search"]["strategy"] == "best-first"
    assert [subtask["returns"] for subtask in line["subtasks"]] == [
        {"type": "edge", "value": "<GEN>-0"},
        {"type": "edge", "value": "<GEN>-1"},
    ]
    action = line["subtasks"][1]["solutions"][0]["actions"][-1]
    assert action == {
        "tool": "image_to_edge",
        "inputs": {"image": "b.png"},
        "output": {"type": "edge", "value": "<GEN>-1"},
    }


def test_plan_a_batch_over_another_catalogue(tmp_path, capsys):
    catalogue = [
        {
            "name": "marginalia",
            "description": "Get the edge map of the image.",
            "domain": "image-processing",
            "args": [{"name": "image", "type": "image", "description": ""}],
            "returns": [{"name": "edge", "type": "image.edge", "description": ""}],
        }
    ]
    (tmp_path / "tools.json").write_text(json.dumps(catalogue))
    tasks = [
        {"id": "x", "request": "Find the edges in p.png",
         "resources": [{"type": "image", "value": "p.png"}]},
        {"id": 7, "request": "Hello", "resources": []},
    ]  # fmt: skip
    (tmp_path / "tasks.jsonl").write_text("\n".join(map(json.dumps, tasks)) + "\n\n")
    arguments = [
        "--batch",
        str(tmp_path / "tasks.jsonl"),
        "--toolbox",
        str(tmp_path / "tools.json"),
    ]
    assert main(["plan", *arguments, "--strategy", "best-first"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["id"] for line in lines] == ["x", 7]
    (solution,) = lines[0]["subtasks"][0]["solutions"]
    assert solution["actions"] == [
        {
            "tool": "marginalia",
            "inputs": {"image": "p.png"},
            "output": {"type": "edge", "value": "<GEN>-0"},
        }
    ]
    assert set(lines[0]["search"]) == {"strategy", "visited", "assessed", "llm_calls", "seconds"}
    assert all(not subtask["solutions"] for subtask in lines[1]["subtasks"])


@every_case(
    ("line", "words"),
    [
        ("{", "Line 1"),
        ("[1]", "Line 1"),
        ('{"id": 1, "request": null}', "request in words"),
        ('{"id": 1}', "no 'request'"),
        ('{"id": 1, "request": "x", "resources": [{"type": "cake", "value": "a"}]}', "cake"),
    ],
)
def test_a_malformed_task_is_named(line, words, tmp_path, capsys):
    good = json.dumps({"id": 2, "request": "Describe a.png", "resources": None})
    (tmp_path / "tasks.jsonl").write_text(f"{line}\n{good}\n")
    assert main(["plan", "--batch", str(tmp_path / "tasks.jsonl")]) == 2
    output = capsys.readouterr()
    assert words in output.err
    assert [json.loads(line)["id"] for line in output.out.splitlines()] == [2]


def test_a_folder_or_file_of_tools_that_cannot_be_read(tmp_path, capsys):
    assert main(["tools", "--tools", str(tmp_path / "nowhere")]) == 2
    assert "nowhere" in capsys.readouterr().err
    (tmp_path / "broken.py").write_text("def (:")
    assert main(["tools", "--tools", str(tmp_path)]) == 2
    assert "broken.py" in capsys.readouterr().err


def test_a_tool_added_by_one_file_is_everywhere(added, picture, tmp_path, capsys):
    more = ["--tools", str(added)]
    assert main(["tools", *more]) == 0
    assert "kaleidoscope_image(image) -> image" in capsys.readouterr().out
    assert main(["graph", *more]) == 0
    assert {"image -> kaleidoscope_image", "kaleidoscope_image -> image"} <= set(
        capsys.readouterr().out.splitlines()
    )
    assert main(["plan", "Please make a kaleidoscope of the photo", "a.png", "--json", *more]) == 0
    line = json.loads(capsys.readouterr().out)
    best = line["subtasks"][0]["solutions"][0]
    assert [action["tool"] for action in best["actions"]] == ["kaleidoscope_image"]
    out = tmp_path / "out"
    assert main(["ask", "Make a kaleidoscope of it", str(picture), "--out", str(out), *more]) == 0
    assert (out / "red box kaleidoscope.png").is_file()


def test_files_may_stand_after_options(picture, tmp_path, capsys):
    out = tmp_path / "out"
    more = ["--prefer", "quality", str(picture), "--out", str(out)]
    assert main(["ask", "Get the edges of this picture", *more]) == 0
    assert (out / "red box edges.png").is_file()
    capsys.readouterr()
    assert main(["plan", "Get the edges of them", "a.png", "--json", "b.png"]) == 0
    line = json.loads(capsys.readouterr().out)
    used = {
        action["inputs"]["image"]
        for subtask in line["subtasks"]
        for action in subtask["solutions"][0]["actions"]
    }
    assert used == {"a.png", "b.png"}


@every_case(
    ("arguments", "command"),
    [
        (["ask", "Describe it", "--wish", "a.png"], "ask"),
        (["graph", "a.png"], "graph"),
        (["models", "pull", "a", "--wish"], "models pull"),
    ],
)
def test_what_no_command_knows_is_refused_by_it(arguments, command, capsys):
    with pytest.raises(SystemExit):
        main(arguments)
    said = capsys.readouterr().err
    assert f"usage: python -m controlllm {command} " in said
    assert "unrecognized arguments: " in said


def test_a_failure_has_one_mark_and_one_reason(picture, capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("CONTROLLLM_MODELS", str(tmp_path / "models"))
    assert main(["ask", "Make a depth map of this", str(picture)]) == 1
    said = capsys.readouterr().out
    assert "✗ image to depth" in said and "✓" not in said
    assert said.count("needs weights") == 1
    assert "There is no other way to do this here." in said
