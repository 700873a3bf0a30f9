"""Passwords of PDFs: found in words, put on and taken off."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING

from controlllm.resources import DocumentFile
from controlllm.toolbox import ToolError

from . import pdf_files

if TYPE_CHECKING:
    import pypdf

_QUOTED = re.compile(
    r"\"([^\"\n]+)\"|„([^“”\n]+)[“”]|“([^”\n]+)”|«([^»\n]+)»|`([^`\n]+)`|"
    r"(?<!\w)['‘]([^'’\n]+)['’](?!\w)"
)
#: What is quoted is the name of the file: “lease.pdf”, the file called “Lease”.
_FILE_NAME = re.compile(r"\.[a-z]{2,4}$", re.IGNORECASE)
_NAMES_IT = re.compile(r"\b(?:files?|documents?|(?<!word )called|named|titled)\s*$", re.IGNORECASE)
_CIPHER = re.compile(
    r"\b(?:(?:with|using|by|in) )?(?:(?:AES|RC4)[- ]?\d*(?:[- ]bit)?|\d+[- ]bit)\b", re.IGNORECASE
)
_CALLED = r"(?:pass ?words?|pass ?codes?|pass ?phrases?|codes?|pins?|keys?|pw)"
#: What stands for a password in turn; the surest first.
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"\b{_CALLED}(?: for (?:it|this|that))? ?(?:is|are|being|(?:should|shall|will|must|can|"
        rf"to) be|was|=|:)+ *(?P<said>\S+)",
        rf"\b{_CALLED} to (?P<said>\S+)",
        rf"(?<!\S)(?P<said>\S+) as (?:the |its |a |my |our )?{_CALLED}\b",
        rf"\b{_CALLED} (?P<said>(?!protect)(?!\w+[ .,]*(?:of|to)\b)\S+)",
        r"\b(?:the|this) (?:secret |magic )?word (?:is |:)?(?P<said>(?!that\b)\S+)",
        r"[:(]\s*(?P<said>[^\s:()]+)\)?\s*$",
        r"\b(?:it's|it is|its|is|with|use|using|take|know)\s+(?P<said>\S+)",
        r"(?<!\S)(?P<said>\S*\d\S*)",
        r"^\s*(?P<said>\S+)\s*$",
    )
)
_NO_PASSWORD = frozenset(
    "a an the this that it its my our your his her of on off to for from in into so please and or "
    "with without is be which who nobody no not every each time again every one protected "
    "protection removed gone known there here pdf page pages document file password "
    "passwords code only when before after until open read view see print edit".split()
)


def said(words: str) -> str:
    """The password that words say: in quotation marks, behind "password", or as what has digits.

    Raises ToolError where they say none.
    """
    for found in _QUOTED.finditer(words):
        quoted = next(filter(None, found.groups())).strip()
        if not (_FILE_NAME.search(quoted) or _NAMES_IT.search(words[: found.start()])):
            return quoted
    words = _CIPHER.sub(" ", _QUOTED.sub(" it ", words))
    for form in _FORMS:
        for match in form.finditer(words):
            password = match["said"].strip(".,;:!?()[]")
            if password and password.lower() not in _NO_PASSWORD:
                return password
    raise ToolError("It is not said which password. Say it, as in: the password is “tulip7”.")


def locked(found: pypdf.PdfReader, password: str) -> bytes:
    """The document, encrypted so that it opens only with the password."""
    import pypdf

    writer = pypdf.PdfWriter(clone_from=found)
    writer.encrypt(password, algorithm="AES-256")
    target = io.BytesIO()
    writer.write(target)
    return target.getvalue()


def unlocked(document: DocumentFile, words: str) -> bytes:
    """The document without its password; call it within `pdf_files.readable`.

    Raises ToolError where it has none, or another than the words say.
    """
    import pypdf

    found = pypdf.PdfReader(io.BytesIO(document.path.read_bytes()), strict=False)
    if not found.is_encrypted:
        raise ToolError("This PDF has no password: it opens without one as it is.")
    if not found.decrypt(""):
        password = said(words)
        if not found.decrypt(password):
            raise ToolError(
                f"“{password}” does not open this PDF. Look how its password is written, with "
                "large and small letters, and say it in quotation marks."
            )
    return pdf_files.written(pypdf.PdfWriter(clone_from=found))
