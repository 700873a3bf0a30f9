"""Pictures made to look drawn, painted, printed or old: which look words ask for, and the look.

Pencil, watercolour, oil and woodcut are painted by a network that knows 26 manners (Dumoulin,
Shlens and Kudlur, "A Learned Representation for Artistic Style", ICLR 2017) and mixes of them. It
takes the colours of its paintings with it, so only its strokes are kept: the lightness of what it
paints, with the picture's own colours. The other looks are filters.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import PIL.Image

from ...shared import networks
from ...shared.pixels import at_most

NETWORK = networks.shipped("painting")
#: The longer side that is painted: at less, strokes are too wide for a face of a few dozen pixels.
_SIDES = (800, 1000)
_SMALLEST = 32


@dataclass(frozen=True)
class Painting:
    """How a look is painted.

    Parameters
    ----------
    manners: of the network's 26, by number, each with its share; the shares sum to one.
    colour: how strong the picture's own colours are; 0 for none.
    likeness: how far the lightness is brought back to that of the picture, 0..1.
    contrast: of the lightness, about the middle grey.
    lift: lighter by so much, of 255.
    """

    manners: Mapping[str, float]
    colour: float
    likeness: float
    contrast: float
    lift: float


def paint(picture: np.ndarray, painting: Painting) -> np.ndarray:
    """The picture (uint8 RGB, height x width x 3) painted anew, at the same size."""
    import cv2

    height, width = picture.shape[:2]
    longest = max(height, width)
    scale = float(np.clip(longest, *_SIDES)) / longest
    shape = (max(1, round(width * scale)), max(1, round(height * scale)))
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    worked = cv2.resize(picture, shape, interpolation=way)
    own = cv2.cvtColor(worked, cv2.COLOR_RGB2LAB).astype(np.float32)[..., 0]
    light = cv2.cvtColor(_strokes(worked, painting.manners), cv2.COLOR_RGB2LAB)[..., 0]
    light = light.astype(np.float32)
    alike = (light - light.mean()) * own.std() / max(float(light.std()), 1.0) + own.mean()
    light += painting.likeness * (alike - light)
    light = (light - 128) * painting.contrast + 128 + painting.lift
    # Within a stroke there is one colour: fine differences go, borders stay.
    calm = cv2.bilateralFilter(worked, 0, 40, 8)
    colours = cv2.cvtColor(calm, cv2.COLOR_RGB2LAB).astype(np.float32)[..., 1:]
    values = np.dstack([light, 128 + painting.colour * (colours - 128)])
    painted = np.clip(values, 0, 255).round().astype(np.uint8)
    painted = cv2.cvtColor(painted, cv2.COLOR_LAB2RGB)
    return cv2.resize(painted, (width, height), interpolation=cv2.INTER_CUBIC)


def _strokes(picture: np.ndarray, manners: Mapping[str, float]) -> np.ndarray:
    """What the network paints: uint8, of the picture's size."""
    height, width = picture.shape[:2]
    # The network makes the picture a quarter as large on its way.
    margins = [(0, max(_SMALLEST, side + -side % 4) - side) for side in (height, width)]
    padded = np.pad(picture, (*margins, (0, 0)), mode="symmetric").astype(np.float32) / 255
    shares = np.zeros(26, np.float32)
    shares[[int(number) for number in manners]] = list(manners.values())
    inputs = {
        "image": np.ascontiguousarray(padded.transpose(2, 0, 1)[None]),
        "style_weights": shares,
    }
    painted = networks.session(NETWORK).run(None, inputs)[0][0].transpose(1, 2, 0)[:height, :width]
    return (np.clip(painted, 0, 1) * 255).round().astype(np.uint8)


#: Filters work on a copy of at most this size; their marks are coarser than its pixels.
_WORKING_SIDE = 1400

_TOLD = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
_WORDS: Mapping[str, str] = {name: told["words"] for name, told in _TOLD.items()}
_PAINTINGS = {
    name: Painting(**told["painting"]) for name, told in _TOLD.items() if "painting" in told
}
NAMES = tuple(_WORDS)
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
    for name, pattern in _WORDS.items():
        if re.search(rf"(?<![a-z])(?:{pattern})(?![a-z])", lowered):
            return name
    return None


def words_for_styles() -> str:
    """A pattern of every word that asks for a style."""
    return "|".join(_WORDS.values())


def apply(picture: np.ndarray, style: str) -> np.ndarray:
    """The picture (uint8, height x width x 3) in a style of `NAMES`, at the same size."""
    import cv2

    if style in _PAINTINGS:
        return paint(picture, _PAINTINGS[style])
    height, width = picture.shape[:2]
    # Those that only change colours keep every detail.
    keeps = style in ("black and white", "sepia", "vintage")
    small = picture if keeps else at_most(picture, _WORKING_SIDE)
    made = np.clip(_MADE[style](small), 0, 255).round().astype(np.uint8)
    if made.shape != picture.shape:
        way = cv2.INTER_NEAREST if style == "pixel art" else cv2.INTER_CUBIC
        made = cv2.resize(made, (width, height), interpolation=way)
    return made


def _unit(picture: np.ndarray) -> float:
    """The size of a fine stroke in pixels: one in a picture of 500 pixels."""
    return max(max(picture.shape[:2]) / 500, 0.3)


def _grey(picture: np.ndarray) -> np.ndarray:
    import cv2

    return cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY).astype(np.float32)


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
    grain = np.random.default_rng(31).normal(0, 3, shape[:2])
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
    "cartoon": _cartoon,
    "pop art": _pop_art,
    "pointillism": _pointillism,
    "sepia": _sepia,
    "vintage": _vintage,
    "black and white": _black_and_white,
    "pixel art": _pixel_art,
    "halftone": _halftone,
    "mosaic": _mosaic,
}
