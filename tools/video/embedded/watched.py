"""A video as it is looked at, scenes of frames over its length or a part of it, and listened to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
import PIL.Image

from controlllm.resources import Clip, Sound
from controlllm.toolbox import Context

from ...seeing.embedded.scene import Scene
from ...shared import video_files
from ...shared.sounds import peak
from ...shared.time_phrases import Span, in_words
from . import shots

_FEWEST_LOOKS, _MOST_LOOKS = 5, 16

Found = TypeVar("Found")


@dataclass
class Watched:
    """A video whose looks are taken when they are first needed."""

    clip: Clip
    context: Context
    span: Span | None = None
    done: float = 0.0

    @cached_property
    def facts(self) -> video_files.VideoFacts:
        return video_files.read_facts(self.clip)

    @cached_property
    def looks(self) -> list[tuple[float, Scene]]:
        """Seconds and scenes, in order; the same scene again where the picture stands still."""
        start, end = self.span or (0.0, self.facts.seconds)
        count = int(np.clip(round(1.5 * (end - start)), _FEWEST_LOOKS, _MOST_LOOKS))
        frames = video_files.sample_frames(self.clip, count)
        if self.span is not None:
            count = 1 if end - start < 0.2 else min(count, 8)
            times = [start + (number + 0.5) * (end - start) / count for number in range(count)]
            frames = ((time, at_time(self.clip, time, self.context)) for time in times)
        found: list[tuple[float, Scene]] = []
        for look in shots.looks(frames):
            self.context.progress(0.2 * len(found) / count, "Looking through the video")
            found.append(look)
        return found

    def each(self, look: Callable[[Scene], Found], words: str) -> list[Found]:
        """What `look` says of every look; a picture that stands still is looked at once.

        `words` tell what for.
        """
        known: dict[int, Found] = {}
        for number, (_, scene) in enumerate(self.looks):
            # A question may need several rounds; what was reported is never taken back.
            self.done = max(self.done, 0.2 + 0.75 * number / len(self.looks))
            self.context.progress(self.done, words)
            if id(scene) not in known:
                known[id(scene)] = look(scene)
        return [known[id(scene)] for _, scene in self.looks]


def at_time(clip: Clip, time: float, context: Context) -> PIL.Image.Image:
    """The frame that is shown at a time in seconds."""
    frames = video_files.read_frames(clip, time, time + 1e-3, context)
    return PIL.Image.fromarray(next(frames)[1])


_LEAST_SPOKEN = 0.4  # seconds
_MOST_WORDS = 120


def silence(sound: Sound | None) -> str:
    """Why nothing can be heard, empty where something can."""
    if sound is None:
        return "it has no sound"
    # A thousandth of full scale is the hiss of an empty recording.
    if peak(sound) < 1e-3:
        return "its sound track is silent"
    return ""


def speech(sound: Sound) -> str:
    """How long somebody speaks and from when on, empty where nobody does."""
    from ...speech.embedded import whisper

    spans = whisper.speech_spans(whisper.at_listening_rate(sound))
    spoken = sum(end - start for start, end in spans)
    if spoken < _LEAST_SPOKEN:
        return ""
    if spoken > 0.8 * sound.seconds:
        return "someone speaks almost throughout"
    seconds = max(round(spoken), 1)
    length = "a second" if seconds == 1 else f"{seconds} seconds" if seconds < 90 else ""
    begin = in_words(round(spans[0][0]))
    return f"someone speaks for about {length or in_words(seconds)}, from {begin} on"


def said(sound: Sound, context: Context) -> str:
    """The first words that are said, empty where no English ones are heard."""
    from ...speech.embedded import whisper

    words: list[str] = []
    for heard in whisper.transcribe(whisper.at_listening_rate(sound)):
        done = min(heard.end / max(sound.seconds, 1e-3), 1.0)
        context.progress(0.1 + 0.85 * done, "Listening to what is said")
        words += heard.words.split()
        if len(words) > _MOST_WORDS:
            return " ".join(words[:_MOST_WORDS]) + " …"
    return " ".join(words)
