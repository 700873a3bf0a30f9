"""Several files packed into one ZIP, each under its own name, or listed in a table."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any

import PIL.Image

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

from .shared import comparing
from .shared.members import SERIES, of_series

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
def zip_images(  # noqa: PLR0913
    images: list[Image],
    context: Context,
    documents: list[Document] | None = None,
    sounds: list[Audio] | None = None,
    videos: list[Video] | None = None,
    tables: list[Table] | None = None,
    names: Annotated[str, SERIES] = "",
) -> Archive:
    """Pack everything into one ZIP file to download: pictures, with other files if there are any.

    Args:
        images: the pictures
        documents: PDFs
        sounds: recordings
        videos: films
        tables: tables
        names: what the files in it are called, such as trip_#1 for trip_1, trip_2 and so on
        returns: the ZIP
    """
    given = {"images": images, "documents": documents, "sounds": sounds}
    return _packed({**given, "videos": videos, "tables": tables}, context, names)


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
    context: Context,
    tables: list[Table] | None = None,
    names: Annotated[str, SERIES] = "",
) -> Archive:
    """Pack PDFs into one ZIP file to download.

    Args:
        documents: the PDFs
        tables: tables
        names: what the files in it are called, such as trip_#1 for trip_1, trip_2 and so on
        returns: the ZIP
    """
    return _packed({"documents": documents, "tables": tables}, context, names)


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
    context: Context,
    documents: list[Document] | None = None,
    tables: list[Table] | None = None,
    names: Annotated[str, SERIES] = "",
) -> Archive:
    """Pack recordings into one ZIP file to download.

    Args:
        sounds: the recordings
        documents: PDFs
        tables: tables
        names: what the files in it are called, such as trip_#1 for trip_1, trip_2 and so on
        returns: the ZIP
    """
    given: _Given = {"sounds": sounds, "documents": documents, "tables": tables}
    return _packed(given, context, names)


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
    context: Context,
    sounds: list[Audio] | None = None,
    documents: list[Document] | None = None,
    tables: list[Table] | None = None,
    names: Annotated[str, SERIES] = "",
) -> Archive:
    """Pack videos into one ZIP file to download.

    Args:
        videos: the videos
        sounds: recordings
        documents: PDFs
        tables: tables
        names: what the files in it are called, such as trip_#1 for trip_1, trip_2 and so on
        returns: the ZIP
    """
    given: _Given = {"videos": videos, "sounds": sounds, "documents": documents, "tables": tables}
    return _packed(given, context, names)


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
def zip_texts(texts: list[Text], context: Context, names: Annotated[str, SERIES] = "") -> Archive:
    """Pack texts and tables into one ZIP file to download.

    Args:
        texts: the texts and tables
        names: what the files in it are called, such as trip_#1 for trip_1, trip_2 and so on
        returns: the ZIP
    """
    return _packed({"texts": texts}, context, names)


@tool(
    domain="general",
    examples=[
        "Make a table of these files with their names and lengths.",
        "I need a list of my recordings as csv: file name and how long each is.",
        "List all photos with width, height and file size.",
        "A spreadsheet of the videos: name, seconds, resolution.",
        "How many pages has each of the PDFs? As a table, please.",
        "Write the names of all files and their sizes into a csv.",
        "An inventory of everything I attached.",
    ],
    packages=("av", "pypdf"),
)
def list_files(
    context: Context,
    images: list[Image] | None = None,
    sounds: list[Audio] | None = None,
    videos: list[Video] | None = None,
    documents: list[Document] | None = None,
) -> Table:
    """Make a table of files with the facts of each: name, kind, length in seconds, width and
    height, pages, channels, file size.

    Args:
        images: pictures to list
        sounds: recordings to list
        videos: videos to list
        documents: PDFs to list
        returns: a row for each file
    """
    from .shared import video_files

    given: _Given = {"images": images, "sounds": sounds, "videos": videos, "documents": documents}
    rows: list[dict[str, str]] = []
    for argument, values in given.items():
        files = context.files(argument)
        for place, value in enumerate(values or ()):
            context.check()
            named = files[place] if place < len(files) else None
            rows.append(_row(value, named, len(rows) + 1))
    if not rows:
        raise ToolError("There are no files to list. Add at least one.")
    lasting = [value.seconds for value in sounds or ()]
    lasting += [video_files.read_facts(value).seconds for value in videos or ()]
    if len(lasting) > 1:
        context.remark(f"All together they last {comparing.lasting(sum(lasting))}.")
    sizes = [file.path.stat().st_size for argument in given for file in context.files(argument)]
    if sizes:
        whose = "It has" if len(sizes) == 1 else "All together they have"
        context.remark(f"{whose} {comparing.in_bytes(sum(sizes))}.")
    columns = [name for name in _COLUMNS if any(row.get(name) for row in rows)]
    lines = [columns, *([row.get(name, "") for name in columns] for row in rows)]
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(lines)
    return text.getvalue()


_COLUMNS = ("file", "kind", "seconds", "width", "height", "pages", "channels", "size in kB")


def _row(value: Any, file: GivenFile | None, number: int) -> dict[str, str]:
    """The facts of a file, by the names of the columns."""
    from .shared import video_files

    row: dict[str, str] = {}
    if isinstance(value, Clip):
        facts = video_files.read_facts(value)
        row = {"kind": "video", "seconds": f"{facts.seconds:.1f}"}
        row |= {"width": str(facts.width), "height": str(facts.height)}
    elif isinstance(value, DocumentFile):
        import pypdf

        row = {"kind": "document", "pages": str(len(pypdf.PdfReader(value.path).pages))}
    elif isinstance(value, PIL.Image.Image):
        row = {"kind": "picture", "width": str(value.width), "height": str(value.height)}
    else:
        kind = {1: "mono", 2: "stereo"}.get(value.channels, str(value.channels))
        row = {"kind": "sound", "seconds": f"{value.seconds:.1f}", "channels": kind}
    row["file"] = file.name if file is not None and file.name else f"{row['kind']} {number}"
    if file is not None:
        row["size in kB"] = str(round(file.path.stat().st_size / 1000))
    return row


def _packed(given: _Given, context: Context, names: str) -> tuple[Member, ...]:
    """What was given for each argument: the files themselves where they are known, so that each
    stays in its format and under its name."""
    made: list[Member] = []
    for argument, values in given.items():
        if not values:
            continue
        context.check()
        files = context.files(argument)
        if files:
            made += [of_file(file, len(made) + place) for place, file in enumerate(files, 1)]
        else:
            made += [of_value(value, len(made) + place) for place, value in enumerate(values, 1)]
    if names:
        called = of_series(names, len(made))
        made = [replace(one, name=name) for one, name in zip(made, called, strict=True)]
    return tuple(made)


def of_file(file: GivenFile, number: int) -> Member:
    """A file as one of several, under the name that it has."""
    stem, dot, _ = file.name.rpartition(".")
    name = (stem if dot else file.name) or f"{_NOUNS.get(file.type, 'file')} {number}"
    return Member(name, file.type, file.path)


def of_value(value: Any, number: int) -> Member:
    """A value as one of several, named after its kind."""
    kinds = {Clip: "video", DocumentFile: "document", str: "text"}
    found = next((name for kind, name in kinds.items() if isinstance(value, kind)), "")
    type_name = found or ("audio" if hasattr(value, "samples") else "image")
    return Member(f"{_NOUNS.get(type_name, 'text')} {number}", type_name, value)
