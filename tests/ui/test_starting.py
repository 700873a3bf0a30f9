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
from controlllm.ui.splash import Front
from tests.waiting import PATIENCE, wait_until

ROOT = Path(__file__).resolve().parents[2]
REASONS = {
    "The page is still being loaded.",
    "No worker is ready yet.",
    "The planner is still being loaded.",
}
SAY = "print(*sys.modules)"
#: What takes long to load, or much memory, and that serving has no use for.
HEAVY = {
    *("av", "cv2", "diffusers", "faster_whisper", "matplotlib", "onnxruntime", "openai", "ray"),
    *("scipy", "sherpa_onnx", "torch", "transformers"),
}


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


def test_a_page_is_there_at_once_and_ready_says_when_the_rest_is(started):
    program, address = started
    status, page = asked(address)
    assert status == 200 and b"ControlLLM" in page
    found = []

    def is_ready():
        found[:] = asked(f"{address}/ready")
        assert found[0] == 200 or (
            found[0] == 503 and set(json.loads(found[1])["wrong"]) <= REASONS
        )
        # Whoever looks meanwhile sees the page that waits, or the page, and never an error.
        assert asked(address)[0] == asked(f"{address}/health")[0] == 200
        return found[0] == 200

    wait_until(is_ready, every=0.2)
    assert json.loads(found[1])["planner"]
    assert b"window.gradio_config" in asked(address)[1]
    program.terminate()
    assert program.wait(PATIENCE) == 0


async def test_until_there_is_a_page_one_that_waits_answers():
    front, told = Front(), []

    async def send(message):
        told.append(message)

    async def get(path):
        told.clear()
        await front({"type": "http", "path": path}, None, send)
        head = dict(told[0]["headers"])
        assert head[b"cache-control"] == b"no-store" and head[b"retry-after"] == b"1"
        return told[0]["status"], told[1]["body"]

    status, page = await get("/")
    assert status == 200 and b"is starting" in page and b'role="status"' in page
    assert (await get("/health"))[0] == 200
    status, body = await get("/ready")
    assert status == 503 and json.loads(body)["wrong"] == ["The page is still being loaded."]
    # What it asks to know whether the page is there is something that the page has.
    assert "/page/texts.json" in page.decode()
    for path in ("/page/texts.json", "/gradio_api/queue/join", "/media/x/y"):
        assert (await get(path))[0] == 503


def test_it_ends_well_while_the_page_still_loads(started, tmp_path):
    program, _ = started
    program.terminate()
    assert program.wait(PATIENCE) == 0
    assert not list(tmp_path.glob("*-wal"))


@pytest.mark.long
def test_it_ends_well_while_the_rest_still_loads_and_leaves_one_file(started, tmp_path):
    program, address = started
    wait_until(lambda: asked(f"{address}/page/texts.json")[0] == 200)
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
