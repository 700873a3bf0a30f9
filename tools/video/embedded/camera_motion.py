"""How the camera of a video moves, from pairs of frames a moment apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from controlllm.resources import Clip
from controlllm.toolbox import Context

from ...shared import video_files

_PLACES = 8
_APART = 0.29  # seconds: what the two frames of a pair lie apart at most
_SIDE = 320
_FEWEST_POINTS = 12
_MOVES = 0.022  # picture widths a second: slower is a hand that is not quite still
_ZOOMS = 0.025  # share of the size a second
_STILL = 0.006


@dataclass(frozen=True)
class Step:
    """The camera's move between two frames in picture widths a second, to the right and down;
    `zoom` is the growth of what is seen a second."""

    right: float
    down: float
    zoom: float


@dataclass(frozen=True)
class CameraMotion:
    """In words what the camera does most ("still camera"), with the share of places it does so."""

    words: str
    share: float


def measure(clip: Clip, seconds: float, context: Context) -> CameraMotion | None:
    """What the camera mostly does; None where the pictures hold nothing to follow."""
    count = int(np.clip(round(seconds), 2, _PLACES))
    steps = []
    for number in range(count):
        context.progress(number / count, "Following the camera")
        start = (number + 0.5) * seconds / count
        end = min(start + _APART, seconds)
        pair = list(video_files.read_frames(clip, start, end, context))
        if len(pair) < 2:
            continue
        found = step_between(pair[0][1], pair[-1][1], pair[-1][0])
        if found is not None:
            steps.append(found)
    return summary(steps)


def step_between(first: np.ndarray, second: np.ndarray, seconds: float) -> Step | None:
    """The camera's move between two frames; None where too little can be followed."""
    import cv2

    scale = _SIDE / max(first.shape[:2])
    size = (max(round(first.shape[1] * scale), 8), max(round(first.shape[0] * scale), 8))
    one, two = (
        cv2.cvtColor(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), cv2.COLOR_RGB2GRAY)
        for picture in (first, second)
    )
    points = cv2.goodFeaturesToTrack(one, 200, 0.01, 6)
    if points is None or len(points) < _FEWEST_POINTS:
        return None
    moved, found, _ = cv2.calcOpticalFlowPyrLK(one, two, points, None)
    back, again, _ = cv2.calcOpticalFlowPyrLK(two, one, moved, None)
    steady = np.linalg.norm((points - back).reshape(-1, 2), axis=1) < 0.7
    kept = (found.ravel() == 1) & (again.ravel() == 1) & steady
    if kept.sum() < max(_FEWEST_POINTS, 0.25 * len(points)):
        return None
    before, after = points.reshape(-1, 2)[kept], moved.reshape(-1, 2)[kept]
    turn, fitting = cv2.estimateAffinePartial2D(before, after, ransacReprojThreshold=1.5)
    if turn is None or fitting.mean() < 0.4:
        return None
    zoom = float(np.hypot(turn[0, 0], turn[1, 0]))
    middle = np.array([size[0] / 2, size[1] / 2])
    shift = turn[:, :2] @ middle + turn[:, 2] - middle
    # What is seen moves to the left when the camera turns to the right.
    right, down = (float(-value) / size[0] / seconds for value in shift)
    return Step(right, down, (zoom - 1) / seconds)


def summary(steps: Sequence[Step]) -> CameraMotion | None:
    """What most of the steps have in common, in words."""
    if not steps:
        return None
    kinds = Counter(_kind(step) for step in steps)
    best, count = kinds.most_common(1)[0]
    moving = sum(kinds[kind] for kind in kinds if not kind.endswith("still camera"))
    if not best.endswith("still camera") and count < 0.6 * len(steps):
        best, count = "moving camera", moving
    return CameraMotion(best, count / len(steps))


def _kind(step: Step) -> str:
    speed = float(np.hypot(step.right, step.down))
    # A zoom moves the edges by half the width times its growth.
    if abs(step.zoom) > _ZOOMS and abs(step.zoom) * 0.5 > 0.6 * speed:
        return "camera moving or zooming in" if step.zoom > 0 else "camera moving or zooming out"
    if speed < _STILL and abs(step.zoom) < _STILL:
        return "still camera"
    if speed < _MOVES:
        return "almost still camera"
    if abs(step.right) > 2 * abs(step.down):
        return "camera panning right" if step.right > 0 else "camera panning left"
    if abs(step.down) > 2 * abs(step.right):
        return "camera tilting down" if step.down > 0 else "camera tilting up"
    return "moving camera"
