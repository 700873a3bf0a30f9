"""Emoji drawn from simple shapes: no font with emoji has to be there."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

import PIL.Image
import PIL.ImageDraw

_SMOOTHING = 3
_LARGEST = 900

_FACE = (255, 204, 51)
_RIM = (232, 160, 24)
_INK = (74, 46, 20)
_RED = (228, 48, 62)
_WHITE = (255, 255, 255)

#: The kinds with the words that ask for each; the first that fits is drawn.
_WORDS: tuple[tuple[str, str], ...] = (
    ("sunglasses", r"sun ?glass|shades\b|\bcool\b"),
    ("heart eyes", r"heart[- ]eye|in love|\bador|love[- ]?struck|loving"),
    ("wink", r"\bwink"),
    ("laughing", r"laugh|\blol\b|joy\b|grin|hilarious|funny|lmao|rofl"),
    ("angry", r"angry|\bmad\b|\brage|furious|grumpy|annoyed"),
    ("sad", r"\bsad|cry|crie|tear|unhappy|frown|upset"),
    ("surprised", r"surpris|shock|astonish|\bwow\b|amazed|omg|scared"),
    ("ghost", r"ghost|\bboo\b|spooky|halloween"),
    ("cat", r"\bcats?\b|kitt|kitty"),
    ("heart", r"heart|\blove\b|valentine"),
    ("star", r"\bstars?\b"),
    ("fire", r"\bfire|flame|\bhot\b|\blit\b|burn"),
    ("sun", r"\bsun\b|sunny|sunshine"),
    ("smiley", r"smil|happy|happi|cheer|glad|yellow face|\bfaces?\b"),
)  # fmt: skip
KINDS = tuple(kind for kind, _ in _WORDS)
_WANTED = re.compile(
    r"\b([a-z]+)[ -]+(?:face[ -]+)?(?:emoji|emoticon|symbol|sticker)s?\b|"
    r"\b(?:emoji|emoticon|symbol|sticker)s? of (?:an? |the )?([a-z]+)|"
    r"^(?:an? |the )?([a-z]+)$"
)
_ANY = frozenset(
    "a an the some any emoji emojis emoticon with by one big small large this that nice cute add "
    "put place of and random suitable fitting matching appropriate different use same an sticker "
    "it them yellow each every all my hide cover colourful colorful funky me please symbol".split()
)


def kind_of(words: str) -> str | None:
    """The kind of emoji that words ask for: "smiley" where any will do, None for one unknown."""
    lowered = words.lower().strip(" .!?")
    wanted = [word for found in _WANTED.findall(lowered) for word in found if word]
    for part in [*wanted, lowered]:
        for kind, pattern in _WORDS:
            if re.search(pattern, part):
                # "a smiley on the cat's face": the word beside "emoji" is what counts.
                return kind
        if part in wanted and part not in _ANY:
            return None
    return "smiley"


def draw(kind: str, side: int) -> PIL.Image.Image:
    """An emoji of one of `KINDS`, RGBA, side x side pixels."""
    drawn = min(side, _LARGEST) * _SMOOTHING
    picture = PIL.Image.new("RGBA", (drawn, drawn), (255, 255, 255, 0))
    pen = _Pen(picture)
    _DRAWN[kind](pen)
    # Premultiplied scaling: transparent white must not lighten the rim.
    return picture.convert("RGBa").resize(
        (side, side), PIL.Image.Resampling.LANCZOS
    ).convert("RGBA")  # fmt: skip


class _Pen:
    """Draws in shares of the picture's side, from 0 at the top left to 1."""

    def __init__(self, picture: PIL.Image.Image) -> None:
        self._side = picture.width
        self._draw = PIL.ImageDraw.Draw(picture)

    def disc(self, x: float, y: float, wide: float, tall: float, colour: tuple[int, ...]) -> None:
        side = self._side
        self._draw.ellipse(
            ((x - wide) * side, (y - tall) * side, (x + wide) * side, (y + tall) * side),
            fill=colour,
        )

    def shape(self, points: list[tuple[float, float]], colour: tuple[int, ...]) -> None:
        self._draw.polygon([(x * self._side, y * self._side) for x, y in points], fill=colour)

    def line(
        self, points: list[tuple[float, float]], width: float, colour: tuple[int, ...]
    ) -> None:
        """A line with round ends."""
        for (x0, y0), (x1, y1) in zip(points, points[1:], strict=False):
            self._draw.line(
                (x0 * self._side, y0 * self._side, x1 * self._side, y1 * self._side),
                fill=colour,
                width=max(1, round(width * self._side)),
            )
        for x, y in points:
            self.disc(x, y, width / 2, width / 2, colour)


