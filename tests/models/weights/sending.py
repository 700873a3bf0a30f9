"""Servers of files on this machine that can be made to fail in the ways that networks do."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

PIECE = 16_384


class Source:
    """How a server is to fail, and what it has sent."""

    def __init__(self) -> None:
        #: After so many bytes the next downloads break off; each cut is used once.
        self.cuts: list[int] = []
        #: After so many bytes of a file (of the one called `slow`, if that is said) it sends a byte
        #: now and then, so that a download of more is certainly at work for as long as this is set.
        self.slow_after: int | None = None
        self.slow = ""
        #: Bytes of content sent, by the file's name.
        self.sent: Counter[str] = Counter()
        self.address = ""


class Handler(BaseHTTPRequestHandler):
    """Answers for a `source`."""

    protocol_version = "HTTP/1.1"
    source: Any

    def log_message(self, *_: object) -> None:
        pass

    def do_HEAD(self) -> None:
        self.do_GET()

    def head(self, status: int, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def answer(self, status: int, kind: str, body: bytes, **headers: str) -> None:
        told = {name.replace("_", "-"): value for name, value in headers.items()}
        self.head(status, {"Content-Type": kind, "Content-Length": str(len(body)), **told})
        if self.command != "HEAD":
            self.wfile.write(body)

    def send(
        self, name: str, content: bytes, headers: dict[str, str], ranges: bool, counts: bool = True
    ) -> None:
        """Send a file, or the part of it that is asked for; only what `counts` may fail."""
        start, end, wanted = 0, len(content), self.headers.get("Range", "") if ranges else ""
        if wanted:
            first, _, last = wanted.removeprefix("bytes=").partition("-")
            start = int(first) if first else end - int(last)
            end = min(int(last) + 1, end) if first and last else end
            if start >= len(content):
                return self.answer(416, "text/plain", b"")
            headers = {**headers, "Content-Range": f"bytes {start}-{end - 1}/{len(content)}"}
        told = {"Accept-Ranges": "bytes", "Content-Length": str(end - start), **headers}
        self.head(206 if wanted else 200, told)
        if self.command == "HEAD":
            return None
        # The installers look into an archive by its last bytes; only a download goes to the end.
        counts = counts and end == len(content) and (not wanted or wanted.endswith("-"))
        source = self.source
        if counts and source.cuts and len(content) > PIECE:
            end = min(end, start + source.cuts.pop(0))
            self.close_connection = True
        position = start
        while position < end:
            is_slow = counts and source.slow_after is not None and source.slow in ("", name)
            is_slow = is_slow and position >= source.slow_after
            piece = content[position : min(position + (1 if is_slow else PIECE), end)]
            position += len(piece)
            try:
                self.wfile.write(piece)
            except OSError:
                self.close_connection = True
                return None
            source.sent[name] += len(piece) if counts else 0
            if is_slow:
                time.sleep(0.05)
        return None


@contextmanager
def listening(source: Source, *handlers: type[Handler]) -> Iterator[list[str]]:
    """The addresses of servers that listen on this machine until the block ends."""
    with ExitStack() as stack:
        addresses = []
        for base in handlers:
            handler = type(f"Bound{base.__name__}", (base,), {"source": source})
            server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
            server.daemon_threads = True
            threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
            stack.callback(server.server_close)
            stack.callback(server.shutdown)
            addresses.append(f"http://127.0.0.1:{server.server_address[1]}")
        yield addresses
