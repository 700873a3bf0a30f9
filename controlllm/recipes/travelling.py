"""Recipes that travel in files: written beside the content, which stays as it is, and read again.

PNG carries a text chunk (iTXt), HTML a script element that holds data; JPEG, WebP, WAV, MP3 and MP4
an XMP packet (ISO 16684-1), each where the format has its place for one. What is read is a text
that somebody may have written: `controlllm.recipes.recipe` decides whether it is a recipe.
"""

from __future__ import annotations

import html
import re
import struct
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from controlllm.recipes import id3
from controlllm.recipes.recipe import MOST_CHARACTERS

_KEYWORD = b"controlllm-recipe"
_PNG = b"\x89PNG\r\n\x1a\n"
_XMP_IN_JPEG = b"http://ns.adobe.com/xap/1.0/\x00"
#: Of a segment of JPEG, its two bytes of length included.
_MOST_IN_SEGMENT = 65_535
#: The box of MP4 that holds XMP, by the XMP specification, part 3.
_XMP_BOX = bytes.fromhex("be7acfcb97a942e89c71999491e3afac")
_PACKET = re.compile(rb"<controlllm:recipe>(.*?)</controlllm:recipe>", re.DOTALL)
_ELEMENT = re.compile(
    rb'<script type="application/json" id="controlllm-recipe">(.*?)</script>', re.DOTALL
)
_MOST_IN_PACKET = 6 * MOST_CHARACTERS
#: Larger files are handed over as they are.
MOST_BYTES = 300_000_000
#: No file of ours has more parts than this before the one that is looked for.
_MOST_PARTS = 10_000
#: Where the size of a picture that is drawn over several parts is noted, and that there is XMP.
_WEBP_HAS_XMP = 0x04
_WEBP_HAS_ALPHA = 0x10


class NoRoom(ValueError):
    """A file of this kind, or this one, cannot carry a recipe."""


def write(source: Path, target: Path, text: str) -> None:
    """Copy a file with a recipe's text in it; where it carries one, the new one takes its place.

    Raises NoRoom where it cannot carry one.
    """
    with source.open("rb") as file:
        kind = _kind(file.read(16), source)
    if kind is None:
        raise NoRoom(f"A file like {source.name} cannot carry a recipe.")
    if source.stat().st_size > MOST_BYTES:
        raise NoRoom(f"{source.name} is too large to be written anew.")
    content = source.read_bytes()
    try:
        target.write_bytes(_WRITERS[kind](content, text.encode()))
    except (struct.error, IndexError, ValueError) as error:
        raise NoRoom(f"{source.name} cannot carry a recipe: {error}") from error


def read(path: Path, name: str = "") -> str | None:
    """The text of the recipe that a file carries, or None; never raises for what is in the file.

    `name` is what the file is called, where that is not the name it lies under.
    """
    try:
        with path.open("rb") as file:
            kind = _kind(file.read(16), Path(name or path.name))
            if kind is None:
                return None
            file.seek(0)
            found = _READERS[kind](file)
        return None if found is None else found.decode()
    except (OSError, ValueError, struct.error, IndexError, zlib.error, OverflowError):
        return None


def _kind(head: bytes, path: Path) -> str | None:
    if head.startswith(_PNG):
        return "png"
    if head.startswith(b"\xff\xd8\xff"):
        return "jpeg"
    if head.startswith(b"RIFF") and head[8:12] in (b"WEBP", b"WAVE"):
        return "webp" if head[8:12] == b"WEBP" else "wav"
    if head[4:8] == b"ftyp":
        return "mp4"
    if id3.is_mp3(head):
        return "mp3"
    return "html" if path.suffix.lower() in (".html", ".htm") else None


# XMP


def _packet(text: bytes) -> bytes:
    words = html.escape(text.decode(), quote=False).encode("ascii", "xmlcharrefreplace")
    return (
        b'<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>'
        b'<x:xmpmeta xmlns:x="adobe:ns:meta/">'
        b'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
        b'<rdf:Description rdf:about="" xmlns:controlllm="urn:controlllm:recipe:">'
        b"<controlllm:recipe>" + words + b"</controlllm:recipe>"
        b'</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="r"?>'
    )


def _in_packet(packet: bytes) -> bytes | None:
    found = _PACKET.search(packet)
    return html.unescape(found.group(1).decode()).encode() if found else None


# PNG: chunks of a length, a name, content and a checksum


def _png_chunks(file: BinaryIO) -> Iterator[tuple[bytes, int]]:
    """Each chunk's name and length, the file standing at its content."""
    file.seek(len(_PNG))
    for _ in range(_MOST_PARTS):
        head = file.read(8)
        if len(head) < 8:
            return
        length, name = struct.unpack(">I4s", head)
        start = file.tell()
        yield name, length
        file.seek(start + length + 4)


