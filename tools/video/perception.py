"""Video perception: saying in words what a video shows and sounds like."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import PIL.Image

from controlllm.resources import Text, Video
from controlllm.toolbox import Context, tool
from tools.cloud.endpoint import needs_chat
from tools.hub.catalogue_perception import SEEING
from tools.shared.video_files import VideoFacts

_MOST_SHOTS = 8
_MOST_WORDS = 300


@tool(
    domain="video-perception",
    examples=[
        "What happens in this video?",
        "Describe the clip.",
        "Write a caption for the video.",
        "Tell me what can be seen in this film and when.",
        "Summarise the contents of the recording in words.",
        "What is this video about?",
        "Give me a text that describes the video for a blind person.",
        "Caption the video.",
    ],
    packages=("av", "cv2", "onnxruntime"),
    memory="600 MiB",
)
def video_captioning(video: Video, context: Context | None = None) -> Text:
    """Describe a video in words: how long it is, what is seen in it, when the scene changes, and
    whether there is speech or other sound.

    Args:
        video: the video to describe
    """
    from tools.seeing.embedded.captions import describe
    from tools.shared import video_files
    from tools.video.embedded import shots

    report = context or Context()
    facts = video_files.read_facts(video)
    frames = []
    count = shots.sample_count(facts.seconds)
    for frame in video_files.sample_frames(video, count):
        frames.append(frame)
        report.progress(0.3 * len(frames) / count, "Looking through the video")
    found = shots.split(frames, facts.seconds)
    shown = shots.longest(found, _MOST_SHOTS)
    described: list[tuple[float, float, str]] = []
    for number, shot in enumerate(shown):
        report.progress(0.3 + 0.6 * number / len(shown), "Describing what is seen")
        typical = _most_typical(shot.key_frames())
        report.check()
        described.append((shot.start, shot.end, describe(typical)))
    report.progress(0.9, "Listening to the sound")
    return " ".join(
        [
            *_passages(_joined(described), facts.seconds, len(shown) < len(found)),
            _length_and_scenes(facts, len(found), shots.stands_still(frames)),
            _sound_in_words(video),
        ]
    )


@video_captioning.implementation(
    "hub",
    packages=("torch", "transformers", "av", "cv2", "onnxruntime"),
    weights={"model": SEEING},
    memory="10 GiB",
)
def _downloaded(video: Video, context: Context) -> Text:
    from tools.hub import seeing_models
    from tools.seeing.embedded import seeing_requests

    watched = seeing_requests.Watched(video, context)
    described = seeing_models.tell(
        context.weights["model"],
        watched.to_describe,
        watched.frames,
        context.part(0.1, 0.9),
        most_words=_MOST_WORDS,
    )
    return _with_length_and_sound(video, seeing_requests.spoken(described), context)


@video_captioning.implementation(
    "cloud",
    packages=("openai", "av", "cv2", "onnxruntime"),
    check=needs_chat,
    deterministic=False,
)
def _elsewhere(video: Video, context: Context) -> Text:
    from tools.cloud import seeing

    return _with_length_and_sound(video, seeing.describe_video(video, context), context)


def _with_length_and_sound(video: Video, described: str, context: Context) -> str:
    """What a model that sees some frames said, and what it cannot know."""
    from tools.seeing.embedded import seeing_requests
    from tools.shared import video_files
    from tools.video.embedded import shots

    context.progress(0.9, "Looking for cuts")
    facts = video_files.read_facts(video)
    frames = list(video_files.sample_frames(video, shots.sample_count(facts.seconds)))
    scenes = len(shots.split(frames, facts.seconds))
    length = _length_and_scenes(facts, scenes, shots.stands_still(frames))
    context.progress(0.95, "Listening to the sound")
    return seeing_requests.joined([described, length, _sound_in_words(video)])


def _most_typical(frames: Sequence[PIL.Image.Image]) -> PIL.Image.Image:
    """The frame whose objects the other frames of the shot agree with most; it speaks for all."""
    from tools.seeing.embedded import detection

    found = [detection.quick(frame) for frame in frames]
    counts = [Counter(box.label for box in boxes) for boxes in found]

    def agreement(number: int) -> tuple[float, float]:
        own = counts[number]
        shared = sum(
            (own & other).total() / max((own | other).total(), 1)
            for position, other in enumerate(counts)
            if position != number
        )
        return shared, sum(box.score for box in found[number])

    return frames[max(range(len(frames)), key=agreement)]


def _length_and_scenes(facts: VideoFacts, count: int, still: bool) -> str:
    length = _length_in_words(facts.seconds)
    if still:
        return f"The video lasts {length} and shows a picture that hardly moves."
    if count == 1:
        return f"The video lasts {length} and shows one scene."
    return f"The video lasts {length} and shows {count} scenes."


def _length_in_words(seconds: float) -> str:
    if seconds < 1.5:
        return "about a second" if seconds > 0.5 else "less than a second"
    if seconds < 90:
        return f"{round(seconds)} seconds"
    minutes, rest = divmod(round(seconds), 60)
    words = f"{minutes} minute{'s' if minutes > 1 else ''}"
    return f"{words} and {rest} second{'s' if rest > 1 else ''}" if rest else words


def _joined(described: Sequence[tuple[float, float, str]]) -> list[tuple[float, float, str]]:
    """Neighbouring passages with the same words become one."""
    joined: list[tuple[float, float, str]] = []
    for start, end, words in described:
        if joined and joined[-1][2] == words:
            joined[-1] = (joined[-1][0], end, words)
        else:
            joined.append((start, end, words))
    return joined


def _passages(
    described: Sequence[tuple[float, float, str]], seconds: float, shortened: bool
) -> list[str]:
    if len(described) == 1 and not shortened:
        return [described[0][2]]
    lines = [
        f"From {_clock(start)} to {_clock(end)}: {words}"
        if end < seconds - 0.05
        else f"From {_clock(start)} to the end: {words}"
        for start, end, words in described
    ]
    if shortened:
        lines.insert(0, f"These are the {len(described)} longest.")
    return lines


def _clock(seconds: float) -> str:
    whole = round(seconds)
    return f"{whole // 60}:{whole % 60:02}"


def _sound_in_words(video: Video) -> str:
    import numpy as np

    from tools.shared import video_files
    from tools.speech.embedded import whisper

    sound = video_files.read_sound(video, rate=whisper.RATE)
    if sound is None:
        return "It has no sound."
    samples = sound.mono()
    # A thousandth of full scale is the hiss of an empty recording.
    if not len(samples) or float(np.abs(samples).max()) < 1e-3:
        return "Its sound track is silent."
    spans = whisper.speech_spans(whisper.at_listening_rate(sound))
    spoken = sum(end - start for start, end in spans)
    if spoken < 0.4:
        return "There is sound in it, but no speech."
    if spoken > 0.8 * sound.seconds:
        return "Someone speaks almost throughout."
    return f"Someone speaks for about {_length_in_words(spoken)}, from {_clock(spans[0][0])} on."
