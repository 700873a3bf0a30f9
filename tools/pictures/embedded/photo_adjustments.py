"""Changes to whole pictures: light, colour, sharpness and shape; an object in another colour."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import PIL.Image
import PIL.ImageFilter
import PIL.ImageOps

from ...shared.pixels import with_alpha_of

Colour = tuple[int, int, int]
#: How light red, green and blue look.
_LIGHT = np.array([0.299, 0.587, 0.114], np.float32)
#: Paper is looked at so large, and letters are no wider than this share of it.
_PAPER_SIDE, _LETTERS = 300, 0.01
#: What is so light beside the paper is paper too, and what is written is no lighter than this.
_PAPER, _FAINTEST = 0.88, 0.6
#: So often what lies so far below the curve of the paper is taken for no paper.
_ROUNDS, _BELOW = 10, 0.03


def brightened(image: PIL.Image.Image, amount: float) -> PIL.Image.Image:
    """Brighter for amounts above 0, darker below; 1 is very much. White and black stay."""
    power = 2.0 ** (-1.1 * amount)
    return _by_table(image, lambda value: value**power)


def contrasted(image: PIL.Image.Image, amount: float) -> PIL.Image.Image:
    """More contrast for amounts above 0, less below, about the picture's own mean."""
    mean = float(np.clip(np.asarray(image.convert("L")).mean() / 255, 0.25, 0.75))
    if amount <= 0:
        factor = 1 + 0.75 * max(amount, -1.2)
        return _by_table(image, lambda value: mean + factor * (value - mean))

    def curve(value: np.ndarray) -> np.ndarray:
        steep = 1 + 4.5 * amount
        low, high = np.tanh(-steep * mean), np.tanh(steep * (1 - mean))
        return (np.tanh(steep * (value - mean)) - low) / (high - low)

    return _by_table(image, lambda value: 0.3 * value + 0.7 * curve(value))


def saturated(image: PIL.Image.Image, amount: float) -> PIL.Image.Image:
    """Stronger colours for amounts above 0, weaker below; pale colours gain most."""
    values = _values(image)
    grey = values @ _LIGHT
    spread = values.max(axis=-1) - values.min(axis=-1)
    factor = 1 + 1.6 * amount * (1 - 0.5 * spread) if amount > 0 else 1 + max(amount, -1.0)
    factor = np.broadcast_to(factor, grey.shape)[..., None]
    return _picture(grey[..., None] + (values - grey[..., None]) * factor, image)


def warmed(image: PIL.Image.Image, amount: float) -> PIL.Image.Image:
    """Warmer for amounts above 0 (towards orange), cooler below (towards blue)."""
    values = _values(image)
    gain = np.array([1 + 0.26 * amount, 1 + 0.02 * amount, 1 - 0.3 * amount], np.float32)
    changed = values * gain
    keep = (values @ _LIGHT) / np.maximum(changed @ _LIGHT, 1e-4)
    return _picture(changed * keep[..., None] ** 0.7, image)


def sharpened(image: PIL.Image.Image, amount: float) -> PIL.Image.Image:
    """Sharper, by the lightness alone and without bright rims."""
    import cv2

    values = _values(image)
    grey = values @ _LIGHT
    unit = max(max(image.size) / 900, 0.6)
    detail = grey - cv2.GaussianBlur(grey, (0, 0), 1.1 * unit)
    detail = np.where(np.abs(detail) < 0.006, 0.4 * detail, detail)
    raised = grey + 2.4 * amount * detail
    square = np.ones((3, 3), np.uint8)
    slack = 0.06
    raised = np.clip(raised, cv2.erode(grey, square) - slack, cv2.dilate(grey, square) + slack)
    return _picture(values + (raised - grey)[..., None], image)


def on_white_paper(image: PIL.Image.Image) -> PIL.Image.Image:
    """Paper white and what is written on it dark, also where light falls on it unevenly; what is
    coloured stays so."""
    values = _values(image)
    paper = _paper(values)
    even = np.clip(values / paper, 0, 1)
    grey = even @ _LIGHT
    written = grey[grey < _PAPER]
    darkest = float(np.percentile(written, 5)) if written.size else 0.0
    darkest = min(darkest, _FAINTEST)
    return _picture((even - darkest) / (_PAPER - darkest), image)


