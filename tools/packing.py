"""Several files packed into one ZIP, as they are and under their own names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from controlllm.resources import (
    Archive,
    Audio,
    Clip,
    Document,
    DocumentFile,
    Image,
    Member,
    Table,
    Text,
    Video,
)
from controlllm.toolbox import Context, GivenFile, ToolError, tool

#: What was given for each argument.
_Given = dict[str, Sequence[Any] | None]
#: What a file is called where nobody gave it a name.
_NOUNS = {"image": "picture", "audio": "sound", "document": "document", "video": "video"}


@tool(
    domain="general",
    examples=[
        "Put everything into one zip.",
        "Zip my photos so that I can send them.",
        "Pack the images and the PDF together in one archive.",
        "I want all of these as a single download.",
        "Make a ZIP file of the resized pictures.",
        "Bundle the pictures up for the printer.",
        "Compress the photos into one zip folder.",
        "Could you give me all of these as one .zip?",
    ],
)
def zip_images(
    images: list[Image],
    documents: list[Document] | None = None,
    sounds: list[Audio] | None = None,
    videos: list[Video] | None = None,
    tables: list[Table] | None = None,
    context: Context | None = None,
) -> Archive:
    """Pack everything into one ZIP file to download: pictures, with other files if there are any.

    Args:
        images: the pictures
        documents: PDFs that go into it as well
        sounds: recordings that go into it as well
        videos: films that go into it as well
        tables: tables that go into it as well
        returns: the ZIP
    """
    given = {"images": images, "documents": documents, "sounds": sounds}
    return _packed({**given, "videos": videos, "tables": tables}, context or Context())


@tool(
    domain="general",
    examples=[
        "Put these PDFs into one zip.",
        "Zip the invoices for my accountant.",
        "Pack all documents together in one archive.",
        "I need the contracts as a single ZIP file.",
        "Make a zip folder of the reports.",
        "Bundle the PDFs so I can mail them in one go.",
        "Compress all my documents into one file.",
        "One .zip with all of the papers, please.",
    ],
)
def zip_documents(
    documents: list[Document],
    tables: list[Table] | None = None,
    context: Context | None = None,
) -> Archive:
    """Pack PDFs into one ZIP file to download.

    Args:
        documents: the PDFs
        tables: tables that go into it as well
        returns: the ZIP
    """
    return _packed({"documents": documents, "tables": tables}, context or Context())


@tool(
    domain="general",
    examples=[
        "Put the recordings into one zip.",
        "Zip all the songs.",
        "Pack my voice memos together in one archive.",
        "I want the sounds as a single ZIP file.",
        "Make a zip folder of these interviews.",
        "Bundle the audio files for the editor.",
        "Compress the tracks into one zip.",
        "All of the sound files as one .zip, please.",
    ],
)
def zip_sounds(
    sounds: list[Audio],
    documents: list[Document] | None = None,
    tables: list[Table] | None = None,
    context: Context | None = None,
) -> Archive:
    """Pack recordings into one ZIP file to download.

    Args:
        sounds: the recordings
        documents: PDFs that go into it as well
        tables: tables that go into it as well
        returns: the ZIP
    """
    given: _Given = {"sounds": sounds, "documents": documents, "tables": tables}
    return _packed(given, context or Context())


@tool(
    domain="general",
    examples=[
        "Put the videos into one zip.",
        "Zip all my clips.",
        "Pack the films together in one archive.",
        "I want these videos as a single ZIP file.",
        "Make a zip folder of the clips.",
        "Bundle the recordings of the screen for my teacher.",
        "Compress the movies into one zip.",
        "All of the video files as one .zip, please.",
    ],
)
def zip_videos(
    videos: list[Video],
    sounds: list[Audio] | None = None,
    documents: list[Document] | None = None,
    tables: list[Table] | None = None,
    context: Context | None = None,
) -> Archive:
    """Pack videos into one ZIP file to download.

    Args:
        videos: the videos
        sounds: recordings that go into it as well
        documents: PDFs that go into it as well
        tables: tables that go into it as well
        returns: the ZIP
    """
    given: _Given = {"videos": videos, "sounds": sounds, "documents": documents, "tables": tables}
    return _packed(given, context or Context())


@tool(
    domain="general",
    examples=[
        "Put these texts into one zip.",
        "Zip my notes.",
        "Pack the tables together in one archive.",
        "I want all the text files as a single ZIP file.",
        "Make a zip folder of the transcripts.",
        "Bundle the CSV files for my colleague.",
        "Compress the subtitles into one zip.",
        "All of the chapters as one .zip, please.",
    ],
)
def zip_texts(texts: list[Text], context: Context | None = None) -> Archive:
    """Pack texts and tables into one ZIP file to download.

    Args:
        texts: the texts and tables
        returns: the ZIP
    """
    return _packed({"texts": texts}, context or Context())


def _packed(given: _Given, context: Context) -> tuple[Member, ...]:
    """What was given for each argument: the files themselves where they are known, so that each
    stays in its format and under its name."""
    made: list[Member] = []
    for argument, values in given.items():
        if not values:
            continue
        context.check()
        files = context.files(argument)
        if files:
            made += [_of_file(file, len(made) + place) for place, file in enumerate(files, 1)]
        else:
            made += [_of_value(value, len(made) + place) for place, value in enumerate(values, 1)]
    if not made:
        raise ToolError("There are no files to put into a ZIP. Add at least one.")
    return tuple(made)


def _of_file(file: GivenFile, number: int) -> Member:
    stem, dot, _ = file.name.rpartition(".")
    name = (stem if dot else file.name) or f"{_NOUNS.get(file.type, 'file')} {number}"
    return Member(name, file.type, file.path)


def _of_value(value: Any, number: int) -> Member:
    kinds = {Clip: "video", DocumentFile: "document", str: "text"}
    found = next((name for kind, name in kinds.items() if isinstance(value, kind)), "")
    type_name = found or ("audio" if hasattr(value, "samples") else "image")
    return Member(f"{_NOUNS.get(type_name, 'text')} {number}", type_name, value)
