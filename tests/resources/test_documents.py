"""Documents are taken in as text, in a process that they cannot get out of."""

from __future__ import annotations

import signal
import subprocess
import sys
import zipfile
from pathlib import Path

import openpyxl
import PIL.Image
import pytest

from controlllm.resources import BadInput, Limits, ingest
from controlllm.resources.documents import page_picture
from tests.every_case import every_case
from tests.resources.made_documents import archive, book, paragraph, pdf, raw_photo, word


@pytest.fixture
def take(tmp_path):
    def taken(path, name="", **limits):
        return ingest(path, name or path.name, tmp_path / "out", Limits(**limits))

    return taken


@pytest.fixture
def refused(take):
    def sentence(path, name="", **limits):
        with pytest.raises(BadInput) as caught:
            take(path, name, **limits)
        assert str(caught.value).startswith(name or path.name)
        return str(caught.value)

    return sentence


def words_of(taken, kind="text"):
    assert (taken.type, taken.media_type) == (kind, "text/plain")
    return taken.path.read_text()


def test_a_pdf_is_text_with_pages_that_can_be_looked_at(take, tmp_path):
    path = pdf(tmp_path / "report.pdf", ["The bridge was\nbuilt in 1932.", "It is painted grey."])
    taken = take(path)
    assert taken.name == "report.pdf"
    assert (taken.original, taken.original_type) == (path, "application/pdf")
    assert taken.details["pages"] == 2
    assert words_of(taken, "document").split("\f")[0].strip() == "The bridge was built in 1932."
    made = tmp_path / "page.png"
    made.write_bytes(page_picture(path, "application/pdf", 2))
    with PIL.Image.open(made) as page:
        assert page.size == (1240, 1755)
        assert page.getpixel((200, 1540)) == (0, 0, 255)
    with pytest.raises(BadInput, match="no page 3"):
        page_picture(path, "application/pdf", 3)


def test_the_lines_of_a_bill_stay_lines(take, tmp_path):
    bill = "Date: 2 April 2026\n40 tables x 6.50 = 260.00\n120 chairs x 1.20 = 144.00"
    long = "The bridge of the town, which many people cross every day, was built in\n1932."
    words = words_of(take(pdf(tmp_path / "bill.pdf", [bill, long])), "document").split("\f")
    assert words[0].strip() == bill
    assert words[1].strip() == long.replace("\n", " ")


def test_a_scan_of_several_pages_is_a_document_without_words(take, tmp_path):
    pages = [PIL.Image.new("RGB", (300, 200), colour) for colour in ("teal", "navy", "olive")]
    pages[0].save(tmp_path / "scan.pdf", save_all=True, append_images=pages[1:])
    taken = take(tmp_path / "scan.pdf")
    assert (taken.type, taken.name) == ("document", "scan.pdf")
    assert (taken.details["pages"], taken.details["characters"]) == (3, 0)
    assert "read by sight" in taken.notices[0]


def test_a_scan_without_text_is_a_picture(take, tmp_path):
    PIL.Image.new("RGB", (300, 200), "teal").save(tmp_path / "scan.pdf")
    taken = take(tmp_path / "scan.pdf")
    assert (taken.type, taken.name, taken.details["pages"]) == ("image", "scan.png", 1)
    assert "pictures of pages" in taken.notices[0]
    with PIL.Image.open(taken.path) as page:
        assert all(
            abs(a - b) < 12 for a, b in zip(page.getpixel((50, 50)), (0, 128, 128), strict=True)
        )


def test_a_word_document_keeps_its_structure(take, tmp_path):
    cells = "".join(f"<w:tc>{paragraph(word)}</w:tc>" for word in ("Name", "Age"))
    body = (
        paragraph("Minutes", "Heading1") + paragraph("Anna &amp; Ben met.")
        + f"<w:tbl><w:tr>{cells}</w:tr></w:tbl>"
    )  # fmt: skip
    taken = take(word(tmp_path / "minutes.docx", body, more={"word/vbaProject.bin": b"\0"}))
    text = words_of(taken)
    assert text.startswith("# Minutes\n\nAnna & Ben met.\n\n| Name | Age |")
    assert taken.name == "minutes.docx" and "not run" in taken.notices[0]


def test_a_spreadsheet_is_tables(take, tmp_path):
    book_ = openpyxl.Workbook()
    book_.active.title = "Costs"
    for row in (["What", "Euro"], ["Paint", 12.5], ["Brush | wide", 3]):
        book_.active.append(row)
    book_.create_sheet("Empty")
    book_.save(tmp_path / "costs.xlsx")
    text = words_of(take(tmp_path / "costs.xlsx"), "table")
    assert "## Costs" in text and "| Paint | 12.5 |" in text and "| Brush / wide | 3 |" in text


def test_an_e_book_is_its_chapters_in_order(take, tmp_path):
    path = book(tmp_path / "tale.epub", ["<h1>One</h1><p>Once.</p>", "<h1>Two</h1><p>Later.</p>"])
    assert words_of(take(path)).strip() == "# One\n\nOnce.\n\n# Two\n\nLater."


