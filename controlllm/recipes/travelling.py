"""Recipes that travel in files: written beside the content, which stays as it is, and read again.

PNG carries a text chunk (iTXt), HTML a script element that holds data; JPEG, WebP, WAV, MP3 and MP4
an XMP packet (ISO 16684-1), each where the format has its place for one. What is read is a text
that somebody may have written: `controlllm.recipes.recipe` decides whether it is a recipe.
"""

from __future__ import annotations

import html
import mmap
import re
import struct
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from controlllm.recipes import id3
from controlllm.recipes.recipe import MOST_CHARACTERS

_KEYWORD = b"controlllm-recipe"
_PNG = b"\x89PNG\r\n\x1a\n"
_XMP_IN_JPEG = b"http://ns.adobe.com/xap/1.0/\x00"
#: Of a segment of JPEG, its two bytes of length included.
_MOST_IN_SEGMENT = 65_535
#: The box of MP4 that holds XMP, by the XMP specification, part 3.
_XMP_BOX = bytes.fromhex("be7acfcb97a942e89c71999491e3afac")
#: Whose the private frame of an MP3 is that holds XMP.
_XMP_OWNER = b"XMP\0"
_PACKET = re.compile(rb"<controlllm:recipe>(.*?)</controlllm:recipe>", re.DOTALL)
_ELEMENT = re.compile(
    rb'<script type="application/json" id="controlllm-recipe">(.*?)</script>', re.DOTALL
)
_MOST_IN_PACKET = 6 * MOST_CHARACTERS
#: Larger files are handed over as they are.
MOST_BYTES = 300_000_000
#: No file of ours has more parts than this.
_MOST_PARTS = 10_000
#: Where the size of a picture that is drawn over several parts is noted, and that there is XMP.
_WEBP_HAS_XMP = 0x04
_WEBP_HAS_ALPHA = 0x10

#: What a part of a file is called, where it begins and where it ends, its head included.
Part = tuple[bytes, int, int]


class NoRoom(ValueError):
    """A file of this kind, or this one, cannot carry a recipe."""


@dataclass(frozen=True)
class _Format:
    """How files of a format carry a text.

    `parts` tells them apart, `text` is what a part, given by its name and whole, carries, None
    where it is none of ours, and `written` is a file with a text, out of its content, all of its
    parts and those that stay.
    """

    parts: Callable[[bytes], Iterator[Part]]
    text: Callable[[bytes, bytes], bytes | None]
    written: Callable[[bytes, Sequence[Part], Sequence[Part], bytes], bytes]


def write(source: Path, target: Path, text: str) -> None:
    """Copy a file with a recipe's text in it; where it carries one, the new one takes its place.

    Raises NoRoom where it cannot carry one.
    """
    with source.open("rb") as file:
        way = _format(file.read(16), source)
    if way is None:
        raise NoRoom(f"A file like {source.name} cannot carry a recipe.")
    if source.stat().st_size > MOST_BYTES:
        raise NoRoom(f"{source.name} is too large to be written anew.")
    content = source.read_bytes()
    try:
        parts = list(way.parts(content))
        kept = [part for part in parts if _text(way, content, part) is None]
        target.write_bytes(way.written(content, parts, kept, text.encode()))
    except (struct.error, IndexError, ValueError, zlib.error) as error:
        raise NoRoom(f"{source.name} cannot carry a recipe: {error}") from error


def read(path: Path, name: str = "") -> str | None:
    """The text of the recipe that a file carries, or None; never raises for what is in the file.

    `name` is what the file is called, where that is not the name it lies under.
    """
    try:
        with (
            path.open("rb") as file,
            mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content,
        ):
            way = _format(content[:16], Path(name or path.name))
            if way is None:
                return None
            parts = islice(way.parts(content), _MOST_PARTS)  # type: ignore[arg-type]
            found = (_text(way, content, part) for part in parts)  # type: ignore[arg-type]
            text = next((text for text in found if text is not None), None)
        return None if text is None else text.decode()
    except (OSError, ValueError, struct.error, IndexError, zlib.error, OverflowError):
        return None


def _text(way: _Format, content: bytes, part: Part) -> bytes | None:
    name, start, end = part
    return way.text(name, content[start:end]) if end - start <= _MOST_IN_PACKET else None


