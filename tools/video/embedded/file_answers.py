"""Answers about a video that its file, its sound, its cuts and its camera give."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from controlllm.resources import Clip
from controlllm.toolbox import Context
from tools.seeing.embedded.grammar import counted, listed, with_article
from tools.shared import video_files
from tools.shared.time_phrases import in_words
from tools.video.embedded import camera_motion, heard, shots


def answer(clip: Clip, question: str, context: Context) -> str | None:
    """The answer to a question in small letters, None where it is about something else."""
    for pattern, words in _OF_THE_FILE:
        if re.search(pattern, question):
            return words.format(**_facts(video_files.read_facts(clip)))
    for pattern, told in _OF_WHAT_IS_IN_IT:
        if re.search(pattern, question):
            return told(clip, question, context)
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


_OF_THE_FILE = (
    (r"^how long (?:is|does|will|lasts?|this|the)\b(?!.*\b(?:seen|visible|appear|speak|talk|shown?"
     r")\w*\b)|\b(?:length|duration|run(?:ning)? ?time) (?:of|is)\b|what(?:'s| is) (?:its|the) (?:"
     r"length|duration|running time)|^how many (?:seconds|minutes)\b(?!.*\b(?:seen|visible|appear"
     r"))", "It lasts {length}."),
    (r"\b(?:resolution|how (?:large|big|wide|high) (?:is|are) (?:the|this|it)(?: (?:video|clip|"
     r"picture|frame|image)s?)?$|pixels|dimensions)\b",
     "The pictures are {width} pixels wide and {height} high."),
    (r"\b(?:frame rate|fps|frames per second|pictures a second)\b",
     "It shows about {frame_rate:.3g} pictures a second."),
    (r"\b(?:portrait or landscape|landscape or portrait|vertical or horizontal|horizontal or "
     r"vertical|orientation|aspect ratio|upright)\b", "It is {shape}: {width} by {height} pixels."),
    (r"\b(?:codec|(?:file|which|what) format|container|encoded)\b",
     "Its pictures are encoded as {codec} in a file of the kind {container}."),
)  # fmt: skip


def _of_sound(clip: Clip, text: str, context: Context, *, about: str) -> str:
    """Whether there is sound, speech or music in it, or the words that are said."""
    context.progress(0.1, "Listening to the sound")
    sound = video_files.read_sound(clip)
    silent = heard.silence(sound)
    is_denied = re.search(r"\b(?:silent|mute[d]?|without sound|no sound)\b", text)
    if sound is None or silent:
        if about == "words":
            return f"Nothing is said: {silent}."
        return f"{'Yes' if about == 'sound' and is_denied else 'No'}, {silent}."
    if about == "words":
        words = heard.said(sound, context)
        return (
            f"I hear: “{words}”" if words else "There is sound, but I hear no English words in it."
        )
    speech = heard.speech(sound)
    if about == "speech":
        return f"Yes, {speech}." if speech else "No, there is sound but I hear no speech in it."
    if about == "music":
        return (
            f"It has sound{f', and {speech}' if speech else ''}; whether there is music in it I "
            "cannot tell with the models at work here."
        )
    return f"{'No' if is_denied else 'Yes'}, it has sound; {speech or 'I hear no speech in it'}."


def _scenes(clip: Clip, text: str, context: Context) -> str:
    seconds = video_files.read_facts(clip).seconds
    count = shots.sample_count(seconds)
    frames: list[shots.Sample] = []
    for sample in video_files.sample_frames(clip, count):
        context.progress(0.9 * len(frames) / count, "Looking for cuts")
        frames.append(sample)
    found = shots.split(frames, seconds)
    if len(found) == 1:
        return "It shows one scene; I find no cut in it."
    cuts = listed([in_words(round(shot.start)) for shot in found[1:9]])
    return f"It shows {counted(len(found), 'scene')}, with cuts at about {cuts}."


def _camera(clip: Clip, text: str, context: Context) -> str:
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


_OF_WHAT_IS_IN_IT: tuple[tuple[str, Callable[[Clip, str, Context], str]], ...] = (
    (r"\bwhat (?:do|does|did|is|are|was)\b.*\b(?:said|saying|(?:talk|speak)(?:s|ing)? about)\b|"
     r"\bwhat (?:do|does|did) (?:he|she|they|the (?:speaker|man|woman|person|voice|narrator|"
     r"people)) say\b|\btranscri\w+|\bwhat words\b|\bwhat can (?:i|you|we|be) hear",
     partial(_of_sound, about="words")),
    (r"\b(?:is|are|can|does|do|did|has)\b.*\b(?:speech|speaks?|speaking|spoken|talk(?:s|ing)?|"
     r"voices?|narrat\w+|dialogue|conversation)\b", partial(_of_sound, about="speech")),
    (r"\b(?:music|song|melody|singing)\b", partial(_of_sound, about="music")),
    (r"\b(?:sound|audio|silent|mute[d]?|noise|hear)\b", partial(_of_sound, about="sound")),
    (r"\b(?:how many|number of|are there|is there) (?:\w+ )?(?:scenes?|cuts?|shots?)\b|"
     r"\bscene change", _scenes),
    (r"\bcamera\b.*\b(?:mov\w+|pan\w*|still|static|zoom\w*|shak\w+|stead\w+|handheld|tilt\w*|"
     r"doing|do)\b|\bmov\w+ camera\b|\b(?:zooming|panning)\b", _camera),
)  # fmt: skip
