"""What a video mostly shows: things, kinds of things, setting, and how the camera moves."""

from __future__ import annotations

import numpy as np

from controlllm.resources import Clip, Label
from controlllm.toolbox import Context
from tools.seeing.embedded import efficientnet, imagenet
from tools.seeing.embedded.imagenet import in_sentence
from tools.seeing.embedded.scene import Scene
from tools.seeing.embedded.setting import room_or_open_air
from tools.shared import video_files
from tools.shared.boxes import area
from tools.video.embedded import camera_motion, shots

_MOST_LOOKS = 12
_MOST_THINGS = 6
_LEAST = 0.12


def classify(clip: Clip, context: Context) -> tuple[Label, ...]:
    """Labels with scores 0..1: what is mostly shown, surest first, then setting and camera."""
    facts = video_files.read_facts(clip)
    count = min(max(shots.sample_count(facts.seconds) // 2, 4), _MOST_LOOKS)
    looks: list[_Look] = []
    before: Scene | None = None
    for _, scene in shots.looks(video_files.sample_frames(clip, count)):
        context.progress(0.75 * len(looks) / count, "Looking at the frames")
        looks.append(looks[-1] if scene is before else _Look(scene))
        before = scene
    motion = camera_motion.measure(clip, facts.seconds, context.part(0.75, 1.0))
    labels = [label for label in _things(looks) if label.score >= _LEAST][:_MOST_THINGS]
    labels += _settings(looks)
    if motion is not None:
        labels.append(Label(motion.words, round(motion.share, 3)))
    return tuple(labels)


class _Look:
    """What is kept of a frame: how much each thing counts in it, kinds, and the setting."""

    def __init__(self, scene: Scene) -> None:
        size = scene.image.width * scene.image.height
        self.things: dict[str, float] = {}
        for box in scene.objects:
            # Half of the picture or more counts fully, a dot in the distance hardly.
            weight = box.score * min((2 * area(box) / size) ** 0.5, 1.0)
            self.things[box.label] = max(self.things.get(box.label, 0.0), weight)
        self.likely = efficientnet.probabilities(scene.image)
        self.setting = room_or_open_air(scene)


def _things(looks: list[_Look]) -> list[Label]:
    scores: dict[str, float] = {}
    for look in looks:
        for name, weight in look.things.items():
            scores[name] = scores.get(name, 0.0) + weight / len(looks)
    likely = np.mean([look.likely for look in looks], axis=0)
    everyday = imagenet.everyday_names()
    labels = {name: min(score, 1.0) for name, score in scores.items()}
    for number in np.argsort(-likely)[:5]:
        probability = float(likely[number])
        name = in_sentence(imagenet.class_names()[int(number)])
        broad = everyday[int(number)]
        # The classifier always names something; what the detectors see too is worth more.
        known = broad in labels
        if probability < (_LEAST if known else 0.3):
            continue
        labels[name] = max(labels.get(name, 0.0), probability)
        if not known:
            group = sum(float(likely[n]) for n in imagenet.members().get(broad, ()))
            if group > 0.5:
                labels[broad] = max(labels.get(broad, 0.0), group)
    ordered = sorted(labels.items(), key=lambda item: (-item[1], item[0]))
    return [Label(name, round(min(score, 1.0), 3)) for name, score in ordered]


def _settings(looks: list[_Look]) -> list[Label]:
    found = []
    for setting in ("outdoors", "indoors"):
        share = sum(look.setting == setting for look in looks) / len(looks)
        if share >= 0.3:
            found.append(Label(setting, round(share, 3)))
    return found
