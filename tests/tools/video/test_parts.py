"""A changed part of a video put back into the whole."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from controlllm.resources import Clip
from controlllm.toolbox import ToolError
from tests.tools.made_videos import make_video, tone
from tools.shared import video_files
from tools.video.parts import put_passage_back


@pytest.fixture
def films(tmp_path: Path) -> tuple[Clip, Clip]:
    """Three seconds, each brighter, with a tone; and one second that is white and silent."""
    frames = [np.full((96, 128, 3), level, np.uint8) for level in (40, 90, 140) for _ in range(10)]
    whole = make_video(tmp_path / "whole.mp4", frames, rate=10, sound=tone(3.0))
    white = [np.full((48, 64, 3), 250, np.uint8)] * 10
    return whole, make_video(tmp_path / "part.mp4", white, rate=10)


def brightness(clip: Clip, at: float) -> float:
    return float(next(video_files.read_frames(clip, at, at + 0.01))[1].mean())


def test_only_the_part_is_changed(films: tuple[Clip, Clip]) -> None:
    whole, part = films
    made = put_passage_back(whole, part, 1.0, 2.0)
    facts = video_files.read_facts(made)
    assert (facts.width, facts.height) == (128, 96)
    assert facts.seconds == pytest.approx(3.0, abs=0.15)
    seen = [brightness(made, at) for at in (0.5, 1.5, 2.5)]
    assert seen == pytest.approx([40, 250, 140], abs=8)
    sound = video_files.read_sound(made)
    assert sound is not None
    loud = [np.abs(sound.part(round(at * 16_000), round((at + 0.4) * 16_000))).max()
            for at in (0.3, 1.3, 2.3)]  # fmt: skip
    assert loud[0] > 0.05 and loud[2] > 0.05 and loud[1] < 0.01


def test_without_a_part_it_is_left_out(films: tuple[Clip, Clip]) -> None:
    made = put_passage_back(films[0], None, 1.0, 2.0)
    assert video_files.read_facts(made).seconds == pytest.approx(2.0, abs=0.15)
    assert [brightness(made, at) for at in (0.5, 1.5)] == pytest.approx([40, 140], abs=8)


def test_a_part_that_is_not_there_is_refused_in_words(films: tuple[Clip, Clip]) -> None:
    with pytest.raises(ToolError, match="seconds long: there is no part"):
        put_passage_back(films[0], films[1], 5.0, 6.0)
