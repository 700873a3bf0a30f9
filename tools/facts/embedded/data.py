"""Lists and tables of `assets/facts`: words, names, codes."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).resolve().parents[3] / "assets" / "facts"


@cache
def table(name: str) -> dict[str, Any]:
    """What the file ``name.json`` of the folder holds."""
    found: dict[str, Any] = json.loads((_FOLDER / f"{name}.json").read_text("utf-8"))
    return found
