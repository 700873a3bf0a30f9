"""Jobs of people who run a shop, a restaurant, a craft, a rental flat, or sell things online."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import av
import numpy as np
import openpyxl
import pypdf
import pypdfium2
import soundfile
from PIL import Image, ImageDraw, ImageFont, ImageOps

from benchmarks.jobs.job import Job, Results
from benchmarks.jobs.media import MEDIA, SPOKEN

# --- makers -----------------------------------------------------------------------------------


def photo(name: str, size: tuple[int, int] | None = None) -> Image.Image:
    picture = Image.open(MEDIA / name).convert("RGB")
    return ImageOps.fit(picture, size) if size else picture


def saved(picture: Image.Image, path: Path, **how: Any) -> Path:
    picture.save(path, **how)
    return path


def text(path: Path, content: str, encoding: str = "utf-8") -> Path:
    path.write_bytes(content.encode(encoding))
    return path


def table(path: Path, rows: Iterable[Sequence[Any]], by: str = ",", encoding: str = "utf-8") -> Path:
    out = io.StringIO()
    csv.writer(out, delimiter=by, lineterminator="\n").writerows(rows)
    return text(path, out.getvalue(), encoding)


def font(size: float) -> Any:
    try:
        return ImageFont.truetype("DejaVuSans.ttf", size)
    except OSError:
        return ImageFont.load_default(size)


def logo(colour: str = "#d0108c") -> Image.Image:
    """A filled disc on nothing."""
    picture = Image.new("RGBA", (200, 200), (0, 0, 0, 0))
    ImageDraw.Draw(picture).ellipse((10, 10, 190, 190), fill=colour)
    return picture


Line = tuple[float, float, float, str]


def pdf(path: Path, pages: list[list[Line]]) -> Path:
    """A4 pages of lines (x, y from the top, size, text) in Helvetica."""
    kids = " ".join(f"{4 + 2 * i} 0 R" for i in range(len(pages)))
    parts = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        f"<</Type/Pages/Count {len(pages)}/Kids[{kids}]>>".encode(),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
    ]
    for i, lines in enumerate(pages):
        body = b""
        for x, y, size, words in lines:
            escaped = re.sub(r"([()\\])", r"\\\1", words).encode("cp1252")
            body += f"BT /F {size} Tf {x} {842 - y} Td (".encode() + escaped + b") Tj ET\n"
        parts.append(
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents {5 + 2 * i} 0 R"
            "/Resources<</Font<</F 3 0 R>>>>>>".encode()
        )
        parts.append(f"<</Length {len(body)}>>stream\n".encode() + body + b"endstream")
    out, places = b"%PDF-1.4\n", []
    for i, part in enumerate(parts):
        places.append(len(out))
        out += f"{i + 1} 0 obj".encode() + part + b"endobj\n"
    start = len(out)
    out += f"xref\n0 {len(parts) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(f"{place:010} 00000 n \n".encode() for place in places)
    out += f"trailer<</Size {len(parts) + 1}/Root 1 0 R>>\nstartxref\n{start}\n%%EOF".encode()
    path.write_bytes(out)
    return path


def lines(*words: str, size: float = 12, top: float = 80, left: float = 60) -> list[Line]:
    return [(left, top + 1.7 * size * i, size, line) for i, line in enumerate(words)]


def write_sound(path: Path, samples: np.ndarray, rate: int) -> Path:
    if path.suffix != ".m4a":
        soundfile.write(path, samples, rate)
        return path
    with av.open(str(path), "w") as out:
        _add_sound(out, out.add_stream("aac", rate=rate, layout="mono"), samples, rate)
    return path


def _add_sound(out: Any, stream: Any, samples: np.ndarray, rate: int) -> None:
    for at in range(0, len(samples), 1024):
        piece = np.ascontiguousarray(samples[None, at : at + 1024].astype(np.float32))
        frame = av.AudioFrame.from_ndarray(piece, "fltp", "mono")
        frame.sample_rate, frame.pts, frame.time_base = rate, at, Fraction(1, rate)
        out.mux(stream.encode(frame))
    out.mux(stream.encode(None))


def write_film(
    path: Path, frames: Iterable[Image.Image], fps: int = 25, samples: np.ndarray | None = None
) -> Path:
    """A film of pictures, with the sound at 44.1 kHz."""
    frames = list(frames)
    with av.open(str(path), "w") as out:
        stream = out.add_stream("libx264", rate=fps)
        stream.width, stream.height = frames[0].size
        stream.pix_fmt = "yuv420p"
        heard = None if samples is None else out.add_stream("aac", rate=44100, layout="mono")
        for frame in frames:
            out.mux(stream.encode(av.VideoFrame.from_image(frame)))
        out.mux(stream.encode(None))
        if heard is not None:
            _add_sound(out, heard, samples, 44100)
    return path


def tone(seconds: float, pitch: float = 330) -> np.ndarray:
    return 0.2 * np.sin(2 * np.pi * pitch * np.arange(int(44100 * seconds)) / 44100)


# --- what came --------------------------------------------------------------------------------


def pixels(picture: Image.Image, size: tuple[int, int] | None = None) -> np.ndarray:
    if picture.mode in ("RGBA", "LA", "P"):
        picture = picture.convert("RGBA")
        picture = Image.alpha_composite(Image.new("RGBA", picture.size, "white"), picture)
    picture = picture.convert("RGB")
    return np.asarray(picture.resize(size, Image.Resampling.BOX) if size else picture, float)


def alike(one: Image.Image, other: Image.Image, side: int = 40) -> float:
    """How much two pictures correlate, seen small."""
    a, b = pixels(one, (side, side)).ravel(), pixels(other, (side, side)).ravel()
    return float(np.corrcoef(a, b)[0, 1]) if a.std() > 1 and b.std() > 1 else 0.0


def opened(path: Path) -> Image.Image:
    with Image.open(path) as picture:
        picture.load()
        return ImageOps.exif_transpose(picture)


def pictures(results: Results, least: int = 1) -> list[Image.Image]:
    found = results.pictures
    assert len(found) >= least, f"{len(found)} pictures came, not {least}"
    return [opened(path) for path in found]


def only(paths: list[Path], what: str) -> Path:
    assert paths, f"no {what} came"
    return paths[-1]


def drawn(path: Path, scale: float = 1) -> list[Image.Image]:
    """The pages of a PDF as pictures."""
    document = pypdfium2.PdfDocument(path)
    try:
        return [page.render(scale=scale).to_pil().convert("RGB") for page in document]
    finally:
        document.close()


def page_texts(path: Path) -> list[str]:
    return [page.extract_text() or "" for page in pypdf.PdfReader(path).pages]


def heard(path: Path, rate: int = 16000) -> np.ndarray:
    resampler = av.AudioResampler("fltp", "mono", rate)
    pieces: list[np.ndarray] = []
    with av.open(str(path)) as file:
        if not file.streams.audio:
            return np.zeros(0)
        for frame in file.decode(audio=0):
            pieces += [one.to_ndarray()[0] for one in resampler.resample(frame)]
    pieces += [one.to_ndarray()[0] for one in resampler.resample(None)]
    return np.concatenate(pieces) if pieces else np.zeros(0)


def seen(path: Path) -> tuple[tuple[int, int], float, list[tuple[float, Image.Image]]]:
    """A film's size, seconds, and pictures with their times, at most 320 pixels wide or high."""
    shots = []
    with av.open(str(path)) as file:
        stream = file.streams.video[0]
        size = (stream.codec_context.width, stream.codec_context.height)
        factor = min(1, 320 / max(size))
        small = [max(2, round(side * factor / 2) * 2) for side in size]
        for frame in file.decode(video=0):
            picture = frame.reformat(width=small[0], height=small[1], format="rgb24").to_image()
            shots.append((float(frame.time or 0), picture))
        rate = float(stream.average_rate or 25)
    times = [time for time, _ in shots]
    return size, max(times) - min(times) + 1 / rate, shots


def shot_at(shots: list[tuple[float, Image.Image]], time: float) -> Image.Image:
    return min(shots, key=lambda shot: abs(shot[0] - time))[1]


