"""Private frames in the ID3v2 tag at the head of an MP3: read, and written with the rest as it is.

By ID3v2.3.0 and ID3v2.4.0 (id3.org): a head of ten bytes, then frames of a name, a length, two
bytes of flags and content. A PRIV frame holds whose it is, a zero byte and anything; XMP is that of
the owner ``XMP`` (ISO 16684-1). What comes after the tag, the sound itself, is not touched.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from typing import BinaryIO

_HEAD = 10
#: More frames than a tag of anybody's has.
_MOST_FRAMES = 10_000
#: A tag's length, and in version 4 a frame's, is four times seven bits.
_MOST_LENGTH = 1 << 28


def is_mp3(head: bytes) -> bool:
    """Whether a file that begins like this is an MP3: with a tag, or at once with a frame of
    MPEG's layer III."""
    return head.startswith(b"ID3") or (
        len(head) > 1 and head[0] == 0xFF and head[1] & 0xE0 == 0xE0 and head[1] & 0x06 == 0x02
    )


def private_frames(file: BinaryIO, owner: bytes, most: int) -> Iterator[bytes]:
    """What the private frames of an owner hold, of at most so many bytes each."""
    version, length = _tag(file.read(_HEAD))
    file.seek(_HEAD)
    for name, size, _ in _frames(file, version, length):
        if name == b"PRIV" and size <= most:
            whose, _, body = file.read(size).partition(b"\0")
            if whose == owner:
                yield body


def with_private_frame(
    content: bytes, owner: bytes, body: bytes, replaced: Callable[[bytes], bool]
) -> bytes:
    """An MP3 with one more private frame, without those of the owner that are `replaced`.

    Raises ValueError where it has a tag that cannot be written anew.
    """
    from io import BytesIO

    version, kept, after = 3, b"", 0
    if content.startswith(b"ID3"):
        version, length = _tag(content[:_HEAD])
        if not version:
            raise ValueError("its tag is of a sort that is rarely written.")
        after = _HEAD + length
        tag = BytesIO(content[_HEAD:after])
        for name, size, start in _frames(tag, version, length):
            held = tag.read(size)
            mine, mark = name == b"PRIV", owner + b"\0"
            if not (mine and held.startswith(mark) and replaced(held.removeprefix(mark))):
                kept += tag.getvalue()[start - _HEAD : start] + held
    own = owner + b"\0" + body
    frames = kept + b"PRIV" + _length(len(own), version) + b"\0\0" + own
    head = b"ID3" + bytes([version, 0, 0]) + _length(len(frames), 4)
    return head + frames + content[after:]


def _tag(head: bytes) -> tuple[int, int]:
    """The version of a tag and how long it is after its head; 0 and 0 where there is none, or one
    of another version or with what changes how its frames are read."""
    if len(head) < _HEAD or not head.startswith(b"ID3") or head[3] not in (3, 4) or head[5]:
        return 0, 0
    return head[3], _number(head[6:], 4)


def _frames(tag: BinaryIO, version: int, length: int) -> Iterator[tuple[bytes, int, int]]:
    """Each frame's name, length and where its content begins, the file standing there."""
    start = tag.tell()
    place, end = start, start + length
    for _ in range(_MOST_FRAMES):
        tag.seek(place)
        head = tag.read(_HEAD)
        # Zeros fill up what the tag keeps free.
        if place + _HEAD > end or len(head) < _HEAD or not head[0]:
            return
        size = _number(head[4:8], version)
        if place + _HEAD + size > end:
            raise ValueError("its tag breaks off.")
        yield head[:4], size, place + _HEAD
        place += _HEAD + size


def _number(four: bytes, version: int) -> int:
    if version == 3:
        return int(struct.unpack(">I", four)[0])
    if any(byte & 0x80 for byte in four):
        raise ValueError("its tag cannot be read.")
    return sum(byte << 7 * place for place, byte in enumerate(reversed(four)))


def _length(number: int, version: int) -> bytes:
    if number >= _MOST_LENGTH:
        raise ValueError("its tag would be too long.")
    if version == 3:
        return struct.pack(">I", number)
    return bytes(number >> 7 * place & 0x7F for place in (3, 2, 1, 0))
