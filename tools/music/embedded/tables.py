"""The tables of `assets/music`: instruments, patterns, styles, words."""

from __future__ import annotations

import tomllib
from functools import cache
from typing import Any

from controlllm.layout import ASSETS

_FOLDER = ASSETS / "music"


@cache
def table(name: str) -> dict[str, Any]:
    """What the file of that name holds; it is shared, so leave it as it is."""
    return tomllib.loads((_FOLDER / f"{name}.toml").read_text("utf-8"))
