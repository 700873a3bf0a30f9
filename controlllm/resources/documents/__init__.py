"""Documents taken in as text, and their pages as pictures, read in a process of its own."""

from controlllm.resources.documents.documents import page_picture, take_document, take_raw_picture

__all__ = ["page_picture", "take_document", "take_raw_picture"]
