"""Packages that bring tools: built and installed by pip, found where the toolbox is loaded."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from controlllm.core.plans import Literal
from controlllm.engine import Limits, WorkerProcesses
from controlllm.engine.attempt import Call, Made
from controlllm.sources.loading import load_toolbox, tools_of_packages, with_packages
from controlllm.store import Store
from controlllm.toolbox import Toolbox

GOOD = '''
from controlllm.resources import Text
from controlllm.toolbox import tool


@tool(domain="general", examples=["Shout hello."])
def shouting(text: Text, mark: str = "!") -> Text:
    """Write a text in capital letters.

    Args:
        text: what to shout
    """
    return text.upper() + mark


@tool(domain="general")
def image_captioning(text: Text) -> Text:
    """Take the name of another tool."""
    return text
'''
PROJECT = """
[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"

[project]
name = "loud-tools"
version = "1.0"

[project.entry-points."controlllm.tools"]
loud = "loud_tools"
a_broken = "loud_broken"
b_exits = "loud_exits"
c_gone = "loud_gone"
d_wrong = "loud_wrong"
e_empty = "loud_empty"

[tool.setuptools]
py-modules = ["loud_tools", "loud_broken", "loud_exits", "loud_wrong", "loud_empty"]
"""
WRONG = '''
from controlllm.toolbox import tool


@tool(domain="general")
def untyped(text):
    """It has no types."""
'''


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A folder that the package was installed into."""
    folder = tmp_path_factory.mktemp("package")
    (folder / "pyproject.toml").write_text(PROJECT)
    (folder / "loud_tools.py").write_text(GOOD)
    (folder / "loud_broken.py").write_text("raise RuntimeError('no')\n")
    (folder / "loud_exits.py").write_text("raise SystemExit(3)\n")
    (folder / "loud_wrong.py").write_text(WRONG)
    (folder / "loud_empty.py").write_text("")
    target = tmp_path_factory.mktemp("site")
    quiet = ["--quiet", "--no-index", "--no-build-isolation", "--no-deps"]
    subprocess.run(
        [sys.executable, "-m", "pip", "install", *quiet, "--target", target, folder], check=True
    )
    return target


@pytest.fixture
def installed(site, monkeypatch):
    monkeypatch.syspath_prepend(str(site))
    # Workers find what is installed the same way.
    monkeypatch.setenv("PYTHONPATH", f"{site}:{Path(__file__).parents[2]}")


def test_installed_tools_are_in_the_toolbox_and_what_fails_is_told(installed, caplog):
    own = Toolbox.load()
    toolbox = with_packages(own)
    assert {tool.name for tool in toolbox} - {tool.name for tool in own} == {"shouting"}
    assert toolbox["shouting"].parameters[0].default == "!"
    assert toolbox["image_captioning"] == own["image_captioning"]
    left_out = dict(tools_of_packages(own)[1])
    assert "is taken" in left_out.pop("image_captioning")
    assert "has none" in left_out.pop("e_empty")
    assert set(left_out) == {"a_broken", "b_exits", "c_gone", "d_wrong"}
    assert all("cannot be loaded" in sentence for sentence in left_out.values())
    assert {record.tool for record in caplog.records} >= set(left_out)


def test_nothing_installed_changes_nothing():
    toolbox = Toolbox()
    assert with_packages(toolbox) is toolbox


def test_an_installed_tool_runs_in_a_worker_process(installed, tmp_path):
    toolbox = load_toolbox([], tmp_path)
    store = Store(tmp_path)
    workers = WorkerProcesses(toolbox, store, Limits(loads_ahead=False))
    try:
        way = toolbox.implementations["shouting"][0]
        given = {"text": Literal("hello")}
        call = Call(toolbox["shouting"], way, given, {"mark": "?"}, "key", False)
        made = workers(call, threading.Event(), lambda fraction, words: None)
        assert isinstance(made, Made), made
        assert store.path(made.resource.digest, "text/plain").read_text() == "HELLO?"
    finally:
        workers.close()
        store.close()
