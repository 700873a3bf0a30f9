"""PDFs: made of pictures and texts, joined, taken apart, turned, shown and read."""

from __future__ import annotations

from typing import Annotated

from controlllm.resources import Document, Filed, Image, Text
from controlllm.toolbox import Context, ToolError, tool
from controlllm.values import Choice, Degrees, Pages, SomePages, ToldPages

from ..shared.said_order import SaidOrder, ordered
from ..shared.said_pieces import ON_A_PAGE
from .embedded.letter_sizes import LetterSize

_PDF = "application/pdf"
_MOST_PICTURES = 500
_MOST_SHOWN = 8
_LONGEST_TEXT = 2_000_000


@tool(
    domain="general",
    examples=[
        "Put these photos into one PDF.",
        "Turn the scans into a PDF, one page each.",
        "I need the pictures as a single PDF on A4.",
        "Make a PDF out of my receipts' photos.",
        "Could you save these images as a PDF I can print on letter paper?",
        "Combine the JPEGs to a PDF document.",
        "The form wants a PDF and all I have is a photo of the certificate.",
    ],
    packages=("fpdf",),
)
def images_to_pdf(
    images: list[Image],
    page: Annotated[
        str, Choice(a4="a4", letter="letter us_letter", fit="fit fitting picture_size")
    ] = "",
    order: SaidOrder = "",
    on_page: Annotated[str, ON_A_PAGE] = "",
    context: Context | None = None,
) -> Document:
    """Make one PDF of one or more pictures, a page each or several on a page.

    Args:
        images: the pictures, in the order of the pages
        page: the paper, A4 or letter; each page is as large as its picture where nothing is said
        order: another order
        on_page: how many on a page
        returns: the PDF
    """
    from .embedded import picture_pages

    if not images:
        raise ToolError("There are no pictures to make a PDF of. Add at least one.")
    if len(images) > _MOST_PICTURES:
        raise ToolError(
            f"There are {len(images):,} pictures, and one PDF takes at most {_MOST_PICTURES}. "
            "Give me a part of them at a time."
        )
    context = context or Context()
    images = [images[place] for place in ordered(order, "images", len(images), context)]
    made = picture_pages.pdf_of(images, page, context, on_page)
    return Filed(made, _PDF)  # type: ignore[return-value]


@tool(
    domain="general",
    examples=[
        "Make a PDF of this text.",
        "Save the letter as a PDF that I can print.",
        "Turn my Markdown notes into a PDF.",
        "I need this report as a PDF on A4.",
        "Could you set the recipe on a page for printing?",
        "Export the summary to PDF.",
        "Put what I wrote into a nicely laid out PDF, letter size.",
        "A PDF of the speech in big letters, 18 pt, so that I can read it without glasses.",
    ],
    packages=("fpdf", "markdown_it", "matplotlib"),
)
def text_to_pdf(
    text: Text,
    page: Annotated[str, Choice(a4="a4", letter="letter us_letter")] = "",
    letters: LetterSize = 0.0,
) -> Document:
    """Make a PDF of a text or of Markdown, set on pages to be printed.

    Args:
        text: what to set, plain or with the headings, lists and tables of Markdown
        page: the paper, A4 where nothing is said
        letters: points; how large the letters are, such as 18 pt or large; 10.5 where nothing is
            said
        returns: the PDF
    """
    from .embedded import text_pages

    if letters and not 4 <= letters <= 72:
        raise ToolError(
            f"Letters of {letters:g} points cannot be set on a page. Name a size from 4 to 72, "
            "such as 18 pt."
        )
    if not text.strip():
        raise ToolError("There are no words to make a PDF of. Give me a text.")
    if len(text) > _LONGEST_TEXT:
        raise ToolError(
            f"The text has {len(text):,} characters, and at most {_LONGEST_TEXT:,} are set at "
            "once. Give me a part of it."
        )
    content = text_pages.pdf_of(text, page or "a4", letters or text_pages.USUAL_SIZE)
    return Filed(content, _PDF)  # type: ignore[return-value]