def test_a_web_page_is_its_words(take, tmp_path):
    path = tmp_path / "page.html"
    path.write_text(
        "<!doctype html><title>t</title><script>steal()</script><style>p{}</style><h2>Bees</h2>"
        "<p>They <b>dance</b>.<img src='http://tracker.example/x.png' alt='a bee'><ol><li>one"
        "<li>two</ol><table><tr><th>a<th>b</tr><tr><td>1<td>2</tr></table>"
    )
    text = words_of(take(path))
    assert "## Bees" in text and "They dance." in text and "[a bee]" in text
    assert "1. one\n2. two" in text and "steal" not in text and "tracker" not in text
    assert take(path, "saved without ending").name == "saved without ending.html"


def test_rich_text_is_its_words(take, tmp_path):
    (tmp_path / "a.rtf").write_bytes(rb"{\rtf1\ansi {\b Hello} w\'f6rld.\par Second.}")
    assert words_of(take(tmp_path / "a.rtf")).split("\n\n") == ["Hello wörld.", "Second."]


def test_a_picture_s_name_with_a_web_page_in_it_is_a_failed_download(refused, tmp_path):
    (tmp_path / "photo.jpg").write_text("<!doctype html><p>Not found</p>")
    assert "is a web page" in refused(tmp_path / "photo.jpg")


def test_very_many_pages_are_read_from_the_beginning(take, tmp_path):
    taken = take(pdf(tmp_path / "long.pdf", [f"Page number {n}." for n in range(2_100)]))
    text = words_of(taken, "document")
    assert "Page number 1999." in text and "Page number 2000." not in text
    assert "the first 2,000 of its 2,100 pages" in taken.notices[0]


def test_a_long_text_is_cut_where_no_more_fits(take, tmp_path):
    path = book(tmp_path / "long.epub", ["<p>" + "word " * 9000 + "</p>"] * 3)
    taken = take(path, max_text_bytes=50_000)
    assert taken.path.stat().st_size == 50_000 and "its beginning" in taken.notices[0]


def test_an_archive_that_would_fill_the_memory_is_not_unpacked(refused, tmp_path):
    path = word(tmp_path / "bomb.docx", "")
    with zipfile.ZipFile(path, "a") as file:
        file.writestr("word/big", b"")
        # What is listed is what counts: it is refused before anything is unpacked.
        file.getinfo("word/big").file_size = 301 * 1024 * 1024
    assert path.stat().st_size < 1_000_000
    assert "would unpack to" in refused(path)


def test_an_archive_of_other_things_is_refused(refused, tmp_path):
    assert "ZIP archive" in refused(archive(tmp_path / "a.zip", {"../../a.txt": b"x"}))
    (tmp_path / "b.zip").write_bytes(b"PK\x03\x04 and no more")
    assert "cannot be read" in refused(tmp_path / "b.zip")


LAUGHS = "<!DOCTYPE x [<!ENTITY a0 'ha'>" + "".join(
    f"<!ENTITY a{n} '{f'&a{n - 1};' * 10}'>" for n in range(1, 10)
) + "]>"  # fmt: skip


def test_a_billion_laughs_are_not_told(refused, tmp_path):
    assert refused(word(tmp_path / "laughs.docx", paragraph("&a9;"), LAUGHS))
    assert refused(book(tmp_path / "laughs.epub", ["<p>x</p>"], LAUGHS, more="<x>&a9;</x>"))


@every_case("place", ["file:///etc/hostname", "http://127.0.0.1:9/x"], anew=(take,))
def test_what_a_document_points_to_is_not_read(tmp_path, take, place):
    head = f"<!DOCTYPE x [<!ENTITY secret SYSTEM '{place}'>]>"
    path = word(tmp_path / "spy.docx", paragraph("Before &secret; after"), head)
    try:
        text = words_of(take(path))
    except BadInput:
        return
    assert Path("/etc/hostname").read_text().strip() not in text


def test_a_locked_document_is_taken_in_to_be_unlocked(take, tmp_path):
    path = pdf(tmp_path / "locked.pdf", ["x"], encrypted=True)
    taken = take(path)
    assert words_of(taken, "document") == "" and taken.original == path
    assert taken.details["is_locked"] and "pages" not in taken.details
    assert "unlock it, the password is" in taken.notices[0]


def test_damaged_documents_say_so(refused, tmp_path):
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7\n" + bytes(range(256)) * 40)
    assert "damaged" in refused(tmp_path / "broken.pdf")
    (tmp_path / "loop.pdf").write_bytes(
        b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Count 9"
        b"/Kids[2 0 R]>>endobj trailer<</Root 1 0 R>>"
    )
    assert refused(tmp_path / "loop.pdf")
    (tmp_path / "old.doc").write_bytes(b"\xd0\xcf\x11\xe0" + bytes(600))
    assert "old office document" in refused(tmp_path / "old.doc")
    assert "no words" in refused(word(tmp_path / "empty.docx", ""))


