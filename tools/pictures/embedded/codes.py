"""QR codes drawn, and what they hold; QR and bar codes found and read in photos."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence

import numpy as np
import PIL.Image

from controlllm.toolbox import ToolError

#: How large a code is at least, so that it can be printed and seen across a room.
_SIDE = 840
_QUIET = 4
#: The longer sides in which a code is looked for: as it is first, then larger or smaller.
_LARGE, _SMALL, _MIDDLE = 2400, 900, 1500


def drawn(content: str) -> PIL.Image.Image:
    """A black QR code on white with its quiet edge. Raises ToolError where it holds too much."""
    import segno

    encoding = None if content.isascii() else "utf-8"
    try:
        code = segno.make(content, micro=False, error="m", encoding=encoding, boost_error=True)
    except segno.DataOverflowError:
        try:
            code = segno.make(content, micro=False, error="l", encoding=encoding)
        except segno.DataOverflowError:
            raise ToolError(
                f"The text is too long for a QR code: it has {len(content)} characters, and a code "
                "holds at most about 2900, fewer where they are not plain letters. Put it on a "
                "page and make a code of the link to it."
            ) from None
    wide = code.symbol_size(border=_QUIET)[0]
    file = io.BytesIO()
    code.save(file, kind="png", scale=max(4, -(-_SIDE // wide)), border=_QUIET)
    return PIL.Image.open(io.BytesIO(file.getvalue())).convert("L")


def read(image: PIL.Image.Image) -> list[str]:
    """What the codes in a picture hold, each once, from the top down."""
    for picture in _views(image):
        found = [*_qr_codes(picture), *_bar_codes(picture)]
        if found:
            lines = (text for _, text in sorted(found, key=lambda item: item[0]))
            return list(dict.fromkeys(lines))
    return []


def _views(image: PIL.Image.Image) -> Iterator[np.ndarray]:
    """The picture as the readers may like it: grey, in several sizes, framed in white, turned."""
    grey = image.convert("L")
    longest = max(grey.size)
    sides = [min(longest, _LARGE)]
    sides += [side for side in (_SMALL, _MIDDLE, _LARGE) if 0.15 < longest / side < 8]
    for side in dict.fromkeys(sides):
        scale = side / longest
        size = (max(1, round(grey.width * scale)), max(1, round(grey.height * scale)))
        how = PIL.Image.Resampling.BICUBIC if scale > 1 else PIL.Image.Resampling.BOX
        picture = np.asarray(grey if scale == 1 else grey.resize(size, how))
        # A code that reaches to the picture's edge has no quiet edge of its own.
        yield np.pad(picture, max(10, side // 20), constant_values=255)
        if side in (sides[0], _SMALL):
            yield np.pad(255 - picture, max(10, side // 20), constant_values=255)
    middle = grey.copy()
    middle.thumbnail((_MIDDLE, _MIDDLE))
    for angle in (90, 45, -45):
        turned = middle.rotate(angle, PIL.Image.Resampling.BICUBIC, expand=True, fillcolor=255)
        yield np.pad(np.asarray(turned), 40, constant_values=255)


def _qr_codes(picture: np.ndarray) -> list[tuple[float, str]]:
    import cv2

    for reader in (cv2.QRCodeDetector(), cv2.QRCodeDetectorAruco()):
        try:
            ok, texts, places, _ = reader.detectAndDecodeMulti(picture)
        except (cv2.error, UnicodeDecodeError):
            continue
        found = _with_heights(texts, places) if ok else []
        if found:
            return found
    return []


def _bar_codes(picture: np.ndarray) -> list[tuple[float, str]]:
    import cv2

    try:
        ok, texts, _, places = cv2.barcode.BarcodeDetector().detectAndDecodeWithType(picture)
    except (cv2.error, UnicodeDecodeError):
        return []
    return _with_heights(texts, places) if ok else []


def _with_heights(texts: Sequence[str], places: np.ndarray) -> list[tuple[float, str]]:
    return [
        (float(np.asarray(place).reshape(-1, 2)[:, 1].mean()), text)
        for text, place in zip(texts, places, strict=False)
        if text
    ]


_LINK = re.compile(r"(?i)(?:www\.)?(?:[a-z0-9-]+\.)+[a-z]{2,}(?::\d+)?(?:[/?#]\S*)?")
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_PHONE = re.compile(r"(?:\+|00)?[\d][\d ()/.-]{5,20}\d")
_MARKED_PHONE = re.compile(
    r"(?i)(?:tel|call|(?:tele|my )?phone|(?:tele)?phone number|mobile)\b[ .:]*(\+?[\d ()/.-]+)"
)
_WIFI = re.compile(r"(?i)\b(?:wi-?fi|wlan|wireless|ssid|network)\b")
_QUOTED = """["“„'‘]([^"”“'’]+)["”“'’]"""
#: Where the name of a network ends: at a sign, a line's end or where the password begins.
_END = r"(?=\s*(?:[,;\n]|$|\b(?:and|with|pass(?:word|phrase|code)?|key|pw|hidden)\b))"
_NAMED = re.compile(
    rf"(?i)\b(?:ssid|(?:network|wi-?fi|wlan|wireless)(?: network)?(?: name)?)\b"
    rf"(?: (?:is|called|named))?\s*[:=]?\s*(?:{_QUOTED}|(.+?){_END})"
)
_PASSWORD = re.compile(
    rf"(?i)\b(?:pass(?:word|phrase|code)?|key|pw)\b(?: is)?\s*[:=]?\s*(?:{_QUOTED}|([^\s,]+))"
)
#: An order to make a code, before what it shall hold.
_ORDER = re.compile(
    r"(?i)^(?:(?:please|can|could|you|i|need|want|i['’]d|like|make|create|generate|draw|give|get|"
    r"me|us|an?|one|the) )*qr(?:[ -]?codes?)?(?: \w+)?? (?:of|for|to|with|from):? (?=\S)"
)
_OPEN = re.compile(r"(?i)\b(?:open|no password|without (?:a )?password)\b")


def content_of(text: str) -> str:
    """The content of a code for a text: ``www.…`` as a link, a phone number to be called, the words
    for a Wi-Fi network as its login; any other text as it stands."""
    text = text.strip()
    links = re.findall(r"\b[a-z][a-z0-9+.-]*://\S+", text, re.IGNORECASE)
    if len(links) == 1 and "\n" not in text:
        # What stands around an address says what the code is for.
        return links[0].rstrip(".,;:!?)\"'”’")
    if links or text.upper().startswith("WIFI:T:"):
        return text
    ordered = _ORDER.sub("", text)
    if ordered != text:
        # Behind an address is what the code is for.
        first = ordered.split()[0].rstrip(".,;:!?)")
        return _login(text) or (_linked(first) if _linked(first) != first else content_of(ordered))
    return _login(text) or _called(text) or _linked(text)


def _linked(text: str) -> str:
    if _MAIL.fullmatch(text):
        return f"mailto:{text}"
    return f"https://{text}" if _LINK.fullmatch(text) else text


def _called(text: str) -> str:
    marked = _MARKED_PHONE.fullmatch(text)
    number = marked[1] if marked else text
    digits = re.sub(r"[^\d+]", "", number)
    # A date, a year or an article's number is no phone number: one has a sign of it, or is marked.
    is_phone = marked or (_PHONE.fullmatch(text) and text.startswith(("+", "0")))
    return f"tel:{digits}" if is_phone and 6 <= len(digits) <= 16 else ""


def _login(text: str) -> str:
    """The login of a Wi-Fi network that is told in words; empty where it is none."""
    if not _WIFI.search(text):
        return ""
    password = _PASSWORD.search(text)
    is_open = _OPEN.search(text) is not None
    rest = text if password is None else f"{text[: password.start()]}\n{text[password.end() :]}"
    names = [found[1] or found[2] for found in _NAMED.finditer(rest)]
    names = [name.strip(" .:") for name in names if name and name.strip(" .:")]
    if not names or (password is None and not is_open):
        return ""
    parts = {"T": "nopass" if password is None else "WEP" if "WEP" in text else "WPA"}
    parts["S"] = _escaped(names[-1])
    if password is not None:
        parts["P"] = _escaped(password[1] or password[2])
    if re.search(r"(?i)\bhidden\b", rest):
        parts["H"] = "true"
    return "WIFI:" + "".join(f"{key}:{value};" for key, value in parts.items()) + ";"


def _escaped(value: str) -> str:
    return re.sub(r'([\\;,:"])', r"\\\1", value)
