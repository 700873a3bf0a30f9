"""How far a picture is tilted: by its horizon, walls, edges and lines of text."""

from __future__ import annotations

import numpy as np
import PIL.Image

#: How far off level a picture is looked at, in degrees, and how finely.
MOST = 20.0
_COARSE, _FINE = 0.25, 0.05
#: The longer side in pixels of what is looked at.
_SIDE = 900
#: So many times as much as at the usual angle lies in line at the angle that is taken.
_SURE = 2.0
#: An edge has to be at least so steep, of the steepest, and there have to be so many of its pixels.
_STEEP, _FEWEST = 0.12, 40
_MOST_EDGES = 60_000
#: How far the direction of an edge may be from the angle that it speaks for, in degrees.
_OFF = 4.0


def tilt(image: PIL.Image.Image) -> float | None:
    """By how many degrees the picture has to be turned clockwise to be level; None where nothing
    in it tells.

    Edges that run nearly across or nearly up and down are laid onto a line at each angle: where
    they fall together, there are horizons, walls and lines of text.
    """
    points = _edges(image)
    if points is None:
        return None
    angles = np.arange(-MOST, MOST + _COARSE / 2, _COARSE)
    scores = np.array([_in_line(points, angle) for angle in angles])
    # What is far off level is rather a roof than a wall.
    likely = scores * np.exp(-((angles / 28) ** 2))
    best = angles[int(likely.argmax())]
    usual = float(np.median(scores))
    if not usual or scores.max() < _SURE * usual:
        return None
    near = np.arange(best - 2 * _COARSE, best + 2 * _COARSE + _FINE / 2, _FINE)
    fine = np.array([_in_line(points, angle) for angle in near])
    weights = np.clip(fine - 0.5 * (fine.min() + fine.max()), 0, None) ** 2
    angle = float((near * weights).sum() / weights.sum()) if weights.sum() else float(best)
    return None if abs(angle) > MOST - 0.5 else -angle


def _edges(image: PIL.Image.Image) -> tuple[np.ndarray, ...] | None:
    """Places and directions of what runs nearly across, then of what runs nearly up and down."""
    import cv2

    from ...shared.pixels import at_most, rgb

    small = PIL.Image.fromarray(at_most(rgb(image), _SIDE)).convert("L")
    grey = cv2.GaussianBlur(np.asarray(small, np.float32), (0, 0), 1.2)
    across = cv2.Sobel(grey, cv2.CV_32F, 1, 0)
    down = cv2.Sobel(grey, cv2.CV_32F, 0, 1)
    steep = np.hypot(across, down)
    steep[[0, -1]] = steep[:, [0, -1]] = 0
    if steep.max() < 8:
        return None
    floor = max(_STEEP * float(np.quantile(steep, 0.998)), 8.0)
    found: list[np.ndarray] = []
    rows, columns = np.nonzero(steep > floor)
    if len(rows) > _MOST_EDGES:
        chosen = np.random.default_rng(0).choice(len(rows), _MOST_EDGES, replace=False)
        rows, columns = rows[chosen], columns[chosen]
    gx, gy = across[rows, columns], down[rows, columns]
    for first, second, sign in ((gy, gx, -1), (gx, gy, 1)):
        # How far the edge is off level, or off upright, clockwise.
        off = sign * np.degrees(np.arctan2(second * np.sign(first), np.abs(first)))
        kept = np.abs(off) <= MOST + _OFF
        found += [columns[kept].astype(np.float32), rows[kept].astype(np.float32), off[kept]]
    if len(found[0]) + len(found[3]) < _FEWEST:
        return None
    return tuple(found)


def _in_line(points: tuple[np.ndarray, ...], angle: float) -> float:
    """How much of the edges lies on common lines at an angle, clockwise off level."""
    turn = np.radians(angle)
    cosine, sine = np.cos(turn), np.sin(turn)
    score = 0.0
    for index in (0, 3):
        x, y, off = points[index : index + 3]
        near = np.abs(off - angle) <= _OFF
        place = x * cosine + y * sine if index else y * cosine - x * sine
        counts = np.bincount((place[near] + 2000).astype(int))
        score += float((counts.astype(float) ** 2).sum())
    return score
