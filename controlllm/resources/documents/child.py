"""The process that reads one document: ``python -m controlllm.resources.documents.child ...``.

It may take so much memory and time, opens no connection, starts no program, reads nothing but the
document and Python's own files, and writes into one folder only. It prints what came of it as JSON.
"""

from __future__ import annotations

import json
import mimetypes
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

MOST_MEMORY = 1536 * 1024 * 1024
MOST_SECONDS = 40
MOST_WRITTEN = 256 * 1024 * 1024
_FORBIDDEN = (
    "socket.connect", "socket.bind", "socket.getaddrinfo", "socket.sendto", "subprocess.Popen",
    "os.system", "os.exec", "os.posix_spawn", "os.fork", "os.forkpty", "os.remove", "os.rename",
    "os.rmdir", "os.link", "os.symlink", "shutil.rmtree", "webbrowser.open",
)  # fmt: skip
_IS_WINDOWS = os.name == "nt"


def confine(source: Path, folder: Path) -> None:
    """From now on this process is bounded; what it must not do raises PermissionError."""
    if not _IS_WINDOWS:
        import resource

        for kind, most in (
            (resource.RLIMIT_AS, MOST_MEMORY),
            (resource.RLIMIT_CPU, MOST_SECONDS),
            (resource.RLIMIT_FSIZE, MOST_WRITTEN),
            (resource.RLIMIT_CORE, 0),
        ):
            resource.setrlimit(kind, (most, most))
    own = {
        str(os.path.realpath(place)) for place in (sys.prefix, sys.base_prefix, *sys.path) if place
    }
    readable = (
        *own,
        *map(str, mimetypes.knownfiles),
        str(source),
        str(folder),
        "/proc/self",
        "/dev/null",
        "/dev/urandom",
    )

    def watch(event: str, args: tuple[Any, ...]) -> None:
        if event in _FORBIDDEN:
            raise PermissionError(f"A document wanted {event}.")
        if event != "open" or not isinstance(args[0], str | bytes | os.PathLike):
            return
        place = os.path.realpath(os.fsdecode(args[0]))
        writes = bool(args[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))
        if not place.startswith(f"{folder}{os.sep}" if writes else readable):
            raise PermissionError(f"A document wanted to open {place}.")

    sys.addaudithook(watch)


def read(source: Path, kind: str, folder: Path, most_bytes: int) -> dict[str, Any]:
    """Write the document's text to ``text.txt`` in the folder; what is worth knowing of it."""
    from controlllm.resources.documents import archives, markup, pages

    told: dict[str, Any] = {}
    if kind == "zip":
        kind = archives.kind_of_archive(source)
        told["macros"] = archives.has_macros(source)
    separator = ""
    if kind == "pdf":
        told.update(counted(source, kind))
        if "is_locked" in told:
            return {**told, "kind": kind}
        pieces, separator = pages.pieces_of_pdf(source), "\n\f\n"
    elif kind == "xlsx":
        pieces = archives.pieces_of_spreadsheet(source)
    elif kind == "epub":
        pieces = archives.pieces_of_book(source)
    elif kind == "docx":
        pieces = iter([archives.text_of_word(source)])
    elif kind == "rtf":
        pieces = iter([archives.text_of_rich_text(source.read_bytes())])
    else:
        from controlllm.resources.texts import decoded

        pieces = iter([markup.text_of_html(decoded(source.read_bytes())[0] or "")])
    told.update(kind=kind, **_written(pieces, separator, folder / "text.txt", most_bytes))
    return told


def counted(source: Path, kind: str) -> dict[str, Any]:
    """How many pages a document has, or that it opens only with a password."""
    from controlllm.resources.documents import pages

    try:
        return {"pages": pages.page_count(source, kind)}
    except pages.Locked:
        return {"is_locked": True}


def _written(pieces: Iterator[str], separator: str, target: Path, most: int) -> dict[str, Any]:
    """Write pieces as long as they fit; how many did, and whether all."""
    size, count, words = 0, 0, False
    with target.open("wb") as file:
        for piece in pieces:
            content = ((separator if count else "") + piece).encode("utf-8", "replace")
            if size + len(content) > most:
                file.write(content[: most - size].decode("utf-8", "ignore").encode())
                return {"read": count, "is_cut": True, "has_words": True}
            file.write(content)
            size, count, words = size + len(content), count + 1, words or bool(piece.strip())
    return {"read": count, "is_cut": False, "has_words": words}


def page(source: Path, kind: str, folder: Path, number: int, most: int) -> dict[str, Any]:
    """Write a page as ``page.png`` into the folder."""
    from controlllm.resources.documents import pages

    pages.picture_of_page(source, kind, number, most).save(folder / "page.png", compress_level=1)
    return {}


def raw(source: Path, folder: Path, most_pixels: int) -> dict[str, Any]:
    """Write a camera's raw picture, developed and upright, as ``raw.jpg`` into the folder."""
    import PIL.Image
    import rawpy

    from controlllm.resources.documents.archives import Unreadable

    try:
        with rawpy.imread(str(source)) as picture:
            count = picture.sizes.width * picture.sizes.height
            if count > most_pixels:
                raise Unreadable(f"is too large: it has {count / 1e6:.0f} million pixels.")
            pixels = picture.postprocess(use_camera_wb=True, output_bps=8)
    except rawpy.LibRawError:
        raise Unreadable(
            "is a camera's raw picture of a sort that I cannot develop, or damaged. Save it as "
            "JPEG and add that."
        ) from None
    PIL.Image.fromarray(pixels).save(folder / "raw.jpg", quality=95, subsampling=0)
    return {}


def main(arguments: list[str]) -> int:
    """Do what was asked for with a document: ``read``, ``count``, ``page`` or ``raw``."""
    what, source, folder = arguments[0], Path(arguments[1]), Path(arguments[2])
    from controlllm.resources.documents.archives import Unreadable

    confine(source.resolve(), folder.resolve())
    try:
        if what == "read":
            told = read(source, arguments[3], folder, int(arguments[4]))
        elif what == "count":
            told = counted(source, arguments[3])
        elif what == "page":
            told = page(source, arguments[3], folder, int(arguments[4]), int(arguments[5]))
        else:
            told = raw(source, folder, int(arguments[3]))
    except Unreadable as error:
        told = {"refused": str(error)}
    except MemoryError:
        told = {"refused": "takes too much memory to read. Save only the part that matters."}
    print(json.dumps(told))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
