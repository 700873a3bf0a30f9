"""Jobs of people with papers: scans, receipts, letters, PDF, notes, lists."""

from __future__ import annotations

import difflib
import re
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
from PIL import Image, ImageDraw, ImageFont, ImageOps

from benchmarks.jobs.job import Job, Results
from benchmarks.jobs.media import MEDIA

FONTS = Path("/usr/share/fonts/truetype/dejavu")
A4 = (595, 842)
RED, GREEN, BLUE = (200, 30, 30), (30, 150, 40), (30, 50, 200)


# ---- making ----------------------------------------------------------------------------------


def font(size: int, name: str = "DejaVuSans") -> ImageFont.FreeTypeFont:
    path = FONTS / f"{name}.ttf"
    return ImageFont.truetype(str(path), size) if path.exists() else ImageFont.load_default(size)


def written(path: Path, text: str, encoding: str = "utf-8") -> Path:
    path.write_bytes(text.encode(encoding))
    return path


def printed(lines: list[str], size: tuple[int, int] = (1240, 1600), points: int = 34, name: str = "DejaVuSans", paper: int = 255) -> Image.Image:
    """A sheet with printed lines."""
    sheet = Image.new("RGB", size, (paper,) * 3)
    draw = ImageDraw.Draw(sheet)
    for row, line in enumerate(lines):
        draw.text((points * 2, points * 2 + row * points * 1.7), line, fill=(20, 20, 20), font=font(points, name))
    return sheet


def receipt(rows: list[tuple[str, str]]) -> Image.Image:
    """A till receipt: names to the left, amounts to the right, in a typewriter's letters."""
    sheet = Image.new("RGB", (720, 120 + 52 * len(rows)), (250, 250, 247))
    draw, face = ImageDraw.Draw(sheet), font(30, "DejaVuSansMono")
    for row, (left, right) in enumerate(rows):
        draw.text((50, 60 + row * 52), left, fill=(25, 25, 25), font=face)
        draw.text((670, 60 + row * 52), right, fill=(25, 25, 25), font=face, anchor="ra")
    return sheet


def pdf(path: Path, sheets: list[dict]) -> Path:
    """A PDF whose pages have real text: {"lines": [...], "marks": [(colour, x, y, w, h from the top left)], "over": upside down}."""
    kids, objects = [], ["<</Type/Catalog/Pages 2 0 R>>", "", "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"]
    for sheet in sheets:
        draw = ["q", "-1 0 0 -1 595 842 cm" if sheet.get("over") else ""]
        for colour, x, y, w, h in sheet.get("marks", []):
            draw.append("{:.3f} {:.3f} {:.3f} rg {} {} {} {} re f".format(*(c / 255 for c in colour), x, 842 - y - h, w, h))
        draw.append("0 0 0 rg")
        for row, line in enumerate(sheet.get("lines", [])):
            safe = re.sub(r"([()\\])", r"\\\1", line)
            draw.append(f"BT /F1 14 Tf 70 {842 - 90 - 24 * row} Td ({safe}) Tj ET")
        body = "\n".join([*draw, "Q"])
        kids.append(len(objects) + 1)
        objects.append(f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 3 0 R>>>>/Contents {len(objects) + 2} 0 R>>")
        objects.append(f"<</Length {len(body.encode('cp1252'))}>>\nstream\n{body}\nendstream")
    objects[1] = "<</Type/Pages/Count {}/Kids[{}]>>".format(len(kids), " ".join(f"{kid} 0 R" for kid in kids))
    out, places = b"%PDF-1.4\n", []
    for number, text in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{text}\nendobj\n".encode("cp1252")
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}trailer<</Size {len(objects) + 1}/Root 1 0 R>>\nstartxref\n{len(out)}\n%%EOF\n".encode()
    path.write_bytes(out)
    return path


def picked(path: Path, wanted: list[tuple[Path, int]], turns: dict[int, int] | None = None) -> Path:
    """A PDF of pages (from 0) of others, some turned."""
    new = pypdfium2.PdfDocument.new()
    for source, page in wanted:
        new.import_pages(pypdfium2.PdfDocument(str(source)), [page])
    for page, degrees in (turns or {}).items():
        new[page].set_rotation(degrees)
    new.save(str(path))
    return path


def pictures_pdf(path: Path, pictures: list[Image.Image]) -> Path:
    first, *rest = [picture.convert("RGB") for picture in pictures]
    first.save(path, save_all=True, append_images=rest)
    return path


def saved(path: Path, picture: Image.Image, **more) -> Path:
    picture.save(path, **more)
    return path


def qr(text: str, side: int) -> Image.Image:
    code = cv2.QRCodeEncoder.create().encode(text)
    code = np.pad(code, max(0, 4), constant_values=255)
    return Image.fromarray(code).resize((side, side), Image.Resampling.NEAREST).convert("RGB")


# ---- judging ---------------------------------------------------------------------------------


def opened(results: Results) -> list[Path]:
    """The files, those in a ZIP too."""
    files: list[Path] = []
    for path in results.files:
        if path.suffix.lower() == ".zip":
            place = Path(tempfile.mkdtemp())
            with zipfile.ZipFile(path) as pack:
                pack.extractall(place)
            files += sorted(inner for inner in place.rglob("*") if inner.is_file())
        else:
            files.append(path)
    return files


def of(results: Results, *suffixes: str) -> list[Path]:
    return [path for path in opened(results) if path.suffix.lower() in suffixes]


def pages(path: Path) -> list[tuple[str, Image.Image]]:
    """Every page's text and its look, at 1 pixel a point."""
    document = pypdfium2.PdfDocument(str(path))
    try:
        return [(page.get_textpage().get_text_range(), page.render(scale=1).to_pil().convert("RGB")) for page in document]
    finally:
        document.close()


def text_of(path: Path) -> str | None:
    kind = path.suffix.lower()
    if kind == ".pdf":
        return "\n".join(text for text, _ in pages(path))
    if kind == ".docx":
        with zipfile.ZipFile(path) as pack:
            body = pack.read("word/document.xml").decode("utf-8")
        return re.sub(r"<[^>]+>", "", re.sub(r"</w:p>|<w:br/>", "\n", body))
    if kind in (".txt", ".md", ".csv", ".tsv", ".html", ".htm", ".json", ".rtf", ""):
        data = path.read_bytes()
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError:
            return data.decode("cp1252", "replace")
    return None


def texts(results: Results) -> list[str]:
    """All that could be the wanted text: each file's, and the answer."""
    found = [text_of(path) for path in opened(results)]
    return [text for text in found if text is not None and text.strip()] + ([results.answer] if results.answer.strip() else [])


def said(results: Results) -> str:
    return "\n".join(texts(results))