def _format(head: bytes, path: Path) -> _Format | None:
    if head.startswith(b"RIFF"):
        return {b"WEBP": _WEBP, b"WAVE": _WAV}.get(head[8:12])
    if head.startswith(_PNG):
        return _OF_PNG
    if head.startswith(b"\xff\xd8\xff"):
        return _JPEG
    if head[4:8] == b"ftyp":
        return _MP4
    if id3.is_mp3(head):
        return _MP3
    return _HTML if path.suffix.lower() in (".html", ".htm") else None


def _packet(text: bytes) -> bytes:
    """A text as XMP."""
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


def _joined(content: bytes, parts: Sequence[Part]) -> bytes:
    return b"".join(content[start:end] for _, start, end in parts)


# PNG: chunks of a length, a name, content and a checksum


def _png_parts(content: bytes) -> Iterator[Part]:
    place = len(_PNG)
    while place + 12 <= len(content):
        length, name = struct.unpack_from(">I4s", content, place)
        yield name, place, place + length + 12
        place += length + 12


def _png_text(name: bytes, part: bytes) -> bytes | None:
    keyword, _, rest = part[8:-4].partition(b"\0")
    if name != b"iTXt" or keyword != _KEYWORD or len(rest) < 2:
        return None
    text = rest[2:].split(b"\0", 2)[2]
    if rest[0] != 1:
        return text
    unpacking = zlib.decompressobj()
    text = unpacking.decompress(text, _MOST_IN_PACKET)
    if unpacking.unconsumed_tail:
        raise ValueError("It is too long.")
    return text


def _png_written(content: bytes, parts: Sequence[Part], kept: Sequence[Part], text: bytes) -> bytes:
    if not kept or kept[-1][0] != b"IEND":
        raise ValueError("it breaks off.")
    body = b"iTXt" + _KEYWORD + b"\0\1\0\0\0" + zlib.compress(text, 9)
    own = struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))
    return _PNG + _joined(content, kept[:-1]) + own + _joined(content, kept[-1:])


# JPEG: segments before the picture itself


def _jpeg_parts(content: bytes) -> Iterator[Part]:
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
        yield bytes([marker]), place, end
        place = end


def _jpeg_text(name: bytes, part: bytes) -> bytes | None:
    is_xmp = name == b"\xe1" and part[4:].startswith(_XMP_IN_JPEG)
    return _in_packet(part) if is_xmp else None


def _jpeg_written(
    content: bytes, parts: Sequence[Part], kept: Sequence[Part], text: bytes
) -> bytes:
    body = _XMP_IN_JPEG + _packet(text)
    if len(body) + 2 > _MOST_IN_SEGMENT:
        raise ValueError("the recipe is too long for a JPEG.")
    own = b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body
    first = 1 if kept and kept[0][0] == b"\xe0" else 0
    after = parts[-1][2] if parts else 2
    before, behind = _joined(content, kept[:first]), _joined(content, kept[first:])
    return content[:2] + before + own + behind + content[after:]


# RIFF: WebP and WAV


def _riff_parts(content: bytes) -> Iterator[Part]:
    place = 12
    while place + 8 <= len(content):
        name, length = struct.unpack_from("<4sI", content, place)
        yield name, place, place + 8 + length
        place += 8 + length + length % 2


def _riff_text(wanted: bytes) -> Callable[[bytes, bytes], bytes | None]:
    return lambda name, part: _in_packet(part) if name == wanted else None


def _riff(kind: bytes, parts: Sequence[tuple[bytes, bytes]]) -> bytes:
    body = b"".join(
        struct.pack("<4sI", name, len(part)) + part + b"\0" * (len(part) % 2)
        for name, part in parts
    )
    return struct.pack("<4sI4s", b"RIFF", len(body) + 4, kind) + body


def _wav_written(content: bytes, parts: Sequence[Part], kept: Sequence[Part], text: bytes) -> bytes:
    stay = [(name, content[start + 8 : end]) for name, start, end in parts if name != b"_PMX"]
    return _riff(b"WAVE", [*stay, (b"_PMX", _packet(text))])


