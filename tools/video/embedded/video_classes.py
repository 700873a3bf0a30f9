"""What a video mostly shows: things, kinds of things, setting, and how the camera moves."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from controlllm.resources import Clip, Label
from controlllm.toolbox import Context

from ...seeing.embedded import imagenet, things
from ...seeing.embedded.imagenet import in_sentence
from ...seeing.embedded.scene import Scene
from ...seeing.embedded.setting import room_or_open_air
from . import camera_motion
from .watched import Watched

_MOST_THINGS = 6
_LEAST = 0.12
_OFTEN = 0.3


def classify(clip: Clip, context: Context) -> tuple[Label, ...]:
    """Labels with scores 0..1: what is mostly shown, surest first, then setting and camera."""
    watched = Watched(clip, context.part(0.0, 0.75))
    looks = watched.each(
        lambda scene: (_weights(scene), scene.likely, room_or_open_air(scene)),
        "Looking at the frames",
    )
    weights, likely, settings = zip(*looks, strict=True)
    shown: dict[str, float] = {}
    for found in weights:
        for name, weight in found.items():
            shown[name] = shown.get(name, 0.0) + weight / len(looks)
    named = _named(np.mean(likely, axis=0), shown)
    scores = {name: max(shown.get(name, 0.0), named.get(name, 0.0)) for name in shown | named}
    ordered = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    labels = [(name, score) for name, score in ordered if score >= _LEAST][:_MOST_THINGS]
    for setting in ("outdoors", "indoors"):
        if settings.count(setting) >= _OFTEN * len(looks):
            labels.append((setting, settings.count(setting) / len(looks)))
    motion = camera_motion.measure(clip, watched.facts.seconds, context.part(0.75, 1.0))
    if motion is not None:
        labels.append((motion.words, motion.share))
    return tuple(Label(name, round(min(score, 1.0), 3)) for name, score in labels)


def _weights(scene: Scene) -> dict[str, float]:
    """How much each thing counts in a frame."""
    found: dict[str, float] = {}
    for box in scene.objects:
        # Half of the picture or more counts fully, a dot in the distance hardly.
        weight = box.score * min((2 * scene.share(box)) ** 0.5, 1.0)
        found[box.label] = max(found.get(box.label, 0.0), weight)
    return found


def _named(likely: np.ndarray, shown: Mapping[str, float]) -> dict[str, float]:
    """What the classifier names; what the detectors see too is worth more."""
    found: dict[str, float] = {}
    for number in map(int, np.argsort(-likely)[:5]):
        broad = imagenet.everyday_names()[number]
        if likely[number] < (_LEAST if broad in {*shown, *found} else 0.3):
            continue
        found[in_sentence(imagenet.class_names()[number])] = float(likely[number])
        group = float(likely[[*things.IMAGENET.get(broad, ())]].sum())
        if broad not in shown and group > 0.5:
            found[broad] = group
    return found
