"""What kind of file it is, told from its first bytes and never from its name.

The kind decides which reader opens the file and which single format that reader may use, so that a
file cannot choose a reader that opens other files (playlists, concatenation scripts).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

#: How many bytes `sniff` wants to see.
HEAD_BYTES = 4096


@dataclass(frozen=True)
class Kind:
    """A kind of file. `format` is what its reader calls it: Pillow's name for a picture, FFmpeg's
    demuxer for a recording; ``pdf``, ``zip``, ``html`` or ``rtf`` for a document; for refused kinds
    it is a sentence's middle, "a Photoshop file"."""

    reader: Literal["picture", "recording", "text", "document", "raw", "refused"]
    format: str
    advice: str = ""


TEXT = Kind("text", "text")

_IMAGE_ADVICE = "Save it as JPEG or PNG and add that."
_DOCUMENT_ADVICE = "Save it as PDF, or in the newer format (.docx, .xlsx), and add that."
_ARCHIVE_ADVICE = "Unpack it and add the files in it."
_PLAYLIST_ADVICE = "It only points to other files; add the recording itself."
_RAW = Kind("raw", "a camera's raw picture")
_BEGINNINGS: tuple[tuple[bytes, Kind], ...] = (
    (b"\xff\xd8\xff", Kind("picture", "JPEG")),
    (b"\x89PNG\r\n\x1a\n", Kind("picture", "PNG")),
    (b"GIF87a", Kind("picture", "GIF")),
    (b"GIF89a", Kind("picture", "GIF")),
    (b"II*\0", Kind("picture", "TIFF")),
    (b"MM\0*", Kind("picture", "TIFF")),
    (b"II+\0", Kind("picture", "TIFF")),
    (b"MM\0+", Kind("picture", "TIFF")),
    (b"fLaC", Kind("recording", "flac")),
    (b"OggS", Kind("recording", "ogg")),
    (b"ID3", Kind("recording", "mp3")),
    (b"RF64", Kind("recording", "wav")),
    (b".snd", Kind("recording", "au")),
    (b"caff", Kind("recording", "caf")),
    (b"#!AMR", Kind("recording", "amr")),
    (b"\x1a\x45\xdf\xa3", Kind("recording", "matroska")),
    (b"FLV\x01", Kind("recording", "flv")),
    (b"\x30\x26\xb2\x75\x8e\x66\xcf\x11", Kind("recording", "asf")),
    (b"\0\0\x01\xba", Kind("recording", "mpeg")),
    (b"\0\0\x01\xb3", Kind("recording", "mpegvideo")),
    (b"%PDF", Kind("document", "pdf")),
    (b"PK\x03\x04", Kind("document", "zip")),
    (b"\xd0\xcf\x11\xe0", Kind("refused", "an old office document", _DOCUMENT_ADVICE)),
    (b"{\\rtf", Kind("document", "rtf")),
    (b"FUJIFILMCCD-RAW", _RAW),
    (b"IIU\0", _RAW),
    (b"IIRO", _RAW),
    (b"IIRS", _RAW),
    (b"\x1f\x8b", Kind("refused", "a compressed file", _ARCHIVE_ADVICE)),
    (b"7z\xbc\xaf\x27\x1c", Kind("refused", "a 7-Zip archive", _ARCHIVE_ADVICE)),
    (b"Rar!", Kind("refused", "a RAR archive", _ARCHIVE_ADVICE)),
    (b"8BPS", Kind("refused", "a Photoshop file", _IMAGE_ADVICE)),
    (b"\xff\x0a", Kind("refused", "a JPEG XL picture", _IMAGE_ADVICE)),
    (b"\0\0\0\x0cJXL ", Kind("refused", "a JPEG XL picture", _IMAGE_ADVICE)),
    (b"\0\0\0\x0cjP  ", Kind("refused", "a JPEG 2000 picture", _IMAGE_ADVICE)),
    (b"MThd", Kind("refused", "a MIDI file", "Save it as WAV or MP3 and add that.")),
    (b"\x7fELF", Kind("refused", "a program", "Add a picture, a sound, a video or a text.")),
    (b"MZ\x90", Kind("refused", "a program", "Add a picture, a sound, a video or a text.")),
    (b"SQLite format 3", Kind("refused", "a database", "Export it as a .csv file and add that.")),
)

