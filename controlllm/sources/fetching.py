"""The one way to the network for foreign tools: checked addresses, limits on size and time.

Every request, also one that a redirect leads to, resolves its host anew, judges what it stands for
and connects to just that (`controlllm.network`), so that a name cannot mean another
machine between the check and the connection. The name stays in the Host header and for TLS.
"""

from __future__ import annotations

import asyncio
import time
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import httpx2

from controlllm.network.addresses import Place, Refused
from controlllm.network.transport import CheckedTransport, place_of
from controlllm.network.waiting import LOOK_SECONDS, waited
from controlllm.toolbox import Code, Context, ToolError

_REDIRECTS = (301, 302, 303, 307, 308)
_AGENT = "ControlLLM/0.1"


@dataclass(frozen=True)
class Bounds:
    """What a request may cost: seconds in all, seconds of silence, bytes of the answer after it was
    decompressed, redirects."""

    seconds: float = 60.0
    silent_seconds: float = 30.0
    most_bytes: int = 32 * 1024 * 1024
    redirects: int = 5


@dataclass(frozen=True)
class Asked:
    """A request. `secrets` are headers that only the place it was meant for may see."""

    method: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    content: bytes | None = None
    secrets: Mapping[str, str] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class Answer:
    """What came back. Names of headers are in small letters; `url` is where it came from."""

    status: int
    headers: Mapping[str, str]
    content: bytes
    url: str

    @property
    def media_type(self) -> str:
        """What the server calls the content, without parameters."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()


def fetch(
    asked: Asked,
    own: Place | None = None,
    context: Context | None = None,
    bounds: Bounds | None = None,
    transport: httpx2.AsyncBaseTransport | None = None,
) -> Answer:
    """Send a request and read all of the answer, whatever its status; see `fetched`.

    Raises Cancelled, and closes the connection, as soon as the person stops the run.
    """
    return waited(fetched(asked, own, bounds, transport), context or Context())


async def fetched(
    asked: Asked,
    own: Place | None = None,
    bounds: Bounds | None = None,
    transport: httpx2.AsyncBaseTransport | None = None,
) -> Answer:
    """Send a request and read all of the answer, whatever its status.

    Redirects are followed, never from https to http; another place sees neither secrets nor what
    was sent. Raises ToolError with what went wrong in words and its code.
    """
    limits = bounds or Bounds()
    where = place_of(asked.url)
    timeout = httpx2.Timeout(limits.silent_seconds, connect=min(10.0, limits.silent_seconds))
    try:
        async with (
            asyncio.timeout(limits.seconds),
            httpx2.AsyncClient(
                transport=transport or CheckedTransport(own),
                timeout=timeout,
                trust_env=False,
                follow_redirects=False,
            ) as client,
        ):
            for _ in range(limits.redirects + 1):
                client.cookies.clear()
                async with client.stream(
                    asked.method,
                    asked.url,
                    headers={
                        "User-Agent": _AGENT,
                        "Accept": "*/*",
                        "Accept-Encoding": "gzip",
                        **asked.headers,
                        **asked.secrets,
                    },
                    content=asked.content,
                ) as response:
                    if response.status_code in _REDIRECTS and "location" in response.headers:
                        asked = _redirected(asked, response)
                        continue
                    content = await _content(response, limits.most_bytes)
                    headers = {name.lower(): value for name, value in response.headers.items()}
                    return Answer(response.status_code, headers, content, asked.url)
            raise ToolError(f"{where.host} sends from one address to the next without end.")
    except (TimeoutError, httpx2.TimeoutException) as error:
        said = f"{where.host} did not answer in time. Try again later."
        raise ToolError(said, Code.TIMED_OUT) from TimeoutError(type(error).__name__)
    except (httpx2.ConnectError, httpx2.UnsupportedProtocol) as error:
        said = f"{where.host} could not be reached. Check its address and the network."
        raise ToolError(said, Code.NOT_SENT) from ConnectionError(type(error).__name__)
    except (httpx2.TransportError, httpx2.InvalidURL, zlib.error) as error:
        said = f"{where.host} broke off its answer, or it cannot be read. Try again later."
        raise ToolError(said, Code.ERROR) from ConnectionError(type(error).__name__)


def _redirected(asked: Asked, response: httpx2.Response) -> Asked:
    """The request that an answer sends on to; raises Refused where it leads where it must not."""
    try:
        target = httpx2.URL(asked.url).join(response.headers["location"])
    except httpx2.InvalidURL:
        raise Refused("The answer leads to something that is no address on the web.") from None
    before, after = place_of(asked.url), place_of(target)
    if before.scheme == "https" and after.scheme == "http":
        raise Refused(f"{before.host} leads from an encrypted address to one that is not.")
    changed = replace(asked, url=str(target.copy_with(fragment=None)))
    keeps = response.status_code in (307, 308) or asked.method in ("GET", "HEAD")
    if not keeps:
        left_out = ("content-type", "content-length")
        headers = {
            name: told for name, told in asked.headers.items() if name.lower() not in left_out
        }
        changed = replace(changed, method="GET", content=None, headers=headers)
    if after == before:
        return changed
    if changed.content is not None or changed.method not in ("GET", "HEAD"):
        raise Refused(f"{before.host} leads to {after.host}, which is not to see what was sent.")
    return replace(changed, secrets={}, headers={})


async def _content(response: httpx2.Response, most: int) -> bytes:
    """The body, decompressed no further than it may be long."""
    encoding = response.headers.get("content-encoding", "").strip().lower()
    if encoding not in ("", "identity", "gzip", "x-gzip", "deflate"):
        raise ToolError(f"The answer is packed as {encoding[:20]!r}, which was not asked for.")
    told = response.headers.get("content-length", "")
    if told.isdigit() and int(told) > most:
        raise _too_large(most)
    unpack = zlib.decompressobj(47) if encoding not in ("", "identity") else None
    body = bytearray()
    async for piece in response.aiter_raw():
        body += unpack.decompress(piece, most + 1 - len(body)) if unpack else piece
        if len(body) > most:
            raise _too_large(most)
    return bytes(body)


def _too_large(most: int) -> ToolError:
    return ToolError(f"The answer is larger than {most / 1024**2:,.3g} MB. Ask for less.")


def pause(seconds: float, context: Context) -> None:
    """Wait a while; raises Cancelled as soon as the person stops the run."""
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        context.check()
        time.sleep(min(left, LOOK_SECONDS))
