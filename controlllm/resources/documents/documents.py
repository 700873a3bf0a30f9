"""Documents read in a process of its own, with bounded time and memory.

Readers of such files have a long history of faults; what they are handed comes from anywhere. The
process (`child`) is ended when it takes too long, and nothing that it does can harm this one.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import PIL.Image

from controlllm.resources.documents.child import MOST_SECONDS
from controlllm.resources.intake import BadInput, Content, Limits, Upload
from controlllm.resources.media_types import SUFFIXES
from controlllm.resources.tables import table_details

_log = logging.getLogger(__name__)
_PROJECT = Path(__file__).resolve().parents[3]
#: A process that waits for the disk may take longer than its processor time.
_PATIENCE = MOST_SECONDS + 20
_MEDIA_TYPES = {ending[1:]: media_type for media_type, ending in SUFFIXES.items()}
#: What a document is beside its text: one with pages, a table.
_TYPES = {"pdf": "document", "xlsx": "table"}
_UNREADABLE = "cannot be read: it is damaged, or of a rare sort. Save it anew as PDF or as text."
_TOO_MUCH = "takes too long or too much memory to read. Save only the part that matters."
_SCANNED = "Its pages are pictures: what is written on them is read by sight where you ask for it."
_LOCKED = (
    "It opens only with a password. Say it to have it taken off: “unlock it, the password is …”."
)
_PICTURE_SIDE = 2400


def take_document(upload: Upload, kind: str) -> Content:
    """A document as text, or, where it holds only pictures of pages, a picture of the one page or
    a document without words.

    Raises BadInput where it cannot be read, or would take too much.
    """
    folder = upload.target("")
    folder.mkdir()
    told = _in_child(upload, "read", folder, kind, str(upload.limits.max_text_bytes))
    if told.get("is_locked"):
        return _without_words(upload, folder, {"is_locked": True}, _LOCKED)
    kind, pages = str(told["kind"]), int(told.get("pages", 0))
    details: dict[str, Any] = {"pages": pages} if pages else {}
    notices = []
    if told.get("macros"):
        notices.append("It brings small programs along (macros); they are not run.")
    if not told["has_words"]:
        if not pages:
            raise BadInput(f"{upload.name} holds no words. Add a document with text.")
        if kind == "pdf" and pages > 1:
            return _without_words(upload, folder, details, _SCANNED)
        return _pictures_only(upload, kind, pages)
    if told["is_cut"] or pages > told["read"]:
        read = f"the first {told['read']:,} of its {pages:,} pages" if pages else "its beginning"
        notices.append(f"It is long: only {read} can be read at once.")
    text = folder / "text.txt"
    words = text.read_text("utf-8")
    details |= {"characters": len(words), **(table_details(words) if kind == "xlsx" else {})}
    return Content(
        _TYPES.get(kind, "text"), "text/plain", text, details, tuple(notices),
        original=upload.path, original_type=_MEDIA_TYPES[kind], suffix=f".{kind}",
    )  # fmt: skip


def text_of_file(path: Path, kind: str) -> str:
    """The text of a stored document (``pdf``, or ``zip`` for a spreadsheet).

    Raises BadInput where it cannot be read.
    """
    with tempfile.TemporaryDirectory(prefix="controlllm-text-") as folder:
        upload = Upload(path, "This document", Path(folder), Limits())
        told = _in_child(upload, "read", Path(folder), kind, str(upload.limits.max_text_bytes))
        if told.get("is_locked"):
            raise BadInput(f"This document cannot be read. {_LOCKED}")
        return (Path(folder) / "text.txt").read_text("utf-8")


def document_details(path: Path) -> dict[str, Any]:
    """What is worth showing of a stored PDF that a tool has made: its pages, which can be looked at
    as those of one that was handed over."""
    with tempfile.TemporaryDirectory(prefix="controlllm-pages-") as folder:
        upload = Upload(path, "This document", Path(folder), Limits())
        told = _in_child(upload, "count", Path(folder), "pdf")
    known = {"is_locked": True} if told.get("is_locked") else {"pages": int(told["pages"])}
    return {**known, "original": path.stem, "original_type": "application/pdf"}


def _without_words(upload: Upload, folder: Path, details: dict[str, Any], notice: str) -> Content:
    """A PDF without a text of its own: its pages are pictures, or it is locked."""
    text = folder / "text.txt"
    text.write_text("", "utf-8")
    return Content(
        _TYPES["pdf"], "text/plain", text, {**details, "characters": 0}, (notice,),
        original=upload.path, original_type=_MEDIA_TYPES["pdf"], suffix=".pdf",
    )  # fmt: skip


def _pictures_only(upload: Upload, kind: str, pages: int) -> Content:
    """The first page of a document that is made of pictures, such as a scan."""
    place = upload.target(".png")
    place.write_bytes(page_picture(upload.path, _MEDIA_TYPES[kind], 1))
    with PIL.Image.open(place) as picture:
        details = {"width": picture.width, "height": picture.height, "pages": pages}
    notice = "It holds pictures of pages and no text: its first page is used as a picture."
    return Content(
        "image", "image/png", place, details, (notice,),
        original=upload.path, original_type=_MEDIA_TYPES[kind],
    )  # fmt: skip


def page_picture(path: Path, media_type: str, number: int, most: int = _PICTURE_SIDE) -> bytes:
    """A page of a document as a PNG, no side longer than `most` pixels; `number` counts from 1.

    Raises BadInput where there is no such page or it cannot be drawn.
    """
    kind = SUFFIXES[media_type][1:]
    with tempfile.TemporaryDirectory(prefix="controlllm-page-") as folder:
        upload = Upload(path, "This document", Path(folder), Limits())
        _in_child(upload, "page", Path(folder), kind, str(number), str(most))
        return (Path(folder) / "page.png").read_bytes()


def take_raw_picture(upload: Upload) -> Path:
    """A camera's raw picture, developed: a JPEG file."""
    folder = upload.target("")
    folder.mkdir()
    _in_child(upload, "raw", folder, str(upload.limits.max_pixels))
    return folder / "raw.jpg"


def _in_child(upload: Upload, what: str, folder: Path, *more: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "controlllm.resources.documents.child"]
    environment = {
        name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "SYSTEMROOT")
    }
    # Threads of their own would each take some of the memory that it may have.
    environment |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "TMPDIR": str(folder)}
    try:
        done = subprocess.run(
            [*command, what, str(upload.path.resolve()), str(folder.resolve()), *more],
            cwd=_PROJECT, env=environment, capture_output=True, timeout=_PATIENCE, check=False,
            stdin=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise BadInput(f"{upload.name} {_TOO_MUCH}") from None
    if done.returncode < 0:  # ended by a signal: the limit of its time, or a crash
        _log.warning("Reading a document ended by signal %d.", -done.returncode)
        raise BadInput(f"{upload.name} {_TOO_MUCH}")
    try:
        told: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        _log.warning(
            "A document could not be read: %s", done.stderr[-600:].decode("utf-8", "replace")
        )
        raise BadInput(f"{upload.name} {_UNREADABLE}") from None
    if "refused" in told:
        raise BadInput(f"{upload.name} {told['refused']}")
    return told