def some(candidates: list, check: Callable[[object], None], what: str, most: int = 4) -> None:
    """One of the candidates is right (half-way results beside it do not bother, as long as they are few)."""
    assert candidates, f"no {what} came"
    assert len(candidates) <= most, f"{len(candidates)} of {what} came, where one was wanted"
    faults = []
    for candidate in reversed(candidates):
        try:
            check(candidate)
            return
        except AssertionError as fault:
            faults.append(str(fault))
    raise AssertionError("; ".join(dict.fromkeys(faults)))


def flat(text: str) -> str:
    """Small letters, single spaces, plain quotes and dashes, no Markdown marks."""
    text = text.replace("’", "'").replace("–", "-").replace("—", "-").replace("\u00ad", "").replace("\ufffe", "-")
    return " ".join(re.sub(r"[*`>|#_]", " ", text).lower().split())


def likeness(wanted: str, got: str) -> float:
    """How much of the wanted words is there in their order (0 to 1), small slips of reading let through."""
    a, b = re.sub(r"\W+", "", wanted.lower()), re.sub(r"\W+", "", got.lower())
    blocks = difflib.SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks if block.size > 2 or len(a) < 6) / max(1, len(a))


SMALL = "zero one two three four five six seven eight nine ten eleven twelve".split()


def has_number(text: str, number: int) -> bool:
    if re.search(rf"(?<![\d.,]){number}(?!\d|[.,]\d)", text):
        return True
    return number < len(SMALL) and re.search(rf"\b{SMALL[number]}\b", text.lower()) is not None


def has_amount(text: str, amount: str) -> bool:
    whole, cents = amount.split(".")
    shown = rf"{whole}\s?[.,]\s?{cents}" if cents != "00" else rf"{whole}(?:[.,]00)?"
    if cents.endswith("0") and cents != "00":
        shown = rf"{whole}[.,]{cents[0]}0?"
    return re.search(rf"(?<![\d.,]){shown}(?!\d)", text) is not None


def amounts(text: str) -> set[str]:
    return {found.replace(",", ".") for found in re.findall(r"(?<![\d.,])\d+[.,]\d\d(?![\d.,]\d)", text)}


def colour_box(picture: Image.Image, colour: tuple[int, int, int]) -> tuple[float, float, float, float] | None:
    """Where a colour is: left, top, right, bottom as shares of the picture."""
    near = np.abs(np.asarray(picture.convert("RGB"), int) - colour).max(2) < 60
    if near.mean() < 0.0005:
        return None
    ys, xs = np.where(near)
    h, w = near.shape
    return tuple(float(v) for v in (np.percentile(xs, 1) / w, np.percentile(ys, 1) / h, np.percentile(xs, 99) / w, np.percentile(ys, 99) / h))


def middle(picture: Image.Image, colour: tuple[int, int, int]) -> tuple[float, float] | None:
    box = colour_box(picture, colour)
    return None if box is None else ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)


def decoded(picture: Image.Image) -> str:
    """What a telephone would read from a QR code."""
    plain = Image.new("RGB", picture.size, "white")
    plain.paste(picture.convert("RGB"), mask=picture.convert("RGBA").getchannel("A"))
    for scale in (1.0, 0.5, 0.25):
        look = ImageOps.expand(plain.resize([max(60, round(side * scale)) for side in plain.size]), 40, "white")
        text = cv2.QRCodeDetector().detectAndDecode(np.asarray(look)[:, :, ::-1].copy())[0]
        if text:
            return text
    return ""


JOBS: list[Job] = []


def job(name: str, words, make, right, reference, wrong) -> None:
    JOBS.append(Job(name, words, make, right, reference, wrong))


# ---- 1 minutes, one file a page ----------------------------------------------------------------

TOPICS = ["Welcome and roll call", "Treasurer's report", "Summer party", "Any other business"]


def split_right(results: Results, files: list[Path]) -> None:
    parts = [part for part in of(results, ".pdf")]
    found = [pages(part) for part in parts]
    assert len(parts) >= 4, f"{len(parts)} PDF instead of 4"
    singles = [text[0][0] for text in found if len(text) == 1]
    assert len(singles) == 4, f"{len(singles)} files of a single page instead of 4"
    for topic, text in zip(TOPICS, singles):
        assert topic in text, f"a page about {topic!r} is missing or not in its place"


job(
    "minutes-one-file-per-page",
    "Can you split this PDF so that every page is a file of its own? I have to send each item of the minutes to a different person.",
    lambda f: [pdf(f / "Minutes March.pdf", [{"lines": [f"Item {n}", topic, "Discussed and agreed."]} for n, topic in enumerate(TOPICS, 1)])],
    split_right,
    lambda f, files: Results(tuple(picked(f / f"part{n}.pdf", [(files[0], n)]) for n in range(4)), "Here are the 4 pages."),
    lambda f, files: Results((picked(f / "half1.pdf", [(files[0], 0), (files[0], 1)]), picked(f / "half2.pdf", [(files[0], 2), (files[0], 3)])), "Split."),
)

# ---- 2 application, joined in an order that is not that of the files ---------------------------


def application(f: Path) -> list[Path]:
    return [
        pdf(f / "certificate.pdf", [{"lines": ["CERTIFICATE", "First aid course passed"]}]),
        pdf(f / "cv Anna Berg.pdf", [{"lines": ["Curriculum vitae", "Anna Berg", "page one of two"]}, {"lines": ["Education", "page two of two"]}]),
        pdf(f / "cover letter.pdf", [{"lines": ["Dear Sir or Madam,", "I would like to apply for the post."]}]),
    ]


def application_right(results: Results, files: list[Path]) -> None:
    def check(path: Path) -> None:
        got = [text for text, _ in pages(path)]
        assert len(got) == 4, f"{len(got)} pages instead of 4"
        for part, text in zip(["Dear Sir", "page one of two", "page two of two", "CERTIFICATE"], got):
            assert part in text, f"{part!r} is not where it belongs: the order is letter, CV, certificate"

    some(of(results, ".pdf"), check, "PDF")


job(
    "application-joined",
    "join these into ONE pdf for my application. cover letter first, then the cv, certificate at the end",
    application,
    application_right,
    lambda f, files: Results((picked(f / "all.pdf", [(files[2], 0), (files[1], 0), (files[1], 1), (files[0], 0)]),)),
    lambda f, files: Results((picked(f / "asis.pdf", [(files[0], 0), (files[1], 0), (files[1], 1), (files[2], 0)]),)),
)

# ---- 3 a flyer's pages as pictures --------------------------------------------------------------


def flyer_right(results: Results, files: list[Path]) -> None:
    got = of(results, ".png")
    assert len(got) == 3, f"{len(got)} PNG pictures instead of 3"
    for number, (path, colour) in enumerate(zip(got, (RED, GREEN, BLUE)), 1):
        picture = Image.open(path)
        assert picture.format == "PNG", "it is called PNG but is none"
        assert picture.width >= 500, f"only {picture.width} pixels wide: the letters cannot be read"
        assert abs(picture.height / picture.width - 842 / 595) < 0.02, "the page is squeezed or cut"
        box = colour_box(picture, colour)
        assert box is not None and abs(box[1] - 400 / 842) < 0.03 and abs(box[3] - 600 / 842) < 0.03, f"picture {number} does not show page {number}"


