"""Pictures filtered to look drawn, painted or printed.

All of these are filters of the pixels that are there; nothing is painted anew.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import PIL.Image

#: Filters work on a copy of at most this size; their strokes are coarser than its pixels.
_WORKING_SIDE = 1400

#: The styles with the words that ask for each; the first that fits is made.
_WORDS: tuple[tuple[str, str], ...] = (
    ("coloured pencil", r"colou?red? pencils?|crayons?|pastels? (?:drawing|crayon|sketch)"),
    ("pencil sketch", r"pencil|sketch\w*|graphite|charcoal|line drawing|hand[- ]drawn|drawing"),
    ("watercolour", r"water ?colou?r\w*|aquarelle?|gouache"),
    ("oil painting", r"oil(?:[- ]paint\w*)?|impressionis\w*|acrylic|canvas|painterly|painting|"
                     r"painted"),
    ("cartoon", r"cartoon\w*|comics?(?:[- ]book)?|toon"),
    ("pop art", r"pop[- ]?art|posteri[sz]\w*|poster|screen[- ]?print"),
    ("pointillism", r"pointillis\w*|stipple\w*|made of dots|dots"),
    ("sepia", r"sepia"),
    ("vintage", r"vintage|retro|antique|old[- ](?:photo\w*|picture|time|fashioned)|nostalgi\w*|"
                r"\bold\b|polaroid|faded film|18\d\ds|19\d\ds"),
    ("black and white", r"black[- ](?:and|&)[- ]white|black and white|monochrome|gr[ea]y ?scale|"
                        r"\bgr[ea]y\b|film noir|\bnoir\b|\bb&w\b|\bb/w\b"),
    ("pixel art", r"pixel[- ]?art|pixelat\w*|8[- ]?bit|16[- ]?bit|minecraft"),
    ("halftone", r"half-?tone|newspaper|newsprint|print(?:ed)? dots"),
    ("woodcut", r"woodcut|wood ?block|linocut|lino print|engrav\w*|etching|ink(?: drawing)?"),
    ("mosaic", r"mosaic|stained[- ]glass|tiles"),
)  # fmt: skip
NAMES = tuple(name for name, _ in _WORDS)
#: Painters and looks that only a trained model could come near to.
_BEYOND = re.compile(
    r"van gogh|gogh|monet|picasso|rembrandt|vermeer|da vinci|dali\b|munch|klimt|kandinsky|hokusai|"
    r"matisse|warhol|cezanne|renoir|mondrian|starry night|mona lisa|the scream|great wave|ghibli|"
    r"anime|manga|disney|pixar|simpsons|lego|cubis\w*|surreal\w*|cyberpunk|steampunk|3d\b|"
    r"ukiyo|baroque|renaissance|fantasy|origami|clay\w*",
    re.IGNORECASE,
)


def style_of(words: str) -> str | None:
    """The style that words ask for, None where none of these filters makes it."""
    lowered = words.lower()
    if _BEYOND.search(lowered):
        return None
    for name, pattern in _WORDS:
        if re.search(rf"(?<![a-z])(?:{pattern})(?![a-z])", lowered):
            return name
    return None


def words_for_styles() -> str:
    """A pattern of every word that asks for a style."""
    return "|".join(pattern for _, pattern in _WORDS)


def apply(picture: np.ndarray, style: str) -> np.ndarray:
    """The picture (uint8, height x width x 3) in a style of `NAMES`, at the same size."""
    import cv2

    height, width = picture.shape[:2]
    scale = min(1.0, _WORKING_SIDE / max(height, width))
    small = picture
    if scale < 1:
        shape = (max(1, round(width * scale)), max(1, round(height * scale)))
        small = cv2.resize(picture, shape, interpolation=cv2.INTER_AREA)
    if style in ("black and white", "sepia", "vintage"):  # these keep every detail
        small, scale = picture, 1.0
    made = np.clip(_MADE[style](small), 0, 255).round().astype(np.uint8)
    if scale < 1:
        way = cv2.INTER_NEAREST if style == "pixel art" else cv2.INTER_CUBIC
        made = cv2.resize(made, (width, height), interpolation=way)
    return made


def _unit(picture: np.ndarray) -> float:
    """The size of a fine stroke in pixels: one in a picture of 500 pixels."""
    return max(max(picture.shape[:2]) / 500, 0.3)


def _grey(picture: np.ndarray) -> np.ndarray:
    import cv2

    return cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY).astype(np.float32)


def _paper(shape: tuple[int, ...], grain: float, seed: int = 3) -> np.ndarray:
    """The roughness of paper, about -1..1."""
    import cv2

    noise = np.random.default_rng(seed).normal(0, 1, shape[:2]).astype(np.float32)
    soft = cv2.GaussianBlur(noise, (0, 0), max(grain, 0.4))
    return soft / max(float(soft.std()), 1e-6) / 2.5


def _hatching(shape: tuple[int, ...], unit: float, degrees: float, seed: int) -> np.ndarray:
    """Slanting pencil strokes, about -1..1."""
    import cv2

    noise = np.random.default_rng(seed).normal(0, 1, shape[:2]).astype(np.float32)
    noise = cv2.GaussianBlur(noise, (0, 0), max(0.5 * unit, 0.4))
    reach = max(2, round(9 * unit))
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    turn = np.deg2rad(degrees)
    for step in np.linspace(-reach, reach, 4 * reach):
        kernel[round(reach - step * np.sin(turn)), round(reach + step * np.cos(turn))] = 1
    strokes = cv2.filter2D(noise, -1, kernel / kernel.sum(), borderType=cv2.BORDER_REFLECT)
    return strokes / max(float(strokes.std()), 1e-6) / 2.5


def _pencil_tone(picture: np.ndarray) -> np.ndarray:
    """How light a pencil drawing of the picture is at each pixel, 0..1."""
    import cv2

    unit = _unit(picture)
    grey = cv2.bilateralFilter(_grey(picture), 0, 18, max(1.5 * unit, 1)) / 255
    tones = 1.0
    for reach, weight in ((1.2 * unit, 0.65), (5 * unit, 0.75)):
        soft = cv2.GaussianBlur(1 - grey, (0, 0), max(reach, 0.5))
        dodge = np.clip(grey / np.maximum(1 - soft, 0.03), 0, 1)
        tones = tones * (1 - weight + weight * dodge)
    # Shading: three sets of strokes, each only where the picture is darker than the last.
    light = np.clip(cv2.createCLAHE(1.5, (4, 4)).apply((grey * 255).astype(np.uint8)) / 255, 0, 1)
    shade = np.ones_like(grey)
    for limit, degrees, seed in ((0.72, 50, 1), (0.45, 58, 2), (0.25, 130, 5)):
        depth = np.clip((limit - light) / 0.35, 0, 1)
        stroke = 0.5 + 0.5 * np.clip(_hatching(grey.shape, unit, degrees, seed) * 1.6, -1, 1)
        shade *= 1 - 0.42 * depth * stroke
    return np.clip(tones**1.5 * shade, 0, 1)


def _pencil(picture: np.ndarray) -> np.ndarray:
    tone = _pencil_tone(picture)
    paper = 249 + 2.5 * _paper(tone.shape, 0.8 * _unit(picture))
    ink = np.array([46, 46, 50], np.float32)
    return ink + (paper[..., None] - ink) * tone[..., None]


def _coloured_pencil(picture: np.ndarray) -> np.ndarray:
    import cv2

    unit = _unit(picture)
    tone = _pencil_tone(picture) ** 0.8
    soft = cv2.bilateralFilter(picture, 0, 40, max(3 * unit, 1)).astype(np.float32)
    mean = soft.mean(axis=-1, keepdims=True)
    vivid = np.clip(mean + 1.35 * (soft - mean), 0, 255)
    light = 255 - (255 - vivid) * (0.72 + 0.2 * _hatching(tone.shape, unit, 55, 8)[..., None])
    light = light + 7 * _paper(tone.shape, 0.7 * unit)[..., None]
    return np.clip(light, 0, 255) * (0.35 + 0.65 * tone[..., None])


def _watercolour(picture: np.ndarray) -> np.ndarray:
    import cv2

    unit = _unit(picture)
    height, width = picture.shape[:2]
    flat = picture
    for _ in range(3):
        flat = cv2.bilateralFilter(flat, 0, 45, max(2.6 * unit, 1))
    flat = _kuwahara(flat, max(2, round(3 * unit)))
    # The paint runs a little: borders wobble.
    down, across = np.mgrid[0:height, 0:width].astype(np.float32)
    wobble = [_paper(picture.shape, 5 * unit, seed) * 1.6 * unit for seed in (11, 12)]
    flat = cv2.remap(
        flat.astype(np.float32),
        across + wobble[0],
        down + wobble[1],
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REFLECT,
    )
    mean = flat.mean(axis=-1, keepdims=True)
    paint = np.clip(mean + 1.3 * (flat - mean), 0, 255) / 255
    paint = 1 - (1 - paint**0.85) * 0.88
    # Pigment gathers at the rim of each wash and in the paper's dents.
    soft = cv2.GaussianBlur(paint, (0, 0), 2.2 * unit)
    rims = np.clip(np.abs(paint - soft).max(axis=-1) * 2.2, 0, 0.35)
    pools = 0.10 * _paper(picture.shape, 16 * unit, 13) + 0.05 * _paper(picture.shape, unit, 14)
    density = np.clip(1 + rims + pools, 0.5, 1.6)[..., None]
    return 254 * np.clip(paint, 0.02, 1) ** density


def _kuwahara(picture: np.ndarray, reach: int) -> np.ndarray:
    """The generalised Kuwahara filter with eight sectors (Papari et al., 2007): float32."""
    import cv2

    values = picture.astype(np.float32)
    down, across = np.mgrid[-reach : reach + 1, -reach : reach + 1].astype(np.float32)
    far = np.hypot(down, across)
    angle = np.arctan2(down, across)
    total = np.zeros_like(values)
    weights = np.zeros(values.shape[:2], np.float32)
    for sector in range(8):
        turned = np.abs((angle - sector * np.pi / 4 + np.pi) % (2 * np.pi) - np.pi)
        kernel = np.exp(-2 * (far / reach) ** 2) * (turned <= np.pi / 8 + 1e-3)
        kernel[reach, reach] = 1 / 8
        kernel = (kernel / kernel.sum()).astype(np.float32)
        mean = cv2.filter2D(values, -1, kernel, borderType=cv2.BORDER_REFLECT)
        square = cv2.filter2D(values * values, -1, kernel, borderType=cv2.BORDER_REFLECT)
        spread = np.maximum(square - mean * mean, 0).sum(axis=-1)
        weight = 1 / (1 + (spread / 60) ** 4)
        weight = np.maximum(weight, 1e-12)
        total += mean * weight[..., None]
        weights += weight
    return total / weights[..., None]


def _oil(picture: np.ndarray) -> np.ndarray:
    import cv2

    unit = _unit(picture)
    flat = _kuwahara(picture, max(2, round(4.5 * unit)))
    # Bristles follow the borders of things: noise drawn out along them.
    grey = cv2.GaussianBlur(_grey(picture), (0, 0), 1.5 * unit)
    right, below = cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1)
    soft = 4 * unit
    xx = cv2.GaussianBlur(right * right, (0, 0), soft)
    yy = cv2.GaussianBlur(below * below, (0, 0), soft)
    xy = cv2.GaussianBlur(right * below, (0, 0), soft)
    along = 0.5 * np.arctan2(2 * xy, xx - yy) + np.pi / 2
    height, width = grey.shape
    down, across = np.mgrid[0:height, 0:width].astype(np.float32)
    noise = _paper(picture.shape, 0.9 * unit, 21)
    bristles = np.zeros_like(noise)
    steps = np.linspace(-6 * unit, 6 * unit, 15)
    for step in steps:
        bristles += cv2.remap(
            noise,
            (across + step * np.cos(along)).astype(np.float32),
            (down + step * np.sin(along)).astype(np.float32),
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REFLECT,
        )
    bristles /= max(float(bristles.std()), 1e-6)
    mean = flat.mean(axis=-1, keepdims=True)
    paint = np.clip(mean + 1.25 * (flat - mean), 0, 255)
    # Light from the upper left on the ridges of the paint.
    depth = max(unit, 1)
    shift = np.array([[1, 0, depth], [0, 1, depth]], np.float32)
    relief = bristles - cv2.warpAffine(
        bristles, shift, (width, height),
        borderMode=cv2.BORDER_REFLECT,
    )  # fmt: skip
    return paint * (1 + 0.035 * bristles[..., None]) + 5.5 * np.clip(relief, -2, 2)[..., None]


def _ink_lines(picture: np.ndarray, fine: float, threshold: float) -> np.ndarray:
    """Where an ink drawing has no line, 0..1: an extended difference of Gaussians."""
    import cv2

    grey = _grey(picture) / 255
    narrow, wide = (cv2.GaussianBlur(grey, (0, 0), fine * times) for times in (1, 1.6))
    response = narrow - 0.98 * wide
    return np.where(response > threshold, 1.0, 1 + np.tanh(90 * (response - threshold)))


def _cartoon(picture: np.ndarray) -> np.ndarray:
    import cv2

    unit = _unit(picture)
    flat = picture
    for _ in range(4):
        flat = cv2.bilateralFilter(flat, 0, 38, max(2.4 * unit, 1))
    lab = cv2.cvtColor(flat, cv2.COLOR_RGB2LAB).astype(np.float32)
    bands = 8
    light = lab[..., 0] / 255 * bands
    nearest = np.floor(light) + 0.5
    lab[..., 0] = (nearest + 0.5 * np.tanh(6 * (light - nearest))) / bands * 255
    lab[..., 1:] = 128 + 1.35 * (lab[..., 1:] - 128)
    colours = cv2.cvtColor(np.clip(lab, 0, 255).astype(np.uint8), cv2.COLOR_LAB2RGB)
    lines = np.clip(_ink_lines(flat, max(1.1 * unit, 0.6), -0.012), 0, 1)
    return colours * (0.08 + 0.92 * lines[..., None])


def _pop_art(picture: np.ndarray) -> np.ndarray:
    import cv2

    unit = _unit(picture)
    grey = cv2.createCLAHE(2.0, (4, 4)).apply(_grey(picture).astype(np.uint8))
    smooth = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), max(1.6 * unit, 0.6))
    shades = np.array(
        [(28, 20, 60), (206, 20, 98), (255, 104, 44), (255, 206, 32), (255, 246, 214)], np.float32
    )
    limits = np.percentile(smooth, (16, 38, 62, 84))
    result = np.broadcast_to(shades[0], picture.shape)
    for limit, shade in zip(limits, shades[1:], strict=True):
        share = np.clip((smooth - limit) / 4 + 0.5, 0, 1)[..., None]
        result = result * (1 - share) + shade * share
    return result


def _pointillism(picture: np.ndarray) -> np.ndarray:
    import cv2

    unit = _unit(picture)
    height, width = picture.shape[:2]
    random = np.random.default_rng(5)
    hsv = cv2.cvtColor(cv2.GaussianBlur(picture, (0, 0), max(1.2 * unit, 0.5)), cv2.COLOR_RGB2HSV)
    canvas = np.full_like(picture, (238, 230, 212))
    shift = 4
    for spacing, radius in ((4.2, 3.1), (2.9, 1.75)):
        step = max(spacing * unit, 1.5)
        rows, columns = np.mgrid[0:height:step, 0:width:step]
        places = np.stack([columns.ravel(), rows.ravel()], axis=1)
        places = places + random.uniform(-0.5, 0.5, places.shape) * step
        places = np.clip(places, 0, [width - 1, height - 1])
        random.shuffle(places)
        chosen = hsv[places[:, 1].astype(int), places[:, 0].astype(int)].astype(np.float32)
        # Pure colours side by side mix in the eye: each dot strays from the true one.
        chosen[:, 0] = (chosen[:, 0] + random.normal(0, 5, len(chosen))) % 180
        chosen[:, 1] = np.clip(chosen[:, 1] * 1.3 + random.normal(8, 16, len(chosen)), 0, 255)
        chosen[:, 2] = np.clip(chosen[:, 2] * 1.05 + random.normal(0, 16, len(chosen)), 0, 255)
        colours = cv2.cvtColor(chosen[None].astype(np.uint8), cv2.COLOR_HSV2RGB)[0].tolist()
        sizes = radius * unit * random.uniform(0.75, 1.15, len(places))
        for (x, y), colour, size in zip(places, colours, sizes, strict=True):
            cv2.circle(
                canvas,
                (round(x * 2**shift), round(y * 2**shift)),
                max(1, round(size * 2**shift)),
                colour,
                -1,
                cv2.LINE_AA,
                shift,
            )
    return canvas


def _black_and_white(picture: np.ndarray) -> np.ndarray:
    # Reds a little lighter, blues darker, as with a yellow filter before the lens.
    grey = picture.astype(np.float32) @ np.array([0.4, 0.5, 0.1], np.float32)
    low, high = np.percentile(grey, (0.5, 99.5))
    stretch = np.clip((grey - low) / max(high - low, 24), 0, 1)
    stretch = 0.7 * stretch + 0.3 * (3 * stretch**2 - 2 * stretch**3)
    return np.repeat((stretch * 255)[..., None], 3, axis=-1)


def _sepia(picture: np.ndarray) -> np.ndarray:
    matrix = np.array(
        [[0.393, 0.769, 0.189], [0.349, 0.686, 0.168], [0.272, 0.534, 0.131]], np.float32
    )
    return picture.astype(np.float32) @ matrix.T * 0.9


def _vintage(picture: np.ndarray) -> np.ndarray:
    values = picture.astype(np.float32)
    mean = values.mean(axis=-1, keepdims=True)
    faded = mean + 0.62 * (values - mean)
    warm = faded * np.array([1.04, 0.98, 0.84], np.float32) * 0.86 + np.array([30, 22, 20])
    shape = picture.shape
    down, across = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32)
    far = np.hypot((across + 0.5) / shape[1] - 0.5, (down + 0.5) / shape[0] - 0.5) / 0.707
    grain = 5 * _paper(shape, 0.6 * _unit(picture), 31)
    return warm * (1 - 0.42 * far[..., None] ** 2.5) + grain[..., None]


def _pixel_art(picture: np.ndarray) -> np.ndarray:
    import cv2

    height, width = picture.shape[:2]
    side = 96
    scale = min(1.0, side / max(height, width))
    shape = (max(1, round(width * scale)), max(1, round(height * scale)))
    small = cv2.resize(picture, shape, interpolation=cv2.INTER_AREA).astype(np.float32)
    mean = small.mean(axis=-1, keepdims=True)
    vivid = np.clip(128 + 1.12 * (mean + 1.35 * (small - mean) - 128), 0, 255).astype(np.uint8)
    few = PIL.Image.fromarray(vivid).quantize(
        24, PIL.Image.Quantize.MEDIANCUT, dither=PIL.Image.Dither.NONE
    )
    drawn = np.asarray(few.convert("RGB"))
    return cv2.resize(drawn, (width, height), interpolation=cv2.INTER_NEAREST)


def _halftone(picture: np.ndarray) -> np.ndarray:
    """Four inks, each a screen of dots at its own angle."""
    import cv2

    height, width = picture.shape[:2]
    cell = max(4.2 * _unit(picture), 3)
    soft = cv2.GaussianBlur(picture, (0, 0), cell / 5).astype(np.float32) / 255
    black = 1 - soft.max(axis=-1)
    inks = [
        (soft.max(axis=-1) - soft[..., part]) / np.maximum(1 - black, 0.02) for part in range(3)
    ]
    down, across = np.mgrid[0:height, 0:width].astype(np.float32)
    result = np.broadcast_to(np.array([250, 246, 234], np.float32), picture.shape)
    shades = ((40, 160, 215), (222, 50, 130), (250, 218, 40), (34, 30, 34))
    for ink, degrees, shade in zip([*inks, black], (15, 75, 0, 45), shades, strict=True):
        turn = np.deg2rad(degrees)
        x = (across * np.cos(turn) + down * np.sin(turn)) * 2 * np.pi / cell
        y = (down * np.cos(turn) - across * np.sin(turn)) * 2 * np.pi / cell
        screen = 0.5 - 0.25 * (np.cos(x) + np.cos(y))
        share = np.clip((ink - screen) * cell / 1.6 + 0.5, 0, 1) * (ink > 0.03)
        result = result * (1 - share[..., None] * (1 - np.array(shade, np.float32) / 255))
    return result


def _woodcut(picture: np.ndarray) -> np.ndarray:
    """Black lines whose width follows the darkness, and black outlines."""
    import cv2

    unit = _unit(picture)
    grey = cv2.createCLAHE(2.5, (4, 4)).apply(_grey(picture).astype(np.uint8))
    light = cv2.bilateralFilter(grey, 0, 30, max(2 * unit, 1)).astype(np.float32) / 255
    height, width = light.shape
    down, across = np.mgrid[0:height, 0:width].astype(np.float32)
    # The cuts bend with the shapes.
    bend = 16 * unit * cv2.GaussianBlur(light, (0, 0), 6 * unit)
    spacing = max(4.4 * unit, 3)
    wave = 0.5 + 0.5 * np.cos((down + 0.25 * across + bend) * 2 * np.pi / spacing)
    paper = np.clip((light * 1.15 - 0.04 - (0.16 + 0.68 * wave)) * spacing + 0.5, 0, 1)
    lines = np.clip(_ink_lines(picture, max(1.2 * unit, 0.6), -0.01), 0, 1)
    tone = (paper * lines)[..., None]
    ink, ground = np.array([28, 24, 22], np.float32), np.array([244, 236, 218], np.float32)
    return ink + (ground - ink) * tone


def _mosaic(picture: np.ndarray) -> np.ndarray:
    """Small many-sided tiles with dark joints."""
    import cv2
    from scipy import spatial

    height, width = picture.shape[:2]
    step = max(9 * _unit(picture), 4)
    random = np.random.default_rng(6)
    rows, columns = np.mgrid[step / 2 : height : step, step / 2 : width : step]
    seeds = np.stack([columns.ravel(), rows.ravel()], axis=1)
    if len(seeds) < 4:
        return picture
    seeds = seeds + random.uniform(-0.32, 0.32, seeds.shape) * step
    down, across = np.mgrid[0:height, 0:width]
    far, tile = spatial.cKDTree(seeds).query(np.stack([across.ravel(), down.ravel()], axis=1), k=2)
    tiles = tile[:, 0]
    counts = np.maximum(np.bincount(tiles, minlength=len(seeds)), 1)
    means = np.stack(
        [np.bincount(tiles, picture[..., part].ravel(), len(seeds)) / counts for part in range(3)],
        axis=1,
    )
    grey = means.mean(axis=1, keepdims=True)
    means = grey + 1.2 * (means - grey) + random.normal(0, 5, (len(seeds), 1))
    joint = np.clip((far[:, 1] - far[:, 0]) / max(0.16 * step, 1.2), 0, 1).reshape(height, width, 1)
    shine = cv2.GaussianBlur(joint.astype(np.float32), (0, 0), max(step / 9, 0.6))[..., None]
    drawn = means[tiles].reshape(picture.shape) * (0.86 + 0.18 * shine)
    return drawn * joint + np.array([44, 40, 40]) * (1 - joint)


_MADE: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "coloured pencil": _coloured_pencil,
    "pencil sketch": _pencil,
    "watercolour": _watercolour,
    "oil painting": _oil,
    "cartoon": _cartoon,
    "pop art": _pop_art,
    "pointillism": _pointillism,
    "sepia": _sepia,
    "vintage": _vintage,
    "black and white": _black_and_white,
    "pixel art": _pixel_art,
    "halftone": _halftone,
    "woodcut": _woodcut,
    "mosaic": _mosaic,
}
