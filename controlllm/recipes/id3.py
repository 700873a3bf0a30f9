"""The ID3v2 tag at the head of an MP3: its frames told apart, and written anew.

By ID3v2.3.0 and ID3v2.4.0 (id3.org): a head of ten bytes, then frames of a name, a length, two
bytes of flags and content. What comes after the tag, the sound itself, is not touched.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

_HEAD = 10
#: A tag's length, and in version 4 a frame's, is four times seven bits.
_MOST_LENGTH = 1 << 28


def is_mp3(head: bytes) -> bool:
    """Whether a file that begins like this is an MP3: with a tag, or at once with a frame of
    MPEG's layer III."""
    return head.startswith(b"ID3") or (
        len(head) > 1 and head[0] == 0xFF and head[1] & 0xE0 == 0xE0 and head[1] & 0x06 == 0x02
    )


def frames(content: bytes) -> Iterator[tuple[bytes, int, int]]:
    """The name of each frame, where it begins and where it ends.

    Raises ValueError for a tag that breaks off, or is of another version or with what changes how
    its frames are read.
    """
    if content[:3] != b"ID3":
        return
    if content[3] not in (3, 4) or content[5]:
        raise ValueError("its tag is of a sort that is rarely written.")
    place, end = _HEAD, _HEAD + _number(content[6:_HEAD], 4)
    # Zeros fill up what the tag keeps free.
    while place + _HEAD <= min(end, len(content)) and content[place]:
        after = place + _HEAD + _number(content[place + 4 : place + 8], content[3])
        if after > end:
            raise ValueError("its tag breaks off.")
        yield content[place : place + 4], place, after
        place = after


def with_frame(content: bytes, kept: bytes, name: bytes, body: bytes) -> bytes:
    """An MP3 with a tag of the frames that are `kept` and one more.

    Raises ValueError where that is too long.
    """
    has_tag = content.startswith(b"ID3")
    version = content[3] if has_tag else 3
    after = _HEAD + _number(content[6:_HEAD], 4) if has_tag else 0
    whole = kept + name + _length(len(body), version) + b"\0\0" + body
    head = b"ID3" + bytes([version, 0, 0]) + _length(len(whole), 4)
    return head + whole + content[after:]


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
