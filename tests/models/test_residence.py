"""What models hold is measured in a process of its own, without what other tests have left."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.models import residence_alone

ALONE = Path(residence_alone.__file__)


@pytest.mark.few(1)
@pytest.mark.parametrize("name", [name for name in vars(residence_alone) if name[:5] == "test_"])
def test_alone(name):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", f"{ALONE}::{name}"]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=280, check=False)
    assert ran.returncode == 0, ran.stdout[-3000:]
