"""What stands at an address: which kind of source it is, and the source that it describes."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from controlllm.sources.naming import plain
from controlllm.sources.secrets import check_name
from controlllm.sources.source import KINDS, NAME, Source

_NOT_NAMES = frozenset({"www", "api", "localhost", "com", "org", "net", "io", "openapi", "json"})


def found_at(
    address: str,
    name: str = "",
    *,
    kind: str = "",
    is_local: bool = False,
    secrets: Mapping[str, str] | None = None,
    **options: Any,
) -> Source:
    """The source at an address; `kind` and `name` are told from the address where they are empty.

    Raises ValueError or ToolError with a sentence where there is none that can be used.
    """
    kind = kind or kind_of(address)
    for secret in (secrets or {}).values():
        check_name(secret)
    if kind not in KINDS:
        kinds = ", ".join(KINDS)
        raise ValueError(f"There is no kind of source {kind!r}; it can be {kinds}.")
    name = name or name_of(address)
    if not NAME.fullmatch(name):
        raise ValueError(
            f"{name[:80]!r} cannot be the name of a source: it begins with a small letter and has "
            "only those, digits and _. Say another one (in a terminal: --name)."
        )
    module = importlib.import_module(f"controlllm.sources.{kind}.describing")
    plain_address = address.removeprefix(f"{kind}+")
    source: Source = module.described(
        plain_address, name, is_local=is_local, secrets=dict(secrets or {}), **options
    )
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
