"""The standard input of helper processes, read by a thread of its own."""

from __future__ import annotations

import os
from collections.abc import Iterator


def lines_in(descriptor: int = 0) -> Iterator[bytes]:
    """The lines that come in by a descriptor, usually the standard input, without their line
    breaks, until it ends.

    Python's own standard input has a lock; a thread that waits for a line there holds it, and a
    program that ends meanwhile dies of not getting it.
    """
    rest = b""
    while piece := os.read(descriptor, 1 << 16):
        *whole, rest = (rest + piece).split(b"\n")
        yield from whole
