"""Video perception: saying in words what a video shows and sounds like."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence

import PIL.Image

from controlllm.resources import Text, Video
from controlllm.toolbox import Context, tool

from ..cloud.endpoint import needs_chat
from ..hub.catalogue_perception import SEEING
from ..shared import video_files
from ..shared.time_phrases import in_words

_MOST_SHOTS = 8


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
def video_captioning(video: Video, context: Context) -> Text:
    """Describe a video in words: how long it is, what is seen in it, when the scene changes, and
    whether there is speech or other sound.

    Args:
        video: the video to describe
    """
    from ..seeing.embedded.captions import describe_scene
    from ..seeing.embedded.scene import Scene
    from .embedded import shots

    seconds, samples = shots.sampled(video, context.part(0.0, 0.3), "Looking through the video")
    found = shots.split(samples, seconds)
    shown = shots.longest(found, _MOST_SHOTS)
    described: list[tuple[float, float, str]] = []
    for number, shot in enumerate(shown):
        context.progress(0.3 + 0.6 * number / len(shown), "Describing what is seen")
        scene = Scene(_most_typical(shot.key_frames()))
        described.append((shot.start, shot.end, describe_scene(scene)))
    context.progress(0.9, "Listening to the sound")
    return " ".join(
        [
            *_passages(described, seconds, len(shown) < len(found)),
            _length_and_scenes(seconds, len(found), shots.stands_still(samples)),
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
    from ..hub import seeing

    described = seeing.describe_video(context.weights["model"], video, context)
    return _with_length_and_sound(video, described, context)


@video_captioning.implementation(
    "cloud",
    packages=("openai", "av", "cv2", "onnxruntime"),
    check=needs_chat,
    deterministic=False,
)
def _elsewhere(video: Video, context: Context) -> Text:
    from ..cloud import seeing

    return _with_length_and_sound(video, seeing.describe_video(video, context), context)


def _with_length_and_sound(video: Video, described: str, context: Context) -> str:
    """What a model that sees some frames said, and what it cannot know."""
    from ..seeing.embedded import seeing_requests
    from .embedded import shots

    seconds, samples = shots.sampled(video, context.part(0.9, 0.95), "Looking for cuts")
    scenes = len(shots.split(samples, seconds))
    length = _length_and_scenes(seconds, scenes, shots.stands_still(samples))
    context.progress(0.95, "Listening to the sound")
    return seeing_requests.joined([described, length, _sound_in_words(video)])


def _most_typical(frames: Sequence[PIL.Image.Image]) -> PIL.Image.Image:
    """The frame whose objects the other frames of the shot agree with most; it speaks for all."""
    from ..seeing.embedded import detection

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


def _length_and_scenes(seconds: float, count: int, still: bool) -> str:
    length = f"{round(seconds)} seconds"
    if seconds < 1.5:
        length = "about a second" if seconds > 0.5 else "less than a second"
    elif seconds >= 90:
        length = f"{in_words(round(seconds))} {'minutes' if seconds < 3600 else 'hours'}"
    scenes = "one scene" if count == 1 else f"{count} scenes"
    shown = "a picture that hardly moves" if still else scenes
    return f"The video lasts {length} and shows {shown}."


def _passages(
    described: Sequence[tuple[float, float, str]], seconds: float, shortened: bool
) -> list[str]:
    """What is seen from when to when; neighbouring passages with the same words become one."""
    lines = [f"These are the {len(described)} longest."] if shortened else []
    for words, group in itertools.groupby(described, key=lambda passage: passage[2]):
        same = list(group)
        if len(same) == len(described) and not shortened:
            return [words]
        until = "the end" if same[-1][1] >= seconds - 0.05 else in_words(round(same[-1][1]))
        lines.append(f"From {in_words(round(same[0][0]))} to {until}: {words}")
    return lines


def _sound_in_words(video: Video) -> str:
    from .embedded import watched

    sound = video_files.read_sound(video)
    told = watched.silence(sound)
    if sound is not None and not told:
        told = watched.speech(sound) or "there is sound in it, but no speech"
    return f"{told[0].upper()}{told[1:]}."
