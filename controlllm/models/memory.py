"""How much memory a process holds, as the system tells."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


def memory_of(process: int | str = "self") -> int:
    """Bytes of memory that a process holds; 0 where the system does not say.

    What it shares with others, such as code of libraries and mapped files of weights, counts in
    equal parts (PSS), so that the sum over all workers is what they hold together, with weights
    that are only mapped. The private memory alone would leave those out; the resident size would
    count libraries once for each worker. The system takes 2 to 20 ms to tell.
    """
    with contextlib.suppress(OSError, ValueError, IndexError, StopIteration):
        told = _read(f"/proc/{process}/smaps_rollup")
        line = next(line for line in told.splitlines() if line.startswith(b"Pss:"))
        return int(line.split()[1]) * 1024
    return resident_size(process)


def resident_size(process: int | str = "self") -> int:
    """Bytes of memory that a process has at hand, shared ones counted whole: never less than
    `memory_of`, and told in no time. 0 where the system does not say."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        return int(_read(f"/proc/{process}/statm").split()[1]) * _PAGE
    return 0


def reset_peak(process: int | str) -> bool:
    """Let `peak_of` tell what a process has at hand at most from here on; False where the system
    does not do so."""
    try:
        Path(f"/proc/{process}/clear_refs").write_text("5")
    except OSError:
        return False
    return True


def peak_of(process: int | str) -> int:
    """The most bytes of memory that a process had at hand; 0 where the system does not say."""
    with contextlib.suppress(OSError, ValueError, StopIteration):
        told = _read(f"/proc/{process}/status")
        line = next(line for line in told.splitlines() if line.startswith(b"VmHWM:"))
        return int(line.split()[1]) * 1024
    return 0


def _read(path: str) -> bytes:
    """A small file of the system; read so often that opening it as a path would cost too much."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        return os.read(descriptor, 1 << 14)
    finally:
        os.close(descriptor)