def _paper(values: np.ndarray) -> np.ndarray:
    """How light the paper is at each place: what is lightest, told by a smooth curve through it."""
    import cv2

    height, width = values.shape[:2]
    shrink = min(_PAPER_SIDE / max(width, height), 1.0)
    small = cv2.resize(values, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    reach = max(round(_LETTERS * max(small.shape)), 1) * 2 + 1
    small = cv2.morphologyEx(small, cv2.MORPH_CLOSE, np.ones((reach, reach), np.uint8))
    points = small.reshape(-1, 3)
    light = points @ _LIGHT
    terms = _terms(*small.shape[:2])
    kept = light >= np.percentile(light, 25)
    for _ in range(_ROUNDS):
        curve = np.linalg.lstsq(terms[kept], light[kept], rcond=None)[0]
        lighter = light >= terms @ curve - _BELOW
        if lighter.sum() < len(light) // 10:
            break
        kept = lighter
    curves = np.linalg.lstsq(terms[kept], points[kept], rcond=None)[0]
    paper = np.clip((terms @ curves).reshape(small.shape), 0.08, 1.0).astype(np.float32)
    return cv2.resize(paper, (width, height), interpolation=cv2.INTER_LINEAR)


def _terms(height: int, width: int) -> np.ndarray:
    """What a curve over a picture is made of, a row for each pixel."""
    down, across = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
    one = np.ones_like(down)
    terms = (one, across, down, across * down, across**2, down**2)
    return np.stack(terms, axis=-1).reshape(-1, len(terms))


def blurred(image: PIL.Image.Image, amount: float) -> PIL.Image.Image:
    """Softer all over."""
    radius = max(0.7, 0.016 * amount * max(image.size))
    return image.filter(PIL.ImageFilter.GaussianBlur(radius))


def denoised(image: PIL.Image.Image, amount: float) -> PIL.Image.Image:
    """With less grain, by non-local means."""
    import cv2

    strength = 4 + 10 * amount
    cleaned = cv2.fastNlMeansDenoisingColored(
        np.asarray(image.convert("RGB")), None, strength, strength, 5, 15
    )
    return with_alpha_of(PIL.Image.fromarray(cleaned), image)


def inverted(image: PIL.Image.Image) -> PIL.Image.Image:
    """The negative."""
    return _by_table(image, lambda value: 1 - value)


def vignetted(image: PIL.Image.Image, amount: float) -> PIL.Image.Image:
    """Darker towards the corners."""
    down, across = np.mgrid[0 : image.height, 0 : image.width].astype(np.float32)
    far = np.hypot((across + 0.5) / image.width - 0.5, (down + 0.5) / image.height - 0.5) / 0.707
    fall = 1 - min(1.6 * amount, 0.95) * np.clip((far - 0.3) / 0.7, 0, 1) ** 1.6
    return _picture(_values(image) * fall[..., None], image)


def tinted(image: PIL.Image.Image, colour: Colour, amount: float) -> PIL.Image.Image:
    """With a veil of a colour; the lightness stays about as it is."""
    values = _values(image)
    grey = (values @ _LIGHT)[..., None]
    shade = np.array(colour, np.float32) / 255
    own = float(shade @ _LIGHT)
    toned = np.where(grey < own, shade * grey / max(own, 1e-3),
                     1 - (1 - shade) * (1 - grey) / max(1 - own, 1e-3))  # fmt: skip
    part = float(np.clip(0.9 * amount, 0, 1))
    return _picture(values + (toned - values) * part, image)


def bordered(image: PIL.Image.Image, colour: Colour) -> PIL.Image.Image:
    """With a plain border of a colour around it."""
    width = max(2, round(0.035 * max(image.size)))
    fill = (*colour, 255) if image.mode == "RGBA" else colour
    return PIL.ImageOps.expand(image, width, fill)


def turned(image: PIL.Image.Image, degrees: float) -> PIL.Image.Image:
    """Turned clockwise; where corners stay empty they are white, or clear in an RGBA picture."""
    fill = (255, 255, 255, 0) if image.mode == "RGBA" else (255, 255, 255)
    return image.rotate(-degrees, PIL.Image.Resampling.BICUBIC, expand=True, fillcolor=fill)


def half(image: PIL.Image.Image, side: str) -> PIL.Image.Image:
    """The left, right, top or bottom half; of an odd number of pixels the middle one is kept."""
    width, height = image.size
    across, down = (width + 1) // 2, (height + 1) // 2
    areas = {
        "left": (0, 0, across, height),
        "right": (width - across, 0, width, height),
        "top": (0, 0, width, down),
        "bottom": (0, height - down, width, height),
    }
    return image.crop(areas[side])


def squared(image: PIL.Image.Image) -> PIL.Image.Image:
    """The middle of the picture as a square."""
    side = min(image.size)
    left, top = (image.width - side) // 2, (image.height - side) // 2
    return image.crop((left, top, left + side, top + side))


def _values(image: PIL.Image.Image) -> np.ndarray:
    return np.asarray(image.convert("RGB"), np.float32) / 255


def _picture(values: np.ndarray, like: PIL.Image.Image) -> PIL.Image.Image:
    pixels = (np.clip(values, 0, 1) * 255).round().astype(np.uint8)
    return with_alpha_of(PIL.Image.fromarray(pixels), like)


def _by_table(image: PIL.Image.Image, curve: Callable[[np.ndarray], np.ndarray]) -> PIL.Image.Image:
    """Each value through a curve of 0..1 to 0..1."""
    steps = np.clip(curve(np.linspace(0, 1, 256)), 0, 1) * 255
    table = steps.round().astype(int).tolist()
    return with_alpha_of(image.convert("RGB").point(table * 3), image)


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
