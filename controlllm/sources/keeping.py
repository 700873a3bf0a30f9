"""Sources found at an address and kept in the program's home folder: a file of JSON each, for its
owner's eyes alone.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

from controlllm.sources.loading import folder_of, kept_sources
from controlllm.sources.naming import plain
from controlllm.sources.secrets import check_name
from controlllm.sources.source import ADDRESS_ALONE, KINDS, NAME, Adding, Source


def keep(source: Source, home: Path) -> Source:
    """Keep a source, in place of one with its name; the source as it is kept.

    Raises ValueError where it cannot have its name.
    """
    path = _path(source.name, home)
    folder = path.parent
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    os.chmod(folder, 0o700)
    number, name = tempfile.mkstemp(dir=folder, prefix=".new-")  # made for its owner alone
    try:
        with os.fdopen(number, "w", encoding="utf-8") as file:
            json.dump(source.to_json(), file, indent=1)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise
    return source_named(source.name, home)


def source_named(name: str, home: Path) -> Source:
    """The source kept under a name; raises KeyError where there is none."""
    for source in kept_sources(folder_of(home)):
        if source.name == name:
            return source
    raise KeyError(name)


def remove(name: str, home: Path) -> None:
    """Forget a source; raises KeyError where there is none of this name."""
    try:
        _path(name, home).unlink()
    except (FileNotFoundError, ValueError):
        raise KeyError(name) from None


def _path(name: str, home: Path) -> Path:
    _check(name)
    return folder_of(home) / f"{name}.json"


_NOT_NAMES = frozenset({"www", "api", "localhost", "com", "org", "net", "io", "openapi", "json"})


def found_at(
    address: str, name: str = "", adding: Adding = ADDRESS_ALONE, kind: str = ""
) -> Source:
    """The source at an address; `kind` and `name` are told from the address where they are empty.

    Raises ValueError or ToolError with a sentence where there is none that can be used.
    """
    kind = kind or kind_of(address)
    for secret in adding.secrets.values():
        check_name(secret)
    if kind not in KINDS:
        kinds = ", ".join(KINDS)
        raise ValueError(f"There is no kind of source {kind!r}; it can be {kinds}.")
    name = name or name_of(address)
    _check(name, " Say another one (in a terminal: --name).")
    module = importlib.import_module(f"controlllm.sources.{kind}.describing")
    plain_address = address.removeprefix(f"{kind}+")
    source: Source = module.described(plain_address, name, adding)
    return source


def kind_of(address: str) -> str:
    """The kind of source that an address says it is: ``mcp+https://...`` is an MCP server; what
    says nothing is an OpenAPI document."""
    kind, plus, _ = address.partition("+")
    if plus and kind in KINDS:
        return kind
    return (
        "gradio" if urlsplit(address).netloc.endswith((".hf.space", ".gradio.live")) else "openapi"
    )


def name_of(address: str) -> str:
    """A name for a source, out of its address."""
    if "://" not in address:
        return plain(Path(address).stem, "tools")[:20].rstrip("_")
    host = urlsplit(address.partition("+")[2] or address).hostname or "tools"
    parts = [part for part in host.split(".") if part not in _NOT_NAMES and not part.isdigit()]
    return plain(parts[-2] if len(parts) > 1 else parts[0] if parts else "local", "tools")[:20]


def _check(name: str, more: str = "") -> None:
    if not NAME.fullmatch(name):
        raise ValueError(
            f"{name[:80]!r} cannot be the name of a source: it begins with a small letter and has "
            f"only those, digits and _.{more}"
        )
