"""Where in PDFs something is said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from controlllm.resources import Document, Text
from controlllm.toolbox import Context, ToolError, tool

from ..shared.said_where import looked_for, names_of
from ..shared.sentences import listed


@tool(
    domain="question-answering",
    examples=[
        "On which pages is the notice period mentioned?",
        "Where in the contract do they speak of the deposit?",
        "Which page has the recipe for plum cake?",
        "Find every page that says asbestos.",
        "Is Mrs Lindqvist named anywhere in the minutes, and on what page?",
        "On what page of the manual is it about cleaning the filter?",
        "Tell me the pages where the word guarantee stands.",
        "In which of these letters is the thing about the swimming lessons?",
    ],
    packages=("pypdf", "pypdfium2"),
)
def find_pages(documents: list[Document], question: Text, context: Context) -> Text:
    """Tell on which pages of a PDF something is said or mentioned, with the sentence that says it,
    and in which of several PDFs.

    Args:
        documents: the PDF, or several in which it is looked for
        question: what is looked for, such as where the notice period is mentioned
        returns: the pages, one on a line
    """
    from .embedded import page_words, pdf_files

    wanted = looked_for(question)
    if not wanted:
        raise ToolError("It is not said what to look for. Name a word or two that stand there.")
    read: list[list[str]] = []
    for place, document in enumerate(documents):
        part = context.part(place / len(documents), (place + 1) / len(documents))
        with pdf_files.readable():
            read.append(page_words.pages_of(pdf_files.drawable(document), part))
    found = page_words.pages_that_say(read, wanted)
    said = f"“{' '.join(wanted)}”"
    if len(read) < 2:
        return _told_of_one(found, len(read[0]), said)
    names = names_of(context.files("documents"), len(read), "document")
    having = sorted({place for place, _ in found})
    if not having:
        return f"{said} is not said in any of the {len(read)} documents."
    told = listed(
        [f"{names[place]} ({_pages([number for at, number in found if at == place])})"
         for place in having]
    )  # fmt: skip
    lines = [
        f"- {names[place]}, page {number}: {sentence}"
        for (place, number), sentence in found.items()
    ]
    has = "has" if len(having) < 2 else "have"
    return f"Of the {len(read)} documents {told} {has} {said}:\n\n" + "\n".join(lines)


def _told_of_one(found: Mapping[tuple[int, int], str], count: int, said: str) -> str:
    if not found:
        pages = "its one page" if count == 1 else f"any of its {count} pages"
        return f"{said} is not said on {pages}."
    numbers = [number for _, number in found]
    lines = [f"- Page {number}: {sentence}" for (_, number), sentence in found.items()]
    return f"On {_pages(numbers)}:\n\n" + "\n".join(lines)


def _pages(numbers: Sequence[int]) -> str:
    return f"page{'s' if len(numbers) > 1 else ''} {listed([str(n) for n in numbers])}"