job(
    "flyer-pages-as-png",
    "I'd like every page of our flyer as a png so that I can post it",
    lambda f: [pdf(f / "flyer_final_v2.pdf", [{"lines": [f"Flea market, page {n}"], "marks": [(c, 100, 400, 395, 200)]} for n, c in enumerate((RED, GREEN, BLUE), 1)])],
    flyer_right,
    lambda f, files: Results(tuple(saved(f / f"p{n}.png", p.render(scale=2).to_pil()) for n, p in enumerate(pypdfium2.PdfDocument(str(files[0]))))),
    lambda f, files: Results((saved(f / "only.png", pypdfium2.PdfDocument(str(files[0]))[0].render(scale=2).to_pil()),)),
)

# ---- 4 a PDF's text --------------------------------------------------------------------------

RULES = [
    ["House rules", "Quiet hours are from 10 pm to 7 am.", "Bicycles belong in the cellar.", "The laundry room costs 2.50 € per wash."],
    ["Waste", "Paper is collected every second Thursday.", "Questions go to Mr Jürgen Größ, ground floor.", "Thank you!"],
]


def rules_right(results: Results, files: list[Path]) -> None:
    def check(text: object) -> None:
        got = flat(str(text))
        for line in [line for page in RULES for line in page]:
            assert flat(line) in got, f"the line {line!r} is missing"
        assert got.index("house rules") < got.index("paper is collected"), "the pages are in the wrong order"

    some([text_of(path) for path in of(results, ".txt", ".md", ".docx", ".html")] + [results.answer], check, "text")


job(
    "pdf-text-out",
    "get me the text out of this pdf pls, i want to paste it into an email",
    lambda f: [pdf(f / "hausordnung.pdf", [{"lines": page} for page in RULES])],
    rules_right,
    lambda f, files: Results((written(f / "text.txt", "\n".join(line for page in RULES for line in page)),), "Here is the text."),
    lambda f, files: Results((written(f / "text.txt", "\n".join(RULES[0])),), "Here is the text."),
)

# ---- 5 a scanned letter read -------------------------------------------------------------------

LETTER = [
    "Riverside Library",
    "12 Mill Lane, Oxford",
    "",
    "Dear Mrs Carter,",
    "",
    "thank you for your kind offer to read stories to the",
    "children on Saturday. We would be very happy if you",
    "could come at eleven in the morning. Coffee and cake",
    "will be waiting for you in the staff room.",
    "",
    "Please bring the book about the lazy dragon.",
    "",
    "With kind regards",
    "Helen Brown",
]


def letter_right(results: Results, files: list[Path]) -> None:
    def check(text: object) -> None:
        got = likeness(" ".join(LETTER), str(text))
        assert got > 0.93, f"only {got:.0%} of the letter is there"
        assert "dragon" in str(text).lower() and "eleven" in str(text).lower(), "words of the letter are misread"

    some(texts(results), check, "text")


job(
    "scanned-letter-typed",
    "This is a scan of a letter. Could you type it up for me as text, please? I can't copy anything out of the picture.",
    lambda f: [saved(f / "scan0007.jpg", printed(LETTER, (1240, 1000), 34, "DejaVuSerif", 246), quality=88)],
    letter_right,
    lambda f, files: Results((written(f / "letter.txt", "\n".join(LETTER).replace("lazy", "Lazy")),), "Here is the letter as text."),
    lambda f, files: Results((written(f / "letter.txt", "\n".join(LETTER[:6])),), "Here is the letter as text."),
)

# ---- 6 a receipt: how much and when --------------------------------------------------------------

SHOP = [("GREEN VALLEY MARKET", ""), ("Date 14.03.2025", "17:42"), ("", ""), ("Bread", "3.20"), ("Apples 1 kg", "2.89"), ("Cheese", "6.45"), ("Coffee", "7.98"), ("Milk", "2.95"), ("", ""), ("TOTAL", "23.47"), ("Cash", "30.00"), ("Change", "6.53")]


def shop_right(results: Results, files: list[Path]) -> None:
    assert has_amount(said(results), "23.47"), "the total of 23.47 is not said"
    day = r"14(?:th)?(?:\.|/|-|\s|\sof\s)*(?:0?3|mar(?:ch)?)\b|mar(?:ch)?\.?\s14|2025-0?3-14|0?3/14/"
    assert re.search(day, said(results).lower()), "the day (14 March 2025) is not said"
    before = re.split(r"23[.,]47", results.answer)[0] if has_amount(results.answer, "23.47") else said(results)
    assert len(amounts(before) - {"14.03"}) < 4, "the whole receipt was read out instead of the answer to the question"


job(
    "receipt-total-and-day",
    "how much was it all together and what day was i there",
    lambda f: [saved(f / "IMG_2231.jpg", receipt(SHOP).rotate(0.6, fillcolor=(250, 250, 247)), quality=85)],
    shop_right,
    lambda f, files: Results((), "You paid **23.47** on 14 March 2025."),
    lambda f, files: Results((), "You paid 30.00 on 14.03.2025."),
)

# ---- 7 a sign ----------------------------------------------------------------------------------

SIGN = ["NO PARKING", "MONDAY TO FRIDAY", "8 AM - 6 PM"]


def sign(f: Path) -> list[Path]:
    wall = Image.open(MEDIA / "brick.jpg").convert("RGB").resize((1200, 900))
    draw = ImageDraw.Draw(wall)
    draw.rounded_rectangle((220, 200, 980, 660), 30, fill=(245, 245, 240), outline=(180, 20, 20), width=16)
    for row, line in enumerate(SIGN):
        draw.text((600, 300 + row * 130), line, fill=(180, 20, 20) if row == 0 else (20, 20, 20), font=font(56, "DejaVuSans-Bold"), anchor="mm")
    return [saved(f / "street.jpg", wall, quality=88)]


def sign_right(results: Results, files: list[Path]) -> None:
    got = re.sub(r"[^a-z0-9]", "", said(results).lower())
    for line in ("noparking", "mondaytofriday"):
        assert line in got, f"{line!r} was not read"
    assert re.search(r"8am.{0,12}6pm", got), "the hours (8 to 6) were not read"


job(
    "parking-sign",
    "What does the sign on the wall say? I took the picture from the car and forgot my glasses.",
    sign,
    sign_right,
    lambda f, files: Results((), "The sign says:\n\n> NO PARKING\n> MONDAY TO FRIDAY\n> 8 AM – 6 PM"),
    lambda f, files: Results((), "The picture shows a white sign on a brick wall."),
)

# ---- 8 a QR code on a poster ---------------------------------------------------------------------

POSTER_LINK = "https://www.townhall-concerts.example/tickets?id=418"


