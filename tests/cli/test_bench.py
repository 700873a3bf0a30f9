"""``bench`` on the command line."""

from __future__ import annotations

import json

import pytest

from controlllm.cli import main


def test_a_suite_is_run_printed_and_written(tmp_path, capsys):
    out = tmp_path / "out"
    asked = ["bench", "controlllm", "--planner", "greedy", "--limit", "2", "--out", str(out)]
    assert main(asked) == 0
    printed = capsys.readouterr().out
    assert "| metric | all (2) |" in printed and "| ControlLLM-Mix | Table 2 |" in printed
    written = json.loads((out / "controlllm-greedy.json").read_text())
    assert written["rows"][0]["count"] == 2
    kept = out / "controlllm-greedy.answers.jsonl"
    before = kept.read_text()
    assert main(asked) == 0, "what is kept is not asked again"
    assert kept.read_text() == before
    assert main([*asked, "--beam", "9"]) == 2
    assert "other settings" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["taskbench"], "--data"),
        (["taskbench", "--data", "nowhere"], "could not be read"),
        (["controlllm", "--data", "nowhere"], "no suite and no file"),
        (["mnms", "--data", "nowhere"], "no file of m&m's samples"),
        (["mnms", "--graph", "nowhere"], "is no graph"),
        (["mnms", "--planner", "model"], "needs a language model"),
        (["mnms", "--parallel", "0"], "at a time"),
    ],
)
def test_what_is_missing_is_said(asked, said, capsys, monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    assert main(["bench", *asked]) == 2
    assert said in capsys.readouterr().err


def test_instructions_with_kinds_are_judged_by_their_kinds(tmp_path, capsys):
    path = tmp_path / "instructions.json"
    path.write_text(json.dumps([{"type": "image_captioning", "instruction": "Describe a.png"}]))
    assert main(["bench", "controlllm", "--data", str(path)]) == 2
    assert "--toolbox" in capsys.readouterr().err
    catalogue = tmp_path / "tools.json"
    image, text = {"name": "image", "type": "image"}, {"name": "text", "type": "text"}
    catalogue.write_text(
        json.dumps(
            [
                {"name": "image_captioning", "description": "Describe an image.",
                 "args": [image], "returns": [text]},
                {"name": "summarization", "description": "Shorten a text.",
                 "args": [text], "returns": [text]},
            ]
        )
    )  # fmt: skip
    assert main(["bench", "controlllm", "--data", str(path), "--toolbox", str(catalogue)]) == 0
    assert "| right | 1.000 | 1.000 |" in capsys.readouterr().out
