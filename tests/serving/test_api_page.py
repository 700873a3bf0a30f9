"""The page that programmers read is true: its commands run, its examples can be read."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess

import PIL.Image
import pytest

from controlllm.cli.main import _parser
from tests.serving.conftest import ROOT

PAGE = (ROOT / "docs" / "api.md").read_text("utf-8")


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.skipif(not (shutil.which("curl") and shutil.which("bash")), reason="needs curl")
def test_the_commands_of_the_page_run_and_do_what_it_says(server, api, tmp_path):
    # Each answer on a line of its own.
    commands = "\necho; echo ---\n".join(blocks("bash")).replace("curl -s", "echo; curl -s")
    commands = commands.replace("$(echo; curl", "$(curl")
    (tmp_path / "assets").symlink_to(ROOT / "assets")
    ran = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", commands],
        cwd=tmp_path,
        env={**os.environ, "ADDRESS": f"{server[0]}/api/v1", "TOKEN": api.token},
        capture_output=True,
        text=True,
        timeout=800,
    )
    assert ran.returncode == 0, ran.stderr + ran.stdout
    tool, asked, _, events, plan, run = ran.stdout.split("\n---\n")
    assert "positive" in tool
    assert json.loads(asked.strip().splitlines()[-1])["state"] == "answered"
    assert json.loads(events.strip().splitlines()[-1])["event"] == "AnswerFinished"
    assert json.loads(plan)["plan"]["subtasks"]
    assert json.loads(run)["state"] == "answered"
    for name in ("lines.png", "edges.png"):
        with PIL.Image.open(tmp_path / name) as shown:
            assert shown.size == (600, 400)


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
