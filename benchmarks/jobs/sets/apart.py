"""A set apart: sixty jobs over everything that ordinary people bring."""

from __future__ import annotations

import csv
import datetime
import io
import re
import shutil
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from benchmarks.jobs.job import Job, Results
from benchmarks.jobs.media import MEDIA
from PIL import Image, ImageDraw, ImageFilter, ImageFont, ImageOps

JOBS: list[Job] = []


def add(name, words, make, right, reference, wrong) -> None:
    JOBS.append(Job(name, words, make, right, reference, wrong))


# ---- what is shared: words and numbers

SMALL = ("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
         "seventeen eighteen nineteen twenty").split() + ["twenty-one", "twenty-two", "twenty-three", "twenty-four", "twenty-five"]


def numbers(text: str) -> set[float]:
    """All numbers in a text, read the English and the German way, and small ones as words."""
    found = {float(SMALL.index(w)) for w in re.findall(r"[a-z]+(?:-[a-z]+)?", text.lower()) if w in SMALL}
    for raw in re.findall(r"\d+(?:[.,'\u00a0\u202f ]\d+)*", text):
        for part in {raw, *raw.split(" ")}:
            bare = re.sub(r"['\u00a0\u202f ]", "", part)
            for way in (bare.replace(",", ""), bare.replace(".", "").replace(",", "."), bare.replace(",", ".")):
                if re.fullmatch(r"\d+(\.\d+)?", way):
                    found.add(float(way))
    return found


def tells(text: str, value: float, off: float = 0.001, what: str = "") -> None:
    assert any(abs(n - value) <= off for n in numbers(text)), f"{what or 'the number'} {value} is not told: {text[:200]!r}"


def plain(text: str) -> str:
    """Lower case, only letters and digits, single spaces."""
    return " ".join(re.sub(r"[^\w]+", " ", text.lower()).split())


def has(text: str, *wanted: str) -> None:
    for one in wanted:
        assert any(plain(o) in plain(text) for o in one.split("|")), f"{one!r} is not told: {text[:300]!r}"


def anyof(paths, check: Callable, what: str = "result", most: int = 4) -> None:
    """One of a few files passes the check."""
    assert paths, f"no {what} came"
    assert len(paths) <= most, f"too many files came: {len(paths)}"
    said = []
    for path in paths:
        try:
            check(path)
            return
        except AssertionError as error:
            said.append(str(error))
    raise AssertionError("; ".join(said))


def copy(folder: Path, *pairs: tuple[str, str]) -> list[Path]:
    return [Path(shutil.copy(MEDIA / source, folder / name)) for source, name in pairs]


# ---- pictures

def font(size: int, bold: bool = False):
    return ImageFont.truetype(f"/usr/share/fonts/truetype/dejavu/DejaVuSans{'-Bold' if bold else ''}.ttf", size)


def opened(path) -> Image.Image:
    """As a viewer shows it: turned by its EXIF, transparent on white."""
    image = ImageOps.exif_transpose(Image.open(path))
    if image.mode in ("P", "LA", "PA", "RGBA"):
        image = image.convert("RGBA")
        ground = Image.new("RGBA", image.size, "white")
        ground.alpha_composite(image)
        image = ground
    return image.convert("RGB")


def array(path) -> np.ndarray:
    image = path if isinstance(path, Image.Image) else opened(path)
    return np.asarray(image.convert("RGB"), float)


def mean(a: np.ndarray, x0=0.0, y0=0.0, x1=1.0, y1=1.0) -> np.ndarray:
    """The mean colour of a part, given in fractions of the size."""
    h, w = a.shape[:2]
    return a[int(y0 * h):max(int(y1 * h), int(y0 * h) + 1), int(x0 * w):max(int(x1 * w), int(x0 * w) + 1)].reshape(-1, 3).mean(0)


def near(colour, wanted, off=30, where="there") -> None:
    assert np.abs(np.asarray(colour, float) - np.asarray(wanted, float)).max() <= off, f"the colour {where} is {np.round(colour)}, not {wanted}"


def sized(image, w, h, off=1) -> None:
    size = image.size if isinstance(image, Image.Image) else (image.shape[1], image.shape[0])
    assert (w is None or abs(size[0] - w) <= off) and (h is None or abs(size[1] - h) <= off), f"the size is {size}, not {(w, h)}"


def alike(a, b, off=8.0, what="the picture") -> None:
    """Two pictures show the same (compared at a small size)."""
    x, y = (np.asarray(Image.fromarray(array(p).astype(np.uint8)).resize((96, 96), Image.Resampling.BOX), float) for p in (a, b))
    assert np.abs(x - y).mean() <= off, f"{what} does not show the same: off by {np.abs(x - y).mean():.1f}"


def saved(folder: Path, name: str, image: Image.Image, **more) -> Path:
    image.save(folder / name, **more)
    return folder / name


RED, GREEN, BLUE, YELLOW, WHITE, BLACK, GREY = (200, 30, 30), (30, 160, 60), (30, 60, 200), (240, 210, 40), (255, 255, 255), (0, 0, 0), (128, 128, 128)


