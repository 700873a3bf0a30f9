"""Where sessions are kept on this machine."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path


def default_home(environment: Mapping[str, str] = os.environ) -> Path:
    """Where sessions are kept: ``CONTROLLLM_HOME``, or the user's own data folder."""
    chosen = environment.get("CONTROLLLM_HOME")
    if chosen:
        return Path(chosen).expanduser()
    base = environment.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "controlllm"
