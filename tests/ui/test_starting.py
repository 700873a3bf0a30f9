"""The program as it is started: the page comes first, and whenever it ends it ends well."""

from __future__ import annotations

import json
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from controlllm.store import Store
from tests.waiting import PATIENCE, wait_until

ROOT = Path(__file__).resolve().parents[2]
REASONS = {"No worker is ready yet.", "The planner is still being loaded."}


@pytest.fixture
def started(tmp_path):
    """A program that has just begun to answer, and the address of its page."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, str(ROOT / "app.py"), "--port", str(port), "--home", str(tmp_path)]
    program = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, env={**os.environ, "OMP_NUM_THREADS": "1"}
    )
    try:
        address = f"http://127.0.0.1:{port}"
        wait_until(lambda: program.poll() is not None or asked(f"{address}/health")[0] == 200)
        assert program.poll() is None
        yield program, address
    finally:
        program.kill()
        program.wait()


def asked(address):
    try:
        with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()
    except OSError:
        return 0, b""


def test_the_page_is_there_at_once_and_ready_says_when_the_rest_is(started):
    program, address = started
    status, page = asked(address)
    assert status == 200 and b'id="app"' in page
    found = []

    def is_ready():
        found[:] = asked(f"{address}/ready")
        assert found[0] == 200 or (
            found[0] == 503 and set(json.loads(found[1])["wrong"]) <= REASONS
        )
        return found[0] == 200

    wait_until(is_ready, every=0.2)
    assert json.loads(found[1])["planner"]
    program.terminate()
    assert program.wait(PATIENCE) == 0


def test_it_ends_well_while_it_still_loads_and_leaves_one_file(started, tmp_path):
    program, _ = started
    program.terminate()
    assert program.wait(PATIENCE) == 0
    # A copy of the database's one file holds all of it.
    copy = shutil.copy(tmp_path / "sessions.sqlite", tmp_path / "copy.sqlite")
    with sqlite3.connect(copy) as connection:
        assert connection.execute("SELECT count(*) FROM sessions").fetchone() == (0,)
    connection.close()


def test_a_port_that_another_program_has_is_told_of_before_anything_else(tmp_path):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        command = [sys.executable, str(ROOT / "app.py"), "--port", port, "--home", str(tmp_path)]
        program = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert program.returncode == 1 and program.stdout == ""
    assert program.stderr == (
        f"Another program listens at 127.0.0.1:{port} already, perhaps another ControlLLM. Stop "
        "it, or choose another port with --port.\n"
    )


def test_a_damaged_database_is_told_of_in_place_of_being_ready(tmp_path):
    Store(tmp_path).close()
    connection = sqlite3.connect(tmp_path / "sessions.sqlite")
    connection.execute("DROP TABLE uses")
    connection.close()
    command = [sys.executable, str(ROOT / "app.py"), "--port", "0", "--home", str(tmp_path)]
    program = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert program.returncode == 1 and program.stdout == ""
    assert program.stderr.startswith("The sessions' database is damaged.")


def test_what_serves_the_page_loads_no_frame_and_no_model():
    loaded = (
        "import sys, app, uvicorn; from controlllm.runs.assistant import Assistant; "
        "from controlllm.toolbox import Toolbox; from controlllm.ui.server import create_app; "
        "Toolbox.load(); print(*sys.modules)"
    )
    found = subprocess.run(
        [sys.executable, "-c", loaded], cwd=ROOT, capture_output=True, text=True, check=True
    )
    heavy = {"av", "cv2", "fastapi", "gradio", "onnxruntime", "openai", "pandas", "scipy", "torch"}
    assert not heavy & set(found.stdout.split())
