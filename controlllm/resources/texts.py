"""Taking in text files, whatever encoding they are written in."""

from __future__ import annotations

import codecs

from controlllm.resources.intake import BadInput, Content, Upload

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_ALLOWED_CONTROLS = frozenset("\t\n\r\f\x1b\x85")


def take_text(upload: Upload) -> Content:
    """The text of a file as UTF-8.

    Raises BadInput where it is none, is blank, or is longer than the limit.
    """
    limit = upload.limits.max_text_bytes
    if upload.path.stat().st_size > 4 * limit:
        # No encoding needs more than four bytes for one of UTF-8; do not read the rest.
        raise _too_long(upload)
    content = upload.path.read_bytes()
    text, encoding = decoded(content)
    if text is None:
        raise BadInput(
            f"{upload.name} is no kind of file that I know. Add a picture (JPEG, PNG, WebP), a "
            "sound (WAV, MP3, FLAC), a video (MP4, WebM) or a text."
        )
    if not text.strip():
        raise BadInput(f"{upload.name} holds no words, only blank space. Add a file with text.")
    stored = text.encode()
    if len(stored) > limit:
        raise _too_long(upload)
    details = {"characters": len(text)}
    if stored == content:
        return Content("text", "text/plain", upload.path, details)
    target = upload.target(".txt")
    target.write_bytes(stored)
    notices = ("It was read as Western European text (Windows-1252).",)
    return Content("text", "text/plain", target, details, notices if encoding == "cp1252" else ())


def decoded(content: bytes) -> tuple[str | None, str]:
    """The text that bytes hold and its encoding, or None where they hold no text.

    A byte order mark decides; without one UTF-8 is tried, then UTF-16 where every other byte is
    zero, then Windows-1252, which is what Latin-1 files are in practice.
    """
    for mark, encoding in _BOMS:
        if content.startswith(mark):
            return _attempt(content, encoding), encoding
    text = _attempt(content, "utf-8")
    if text is not None:
        return text, "utf-8"
    half = max(len(content) // 2, 1)
    if content[1::2].count(0) > 0.4 * half > 0 and len(content) % 2 == 0:
        return _attempt(content, "utf-16-le"), "utf-16-le"
    if content[0::2].count(0) > 0.4 * half > 0 and len(content) % 2 == 0:
        return _attempt(content, "utf-16-be"), "utf-16-be"
    text = _attempt(content, "cp1252") or _attempt(content, "latin-1")
    if text is not None and _mostly_words(text):
        return text, "cp1252"
    return None, ""


def _attempt(content: bytes, encoding: str) -> str | None:
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        return None
    controls = {character for character in text if character < " " or "\x7f" <= character < "\xa0"}
    return text if controls <= _ALLOWED_CONTROLS else None


def _mostly_words(text: str) -> bool:
    plain = sum(character.isascii() or character.isalpha() for character in text)
    return plain > 0.9 * len(text) and sum(map(str.isascii, text)) > 0.5 * len(text)


def _too_long(upload: Upload) -> BadInput:
    size = upload.limits.max_text_bytes / 1024 / 1024
    return BadInput(
        f"{upload.name} is a longer text than I can take (at most {size:.3g} MB). Cut out the part "
        "that matters and add that."
    )
