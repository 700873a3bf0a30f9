"""What parents, grandparents, teachers, club members and hobby photographers ask."""

from __future__ import annotations

import csv
import io
import random
import re
import shutil
import tempfile
import zipfile
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import openpyxl
import PIL.Image as I
import pypdf
import pypdfium2
import soundfile
from PIL import ImageDraw, ImageEnhance, ImageFilter, ImageFont, ImageOps
from scipy.signal import fftconvolve
from skimage.feature import match_template
from skimage.measure import label, regionprops

from benchmarks.jobs.job import Job, Results
from benchmarks.jobs.media import MEDIA, SPOKEN

RATE = 16000
HUES = [(200, 30, 30), (30, 150, 40), (40, 60, 210), (225, 190, 20), (150, 40, 170), (30, 180, 190)]
HUES += [(235, 120, 20), (120, 120, 120)]

# --- makers ---------------------------------------------------------------------------------------


def photo(name, size=None):
    picture = I.open(MEDIA / name).convert("RGB")
    return picture.resize(size, I.LANCZOS) if size else picture


def put(picture, path, **more):
    picture.save(
        path, **({"quality": 93} if path.suffix.lower() in (".jpg", ".jpeg") else {}) | more
    )
    return path


def letters(picture, place, words, size, fill="black", **more):
    ImageDraw.Draw(picture).text(place, words, fill, ImageFont.load_default(size), **more)


def paper(title, lines, hue=(60, 60, 60), size=(620, 877), step=44):
    page = I.new("RGB", size, "white")
    ImageDraw.Draw(page).rectangle((50, 110, size[0] - 50, 140), fill=hue)
    letters(page, (50, 45), title, 36)
    for row, line in enumerate(lines):
        letters(page, (50, 170 + row * step), line, 22)
    return page


def pdf(path, pages):
    """A PDF of (lines, colour of a bar on top) a page, with real text."""
    parts, kids = [], []
    for k, (lines, hue) in enumerate(pages):
        text = "".join(f"({line}) Tj 0 -26 Td " for line in lines)
        bar = " ".join(f"{c / 255:.3f}" for c in hue)
        body = f"{bar} rg 60 760 475 30 re f 0 g BT /F1 15 Tf 60 720 Td {text} ET"
        kids.append(f"{4 + 2 * k} 0 R")
        parts.append(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 3 0 R>>>>"
            f"/Contents {5 + 2 * k} 0 R>>"
        )
        parts.append(f"<</Length {len(body)}>>\nstream\n{body}\nendstream")
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        f"<</Type/Pages/Kids[{' '.join(kids)}]/Count {len(pages)}>>",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        *parts,
    ]
    out, places = "%PDF-1.4\n", []
    for k, one in enumerate(objects, 1):
        places.append(len(out))
        out += f"{k} 0 obj\n{one}\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    count = len(objects) + 1
    end = f"trailer<</Size {count}/Root 1 0 R>>\nstartxref\n{len(out)}\n%%EOF\n"
    path.write_bytes(
        (out + f"xref\n0 {count}\n0000000000 65535 f \n{table}{end}").encode("latin-1")
    )
    return path


def some_pages(source, path, numbers):
    writer = pypdf.PdfWriter()
    reader = pypdf.PdfReader(source)
    for number in numbers:
        writer.add_page(reader.pages[number - 1])
    writer.write(path)
    return path


def record(path, samples, rate=RATE):
    """Any kind of sound file, one channel."""
    if path.suffix == ".wav":
        soundfile.write(path, samples, rate)
        return path
    with av.open(str(path), "w") as out:
        _add_sound(out, samples, rate, "libmp3lame" if path.suffix == ".mp3" else "aac")()
    return path


def _add_sound(out, samples, rate, codec):
    stream = out.add_stream(codec, rate=rate, layout="mono")

    def write():
        data = np.asarray(samples, np.float32)
        for at in range(0, len(data), 1024):
            frame = av.AudioFrame.from_ndarray(data[None, at : at + 1024], "fltp", "mono")
            frame.sample_rate, frame.pts, frame.time_base = rate, at, Fraction(1, rate)
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))

    return write


def shoot(path, pictures, fps=15, samples=None):
    """A film of pictures, with sound where samples are given."""
    with av.open(str(path), "w") as out:
        stream = out.add_stream("libx264", rate=fps)
        stream.width, stream.height, stream.pix_fmt = *pictures[0].size, "yuv420p"
        sound = None if samples is None else _add_sound(out, samples, RATE, "aac")
        for picture in pictures:
            out.mux(stream.encode(av.VideoFrame.from_image(picture)))
        out.mux(stream.encode(None))
        if sound:
            sound()
    return path


def days_out(seconds, hues, size=(480, 270), fps=15):
    """Frames whose colour at the second t is hues[round(t)], with a ball that wanders."""
    frames = []
    for k in range(int(seconds * fps)):
        frame = I.new("RGB", size, hues[int(k / fps + 0.5) % len(hues)])
        x = 20 + k * (size[0] - 80) / (seconds * fps)
        ImageDraw.Draw(frame).ellipse((x, 100, x + 50, 150), fill="white")
        frames.append(frame)
    return frames


def tone(seconds, pitch=330.0, loud=0.2):
    return loud * np.sin(2 * np.pi * pitch * np.arange(int(seconds * RATE)) / RATE)


def table(path, lines):
    if path.suffix == ".xlsx":
        book = openpyxl.Workbook()
        for line in lines:
            book.active.append(list(line))
        book.save(path)
    else:
        with path.open("w", newline="", encoding="utf-8") as out:
            csv.writer(out, delimiter=";").writerows(lines)
    return path


def dated(path, picture, when):
    exif = I.Exif()
    exif[306] = when
    exif.get_ifd(0x8769)[36867] = when
    return put(picture, path, exif=exif)


# --- checks ---------------------------------------------------------------------------------------


def got(results):
    """Every file that was handed over; zips unpacked."""
    found = []
    for path in results.files:
        if path.suffix.lower() == ".zip":
            folder = Path(tempfile.mkdtemp())
            zipfile.ZipFile(path).extractall(folder)
            found += sorted(p for p in folder.rglob("*") if p.is_file())
        else:
            found.append(path)
    return Results(tuple(found), results.answer)


def only(paths, what):
    assert len(paths) == 1, f"{len(paths)} files instead of one {what}"
    return paths[0]


def load(path):
    return ImageOps.exif_transpose(I.open(path)).convert("RGB")


def near(value, wanted, tolerance, what):
    assert abs(value - wanted) <= tolerance, f"{what} is {value:.3f}, not {wanted:.3f}"


def agreement(one, other):
    """The correlation of two rows of numbers; 0 where one of them is flat."""
    a, b = (np.ravel(row) - np.mean(row) for row in (one, other))
    return float(a @ b / np.sqrt((a @ a) * (b @ b) + 1e-12))


def alike(one, other, side=64):
    """How well two pictures agree, stretched to the same size: up to 1."""
    a, b = (
        np.asarray(p.convert("RGB").resize((side, side), I.BOX), float).ravel()
        for p in (one, other)
    )
    return agreement(a, b)


def likeness(frame, picture):
    """How well a picture agrees with a frame into which it was stretched, filled or fitted."""
    frame, picture = (ImageOps.contain(one, (256, 256), I.BILINEAR) for one in (frame, picture))
    width, height = frame.size
    inner = ImageOps.contain(picture, frame.size)
    x, y = (width - inner.width) // 2, (height - inner.height) // 2
    return max(
        alike(frame, picture),
        alike(frame, ImageOps.fit(picture, frame.size)),
        alike(frame.crop((x, y, x + inner.width, y + inner.height)), inner),
    )