def poster(f: Path) -> list[Path]:
    sheet = Image.new("RGB", (1000, 1400), (250, 225, 140))
    ImageDraw.Draw(sheet).text((80, 120), "Spring Concert", fill=(90, 20, 60), font=font(92, "DejaVuSerif-Bold"))
    ImageDraw.Draw(sheet).text((80, 260), "Sunday, 4 May, Town Hall", fill=(90, 20, 60), font=font(46, "DejaVuSerif"))
    sheet.paste(qr(POSTER_LINK, 410), (510, 920))
    assert decoded(sheet) == POSTER_LINK
    return [saved(f / "poster.jpg", sheet, quality=90)]


def poster_right(results: Results, files: list[Path]) -> None:
    assert "townhall-concerts.example/tickets?id=418" in said(results).replace("\\", ""), "the address in the code is not said"


job(
    "qr-on-poster",
    "where does the square code on this poster lead to?? i dont want to scan it with my phone, could be a scam",
    poster,
    poster_right,
    lambda f, files: Results((), f"The code leads to {POSTER_LINK}"),
    lambda f, files: Results((), "There is a QR code at the bottom right of the poster for the Spring Concert."),
)

# ---- 9 a QR code made ------------------------------------------------------------------------------

CLUB = "https://www.elmwood-chess.example/join"


def qr_right(results: Results, files: list[Path]) -> None:
    def check(path: Path) -> None:
        picture = Image.open(path)
        assert min(picture.size) >= 600, f"{picture.size} is smaller than 600 pixels"
        assert abs(picture.width - picture.height) <= 2 or picture.height > picture.width, "the code is squeezed"
        got = decoded(picture)
        assert got.rstrip("/") == CLUB, f"the code says {got!r}"

    some(of(results, ".png"), check, "PNG")


job(
    "qr-for-club",
    f"Please make a QR code that leads to {CLUB} for our club's leaflet. As PNG, at least 600 pixels wide so that it prints well.",
    lambda f: [],
    qr_right,
    lambda f, files: Results((saved(f / "qr.png", qr(CLUB, 820)),), "Here it is."),
    lambda f, files: Results((saved(f / "qr.png", qr(CLUB.replace("/join", ""), 820)),), "Here it is."),
)

# ---- 10 notes into a web page ------------------------------------------------------------------------

NOTES = """# Garden plan

We start in **April**, see [the almanac](https://almanac.example/april).

## To buy

- seeds
- a new hose
- *two* buckets

| Bed | Plant |
|-----|-------|
| North | Leek |
| South | Pumpkin |
"""
NOTES_HTML = """<!doctype html><html><head><meta charset="utf-8"><title>Garden plan</title></head><body><h1>Garden plan</h1>
<p>We start in <strong>April</strong>, see <a href="https://almanac.example/april">the almanac</a>.</p><h2>To buy</h2>
<ul><li>seeds</li><li>a new hose</li><li><em>two</em> buckets</li></ul>
<table><tr><th>Bed</th><th>Plant</th></tr><tr><td>North</td><td>Leek</td></tr><tr><td>South</td><td>Pumpkin</td></tr></table></body></html>"""


def notes_right(results: Results, files: list[Path]) -> None:
    def check(path: Path) -> None:
        page = path.read_text("utf-8")
        assert re.search(r"<h1[^>]*>\s*Garden plan", page), "the title is no heading"
        assert re.search(r"<h2[^>]*>\s*To buy", page), "'To buy' is no heading"
        assert len(re.findall(r"<li\b", page)) == 3, "the list has not three items"
        assert re.search(r"<(strong|b)\b[^>]*>April", page), "April is not bold"
        assert re.search(r"<a\b[^>]*href=.https://almanac\.example/april", page), "the link is gone"
        assert "<table" in page and re.search(r"<td[^>]*>\s*Pumpkin", page), "the table is no table"
        assert "**" not in page and "|--" not in page, "signs of Markdown are left over"

    some(of(results, ".html", ".htm"), check, "web page")


job(
    "notes-to-web-page",
    "Make a web page (html) out of my notes",
    lambda f: [written(f / "notes.md", NOTES)],
    notes_right,
    lambda f, files: Results((written(f / "notes.html", NOTES_HTML),)),
    lambda f, files: Results((written(f / "notes.html", f"<html><body><pre>{NOTES}</pre></body></html>"),)),
)

# ---- 11 Markdown minutes into a PDF ------------------------------------------------------------------

MINUTES = """# Minutes of the rowing club

Present: **Olga**, **Peter** and **Samir**

## Decisions

1. The old boat is sold.
2. The fee stays at 40 euros.

## Next meeting

- Monday, 9 June
- at the boat house
"""
MINUTES_LINES = ["Minutes of the rowing club", "Present: Olga, Peter and Samir", "Decisions", "The old boat is sold.", "The fee stays at 40 euros.", "Next meeting", "Monday, 9 June", "at the boat house"]


def minutes_right(results: Results, files: list[Path]) -> None:
    def check(path: Path) -> None:
        got = " ".join(" ".join(text for text, _ in pages(path)).split())
        places = [got.find(line) for line in MINUTES_LINES]
        assert -1 not in places, f"{MINUTES_LINES[places.index(-1)]!r} is missing from the PDF"
        assert places == sorted(places), "the order is wrong"
        assert "**" not in got and "#" not in got, "there are still stars or hashes in it"
        assert len(pages(path)) <= 2, "too many pages for so few lines"

    some(of(results, ".pdf"), check, "PDF")


job(
    "minutes-markdown-to-pdf",
    "I wrote the minutes in markdown but the board doesn't know what that is. Could I get a nice PDF to send round, without the stars and hashes?",
    lambda f: [written(f / "minutes-rowing.md", MINUTES)],
    minutes_right,
    lambda f, files: Results((pdf(f / "minutes.pdf", [{"lines": MINUTES_LINES}]),), "Here is the PDF."),
    lambda f, files: Results((pdf(f / "minutes.pdf", [{"lines": MINUTES.splitlines()}]),), "Here is the PDF."),
)

# ---- 12 two contracts compared -------------------------------------------------------------------------

LEASE = """Rental agreement

The flat on the second floor is let to Ms Ivy Novak from 1 May.
The monthly rent is 850 euros.
Pets are allowed as long as the neighbours do not complain.
The notice period is three months.
The tenant paints the walls when moving out.
"""
LEASE_NEW = LEASE.replace("850", "890").replace("three months", "six months")


def lease_right(results: Results, files: list[Path]) -> None:
    got = said(results)
    for before, after in (("850", "890"), ("three", "six")):
        assert after in got.lower(), f"it is not said that it is {after} now"
        assert before in got.lower(), f"it is not said that it was {before} before"
    assert got.count("as long as the neighbours do not complain") < 2, "both texts were merely repeated"
    assert "identical" not in got.lower().replace("not identical", ""), "it says that they are identical"


