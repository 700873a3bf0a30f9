"""The files of a conversation as data inside of a page: pictures made smaller, the rest as it is
up to a size."""

from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path

from controlllm.resources import Resource
from controlllm.ui.drawings.media import is_picture
from controlllm.ui.files import scaled

#: The longer side of a picture, and of a small one, in pixels.
_SIDE, _SMALL = 1280, 240
#: A sound or video that is larger is only named, in bytes.
MOST_BYTES = 6_000_000
#: All files together, in bytes; what comes after that is only named.
MOST_TOGETHER = 40_000_000


class Contents:
    """Gives the data of files, as long as there is room.

    Parameters
    ----------
    find: gives the stored file of a resource's value; raises KeyError where there is none.
    """

    def __init__(self, find: Callable[[str], Path]) -> None:
        self._find = find
        self._left = MOST_TOGETHER
        self._made: dict[tuple[str, bool], str] = {}

    def address(self, resource: Resource, small: bool) -> str:
        """The data of a file as an address; empty where it is too large or cannot be read."""
        key = (resource.value, small)
        if key not in self._made:
            media_type, content = self._content(resource, small)
            self._left -= len(content)
            data = base64.b64encode(content).decode()
            self._made[key] = f"data:{media_type};base64,{data}" if content else ""
        elif self._made[key]:
            self._left -= len(self._made[key]) * 3 // 4
        return self._made[key] if self._left >= 0 else ""

    def _content(self, resource: Resource, small: bool) -> tuple[str, bytes]:
        try:
            path = self._find(resource.value)
            if is_picture(resource) or small:
                side = _SMALL if small else _SIDE
                found = scaled(path, resource.media_type.startswith("video/"), side)
                return "image/webp", found or b""
            if path.stat().st_size > min(MOST_BYTES, max(self._left, 0)):
                return "", b""
            return resource.media_type, path.read_bytes()
        except (OSError, KeyError):
            return "", b""
