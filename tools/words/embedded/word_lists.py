"""The lists of words and patterns that the tools for texts read: ``assets/language`` and the
tables beside the code."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

LANGUAGE_FOLDER = Path(__file__).resolve().parents[3] / "assets" / "language"


def lines_of(name: str) -> list[str]:
    """The lines of a list in ``assets/language`` without remarks."""
    lines = (LANGUAGE_FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def parted_by_commas(words: str) -> list[str]:
    """What commas part, with single spaces."""
    return [" ".join(part.split()) for part in words.split(",") if part.strip()]


def table_beside(code: str) -> dict[str, Any]:
    """The TOML file of the same name as a module's `__file__`."""
    return tomllib.loads(Path(code).with_suffix(".toml").read_text(encoding="utf-8"))


def patterns_beside(code: str) -> dict[str, re.Pattern[str]]:
    """The patterns of the TOML file of the same name as a module's `__file__`, by their names."""
    table = table_beside(code)
    return {name: re.compile(filled(pattern, {})) for name, pattern in table.items()}


def one_of(words: str) -> str:
    """A pattern for any of the patterns that commas part."""
    return f"(?:{'|'.join(parted_by_commas(words))})"


def filled(pattern: str, parts: dict[str, str]) -> str:
    """The pattern on one line, with the part of that name for each ``<name>``, in parts too."""
    pattern = re.sub(r"<([a-z_]+)>", lambda match: filled(parts[match[1]], parts), pattern)
    return re.sub(r"\s*\n\s*", "", pattern)
