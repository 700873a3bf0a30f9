"""All sorts of people: conversations of two to four turns, and several wishes at once."""

from __future__ import annotations

import csv
import functools
import re
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import av
import numpy as np
import openpyxl
import PIL.Image
import PIL.ImageColor
import PIL.ImageDraw
import PIL.ImageFont
import PIL.ImageOps
import pypdf
import pypdfium2
import soundfile

from benchmarks.jobs.job import Job, Results
from benchmarks.jobs.media import MEDIA, SPOKEN

Picture = PIL.Image.Image
RATE = 22050

# ---------------------------------------------------------------- pictures


def pic(source: Path | Picture) -> Picture:
    """As a person sees it: turned as its tag says, on white, RGB."""
    if isinstance(source, Path):
        source = PIL.ImageOps.exif_transpose(PIL.Image.open(source))
    if source.mode in ("RGBA", "LA", "P"):
        source = source.convert("RGBA")
        white = PIL.Image.new("RGBA", source.size, "white")
        source = PIL.Image.alpha_composite(white, source)
    return source.convert("RGB")


def photo(name: str) -> Picture:
    return pic(MEDIA / name)


def kept(path: Path, picture: Picture, **how: Any) -> Path:
    picture.save(path, **({"quality": 92} | how if path.suffix == ".jpg" else how))
    return path


def small(picture: Path | Picture, size: tuple[int, int] = (48, 48), mode: str = "L") -> np.ndarray:
    shrunk = pic(picture).convert(mode).resize(size, PIL.Image.Resampling.BOX)
    return np.asarray(shrunk, np.float32)


def alike(one: Path | Picture, other: Path | Picture, far: float = 14, mode: str = "L") -> None:
    """Same shape and the same to see, whatever the size."""
    (w, h), (v, k) = pic(one).size, pic(other).size
    assert abs(w / h / (v / k) - 1) < 0.04, f"shape {w}x{h} instead of {v}x{k}"
    gap = np.abs(small(one, mode=mode) - small(other, mode=mode)).mean()
    assert gap < far, f"looks different ({gap:.0f})"


def colour(picture: Path | Picture) -> float:
    pixels = np.asarray(pic(picture), np.float32)
    return float((pixels.max(2) - pixels.min(2)).mean())


def some(what: str, things: Iterable[Any], check: Callable[[Any], None]) -> Any:
    """The first thing that the check accepts."""
    why = ["nothing fits"]
    for thing in things:
        try:
            check(thing)
            return thing
        except AssertionError as wrong:
            why.append(str(wrong))
    raise AssertionError(f"{what}: {'; '.join(why[-4:])}")


