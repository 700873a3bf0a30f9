"""Where in a video a thing is seen or something is said, at the cuts around it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from controlllm.resources import Clip
from controlllm.toolbox import Context, ToolError

from ...seeing.embedded.phrases_to_boxes import ground
from ...seeing.embedded.scene import Scene
from ...shared import video_files
from ...shared.cut_words import Meant
from ...shared.time_phrases import Span, in_words
from ...speech.embedded.word_times import said_passages
from . import shots

_FEWEST_LOOKS, _MOST_LOOKS = 3, 6  # at a shot
#: From this share of the looks at a shot on all of it shows the thing.
_MOSTLY = 0.5
#: What a look has to score to show the thing: this, or a share of what the best look scores, as
#: what is like it is seen in other shots too, but no more than is sure.
_LEAST_SCORE, _OF_BEST, _SURE = 0.3, 0.65, 0.5


def found_passages(video: Clip, meant: Meant, context: Context) -> list[Span]:
    """The passages of a video that are meant, with a remark which seconds they are.

    Raises ToolError where what they are told by is not found.
    """
    spans: Sequence[Span] = []
    for thing in _called(meant.thing) if meant.kind != "said" else ():
        spans = spans or _seen(video, thing, context.part(0.0, 0.4))
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


def _called(thing: str) -> list[str]:
    """What a thing may be called that is seen: with "surfing" a surfer too."""
    doing = re.fullmatch(r"(?:the )?(\w{3,}?)(\w)?(\2)?ing", thing)
    if not doing:
        return [thing]
    root = f"{doing[1]}{doing[2] or ''}"
    return [thing, f"{root}{doing[3] or ''}er", root]


def _seen(video: Clip, thing: str, context: Context) -> list[Span]:
    """The stretches in which a thing is seen; where one fills most of a shot, all of the shot."""
    seconds, samples = shots.sampled(video, context.part(0.0, 0.3), "Looking for the scenes")
    found = shots.split(samples, seconds)
    edges = [0.0, *(shots.exactly(video, shot.start, seconds / len(samples)) for shot in found[1:])]
    edges.append(seconds)
    scores: list[list[float]] = []
    for number, shot in enumerate(found):
        context.progress(0.3 + 0.7 * number / len(found), f"Looking for {thing}")
        few = min(max(len(shot.frames) // 4, _FEWEST_LOOKS), _MOST_LOOKS)
        looks = shot.key_frames(few if len(found) > 1 else len(shot.frames))
        scores.append([_score(Scene(frame), thing) for frame in looks])
    best = max(score for each in scores for score in each)
    least = max(_LEAST_SCORE, min(_OF_BEST * best, _SURE))
    spans: list[Span] = []
    for number, of_shot in enumerate(scores):
        start, end = edges[number], edges[number + 1]
        shown = [score >= least for score in of_shot]
        if len(found) > 1 and sum(shown) >= _MOSTLY * len(shown):
            spans.append((start, end))
            continue
        each = (end - start) / len(shown)
        spans += [(start + place * each, start + (place + 1) * each)
                  for place, there in enumerate(shown) if there]  # fmt: skip
    return _joined(spans)


def _score(scene: Scene, thing: str) -> float:
    return max((box.score for box in ground(scene, thing)), default=0.0)


def _joined(spans: Sequence[Span]) -> list[Span]:
    joined: list[Span] = []
    for start, end in spans:
        if joined and start - joined[-1][1] < 0.02:
            joined[-1] = joined[-1][0], end
        else:
            joined.append((start, end))
    return joined
