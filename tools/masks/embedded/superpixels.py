"""Regions of even colour: small ones, and large ones merged from them."""

from __future__ import annotations

import numpy as np

_WORKING_SIDE = 480


def merged(picture: np.ndarray, threshold: float = 14.0) -> np.ndarray:
    """Regions of even colour: int, height x width, from 0 up.

    `picture` is uint8, height x width x 3, RGB. Some five hundred small regions of alike pixels
    (Felzenszwalb and Huttenlocher, "Efficient Graph-Based Image Segmentation", 2004) are joined to
    their neighbours while the mean colours are closer than `threshold`: a distance in CIE Lab,
    lower for regions that have a weak edge between them and for very small ones.
    """
    import cv2
    from skimage.segmentation import felzenszwalb

    height, width = picture.shape[:2]
    scale = min(1.0, _WORKING_SIDE / max(height, width))
    shape = (max(round(width * scale), 1), max(round(height * scale), 1))
    small = cv2.resize(picture, shape, interpolation=cv2.INTER_AREA)
    smooth = cv2.cvtColor(cv2.bilateralFilter(small, 5, 25, 3), cv2.COLOR_RGB2LAB)
    least = max(small.shape[0] * small.shape[1] // 4000, 4)
    labels = felzenszwalb(smooth.astype(np.float32) / 255, scale=60, sigma=0.5, min_size=least)
    lab = cv2.cvtColor(small.astype(np.float32) / 255, cv2.COLOR_RGB2LAB)
    count = int(labels.max()) + 1
    area = np.bincount(labels.ravel(), minlength=count).astype(float)
    total = np.stack(
        [np.bincount(labels.ravel(), lab[..., i].ravel(), minlength=count) for i in range(3)], 1
    )
    border, contrast = _borders(labels, lab, count)
    parent = np.arange(count)
    costs = np.full((count, count), np.inf)
    rows, columns = np.nonzero(border)
    costs[rows, columns] = _costs(rows, columns, total, area, border, contrast)
    while count > 1:
        first, second = np.unravel_index(costs.argmin(), costs.shape)
        if costs[first, second] > threshold:
            break
        total[first] += total[second]
        area[first] += area[second]
        border[first] += border[second]
        border[:, first] = border[first]
        contrast[first] += contrast[second]
        contrast[:, first] = contrast[first]
        border[second] = border[:, second] = 0
        border[first, first] = 0
        costs[second] = costs[:, second] = np.inf
        costs[first] = costs[:, first] = np.inf
        parent[parent == second] = first
        near = np.flatnonzero(border[first])
        again = _costs(np.full(len(near), first), near, total, area, border, contrast)
        costs[first, near] = costs[near, first] = again
    _, joined = np.unique(parent[labels], return_inverse=True)
    joined = joined.reshape(labels.shape).astype(np.float32)
    return cv2.resize(joined, (width, height), interpolation=cv2.INTER_NEAREST).astype(int)


def _borders(labels: np.ndarray, lab: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """For each pair of regions the length of their border and the sum of contrast along it."""
    border, contrast = np.zeros((count, count)), np.zeros((count, count))
    for first, second in (
        ((slice(None), slice(None, -2)), (slice(None), slice(2, None))),
        ((slice(None, -2), slice(None)), (slice(2, None), slice(None))),
    ):
        one, other = labels[first].ravel(), labels[second].ravel()
        step = np.linalg.norm(lab[first] - lab[second], axis=-1).ravel()
        apart = one != other
        for left, right in ((one, other), (other, one)):
            np.add.at(border, (left[apart], right[apart]), 1)
            np.add.at(contrast, (left[apart], right[apart]), step[apart])
    return border, contrast


def _costs(
    one: np.ndarray,
    other: np.ndarray,
    total: np.ndarray,
    area: np.ndarray,
    border: np.ndarray,
    contrast: np.ndarray,
) -> np.ndarray:
    apart = np.linalg.norm(total[one] / area[one, None] - total[other] / area[other, None], axis=1)
    edge = contrast[one, other] / border[one, other]
    smaller = np.minimum(area[one], area[other])
    lightness = smaller / (smaller + 0.002 * area.sum())
    return (0.6 * apart + 0.4 * edge) * (0.35 + 0.65 * lightness)
