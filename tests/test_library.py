"""The library as a program uses it: the page that describes it runs."""

from __future__ import annotations

import asyncio
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import controlllm
from controlllm import library
from controlllm.layout import ASSETS
from controlllm.resources import BadInput, Image
from controlllm.toolbox import Toolbox, tool

ROOT = Path(__file__).resolve().parents[1]
PHOTO = ASSETS / "examples" / "chelsea.jpg"
BLOCKS = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "python.md").read_text(), re.DOTALL)


@tool(domain="image-editing", examples=["Mirror this photo", "Flip the picture left to right"])
def mirror_image(image: Image) -> Image:
    """Mirror an image: flip it horizontally, left to right."""
    return image.transpose(0)


@pytest.fixture(scope="module")
def mirror():
    return Toolbox.of([mirror_image])


@pytest.mark.long
def test_the_examples_of_its_page_run(tmp_path):
    assert len(BLOCKS) == 5
    shutil.copyfile(PHOTO, tmp_path / "photo.jpg")
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(BLOCKS)],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT), "HOME": str(tmp_path), "PATH": "", "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=800,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0] and "AnswerFinished" in done.stdout
    for folder in ("results", "best", "second"):
        assert any(path.stat().st_size for path in (tmp_path / folder).iterdir())


def test_each_name_that_it_offers_is_there():
    assert all(getattr(controlllm, name) is not None for name in controlllm.__all__)
    with pytest.raises(AttributeError, match="nothing"):
        _ = controlllm.nothing


def test_to_import_it_loads_nothing():
    script = "import sys, controlllm; print(sorted(m for m in sys.modules if 'controlllm' in m))"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.strip() == "['controlllm']"


async def test_it_can_be_asked_while_an_event_loop_runs(mirror):
    await asyncio.sleep(0)
    answer = library.ask("Mirror this photo", PHOTO, toolbox=mirror)
    assert [item.type for item in answer.results] == ["image"]
    assert answer.results[0].path.stat().st_size > 1000


def test_a_plan_runs_only_on_the_files_it_was_made_for(mirror, tmp_path):
    planned = library.plan("Mirror this photo", "chelsea.jpg", toolbox=mirror)
    assert library.run(planned, PHOTO, out=tmp_path, toolbox=mirror).results[0].path.is_file()
    other = tmp_path / "other.jpg"
    shutil.copyfile(PHOTO, other)
    with pytest.raises(ValueError, match=r"chelsea\.jpg"):
        library.run(planned, other, toolbox=mirror)


def test_what_cannot_be_done_says_why(mirror, tmp_path):
    with pytest.raises(BadInput, match="There is no file"):
        library.ask("Mirror this photo", tmp_path / "none.jpg", toolbox=mirror)
    with pytest.raises(library.NotAnswered, match="."):
        library.ask("", PHOTO, toolbox=mirror)
