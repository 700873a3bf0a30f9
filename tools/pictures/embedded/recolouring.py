"""Giving an object another colour while its light and shade stay."""

from __future__ import annotations

import numpy as np

_GROUPS = 4


def recoloured(picture: np.ndarray, alpha: np.ndarray, shade: tuple[int, int, int]) -> np.ndarray:
    """The picture with the main colour of an object turned into another: uint8.

    `alpha` is how much of each pixel is object, 0..1. Only the object's most frequent colour
    changes, in lighter and darker tones too: a car's windows and wheels stay as they are.
    """
    import cv2

    lab = cv2.cvtColor(picture.astype(np.float32) / 255, cv2.COLOR_RGB2LAB)
    target = cv2.cvtColor(np.array([[shade]], np.float32) / 255, cv2.COLOR_RGB2LAB)[0, 0]
    inside = alpha > 0.7
    if not inside.any():
        return picture
    centre, share, many = _main_colour(lab, inside)
    if many:
        fit = np.clip((np.hypot(lab[..., 1], lab[..., 2]) - 8) / 8, 0, 1).astype(np.float32)
    else:
        fit = _alike(lab, centre, share)
    fit = cv2.GaussianBlur(fit, (0, 0), max(0.6, 0.0012 * max(alpha.shape)))
    weight = np.clip(fit * alpha, 0, 1)
    changed = lab.copy()
    # Shading is kept as a ratio: a shadow of half the light stays one in the new colour.
    ratio = (lab[..., 0] + 6) / (centre[0] + 6)
    wanted = 0.75 * target[0] + 0.25 * centre[0]
    light = np.clip((wanted + 6) * ratio - 6, 0, 100)
    gloss = np.clip((lab[..., 0] - 92) / 8, 0, 1) if centre[0] < 80 else 0.0
    changed[..., 0] = np.where(light > 88, 88 + 12 * np.tanh((light - 88) / 12), light)
    strength = np.clip(changed[..., 0] / max(float(target[0]), 12), 0, 1.15) * (1 - 0.8 * gloss)
    changed[..., 1] = target[1] * strength
    changed[..., 2] = target[2] * strength
    mixed = lab + (changed - lab) * weight[..., None]
    result = cv2.cvtColor(mixed.astype(np.float32), cv2.COLOR_LAB2RGB)
    return np.clip(result * 255, 0, 255).round().astype(np.uint8)


def _main_colour(lab: np.ndarray, inside: np.ndarray) -> tuple[np.ndarray, float, bool]:
    """The paint of an object: its colour, its share of the object, and whether there are many.

    Of a thing of many colours, such as a rainbow umbrella, the mean of them is given.
    """
    import cv2

    values = lab[inside]
    values = values[:: max(1, len(values) // 6000)]
    if len(values) < 4 * _GROUPS:
        return np.median(values, axis=0), 1.0, False
    # Lightness counts for less: a colour in the shade is the same colour.
    scaled = (values * np.array([0.5, 1, 1], np.float32)).astype(np.float32)
    criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 25, 0.5)
    cv2.setRNGSeed(3)
    _, labels, _ = cv2.kmeans(scaled, _GROUPS, None, criteria, 3, cv2.KMEANS_PP_CENTERS)
    counts = np.bincount(labels.ravel(), minlength=_GROUPS).astype(float)
    means = np.stack(
        [values[labels.ravel() == group].mean(axis=0) if counts[group] else values[0]
         for group in range(_GROUPS)]
    )  # fmt: skip
    shares = counts / counts.sum()
    chroma = np.hypot(means[:, 1], means[:, 2])
    bright = (chroma > 22) & (shares > 0.12)
    if bright.sum() >= 2 and _hues_differ(means[bright]):
        mean = np.average(means[bright], axis=0, weights=shares[bright])
        return mean, float(shares[bright].sum()), True
    # Beside coloured or light paint, greys and darks are windows, wheels and shadows.
    coloured = np.where(shares >= 0.1, np.clip((chroma - 10) / 25, 0, 1), 0)
    likely = 0.25 + np.clip(means[:, 0] / 60, 0, 1) + 3.5 * coloured
    best = int(np.argmax(shares * likely))
    return means[best], float(shares[best]), False


def _hues_differ(means: np.ndarray) -> bool:
    """Whether colours lie far apart around the colour circle: their directions cancel out."""
    directions = means[:, 1:] / np.maximum(np.hypot(means[:, 1], means[:, 2]), 1e-6)[:, None]
    return bool(np.hypot(*directions.mean(axis=0)) < 0.6)


def _alike(lab: np.ndarray, centre: np.ndarray, share: float) -> np.ndarray:
    """How surely each pixel has a colour or a tone of it, 0..1."""
    chroma = float(np.hypot(centre[1], centre[2]))
    apart = np.hypot(lab[..., 1] - centre[1], lab[..., 2] - centre[2])
    if chroma > 14:
        # A coloured paint: its hue tells, whatever the light; greys are not of it.
        along = (lab[..., 1] * centre[1] + lab[..., 2] * centre[2]) / chroma
        across = np.abs(lab[..., 1] * centre[2] - lab[..., 2] * centre[1]) / chroma
        hue = np.clip(1.6 - across / np.maximum(0.35 * np.maximum(along, 0) + 4, 4), 0, 1)
        return (hue * np.clip((along - 4) / 8, 0, 1)).astype(np.float32)
    tone = np.abs(lab[..., 0] - centre[0])
    reach = 24 + 26 * share
    return (np.clip(1.6 - apart / 14, 0, 1) * np.clip(1.7 - tone / reach, 0, 1)).astype(np.float32)
