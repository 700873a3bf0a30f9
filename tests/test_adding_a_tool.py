"""docs/adding-a-tool.md is followed to the letter."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from controlllm.toolbox import PACKAGE_FOLDER, Context, Toolbox, ToolError, Unavailable
from tests.tools.tiny_models import build

PAGE = (PACKAGE_FOLDER / "docs" / "adding-a-tool.md").read_text("utf-8")
FIRST, SECOND = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
COMMANDS = re.findall(r"^python (-m controlllm .*--tools my_tools)$", PAGE, re.MULTILINE)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    folder = tmp_path / "my_tools"
    folder.mkdir()
    assert "my_tools/reading_time.py" in PAGE
    (folder / "reading_time.py").write_text(FIRST, "utf-8")
    (tmp_path / "story.txt").write_text("Once upon a time there was a fox. " * 60, "utf-8")
    return folder


def run(command: str, folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, *shlex.split(command)],
        cwd=folder,
        env={"PYTHONPATH": str(PACKAGE_FOLDER), "PATH": "", "HOME": str(folder)},
        capture_output=True,
        text=True,
        timeout=800,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.long
def test_the_commands_of_the_page_do_what_it_says(own):
    tools, plan, ask = (run(command, own.parent) for command in COMMANDS)
    assert "reading_time(text) -> text" in tools
    assert re.search(r"\* [\d.]+  reading_time$", plan, re.MULTILINE)
    assert "480 words, about 2 min 5 s." in ask


def test_the_tool_can_be_called_as_a_function(own):
    toolbox = Toolbox.load(own)
    (way,) = toolbox.implementations["reading_time"]
    assert way.function("one two three", 60) == "3 words, about 0 min 3 s."
    with pytest.raises(ToolError, match="no words"):
        way.function("  ", 60)


def test_the_second_tool_says_what_it_lacks(own, tmp_path, monkeypatch):
    monkeypatch.setenv("CONTROLLLM_MODELS", str(tmp_path / "models"))
    (own / "plain_explanation.py").write_text(SECOND, "utf-8")
    toolbox = Toolbox.load(own)
    reason = toolbox.reason_unavailable("plain_explanation")
    assert reason == "needs weights, 1.5 GB: `python -m controlllm models pull plain_explanation`"
    assert reason.replace("\n", " ") in PAGE.replace("\n  ", " ")
    definition = toolbox.implementations["plain_explanation"][0]
    assert definition.missing_weights()[0].repository == "Qwen/Qwen3-0.6B"


@pytest.mark.long
def test_the_second_tool_runs_on_a_model_of_its_kind(own, tmp_path, monkeypatch):
    monkeypatch.setenv("CONTROLLLM_MODELS", str(tmp_path / "models"))
    (own / "plain_explanation.py").write_text(SECOND, "utf-8")
    (way,) = Toolbox.load(own).implementations["plain_explanation"]
    (weights,) = way.missing_weights()
    weights.folder.mkdir(parents=True)
    build(weights)
    assert way.reason_unavailable() is None
    said = way.run({"text": "The moon is made of stone."}, Context())
    assert isinstance(said, str) and said


def test_a_promise_alone_cannot_be_called(own):
    (own / "promise.py").write_text(SECOND.partition("@plain_explanation")[0], "utf-8")
    with pytest.raises(Unavailable, match="cannot run here"):
        sys.modules.pop("added_tools_promise", None)
        Toolbox.load(own)
        sys.modules["added_tools_promise"].plain_explanation("text")
