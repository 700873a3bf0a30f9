"""The page that programmers read is true: its commands run, its examples can be read."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys

import PIL.Image
import pytest

from controlllm.api.verbs import NAMES
from controlllm.cli.main import _parser
from tests.api.conftest import ROOT

PAGE = (ROOT / "docs" / "api.md").read_text("utf-8")


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def ran(command, server, api, folder):
    (folder / "assets").symlink_to(ROOT / "assets")
    environment = {"ADDRESS": server[0], "TOKEN": api.token, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=800,
    )
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


@pytest.mark.skipif(not (shutil.which("curl") and shutil.which("bash")), reason="needs curl")
@pytest.mark.long
def test_the_commands_of_the_page_run_and_do_what_it_says(server, api, tmp_path):
    commands = "\necho ---\n".join(blocks("bash"))
    shown = ran(["bash", "-euo", "pipefail", "-c", commands], server, api, tmp_path)
    tool, _, plan, run = shown.split("---\n")
    assert "positive" in tool and "event: error" not in shown

    def last(told):
        return json.loads(re.findall(r"event: complete\ndata: (.*)", told)[-1])[0]

    assert last(plan)["plan"]["subtasks"] and last(run)["state"] == "answered"
    with PIL.Image.open(tmp_path / "lines.png") as lines:
        assert lines.size == (600, 400)


@pytest.mark.long
def test_the_python_of_the_page_runs_and_does_what_it_says(server, api, tmp_path):
    script = "\n".join(blocks("python"))
    told = ran([sys.executable, "-W", "ignore", "-c", script], server, api, tmp_path)
    assert "answered" in told and "AnswerFinished\nthe end" in told
    assert json.loads((tmp_path / "workflow.json").read_text())["operators"]


def test_every_verb_stands_in_the_table():
    assert tuple(re.findall(r"^\| `(\w+)\(", PAGE, re.MULTILINE)) == NAMES


def test_the_examples_for_assistants_can_be_read_and_started():
    stdio, http = map(json.loads, blocks("json"))
    args = stdio["mcpServers"]["controlllm"]["args"]
    options = _parser().parse_args(args[2:])
    assert [str(folder) for folder in options.folders] == ["/home/me/Pictures"]
    assert http["mcpServers"]["controlllm"]["url"].endswith("/mcp")


def test_the_commands_to_begin_with_are_there():
    line = next(line for line in blocks("sh")[0].splitlines() if "tokens" in line)
    words = shlex.split(line, comments=True)
    assert _parser().parse_args(words[3:]).name == "my-script"
    assert '"--api"' in (ROOT / "controlllm" / "serve.py").read_text("utf-8")
