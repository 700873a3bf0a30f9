"""Several files that a tool makes, each written as soon as it is there, so that memory stays
bounded; and the names that they shall have, as people say them: "trip_1 to trip_4", "anna, ben and
carl"."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
from pathlib import Path

import PIL.Image

from controlllm.resources import Member, Sound
from controlllm.resources.encoding import encode, write_sound
from controlllm.toolbox import Context
from controlllm.values import Kind
from controlllm.values.kinds import Found
from controlllm.values.plain import UP_TO_TWELVE

from .function_words import FUNCTION_WORDS

_JPEG_QUALITY = 95


def document(name: str, content: bytes, context: Context) -> Member:
    """A PDF among several files."""
    path = _place(context, ".pdf")
    path.write_bytes(content)
    return Member(name, "document", path)


def picture(name: str, shown: PIL.Image.Image, context: Context, as_jpeg: bool = False) -> Member:
    """A picture among several files, as PNG or, where there are very many, as JPEG."""
    path = _place(context, ".jpg" if as_jpeg else ".png")
    if as_jpeg:
        shown.convert("RGB").save(path, "JPEG", quality=_JPEG_QUALITY)
    else:
        path.write_bytes(encode("image", shown)[0])
    return Member(name, "image", path)


def sound(name: str, heard: Sound, context: Context) -> Member:
    """A sound among several files, as WAV."""
    path = _place(context, ".wav")
    with path.open("wb") as file:
        write_sound(heard, file)
    return Member(name, "audio", path)


def as_name(words: str, most: int = 40) -> str:
    """Words of somebody's as the name of a file: nothing in it but letters, figures and blanks."""
    plain = " ".join(re.sub(r"[^\w\-'’&+,. ]", " ", words).split())
    if len(plain) > most:
        plain = plain[: most + 1].rpartition(" ")[0] or plain[:most]
    return plain.strip(" .,-")


def _place(context: Context, suffix: str) -> Path:
    return context.folder / f"{uuid.uuid4().hex}{suffix}"


_FILES = (
    r"(?:files?|pictures?|photos?|images?|pics?|shots?|scans?|originals?|pdfs?|videos?|sounds?|"
    r"documents?)"
)
_MANY = rf"(?:(?:\d+|{'|'.join(UP_TO_TWELVE)}) )?"
_CALL = (
    r"\b(?:call(?:ed)?|nam(?:e|ed|ing)|renam(?:e|ed|ing)|title[d]?)\b"
    rf"(?: (?:all (?:{'|'.join(UP_TO_TWELVE)})|"
    rf"them|it|these|those|all|each|each one|(?:all )?(?:of )?(?:(?:the|my|these|those) )?"
    rf"{_MANY}{_FILES}))*"
    r"(?: (?:as|to|like|just|simply))*:? "
)
_NUMBER = r"\d{1,4}"
_UP_TO = r"(?:(?:up )?to|until|till|through|thru)"
_SERIES = re.compile(
    rf"{_CALL}(?P<base>[^\W\d][\w-]*?(?: [^\W\d][\w-]*?){{0,3}}?[ _-]?|)(?P<first>{_NUMBER})\b"
    rf" ?(?:,|{_UP_TO}|-|–|and|\.\.+|…)",
    re.IGNORECASE,
)
#: A series by its first and its last name alone: "vase-1, vase-2 and so on", "poster_01 to 03".
_BOTH_ENDS = re.compile(
    rf"(?<![\w-])(?!{_FILES}\b)(?P<base>[^\W\d][\w-]*?[_-]?)(?P<first>{_NUMBER}) ?"
    rf"(?:(?:,|{_UP_TO}|-|–|and|\.\.+|…) ?(?:(?P=base)|(?=0))|{_UP_TO} ){_NUMBER}\b"
)
_ONE_BASE = re.compile(
    rf"{_CALL}(?P<base>[^\W\d][\w-]*(?: [^\W\d][\w-]*){{0,3}}?) ?"
    r"(?:plus|and|with|followed by) (?:an? |the )?(?:running |consecutive )?numbers?\b",
    re.IGNORECASE,
)
_LIST = re.compile(rf"{_CALL}(?P<names>[^.;:!?]+)", re.IGNORECASE)
#: What stands before names that are told without a word for calling: "New names: a, b, c".
_HEADING = re.compile(r"^[^:,]*:\s*")
#: How a file is written in a list of names, and its number there.
_ENDING = re.compile(r"(?<=\w)\.(?:jpe?g|png|webp|gif|tiff?|heic|bmp|pdf)\b", re.IGNORECASE)
_NUMBERED = re.compile(r"(?<![\w.])\d{1,2} ?[=:)] ?(?=[^\W\d])")
_NUMBERED_NAME = re.compile(r"\w\d")
_LONGEST_NAME = 4
_POINTING = frozenset("the a an this that these those my our your it they all".split())
_AND = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+|\s*&\s*")
#: What stands behind the last name and is none.
_THEN = re.compile(
    r"\b(?:and|then|please|in (?:this|that|the) order)\b"
    r"(?=[^,]*\b(?:zip|pack|send|put|make|save)\b|$).*$"
)
#: In place of the number in the name of each of a series.
_PLACE = "#"


def names_for(said: str, count: int) -> list[str]:
    """The names of so many files out of an order to name them; none where it tells none, or too
    few."""
    pattern = _pattern_in(said) or _pattern_of(_BOTH_ENDS.search(_unquoted(said)))
    if pattern:
        return of_series(pattern, count)
    words = _NUMBERED.sub("", _ENDING.sub("", _unquoted(said)))
    found = _LIST.search(words)
    listed = _THEN.sub("", found["names"] if found else _HEADING.sub("", words))
    names = [name for part in _AND.split(listed) if (name := as_name(part))]
    if len(names) == 1 and (found or all(map(_NUMBERED_NAME.search, names[0].split()))):
        # "dune1 dune2 dune3": nothing but names.
        names = names[0].split()
    if not found and not all(map(_may_be_a_name, names)):
        return []
    return names if len(names) == count and count > 1 else []


def _may_be_a_name(words: str) -> bool:
    """Whether words may be a name that nothing announces: few, and no part of a sentence."""
    several = words.lower().split()
    is_told = several[0] in _POINTING or several[-1] in FUNCTION_WORDS
    return len(several) == 1 or (len(several) <= _LONGEST_NAME and not is_told)


def _pattern_of(series: re.Match[str] | None) -> str:
    return f"{series['base']}{_PLACE}{series['first']}" if series else ""


def _pattern_in(said: str) -> str:
    """The names of a series as "trip_#1"; empty where none is told."""
    words = _unquoted(said)
    if pattern := _pattern_of(_SERIES.search(words)):
        return pattern
    base = _ONE_BASE.search(words)
    return f"{base['base']} {_PLACE}1" if base else ""


def _unquoted(said: str) -> str:
    return " ".join(re.sub(r"[\"“”„«»]|(?<!\w)'|'(?!\w)", "", said).split())


def _found(words: str) -> Iterator[Found]:
    if pattern := _pattern_in(words):
        yield Found(pattern, 0, 0)


SERIES = Kind("names with numbers, such as trip_#1", _found, rf"[^{_PLACE}]*{_PLACE}\d+")


def of_series(pattern: str, count: int) -> list[str]:
    """The names of so many files of a series such as "trip_#1"."""
    base, _, first = pattern.partition(_PLACE)
    return [f"{base}{number:0{len(first)}d}" for number in range(int(first), int(first) + count)]