def lettered(size: tuple[int, int], lines: list[str], paper: str, at: int = 24) -> Picture:
    sheet = PIL.Image.new("RGB", size, paper)
    draw, font = PIL.ImageDraw.Draw(sheet), PIL.ImageFont.load_default(at)
    for number, line in enumerate(lines):
        draw.text((size[0] // 12, 30 + number * at * 1.6), line, fill="black", font=font)
    return sheet


# ---------------------------------------------------------------- sounds


def hear(path: Path) -> np.ndarray:
    """Mono samples at RATE."""
    return _heard(path, path.stat().st_mtime_ns)


@functools.lru_cache(maxsize=64)
def _heard(path: Path, _changed: int) -> np.ndarray:
    with av.open(str(path)) as box:
        assert box.streams.audio, "no sound in it"
        change = av.AudioResampler(format="flt", layout="mono", rate=RATE)
        parts = [
            part.to_ndarray().ravel()
            for frame in [*box.decode(audio=0), None]
            for part in change.resample(frame)
        ]
    return np.concatenate(parts) if parts else np.zeros(1, np.float32)


def seconds(sound: Path | np.ndarray) -> float:
    return len(hear(sound) if isinstance(sound, Path) else sound) / RATE


def loud(samples: np.ndarray) -> float:
    return float(np.sqrt((np.asarray(samples, np.float64) ** 2).mean() + 1e-12))


def hull(samples: np.ndarray, bins: int = 80) -> np.ndarray:
    return np.array([loud(part) for part in np.array_split(samples, bins)])


def sounds_like(one: Path | np.ndarray, other: Path | np.ndarray, least: float = 0.75) -> None:
    """The same ups and downs over the whole, whatever the length or the loudness."""
    a, b = (hull(hear(x) if isinstance(x, Path) else x) for x in (one, other))
    close = np.corrcoef(a, b)[0, 1]
    assert close > least, f"sounds different ({close:.2f})"


def lasts(sound: Path, wanted: float, give: float = 0.35) -> None:
    assert abs(seconds(sound) - wanted) < give, f"lasts {seconds(sound):.2f}, not {wanted:.2f}"


def said(*names: str, pause: float = 0.3) -> np.ndarray:
    gap = np.zeros(int(pause * RATE), np.float32)
    parts = [x for name in names for x in (hear(MEDIA / f"spoken-{name}.wav"), gap)]
    return np.concatenate(parts[:-1])


def _sound_in(box: Any, samples: np.ndarray, codec: str) -> Callable[[], None]:
    stream = box.add_stream(codec, rate=RATE)
    stream.layout = "mono"

    def write() -> None:
        frame = av.AudioFrame.from_ndarray(
            np.ascontiguousarray(samples[None], np.float32), format="fltp", layout="mono"
        )
        frame.sample_rate, frame.pts = RATE, 0
        box.mux(stream.encode(frame))
        box.mux(stream.encode(None))

    return write


def put_sound(path: Path, samples: np.ndarray) -> Path:
    if path.suffix == ".wav":
        soundfile.write(path, samples, RATE)
        return path
    with av.open(str(path), "w") as box:
        _sound_in(box, samples, {".mp3": "mp3", ".m4a": "aac"}[path.suffix])()
    return path


# ---------------------------------------------------------------- films


def scenes(names: list[str], length: float, size: tuple[int, int]) -> list[np.ndarray]:
    """One photo after the other, the camera moving over each; 15 frames a second."""
    wide = (int(size[0] * 1.4), int(size[1] * 1.4))
    photos = [PIL.ImageOps.fit(photo(name), wide) for name in names]
    frames, total = [], round(length * 15)
    for number in range(total):
        which, rest = divmod(number * len(names) / total, 1)
        x, y = int(rest * (wide[0] - size[0])), (wide[1] - size[1]) // 2
        frames.append(np.asarray(photos[int(which)].crop((x, y, x + size[0], y + size[1]))))
    return frames


def put_film(
    path: Path, frames: list[np.ndarray], sound: np.ndarray | None = None, fps: int = 15
) -> Path:
    with av.open(str(path), "w") as box:
        stream = box.add_stream("libx264", rate=fps, options={"preset": "ultrafast", "crf": "22"})
        stream.height, stream.width = frames[0].shape[:2]
        stream.pix_fmt = "yuv420p"
        rest = _sound_in(box, sound, "aac") if sound is not None else None
        for frame in frames:
            box.mux(stream.encode(av.VideoFrame.from_ndarray(frame, format="rgb24")))
        box.mux(stream.encode(None))
        if rest:
            rest()
    return path


class Seen:
    """What can be seen of a film or an animation."""

    def __init__(self, path: Path) -> None:
        self.times: list[float] = []
        self.frames: list[Picture] = []
        self.sound = False
        if path.suffix == ".gif":
            picture, at, step = PIL.Image.open(path), 0.0, 0.1
            for number in range(getattr(picture, "n_frames", 1)):
                picture.seek(number)
                self.times.append(at)
                self.frames.append(pic(picture.copy()))
                step = picture.info.get("duration", 100) / 1000
                at += step
            self.length = at
        else:
            with av.open(str(path)) as box:
                assert box.streams.video, "no pictures in it"
                self.sound = bool(box.streams.audio)
                for frame in box.decode(video=0):
                    self.times.append(float(frame.time or 0))
                    self.frames.append(frame.to_image())
            step = (self.times[-1] - self.times[0]) / max(1, len(self.times) - 1)
            self.length = self.times[-1] - self.times[0] + step
        self.size = self.frames[0].size

    def at(self, time: float) -> Picture:
        first = self.times[0]
        return self.frames[int(np.argmin([abs(t - first - time) for t in self.times]))]


@functools.lru_cache(maxsize=16)
def _shrunk(path: Path, _changed: int) -> tuple[list[float], np.ndarray]:
    film = Seen(path)
    return film.times, np.stack([small(frame, (64, 36)) for frame in film.frames])


def moment(film: Path, frame: Picture | Path) -> float:
    """The time in the film at which it looks like this."""
    times, frames = _shrunk(film, film.stat().st_mtime_ns)
    gaps = np.abs(frames - small(frame, (64, 36))).mean((1, 2))
    assert gaps.min() < 16, "not a picture of this film"
    return times[int(gaps.argmin())]


def runs(film: Path | Seen, source: Path, start: float, end: float, give: float = 0.4) -> None:
    """It shows the source from start to end."""
    seen = film if isinstance(film, Seen) else Seen(film)
    assert abs(seen.length - (end - start)) < give, f"lasts {seen.length:.2f}"
    for at, wanted in ((0.2, start + 0.2), (seen.length - 0.2, end - 0.2)):
        shown = moment(source, seen.at(at))
        assert abs(shown - wanted) < give, f"shows second {shown:.1f} instead of {wanted:.1f}"


# ---------------------------------------------------------------- documents, tables, words


def put_pdf(path: Path, pages: list[list[str]]) -> Path:
    """A4 pages of lines, by hand."""
    things = ["<< /Type /Catalog /Pages 2 0 R >>", ""]
    things.append("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    kids = []
    for lines in pages:
        safe = [re.sub(r"([()])", r"\\\1", line) for line in lines]
        rows = " T* ".join(f"({line}) Tj" for line in safe)
        body = f"BT /F1 15 Tf 22 TL 70 760 Td {rows} ET"
        things.append(f"<< /Length {len(body)} >>\nstream\n{body}\nendstream")
        things.append(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents "
            f"{len(things)} 0 R /Resources << /Font << /F1 3 0 R >> >> >>"
        )
        kids.append(f"{len(things)} 0 R")
    things[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    out, places = "%PDF-1.4\n", []
    for number, thing in enumerate(things, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{thing}\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    out += f"xref\n0 {len(things) + 1}\n0000000000 65535 f \n{table}"
    out += f"trailer << /Size {len(things) + 1} /Root 1 0 R >>\nstartxref\n"
    start = out.index("xref\n0 ")
    path.write_text(out + f"{start}\n%%EOF\n", "latin-1")
    return path


def pages(path: Path, password: str | None = None) -> list[tuple[str, Picture]]:
    """Every page: its text and how it looks."""
    document = pypdfium2.PdfDocument(path, password=password)
    every = [
        (page.get_textpage().get_text_range(), page.render(scale=1).to_pil().convert("RGB"))
        for page in document
    ]
    document.close()
    return every


def in_order(path: Path, marks: list[str]) -> None:
    texts = [text for text, _ in pages(path)]
    assert len(texts) == len(marks), f"{len(texts)} pages instead of {len(marks)}"
    for mark, text in zip(marks, texts, strict=True):
        assert mark.lower() in " ".join(text.lower().split()), f"no page {mark!r} at its place"


def joined(path: Path, parts: list[tuple[Path, list[int]]]) -> Path:
    writer = pypdf.PdfWriter()
    for source, which in parts:
        reader = pypdf.PdfReader(source)
        for number in which:
            writer.add_page(reader.pages[number])
    writer.write(path)
    return path


def pdfs(results: Results) -> list[Path]:
    return results.of(".pdf")


def put_table(path: Path, rows: list[list[Any]], mark: str = ",") -> Path:
    if path.suffix == ".xlsx":
        book = openpyxl.Workbook()
        for row in rows:
            book.active.append(row)
        book.save(path)
    else:
        path.write_text("".join(mark.join(map(str, row)) + "\n" for row in rows), "utf-8")
    return path


def rows_of(path: Path) -> list[list[str]]:
    """The cells that are not all empty, as words; days without the hour."""
    if path.suffix == ".xlsx":
        sheet = openpyxl.load_workbook(path).worksheets[0]
        rows = [["" if x is None else str(x) for x in row] for row in sheet.values]
    else:
        text = path.read_text("utf-8-sig")
        head = text.split("\n", 1)[0]
        rows = list(csv.reader(text.splitlines(), delimiter=max(",;\t", key=head.count)))
    rows = [[x.strip().removesuffix(" 00:00:00") for x in row] for row in rows]
    return [row for row in rows if any(row)]


def column(rows: list[list[str]], name: str) -> list[str]:
    heads = [head.lower() for head in rows[0]]
    assert name.lower() in heads, f"no column {name}"
    return [row[heads.index(name.lower())] for row in rows[1:]]


_COUNTS = "zero one two three four five six seven eight nine ten eleven twelve".split()


def numbers(words: str) -> set[float]:
    """All that the numbers in it may mean, with either sign for decimals and thousands."""
    found = {float(n) for n, word in enumerate(_COUNTS) if re.search(rf"\b{word}\b", words.lower())}
    token = r"\d{1,3}(?:[ \u00a0\u202f,.'’]\d{3})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,]\d+)?"
    for one in re.findall(token, words):
        bare = re.sub(r"[ \u00a0\u202f'’]", "", one)
        ways = {bare.replace(",", ""), bare.replace(".", "").replace(",", ".")}
        found |= {float(way) for way in ways if way.count(".") < 2}
    for minutes, rest in re.findall(r"(\d+):(\d\d(?:[.,]\d+)?)", words):
        found.add(60 * int(minutes) + float(rest.replace(",", ".")))
    return found


def tells(words: str, value: float, give: float = 0.006) -> None:
    assert any(abs(x - value) <= give for x in numbers(words)), f"does not say {value}"


def mentions(words: str, of: list[str], least: int = 2) -> float:
    """Where these are, in the middle, once enough of them are there."""
    got = [words.lower().index(word) for word in of if word in words.lower()]
    assert len(got) >= least, f"says too little of {of}"
    return float(np.median(got))


def written(results: Results) -> str:
    """What stands in the text files or, where there are none, in the answer."""
    texts = results.of(".txt", ".md")
    return "\n".join(x.read_text("utf-8-sig") for x in texts) if texts else results.answer


def put_text(path: Path, text: str) -> Path:
    path.write_text(text, "utf-8")
    return path


def copied(folder: Path, source: str, name: str) -> Path:
    return Path(shutil.copy(MEDIA / source, folder / name))


JOBS: list[Job] = []


def job(name: str, words: str | tuple[str, ...], make: Any, right: Any, reference: Any, wrong: Any):
    JOBS.append(Job(name, words, make, right, reference, wrong))


def gives(*files: Path, answer: str = "Done.") -> Results:
    return Results(tuple(files), answer)


# ================================================================ conversations


# -- the cat: grey, smaller, colours back
def _cat_right(r: Results, f: list[Path]) -> None:
    def check(path: Path) -> None:
        w, h = pic(path).size
        assert w == 300 and abs(h - 300 * 300 / 451) < 1.6, f"is {w}x{h}"
        assert colour(path) > 0.6 * colour(f[0]), "has no colours"
        alike(path, f[0], 12, "RGB")

    some("picture", r.pictures, check)


job(
    "cat-grey-small-then-colour-back",
    (
        "can you make my cat black and white",
        "cute! and smaller now, 300 wide",
        "hmm no, i liked her better with the colours. put them back but leave it small",
    ),
    lambda d: [copied(d, "chelsea.jpg", "IMG_2034.jpg")],
    _cat_right,
    lambda d, f: gives(kept(d / "r.jpg", pic(f[0]).resize((300, 200)))),
    lambda d, f: gives(kept(d / "w.jpg", pic(f[0]).resize((300, 200)).convert("L"))),
)


# -- turn one, then the other the other way
def _turn_make(d: Path) -> list[Path]:
    left, right = PIL.Image.Transpose.ROTATE_90, PIL.Image.Transpose.ROTATE_270
    return [
        kept(d / "DSC00412.jpg", photo("coffee.jpg").transpose(left)),
        kept(d / "DSC00413.jpg", photo("tower.jpg").transpose(right)),
        copied(d, "rocket.jpg", "DSC00414.jpg"),
    ]


job(
    "turn-other-photo-other-way",
    (
        "DSC00412 is lying on its side, would you turn it clockwise please?",
        "Thank you. 413 needs it too, but that one has to go the other way round.",
    ),
    _turn_make,
    lambda r, f: some("upright tower", r.pictures, lambda p: alike(p, photo("tower.jpg"))),
    lambda d, f: gives(kept(d / "r.jpg", photo("tower.jpg"))),
    lambda d, f: gives(kept(d / "w.jpg", photo("tower.jpg").rotate(180))),
)


# -- saxophone: cut, fade, mp3
def _sax_cut() -> np.ndarray:
    return hear(MEDIA / "sax.wav")[4 * RATE :].copy()


def _sax_right(r: Results, f: list[Path]) -> None:
    def check(path: Path) -> None:
        lasts(path, 12)
        got, raw = hear(path), _sax_cut()
        early = loud(got[RATE : 8 * RATE]) / loud(raw[RATE : 8 * RATE])
        assert 0.5 < early < 1.6, "the rest is not as loud as it was"
        late = loud(got[int(11.2 * RATE) :]) / loud(raw[int(11.2 * RATE) :])
        assert late < 0.5 * early, "does not fade out"
        sounds_like(got[: 8 * RATE], raw[: 8 * RATE])

    some("mp3", r.of(".mp3"), check)


def _sax_reference(d: Path, f: list[Path]) -> Results:
    cut = _sax_cut()
    cut[-3 * RATE :] *= np.linspace(1, 0, 3 * RATE)
    return gives(put_sound(d / "r.mp3", cut))


job(
    "sax-cut-fade-mp3",
    (
        "i dont need the first 4 seconds of this take",
        "ok. can it fade out at the end? like over the last 3 sec",
        "mp3 pls so i can whatsapp it to the band",
    ),
    lambda d: [copied(d, "sax.wav", "sax take 3 FINAL.wav")],
    _sax_right,
    _sax_reference,
    lambda d, f: gives(put_sound(d / "w.mp3", _sax_cut())),
)


# -- two of three voice memos, typed out
def _memos_right(r: Results, f: list[Path]) -> None:
    def check(path: Path) -> None:
        text = path.read_text("utf-8-sig").lower()
        garden = mentions(text, ["tomato", "bean", "garden", "weekend", "plant"])
        umbrella = mentions(text, ["umbrella", "blue", "on the bus", "yesterday"])
        assert garden < umbrella, "wrong order"
        assert "rain" not in text, "that memo was not asked for"

    some("text file", r.of(".txt", ".md"), check)


job(
    "memos-typed-into-one-file",
    (
        "What do I say in voice memo 7?",
        "and 8?",
        "Ah good. Write those two in a text file for me, the one about the garden first.",
    ),
    lambda d: [
        put_sound(d / "voice memo 7.m4a", said("lost")),
        put_sound(d / "voice memo 8.m4a", said("garden")),
        put_sound(d / "voice memo 9.m4a", said("weather")),
    ],
    _memos_right,
    lambda d, f: gives(put_text(d / "r.txt", SPOKEN["garden"] + "\n\n" + SPOKEN["lost"])),
    lambda d, f: gives(put_text(d / "w.txt", SPOKEN["garden"])),
)


# -- film: mute, first seconds, gif
def _gif_right(r: Results, f: list[Path]) -> None:
    def check(path: Path) -> None:
        seen = Seen(path)
        w, h = seen.size
        assert 225 <= w <= 255 and abs(w / h - 16 / 9) < 0.05, f"is {w}x{h}"
        assert len(seen.frames) > 10, "hardly moves"
        runs(seen, f[0], 0, 3)

    some("gif", r.of(".gif"), check)


def _gif(path: Path, source: Path, length: float) -> Path:
    seen = Seen(source)
    frames = [seen.at(n / 10).resize((240, 135)) for n in range(round(length * 10))]
    frames[0].save(path, save_all=True, append_images=frames[1:], duration=100, loop=0)
    return path


job(
    "film-mute-shorten-gif",
    (
        "take the sound off this please, the wind is horrible",
        "now just the first three seconds",
        "and can i have that as a gif? about 240 wide so it fits in the chat",
    ),
    lambda d: [
        put_film(
            d / "VID_20240811.mp4",
            scenes(["stereo_motorcycle.jpg", "tower.jpg"], 6, (480, 270)),
            np.random.default_rng(1).normal(0, 0.1, 6 * RATE).astype(np.float32),
        )
    ],
    _gif_right,
    lambda d, f: gives(_gif(d / "r.gif", f[0], 3)),
    lambda d, f: gives(_gif(d / "w.gif", f[0], 6)),
)


# -- two films: the second half of the longer one
def _half_right(r: Results, f: list[Path]) -> None:
    def check(path: Path) -> None:
        seen = Seen(path)
        runs(seen, f[1], 3.5, 7)
        assert seen.sound and loud(hear(path)) > 0.01, "the sound is gone"

    some("film", r.videos, check)


def _part(path: Path, source: Path, start: float, end: float, fps: int = 15) -> Path:
    frames = [np.asarray(x) for x in Seen(source).frames[round(start * fps) : round(end * fps)]]
    return put_film(path, frames, hear(source)[int(start * RATE) : int(end * RATE)], fps)


job(
    "second-half-of-longer-film",
    (
        "how long are these two videos",
        "ok then cut the longer one in half, i need the second half of it",
    ),
    lambda d: [
        put_film(d / "geburtstag oma.mp4", scenes(["coffee.jpg"], 3, (320, 240)), said("meeting")),
        put_film(
            d / "geburtstag oma 2.mp4",
            scenes(["chelsea.jpg", "rocket.jpg", "coffee.jpg"], 7, (480, 270)),
            said("doctor", "garden", pause=0.5)[: 7 * RATE],
        ),
    ],
    _half_right,
    lambda d, f: gives(_part(d / "r.mp4", f[1], 3.5, 7)),
    lambda d, f: gives(_part(d / "w.mp4", f[1], 0, 3.5)),
)


# -- pages out, one of them back
_MINUTES = ["Opening", "Budget", "Playground", "Summer party", "New members", "Any other business"]
job(
    "page-back-into-minutes",
    (
        "how many pages does this have?",
        "Take out pages 2 and 5",
        "Oh no, wait. Only 2 was supposed to go, 5 has to stay in!",
    ),
    lambda d: [
        put_pdf(
            d / "Minutes parents evening.pdf",
            [[x, "", f"Notes on the item {x.lower()}.", "Nobody objected."] for x in _MINUTES],
        )
    ],
    lambda r, f: some("pdf", pdfs(r), lambda p: in_order(p, [_MINUTES[0], *_MINUTES[2:]])),
    lambda d, f: gives(joined(d / "r.pdf", [(f[0], [0, 2, 3, 4, 5])])),
    lambda d, f: gives(joined(d / "w.pdf", [(f[0], [0, 2, 3, 5])])),
)


# -- merge, then page numbers
def _numbered_right(r: Results, f: list[Path]) -> None:
    def check(path: Path) -> None:
        in_order(path, ["Dear Mrs Hopkins", "List of repairs", "Photos of the damage"])
        for number, (text, look) in enumerate(pages(path), 1):
            foot = np.asarray(look.convert("L"))[int(look.height * 0.85) :]
            assert (foot < 160).sum() > 8, f"nothing at the foot of page {number}"
            assert str(number) in text or not re.search(r"\d", text), f"wrong number on {number}"

    some("pdf", pdfs(r), check)


_LETTER = ["Dear Mrs Hopkins", "", "please find the papers that you asked for.", "", "Tim Baker"]
_PAPERS = [["List of repairs", "", "window", "door", "boiler"], ["Photos of the damage"]]


def _foot(page: list[str], number: int) -> list[str]:
    return page + [""] * (33 - len(page)) + [f"{' ' * 50}{number}"]


job(
    "letter-and-papers-numbered",
    (
        "Put the letter and the attachments together into one PDF please, letter first. "
        "The draft isn't needed.",
        "And now page numbers at the bottom.",
    ),
    lambda d: [
        put_pdf(d / "attachments.pdf", _PAPERS),
        put_pdf(d / "letter.pdf", [_LETTER]),
        put_pdf(d / "letter_draft_OLD.pdf", [["Hello Mrs Hopkins", "", "here you are."]]),
    ],
    _numbered_right,
    lambda d, f: gives(
        put_pdf(d / "r.pdf", [_foot(p, n) for n, p in enumerate([_LETTER, *_PAPERS], 1)])
    ),
    lambda d, f: gives(joined(d / "w.pdf", [(f[1], [0]), (f[0], [0, 1])])),
)


# -- money spent, in four turns
def _spent() -> list[list[Any]]:
    rows: list[list[Any]] = [["Date", "Shop", "Category", "Amount"]]
    kinds = [("Shell", "Petrol"), ("Aldi", "Groceries"), ("Rossmann", "Household")]
    kinds += [("Tesco", "Groceries"), ("Cinema", "Fun")]
    dice = np.random.default_rng(7)
    for day in range(1, 151):
        date = np.datetime64("2024-01-01") + np.timedelta64(day, "D")
        shop, kind = kinds[int(dice.integers(5))]
        rows.append([str(date), shop, kind, f"{dice.uniform(4, 90):.2f}"])
    return rows


def _sum_of(rows: list[list[Any]], kinds: tuple[str, ...], month: str = "") -> float:
    picked = [r for r in rows[1:] if r[2] in kinds and str(r[0]).startswith(month)]
    return round(sum(float(r[3]) for r in picked), 2)


_BOTH = ("Petrol", "Groceries")
job(
    "petrol-and-groceries-in-march",
    (
        "how much did we spend on petrol all together, its in the file",
        "and groceries?",
        "only march please, for both",
        "whats that added up",
    ),
    lambda d: [put_table(d / "ausgaben_2024.csv", _spent())],
    lambda r, f: tells(r.words, _sum_of(_spent(), _BOTH, "2024-03")),
    lambda d, f: gives(answer=f"Together **{_sum_of(_spent(), _BOTH, '2024-03'):,.2f}**."),
    lambda d, f: gives(answer=f"Together {_sum_of(_spent(), _BOTH):,.2f}."),
)


# -- members: sort, the other way, without phones, as csv
_MEMBERS = [
    ["First name", "Surname", "Phone", "Town", "Joined"],
    ["Ines", "Kowalski", "0171 5550142", "Trier", 2011],
    ["Paul", "Adams", "0171 5550178", "Konz", 2019],
    ["Gita", "Rao", "0160 5550113", "Trier", 2007],
    ["Marek", "Zielinski", "0151 5550199", "Bitburg", 2022],
    ["Ann", "Foster", "0171 5550121", "Konz", 2015],
    ["Luca", "Bianchi", "0176 5550164", "Schweich", 2001],
    ["Wilma", "Peters", "0160 5550137", "Trier", 2018],
]


def _members_right(r: Results, f: list[Path]) -> None:
    def check(path: Path) -> None:
        rows = rows_of(path)
        names = column(rows, "Surname")
        assert names == sorted((m[1] for m in _MEMBERS[1:]), reverse=True), f"order {names}"
        towns = {m[1]: m[3] for m in _MEMBERS}
        assert column(rows, "Town") == [towns[n] for n in names], "the rows got mixed up"
        assert len(column(rows, "First name")) == 7 and column(rows, "Joined")[0][:4] == "2022"
        assert "5550" not in path.read_text("utf-8", "replace"), "the phone numbers are still there"

    some("csv", r.of(".csv"), check)


def _members(drop: int | None) -> list[list[Any]]:
    rows = [_MEMBERS[0], *sorted(_MEMBERS[1:], key=lambda m: str(m[1]), reverse=True)]
    return [[x for n, x in enumerate(row) if n != drop] for row in rows]


job(
    "members-sorted-without-phones",
    (
        "sort this by surname",
        "other way round, Z on top",
        "Perfect. The phone numbers have to go before I send it round.",
        "and as csv, our website wants it like that",
    ),
    lambda d: [put_table(d / "Mitglieder Chor.xlsx", _MEMBERS)],
    _members_right,
    lambda d, f: gives(put_table(d / "r.csv", _members(2))),
    lambda d, f: gives(put_table(d / "w.csv", _members(None))),
)


# -- a letter: name changed, date changed, date back
_LANDLORD = """Dear Mr Meyer,

as I told Mrs Meyer on the phone, the heating in our flat has been cold since Sunday.
The plumber could come on the 14th of November. Would that suit you, Mr Meyer?

If the 14th of November does not suit you, please call me.

Kind regards
Jo Lindqvist
"""


def _letter_right(r: Results, f: list[Path]) -> None:
    text = written(r)
    got, wanted = " ".join(text.split()), " ".join(_LANDLORD.replace("Meyer", "Maier").split())
    assert wanted in got, "the letter is not as it should be"


job(
    "landlord-letter-date-back",
    (
        "Stupid me, he spells himself Maier. Change Meyer to Maier everywhere in the letter.",
        "and the 14th becomes the 21st",
        "sorry no, I looked it up, 14th was right. so undo that last bit",
    ),
    lambda d: [put_text(d / "letter landlord.txt", _LANDLORD)],
    _letter_right,
    lambda d, f: gives(put_text(d / "r.txt", _LANDLORD.replace("Meyer", "Maier"))),
    lambda d, f: gives(
        put_text(d / "w.txt", _LANDLORD.replace("Meyer", "Maier").replace("14th", "21st"))
    ),
)


# -- receipts: pdf, other order, password
_PAPER = {"hotel": "#f4e7a0", "dinner": "#a9cdf2", "taxi": "#f2b3c0"}


def _receipt(name: str) -> Picture:
    lines = [name.upper(), "", "Thank you", "Total 48,20", "VAT 19 %"]
    return lettered((420, 640), lines, _PAPER[name])


def _receipts_pdf(path: Path, names: list[str], password: str | None) -> Path:
    first, *rest = [_receipt(name) for name in names]
    first.save(path, save_all=True, append_images=rest)
    if password:
        writer = pypdf.PdfWriter(clone_from=path)
        writer.encrypt(password, algorithm="RC4-128")
        writer.write(path)
    return path


def _paper(look: Picture) -> str:
    box = (look.width * 0.3, look.height * 0.3, look.width * 0.7, look.height * 0.7)
    tint = np.median(np.asarray(look.crop(tuple(map(int, box)))).reshape(-1, 3), 0)
    far = {n: np.abs(tint - PIL.ImageColor.getrgb(c)).sum() for n, c in _PAPER.items()}
    return min(far, key=far.__getitem__)


def _receipts_right(r: Results, f: list[Path]) -> None:
    def check(path: Path) -> None:
        try:
            pypdfium2.PdfDocument(path).close()
        except pypdfium2.PdfiumError:
            pass
        else:
            raise AssertionError("opens without a password")
        try:
            order = [_paper(look) for _, look in pages(path, "sommer24")]
        except pypdfium2.PdfiumError:
            raise AssertionError("the password does not open it") from None
        assert order == ["taxi", "hotel", "dinner"], f"order {order}"

    some("pdf", pdfs(r), check)


job(
    "receipts-reordered-locked",
    (
        "make one pdf from my 3 receipts",
        "taxi should come first, then the others like they are",
        "good. lock it with the password sommer24 please",
    ),
    lambda d: [kept(d / f"{name}.jpg", _receipt(name)) for name in _PAPER],
    _receipts_right,
    lambda d, f: gives(_receipts_pdf(d / "r.pdf", ["taxi", "hotel", "dinner"], "sommer24")),
    lambda d, f: gives(_receipts_pdf(d / "w.pdf", ["hotel", "dinner", "taxi"], "sommer24")),
)


# -- SOLD on the bike: red, bigger, yellow
def _sold(path: Path, source: Path, size: int, ink: str) -> Path:
    picture = pic(source)
    draw = PIL.ImageDraw.Draw(picture)
    middle = (picture.width / 2, picture.height / 2)
    draw.text(middle, "SOLD", ink, PIL.ImageFont.load_default(size), anchor="mm")
    return kept(path, picture)


def _sold_right(r: Results, f: list[Path]) -> None:
    def check(path: Path) -> None:
        before, after = (np.asarray(pic(p), np.int32) for p in (f[0], path))
        assert before.shape == after.shape, "not the same size any more"
        new = np.abs(before - after).sum(2) > 90
        red, green, blue = after[..., 0], after[..., 1], after[..., 2]
        yellow = new & (red > 170) & (green > 140) & (blue < 120)
        reddish = new & (red > 170) & (green < 70) & (blue < 70)
        assert yellow.sum() > 1500, "no yellow letters"
        assert reddish.sum() < 0.2 * yellow.sum(), "there is still red"
        across = np.flatnonzero(yellow.sum(0) > 3)
        assert np.ptp(across) > 0.6 * before.shape[1], "does not go across the picture"
        assert new.mean() < 0.6, "the photo is gone"

    some("picture", r.pictures, check)


job(
    "sold-bigger-yellow",
    (
        "Write SOLD on this in red letters",
        "bigger!! right across the whole picture",
        "i think yellow would be better to see",
    ),
    lambda d: [copied(d, "stereo_motorcycle.jpg", "suzuki front.jpg")],
    _sold_right,
    lambda d, f: gives(_sold(d / "r.jpg", f[0], 250, "yellow")),
    lambda d, f: gives(_sold(d / "w.jpg", f[0], 60, "yellow")),
)


# -- lectures: twice as fast, how long, the other too
def _faster(path: Path, source: Path, pace: float) -> Path:
    samples = hear(source)
    return put_sound(path, samples[(np.arange(int(len(samples) / pace)) * pace).astype(int)])


def _lecture_right(r: Results, f: list[Path]) -> None:
    def check(path: Path) -> None:
        lasts(path, seconds(f[1]) / 2)
        sounds_like(path, f[1], 0.7)

    some("sound", r.sounds, check)


job(
    "lecture-twice-as-fast-both",
    (
        "can u make part1 twice as fast, he talks sooo slowly",
        "how long is it now?",
        "nice. do the other one the same way",
    ),
    lambda d: [
        put_sound(d / "lecture part1.mp3", said("podcast", "weather", pause=0.8)),
        put_sound(d / "lecture part2.mp3", said("recipe", "doctor", "meeting", pause=0.8)),
    ],
    _lecture_right,
    lambda d, f: gives(_faster(d / "r.mp3", f[1], 2)),
    lambda d, f: gives(_faster(d / "w.mp3", f[0], 2)),
)


# ================================================================ several wishes


# -- profile picture
def _profile_right(r: Results, f: list[Path]) -> None:
    source = pic(f[0]).resize((601, 400))
    cuts = [source.crop((x, 0, x + 400, 400)) for x in range(0, 202, 5)]

    def check(path: Path) -> None:
        assert pic(path).size == (400, 400), f"is {pic(path).size}"
        assert colour(path) < 4, "is not black and white"
        some("part of the photo", cuts, lambda cut: alike(path, cut, 13))

    some("picture", r.pictures, check)


job(
    "square-grey-profile",
    "need this for my profile at work - cut left and right so its square, black and white, 400x400",
    lambda d: [copied(d, "chelsea.jpg", "WhatsApp Image 2024-05-02.jpeg")],
    _profile_right,
    lambda d, f: gives(kept(d / "r.jpg", PIL.ImageOps.fit(pic(f[0]), (400, 400)).convert("L"))),
    lambda d, f: gives(kept(d / "w.jpg", pic(f[0]).resize((400, 400)).convert("L"))),
)


# -- three files, three things
_CONTRACT = [
    ["Rental contract", "", *["The tenant pays the rent on the first of the month."] * 4],
    ["Signatures", *[""] * 8, "Berlin, the first of May", *[""] * 6, "X ______________________"],
    ["Inventory", "", *["chair", "table", "lamp", "wardrobe", "carpet", "mirror"] * 4],
]


def _three_right(r: Results, f: list[Path]) -> None:
    look = pages(f[0])[1][1]

    def page(path: Path) -> None:
        alike(path, look, 6)
        one, two = (small(x, (60, 84)).ravel() for x in (path, look))
        assert np.corrcoef(one, two)[0, 1] > 0.6, "not that page"

    def grey(path: Path) -> None:
        alike(path, f[2])
        assert colour(path) < 4, "still has colours"

    def spoken(path: Path) -> None:
        lasts(path, seconds(f[1]))
        sounds_like(path, f[1])

    some("page 2", r.pictures, page)
    some("grey photo", r.pictures, grey)
    some("mp3", r.of(".mp3"), spoken)


def _three(d: Path, f: list[Path], number: int) -> Results:
    return gives(
        kept(d / "page.png", pages(f[0])[number][1]),
        put_sound(d / "r.mp3", hear(f[1])),
        kept(d / "r.jpg", pic(f[2]).convert("L")),
    )


job(
    "page-memo-photo",
    "page 2 of the contract as a picture, the memo as mp3 and the photo in black and white. thx",
    lambda d: [
        put_pdf(d / "Mietvertrag_signed.pdf", _CONTRACT),
        put_sound(d / "memo.wav", said("meeting")),
        copied(d, "coffee.jpg", "P1010023.jpg"),
    ],
    _three_right,
    lambda d, f: _three(d, f, 1),
    lambda d, f: _three(d, f, 0),
)


# -- the sound and a still of a film
def _still_right(r: Results, f: list[Path]) -> None:
    def still(path: Path) -> None:
        at = moment(f[0], path)
        assert abs(at - 4) < 0.35, f"is from second {at:.1f}"
        assert pic(path).width >= 480, "is smaller than the film"

    def music(path: Path) -> None:
        lasts(path, 6)
        sounds_like(path, f[0])

    some("still", r.pictures, still)
    some("mp3", r.of(".mp3"), music)


def _still(d: Path, f: list[Path], at: float) -> Results:
    sound = hear(f[0])[: 6 * RATE]
    return gives(put_sound(d / "r.mp3", sound), kept(d / "r.jpg", Seen(f[0]).at(at)))


job(
    "song-and-still-from-film",
    "I filmed my son's concert. Could I have only the music of it as an mp3, for the grandparents, "
    "and also a photo from the film, from second 4?",
    lambda d: [
        put_film(
            d / "Konzert.mov",
            scenes(["astronaut.jpg", "lion.jpg", "tower.jpg"], 6, (480, 270)),
            hear(MEDIA / "sax.wav")[: 6 * RATE],
        )
    ],
    _still_right,
    lambda d, f: _still(d, f, 4),
    lambda d, f: _still(d, f, 0),
)


# -- shorter, silent, smaller
def _lean_right(r: Results, f: list[Path]) -> None:
    def check(path: Path) -> None:
        seen = Seen(path)
        assert abs(seen.size[0] - 320) < 3 and abs(seen.size[1] - 180) < 3, f"is {seen.size}"
        assert not seen.sound or loud(hear(path)) < 0.001, "is not silent"
        runs(seen, f[0], 2, 6)

    some("film", r.videos, check)


def _lean(path: Path, source: Path, start: int) -> Path:
    frames = [np.asarray(x.resize((320, 180))) for x in Seen(source).frames[start * 15 :]]
    return put_film(path, frames)


job(
    "film-shorter-silent-half",
    "lose the first 2 secs (just my thumb), no sound, and half as wide and half as high. "
    "the pdf is for later",
    lambda d: [
        put_film(
            d / "20240701_183355.mp4",
            scenes(["coffee.jpg", "stereo_motorcycle.jpg", "rocket.jpg"], 6, (640, 360)),
            said("train", "lost")[: 6 * RATE],
        ),
        put_pdf(d / "programme.pdf", [["Programme", "", "Welcome", "Speeches", "Cake"]]),
    ],
    _lean_right,
    lambda d, f: gives(_lean(d / "r.mp4", f[0], 2)),
    lambda d, f: gives(_lean(d / "w.mp4", f[0], 0)),
)


# -- orders: no doubles, newest first, excel
def _orders() -> list[list[Any]]:
    dice = np.random.default_rng(3)
    rows = []
    for number in range(40):
        date = np.datetime64("2024-02-01") + np.timedelta64(int(dice.permutation(90)[0]), "D")
        item = str(dice.choice(["lamp", "rug", "vase"]))
        rows.append([f"B{1200 + number}", str(date), item, number + 5])
    rows += [list(rows[n]) for n in (3, 3, 11, 20, 38)]
    return [["Order", "Date", "Item", "Price"], *[rows[n] for n in dice.permutation(len(rows))]]


def _orders_right(r: Results, f: list[Path]) -> None:
    def check(path: Path) -> None:
        rows = rows_of(path)
        ids, dates = column(rows, "Order"), [x[:10] for x in column(rows, "Date")]
        assert len(ids) == 40 and len(set(ids)) == 40, f"{len(ids)} rows"
        true = {row[0]: row[1] for row in _orders()}
        assert dates == [true[i] for i in ids], "the rows got mixed up"
        assert dates == sorted(dates, reverse=True), "not the newest first"

    some("excel file", r.of(".xlsx"), check)


def _orders_done(path: Path, newest: bool) -> Path:
    head, *rows = _orders()
    rows = [list(x) for x in {tuple(map(str, row)) for row in rows}]
    return put_table(path, [head, *sorted(rows, key=lambda x: x[1], reverse=newest)])


job(
    "orders-no-doubles-newest-excel",
    "Some lines in this list are in there twice. Throw the doubles out, newest order at the top, "
    "and I need it as an Excel file for my boss.",
    lambda d: [put_table(d / "bestellungen.csv", _orders(), ";")],
    _orders_right,
    lambda d, f: gives(_orders_done(d / "r.xlsx", True)),
    lambda d, f: gives(_orders_done(d / "w.xlsx", False)),
)


# -- guests and speech
def _guests(veggies: int, total: int) -> list[list[Any]]:
    names = ["Ida", "Ben", "Ravi", "Lou", "Kim", "Zoe", "Max", "Ana"]
    rows = [
        [f"{names[n % 8]} {chr(65 + n // 2)}.", "vegetarian" if n * 7 % total < veggies else "meat"]
        for n in range(total)
    ]
    return [["Name", "Meal"], *rows]


_SPEECH = "\n\n".join(
    [
        "Dear family and dear friends",
        "thank you all for coming here today. " * 4,
        "When I first met Julia she was late and it was raining. She had lost her blue umbrella "
        "on the bus and she laughed about it. I knew then that I wanted to hear this laugh again.",
        "Today I may hear it every morning. Please raise your glasses to my wonderful wife. " * 2,
    ]
)


def _wedding_right(r: Results, f: list[Path]) -> None:
    tells(r.words, 17)
    tells(r.words, len(_SPEECH.split()), 1)


job(
    "vegetarians-and-words",
    "how many vegetarians are on the guest list (the new one!!) and how many words is my speech",
    lambda d: [
        put_table(d / "guests_april_old.csv", _guests(13, 41)),
        put_table(d / "guests_june_new.csv", _guests(17, 52)),
        put_text(d / "speech.txt", _SPEECH),
    ],
    _wedding_right,
    lambda d, f: gives(answer=f"17 guests; the speech has {len(_SPEECH.split())} words."),
    lambda d, f: gives(answer=f"13 guests; the speech has {len(_SPEECH.split())} words."),
)


# -- podcast put together
def _podcast(f: list[Path], order: tuple[int, ...], pause: float = 1) -> np.ndarray:
    gap = np.zeros(int(pause * RATE), np.float32)
    parts = [x for n in order for x in (hear(f[n]), gap)]
    return np.concatenate(parts[:-1])


def _podcast_right(r: Results, f: list[Path]) -> None:
    wanted = _podcast(f, (1, 0, 2))

    def check(path: Path) -> None:
        lasts(path, seconds(wanted), 0.5)
        sounds_like(path, wanted)
        at, got = seconds(f[1]) + 0.5, hear(path)
        quiet = loud(got[int((at - 0.25) * RATE) : int((at + 0.25) * RATE)])
        assert quiet < 0.02 * loud(got) + 0.001, "no pause after the intro"

    some("mp3", r.of(".mp3"), check)


job(
    "podcast-parts-with-pauses",
    "Episode 12: please stick the parts together, intro then interview then outro, leave one "
    "second silence between them and save it as one mp3 (the outtake stays out obviously)",
    lambda d: [
        put_sound(d / "interview.wav", said("podcast", "doctor")),
        put_sound(d / "intro.wav", hear(MEDIA / "sax.wav")[5 * RATE : 8 * RATE]),
        put_sound(d / "outro.wav", 3 * hear(MEDIA / "cantina.wav")),
        put_sound(d / "outtake.wav", said("lost")),
    ],
    _podcast_right,
    lambda d, f: gives(put_sound(d / "r.mp3", _podcast(f, (1, 0, 2)))),
    lambda d, f: gives(put_sound(d / "w.mp3", _podcast(f, (0, 1, 2)))),
)


# -- application in one pdf, and its size
def _application_right(r: Results, f: list[Path]) -> None:
    def check(path: Path) -> None:
        every = pages(path)
        assert len(every) == 4, f"{len(every)} pages"
        for mark, (text, _) in zip(["Curriculum", "Languages", "Certificate"], every, strict=False):
            assert mark in text, f"no {mark} at its place"
        assert colour(every[3][1]) > 3, "the photo is not on the last page"
        size, said_ = path.stat().st_size, numbers(r.words)
        scales = [1, 1000, 1024, 1e6, 1024**2]
        gaps = [(abs(x * s - size), 0.6 * min(s, 1024)) for x in said_ for s in scales]
        assert any(gap < max(0.06 * size, give) for gap, give in gaps), "its size is not told"

    some("pdf", pdfs(r), check)


def _application(d: Path, f: list[Path], parts: list[tuple[int, list[int]]]) -> Results:
    last = d / "last.pdf"
    pic(f[0]).save(last)
    whole = joined(d / "r.pdf", [(f[n], which) for n, which in parts] + [(last, [0])])
    return gives(whole, answer=f"One PDF, {whole.stat().st_size / 1000:.0f} KB.")


job(
    "application-one-pdf-size",
    "hi, for a job application everything must be in ONE pdf. cv first, then the certificate, my "
    "photo last. how many KB is it then? they only take up to 2000",
    lambda d: [
        copied(d, "astronaut.jpg", "foto.jpg"),
        put_pdf(d / "Zeugnis.pdf", [["Certificate", "", "has passed the exam as a baker"]]),
        put_pdf(d / "cv_2024.pdf", [["Curriculum vitae", "", "School"], ["Languages", "", "Thai"]]),
    ],
    _application_right,
    lambda d, f: _application(d, f, [(2, [0, 1]), (1, [0])]),
    lambda d, f: _application(d, f, [(1, [0]), (2, [0, 1])]),
)


# -- subtitles burnt in, smaller
_SRT = """1
00:00:00,500 --> 00:00:02,500
Look, the coffee is ready!

2
00:00:03,000 --> 00:00:05,000
And there is the bike again.
"""


def _burnt_right(r: Results, f: list[Path]) -> None:
    source = Seen(f[0])

    def written_at(seen: Seen, time: float) -> float:
        one = np.asarray(pic(seen.at(time)).resize((320, 180)), np.float32)
        near = [t for t in source.times if abs(t - time) < 0.25]
        others = [np.asarray(source.at(t).resize((320, 180)), np.float32) for t in near]
        return min((np.abs(one - o).mean(2) > 60).mean() for o in others)

    def check(path: Path) -> None:
        seen = Seen(path)
        assert abs(seen.size[0] - 320) < 3 and abs(seen.size[1] - 180) < 3, f"is {seen.size}"
        runs(seen, f[0], 0, 6)
        assert seen.sound, "the sound is gone"
        bare = written_at(seen, 5.6)
        for time in (1.5, 4):
            assert written_at(seen, time) > bare + 0.004, f"nothing to read at second {time}"

    some("film", r.videos, check)


def _burnt(path: Path, source: Path, words: bool) -> Path:
    frames = []
    for time, frame in zip(*(lambda s: (s.times, s.frames))(Seen(source)), strict=True):
        shown = frame.resize((320, 180))
        line = _SRT.split("\n")[2 if 0.5 <= time < 2.5 else 6] if time < 5 else ""
        if words and line and not 2.5 <= time < 3 and time >= 0.5:
            PIL.ImageDraw.Draw(shown).text(
                (160, 160), line, "white", PIL.ImageFont.load_default(16), anchor="mm",
                stroke_width=2, stroke_fill="black",
            )  # fmt: skip
        frames.append(np.asarray(shown))
    return put_film(path, frames, hear(source)[: 6 * RATE])


job(
    "subtitles-fixed-and-smaller",
    "Put the subtitles into the video so that they always show, my mum doesn't know how to switch "
    "them on, and bring it down to 320 pixels wide for her old tablet",
    lambda d: [
        put_film(
            d / "holiday.mp4",
            scenes(["coffee.jpg", "stereo_motorcycle.jpg"], 6, (480, 270)),
            said("garden", "weather")[: 6 * RATE],
        ),
        put_text(d / "holiday_en.srt", _SRT),
    ],
    _burnt_right,
    lambda d, f: gives(_burnt(d / "r.mp4", f[0], True)),
    lambda d, f: gives(_burnt(d / "w.mp4", f[0], False)),
)


# -- upside down notice
_NOTICE = [
    "Dear neighbours,", "", "the water will be turned off", "on Thursday from nine to noon.",
    "Please fill a bucket or two.", "The lift is working again.", "", "Your caretaker",
]  # fmt: skip


def _notice_right(r: Results, f: list[Path]) -> None:
    upright = pic(f[0]).rotate(180)

    def check(path: Path) -> None:
        alike(path, upright, 8)
        one, two = (small(x, (60, 70)).ravel() for x in (path, upright))
        assert np.corrcoef(one, two)[0, 1] > 0.7, "is not upright"

    some("picture", r.pictures + [pages_as(p) for p in pdfs(r)], check)
    text = "\n".join(p.read_text("utf-8-sig") for p in r.of(".txt", ".md"))
    mentions(text, ["neighbours", "water", "thursday", "bucket", "lift", "caretaker"], 4)


def pages_as(path: Path) -> Picture:
    return pages(path)[0][1]


job(
    "notice-upright-and-typed",
    "this was upside down in the scaner, turn it round and type out whats on it in a txt file",
    lambda d: [kept(d / "Scan 3.jpg", lettered((600, 560), _NOTICE, "#f6f4ee", 28).rotate(180))],
    _notice_right,
    lambda d, f: gives(
        kept(d / "r.jpg", pic(f[0]).rotate(180)), put_text(d / "r.txt", "\n".join(_NOTICE))
    ),
    lambda d, f: gives(f[0], put_text(d / "w.txt", "\n".join(_NOTICE))),
)


# -- temperatures: average and curve
def _heat() -> list[list[Any]]:
    dice, rows = np.random.default_rng(5), [["date", "temperature", "rain_mm"]]
    for day in range(61):
        date = np.datetime64("2024-05-01") + np.timedelta64(day, "D")
        warm = 14 + day / 6 + dice.normal(0, 2)
        rows.append([str(date), f"{warm:.1f}", int(dice.integers(0, 9))])
    return rows


def _mean_heat(month: str) -> float:
    return float(np.mean([float(r[1]) for r in _heat()[1:] if str(r[0]).startswith(month)]))


def _curve(path: Path) -> Path:
    sheet = PIL.Image.new("RGB", (640, 400), "white")
    draw = PIL.ImageDraw.Draw(sheet)
    draw.line([(40, 20), (40, 370), (620, 370)], "black", 2)
    line = [(45 + n * 9, 380 - 12 * float(r[1])) for n, r in enumerate(_heat()[1:])]
    draw.line(line, "#1f77b4", 3)
    return kept(path, sheet)


def _heat_right(r: Results, f: list[Path]) -> None:
    tells(r.words, _mean_heat("2024-06"), 0.06)

    def check(path: Path) -> None:
        if path.suffix in (".svg", ".html"):
            assert re.search(r"<(path|polyline|canvas|script)", path.read_text("utf-8"))
            return
        look = pages_as(path) if path.suffix == ".pdf" else pic(path)
        assert min(look.size) >= 150, "is tiny"
        pixels = np.asarray(look.convert("L"), np.int32)
        ink = np.abs(pixels - np.bincount(pixels.ravel(), minlength=256).argmax()) > 40
        assert 0.002 < ink.mean() < 0.6, "is empty"
        assert ink.any(0).mean() > 0.5 and ink.any(1).mean() > 0.4, "shows no curve"

    some("curve", [*r.pictures, *r.of(".pdf", ".svg", ".html")], check)


job(
    "june-average-and-curve",
    "From my weather station: what was the average temperature in June? Then please draw the "
    "temperatures of the whole file as a curve.",
    lambda d: [put_table(d / "wetter.csv", _heat())],
    _heat_right,
    lambda d, f: gives(_curve(d / "r.png"), answer=f"{_mean_heat('2024-06'):.1f} °C"),
    lambda d, f: gives(_curve(d / "w.png"), answer=f"{_mean_heat('2024'):.1f} °C"),
)


# -- read aloud, and how long
_ALOUD = ("recipe", "garden", "doctor")


def _aloud_right(r: Results, f: list[Path]) -> None:
    def check(path: Path) -> None:
        samples = hear(path)
        assert 6 < seconds(path) < 30, f"lasts {seconds(path):.1f}"
        ups = hull(samples, int(seconds(path) * 20))
        assert loud(samples) > 0.01 and ups.std() > 0.4 * ups.mean(), "nobody speaks"
        tells(r.words, seconds(path), 0.75)

    some("mp3", r.of(".mp3"), check)


job(
    "text-read-aloud-length",
    "read this out loud for me (mp3, for in the car) and say how many seconds it takes",
    lambda d: [put_text(d / "notes for mum.txt", "\n".join(SPOKEN[n] for n in _ALOUD))],
    _aloud_right,
    lambda d, f: gives(
        put_sound(d / "r.mp3", said(*_ALOUD)), answer=f"About {seconds(said(*_ALOUD)):.1f} s."
    ),
    lambda d, f: gives(put_sound(d / "w.mp3", np.zeros(10 * RATE, np.float32)), answer="10 s."),
)


# -- the picture with most pixels, halved
def _most_make(d: Path) -> list[Path]:
    return [
        kept(d / "balcony.jpg", photo("grass.jpg"), quality=98),
        kept(d / "moonlight.jpg", photo("moon.jpg").resize((1200, 1200)), quality=40),
        copied(d, "rocket.jpg", "launch.jpg"),
        kept(d / "kitty.png", photo("chelsea.jpg")),
    ]


def _most_right(r: Results, f: list[Path]) -> None:
    assert "moonlight" in r.words.lower(), "does not say which"

    def check(path: Path) -> None:
        assert pic(path).size == (600, 600), f"is {pic(path).size}"
        alike(path, f[1])

    some("picture", r.pictures, check)
    sizes = {pic(path).size for path in r.pictures}
    assert not sizes & {(256, 256), (320, 213), (320, 214), (225, 150), (226, 150)}, "others too"


job(
    "most-pixels-halved",
    "Which of these has the most pixels? Make that one half as wide and half as high, the others "
    "stay as they are.",
    _most_make,
    _most_right,
    lambda d, f: gives(
        kept(d / "r.jpg", pic(f[1]).resize((600, 600))), answer="moonlight.jpg (1200 × 1200)."
    ),
    lambda d, f: gives(
        kept(d / "w.jpg", pic(f[0]).resize((256, 256))), answer="balcony.jpg, not moonlight.jpg."
    ),
)


# -- silence off, and what is said
def _quiet(length: float) -> np.ndarray:
    return np.random.default_rng(2).normal(0, 0.0004, int(length * RATE)).astype(np.float32)


def _trim_right(r: Results, f: list[Path]) -> None:
    def check(path: Path) -> None:
        length = seconds(MEDIA / "spoken-train.wav")
        assert length - 0.7 < seconds(path) < length + 1.2, f"lasts {seconds(path):.1f}"
        assert loud(hear(path)) > 0.03, "the voice is gone"

    some("sound", r.sounds, check)
    mentions(r.words, ["train", "glasgow", "half past nine", "platform", "leave"])


job(
    "trim-silence-and-transcribe",
    "my phone recorded long nothing before and after the announcement - cut that away and tell me "
    "what they say there, i can't understand it",
    lambda d: [
        put_sound(
            d / "Neue Aufnahme 14.m4a", np.concatenate([_quiet(3), said("train"), _quiet(4)])
        )
    ],
    _trim_right,
    lambda d, f: gives(put_sound(d / "r.m4a", said("train")), answer=SPOKEN["train"]),
    lambda d, f: gives(
        put_sound(d / "w.m4a", np.concatenate([said("train"), _quiet(4)])), answer=SPOKEN["train"]
    ),
)


# -- photos to a film with music
_ZOO = ["lion.jpg", "cheetah1.jpg", "rocket.jpg"]


def _show_right(r: Results, f: list[Path]) -> None:
    tiny = [small(path, (32, 32), "RGB") for path in f[:3]]

    def which(frame: Picture) -> int:
        ink = np.asarray(frame).max(2) > 24
        box = np.flatnonzero(ink.mean(0) > 0.1), np.flatnonzero(ink.mean(1) > 0.1)
        if all(len(side) > 20 for side in box):
            frame = frame.crop((box[0][0], box[1][0], box[0][-1] + 1, box[1][-1] + 1))
        return int(np.argmin([np.abs(small(frame, (32, 32), "RGB") - x).mean() for x in tiny]))

    def check(path: Path) -> None:
        seen = Seen(path)
        assert 4.7 < seen.length < 6.7, f"lasts {seen.length:.1f}"
        order = [which(seen.at(seen.length * part)) for part in (1 / 6, 1 / 2, 5 / 6)]
        assert order == [0, 1, 2], f"shows {order}"
        assert seen.sound and loud(hear(path)) > 0.02, "no music"
        assert seconds(path) < seen.length + 1.5, "the music goes on after the pictures"

    some("film", r.videos, check)


def _show(path: Path, f: list[Path], music: bool) -> Path:
    frames = []
    for photo_ in f[:3]:
        frames += [np.asarray(PIL.ImageOps.pad(pic(photo_), (480, 360)))] * 30
    return put_film(path, frames, hear(f[3])[: 6 * RATE] if music else None)


job(
    "photos-film-with-music",
    "3 photos + music = little film please. 2 seconds for every photo in this order, and stop the "
    "music when the pictures are over",
    lambda d: [
        *[copied(d, name, f"{n}_{name}") for n, name in enumerate(_ZOO, 1)],
        copied(d, "sax.wav", "sax.wav"),
    ],
    _show_right,
    lambda d, f: gives(_show(d / "r.mp4", f, True)),
    lambda d, f: gives(_show(d / "w.mp4", f, False)),
)


# -- no place in it, and small enough
def _place(path: Path, picture: Picture, quality: int, gps: bool) -> Path:
    tags = PIL.Image.Exif()
    tags[0x010F] = "Fairphone"
    if gps:
        tags.get_ifd(0x8825).update({1: "N", 2: (49.0, 45.0, 12.0), 3: "E", 4: (6.0, 38.0, 30.0)})
    return kept(path, picture, quality=quality, exif=tags)


def _ad_right(r: Results, f: list[Path]) -> None:
    def check(path: Path) -> None:
        assert path.stat().st_size <= 100 * 1024, f"has {path.stat().st_size} bytes"
        assert not PIL.Image.open(path).getexif().get_ifd(0x8825), "still says where"
        assert pic(path).width >= 250, "is too small to see anything"
        alike(path, f[0], 12, "RGB")

    some("picture", r.pictures, check)


job(
    "advert-no-place-under-100kb",
    "selling my motorbike online. they only allow 100 kb per pic and i dont want anybody to find "
    "out from the photo where i live, so the gps stuff has to come out too",
    lambda d: [_place(d / "IMG_20240316_0931.jpg", photo("stereo_motorcycle.jpg"), 98, True)],
    _ad_right,
    lambda d, f: gives(_place(d / "r.jpg", pic(f[0]), 60, False)),
    lambda d, f: gives(_place(d / "w.jpg", pic(f[0]), 60, True)),
)