job(
    "two-leases-compared",
    "My landlord sent me the contract again and says nothing has changed. What's different between the old and the new one?",
    lambda f: [written(f / "lease_old.txt", LEASE), written(f / "lease_new.txt", LEASE_NEW)],
    lease_right,
    lambda f, files: Results((), "Two lines differ:\n- monthly rent: 850 euros → **890** euros\n- notice period: three months → **six** months"),
    lambda f, files: Results((), "One line differs:\n- monthly rent: 850 euros → 890 euros"),
)

# ---- 13 words counted, against a limit -------------------------------------------------------------------

ESSAY = "My grandmother kept bees behind her house near the river\n\n" + "\n\n".join(
    " ".join(f"The {kind} summer was {how} and the bees flew far over the {place} to find what they needed" for kind, how, place in rows)
    for rows in ([("first", "wet", "fields"), ("second", "dry", "woods"), ("third", "long", "hills")], [("fourth", "short", "lake"), ("fifth", "mild", "moor"), ("sixth", "hot", "town")], [("seventh", "cool", "park"), ("last", "calm", "sea")])
)
ESSAY_WORDS = len(ESSAY.split())


def essay_right(results: Results, files: list[Path]) -> None:
    got = said(results)
    assert has_number(got, ESSAY_WORDS), f"the number of words ({ESSAY_WORDS}) is not said"
    low = results.answer.lower()
    assert not re.search(r"\b(exceeds|is over the limit|too long by)\b", low) or re.search(r"\bnot\b|n't", low), "it says that the limit is passed, but it isn't"


job(
    "essay-words",
    "My essay mustn't have more than 250 words. How many words is it now?",
    lambda f: [written(f / "essay bees.txt", ESSAY)],
    essay_right,
    lambda f, files: Results((), f"Your essay has {ESSAY_WORDS} words."),
    lambda f, files: Results((), f"Your essay has {len(ESSAY)} characters."),
)

# ---- 14 e-mail addresses: out, once each, sorted ---------------------------------------------------------

MAILS = """From: Tom Reed <tom.reed@harbor.example>
To: choir@stmary.example; Ann-Marie O'Neil <ann-marie@post.example>
Cc: zoe_99@mail.example

Hi all, please write to bookings+choir@hall.example (not to the old box), or
ask Tom.Reed@harbor.example. Zoe (zoe_99@mail.example) has the key. Bring cake @ 5 pm.
Yours, b.kowalski@uni.dept.example.
"""
ADDRESSES = ["ann-marie@post.example", "b.kowalski@uni.dept.example", "bookings+choir@hall.example", "choir@stmary.example", "tom.reed@harbor.example", "zoe_99@mail.example"]


def mails_right(results: Results, files: list[Path]) -> None:
    def check(text: object) -> None:
        got = [found.lower().strip(".") for found in re.findall(r"[\w.+-]+@[\w.-]+\w", str(text).replace("\\_", "_"))]
        assert set(got) >= set(ADDRESSES), f"missing: {sorted(set(ADDRESSES) - set(got))}"
        assert len(got) == len(set(got)), "some address is there twice"
        assert got == ADDRESSES, f"not sorted from A to Z, or too much: {got}"

    some([text_of(path) for path in of(results, ".txt", ".csv", ".md", ".tsv")], check, "text file")


job(
    "mail-addresses-sorted",
    "pull all email adresses out of this, every one only once, sort them a-z and give me a text file",
    lambda f: [written(f / "mails.txt", MAILS)],
    mails_right,
    lambda f, files: Results((written(f / "addresses.txt", "\n".join(ADDRESSES) + "\n"),), "6 addresses"),
    lambda f, files: Results((written(f / "addresses.txt", "\n".join(re.findall(r"[\w.+-]+@[\w.-]+\w", MAILS))),), "8 addresses"),
)

# ---- 15 links listed and counted --------------------------------------------------------------------------

SOURCES = """Sources for my thesis

The history of paper is told at https://paper-museum.example/history (last seen in May).
See also http://archive.example/item?id=77&lang=en, and for watermarks [this page](https://marks.example/a_b/list.html).
Linen rags: "https://rags.example". The book by Hunter (1947) has no link.
More at https://www.mill.example/visit/opening-hours!
"""
LINKS = ["https://paper-museum.example/history", "http://archive.example/item?id=77&lang=en", "https://marks.example/a_b/list.html", "https://rags.example", "https://www.mill.example/visit/opening-hours"]


def links_right(results: Results, files: list[Path]) -> None:
    def check(text: object) -> None:
        plain = str(text).replace("\\_", "_").replace("&amp;", "&")
        got = {found.rstrip("/") for found in re.findall(r"https?://[^\s<>\]\[\"|*`]+", plain)}
        got = {part.rstrip("/") for found in got for part in re.sub(r"\)$|\]\(.*$|,$", "", found).split("](")}
        assert got >= set(LINKS), f"missing or with something hanging on: {sorted(set(LINKS) - got)}"
        assert not got - set(LINKS), f"no links: {sorted(got - set(LINKS))}"
        assert "Linen rags" not in plain, "the text is still around the links"

    some(texts(results), check, "list")
    assert has_number(said(results), 5), "it is not said that there are 5"


job(
    "thesis-links",
    "List all the web links in this text (just the links, nothing else) and tell me how many there are.",
    lambda f: [written(f / "sources.md", SOURCES)],
    links_right,
    lambda f, files: Results((written(f / "links.txt", "\n".join(LINKS)),), "There are five links."),
    lambda f, files: Results((written(f / "links.txt", "\n".join(LINKS[:2] + LINKS[3:])),), "There are 4 links."),
)

# ---- 16 whole words replaced ----------------------------------------------------------------------------

ADVERT = "The flat is bright. A flat like this is rare! Your flatmate has a cat. Flat 3 is opposite; the inflatable boat in the cellar belongs to flat 3.\n"
ADVERT_NEW = "The apartment is bright. A apartment like this is rare! Your flatmate has a cat. Apartment 3 is opposite; the inflatable boat in the cellar belongs to apartment 3.\n"


def advert_right(results: Results, files: list[Path]) -> None:
    def check(text: object) -> None:
        got = " ".join(str(text).split())
        assert "flatmate" in got, "flatmate was changed or is gone"
        assert "inflatable" in got, "inflatable was changed or is gone"
        assert not re.search(r"\bflat\b", got, re.I), "there is still a flat"
        assert len(re.findall(r"\bapartment\b", got, re.I)) == 4, "not each of the four places has apartment"
        assert flat(ADVERT_NEW.replace("A apartment", "an apartment")) in flat(got.replace("A apartment", "an apartment")), "other words were changed"

    some(texts(results), check, "text")


job(
    "flat-to-apartment",
    "Replace 'flat' by 'apartment' everywhere, but flatmate should stay flatmate!",
    lambda f: [written(f / "advert.txt", ADVERT)],
    advert_right,
    lambda f, files: Results((written(f / "new.txt", ADVERT_NEW),), "Replaced flat by apartment, 4 times."),
    lambda f, files: Results((written(f / "new.txt", ADVERT.replace("flat", "apartment").replace("Flat", "Apartment")),), "Replaced."),
)

