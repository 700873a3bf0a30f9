"""Where in a video a thing is seen or something is said, at the cuts around it."""

from __future__ import annotations

from collections.abc import Sequence

from controlllm.resources import Clip
from controlllm.toolbox import Context, ToolError

from ...seeing.embedded.phrases_to_boxes import ground
from ...seeing.embedded.scene import Scene
from ...shared import video_files
from ...shared.meant_parts import Meant
from ...shared.time_phrases import Span, in_words
from ...speech.embedded.said_passages import said_passages
from . import shots

_FEWEST_LOOKS, _MOST_LOOKS = 3, 6  # at a shot
#: From this share of the looks at a shot on all of it shows the thing.
_MOSTLY = 0.5
_LEAST_SCORE = 0.25


def found_passages(video: Clip, meant: Meant, context: Context) -> list[Span]:
    """The passages of a video that are meant, with a remark which seconds they are.

    Raises ToolError where what they are told by is not found.
    """
    spans: Sequence[Span] = []
    if meant.kind != "said":
        spans = _seen(video, meant.thing, context.part(0.0, 0.4))
    facts = video_files.read_facts(video)
    if not spans and meant.kind != "seen" and facts.has_sound:
        sound = video_files.read_sound(video, channels=None, longest=facts.seconds, context=context)
        if sound is not None and sound.frames:
            spans = said_passages(sound, meant.thing, context.part(0.4, 0.5))
    if not spans:
        way = {"seen": "see", "said": "hear", "about": "see and hear"}[meant.kind]
        raise ToolError(
            f"I {way} nothing of “{meant.thing}” in the video, so I do not know which passage is "
            "meant. Name it by its times, such as “from 0:05 to 0:12”, or in other words."
        )
    told = " and ".join(f"from {in_words(start)} to {in_words(end)}" for start, end in spans)
    context.remark(f"I found “{meant.thing}” {told} of the video.")
    return list(spans)


def _seen(video: Clip, thing: str, context: Context) -> list[Span]:
    """The stretches in which a thing is seen; where one fills most of a shot, all of the shot."""
    seconds, samples = shots.sampled(video, context.part(0.0, 0.3), "Looking for the scenes")
    found = shots.split(samples, seconds)
    edges = [0.0, *(shots.exactly(video, shot.start, seconds / len(samples)) for shot in found[1:])]
    edges.append(seconds)
    spans: list[Span] = []
    for number, shot in enumerate(found):
        context.progress(0.3 + 0.7 * number / len(found), f"Looking for {thing}")
        start, end = edges[number], edges[number + 1]
        few = min(max(len(shot.frames) // 4, _FEWEST_LOOKS), _MOST_LOOKS)
        looks = shot.key_frames(few if len(found) > 1 else len(shot.frames))
        shown = [_shows(Scene(frame), thing) for frame in looks]
        if len(found) > 1 and sum(shown) >= _MOSTLY * len(shown):
            spans.append((start, end))
            continue
        each = (end - start) / max(len(looks), 1)
        spans += [(start + place * each, start + (place + 1) * each)
                  for place, there in enumerate(shown) if there]  # fmt: skip
    return _joined(spans)


def _shows(scene: Scene, thing: str) -> bool:
    return any(box.score >= _LEAST_SCORE for box in ground(scene, thing))


def _joined(spans: Sequence[Span]) -> list[Span]:
    joined: list[Span] = []
    for start, end in spans:
        if joined and start - joined[-1][1] < 0.02:
            joined[-1] = joined[-1][0], end
        else:
            joined.append((start, end))
    return joined
