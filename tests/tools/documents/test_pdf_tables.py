"""Tables read out of PDFs, cell by cell: over two pages, of invoices, ruled or not, of scans."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

import openpyxl
import pypdfium2
import pytest

from controlllm.resources import DocumentFile
from controlllm.toolbox import Context, ToolError
from tools.documents.embedded.text_pages import empty_document
from tools.documents.pdf import images_to_pdf, text_to_pdf
from tools.documents.pdf_tables import document_to_table
from tools.documents.tables import table_to_pdf

Rows = Sequence[Sequence[str]]
TIMES = [
    ["Stop", "101", "102", "103", "104"],
    ["Mill Lane", "6:05", "7:05", "", "9:05"],
    ["Town Hall", "6:17", "", "8:17", "9:17"],
    ["Station", "", "7:23", "8:23", "9:23"],
]


class Paper:
    """A PDF on which words are put at places in points; "<" before them ends them there."""

    def __init__(self) -> None:
        self._pdf = empty_document("a4")
        self._pdf.set_auto_page_break(False)
        self.new_page()

    def new_page(self) -> None:
        self._pdf.add_page()
        self._pdf.set_font("text", "", 10)

    def row(self, top: float, places: Sequence[float], cells: Sequence[str], ruled=False) -> None:
        for place, cell in zip(places, cells, strict=False):
            words = cell.removeprefix("<")
            wide = self._pdf.get_string_width(words) if cell != words else 0
            self._pdf.text(place - wide, top, words)
        for left, right in zip(places, places[1:], strict=False) if ruled else ():
            self._pdf.rect(left - 3, top - 12, right - left, 16)

    def saved(self, path: Path) -> DocumentFile:
        path.write_bytes(bytes(self._pdf.output()))
        return DocumentFile(path)


def rows_of(made: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(made)))


def test_a_price_list_goes_on_over_the_page_with_its_header_once(tmp_path):
    paper, want = Paper(), [["Article", "Name", "Unit", "Price"]]
    places = (60, 130, 330, 500)
    for page in range(2):
        if page:
            paper.new_page()
        paper.row(30, (60, 520), ("Price list 2026", "<Green & Sons"))
        paper.row(80, places, ("Article", "Name", "Unit", "<Price"))
        for place in range(20):
            number = 20 * page + place
            name = ("Rake", "Hose of 20 m with a nozzle", "Spade, long")[number % 3]
            want.append([f"A-{number}", name, "" if number % 4 else "set", f"{number}.250,50"])
            cells = (*want[-1][:3], f"<{want[-1][3]}")
            paper.row(98 + 18 * place, places, cells)
        paper.row(825, (290,), (f"Page {page + 1} of 2",))
    assert rows_of(document_to_table(paper.saved(tmp_path / "a.pdf"))) == want


def test_the_items_of_an_invoice_keep_their_amounts_and_wrapped_words(tmp_path):
    paper = Paper()
    for top, cells in ((60, ("Green & Sons", "<Invoice 14")), (74, ("Leeds", "<3 May 2026"))):
        paper.row(top, (60, 520), cells)
    paper.row(120, (60,), ("Thank you for your order; we charge for the following items:",))
    places = (60, 90, 350, 430, 520)
    lines = [
        ("Pos", "Description", "<Qty", "<Unit price", "<Total"),
        ("1", "Oak table", "<1", "<1,249.00 €", "<1,249.00 €"),
        ("2", "Chairs, oak", "<4", "<189.50 €", "<758.00 €"),
        ("", "with green cushions"),
        ("3", "Delivery", "", "", "<49.00 €"),
        ("", "", "", "<Net", "<2,056.00 €"),
    ]
    for line, cells in enumerate(lines):
        paper.row(150 + 14 * line, places, cells)
    assert rows_of(document_to_table(paper.saved(tmp_path / "a.pdf"))) == [
        ["Pos", "Description", "Qty", "Unit price", "Total"],
        ["1", "Oak table", "1", "1,249.00 €", "1,249.00 €"],
        ["2", "Chairs, oak with green cushions", "4", "189.50 €", "758.00 €"],
        ["3", "Delivery", "", "", "49.00 €"],
        ["", "", "", "Net", "2,056.00 €"],
    ]


@pytest.fixture
def timetable(tmp_path):
    def made(is_ruled: bool) -> DocumentFile:
        paper = Paper()
        for line, cells in enumerate(TIMES):
            paper.row(80 + 16 * line, (60, 150, 190, 230, 270, 310), [*cells, ""], is_ruled)
        return paper.saved(tmp_path / "times.pdf")

    return made


def test_a_timetable_is_read_with_and_without_rules(timetable):
    for is_ruled in (True, False):
        assert rows_of(document_to_table(timetable(is_ruled))) == TIMES


def test_a_scan_is_read_by_sight(timetable, tmp_path):
    page = pypdfium2.PdfDocument(timetable(True).path)[0].render(scale=2).to_pil()
    top = page.convert("RGB").crop((0, 0, page.width, page.height // 3))
    scan = tmp_path / "scan.pdf"
    scan.write_bytes(images_to_pdf([top]).content)
    assert rows_of(document_to_table(DocumentFile(scan))) == TIMES


def test_cells_of_several_lines_between_rules_stay_cells(tmp_path):
    note = "a very long note that is wrapped in its cell " * 2
    table = "Name,Fee,Note\n" + "".join(
        f"Member {n},{n}.50,{note if n == 3 else ''}\n" for n in range(9)
    )
    path = tmp_path / "own.pdf"
    path.write_bytes(table_to_pdf(table, title="Members").content)
    rows = [[cell.strip() for cell in row] for row in rows_of(table)]
    assert rows_of(document_to_table(DocumentFile(path))) == rows


def test_two_tables_are_two_sheets(tmp_path):
    paper = Paper()
    for line, cells in enumerate([("Item", "Qty", "Price"), ("Bolt", "1 000", "0,12"), ("Nut",)]):
        paper.row(60 + 15 * line, (60, 160, 260), cells)
    for line, cells in enumerate([("Day", "From", "To"), ("Monday", "9:00", "17:00")]):
        paper.row(300 + 15 * line, (60, 160, 240), cells)
    context = Context()
    made = document_to_table(paper.saved(tmp_path / "two.pdf"), context=context)
    sheets = openpyxl.load_workbook(io.BytesIO(made.content))
    assert [[cell.value for cell in sheet[1]] for sheet in sheets] == [
        ["Item", "Qty", "Price"],
        ["Day", "From", "To"],
    ]
    assert context.remarks


def test_without_a_table_it_is_said_what_to_do(tmp_path):
    path = tmp_path / "letter.pdf"
    path.write_bytes(text_to_pdf("Dear all, there is no table in this letter. " * 30).content)
    with pytest.raises(ToolError, match=r"no table in this PDF.*text"):
        document_to_table(DocumentFile(path))
