"""What the program imports is pinned; what comes with something else may go with it."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
OWN = {"app", "controlllm", "scripts", "tests", "training"}
PRODUCT = [ROOT / "app.py", *(ROOT / "controlllm").rglob("*.py")]
LISTS = [*ROOT.glob("requirements*.txt"), *(ROOT / "controlllm").rglob("requirements*.txt")]
#: What a module may import that is not run with the program alone.
ASIDE = {"benchmarks", "tools/hub"}


@cache
def pinned(*names: str) -> frozenset[str]:
    """The packages that requirements files pin; all files without names."""
    paths = [path for path in LISTS if path.name in names] or list(LISTS)
    lines = "\n".join(path.read_text() for path in paths)
    return frozenset(map(plain, re.findall(r"^([\w.-]+)(?:\[[^]]*\])?==", lines, re.MULTILINE)))


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def imported(path: Path) -> Iterator[str]:
    """The libraries that a module names anywhere."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names = [item.name for item in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names = [node.module or ""]
        else:
            continue
        yield from (name.partition(".")[0] for name in names)


def libraries(paths: list[Path]) -> set[str]:
    found = {name for path in paths for name in imported(path)}
    return found - OWN - set(sys.stdlib_module_names)


@cache
def installed() -> Mapping[str, list[str]]:
    return packages_distributions()


def packages_of(library: str) -> set[str]:
    return {plain(name) for name in installed().get(library, [library])}


@pytest.mark.parametrize("library", sorted(libraries(PRODUCT)))
def test_every_library_is_pinned(library):
    assert packages_of(library) & pinned()


def test_what_the_program_needs_at_once_is_in_its_own_requirements():
    at_once = libraries([path for path in PRODUCT if not is_aside(path)])
    optional = pinned() - pinned("requirements.txt")
    missing = {name for name in at_once if not packages_of(name) & pinned("requirements.txt")}
    assert all(packages_of(name) & optional for name in missing)
    assert missing <= {
        "num2words", "obstore", "opentelemetry", "psycopg", "psycopg_pool", "ray", "tinysoundfont",
    }  # fmt: skip


def is_aside(path: Path) -> bool:
    return any(path.is_relative_to(ROOT / folder) for folder in ASIDE)


@pytest.mark.parametrize("library", ["fastapi", "gradio", "pandas"])
def test_heavy_frames_are_not_needed(library):
    assert library not in libraries(PRODUCT)
    assert library not in pinned("requirements.txt")
