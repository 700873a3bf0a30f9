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
#: What has not ended by then, such as a thread that plans for a very long text, is left behind.
LAST_SECONDS = 4.0


class Server(uvicorn.Server):
    """A server that stops what runs as soon as it is told to end.

    Parameters
    ----------
    begin: loads what the page itself does not need; called once, in a thread, when it listens.
    leave: stops what runs; called once, in a thread.
    """

    def __init__(
        self, config: uvicorn.Config, begin: Callable[[], None], leave: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._begin = begin
        self._leave = leave
        self._is_leaving = False

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen, then have the rest loaded."""
        await super().startup(sockets)
        threading.Thread(target=self._begin, daemon=True).start()

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
            os._exit(0)


def serve(server: Server) -> None:
    """Serve until a signal ends it; that is no error."""
    # The server raises the signal anew when it has ended.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with contextlib.suppress(KeyboardInterrupt):
        server.run()
