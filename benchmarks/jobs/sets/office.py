"""What students, secretaries, researchers and treasurers ask for: PDFs, tables, texts, scans, recordings."""

from __future__ import annotations

import csv
import datetime as dt
import io
import re
import shutil
import statistics
import zipfile
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import av
import numpy as np
import openpyxl
import PIL.Image
import PIL.ImageDraw
import PIL.ImageFilter
import PIL.ImageFont
import pypdf
import pypdfium2
import skimage.measure
import soundfile

from benchmarks.jobs.job import Job, Results
from benchmarks.jobs.media import MEDIA

RATE = 22050
INK = (25, 25, 30)

# ---------------------------------------------------------------- makers


def pdf(path: Path, pages: Sequence[Sequence[str]], flipped: Iterable[int] = ()) -> Path:
    """An A4 PDF with real text; the first line of a page is its heading. `flipped` stand on their heads."""
    found = [b"<</Type/Catalog/Pages 2 0 R>>"]
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(len(pages)))
    found.append(f"<</Type/Pages/Count {len(pages)}/Kids[{kids}]>>".encode())
    found.append(b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>")
    for n, lines in enumerate(pages):
        drawn, y = (["-1 0 0 -1 595 842 cm"] if n in flipped else []), 770
        for row, line in enumerate(lines):
            safe = re.sub(r"([()\\])", r"\\\1", line)
            drawn.append(f"BT /F1 {12 if row else 22} Tf 70 {y} Td ({safe}) Tj ET")
            y -= 20 if row else 44
        stream = "\n".join(drawn).encode("cp1252")
        found.append(
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents {5 + 2 * n} 0 R"
            "/Resources<</Font<</F1 3 0 R>>>>>>".encode()
        )
        found.append(b"<</Length %d>>stream\n%s\nendstream" % (len(stream), stream))
    out, places = b"%PDF-1.4\n", []
    for n, one in enumerate(found, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (n, one)
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    out += (
        f"xref\n0 {len(found) + 1}\n0000000000 65535 f \n{table}trailer"
        f"<</Size {len(found) + 1}/Root 1 0 R>>\nstartxref\n{len(out)}\n%%EOF\n"
    ).encode()
    path.write_bytes(out)
    return path


def picked(path: Path, chosen: Iterable[tuple[Path, int, int]]) -> Path:
    """A PDF of (file, page, turn) chosen pages."""
    writer = pypdf.PdfWriter()
    for source, page, turn in chosen:
        writer.add_page(pypdf.PdfReader(source).pages[page])
        if turn:
            writer.pages[-1].rotate(turn)
    writer.write(path)
    return path


def write(size: int) -> PIL.ImageFont.FreeTypeFont:
    return PIL.ImageFont.load_default(size)


def sheet(lines: Sequence[str], size=(900, 1200), letter=26, paper=(250, 249, 245), at=(80, 90)):
    """A page with text, as a scanner would give it."""
    page = PIL.Image.new("RGB", size, paper)
    pen, y = PIL.ImageDraw.Draw(page), at[1]
    for line in lines:
        pen.text((at[0], y), line, fill=INK, font=write(letter))
        y += int(letter * 1.6)
    return page


def grainy(page: PIL.Image.Image, much: float = 6, seed: int = 1) -> PIL.Image.Image:
    noise = np.random.default_rng(seed).normal(0, much, (page.height, page.width, 1))
    return PIL.Image.fromarray(np.clip(np.asarray(page) + noise, 0, 255).astype(np.uint8))


def table(path: Path, lines: Sequence[Sequence], delimiter=",", encoding="utf-8") -> Path:
    if path.suffix == ".xlsx":
        book = openpyxl.Workbook()
        for line in lines:
            book.active.append(list(line))
        book.save(path)
        return path
    with path.open("w", encoding=encoding, newline="") as file:
        csv.writer(file, delimiter=delimiter).writerows(lines)
    return path


def note(path: Path, text: str) -> Path:
    path.write_text(text, "utf-8")
    return path


def voice(name: str) -> np.ndarray:
    return soundfile.read(MEDIA / f"spoken-{name}.wav", dtype="float32")[0]


def pause(seconds: float, hiss: float = 0.0005, seed: int = 3) -> np.ndarray:
    made = np.random.default_rng(seed).normal(0, hiss, int(seconds * RATE))
    return made.astype(np.float32)


def film(path: Path, frames: Sequence[PIL.Image.Image], fps: int, sound: np.ndarray | None) -> Path:
    """A film (or with no frames only its sound, as .m4a)."""
    with av.open(str(path), "w") as box:
        pictures = box.add_stream("libx264", rate=fps) if frames else None
        if pictures is not None:
            pictures.width, pictures.height = frames[0].size
            pictures.pix_fmt = "yuv420p"
        speech = box.add_stream("aac", rate=RATE, layout="mono") if sound is not None else None
        for frame in frames:
            box.mux(pictures.encode(av.VideoFrame.from_image(frame)))
        if pictures is not None:
            box.mux(pictures.encode(None))
        if speech is not None:
            for start in range(0, len(sound), 1024):
                part = np.ascontiguousarray(sound[None, start : start + 1024])
                frame = av.AudioFrame.from_ndarray(part, format="fltp", layout="mono")
                frame.sample_rate, frame.pts = RATE, start
                box.mux(speech.encode(frame))
            box.mux(speech.encode(None))
    return path


def saved(path: Path, sound: np.ndarray) -> Path:
    if path.suffix == ".m4a":
        return film(path, [], 0, sound)
    soundfile.write(path, sound, RATE)
    return path


def drawn(path: Path, picture: PIL.Image.Image, **kw) -> Path:
    picture.save(path, **kw)
    return path


def told(answer: str, *paths: Path) -> Results:
    return Results(tuple(paths), answer)


# ---------------------------------------------------------------- checks


def readings(text: str) -> set[float]:
    """All numbers in a text, in every way in which they may be read (1,234.50 and 1 234,50)."""
    found: set[float] = set()
    spaced = re.findall(r"\d{1,3}(?:[ \u00a0\u202f'’]\d{3})+(?:[.,]\d+)?(?!\d)", text)
    for one in [*re.findall(r"\d+(?:[.,]\d+)*", text), *spaced]:
        one = re.sub(r"[ \u00a0\u202f'’]", "", one)
        marks = re.findall(r"[.,]", one)
        if not marks:
            found.add(float(one))
        elif len(set(marks)) == 2:
            last = marks[-1]
            if marks.count(last) == 1:
                found.add(float(one.replace("." if last == "," else ",", "").replace(last, ".")))
        elif len(marks) > 1:
            found.add(float(re.sub(r"[.,]", "", one)))
        else:
            found.add(float(one.replace(",", ".")))
            if len(re.split(r"[.,]", one)[1]) == 3:
                found.add(float(re.sub(r"[.,]", "", one)))
    return found


def number(text: str, value: float, off: float = 0.006, what: str = "the number") -> None:
    assert any(abs(one - value) <= off for one in readings(text)), f"{what} {value} is not told"


def docx(path: Path) -> str:
    with zipfile.ZipFile(path) as box:
        inside = box.read("word/document.xml").decode("utf-8", "replace")
    return re.sub(r"<[^>]+>", "", re.sub(r"</w:p>|<w:br/>|<w:tab/>", "\n", inside))


def pdf_texts(path: Path, password: str | None = None) -> list[str]:
    document = pypdfium2.PdfDocument(path, password=password)
    try:
        return [page.get_textpage().get_text_bounded() for page in document]
    finally:
        document.close()


def rows(path: Path) -> list[list]:
    """The rows of a table, of all its sheets."""
    if path.suffix.lower() in (".xlsx", ".xlsm"):
        book = openpyxl.load_workbook(path, data_only=True)
        lines = [list(line) for one in book.worksheets for line in one.iter_rows(values_only=True)]
    else:
        raw = path.read_bytes()
        try:
            text = raw.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = raw.decode("cp1252", "replace")
        mark = max(";,\t", key=text.splitlines()[0].count) if text.strip() else ","
        lines = [list(line) for line in csv.reader(io.StringIO(text), delimiter=mark)]
    return [line for line in lines if any(cell not in (None, "") for cell in line)]


def tables(results: Results, *kinds: str) -> list[list[list]]:
    found = results.of(*(kinds or (".csv", ".tsv", ".xlsx", ".xlsm")))
    assert found, "no table came"
    return [rows(path) for path in found]


def everything(results: Results) -> str:
    """All that can be read, in documents and tables as well."""
    parts = [results.words]
    parts += ["\n".join(pdf_texts(path)) for path in results.of(".pdf")]
    parts += [docx(path) for path in results.of(".docx")]
    for path in results.of(".xlsx"):
        parts += [" | ".join(str(cell) for cell in line if cell is not None) for line in rows(path)]
    return "\n".join(parts)


def line_with(lines: list[list], *keys: str) -> list:
    for line in lines:
        cells = " ".join(str(cell).strip().lower() for cell in line)
        if all(re.search(rf"(?<!\w){re.escape(key.lower())}(?!\w)", cells) for key in keys):
            return line
    raise AssertionError(f"no row with {keys}")


def in_line(line: Sequence, value: float, off: float) -> bool:
    return any(
        any(abs(one - value) <= off for one in readings(str(cell)))
        for cell in line
        if isinstance(cell, (int, float, str))
    )


def days(cell) -> set[dt.date]:
    """The dates that a cell may mean."""
    if isinstance(cell, dt.datetime):
        return {cell.date()}
    if isinstance(cell, dt.date):
        return {cell}
    text, found = str(cell), set()
    months = "jan feb mar apr may jun jul aug sep oct nov dec".split()
    for a, b, c in re.findall(r"(\d+)[-./ ]+(\d+)[-./ ]+(\d+)", text):
        for y, m, d in ((a, b, c), (c, b, a), (c, a, b)):
            try:
                found.add(dt.date(int(y) + (2000 if int(y) < 100 else 0), int(m), int(d)))
            except ValueError:
                continue
    for d, m, y in re.findall(r"(\d{1,2})\.?[ -]([A-Za-z]{3})[a-z]*\.?,?[ -](\d{4})", text):
        if m.lower() in months:
            found.add(dt.date(int(y), months.index(m.lower()) + 1, int(d)))
    for m, d, y in re.findall(r"([A-Za-z]{3})[a-z]*\.? (\d{1,2}),? (\d{4})", text):
        if m.lower() in months:
            found.add(dt.date(int(y), months.index(m.lower()) + 1, int(d)))
    return found


def plain(text: str) -> list[str]:
    return re.findall(r"[a-zà-ÿ0-9]+", text.lower())


def share(wanted: str, text: str) -> float:
    """How many of the wanted words are in a text."""
    want, have = Counter(plain(wanted)), Counter(plain(text))
    return sum((want & have).values()) / max(1, sum(want.values()))


def opened(path: Path) -> PIL.Image.Image:
    picture = PIL.Image.open(path)
    if picture.mode in ("RGBA", "LA", "P"):
        picture = picture.convert("RGBA")
        white = PIL.Image.new("RGBA", picture.size, "white")
        picture = PIL.Image.alpha_composite(white, picture)
    return picture.convert("RGB")


def shown(path: Path, page: int = 0, width: int = 400, password: str | None = None):
    document = pypdfium2.PdfDocument(path, password=password)
    try:
        one = document[page]
        return one.render(scale=width / one.get_width()).to_pil().convert("RGB")
    finally:
        document.close()


def likeness(one: PIL.Image.Image, other: PIL.Image.Image, width: int = 220, blur: float = 1.5):
    """How alike two pictures are (correlation, 1 at best); 0 where their shapes differ."""
    if abs(one.width / one.height / (other.width / other.height) - 1) > 0.12:
        return 0.0
    size = (width, round(width * other.height / other.width))
    soft = PIL.ImageFilter.GaussianBlur(blur)
    a, b = (
        np.asarray(it.convert("L").resize(size, PIL.Image.Resampling.BOX).filter(soft), float)
        for it in (one, other)
    )
    return float(np.corrcoef(a.ravel(), b.ravel())[0, 1]) if a.std() and b.std() else 0.0


def only_pdf(results: Results) -> Path:
    found = results.of(".pdf")
    assert found, "no PDF came"
    assert len(found) == 1, "several PDFs came"
    return found[0]


def only_picture(results: Results) -> PIL.Image.Image:
    assert results.pictures, "no picture came"
    return opened(results.pictures[-1])


def heard(path: Path) -> np.ndarray:
    with av.open(str(path)) as box:
        change = av.AudioResampler("flt", "mono", RATE)
        parts = [
            part.to_ndarray().ravel()
            for frame in box.decode(audio=0)
            for part in change.resample(frame)
        ]
        parts += [part.to_ndarray().ravel() for part in change.resample(None)]
    return np.concatenate(parts)


def rms(sound: np.ndarray) -> float:
    return float(np.sqrt(np.mean(np.square(sound))))


def placed(one: np.ndarray, other: np.ndarray) -> tuple[float, float]:
    """How alike the loudness of two sounds runs, and at which second of the one the other begins."""
    lines = []
    for sound in (one, other):
        step = RATE // 50
        cut = sound[: len(sound) // step * step].reshape(-1, step)
        line = np.sqrt((cut**2).mean(1)) if len(cut) else np.zeros(1)
        line = line - line.mean()
        lines.append(line / (np.linalg.norm(line) or 1))
    found = np.correlate(*lines, "full")
    return float(found.max()), (int(found.argmax()) - len(lines[1]) + 1) / 50


def alike(one: np.ndarray, other: np.ndarray) -> float:
    return placed(one, other)[0]


def slant(picture: PIL.Image.Image) -> float:
    """By how many degrees the lines of text are still crooked."""
    grey = picture.convert("L")
    grey.thumbnail((600, 800))
    w, h = grey.size
    best = (-1.0, 0.0)
    for angle in np.arange(-12, 12.1, 0.5):
        turned = grey.rotate(angle, PIL.Image.Resampling.BILINEAR, fillcolor=255)
        middle = np.asarray(turned, float)[int(h * 0.2) : int(h * 0.8), int(w * 0.2) : int(w * 0.8)]
        best = max(best, (float(np.square(np.diff(middle.mean(1))).sum()), float(angle)))
    return best[1]


def masks(picture: PIL.Image.Image):
    """Where each of the colours of a chart is, but for its background."""
    few = np.asarray(picture.quantize(24, dither=PIL.Image.Dither.NONE))
    counts = np.bincount(few.ravel())
    for colour in np.argsort(-counts)[1:]:
        if counts[colour] > 60:
            yield few == colour


def bars(picture: PIL.Image.Image, values: Sequence[float]) -> bool:
    """Whether a bar chart of these values is in a picture, upright or lying."""
    picture = picture.copy()
    picture.thumbnail((900, 900))
    return any(_bars(picture, values, mended) for mended in (False, True))


def _bars(picture: PIL.Image.Image, values: Sequence[float], mended: bool) -> bool:
    boxes = []
    for mask in masks(picture):
        if mended:  # thin lines over them filled up
            wide = PIL.Image.fromarray(mask).convert("L").filter(PIL.ImageFilter.MaxFilter(5))
            mask = np.asarray(wide.filter(PIL.ImageFilter.MinFilter(5))) > 0
        for one in skimage.measure.regionprops(skimage.measure.label(mask)):
            top, left, bottom, right = one.bbox
            if one.area > 0.0008 * mask.size and one.area > 0.7 * (bottom - top) * (right - left):
                boxes.append((left, top, right, bottom))
    for lying in (False, True):
        turned = [(t, -r, b, -le) if lying else (le, t, r, b) for le, t, r, b in boxes]
        for first in turned:
            near = [
                box for box in turned
                if abs(box[3] - first[3]) <= 6
                and abs((box[2] - box[0]) - (first[2] - first[0])) <= 0.15 * (first[2] - first[0]) + 2
            ]  # fmt: skip
            if len(near) != len(values):
                continue
            long = [box[3] - box[1] for box in sorted(near)]
            for order in (long, long[::-1] if lying else long):
                if np.std(order) and np.corrcoef(order, values)[0, 1] > 0.97:
                    return True
    return False


def curve(picture: PIL.Image.Image, values: Sequence[float]) -> bool:
    """Whether a line with these values runs through a picture."""
    for mask in masks(picture):
        mask = mask & ~(mask.mean(1) > 0.4)[:, None] & ~(mask.mean(0) > 0.4)[None]
        columns = np.flatnonzero(mask.any(0))
        if len(columns) < 0.45 * mask.shape[1]:
            continue
        heights = np.array([-np.median(np.flatnonzero(mask[:, x])) for x in columns])
        wanted = np.interp(
            np.linspace(0, 1, columns[-1] - columns[0] + 1), np.linspace(0, 1, len(values)), values
        )[columns - columns[0]]
        if np.std(heights) and np.corrcoef(heights, wanted)[0, 1] > 0.85:
            return True
    return False


def chart(values: Sequence[float], size=(800, 500), line=False, title="") -> PIL.Image.Image:
    """A plain chart, made by hand."""
    picture = PIL.Image.new("RGB", size, "white")
    pen, (w, h) = PIL.ImageDraw.Draw(picture), size
    high, step = max(values) * 1.1, (w - 120) / len(values)
    spots = [(80 + step * (n + 0.5), h - 50 - (h - 130) * v / high) for n, v in enumerate(values)]
    pen.line((80, 60, 80, h - 50, w - 30, h - 50), fill="black", width=2)
    pen.text((w / 3, 10), title, fill="black", font=write(30))
    if line:
        pen.line(spots, fill=(30, 90, 200), width=4)
    else:
        for x, y in spots:
            pen.rectangle((x - step * 0.3, y, x + step * 0.3, h - 51), fill=(30, 90, 200))
    return picture


# ---------------------------------------------------------------- what the people have

MEMBERS = [
    ("Okafor", "Ben", "adult", 48.00, "yes"), ("Lindqvist", "Sara", "adult", 48.00, "no"),
    ("Marino", "Paolo", "youth", 22.50, "yes"), ("Haddad", "Rima", "family", 96.00, "no"),
    ("Petrov", "Ivan", "adult", 48.00, "yes"), ("Castellano", "Lucia", "youth", 22.50, "no"),
    ("Bergmann", "Uwe", "adult", 48.00, "yes"), ("Novak", "Jana", "family", 96.00, "yes"),
    ("Whitfield", "Tom", "adult", 48.00, "no"), ("Sorensen", "Mette", "youth", 22.50, "yes"),
]  # fmt: skip
OWING = [one for one in MEMBERS if one[4] == "no"]  # 214.50


def members_right(results: Results, files: list[Path]) -> None:
    text = everything(results)
    for one in MEMBERS:
        there = one[0].lower() in text.lower()
        assert there == (one in OWING), f"{one[0]} is {'named' if there else 'missing'}"
    number(text, 214.50, what="what they owe")


REPORT = [
    [f"{title}", f"This is part {n} of the report on the new reading room.", f"{body}"]
    for n, (title, body) in enumerate(
        [("Introduction", "More than two hundred visitors were asked in autumn."),
         ("Results", "Most of them want longer hours on Saturday."),
         ("Outlook", "The board will decide before the summer holidays.")], 1)
]  # fmt: skip


def merge_make(folder: Path) -> list[Path]:
    return [
        pdf(folder / "Appendix A.pdf", [["Appendix", "Table of all answers"], ["Questionnaire", "Where do you sit?"]]),
        pdf(folder / "Cover sheet OLD.pdf", [["Draft cover 2024", "do not use"]]),
        pdf(folder / "Cover sheet.pdf", [["Reading Room Survey", "Autumn 2026"]]),
        pdf(folder / "Report_final2.pdf", REPORT),
    ]  # fmt: skip


def merge_right(results: Results, files: list[Path]) -> None:
    texts = pdf_texts(only_pdf(results))
    heads = ["Reading Room Survey", "Introduction", "Results", "Outlook", "Appendix", "Questionnaire"]
    assert len(texts) == len(heads), f"{len(texts)} pages instead of {len(heads)}"
    for n, (text, head) in enumerate(zip(texts, heads, strict=True), 1):
        assert text.strip().startswith(head), f"page {n} is not {head}"


def takings() -> list[tuple[dt.date, str, float]]:
    dice, made = np.random.default_rng(5), []
    for month, total in enumerate(SOLD, 1):
        parts = dice.dirichlet(np.full(9, 8.0)) * total
        for n, part in enumerate(parts):
            made.append((dt.date(2026, month, 2 + 3 * n), "cakes" if n % 2 else "coffee", round(float(part), 2)))
    return made


SOLD = [420, 610, 380, 990, 1240, 870]


def bars_right(results: Results, files: list[Path]) -> None:
    found = results.of(".png")
    assert found, "no png came"
    picture = opened(found[-1])
    assert picture.width >= 300 and picture.height >= 200, "too small to read"
    assert bars(picture, SOLD), "no bar for each month with the right height"


SAMPLES = [
    (f"S-{n:02d}", round(float(a), 2), round(float(b), 2))
    for n, (a, b) in enumerate(np.random.default_rng(8).uniform((2, 0.4), (19, 9), (24, 2)), 1)
]


def units_right(results: Results, files: list[Path]) -> None:
    lines = tables(results)[-1]
    for name, inch, pound in SAMPLES:
        line = line_with(lines, name)
        assert in_line(line, inch * 2.54, 0.06), f"{name}: {inch} in should be {inch * 2.54:.1f} cm"
        assert in_line(line, pound * 0.45359237, 0.06), f"{name}: {pound} lb in kg is missing"
        assert in_line(line, inch, 0.001), f"{name}: the inches are gone"


def units_table(path: Path, cm: float) -> Path:
    head = ["sample", "length_in", "weight_lb", "length_cm", "weight_kg"]
    body = [(n, a, b, round(a * cm, 1), round(b * 0.45359237, 1)) for n, a, b in SAMPLES]
    return table(path, [head, *body])


LETTER = [
    "Hillside Music School", "14 Garden Street", "", "Dear parents,", "",
    "the summer concert of our school takes place", "on Friday 19 June at six in the evening.",
    "Please bring your children half an hour early", "so that we can tune all instruments.", "",
    "Drinks are free. Cakes are very welcome, and", "the money goes into a new piano for the hall.",
    "", "If it rains we play in the gym behind the", "main building. Parking is possible there.", "",
    "With kind regards", "Helen Brandt",
]  # fmt: skip


def crooked_right(results: Results, files: list[Path]) -> None:
    picture = shown(results.of(".pdf")[-1], 0, 700) if results.of(".pdf") else only_picture(results)
    assert min(picture.size) >= 550, "much smaller than before"
    left = slant(picture)
    assert abs(left) <= 1, f"still crooked by {left}°"
    assert picture.height > picture.width, "lies on its side"


def ocr_right(results: Results, files: list[Path]) -> None:
    got = share(" ".join(LETTER), everything(results))
    assert got > 0.85, f"only {got:.0%} of the words were read"


MEMOS = {"voice memo 3.m4a": "recipe", "voice memo 4.m4a": "lost", "voice memo 7.m4a": "doctor"}


def memo_right(results: Results, files: list[Path]) -> None:
    if results.sounds:
        assert len(results.sounds) == 1, "more than one recording"
        assert alike(heard(results.sounds[0]), voice("lost")) > 0.8, "the wrong recording"
        return
    named = re.findall(r"memo[\s_-]*(\d)", results.words.lower())
    second = not named and re.search(r"\bsecond\b|\b2nd\b", results.words.lower())
    assert second or (named and named[0] == "4"), "it is voice memo 4"


MINUTES = [
    ["Board meeting 12 March", "Present: Aydin, Boyle, Carter, Dumont", "The chair opens at seven."],
    ["", "This page is intentionally left blank."],
    ["Finances", "The treasurer shows the books of last year.", "They were checked by two members.",
     "The new printer costs less than was thought.", "All agree."],
    ["Summer party", "It takes place on the lawn behind the church.", "Dumont asks the band."],
    ["", "This page is intentionally left blank."],
    ["Any other business", "Boyle looks for someone who cuts the hedge.", "End at nine."],
]  # fmt: skip


def minutes_right(results: Results, files: list[Path]) -> None:
    path = only_pdf(results)
    assert len(pdf_texts(path)) == 4, "it should have 4 pages"
    for n, old in enumerate((0, 2, 3, 5)):
        wanted = shown(files[0], old)
        wanted = wanted.rotate(180) if old == 2 else wanted
        assert likeness(shown(path, n), wanted) > 0.9, f"page {n + 1} is not as it should be"


CHAPTERS = [
    [f"Chapter {n}", f"{word.capitalize()} of the thesis, as handed in."]
    for n, word in enumerate("first second third fourth fifth sixth seventh eighth ninth".split(), 1)
]


def own_right(results: Results, files: list[Path]) -> None:
    heads = [re.findall(r"Chapter (\d)", text) for text in pdf_texts(only_pdf(results))]
    assert heads == [["4"], ["5"], ["6"], ["7"]], f"pages {heads} instead of 4 to 7"


BUDGET = [["Budget 2026", "Income 18,400", "Rent 7,200", "Wages 9,100"], ["Savings", "Account 3,050"]]


def lock_right(results: Results, files: list[Path]) -> None:
    locked = []
    for path in results.of(".pdf"):  # the flyer may come along as it was
        try:
            pypdfium2.PdfDocument(path).close()
        except pypdfium2.PdfiumError:
            locked.append(path)
    assert len(locked) == 1, f"{len(locked)} files need a password"
    try:
        texts = pdf_texts(locked[0], "Kasse!26")
    except pypdfium2.PdfiumError as problem:
        raise AssertionError("the password does not open it") from problem
    assert len(texts) == 2 and "18,400" in texts[0], "not the budget"


def lock(path: Path, source: Path, password: str) -> Path:
    writer = pypdf.PdfWriter(clone_from=source)
    writer.encrypt(password, algorithm="RC4-128")
    writer.write(path)
    return path


def scans(width: int, grain: float) -> list[PIL.Image.Image]:
    height = round(width * 1.414)
    made = []
    for n in range(3):
        lines = [f"Page {n + 1}", "", *LETTER[n * 2 :], *LETTER[: 10 + n]]
        clean = sheet(lines, (1240, 1754), 32, at=(120, 130))
        made.append(grainy(clean, grain, n) if grain else clean)
    return [page.resize((width, height)) if width != 1240 else page for page in made]


def bundled(path: Path, pages: Sequence[PIL.Image.Image], dpi: float, quality=75) -> Path:
    pages[0].save(path, save_all=True, append_images=pages[1:], resolution=dpi, quality=quality)
    return path


def small_right(results: Results, files: list[Path]) -> None:
    path = only_pdf(results)
    size = path.stat().st_size
    assert size <= 1024 * 1024, f"still {size / 1e6:.1f} MB"
    assert len(pdf_texts(path)) == 3, "pages are missing"
    for n, clean in enumerate(scans(1240, 0)):
        got = likeness(shown(path, n, 1000), clean, 1000, 0.7)
        assert got > 0.82, f"page {n + 1} can no longer be read ({got:.2f})"


BANK = [
    ("Account holder", "Nora Whitfield"), ("IBAN", "DE44 5001 0517 5407 3249 31"), ("Bank", "Volksbank Neustadt"),
    ("Booked on", "3 May 2026"), ("Purpose", "Class trip to the lake"), ("Amount", "86.40 EUR"),
]  # fmt: skip


def bank_screen() -> PIL.Image.Image:
    picture = PIL.Image.new("RGB", (900, 560), (246, 247, 250))
    pen = PIL.ImageDraw.Draw(picture)
    pen.rectangle((0, 0, 900, 70), fill=(20, 70, 130))
    pen.text((30, 18), "Transfer details", fill="white", font=write(30))
    for n, (label, value) in enumerate(BANK):
        pen.text((50, 110 + 70 * n), label, fill=(90, 95, 105), font=write(26))
        pen.text((340, 110 + 70 * n), value, fill=INK, font=write(28))
    return picture


def edges(picture: PIL.Image.Image, box) -> float:
    grey = np.asarray(picture.convert("L").crop(box), float)
    return float(np.abs(np.diff(grey, axis=1)).mean())


def iban_right(results: Results, files: list[Path]) -> None:
    old, new = opened(files[0]), only_picture(results)
    assert abs(new.width / new.height - old.width / old.height) < 0.03, "has another shape"
    new = new.resize(old.size)
    iban = (345, 187, 730, 207)
    assert edges(new, iban) < 0.2 * edges(old, iban), "the IBAN can still be read"
    for n in (0, 2, 3, 4, 5):
        box = (40, 112 + 70 * n, 860, 140 + 70 * n)
        far = np.abs(np.asarray(old.crop(box), float) - np.asarray(new.crop(box), float)).mean()
        assert far < 8, f"{BANK[n][0]} was touched too"


def month(number_: int, seed: int, count: int, year: int = 2026) -> list[tuple]:
    dice = np.random.default_rng(seed)
    what = ["stamps", "paper", "coffee", "fees", "donation", "rent hall"]
    return [
        (f"{year}-{number_:02d}-{2 * n + 1:02d}", what[int(dice.integers(6))], round(float(dice.uniform(3, 140)), 2))
        for n in range(count)
    ]


MONTHS = {"kasse_jan.csv": month(1, 1, 9), "kasse_feb.csv": month(2, 2, 11), "kasse_march.csv": month(3, 3, 8)}
OLD_YEAR = month(12, 4, 10, 2025)
QUARTER = [line for lines in MONTHS.values() for line in lines]
HEAD = ("date", "what", "amount")


def quarter_make(folder: Path) -> list[Path]:
    made = [table(folder / "kasse_dec_2025.csv", [HEAD, *OLD_YEAR])]
    return made + [table(folder / name, [HEAD, *lines]) for name, lines in MONTHS.items()]


def quarter_right(results: Results, files: list[Path]) -> None:
    lines = tables(results)[-1]
    assert sum("amount" in [str(c).strip().lower() for c in line] for line in lines) <= 1, "several headings"
    pairs = [(d, v) for line in lines for cell in line for d in days(cell) for v in line]
    for date, _, amount in QUARTER:
        that = dt.date.fromisoformat(date)
        assert any(d == that and in_line([v], amount, 0.006) for d, v in pairs), f"{date} is missing"
    assert not any(d.year == 2025 and v for d, v in pairs if d.month == 12), "last year is in it"
    assert len(QUARTER) <= len(lines) <= len(QUARTER) + 3, "too many rows"
    number(everything(results), sum(line[2] for line in QUARTER), what="the sum")


ABSTRACT = (
    "Urban gardens are said to lower the temperature of a neighbourhood in summer. We measured air "
    "temperature at twelve sites in one town between May and September, six of them beside a garden and "
    "six beside paved squares.\n\nOn hot days the sites near gardens were 1.8 degrees cooler at noon and "
    "2.3 degrees cooler at midnight. The effect grew with the size of the garden but hardly with the "
    "number of its trees.\n\nWe conclude that many small gardens help less than a few large ones, and "
    "discuss what this means for planning.\n"
)


def letters_right(results: Results, files: list[Path]) -> None:
    full = len(ABSTRACT)
    low = full - ABSTRACT.count("\n")
    assert any(low <= one <= full for one in readings(results.words)), f"should be about {full}"


FRIDGE = [round(5 + 1.2 * np.sin(n / 5) + (6.5 * np.exp(-((n - 30) ** 2) / 18)), 2) for n in range(48)]


def fridge_make(folder: Path) -> list[Path]:
    start = dt.datetime(2026, 5, 4, 8)
    lines = [((start + dt.timedelta(minutes=30 * n)).strftime("%Y-%m-%d %H:%M"), t) for n, t in enumerate(FRIDGE)]
    return [table(folder / "logger export.csv", [("time", "temp_c"), *lines])]


def fridge_right(results: Results, files: list[Path]) -> None:
    picture = only_picture(results)
    assert abs(picture.width - 1600) <= 2, f"{picture.width} instead of 1600 wide"
    assert curve(picture, FRIDGE), "the line does not run as the temperatures do"
    top = np.asarray(picture.convert("L"))[: int(picture.height * 0.16), 100:-100]
    assert (top < 140).mean() > 0.001, "no title"


def slide(title: str, lines: Sequence[str], colour: tuple[int, int, int]) -> PIL.Image.Image:
    picture = PIL.Image.new("RGB", (640, 360), "white")
    pen = PIL.ImageDraw.Draw(picture)
    pen.rectangle((0, 0, 640, 76), fill=colour)
    pen.text((30, 18), title, fill="white", font=write(36))
    for n, line in enumerate(lines):
        pen.text((50, 115 + 58 * n), line, fill=INK, font=write(32))
    return picture


SLIDES = [
    slide("Welcome", ["Parents evening", "Oak Lane School"], (120, 30, 40)),
    slide("New teachers", ["Mrs Lambert, French", "Mr Odell, Sports"], (30, 90, 60)),
    slide("Class trip", ["Bus leaves at seven", "Bring boots and lunch", "Cost per child 35"], (25, 60, 140)),
    slide("Questions", ["Write to the office"], (100, 80, 20)),
]
ZOOM = np.concatenate([pause(2, 0.06), voice("meeting"), pause(0.8)])


def zoom_right(results: Results, files: list[Path]) -> None:
    assert results.of(".mp3"), "no mp3 came"
    got = heard(results.of(".mp3")[-1])
    wanted = ZOOM[2 * RATE :]
    assert abs(len(got) - len(wanted)) < 0.35 * RATE, f"{len(got) / RATE:.1f} s long"
    assert alike(got, wanted) > 0.8, "not what is spoken in it"


SHOTS = {
    "Screenshot 2026-05-04 at 09.12.png": (210, 60, 60), "Screenshot 2026-05-04 at 09.15.png": (60, 160, 70),
    "Screenshot chat.png": (230, 200, 40), "Screenshot 2026-05-04 at 10.01.png": (50, 90, 210),
    "Screenshot 2026-05-05 at 08.40.png": (150, 60, 170),
}  # fmt: skip


def shots_make(folder: Path) -> list[Path]:
    made = []
    for n, (name, colour) in enumerate(SHOTS.items(), 1):
        picture = sheet([f"Step {n}", "Click on Next"], (800, 500), 40, colour)
        PIL.ImageDraw.Draw(picture).rectangle((500, 300, 700, 380), fill="white")
        made.append(drawn(folder / name, picture))
    return made


def coloured(picture: PIL.Image.Image, colour: tuple[int, int, int]) -> float:
    return float((np.abs(np.asarray(picture, int) - colour).max(2) < 30).mean())


def shots_right(results: Results, files: list[Path]) -> None:
    path = only_pdf(results)
    pages = [shown(path, n, 400) for n in range(len(pdf_texts(path)))]
    assert len(pages) == 2, f"{len(pages)} pages instead of 2"
    for page in pages:
        assert abs(max(page.size) / min(page.size) - 1.414) < 0.02, "not A4"
    box = pypdf.PdfReader(path).pages[0].mediabox
    assert abs(min(float(box.width), float(box.height)) - 595) < 8, "not A4"
    order = list(SHOTS.values())
    for n, (here, there) in enumerate((((0, 1), (3, 4)), ((3, 4), (0, 1)))):
        for one in here:
            assert coloured(pages[n], order[one]) > 0.05, f"a screenshot is missing on page {n + 1}"
        for one in (*there, 2):
            assert coloured(pages[n], order[one]) < 0.01, f"one too many on page {n + 1}"


def two_up(path: Path, files: Sequence[Path]) -> Path:
    pages = []
    for start in range(0, len(files), 2):
        page = PIL.Image.new("RGB", (1240, 1754), "white")
        for n, file in enumerate(files[start : start + 2]):
            page.paste(opened(file).resize((1040, 650)), (100, 150 + 800 * n))
        pages.append(page)
    return bundled(path, pages, 150)


def signature() -> PIL.Image.Image:
    picture = PIL.Image.new("RGB", (600, 220), "white")
    turn = np.linspace(0, 6 * np.pi, 160)
    dots = [(float(60 + 25 * t + 20 * np.sin(2 * t)), float(110 + 60 * np.sin(t) * np.cos(t / 5))) for t in turn]
    PIL.ImageDraw.Draw(picture).line(dots, fill=(20, 40, 190), width=7)
    return picture


LEASE_LETTER = [
    ["Application", "Dear Mrs Kovac,", "I would like to apply for the room in Mill Road.",
     "I study biology in the third year and do not smoke."],
    ["", "My parents vouch for the rent. Please find their letter enclosed.", "I could move in from July on.",
     "Yours sincerely,"],
]  # fmt: skip


def sign_right(results: Results, files: list[Path]) -> None:
    path = only_pdf(results)
    assert len(pdf_texts(path)) == 2, "it should keep its 2 pages"
    pages = [shown(path, n, 600) for n in range(2)]
    for n, page in enumerate(pages):
        old = shown(files[0], n, 600)
        half = (0, 0, 600, 300)
        assert likeness(page.crop(half), old.crop(half)) > 0.9, f"the text of page {n + 1} suffered"
    blue = [np.asarray(p, int)[..., 2] - np.asarray(p, int)[..., 0] > 60 for p in pages]
    assert blue[0].sum() < 20, "page 1 was signed"
    y, x = np.nonzero(blue[1])
    assert len(x) > 60, "no signature on the last page"
    assert x.mean() > 320 and y.mean() > 0.62 * pages[1].height, "not at the bottom right"
    assert 45 < np.ptp(x) < 380, "far too small or large"
    assert x.max() < 597 and x.min() > 150, "it runs over the edge"


def signed(path: Path, file: Path, place: tuple[int, int]) -> Path:
    pages = [shown(file, n, 1240) for n in range(2)]
    pages[1].paste(signature().resize((360, 132)), place)
    return bundled(path, pages, 150, 92)


ESSAY = [["Bees in the City", "Term paper by J. Moreau"]] + [
    [head, f"In this part we look at {head.lower()} and at what others wrote.", "More follows below."]
    for head in ("History", "Methods", "Hives on roofs", "Honey")
]


def paged_right(results: Results, files: list[Path]) -> None:
    path = only_pdf(results)
    texts, before = pdf_texts(path), pdf_texts(files[0])
    assert len(texts) == 5, "it should keep its 5 pages"
    for n in range(5):
        old, new = (shown(it, n, 500) for it in (files[0], path))
        assert abs(old.height - new.height) < 4, "another size of page"
        line = int(old.height * 0.84)
        above = likeness(new.crop((0, 0, 500, line)), old.crop((0, 0, 500, line)), 300, 1)
        assert above > 0.95, f"page {n + 1} has changed"
        below = np.asarray(new.convert("L"))[line : old.height - 2] < 170
        added = [one for one in plain(texts[n]) if one.isdigit() and one not in plain(before[n])]
        if n == 0:
            assert not below.any() and not added, "the cover has a number"
            continue
        assert below.sum() >= 3, f"no number on page {n + 1}"
        assert abs(np.nonzero(below)[1].mean() - 250) < 60, "not in the middle"
        assert not added or str(n) in added, f"page {n + 1} should have the number {n}"


def stamped(path: Path, file: Path, first: int, less: int) -> Path:
    reader, writer = pypdf.PdfReader(file), pypdf.PdfWriter()
    numbers = [[str(n + 1 - less)] for n in range(5)]
    over = pypdf.PdfReader(pdf(path.with_suffix(".over.pdf"), numbers))
    down = pypdf.Transformation().translate(224, -740)
    for n, page in enumerate(reader.pages):
        if n >= first:
            page.merge_transformed_page(over.pages[n], down)
        writer.add_page(page)
    writer.write(path)
    return path


REVENUE = [
    ("03.05.2026", "Bäckerei Müller", "1.234,50"), ("04.05.2026", "Café Größe", "87,90"), ("11.05.2026", "Jörg Weiß", "410,00"),
    ("12.05.2026", "Bäckerei Müller", "2.080,25"), ("19.05.2026", "Gärtnerei Höhn", "15,75"), ("28.05.2026", "Überland AG", "999,99"),
]  # fmt: skip


def german_right(results: Results, files: list[Path]) -> None:
    lines = tables(results, ".xlsx")[-1]
    for date, name, amount in REVENUE:
        value = float(amount.replace(".", "").replace(",", "."))
        mine = [line for line in lines if name in [str(cell).strip() for cell in line if cell]]
        assert mine, f"{name} is missing or broken"
        cells = [cell for line in mine for cell in line]
        assert any(isinstance(c, (int, float)) and abs(c - value) < 0.006 for c in cells), f"{amount} is not a number"
        day = dt.datetime.strptime(date, "%d.%m.%Y").date()
        assert any(day in days(cell) for cell in cells), f"{date} is wrong"


BOOK = [
    ("2026-03-02", "food", "bread rolls", 23.80), ("2026-03-02", "drinks", "juice", 18.40), ("2026-03-15", "rent", "hall", 120.00),
    ("2026-03-20", "food", "sausages", 64.35), ("2026-04-04", "drinks", "water", 9.90), ("2026-04-04", "prizes", "books", 45.00),
    ("2026-04-18", "food", "cake", 31.00), ("2026-05-01", "drinks", "beer", 88.70), ("2026-05-01", "food", "salads", 42.15),
    ("2026-05-09", "rent", "tent", 75.50),
]  # fmt: skip

STUDENTS = [
    (40211, "Aalto", "Mika"), (40218, "Barnes", "Olivia"), (40225, "Cho", "Minji"), (40233, "Dias", "Rafael"),
    (40240, "Evans", "Gwen"), (40251, "Fischer", "Lena"), (40266, "Garcia", "Mateo"), (40272, "Hassan", "Yusuf"),
]  # fmt: skip
POINTS = {40266: 71.5, 40211: 88, 40251: 54, 40225: 93.5, 40272: 67, 40218: 79}


def grades_make(folder: Path) -> list[Path]:
    head = ("student no", "surname", "first name")
    return [
        table(folder / "points exam.csv", [("matr", "points"), *POINTS.items()], ";"),
        table(folder / "participants 2025.xlsx", [head, *[(n, s[::-1].title(), f) for n, s, f in STUDENTS]]),
        table(folder / "participants 2026.xlsx", [head, *STUDENTS]),
    ]


def grades_right(results: Results, files: list[Path]) -> None:
    lines = tables(results, ".xlsx")[-1]
    for n, last, first in STUDENTS:
        line = line_with(lines, last)
        assert any(first in str(cell) for cell in line), f"{last}: first name"
        others = [cell for cell in line if not (in_line([cell], n, 0) or cell in (last, first, None))]
        if n in POINTS:
            assert in_line(others, POINTS[n], 0.01), f"{last} should have {POINTS[n]}"
        else:
            assert not in_line(others, 75, 22) and 0 not in others, f"{last} has no points"


def leaf(n: int) -> PIL.Image.Image:
    lines = [f"- {n} -", "", *LETTER[n % 7 : n % 7 + 6 + n]]
    page = sheet(lines, (700, 990), 24, at=(70, 80))
    PIL.ImageDraw.Draw(page).rectangle((80 + 40 * n, 800, 200 + 40 * n, 880), outline=INK, width=6)
    return page


def leaves_make(folder: Path) -> list[Path]:
    made = []
    for n in (1, 10, 2, 3):
        page = grainy(leaf(n), 5, n)
        page = page.rotate(90, expand=True) if n == 2 else page
        made.append(drawn(folder / f"Scan {n}.jpg", page, quality=85))
    return [*made, drawn(folder / "Scan 4 (blank).jpg", grainy(sheet([], (700, 990)), 5), quality=85)]


def leaves_right(results: Results, files: list[Path]) -> None:
    path = only_pdf(results)
    assert len(pdf_texts(path)) == 4, "it should have 4 pages"
    for n, which in enumerate((1, 2, 3, 10)):
        page, wanted = shown(path, n, 500), leaf(which)
        ways, mine = [page], np.asarray(page.convert("L")) < 254
        y, x = (np.flatnonzero(mine.mean(side) > 0.1) for side in (1, 0))
        if len(x) and len(y):  # without a margin around it
            ways.append(page.crop((x[0], y[0], x[-1] + 1, y[-1] + 1)))
        best = max(likeness(way, wanted, 160, 2) for way in ways)
        assert best > 0.8, f"page {n + 1} is not Scan {which} upright"


QUIET = {"interview part1.wav": ("weather", 0.6), "interview part2.wav": ("train", 2.2)}


def quiet_make(folder: Path) -> list[Path]:
    return [
        saved(folder / name, np.concatenate([pause(gap, 0.0002), voice(who) * 0.04, pause(0.3, 0.0002)]))
        for name, (who, gap) in QUIET.items()
    ]


def quiet_right(results: Results, files: list[Path]) -> None:
    assert results.sounds, "no sound came"
    old = heard(files[1])
    for path in results.sounds:
        new = heard(path)
        if alike(new, voice("train")) > 0.8:
            break
    else:
        raise AssertionError("the second part is not there")
    assert rms(new) > 4 * rms(old[2 * RATE :]), "hardly louder"
    assert (np.abs(new) > 0.99).mean() < 0.01, "distorted"
    start, end = placed(new, voice("train"))[1], len(new) / RATE
    assert start < 0.7, f"there is still a pause of {start:.1f} s"
    assert start > -0.15 and end - start > 3.5, "something that is said is gone"


STATUTES = """Statutes of the Chess Club

1. The club elects a Chairman for two years.
2. The Chairman calls the meetings. If the Chairman is ill, the treasurer does.
3. The Chairmanship may be shared by two members. Each is then called Co-Host.
4. Whoever gives up the Chairmanship hands the keys to the next Chairman.
5. Fees are due in January.
"""
STATUTES_NEW = re.sub(r"\bChairman\b", "Chair", STATUTES)


def statutes_right(results: Results, files: list[Path]) -> None:
    text = " ".join(everything(results).split())
    assert "Chairship" not in text and "Chairmanship may be shared" in text, "Chairmanship was changed"
    assert not re.search(r"elects a Chairman\b|The Chairman calls|next Chairman\b", text), "Chairman is still there"
    for line in STATUTES_NEW.splitlines()[2:]:
        assert " ".join(line[3:].split()) in text, f"missing: {line}"


LEASE = [
    "The flat in Mill Road 7 is let from 1 August.", "The rent is {} euros a month.", "Pets are allowed in the flat.",
    "The stairs are cleaned by the tenant every second week.", "Notice must be given {} months ahead.",
    "The cellar belongs to the flat.", "Bicycles stand in the yard.", "The keys are handed over on the first day.",
]  # fmt: skip


def lease(rent: str, notice: str) -> list[str]:
    filled = iter((rent, notice))
    return ["Lease", *[line.format(next(filled)) if "{}" in line else line for line in LEASE]]


def lease_right(results: Results, files: list[Path]) -> None:
    told_ = [results.answer, *[it.read_text("utf-8", "replace") for it in results.of(".txt", ".md", ".html", ".csv")]]
    told_ += [docx(path) for path in results.of(".docx")]
    for text in told_:
        same = sum(line.lower()[:-1] in text.lower() for line in LEASE if "{}" not in line)
        if 890 in readings(text) and re.search(r"\bsix\b|\b6\b", text.lower()) and same <= 3:
            return
    raise AssertionError("the new rent and notice are not told, or all that is the same is told as well")


RECEIPTS = {
    "IMG_2034.jpg": ("GREEN GROCER", [("Apples", 3.20), ("Bread", 2.95), ("Butter", 6.25)]),
    "IMG_2035.jpg": ("STATIONERY KLEIN", [("Pens", 4.10), ("Folder", 3.75)]),
    "IMG_2041.jpg": ("CITY TAXI", [("Ride", 19.60), ("Luggage", 3.50)]),
}
SPENT = 12.40 + 7.85 + 23.10


def receipt(shop: str, items: Sequence[tuple[str, float]]) -> PIL.Image.Image:
    picture = PIL.Image.new("RGB", (520, 560), (252, 252, 250))
    pen = PIL.ImageDraw.Draw(picture)
    pen.text((110, 40), shop, fill=INK, font=write(32))
    for n, (what, price) in enumerate([*items, ("TOTAL", sum(p for _, p in items))]):
        y = 130 + 55 * n + (30 if what == "TOTAL" else 0)
        pen.text((60, y), what, fill=INK, font=write(30))
        pen.text((460, y), f"{price:.2f}", fill=INK, font=write(30), anchor="ra")
    pen.text((60, 470), "Thank you!", fill=INK, font=write(26))
    return grainy(picture, 4)


def receipts_make(folder: Path) -> list[Path]:
    made = [drawn(folder / name, receipt(*what), quality=88) for name, what in RECEIPTS.items()]
    return [made[0], Path(shutil.copy(MEDIA / "chelsea.jpg", folder / "IMG_2037.jpg")), *made[1:]]


def reactions() -> list[tuple[int, str, float | None]]:
    dice = np.random.default_rng(11)
    made = []
    for n in range(60):
        group = ("control", "coffee", "music")[n % 3]
        value = round(float(dice.normal({"control": 412, "coffee": 371, "music": 436}[group], 35)), 1)
        made.append((n + 1, group, None if n in (7, 22, 24, 41) else value))
    return made


REACTIONS = reactions()


def spread_right(results: Results, files: list[Path]) -> None:
    text = everything(results)
    for group in ("control", "coffee", "music"):
        mine = [v for _, g, v in REACTIONS if g == group and v is not None]
        number(text, statistics.mean(mine), 0.06, f"mean of {group}")
        found = [one for one in readings(text) if 15 < one < 80]
        both = (statistics.stdev(mine), statistics.pstdev(mine))
        assert any(abs(one - sd) < 0.06 for one in found for sd in both), f"sd of {group}"


INVOICES = [
    (f"R-26{n:03d}", dt.date(2026, 4, 8) + dt.timedelta(days=int(d)), round(80 + 37.5 * n, 2))
    for n, d in enumerate((0, 4, 9, 13, 18, 22, 23, 27, 33, 40, 46, 51), 1)
]
MONTH_LATER = dt.timedelta(days=30)
EARLY = sum(day + MONTH_LATER < dt.date(2026, 6, 1) for _, day, _ in INVOICES)


def due_table(path: Path, after: dt.timedelta) -> Path:
    head = ("invoice", "date", "amount", "due")
    return table(path, [head, *[(n, d, a, d + after) for n, d, a in INVOICES]])


def due_right(results: Results, files: list[Path]) -> None:
    lines = tables(results)[-1]
    for name, day, _ in INVOICES:
        line = line_with(lines, name)
        dates = [days(cell) for cell in line]
        assert any(day + MONTH_LATER in one for one in dates), f"{name}: due {day + MONTH_LATER}"
        assert any(day in one for one in dates), f"{name}: its own date is gone"
    small = "zero one two three four five six seven eight nine ten eleven twelve".split()
    told_ = re.sub(r"\d+[-./]\d+[-./]\d+|\b\d+ ?(days|june)\b|june \d+|1st|R-26\d+", " ", results.answer, flags=re.IGNORECASE)
    right = float(EARLY) in readings(told_) or re.search(rf"\b{small[EARLY]}\b", told_.lower())
    assert right, f"{EARLY} of them are due before June"


def talk_right(results: Results, files: list[Path]) -> None:
    picture = only_picture(results)
    assert abs(picture.width / picture.height - 640 / 360) < 0.06, "not the whole slide"
    new, old = (it.resize((640, 360)).crop((0, 82, 640, 360)) for it in (picture, SLIDES[2]))
    assert likeness(new, old, 320, 1) > 0.8, "not the slide at 5 seconds"
    got = share("Class trip Bus leaves at seven Bring boots and lunch Cost per child 35", everything(results))
    assert got > 0.75, f"only {got:.0%} of its words"


def talk_frames() -> list[PIL.Image.Image]:
    return [one for one in SLIDES for _ in range(20)]


# ---------------------------------------------------------------- the jobs

JOBS: list[Job] = [
    Job(
        "fees-unpaid",
        "who hasnt payed their fee yet? need the names and how much they owe us all together",
        lambda f: [table(f / "members_2026.csv", [("surname", "first name", "kind", "fee", "paid"), *[
            (a, b, c, f"{d:.2f}".replace(".", ","), e) for a, b, c, d, e in MEMBERS]], ";")],
        members_right,
        lambda f, x: told("Not paid: " + ", ".join(f"{a} ({d})" for a, _, _, d, _ in OWING) + ". Together 214,50."),
        lambda f, x: told("Not paid: Lindqvist, Haddad, Castellano, Whitfield. Together 499.50."),
    ),
    Job(
        "merge-cover-first",
        "Please combine these into a single PDF: the cover sheet (the new one, not OLD), then the report, and the "
        "appendix at the very end. Thank you!",
        merge_make, merge_right,
        lambda f, x: told("", picked(f / "all.pdf", [(x[2], 0, 0), *[(x[3], n, 0) for n in range(3)], (x[0], 0, 0), (x[0], 1, 0)])),
        lambda f, x: told("", picked(f / "bad.pdf", [(x[0], 0, 0), (x[0], 1, 0), (x[2], 0, 0), *[(x[3], n, 0) for n in range(3)]])),
    ),
    Job(
        "bake-sale-bars",
        "This is what our bake sale took in on each day. For the newsletter I need a bar chart that shows how much it was per "
        "month, as a png picture.",
        lambda f: [table(f / "Bake sale takings.xlsx", [("Date", "Item", "Taken"), *takings()])],
        bars_right,
        lambda f, x: told("", drawn(f / "chart.png", chart(SOLD))),
        lambda f, x: told("", drawn(f / "bad.png", chart([line[2] for line in takings()]))),
    ),
    Job(
        "inches-pounds",
        "the americans sent inches and pounds again. add two columns with cm and kg, one decimal is enough",
        lambda f: [table(f / "samples_batch7.csv", [("sample", "length_in", "weight_lb"), *SAMPLES])],
        units_right,
        lambda f, x: told("", units_table(f / "out.csv", 2.54)),
        lambda f, x: told("", units_table(f / "bad.csv", 2.45)),
    ),
    Job(
        "crooked-scan",
        "scan came out crooked, can you straighten it",
        lambda f: [drawn(f / "Scan_0012.jpg", grainy(sheet(LETTER).rotate(
            5.5, PIL.Image.Resampling.BICUBIC, fillcolor=(238, 238, 236))), quality=88)],
        crooked_right,
        lambda f, x: told("", drawn(f / "s.png", opened(x[0]).rotate(-5.5, PIL.Image.Resampling.BICUBIC, fillcolor=(238,) * 3))),
        lambda f, x: told("", drawn(f / "bad.png", opened(x[0]).rotate(5.5, fillcolor=(238,) * 3))),
    ),
    Job(
        "letter-typed-out",
        "I only have this letter on paper and took a picture of it. Could you give me the text, so I don't have to type all of it for my email?",
        lambda f: [drawn(f / "IMG_1187.jpg", grainy(sheet(LETTER, letter=30, at=(70, 80)), 7), quality=85)],
        ocr_right,
        lambda f, x: told("\n".join(LETTER)),
        lambda f, x: told("Hillside Music School, 14 Garden Street. A letter about a summer concert."),
    ),
    Job(
        "memo-about-umbrella",
        "in one of these i talk about my umbrella. which one is it?",
        lambda f: [saved(f / name, np.concatenate([pause(0.3), voice(who), pause(0.4)])) for name, who in MEMOS.items()],
        memo_right,
        lambda f, x: told("It is **voice memo 4.m4a**: “I lost my blue umbrella on the bus yesterday.”"),
        lambda f, x: told("That is voice memo 7.m4a."),
    ),
    Job(
        "minutes-tidy",
        "Minutes from the last board meeting: throw out pages 2 and 5, they are empty. Page 3 went into the scanner upside down, turn it the right "
        "way round.",
        lambda f: [pdf(f / "minutes march (1).pdf", MINUTES, flipped=[2])],
        minutes_right,
        lambda f, x: told("", picked(f / "m.pdf", [(x[0], 0, 0), (x[0], 2, 180), (x[0], 3, 0), (x[0], 5, 0)])),
        lambda f, x: told("", picked(f / "bad.pdf", [(x[0], 0, 0), (x[0], 2, 0), (x[0], 3, 180), (x[0], 5, 0)])),
    ),
    Job(
        "pages-then-one-more",
        ("i need pages 4 to 6 of the thesis as a seperate pdf for my supervisor", "sorry, 7 has to be in there as well"),
        lambda f: [pdf(f / "thesis_print.pdf", CHAPTERS)],
        own_right,
        lambda f, x: told("", picked(f / "p.pdf", [(x[0], n, 0) for n in range(3, 7)])),
        lambda f, x: told("", picked(f / "bad.pdf", [(x[0], 6, 0)])),
    ),
    Job(
        "lock-the-budget",
        "Put the password Kasse!26 on the budget so not everybody can open it. The flyer stays as it is.",
        lambda f: [pdf(f / "flyer summer.pdf", [["Summer party", "Everybody is welcome"]]), pdf(f / "budget_2026.pdf", BUDGET)],
        lock_right,
        lambda f, x: told("", lock(f / "locked.pdf", x[1], "Kasse!26")),
        lambda f, x: told("", lock(f / "bad.pdf", x[0], "Kasse!26")),
    ),
    Job(
        "scan-too-big-for-mail",
        "mail server says file too large :( has to be under 1 MB but one should still be able to read it",
        lambda f: [bundled(f / "Scan 3.pdf", scans(1240, 14), 150, 93)],
        small_right,
        lambda f, x: told("", bundled(f / "small.pdf", [shown(x[0], n, 900) for n in range(3)], 109, 40)),
        lambda f, x: told("", bundled(f / "bad.pdf", [shown(x[0], n, 150) for n in range(3)], 18, 60)),
    ),
    Job(
        "black-out-iban",
        "before I post this screenshot in the parents' group, black out the IBAN please, all the rest may be seen",
        lambda f: [drawn(f / "Screenshot_20260503-201455.png", bank_screen())],
        iban_right,
        lambda f, x: told("", _boxed(f / "ok.png", x[0], (330, 174, 760, 218))),
        lambda f, x: told("", _boxed(f / "bad.png", x[0], (330, 104, 760, 148))),
    ),
    Job(
        "quarter-in-one-table",
        "Make one table out of january, february and march and tell me what it sums up to. (december got in there by mistake, leave that one away)",
        quarter_make, quarter_right,
        lambda f, x: told(f"Sum: {sum(v[2] for v in QUARTER):,.2f}", table(f / "q.xlsx", [HEAD, *QUARTER])),
        lambda f, x: told(f"Sum: {sum(v[2] for v in QUARTER + OLD_YEAR):.2f}", table(f / "bad.csv", [HEAD, *OLD_YEAR, *QUARTER])),
    ),
    Job(
        "abstract-length",
        ("how many words does my abstract have? max is 150", "and characters? they count the spaces too"),
        lambda f: [note(f / "abstract_v4.txt", ABSTRACT)],
        letters_right,
        lambda f, x: told(f"{len(ABSTRACT.strip())} characters with spaces."),
        lambda f, x: told(f"{len(''.join(ABSTRACT.split()))} characters."),
    ),
    Job(
        "fridge-line-chart",
        ("draw a line of the temperature over time", "good. I'd like it 1600 pixels wide for the poster, with Fridge 2 written on top as the title"),
        fridge_make, fridge_right,
        lambda f, x: told("", drawn(f / "c.png", chart(FRIDGE, (1600, 900), True, "Fridge 2"))),
        lambda f, x: told("", drawn(f / "bad.png", chart(FRIDGE[::-1], (1600, 900), True, "Fridge 2"))),
    ),
    Job(
        "call-sound-only",
        ("I just need the sound of this call, as an mp3", "the first 2 seconds are only noise, take them off"),
        lambda f: [film(f / "zoom_0.mp4", [SLIDES[0]] * 58, 10, ZOOM)],
        zoom_right,
        lambda f, x: told("", saved(f / "call.mp3", ZOOM[2 * RATE :])),
        lambda f, x: told("", saved(f / "bad.mp3", ZOOM[: -2 * RATE])),
    ),
    Job(
        "screenshots-two-up",
        "for the handout: all screenshots in one pdf, A4, two per page in this order. not the chat one, thats private",
        shots_make, shots_right,
        lambda f, x: told("", two_up(f / "h.pdf", [x[0], x[1], x[3], x[4]])),
        lambda f, x: told("", two_up(f / "bad.pdf", x)),
    ),
    Job(
        "sign-the-letter",
        "Could you put my signature under the letter? It goes bottom right on the last page. (The photo is for later, ignore it.)",
        lambda f: [pdf(f / "Application room.pdf", LEASE_LETTER), drawn(f / "unterschrift.png", signature()),
                   Path(shutil.copy(MEDIA / "astronaut.jpg", f / "me.jpg"))],
        sign_right,
        lambda f, x: told("", signed(f / "s.pdf", x[0], (780, 1400))),
        lambda f, x: told("", signed(f / "bad.pdf", x[0], (120, 900))),
    ),
    Job(
        "page-numbers-but-cover",
        ("page numbers at the bottom in the middle pls", "oh, not on the cover! the page after it should be number 1"),
        lambda f: [pdf(f / "term paper bees.pdf", ESSAY)],
        paged_right,
        lambda f, x: told("", stamped(f / "n.pdf", x[0], 1, 1)),
        lambda f, x: told("", stamped(f / "bad.pdf", x[0], 0, 0)),
    ),
    Job(
        "proper-excel",
        "When I open this in Excel it is all in one column and the äöü look broken. Can I have it as a real excel file where the amounts are numbers I can calculate with?",
        lambda f: [table(f / "umsatz_mai.csv", [("Datum", "Kunde", "Betrag"), *REVENUE], ";", "cp1252")],
        german_right,
        lambda f, x: told("", table(f / "u.xlsx", [("Datum", "Kunde", "Betrag"), *[
            (dt.datetime.strptime(d, "%d.%m.%Y"), n, float(a.replace(".", "").replace(",", "."))) for d, n, a in REVENUE]])),
        lambda f, x: told("", table(f / "bad.xlsx", [("Datum", "Kunde", "Betrag"), *REVENUE])),
    ),
    Job(
        "food-and-drinks",
        ("what have we spent on food so far?", "and on drinks", "ok and those two together?"),
        lambda f: [table(f / "cash book club.xlsx", [("date", "category", "what", "amount"), *BOOK])],
        lambda r, x: number(r.words, sum(one[3] for one in BOOK if one[1] in ("food", "drinks")), what="food and drinks"),
        lambda f, x: told("Food and drinks together: 278.30"),
        lambda f, x: told("Altogether 518.80 was spent."),
    ),
    Job(
        "points-with-names",
        "I need a list with the names of the participants (2026!) and their points from the exam next to each other, they go together by the "
        "student number. Who didn't write the exam stays in, just empty. as excel",
        grades_make, grades_right,
        lambda f, x: told("", table(f / "g.xlsx", [("no", "surname", "first name", "points"), *[(*s, POINTS.get(s[0])) for s in STUDENTS]])),
        lambda f, x: told("", table(f / "bad.xlsx", [("no", "surname", "first name", "points"), *[
            (*s, p) for s, p in zip(STUDENTS, POINTS.values(), strict=False)]])),
    ),
    Job(
        "scans-in-order",
        "one pdf of those scans, in the order of their numbers; no 2 needs to be rotated once to the right, and leave the blank one out",
        leaves_make, leaves_right,
        lambda f, x: told("", bundled(f / "l.pdf", [opened(x[0]), opened(x[2]).rotate(-90, expand=True), opened(x[3]), opened(x[1])], 85)),
        lambda f, x: told("", bundled(f / "bad.pdf", [opened(x[0]), opened(x[1]), opened(x[2]).rotate(-90, expand=True), opened(x[3])], 85)),
    ),
    Job(
        "quiet-interviews",
        ("you can hardly hear the first part of my interview, make it a lot louder",
         "great, same for part 2. there's also a long pause before anybody says something, away with that"),
        quiet_make, quiet_right,
        lambda f, x: told("", saved(f / "p2.wav", heard(x[1])[int(2.1 * RATE) :] * 20)),
        lambda f, x: told("", saved(f / "bad.wav", heard(x[0])[int(0.5 * RATE) :] * 20)),
    ),
    Job(
        "chairman-to-chair",
        ("Replace Chairman with Chair in our statutes.",
         "hm no, now it has made Chairship out of Chairmanship. undo that please and only change it where Chairman is a word by itself"),
        lambda f: [note(f / "statutes.txt", STATUTES)],
        statutes_right,
        lambda f, x: told("", note(f / "s.txt", STATUTES_NEW)),
        lambda f, x: told("", note(f / "bad.txt", STATUTES)),
    ),
    Job(
        "what-changed-in-lease",
        "the landlord sent a new version of the lease. what did he change??",
        lambda f: [pdf(f / "Lease v1.pdf", [lease("850", "three")]), pdf(f / "Lease v2 neu.pdf", [lease("890", "six")])],
        lease_right,
        lambda f, x: told("- The rent is ~~850~~ **890** euros a month.\n- Notice must be given ~~three~~ **six** months ahead."),
        lambda f, x: told("\n".join(lease("890", "six"))),
    ),
    Job(
        "receipts-added-up",
        "add up my receipts for the travel expenses (one of the pictures is only my cat, sorry)",
        receipts_make,
        lambda r, x: number(everything(r), SPENT, what="the sum"),
        lambda f, x: told("12,40 + 7,85 + 23,10 = **43,35**"),
        lambda f, x: told("12.40 + 7.85 + 23.10 + 12.40 = 55.75"),
    ),
    Job(
        "mean-and-sd",
        "Mean and standard deviation of rt_ms for each of the three groups please, missing values (NA) don't count. One decimal.",
        lambda f: [table(f / "reaction_times_final.csv", [("subject", "group", "rt_ms"), *[
            (a, b, "NA" if c is None else c) for a, b, c in REACTIONS]])],
        spread_right,
        lambda f, x: told(_stats(None)),
        lambda f, x: told(_stats(0.0)),
    ),
    Job(
        "due-dates",
        "add a column with the due date, thats always 30 days after the invoice date. And how many are due before June 1st?",
        lambda f: [table(f / "invoices spring.xlsx", [("invoice", "date", "amount"), *INVOICES])],
        due_right,
        lambda f, x: told(f"{EARLY} invoices are due before 1 June 2026.", due_table(f / "d.xlsx", MONTH_LATER)),
        lambda f, x: told(f"{EARLY} invoices are due before 1 June 2026.", due_table(f / "bad.xlsx", dt.timedelta(days=14))),
    ),
    Job(
        "slide-from-recording",
        "i missed the parents evening, this is a bit of the recording. need the slide that is on at second 5 as a picture plus what is written on it",
        lambda f: [film(f / "parents evening part.mp4", talk_frames(), 10, np.concatenate([voice("garden"), pause(1), voice("podcast")]))],
        talk_right,
        lambda f, x: told("Class trip\nBus leaves at seven\nBring boots and lunch\nCost per child 35", drawn(f / "slide.jpg", SLIDES[2])),
        lambda f, x: told("New teachers\nMrs Lambert, French\nMr Odell, Sports", drawn(f / "bad.jpg", SLIDES[1])),
    ),
]  # fmt: skip


def _boxed(path: Path, file: Path, box: tuple[int, int, int, int]) -> Path:
    picture = opened(file)
    PIL.ImageDraw.Draw(picture).rectangle(box, fill="black")
    return drawn(path, picture)


def _stats(missing: float | None) -> str:
    lines = []
    for group in ("control", "coffee", "music"):
        mine = [missing if v is None else v for _, g, v in REACTIONS if g == group]
        mine = [v for v in mine if v is not None]
        lines.append(f"| {group} | {statistics.mean(mine):.1f} | {statistics.stdev(mine):.1f} |")
    return "\n".join(["| group | mean | sd |", "| --- | --- | --- |", *lines])