def _webp_written(
    content: bytes, parts: Sequence[Part], kept: Sequence[Part], text: bytes
) -> bytes:
    stay = [(name, content[start + 8 : end]) for name, start, end in parts if name != b"XMP "]
    name, first = stay[0]
    if name == b"VP8X":
        stay[0] = (name, bytes([first[0] | _WEBP_HAS_XMP]) + first[1:])
    else:
        stay.insert(0, (b"VP8X", _webp_head(name, first)))
    return _riff(b"WEBP", [*stay, (b"XMP ", _packet(text))])


def _webp_head(name: bytes, picture: bytes) -> bytes:
    """The head that a WebP of one part needs before it may have more of them."""
    flags = _WEBP_HAS_XMP
    if name == b"VP8L":
        (bits,) = struct.unpack_from("<I", picture, 1)
        wide, high = bits & 0x3FFF, bits >> 14 & 0x3FFF
        flags |= _WEBP_HAS_ALPHA if bits >> 28 & 1 else 0
    elif name == b"VP8 ":
        wide, high = ((number & 0x3FFF) - 1 for number in struct.unpack_from("<HH", picture, 6))
    else:
        raise ValueError("it holds no picture.")
    return bytes([flags, 0, 0, 0]) + wide.to_bytes(3, "little") + high.to_bytes(3, "little")


# MP4: boxes; one more at the end moves nothing


def _mp4_parts(content: bytes) -> Iterator[Part]:
    place = 0
    while place + 8 <= len(content):
        length, name = struct.unpack_from(">I4s", content, place)
        if length == 1:
            (length,) = struct.unpack_from(">Q", content, place + 8)
        if length < 8:  # to the end of the file
            length = len(content) - place
        yield name, place, place + length
        place += length


def _mp4_text(name: bytes, part: bytes) -> bytes | None:
    return _in_packet(part[24:]) if name == b"uuid" and part[8:24] == _XMP_BOX else None


def _mp4_written(content: bytes, parts: Sequence[Part], kept: Sequence[Part], text: bytes) -> bytes:
    if any(name == b"mdat" and content[at : at + 4] == bytes(4) for name, at, _ in parts):
        raise ValueError("it has no end that something can be put behind.")
    body = _XMP_BOX + _packet(text)
    return _joined(content, kept) + struct.pack(">I4s", len(body) + 8, b"uuid") + body


# MP3: a private frame of the tag before the sound


def _mp3_text(name: bytes, part: bytes) -> bytes | None:
    is_xmp = name == b"PRIV" and part[10:].startswith(_XMP_OWNER)
    return _in_packet(part) if is_xmp else None


def _mp3_written(content: bytes, parts: Sequence[Part], kept: Sequence[Part], text: bytes) -> bytes:
    return id3.with_frame(content, _joined(content, kept), b"PRIV", _XMP_OWNER + _packet(text))


# HTML


def _html_parts(content: bytes) -> Iterator[Part]:
    # All at once: what is looked through cannot be closed meanwhile.
    yield from [(b"script", *found.span()) for found in _ELEMENT.finditer(content)]


def _html_text(name: bytes, part: bytes) -> bytes | None:
    found = _ELEMENT.fullmatch(part)
    return found[1] if found else None


def _html_written(
    content: bytes, parts: Sequence[Part], kept: Sequence[Part], text: bytes
) -> bytes:
    content = _ELEMENT.sub(b"", content)
    # JSON may be written like this as well, and nothing in it can end the element.
    safe = text.replace(b"</", b"<\\/").replace(b"<!--", b"\\u003c!--")
    own = b'<script type="application/json" id="controlllm-recipe">' + safe + b"</script>"
    place = content.lower().rfind(b"</body>")
    return content[:place] + own + content[place:] if place >= 0 else content + own


_OF_PNG = _Format(_png_parts, _png_text, _png_written)
_JPEG = _Format(_jpeg_parts, _jpeg_text, _jpeg_written)
_WEBP = _Format(_riff_parts, _riff_text(b"XMP "), _webp_written)
_WAV = _Format(_riff_parts, _riff_text(b"_PMX"), _wav_written)
_MP4 = _Format(_mp4_parts, _mp4_text, _mp4_written)
_MP3 = _Format(id3.frames, _mp3_text, _mp3_written)
_HTML = _Format(_html_parts, _html_text, _html_written)
