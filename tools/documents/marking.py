"""What is put on the pages of a PDF, and a PDF made smaller."""

from __future__ import annotations

from typing import Annotated

from controlllm.resources import Document, Filed, Image, Text
from controlllm.toolbox import Context, ToolError, tool
from controlllm.values import Colour, FileSize, Percent, Place

from .embedded.laid_pictures import PAPER_WIDTH
from .embedded.page_numbers import ASKED, BEGINS, FORM, PAGES

_PDF = "application/pdf"


@tool(
    domain="general",
    examples=[
        "Number the pages of this PDF.",
        "Put page numbers at the bottom of the document.",
        "Add page numbers in the upper right corner, but not on the first page.",
        "Page 1 of 12 and so on under every page, please.",
        "My thesis has no page numbers, can you put them in?",
        "The minutes need numbered pages.",
        "Write the page number on each sheet.",
        "Page numbers from the second page on, not on the cover, and that one is number 1.",
        "Number the pages, beginning with 15.",
    ],
    packages=("fpdf", "matplotlib", "pypdf", "pypdfium2"),
)
def number_pages(
    document: Document,
    style: Annotated[str, FORM] = "",
    place: Place = "",
    pages: Annotated[str, PAGES] = "",
    begin: Annotated[int, BEGINS] = 0,
) -> Document:
    """Write the page numbers on the pages of a PDF.

    Args:
        document: the PDF
        style: the form of the numbers, such as 1 / n, Page 1 of n or - 1 -
        place: where the number stands; at the bottom in the middle where nothing is said
        pages: on which pages, such as not 1 for all but the cover; on all where nothing is said
        begin: the number on the first page that gets one; each has its place in the PDF where
            nothing is said
        returns: the PDF with its numbers
    """
    from .embedded import page_marks

    content = page_marks.numbered(document, place or "bottom", pages, style, begin)
    return Filed(content, _PDF)  # type: ignore[return-value]


@tool(
    domain="general",
    examples=[
        "Write DRAFT across every page of the PDF.",
        "Stamp the document with “Paid 12 May” in red at the top right.",
        "Put CONFIDENTIAL on each page.",
        "Add our club's name at the top of all pages.",
        "Can you put a watermark COPY on this PDF?",
        "A line “not for sale” at the foot of pages 2 to 9.",
        "Mark the first page as received today.",
    ],
    packages=("fpdf", "matplotlib", "pypdf", "pypdfium2"),
)
def write_on_pages(  # noqa: PLR0913
    document: Document,
    words: Text,
    numbers: Annotated[str, ASKED] = "",
    place: Place = "",
    colour: Colour = "",
    pages: Annotated[str, PAGES] = "",
    context: Context | None = None,
) -> Document:
    """Write words on the pages of a PDF: a stamp, a line above or below, or large and faint across
    the page as a watermark.

    Args:
        document: the PDF
        words: the words that are written, or an instruction to write them
        numbers: the form of page numbers, where those are asked for, such as 1 / n
        place: where they stand; across the page where nothing is said
        colour: the colour of the letters; grey where nothing is said
        pages: on which pages; on all where nothing is said
        returns: the PDF with the words
    """
    from .embedded import page_marks, page_numbers

    said = page_marks.to_write(words)
    if numbers and not said:
        numbers = page_numbers.form_in(words) or numbers
        if page_marks.is_a_text(words):
            (context or Context()).remark("Only page numbers were written on the pages.")
        content = page_marks.numbered(document, place or "bottom", pages, numbers)
        return Filed(content, _PDF)  # type: ignore[return-value]
    if numbers:
        (context or Context()).remark(
            f"The words “{said}” were written; number the pages in a request of its own."
        )
    if not said:
        raise ToolError("It is not said what to write. Name the words, such as “DRAFT”.")
    content = page_marks.written_on(document, said, place, colour, pages)
    return Filed(content, _PDF)  # type: ignore[return-value]


@tool(
    domain="general",
    examples=[
        "Put my signature at the bottom right of the last page.",
        "Lay our logo on every page of the PDF, top left.",
        "Sign the contract with the picture of my signature, 4 cm wide.",
        "Place the stamp on page 2 of the document, half transparent.",
        "Add the letterhead picture to the first page of the PDF.",
        "The seal should sit in the middle of the certificate, small.",
        "Paste this picture onto the PDF.",
    ],
    packages=("fpdf", "pypdf", "pypdfium2"),
)
def picture_on_pages(  # noqa: PLR0913
    document: Document,
    image: Image,
    place: Place = "",
    pages: Annotated[str, PAGES] = "",
    width: Annotated[str, PAPER_WIDTH] = "",
    strength: Percent = 0.0,
) -> Document:
    """Lay a picture, such as a signature, a stamp or a logo, on pages of a PDF at a place.

    Args:
        document: the PDF
        image: the picture; what is clear in it stays so
        place: where it lies; at the bottom right where nothing is said
        pages: on which pages; on the last one where nothing is said
        width: how wide it is, such as 40mm, 4cm, 20% of the page, small or large; 25 % where
            nothing is said
        strength: percent; how solid it is, all solid where nothing is said
        returns: the PDF with the picture
    """
    from .embedded import laid_pictures

    content = laid_pictures.laid_on(
        document, image, laid_pictures.Laying(place or "bottom right", pages, width, strength)
    )
    return Filed(content, _PDF)  # type: ignore[return-value]


@tool(
    domain="general",
    sets_form=("limit",),
    examples=[
        "Make the PDF smaller.",
        "Compress this PDF so that it is under 2 MB.",
        "The scan is too large for the upload, shrink the PDF.",
        "Reduce the file size of the document.",
        "My PDF may be at most 500 kB.",
        "Can you squeeze the brochure for e-mail?",
        "The PDF is 30 megabytes, get it down to 5.",
    ],
    packages=("pypdf", "pypdfium2"),
)
def compress_pdf(
    document: Document, limit: FileSize = 0.0, context: Context | None = None
) -> Document:
    """Make the file of a PDF smaller: its pictures are stored anew, coarser where it has to stay
    under a size in megabytes.

    Args:
        document: the PDF
        limit: bytes; the most that the file may take
        returns: the smaller PDF
    """
    from .embedded import page_marks

    content = page_marks.compressed(document, limit, context or Context())
    return Filed(content, _PDF)  # type: ignore[return-value]
