"""Documents taken in as text, and their pages as pictures, read in a process of its own."""

from controlllm.resources.documents.documents import (
    document_details,
    page_picture,
    take_document,
    take_raw_picture,
)

__all__ = ["document_details", "page_picture", "take_document", "take_raw_picture"]
