"""A web API on loopback, and the source that its document describes."""

from __future__ import annotations

import pytest

from controlllm.sources.adding import found_at
from tests.sources.application import KEYS, Served

#: Which secret each scheme of the document uses.
SECRETS = {
    "HeaderKey": "HEADER_KEY",
    "query": "QUERY_KEY",
    "cookie": "COOKIE_KEY",
    "HTTPBearer": "BEARER_KEY",
    "basic": "BASIC_KEY",
    "Client": "CLIENT_KEY",
}


@pytest.fixture(scope="session")
def served():
    found = Served()
    yield found
    found.close()


@pytest.fixture(scope="session")
def described_source(served):
    return found_at(f"{served.url}/openapi.json", "facts", is_local=True, secrets=SECRETS)


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
