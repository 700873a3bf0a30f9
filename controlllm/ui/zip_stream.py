"""ZIP files that are sent while they are written: no more than a piece of them is ever held."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

_PIECE = 256 * 1024


class _Passing(io.RawIOBase):
    """Holds what was written until it is taken; cannot be gone back in."""

    def __init__(self) -> None:
        self._held = bytearray()
        self._place = 0

    def writable(self) -> bool:
        return True

    def write(self, content: object) -> int:
        piece = bytes(content)  # type: ignore[call-overload]
        self._held += piece
        self._place += len(piece)
        return len(piece)

    def tell(self) -> int:
        return self._place

    def taken(self) -> bytes:
        piece, self._held = bytes(self._held), bytearray()
        return piece


def zipped(members: Iterable[tuple[str, Path | bytes]]) -> Iterator[bytes]:
    """The bytes of a ZIP file with these members, piece by piece; a file that is gone is left out.

    Names have to differ. What is a file is stored as it is: media are compressed already.
    """
    target = _Passing()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        for name, content in members:
            if isinstance(content, bytes):
                archive.writestr(name, content, zipfile.ZIP_DEFLATED)
                yield target.taken()
                continue
            try:
                source = content.open("rb")
            except OSError:
                continue
            with source, archive.open(name, "w", force_zip64=True) as member:
                while piece := source.read(_PIECE):
                    member.write(piece)
                    yield target.taken()
    yield target.taken()