def _arc(
    x: float, y: float, wide: float, tall: float, start: float, end: float
) -> list[tuple[float, float]]:
    """Points on an ellipse from one angle to another in degrees, clockwise from the right."""
    steps = 40
    angles = [math.radians(start + (end - start) * step / steps) for step in range(steps + 1)]
    return [(x + wide * math.cos(angle), y + tall * math.sin(angle)) for angle in angles]


def _heart_points(x: float, y: float, size: float) -> list[tuple[float, float]]:
    points = []
    for step in range(100):
        turn = 2 * math.pi * step / 100
        across = 16 * math.sin(turn) ** 3
        down = -(
            13 * math.cos(turn) - 5 * math.cos(2 * turn) - 2 * math.cos(3 * turn)
            - math.cos(4 * turn)
        )  # fmt: skip
        points.append((x + across * size / 17, y + (down - 2.5) * size / 17))
    return points


def _head(pen: _Pen, colour: tuple[int, int, int] = _FACE) -> None:
    pen.disc(0.5, 0.5, 0.49, 0.49, _RIM)
    pen.disc(0.5, 0.49, 0.47, 0.47, colour)
    light = tuple(min(255, part + 26) for part in colour)
    pen.disc(0.47, 0.4, 0.36, 0.3, light)
    pen.disc(0.49, 0.47, 0.4, 0.34, tuple((a + b) // 2 for a, b in zip(light, colour, strict=True)))


def _eyes(pen: _Pen) -> None:
    for x in (0.34, 0.66):
        pen.disc(x, 0.4, 0.055, 0.085, _INK)
        pen.disc(x - 0.015, 0.37, 0.018, 0.025, _WHITE)


def _smile(pen: _Pen) -> None:
    pen.line(_arc(0.5, 0.52, 0.27, 0.25, 18, 162), 0.045, _INK)


def _open_mouth(pen: _Pen) -> None:
    pen.shape(_arc(0.5, 0.56, 0.28, 0.29, 0, 180), _INK)
    pen.shape(_arc(0.5, 0.56, 0.25, 0.08, 0, 180), _WHITE)
    pen.shape(_arc(0.5, 0.79, 0.15, 0.1, 180, 360) + _arc(0.5, 0.79, 0.15, 0.045, 0, 180),
              (226, 84, 84))  # fmt: skip


def _smiley(pen: _Pen) -> None:
    _head(pen)
    _eyes(pen)
    _smile(pen)


def _laughing(pen: _Pen) -> None:
    _head(pen)
    for x in (0.32, 0.68):
        pen.line(_arc(x, 0.44, 0.095, 0.1, 200, 340), 0.042, _INK)
    _open_mouth(pen)


def _wink(pen: _Pen) -> None:
    _head(pen)
    pen.disc(0.34, 0.4, 0.055, 0.085, _INK)
    pen.disc(0.325, 0.37, 0.018, 0.025, _WHITE)
    pen.line(_arc(0.67, 0.44, 0.09, 0.06, 200, 340), 0.042, _INK)
    _smile(pen)


def _heart_eyes(pen: _Pen) -> None:
    _head(pen)
    for x in (0.31, 0.69):
        pen.shape(_heart_points(x, 0.37, 0.15), _RED)
    _open_mouth(pen)


def _sad(pen: _Pen) -> None:
    _head(pen)
    _eyes(pen)
    pen.line([(0.22, 0.27), (0.38, 0.22)], 0.035, _INK)
    pen.line([(0.78, 0.27), (0.62, 0.22)], 0.035, _INK)
    pen.line(_arc(0.5, 0.83, 0.2, 0.17, 205, 335), 0.045, _INK)
    pen.shape([(0.3, 0.52), *_arc(0.3, 0.63, 0.06, 0.06, -10, 190)], (92, 178, 240))


def _angry(pen: _Pen) -> None:
    _head(pen, (240, 96, 66))
    for x, inner in ((0.34, 0.44), (0.66, 0.56)):
        pen.disc(x, 0.45, 0.05, 0.07, _INK)
        outer = 2 * x - inner
        pen.line([(outer - (0.02 if x < 0.5 else -0.02), 0.29), (inner, 0.37)], 0.045, _INK)
    pen.line(_arc(0.5, 0.82, 0.19, 0.15, 205, 335), 0.045, _INK)


def _surprised(pen: _Pen) -> None:
    _head(pen)
    for x in (0.33, 0.67):
        pen.disc(x, 0.4, 0.09, 0.1, _WHITE)
        pen.disc(x, 0.4, 0.045, 0.055, _INK)
        pen.line(_arc(x, 0.26, 0.08, 0.05, 205, 335), 0.03, _INK)
    pen.disc(0.5, 0.7, 0.1, 0.13, _INK)


def _sunglasses(pen: _Pen) -> None:
    _head(pen)
    black = (28, 28, 34)
    pen.line([(0.06, 0.36), (0.94, 0.36)], 0.05, black)
    for x in (0.3, 0.7):
        pen.shape([(x - 0.19, 0.34), (x + 0.19, 0.34), *_arc(x, 0.37, 0.18, 0.18, 0, 180)], black)
        pen.line([(x - 0.1, 0.46), (x - 0.02, 0.39)], 0.022, (150, 156, 170))
    pen.line(_arc(0.54, 0.58, 0.22, 0.2, 20, 150), 0.045, _INK)


def _cat(pen: _Pen) -> None:
    fur, dark, pink = (246, 176, 84), (214, 136, 50), (244, 150, 160)
    for turn in (1, -1):
        ear = [(0.5 - turn * 0.43, 0.03), (0.5 - turn * 0.06, 0.26), (0.5 - turn * 0.45, 0.5)]
        pen.shape(ear, dark)
        pen.shape([(0.5 - turn * 0.39, 0.12), (0.5 - turn * 0.16, 0.27), (0.5 - turn * 0.4, 0.42)],
                  pink)  # fmt: skip
    pen.disc(0.5, 0.57, 0.47, 0.41, dark)
    pen.disc(0.5, 0.56, 0.455, 0.395, fur)
    for x in (-0.11, 0.0, 0.11):
        pen.line([(0.5 + x, 0.19 + abs(x) / 4), (0.5 + x * 0.8, 0.3)], 0.035, dark)
    for x in (0.32, 0.68):
        pen.disc(x, 0.5, 0.075, 0.095, _INK)
        pen.disc(x - 0.022, 0.465, 0.026, 0.032, _WHITE)
    pen.shape([(0.45, 0.63), (0.55, 0.63), (0.5, 0.69)], pink)
    for turn in (1, -1):
        pen.line(_arc(0.5 + turn * 0.08, 0.7, 0.08, 0.07, 10, 170), 0.028, _INK)
        for rise in (-0.04, 0.03):
            pen.line([(0.5 + turn * 0.24, 0.66 + rise / 2), (0.5 + turn * 0.47, 0.64 + rise * 1.6)],
                     0.016, _INK)  # fmt: skip


def _heart(pen: _Pen) -> None:
    pen.shape(_heart_points(0.5, 0.49, 0.51), (176, 24, 44))
    pen.shape(_heart_points(0.5, 0.485, 0.475), _RED)
    pen.shape(_arc(0.27, 0.31, 0.1, 0.065, 0, 360), (250, 128, 136))


def _star_points(outer: float, inner: float, spikes: int) -> list[tuple[float, float]]:
    points = []
    for step in range(2 * spikes):
        reach = outer if step % 2 == 0 else inner
        angle = math.pi * step / spikes - math.pi / 2
        points.append((0.5 + reach * math.cos(angle), 0.52 + reach * math.sin(angle)))
    return points


def _star(pen: _Pen) -> None:
    pen.shape(_star_points(0.52, 0.22, 5), (232, 150, 20))
    pen.shape(_star_points(0.46, 0.195, 5), (255, 206, 48))
    pen.shape(_star_points(0.24, 0.11, 5), (255, 230, 120))


def _flame_points(x: float, y: float, size: float) -> list[tuple[float, float]]:
    outline = [
        (0.52, 0.0), (0.57, 0.12), (0.68, 0.23), (0.77, 0.35), (0.8, 0.31), (0.79, 0.23),
        (0.88, 0.38), (0.92, 0.55), (0.9, 0.72), (0.81, 0.87), (0.66, 0.97), (0.5, 1.0),
        (0.34, 0.97), (0.19, 0.87), (0.1, 0.72), (0.09, 0.56), (0.15, 0.42), (0.25, 0.31),
        (0.29, 0.43), (0.35, 0.46), (0.39, 0.36), (0.41, 0.24), (0.47, 0.11),
    ]  # fmt: skip
    smooth = _rounded(outline)
    return [(x + (px - 0.5) * size, y + (py - 1.0) * size) for px, py in smooth]


def _rounded(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """A closed outline with its corners cut off twice (Chaikin), so that it looks drawn."""
    for _ in range(3):
        cut = []
        for (x0, y0), (x1, y1) in zip(points, points[1:] + points[:1], strict=True):
            cut.append((0.75 * x0 + 0.25 * x1, 0.75 * y0 + 0.25 * y1))
            cut.append((0.25 * x0 + 0.75 * x1, 0.25 * y0 + 0.75 * y1))
        points = cut
    return points


def _fire(pen: _Pen) -> None:
    pen.shape(_flame_points(0.5, 1.0, 1.0), (236, 74, 36))
    pen.shape(_flame_points(0.5, 0.98, 0.7), (255, 152, 32))
    pen.shape(_flame_points(0.5, 0.96, 0.42), (255, 226, 96))


def _sun(pen: _Pen) -> None:
    pen.shape(_star_points(0.5, 0.34, 12), (248, 160, 24))
    pen.disc(0.5, 0.52, 0.32, 0.32, (240, 150, 20))
    pen.disc(0.5, 0.52, 0.3, 0.3, (255, 212, 56))
    for x in (0.4, 0.6):
        pen.disc(x, 0.47, 0.032, 0.05, _INK)
    pen.line(_arc(0.5, 0.54, 0.15, 0.13, 18, 162), 0.028, _INK)


def _ghost(pen: _Pen) -> None:
    def body(grow: float) -> list[tuple[float, float]]:
        top = _arc(0.5, 0.45, 0.36 + grow, 0.42 + grow, 180, 360)
        hem = [
            (0.86 + grow - (0.72 + 2 * grow) * step / 60,
             0.88 + grow + 0.05 * math.cos(step / 60 * 6 * math.pi))
            for step in range(61)
        ]  # fmt: skip
        return top + hem

    pen.shape(body(0.03), (150, 150, 176))
    pen.shape(body(0.0), (246, 246, 252))
    for x in (0.37, 0.63):
        pen.disc(x, 0.4, 0.06, 0.085, (52, 48, 66))
    pen.disc(0.5, 0.59, 0.07, 0.09, (52, 48, 66))


_DRAWN: dict[str, Callable[[_Pen], None]] = {
    "smiley": _smiley,
    "laughing": _laughing,
    "wink": _wink,
    "heart eyes": _heart_eyes,
    "sad": _sad,
    "angry": _angry,
    "surprised": _surprised,
    "sunglasses": _sunglasses,
    "cat": _cat,
    "heart": _heart,
    "star": _star,
    "fire": _fire,
    "sun": _sun,
    "ghost": _ghost,
}