def _read_png(file: BinaryIO) -> bytes | None:
    for name, length in _png_chunks(file):
        if name != b"iTXt" or length > _MOST_IN_PACKET:
            continue
        keyword, _, rest = file.read(length).partition(b"\0")
        if keyword != _KEYWORD or len(rest) < 2:
            continue
        text = rest[2:].split(b"\0", 2)[2]
        return _inflated(text) if rest[0] == 1 else text
    return None


def _inflated(packed: bytes) -> bytes:
    unpacking = zlib.decompressobj()
    text = unpacking.decompress(packed, _MOST_IN_PACKET)
    if unpacking.unconsumed_tail:
        raise ValueError("It is too long.")
    return text


def _write_png(content: bytes, text: bytes) -> bytes:
    pieces, place = [_PNG], len(_PNG)
    body = _KEYWORD + b"\0\1\0\0\0" + zlib.compress(text, 9)
    own = struct.pack(">I4s", len(body), b"iTXt") + body
    own += struct.pack(">I", zlib.crc32(b"iTXt" + body))
    while place < len(content):
        length, name = struct.unpack_from(">I4s", content, place)
        end = place + length + 12
        if name == b"IEND":
            pieces.append(own)
        if not (name == b"iTXt" and content[place + 8 :].startswith(_KEYWORD + b"\0")):
            pieces.append(content[place:end])
        place = end
    if own not in pieces:
        raise ValueError("it breaks off.")
    return b"".join(pieces)


# JPEG: segments before the picture itself


def _jpeg_segments(content: bytes) -> Iterator[tuple[int, int, int]]:
    """Each segment's marker, start and end, up to the picture itself."""
    place = 2
    while place + 4 <= len(content):
        if content[place] != 0xFF:
            raise ValueError("its parts cannot be told apart.")
        marker = content[place + 1]
        if marker == 0xFF:
            place += 1
            continue
        if marker in (0xDA, 0xD9):
            return
        end = place + 2 + int.from_bytes(content[place + 2 : place + 4], "big")
        yield marker, place, end
        place = end


def _is_ours(segment: bytes) -> bool:
    return segment[4:].startswith(_XMP_IN_JPEG) and b"<controlllm:recipe>" in segment


def _read_jpeg(file: BinaryIO) -> bytes | None:
    # What stands before the picture itself is less than this.
    content = file.read(_MOST_PARTS * 100)
    for marker, start, end in _jpeg_segments(content):
        if marker == 0xE1 and _is_ours(content[start:end]):
            return _in_packet(content[start:end])
    return None


def _write_jpeg(content: bytes, text: bytes) -> bytes:
    body = _XMP_IN_JPEG + _packet(text)
    if len(body) + 2 > _MOST_IN_SEGMENT:
        raise ValueError("the recipe is too long for a JPEG.")
    own = b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body
    kept: list[bytes] = []
    first, after = b"", 2
    for marker, start, end in _jpeg_segments(content):
        segment, after = content[start:end], end
        if marker == 0xE0 and not first and not kept:
            first = segment
        elif not (marker == 0xE1 and _is_ours(segment)):
            kept.append(segment)
    return content[:2] + first + own + b"".join(kept) + content[after:]


# RIFF: WebP and WAV


def _riff_chunks(file: BinaryIO) -> Iterator[tuple[bytes, int]]:
    file.seek(12)
    for _ in range(_MOST_PARTS):
        head = file.read(8)
        if len(head) < 8:
            return
        name, length = struct.unpack("<4sI", head)
        start = file.tell()
        yield name, length
        file.seek(start + length + length % 2)


def _read_riff(wanted: bytes) -> Callable[[BinaryIO], bytes | None]:
    def reading(file: BinaryIO) -> bytes | None:
        for name, length in _riff_chunks(file):
            if name == wanted and length <= _MOST_IN_PACKET:
                return _in_packet(file.read(length))
        return None

    return reading


def _riff_parts(content: bytes) -> list[tuple[bytes, bytes]]:
    parts, place = [], 12
    while place + 8 <= len(content):
        name, length = struct.unpack_from("<4sI", content, place)
        parts.append((name, content[place + 8 : place + 8 + length]))
        place += 8 + length + length % 2
    return parts


def _riff(kind: bytes, parts: list[tuple[bytes, bytes]]) -> bytes:
    body = b"".join(
        struct.pack("<4sI", name, len(part)) + part + b"\0" * (len(part) % 2)
        for name, part in parts
    )
    return struct.pack("<4sI4s", b"RIFF", len(body) + 4, kind) + body


def _write_wav(content: bytes, text: bytes) -> bytes:
    parts = [part for part in _riff_parts(content) if part[0] != b"_PMX"]
    return _riff(b"WAVE", [*parts, (b"_PMX", _packet(text))])