def which(frame, pictures):
    scores = [likeness(frame, one) for one in pictures]
    return int(np.argmax(scores)), max(scores)


def hue_of(picture):
    """Which of HUES a picture mostly shows (white, black and pale pixels aside)."""
    pixels = np.asarray(picture.convert("RGB").resize((120, 120)), float).reshape(-1, 3)
    pixels = pixels[np.ptp(pixels, axis=1) > 60]
    assert len(pixels) > 20, "there is no colour in it"
    apart = ((pixels[:, None] - np.array(HUES[:7])[None]) ** 2).sum(2)
    return int(np.bincount(apart.argmin(1), minlength=7).argmax())


def heard(path):
    """The samples of a sound or film, at RATE, one channel."""
    with av.open(str(path)) as file:
        if not file.streams.audio:
            return np.zeros(0)
        change = av.AudioResampler("flt", "mono", RATE)
        parts = [
            part.to_ndarray().ravel()
            for frame in file.decode(audio=0)
            for part in change.resample(frame)
        ]
        parts += [part.to_ndarray().ravel() for part in change.resample(None)]
    return np.concatenate(parts).astype(float) if parts else np.zeros(0)


def rms(samples):
    return float(np.sqrt(np.mean(np.square(samples)))) if len(samples) else 0.0


def envelope(samples, step=800):
    count = len(samples) // step
    return np.sqrt(np.square(samples[: count * step]).reshape(count, step).mean(1))


def same_sound(one, other):
    """How well the courses of loudness agree, a shift of up to 0.15 s allowed."""
    a, b = envelope(one), envelope(other)
    best = -1.0
    for shift in range(-3, 4):
        x, y = (a[shift:], b) if shift >= 0 else (a, b[-shift:])
        n = min(len(x), len(y))
        best = max(best, agreement(x[:n], y[:n]))
    return best


def where(part, whole):
    """At which second a part is heard in the whole, and how surely (up to 1)."""
    if len(whole) < len(part):
        return 0.0, 0.0
    found = fftconvolve(whole, part[::-1], "valid")
    energy = fftconvolve(whole**2, np.ones(len(part)), "valid")
    score = found / np.sqrt(np.maximum(energy, 1e-3) * (part @ part))
    return float(score.argmax() / RATE), float(score.max())


def seen(path):
    """The (second, picture) of every frame of a film or GIF, and how long it is."""
    if path.suffix.lower() in (".gif", ".webp"):
        picture, now, frames = I.open(path), 0.0, []
        for k in range(picture.n_frames):
            picture.seek(k)
            frames.append((now, picture.convert("RGB")))
            now += picture.info.get("duration", 100) / 1000
        return frames, now
    with av.open(str(path)) as file:
        frames = [(frame.time or 0.0, frame.to_image()) for frame in file.decode(video=0)]
    first = frames[0][0]
    frames = [(t - first, picture) for t, picture in frames]
    return frames, frames[-1][0] + (frames[-1][0] / (len(frames) - 1) if len(frames) > 1 else 0.1)


def at(frames, second):
    return min(frames, key=lambda one: abs(one[0] - second))[1]


def looks(path):
    """A PDF's pages as pictures."""
    return [page.render(scale=1).to_pil().convert("RGB") for page in pypdfium2.PdfDocument(path)]


def rows(path):
    if path.suffix.lower() == ".xlsx":
        sheet = openpyxl.load_workbook(path).active
        lines = [[("" if c is None else str(c)) for c in row] for row in sheet.values]
    else:
        text = path.read_text("utf-8-sig")
        mark = max(";,\t", key=text.split("\n")[0].count)
        lines = list(csv.reader(io.StringIO(text), delimiter=mark))
    return [[cell.strip() for cell in line] for line in lines if any(c.strip() for c in line)]


def said(results):
    """All words of the answer, texts, tables and PDFs."""
    more = ["; ".join(line) for path in results.of(".xlsx") for line in rows(path)]
    for path in results.of(".pdf"):
        more += [page.extract_text() for page in pypdf.PdfReader(path).pages]
    return "\n".join([results.words, *more])


def numbers(words):
    """Every number that may be meant by what is written: 1,234.50 / 1234.5 / 1 234,50."""
    found = set()
    for text in re.findall(r"\d+(?:[.,   ']\d{3})*(?:[.,]\d+)?", words) + re.findall(
        r"\d+(?:[.,]\d+)?", words
    ):
        text = re.sub(r"[   ']", "", text)
        for reading in (
            text.replace(",", ""),
            text.replace(".", "").replace(",", "."),
            text.replace(",", "."),
        ):
            if reading.count(".") <= 1:
                found.add(float(reading))
    return found


def says(results, number, tolerance, what):
    found = numbers(said(results))
    assert any(abs(one - number) <= tolerance for one in found), f"{what} ({number}) is not said"


def answers(text):
    return lambda folder, files: Results((), text)


# --- pictures -------------------------------------------------------------------------------------


def recipe_card():
    card = I.new("RGB", (900, 600), (250, 243, 222))
    pen = ImageDraw.Draw(card)
    pen.rectangle((0, 0, 900, 90), fill=(170, 60, 50))
    letters(card, (30, 20), "Apple cake (Oma Trude)", 46, "white")
    for k, line in enumerate(("3 eggs", "200 g butter", "1 kg apples", "bake 45 min at 180")):
        letters(card, (40, 130 + 90 * k), line, 40)
    pen.ellipse((640, 250, 820, 430), fill=(190, 30, 40))
    return card


def recipe_right(results, files):
    picture = load(only(got(results).pictures, "picture"))
    near(picture.width / picture.height, 1.5, 0.03, "width by height")
    assert alike(picture, recipe_card()) > 0.93, "the card does not stand upright"


EYES = ((212, 247), (384, 253))


def flashed():
    picture = photo("astronaut.jpg").crop((150, 40, 300, 200)).resize((600, 640), I.LANCZOS)
    for x, y in EYES:
        ImageDraw.Draw(picture).ellipse((x - 12, y - 12, x + 12, y + 12), fill=(225, 25, 30))
        ImageDraw.Draw(picture).ellipse((x + 2, y - 7, x + 7, y - 2), fill=(255, 235, 235))
    return picture


def eyes_right(results, files):
    picture = load(only(got(results).pictures, "picture")).resize((600, 640))
    pixels, before = np.asarray(picture, float), np.asarray(load(files[0]), float)
    for x, y in EYES:
        eye = pixels[y - 9 : y + 9, x - 9 : x + 9]
        red = eye[..., 0] - eye[..., 1:].max(2)
        assert np.median(red) < 60, "an eye is still red"
    rest = np.abs(pixels - before)
    for x, y in EYES:
        rest[y - 50 : y + 50, x - 60 : x + 60] = 0
    assert rest.mean() < 5, "the rest of the photo was changed"
    assert pixels[480:560, 250:350].std() > 5, "the face is gone"
    near(pixels[400:440, 200:240, 0].mean(), before[400:440, 200:240, 0].mean(), 15, "cheek's red")


