"""PDFs that come from anywhere: opened within bounds, with plain words for what cannot be read."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from controlllm.resources import DocumentFile
from controlllm.toolbox import ToolError
from controlllm.values import pages_of

if TYPE_CHECKING:
    import pypdf

MOST_PAGES = 2000
_PASSWORD = (
    "This PDF is protected by a password, so it cannot be read. Have it taken off first: “unlock "
    "it, the password is …”."
)
_DAMAGED = (
    "This PDF is damaged and cannot be read. Get the file again, or save it anew, and add that."
)


@contextmanager
def readable() -> Iterator[None]:
    """Whatever goes wrong in reading a file of somebody's becomes a sentence for them."""
    import pypdf
    import pypdfium2

    logging.getLogger("pypdf").setLevel(logging.ERROR)
    try:
        yield
    except ToolError:
        raise
    except pypdfium2.PdfiumError as error:
        raise ToolError(_PASSWORD if "password" in str(error).lower() else _DAMAGED) from None
    except (pypdf.errors.FileNotDecryptedError, pypdf.errors.WrongPasswordError):
        raise ToolError(_PASSWORD) from None
    except (pypdf.errors.PyPdfError, OSError, ValueError, LookupError, TypeError) as error:
        raise ToolError(_DAMAGED) from error
    except (AttributeError, RecursionError, NotImplementedError, AssertionError) as error:
        # A PDF may hold anything in place of what belongs there.
        raise ToolError(_DAMAGED) from error


def reader(document: DocumentFile) -> pypdf.PdfReader:
    """The file opened to take its pages apart; call it within `readable`."""
    import pypdf

    found = pypdf.PdfReader(io.BytesIO(document.path.read_bytes()), strict=False)
    if found.is_encrypted and not found.decrypt(""):
        raise ToolError(_PASSWORD)
    _admit(len(found.pages))
    return found


def drawable(document: DocumentFile) -> Any:
    """The file opened to draw its pages and read their words; call it within `readable`."""
    import pypdfium2

    found = pypdfium2.PdfDocument(document.path)
    _admit(len(found))
    return found


def _admit(count: int) -> None:
    if count > MOST_PAGES:
        raise ToolError(
            f"This PDF has {count:,} pages, and at most {MOST_PAGES:,} are worked on at once. "
            "Take a part of it."
        )
    if not count:
        raise ToolError("This PDF has no pages. Get the file again and add that.")


def places(pages: str, count: int) -> list[int]:
    """The pages that are named, counted from 0.

    Raises ToolError where there is no such page.
    """
    try:
        return pages_of(pages, count)
    except ValueError:
        have = "one page" if count == 1 else f"{count:,} pages, 1 to {count:,}"
        raise ToolError(
            f"There is no page {pages} in this PDF: it has {have}. Name pages that it has, "
            "such as “1-3” or “the last page”."
        ) from None


def written(writer: pypdf.PdfWriter) -> bytes:
    """The file that the writer holds, what occurs twice kept once."""
    writer.compress_identical_objects(remove_duplicates=True, remove_unreferenced=True)
    target = io.BytesIO()
    writer.write(target)
    return target.getvalue()


def chosen(found: pypdf.PdfReader, kept: Sequence[int]) -> pypdf.PdfWriter:
    """A document of some of the pages, in the order of the numbers."""
    import pypdf

    writer = pypdf.PdfWriter()
    writer.append(found, pages=list(kept), import_outline=True)
    _keep_facts(found, writer)
    return writer


def _keep_facts(found: pypdf.PdfReader, writer: pypdf.PdfWriter) -> None:
    """The title and author stay what they were."""
    facts = {key: str(value) for key, value in (found.metadata or {}).items()}
    facts.pop("/Producer", None)
    if facts:
        writer.add_metadata(facts)


def without_properties(found: pypdf.PdfReader) -> tuple[bytes, bool]:
    """The document without what it says of who made it, when and with what; and whether its parts,
    such as its pictures, had notes of their own."""
    import pypdf

    writer = pypdf.PdfWriter(clone_from=found)
    writer.metadata = None
    had_notes = False
    for held in writer._objects:
        if isinstance(held, pypdf.generic.DictionaryObject):
            notes = [held.pop(key, None) for key in ("/Metadata", "/PieceInfo")]
            held.pop("/LastModified", None)
            had_notes = had_notes or any(note is not None for note in notes)
    return written(writer), had_notes