_RIFF = {
    b"WEBP": Kind("picture", "WEBP"),
    b"WAVE": Kind("recording", "wav"),
    b"AVI ": Kind("recording", "avi"),
}
_ATOMS = (b"moov", b"mdat", b"wide", b"free", b"skip", b"pnot")
_HEIC = Kind("picture", "HEIF")
_HEIC_BRANDS = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1")
_AVIF = Kind("picture", "AVIF")

_MARKUP: tuple[tuple[bytes, Kind], ...] = (
    (b"<!doctype html", Kind("document", "html")),
    (b"<html", Kind("document", "html")),
    (b"<svg", Kind("refused", "an SVG drawing", _IMAGE_ADVICE)),
    (b"<mpd", Kind("refused", "a playlist", _PLAYLIST_ADVICE)),
    (b"#extm3u", Kind("refused", "a playlist", _PLAYLIST_ADVICE)),
    (b"ffconcat version", Kind("refused", "a playlist", _PLAYLIST_ADVICE)),
    (b"[playlist]", Kind("refused", "a playlist", _PLAYLIST_ADVICE)),
)


def sniff(head: bytes) -> Kind | None:
    """The kind of file that begins with `head` (its first `HEAD_BYTES`, or all of it).

    None where it is none that is known; it may still be text.
    """
    for beginning, kind in _BEGINNINGS:
        if head.startswith(beginning):
            return _RAW if kind.format == "TIFF" and _is_raw(head) else kind
    if head[:4] == b"RIFF":
        return _RIFF.get(head[8:12])
    if head[:4] == b"FORM" and head[8:12] in (b"AIFF", b"AIFC"):
        return Kind("recording", "aiff")
    if head[:2] == b"BM" and head[6:10] == b"\0\0\0\0":
        return Kind("picture", "BMP")
    if head[4:8] == b"ftyp":
        return _by_brand(head)
    if head[4:8] in _ATOMS:
        return Kind("recording", "mov")
    if _is_transport_stream(head, 0, 188) or _is_transport_stream(head, 4, 192):
        return Kind("recording", "mpegts")
    return _markup(head) or _mpeg_audio(head)


def _is_transport_stream(head: bytes, start: int, step: int) -> bool:
    """Whether every packet begins with its mark; cameras put a time of 4 bytes before each."""
    marks = head[start : start + 4 * step : step]
    return len(marks) >= 3 and set(marks) == {0x47}


def _by_brand(head: bytes) -> Kind:
    size = min(int.from_bytes(head[:4], "big"), len(head))
    brands = {head[start : start + 4] for start in (8, *range(16, max(size, 16), 4))}
    if brands & {b"avif", b"avis"}:
        return _AVIF
    if head[8:12] == b"crx ":
        return _RAW
    if head[8:12] in _HEIC_BRANDS:
        return _HEIC
    return Kind("recording", "mov")


def _is_raw(head: bytes) -> bool:
    """Whether a TIFF file holds what a camera's sensor saw: DNG says so by a tag of its own, others
    by their maker's mark or by the sort of picture that their first directory has."""
    if head[8:10] == b"CR":
        return True
    order: Literal["little", "big"] = "little" if head[:2] == b"II" else "big"
    start = int.from_bytes(head[4:8], order)
    count = int.from_bytes(head[start : start + 2], order)
    for place in range(start + 2, min(start + 2 + 12 * count, len(head) - 11), 12):
        tag = int.from_bytes(head[place : place + 2], order)
        value = int.from_bytes(head[place + 8 : place + 10], order)
        if tag == 0xC612 or (tag == 0x0106 and value == 32803):  # DNGVersion; a colour filter array
            return True
        if tag == 0x0103 and value in (34713, 32767):  # compressions of Nikon and Sony
            return True
    return False


def _markup(head: bytes) -> Kind | None:
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    while text.startswith((b"<?xml", b"<!--", b"<!doctype svg")):
        end = b"-->" if text.startswith(b"<!--") else b">"
        _, found, text = text.partition(end)
        text = text.lstrip()
        if not found:
            return None
    for beginning, kind in _MARKUP:
        if text.startswith(beginning):
            return kind
    return None


def _mpeg_audio(head: bytes) -> Kind | None:
    """MPEG sound without a container: a frame begins with eleven set bits."""
    if len(head) < 4 or head[0] != 0xFF or head[1] & 0xE0 != 0xE0:
        return None
    if head[1] & 0xF6 == 0xF0:
        return Kind("recording", "aac")
    layer, bitrate, rate = head[1] >> 1 & 3, head[2] >> 4, head[2] >> 2 & 3
    if layer in (1, 2) and bitrate not in (0, 15) and rate != 3:
        return Kind("recording", "mp3")
    return None
