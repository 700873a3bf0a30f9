"""How the server begins, with what may take its time, and how it ends: at once with what runs, soon
with the rest, and always with 0."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import uvicorn

#: Pages have this long to hear that the program ends, in seconds.
GRACE = 1
#: What has not ended by then, such as a thread that plans, is left behind.
LAST_SECONDS = 4.0
#: Connections that may wait to be taken, as many as uvicorn has by itself.
_BACKLOG = 2048


class Server(uvicorn.Server):
    """A server that stops what runs as soon as it is told to end.

    Parameters
    ----------
    begin: loads what the page itself does not need; called once, in a thread, when it listens.
    leave: stops what runs; called once, in a thread.
    last: what is done when all has ended, or is left behind; may be called twice.
    """

    def __init__(
        self,
        config: uvicorn.Config,
        begin: Callable[[], None],
        leave: Callable[[], None],
        last: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(config)
        self.last = last
        self._begin = begin
        self._leave = leave
        self._is_leaving = False

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen, then have the rest loaded."""
        await super().startup(sockets)
        # No daemon: a library's own code that is cut off in the middle aborts the program.
        threading.Thread(target=self._begin).start()

    def handle_exit(self, sig: int, frame: Any) -> None:
        """Told to end by a signal."""
        if not self._is_leaving:
            self._is_leaving = True
            threading.Thread(target=self._end, daemon=True).start()
        super().handle_exit(sig, frame)

    def _end(self) -> None:
        limit = time.monotonic() + LAST_SECONDS
        try:
            self._leave()
        finally:
            time.sleep(max(0.0, limit - time.monotonic()))
            try:
                self.last()
            finally:
                os._exit(0)


def listening(host: str, port: int) -> socket.socket:
    """A socket at an address; raises OSError where nobody can listen there."""
    kind, _, _, _, address = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    made = socket.socket(kind, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
        made.listen(_BACKLOG)
    except OSError:
        made.close()
        raise
    return made


def serve(server: Server, at: socket.socket) -> None:
    """Serve at a socket until a signal ends it; that is no error."""
    # The server raises the signal anew when it has ended.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        with contextlib.suppress(KeyboardInterrupt):
            server.run([at])
    finally:
        server.last()
