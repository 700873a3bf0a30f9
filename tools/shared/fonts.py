"""The letters that are here: which font has a sign, and how wide words are in it.

Those that come with matplotlib look the same on every machine; what they lack, such as Chinese or
Japanese, is taken from a font of the system where one has it.
"""

from __future__ import annotations

import functools
import importlib.util
import os
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import PIL.ImageFont

from controlllm.toolbox import ToolError


def font(size: float) -> PIL.ImageFont.FreeTypeFont:
    """The usual letters at a size in pixels."""
    return loaded(str(_own_fonts()[0]), size)


def length(words: str, size: float) -> float:
    """How wide a line of words is, in pixels."""
    return sum(loaded(path, size).getlength(part) for path, part in runs(words))


def runs(line: str) -> Iterator[tuple[str, str]]:
    """The parts of a line that are written in one font each, with the font's file."""
    used, part = "", ""
    for sign in line:
        path = used if sign == " " and used else font_of(sign)
        if path != used and part:
            yield used, part
            part = ""
        used, part = path, part + sign
    if part:
        yield used, part


@functools.lru_cache(maxsize=4096)
def font_of(sign: str) -> str:
    """The file of the first font that has a sign. Raises ToolError where none has."""
    for path in _own_fonts():
        if sign == " " or _has(str(path), sign):
            return str(path)
    for path in _system_fonts():
        if _has(str(path), sign):
            return str(path)
    name = unicodedata.name(sign, f"U+{ord(sign):04X}").lower()
    raise ToolError(
        f"“{sign}” ({name}) cannot be written: no font here has this sign. Leave it out, or "
        "install a font that has it."
    )


def _has(path: str, sign: str) -> bool:
    """Whether a font has a sign; it draws the same for all that it lacks."""
    try:
        used = loaded(path, 40)
        lacking = used.getmask("\uffff")
        drawn = used.getmask(sign)
    except OSError:
        return False
    if drawn.size == lacking.size and bytes(drawn) == bytes(lacking):
        return False
    return bool(drawn.getbbox()) or unicodedata.combining(sign) > 0


@functools.cache
def _own_fonts() -> tuple[Path, ...]:
    found = importlib.util.find_spec("matplotlib")
    for folder in (found.submodule_search_locations or ()) if found else ():
        fonts = Path(folder) / "mpl-data" / "fonts" / "ttf"
        if (fonts / "DejaVuSans-Bold.ttf").is_file():
            return fonts / "DejaVuSans-Bold.ttf", fonts / "DejaVuSans.ttf"
    raise ToolError(
        "The letters for writing on pictures are missing: they come with the package matplotlib. "
        "Install it with “pip install matplotlib”."
    )


@functools.cache
def _system_fonts() -> tuple[Path, ...]:
    """The fonts of the system, bold ones without serifs first."""
    home = Path.home()
    folders = {
        "darwin": [Path("/System/Library/Fonts"), Path("/Library/Fonts"), home / "Library/Fonts"],
        "win32": [Path(os.environ.get("WINDIR", "C:/Windows")) / "Fonts"],
    }.get(
        sys.platform,
        [Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), home / ".local/share/fonts"],
    )
    found = [
        path
        for folder in folders
        for path in sorted(folder.rglob("*"))
        if path.suffix.lower() in (".ttf", ".otf", ".ttc")
    ]
    return tuple(sorted(found, key=_preference))


def _preference(path: Path) -> tuple[bool, bool, bool]:
    name = path.stem.lower()
    return "italic" in name or "oblique" in name, "serif" in name, "bold" not in name


@functools.lru_cache(maxsize=64)
def loaded(path: str, size: float) -> PIL.ImageFont.FreeTypeFont:
    """The letters of a font's file at a size in pixels."""
    return PIL.ImageFont.truetype(path, size)