# ---- 17 lines numbered ------------------------------------------------------------------------------------

GUESTS = ["Akira Tanaka", "Beatriz Lopez", "Chidi Okafor", "Dana White", "Emil Sjöberg", "Fatima Haddad", "Giulia Conti", "Henk de Vries", "Ines Moreau", "Jonas Weber", "Kofi Mensah"]


def guests_right(results: Results, files: list[Path]) -> None:
    def check(text: object) -> None:
        rows = [row for row in str(text).splitlines() if any(guest in row for guest in GUESTS)]
        assert len(rows) == len(GUESTS), f"{len(rows)} names on lines of their own instead of {len(GUESTS)}"
        for number, (row, guest) in enumerate(zip(rows, GUESTS), 1):
            assert re.fullmatch(rf"\s*\|?\s*0?{number}\\?[.):\t ,;|-]*\s*{guest}\s*\|?\s*", row), f"line {number} reads {row!r}"

    some(texts(results), check, "list")


job(
    "guests-numbered",
    "put numbers in front of the names, 1. 2. 3. and so on",
    lambda f: [written(f / "guest list.txt", "\n".join(GUESTS) + "\n")],
    guests_right,
    lambda f, files: Results((written(f / "numbered.txt", "\n".join(f"{n}. {guest}" for n, guest in enumerate(GUESTS, 1))),)),
    lambda f, files: Results((written(f / "numbered.txt", "\n".join(f"{n}. {guest}" for n, guest in enumerate(GUESTS))),)),
)

# ---- 18 capitals: a long name with umlauts, German letters ------------------------------------------------

NOTICE = "Liebe Nachbarn,\nam Samstag ist Frühjahrsputz im Hof.\nBitte Schuhe, Räder und Töpfe wegräumen.\nAnfang: 9 Uhr, für Kaffee ist gesorgt.\n"


def notice_right(results: Results, files: list[Path]) -> None:
    def check(text: object) -> None:
        got = " ".join(re.sub(r"[*`>#_]", " ", str(text)).split())
        assert " ".join(NOTICE.upper().split()) in got, "not all of it is in capitals (with its umlauts), or words are missing"

    some(texts(results), check, "text")


job(
    "notice-in-capitals",
    "Make everything capital letters please. It hangs in the show case and old people must be able to read it",
    lambda f: [written(f / "Aushang für den Schaukasten – Frühjahrsputz (endgültig, Änderung 2).txt", NOTICE)],
    notice_right,
    lambda f, files: Results((written(f / "gross.txt", NOTICE.upper()),)),
    lambda f, files: Results((written(f / "gross.txt", "".join(c.upper() if c.isascii() else c for c in NOTICE)),)),
)

# ---- 19 a form photographed, turned by its EXIF, into an upright PDF ---------------------------------------


def form(f: Path) -> list[Path]:
    sheet = printed(["MEMBERSHIP FORM", "", "Name: Lena Hoff", "Since: 2019"], (900, 1200), 40)
    ImageDraw.Draw(sheet).rectangle((90, 760, 390, 910), fill=RED)
    ImageDraw.Draw(sheet).rectangle((510, 1000, 810, 1150), fill=BLUE)
    tags = Image.Exif()
    tags[274] = 6  # to be turned to the right for looking
    return [saved(f / "20250611_093412.jpg", sheet.rotate(90, expand=True), exif=tags, quality=90)]


def form_right(results: Results, files: list[Path]) -> None:
    def check(path: Path) -> None:
        got = pages(path)
        assert len(got) == 1, f"{len(got)} pages instead of 1"
        look = got[0][1]
        assert look.height > look.width, "the page lies on its side"
        red, blue = middle(look, RED), middle(look, BLUE)
        assert red and blue, "the picture is not in the PDF"
        assert red[0] < 0.5 < blue[0] and red[1] < blue[1] and red[1] > 0.45, "the form is not upright"
        box = colour_box(look, RED)
        ratio = (box[2] - box[0]) * look.width / ((box[3] - box[1]) * look.height)
        assert abs(ratio - 2) < 0.15, "the picture is squeezed"

    some(of(results, ".pdf"), check, "PDF")


job(
    "form-photo-upright-pdf",
    "photo of the membership form -> pdf. it has to be upright in the pdf, last time it was lying on its side",
    form,
    form_right,
    lambda f, files: Results((pictures_pdf(f / "form.pdf", [ImageOps.exif_transpose(Image.open(files[0]))]),)),
    lambda f, files: Results((pictures_pdf(f / "form.pdf", [Image.open(files[0]).copy()]),)),
)

# ---- 20 an empty page out, the last one turned ----------------------------------------------------------------


def stack_right(results: Results, files: list[Path]) -> None:
    def check(path: Path) -> None:
        got = pages(path)
        assert len(got) == 3, f"{len(got)} pages instead of 3"
        for text, (_, look), colour in zip(("Invoice", "Conditions", "Signature"), got, (GREEN, RED, BLUE)):
            place = middle(look, colour)
            assert place, f"the page {text!r} is not where it belongs"
            assert look.height > look.width, f"the page {text!r} lies on its side"
            assert place[0] < 0.4 and place[1] < 0.4, f"the page {text!r} is not upright"

    some(of(results, ".pdf"), check, "PDF")


job(
    "empty-page-out-last-turned",
    "In this pdf page 2 is empty, please throw it out. And the last page is upside down - turn it the right way round",
    lambda f: [pdf(f / "Scan 2025-02-03.pdf", [{"lines": ["Invoice"], "marks": [(GREEN, 60, 150, 200, 100)]}, {}, {"lines": ["Conditions"], "marks": [(RED, 60, 150, 200, 100)]}, {"lines": ["Signature"], "marks": [(BLUE, 60, 150, 200, 100)], "over": True}])],
    stack_right,
    lambda f, files: Results((picked(f / "clean.pdf", [(files[0], n) for n in (0, 2, 3)], {2: 180}),)),
    lambda f, files: Results((picked(f / "clean.pdf", [(files[0], n) for n in (0, 2, 3)]),)),
)

# ---- 21 talk: a page as a picture, the other page, grey -----------------------------------------------------


def programme(f: Path) -> list[Path]:
    return [pdf(f / "programme.pdf", [{"lines": ["Programme, page one"], "marks": [(RED, 60, 150, 200, 200)]}, {"lines": ["Programme, page two"], "marks": [(BLUE, 330, 560, 200, 200)]}])]


def programme_right(results: Results, files: list[Path]) -> None:
    def check(path: Path) -> None:
        picture = Image.open(path).convert("RGB")
        assert picture.width >= 400, "too small to be read"
        assert abs(picture.height / picture.width - 842 / 595) < 0.03, "the page is squeezed or cut"
        look = np.asarray(picture, int)
        assert (look.max(2) - look.min(2)).max() < 14, "it still has colours"
        at = lambda x, y: look[int(y * picture.height) - 4 : int(y * picture.height) + 5, int(x * picture.width) - 4 : int(x * picture.width) + 5].mean()
        assert at(0.72, 0.78) < 170, "the second page's box is not there"
        assert at(0.27, 0.3) > 230, "it is the first page, not the second"
        assert at(0.9, 0.95) > 230, "the paper is not white"

    some(results.pictures, check, "picture", 2)


