"""What a model that looks at pictures is asked, on this machine or elsewhere, and what it replied.

What it replied is data: here it is taken apart and checked.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path

import PIL.Image

from controlllm.resources import Clip
from controlllm.toolbox import Context, ToolError

from ...shared import video_files
from . import questions

_FRAMES = 8
_FRAME_SIDE = 512
_NO_TEXT = "NO TEXT"

_ASKED: dict[str, str] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
CAPTION, READ = _ASKED["caption"], _ASKED["read"]


class Watched:
    """A video as a model is shown it: a few frames with their times, and what its file says."""

    def __init__(self, clip: Clip, context: Context) -> None:
        self.facts = video_files.read_facts(clip)
        self.frames: list[PIL.Image.Image] = []
        self.times: list[float] = []
        for time, frame in video_files.sample_frames(clip, _FRAMES):
            context.progress(0.1 * len(self.frames) / _FRAMES, "Reading the video")
            frame.thumbnail((_FRAME_SIDE, _FRAME_SIDE))
            self.frames.append(frame)
            self.times.append(time)

    def _begin(self) -> str:
        return _ASKED["film"].format(
            count=len(self.frames),
            times=", ".join(f"{time:.1f}" for time in self.times),
            seconds=f"{self.facts.seconds:.1f}",
            sound=" and has a sound track" if self.facts.has_sound else " and has no sound",
        )

    @property
    def to_describe(self) -> str:
        """The instruction to describe the video from its frames."""
        return f"{self._begin()} {_ASKED['video_caption']}"

    def to_answer(self, question: str) -> str:
        """The instruction to answer a question from its frames."""
        return (
            f"{self._begin()} {_ASKED['video_question'].format(question=questions.asked(question))}"
        )


def to_answer(question: str) -> str:
    """The instruction to answer a question about a picture."""
    return _ASKED["question"].format(question=questions.asked(question))


def read_text(reply: str) -> str:
    """The text that a model copied out of a picture; empty where it found none."""
    fenced = re.fullmatch(r"```\w*\n(.*?)\n?```", reply.strip(), re.DOTALL)
    text = (fenced[1] if fenced else reply).strip()
    return "" if text.strip(" .").upper() == _NO_TEXT else text


def spoken(reply: str) -> str:
    """A description or an answer in running words; raises ToolError where there is none."""
    words = " ".join(reply.split())
    if not words:
        raise ToolError("The model replied with nothing; ask in other words.")
    return words


def joined(parts: Sequence[str]) -> str:
    """Sentences in a row, each with its end."""
    return " ".join(part if part[-1:] in ".!?" else f"{part}." for part in parts if part)
