"""The way of MCP clients to the network."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from controlllm.sources.source import Source


def secret(name: str) -> str:
    return os.environ.get(name, "")


def client_for(source: Source, most_bytes: int, note: Callable[[int], None]) -> Any:
    """A client of httpx2 that sends a source's secrets to its server alone."""
    import httpx2

    headers = {
        ("Authorization" if name == "bearer" else name): (
            f"Bearer {secret(kept)}" if name == "bearer" else secret(kept)
        )
        for name, kept in source.secrets.items()
    }

    async def seen(response: Any) -> None:
        note(response.status_code)

    return httpx2.AsyncClient(
        headers=headers, timeout=httpx2.Timeout(30.0, read=300.0), event_hooks={"response": [seen]}
    )
