"""What the tests of tools for video share."""

from __future__ import annotations

from pathlib import Path

import pytest

from controlllm.toolbox import Context


@pytest.fixture
def context(tmp_path: Path) -> Context:
    folder = tmp_path / "made"
    folder.mkdir()
    return Context(folder=folder)
