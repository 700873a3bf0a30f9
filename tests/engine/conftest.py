"""What the engine's tests share."""

from __future__ import annotations

import pytest

from tests.engine.bench import Bench


@pytest.fixture
def bench(tmp_path):
    made = Bench(tmp_path / "home")
    yield made
    made.store.close()
