"""A second run for tests of the page that fail, and for no others."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

STARTS = """
import pathlib
import pytest

RUNS = pathlib.Path(__file__).parent / "runs"


def ran(name):
    \"\"\"How often a test has begun, this time too.\"\"\"
    with (RUNS / name).open("a") as file:
        file.write("x")
    return len((RUNS / name).read_text())


@pytest.fixture(scope="session")
def server():
    return ran("server")


@pytest.fixture
def page(server):
    return ran("page")
"""

FIRST_FAILS = """
@pytest.mark.browser
def test_fails_first(page, server):
    assert (page, server) == (2, 2)


@pytest.mark.browser
def test_comes_after_it(server):
    assert server == 2
"""

AFTERWARDS_FAILS = """
@pytest.fixture
def closes_badly():
    yield
    assert ran("closed") > 1


@pytest.mark.browser
def test_fails_afterwards(closes_badly):
    pass
"""

ALWAYS_FAILS = """
@pytest.mark.browser
def test_fails_always():
    assert ran("always") < 1
"""

UNMARKED = """
def test_is_no_test_of_the_page():
    assert ran("unmarked") > 1
"""


def run(folder: Path, tests: str, workers: int) -> tuple[int, str, dict[str, int]]:
    """What pytest ends with and says for some tests, and how often each part of them ran."""
    runs = folder / "runs"
    runs.mkdir()
    (folder / "test_some.py").write_text(STARTS + tests)
    (folder / "pytest.ini").write_text("[pytest]\nmarkers = browser\naddopts = -p tests.unsteady\n")
    options = ["-p", "xdist", "-n", str(workers), "--dist", "loadscope"] if workers else []
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options, str(folder)],
        cwd=folder,
        # No plugin is loaded that is not named: most of them take long to load.
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
    )
    counts = {path.name: len(path.read_text()) for path in runs.iterdir()}
    return done.returncode, done.stdout, counts


@pytest.mark.few(1)
@pytest.mark.parametrize("workers", [2, 0])
def test_what_passes_alone_passes_and_is_named_with_its_failure(tmp_path, workers):
    code, said, counts = run(tmp_path, FIRST_FAILS + AFTERWARDS_FAILS, workers)
    assert code == 0, said
    assert "3 passed" in said and "failed," not in said
    names = "test_some.py::test_fails_first, test_some.py::test_fails_afterwards"
    assert f"unsteady: failed once, passed alone: {names}" in said
    assert "assert (1, 1) == (2, 2)" in said
    # Set up anew for the second run, and not for the test after it.
    assert counts == {"page": 2, "server": 2, "closed": 2}


@pytest.mark.few(1)
@pytest.mark.parametrize("workers", [0, 2])
def test_what_fails_twice_fails_once_and_what_is_not_of_the_page_is_not_repeated(tmp_path, workers):
    code, said, counts = run(tmp_path, ALWAYS_FAILS + UNMARKED, workers)
    assert code == 1, said
    assert "2 failed" in said and "unsteady" not in said.replace("tests.unsteady", "")
    assert "assert 2 < 1" in said
    assert counts == {"always": 2, "unmarked": 1}
