"""Where conversations, files and what is set up for this machine are kept."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from platformdirs import user_data_path

_PROJECT = Path(__file__).resolve().parents[2]


def home_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """The folder that CONTROLLLM_HOME names; else `.data` of a checkout; else where the system
    keeps a person's data of programs."""
    named = environment.get("CONTROLLLM_HOME", "").strip()
    if named:
        return Path(named).expanduser()
    if (_PROJECT / "pyproject.toml").is_file():
        return _PROJECT / ".data"
    return user_data_path("controlllm", appauthor=False)
