"""What was learnt from calls, in a file that may be lost without harm."""

from __future__ import annotations

import contextlib
import json
import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any


class LearntFile:
    """A JSON object in a file; safe for many threads. Without a path nothing is kept."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._lock = threading.Lock()

    def read(self) -> dict[str, Any]:
        """What was written last; nothing where that cannot be read."""
        with contextlib.suppress(OSError, ValueError, TypeError):
            if self._path is not None:
                return dict(json.loads(self._path.read_text()))
        return {}

    def write(self, learnt: Mapping[str, Any]) -> None:
        """Write all of it anew, in one step; `learnt` must not change meanwhile."""
        if self._path is None:
            return
        fresh = self._path.with_suffix(".new")
        with self._lock, contextlib.suppress(OSError):  # it is learnt again
            fresh.write_text(json.dumps(learnt, indent=1))
            os.replace(fresh, self._path)
