"""Tables of words and patterns in TOML files beside the code that reads them."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any


def table_beside(code: str) -> dict[str, Any]:
    """The TOML file of the same name as a module's `__file__`."""
    return tomllib.loads(Path(code).with_suffix(".toml").read_text(encoding="utf-8"))


def patterns_beside(code: str) -> dict[str, re.Pattern[str]]:
    """The patterns of the TOML file of the same name as a module's `__file__`, by their names."""
    table = table_beside(code)
    return {name: re.compile(filled(pattern, {})) for name, pattern in table.items()}


def filled(pattern: str, parts: dict[str, str]) -> str:
    """The pattern on one line, with the part of that name for each ``<name>``, in parts too."""
    pattern = re.sub(r"(?<!P)<([a-z_]+)>", lambda match: filled(parts[match[1]], parts), pattern)
    return re.sub(r"\s*\n\s*", "", pattern)
