"""The media types that files are kept as, and their endings."""

from __future__ import annotations

WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

SUFFIXES = {
    "image/png": ".png",
    "image/jpeg": ".jpg",
    "image/webp": ".webp",
    "image/gif": ".gif",
    "image/avif": ".avif",
    "image/bmp": ".bmp",
    "image/x-icon": ".ico",
    "audio/wav": ".wav",
    "audio/flac": ".flac",
    "audio/mpeg": ".mp3",
    "audio/ogg": ".ogg",
    "audio/mp4": ".m4a",
    "video/mp4": ".mp4",
    "video/webm": ".webm",
    "video/quicktime": ".mov",
    "text/plain": ".txt",
    "text/html": ".html",
    "text/csv": ".csv",
    "text/tab-separated-values": ".tsv",
    "text/markdown": ".md",
    "text/vtt": ".vtt",
    "application/x-subrip": ".srt",
    "application/json": ".json",
    # Documents as they came, beside the text that was read from them.
    "application/pdf": ".pdf",
    "application/rtf": ".rtf",
    "application/epub+zip": ".epub",
    WORD: ".docx",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ".xlsx",
    "image/tiff": ".tif",
    "application/zip": ".zip",
}

ZIP = "application/zip"


def media_type_of(name: str) -> str:
    """The media type that a file's ending says; raises ValueError where it is none that is kept."""
    suffix = f".{name.rpartition('.')[2].lower()}"
    for media_type, ending in SUFFIXES.items():
        if ending == suffix:
            return media_type
    raise ValueError(f"{name} has no ending that is known.")
