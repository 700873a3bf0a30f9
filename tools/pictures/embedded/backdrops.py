"""Backgrounds that can be drawn: plain colours, gradients, patterns, skies and simple scenes."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

Colour = tuple[int, int, int]

#: What each colour word looks like as a background.
SHADES: dict[str, Colour] = {
    "black": (12, 12, 14), "white": (255, 255, 255), "grey": (150, 152, 156),
    "gray": (150, 152, 156), "silver": (192, 194, 198), "red": (204, 36, 44),
    "crimson": (170, 20, 50), "scarlet": (220, 40, 30), "maroon": (110, 20, 30),
    "orange": (245, 140, 40), "gold": (222, 178, 60), "golden": (222, 178, 60),
    "yellow": (250, 214, 60), "cream": (252, 244, 218), "beige": (232, 218, 192),
    "tan": (205, 178, 140), "brown": (122, 82, 52), "green": (60, 150, 80),
    "lime": (160, 214, 60), "mint": (176, 230, 204), "olive": (120, 124, 50),
    "teal": (20, 130, 130), "turquoise": (64, 200, 196), "cyan": (70, 200, 226),
    "blue": (48, 104, 208), "navy": (20, 36, 88), "indigo": (70, 60, 160),
    "purple": (122, 66, 168), "violet": (140, 90, 200), "lavender": (206, 196, 238),
    "magenta": (214, 50, 150), "pink": (246, 158, 190), "peach": (252, 204, 172),
    "salmon": (246, 150, 128), "coral": (250, 128, 104), "ivory": (253, 250, 236),
}  # fmt: skip

#: What can be drawn, in words for a person.
CHOICES = (
    "a plain colour, a gradient of two colours, stripes, dots, checks, a blur of the old "
    "background, a studio wall, a blue sky with clouds, a sunset sky, a night sky with stars, a "
    "beach, a meadow, snow or mountains, a brick wall, soft points of light, or nothing "
    "(transparent)"
)
#: Larger backgrounds are enlarged from this size: full size would take gigabytes to draw.
_LARGEST_SIDE = 2048
TRANSPARENT = "transparent"
BLURRED = "blurred"

_COLOUR_WORDS = "|".join(sorted(SHADES, key=len, reverse=True))
_ONE_COLOUR = rf"(?:(?:light|pale|pastel|bright|dark|deep)[ -]+)?(?:{_COLOUR_WORDS})\b"

#: The scenes, each with the words that ask for it; the first that fits is drawn.
_KINDS: tuple[tuple[str, str], ...] = (
    (TRANSPARENT, r"transparent|transparency|no background|nothing"),
    (BLURRED, r"\bblur|out of focus|defocus|unsharp"),
    ("lights", r"bokeh|city lights|fairy lights|points of light|christmas lights|party lights"),
    ("night sky", r"night|stars\b|starry|galaxy|\bspace\b|milky way|moonl|cosmos|universe"),
    ("beach", r"beach|seaside|\bshore|tropical|\bsand\b|by the sea|ocean|\bsea\b|coast"),
    ("sunset sky", r"sun ?set|sun ?rise|dusk|dawn|evening sky|golden hour|twilight"),
    ("snow", r"snow|winter|\barctic\b|\bski\b"),
    ("mountains", r"mountain|\bhills?\b|alps|\bpeaks?\b"),
    ("meadow", r"meadow|grass|\bfields?\b|\blawn\b|countryside|pasture|\bpark\b"),
    ("blue sky", r"\bsky\b|\bclouds?\b|\bcloudy\b|heaven"),
    ("brick wall", r"\bbricks?\b"),
    ("stripes", r"stripe|striped|\blines\b"),
    ("dots", r"\bdots?\b|dotted|polka|spots\b|spotted"),
    ("checks", r"\bcheck|chess|\bsquares\b|plaid|tartan|gingham|grid"),
    ("studio", r"studio|professional|portrait backdrop|passport|photo ?shoot|neutral|headshot"),
    ("gradient", r"gradient|fade|fading|ombre|rainbow|blend of|from .+ to "),
)


def parse(words: str) -> tuple[str, tuple[Colour, ...]] | None:
    """The kind of background that words ask for and the colours in them; None for none known.

    Words for things that cannot be drawn ("Paris at night") make it None too: a night sky would
    not be what was asked for.
    """
    lowered = words.lower()
    shades = tuple(_shade(found) for found in re.findall(_ONE_COLOUR, lowered))
    if unknown_words(lowered):
        return None
    for kind, pattern in _KINDS:
        if re.search(pattern, lowered):
            if kind == "gradient" and "rainbow" in lowered and len(shades) < 2:
                names = ("red", "orange", "yellow", "green", "blue", "purple")
                shades = tuple(SHADES[name] for name in names)
            return kind, shades
    if not shades:
        return None
    return ("gradient" if len(shades) > 1 else "plain"), shades


def unknown_words(words: str) -> list[str]:
    """The words that name nothing that can be drawn here and are no talk around it either."""
    rest = words.lower()
    for _, pattern in _KINDS:
        rest = re.sub(rf"(?:{pattern})\w*", " ", rest)
    names = re.findall(r"[a-z]+(?:'[a-z]+)?", rest)
    return [name for name in names if name not in _PLAIN_WORDS and name not in SHADES]


def draw(kind: str, shades: tuple[Colour, ...], size: tuple[int, int]) -> np.ndarray:
    """A background of a kind that `parse` found: uint8, height x width x 3."""
    import cv2

    width, height = size
    scale = min(1.0, _LARGEST_SIDE / max(size))
    small = (max(1, round(width * scale)), max(1, round(height * scale)))
    drawn = _DRAWN[kind](*small, shades)
    # A little noise keeps smooth fades free of visible bands.
    if kind not in ("plain", "stripes", "dots", "checks"):
        drawn = drawn + np.random.default_rng(7).normal(0, 1.0, (small[1], small[0], 1))
    drawn = np.clip(drawn.round(), 0, 255).astype(np.uint8)
    return drawn if scale == 1 else cv2.resize(drawn, size, interpolation=cv2.INTER_CUBIC)


_PLAIN_WORDS = frozenset(
    "a an the with of in on into by to and or my this that it its it's his her their our your me "
    "for as at behind from please could can you would i i'd i'll want put place set change replace "
    "make swap turn give have use add show draw apply background backgrounds backdrop ground "
    "picture photo image photograph wall screen colour color colours colors coloured colored plain "
    "solid flat simple uniform single pure just only all one two some be is are instead light pale "
    "pastel bright dark deep soft nice clean new different something like should person man woman "
    "dog cat animal subject object people portrait product against tone shade let's lets need so "
    "look looks now completely entirely old original current existing everything else rest fill "
    "paint fully beautiful pretty lovely sunny warm cold calm quiet clear full many few little "
    "cosy vivid tropical romantic dramatic peaceful summer winter style pattern "
    "patterned texture scene view scenery landscape bg there standing sitting being were was "
    "where which one them what smooth gentle gently lightly strongly very really quite "
    "slightly total evening day daytime morning blank empty big small large tiny wide "
    "backdrops room setting out filled lit lights we".split()
)


def _shade(words: str) -> Colour:
    name = re.split(r"[ -]+", words)[-1]
    red, green, blue = SHADES[name]
    if re.match("light|pale|pastel", words):
        return tuple(round(part + 0.55 * (255 - part)) for part in (red, green, blue))  # type: ignore[return-value]
    if re.match("dark|deep", words):
        return (round(red * 0.5), round(green * 0.5), round(blue * 0.5))
    return red, green, blue


def _vertical(width: int, height: int, stops: list[tuple[float, Colour]]) -> np.ndarray:
    """Colours that fade from one to the next down the picture."""
    places = [place for place, _ in stops]
    down = (np.arange(height) + 0.5) / height
    bands = [np.interp(down, places, [shade[part] for _, shade in stops]) for part in range(3)]
    return np.repeat(np.stack(bands, axis=-1)[:, None], width, axis=1)


def _places(width: int, height: int) -> tuple[np.ndarray, np.ndarray]:
    """How far across and down each pixel lies, in shares of the height."""
    down, across = np.mgrid[0:height, 0:width].astype(np.float32)
    return (across + 0.5) / height, (down + 0.5) / height


def _clouds(width: int, height: int, seed: int, stretch: float = 2.0) -> np.ndarray:
    """Soft random heights, 0..1: noise of several sizes added up."""
    import cv2

    random = np.random.default_rng(seed)
    total = np.zeros((height, width), np.float32)
    weight, cells = 1.0, 3
    for _ in range(6):
        rows = max(2, cells)
        columns = max(2, round(cells * width / height / stretch))
        grid = random.random((rows + 1, columns + 1)).astype(np.float32)
        total += weight * cv2.resize(grid, (width, height), interpolation=cv2.INTER_CUBIC)
        weight, cells = weight * 0.55, cells * 2
    low, high = np.percentile(total, (1, 99))
    return np.clip((total - low) / max(high - low, 1e-6), 0, 1)


def _mixed(under: np.ndarray, over: Colour | np.ndarray, share: np.ndarray) -> np.ndarray:
    part = share[..., None]
    return under * (1 - part) + np.asarray(over, np.float32) * part


def _plain(width: int, height: int, shades: tuple[Colour, ...]) -> np.ndarray:
    return np.broadcast_to(np.array(shades[0], np.float32), (height, width, 3))


def _gradient(width: int, height: int, shades: tuple[Colour, ...]) -> np.ndarray:
    if not shades:
        shades = ((250, 180, 150), (120, 110, 210))
    if len(shades) == 1:
        light = tuple(round(part + 0.7 * (255 - part)) for part in shades[0])
        shades = (light, shades[0])  # type: ignore[assignment]
    places = np.linspace(0, 1, len(shades))
    return _vertical(width, height, list(zip(places.tolist(), shades, strict=True)))


def _studio(width: int, height: int, shades: tuple[Colour, ...]) -> np.ndarray:
    """A lit paper roll: brightest behind the subject, the floor a little lighter than the wall."""
    base = np.array(shades[0] if shades else (176, 180, 188), np.float32)
    across, down = _places(width, height)
    far = np.hypot((across - width / height / 2) / max(width / height, 0.8), (down - 0.42) / 1.1)
    glow = np.exp(-((far / 0.42) ** 2))
    light = 0.62 + 0.5 * glow + 0.1 / (1 + np.exp(-(down - 0.82) * 30))
    return np.minimum(base * light[..., None], 252)


def _blue_sky(width: int, height: int, shades: tuple[Colour, ...]) -> np.ndarray:
    top = shades[0] if shades else (64, 128, 210)
    sky = _vertical(width, height, [(0, top), (1, (196, 222, 244))])
    cover = _clouds(width, height, 4)
    white = np.clip((cover - 0.5) / 0.3, 0, 1) ** 1.3
    shade = _clouds(width, height, 5)
    cloud = np.array([255, 255, 255], np.float32) - shade[..., None] * np.array([34, 28, 20])
    return _mixed(sky, cloud, 0.92 * white)


def _sunset(width: int, height: int, shades: tuple[Colour, ...]) -> np.ndarray:
    sky = _vertical(
        width,
        height,
        [(0, (48, 48, 104)), (0.35, (150, 76, 128)), (0.6, (240, 120, 90)), (0.78, (255, 186, 96)),
         (1, (255, 214, 140))],
    )  # fmt: skip
    across, down = _places(width, height)
    far = np.hypot(across - 0.68 * width / height, down - 0.8)
    streaks = np.clip((_clouds(width, height, 11, stretch=6.0) - 0.55) / 0.35, 0, 1)
    fade = np.clip(1.15 - down, 0, 1)
    sky = _mixed(sky, (110, 54, 96), 0.55 * streaks * fade)
    sky = _mixed(sky, (255, 232, 170), 0.8 * np.exp(-((far / 0.22) ** 2)))
    return _mixed(sky, (255, 250, 226), np.clip((0.065 - far) / 0.006, 0, 1))


def _night(width: int, height: int, shades: tuple[Colour, ...]) -> np.ndarray:
    import cv2

    sky = _vertical(width, height, [(0, (6, 8, 26)), (0.7, (18, 26, 64)), (1, (44, 50, 98))])
    across, down = _places(width, height)
    band = np.exp(-(((down - 0.35 - 0.3 * (across - width / height / 2)) / 0.16) ** 2))
    dust = band * (0.3 + 0.7 * _clouds(width, height, 3, stretch=1.0))
    sky = _mixed(sky, (120, 110, 170), 0.42 * dust)
    random = np.random.default_rng(21)
    unit = height / 500
    count = round(420 * max(width / height, 0.5))
    stars = np.zeros((height, width), np.float32)
    for place in random.random((count, 3)):
        strength = float(place[2]) ** 4
        radius = (0.35 + 1.3 * strength) * max(unit, 0.6)
        middle = (float(place[0]) * width, float(place[1]) * height)
        shift = 4
        cv2.circle(
            stars,
            (round(middle[0] * 2**shift), round(middle[1] * 2**shift)),
            max(1, round(radius * 2**shift)),
            0.45 + 0.55 * strength,
            -1,
            cv2.LINE_AA,
            shift,
        )
    glow = cv2.GaussianBlur(stars, (0, 0), 2.2 * max(unit, 0.5))
    lit = np.clip(cv2.GaussianBlur(stars, (0, 0), 0.6) + 0.8 * glow, 0, 1)
    return _mixed(sky, (250, 248, 255), lit)


def _beach(width: int, height: int, shades: tuple[Colour, ...]) -> np.ndarray:
    across, down = _places(width, height)
    horizon, shore = 0.48, 0.7 + 0.012 * np.sin(across * 7) + 0.006 * np.sin(across * 19 + 1)
    sky = _blue_sky(width, height, ())
    ripples = _clouds(width, height, 8, stretch=10.0)
    depth = np.clip((down - horizon) / 0.22, 0, 1)
    sea = _vertical(width, height, [(0, (20, 96, 158)), (horizon, (24, 104, 164)),
                                    (0.7, (92, 196, 200)), (1, (120, 210, 205))])  # fmt: skip
    sea = sea + ((ripples - 0.5) * (14 + 22 * depth))[..., None]
    grains = np.random.default_rng(5).normal(0, 5, (height, width))
    dunes = _clouds(width, height, 9, stretch=3.0)
    sand = _vertical(width, height, [(0, (214, 188, 142)), (0.7, (206, 178, 132)),
                                     (0.78, (232, 208, 160)), (1, (240, 218, 172))])  # fmt: skip
    sand = sand + (grains + (dunes - 0.5) * 22)[..., None]
    scene = np.where((down < horizon)[..., None], sky, sea)
    scene = _mixed(scene, sand, np.clip((down - shore) / 0.006, 0, 1))
    foam = np.exp(-(((down - shore) / 0.008) ** 2)) + 0.5 * np.exp(
        -(((down - shore + 0.05 + 0.01 * np.sin(across * 11)) / 0.004) ** 2)
    )
    return _mixed(scene, (250, 252, 250), np.clip(foam, 0, 1) * (0.6 + 0.4 * ripples))


def _meadow(width: int, height: int, shades: tuple[Colour, ...]) -> np.ndarray:
    across, down = _places(width, height)
    sky = _blue_sky(width, height, ())
    hill = 0.52 + 0.04 * np.sin(across * 2.2 + 0.4)
    far_hill = 0.47 + 0.035 * np.sin(across * 3.1 + 2)
    scene = _mixed(sky, (128, 164, 120), np.clip((down - far_hill) / 0.004, 0, 1))
    grass = _vertical(width, height, [(0, (120, 168, 78)), (0.5, (124, 172, 78)),
                                      (1, (62, 116, 40))])  # fmt: skip
    depth = np.clip((down - 0.5) / 0.5, 0, 1)
    patches = _clouds(width, height, 13, stretch=4.0)
    blades = _blades(width, height)
    grass = grass + ((patches - 0.5) * 34 + blades * (4 + 22 * depth))[..., None]
    return _mixed(scene, grass, np.clip((down - hill) / 0.004, 0, 1))


def _blades(width: int, height: int) -> np.ndarray:
    """Upright streaks for grass, about -1..1."""
    import cv2

    noise = np.random.default_rng(17).normal(0, 1, (height, width)).astype(np.float32)
    long = max(3, round(height * 0.018)) | 1
    streaks = cv2.blur(noise, (max(1, round(height / 500)), long))
    return streaks / max(float(streaks.std()), 1e-6) * 0.7


def _ridge(across: np.ndarray, seed: int, rough: float) -> np.ndarray:
    """A jagged line for a mountain range, about -1..1."""
    random = np.random.default_rng(seed)
    total = np.zeros_like(across)
    for step in range(1, 7):
        shift, speed = random.random() * 9, 1.7**step * (0.8 + 0.4 * random.random())
        wave = 2 * np.abs((across * speed * rough + shift) % 1 - 0.5) * 2 - 1
        total += wave / 1.8**step
    return total


def _mountains(width: int, height: int, shades: tuple[Colour, ...]) -> np.ndarray:
    across, down = _places(width, height)
    scene = _vertical(width, height, [(0, (92, 148, 214)), (0.6, (214, 228, 240)),
                                      (1, (226, 232, 236))])  # fmt: skip
    layers = (
        (0.42, 0.16, 31, (150, 172, 198), True),
        (0.56, 0.12, 32, (104, 130, 156), True),
        (0.72, 0.08, 33, (62, 92, 96), False),
        (0.86, 0.05, 34, (38, 66, 54), False),
    )
    for base, tall, seed, shade, snowy in layers:
        line = base - tall * _ridge(across, seed, 0.8)
        inside = np.clip((down - line) / 0.004, 0, 1)
        body = np.broadcast_to(np.array(shade, np.float32), (height, width, 3))
        haze = np.clip((down - line) / 0.3, 0, 1)
        body = _mixed(body, (206, 218, 230), 0.45 * haze)
        if snowy:
            cap = np.clip((base - 0.35 * tall - down + 0.03 * _ridge(across, seed + 9, 3.0)) / 0.02,
                          0, 1)  # fmt: skip
            body = _mixed(body, (246, 249, 253), 0.92 * cap)
        scene = _mixed(scene, body, inside)
    return scene


def _snow(width: int, height: int, shades: tuple[Colour, ...]) -> np.ndarray:
    import cv2

    across, down = _places(width, height)
    scene = _vertical(width, height, [(0, (150, 178, 206)), (0.55, (222, 230, 238)),
                                      (1, (236, 240, 246))])  # fmt: skip
    for base, shade, seed in ((0.6, (214, 224, 236), 41), (0.72, (236, 242, 249), 42)):
        line = base + 0.04 * np.sin(across * (seed - 38) + seed)
        scene = _mixed(scene, shade, np.clip((down - line) / 0.006, 0, 1))
    scene = scene + ((_clouds(width, height, 45) - 0.5) * 8)[..., None]
    random = np.random.default_rng(44)
    flakes = np.zeros((height, width), np.float32)
    for x, y, size in random.random((round(160 * max(width / height, 0.5)), 3)):
        radius = max(1, round((1.2 + 3.6 * size**3) * height / 500))
        cv2.circle(flakes, (int(x * width), int(y * height)), radius, 0.9, -1, cv2.LINE_AA)
    return _mixed(scene, (255, 255, 255), cv2.GaussianBlur(flakes, (0, 0), max(height / 500, 0.6)))


def _lights(width: int, height: int, shades: tuple[Colour, ...]) -> np.ndarray:
    """Points of light far out of focus."""
    across, down = _places(width, height)
    scene = _vertical(width, height, [(0, (18, 16, 34)), (1, (52, 32, 40))])
    random = np.random.default_rng(9)
    lamps = shades or ((255, 196, 96), (255, 150, 80), (255, 226, 160), (120, 170, 255),
                       (230, 110, 130))  # fmt: skip
    for index in range(round(34 * max(width / height, 0.5))):
        x, y, size, strength = random.random(4)
        radius = 0.025 + 0.055 * size
        far = np.hypot(across - x * width / height, down - (0.1 + 0.85 * y))
        disc = np.clip((radius - far) / 0.006, 0, 1) * (0.75 + 0.25 * np.clip(far / radius, 0, 1))
        lamp = np.array(lamps[index % len(lamps)], np.float32)
        scene = scene + disc[..., None] * lamp * (0.18 + 0.4 * strength)
    return np.minimum(scene, 255)


def _brick_wall(width: int, height: int, shades: tuple[Colour, ...]) -> np.ndarray:
    across, down = _places(width, height)
    tall, wide, joint = 1 / 14, 1 / 5.2, 0.007
    row = np.floor(down / tall)
    shifted = across + (row % 2) * wide / 2
    column = np.floor(shifted / wide)
    tone = np.sin(row * 12.9898 + column * 78.233) * 43758.5453
    tone = tone - np.floor(tone) - 0.5
    base = np.array(shades[0] if shades else (158, 84, 66), np.float32)
    rough = (_clouds(width, height, 51, 1.0) - 0.5) * 30
    rough = rough + np.random.default_rng(52).normal(0, 5, (height, width))
    wall = base * (1 + 0.3 * tone[..., None]) + rough[..., None]
    inner = np.minimum(down % tall, shifted % wide)
    mortar = np.clip((joint - inner) / 0.002, 0, 1)
    mortar_shade = np.array([196, 188, 178], np.float32) + 0.6 * rough[..., None]
    return wall * (1 - mortar[..., None]) + mortar_shade * mortar[..., None]


def _pair(shades: tuple[Colour, ...]) -> tuple[Colour, Colour]:
    if not shades:
        return (246, 240, 228), (226, 138, 120)
    if len(shades) > 1:
        return shades[0], shades[1]
    light = np.dot(shades[0], (0.299, 0.587, 0.114)) > 200
    return ((196, 200, 208) if light else (250, 250, 250)), shades[0]


def _stripes(width: int, height: int, shades: tuple[Colour, ...]) -> np.ndarray:
    under, over = _pair(shades)
    across, down = _places(width, height)
    wave = np.abs(((across + down) / 0.16) % 1 - 0.5) - 0.25
    return _mixed(_plain(width, height, (under,)), over, np.clip(wave * 0.16 * height + 0.5, 0, 1))


def _dots(width: int, height: int, shades: tuple[Colour, ...]) -> np.ndarray:
    under, over = _pair(shades)
    across, down = _places(width, height)
    cell = 0.12
    row = np.floor(down / cell)
    x = (across + (row % 2) * cell / 2) % cell - cell / 2
    y = down % cell - cell / 2
    share = np.clip((0.03 - np.hypot(x, y)) * height + 0.5, 0, 1)
    return _mixed(_plain(width, height, (under,)), over, share)


def _checks(width: int, height: int, shades: tuple[Colour, ...]) -> np.ndarray:
    under, over = _pair(shades)
    across, down = _places(width, height)
    odd = (np.floor(across / 0.1) + np.floor(down / 0.1)) % 2
    return _mixed(_plain(width, height, (under,)), over, odd)


_DRAWN: dict[str, Callable[[int, int, tuple[Colour, ...]], np.ndarray]] = {
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
