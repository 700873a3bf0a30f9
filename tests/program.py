"""The program as trees of syntax, for tests of what is written in it."""

from __future__ import annotations

import ast
import gc
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
#: The folders whose modules are looked at.
ROOMS = ("controlllm", "tools", "benchmarks")


def modules_in(*folders: str) -> list[Path]:
    """app.py and the modules in some folders of the repository."""
    found = [ROOT / "app.py"]
    for folder in folders:
        found += sorted((ROOT / folder).rglob("*.py"))
    return [path for path in found if path.is_file()]


def statements(tree: ast.AST) -> Iterator[ast.stmt]:
    """All statements in a tree, one after another; what they are made of is not looked at."""
    for name in ("body", "orelse", "handlers", "finalbody", "cases"):
        for node in getattr(tree, name, ()):
            if isinstance(node, ast.stmt):
                yield node
            yield from statements(node)


@cache
def program() -> dict[Path, ast.Module]:
    """Every module of the program, read once by the process that runs these tests.

    Nothing of it is garbage: to look for some after each few nodes would take twice as long again.
    """
    gc.disable()
    try:
        return {path: ast.parse(path.read_text("utf-8"), path) for path in modules_in(*ROOMS)}
    finally:
        gc.enable()