def programme_grey(f: Path, files: list[Path], page: int, mode: str) -> Results:
    return Results((saved(f / f"page{page}{mode}.png", pypdfium2.PdfDocument(str(files[0]))[page].render(scale=2).to_pil().convert(mode)),))


job(
    "programme-page-as-picture-talk",
    ("give me the first page of this as a picture", "sorry, I meant the second page", "good. and now in black and white"),
    programme,
    programme_right,
    lambda f, files: programme_grey(f, files, 1, "L"),
    lambda f, files: programme_grey(f, files, 0, "L"),
)

# ---- 22 talk: a year replaced, then another ---------------------------------------------------------------

INVITE = "Annual meeting 2024\n\nDear members,\nthe annual meeting 2024 takes place on 12 June 2024 at 19:30 in room 204.\nCall 0202 420 24 if you cannot come.\n"


def invite_right(results: Results, files: list[Path]) -> None:
    def check(text: object) -> None:
        assert "2024" not in str(text), "2024 is still there"
        assert "2025" not in str(text), "2025 is still there, although it was taken back"
        assert str(text).count("2026") == 3, f"2026 is there {str(text).count('2026')} times instead of 3"
        assert flat(INVITE.replace("2024", "2026")) in flat(str(text)), "other words were changed"

    some(texts(results), check, "text")


job(
    "invitation-year-talk",
    ("This is last year's invitation. Put 2025 wherever it says 2024", "oh no wait, it must be 2026, not 2025"),
    lambda f: [written(f / "invitation.txt", INVITE)],
    invite_right,
    lambda f, files: Results((written(f / "invitation-2026.txt", INVITE.replace("2024", "2026")),), "Now it says 2026."),
    lambda f, files: Results((written(f / "invitation-2026.txt", INVITE.replace("24", "26")),), "Now it says 2026."),
)

# ---- 23 talk: one receipt as a PDF, then the other behind it -------------------------------------------------


def stamped(rows: list[tuple[str, str]], colour: tuple[int, int, int]) -> Image.Image:
    slip = receipt(rows)
    ImageDraw.Draw(slip).rectangle((250, slip.height - 90, 470, slip.height - 30), fill=colour)
    return slip


def trip(f: Path) -> list[Path]:
    hotel = stamped([("HOTEL LAKE VIEW", ""), ("Two nights", "186.00"), ("TOTAL", "186.00"), ("", ""), ("", "")], GREEN)
    taxi = stamped([("CITY TAXI", ""), ("Station - Hotel", "21.50"), ("", ""), ("", "")], RED)
    return [saved(f / "hotel.jpg", hotel, quality=90), saved(f / "taxi.jpg", taxi, quality=90)]


def trip_right(results: Results, files: list[Path]) -> None:
    def check(path: Path) -> None:
        got = [look for _, look in pages(path)]
        assert len(got) == 2, f"{len(got)} pages instead of 2"
        for look, colour, name in zip(got, (GREEN, RED), ("hotel", "taxi")):
            box = colour_box(look, colour)
            assert box, f"the {name} receipt is not on its page"
            ratio = (box[2] - box[0]) * look.width / ((box[3] - box[1]) * look.height)
            assert 3.1 < ratio < 4.4, f"the {name} receipt is squeezed or turned"

    some(of(results, ".pdf"), check, "PDF", 3)


job(
    "trip-receipts-talk",
    ("Make a PDF out of the hotel receipt please, only that one", "now the taxi one too, as second page of the same pdf"),
    trip,
    trip_right,
    lambda f, files: Results((pictures_pdf(f / "trip.pdf", [Image.open(path) for path in files]),)),
    lambda f, files: Results((pictures_pdf(f / "taxi.pdf", [Image.open(files[1])]),)),
)

# ---- 24 three receipts: the sum, and all in one PDF --------------------------------------------------------

SLIPS = [
    ([("BAKERY HILL", ""), ("Rolls", "4.80"), ("Cake", "8.00"), ("", ""), ("TOTAL EUR", "12.80"), ("", ""), ("", "")], RED),
    ([("PAPER & PEN LTD", ""), ("Folders", "15.50"), ("Toner", "30.00"), ("", ""), ("TOTAL EUR", "45.50"), ("", ""), ("", "")], GREEN),
    ([("POST OFFICE", ""), ("Stamps", "8.90"), ("", ""), ("TOTAL EUR", "8.90"), ("", ""), ("", "")], BLUE),
]


def slips_right(results: Results, files: list[Path]) -> None:
    assert has_amount(said(results), "67.20"), "the sum of the three totals, 67.20, is not said"

    def check(path: Path) -> None:
        got = [look for _, look in pages(path)]
        assert 1 <= len(got) <= 3, f"{len(got)} pages for three receipts"
        for number, colour in enumerate((RED, GREEN, BLUE), 1):
            assert any(colour_box(look, colour) for look in got), f"receipt {number} is not in the PDF"

    some(of(results, ".pdf"), check, "PDF")


job(
    "expenses-summed-and-bundled",
    "Three receipts for my expenses. I need them all in one PDF for the boss, and what do the totals add up to?",
    lambda f: [saved(f / f"receipt {n}.png", stamped(*slip)) for n, slip in enumerate(SLIPS, 1)],
    slips_right,
    lambda f, files: Results((pictures_pdf(f / "expenses.pdf", [Image.open(path) for path in files]),), "12.80 + 45.50 + 8.90 = **67.20** EUR"),
    lambda f, files: Results((pictures_pdf(f / "expenses.pdf", [Image.open(path) for path in files]),), "The totals are 12.80, 45.50 and 8.90."),
)

# ---- 25 a signature on nothing: transparent to white --------------------------------------------------------


def signature(f: Path) -> list[Path]:
    ink = Image.new("RGBA", (800, 300), (0, 0, 0, 0))
    path = [(60 + 8 * n, 150 + 90 * np.sin(n / 5) * np.exp(-n / 60)) for n in range(85)]
    ImageDraw.Draw(ink).line(path, fill=(15, 25, 110, 255), width=12)
    return [saved(f / "unterschrift.png", ink)]


def signature_right(results: Results, files: list[Path]) -> None:
    def check(path: Path) -> None:
        picture = Image.open(path)
        assert picture.format == "JPEG", "it is no JPEG"
        assert abs(picture.width / picture.height - 800 / 300) < 0.05 and picture.width >= 790, f"the size {picture.size} is not that of the signature"
        look = np.asarray(picture.convert("RGB"), int)
        assert all(look[y, x].min() > 240 for y in (3, -4) for x in (3, -4)), "the background is not white"
        ink = ((look.sum(2) < 330) & (look[:, :, 2] > look[:, :, 0] + 40)).mean()
        before = (np.asarray(Image.open(files[0]))[:, :, 3] > 128).mean()
        assert 0.7 < ink / before < 1.3, "the blue line of the signature is gone or has become another"

    some(of(results, ".jpg", ".jpeg"), check, "JPG")


