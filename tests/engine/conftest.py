"""What the engine's tests share."""

from __future__ import annotations

import pytest

from controlllm.store import Store
from controlllm.toolbox import Toolbox
from tests.engine.bench import ROUGH, Bench


@pytest.fixture
def bench(tmp_path):
    made = Bench(tmp_path / "home")
    yield made
    made.store.close()


@pytest.fixture(scope="module")
def toolbox():
    """The rough tools, for whatever runs calls outside of the tests' own process."""
    return Toolbox.load(ROUGH)


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    made = Store(tmp_path_factory.mktemp("home"))
    yield made
    made.close()
