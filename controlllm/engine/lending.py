"""Copies of kept files for a tool to read, so that it may do with them what it likes.

A kept file belongs to everybody who has one with that content. A tool that got the path of it could
delete it or write into it.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from controlllm.resources import Clip


def lent(inputs: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """The inputs of a call; those that are files, alone or in a list, are copies in a folder that
    is made where there is any.

    Raises OSError where a copy cannot be written.
    """
    return {
        name: [_lent(item, folder) for item in value]
        if isinstance(value, list)
        else _lent(value, folder)
        for name, value in inputs.items()
    }


def _lent(value: Any, folder: Path) -> Any:
    if not isinstance(value, Clip):
        return value
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    copy = folder / value.path.name
    if not copy.exists():
        shutil.copyfile(value.path, copy)
    return replace(value, path=copy)