def eyes_done(folder, files):
    picture = load(files[0])
    pixels = np.asarray(picture).copy()
    for x, y in EYES:
        part = pixels[y - 14 : y + 14, x - 14 : x + 14]
        mask = part[..., 0].astype(int) - part[..., 1] > 90
        part[mask] = (35, 30, 30)
    return Results((put(I.fromarray(pixels), folder / "eyes.jpg"),))


def small_right(results, files):
    path = only(got(results).pictures, "picture")
    assert path.stat().st_size <= 102400, f"still {path.stat().st_size} bytes"
    picture = load(path)
    assert max(picture.size) >= 480, f"only {picture.size} pixels left"
    near(picture.width / picture.height, 1000 / 872, 0.02, "width by height")
    assert alike(picture, load(files[0])) > 0.95, "it is not the same picture"


def yellow_right(results, files):
    picture, before = load(only(got(results).pictures, "picture")), load(files[0])
    scale = picture.width / before.width
    top = (0, 0, picture.width, int(200 * scale))
    assert alike(picture.crop(top), before.crop((0, 0, 900, 200))) > 0.9, "the cat is not there"
    p = np.asarray(picture, int)
    mask = (p[..., 0] > 185) & (p[..., 1] > 150) & (p[..., :2].min(2) - p[..., 2] > 90)
    ys, xs = np.nonzero(mask)
    assert len(xs) > 0.004 * mask.size, "there are no yellow letters"
    assert np.mean(ys > 0.5 * picture.height) > 0.9, "the letters are not at the bottom"
    left, right = np.percentile(xs, [1, 99])
    assert right - left > 0.45 * picture.width, "the letters are small"
    assert right < picture.width - 2 and left > 1, "the words run out of the picture"
    assert len(xs) < 0.3 * mask.size, "that is a yellow area, not letters"


def yellow(fill, size=74):
    def make(folder, files):
        picture = load(files[0])
        letters(
            picture, (450, 520), "Happy Birthday Lotte!", size, fill, anchor="mm", stroke_width=2
        )
        return Results((put(picture, folder / "card.png"),))

    return make


def face_right(results, files):
    picture = load(only(got(results).pictures, "picture"))
    near(picture.width / picture.height, 35 / 45, 0.025, "width by height")
    assert picture.height >= 150, "it is too small to print"
    face = np.asarray(load(files[0]).convert("L").crop((180, 75, 272, 180)), float)
    scene = I.fromarray(np.asarray(picture)).convert("L").resize((140, 180), I.BOX)
    best = (0.0, 0, 0, 0)
    for tall in range(36, 150, 4):
        wide = round(tall * 92 / 105)
        if wide >= 140:
            continue
        probe = np.asarray(I.fromarray(face.astype(np.uint8)).resize((wide, tall), I.BOX), float)
        found = match_template(np.asarray(scene, float), probe)
        y, x = np.unravel_index(found.argmax(), found.shape)
        best = max(best, (float(found.max()), tall, x + wide / 2, y))
    assert best[0] > 0.75, "the face is not (wholly) in it, or too small"
    assert 0.2 * 180 < best[1] < 0.83 * 180, "the face is too small or too large"
    assert 0.3 * 140 < best[2] < 0.7 * 140, "the face is not in the middle"
    assert best[3] > 0.35 * best[1], "the hair is cut off"
    assert best[3] + 1.12 * best[1] < 180, "there are no shoulders"


def cropped(box, size):
    return lambda folder, files: Results(
        (put(load(files[0]).crop(box).resize(size, I.LANCZOS), folder / "card.jpg"),)
    )


def frame_right(results, files):
    picture = load(only(got(results).pictures, "picture"))
    white = np.asarray(picture).min(2) > 225
    sides = []
    for turned in (white, white[::-1], white.T, white.T[::-1]):
        full = turned.mean(1) > 0.97
        sides.append(int(np.argmin(full)) if not full.all() else len(full))
    top, bottom, left, right = sides
    assert min(sides) >= 2, "there is no white frame all round"
    assert max(left, right) < 0.15 * picture.width, "the frame is not thin"
    assert max(top, bottom) < 0.2 * picture.height, "the frame is not thin"
    inner = picture.crop((left, top, picture.width - right, picture.height - bottom))
    assert likeness(inner, load(files[0])) > 0.9, "it is not the photo in it"
    assert np.ptp(np.asarray(inner, float), axis=2).mean() > 40, "the colours are not back"


def framed(colour):
    def make(folder, files):
        picture = load(files[0])
        picture = picture if colour else picture.convert("L").convert("RGB")
        return Results((put(ImageOps.expand(picture, 12, "white"), folder / "album.jpg"),))

    return make


ANIMALS = {
    "Minka.jpg": "chelsea.jpg", "zoo_01.jpg": "cheetah1.jpg", "paris juni.jpg": "tower.jpg",
    "zoo_02.jpg": "lion.jpg", "zoo_03.jpg": "cheetah.jpg",
}  # fmt: skip