@tool(
    domain="general",
    examples=[
        "Merge these PDFs.",
        "Join the two documents into one PDF.",
        "Put my CV behind the cover letter in one file.",
        "Combine all the invoices into a single PDF.",
        "I want these three PDFs as one, in this order.",
        "Can you append the second PDF to the first?",
        "Stitch the chapters together to one document.",
    ],
    packages=("pypdf", "pypdfium2"),
)
def merge_pdfs(
    documents: list[Document], order: SaidOrder = "", context: Context | None = None
) -> Document:
    """Join several PDFs into one, in their order.

    Args:
        documents: the PDFs, in the order in which they shall follow each other
        order: another order
        returns: one PDF with all pages
    """
    import pypdf

    from .embedded import pdf_files

    if len(documents) < 2:
        raise ToolError("There is only one PDF here, and joining takes at least two. Add another.")
    context = context or Context()
    writer = pypdf.PdfWriter()
    places = ordered(order, "documents", len(documents), context)
    for number, document in enumerate((documents[place] for place in places), 1):
        context.progress((number - 1) / len(documents), f"Document {number} of {len(documents)}")
        try:
            with pdf_files.readable():
                found = pdf_files.reader(document)
                if len(writer.pages) + len(found.pages) > pdf_files.MOST_PAGES:
                    raise ToolError(
                        f"Together these PDFs have more than {pdf_files.MOST_PAGES:,} pages. Join "
                        "fewer of them at a time."
                    )
                writer.append(found, import_outline=True)
        except ToolError as error:
            place = f"PDF number {places[number - 1] + 1} of {len(documents)}"
            raise ToolError(str(error).replace("This PDF", place, 1)) from None
    return Filed(pdf_files.written(writer), _PDF)  # type: ignore[return-value]


@tool(
    domain="general",
    examples=[
        "Keep only pages 2 to 5 of the PDF.",
        "Take the last page out of this document.",
        "I just need the first page as its own PDF.",
        "Delete page 3.",
        "Could you pull pages 1, 4 and 7 out into a new file?",
        "Remove the cover sheet from the PDF.",
        "Give me the odd pages only.",
        "Drop pages 10-12 and keep the rest.",
    ],
    packages=("pypdf", "pypdfium2"),
)
def extract_pages(
    document: Document,
    pages: ToldPages = "",
    way: Annotated[
        str,
        Choice(
            remove="remove delete without drop take_out take_it_out take_them_out leave_out "
            "leave_it_out leave_them_out throw_out throw_it_out throw_them_out throw_away "
            "throw_it_away cut_out cut_it_out kick_out kick_it_out get_rid_of discard except bin "
            "but_not must_go has_to_go all_but everything_but every_page_but all_pages_but "
            "chuck_out chuck_it_out chuck_them_out chuck "
            "cut_everything cut_all cut_off chop_off strip_off"
        ),
    ] = "",
) -> Document:
    """Keep only some pages of a PDF, or take pages out of it.

    Args:
        document: the PDF
        pages: which pages, such as 2-5 or the last one
        way: whether these pages are taken out; they are what is kept where nothing is said
        returns: a PDF with the pages that are left
    """
    from .embedded import pdf_files

    if not pages:
        raise ToolError(
            "It is not said which pages. Name them, such as “pages 2 to 5” or “the last page”."
        )
    with pdf_files.readable():
        found = pdf_files.reader(document)
        count = len(found.pages)
        kept = pdf_files.places(pages, count)
        if way == "remove":
            kept = [number for number in range(count) if number not in set(kept)]
        if not kept:
            raise ToolError(
                "No page would be left of this PDF. Name fewer pages to take out of it."
            )
        return Filed(pdf_files.written(pdf_files.chosen(found, kept)), _PDF)  # type: ignore[return-value]