def spectrum(samples: np.ndarray) -> np.ndarray:
    """The mean energies of bands, 16 kHz in, as a unit vector."""
    count = len(samples) // 1024
    bands = np.abs(np.fft.rfft(samples[: count * 1024].reshape(count, 1024) * np.hanning(1024)))
    found = np.sqrt(bands.mean(0)[:400].reshape(100, 4).mean(1))
    return found / (np.linalg.norm(found) + 1e-9)


def level(samples: np.ndarray) -> float:
    return float(np.sqrt(np.mean(np.square(samples)))) if len(samples) else 0.0


def same_music(one: np.ndarray, other: np.ndarray) -> float:
    """How much the course of two sounds correlates, in bands, within 0.3 s of each other; 16 kHz in."""

    def course(samples: np.ndarray) -> np.ndarray:
        count = len(samples) // 512
        bands = np.abs(np.fft.rfft(samples[: count * 512].reshape(count, 512) * np.hanning(512)))
        found = np.log(bands[:, :128].reshape(count, 32, 4).mean(2) + 1e-3 * bands.max())
        return found - found.mean(0)

    best = 0.0
    for lag in range(-4800, 4801, 320):
        a, b = one[max(0, lag) :], other[max(0, -lag) :]
        count = min(len(a), len(b))
        best = max(best, float(np.corrcoef(course(a[:count]).ravel(), course(b[:count]).ravel())[0, 1]))
    return best


_NUMBER = re.compile(r"\d{1,3}(?:[.,' \u00a0\u202f]\d{3})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,]\d+)?")


def numbers(words: str) -> set[float]:
    """Every number that can be read in words, as 1,234.50, 1234.5 or 1 234,50."""
    found: set[float] = set()
    for version in (words, words.replace(",", " , "), re.sub(r"[ \u00a0\u202f]", "  ", words)):
        for token in _NUMBER.findall(version):
            bare = re.sub(r"[' \u00a0\u202f]", "", token)
            last = max(bare.rfind("."), bare.rfind(","))
            found.add(float(re.sub(r"[.,]", "", bare[:last]) + "." + bare[last + 1 :]) if last > 0 else float(bare))
            if last > 0 and len(bare) - last == 4:
                found.add(float(re.sub(r"[.,]", "", bare)))
    return found


def grids(results: Results) -> list[list[list[str]]]:
    """Every table that came, in files or else in the answer, as cells of text."""
    found = []
    for path in results.of(".csv", ".tsv"):
        raw = path.read_bytes()
        try:
            content = raw.decode("utf-8-sig")
        except UnicodeDecodeError:
            content = raw.decode("cp1252")
        by = max(";\t,", key=lambda mark: (content.split("\n")[0].count(mark), mark == ";"))
        found.append([row for row in csv.reader(io.StringIO(content), delimiter=by) if row])
    for path in results.of(".xlsx"):
        for sheet in openpyxl.load_workbook(path, data_only=True):
            found.append([["" if c is None else str(c) for c in row] for row in sheet.values])
    if not found:
        rows = re.findall(r"^\s*\|(.+)\|\s*$", results.answer, re.M)
        found.append([[cell.strip(" *") for cell in row.split("|")] for row in rows])
    return found


def has(row: list[str], value: float) -> bool:
    return any(abs(n - value) < 0.006 for cell in row for n in numbers(cell))


def row_of(grid: list[list[str]], key: str) -> list[str]:
    for row in grid:
        if any(key.lower() == cell.strip().lower() for cell in row):
            return row
    raise AssertionError(f"no row of {key}")


def everything(results: Results) -> str:
    """Words and cells."""
    return results.words + "\n" + "\n".join(" | ".join(row) for grid in grids(results) for row in grid)


def says(results: Results, *values: float, by: float = 0.006) -> None:
    found = numbers(everything(results))
    for value in values:
        assert any(abs(number - value) <= by for number in found), f"{value} isn't said"


def fits(results: Results, judge: Any) -> None:
    """One of the tables that came is right."""
    faults = []
    for grid in grids(results):
        try:
            return judge(grid)
        except AssertionError as fault:
            faults.append(str(fault))
    raise AssertionError("; ".join(faults) or "no table came")


def near(picture: np.ndarray, colour: Sequence[float], by: float = 60) -> np.ndarray:
    return np.abs(picture - np.asarray(colour, float)).max(-1) < by


def say(*words: str) -> Any:
    """A result of words alone."""
    return lambda place, files: Results((), "\n".join(words))


# --- photos -----------------------------------------------------------------------------------


def ware(path: Path, size: tuple[int, int], ground: str, colour: str, kind: str = "bowl") -> Path:
    picture = Image.new("RGB", size, ground)
    w, h = size
    draw = ImageDraw.Draw(picture)
    if kind == "vase":
        draw.polygon([(w * 0.4, h * 0.1), (w * 0.6, h * 0.1), (w * 0.75, h * 0.9), (w * 0.25, h * 0.9)], fill=colour)
    else:
        draw.pieslice((w * 0.1, -h * 0.4, w * 0.9, h * 0.85), 0, 180, fill=colour)
    draw.rectangle((0, h * 0.9, w, h), fill="#5b4636")
    return saved(picture, path, quality=93)


def square_files(place: Path) -> list[Path]:
    return [
        saved(photo("coffee.jpg"), place / "IMG_2034.jpg"),
        saved(photo("tower.jpg"), place / "IMG_2035.jpg"),
        ware(place / "bowl blue (1).jpg", (500, 300), "#c9b79a", "#2a4fa0"),
    ]


def square_right(results: Results, files: list[Path]) -> None:
    came = pictures(results, 3)
    for path in files:
        whole, found = opened(path), False
        for picture in came:
            w, h = picture.size
            factor = w / max(whole.size)
            gap_x, gap_y = round((w - whole.width * factor) / 2), round((h - whole.height * factor) / 2)
            if abs(w - h) > 2 or min(gap_x, gap_y) < -1:
                continue
            middle = picture.crop((gap_x, gap_y, w - gap_x, h - gap_y))
            sides = pixels(picture)
            strips = sides[: gap_y - 3] if gap_y > gap_x else sides[:, : gap_x - 3]
            others = sides[h - gap_y + 3 :] if gap_y > gap_x else sides[:, w - gap_x + 3 :]
            found |= alike(middle, whole) > 0.95 and min(strips.mean(), others.mean()) > 248
        assert found, f"{path.name} isn't there whole, square, on white"


def square_made(place: Path, files: list[Path], cut: bool = False) -> Results:
    made = []
    for path in files:
        way = ImageOps.fit if cut else partial(ImageOps.pad, color="white")
        made.append(saved(way(opened(path), (600, 600)), place / f"{path.stem}-sq.jpg"))
    return Results(tuple(made))


