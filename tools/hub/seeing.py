"""Looking at pictures and videos with a downloaded vision-language model."""

from __future__ import annotations

from pathlib import Path

import PIL.Image

from controlllm.resources import Clip
from controlllm.toolbox import Context

from ..seeing.embedded import seeing_requests
from . import seeing_models

#: Small print needs a larger picture, and a page has more words than a description.
_TO_READ, _MOST_READ = 1600, 1200
_MOST_WORDS = 300


def caption(folder: Path, image: PIL.Image.Image, context: Context) -> str:
    """A picture described in one to three sentences."""
    return seeing_requests.spoken(
        seeing_models.tell(folder, seeing_requests.CAPTION, [image], context)
    )


def answer(folder: Path, image: PIL.Image.Image, question: str, context: Context) -> str:
    """The answer to a question about a picture."""
    asked = seeing_requests.to_answer(question)
    return seeing_requests.spoken(seeing_models.tell(folder, asked, [image], context))


def read(folder: Path, image: PIL.Image.Image, context: Context) -> str:
    """The text in a picture, row by row; empty where there is none."""
    said = seeing_models.tell(
        folder,
        seeing_requests.READ,
        [image],
        context,
        longest=_TO_READ,
        most_words=_MOST_READ,
    )
    return seeing_requests.read_text(said)


def describe_video(folder: Path, clip: Clip, context: Context) -> str:
    """What a video shows, from some of its frames."""
    watched = seeing_requests.Watched(clip, context)
    said = seeing_models.tell(
        folder,
        watched.to_describe,
        watched.frames,
        context.part(0.1, 0.9),
        most_words=_MOST_WORDS,
    )
    return seeing_requests.spoken(said)


def answer_about_video(folder: Path, clip: Clip, question: str, context: Context) -> str:
    """The answer to a question about a video, from some of its frames."""
    watched = seeing_requests.Watched(clip, context)
    asked = watched.to_answer(question)
    rest = context.part(0.1, 1.0)
    said = seeing_models.tell(folder, asked, watched.frames, rest)
    return seeing_requests.spoken(said)