@tool(
    domain="general",
    examples=[
        "Rotate the PDF.",
        "The scanned pages are sideways; turn them.",
        "Turn page 2 upside down.",
        "Rotate all pages by 90 degrees to the left.",
        "My document was scanned the wrong way up, can you fix it?",
        "Turn pages 3 to 6 clockwise.",
        "Flip the last page by 180 degrees.",
    ],
    packages=("pypdf", "pypdfium2"),
)
def rotate_pages(document: Document, angle: Degrees = 0.0, pages: Pages = "") -> Document:
    """Turn the pages of a PDF, all or some, by a quarter or half turn.

    Args:
        document: the PDF
        angle: degrees; how far, clockwise: 90, 180 or 270, a quarter turn where nothing is said
        pages: which pages; all where nothing is said
        returns: the PDF with its pages turned
    """
    from .embedded import pdf_files

    turn = angle or 90.0
    if turn % 90:
        raise ToolError(
            f"A page of a PDF cannot be turned by {turn:g} degrees. It can be turned by 90, 180 or "
            "270."
        )
    if not turn % 360:
        raise ToolError("A whole turn leaves the pages as they are. Turn them by 90, 180 or 270.")
    with pdf_files.readable():
        found = pdf_files.reader(document)
        count = len(found.pages)
        turned = set(pdf_files.places(pages or "all", count))
        writer = pdf_files.chosen(found, range(count))
        for number, page in enumerate(writer.pages):
            if number in turned:
                page.rotate(int(turn))
        return Filed(pdf_files.written(writer), _PDF)  # type: ignore[return-value]


@tool(
    domain="general",
    examples=[
        "Show me the first page of the PDF as a picture.",
        "Turn page 3 into an image.",
        "I need the certificate as a JPEG, it is a PDF.",
        "Make a screenshot of the document's cover.",
        "Could you render the last page to a PNG?",
        "Convert the PDF to an image.",
        "Pages 1 to 4 in one picture, please.",
    ],
    packages=("pypdf", "pypdfium2"),
)
def page_to_image(
    document: Document, pages: SomePages = "", context: Context | None = None
) -> Image:
    """Show a page of a PDF as a picture.

    Args:
        document: the PDF
        pages: which page; the first where nothing is said. Several stand one below the other
        returns: the picture of the page
    """
    from .embedded import page_pictures, pdf_files

    context = context or Context()
    with pdf_files.readable():
        found = pdf_files.drawable(document)
        wanted = pdf_files.places(pages or "1", len(found))
        if len(wanted) > _MOST_SHOWN:
            raise ToolError(
                f"These are {len(wanted):,} pages, and at most {_MOST_SHOWN} fit into one picture. "
                "Name fewer of them."
            )
        shown = list(page_pictures.pictures(found, wanted, context, len(wanted)))
    return shown[0] if len(shown) == 1 else page_pictures.below_each_other(shown)


@tool(
    domain="general",
    examples=[
        "Give me the text of this PDF.",
        "Copy everything that is written in the document into a text file.",
        "Extract the words from the PDF.",
        "I need the contract's wording as plain text.",
        "What does the PDF say, word for word?",
        "Convert the PDF into a text file.",
        "Could you pull out the text so that I can edit it?",
    ],
    packages=("pypdf", "pypdfium2"),
)
def document_to_text(document: Document, context: Context | None = None) -> Text:
    """Give all the text of a PDF as plain text.

    Args:
        document: the PDF
        returns: its words, page by page
    """
    from .embedded import page_words, pdf_files

    with pdf_files.readable():
        return page_words.text_of(pdf_files.drawable(document), context or Context())


@tool(
    domain="general",
    examples=[
        "How many pages does this PDF have, and who is its author?",
        "Who wrote the document, and when?",
        "What size are the pages of the PDF?",
        "Tell me about this PDF file.",
        "Is the document A4 or letter?",
        "What is the title of the PDF?",
        "Show the properties of the document.",
        "What is in the PDF's metadata?",
        "How many MB has the PDF?",
    ],
    packages=("pypdf", "pypdfium2"),
)
def document_information(document: Document) -> Text:
    """Tell the facts of a PDF: how many pages, their size, that of the file in kB or MB, title,
    author, metadata.

    Args:
        document: the PDF
        returns: the facts, one on a line
    """
    from .embedded import page_words, pdf_files

    with pdf_files.readable():
        return page_words.facts_of(document, pdf_files.reader(document))
