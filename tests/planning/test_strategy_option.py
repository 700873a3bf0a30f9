"""The strategies on the command line and in the planner."""

from __future__ import annotations

import json

import numpy as np
import PIL.Image
import pytest

from controlllm.cli.main import main
from tests.every_case import every_case


# The others are asked for below, and where no strategy is named.
@every_case("name", ("adaptive", "exhaustive"))
def test_a_plan_by_a_strategy(name, capsys):
    arguments = ["plan", "Get the edges of a.png", "a.png", "--json", "--strategy", name]
    assert main(arguments) == 0
    line = json.loads(capsys.readouterr().out)
    assert line["search"]["strategy"] == name
    assert line["search"]["visited"] > 0
    solution = line["subtasks"][0]["solutions"][0]
    assert [action["tool"] for action in solution["actions"]] == ["image_to_edge"]


def test_a_batch_by_a_strategy(tmp_path, capsys):
    task = {
        "id": 3,
        "request": "Find the edges in p.png",
        "resources": [{"type": "image", "value": "p.png"}],
    }
    path = tmp_path / "tasks.jsonl"
    path.write_text(json.dumps(task))
    assert main(["plan", "--batch", str(path), "--strategy", "beam", "--beam", "1"]) == 0
    assert json.loads(capsys.readouterr().out)["search"]["strategy"] == "beam"


def test_ask_by_a_strategy(tmp_path, capsys):
    path = tmp_path / "box.png"
    PIL.Image.fromarray(np.full((40, 40, 3), 200, np.uint8)).save(path)
    arguments = ["ask", "Get the edges of this picture", str(path), "--json"]
    assert main([*arguments, "--strategy", "greedy"]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    (ready,) = [event for event in events if event["event"] == "SolutionsReady"]
    assert "greedy" in json.dumps(ready)


def test_unknown_strategies_and_odd_settings_are_refused(capsys):
    with pytest.raises(SystemExit):
        main(["plan", "Describe a.png", "a.png", "--strategy", "random"])
    assert "best-first" in capsys.readouterr().err
    assert main(["plan", "Describe a.png", "a.png", "--strategy", "beam", "--beam", "0"]) == 2
    assert "at least 1" in capsys.readouterr().err
