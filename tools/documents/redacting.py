"""Names, addresses and numbers of a PDF made unreadable for good."""

from __future__ import annotations

from typing import Annotated

from controlllm.resources import Document, Filed, Text
from controlllm.toolbox import Context, ToolError, tool

from ..words.embedded.private_words import KINDS, NAMES, wanted

_PDF = "application/pdf"


@tool(
    domain="general",
    examples=[
        "Black out the names in this PDF.",
        "Redact the e-mail address and the phone number in the contract.",
        "Before I forward it: black out her name and number, so nobody can copy the text.",
        "Hide every mention of “Project Falcon” in the PDF.",
        "Anonymise the report, no names and no contact details.",
        "Put black bars over the account number in the statement.",
        "Make the client's name unreadable on all pages.",
    ],
    packages=("onnxruntime", "pypdf", "pypdfium2", "rapidocr"),
    memory="150 MiB",
)
def black_out_in_pdf(
    document: Document,
    words: Text,
    kinds: Annotated[str, KINDS] = "",
    context: Context | None = None,
) -> Document:
    """Black out names, e-mail addresses, phone numbers or given words in a PDF for good: what is
    under the bars is gone and cannot be copied.

    Args:
        document: the PDF
        words: an instruction that says what is to be hidden: names, addresses, numbers, words
        kinds: which kinds of words: names, emails, phones, ibans, amounts, dates, links,
            numbers
        returns: the PDF with black bars
    """
    from .embedded import black_bars

    context = context or Context()
    pages = black_bars.texts_of(document, context)
    hidden, missing = wanted(words, filter(None, kinds.split(",")), "\n".join(pages))
    none = " and no ".join(NAMES.get(kind, kind) for kind in missing)
    if not hidden and none:
        raise ToolError(
            f"I found no {none} in this PDF, so nothing was blacked out. Where one stands there, "
            "give it as it is written."
        )
    if not hidden:
        raise ToolError(
            "What is to be blacked out is not in this PDF, or was not said. Name the words as they "
            "stand there, or say names, e-mail addresses or phone numbers."
        )
    content, count, on = black_bars.blacked_out(document, hidden, context)
    if not count:
        raise ToolError("None of it was found on the pages, so nothing was blacked out.")
    told = [one for one in hidden if not any(one in other and one != other for other in hidden)]
    where = f"page {on[0]}" if len(on) == 1 else f"pages {', '.join(map(str, on))}"
    context.remark(
        f"{count} place{'s are' if count > 1 else ' is'} blacked out on {where}: "
        f"{', '.join(told[:12])}{' …' if len(told) > 12 else ''}. "
        f"{'That page is a picture' if len(on) == 1 else 'Those pages are pictures'} now, so that "
        "nothing can be copied from under the bars."
    )
    # What a person reads at a glance may be written as no program expects it.
    context.remark(
        f"{f'I found no {none}. ' if none else ''}Please look over the rest before you pass it on: "
        "what is written unusually may have been missed."
    )
    return Filed(content, _PDF)  # type: ignore[return-value]
