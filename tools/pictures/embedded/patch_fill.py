"""Fill a hole in a picture with patches of the rest of it, coarse to fine.

Every pixel near the hole looks for the known patch that is most like its own neighbourhood; the
patches that overlap a missing pixel then vote for its colour; both steps repeat at each scale
(the scheme of Wexler, Shechtman and Irani, "Space-Time Completion of Video", 2007). The search is
exhaustive at coarse scales and a random search with propagation at fine ones (Barnes et al.,
"PatchMatch", 2009). Texture features beside the colours keep smooth areas from winning over
textured ones (Newson et al., "Video Inpainting of Complex Scenes", 2014). At the end only the
found displacements are scaled up, so that a large picture is filled with its own full detail.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import PIL.Image

from controlllm.toolbox import ToolError

from ...seeing.embedded import detection, salience
from ...shared.pixels import at_most
from .patch_levels import (
    OFFSETS,
    RADIUS,
    SIDE,
    Level,
    level_of,
    mirror_padding,
    moves_of,
    patches,
    places_of,
    pyramid_of,
    render,
    shifts_in,
)

#: The longer side, in pixels, at which displacements are searched.
_WORKING_SIDE = 512
_EXHAUSTIVE_PRODUCT = 40_000_000
_COMPONENTS = 24
#: The first guess tries no more patches than this.
_MOST_TRIED = 8000
_TEXTURE_WEIGHT = 4.0
#: How much worse another patch may be for each time that the better one was copied already.
_REPEAT_WEIGHT = 0.03
#: In the exhaustive search a patch may be used so often, then each use makes it dearer by this
#: share of the middle distance.
_FREE_USES = 2
_REPEAT_COST = 0.1


def fill(
    picture: np.ndarray,
    hole: np.ndarray,
    avoid: np.ndarray,
    progress: Callable[[float, str], None],
) -> np.ndarray:
    """The picture with its hole filled.

    Parameters
    ----------
    picture: uint8, height x width x 3.
    hole: bool, height x width; True where the picture is missing.
    avoid: bool, height x width; what is not to be copied into the hole, such as other objects.
        Where too little else is left it is copied all the same.
    progress: called with a fraction 0..1 and words; may raise to stop.

    Raises ToolError where too little of the picture is left.
    """
    import cv2

    small, small_hole = at_most(picture, _WORKING_SIDE), hole
    if small.shape != picture.shape:
        share = hole.astype(np.float32)
        small_hole = cv2.resize(share, small.shape[1::-1], interpolation=cv2.INTER_AREA) > 0.02
    pyramid = pyramid_of(small, small_hole)
    unwanted = avoid & ~hole
    randomness = np.random.default_rng(0)
    nearest: np.ndarray | None = None
    level: Level | None = None
    for step, (colours, missing) in enumerate(pyramid):
        previous, level = level, level_of(colours, missing, unwanted)
        if not len(level.sources):
            if previous is None and step < len(pyramid) - 1:
                level = None
                continue
            raise ToolError(
                "The masked area covers so much of the picture that nothing is left to fill it "
                "with. Choose a smaller object."
            )
        finest = step == len(pyramid) - 1
        if previous is None or nearest is None:
            _first_guess(level)
            nearest = None
        else:
            nearest = _scale_up(previous, nearest, level)
            _vote(level, nearest, None)
        rounds = 2 if finest else 5 if len(level.targets) > 6000 else 10
        for index in range(rounds):
            progress((step + index / rounds) / len(pyramid) * 0.9, "Filling the hole")
            nearest, distances = _search(level, nearest, randomness)
            _vote(level, nearest, distances, sharp=finest or index == rounds - 1)
    assert level is not None and nearest is not None
    progress(0.92, "Blending")
    return render(picture, hole, level, nearest)


def _first_guess(level: Level) -> None:
    """Copy whole patches from the rim inwards, along strong edges first.

    The order is that of Criminisi, Perez and Toyama, "Region Filling and Object Removal by
    Exemplar-Based Image Inpainting", 2004.
    """
    import cv2

    flat = level.values.reshape(-1, level.values.shape[-1])
    missing = level.hole.copy()
    trust = (~missing).astype(np.float32)
    sources = level.sources[:: len(level.sources) // _MOST_TRIED + 1]
    library = patches(level, sources)
    squares = library**2
    shifts = shifts_in(level)
    places = places_of(level, sources)
    used = np.zeros(missing.shape, np.float32)
    inside = np.zeros_like(missing)
    inside[RADIUS:-RADIUS, RADIUS:-RADIUS] = True
    square = np.ones((3, 3), np.uint8)
    while (missing & inside).any():
        rim = missing & cv2.dilate((~missing).astype(np.uint8), square).astype(bool) & inside
        centres = np.flatnonzero(rim if rim.any() else missing & inside)
        light = cv2.GaussianBlur(level.values[..., 0], (0, 0), 1)
        across = cv2.Sobel(light, cv2.CV_32F, 1, 0) * ~missing
        down = cv2.Sobel(light, cv2.CV_32F, 0, 1) * ~missing
        outline = cv2.GaussianBlur(missing.astype(np.float32), (0, 0), 1.5)
        normal_x, normal_y = cv2.Sobel(outline, -1, 1, 0), cv2.Sobel(outline, -1, 0, 1)
        length = np.maximum(np.hypot(normal_x, normal_y), 1e-6)
        flow = cv2.dilate(np.abs(across * normal_y - down * normal_x) / length, square)
        belief = trust.ravel()[centres[:, None] + shifts].mean(axis=1)
        centre = centres[np.argmax(belief * (flow.ravel()[centres] + 8))]
        around = centre + shifts
        gaps = missing.ravel()[around]
        known = np.repeat(~gaps, 3).astype(np.float32)
        wanted = flat[around, :3].ravel() * known
        costs = squares @ known - 2 * library @ wanted + wanted @ wanted
        costs += ((places - places_of(level, np.array([centre]))) ** 2).sum(axis=1)
        best = sources[(costs * (1 + _REPEAT_WEIGHT * used.ravel()[sources])).argmin()]
        row, column = divmod(int(best), level.width)
        used[row - RADIUS : row + RADIUS + 1, column - RADIUS : column + RADIUS + 1] += 1
        flat[around[gaps]] = flat[best + shifts[gaps]]
        trust.ravel()[around[gaps]] = belief[centres == centre][0]
        missing.ravel()[around[gaps]] = False
    mirror_padding(level)


def _search(
    level: Level, nearest: np.ndarray | None, randomness: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """For every target the flat index of the most similar source, and their squared distance."""
    basis, mean = _basis(level, randomness)
    texture = level.values[..., 3:].reshape(-1, 2) * _TEXTURE_WEIGHT

    def describe(centres: np.ndarray) -> np.ndarray:
        rows = np.empty((len(centres), basis.shape[1] + 4), np.float32)
        for start in range(0, len(centres), 16384):
            part = centres[start : start + 16384]
            rows[start : start + 16384, :-4] = (patches(level, part) - mean) @ basis
        rows[:, -4:-2] = texture[centres] * SIDE
        rows[:, -2:] = places_of(level, centres)
        return rows

    wanted = describe(level.targets)
    if nearest is None or len(level.targets) * len(level.sources) <= _EXHAUSTIVE_PRODUCT:
        return _search_everywhere(level.sources, describe(level.sources), wanted)
    return _search_nearby(level, nearest, describe, wanted, randomness)


def _basis(level: Level, randomness: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """The main components of known patches; distances along them stand for patch distances."""
    sample = patches(level, randomness.choice(level.sources, min(len(level.sources), 3000)))
    mean = sample.mean(axis=0)
    centred = sample - mean
    _, vectors = np.linalg.eigh(centred.T @ centred)
    return np.ascontiguousarray(vectors[:, ::-1][:, :_COMPONENTS]), mean


def _search_everywhere(
    sources: np.ndarray, library: np.ndarray, wanted: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The best source for each target, looked for a second time with the overused ones dearer."""
    squares = (library**2).sum(axis=1)
    sizes = (wanted**2).sum(axis=1)
    best, costs = _least(library, wanted, squares)
    uses = np.bincount(best, minlength=len(sources))
    often = np.maximum(uses - _FREE_USES, 0)
    if often.any():
        dearer = often * _REPEAT_COST * float(np.median(np.maximum(costs + sizes, 0)))
        best, costs = _least(library, wanted, squares + dearer.astype(np.float32))
        costs = costs - dearer[best]
    return sources[best], np.maximum(costs + sizes, 0).astype(np.float32)


