"""Secrets of sources, by name: from the environment, or a file that only its owner may read.

A source keeps names alone. A value is looked up when a call is made and goes into that call only:
never into prompts, events, logs, sentences or what is kept of a source.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path

from controlllm.toolbox import Code, ToolError

FILE = "secrets.json"
PREFIX = "CONTROLLLM_SECRET_"
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")


def check_name(name: str) -> None:
    """Raise ValueError where a secret cannot have this name; it may well be the secret itself,
    which is why it is not repeated."""
    if not _NAME.fullmatch(name):
        raise ValueError(
            "A secret is given by its name, made of letters, digits and _: set it as "
            f"{PREFIX}NAME or in {FILE}, and say NAME here."
        )


def secret(name: str, home: Path | None = None, environment: Mapping[str, str] = os.environ) -> str:
    """A secret by its name; raises ToolError where it is not set or its file is open to others."""
    check_name(name)
    found = environment.get(PREFIX + name.upper(), "").strip() or _in_file(name, home)
    if not found:
        raise ToolError(
            f"The secret {name!r} is not set. Set {PREFIX}{name.upper()}, or put it into {FILE} "
            "in the program's home folder.",
            Code.UNAUTHORISED,
        )
    if not found.isprintable():
        raise ToolError(f"The secret {name!r} holds characters that cannot be sent.")
    return found


def _in_file(name: str, home: Path | None) -> str:
    path = None if home is None else home / FILE
    if path is None or not path.is_file():
        return ""
    if os.name == "posix" and path.stat().st_mode & 0o077:
        raise ToolError(
            f"{FILE} can be read by others on this computer, so it is not used. Make it yours "
            f"alone: chmod 600 {FILE}.",
            Code.UNAUTHORISED,
        )
    try:
        kept = json.loads(path.read_text("utf-8"))
        return str(kept.get(name, "")).strip()
    except (OSError, ValueError, AttributeError):
        # What cannot be read is not quoted: it may hold secrets.
        raise ToolError(
            f"{FILE} cannot be read; it is to be one JSON object of names and secrets.",
            Code.UNAUTHORISED,
        ) from None
