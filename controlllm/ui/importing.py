"""What the page is made of, imported as quickly as can be: the longest part of a start."""

from __future__ import annotations

import gc
import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def quickly() -> Iterator[None]:
    """Import and build without what only takes time meanwhile.

    Gradio writes a stub of types beside each of its components, for those who program with it: a
    second of a start. It leaves out classes that come of no file, so for a while all do. Nothing
    of what is built is garbage: looking for some takes half a second.
    """
    file_of = inspect.getfile

    def no_file(asked: Any) -> str:
        if type(asked).__name__ == "ComponentMeta":
            raise OSError("no stub is wanted")
        return file_of(asked)

    gc.disable()
    inspect.getfile = no_file  # type: ignore[assignment]
    try:
        yield
    finally:
        inspect.getfile = file_of
        gc.freeze()
        gc.enable()
