"""The drawing of backgrounds: each is a function of a `Ground`, and gives float values 0..255."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

_BLUE = (64, 128, 210)


class Ground:
    """A rectangle to draw on.

    Parameters
    ----------
    width, height: in pixels.
    shades: the colours that were asked for; there may be none.
    fades: by name, colours down a scene: each how far down, 0..1, and red, green, blue.
    """

    def __init__(
        self,
        width: int,
        height: int,
        shades: Sequence[tuple[int, int, int]],
        fades: Mapping[str, Sequence[Sequence[float]]],
    ) -> None:
        self.width, self.height, self.shades, self._fades = width, height, shades, fades
        self.wide = width / height
        down, across = np.mgrid[0:height, 0:width].astype(np.float32)
        #: How far across and down each pixel lies, in shares of the height.
        self.across, self.down = (across + 0.5) / height, (down + 0.5) / height

    def plain(self, shade: Iterable[float]) -> np.ndarray:
        """One colour everywhere."""
        return np.broadcast_to(np.array([*shade], np.float32), (self.height, self.width, 3))

    def fade(self, told: str | Iterable[Sequence[float]]) -> np.ndarray:
        """Colours that fade from one to the next down the picture."""
        stops = np.array([*(self._fades[told] if isinstance(told, str) else told)])
        down = self.down[:, 0]
        bands = [np.interp(down, stops[:, 0], stops[:, part]) for part in (1, 2, 3)]
        return np.repeat(np.stack(bands, axis=-1)[:, None], self.width, axis=1)

    def clouds(self, seed: int, stretch: float = 2.0) -> np.ndarray:
        """Soft random heights, 0..1: noise of several sizes added up."""
        import cv2

        random = np.random.default_rng(seed)
        total = np.zeros((self.height, self.width), np.float32)
        for octave in range(6):
            cells = 3 * 2**octave
            grid = random.random((cells + 1, max(2, round(cells * self.wide / stretch)) + 1))
            size = (self.width, self.height)
            total += 0.55**octave * cv2.resize(grid, size, interpolation=cv2.INTER_CUBIC)
        low, high = np.percentile(total, (1, 99))
        return np.clip((total - low) / max(high - low, 1e-6), 0, 1)

    def noise(self, seed: int, strength: float) -> np.ndarray:
        """Grain: height x width."""
        return np.random.default_rng(seed).normal(0, strength, (self.height, self.width))

    def spots(self, spots: Iterable[tuple[float, float, float, float]]) -> np.ndarray:
        """Small discs with smooth rims: each x and y in 0..1, radius in pixels, brightness."""
        import cv2

        drawn = np.zeros((self.height, self.width), np.float32)
        for x, y, radius, light in spots:
            place = (round(x * self.width * 16), round(y * self.height * 16))
            # Four binary places of a pixel.
            cv2.circle(drawn, place, max(1, round(radius * 16)), light, -1, cv2.LINE_AA, 4)
        return drawn


def _over(under: np.ndarray, over: Sequence[float] | np.ndarray, share: np.ndarray) -> np.ndarray:
    part = share[..., None]
    return under * (1 - part) + np.asarray(over, np.float32) * part


def _below(ground: Ground, line: np.ndarray | float, soft: float = 0.004) -> np.ndarray:
    """1 below a line, 0 above it, with a soft border."""
    return np.clip((ground.down - line) / soft, 0, 1)


def _plain(ground: Ground) -> np.ndarray:
    return ground.plain(ground.shades[0])


def _gradient(ground: Ground) -> np.ndarray:
    shades = np.array(ground.shades or ((250, 180, 150), (120, 110, 210)), float)
    if len(shades) == 1:
        shades = np.stack([shades[0] + 0.7 * (255 - shades[0]), shades[0]])
    return ground.fade(np.column_stack([np.linspace(0, 1, len(shades)), shades]))


def _studio(ground: Ground) -> np.ndarray:
    """A lit paper roll: brightest behind the subject, the floor a little lighter than the wall."""
    base = ground.plain(ground.shades[0] if ground.shades else (176, 180, 188))
    off = (ground.across - ground.wide / 2) / max(ground.wide, 0.8)
    glow = np.exp(-((np.hypot(off, (ground.down - 0.42) / 1.1) / 0.42) ** 2))
    light = 0.62 + 0.5 * glow + 0.1 / (1 + np.exp(-(ground.down - 0.82) * 30))
    return np.minimum(base * light[..., None], 252)


def _blue_sky(ground: Ground) -> np.ndarray:
    return _clouded(ground, ground.shades[0] if ground.shades else _BLUE)


def _clouded(ground: Ground, top: Sequence[float]) -> np.ndarray:
    white = np.clip((ground.clouds(4) - 0.5) / 0.3, 0, 1) ** 1.3
    cloud = 255 - ground.clouds(5)[..., None] * np.array([34, 28, 20])
    return _over(ground.fade([(0, *top), (1, 196, 222, 244)]), cloud, 0.92 * white)


def _sunset(ground: Ground) -> np.ndarray:
    far = np.hypot(ground.across - 0.68 * ground.wide, ground.down - 0.8)
    streaks = np.clip((ground.clouds(11, stretch=6.0) - 0.55) / 0.35, 0, 1)
    fading = np.clip(1.15 - ground.down, 0, 1)
    sky = _over(ground.fade("sunset sky"), (110, 54, 96), 0.55 * streaks * fading)
    sky = _over(sky, (255, 232, 170), 0.8 * np.exp(-((far / 0.22) ** 2)))
    return _over(sky, (255, 250, 226), np.clip((0.065 - far) / 0.006, 0, 1))


def _night(ground: Ground) -> np.ndarray:
    import cv2

    slant = ground.down - 0.35 - 0.3 * (ground.across - ground.wide / 2)
    dust = np.exp(-((slant / 0.16) ** 2)) * (0.3 + 0.7 * ground.clouds(3, stretch=1.0))
    sky = _over(ground.fade("night sky"), (120, 110, 170), 0.42 * dust)
    unit = max(ground.height / 500, 0.6)
    places = np.random.default_rng(21).random((round(420 * max(ground.wide, 0.5)), 3))
    stars = ground.spots(
        (x, y, (0.35 + 1.3 * bright**4) * unit, 0.45 + 0.55 * bright**4)
        for x, y, bright in places.tolist()
    )
    glow = cv2.GaussianBlur(stars, (0, 0), 2.2 * unit)
    lit = np.clip(cv2.GaussianBlur(stars, (0, 0), 0.6) + 0.8 * glow, 0, 1)
    return _over(sky, (250, 248, 255), lit)


def _beach(ground: Ground) -> np.ndarray:
    across, down = ground.across, ground.down
    horizon, shore = 0.48, 0.7 + 0.012 * np.sin(across * 7) + 0.006 * np.sin(across * 19 + 1)
    ripples = ground.clouds(8, stretch=10.0)
    depth = np.clip((down - horizon) / 0.22, 0, 1)
    sea = ground.fade("sea") + ((ripples - 0.5) * (14 + 22 * depth))[..., None]
    rough = ground.noise(5, 5) + (ground.clouds(9, stretch=3.0) - 0.5) * 22
    scene = np.where((down < horizon)[..., None], _clouded(ground, _BLUE), sea)
    scene = _over(scene, ground.fade("sand") + rough[..., None], _below(ground, shore, 0.006))
    wave = shore - 0.05 - 0.01 * np.sin(across * 11)
    foam = np.exp(-(((down - shore) / 0.008) ** 2)) + 0.5 * np.exp(-(((down - wave) / 0.004) ** 2))
    return _over(scene, (250, 252, 250), np.clip(foam, 0, 1) * (0.6 + 0.4 * ripples))


def _meadow(ground: Ground) -> np.ndarray:
    import cv2

    far_hill = 0.47 + 0.035 * np.sin(ground.across * 3.1 + 2)
    scene = _over(_clouded(ground, _BLUE), (128, 164, 120), _below(ground, far_hill))
    upright = (max(1, round(ground.height / 500)), max(3, round(ground.height * 0.018)) | 1)
    blades = cv2.blur(ground.noise(17, 1), upright)
    blades *= 0.7 / max(float(blades.std()), 1e-6)
    depth = np.clip((ground.down - 0.5) / 0.5, 0, 1)
    uneven = (ground.clouds(13, stretch=4.0) - 0.5) * 34 + blades * (4 + 22 * depth)
    hill = 0.52 + 0.04 * np.sin(ground.across * 2.2 + 0.4)
    return _over(scene, ground.fade("grass") + uneven[..., None], _below(ground, hill))


def _ridge(across: np.ndarray, seed: int, rough: float) -> np.ndarray:
    """A jagged line for a mountain range, about -1..1."""
    random = np.random.default_rng(seed)
    total = np.zeros_like(across)
    for step in range(1, 7):
        shift, speed = random.random() * 9, 1.7**step * (0.8 + 0.4 * random.random())
        wave = 2 * np.abs((across * speed * rough + shift) % 1 - 0.5) * 2 - 1
        total += wave / 1.8**step
    return total


def _mountains(ground: Ground) -> np.ndarray:
    scene = ground.fade("mountains")
    for base, tall, seed, shade, snowy in (
        (0.42, 0.16, 31, (150, 172, 198), True),
        (0.56, 0.12, 32, (104, 130, 156), True),
        (0.72, 0.08, 33, (62, 92, 96), False),
        (0.86, 0.05, 34, (38, 66, 54), False),
    ):
        line = base - tall * _ridge(ground.across, seed, 0.8)
        haze = 0.45 * _below(ground, line, 0.3)
        body = _over(ground.plain(shade), (206, 218, 230), haze)
        if snowy:
            limit = base - 0.35 * tall + 0.03 * _ridge(ground.across, seed + 9, 3.0)
            body = _over(body, (246, 249, 253), 0.92 * (1 - _below(ground, limit - 0.02, 0.02)))
        scene = _over(scene, body, _below(ground, line))
    return scene


def _snow(ground: Ground) -> np.ndarray:
    import cv2

    scene = ground.fade("snow")
    for base, shade, seed in ((0.6, (214, 224, 236), 41), (0.72, (236, 242, 249), 42)):
        line = base + 0.04 * np.sin(ground.across * (seed - 38) + seed)
        scene = _over(scene, shade, _below(ground, line, 0.006))
    scene = scene + ((ground.clouds(45) - 0.5) * 8)[..., None]
    unit = ground.height / 500
    places = np.random.default_rng(44).random((round(160 * max(ground.wide, 0.5)), 3))
    flakes = ground.spots((x, y, (1.2 + 3.6 * size**3) * unit, 0.9) for x, y, size in places)
    return _over(scene, (255, 255, 255), cv2.GaussianBlur(flakes, (0, 0), max(unit, 0.6)))


def _lights(ground: Ground) -> np.ndarray:
    """Points of light far out of focus."""
    scene = ground.fade("lights")
    random = np.random.default_rng(9)
    lamps = ground.shades or ((255, 196, 96), (255, 150, 80), (255, 226, 160), (120, 170, 255),
                              (230, 110, 130))  # fmt: skip
    for index in range(round(34 * max(ground.wide, 0.5))):
        x, y, size, strength = random.random(4)
        radius = 0.025 + 0.055 * size
        far = np.hypot(ground.across - x * ground.wide, ground.down - (0.1 + 0.85 * y))
        disc = np.clip((radius - far) / 0.006, 0, 1) * (0.75 + 0.25 * np.clip(far / radius, 0, 1))
        lamp = np.array(lamps[index % len(lamps)], np.float32)
        scene = scene + disc[..., None] * lamp * (0.18 + 0.4 * strength)
    return np.minimum(scene, 255)


def _brick_wall(ground: Ground) -> np.ndarray:
    tall, wide, joint = 1 / 14, 1 / 5.2, 0.007
    row = np.floor(ground.down / tall)
    shifted = ground.across + (row % 2) * wide / 2
    tone = np.sin(row * 12.9898 + np.floor(shifted / wide) * 78.233) * 43758.5453
    tone = tone - np.floor(tone) - 0.5
    rough = ((ground.clouds(51, 1.0) - 0.5) * 30 + ground.noise(52, 5))[..., None]
    base = ground.plain(ground.shades[0] if ground.shades else (158, 84, 66))
    wall = base * (1 + 0.3 * tone[..., None]) + rough
    inner = np.minimum(ground.down % tall, shifted % wide)
    mortar = ground.plain((196, 188, 178)) + 0.6 * rough
    return _over(wall, mortar, np.clip((joint - inner) / 0.002, 0, 1))


def _pattern(ground: Ground, share: np.ndarray) -> np.ndarray:
    """Two colours: the second one where `share` is 1."""
    shades = tuple(ground.shades[:2]) or ((246, 240, 228), (226, 138, 120))
    if len(shades) == 1:
        light = np.dot(shades[0], (0.299, 0.587, 0.114)) > 200
        shades = ((196, 200, 208) if light else (250, 250, 250), *shades)
    return _over(ground.plain(shades[0]), shades[1], share)


def _stripes(ground: Ground) -> np.ndarray:
    wave = np.abs(((ground.across + ground.down) / 0.16) % 1 - 0.5) - 0.25
    return _pattern(ground, np.clip(wave * 0.16 * ground.height + 0.5, 0, 1))


def _dots(ground: Ground) -> np.ndarray:
    cell = 0.12
    row = np.floor(ground.down / cell)
    x = (ground.across + (row % 2) * cell / 2) % cell - cell / 2
    far = np.hypot(x, ground.down % cell - cell / 2)
    return _pattern(ground, np.clip((0.03 - far) * ground.height + 0.5, 0, 1))


def _checks(ground: Ground) -> np.ndarray:
    return _pattern(ground, (np.floor(ground.across / 0.1) + np.floor(ground.down / 0.1)) % 2)


#: Every kind that is drawn.
DRAWN: Mapping[str, Callable[[Ground], np.ndarray]] = {
    "plain": _plain,
    "gradient": _gradient,
    "studio": _studio,
    "blue sky": _blue_sky,
    "sunset sky": _sunset,
    "night sky": _night,
    "beach": _beach,
    "meadow": _meadow,
    "mountains": _mountains,
    "snow": _snow,
    "lights": _lights,
    "brick wall": _brick_wall,
    "stripes": _stripes,
    "dots": _dots,
    "checks": _checks,
}
