"""PDFs that open only with a password, and what they say of who made them."""

from __future__ import annotations

from controlllm.resources import Document, Filed, Text
from controlllm.toolbox import Context, ToolError, tool

_PDF = "application/pdf"


@tool(
    domain="general",
    examples=[
        "Put a password on this PDF: tulip7.",
        "Protect the contract with the password Rose-17.",
        "Encrypt the PDF, the password is hunter.",
        "Lock the document so that nobody opens it without the code 8841.",
        "The payslip should only open with a password, take “green boat”.",
        "Secure this PDF with sesame22 as the password.",
    ],
    packages=("cryptography", "pypdf", "pypdfium2"),
)
def protect_pdf(document: Document, words: Text, context: Context | None = None) -> Document:
    """Put a password on a PDF, or encrypt it, so that nobody opens it without.

    Args:
        document: the PDF
        words: an instruction that says the password
        returns: the PDF, which opens only with the password
    """
    from .embedded import passwords, pdf_files

    password = passwords.said(words)
    with pdf_files.readable():
        content = passwords.locked(pdf_files.reader(document), password)
    if context is not None:
        context.remark(
            f"It opens with the password “{password}”. Keep that well: without it nobody can open "
            "this PDF again, and the one without a password is still here as well."
        )
    return Filed(content, _PDF)  # type: ignore[return-value]


@tool(
    domain="general",
    examples=[
        "Take the password off this PDF, it is tulip7.",
        "Unlock the document, the password is Rose-17.",
        "Remove the protection from the PDF. The password is “green boat”.",
        "Save the payslip without its password (8841).",
        "I know the password, hunter2; make the PDF open without it.",
        "Decrypt this PDF with sesame22.",
    ],
    packages=("cryptography", "pypdf", "pypdfium2"),
)
def unlock_pdf(document: Document, words: Text) -> Document:
    """Unlock a PDF: take a known password off, so that it opens without.

    Args:
        document: the PDF
        words: an instruction that says the password
        returns: the PDF without a password
    """
    from .embedded import passwords, pdf_files

    with pdf_files.readable():
        return Filed(passwords.unlocked(document, words), _PDF)  # type: ignore[return-value]


@tool(
    domain="general",
    examples=[
        "Take my name out of the properties of this PDF.",
        "Remove the metadata from the PDF.",
        "Strip out who made this document before I send it.",
        "Clean the file info of the PDF: no author, no program.",
        "Delete the author and title from the PDF's properties.",
        "Nobody should see in the PDF who wrote it and when.",
    ],
    packages=("pypdf", "pypdfium2"),
)
def clear_pdf_properties(document: Document, context: Context | None = None) -> Document:
    """Take the author, title and other hidden details out of a PDF.

    Args:
        document: the PDF
        returns: the PDF, its pages as they were
    """
    from .embedded import page_words, pdf_files

    with pdf_files.readable():
        found = pdf_files.reader(document)
        gone = page_words.properties_of(found)
        content, had_notes = pdf_files.without_properties(found)
        if had_notes:
            gone.append("the notes of programs in it")
        if not gone:
            raise ToolError("This PDF says nothing of who made it: no author, title or program.")
    if context is not None:
        context.remark(f"Taken out: {'; '.join(gone)}. What stands on the pages is as it was.")
    return Filed(content, _PDF)  # type: ignore[return-value]
