"""Servers with foreign tools, on loopback and over standard streams, and their sources."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from controlllm.sources.keeping import found_at
from controlllm.sources.mcp.describing import described
from controlllm.sources.source import Adding
from tests.sources.application import KEYS, Served
from tests.sources.town import town_served

HERE = Path(__file__).parent
#: Which secret each scheme of the document uses.
SECRETS = {
    "HeaderKey": "HEADER_KEY",
    "query": "QUERY_KEY",
    "cookie": "COOKIE_KEY",
    "HTTPBearer": "BEARER_KEY",
    "basic": "BASIC_KEY",
    "Client": "CLIENT_KEY",
}


def command(script: str, *arguments: object) -> str:
    """The command of a server's program in this folder."""
    return shlex.join([sys.executable, str(HERE / script), *map(str, arguments)])


@pytest.fixture(scope="session")
def town():
    """The source that the town's server is over its standard streams."""
    return described(command("mcp_server.py", "stdio"), "town", Adding(command=True))


@pytest.fixture(scope="session")
def town_address():
    """The address of the town's server over streamable HTTP."""
    with town_served() as address:
        yield address


@pytest.fixture(scope="session")
def copy_shop(tmp_path_factory):
    """The address of a Gradio app."""
    folder = tmp_path_factory.mktemp("copy-shop")
    quiet = {
        "GRADIO_TEMP_DIR": str(folder),
        "GRADIO_ANALYTICS_ENABLED": "False",
        "PYTHONPATH": str(HERE.parents[1]),
    }
    program = subprocess.Popen(
        [sys.executable, str(HERE / "gradio_program.py")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, **quiet},
    )
    try:
        yield program.stdout.readline().strip()
    finally:
        program.stdin.close()
        try:
            program.wait(10)
        except subprocess.TimeoutExpired:
            program.kill()
            program.wait(10)
        program.stdout.close()


@pytest.fixture(scope="session")
def served():
    found = Served()
    yield found
    found.close()


@pytest.fixture(scope="session")
def described_source(served):
    return found_at(f"{served.url}/openapi.json", "facts", Adding(is_local=True, secrets=SECRETS))


@pytest.fixture
def source(described_source, served):
    served.log.clear()
    return described_source


@pytest.fixture
def keys(monkeypatch):
    """All secrets set in the environment."""
    for name, value in KEYS.items():
        given = "CLIENT" if name == "oauth2" else name.upper()
        monkeypatch.setenv(f"CONTROLLLM_SECRET_{given}_KEY", value)
    return KEYS