CONFINED = """
import os, sys
from pathlib import Path
from controlllm.resources.documents import child
child.MOST_SECONDS = 1
for what in sys.argv[3:]:
    if os.fork():
        os.wait()
        continue
    child.confine(Path(sys.argv[1]), Path(sys.argv[2]))
    try:
        exec(what)
    except BaseException as error:
        print(type(error).__name__, flush=True)
    else:
        print("done", flush=True)
    os._exit(0)
"""

#: What each of several such processes tries, and what comes of it.
TRIED = {
    "import socket; socket.create_connection(('127.0.0.1', 9))": "PermissionError",
    "import socket; socket.getaddrinfo('example.org', 80)": "PermissionError",
    "import subprocess; subprocess.run(['true'])": "PermissionError",
    "import os; os.system('true')": "PermissionError",
    "open('/etc/passwd').read()": "PermissionError",
    "open('/tmp/elsewhere.txt', 'w')": "PermissionError",
    "open(sys.argv[2] + '/here.txt', 'w')": "done",
    "bytearray(3 << 30)": "MemoryError",
    "import json.tool": "done",
}


def test_a_process_that_reads_documents_can_do_nothing_else(tmp_path):
    source = tmp_path / "a.pdf"
    source.write_bytes(b"")
    command = [sys.executable, "-c", CONFINED, str(source), str(tmp_path), *TRIED]
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    came = dict(zip(TRIED, told.stdout.split(), strict=True))
    assert came == TRIED, told.stderr


def test_a_process_that_reads_documents_ends_when_it_takes_too_long(tmp_path):
    code = CONFINED.replace("os.wait()", "sys.exit(-os.waitstatus_to_exitcode(os.wait()[1]))")
    command = [sys.executable, "-c", code, "a", "b", "while True: pass"]
    ended = subprocess.run(command, capture_output=True, check=False).returncode
    assert ended in (signal.SIGXCPU, signal.SIGKILL)


def test_a_camera_s_raw_picture_is_developed(take, refused, tmp_path):
    taken = take(raw_photo(tmp_path / "IMG_1.dng"))
    assert (taken.type, taken.name) == ("image", "IMG_1.jpg")
    assert "developed" in taken.notices[0]
    with PIL.Image.open(taken.path) as photo:
        assert photo.size == (192, 128)
        red, green, blue = photo.getpixel((96, 64))
        assert red > 2 * green and red > 2 * blue
    content = (tmp_path / "IMG_1.dng").read_bytes()
    (tmp_path / "cut.dng").write_bytes(content[:3000])
    assert "raw picture" in refused(tmp_path / "cut.dng")


def test_a_tiff_of_several_pages_keeps_them(take, tmp_path):
    pages = [PIL.Image.new("RGB", (40, 30), colour) for colour in ("red", "lime", "blue")]
    pages[0].save(tmp_path / "fax.tif", save_all=True, append_images=pages[1:])
    taken = take(tmp_path / "fax.tif")
    assert (taken.type, taken.details["pages"]) == ("image", 3)
    (tmp_path / "p.png").write_bytes(page_picture(taken.original, taken.original_type, 2))
    with PIL.Image.open(tmp_path / "p.png") as page:
        assert page.getpixel((5, 5)) == (0, 255, 0)


@every_case("name", ["IMG_0001.HEIC", "portrait.heif"], anew=(take,))
def test_what_phones_save_is_a_picture_upright(take, tmp_path, name):
    import pillow_heif

    photo = PIL.Image.new("RGB", (80, 60), "red")
    photo.paste("blue", (0, 0, 40, 60))
    exif = PIL.Image.Exif()
    exif[0x0112] = 6  # to be turned a quarter clockwise
    pillow_heif.from_pillow(photo).save(tmp_path / name, quality=95, exif=exif.tobytes())
    taken = take(tmp_path / name)
    assert (taken.type, taken.media_type) == ("image", "image/jpeg")
    assert taken.name.endswith(".jpg")
    with PIL.Image.open(taken.path) as shown:
        assert shown.size == (taken.details["width"], taken.details["height"])
        assert "exif" not in shown.info
        upright = shown.size == (60, 80)
        top = shown.getpixel((30, 10)) if upright else shown.getpixel((10, 30))
        assert top[2] > 200 > top[0]


def test_a_damaged_heic_says_so(refused, tmp_path):
    path = tmp_path / "a.heic"
    path.write_bytes(b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(300))
    assert "damaged" in refused(path)


def test_nothing_is_left_open_in_an_archive(take, tmp_path):
    path = book(tmp_path / "odd.epub", ["<p>x</p>"])
    with zipfile.ZipFile(path, "a") as file:
        file.writestr("/etc/evil", b"x")
        file.writestr("../evil", b"x")
    take(path)
    assert not (tmp_path.parent / "evil").exists() and not (tmp_path / "evil").exists()
