"""What is built to be installed: everything is inside, and works from any folder."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from controlllm import __version__

ROOT = Path(__file__).resolve().parents[1]
#: A wheel takes long to build.
pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory) -> Path:
    """The wheel as an installer lays it out, beside the libraries of this environment."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    # Built from what git has, as a fresh checkout would be, and not into the checkout.
    names = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z", "--", ":!tests", ":!docs",
         ":!training", ":!benchmarks"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.split("\0")  # fmt: skip
    for name in filter(None, names):
        if (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).hardlink_to(ROOT / name)
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*build, "--wheel-dir", folder, source], check=True, cwd=folder, timeout=800)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def python(site: Path, *words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = {"PYTHONPATH": str(site), "HOME": str(cwd), "PATH": "", "OMP_NUM_THREADS": "1"}
    return subprocess.run(
        [sys.executable, *words], cwd=cwd, env=environment, capture_output=True, text=True,
        timeout=800,
    )  # fmt: skip


def test_all_that_the_program_reads_is_inside(unpacked):
    for folder, inside in (
        (ROOT / "controlllm", ""),
        (ROOT / "assets", "assets"),
        (ROOT / "tools", "tools"),
    ):
        for path in folder.rglob("*"):
            # Gradio writes stubs beside the classes of components; git and wheels have none.
            if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".pyi":
                packed = unpacked / "controlllm" / inside / path.relative_to(folder)
                assert packed.is_file(), packed
                assert packed.stat().st_size == path.stat().st_size
    assert {path.name for path in unpacked.iterdir()} == {
        "controlllm",
        f"controlllm-{__version__}.dist-info",
    }


def test_it_plans_and_shows_its_version_from_anywhere(unpacked, tmp_path):
    said = python(unpacked, "-m", "controlllm", "--version", cwd=tmp_path)
    assert said.stdout.strip() == __version__, said.stderr
    told = python(
        unpacked, "-m", "controlllm", "plan", "Cut out the cat", "cat.jpg", "--json", cwd=tmp_path
    )
    assert told.returncode == 0, told.stderr
    assert json.loads(told.stdout)["subtasks"]
    # What the page is put together of, too, comes out of the package: scripts, styles, texts.
    drawn = (
        "from controlllm.ui.theme import head; from controlllm.ui.components.drawn import Dialog; "
        "from controlllm.ui.texts import texts_in; "
        "print(head(), Dialog().js_on_load, texts_in('de')['settings.title'])"
    )
    shown = python(unpacked, "-c", drawn, cwd=tmp_path)
    for piece in ('href="/page/style.css"', "<script>", "showModal()", "Einstellungen"):
        assert piece in shown.stdout, shown.stderr


def test_the_tools_are_inside_and_nothing_is_called_tools_beside_them(unpacked, tmp_path):
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "__init__.py").write_text("raise SystemExit('not these')")
    listed = python(unpacked, "-m", "controlllm", "tools", "--json", cwd=tmp_path)
    assert listed.returncode == 0, listed.stderr
    assert len(json.loads(listed.stdout)) > 90
    empty = tmp_path / "elsewhere"
    empty.mkdir()
    for name in ("tools", "assets", "benchmarks"):
        assert python(unpacked, "-c", f"import {name}", cwd=empty).returncode == 1


def test_benchmarks_are_said_to_be_elsewhere(unpacked, tmp_path):
    asked = python(unpacked, "-m", "controlllm", "bench", "mnms", cwd=tmp_path)
    assert asked.returncode == 2 and "python -m benchmarks" in asked.stderr


def test_what_is_kept_lies_in_a_folder_of_the_persons(unpacked, tmp_path):
    where = "from controlllm.store.home import home_folder; print(home_folder())"
    said = python(unpacked, "-c", where, cwd=tmp_path).stdout.strip()
    assert Path(said).is_relative_to(tmp_path) and Path(said).name == "controlllm"
    assert not Path(said).exists()
