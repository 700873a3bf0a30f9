"""Line pictures: gradients, Canny edges, straight segments, outlines, scribbles, relief.

Every function takes uint8 RGB, height x width x 3, and gives uint8 of the same size, but
`edge_probability`, which is holistically-nested edge detection (Xie and Tu, ICCV 2015).
"""

from __future__ import annotations

import numpy as np
import PIL.Image

from ...shared import networks
from ...shared.pixels import at_most

#: The longer side the network works at; it was trained on pictures of 481 x 321 pixels.
SIDE = 512
_LEAST_SIDE = 32
NETWORK = networks.shipped("hed")


def edge_probability(picture: np.ndarray) -> np.ndarray:
    """How likely each pixel lies on an outline: float32 in 0..1, height x width.

    `picture` is uint8 RGB. Large pictures are looked at with a longer side of 512 pixels, and the
    answer is of that smaller size.
    """
    height, width = picture.shape[:2]
    scale = min(SIDE / max(height, width), 1.0)
    # The fourth pooling leaves nothing of a picture of a few pixels, so those are enlarged.
    scale = max(scale, _LEAST_SIDE / min(height, width))
    if scale != 1:
        # A long, thin picture can need both; then its longer side is held to twice the usual.
        size = [min(max(round(side * scale), _LEAST_SIDE), 2 * SIDE) for side in (width, height)]
        resized = PIL.Image.fromarray(picture).resize(size, PIL.Image.Resampling.LANCZOS)
        picture = np.asarray(resized)
    inputs = picture.astype(np.float32).transpose(2, 0, 1)[None]
    return networks.session(NETWORK).run(["edges"], {"image": inputs})[0][0, 0]


#: Larger pictures are worked on in a smaller copy: finer detail than this is texture, not outline.
LARGEST = 2048
_LARGEST_SCRIBBLE = 1024
#: How wide the ridges of likely outlines are, in pixels, and how strongly bent at their crest.
_CREST, _BENT = 2.0, 0.06


def enlarged(drawing: np.ndarray, like: np.ndarray) -> np.ndarray:
    """A drawing at the size of the picture `like`."""
    import cv2

    height, width = like.shape[:2]
    if drawing.shape[:2] == (height, width):
        return drawing
    return cv2.resize(drawing, (width, height), interpolation=cv2.INTER_CUBIC)


def gradient(picture: np.ndarray) -> np.ndarray:
    """How fast colour changes at each pixel: soft grey edges on black.

    The strongest of the three channels of CIELAB counts, so that red beside green of the same
    brightness is an edge too.
    """
    import cv2

    small = at_most(picture, LARGEST)
    calm = cv2.bilateralFilter(small, 5, 30, 3)
    lab = cv2.cvtColor(calm, cv2.COLOR_RGB2LAB).astype(np.float32)
    across, down = cv2.Scharr(lab, cv2.CV_32F, 1, 0), cv2.Scharr(lab, cv2.CV_32F, 0, 1)
    # Sixteen is what the weights of one side of the Scharr kernel add up to.
    strength = np.hypot(across, down).max(axis=2) / 16
    return enlarged(_stretched(strength), picture)


def _stretched(strength: np.ndarray) -> np.ndarray:
    """Greys from 0 to 255: the top percent is white, and noise in an even picture stays dark."""
    floor, white = 2.0, max(float(np.quantile(strength, 0.99)), 24.0)
    shown = np.clip((strength - floor) / (white - floor), 0, 1) ** 0.8
    return (shown * 255).astype(np.uint8)


def canny(picture: np.ndarray) -> np.ndarray:
    """Canny's edges (1986): white lines of one pixel on black.

    The thresholds follow the picture: the strongest tenth of the gradients starts a line, and a
    line goes on down to 0.4 of that.
    """
    import cv2

    small = at_most(picture, LARGEST)
    softness = 1.0 + 0.4 * max(small.shape[:2]) / 1000
    calm = cv2.GaussianBlur(small, (0, 0), softness)
    across, down = (cv2.Sobel(calm, cv2.CV_16S, *order) for order in ((1, 0), (0, 1)))
    strength = np.abs(across).max(axis=2).astype(float) + np.abs(down).max(axis=2)
    high = float(np.clip(np.quantile(strength, 0.9), 80, 400))
    lines = cv2.Canny(np.ascontiguousarray(across), np.ascontiguousarray(down), 0.4 * high, high)
    return enlarged(lines, picture)