def collage_right(results, files):
    picture = load(only(got(results).pictures, "picture"))
    pictures = [load(path) for path in files]
    width, height = picture.size
    assert min(width, height) > 250, "it is too small"
    found = []
    for x in (0, 1):
        for y in (0, 1):
            part = picture.crop(
                (x * width // 2, y * height // 2, (x + 1) * width // 2, (y + 1) * height // 2)
            )
            part = part.crop(
                (part.width // 20, part.height // 20, part.width * 19 // 20, part.height * 19 // 20)
            )
            found.append(which(part, pictures)[0])
    assert sorted(found) == [0, 1, 3, 4], f"in the four places: {found}"


def collage(chosen):
    def make(folder, files):
        sheet = I.new("RGB", (820, 620), "white")
        for k, one in enumerate(chosen):
            place = (5 + k % 2 * 410, 5 + k // 2 * 310)
            sheet.paste(ImageOps.fit(load(files[one]), (400, 300)), place)
        return Results((put(sheet, folder / "collage.jpg"),))

    return make


def with_place(folder):
    exif = I.Exif()
    exif[272] = "Pixel 6"
    exif.get_ifd(0x8825).update({1: "N", 2: (48.0, 8.0, 14.3), 3: "E", 4: (11.0, 34.0, 30.5)})
    path = put(photo("rocket.jpg"), folder / "20240617_184412.jpg", exif=exif)
    assert I.open(path).getexif().get_ifd(0x8825)
    return [path]


def place_right(results, files):
    path = only(got(results).pictures, "picture")
    place = I.open(path).getexif().get_ifd(0x8825)
    assert not any(key in place for key in (2, 4)), "the place is still in it"
    assert load(path).size == load(files[0]).size, "the size was changed"
    assert alike(load(path), load(files[0])) > 0.97, "the picture was changed"


TAKEN = {
    "DSC_0009.JPG": ("coffee.jpg", "2024:07:14 18:20:00"),
    "IMG_2201.jpg": ("chelsea.jpg", "2023:12:24 17:05:10"),
    "P1010032.JPG": ("tower.jpg", "2024:07:12 21:44:31"),
    "foto oma.jpg": ("lion.jpg", "2022:05:01 11:00:00"),
}


def dated_ones(folder):
    return [dated(folder / name, photo(source), when) for name, (source, when) in TAKEN.items()]


def dates_right(results, files):
    paths = got(results).pictures
    assert len(paths) == 4, f"{len(paths)} photos instead of 4"

    def natural(path):
        parts = re.split(r"(\d+)", path.name.lower())
        return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in parts if part]

    pictures = [load(path) for path in files]
    for key in (natural, lambda path: path.name.lower()):
        order = [which(load(path), pictures)[0] for path in sorted(paths, key=key)]
        if order == [3, 1, 2, 0]:
            return
    raise AssertionError(f"by name the photos come in the order {order}")


def renamed(order):
    def make(folder, files):
        (folder / "out").mkdir(exist_ok=True)
        return Results(
            tuple(
                Path(shutil.copy(files[one], folder / "out" / f"{k:02d} {files[one].name}"))
                for k, one in enumerate(order, 1)
            )
        )

    return make


def sheets(folder):
    made = []
    for k, name in enumerate(("Jonas Berger", "Emilia Sommerfeld"), 1):
        sums = [f"{a + k} x {a * 2 + 3} = ______" for a in range(3, 15)]
        page = paper("Maths test 3", sums, HUES[k])
        letters(page, (590, 48), name, 22, anchor="ra")
        made.append(put(page, folder / f"worksheet{k}.png"))
    key = paper(
        "Answer key", [f"{a} x {a * 2 + 3} = {a * (2 * a + 3)}" for a in range(3, 15)], HUES[0]
    )
    return [made[0], put(key, folder / "answers.png"), made[1]]


def covered_right(results, files):
    paths = got(results).pictures
    sources = [load(path) for path in files]
    assert 2 <= len(paths) <= 3, f"{len(paths)} pictures instead of two"
    found = {}
    for path in paths:
        picture = load(path).resize((620, 877))
        found[int(np.argmax([alike(picture, one, 200) for one in sources]))] = picture
    for one in (0, 2):
        assert one in found, f"worksheet {one} is not there"
        after, before = (np.asarray(p.convert("L"), float) for p in (found[one], sources[one]))
        # the columns in which the name really stands
        ys, xs = np.nonzero(before[40:85, 380:600] < 128)
        name = np.s_[40 + ys.min() : 41 + ys.max(), 380 + xs.min() : 381 + xs.max()]
        for a, b in zip(
            *(np.array_split(part[name], 5, 1) for part in (after, before)), strict=True
        ):
            match = agreement(a.ravel(), b.ravel())
            assert a.std() < 25 or match < 0.4, f"the name on worksheet {one} can still be read"
        assert np.abs(after[150:] - before[150:]).mean() < 5, "the sums were changed"
        assert np.abs(after[:100, :330] - before[:100, :330]).mean() < 8, "the title was covered"


def covered(which_ones, box=(360, 35, 605, 90)):
    def make(folder, files):
        made = []
        for one in which_ones:
            picture = load(files[one])
            ImageDraw.Draw(picture).rectangle(box, fill="black")
            made.append(put(picture, folder / f"covered {files[one].name}"))
        return Results(tuple(made))

    return make


CLUB = {
    "Sommerfest 1.png": ("coffee.jpg", (1200, 800)),
    "IMG_0031.jpg": ("rocket.jpg", (1280, 854)),
}
CLUB["wanderung.jpg"] = ("grass.jpg", (1000, 1000))


def club_photos(folder):
    logo = I.new("RGBA", (240, 240), (0, 0, 0, 0))
    pen = ImageDraw.Draw(logo)
    pen.ellipse((5, 5, 235, 235), fill=(225, 0, 165, 255))
    pen.rectangle((80, 105, 160, 135), fill="white")
    made = [put(photo(source, size), folder / name) for name, (source, size) in CLUB.items()]
    return [made[0], put(logo, folder / "Logo.png"), *made[1:]]


def homepage_right(results, files):
    paths = got(results).pictures
    sources = [load(path) for path in (files[0], *files[2:])]
    assert len(paths) == 3, f"{len(paths)} pictures instead of 3"
    found = set()
    for path in paths:
        assert path.suffix.lower() in (".jpg", ".jpeg"), f"{path.name} is not a JPG"
        picture = load(path)
        assert picture.width == 800, f"{path.name} is {picture.width} wide"
        one, score = which(picture, sources)
        found.add(one)
        assert score > 0.85, f"{path.name} is none of the photos"
        source = sources[one]
        near(picture.height / 800, source.height / source.width, 0.01, "height by width")
        p = np.asarray(picture, int)
        ys, xs = np.nonzero(
            (p[..., 0] > 150) & (p[..., 1] < 90) & (p[..., 2] > 90) & (p[..., 2] < 230)
        )
        assert len(xs) > 120, f"no logo on {path.name}"
        x, y = np.median(xs) / 800, np.median(ys) / picture.height
        assert x > 0.7 and y > 0.65, f"the logo is at {x:.2f}, {y:.2f}"
        wide = np.percentile(xs, 99) - np.percentile(xs, 1)
        assert wide < 0.36 * 800, "the logo is not small"
    assert found == {0, 1, 2}, "a photo is missing"


def homepage(place):
    def make(folder, files):
        logo = I.open(files[1]).resize((110, 110))
        made = []
        for path in (files[0], *files[2:]):
            picture = load(path)
            picture = picture.resize((800, round(800 * picture.height / picture.width)))
            spot = (800 - 125, picture.height - 125) if place == "right" else (15, 15)
            picture.paste(logo, spot, logo)
            made.append(put(picture, folder / f"web_{path.stem}.jpg"))
        return Results(tuple(made))

    return make


def dark_ones(folder):
    made = []
    for name, source in (("IMG_0411.jpg", "coffee.jpg"), ("IMG_0412.jpg", "chelsea.jpg")):
        made.append(put(ImageEnhance.Brightness(photo(source)).enhance(0.28), folder / name))
    return made


def brightened_right(results, files):
    sources = [load(path) for path in files]
    found = {}
    for path in got(results).pictures:
        picture = load(path)
        found[which(picture, sources)[0]] = picture
    assert 1 in found, "0412 is not there"
    p, before = np.asarray(found[1], float), np.asarray(sources[1], float)
    assert alike(found[1], sources[1]) > 0.8, "it is not the same photo"
    near(found[1].width / found[1].height, 451 / 300, 0.02, "width by height")
    assert p.mean() > 1.4 * before.mean() and p.mean() > 50, "it is still dark"
    assert (p.min(2) > 250).mean() < 0.2, "it is burnt out"


def brightened(one):
    return lambda folder, files: Results(
        (put(ImageEnhance.Brightness(load(files[one])).enhance(2.6), folder / "bright.jpg"),)
    )


def print_photo(folder):
    return [put(photo("coffee.jpg", (1772, 1181)), folder / "DSCF4410.JPG", quality=80)]


def print_right(results, files):
    says(results, 15.0, 0.06, "the width in cm")
    says(results, 10.0, 0.06, "the height in cm")


# --- papers ---------------------------------------------------------------------------------------


def report_pages(folder):
    names = {3: "Scan 3.jpg", 1: "Scan 1.jpg", 0: "IMG_1188.jpg", 2: "Scan 2.jpg"}
    made = []
    for k, name in names.items():
        lines = [f"Report, page {k}", "Reading: very good", "Writing: good", "Sports: well tried"]
        page = paper(f"School report {k}", lines, HUES[k - 1]) if k else photo("chelsea.jpg")
        made.append(put(page, folder / name))
    return made


def report_right(results, files):
    pages = looks(only(got(results).of(".pdf"), "PDF"))
    assert len(pages) == 3, f"{len(pages)} pages instead of 3"
    order = [hue_of(page) for page in pages]
    assert order == [0, 1, 2], f"pages in the order {[k + 1 for k in order]}"


def bound(order):
    def make(folder, files):
        first, *rest = [load(files[one]) for one in order]
        first.save(folder / "report.pdf", save_all=True, append_images=rest)
        return Results((folder / "report.pdf",))

    return make


def crooked(folder):
    lines = ["Dear parents, on Friday the whole class goes", "to the farm. Please bring boots, a drink",
             "and something to eat. We are back at four", "o'clock. If your child cannot come along,",
             "call me before Thursday evening, please.", "We still look for two grown-ups who help",
             "with the tractor and the apple juice.", "", "Kind regards, A. Winter, class 2b"]  # fmt: skip
    page = paper("Trip to the farm", lines, size=(640, 880)).rotate(
        -4.5, I.BICUBIC, fillcolor=(255, 255, 255)
    )
    return [put(page, folder / "scan0007.jpg")]


def slant(picture):
    """By how many degrees lines of text are turned."""
    small = ImageOps.invert(
        picture.convert("L").resize((480, 480 * picture.height // picture.width))
    )
    ink = I.fromarray(((np.asarray(small) > 100) * 255).astype(np.uint8))
    scores = {}
    for angle in np.arange(-8, 8.1, 0.25):
        turned = np.asarray(ink.rotate(angle, I.BILINEAR), float)[30:-30, 30:-30]
        scores[-angle] = np.square(np.diff(turned.sum(1))).sum()
    return max(scores, key=scores.get)


def straight_right(results, files):
    pages = looks(only(got(results).of(".pdf"), "PDF"))
    assert len(pages) == 1, f"{len(pages)} pages"
    page = pages[0]
    assert page.height > page.width, "it lies on its side"
    assert abs(slant(page)) <= 0.8, f"it is still turned by {slant(page)} degrees"
    ink = np.asarray(page.convert("L")) < 128
    assert 0.005 < ink.mean() < 0.4, "the writing is not there"
    assert ink.sum(1).argmax() < 0.4 * page.height, "it is upside down"


def straightened(angle):
    def make(folder, files):
        load(files[0]).rotate(angle, I.BICUBIC, fillcolor="white").save(folder / "letter.pdf")
        return Results((folder / "letter.pdf",))

    return make


TASKS = ("Fractions", "The water cycle", "Adjectives", "Rivers of Europe", "Knights")


def exercises(folder):
    pages = [
        ([f"Exercise {k}: {task}", "Name: ____________", "Write in full sentences."], HUES[k - 1])
        for k, task in enumerate(TASKS, 1)
    ]
    return [pdf(folder / "Uebungen_Klasse4.pdf", pages)]


def exercises_right(results, files):
    pages = looks(only(got(results).of(".pdf"), "PDF"))
    order = [hue_of(page) + 1 for page in pages]
    assert order == [2, 4, 5], f"the pages are {order}"


def pages_of(*chosen):
    return lambda folder, files: Results((some_pages(files[0], folder / "print.pdf", chosen),))


def school_letters(folder):
    texts = {
        "letter_sept.pdf": ["New timetables are handed out on Monday.", "Photo day is the 19th."],
        "letter_oct.pdf": [
            "The autumn market needs helpers.",
            "The swimming lessons start on the 4th at two.",
        ],
        "letter_nov.pdf": [
            "Lantern walk at five, bring candles.",
            "The library is closed on Fridays.",
        ],
    }
    made = []
    for name, (one, two) in texts.items():
        head = ["Dear parents,", one, "Best wishes, the school"]
        made.append(pdf(folder / name, [(head, HUES[2]), (["Also:", two, "Thank you!"], HUES[2])]))
    return made


def letter_right(results, files):
    pdfs = [path for path in results.of(".pdf") if "swimming" in said(Results((path,)))]
    words = results.words
    assert len(pdfs) == len(results.of(".pdf")), "a letter about other things was handed over"
    assert pdfs or re.search(r"\boct", words.replace("_", " "), re.I), "the letter is not named"
    for piece in re.split(r"\n|(?<!pdf)(?<=[.;,])\s", words):
        if re.search(r"sept|nov", piece, re.I):
            denied = re.search(
                r"\b(no|not|none|nothing|neither|nor|0|without|doesn't|don't)\b", piece
            )
            assert denied, f"another letter is named: {piece}"


# --- sounds ---------------------------------------------------------------------------------------


def voice(name):
    samples, rate = soundfile.read(MEDIA / f"spoken-{name}.wav")
    count = int(len(samples) * RATE / rate)
    return np.interp(np.arange(count) * rate / RATE, np.arange(len(samples)), samples)


def sax():
    samples, rate = soundfile.read(MEDIA / "sax.wav")
    return samples[:: rate // RATE][: 16 * RATE]


def quiet_memo(folder):
    return [record(folder / "voice memo 7.m4a", 0.05 * voice("doctor"))]


def loud_right(results, files):
    path = only(got(results).sounds, "sound")
    assert path.suffix.lower() == ".mp3", f"{path.name} is not an MP3"
    after, before = heard(path), heard(files[0])
    near(len(after) / RATE, len(before) / RATE, 0.35, "length")
    assert rms(after) > 2.5 * rms(before), "it is not much louder"
    assert (np.abs(after) > 0.985).mean() < 0.01, "it is overdriven"
    assert same_sound(after, before) > 0.8, "it is not what was said"


def louder(factor):
    return lambda folder, files: Results((record(folder / "memo.mp3", factor * heard(files[0])),))


def solo_right(results, files):
    after, before = heard(only(got(results).sounds, "sound")), heard(files[0])
    near(len(after) / RATE, 6, 0.25, "length")
    part = before[4 * RATE : 10 * RATE]
    assert same_sound(after[: 3 * RATE], part[: 3 * RATE]) > 0.85, "it is another part"
    last = rms(after[len(after) - 2400 :]) / rms(part[-2400:])
    earlier = rms(after[2 * RATE : 3 * RATE]) / rms(part[2 * RATE : 3 * RATE])
    assert last < 0.3 * earlier, "it does not fade out"


def solo(start, fade):
    def make(folder, files):
        part = heard(files[0])[start * RATE : (start + 6) * RATE].copy()
        if fade:
            part[-2 * RATE :] *= np.linspace(1, 0, 2 * RATE)
        return Results((record(folder / "solo.wav", part),))

    return make


def memos(folder):
    return [
        record(folder / "Memo 3.wav", voice("lost")),
        record(folder / "Memo 1.wav", voice("train")),
        record(folder / "sax practice.wav", sax()[: 6 * RATE]),
        record(folder / "Memo 2.wav", voice("garden")),
    ]


def memos_right(results, files):
    whole = heard(only(got(results).sounds, "sound"))
    ends = None
    for one in (1, 3, 0):
        part = heard(files[one])
        start, score = where(part, whole)
        assert score > 0.6, f"{files[one].name} is not heard in it"
        if ends is not None:
            near(start - ends, 1.0, 0.35, "the pause")
        ends = start + len(part) / RATE
    assert where(heard(files[2])[RATE : 4 * RATE], whole)[1] < 0.5, "the saxophone is in it"
    total = sum(len(heard(files[one])) for one in (1, 3, 0)) / RATE + 2
    near(len(whole) / RATE, total, 0.8, "length")


def joined(order, pause=1.0):
    def make(folder, files):
        parts = []
        for one in order:
            parts += [heard(files[one]), np.zeros(int(pause * RATE))]
        return Results((record(folder / "all.mp3", np.concatenate(parts[:-1])),))

    return make


def two_sounds(folder):
    return [
        record(folder / "voice memo 1.m4a", voice("garden")),
        record(folder / "band practice.wav", sax()[: 13 * RATE]),
        record(folder / "voice memo 2.m4a", voice("meeting")),
    ]


def typed_right(results, files):
    words = said(results).lower()
    known = sum(word in words for word in ("report", "maria", "before", "meeting", "tuesday"))
    assert known >= 3, "what is said in memo 2 is not there"
    assert "tomato" not in words, "memo 1 was typed out too"
    says(results, 13, 0.15, "the length")


def hummed(folder):
    clean = voice("weather")
    hum = tone(len(clean) / RATE + 1, 50, 0.22)[: len(clean)]
    hum = hum + tone(len(clean) / RATE + 1, 100, 0.05)[: len(clean)]
    return [record(folder / "Opa erzaehlt.wav", 0.6 * clean + hum)]


def band(samples, low, high):
    power = np.abs(np.fft.rfft(samples)) ** 2
    pitches = np.fft.rfftfreq(len(samples), 1 / RATE)
    return float(power[(pitches > low) & (pitches < high)].sum() / len(samples) ** 2)


def hum_right(results, files):
    after, before = heard(only(got(results).sounds, "sound")), heard(files[0])
    near(len(after) / RATE, len(before) / RATE, 0.3, "length")
    voice_after, voice_before = (band(one, 250, 3000) for one in (after, before))
    assert voice_after > 1e-9, "there is only silence"
    left = band(after, 45, 55) / voice_after / (band(before, 45, 55) / voice_before)
    assert left < 0.06, f"{left:.0%} of the hum is left"
    left = band(after, 98, 102) / voice_after / (band(before, 98, 102) / voice_before)
    assert left < 0.3, "it still hums an octave higher"
    assert same_sound(after, voice("weather")) > 0.75, "the voice has suffered"


def unhummed(low):
    def make(folder, files):
        samples = heard(files[0])
        power = np.fft.rfft(samples)
        pitches = np.fft.rfftfreq(len(samples), 1 / RATE)
        power[pitches < 110 if low else pitches > 2500] = 0
        return Results((record(folder / "clean.wav", np.fft.irfft(power, len(samples))),))

    return make


# --- films ----------------------------------------------------------------------------------------


def dog_and_beach(folder):
    return [
        shoot(folder / "Bello.mp4", days_out(5, HUES[:6]), samples=tone(5)),
        shoot(
            folder / "MOV_0012.mp4", days_out(7, HUES[:7][::-1], (320, 240)), samples=tone(7, 200)
        ),
    ]


def two_films_right(results, files):
    results = got(results)
    picture, film = only(results.pictures, "picture"), only(results.videos, "film")
    assert hue_of(load(picture)) == 3, "the photo is from another moment"
    assert min(load(picture).size) >= 270, "the photo is small"
    frames, length = seen(film)
    near(length, 5, 0.35, "the film's length")
    for second in (0.2, 2, 4):
        wanted = hue_of(at(seen(files[1])[0], second))
        assert hue_of(at(frames, second)) == wanted, f"at second {second} it shows something else"
    assert rms(heard(film)) > 0.01, "the sound is gone"


def two_films(still, start):
    def make(folder, files):
        frames = [one for _, one in seen(files[1])[0]]
        film = frames[int(start * 15) : int(start * 15) + 75]
        return Results(
            (
                put(at(seen(files[0])[0], still), folder / "Bello.jpg"),
                shoot(folder / "beach.mp4", film, samples=tone(5, 200)),
            )
        )

    return make


SHOW = {"IMG_7001.jpg": "lion.jpg", "IMG_7002.jpg": "coffee.jpg", "IMG_7003.jpg": "tower.jpg",
        "IMG_7004.jpg": "chelsea.jpg"}  # fmt: skip


def show_files(folder):
    song = record(folder / "our song.mp3", sax()[int(0.8 * RATE) : 13 * RATE])
    return [*(put(photo(source), folder / name) for name, source in SHOW.items()), song]


def show_right(results, files):
    film = only(got(results).videos, "film")
    frames, length = seen(film)
    assert 6.3 <= length <= 9, f"it lasts {length:.1f} s, not 8"
    pictures = [load(path) for path in files[:4]]
    order = [which(at(frames, (k + 0.5) * length / 4), pictures)[0] for k in range(4)]
    assert order == [0, 1, 2, 3], f"the photos come in the order {order}"
    sound = heard(film)
    assert rms(sound) > 0.01, "there is no music"
    near(len(sound) / RATE, length, 1, "the music's length")
    assert same_sound(sound[: 5 * RATE], heard(files[4])[: 5 * RATE]) > 0.6, "it is other music"


def show(music):
    def make(folder, files):
        frames = []
        for path in files[:4]:
            frames += [ImageOps.pad(load(path), (480, 360), color="black")] * 20
        sound = heard(files[4])[: 8 * RATE] if music else None
        return Results((shoot(folder / "show.mp4", frames, fps=10, samples=sound),))

    return make


def snail(folder):
    return [shoot(folder / "schnecke.mp4", days_out(6, HUES[:7]), samples=tone(6))]


def fast_right(results, files):
    film = only(got(results).videos, "film")
    frames, length = seen(film)
    near(length, 1.5, 0.25, "length")
    assert rms(heard(film)) < 1e-3, "there is still sound"
    for share, hue in ((0.02, 0), (0.5, 3), (0.97, 6)):
        assert hue_of(at(frames, share * length)) == hue, "it does not show the whole film"


def faster(factor, sound=False):
    def make(folder, files):
        frames = [one for _, one in seen(files[0])[0]][::factor]
        samples = tone(len(frames) / 15) if sound else None
        return Results((shoot(folder / "fast.mp4", frames, samples=samples),))

    return make


def gif_right(results, files):
    path = only(got(results).of(".gif"), "GIF")
    picture = I.open(path)
    assert picture.width <= 320 and picture.width >= 100, f"it is {picture.width} wide"
    near(picture.width / picture.height, 480 / 270, 0.03, "width by height")
    frames, length = seen(path)
    assert len(frames) >= 8, "it hardly moves"
    near(length, 2, 0.35, "length")
    hues = [hue_of(at(frames, second)) for second in (0.1, 1.0, 1.8)]
    assert hues == [0, 1, 2], "it shows another part"


def gif(start, width=320):
    def make(folder, files):
        frames = [
            p.resize((width, width * 9 // 16))
            for t, p in seen(files[0])[0]
            if start <= t < start + 2
        ]
        first, *rest = frames[::2]
        path = folder / "cat.gif"
        first.save(path, save_all=True, append_images=rest, duration=133, loop=0)
        return Results((path,))

    return make


# --- lists ----------------------------------------------------------------------------------------

FIRST = (
    "Anna Ben Clara David Elif Finn Greta Hannes Ida Jakob Klara Leon Mila Noah Olga Paul".split()
)
LAST = "Abel Brandt Conrad Dietz Ebert Falk Gruber Hofer Iversen Jung Kern Lenz Moser Nolte".split()


def people(count, seed):
    every = [(first, last) for first in FIRST for last in LAST]
    return random.Random(seed).sample(every, count)


def fees(folder):
    rng = random.Random(4)
    lines = [("Name", "Joined", "Fee", "Paid")]
    for first, last in people(62, 1):
        fee, paid = rng.choice((24, 36, 60)), rng.choice(("yes", "yes", "yes", "no"))
        lines.append((f"{first} {last}", rng.randint(1988, 2024), fee, paid))
    return [table(folder / "Mitglieder.csv", lines)]


def owed(files, paid="no"):
    return sum(float(row[2]) for row in rows(files[0])[1:] if row[3] == paid)


def cards_list(folder):
    rng = random.Random(9)
    lines = [(f, n, f"{rng.choice(('Mill', 'Park', 'Church'))} Lane {rng.randint(1, 90)}", "Ely")
             for f, n in people(34, 2)]  # fmt: skip
    double = lines + rng.sample(lines, 6)
    rng.shuffle(double)
    return [
        table(
            folder / "christmas cards.xlsx",
            [("First name", "Last name", "Street", "Town"), *double],
        )
    ]


def cards_right(results, files):
    head, *lines = rows(only(got(results).of(".xlsx", ".csv", ".tsv"), "table"))
    wanted = {tuple(row) for row in rows(files[0])[1:]}
    assert any("last" in cell.lower() for cell in head), "the headings are gone"
    column = next(k for k, cell in enumerate(head) if "last" in cell.lower())
    assert len(lines) == len(wanted), f"{len(lines)} rows instead of {len(wanted)}"
    assert {frozenset(row) for row in lines} >= {frozenset(row) for row in wanted}, (
        "someone is missing"
    )
    names = [row[column] for row in lines]
    assert names == sorted(names), "it is not sorted by last name"


def cards(sort):
    def make(folder, files):
        head, *lines = rows(files[0])
        lines = list(dict.fromkeys(tuple(row) for row in lines))
        lines = sorted(lines, key=lambda row: row[1]) if sort else lines
        return Results((table(folder / "cards.xlsx", [head, *lines]),))

    return make


def two_years(folder):
    every = [f"{first} {last}" for first, last in people(46, 3)]
    old, new = every[:40], every[5:]
    random.Random(5).shuffle(old)
    random.Random(6).shuffle(new)
    cakes = [("Who", "Cake"), *((name, "apple") for name in every[2:12])]
    return [
        table(folder / "members_2025.csv", [("Member",), *((name,) for name in new)]),
        table(folder / "cakes.xlsx", cakes),
        table(folder / "members_2024.csv", [("Member",), *((name,) for name in old)]),
    ]


def left_right(results, files):
    new, old = ({row[0] for row in rows(files[k])[1:]} for k in (0, 2))
    words = said(got(results))
    for name in old - new:
        assert name in words or re.search(r"\b\W+".join(name.split()), words), f"{name} is missing"
    for name in old & new:
        assert name not in words, f"{name} is still a member"


def names_of(way):
    def make(folder, files):
        new, old = ({row[0] for row in rows(files[k])[1:]} for k in (0, 2))
        return Results((), "\n".join(sorted(way(new, old))))

    return make


SUBJECTS = {"Maths": 2.9, "English": 2.1, "Science": 3.4, "Art": 1.5}


def marks(folder):
    rng = random.Random(8)
    lines = [("Name", *SUBJECTS)]
    for first, last in people(24, 7):
        lines.append(
            (
                f"{first} {last}",
                *(min(6, max(1, round(rng.gauss(mid, 0.9)))) for mid in SUBJECTS.values()),
            )
        )
    return [table(folder / "noten 3b.csv", lines)]


def means(files):
    lines = rows(files[0])[1:]
    return [float(np.mean([float(row[k]) for row in lines])) for k in range(1, 5)]


def bars_right(results, files):
    results = got(results)
    pictures = [load(path) for path in results.pictures]
    pictures += [page for path in results.of(".pdf") for page in looks(path)]
    assert pictures, "there is no picture of a chart"
    wanted = np.sort(means(files))
    # once more with lines over the bars taken away
    for picture in [*pictures, *(one.filter(ImageFilter.MedianFilter(5)) for one in pictures)]:
        p = np.asarray(picture, int)
        size = p.shape[0] * p.shape[1]
        code = (p // 16 * np.array([256, 16, 1])).sum(2) + 1
        back = np.bincount(code.ravel()).argmax()
        pale = (p.min(2) > 225) | (code == back)
        boxes = [
            one.bbox
            for one in regionprops(label(np.where(pale, 0, code), background=0, connectivity=1))
            if one.area > 0.002 * size and one.area > 0.75 * one.area_bbox
        ]
        for base, low, high in ((2, 0, 2), (1, 1, 3)):  # standing, lying
            for one in boxes:
                group = [b for b in boxes if abs(b[base] - one[base]) <= 4]
                lengths = np.sort([b[high] - b[low] for b in group])
                if len(group) == 4 and agreement(lengths, wanted) > 0.98:
                    return
    raise AssertionError("no chart with four bars for the averages")


def bars(values_of):
    def make(folder, files):
        sheet = I.new("RGB", (640, 480), "white")
        for k, (name, value) in enumerate(zip(SUBJECTS, values_of(files), strict=True)):
            x = 60 + 140 * k
            ImageDraw.Draw(sheet).rectangle((x, 420 - 90 * value, x + 90, 420), fill=(60, 110, 190))
            letters(sheet, (x, 430), f"{name} {value:.2f}", 16)
        return Results((put(sheet, folder / "chart.png"),))

    return make


# --- jobs -----------------------------------------------------------------------------------------

JOBS: list[Job] = [
    Job(
        "recipe-card-sideways",
        "grandmas recipe card came out sideways from the scanner, the top of it is on the left. "
        "turn it so I can read it",
        lambda folder: [put(recipe_card().rotate(90, expand=True), folder / "Scan 12.jpg")],
        recipe_right,
        lambda folder, files: Results(
            (put(load(files[0]).rotate(-90, expand=True), folder / "card.jpg"),)
        ),
        lambda folder, files: Results(
            (put(load(files[0]).rotate(90, expand=True), folder / "card.jpg"),)
        ),
    ),
    Job(
        "report-pages-one-pdf",
        "Could you please put the three scans of the school report together in one PDF, in the right order (Scan 1, 2, 3)? "
        "The cat doesn't belong there, that one is for later.",
        report_pages,
        report_right,
        bound([1, 3, 0]),
        bound([0, 1, 3]),
    ),
    Job(
        "red-eyes",
        "the flash gave my daughter red eyes. can that be fixed?",
        lambda folder: [put(flashed(), folder / "P1040417.JPG")],
        eyes_right,
        eyes_done,
        lambda folder, files: Results(
            (put(load(files[0]).filter(ImageFilter.GaussianBlur(3)), folder / "x.jpg"),)
        ),
    ),
    Job(
        "under-100-kb",
        "The club website says my picture is too big, max 100 KB. Make it fit but not tiny please",
        lambda folder: [put(photo("hubble_deep_field.jpg"), folder / "IMG_5530.JPG", quality=96)],
        small_right,
        lambda folder, files: Results(
            (put(load(files[0]).resize((700, 610)), folder / "s.jpg", quality=60),)
        ),
        lambda folder, files: Results((put(load(files[0]).resize((110, 96)), folder / "s.jpg"),)),
    ),
    Job(
        "birthday-cat",
        (
            "write Happy Birthday Lotte! on the picture of the cat, somewhere at the bottom",
            "bigger, and the letters in yellow",
        ),
        lambda folder: [put(photo("chelsea.jpg", (900, 600)), folder / "Minka sofa.jpg")],
        yellow_right,
        yellow((255, 225, 0)),
        yellow("white"),
    ),
    Job(
        "quiet-memo-to-mp3",
        "My mother can hardly hear this voice memo, it's so quiet! Louder please, and as an mp3, "
        "her player doesn't take anything else.",
        quiet_memo,
        loud_right,
        louder(8),
        louder(1),
    ),
    Job(
        "solo-with-fade",
        "kurts solo: only from second 4 to second 10, and let it fade out slowly at the end",
        lambda folder: [record(folder / "Kurt probe 3.wav", sax())],
        solo_right,
        solo(4, True),
        solo(4, False),
    ),
    Job(
        "three-memos-in-a-row",
        "stick Memo 1, 2 and 3 together to one recording, always a second of silence inbetween. "
        "not the saxophone",
        memos,
        memos_right,
        joined([1, 3, 0]),
        joined([0, 1, 3]),
    ),
    Job(
        "still-and-shorter-film",
        "Two things: from the Bello film I'd like a photo, at second 3, to print it. And from the other film (the beach) "
        "please cut away the last 2 seconds, there you only see my finger.",
        dog_and_beach,
        two_films_right,
        two_films(3, 0),
        two_films(3, 2),
    ),
    Job(
        "slideshow-with-song",
        "a little film out of these photos for grandma's 80th, 2 seconds each one, with our song "
        "under it. the song can stop when the pictures are over",
        show_files,
        show_right,
        show(True),
        show(False),
    ),
    Job(
        "crooked-letter-to-pdf",
        "i scanned the letter crooked, sorry. straighten it and make a pdf of it that I can send "
        "the other parents",
        crooked,
        straight_right,
        straightened(4.5),
        straightened(0),
    ),
    Job(
        "unpaid-fees",
        (
            "how many people in my list havent paid there fee yet",
            "And how much money is that all together, that we still get?",
        ),
        fees,
        lambda results, files: says(results, owed(files), 0.01, "the sum"),
        lambda folder, files: Results((), f"Still to come: **{owed(files):,.2f}** in all."),
        lambda folder, files: Results((), f"{owed(files) + owed(files, 'yes'):.2f}"),
    ),
    Job(
        "christmas-card-list",
        "This is the address list for our Christmas cards. Some are in it twice, throw out the "
        "doubles and then sort it by last name",
        cards_list,
        cards_right,
        cards(True),
        cards(False),
    ),
    Job(
        "who-left-the-club",
        "Who was a member in 2024 but isn't any more in 2025? Just the names. (The cake list you "
        "can ignore)",
        two_years,
        left_right,
        names_of(lambda new, old: old - new),
        names_of(lambda new, old: new - old),
    ),
    Job(
        "marks-as-bars",
        (
            "average mark for each subject, please",
            "Nice. Can I have that as a bar chart? It's for the parents' evening",
        ),
        marks,
        bars_right,
        bars(means),
        bars(lambda files: [2.0, 2.1, 2.2, 4.4]),
    ),
    Job(
        "print-two-pages-and-one",
        (
            "I need only pages 2 and 4 from this to print for the kids",
            "oh and page 5 as well, all in one file",
        ),
        exercises,
        exercises_right,
        pages_of(2, 4, 5),
        pages_of(2, 4),
    ),
    Job(
        "which-letter-swimming",
        "in which of these letters is the thing about the swimming lessons?",
        school_letters,
        letter_right,
        answers("It is in **letter_oct.pdf**, on page 2."),
        answers("letter_sept.pdf, letter_nov.pdf"),
    ),
    Job(
        "swim-club-card",
        "need a passport style picture of her for the swim club card. 35 x 45 mm, head and "
        "shoulders",
        lambda folder: [put(photo("astronaut.jpg"), folder / "Eileen.jpg")],
        face_right,
        cropped((130, 0, 313, 235), (413, 531)),
        cropped((0, 0, 398, 512), (413, 531)),
    ),
    Job(
        "album-colours-back",
        (
            "black & white please and a thin white frame around it, it's for the album",
            "hmm no. the colours back, but keep the frame",
        ),
        lambda folder: [put(photo("tower.jpg"), folder / "Paris 014.jpg")],
        frame_right,
        framed(True),
        framed(False),
    ),
    Job(
        "four-animals-collage",
        "Make a collage of Minka and the three zoo photos: two on top, two below. Paris has "
        "nothing to do with it.",
        lambda folder: [put(photo(source), folder / name) for name, source in ANIMALS.items()],
        collage_right,
        collage([0, 1, 3, 4]),
        collage([0, 1, 2, 3]),
    ),
    Job(
        "no-location-online",
        (
            "does this photo have in it where it was taken?",
            "then take that out, I want to put it on the internet",
        ),
        with_place,
        place_right,
        lambda folder, files: Results((put(load(files[0]), folder / "clean.jpg"),)),
        lambda folder, files: Results(
            (put(load(files[0]), folder / "clean.jpg", exif=I.open(files[0]).getexif()),)
        ),
    ),
    Job(
        "photos-named-by-day",
        "photos from three different cameras. give them names so that they are in the order in "
        "which they were taken, oldest first",
        dated_ones,
        dates_right,
        renamed([3, 1, 2, 0]),
        renamed([0, 1, 2, 3]),
    ),
    Job(
        "snail-faster",
        (
            "the snail film is soooo slow, make it twice as fast",
            "still boring :) 4 times as fast as the original, and no sound",
        ),
        snail,
        fast_right,
        faster(4),
        faster(2, True),
    ),
    Job(
        "cat-film-gif",
        "Please make a gif of the first 2 seconds so I can send it in our family chat. Not wider "
        "than 320.",
        lambda folder: [shoot(folder / "VID_20240303.mp4", days_out(5, HUES[:6]))],
        gif_right,
        gif(0),
        gif(2.6),
    ),
    Job(
        "names-off-worksheets",
        "Before I show the two worksheets to my colleagues: black out the childs name top right "
        "on both. answers.png stays as it is",
        sheets,
        covered_right,
        covered([0, 2]),
        covered([0, 2], (480, 0, 620, 40)),
    ),
    Job(
        "memo-typed-and-length",
        "type up voice memo 2 for me please (only that one). and how many seconds is the band "
        "practice?",
        two_sounds,
        typed_right,
        answers(f"“{SPOKEN['meeting']}” The band practice lasts 13.0 s."),
        answers(f"“{SPOKEN['garden']}” The band practice lasts 13.0 s."),
    ),
    Job(
        "fridge-hum",
        "grandpa telling a story in the kitchen, but the fridge is humming all the time, a very "
        "low hum. can you get rid of it? you must still understand him",
        hummed,
        hum_right,
        unhummed(True),
        unhummed(False),
    ),
    Job(
        "how-big-can-i-print",
        (
            "how many pixels has this one",
            "and how big could I get it printed then, in cm? They say 300 dpi",
        ),
        print_photo,
        print_right,
        answers("At 300 dpi about 15 × 10 cm."),
        answers("1772 × 1181 pixels, 5.9 × 3.9 in"),
    ),
    Job(
        "homepage-with-logo",
        "The three photos are for our hiking club's homepage. They should be 800 wide, jpg, and "
        "have our logo in the bottom right corner, not too big",
        club_photos,
        homepage_right,
        homepage("right"),
        homepage("left"),
    ),
    Job(
        "same-for-the-other",
        (
            "IMG_0411 is much too dark, we only had candles. can you lighten it up",
            "good! same with 0412",
        ),
        dark_ones,
        brightened_right,
        brightened(1),
        brightened(0),
    ),
]