def _least(
    library: np.ndarray, wanted: np.ndarray, offsets: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """For each row of `wanted` the index of the closest row of `library` and what it costs."""
    best = np.empty(len(wanted), np.int64)
    costs = np.empty(len(wanted), np.float32)
    for start in range(0, len(wanted), 1024):
        part = wanted[start : start + 1024]
        table = part @ (-2 * library.T)
        table += offsets
        found = table.argmin(axis=1)
        best[start : start + 1024] = found
        costs[start : start + 1024] = table[np.arange(len(part)), found]
    return best, costs


def _search_nearby(
    level: Level,
    nearest: np.ndarray,
    describe: Callable[[np.ndarray], np.ndarray],
    wanted: np.ndarray,
    randomness: np.random.Generator,
) -> tuple[np.ndarray, np.ndarray]:
    """Improve given matches with those of the neighbours and with random ones around them."""
    height, width = level.hole.shape
    library = np.empty((height * width, wanted.shape[1]), np.float32)
    library[level.sources] = describe(level.sources)
    best = nearest.copy()
    distances = ((library[best] - wanted) ** 2).sum(axis=1)
    row_of = np.full(height * width, -1, np.int64)
    row_of[level.targets] = np.arange(len(level.targets))

    def offer(rows: np.ndarray, candidates: np.ndarray) -> None:
        allowed = (candidates >= 0) & (candidates < height * width)
        allowed[allowed] = level.is_source[candidates[allowed]]
        rows, candidates = rows[allowed], candidates[allowed]
        costs = ((library[candidates] - wanted[rows]) ** 2).sum(axis=1)
        better = costs < distances[rows]
        best[rows[better]] = candidates[better]
        distances[rows[better]] = costs[better]

    everyone = np.arange(len(level.targets))
    for step in (4, 2, 1):
        for shift in (step, -step, step * width, -step * width):
            neighbours = row_of[np.clip(level.targets - shift, 0, height * width - 1)]
            rows = everyone[neighbours >= 0]
            offer(rows, best[neighbours[rows]] + shift)
    reach = max(height, width) / 4
    while reach >= 1:
        jump = randomness.uniform(-reach, reach, (2, len(everyone))).round().astype(np.int64)
        rows_y = np.clip(best // width + jump[0], 0, height - 1)
        rows_x = np.clip(best % width + jump[1], 0, width - 1)
        offer(everyone, rows_y * width + rows_x)
        reach /= 3
    return best, distances


def _vote(
    level: Level, nearest: np.ndarray, distances: np.ndarray | None, *, sharp: bool = False
) -> None:
    """Give each missing pixel the weighted mean of what the patches over it say."""
    import cv2

    flat = level.values.reshape(-1, level.values.shape[-1])
    depth = cv2.distanceTransform(level.hole.astype(np.uint8), cv2.DIST_L2, 5).ravel()
    weight_of = np.zeros(level.hole.size, np.float32)
    weights = 1.2 ** -depth[level.targets]
    if distances is not None:
        spread = max(float(np.percentile(distances, 75)), 1e-3) * (0.25 if sharp else 1.0)
        weights = weights * np.exp(-distances / (2 * spread)) + 1e-12
    weight_of[level.targets] = weights
    match_of = np.zeros(level.hole.size, np.int64)
    match_of[level.targets] = nearest
    inside = np.zeros_like(level.hole)
    inside[RADIUS:-RADIUS, RADIUS:-RADIUS] = True
    missing = np.flatnonzero(level.hole & inside)
    total = np.zeros((len(missing), flat.shape[1]), np.float32)
    mass = np.zeros(len(missing), np.float32)
    known = flat.copy()
    for dy, dx in OFFSETS:
        shift = dy * level.width + dx
        centres = missing + shift
        weight = weight_of[centres]
        total += known[match_of[centres] - shift] * weight[:, None]
        mass += weight
    flat[missing] = total / np.maximum(mass, 1e-20)[:, None]
    mirror_padding(level)


def _scale_up(coarse: Level, nearest: np.ndarray, fine: Level) -> np.ndarray:
    """The coarse level's matches as matches of the fine level's targets."""
    from scipy import ndimage

    moves, ratio = moves_of(coarse, nearest, fine.inner)
    places = np.stack([fine.targets // fine.width, fine.targets % fine.width]) - RADIUS
    y, x = np.minimum((places + 0.5) / ratio[:, None], np.array(coarse.inner)[:, None] - 1).astype(
        int
    )
    found = np.clip(places + moves[:, y, x], 0, np.array(fine.inner)[:, None] - 1) + RADIUS
    # What was copied at the coarse level need not be a source here: then the closest one is.
    closest = ndimage.distance_transform_edt(
        ~fine.is_source.reshape(fine.hole.shape), return_distances=False, return_indices=True
    )
    y, x = closest[:, found[0], found[1]]
    return y * fine.width + x


def other_objects(image: PIL.Image.Image, picture: np.ndarray, hole: np.ndarray) -> np.ndarray:
    """The pixels of objects that are not in the hole: bool, height x width.

    Copied into the hole they would make a second dog where one dog was to go. `picture` is the
    image as uint8, height x width x 3; `hole` is bool, height x width.
    """
    found = np.zeros(hole.shape, bool)
    if min(hole.shape) < 32:
        return found
    for box in detection.detect(image):
        left, top = max(int(box.left), 0), max(int(box.top), 0)
        part = np.s_[top : max(int(box.bottom), 0), left : max(int(box.right), 0)]
        if found[part].size < 64 or hole[part].mean() > 0.5:
            continue
        likely = salience.salience(np.ascontiguousarray(picture[part])) > 0.5
        found[part] |= likely if likely.mean() > 0.2 else True
    return found & ~hole
