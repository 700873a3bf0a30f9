"""Web servers on loopback that answer as a test says."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Asked:
    """A request, and ways to answer it."""

    def __init__(self, handler: BaseHTTPRequestHandler) -> None:
        self._handler = handler
        self.method, self.path = handler.command, handler.path
        self.headers = dict(handler.headers.items())
        self.content = handler.rfile.read(int(handler.headers.get("Content-Length") or 0))

    def answer(self, status: int, content: bytes = b"", /, **headers: str) -> None:
        self.begin(status, **{"Content-Length": str(len(content)), **headers})
        self.write(content)

    def json(self, told: Any, status: int = 200, **headers: str) -> None:
        content = json.dumps(told).encode()
        self.answer(status, content, **{"Content-Type": "application/json", **headers})

    def begin(self, status: int, **headers: str) -> None:
        self._handler.send_response(status)
        for name, value in headers.items():
            self._handler.send_header(name.replace("_", "-"), value)
        self._handler.end_headers()

    def write(self, content: bytes) -> None:
        self._handler.wfile.write(content)
        self._handler.wfile.flush()


@contextmanager
def serving(answer: Callable[[Asked], None]) -> Iterator[tuple[str, list[Asked]]]:
    """The address of a server that answers so, and what it was asked."""
    seen: list[Asked] = []

    class Handler(BaseHTTPRequestHandler):
        def handle_any(self) -> None:
            asked = Asked(self)
            seen.append(asked)
            try:
                answer(asked)
            except OSError:
                self.close_connection = True

        do_GET = do_POST = do_DELETE = handle_any

        def log_message(self, *_: Any) -> None:
            """Nobody reads it."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", seen
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
