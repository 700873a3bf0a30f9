"""The tables of a PDF as tables that can be sorted, added up and opened in Excel."""

from __future__ import annotations

from typing import Annotated

from controlllm.resources import Document, Filed, Table
from controlllm.toolbox import Context, tool
from controlllm.values import Choice, Pages


@tool(
    domain="general",
    sets_form=("format",),
    examples=[
        "Get the table out of this PDF as a CSV.",
        "I need the price list from the PDF in Excel.",
        "Turn the timetable on page 3 into a spreadsheet.",
        "Extract the items of the invoice as a table.",
        "Copy the table of the scanned page into an xlsx file.",
        "The bank sent my statement as a PDF and I want to add it up: make a table of it.",
        "Can you pull the results on pages 2 to 5 out of the document as a table?",
        "Convert the PDF to CSV.",
    ],
    packages=("pypdf", "pypdfium2", "rapidocr", "openpyxl"),
)
def document_to_table(
    document: Document,
    pages: Pages = "",
    format: Annotated[
        str, Choice(csv="csv comma_separated", xlsx="xlsx excel spreadsheet workbook")
    ] = "",
    context: Context | None = None,
) -> Table:
    """Read the tables of a PDF, also of a scan, into a table to calculate with: CSV or Excel.

    Args:
        document: the PDF
        pages: on which pages the tables are; on all where nothing is said
        format: which format; CSV for one table and Excel for several where nothing is said
        returns: the table, one that goes on over several pages as one, its header once; several
            tables are sheets of a workbook
    """
    from .embedded import page_tables, pdf_files, reading, writing
    from .embedded.joining import as_sheets

    context = context or Context()
    with pdf_files.readable():
        found = page_tables.read(pdf_files.drawable(document), pages, context)
    if len(found) == 1 and format != "xlsx":
        return writing.as_csv(found[0].rows)
    if format == "csv":
        context.remark("It is a workbook: a CSV file holds one table only.")
    if len(found) > 1:
        context.remark(f"There are {len(found)} tables, each on a sheet of its own.")
    named = [(one.name, one.rows, "|") for one in found]
    sheets = reading.sheets_in(as_sheets(named))
    return Filed(writing.written(sheets, "xlsx"), writing.MEDIA_TYPES["xlsx"])  # type: ignore[return-value]