def cutout_right(results: Results, files: list[Path]) -> None:
    picture = pictures(results)[-1]
    assert picture.size == (1000, 1000), f"size {picture.size}"
    seen_ = pixels(picture)
    white = seen_.min(-1) > 243
    for corner in (white[:120, :120], white[:120, -120:], white[-120:, :120], white[-120:, -120:]):
        assert corner.mean() > 0.9, "a corner isn't white"
    assert 0.2 < white.mean() < 0.95, f"{white.mean():.0%} are white"
    ys, xs = (np.nonzero((~white).mean(axis) > 0.01)[0] for axis in (1, 0))
    box = white[ys[0] : ys[-1] + 1, xs[0] : xs[-1] + 1]
    a, b = (max(1, side * 6 // 100) for side in box.shape)
    bare = [part.mean() > 0.7 for part in (box[:a, :b], box[:a, -b:], box[-a:, :b], box[-a:, -b:])]
    assert sum(bare) >= 3, "the table is still there"
    red = (seen_[..., 0] > 90) & (seen_[..., 1] < 75) & (seen_[..., 2] < 60)
    assert red.mean() > 0.03, "the saucer is gone"
    coffee = near(seen_, (200, 140, 90), 45)
    assert coffee.mean() > 0.005, "the coffee is gone"


def cutout_made(place: Path, files: list[Path], ground: bool = False) -> Results:
    whole = opened(files[0])
    mask = Image.new("L", whole.size, 0)
    ImageDraw.Draw(mask).ellipse((75, 15, 485, 388), fill=255)
    alone = whole if ground else Image.composite(whole, Image.new("RGB", whole.size, "white"), mask)
    return Results((saved(ImageOps.pad(alone, (1000, 1000), color="white"), place / "free.jpg"),))


def brighter_right(results: Results, files: list[Path]) -> None:
    before, after = opened(files[0]), pictures(results)[-1]
    assert after.size == before.size, "another size"
    a, b = pixels(before), pixels(after)
    assert b.mean() > a.mean() + 10, "not brighter"
    assert (b.max(-1) - b.min(-1)).mean() > 0.7 * (a.max(-1) - a.min(-1)).mean(), "the colours are gone"
    assert alike(before, after) > 0.85 and (b.min(-1) > 250).mean() < 0.3, "spoilt"


def brighter_made(place: Path, files: list[Path], grey: bool = False) -> Results:
    picture = opened(files[0]).point(lambda v: min(255, round(v * 1.5)))
    picture = picture.convert("L").convert("RGB") if grey else picture
    return Results((saved(picture, place / "out.jpg"),))


def small_files(place: Path) -> list[Path]:
    big = photo("stereo_motorcycle.jpg", (741, 494)).resize((2100, 1400))
    grain = np.random.default_rng(4).normal(0, 7, (1400, 2100, 1))
    big = Image.fromarray(np.clip(pixels(big) + grain, 0, 255).astype(np.uint8))
    return [
        saved(big, place / "Garage 1.jpg", quality=95),
        saved(photo("rocket.jpg").resize((1100, 1650)), place / "balcony.jpeg", quality=100),
        saved(photo("tower.jpg"), place / "view_evening.png"),
    ]


def small_right(results: Results, files: list[Path]) -> None:
    came = pictures(results, 3)
    for path in results.pictures:
        assert path.stat().st_size <= 150 * 1024, f"{path.name} is too big"
    for path in files:
        best = max(came, key=lambda picture: alike(picture, opened(path)))
        assert alike(best, opened(path)) > 0.95, f"{path.name} is missing"
        w, h = opened(path).size
        assert abs(best.width / best.height - w / h) < 0.02, f"{path.name} is out of shape"
        assert (700 if max(w, h) > 1000 else 550) <= max(best.size) <= 1000, f"{path.name} is {best.size}"


def small_made(place: Path, files: list[Path], side: int = 1000) -> Results:
    made = []
    for path in files:
        picture = opened(path).convert("RGB")
        picture.thumbnail((side, side))
        quality = 60
        made.append(saved(picture, place / f"small-{path.stem}.jpg", quality=quality))
    return Results(tuple(made))


def pair_files(place: Path) -> list[Path]:
    return [
        saved(photo("stereo_motorcycle.jpg", (720, 480)), place / "after.jpg"),
        saved(photo("tower.jpg", (375, 250)), place / "before.jpg"),
        saved(logo(), place / "logo_final2.png"),
    ]


def pair_right(results: Results, files: list[Path]) -> None:
    picture = pictures(results)[-1]
    w, h = picture.size
    assert 2.85 < w / h < 3.25, f"size {picture.size}"
    for box, path in (((0, 0, w // 2, h), files[1]), ((w - w // 2, 0, w, h), files[0])):
        assert alike(picture.crop(box), opened(path)) > 0.75, f"{path.name} isn't where it should be"
    found = near(pixels(picture), (208, 16, 140), 45)
    assert 0.001 < found.mean() < 0.15, "no logo, or a big one"
    ys, xs = np.nonzero(found)
    assert np.median(xs) > 0.8 * w and np.median(ys) > 0.55 * h, "the logo isn't in the corner"


def pair_made(place: Path, files: list[Path], turned: bool = False) -> Results:
    after, before = (opened(path).resize((600, 400)) for path in files[:2])
    both = Image.new("RGB", (1200, 400))
    both.paste(after if turned else before, (0, 0))
    both.paste(before if turned else after, (600, 0))
    mark = opened(files[2]).resize((70, 70))
    both.paste(mark, (1120, 320), mark)
    return Results((saved(both, place / "both.jpg", quality=95),))


def price_right(results: Results, files: list[Path]) -> None:
    before, after = opened(files[0]), pictures(results)[-1]
    assert after.size == before.size, "another size"
    a, b = pixels(before), pixels(after)
    h = len(a)
    assert np.abs(a[: h * 2 // 5] - b[: h * 2 // 5]).mean() < 6, "the upper part is changed"
    yellow = (b[..., 0] > 190) & (b[..., 1] > 160) & (b[..., 2] < 110) & (np.abs(a - b).max(-1) > 40)
    assert yellow.mean() > 0.004, "no yellow words"
    ys, xs = np.nonzero(yellow)
    assert np.ptp(ys) > 0.09 * h and np.ptp(xs) > 0.2 * a.shape[1], "small words"
    assert np.median(ys) > 0.55 * h, "not at the bottom"
    white = (b.min(-1) > 225) & (a.min(-1) < 130)
    edge = round(0.03 * h)
    white[max(0, ys.min() - edge) : ys.max() + edge, max(0, xs.min() - edge) : xs.max() + edge] = False
    assert white.mean() < 0.0005, "the old words are still there"


def price_made(place: Path, files: list[Path], colour: str = "yellow", size: int = 90) -> Results:
    picture = opened(files[0])
    ImageDraw.Draw(picture).text((300, 390), "24,50 €", fill=colour, font=font(size), anchor="mb")
    return Results((saved(picture, place / "price.jpg", quality=95),))


def frame_right(results: Results, files: list[Path]) -> None:
    bowl = opened(files[1])
    for picture in pictures(results):
        w, h = picture.size
        seen_ = pixels(picture)
        edges = [seen_[0], seen_[-1], seen_[:, 0], seen_[:, -1]]
        if not 795 <= w <= 900 or max(edge.mean() for edge in edges) > 60:
            continue
        dark = seen_[h // 3, :, :].max(-1) < 60
        thick = int(np.argmin(dark))
        inner = picture.crop((thick, thick, w - thick, h - thick))
        if thick <= 45 and abs(inner.width / inner.height - bowl.width / bowl.height) < 0.08 and alike(inner, bowl) > 0.9:
            return
    raise AssertionError("no bowl 800 wide with a thin black frame")


def frame_made(place: Path, files: list[Path], which: int = 1) -> Results:
    picture = opened(files[which])
    picture = picture.resize((800, round(800 * picture.height / picture.width)))
    return Results((saved(ImageOps.expand(picture, 6, "black"), place / "framed.jpg"),))


# --- logos, labels, codes -----------------------------------------------------------------------


def logos_right(results: Results, files: list[Path]) -> None:
    came = {picture.size: picture.convert("RGBA") for picture in pictures(results, 2)}
    whole = opened(files[0])
    for side in (512, 32):
        assert (side, side) in came, f"none is {side} by {side}"
        alpha = np.asarray(came[side, side])[..., 3]
        assert alpha[0, 0] < 20 and alpha[-1, -1] < 20, "the ground isn't see-through"
        assert alpha[side // 2, side // 2] > 240, "the middle is see-through"
        assert alike(came[side, side], whole, 16) > 0.9, "not the logo"


def logos_made(place: Path, files: list[Path], flat: bool = False) -> Results:
    made = []
    for side in (512, 32):
        picture = opened(files[0]).convert("RGBA").resize((side, side))
        if flat:
            picture = Image.alpha_composite(Image.new("RGBA", picture.size, "white"), picture)
        made.append(saved(picture, place / f"logo-{side}.png"))
    return Results(tuple(made))


def house(place: Path) -> list[Path]:
    picture = Image.new("RGB", (500, 400), "white")
    draw = ImageDraw.Draw(picture)
    draw.polygon([(250, 40), (460, 200), (40, 200)], fill="#1b5e3b")
    draw.rectangle((90, 200, 410, 360), fill="#e2a72e")
    return [saved(picture, place / "Logo neu.png")]


def colours_right(results: Results, files: list[Path]) -> None:
    found = [tuple(bytes.fromhex(code)) for code in re.findall(r"\b([0-9a-fA-F]{6})\b", results.words)]
    triples = re.findall(r"(\d{1,3})\s*[,;/ ]\s*(\d{1,3})\s*[,;/ ]\s*(\d{1,3})", results.words)
    found += [tuple(map(int, triple)) for triple in triples]
    for colour in ((0x1B, 0x5E, 0x3B), (0xE2, 0xA7, 0x2E)):
        assert any(max(abs(a - b) for a, b in zip(one, colour)) <= 6 for one in found), f"no {colour}"


def read_code(picture: Image.Image) -> str:
    import cv2

    grey = ImageOps.expand(Image.fromarray(pixels(picture).astype(np.uint8)).convert("L"), 40, 255)
    for side in (400, 600, 300, 900):
        small = np.asarray(ImageOps.contain(grey, (side, side)))
        for image in (small, np.where(small > 128, 255, 0).astype(np.uint8)):
            words = cv2.QRCodeDetector().detectAndDecode(image)[0]
            if words:
                return words
    return ""


def wifi_right(results: Results, files: list[Path]) -> None:
    picture = pictures(results)[-1]
    words = read_code(picture)
    assert words.startswith("WIFI:"), f"the code says {words!r}"
    assert "S:Seeblick-Gast;" in words and "P:moewe2024!;" in words, f"the code says {words!r}"
    assert min(picture.size) >= 1200, f"size {picture.size}"
    seen_ = pixels(picture)
    r, g, b = seen_[seen_.sum(-1) < 400].mean(0)
    assert g > r + 20 and g > b + 10 and g < 190, "not dark green"


def wifi_made(place: Path, files: list[Path], dark: str = "#0b5a1e", side: int = 40) -> Results:
    import segno

    path = place / "wlan.png"
    segno.make_qr("WIFI:T:WPA;S:Seeblick-Gast;P:moewe2024!;;").save(path, scale=side, dark=dark)
    return Results((path,))


def box_files(place: Path) -> list[Path]:
    import segno

    digits = "4006381333931"
    odd = "0001101 0011001 0010011 0111101 0100011 0110001 0101111 0111011 0110111 0001011".split()
    turned = {"0": "1", "1": "0"}
    right = ["".join(turned[bit] for bit in code) for code in odd]
    even = [code[::-1] for code in right]
    first = "LGLLGG"  # of a 4
    bits = "101" + "".join((odd if k == "L" else even)[int(d)] for k, d in zip(first, digits[1:7]))
    bits += "01010" + "".join(right[int(d)] for d in digits[7:]) + "101"
    label = Image.new("RGB", (480, 300), "white")
    draw = ImageDraw.Draw(label)
    for i, bit in enumerate(bits):
        if bit == "1":
            draw.rectangle((50 + 4 * i, 60, 53 + 4 * i, 220), fill="black")
    draw.rectangle((50, 232, 425, 262), fill="#b9b4aa")
    draw.text((50, 20), "Keep dry", fill="black", font=font(24))
    code = io.BytesIO()
    segno.make_qr("LOT-7731-B").save(code, kind="png", scale=7)
    both = []
    for sticker, name in ((label, "carton 1.jpg"), (Image.open(code).convert("RGB"), "carton 2.jpg")):
        whole = Image.new("RGB", (640, 480), "#b08d5e")
        whole.paste(sticker, ((640 - sticker.width) // 2, (480 - sticker.height) // 2))
        both.append(saved(whole, place / name, quality=92))
    return both


def box_right(results: Results, files: list[Path]) -> None:
    words = re.sub(r"[\s\u00a0]", "", results.words)
    assert "4006381333931" in words, "not the bar code's number"
    assert "LOT-7731-B" in words, "not the other code's words"


def jam(place: Path) -> list[Path]:
    label = Image.new("RGB", (360, 240), "white")
    draw = ImageDraw.Draw(label)
    draw.rectangle((2, 2, 357, 237), outline="#888888", width=3)
    draw.ellipse((110, 20, 250, 160), fill="#d01818")
    draw.text((180, 215), "Strawberry 2024", fill="black", font=font(30), anchor="ms")
    return [saved(label, place / "label jam.png")]


def sheet_right(results: Results, files: list[Path]) -> None:
    from scipy import ndimage

    documents = results.of(".pdf")
    pages = drawn(documents[-1], 1.5) if documents else pictures(results)[-1:]
    assert len(pages) == 1, f"{len(pages)} pages"
    w, h = pages[0].size
    assert abs(max(w, h) / min(w, h) - 2**0.5) < 0.02, "not A4"
    if documents:
        assert abs(max(w, h) / 1.5 - 842) < 5, "not A4"
    page = ImageOps.contain(pages[0], (1300, 1300))
    marks, count = ndimage.label(near(pixels(page), (208, 24, 24), 60))
    sizes = np.bincount(marks.ravel())[1:]
    sizes = sizes[sizes > 100]
    assert len(sizes) == 12, f"{len(sizes)} labels"
    assert sizes.max() < 1.2 * sizes.min(), "of different sizes"
    for box in ndimage.find_objects(marks):
        tall, wide = (side.stop - side.start for side in box)
        assert tall * wide < 100 or 0.9 < tall / wide < 1.11, "out of shape"


def sheet_made(place: Path, files: list[Path], rows: int = 4) -> Results:
    page = Image.new("RGB", (1240, 1754), "white")
    for i in range(3 * rows):
        page.paste(opened(files[0]), (60 + 380 * (i % 3), 60 + 260 * (i // 3)))
    return Results((saved(page, place / "sheet.pdf", resolution=150),))


# --- documents ----------------------------------------------------------------------------------


def invoice(path: Path, number: str, net: float, title: str = "INVOICE") -> Path:
    money = "{:,.2f} EUR".format
    vat = round(net * 0.19, 2)
    rows = [
        *lines(f"{title} {number}", size=20),
        *lines("Bauer Wholesale, Hafenstr. 4", "Goods as ordered", top=140),
        *lines("Net", "VAT 19 %", "Total to pay", top=400),
        *lines(money(net), money(vat), money(net + vat), top=400, left=300),
    ]
    return pdf(path, [rows])


def bill_files(place: Path) -> list[Path]:
    return [
        invoice(place / "RE-2024-118.pdf", "RE-2024-118", 210),
        pdf(
            place / "delivery note 118.pdf",
            [lines("DELIVERY NOTE 118", "Value of goods 249.90 EUR", "Cartons: 3", size=16)],
        ),
        invoice(place / "RE-2024-131.pdf", "RE-2024-131", 997),
        invoice(place / "scan0007.pdf", "RE-2024-140", 81),
    ]


def bind_files(place: Path) -> list[Path]:
    return [
        pdf(place / "terms.pdf", [lines("Terms and conditions"), lines("Returns within 14 days")]),
        pdf(place / "prices 2025 DRAFT.pdf", [lines("Price list - draft", "Candle 9.00")]),
        pdf(place / "cover.pdf", [lines("Wachs & Docht - Candles", size=30)]),
        pdf(place / "prices 2025.pdf", [lines("Our candles", "Candle 9.50"), lines("Our soaps", "Soap 4.20")]),
    ]


def bind_right(results: Results, files: list[Path]) -> None:
    texts = page_texts(only(results.of(".pdf"), "PDF"))
    wanted = ["Wachs", "Our candles", "Our soaps", "Terms", "Returns"]
    assert len(texts) == 5, f"{len(texts)} pages"
    for words, page in zip(wanted, texts):
        assert words in page, f"{words!r} isn't where it should be"


def bind_made(place: Path, files: list[Path], order: Sequence[int] = (2, 3, 0)) -> Results:
    writer = pypdf.PdfWriter()
    for i in order:
        writer.append(str(files[i]))
    writer.write(str(place / "all.pdf"))
    return Results((place / "all.pdf",))


_BARS = ((200, 30, 30), (30, 140, 40), (30, 50, 190))


def receipt(path: Path, bar: tuple[int, int, int], total: str, turned: bool = False) -> Path:
    picture = Image.new("RGB", (420, 620), "#fdfdfd")
    draw = ImageDraw.Draw(picture)
    draw.rectangle((30, 30, 390, 90), fill=bar)
    for i, words in enumerate(["Bread flour 25 kg", "Yeast", "Paper bags", "", f"TOTAL {total}"]):
        draw.text((40, 160 + 80 * i), words, fill="black", font=font(34))
    return saved(picture.rotate(180) if turned else picture, path, quality=92)


def receipt_files(place: Path) -> list[Path]:
    return [
        receipt(place / "IMG_0417.jpg", _BARS[0], "41.20"),
        receipt(place / "IMG_0418.jpg", _BARS[1], "17.75", turned=True),
        saved(photo("chelsea.jpg"), place / "IMG_0419 cat.jpg"),
        receipt(place / "IMG_0420.jpg", _BARS[2], "63.00"),
    ]


def receipt_right(results: Results, files: list[Path]) -> None:
    pages = drawn(only(results.of(".pdf"), "PDF"))
    assert len(pages) == 3, f"{len(pages)} pages"
    for i, (page, colour) in enumerate(zip(pages, _BARS)):
        seen_ = pixels(page)
        bar = np.nonzero(near(seen_, colour, 50))
        ink = np.nonzero(seen_.max(-1) < 100)
        assert len(bar[0]) > 0.005 * seen_[..., 0].size, f"page {i + 1} is another one"
        assert len(ink[0]) and bar[0].mean() < ink[0].mean(), f"page {i + 1} is upside down"
        assert np.ptp(bar[1]) > 2 * np.ptp(bar[0]), f"page {i + 1} lies on its side"


def receipt_made(place: Path, files: list[Path], turn: int = 180) -> Results:
    pages = [opened(files[i]) for i in (0, 1, 3)]
    pages[1] = pages[1].rotate(turn)
    pages[0].save(place / "receipts.pdf", save_all=True, append_images=pages[1:])
    return Results((place / "receipts.pdf",))


def iban_file(place: Path) -> list[Path]:
    rows = [
        *lines("Invoice 2024-077", size=22),
        *lines("Tiling of bathroom, 14 square metres", "Material and travel", top=200),
        *lines("Amount due: 1,840.00 EUR", size=14, top=330),
        (60, 700, 11, "IBAN"),
        (120, 700, 11, "DE12 5001 0517 0648 4898 90"),
        (60, 720, 11, "Ofenbau Krause, Lindenweg 3"),
    ]
    return [pdf(place / "Invoice 2024-077.pdf", [rows])]


def iban_right(results: Results, files: list[Path]) -> None:
    documents = results.of(".pdf")
    if documents:
        texts = re.sub(r"\s", "", "".join(page_texts(documents[-1])))
        assert "0517064848" not in texts, "the number can still be copied"
        page = drawn(documents[-1])[0]
    else:
        page = pictures(results)[-1]
    assert abs(page.height / page.width - 842 / 595) < 0.03, "another shape"
    before = pixels(drawn(files[0])[0]).mean(-1)
    after = pixels(page, (595, 842)).mean(-1)
    old, new = before[690:704, 124:262], after[690:704, 124:262]
    assert abs(new[old < 128].mean() - new[old > 200].mean()) < 40, "the number can still be seen"
    for part in (slice(50, 110), slice(315, 335), slice(185, 240)):
        match = np.corrcoef(before[part].ravel(), after[part].ravel())[0, 1]
        assert match > 0.6, "other lines are changed"


def iban_made(place: Path, files: list[Path], box: Sequence[int] = (110, 685, 290, 706), flat: bool = True) -> Results:
    page = drawn(files[0], 2)[0]
    ImageDraw.Draw(page).rectangle([2 * side for side in box], fill="black")
    return Results((saved(page, place / "out.pdf", resolution=144),))


_WARES = [
    (f"K{101 + i}", name, unit, price)
    for i, (name, unit, price) in enumerate(
        [("Mug large", "piece", 18.5), ("Mug small", "piece", 14.0), ("Plate flat", "piece", 22.9),
         ("Plate deep", "piece", 24.9), ("Teapot", "piece", 64.0), ("Sugar bowl", "piece", 19.8),
         ("Butter dish", "piece", 36.5), ("Egg cups", "set of 4", 28.0), ("Espresso cups", "set of 6", 72.6),
         ("Flower pot", "piece", 31.2), ("Garden bowl", "piece", 1149.0), ("Tile blue", "square metre", 89.7),
         ("Tile green", "square metre", 92.4), ("Candle holder", "pair", 26.0)]
    )
]  # fmt: skip


def list_file(place: Path) -> list[Path]:
    pages = []
    for start in (0, 8):
        page = [*lines("Price list pottery", size=18)]
        page += [(x, 130, 11, head) for x, head in zip((60, 130, 300, 440), ("No.", "Article", "Unit", "Price EUR"))]
        for i, (code, name, unit, price) in enumerate(_WARES[start : start + 8]):
            cells = (code, name, unit, f"{price:,.2f}")
            page += [(x, 155 + 22 * i, 11, cell) for x, cell in zip((60, 130, 300, 440), cells)]
        pages.append(page)
    return [pdf(place / "pottery_prices.pdf", pages)]


def list_right(results: Results, files: list[Path]) -> None:
    assert results.of(".xlsx", ".csv", ".tsv"), "no table came"
    # a table a page is all right, too
    grid = [row for one in grids(results) for row in one]
    for code, name, _unit, price in _WARES:
        row = row_of(grid, code)
        assert any(name in cell for cell in row) and has(row, price), f"{code} is wrong"


def list_made(place: Path, files: list[Path], count: int = 14) -> Results:
    book = openpyxl.Workbook()
    for row in [("No.", "Article", "Unit", "Price EUR"), *_WARES[:count]]:
        book.active.append(row)
    book.save(place / "prices.xlsx")
    return Results((place / "prices.xlsx",))


_HOURS = ["Opening hours", "Monday to Friday 9-18", "Saturday 9-13", "Sunday closed"]


def door_right(results: Results, files: list[Path]) -> None:
    path = only(results.of(".pdf"), "PDF")
    pages = drawn(path)
    assert len(pages) == 1, f"{len(pages)} pages"
    assert abs(pages[0].width - 595) < 6 and abs(pages[0].height - 842) < 6, "not A4 upright"
    words = re.sub(r"\s+", "", "".join(page_texts(path))).lower()
    words = re.sub(r"[–—−‐‑]", "-", words)
    ink = np.nonzero(pixels(pages[0]).std(-1) + np.abs(pixels(pages[0]).mean(-1) - np.median(pixels(pages[0]))) > 60)
    assert len(ink[0]), "nothing on it"
    assert np.ptp(ink[1]) > 0.42 * 595, "small letters"
    if words:
        for part in ("openinghours", "monday", "friday", "9-18", "saturday", "9-13", "sunday", "closed"):
            assert part in words, f"{part!r} is missing"


def door_made(place: Path, files: list[Path], size: float = 40, count: int = 4) -> Results:
    return Results((pdf(place / "door.pdf", [lines(*_HOURS[:count], size=size, top=200)]),))


# --- tables and texts ---------------------------------------------------------------------------

_BAKERY = [
    ("1001", "Brötchen", 0.45), ("1002", "Käsekuchen Stück", 3.2), ("1003", "Roggenbrot 1 kg", 4.9),
    ("1004", "Nussecke", 2.7), ("1005", "Apfelküchle", 2.4), ("1006", "Baguette", 2.95),
    ("1007", "Hochzeitstorte", 188.0), ("1008", "Zwiebelkuchen", 3.85), ("1009", "Brezel", 1.1),
    ("1010", "Süßer Zopf", 6.8),
]  # fmt: skip


def comma(price: float) -> str:
    return f"{price:.2f}".replace(".", ",")


def raise_file(place: Path) -> list[Path]:
    rows = [("Art.-Nr.", "Bezeichnung", "MwSt", "Preis"), *((c, n, "7", comma(p)) for c, n, p in _BAKERY)]
    return [table(place / "Preisliste_2024.csv", rows, ";", "cp1252")]


def raise_right(results: Results, files: list[Path]) -> None:
    def judge(grid: list[list[str]]) -> None:
        for code, name, price in _BAKERY:
            row = row_of(grid, code)
            assert name in [cell.strip() for cell in row], f"{name} is spoilt"
            assert has(row, round(price * 1.05, 1)), f"{name} has another price"
            assert has(row, 7), "the tax is changed"

    assert results.of(".csv", ".xlsx"), "no table came"
    fits(results, judge)


def raise_made(place: Path, files: list[Path], digits: int = 1) -> Results:
    rows = [("Art.-Nr.", "Bezeichnung", "MwSt", "Preis")]
    rows += [(c, n, "7", comma(round(p * 1.05 + 1e-9, digits))) for c, n, p in _BAKERY]
    return Results((table(place / "neu.csv", rows, ";"),))


_DEBTS = [
    ("Ahrens", 2024031, "2024-03-02", 320.0, "yes"), ("Bielefeld KG", 2024032, "2024-03-05", 1280.5, "no"),
    ("Cordes", 2024033, "2024-03-07", 75.9, "yes"), ("Demir", 2024034, "2024-03-11", 96.0, "no"),
    ("Eggers", 2024035, "2024-03-12", 2410.0, "yes"), ("Fischer", 2024036, "2024-03-20", 412.3, "no"),
    ("Gruber", 2024037, "2024-03-21", 58.0, "yes"), ("Hoffmann", 2024038, "2024-04-02", 1733.2, "no"),
    ("Ivanova", 2024039, "2024-04-04", 240.0, "yes"), ("Jansen", 2024040, "2024-04-09", 149.9, "no"),
]  # fmt: skip


def debts_file(place: Path) -> list[Path]:
    return [table(place / "invoices_spring.csv", [("customer", "invoice", "date", "amount", "paid"), *_DEBTS])]


def debts_right(results: Results, files: list[Path]) -> None:
    assert results.of(".csv"), "no CSV came"
    names = [row[0] for row in _DEBTS]
    wanted = [row[0] for row in sorted(_DEBTS, key=lambda row: -row[3]) if row[4] == "no"]

    def judge(grid: list[list[str]]) -> None:
        found = [cell for row in grid for cell in row if cell in names]
        assert found == wanted, f"{found} instead of {wanted}"
        for name, _, _, amount, _ in _DEBTS:
            assert name not in wanted or has(row_of(grid, name), amount), f"{name}'s amount is wrong"

    fits(results, judge)


def debts_made(place: Path, files: list[Path], sign: int = -1) -> Results:
    rows = sorted((row for row in _DEBTS if row[4] == "no"), key=lambda row: sign * row[3])
    return Results((table(place / "open.csv", [("customer", "invoice", "date", "amount", "paid"), *rows]),))


_MAILS = ["anna.krug@post.example", "b_lehmann@web.example", "info@cafe-mokka.example", "o.yilmaz+shop@mail.example",
          "tina@tinas-laden.co.example"]  # fmt: skip


def mail_files(place: Path) -> list[Path]:
    june = f"""From: Anna Krug <{_MAILS[0]}>
Subject: vase
Hello, is the blue vase still there? You can also write to my husband, {_MAILS[1]}. Regards, Anna

From: "Café Mokka" <{_MAILS[2]}>
Subject: 40 cups
We would like to order 40 cups @ 12 EUR each.
"""
    july = f"""From: {_MAILS[3]}
Hi, my parcel did not come. Onur ({_MAILS[3]})

From: Tina <{_MAILS[4]}>
Cc: {_MAILS[0].replace("anna", "Anna")}
Do you take part in the market again?
"""
    return [text(place / "mails june.txt", june), text(place / "mails july.txt", july)]


def mail_right(results: Results, files: list[Path]) -> None:
    texts = [results.answer, *(p.read_text("utf-8", "replace") for p in results.of(".txt", ".csv", ".md"))]
    texts += ["\n".join(" ".join(row) for row in grid) for grid in grids(results)]
    for words in texts:
        found = [one.lower().rstrip(".") for one in re.findall(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+", words)]
        if sorted(found) == sorted(_MAILS) and max(line.count("@") for line in words.split("\n")) == 1:
            return
    raise AssertionError("not each address once, one per line")


_OLD = [("Meier", "meier@a.example", "Ulm"), ("Kaya", "s.kaya@b.example", "Bonn"), ("Lund", "lund@c.example", "Kiel"),
        ("Petit", "j.petit@d.example", "Trier"), ("Novak", "novak@e.example", "Gera"),
        ("Olsen", "olsen@f.example", "Husum")]  # fmt: skip
_NEW = [("Weber", "weber@g.example", "Celle"), ("Kaya", "S.Kaya@b.example", "Bonn"), ("Rossi", "rossi@h.example", "Fulda"),
        ("Novak", "novak@e.example", "Gera"), ("Meier", "p.meier@i.example", "Jena")]  # fmt: skip


def guest_files(place: Path) -> list[Path]:
    head = ("name", "email", "town")
    return [
        table(place / "customers_old.csv", [head, *_OLD]),
        table(place / "prices.csv", [("article", "price"), ("Soap", 4.2), ("Candle", 9.5)]),
        table(place / "customers_new.csv", [head, *_NEW]),
    ]


def guest_right(results: Results, files: list[Path]) -> None:
    wanted = sorted({row[1].lower() for row in _OLD + _NEW})

    def judge(grid: list[list[str]]) -> None:
        found = sorted(cell.strip().lower() for row in grid for cell in row if "@" in cell)
        assert found == wanted, f"{len(found)} addresses, not {len(wanted)}"
        assert not any("Soap" in row for row in grid), "the prices are in it"
        for name, mail, _town in _OLD[:1] + _NEW[-1:]:
            assert name in row_of(grid, mail), f"{mail} has another name"

    assert results.of(".csv", ".xlsx", ".tsv"), "no table came"
    fits(results, judge)


def guest_made(place: Path, files: list[Path], once: bool = True) -> Results:
    rows = {row[1].lower() if once else i: row for i, row in enumerate(_OLD + _NEW)}
    return Results((table(place / "all.csv", [("name", "email", "town"), *rows.values()]),))


_ORDERS = [(501, "K104", 6), (502, "K101", 12), (503, "K111", 2), (504, "K109", 3), (505, "K112", 8), (506, "K102", 5)]


def order_files(place: Path) -> list[Path]:
    prices = [("article", "name", "price"), *((code, name, price) for code, name, _, price in _WARES)]
    book = openpyxl.Workbook()
    for row in prices:
        book.active.append(row)
    book.save(place / "prices 2024.xlsx")
    return [
        table(place / "orders_week_23.csv", [("order", "article", "pieces"), *_ORDERS]),
        place / "prices 2024.xlsx",
        text(place / "notes.txt", "Call the kiln man. Glaze is nearly empty.\n"),
    ]


def _amounts() -> list[float]:
    prices = {code: price for code, _, _, price in _WARES}
    return [round(count * prices[code], 2) for _, code, count in _ORDERS]


def order_right(results: Results, files: list[Path]) -> None:
    said = everything(results).split("\n")
    for (order, *_), amount in zip(_ORDERS, _amounts()):
        of = [line for line in said if re.search(rf"\b{order}\b", line)]
        assert has(of, amount), f"order {order} is wrong"
    says(results, round(sum(_amounts()), 2))


def order_made(place: Path, files: list[Path], all_of: bool = True) -> Results:
    amounts = _amounts() if all_of else [price * 1.0 for _, _, _, price in _WARES]
    rows = [(*order, f"{amount:.2f}") for order, amount in zip(_ORDERS, amounts)]
    return Results((table(place / "amounts.csv", [("order", "article", "pieces", "amount"), *rows]),), f"Total: {sum(_amounts()):,.2f}")


_JARS = [("Honey 500 g", 6.2), ("Jam plum", 3.9), ("Chutney", 4.75), ("Apple juice 1 l", 2.6), ("Walnuts 250 g", 5.4)]


def jar_file(place: Path) -> list[Path]:
    book = openpyxl.Workbook()
    for row in [("article", "net price"), *_JARS]:
        book.active.append(row)
    book.save(place / "farm shop.xlsx")
    return [place / "farm shop.xlsx"]


# --- sounds and films ---------------------------------------------------------------------------


def voice_files(place: Path) -> list[Path]:
    made = []
    for name, key in (("message 1.m4a", "meeting"), ("message 2.wav", "lost")):
        samples, rate = soundfile.read(MEDIA / f"spoken-{key}.wav")
        made.append(write_sound(place / name, samples if samples.ndim == 1 else samples.mean(1), rate))
    return made


def voice_right(results: Results, files: list[Path]) -> None:
    words = set(re.findall(r"[a-z]+", results.words.lower()))
    for key in ("meeting", "lost"):
        wanted = [one for one in re.findall(r"[a-z]+", SPOKEN[key].lower()) if len(one) > 3]
        share = sum(one in words for one in wanted) / len(wanted)
        assert share >= 0.7, f"{share:.0%} of the words of {key}"


def quiet_file(place: Path) -> list[Path]:
    samples, rate = soundfile.read(MEDIA / "spoken-garden.wav")
    samples = samples / np.abs(samples).max() * 0.03
    return [write_sound(place / "voice memo 7.wav", samples, rate)]


def loud_right(results: Results, files: list[Path]) -> None:
    path = only(results.of(".mp3"), "mp3")
    before, after = heard(files[0]), heard(path)
    assert abs(len(after) - len(before)) < 0.3 * 16000, "another length"
    assert level(after) > 5 * level(before), "hardly louder"
    assert (np.abs(after) > 0.985).mean() < 0.002, "it crackles"
    assert spectrum(before) @ spectrum(after) > 0.93, "it sounds different"


def loud_made(place: Path, files: list[Path], factor: float = 28) -> Results:
    samples, rate = soundfile.read(files[0])
    return Results((write_sound(place / "loud.mp3", np.clip(samples * factor, -1, 1), rate),))


def kitchen(place: Path) -> list[Path]:
    frames = []
    for i in range(100):
        frame = Image.new("RGB", (640, 360), "#207a30")
        draw = ImageDraw.Draw(frame)
        draw.rectangle((0, 0, 205, 360), fill="#c02020")
        draw.rectangle((435, 0, 640, 360), fill="#2030c0")
        y = 180 + 80 * np.sin(i / 12)
        draw.ellipse((260, y - 60, 380, y + 60), fill="white")
        frames.append(frame)
    return [write_film(place / "MVI_0032.mp4", frames, 25, tone(4))]


def upright_right(results: Results, files: list[Path]) -> None:
    path = only(results.videos, "film")
    (w, h), seconds, shots = seen(path)
    assert abs(w / h - 9 / 16) < 0.012, f"size {w} by {h}"
    assert abs(seconds - 4) < 0.3, f"{seconds:.1f} s long"
    assert level(heard(path)) < 1e-3, "there is sound"
    shot = pixels(shot_at(shots, 2))
    assert near(shot, (0x20, 0x7A, 0x30), 45).mean() > 0.5, "the middle isn't all there is"
    assert near(shot, (0, 0, 0), 30).mean() < 0.02, "there are bars"
    ys, xs = np.nonzero(shot.min(-1) > 200)
    assert len(ys) and 0.88 < np.ptp(xs) / np.ptp(ys) < 1.13, "out of shape"


def upright_made(place: Path, files: list[Path], cut: bool = True) -> Results:
    shots = [frame for _, frame in seen(files[0])[2]]
    way = ImageOps.fit if cut else ImageOps.pad
    return Results((write_film(place / "story.mp4", [way(shot, (360, 640)) for shot in shots]),))


def earth_frames(start: int = 0) -> list[Image.Image]:
    with av.open(str(MEDIA / "b.mp4")) as file:
        return [frame.to_image() for i, frame in enumerate(file.decode(video=0)) if i >= start]


def music_files(place: Path) -> list[Path]:
    samples, rate = soundfile.read(MEDIA / "spoken-recipe.wav")
    made = [write_sound(place / "voice memo 2.m4a", samples, rate), place / "earth_loop.mp4", place / "sax_full.wav"]
    made[1].write_bytes((MEDIA / "muted_b.mp4").read_bytes())
    made[2].write_bytes((MEDIA / "sax.wav").read_bytes())
    return made


def music_right(results: Results, files: list[Path]) -> None:
    path = only(results.videos, "film")
    _, seconds, shots = seen(path)
    assert abs(seconds - 5) < 0.35, f"{seconds:.1f} s long"
    assert alike(shot_at(shots, 2), seen_at_two(files[1])) > 0.9, "another film"
    sound = heard(path)
    assert 4.4 < len(sound) / 16000 < 5.5, "the sound is of another length"
    plain = heard(files[2])
    assert level(sound[:48000]) > 0.003 and same_music(sound[:48000], plain[:48000]) > 0.6, "not the sax"
    fade = level(sound[int(4.75 * 16000) : 5 * 16000]) / level(sound[16000:48000])
    usual = level(plain[int(4.75 * 16000) : 5 * 16000]) / level(plain[16000:48000])
    assert fade < max(0.6 * usual, 0.02), "it doesn't fade"


def seen_at_two(path: Path) -> Image.Image:
    return shot_at(seen(path)[2], 2)


def music_made(place: Path, files: list[Path], which: int = 2) -> Results:
    samples = heard(files[which], 44100)[: 5 * 44100]
    samples = np.pad(samples, (0, 5 * 44100 - len(samples))).astype(float)
    samples[-66150:] *= np.linspace(1, 0, 66150)
    return Results((write_film(place / "film.mp4", earth_frames(), 30, samples),))


def clip_files(place: Path) -> list[Path]:
    path = place / "VID_20240612_101500.mp4"
    path.write_bytes((MEDIA / "b.mp4").read_bytes())
    return [path]


def clip_right(results: Results, files: list[Path]) -> None:
    words = results.words.lower()
    assert "three" in words or any(abs(number - 3) < 0.11 for number in numbers(words)), "not 3 s"
    assert not any(abs(number - 5) < 0.05 for number in numbers(words)) or "from" in words or "was" in words, "5 s"


_CAKES = [("cheese cake.jpg", (500, 380), "#e8d27a"), ("plum cake.jpg", (360, 480), "#6a2a7a"), ("lemon.png", (400, 400), "#30a060")]


def cake_files(place: Path) -> list[Path]:
    made = [saved(logo(), place / "Logo.png")]
    for name, size, colour in _CAKES:
        picture = Image.new("RGB", size, "#dddddd")
        ImageDraw.Draw(picture).ellipse((30, 30, size[0] - 30, size[1] - 30), fill=colour)
        made.append(saved(picture, place / name))
    return made


def cake_right(results: Results, files: list[Path]) -> None:
    (w, h), seconds, shots = seen(only(results.videos, "film"))
    assert w == h, f"size {w} by {h}"
    assert 7.4 < seconds < 8.7, f"{seconds:.1f} s long"
    found = []
    for time in (1, 3, 5, 7):
        shot = pixels(shot_at(shots, time))
        side = len(shot)
        found.append(shot[side * 9 // 20 : side * 11 // 20, side * 9 // 20 : side * 11 // 20].mean((0, 1)))
    wanted = [tuple(bytes.fromhex(colour[1:])) for _, _, colour in _CAKES]
    for colour in wanted:
        assert any(np.abs(one - colour).max() < 35 for one in found[:3]), "a cake is missing"
    assert np.abs(found[3] - (208, 16, 140)).max() < 35, "the logo isn't at the end"


def cake_made(place: Path, files: list[Path], order: Sequence[int] = (1, 2, 3, 0)) -> Results:
    stills = []
    for i in order:
        still = Image.fromarray(pixels(opened(files[i])).astype(np.uint8))
        stills += [ImageOps.pad(still, (480, 480), color="white")] * 50
    return Results((write_film(place / "insta.mp4", stills),))


# --- the jobs -----------------------------------------------------------------------------------

JOBS: list[Job] = [
    Job(
        "square-on-white",
        "The marketplace takes square pictures only. Please fill these three up with white so that nothing of them is cut away.",
        square_files, square_right, square_made, partial(square_made, cut=True),
    ),
    Job(
        "cup-for-webshop",
        "need the cup without the table behind it, on plain white, 1000x1000 for the webshop",
        lambda p: [saved(photo("coffee.jpg"), p / "IMG_5521.JPG", quality=93)],
        cutout_right, cutout_made, partial(cutout_made, ground=True),
    ),
    Job(
        "brighter-not-grey",
        ("make this black and white", "hmm no, take that back. keep the colours, its just too dark so make it brighter instead"),
        lambda p: [saved(photo("tower.jpg").point(lambda v: v // 2), p / "view from the flat.jpg", quality=92)],
        brighter_right, brighter_made, partial(brighter_made, grey=True),
    ),
    Job(
        "small-for-the-portal",
        "the holiday flat portal keeps refusing my pics. they want max 150 kb per photo and max 1000 pixel on the long side, "
        "but dont shrink them more than needed ok?",
        small_files, small_right, small_made, partial(small_made, side=300),
    ),
    Job(
        "before-and-after",
        "Before and after next to each other in one picture please, before on the left, both the same height. And our logo small "
        "in the bottom right corner.",
        pair_files, pair_right, pair_made, partial(pair_made, turned=True),
    ),
    Job(
        "price-on-photo",
        ("write 24,50 € on the photo, at the bottom", "cant read that on the phone! much bigger, and in yellow"),
        lambda p: [ware(p / "bowl_big.jpg", (600, 400), "#7d8a94", "#8f2f2a")],
        price_right, price_made, partial(price_made, colour="white", size=20),
    ),
    Job(
        "same-frame-again",
        ("I'd like the vase 800 pixels wide and with a thin black frame all round", "very nice. now the same with the other one"),
        lambda p: [
            ware(p / "vase.jpg", (600, 500), "#d9d2c5", "#8a3b2a", "vase"),
            ware(p / "bowl green.jpg", (1000, 640), "#b9c9d5", "#2a8a4a"),
        ],
        frame_right, frame_made, partial(frame_made, which=0),
    ),
    Job(
        "logo-two-sizes",
        "our logo in two sizes: 512 x 512 for google and 32x32 for the little picture in the browser tab. the background has to "
        "stay see-through!!",
        lambda p: [saved(Image.open(MEDIA / "hf-logo_transpng.png").convert("RGBA"), p / "logo_round.png")],
        logos_right, logos_made, partial(logos_made, flat=True),
    ),
    Job(
        "logo-colours",
        "The printing shop asks for the exact colour codes of our logo (it's two colours on white). What are they?",
        house, colours_right, say("They are `#1B5E3B` (green) and `#E2A72E` (gold)."), say("They are #000000 and #FFFFFF."),
    ),
    Job(
        "guest-wifi-code",
        (
            "make me one of those square codes that guests can scan to get into the wlan. name is Seeblick-Gast and the password moewe2024!",
            "works :) now dark green instead of black and larger, at least 1200 pixels, i want to have it printed",
        ),
        lambda p: [], wifi_right, wifi_made, partial(wifi_made, dark="black", side=10),
    ),
    Job(
        "codes-on-cartons",
        "two cartons arrived and the scanner is broken. what do the codes on them say? the number under the bars got scratched off",
        box_files, box_right, say("carton 1: 4 006381 333931", "carton 2: LOT-7731-B"),
        say("carton 1: 4006381333931", "carton 2: no code found"),
    ),
    Job(
        "twelve-jam-labels",
        "12 of this label on one A4 page for printing, all equally big",
        jam, sheet_right, sheet_made, partial(sheet_made, rows=3),
    ),
    Job(
        "three-invoices-total",
        "how much do i have to transfer to Bauer alltogether for the three invoices? incl. tax of course. the delivery note "
        "does not count",
        bill_files, lambda r, f: says(r, 1532.72), say("Altogether **1,532.72 EUR**."), say("Altogether 1288.00 EUR."),
    ),
    Job(
        "catalogue-in-order",
        "make one pdf out of it: first the cover, then the prices, terms at the very end. Not the draft",
        bind_files, bind_right, bind_made, partial(bind_made, order=(0, 1, 2, 3)),
    ),
    Job(
        "receipts-for-tax",
        (
            "Could you put the receipts together into a PDF for my tax adviser, one on each page? The cat got in there by mistake, leave it out.",
            "the second page is upside down, turn it round please",
        ),
        receipt_files, receipt_right, receipt_made, partial(receipt_made, turn=0),
    ),
    Job(
        "hide-bank-account",
        "black out the IBAN on this, I want to show the invoice to a colleague. it must really be gone, not just covered",
        iban_file, iban_right, iban_made, partial(iban_made, box=(110, 640, 290, 660)),
    ),
    Job(
        "price-list-out-of-pdf",
        "I lost the original of my price list, only the pdf is left. Get it into excel so i can change the prices, both pages",
        list_file, list_right, list_made, partial(list_made, count=8),
    ),
    Job(
        "notice-for-the-door",
        "hi, please make a notice for the shop door, A4 upright as pdf, in big letters:\nOpening hours\nMonday to Friday 9-18\n"
        "Saturday 9-13\nSunday closed\nthanks!",
        lambda p: [], door_right, door_made, partial(door_made, size=12),
    ),
    Job(
        "prices-five-percent-up",
        "everything gets 5 percent dearer in January. Change the prices in the list accordingly and round to full 10 cents, "
        "the rest of the list stays as it is",
        raise_file, raise_right, raise_made, partial(raise_made, digits=2),
    ),
    Job(
        "who-has-not-paid",
        ("who hasnt paid yet?", "how much is that in total", "ok give me a csv with just those, the biggest amount on top"),
        debts_file, debts_right, debts_made, partial(debts_made, sign=1),
    ),
    Job(
        "newsletter-addresses",
        "I want to write a newsletter. Pull all the mail adresses out of these two files for me, one per line, nobody twice.",
        mail_files, mail_right, lambda p, f: Results((text(p / "addresses.txt", "\n".join(_MAILS)),)),
        lambda p, f: Results((text(p / "addresses.txt", "\n".join([*_MAILS, _MAILS[0].title()])),)),
    ),
    Job(
        "customers-old-and-new",
        "Put the two customer lists into one. Some are in both, they should only be in there once - same e-mail means same person. "
        "(the prices have nothing to do with it)",
        guest_files, guest_right, guest_made, partial(guest_made, once=False),
    ),
    Job(
        "orders-times-prices",
        "what does each order of this week come to? pieces times the price from the price list. and the sum of all at the end",
        order_files, order_right, order_made, partial(order_made, all_of=False),
    ),
    Job(
        "wrong-tax-first",
        ("add a column with the price incl. 19% tax", "oh sorry, its food, so 7 %. Change that pls", "and what do all of them cost together then, with tax?"),
        jar_file, lambda r, f: says(r, 24.45, by=0.03), say("Together they cost 24.45."), say("Together they cost 27.19."),
    ),
    Job(
        "answering-machine",
        "2 messages from the answering machine, can you write down what they say? each one for itself",
        voice_files, voice_right, say(*(f"{k}. {SPOKEN[key]}" for k, key in ((1, "meeting"), (2, "lost")))), say(SPOKEN["meeting"]),
    ),
    Job(
        "memo-too-quiet",
        "I can hardly hear what she says here. louder, as loud as goes without crackling, and as mp3",
        quiet_file, loud_right, loud_made, partial(loud_made, factor=400),
    ),
    Job(
        "clip-for-the-story",
        "want this in my instagram story so it must be upright (9:16). just use the middle of the picture, no black bars. and "
        "without the sound, we were talking rubbish",
        kitchen, upright_right, upright_made, partial(upright_made, cut=False),
    ),
    Job(
        "sax-under-the-film",
        "Put the saxophone under the film. It should end together with the film and fade out towards the end. The voice memo is for something else",
        music_files, music_right, music_made, partial(music_made, which=0),
    ),
    Job(
        "shorter-silent-how-long",
        ("cut the first two seconds off", "and the sound away as well", "how long is it now?"),
        clip_files, clip_right, say("It is 3.0 seconds long."), say("It is 5.0 seconds long."),
    ),
    Job(
        "cakes-then-logo",
        "little film for insta out of the three cakes, square, 2 seconds each, then the logo for 2 seconds as the last thing",
        cake_files, cake_right, cake_made, partial(cake_made, order=(0, 1, 2, 3)),
    ),
]  # fmt: skip
