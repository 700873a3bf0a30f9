"""QR codes drawn, and what they hold; QR and bar codes found and read in photos."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import PIL.Image

from controlllm.toolbox import ToolError

from .code_looks import Look

#: How large a code is at least, so that it can be printed and seen across a room.
_SIDE = 840
_QUIET = 4
BLACK_ON_WHITE = Look()
#: The longer sides in which a code is looked for: as it is first, then larger or smaller.
_LARGE, _SMALL, _MIDDLE = 2400, 900, 1500


def drawn(content: str, look: Look = BLACK_ON_WHITE) -> PIL.Image.Image:
    """A QR code with its quiet edge, in a look. Raises ToolError where it holds too much, or could
    not be scanned."""
    import segno

    look.expect_scannable()
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
    wide = int(code.symbol_size(border=_QUIET)[0])
    file = io.BytesIO()
    code.save(file, kind="png", border=_QUIET)
    squares = PIL.Image.open(io.BytesIO(file.getvalue())).convert("L")
    side = look.side or wide * max(4, -(-_SIDE // wide))
    return replace(look, side=side).put_on(squares)


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
_WIFI = re.compile(r"(?i)\b(?:wi-?fi|w-?lan|wireless|ssid|(?:guest )?network)\b")
#: A name and a password, of nothing else than a network.
_LOGIN = re.compile(r"(?i)^name\b[^@]+\bpass ?wor[dt]\b[^@]+$")
_QUOTED = """["“„«]([^"”“»]+)["”“»]|(?<!\\w)['‘]([^\\n]+?)['’](?!\\w)"""
_PASS = r"(?:pass ?(?:wor[dt]|phrase|code|key)|kennwort|key|pw|pwd)"
#: Where the name of a network ends: at a sign, a line's end or where something else is said.
_END = (
    r"(?=\s*(?:[,;\n]|[.!?](?:\s|$)|$|\b(?:and|with) (?:it|is|no|has|an? |the )|"
    rf"\b(?:{_PASS}|hidden|open|without|(?:and|with)\s*\n)))"
)
_NO_NAME = r"(?:is|are|called|named|of|code|qr|login|access|for|so|in|at)\b"
_SAID = rf"\s*(?:{_QUOTED}|(?!{_NO_NAME})([^\s,;].*?){_END})"
_NET = r"(?:network|wi-?fi|w-?lan|wireless)"
_IS = r"(?:\s*[:=]|'s\b|\s+(?:is|called|named))*"
#: What names a network, the surest first.
_NAMED = tuple(
    re.compile(pattern + _SAID, re.IGNORECASE)
    for pattern in (
        rf"\bssid\b{_IS}",
        rf"\b(?:{_NET}(?:'s)? )?name(?: of (?:the|our|my|it)?\s*{_NET}?)?\b{_IS}",
        r"\b(?:is|it's|called|named)(?: called| named)\b",
        r"\b(?:called|named)\b",
        rf"\b{_NET}(?: network)?(?:\s*[:=]|\s+is\b)",
        r"\bnetwork\b",
        rf"\b{_NET}(?: network)?\b",
    )
)
#: Figures in groups are one password that is printed so.
_PASSWORD = re.compile(
    rf"(?i)(?:(?:,|;|and|with|whose|its|the|our|my|a|wi-?fi|wlan)\s+)*\b{_PASS}\b(?:\s+is\b)?"
    rf"\s*[:=]?\s*(?:{_QUOTED}|(\d{{4}}(?: \d{{4}}){{1,5}}(?!\w)|[^\s,]+))"
)
#: An order to make a code, before what it shall hold.
_ORDER = re.compile(
    r"(?i)^(?:(?:please|can|could|you|i|need|want|i['’]d|like|make|create|generate|draw|give|get|"
    r"me|us|an?|one|the) )*qr(?:[ -]?codes?)?(?: \w+)?? (?:of|for|to|with|from):? "
    r"(?:the |these )?(?:(?:text|words?|content)\b:? (?:that says |saying )?)?(?=\S)"
)
#: What is said of words before them.
_TOLD = re.compile(r"^(?i:the )?(?i:text|words?)\b:? (?=[A-Z\d])")
_OPEN = re.compile(r"(?i)\b(?:open|no password|without (?:a )?password)\b")


def content_of(text: str, ending: str = "") -> str:
    """The content of a code for a text: ``www.…`` as a link, a phone number to be called, the words
    for a Wi-Fi network as its login, whose password ends with `ending`; any other text as it
    stands."""
    text = _TOLD.sub("", text.strip())
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
        login = _login(text, ending)
        return login or (_linked(first) if _linked(first) != first else content_of(ordered, ending))
    return _login(text, ending) or _called(text) or _linked(text)


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


def _login(text: str, ending: str) -> str:
    """The login of a Wi-Fi network that is told in words; empty where it is none."""
    if not _WIFI.search(text) and not _LOGIN.search(text):
        return ""
    said = _PASSWORD.search(text)
    rest = text if said is None else f"{text[: said.start()]}\n{text[said.end() :]}"
    found = (match for pattern in _NAMED for match in pattern.finditer(rest))
    name = next((_one_of(match).strip(" .:!?") for match in found), "")
    if not name or (said is None and not _OPEN.search(text)):
        return ""
    parts = {"T": "nopass" if said is None else "WEP" if "WEP" in text else "WPA"}
    parts["S"] = _escaped(name)
    if said is not None:
        password = _one_of(said) if said[1] or said[2] else _bare(said[3])
        parts["P"] = _escaped(password.removesuffix(ending) + ending)
    if re.search(r"(?i)\bhidden\b", rest):
        parts["H"] = "true"
    return "WIFI:" + "".join(f"{key}:{value};" for key, value in parts.items()) + ";"


def _one_of(match: re.Match[str]) -> str:
    return next(filter(None, match.groups()), "")


def _bare(password: str) -> str:
    """A password without the end of the sentence that it stands in, and the blanks between groups
    of figures."""
    return re.sub(r"(?<=\d) (?=\d)", "", password).rstrip(".;") or password


def network_of(content: str) -> str:
    """The name of the network whose login a code holds; empty where it holds none."""
    found = re.match(r"WIFI:(?:[TPH]:(?:\\.|[^\\;])*;)*S:((?:\\.|[^\\;])*);", content)
    return re.sub(r"\\(.)", r"\1", found[1]) if found else ""


def _escaped(value: str) -> str:
    return re.sub(r'([\\;,:"])', r"\\\1", value)