job(
    "signature-to-white-jpg",
    "The office only takes jpg. Can you save my signature as jpg on a WHITE background, with the program here it always turns black",
    signature,
    signature_right,
    lambda f, files: Results((saved(f / "sig.jpg", Image.composite(Image.open(files[0]), Image.new("RGBA", (800, 300), "white"), Image.open(files[0]).getchannel("A")).convert("RGB"), quality=90),)),
    lambda f, files: Results((saved(f / "sig.jpg", Image.open(files[0]).convert("RGB"), quality=90),)),
)

# ---- 26 a very wide time line, cut into four pages ------------------------------------------------------------

STRIPES = [(200, 30, 30), (30, 150, 40), (30, 50, 200), (220, 150, 20)]


def banner(f: Path) -> list[Path]:
    wide = Image.new("RGB", (6000, 400), "white")
    draw = ImageDraw.Draw(wide)
    for n, colour in enumerate(STRIPES):
        draw.rectangle((n * 1500 + 100, 150, n * 1500 + 1399, 349), fill=colour)
        draw.text((n * 1500 + 750, 80), f"{1700 + 100 * n}", fill="black", font=font(80), anchor="mm")
    return [saved(f / "timeline.png", wide)]


def banner_right(results: Results, files: list[Path]) -> None:
    def check(path: Path) -> None:
        got = [look for _, look in pages(path)]
        assert len(got) == 4, f"{len(got)} pages instead of 4"
        for n, (look, colour) in enumerate(zip(got, STRIPES)):
            box = colour_box(look, colour)
            assert box, f"page {n + 1} does not show the part number {n + 1} from the left"
            ratio = (box[2] - box[0]) * look.width / ((box[3] - box[1]) * look.height)
            turned = abs(ratio - 200 / 1300) < 0.03
            assert turned or abs(ratio - 6.5) < 0.5, f"the part on page {n + 1} is squeezed or not whole"
            others = [other for other in STRIPES if other != colour and colour_box(look, other)]
            assert not others, f"page {n + 1} shows more than its quarter"

    some(of(results, ".pdf"), check, "PDF")


job(
    "timeline-into-four-pages",
    "This timeline is much too wide for my printer. Cut it into 4 equal pieces from left to right and put them into a PDF, one piece a page",
    banner,
    banner_right,
    lambda f, files: Results((pictures_pdf(f / "timeline.pdf", [Image.open(files[0]).crop((n * 1500, 0, n * 1500 + 1500, 400)) for n in range(4)]),)),
    lambda f, files: Results((pictures_pdf(f / "timeline.pdf", [Image.open(files[0]).crop((0, n * 100, 6000, n * 100 + 100)) for n in range(4)]),)),
)

# ---- 27 on which pages? ------------------------------------------------------------------------------------

TERMS = [
    ["General terms", "These terms hold for all members of the gym."],
    ["Ending the contract", "The notice period is a quarter of a year."],
    ["Lockers", "Mind the notice board beside the door."],
    ["Training period", "A first period of training is free."],
    ["Special cases", "When moving house the Notice Period is shorter."],
    ["Last words", "Have fun!"],
]


def terms_right(results: Results, files: list[Path]) -> None:
    got = re.sub(r"\b\w+ times?\b|\b(?:of|all|in|the) (?:6|six)(?: pages)?\b|\b(?:two|2) (?:pages|places|hits|matches|mentions)\b", " ", results.answer.lower())
    assert has_number(got, 2), "page 2 is not named"
    assert has_number(got, 5), "page 5 is not named (there it has capital letters)"
    for page in (3, 4, 6):
        assert not has_number(got, page), f"page {page} is named, but the notice period isn't on it"


job(
    "notice-period-pages",
    "Which pages of the gym contract mention the notice period? I don't want to read the whole thing",
    lambda f: [pdf(f / "gym contract.pdf", [{"lines": lines} for lines in TERMS])],
    terms_right,
    lambda f, files: Results((), "The notice period is mentioned 2 times, on pages 2 and 5."),
    lambda f, files: Results((), "It is mentioned on pages 2, 3, 4 and 5."),
)

# ---- 28 a crooked, grey scan: straight and white ----------------------------------------------------------------


def crooked(f: Path) -> list[Path]:
    lines = ["Recipe of aunt Rosa for plum cake", "Take a pound of plums and halve them", "Stir butter, sugar and four eggs", "Add the flour and a little milk", "Spread the dough on the tin", "Put the plums on it in rows", "Bake it for forty minutes until golden", "Eat it with a lot of cream", "Keep what is left in the cellar", "It tastes best on the second day"]
    return [saved(f / "recipe_scan.jpg", printed(lines, (1000, 900), 34, "DejaVuSerif", 198).rotate(4.5, Image.Resampling.BICUBIC, fillcolor=(198,) * 3), quality=90)]


def skew(grey: np.ndarray) -> float:
    """How many degrees the lines lie askew: where the rows' sums vary most."""
    dark = Image.fromarray(((grey < 130) * 255).astype("uint8"))
    dark.thumbnail((700, 700))
    tilts = np.arange(-7, 7.01, 0.5)
    return float(tilts[int(np.argmax([np.asarray(dark.rotate(-tilt), float).sum(1).var() for tilt in tilts]))])


def crooked_right(results: Results, files: list[Path]) -> None:
    looks = [Image.open(path).convert("L") for path in results.pictures] + [pages(path)[0][1].convert("L") for path in of(results, ".pdf")]

    def check(look: Image.Image) -> None:
        assert look.width >= 480, f"only {look.width} pixels wide: too small to be read"
        grey = np.asarray(look)
        assert np.median(grey) > 240, f"the paper is still grey ({np.median(grey):.0f})"
        assert (grey > 235).mean() > 0.75, "there are still grey places in the paper"
        ink = (grey < 130).mean()
        assert 0.01 < ink < 0.15, "the writing has gone, or much has become black"
        tilt = skew(grey)
        assert abs(tilt) <= 1, f"the lines still lie {tilt:.1f} degrees askew"

    some(looks, check, "picture or PDF")


job(
    "crooked-grey-scan",
    "my scan came out crooked and the paper looks grey. straighten it and make the paper white pls, the letters black",
    crooked,
    crooked_right,
    lambda f, files: Results((saved(f / "clean.png", Image.open(files[0]).rotate(-4.5, Image.Resampling.BICUBIC, fillcolor=(198,) * 3).convert("L").point(lambda v: 255 if v > 150 else v)),)),
    lambda f, files: Results((saved(f / "clean.png", Image.open(files[0]).convert("L").point(lambda v: 255 if v > 150 else v)),)),
)
