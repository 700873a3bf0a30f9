"""Documents that are ZIP archives: Word, spreadsheets, e-books; what is in them is bounded."""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

from controlllm.resources.documents.markup import text_of_html, tidied

MOST_MEMBERS = 20_000
MOST_BYTES = 300 * 1024 * 1024
MOST_ROWS = 50_000
MOST_COLUMNS = 200


class Unreadable(Exception):
    """A document cannot be read; the message goes on after its name: "is ..."."""


def kind_of_archive(path: Path) -> str:
    """``docx``, ``xlsx`` or ``epub``.

    Raises Unreadable where it is none of these, or holds more than is unpacked here.
    """
    with zipfile.ZipFile(path) as archive:
        members = archive.infolist()
        unpacked = sum(member.file_size for member in members)
        if len(members) > MOST_MEMBERS or unpacked > MOST_BYTES:
            raise Unreadable(
                f"would unpack to {unpacked / 1024**2:,.0f} MB in {len(members):,} files, more "
                "than I unpack. Save only the part that matters and add that."
            )
        names = {member.filename for member in members}
        if "word/document.xml" in names:
            return "docx"
        if "xl/workbook.xml" in names:
            return "xlsx"
        if "mimetype" in names and archive.read("mimetype").strip() == b"application/epub+zip":
            return "epub"
    raise Unreadable(
        "is a ZIP archive, or an office document of a sort that I do not read. Unpack it and add "
        "the files in it, or save it as PDF or Word."
    )


def has_macros(path: Path) -> bool:
    """Whether an office document brings programs along; they are never run."""
    with zipfile.ZipFile(path) as archive:
        return any(name.endswith("vbaProject.bin") for name in archive.namelist())


def text_of_word(path: Path) -> str:
    """The words of a Word document."""
    import mammoth

    with path.open("rb") as file:
        told = mammoth.convert_to_html(file, convert_image=_no_picture())
    return text_of_html(str(told.value))


def _no_picture() -> object:
    import mammoth

    return mammoth.images.img_element(lambda picture: {"src": "", "alt": picture.alt_text or ""})


def pieces_of_spreadsheet(path: Path) -> Iterator[str]:
    """The sheets of a spreadsheet as tables, with the values that its formulas had when saved."""
    import openpyxl

    book = openpyxl.load_workbook(path, read_only=True, data_only=True, keep_links=False)
    for sheet in book.worksheets:
        yield f"\n\n## {sheet.title}\n\n"
        rows = sheet.iter_rows(max_row=MOST_ROWS, max_col=MOST_COLUMNS, values_only=True)
        is_first = True
        for row in rows:
            cells = ["" if value is None else " ".join(str(value).split()) for value in row]
            while cells and not cells[-1]:
                cells.pop()
            if not cells:
                continue
            yield "| " + " | ".join(cell.replace("|", "/") for cell in cells) + " |\n"
            if is_first:
                yield "|" + " --- |" * len(cells) + "\n"
            is_first = False


def pieces_of_book(path: Path) -> Iterator[str]:
    """The chapters of an e-book (EPUB), in reading order."""
    with zipfile.ZipFile(path) as archive:
        package = _package_of(archive)
        folder = posixpath.dirname(package)
        root = ElementTree.fromstring(archive.read(package))
        files = {
            item.get("id"): posixpath.normpath(
                posixpath.join(folder, unquote(item.get("href", "")))
            )
            for item in _all(root, "item")
        }
        names = set(archive.namelist())
        for item in _all(root, "itemref"):
            name = files.get(item.get("idref"), "")
            if name in names:
                words = text_of_html(archive.read(name).decode("utf-8", "replace"))
                yield f"\n\n{words}" if words else ""


def _package_of(archive: zipfile.ZipFile) -> str:
    container = ElementTree.fromstring(archive.read("META-INF/container.xml"))
    for item in _all(container, "rootfile"):
        return str(item.get("full-path"))
    raise Unreadable("is damaged: it does not say where its chapters are. Get the file again.")


def _all(root: ElementTree.Element, name: str) -> Iterator[ElementTree.Element]:
    return (item for item in root.iter() if item.tag.rpartition("}")[2] == name)


def text_of_rich_text(source: bytes) -> str:
    """The words of a rich text document (RTF)."""
    from striprtf.striprtf import rtf_to_text

    text = rtf_to_text(source.decode("cp1252", "replace"), errors="ignore")
    return tidied(re.sub(r"\n", "\n\n", text))