def stripes(w, h, colours, down=False) -> Image.Image:
    image = Image.new("RGB", (w, h))
    draw = ImageDraw.Draw(image)
    for k, c in enumerate(colours):
        n = len(colours)
        draw.rectangle((0, k * h // n, w, (k + 1) * h // n - 1) if down else (k * w // n, 0, (k + 1) * w // n - 1, h), fill=c)
    return image


# 1
def _right(r, f):
    assert len(r.pictures) == 3, f"{len(r.pictures)} pictures, not 3"
    for p, c in zip(r.pictures, (RED, YELLOW, BLUE)):
        sized(opened(p), 530, 200, 1)
        near(mean(array(p), .3, .3, .7, .7), c, 25)
        near(mean(array(p), 0, .5, .03, .8), np.array(c), 40, "at the edge")


def _three(folder, f, parts):
    im = opened(f[0])
    return Results(tuple(saved(folder, f"part{k}.png", im.crop(p)) for k, p in enumerate(parts)))


add("panorama-in-three", "This panorama from our holiday is way too wide to print. Please cut it into 3 equal pieces side by side, from left to right.",
    lambda d: [saved(d, "Panorama Königssee – Urlaub.png", stripes(1590, 200, (RED, YELLOW, BLUE)))], _right,
    lambda d, f: _three(d, f, [(0, 0, 530, 200), (530, 0, 1060, 200), (1060, 0, 1590, 200)]),
    lambda d, f: _three(d, f, [(0, 0, 1590, 66), (0, 66, 1590, 133), (0, 133, 1590, 200)]))


# 2
def _make(d):
    upright = stripes(600, 900, (BLUE, WHITE, GREEN), down=True)
    exif = Image.Exif()
    exif[0x0112] = 6
    return [saved(d, "IMG_2231.jpg", upright.transpose(Image.Transpose.ROTATE_90), exif=exif, quality=92)]


def _right(r, f):
    def check(p):
        im = Image.open(p)
        assert im.getexif().get(0x0112, 1) == 1, "it still hangs on the orientation tag"
        sized(im, 400, 600, 2)
        a = array(im)
        near(mean(a, .2, .05, .8, .25), BLUE, 30, "at the top")
        near(mean(a, .2, .75, .8, .95), GREEN, 30, "at the bottom")
    anyof(r.pictures, check)


add("upright-everywhere", "in some programs this photo lies on its side!! pls save it so that it is upright everywhere, and make it 400 px wide",
    _make, _right, lambda d, f: Results((saved(d, "out.jpg", opened(f[0]).resize((400, 600))),)),
    lambda d, f: Results((saved(d, "wrong.jpg", Image.open(f[0]).resize((400, 267))),)))


# 3
def _right(r, f):
    jpgs = r.of(".jpg", ".jpeg")

    def check(p):
        assert Image.open(p).format == "JPEG", "not a JPEG"
        sized(opened(p), 256, 256)
        near(mean(array(p), 0, 0, .04, .04), WHITE, 8, "in the corner")
        alike(p, f[0], 6)
    anyof(jpgs, check, "JPEG")


add("logo-to-white-jpg", "My printer's website only takes jpg, but when I convert this logo the background gets black. I want it white.",
    lambda d: copy(d, ("hf-logo_transpng.png", "logo.png")), _right,
    lambda d, f: Results((saved(d, "out.jpg", opened(f[0])),)),
    lambda d, f: Results((saved(d, "wrong.jpg", Image.composite(Image.open(f[0]).convert("RGB"), Image.new("RGB", (256, 256)), Image.open(f[0]).getchannel("A"))),)))


# 4
def _make(d):
    im = Image.new("RGB", (1500, 1200), (90, 130, 170))
    ImageDraw.Draw(im).ellipse((600, 450, 900, 750), fill=YELLOW)
    return [saved(d, "sun.jpg", im, quality=92)]


def _right(r, f):
    def check(p):
        a = array(p)
        sized(a, 1181, 1772, 3)
        ys, xs = np.nonzero(np.abs(a - YELLOW).max(2) < 70)
        assert len(xs) > 1000, "the yellow ball is gone"
        w, h = np.ptp(xs) + 1, np.ptp(ys) + 1
        assert abs(w / h - 1) < .03, f"it is squashed: the ball is {w} x {h}"
        for y in (.02, .98):
            near(mean(a, .4, y - .01, .6, y + .01), (90, 130, 170), 25, "at the edge (bars?)")
    anyof(r.pictures, check)


add("print-ten-by-fifteen", "I want to order a print 10x15 cm upright (portrait). Please make the picture fit for that at 300 dpi, don't squeeze it, it's ok if something at the sides is cut off. No borders",
    _make, _right, lambda d, f: Results((saved(d, "out.jpg", ImageOps.fit(opened(f[0]), (1181, 1772))),)),
    lambda d, f: Results((saved(d, "wrong.jpg", opened(f[0]).resize((1181, 1772))),)))


# 5
def _right(r, f):
    def check(p):
        sized(opened(p), 500, 333, 1)
        alike(p, f[0], 6)
    anyof(r.pictures, check)


add("smaller-no-bigger", ("Can you make this coffee picture 300 pixels wide please", "hm thats too small. 500 wide"),
    lambda d: copy(d, ("coffee.jpg", "Kaffee.jpg")), _right,
    lambda d, f: Results((saved(d, "out.jpg", opened(f[0]).resize((500, 333))),)),
    lambda d, f: Results((saved(d, "wrong.jpg", opened(f[0]).resize((300, 200))),)))


# 6
def _right(r, f):
    def check(p):
        a = array(p)
        sized(a, 500, 741, 1)
        assert np.ptp(a, axis=2).mean() > 10, "it is still grey"
        alike(p, opened(f[0]).transpose(Image.Transpose.ROTATE_270), 6)
    anyof(r.pictures, check)


add("turn-grey-undo", ("turn it a quarter to the right", "and now black and white", "no, undo the black and white, I liked the colours better"),
    lambda d: copy(d, ("stereo_motorcycle.jpg", "bike.jpg")), _right,
    lambda d, f: Results((saved(d, "out.png", opened(f[0]).transpose(Image.Transpose.ROTATE_270)),)),
    lambda d, f: Results((saved(d, "wrong.jpg", opened(f[0])),)))

# 7
add("how-many-coins", "how many coins are lying there?", lambda d: copy(d, ("coins.jpg", "coins.jpg")),
    lambda r, f: tells(r.answer, 24, what="the count"), lambda d, f: Results((), "There are **24** coins in the picture."),
    lambda d, f: Results((), "I see 21 coins."))


# 8
def _make(d):
    return copy(d, ("coffee.jpg", "DSC_0411.jpg"), ("stereo_motorcycle.jpg", "DSC_0412.jpg"), ("cat.jpg", "DSC_0413.jpg"), ("tower.jpg", "DSC_0414.jpg"))


def _right(r, f):
    has(r.answer, "DSC_0413")
    for line in re.split(r"[\n;.](?!jpg)", r.answer):
        for other in ("DSC_0411", "DSC_0412", "DSC_0414"):
            assert other not in line or re.search(r"\b(no|not|none|0|without|n't|nothing|coffee|cup|motor\w*|tower)\b", line.lower()), f"{other} is named as well"


add("which-has-the-cat", "On which of these photos is our cat? Just tell me the file name.", _make, _right,
    lambda d, f: Results((), "Your cat is on DSC_0413.jpg."), lambda d, f: Results((), "Your cat is on DSC_0412.jpg and DSC_0413.jpg."))


# 9
def _make(d):
    im = opened(MEDIA / "grass.jpg").resize((800, 800)).crop((0, 0, 800, 600))
    draw = ImageDraw.Draw(im)
    draw.rectangle((500, 500, 799, 599), fill=WHITE)
    draw.text((515, 530), "0171 5550 932", fill=BLACK, font=font(34, True))
    return [saved(d, "for sale.png", im)]


def _edges(a):
    g = a.mean(2)
    return np.abs(np.diff(g, axis=1)).mean()


def _right(r, f):
    def check(p):
        a, b = array(p), array(f[0])
        sized(a, 800, 600)
        assert _edges(a[520:585, 510:780]) < .25 * _edges(b[520:585, 510:780]), "the phone number can still be read"
        assert np.abs(a[:350, :] - b[:350, :]).mean() < 8 and np.abs(a[:, :350] - b[:, :350]).mean() < 8, "the rest is changed"
    anyof(r.pictures, check)


def _blurred(d, f, box, r):
    im = opened(f[0])
    im.paste(im.crop(box).filter(ImageFilter.GaussianBlur(r)), box[:2])
    return Results((saved(d, "blurred.png", im),))


add("hide-phone-number", "there's a phone number in the white box in the bottom right corner. make it unreadable (blur or black bar, I dont care) but leave the rest of the photo alone",
    _make, _right, lambda d, f: _blurred(d, f, (500, 500, 800, 600), 20), lambda d, f: _blurred(d, f, (0, 0, 800, 600), 20))


# 10
def _make(d):
    return [saved(d, f"{n}.png", stripes(400, 300, (c, tuple(v // 2 for v in c)), down=True)) for n, c in
            (("anna", RED), ("ben", GREEN), ("clara", BLUE), ("david", YELLOW))]


def _right(r, f):
    def check(p):
        a = array(p)
        assert 1.1 < a.shape[1] / a.shape[0] < 1.55, f"the shape is {a.shape[1]} x {a.shape[0]}"
        for (x, y), c in zip(((0, 0), (.5, 0), (0, .5), (.5, .5)), (RED, GREEN, BLUE, YELLOW)):
            near(mean(a, x + .2, y + .1, x + .3, y + .18), c, 30, f"of the picture at {x, y}")
            near(mean(a, x + .2, y + .32, x + .3, y + .4), np.array(c) // 2, 30, f"of the lower half at {x, y}")
        h, w = a.shape[:2]
        assert a[h // 2 - 2:h // 2 + 2, w // 4].min() > 235 and a[h // 4, w // 2 - 2:w // 2 + 2].min() > 235, "no white line between"
    anyof(r.pictures, check)


def _grid(d, f, order, gap):
    im = Image.new("RGB", (800 + gap, 600 + gap), "white")
    for k, n in enumerate(order):
        im.paste(opened(f[n]), ((k % 2) * (400 + gap), (k // 2) * (300 + gap)))
    return Results((saved(d, "grid.jpg", im, quality=95),))


add("four-in-one", "Put these four into one picture please, two above and two below, in the order as they are, with a thin white line (10 pixels or so) between them",
    _make, _right, lambda d, f: _grid(d, f, (0, 1, 2, 3), 10), lambda d, f: _grid(d, f, (0, 2, 1, 3), 10))


# 11
def _make(d):
    im = array(MEDIA / "retina.jpg") + np.random.default_rng(1).normal(0, 12, (1411, 1411, 3))
    return [saved(d, "application photo.jpg", Image.fromarray(im.clip(0, 255).astype(np.uint8)), quality=95)]


def _right(r, f):
    def check(p):
        assert Image.open(p).format == "JPEG", "not a JPEG"
        assert p.stat().st_size <= 102400, f"it has {p.stat().st_size} bytes"
        w, h = opened(p).size
        assert w >= 800 and abs(w - h) <= 1, f"the size is {w} x {h}"
        alike(p, f[0], 10)
    anyof(r.of(".jpg", ".jpeg"), check, "JPEG")


add("under-hundred-kb", "The online form says: jpg, max. 100 KB, at least 800 pixels wide. Mine is much too big, please make it fit.",
    _make, _right, lambda d, f: Results((saved(d, "out.jpg", opened(f[0]).resize((800, 800)), quality=45),)),
    lambda d, f: Results((saved(d, "wrong.jpg", opened(f[0]).resize((400, 400)), quality=60),)))


# 12
def _make(d):
    im = Image.new("RGB", (640, 480), "#3a7ca5")
    ImageDraw.Draw(im).rectangle((560, 10, 630, 40), fill="white")
    return [saved(d, "wall.png", im)]


def _right(r, f):
    codes = [tuple(int(c[k:k + 2], 16) for k in (0, 2, 4)) for c in re.findall(r"#?\b([0-9a-fA-F]{6})\b", r.answer)]
    assert any(np.abs(np.subtract(c, (0x3a, 0x7c, 0xa5))).max() <= 4 for c in codes), f"not told: #3a7ca5 in {r.answer!r}"


add("paint-hex-code", "what's the hex code of the blue of this wall? (ignore the little white sign)", _make, _right,
    lambda d, f: Results((), "The wall is `#3A7CA5`."), lambda d, f: Results((), "The main colour is #FFFFFF."))


# 13
def _right(r, f):
    def check(p):
        im = Image.open(p)
        assert im.format == "ICO", "not an icon"
        assert {(16, 16), (32, 32)} <= set(im.info["sizes"]), f"sizes are {im.info['sizes']}"
        big = im.ico.getimage((32, 32)).convert("RGBA")
        assert np.asarray(big)[0, 0, 3] < 40, "the corner is not transparent any more"
        ground = Image.new("RGBA", (32, 32), "white")
        ground.alpha_composite(big)
        alike(ground, opened(f[0]), 25, "the icon")
    anyof(r.of(".ico"), check, "icon")


add("favicon", "Need a favicon.ico for our club's homepage from this logo, with 16x16 and 32x32 inside, background stays transparent",
    lambda d: copy(d, ("hf-logo_transpng.png", "club.png")), _right,
    lambda d, f: Results((saved(d, "favicon.ico", Image.open(f[0]), sizes=[(16, 16), (32, 32)]),)),
    lambda d, f: Results((saved(d, "wrong.ico", opened(f[0]), sizes=[(16, 16), (32, 32)]),)))


# 14
def _make(d):
    im = stripes(1400, 1400, ((120, 180, 240), (40, 90, 50)), down=True).rotate(-6, Image.Resampling.BICUBIC)
    return [saved(d, "sea.jpg", im.crop((300, 400, 1100, 1000)), quality=92)]


def _right(r, f):
    def check(p):
        a = array(p)
        h, w = a.shape[:2]
        assert w >= 500 and h >= 350, f"only {w} x {h} left"
        edge = [int(np.argmax(a[h // 8:, int(w * x), 2] < 145)) for x in (.2, .5, .8)]
        assert min(edge) > 0, "no horizon found"
        assert abs(edge[2] - edge[0]) <= w * .6 * .015, f"the horizon is not level: {edge}"
        near(mean(a, .45, .15, .55, .25), (120, 180, 240), 30, "of the sky")
        near(mean(a, .45, .75, .55, .85), (40, 90, 50), 30, "of the sea")
    anyof(r.pictures, check)


add("horizon-straight", "The horizon is crooked, it goes down to the right by about 6 degrees. Can you straighten it?",
    _make, _right, lambda d, f: Results((saved(d, "out.jpg", opened(f[0]).rotate(6, Image.Resampling.BICUBIC).crop((60, 60, 740, 540))),)),
    lambda d, f: Results((saved(d, "wrong.jpg", opened(f[0]).rotate(-6, Image.Resampling.BICUBIC)),)))


# 15
def _make(d):
    return [saved(d, f"{k}.jpg", Image.new("RGB", (320, 240), c), quality=95) for k, c in ((1, RED), (2, GREEN), (3, BLUE))]


def _right(r, f):
    def check(p):
        im = Image.open(p)
        assert getattr(im, "n_frames", 1) == 4, f"it has {getattr(im, 'n_frames', 1)} pictures, not 4"
        assert im.info.get("loop") == 0, "it does not go on for ever"
        for k, c in enumerate((RED, GREEN, BLUE, GREEN)):
            im.seek(k)
            sized(im, 320, 240)
            assert abs(im.info["duration"] - 500) <= 20, f"one stays {im.info['duration']} ms"
            near(mean(array(im.convert("RGB"))), c, 20, f"of picture {k + 1}")
    anyof(r.of(".gif"), check, "GIF")


def _gif(d, f, order, ms):
    ims = [opened(f[k]) for k in order]
    return Results((saved(d, "out.gif", ims[0], save_all=True, append_images=ims[1:], duration=ms, loop=0),))


add("there-and-back-gif", "please make an animated gif: picture 1, 2, 3 and then 2 again, each half a second, running for ever",
    _make, _right, lambda d, f: _gif(d, f, (0, 1, 2, 1), 500), lambda d, f: _gif(d, f, (0, 1, 2), 500))


# 16
def _make(d):
    exif = Image.Exif()
    exif[0x010F], exif[0x0110], exif[0x0132] = "Canon", "EOS 80D", "2023:08:14 17:20:11"
    gps = exif.get_ifd(0x8825)
    gps.update({1: "N", 2: (47.0, 35.0, 12.0), 3: "E", 4: (12.0, 59.0, 3.0)})
    return [saved(d, "garden.jpg", opened(MEDIA / "rocket.jpg"), exif=exif, quality=92)]


def _right(r, f):
    def check(p):
        exif = Image.open(p).getexif()
        assert not exif.get_ifd(0x8825) and not any(t in exif for t in (0x010F, 0x0110, 0x0132)), "hidden data is still in it"
        sized(opened(p), 640, 427, 0)
        assert np.abs(array(p) - array(f[0])).mean() < 4, "the picture is changed"
    anyof(r.pictures, check)
    has(r.answer, "Canon")
    has(r.answer, "14 August 2023|August 14 2023|2023 08 14|14 08 2023|14th August 2023|August 14th 2023|14 Aug 2023|Aug 14 2023|08 14 2023|14th of August 2023|8 14 2023|14 8 2023")


add("what-does-it-give-away", "Before I put this online: when and with which camera was it taken? Then give me a copy without location and all that hidden data, the picture itself should stay like it is",
    _make, _right, lambda d, f: Results((saved(d, "clean.jpg", opened(f[0]), quality=95),), "It was taken on 14 August 2023 at 17:20 with a Canon EOS 80D."),
    lambda d, f: Results((f[0],), "It was taken on 14 August 2023 at 17:20 with a Canon EOS 80D."))


# ---- sound

RATE = 44100
LAYOUTS = {1: "mono", 2: "stereo", 6: "5.1"}


def tone(hz, seconds, loud=.4, rate=RATE) -> np.ndarray:
    t = np.arange(int(round(seconds * rate))) / rate
    y = loud * np.sin(2 * np.pi * hz * t) if hz else np.zeros(len(t))
    n = min(len(y) // 2, int(.005 * rate))
    if n:
        y[:n] *= np.linspace(0, 1, n)
        y[-n:] *= np.linspace(1, 0, n)
    return y


def write(path: Path, y: np.ndarray, rate=RATE, codec=None) -> Path:
    """Samples (n) or (channels, n) to a sound file by its suffix."""
    y = np.atleast_2d(y)
    codec = codec or {".wav": "pcm_s16le", ".mp3": "libmp3lame", ".m4a": "aac", ".flac": "flac", ".opus": "libopus", ".ogg": "libopus"}[path.suffix]
    with av.open(str(path), "w") as out:
        _sound_in(out, y, rate, codec)
    return path


def _sound_in(out, y, rate, codec, stream=None):
    layout = LAYOUTS[y.shape[0]]
    stream = stream or out.add_stream(codec, rate=rate, layout=layout)
    frame = av.AudioFrame.from_ndarray(np.ascontiguousarray((y.clip(-1, 1) * 32767).astype(np.int16).T.reshape(1, -1)), format="s16", layout=layout)
    frame.sample_rate = rate
    frame.pts = 0
    change = av.AudioResampler(format=stream.codec_context.format, layout=layout, rate=rate, frame_size=stream.codec_context.frame_size or None)
    for part in (frame, None):
        for piece in change.resample(part):
            for packet in stream.encode(piece):
                out.mux(packet)
    for packet in stream.encode(None):
        out.mux(packet)


def heard(path) -> tuple[np.ndarray, int]:
    """A sound file's (or film's) samples (channels, n) and rate."""
    with av.open(str(path)) as c:
        assert c.streams.audio, f"{path.name} has no sound"
        s = c.streams.audio[0]
        rate, parts = s.codec_context.sample_rate, []
        change = av.AudioResampler(format="fltp", layout=s.codec_context.layout.name, rate=rate)
        for frame in c.decode(s):
            parts += [x.to_ndarray() for x in change.resample(frame)]
        parts += [x.to_ndarray() for x in change.resample(None)]
    assert parts, f"{path.name} is empty"
    return np.concatenate(parts, axis=1), rate


def kept(path, lo, hi):
    """Mono samples, after checking the length."""
    y, rate = heard(path)
    n = y.shape[1] / rate
    assert lo <= n <= hi, f"it lasts {n:.2f} s, not {lo} to {hi}"
    return y.mean(0), rate


def part(y, rate, a, b):
    return y[int(a * rate):int(b * rate)]


def loud(y) -> float:
    return 20 * np.log10(np.sqrt(np.mean(np.square(y))) + 1e-9) if len(y) else -180.0


def pitch(y, rate) -> float:
    assert len(y) > rate * .05 and loud(y) > -60, "there is silence where a tone should be"
    s = np.abs(np.fft.rfft(y * np.hanning(len(y)), 2 ** 18))
    return float(np.argmax(s[10:]) + 10) * rate / 2 ** 18


def level(y, rate, hz) -> float:
    """How loud one frequency is, in dB."""
    t = np.arange(len(y)) / rate
    w = np.hanning(len(y))
    return 20 * np.log10(2 * abs(np.sum(y * w * np.exp(-2j * np.pi * hz * t))) / w.sum() + 1e-9)


def tuned(y, rate, hz, off=.02, where="") -> None:
    got = pitch(y, rate)
    assert abs(got / hz - 1) <= off, f"the tone {where} has {got:.0f} Hz, not {hz}"


def words_right(text, sentence, share=.75):
    got = set(plain(text).split())
    want = plain(sentence).split()
    missing = [w for w in want if w not in got]
    assert len(missing) <= (1 - share) * len(want), f"these words are missing: {missing}"


# 17
HALF = [300, 400, 500, 600, 700, 800, 900, 1000]


def _right(r, f):
    def check(p):
        y, q = kept(p, 5.8, 6.2)
        for k, hz in enumerate((300, 400, 500, 800, 900, 1000)):
            tuned(part(y, q, k + .3, k + .75), q, hz, where=f"in second {k}")
    anyof(r.sounds, check, "sound")


add("cough-out", "Somebody coughs from second 3 to second 5. Cut that bit out and join the rest together, please.",
    lambda d: [write(d / "speech at dinner.wav", np.concatenate([tone(h, 1) for h in HALF]))], _right,
    lambda d, f: Results((write(d / "out.mp3", np.concatenate([tone(h, 1) for h in HALF[:3] + HALF[5:]])),)),
    lambda d, f: Results((write(d / "wrong.wav", np.concatenate([tone(h, 1) for h in HALF[3:5]])),)))


# 18
def _make(d):
    y = np.stack([tone(300, 5, .2), tone(400, 5, .2), tone(1000, 5, .4), tone(60, 5, .2), tone(500, 5, .1), tone(600, 5, .1)])
    return [write(d / "concert 5.1.flac", y)]


def _right(r, f):
    def check(p):
        with av.open(str(p)) as c:
            assert c.streams.audio[0].codec_context.name.startswith("mp3"), "not an mp3"
        y, q = heard(p)
        assert y.shape[0] == 2, f"{y.shape[0]} channels"
        assert 4.9 < y.shape[1] / q < 5.2, "wrong length"
        for k, hz in ((0, 300), (1, 400), (0, 1000), (1, 1000)):
            assert level(y[k], q, hz) > -35, f"{hz} Hz cannot be heard on side {k}"
    anyof(r.of(".mp3"), check, "mp3")


add("car-radio-stereo", "my old car radio plays only normal stereo mp3, this thing has 6 channels. Can you convert it so I hear everything, also the voice from the middle?",
    _make, _right, lambda d, f: (lambda y: Results((write(d / "out.mp3", np.stack([y[0] + .7 * y[2] + .5 * y[4], y[1] + .7 * y[2] + .5 * y[5]]) * .6),)))(heard(f[0])[0]),
    lambda d, f: Results((write(d / "wrong.mp3", heard(f[0])[0][:2]),)))


# 19
def _right(r, f):
    def check(p):
        y, q = kept(p, 6.9, 7.2)
        tuned(part(y, q, .3, 1.7), q, 440, where="at first")
        assert loud(part(y, q, 2.15, 2.85)) < -50, "no silence between"
        tuned(part(y, q, 3.3, 6.7), q, 660, where="then")
    anyof(r.sounds, check, "sound")


add("memos-with-pause", "join my two recordings, first monday then tuesday, with 1 second of silence in between",
    lambda d: [write(d / "tuesday.mp3", tone(660, 4)), write(d / "monday.wav", tone(440, 2, rate=22050), 22050)], _right,
    lambda d, f: Results((write(d / "out.wav", np.concatenate([tone(440, 2), tone(0, 1), tone(660, 4)])),)),
    lambda d, f: Results((write(d / "wrong.wav", np.concatenate([tone(660, 4), tone(0, 1), tone(440, 2)])),)))


# 20
def _speech(name):
    return heard(MEDIA / f"spoken-{name}.wav")


def _make(d):
    y, q = _speech("doctor")
    return [write(d / "Mutter am Telefon.wav", y / np.abs(y).max() * .04, q)]


def _right(r, f):
    def check(p):
        y, q = kept(p, 3.2, 3.5)
        assert np.abs(y).max() > .7, f"the loudest is {np.abs(y).max():.2f}, still too quiet"
        assert np.mean(np.abs(y) > .99) < .002, "it is distorted"
        z = heard(f[0])[0].mean(0)
        assert loud(y) - loud(z) > 15, "hardly louder"
    anyof(r.sounds, check, "sound")


add("mother-too-quiet", "I can hardly hear my mother on this recording. Please make it as loud as possible, but it must not distort",
    _make, _right, lambda d, f: (lambda y, q: Results((write(d / "out.wav", y / np.abs(y).max() * .95, q),)))(*heard(f[0])),
    lambda d, f: (lambda y, q: Results((write(d / "wrong.wav", y * 150, q),)))(*heard(f[0])))


# 21
def _right(r, f):
    has(r.words, "Glasgow")
    has(r.words, "half past nine|half past 9|9 30|9:30|9.30")
    has(r.words, "platform four|platform 4|platform number four|platform no 4|platform number 4")


add("train-message", "What does the man say? I am hard of hearing, please write it down for me",
    lambda d: copy(d, ("spoken-train.wav", "voice message 7.wav")), _right,
    lambda d, f: Results((), "“The train to Glasgow leaves at half past nine from platform four.”"),
    lambda d, f: Results((), "“The train to Glasgow leaves from platform one.”"))


# 22
def _right(r, f):
    def check(p):
        y, q = kept(p, 3.0, 3.9)
        tuned(part(y, q, .5, 1.0), q, 520)
        e = np.array([loud(part(y, q, t, t + .1)) for t in np.arange(0, len(y) / q - .1, .05)])
        assert (e < -50).sum() >= 12, "the pause in the middle is gone"
        assert (e[:10] > -40).any() and (e[-10:] > -40).any(), "there is still silence at an end"
    anyof(r.sounds, check, "sound")


_middle = np.concatenate([tone(520, 1.2), tone(0, 1), tone(520, 1)])
add("silence-at-the-ends", "Take off the silence at the beginning and the end. But not the break in the middle, that one belongs there!",
    lambda d: [write(d / "take 3.wav", np.concatenate([tone(0, 2.5), _middle, tone(0, 3)]))], _right,
    lambda d, f: Results((write(d / "out.wav", np.concatenate([tone(0, .1), _middle, tone(0, .1)])),)),
    lambda d, f: Results((write(d / "wrong.wav", np.concatenate([tone(520, 1.2), tone(520, 1)])),)))


# 23
def _make(d):
    y = np.zeros(int(15 * RATE))
    for k in range(26):
        n = int((.2 + k * 60 / 108) * RATE)
        c = tone(1500 if k % 4 == 0 else 1100, .04, .6)
        y[n:n + len(c)] += c
    return [write(d / "click.mp3", y)]


add("tempo-of-clicks", "Our drummer sent this click track. Which tempo is it, in bpm?", _make,
    lambda r, f: tells(r.answer, 108, 1.5, "the tempo"), lambda d, f: Results((), "The tempo is about 108 bpm."),
    lambda d, f: Results((), "It runs at 72 beats per minute."))


# 24
def _right(r, f):
    def check(p):
        y, q = kept(p, 9.9, 10.2)
        m = loud(part(y, q, 4, 5))
        assert m > -16, "the middle is too quiet"
        assert loud(part(y, q, 0.02, .2)) < m - 10 and loud(part(y, q, .9, 1.1)) < m - 2.5, "no fade in over 2 s"
        assert loud(part(y, q, 2.3, 2.8)) > m - 2, "the fade in is too long"
        assert loud(part(y, q, 9.8, 9.95)) < m - 10 and loud(part(y, q, 8.3, 8.7)) < m - 2.5, "no fade out over 3 s"
        assert loud(part(y, q, 6, 6.7)) > m - 2, "the fade out is too long"
    anyof(r.sounds, check, "sound")


def _fades(a, b):
    t = np.arange(10 * RATE) / RATE
    return tone(330, 10) * (np.clip(t / a, 0, 1) if a else 1) * np.clip((10 - t) / b, 0, 1)


add("fades-in-two-turns", ("Let the music fade out over the last 3 seconds", "nice. and a fade in of 2 seconds at the start too"),
    lambda d: [write(d / "song.wav", tone(330, 10))], _right,
    lambda d, f: Results((write(d / "out.wav", _fades(2, 3)),)), lambda d, f: Results((write(d / "wrong.wav", _fades(0, 3)),)))


# 25
def _right(r, f):
    text = r.words
    assert any(388 <= n <= 396 for n in numbers(text)), f"392 Hz is not told: {text!r}"
    assert re.search(r"(?<![A-Za-z])[Gg](?:_?4|₄|['’′])?(?![\w#♯])", text), f"the note G is not told: {text!r}"


add("which-note", "I sang one note and held it. How many hertz is it and which note is that on the piano?",
    lambda d: [write(d / "aah.m4a", tone(391.995, 3) + tone(783.99, 3, .15) + tone(1175.98, 3, .05))], _right,
    lambda d, f: Results((), "It is at 392.0 Hz, that is the note G4."), lambda d, f: Results((), "It is at 784 Hz, the note G5."))


# 26
def _right(r, f):
    def check(p):
        y, q = kept(p, 7.8, 8.25)
        tuned(part(y, q, .5, 3.5), q, 440, .012, "at first")
        tuned(part(y, q, 4.5, 7.5), q, 554, .012, "later")
    anyof(r.sounds, check, "sound")


add("slower-same-pitch", "For practising: play it at 75 % of the speed, but the pitch has to stay the same!!",
    lambda d: [write(d / "etude.mp3", np.concatenate([tone(440, 3), tone(554, 3)]))], _right,
    lambda d, f: Results((write(d / "out.mp3", np.concatenate([tone(440, 4), tone(554, 4)])),)),
    lambda d, f: Results((write(d / "wrong.mp3", np.concatenate([tone(330, 4), tone(415.5, 4)])),)))


# 27
def _right(r, f):
    assert len(r.sounds) == 2, f"{len(r.sounds)} sounds, not 2"
    got = []
    for p in r.sounds:
        y, q = kept(p, 3.9, 4.2)
        got.append(round(pitch(part(y, q, 1, 3), q) / 10) * 10)
        for hz in (250, 700):
            if abs(hz - got[-1]) > 20:
                assert level(part(y, q, 1, 3), q, hz) < -45, "the other one can still be heard"
    assert sorted(got) == [250, 700], f"the tones are {got}"


add("voice-left-guitar-right", "On the left channel is my voice and on the right one the guitar. I need them as two separate wav files (mono)",
    lambda d: [write(d / "demo.wav", np.stack([tone(250, 4), tone(700, 4)]))], _right,
    lambda d, f: Results((write(d / "voice.wav", tone(250, 4)), write(d / "guitar.wav", tone(700, 4)))),
    lambda d, f: Results((write(d / "voice.wav", tone(250, 4) + tone(700, 4)), write(d / "guitar.wav", tone(250, 4) + tone(700, 4)))))


# 28
def _right(r, f):
    assert len(r.of(".mp3")) == 1, f"{len(r.of('.mp3'))} mp3 files, not 1"
    y, q = kept(r.of(".mp3")[0], 2.4, 2.75)
    z, p = heard(f[2])
    a, b = (np.array([loud(part(v, w, t, t + .1)) for t in np.arange(0, 2.4, .1)]) for v, w in ((y, q), (z.mean(0), p)))
    assert np.corrcoef(a.clip(-50), b.clip(-50))[0, 1] > .6, "it is another recording"


add("memo-about-umbrella", "One of these memos is about my lost umbrella. Find it and convert only that one to mp3",
    lambda d: copy(d, ("spoken-weather.wav", "Memo 01.wav"), ("spoken-garden.wav", "Memo 02.wav"), ("spoken-lost.wav", "Memo 03.wav"), ("spoken-meeting.wav", "Memo 04.wav")),
    _right, lambda d, f: Results((write(d / "out.mp3", *heard(f[2])),)), lambda d, f: Results((write(d / "wrong.mp3", *heard(f[1])),)))


# ---- films

def film(path: Path, paint: Callable, seconds: float, w=320, h=180, fps=15, sound=None, quality="23") -> Path:
    """`paint(t)` gives a picture (an array, an image or a colour)."""
    codec = "libvpx" if path.suffix == ".webm" else "libx264"
    with av.open(str(path), "w") as out:
        v = out.add_stream(codec, rate=fps)
        v.width, v.height, v.pix_fmt, v.options = w, h, "yuv420p", {"crf": quality, "preset": "ultrafast"} if codec == "libx264" else {"crf": "10"}
        s = None
        if sound is not None:
            s = out.add_stream("libopus" if path.suffix == ".webm" else "aac", rate=48000, layout=LAYOUTS[np.atleast_2d(sound).shape[0]])
        for k in range(round(seconds * fps)):
            p = paint((k + .001) / fps)
            a = np.broadcast_to(np.uint8(p), (h, w, 3)) if isinstance(p, tuple) else np.asarray(p)[..., :3].astype(np.uint8)
            frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(a), "rgb24")
            frame.pts = k
            frame.time_base = Fraction(1, fps)
            for packet in v.encode(frame):
                out.mux(packet)
        for packet in v.encode(None):
            out.mux(packet)
        if s is not None:
            _sound_in(out, np.atleast_2d(sound), 48000, None, s)
    return path


def tone48(hz, seconds, loud=.4):
    return tone(hz, seconds, loud, 48000)


class Seen:
    """A film's pictures with their times, how long it is, and whether there is sound."""

    def __init__(self, path):
        with av.open(str(path)) as c:
            assert c.streams.video, f"{path.name} has no picture"
            self.sound = bool(c.streams.audio)
            turn, self.at, self.frames = 0, [], []
            for frame in c.decode(c.streams.video[0]):
                turn = getattr(frame, "rotation", 0) or 0
                a = frame.to_ndarray(format="rgb24")
                self.frames.append(np.rot90(a, turn // 90) if turn else a)
                self.at.append(float(frame.time or 0))
        assert self.frames, "the film is empty"
        step = (self.at[-1] - self.at[0]) / max(len(self.at) - 1, 1)
        self.at = [t - self.at[0] for t in self.at]
        self.seconds = self.at[-1] + step
        self.h, self.w = self.frames[0].shape[:2]

    def near(self, t) -> np.ndarray:
        return self.frames[int(np.argmin(np.abs(np.array(self.at) - t)))].astype(float)

    def lasts(self, n, off=.2):
        assert abs(self.seconds - n) <= off, f"the film lasts {self.seconds:.2f} s, not {n}"

    def colour(self, t, c, *box, off=35):
        near(mean(self.near(t), *(box or (.2, .2, .8, .8))), c, off, f"at {t} s")


def silent(path):
    with av.open(str(path)) as c:
        if not c.streams.audio:
            return
    y, _ = heard(path)
    assert loud(y.ravel()) < -70, "there is still sound"


# 29
SHOW = "Welcome back to the show. Today we talk about bees and honey."


def _spoken48(name):
    y, q = _speech(name)
    n = int(y.shape[1] * 48000 / q)
    return np.interp(np.arange(n) * q / 48000, np.arange(y.shape[1]), y.mean(0))


def _right(r, f):
    def check(p):
        with av.open(str(p)) as c:
            assert c.streams.audio[0].codec_context.name.startswith("mp3"), "not an mp3"
        y, q = kept(p, 3.3, 4.2)
        assert loud(y) > -40, "silent"
    anyof(r.of(".mp3"), check, "mp3")
    words_right(r.words, SHOW, .8)


add("film-to-mp3-and-words", "Take the sound out of this video and save it as mp3. And type out what is said.",
    lambda d: [film(d / "Folge 12.mp4", lambda t: (60, 60, 90), 3.6, sound=_spoken48("podcast"))], _right,
    lambda d, f: Results((write(d / "out.mp3", *heard(f[0])),), SHOW), lambda d, f: Results((write(d / "wrong.mp3", *heard(f[0])),), "Done."))


# 30
def _second(t):
    return (RED, GREEN, BLUE, YELLOW, WHITE, GREY)[min(int(t), 5)]


def _gifof(d, name, colours, ms, w, h):
    ims = [Image.new("RGB", (w, h), c) for c in colours]
    for k, im in enumerate(ims):
        im.putpixel((k, 0), (k * 9, 0, 0))
    return saved(d, name, ims[0], save_all=True, append_images=ims[1:], duration=ms, loop=0)


def _right(r, f):
    def check(p):
        im = Image.open(p)
        sized(im, 240, 135, 1)
        times, seen = [], []
        for k in range(getattr(im, "n_frames", 1)):
            im.seek(k)
            times.append(im.info.get("duration", 0))
            seen.append(mean(array(im.convert("RGB")), .3, .3, .7, .7))
        assert len(seen) >= 2 and abs(sum(times) - 2000) <= 250, f"the GIF lasts {sum(times)} ms"
        near(seen[0], GREEN, 40, "at first")
        assert any(np.abs(s - BLUE).max() < 40 for s in seen[-2:]), "it does not end with second 3"
        assert not any(np.abs(s - RED).max() < 40 for s in seen), "the red part is in it"
    anyof(r.of(".gif"), check, "GIF")


add("clip-to-small-gif", "gif from second 1 to second 3 of this video, 240 pixels wide pls",
    lambda d: [film(d / "clip.mp4", _second, 5)], _right,
    lambda d, f: Results((_gifof(d, "out.gif", [GREEN] * 10 + [BLUE] * 10, 100, 240, 135),)),
    lambda d, f: Results((_gifof(d, "wrong.gif", [RED] * 10 + [GREEN] * 20, 100, 240, 135),)))


# 31
def _right(r, f):
    def check(p):
        s = Seen(p)
        s.lasts(4)
        s.colour(.5, BLUE)
        s.colour(3.5, GREY)
        silent(p)
    anyof(r.videos, check, "film")


add("shoes-and-swearing", "The first two seconds show only my shoes, take them off. Also remove the sound completely (I am swearing in it...)",
    lambda d: [film(d / "Wanderung.mp4", _second, 6, sound=tone48(300, 6))], _right,
    lambda d, f: Results((film(d / "out.mp4", lambda t: _second(t + 2), 4),)),
    lambda d, f: Results((film(d / "wrong.mp4", lambda t: _second(t + 2), 4, sound=tone48(300, 4)),)))


# 32
def _right(r, f):
    def check(p):
        s = Seen(p)
        s.lasts(4, .25)
        s.colour(.5, RED)
        s.colour(3.5, YELLOW)
        y, q = kept(p, 3.8, 4.3)
        tuned(part(y, q, .5, 3.2), q, 523)
    anyof(r.videos, check, "film")


add("music-under-silent-film", "the film has no sound. put the music underneath, it should stop when the film stops",
    lambda d: [film(d / "slides.mp4", _second, 4), write(d / "music.mp3", tone(523, 12))], _right,
    lambda d, f: Results((film(d / "out.mp4", _second, 4, sound=tone48(523, 4)),)),
    lambda d, f: Results((film(d / "wrong.mp4", lambda t: _second(min(t, 3)), 12, sound=tone48(523, 12)),)))


# 33
def _room(turned=False):
    im = stripes(320, 180, (BLUE, GREEN), down=True)
    ImageDraw.Draw(im).rectangle((0, 0, 60, 60), fill=RED)
    return im.rotate(180) if turned else im


def _right(r, f):
    def check(p):
        s = Seen(p)
        s.lasts(3)
        assert (s.w, s.h) == (320, 180), f"the size is {s.w} x {s.h}"
        s.colour(1.5, RED, .03, .05, .15, .25)
        s.colour(1.5, BLUE, .5, .1, .9, .4)
        s.colour(1.5, GREEN, .5, .6, .9, .9)
        y, q = kept(p, 2.8, 3.3)
        tuned(part(y, q, .5, 2.5), q, 350)
    anyof(r.videos, check, "film")


add("held-upside-down", "I held the phone upside down while filming, sorry. Please turn it the right way round (the sound is fine)",
    lambda d: [film(d / "VID_20240501.mp4", lambda t: _room(True), 3, sound=tone48(350, 3))], _right,
    lambda d, f: Results((film(d / "out.mp4", lambda t: _room(), 3, sound=tone48(350, 3)),)),
    lambda d, f: Results((film(d / "wrong.mp4", lambda t: _room(True).transpose(Image.Transpose.FLIP_TOP_BOTTOM), 3, sound=tone48(350, 3)),)))


# 34
def _right(r, f):
    def check(p):
        a = array(p)
        assert Image.open(p).format == "PNG", "not a PNG"
        sized(a, 480, 270)
        near(mean(a, .2, .2, .8, .8), YELLOW, 35)
    anyof(r.of(".png"), check, "picture")


add("still-from-film", "I'd love to have the picture at 3.5 seconds as a photo (png), full size",
    lambda d: [film(d / "geburtstag oma.mp4", _second, 5, 480, 270)], _right,
    lambda d, f: Results((saved(d, "out.png", Image.new("RGB", (480, 270), YELLOW)),)),
    lambda d, f: Results((saved(d, "wrong.png", Image.new("RGB", (480, 270), RED)),)))


# 35
def _make(d):
    (d / "english.srt").write_text("1\n00:00:01,000 --> 00:00:02,000\nGood morning, Grandma!\n\n2\n00:00:03,000 --> 00:00:04,000\nWhere is the cake?\n", "utf-8")
    return [film(d / "clip.mp4", lambda t: (40, 60, 120), 5, 480, 270, sound=tone48(260, 5)), d / "english.srt"]


def _titled(d, name, spans):
    def paint(t):
        im = Image.new("RGB", (480, 270), (40, 60, 120))
        for a, b, text in spans:
            if a <= t < b:
                ImageDraw.Draw(im).text((240, 235), text, fill=WHITE, font=font(22), anchor="mm", stroke_width=2, stroke_fill=BLACK)
        return im
    return Results((film(d / name, paint, 5, 480, 270, sound=tone48(260, 5)),))


def _right(r, f):
    def check(p):
        s = Seen(p)
        s.lasts(5, .25)
        for t, shown in ((.5, 0), (1.5, 1), (2.5, 0), (3.5, 1), (4.5, 0)):
            bright = (s.near(t).max(2) > 180).sum()
            assert (bright > 150) == bool(shown), f"at {t} s there is {'no' if shown else 'a'} title"
        assert np.abs(s.near(1.5) - s.near(3.5)).mean() > .5, "both titles are the same"
        y, q = kept(p, 4.8, 5.3)
        tuned(part(y, q, 1, 4), q, 260)
    anyof(r.videos, check, "film")


add("titles-burnt-in", "Please put the subtitles right into the picture so that everybody sees them, on WhatsApp one can't switch them on",
    _make, _right, lambda d, f: _titled(d, "out.mp4", [(1, 2, "Good morning, Grandma!"), (3, 4, "Where is the cake?")]),
    lambda d, f: _titled(d, "wrong.mp4", []))


# 36
def _right(r, f):
    def check(p):
        s = Seen(p)
        s.lasts(1.5, .15)
        s.colour(.12, RED)
        s.colour(.62, BLUE)
        s.colour(1.37, GREY)
    anyof(r.videos, check, "film")


add("twice-then-four-times", ("make this clip play twice as fast", "still boring. four times as fast as the original please"),
    lambda d: [film(d / "ants.mp4", _second, 6)], _right,
    lambda d, f: Results((film(d / "out.mp4", lambda t: _second(t * 4), 1.5),)),
    lambda d, f: Results((film(d / "wrong.mp4", lambda t: _second(t * 2), 3),)))


# 37
def _right(r, f):
    def check(p):
        s = Seen(p)
        s.lasts(5, .3)
        s.colour(1, RED, .35, .35, .65, .65)
        s.colour(4, BLUE, .35, .35, .65, .65)
        y, q = kept(p, 4.7, 5.4)
        tuned(part(y, q, .4, 1.6), q, 300, where="at first")
        tuned(part(y, q, 2.6, 4.6), q, 500, where="later")
    anyof(r.videos, check, "film")


add("two-phones-one-film", "One is from my phone and one from my sister's. Put them one after the other into one mp4: first hers, then mine",
    lambda d: [film(d / "mine.mp4", lambda t: BLUE, 3, 320, 180, 30, tone48(500, 3)), film(d / "hers.mp4", lambda t: RED, 2, 240, 320, 15, tone48(300, 2))],
    _right, lambda d, f: Results((film(d / "out.mp4", lambda t: RED if t < 2 else BLUE, 5, sound=np.concatenate([tone48(300, 2), tone48(500, 3)])),)),
    lambda d, f: Results((film(d / "wrong.mp4", lambda t: BLUE if t < 3 else RED, 5, sound=np.concatenate([tone48(500, 3), tone48(300, 2)])),)))


# 38
def _make(d):
    with av.open(str(MEDIA / "world.mp4")) as c:
        frames = [x.to_ndarray(format="rgb24") for k, x in zip(range(180), c.decode(video=0))][::2]
    noise = np.random.default_rng(2).integers(-14, 15, (4, 270, 480, 3))
    path = film(d / "neighbours party.mp4", lambda t: np.clip(frames[min(int(t * 15), 89)].astype(int) + noise[int(t * 15) % 4], 0, 255), 6, 480, 270, 15, tone48(440, 6), "14")
    assert path.stat().st_size > 2_500_000
    return [path]


def _right(r, f):
    def check(p):
        assert p.stat().st_size <= 1048576, f"it has {p.stat().st_size} bytes"
        s, z = Seen(p), Seen(f[0])
        s.lasts(6, .25)
        assert abs(s.w / s.h - 480 / 270) < .05 and s.w >= 200, f"the size is {s.w} x {s.h}"
        for t in (1, 3, 5):
            alike(Image.fromarray(s.near(t).astype(np.uint8)), Image.fromarray(z.near(t).astype(np.uint8)), 10, f"the picture at {t} s")
        y, q = kept(p, 5.7, 6.4)
        tuned(part(y, q, 1, 5), q, 440)
    anyof(r.of(".mp4", ".m4v"), check, "mp4")


def _again(d, f, name, seconds, quality):
    s = Seen(f[0])
    return Results((film(d / name, lambda t: s.near(t), seconds, 480, 270, 15, tone48(440, seconds), quality),))


add("film-under-one-mb", "too big for our mailbox, which allows 1 MB. shrink the video below that but keep all of it, mp4", _make, _right,
    lambda d, f: _again(d, f, "out.mp4", 6, "36"), lambda d, f: _again(d, f, "wrong.mp4", 2, "36"))


# 39
def _right(r, f):
    t = r.answer
    tells(t, 24, .05, "frames per second")
    tells(t, 4, .1, "seconds")
    assert re.search(r"\b(no|not|without|none|silent|isn't|doesn't|does not)\b[^.\n]{0,40}(sound|audio)|(sound|audio)[^.\n]{0,40}\b(no|none|not|missing|without|0)\b|\bsilent\b|soundless|mute", t.lower()), f"it does not say that there is no sound: {t!r}"


add("facts-of-silent-webm", "Does this video have any sound at all? And how long is it and how many frames per second does it have?",
    lambda d: [film(d / "Aufnahme (für Jürgen) endgültig_neu_2.webm", _second, 4, 320, 180, 24)], _right,
    lambda d, f: Results((), "The film has no sound. It lasts 4.0 s at 24 frames per second."),
    lambda d, f: Results((), "The film has stereo sound. It lasts 4.0 s at 24 frames per second."))


# 40
def _light(t):
    return (12, 12, 16) if t < 3.4 else (220, 200, 150)


def _right(r, f):
    assert any(abs(n - 3.4) <= .2 for n in numbers(r.answer)), f"3.4 s is not told: {r.answer!r}"

    def check(p):
        s = Seen(p)
        s.lasts(2.6, .3)
        s.colour(.25, (220, 200, 150))
        s.colour(2.2, (220, 200, 150))
    anyof(r.videos, check, "film")


add("when-the-light-goes-on", "It's dark for a long time in this film until somebody switches the light on. At which second is that? Then cut everything before that away.",
    lambda d: [film(d / "cellar.mp4", _light, 6, fps=20)], _right,
    lambda d, f: Results((film(d / "out.mp4", lambda t: _light(t + 3.4), 2.6, fps=20),), "The light goes on at 3.4 s."),
    lambda d, f: Results((film(d / "wrong.mp4", _light, 3.4, fps=20),), "The light goes on at 3.4 s."))


# ---- documents and words

def pdf(path: Path, pages: list, w=595, h=842) -> Path:
    """Each page: a list of lines, or (a colour, lines): the colour fills the upper third."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", "", "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"]
    kids = []
    for page in pages:
        colour, lines = page if isinstance(page, tuple) else (None, page)
        body = ""
        if colour:
            body += "{:.3f} {:.3f} {:.3f} rg 0 {} {} {} re f 0 g\n".format(*(c / 255 for c in colour), h * 2 // 3, w, h - h * 2 // 3)
        for k, line in enumerate(lines):
            line = line.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
            body += f"BT /F1 14 Tf 60 {(h * 2 // 3 if colour else h) - 70 - 22 * k} Td ({line}) Tj ET\n"
        objects.append(f"<< /Length {len(body.encode('cp1252'))} >>\nstream\n{body}endstream")
        objects.append(f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {w} {h}] /Resources << /Font << /F1 3 0 R >> >> /Contents {len(objects)} 0 R >>")
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    out, at = b"%PDF-1.4\n", []
    for k, o in enumerate(objects):
        at.append(len(out))
        out += f"{k + 1} 0 obj\n{o}\nendobj\n".encode("cp1252")
    start = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode() + b"".join(f"{n:010d} 00000 n \n".encode() for n in at)
    out += f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n".encode()
    path.write_bytes(out)
    return path


class Paper:
    """A PDF's pages: text, size in points, and picture."""

    def __init__(self, path):
        import pypdfium2
        doc = pypdfium2.PdfDocument(str(path))
        self.texts = [p.get_textpage().get_text_range() for p in doc]
        self.sizes = [p.get_size() for p in doc]
        self.looks = [np.asarray(p.render(scale=.5).to_pil().convert("RGB"), float) for p in doc]
        doc.close()

    def __len__(self):
        return len(self.texts)


def texts_of(r) -> str:
    """The text files' contents, or, where there are none, the answer."""
    files = r.of(".txt", ".md", ".csv")
    return "\n".join(p.read_text("utf-8-sig", "replace") for p in files) if files else r.answer


# 41
def _make(d):
    return [saved(d, f"scan{k}.jpg", stripes(827, 1169, (c, WHITE, WHITE), down=True), quality=88) for k, c in ((1, RED), (2, GREEN), (10, BLUE))]


def _right(r, f):
    def check(p):
        paper = Paper(p)
        assert len(paper) == 3, f"{len(paper)} pages, not 3"
        for look, (w, h), c in zip(paper.looks, paper.sizes, (RED, GREEN, BLUE)):
            assert abs(w - 595) < 4 and abs(h - 842) < 4, f"a page is {w:.0f} x {h:.0f} points, not A4"
            near(mean(look, .2, .12, .8, .28), c, 25, "at the top of a page")
            near(mean(look, .2, .5, .8, .8), WHITE, 15, "below")
    anyof(r.of(".pdf"), check, "PDF")


add("scans-to-one-pdf", "I scanned a contract, three pages. make ONE pdf from it, in A4, in the order 1, 2, 10", _make, _right,
    lambda d, f: (opened(f[0]).save(d / "out.pdf", resolution=100, save_all=True, append_images=[opened(f[1]), opened(f[2])]), Results((d / "out.pdf",)))[1],
    lambda d, f: (opened(f[0]).save(d / "wrong.pdf", resolution=100, save_all=True, append_images=[opened(f[2]), opened(f[1])]), Results((d / "wrong.pdf",)))[1])


# 42
def _make(d):
    return [pdf(d / "lease.pdf", [(RED, ["Chapter one"]), (GREEN, ["Chapter two"]), [], (BLUE, ["Chapter three"])])]


def _right(r, f):
    def check(p):
        paper = Paper(p)
        assert len(paper) == 3, f"{len(paper)} pages, not 3"
        for k, (c, word) in enumerate(((RED, "one"), (GREEN, "two"), (BLUE, "three"))):
            top, bottom = mean(paper.looks[k], .1, .05, .9, .25), mean(paper.looks[k], .1, .75, .9, .95)
            near(bottom if k == 1 else top, c, 25, f"of page {k + 1}")
            near(top if k == 1 else bottom, WHITE, 25, f"at the other end of page {k + 1}")
    anyof(r.of(".pdf"), check, "PDF")


def _green_down(d):
    import pypdfium2
    doc = pypdfium2.PdfDocument(str(d / "lease.pdf"))
    doc[1].set_rotation(180)
    del doc[2]
    doc.save(str(d / "out.pdf"))
    return Results((d / "out.pdf",))


add("drop-empty-turn-second", "Page 3 of this pdf is empty, throw it out. and page 2 is upside down, no idea why, turn it by 180 degrees", _make, _right,
    lambda d, f: _green_down(d), lambda d, f: Results((pdf(d / "wrong.pdf", [(RED, ["Chapter one"]), (GREEN, ["Chapter two"]), (BLUE, ["Chapter three"])]),)))

# 43
INVOICE = ["Gärtnerei Hollunder GmbH", "Lindenweg 4, 50667 Köln", "", "Invoice no. 2024-0381", "Date: 12 May 2024", "",
           "12 lavender plants        54.00 EUR", "3 bags of soil            26.70 EUR", "Delivery                  15.00 EUR",
           "Net                       95.70 EUR", "VAT 19 %                  18.18 EUR", "Total                    113.88 EUR", "", "Please pay until 11 June 2024."]


def _right(r, f):
    tells(r.words, 113.88, .005, "the total")
    has(r.words, "11 June 2024|June 11 2024|11 06 2024|2024 06 11|June 11th 2024|11th June 2024|11th of June|11 6 2024|11 June|June 11")


add("how-much-by-when", "How much do I have to pay in total and until when?", lambda d: [pdf(d / "Rechnung.pdf", [INVOICE])], _right,
    lambda d, f: Results((), "You have to pay **113.88 EUR** until 11 June 2024."),
    lambda d, f: Results((), "You have to pay **95.70 EUR** until 12 May 2024."))

# 44
NOTICE = ["Dear neighbours,", "the water will be turned off", "on Thursday between eight", "and eleven in the morning.", "Please fill some bottles", "before. The cellar stays", "open for everybody.", "Your caretaker, Mr Wilson"]


def _make(d):
    im = Image.new("RGB", (1000, 800), (236, 232, 220))
    draw = ImageDraw.Draw(im)
    for k, line in enumerate(NOTICE):
        draw.text((90, 90 + k * 72), line, fill=(40, 40, 45), font=font(44))
    im = im.rotate(1, Image.Resampling.BICUBIC, fillcolor=(236, 232, 220))
    a = np.asarray(im, float) + np.random.default_rng(3).normal(0, 6, (800, 1000, 3))
    return [saved(d, "notice in the hall.jpg", Image.fromarray(a.clip(0, 255).astype(np.uint8)), quality=85)]


def _right(r, f):
    words_right(r.words, " ".join(NOTICE), .88)
    has(r.words, "Thursday")


add("notice-as-text", "I took a photo of the notice in our hall. I want the text of it as a text so I can send it to the others", _make, _right,
    lambda d, f: Results((), "\n".join(NOTICE)), lambda d, f: Results((), "Dear neighbours, the water will be turned off."))


# 45
def _right(r, f):
    def check(p):
        paper = Paper(p)
        assert len(paper) == 4, f"{len(paper)} pages, not 4"
        for text, word in zip(paper.texts, ("cover letter", "first page of my life", "second page of my life", "certificate")):
            assert word in text.lower(), f"{word!r} is not where it should be (or not text any more)"
    anyof(r.of(".pdf"), check, "PDF")


def _make(d):
    return [pdf(d / "cv.pdf", [["First page of my life"], ["Second page of my life"]]), pdf(d / "certificate.pdf", [["Certificate of English"]], 842, 595), pdf(d / "letter.pdf", [["Cover letter"]])]


add("application-in-order", "Bitte/please put them together to one PDF for my application: first the letter, then the cv, the certificate last.", _make, _right,
    lambda d, f: Results((pdf(d / "out.pdf", [["Cover letter"], ["First page of my life"], ["Second page of my life"], ["Certificate of English"]]),)),
    lambda d, f: Results((pdf(d / "wrong.pdf", [["First page of my life"], ["Second page of my life"], ["Certificate of English"], ["Cover letter"]]),)))

# 46
STORY = ("The bees came back in April. My brother said that honey was no business, but honey pays for the roof. "
         "In May we sold nine jars. Honey, he said then, is a fine thing.\n\n" + "We work from six to two and then we rest. " * 9 + "\nThe honeycomb is kept in the shed.\n")


def _right(r, f):
    tells(r.answer, len(STORY.split()), 0, "the number of words")
    tells(r.answer, 3, 0, "the number of times")


add("words-and-honey", "How many words has my story, and how many times do I use the word honey (big or small H doesn't matter, honeycomb doesn't count)",
    lambda d: [((d / "bees.txt").write_text(STORY, "utf-8"), d / "bees.txt")[1]], _right,
    lambda d, f: Results((), f"It has {len(STORY.split())} words; “honey” comes three times."),
    lambda d, f: Results((), f"It has {len(STORY.split())} words; “honey” comes 4 times."))


# 47
def _right(r, f):
    def check(p):
        a = array(p)
        sized(a, 2000, 2830, 6)
        near(mean(a, .1, .05, .9, .25), BLUE, 25, "at the top")
        near(mean(a, .1, .7, .9, .95), WHITE, 25, "below")
    anyof(r.pictures, check)


add("page-as-picture-larger", ("I need page 3 of this pdf as a picture", "that's too small, it should be 2000 pixels wide"),
    lambda d: [pdf(d / "flyer.pdf", [(RED, ["one"]), (GREEN, ["two"]), (BLUE, ["three"]), (YELLOW, ["four"])])], _right,
    lambda d, f: Results((saved(d, "out.png", stripes(2000, 2830, (BLUE, WHITE, WHITE), down=True)),)),
    lambda d, f: Results((saved(d, "wrong.png", stripes(2000, 2830, (RED, WHITE, WHITE), down=True)),)))

# 48
LETTER = "Sehr geehrte Frau Müller,\n\nhiermit lade ich Sie, Frau Müller, herzlich ein.\nDie Müllerstraße 5 ist leicht zu finden.\n\nBis bald, liebe Frau Müller!\n"


def _right(r, f):
    text = texts_of(r)
    assert "Frau Müller" not in text, "Frau Müller is still in it"
    assert text.count("Frau Schäfer") == 3, f"Frau Schäfer is in it {text.count('Frau Schäfer')} times, not 3"
    assert "Müllerstraße 5" in text, "the street is changed as well"
    assert "herzlich ein" in text and "Bis bald" in text, "something is missing"


add("other-name-same-street", "replace Frau Müller by Frau Schäfer everywhere in the letter. The street name must stay as it is!",
    lambda d: [((d / "Einladung für Frau Müller (Entwurf 2, nicht löschen).txt").write_text(LETTER, "utf-8"), d / "Einladung für Frau Müller (Entwurf 2, nicht löschen).txt")[1]],
    _right, lambda d, f: ((d / "out.txt").write_text(LETTER.replace("Frau Müller", "Frau Schäfer"), "utf-8"), Results((d / "out.txt",)))[1],
    lambda d, f: ((d / "wrong.txt").write_text(LETTER.replace("Müller", "Schäfer"), "utf-8"), Results((d / "wrong.txt",)))[1])

# 49
GUESTS = ["Tom", "Anna", "Wiebke", "Carlos", "Anna", "Greta", "Tom", "Bob", "Ines", "Tom", "Fred"]


def _right(r, f):
    text = texts_of(r)
    found = [w for w in re.findall(r"[A-Z][a-z]+", text) if w in GUESTS]
    assert found == sorted(set(GUESTS)), f"the list is {found}"
    tells(r.answer, 8, 0, "the number of guests")


add("guest-list-clean", "Sort my guest list from A to Z, some are in there twice or more, each only once please. How many guests are it really?",
    lambda d: [((d / "guests.txt").write_text("\n".join(GUESTS) + "\n", "utf-8"), d / "guests.txt")[1]], _right,
    lambda d, f: ((d / "out.txt").write_text("\n".join(sorted(set(GUESTS)))), Results((d / "out.txt",), "There are 8 guests."))[1],
    lambda d, f: ((d / "wrong.txt").write_text("\n".join(sorted(GUESTS))), Results((d / "wrong.txt",), "There are 11 guests."))[1])

# 50
RULES = ["1. Quiet hours start at 22:00.", "2. Bicycles belong in the cellar.", "3. Dogs must be on a lead.", "4. The rent is due on the 3rd.", "5. Windows are cleaned twice a year."]
RULES2 = [RULES[0], RULES[1], RULES[2], "4. The rent is due on the 1st.", RULES[4], "6. Barbecues are forbidden."]


def _right(r, f):
    has(r.words, "1st")
    has(r.words, "Barbecues are forbidden|Barbecues|barbecue")
    same = [w for w in ("Quiet hours", "Bicycles", "Dogs", "Windows") if w in r.words]
    assert len(same) <= 2, f"what is the same is told as well: {same}"


add("what-is-new-in-the-rules", "The landlord sent new house rules. What did he change compared to the old ones? Only the changes pls",
    lambda d: [((d / n).write_text("\n".join(t) + "\n", "utf-8"), d / n)[1] for n, t in (("old.txt", RULES), ("new.txt", RULES2))], _right,
    lambda d, f: Results((), "- Changed: “4. The rent is due on the 3rd.” → “4. The rent is due on the 1st.”\n- New: “6. Barbecues are forbidden.”"),
    lambda d, f: Results((), "\n".join(RULES2)))


# ---- tables

def rows(path: Path) -> list[list[str]]:
    if path.suffix == ".xlsx":
        import openpyxl
        sheet = openpyxl.load_workbook(path, data_only=True).worksheets[0]
        found = [["" if c is None else c.strftime("%Y-%m-%d") if isinstance(c, datetime.datetime) else str(c) for c in row] for row in sheet.iter_rows(values_only=True)]
    else:
        text = path.read_text("utf-8-sig")
        head = text.splitlines()[0] if text else ""
        found = [[c.strip() for c in row] for row in csv.reader(io.StringIO(text), delimiter=max(";\t,", key=head.count))]
    return [row for row in found if any(row)]


def is_in(row, value, off=.005) -> bool:
    """One cell of the row is this number."""
    return any(re.search(r"\d", c) and any(abs(n - value) <= off for n in numbers(c)) for c in row)


def table(path: Path, lines: list[list], sep=",") -> Path:
    path.write_text("\n".join(sep.join(str(c) for c in line) for line in lines) + "\n", "utf-8")
    return path


def tables(r) -> list[Path]:
    return r.of(".csv", ".xlsx", ".tsv")


# 51
def _right(r, f):
    tells(r.answer, 2183.65, .005, "the sum")
    has(r.answer, "Heizung")


add("haushalt-summe", "Hi, what did we spend altogether (column Betrag) and what was the most expensive thing?",
    lambda d: [table(d / "Haushaltsbuch Jänner.csv", [["Datum", "Wofür", "Betrag"], ["02.01.2024", "Einkauf", "84,20"], ["05.01.2024", "Heizung", "1.240,00"], ["11.01.2024", "Schuhe", "119,95"],
                                                       ["17.01.2024", "Versicherung", "689,50"], ["28.01.2024", "Kino & Pizza", "50,00"]], ";")], _right,
    lambda d, f: Results((), "Altogether 2.183,65; the most expensive was **Heizung** (1.240,00)."),
    lambda d, f: Results((), "Altogether 944.89; the most expensive was Versicherung (689.50)."))

# 52
SPENT = [("Food", 42.5), ("Travel", 120), ("Food", 17.25), ("Gifts", 35), ("Travel", 80.5), ("Food", 60), ("Gifts", 14.99)]


def _right(r, f):
    def sums(text_rows):
        for word, total in (("food", 119.75), ("travel", 200.5), ("gifts", 49.99)):
            lines = [row for row in text_rows if any(word in c.lower() for c in row)]
            assert len(lines) == 1, f"{len(lines)} lines for {word}"
            assert is_in(lines[0], total), f"{word} is not {total}: {lines[0]}"
    if tables(r):
        anyof(tables(r), lambda p: sums(rows(p)), "table")
    else:
        sums([[c.strip() for c in line.split("|")] for line in texts_of(r).splitlines()])


add("sum-per-category", "make me a small table out of this with one line for each category and the total spent on it",
    lambda d: [table(d / "spendings.csv", [["day", "category", "amount"]] + [[k + 1, c, v] for k, (c, v) in enumerate(SPENT)])], _right,
    lambda d, f: Results((table(d / "out.csv", [["category", "total"], ["Food", 119.75], ["Gifts", 49.99], ["Travel", 200.5]]),)),
    lambda d, f: Results((table(d / "wrong.csv", [["category", "count"], ["Food", 3], ["Gifts", 2], ["Travel", 2]]),)))

# 53
BILLS = [("Adler", datetime.date(2024, 3, 20), 210, "open"), ("Becker", datetime.date(2024, 1, 9), 95.5, "paid"), ("Conrad", datetime.date(2024, 2, 28), 48, "open"),
         ("Dorn", datetime.date(2023, 12, 1), 700, "open"), ("Ernst", datetime.date(2024, 2, 2), 33, "paid")]


def _make(d):
    import openpyxl
    book = openpyxl.Workbook()
    book.active.append(["customer", "date", "amount", "status"])
    for line in BILLS:
        book.active.append(list(line))
    book.save(d / "bills.xlsx")
    return [d / "bills.xlsx"]


def _right(r, f):
    def check(p):
        lines = rows(p)
        names = [c for row in lines for c in row if c in [b[0] for b in BILLS]]
        assert names == ["Dorn", "Conrad", "Adler"], f"the lines are {names}"
        for row, want in zip(lines[-3:], (700, 48, 210)):
            assert is_in(row, want), f"{want} is missing in {row}"
        assert re.search(r"2023-12-01|0?1[./]12[./]2023|12/0?1/2023", " ".join(lines[-3])), f"the date is wrong: {lines[-3]}"
    anyof(r.of(".csv"), check, "CSV")


add("open-bills-by-date", "From my Excel sheet I need only the bills that are still open, the oldest first, as a csv file", _make, _right,
    lambda d, f: Results((table(d / "out.csv", [["customer", "date", "amount", "status"]] + [BILLS[k] for k in (3, 2, 0)]),)),
    lambda d, f: Results((table(d / "wrong.csv", [["customer", "date", "amount", "status"]] + [BILLS[k] for k in (0, 2, 3)]),)))


# 54
add("average-with-gaps", "What's the average temperature in this list? On some days I forgot to measure, don't count those as zero. And what was the coldest day?",
    lambda d: [table(d / "garden temperatures.csv", [["day", "temperature"], ["Monday", "6.0"], ["Tuesday", ""], ["Wednesday", "9.5"], ["Thursday", "-1.5"], ["Friday", ""], ["Saturday", "8.0"]])],
    lambda r, f: (tells(r.answer, 5.5, .011, "the average"), has(r.answer, "Thursday"))[0],
    lambda d, f: Results((), "On average 5.5 degrees; the coldest day was Thursday with -1.5."),
    lambda d, f: Results((), "On average 3.67 degrees; the coldest day was Thursday with -1.5."))

# 55
PARCELS = [("A17", 12), ("B03", 5.5), ("C88", 40), ("D21", 0.75)]


def _right(r, f):
    def check(p):
        lines = rows(p)
        for name, pounds in PARCELS:
            line = [row for row in lines if name in row]
            assert len(line) == 1, f"{name} is there {len(line)} times"
            assert is_in(line[0], pounds * .45359237, .0051), f"{name}: no {pounds * .45359237:.2f} in {line[0]}"
    anyof(tables(r), check, "table")


add("pounds-to-kilos", "the weights are in pounds, i need them in kilograms (2 decimals), same table otherwise",
    lambda d: [table(d / "parcels.csv", [["parcel", "weight_lb"], *PARCELS])], _right,
    lambda d, f: Results((table(d / "out.csv", [["parcel", "weight_kg"], *[(n, f"{p * .45359237:.2f}") for n, p in PARCELS]]),)),
    lambda d, f: Results((table(d / "wrong.csv", [["parcel", "weight_kg"], *[(n, f"{p / .45359237:.2f}") for n, p in PARCELS]]),)))

# 56
DAYS = (datetime.date(2025, 9, 19) - datetime.date(2025, 3, 3)).days


def _right(r, f):
    tells(r.answer, DAYS, 0, "the number of days")
    has(r.answer, "Friday")


add("days-until-wedding", "How many days is it from 3 March 2025 to 19 September 2025, and which day of the week is the 19th?",
    lambda d: [], _right, lambda d, f: Results((), f"It is {DAYS} days. 19 September 2025 is a Friday."),
    lambda d, f: Results((), f"It is {DAYS} days. 19 September 2025 is a Saturday."))


# 57
def _make(d):
    return [table(d / "members.csv", [["id", "name"], [3, "Nora"], [7, "Emil"], [9, "Paula"], [12, "Said"]]),
            table(d / "fees.csv", [["id", "fee"], [9, 25], [12, 40], [3, 15], [7, 30]])]


def _right(r, f):
    def check(p):
        lines = rows(p)
        for name, number, fee in (("Nora", 3, 15), ("Emil", 7, 30), ("Paula", 9, 25), ("Said", 12, 40)):
            line = [row for row in lines if name in row]
            assert len(line) == 1 and is_in(line[0], fee), f"{name} does not have {fee}: {line}"
    anyof(tables(r), check, "table")


add("names-with-fees", "One list has the names of our members, the other what they paid, both have the member number. I'd like one table with number, name and fee.",
    _make, _right, lambda d, f: Results((table(d / "out.csv", [["id", "name", "fee"], [3, "Nora", 15], [7, "Emil", 30], [9, "Paula", 25], [12, "Said", 40]]),)),
    lambda d, f: Results((table(d / "wrong.csv", [["id", "name", "fee"], [3, "Nora", 25], [7, "Emil", 40], [9, "Paula", 15], [12, "Said", 30]]),)))

# 58
_titanic = list(csv.DictReader((MEDIA / "titanic.csv").open(encoding="utf-8")))
FIRST = sum(p["Pclass"] == "1" for p in _titanic)
SAVED = sum(p["Pclass"] == "1" and p["Survived"] == "1" for p in _titanic)
add("first-class-survivors", ("How many passengers in this list travelled in first class (Pclass 1)?", "and how many of those survived?"),
    lambda d: copy(d, ("titanic.csv", "titanic.csv")), lambda r, f: tells(r.answer, SAVED, 0, "the number of survivors"),
    lambda d, f: Results((), f"{SAVED} of the {FIRST} survived."),
    lambda d, f: Results((), f"{sum(p['Survived'] == '1' for p in _titanic)} of them survived."))


# 59
def _bars(a) -> bool:
    """Are there four bars of 1 : 4 : 2 : 3 in the picture, standing or lying?"""
    flat = (a // 16).astype(int) @ np.array([256, 16, 1])
    masks = [np.ptp(a, axis=2) > 60]
    masks += [flat == c for c in np.argsort(np.bincount(flat.ravel(), minlength=4096))[::-1][:5]]
    for mask in masks:
        for m in (mask, mask.T):
            high = m.sum(0)
            on = high > max(4, .12 * high.max())
            edges = np.flatnonzero(np.diff(np.r_[0, on, 0]))
            tall = [np.median(high[s:e]) for s, e in zip(edges[::2], edges[1::2]) if e - s >= 6]
            for k in range(len(tall) - 3):
                four = np.array(tall[k:k + 4]) / max(tall[k:k + 4])
                if min(np.abs(four - np.array(w)).max() for w in ((.25, 1, .5, .75), (.75, .5, 1, .25))) < .05:
                    return True
    return False


def _right(r, f):
    def check(p):
        a = array(p)
        assert min(a.shape[:2]) >= 150, "the chart is tiny"
        assert _bars(a), "no four bars of the right height are found"
    anyof(r.pictures, check)


def _chart(d, name, values):
    im = Image.new("RGB", (640, 480), "white")
    draw = ImageDraw.Draw(im)
    for k, v in enumerate(values):
        draw.rectangle((90 + k * 130, 420 - v, 170 + k * 130, 420), fill=(50, 110, 180))
        draw.text((130 + k * 130, 440), ("Jan", "Feb", "Mar", "Apr")[k], fill=BLACK, font=font(18), anchor="mm")
    draw.line((60, 421, 600, 421), fill=BLACK)
    return Results((saved(d, name, im),))


add("bar-chart-of-jars", "Can you draw a bar chart of the sold jars per month? as picture for our poster",
    lambda d: [table(d / "jars.csv", [["month", "jars"], ["January", 50], ["February", 200], ["March", 100], ["April", 150]])], _right,
    lambda d, f: _chart(d, "out.png", (90, 360, 180, 270)), lambda d, f: _chart(d, "wrong.png", (360, 90, 270, 180)))

# 60
MAILS = [("Lena", "lena@post.example"), ("Omar", "omar@web.example"), ("Lena K.", "LENA@post.example"), ("Pia", "pia@mail.example"), ("Omar", "omar@web.example"), ("Rolf", "rolf@post.example")]


def _right(r, f):
    def check(p):
        mails = [c.lower() for row in rows(p) for c in row if "@" in c]
        assert mails == [MAILS[k][1] for k in (0, 1, 3, 5)], f"the addresses are {mails}"
        assert not any("Lena K." in row for row in rows(p)), "not the first one was kept"
    anyof(tables(r), check, "table")
    tells(r.answer, 2, 0, "the number of removed lines")


add("each-address-once", "some people are in our mailing list twice, same email (sometimes in capitals). keep only the first entry of each and tell me how many you threw out",
    lambda d: [table(d / "mailing list.csv", [["name", "email"], *MAILS])], _right,
    lambda d, f: Results((table(d / "out.csv", [["name", "email"], *[MAILS[k] for k in (0, 1, 3, 5)]]),), "I removed 2 entries."),
    lambda d, f: Results((table(d / "wrong.csv", [["name", "email"], *[MAILS[k] for k in (0, 1, 2, 3, 5)]]),), "I removed 1 entry."))
