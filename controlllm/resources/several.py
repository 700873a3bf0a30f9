"""Several files as one: a ZIP of members, written and read one at a time."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path, PurePosixPath
from typing import IO, Any

from controlllm.resources.media_types import SUFFIXES, media_type_of
from controlllm.resources.types import guess_type
from controlllm.resources.values import Clip, DocumentFile, Filed, Member

#: So many names are kept beside what is known of several files.
MOST_NAMES = 50
#: What compresses no further.
_PACKED = (".png", ".jpg", ".webp", ".gif", ".avif", ".mp3", ".ogg", ".m4a", ".mp4", ".webm",
           ".mov", ".pdf", ".docx", ".xlsx", ".epub", ".flac")  # fmt: skip
_MIDNIGHT = (1980, 1, 1, 0, 0, 0)

Encode = Callable[[str, Any], tuple[bytes, str]]


def write_members(members: Iterable[Member], target: IO[bytes], encode: Encode) -> None:
    """Write members as a ZIP, each under a name of its own.

    `encode` makes bytes and a media type of a type's value. Raises TypeError where one is no member
    or there is none.
    """
    taken: set[str] = set()
    with zipfile.ZipFile(target, "w") as archive:
        for member in members:
            if not isinstance(member, Member):
                raise TypeError(f"Expected one of several files, got {type(member).__name__}.")
            _write(member, archive, taken, encode)
    if not taken:
        raise TypeError("Expected several files, got none.")


def _write(member: Member, archive: zipfile.ZipFile, taken: set[str], encode: Encode) -> None:
    value = member.value
    path = value.path if isinstance(value, Clip | DocumentFile) else value
    if isinstance(path, Path):
        entry = _entry(member, path.suffix.lower(), taken)
        with path.open("rb") as source, archive.open(entry, "w", force_zip64=True) as file:
            shutil.copyfileobj(source, file, 1 << 20)
        return
    content, media_type = (
        (value.content, value.media_type)
        if isinstance(value, Filed)
        else encode(member.type, value)
    )
    archive.writestr(_entry(member, SUFFIXES[media_type], taken), content)


def _entry(member: Member, suffix: str, taken: set[str]) -> zipfile.ZipInfo:
    """A place in the archive that is not taken, with the member's type as its comment. Its time is
    always the same, so that the same files are the same archive."""
    found, number = f"{member.name}{suffix}", 2
    while found.lower() in taken:
        found, number = f"{member.name} {number}{suffix}", number + 1
    taken.add(found.lower())
    entry = zipfile.ZipInfo(found, _MIDNIGHT)
    entry.compress_type = zipfile.ZIP_STORED if suffix in _PACKED else zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    entry.comment = member.type.encode()
    return entry


def read_members(path: Path) -> tuple[Member, ...]:
    """The members of a ZIP that `write_members` wrote, as files; all of them in memory."""
    with zipfile.ZipFile(path) as archive:
        return tuple(
            Member(
                PurePosixPath(name).stem,
                type_name,
                Filed(archive.read(name), media_type_of(name)),
            )
            for name, type_name in member_types(path).items()
        )


def names_of(path: Path) -> list[str]:
    """The names of the members of a ZIP, with their endings."""
    with zipfile.ZipFile(path) as archive:
        return archive.namelist()


def member_types(path: Path) -> dict[str, str]:
    """The members of a ZIP by their names, with their endings, and the type of each."""
    with zipfile.ZipFile(path) as archive:
        return {
            entry.filename: entry.comment.decode("ascii", "replace") or guess_type(entry.filename)
            for entry in archive.infolist()
        }


def take_member(path: Path, name: str, target: Path) -> None:
    """Write a member of a ZIP as a file."""
    with (
        zipfile.ZipFile(path) as archive,
        archive.open(name) as source,
        target.open("wb") as file,
    ):
        shutil.copyfileobj(source, file, 1 << 20)


def several_details(path: Path) -> dict[str, Any]:
    """What is worth showing of several files: how many, and the names of the first."""
    names = names_of(path)
    return {"files": len(names), "names": names[:MOST_NAMES]}
