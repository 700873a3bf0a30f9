"""What a QR code holds, so that a phone knows what to do with it: open, call, write or log in."""

from __future__ import annotations

import re

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
