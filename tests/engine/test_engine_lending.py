"""Tools get copies of kept files: what they do to them harms nobody."""

from __future__ import annotations

import numpy as np
import pytest

from controlllm.core.events import ActionFinished
from controlllm.resources import Resource, Text, Video
from controlllm.toolbox import tool
from tests.engine.bench import action, only, plan_of
from tests.tools.made_videos import make_video


@tool(domain="general")
def shreds(video: Video) -> Text:
    """Delete what was handed over."""
    video.path.unlink()
    return "shredded"


@tool(domain="general")
def scribbles(video: Video) -> Text:
    """Write into what was handed over."""
    video.path.write_bytes(b"scribble")
    return "scribbled"


@tool(domain="general")
def passes_on(video: Video) -> Video:
    """Return what was handed over."""
    return video


@pytest.fixture
def film(bench, tmp_path):
    frames = [np.full((64, 64, 3), 20 * number, np.uint8) for number in range(5)]
    path = make_video(tmp_path / "film.mp4", frames).path
    digest = bench.store.put_file(path, "video/mp4")
    return Resource("video", "film.mp4", digest, "video/mp4")


def made(bench, definition, film):
    bench.definitions = [definition]
    step = action(definition.tool.name, "<GEN>-0", video=film.value)
    (event,) = only(bench.run(plan_of([[step]]), [film]), ActionFinished)
    return event.resource


@pytest.mark.parametrize("definition", [shreds, scribbles])
def test_a_tool_that_ruins_its_input_ruins_a_copy(bench, film, definition):
    path = bench.store.path(film.digest, film.media_type)
    before = path.read_bytes()
    made(bench, definition, film)
    assert path.read_bytes() == before
    assert not list((bench.store.folder / "work").iterdir())


def test_what_is_passed_on_is_the_same_file(bench, film):
    assert made(bench, passes_on, film).digest == film.digest