def _write_webp(content: bytes, text: bytes) -> bytes:
    parts = [part for part in _riff_parts(content) if part[0] != b"XMP "]
    name, first = parts[0]
    if name == b"VP8X":
        parts[0] = (name, bytes([first[0] | _WEBP_HAS_XMP]) + first[1:])
    else:
        parts.insert(0, (b"VP8X", _webp_head(name, first)))
    return _riff(b"WEBP", [*parts, (b"XMP ", _packet(text))])


def _webp_head(name: bytes, picture: bytes) -> bytes:
    """The head that a WebP of one part needs before it may have more of them."""
    flags = _WEBP_HAS_XMP
    if name == b"VP8L":
        (bits,) = struct.unpack_from("<I", picture, 1)
        wide, high = bits & 0x3FFF, bits >> 14 & 0x3FFF
        flags |= _WEBP_HAS_ALPHA if bits >> 28 & 1 else 0
    elif name == b"VP8 ":
        wide, high = (number & 0x3FFF for number in struct.unpack_from("<HH", picture, 6))
        wide, high = wide - 1, high - 1
    else:
        raise ValueError("it holds no picture.")
    return bytes([flags, 0, 0, 0]) + wide.to_bytes(3, "little") + high.to_bytes(3, "little")


# MP4: boxes; one more at the end moves nothing


def _mp4_boxes(file: BinaryIO) -> Iterator[tuple[bytes, int, int]]:
    """Each box's name, start and whole length, the file standing after its head."""
    place = 0
    for _ in range(_MOST_PARTS):
        file.seek(place)
        head = file.read(8)
        if len(head) < 8:
            return
        length, name = struct.unpack(">I4s", head)
        if length == 1:
            (length,) = struct.unpack(">Q", file.read(8))
        if length < 8:  # to the end of the file
            length = file.seek(0, 2) - place
            file.seek(place + 8)
        yield name, place, length
        place += length


def _read_mp4(file: BinaryIO) -> bytes | None:
    for name, _, length in _mp4_boxes(file):
        if name == b"uuid" and length <= _MOST_IN_PACKET and file.read(16) == _XMP_BOX:
            return _in_packet(file.read(length - 24))
    return None


def _write_mp4(content: bytes, text: bytes) -> bytes:
    from io import BytesIO

    pieces = []
    for name, start, length in _mp4_boxes(BytesIO(content)):
        box = content[start : start + length]
        if name == b"mdat" and content[start : start + 4] == b"\0\0\0\0":
            raise ValueError("it has no end that something can be put behind.")
        if not (name == b"uuid" and box[8:24] == _XMP_BOX and b"<controlllm:recipe>" in box):
            pieces.append(box)
    body = _XMP_BOX + _packet(text)
    return b"".join(pieces) + struct.pack(">I4s", len(body) + 8, b"uuid") + body


# MP3: a private frame of the tag before the sound

_XMP_OWNER = b"XMP"


def _holds_recipe(packet: bytes) -> bool:
    return b"<controlllm:recipe>" in packet


def _read_mp3(file: BinaryIO) -> bytes | None:
    found = id3.private_frames(file, _XMP_OWNER, _MOST_IN_PACKET)
    return next((_in_packet(packet) for packet in found if _holds_recipe(packet)), None)


def _write_mp3(content: bytes, text: bytes) -> bytes:
    return id3.with_private_frame(content, _XMP_OWNER, _packet(text), _holds_recipe)


# HTML


def _read_html(file: BinaryIO) -> bytes | None:
    content = file.read(50_000_000)
    found = list(_ELEMENT.finditer(content))
    return found[-1].group(1) if found else None


def _write_html(content: bytes, text: bytes) -> bytes:
    content = _ELEMENT.sub(b"", content)
    # JSON may be written like this as well, and nothing in it can end the element.
    safe = text.replace(b"</", b"<\\/").replace(b"<!--", b"\\u003c!--")
    own = b'<script type="application/json" id="controlllm-recipe">' + safe + b"</script>"
    place = content.lower().rfind(b"</body>")
    return content[:place] + own + content[place:] if place >= 0 else content + own


_WRITERS: dict[str, Callable[[bytes, bytes], bytes]] = {
    "png": _write_png,
    "jpeg": _write_jpeg,
    "webp": _write_webp,
    "wav": _write_wav,
    "mp4": _write_mp4,
    "mp3": _write_mp3,
    "html": _write_html,
}
_READERS: dict[str, Callable[[BinaryIO], bytes | None]] = {
    "png": _read_png,
    "jpeg": _read_jpeg,
    "webp": _read_riff(b"XMP "),
    "wav": _read_riff(b"_PMX"),
    "mp4": _read_mp4,
    "mp3": _read_mp3,
    "html": _read_html,
}
