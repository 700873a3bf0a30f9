"""Fetching a file that a service has made and named the address of."""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import Mapping
from urllib.parse import urljoin, urlsplit

from controlllm.network.waiting import waited
from controlllm.toolbox import Context, ToolError

MOST_BYTES = 256 * 1024 * 1024
WHOLE_SECONDS = 180.0


def fetch(
    address: str,
    service: str,
    source: str,
    context: Context,
    headers: Mapping[str, str] | None = None,
    most_bytes: int = MOST_BYTES,
) -> bytes:
    """The bytes at an address that a service told; raises ToolError.

    The address is either at the service itself, which alone gets `headers`, or encrypted and on the
    public network. No redirect is followed.
    """
    url = urljoin(service.rstrip("/") + "/", address)
    is_own = _place(url) == _place(service)
    if not is_own and not _is_public(url):
        raise ToolError(f"{source} names an address that is not asked for safety's sake.")
    found = waited(_fetched(url, source, headers if is_own else None, most_bytes), context)
    if isinstance(found, bytes):
        return found
    raise ToolError(found)


async def _fetched(
    url: str, source: str, headers: Mapping[str, str] | None, most_bytes: int
) -> bytes | str:
    """The bytes, or a sentence about the fault."""
    import httpx

    failed = f"The file that {source[0].lower()}{source[1:]} made could not be fetched. Try again."
    try:
        async with (
            asyncio.timeout(WHOLE_SECONDS),
            httpx.AsyncClient(timeout=30.0, headers=dict(headers or {})) as client,
            client.stream("GET", url) as response,
        ):
            if response.status_code != 200:
                return failed
            body = bytearray()
            async for chunk in response.aiter_bytes():
                body += chunk
                if len(body) > most_bytes:
                    return f"{source} made a file that is too large to be fetched."
            return bytes(body)
    except (httpx.HTTPError, httpx.InvalidURL, TimeoutError):
        return failed


def _place(url: str) -> tuple[str, str, int | None]:
    try:
        parts = urlsplit(url)
        return parts.scheme, (parts.hostname or "").lower(), parts.port
    except ValueError:
        return "", "", None


def _is_public(url: str) -> bool:
    """Whether an address is encrypted and names a host, not a machine nearby by its number."""
    scheme, host, _ = _place(url)
    if scheme != "https" or "." not in host or host.endswith((".local", ".internal", ".localhost")):
        return False
    try:
        return ipaddress.ip_address(host).is_global
    except ValueError:
        return not host.replace(".", "").isdigit()
