"""Taking files in: what they are by their content, whether they can be used, made ready to use."""

from __future__ import annotations

import json
import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

from controlllm.resources.documents import document_details, take_document, take_raw_picture
from controlllm.resources.encoding import is_office_file, is_pdf
from controlllm.resources.intake import BadInput, Content, Ingested, Limits, Upload
from controlllm.resources.media_types import SUFFIXES
from controlllm.resources.naming import safe_name, shown_name
from controlllm.resources.pictures import picture_details, take_picture
from controlllm.resources.recordings import recording_details, take_recording
from controlllm.resources.several import several_details
from controlllm.resources.sniffing import HEAD_BYTES, TEXT, Kind, sniff
from controlllm.resources.tables import table_details
from controlllm.resources.texts import take_text
from controlllm.resources.types import PARENTS, SEVERAL_TYPES, guess_type, is_known_suffix

__all__ = ["BadInput", "Ingested", "Limits", "details_of", "ingest"]

_log = logging.getLogger(__name__)

#: Kinds of files that are called by several endings.
_OTHER_SUFFIXES = {
    **{".jpg": (".jpeg",), ".ogg": (".opus",), ".txt": (".md", ".csv", ".tsv", ".srt", ".vtt")},
    **{".html": (".htm",), ".docx": (".docm",), ".xlsx": (".xlsm",)},
}
_WHAT = {"image": "a picture", "audio": "a sound", "video": "a video", "html": "a web page"}


def ingest(path: Path, name: str, folder: Path, limits: Limits | None = None) -> Ingested:
    """Take a file in: its type by its content, its normalised file, what was changed.

    Parameters
    ----------
    path: the file as it arrived; it is never changed.
    name: what the person calls it; only its wording is used, never where it points.
    folder: where a changed copy is written.
    limits: how much of a file is taken.

    Raises BadInput, with a sentence for the person, where the file cannot be used.
    """
    upload = Upload(path, shown_name(name), folder, limits or Limits())
    kind = _kind_of(upload)
    try:
        content = _read(upload, kind)
    except BadInput:
        raise
    except Exception:
        _log.exception("A file could not be taken in.")
        raise BadInput(
            f"{upload.name} cannot be read. Save it anew in a common format and add it again."
        ) from None
    return Ingested(**vars(content), name=safe_name(name, _suffixes_of(content)))


def details_of(type_name: str, path: Path) -> dict[str, Any]:
    """What is worth showing of a stored file, as `ingest` finds it.

    Pictures: width and height in pixels. Sound: seconds, rate in hertz, channels. Video: seconds,
    width, height, fps, has_audio. Clicked points: points. Boxes and categories: count. Several
    files: files and the names of the first. Tables: characters, rows, columns and their header. All
    others: characters.
    """
    if type_name == "image" or PARENTS.get(type_name) == "image":
        return picture_details(path)
    if type_name in ("audio", "video"):
        return recording_details(type_name, path)
    if type_name == "document" and is_pdf(path):
        return document_details(path)
    if type_name in ("table", "text") and is_office_file(path):
        return {"bytes": path.stat().st_size}
    if type_name in SEVERAL_TYPES:
        return several_details(path)
    if type_name == "point":
        return {"points": len(json.loads(path.read_text("utf-8")))}
    if type_name in ("bbox", "category"):
        return {"count": len(json.loads(path.read_text("utf-8")))}
    text = path.read_text("utf-8")
    return {"characters": len(text), **(table_details(text) if type_name == "table" else {})}


def _suffixes_of(content: Content) -> tuple[str, ...]:
    suffix = content.suffix or SUFFIXES[content.media_type]
    return (suffix, *_OTHER_SUFFIXES.get(suffix, ()))


def _kind_of(upload: Upload) -> Kind:
    size = upload.path.stat().st_size
    limit = upload.limits.max_bytes
    if size == 0:
        raise BadInput(f"{upload.name} is empty. Check the file and add it again.")
    if size > limit:
        raise BadInput(
            f"{upload.name} is too large: {size / 1024**2:,.0f} MB, at most "
            f"{limit / 1024**2:,.3g} MB are possible. Make it smaller or cut out a part."
        )
    with upload.path.open("rb") as file:
        head = file.read(HEAD_BYTES)
    kind = sniff(head)
    if kind is None:
        _refuse_text_in_disguise(upload)
        return TEXT
    if kind.format == "html":
        _refuse_text_in_disguise(upload, "a web page")
    if kind.reader == "refused":
        raise BadInput(f"{upload.name} is {kind.format}, which I cannot use. {kind.advice}")
    return kind


def _refuse_text_in_disguise(upload: Upload, kind: str = "") -> None:
    """Words or scrap under the name of a picture or a recording is a failed download."""
    suffix = upload.name.rpartition(".")[2]
    promised = guess_type(upload.name) if is_known_suffix(suffix) else "text"
    if promised in ("image", "audio", "video"):
        found = f"{kind}, not" if kind else "not"
        raise BadInput(
            f"{upload.name} is {found} {_WHAT[promised]}, whatever its name says: its content is "
            "of another kind or damaged, as after a download that failed. Get the file again, or "
            "save it anew."
        )


def _read(upload: Upload, kind: Kind) -> Content:
    if kind.reader == "picture":
        return take_picture(upload, kind.format)
    if kind.reader == "recording":
        return take_recording(upload, kind.format)
    if kind.reader == "document":
        return take_document(upload, kind.format)
    if kind.reader == "raw":
        developed = replace(upload, path=take_raw_picture(upload))
        taken = take_picture(developed, "JPEG")
        return replace(taken, notices=("It was developed from the camera's raw picture.",))
    content = take_text(upload)
    # Nothing but its name tells a table from a text with commas.
    is_table = upload.name.lower().endswith((".csv", ".tsv"))
    if not is_table:
        return content
    return replace(content, type="table", details=details_of("table", content.path))
