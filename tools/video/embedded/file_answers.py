"""Answers about a video that its file, its sound, its cuts and its camera give."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from controlllm.resources import Clip
from controlllm.toolbox import Context

from ...seeing.embedded.grammar import counted, with_article
from ...seeing.embedded.questions import Questions
from ...shared import video_files
from ...shared.comparing import in_bytes
from ...shared.sentences import listed
from ...shared.time_phrases import in_words
from . import camera_motion, shots, watched

_TABLE = Path(__file__).with_name("video_answers.toml")
_QUESTIONS = Questions(_TABLE, "file")
_WORDED: dict[str, str] = tomllib.loads(_TABLE.read_text("utf-8"))["worded"]
_DENIED = re.compile(r"\b(?:silent|mute[d]?|without sound|no sound)\b")


def answer(clip: Clip, question: str, context: Context) -> str | None:
    """The answer to a question in small letters, None where it is about something else."""
    for kind, _ in _QUESTIONS.read(question):
        if kind == "file_size":
            return f"The file is {in_bytes(clip.path.stat().st_size)} large."
        if kind in _WORDED:
            return _WORDED[kind].format(**_facts(video_files.read_facts(clip)))
        if kind == "scenes":
            return _scenes(clip, context)
        if kind == "camera":
            return _camera(clip, context)
        return _of_sound(clip, kind, _DENIED.search(question) is not None, context)
    return None


def _facts(facts: video_files.VideoFacts) -> dict[str, object]:
    length = f"{facts.seconds:.1f} seconds".replace(".0 ", " ")
    shape = "wider than high (landscape)"
    if facts.width <= facts.height:
        shape = "square" if facts.width == facts.height else "higher than wide (portrait)"
    return {
        **vars(facts),
        "codec": facts.codec.upper(),
        "length": length + (f" ({in_words(round(facts.seconds))})" if facts.seconds >= 60 else ""),
        "shape": shape,
    }


def _of_sound(clip: Clip, about: str, is_denied: bool, context: Context) -> str:
    """Whether there is sound, speech or music in it, or the words that are said."""
    context.progress(0.1, "Listening to the sound")
    sound = video_files.read_sound(clip)
    silent = watched.silence(sound)
    if sound is None or silent:
        if about == "words":
            return f"Nothing is said: {silent}."
        return f"{'Yes' if about == 'sound' and is_denied else 'No'}, {silent}."
    if about == "words":
        words = watched.said(sound, context)
        nothing = "There is sound, but I hear no English words in it."
        return f"I hear: “{words}”" if words else nothing
    speech = watched.speech(sound)
    if about == "speech":
        return f"Yes, {speech}." if speech else "No, there is sound but I hear no speech in it."
    if about == "music":
        return (
            f"It has sound{f', and {speech}' if speech else ''}; whether there is music in it I "
            "cannot tell with the models at work here."
        )
    return f"{'No' if is_denied else 'Yes'}, it has sound; {speech or 'I hear no speech in it'}."


def _scenes(clip: Clip, context: Context) -> str:
    seconds, frames = shots.sampled(clip, context, "Looking for cuts")
    found = shots.split(frames, seconds)
    if len(found) == 1:
        return "It shows one scene; I find no cut in it."
    cuts = listed([in_words(round(shot.start)) for shot in found[1:9]])
    return f"It shows {counted(len(found), 'scene')}, with cuts at about {cuts}."


def _camera(clip: Clip, context: Context) -> str:
    seconds = video_files.read_facts(clip).seconds
    motion = camera_motion.measure(clip, seconds, context)
    if motion is None:
        return (
            "I cannot tell whether the camera moves: there is too little in the pictures to follow."
        )
    throughout = "" if motion.share > 0.8 else " for much of it"
    if motion.words.endswith("still camera"):
        return f"No, it is {with_article(motion.words)}{throughout}."
    doing = motion.words.removeprefix("camera ")
    return f"Yes, the camera is {'moving' if doing == 'moving camera' else doing}{throughout}."