def straight_lines(picture: np.ndarray) -> np.ndarray:
    """Straight segments (LSD, Grompone von Gioi et al., 2010): white strokes on black."""
    import cv2

    small = at_most(picture, _LARGEST_SCRIBBLE)
    drawing = np.zeros(picture.shape[:2], np.uint8)
    height, width = small.shape[:2]
    if min(height, width) < 8:
        return drawing
    grey = cv2.cvtColor(small, cv2.COLOR_RGB2GRAY)
    found = cv2.createLineSegmentDetector(cv2.LSD_REFINE_STD).detect(grey)[0]
    if found is None:
        return drawing
    segments = found.reshape(-1, 4)
    lengths = np.hypot(segments[:, 2] - segments[:, 0], segments[:, 3] - segments[:, 1])
    segments = segments[lengths >= max(0.025 * np.hypot(height, width), 4)]
    scale = max(picture.shape[:2]) / max(height, width)
    width = max(round(max(picture.shape[:2]) / 500), 1)
    for x1, y1, x2, y2 in segments * scale:
        # Four binary places of a pixel keep slanted lines smooth.
        start, end = (round(x1 * 16), round(y1 * 16)), (round(x2 * 16), round(y2 * 16))
        cv2.line(drawing, start, end, 255, width, cv2.LINE_AA, 4)
    return drawing


def outlines(picture: np.ndarray) -> np.ndarray:
    """Soft outlines of objects, by a network."""
    return enlarged((edge_probability(picture) * 255).astype(np.uint8), picture)


def scribble(picture: np.ndarray) -> np.ndarray:
    """Strokes as a felt pen would draw them, white on black, from a network's outlines.

    Ridges of the edge probability are thinned to their middle line, short bits are dropped, and
    the rest is drawn as round, even strokes.
    """
    import cv2
    from skimage.filters import apply_hysteresis_threshold, sato
    from skimage.morphology import skeletonize

    calm = cv2.GaussianBlur(edge_probability(picture), (0, 0), 1.0)
    crest = np.where(sato(calm, [_CREST], black_ridges=False) > _BENT, calm, 0)
    ridge = skeletonize(apply_hysteresis_threshold(crest, 0.25, 0.6))
    longest = max(calm.shape)
    count, parts, facts, _ = cv2.connectedComponentsWithStats(
        ridge.astype(np.uint8), connectivity=8
    )
    long_enough = facts[:, cv2.CC_STAT_AREA] >= max(0.05 * longest, 4)
    long_enough[0] = False
    kept = long_enough[parts] if count > 1 else np.zeros_like(ridge)
    # The strokes are drawn at the final size, through a distance map, and so have smooth rims.
    height, width = picture.shape[:2]
    scale = min(_LARGEST_SCRIBBLE / max(height, width), 1.0)
    size = (max(round(width * scale), 1), max(round(height * scale), 1))
    if not kept.any():
        return np.zeros((height, width), np.uint8)
    distance = cv2.distanceTransform((~kept).astype(np.uint8), cv2.DIST_L2, 5)
    distance = cv2.GaussianBlur(distance, (0, 0), 1.2)
    distance = cv2.resize(distance, size, interpolation=cv2.INTER_CUBIC)
    magnified = max(size) / longest
    radius = max(longest / 300, 0.9)
    strokes = np.clip((radius - distance) * magnified + 0.5, 0, 1)
    return enlarged((strokes * 255).astype(np.uint8), picture)


def relief(picture: np.ndarray) -> np.ndarray:
    """Surface directions as colours, as if bright were high: red right, green up, blue towards you.

    The result is height x width x 3, as normal maps are usually stored.
    """
    import cv2

    small = at_most(picture, LARGEST)
    height = cv2.cvtColor(small, cv2.COLOR_RGB2GRAY).astype(np.float32) / 255
    total = np.zeros((*height.shape, 2), np.float32)
    # Several softnesses together show the large form as well as the fine grain.
    for softness, weight in ((0.8, 0.25), (2.5, 0.5), (8.0, 1.0)):
        calm = cv2.GaussianBlur(height, (0, 0), softness)
        slopes = cv2.Sobel(calm, cv2.CV_32F, 1, 0), cv2.Sobel(calm, cv2.CV_32F, 0, 1)
        total += weight * softness * np.stack(slopes, axis=-1)
    direction = np.dstack([-total[..., 0], total[..., 1], np.full(height.shape, 0.6, np.float32)])
    direction /= np.linalg.norm(direction, axis=2, keepdims=True)
    return enlarged(((direction + 1) * 127.5).round().astype(np.uint8), picture)
