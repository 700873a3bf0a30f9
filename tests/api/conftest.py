"""A real server, started as people start it, and tokens for it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from controlllm.api.tokens import Tokens
from tests.api.programs import Program
from tests.waiting import PATIENCE, wait_until

ROOT = Path(__file__).resolve().parents[2]
#: What a page elsewhere is called that may use the interface of this server.
FRIEND = "https://friend.example"


def own_environment():
    """The environment without what somebody has set for themselves, and without the network."""
    mine = {name: value for name, value in os.environ.items() if "CONTROLLLM" not in name}
    return {**mine, "OMP_NUM_THREADS": "1", "OPENAI_API_KEY": "", "OPENAI_BASE_URL": ""}


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """The address of a server with the real toolbox, and its folder."""
    home = tmp_path_factory.mktemp("server")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, str(ROOT / "app.py"), "--api", "--port", str(port)]
    environment = {
        **own_environment(),
        "CONTROLLLM_API_ORIGINS": FRIEND,
        "CONTROLLLM_API_PER_MINUTE": "400",
    }
    program = subprocess.Popen(
        [*command, "--home", str(home)], stdout=subprocess.DEVNULL, env=environment
    )
    address = f"http://127.0.0.1:{port}"
    try:
        wait_until(lambda: program.poll() is not None or _is_ready(address), every=0.1)
        assert program.poll() is None
        yield address, home
    finally:
        program.terminate()
        program.wait(PATIENCE)


def _is_ready(address):
    try:
        return httpx.get(f"{address}/ready", timeout=PATIENCE).status_code == 200
    except httpx.TransportError:
        return False


@pytest.fixture
def api(server):
    """A client with a token of its own."""
    yield from _client(server)


@pytest.fixture
def other(server):
    """A client with another token."""
    yield from _client(server)


@pytest.fixture
def reader(server):
    """A client with a token that only reads."""
    yield from _client(server, runs=False)


_numbers = iter(range(100_000))


def _client(server, runs=True):
    address, home = server
    token = Tokens(home).add(f"test {next(_numbers)}", runs)
    headers = {"authorization": f"Bearer {token}"}
    with httpx.Client(base_url=address, headers=headers, timeout=PATIENCE) as http:
        yield Program(http, token)
