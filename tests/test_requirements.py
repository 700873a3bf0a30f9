"""What the program imports is pinned; what comes with something else may go with it."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

from tests.program import ROOT, modules_in, program, statements

OWN = {"app", "benchmarks", "controlllm", "scripts", "tests", "tools", "training"}
PRODUCT = modules_in("controlllm", "tools")
#: The packages that the product was asked for with.
ASKED_FOR = ("gradio", "torch", "transformers", "diffusers", "openai", "pillow", "soundfile")
#: The one list beside requirements.txt: what is installed without what it declares.
ALONE = ROOT / "controlllm" / "models" / "weights" / "requirements-weights.txt"
GROUPS = tomllib.loads((ROOT / "pyproject.toml").read_text())["dependency-groups"]


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pins(lines: Iterable[str]) -> frozenset[str]:
    """The packages that lines pin to one version."""
    found = re.findall(r"^([\w.-]+)(?:\[[^]]*\])?==", "\n".join(lines), re.MULTILINE)
    return frozenset(map(plain, found))


REQUIRED = pins((ROOT / "requirements.txt").read_text().splitlines())
OPTIONAL = pins(
    [
        *ALONE.read_text().splitlines(),
        *(line for group in GROUPS.values() for line in group if isinstance(line, str)),
    ]
)


@cache
def imported(path: Path) -> frozenset[str]:
    """The libraries that a module names anywhere."""
    return frozenset(name.partition(".")[0] for name in _imported(path))


def _imported(path: Path) -> Iterator[str]:
    for node in statements(program()[path]):
        if isinstance(node, ast.Import):
            yield from (item.name for item in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module or ""


def libraries(paths: list[Path]) -> set[str]:
    found = {name for path in paths for name in imported(path)}
    return found - OWN - set(sys.stdlib_module_names)


@cache
def installed() -> Mapping[str, list[str]]:
    return packages_distributions()


def packages_of(library: str) -> set[str]:
    return {plain(name) for name in installed().get(library, [library])}


def test_what_the_product_was_asked_for_with_is_required():
    assert set(ASKED_FOR) <= REQUIRED
    assert set(ASKED_FOR) <= set().union(*map(packages_of, libraries(PRODUCT)))


def test_every_library_is_pinned():
    for library in libraries(PRODUCT):
        assert packages_of(library) & (REQUIRED | OPTIONAL), library


def test_everything_is_pinned_to_one_version():
    for name, group in GROUPS.items():
        for line in group:
            assert isinstance(line, dict) or pins([line]), f"{name}: {line}"


def test_what_the_program_needs_at_once_is_in_its_own_requirements():
    missing = {name for name in libraries(PRODUCT) if not packages_of(name) & REQUIRED}
    assert all(packages_of(name) & OPTIONAL for name in missing)
    assert missing <= {
        "num2words", "obstore", "opentelemetry", "psycopg", "psycopg_pool", "ray", "tinysoundfont",
    }  # fmt: skip


def test_heavy_frames_are_not_needed():
    assert "pandas" not in libraries(PRODUCT)
