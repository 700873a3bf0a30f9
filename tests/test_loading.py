"""What is imported when: a start is as quick as what it loads, and what is off costs nothing."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
#: What takes long to load, or much memory, and that neither planning nor serving has a use for.
HEAVY = {
    *("av", "cv2", "diffusers", "faster_whisper", "matplotlib", "onnxruntime", "openai"),
    *("rapidocr", "ray", "scipy", "sherpa_onnx", "torch", "transformers"),
}
#: What makes traces; what only names them FastAPI loads by itself.
TRACES = ("opentelemetry.sdk", "opentelemetry.exporter", "controlllm.observing.traces")

#: A server that starts, step by step; after each it says which modules there are.
START = """
import argparse, json, os, sys
found = {}
import controlllm.serve, controlllm.ui.splash, controlllm.ui.ending
found["the page that waits"] = list(sys.modules)
import controlllm.runs.assistant
from controlllm.toolbox import Toolbox
assert len(Toolbox.load()) > 0
found["the assistant"] = list(sys.modules)
told, telling = os.pipe()
if not os.fork():
    # As a process of its own, which has of a page what the assistant has of one: nothing.
    import controlllm.cli.main, controlllm.api.verbs, controlllm.api.mcp_server
    os.write(telling, json.dumps([name for name in sys.modules if "gradio" in name]).encode())
    os.write(telling, b"\\n")
    os._exit(0)
os.close(telling)
found["the command line"] = json.loads(open(told).read())
import uvicorn
from controlllm.ui import starting
parser = argparse.ArgumentParser()
controlllm.serve.add_serving_options(parser)
assert starting._programs(parser.parse_args([]), None, None) == (None, ())
assert starting._traces_to("") is None
import controlllm.observing, controlllm.observing.wanted
found["the page"] = list(sys.modules)
print(json.dumps(found))
"""


def printed(code: str) -> str:
    """What a program of its own prints."""
    return subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout


@pytest.fixture(scope="module")
def loaded() -> Mapping[str, set[str]]:
    """The modules that are there after each step of a start."""
    return {step: set(names) for step, names in json.loads(printed(START)).items()}


def test_the_page_that_waits_is_served_without_anything_heavy(loaded):
    names = loaded["the page that waits"]
    assert not names & {*HEAVY, "gradio", "fastapi", "pandas", "controlllm.runs.assistant"}


def test_the_assistant_and_its_tools_load_nothing_heavy(loaded):
    assert not loaded["the assistant"] & {*HEAVY, "gradio"}


def test_what_serves_the_page_loads_no_frame_and_no_model(loaded):
    # Gradio brings FastAPI and pandas.
    assert "gradio" in loaded["the page"] and not loaded["the page"] & HEAVY


def test_nothing_of_programs_and_of_traces_is_loaded_where_they_are_off(loaded):
    names = loaded["the page"]
    assert not [name for name in names if name.startswith(("controlllm.api.", *TRACES))]


def test_the_command_line_and_the_verbs_of_programs_need_no_page(loaded):
    names = loaded["the assistant"] | loaded["the command line"]
    assert not [name for name in names if name.startswith("gradio")]
