"""PDFs taken apart into several files: documents of some pages each, and pictures of pages."""

from __future__ import annotations

from typing import Annotated

from controlllm.resources import Document, DocumentFiles, ImageFiles
from controlllm.toolbox import Context, ToolError, tool
from controlllm.values import ToldPages

from ..shared import members
from ..shared.said_pieces import PAGES_EACH

_MOST_FILES = 500
_MOST_PICTURES = 300
#: So many numbers of pages that do not follow each other are in a file's name.
_MOST_TOLD = 5


@tool(
    domain="general",
    examples=[
        "Split the PDF into single pages.",
        "Save every page of this document as a file of its own.",
        "Break my scan up: one PDF per page.",
        "Pages 1 to 3 and 4 to 6 as two separate PDFs.",
        "Divide the minutes into files of two pages each.",
        "I need each sheet of the contract as its own PDF.",
        "Cut this PDF after every 5 pages.",
        "Take the document apart, page by page.",
    ],
    packages=("pypdf", "pypdfium2"),
)
def split_pdf(
    document: Document,
    every: Annotated[int, PAGES_EACH] = 0,
    pages: ToldPages = "",
    context: Context | None = None,
) -> DocumentFiles:
    """Split a PDF into several: a file for each page, for every few pages, or for given ranges of
    pages.

    Args:
        document: the PDF
        every: how many pages each file gets; one where nothing is said
        pages: which pages, such as 1-3,4-6: then each range is a file of its own
        returns: the PDFs
    """
    from .embedded import pdf_files

    context = context or Context()
    with pdf_files.readable():
        found = pdf_files.reader(document)
        parts = _parts(pages, every, len(found.pages))
        if len(parts) > _MOST_FILES:
            raise ToolError(
                f"That would be {len(parts):,} files, and at most {_MOST_FILES} are made at once. "
                "Take a range of pages, or more pages to a file."
            )
        made = []
        for done, places in enumerate(parts):
            name = _name(places)
            context.progress(done / len(parts), name.capitalize())
            content = pdf_files.written(pdf_files.chosen(found, places))
            made.append(members.document(name, content, context))
    return tuple(made)


def _parts(pages: str, every: int, count: int) -> list[list[int]]:
    """The pages of each file, counted from 0."""
    from .embedded import pdf_files

    ranges = pages.replace(" ", "").split(",") if pages else []
    if pages.endswith("-") and pages[:-1].isdigit() and 1 < int(pages[:-1]) <= count:
        # Of all from one page on the rest are a file as well.
        return [pdf_files.places(part, count) for part in (f"1-{int(pages[:-1]) - 1}", pages)]
    if every < 1 and any("-" in part for part in ranges):
        return [pdf_files.places(part, count) for part in ranges]
    kept = pdf_files.places(pages or "all", count)
    step = max(every, 1)
    if count == 1:
        raise ToolError("This PDF has one page only, so there is nothing to split.")
    return [kept[first : first + step] for first in range(0, len(kept), step)]


def _name(places: list[int]) -> str:
    if len(places) == 1:
        return f"page {places[0] + 1}"
    is_run = places == list(range(places[0], places[-1] + 1))
    if is_run:
        return f"pages {places[0] + 1}-{places[-1] + 1}"
    told = ", ".join(str(place + 1) for place in places[:_MOST_TOLD])
    return f"pages {told}" + (" and more" if len(places) > _MOST_TOLD else "")


@tool(
    domain="general",
    examples=[
        "Turn every page of the PDF into a picture of its own.",
        "Save the pages as separate images.",
        "I want a PNG for each page.",
        "Convert the whole PDF to pictures, one per page.",
        "Pages 2 to 5 as single image files, please.",
        "Make JPEGs of all the slides in this PDF.",
        "Export each sheet of the document as an image file.",
        "Give me all pages as individual pictures.",
    ],
    packages=("pypdf", "pypdfium2"),
)
def pdf_pages_to_images(
    document: Document, pages: ToldPages = "", context: Context | None = None
) -> ImageFiles:
    """Make a picture of each page of a PDF, every one a file of its own.

    Args:
        document: the PDF
        pages: which pages; all where nothing is said
        returns: the pictures
    """
    from .embedded import page_pictures, pdf_files

    context = context or Context()
    with pdf_files.readable():
        found = pdf_files.drawable(document)
        wanted = pdf_files.places(pages or "all", len(found))
        if len(wanted) > _MOST_PICTURES:
            raise ToolError(
                f"That would be {len(wanted):,} pictures, and at most {_MOST_PICTURES} are made at "
                "once. Name a range of pages, such as “pages 1 to 100”."
            )
        shown = page_pictures.pictures(found, wanted, context)
        return tuple(
            members.picture(f"page {number + 1}", page, context)
            for number, page in zip(wanted, shown, strict=True)
        )
