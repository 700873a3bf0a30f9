from __future__ import annotations

import pytest

from controlllm.language.endpoint import ChatEndpoint
from tests.language.scripted_server import KEY, serving


@pytest.fixture
def server():
    with serving() as found:
        yield found


@pytest.fixture
def endpoint(server):
    return ChatEndpoint(server.base_url, KEY, "small-model")
