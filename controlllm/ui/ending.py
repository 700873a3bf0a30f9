"""How the server begins, and how it ends: at once with what runs, soon with the rest, and always
with 0."""

from __future__ import annotations

import os
import signal
import socket
import threading
import time
from collections.abc import Callable
from typing import Any

import uvicorn

from controlllm.settings.quotas import Quotas
from controlllm.ui.connections import Connections

#: Pages have this long to hear that the program ends, in seconds.
GRACE = 1
#: What has not ended by then, such as a thread that plans, is left behind.
LAST_SECONDS = 4.0


class Server:
    """Serves an application at a socket that listens, in a thread of its own.

    Parameters
    ----------
    listening: the socket.
    """

    def __init__(self, app: Any, listening: socket.socket) -> None:
        #: Whether the page has taken over from the one that waits.
        self.is_entered = False
        self.connections = Connections(Quotas(), lambda limit: None)
        config = uvicorn.Config(
            app,
            http=self.connections.protocol(),
            ws="none",
            log_level="warning",
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=GRACE,
        )
        self._server = uvicorn.Server(config)
        self._listening = listening
        self._told = threading.Event()
        self._thread = threading.Thread(
            target=self._server.run, kwargs={"sockets": [listening]}, daemon=True
        )
        self._thread.start()

    def serve(self, begin: Callable[[], None], leave: Callable[[], None]) -> None:
        """Serve until a signal ends it; that is no error. Called in the main thread.

        Parameters
        ----------
        begin: loads what the page itself does not need; called once, in a thread.
        leave: stops what runs; called once.
        """
        for wanted in (signal.SIGINT, signal.SIGTERM):
            signal.signal(wanted, lambda *_: self._told.set())
        # No daemon: a library's own code that is cut off in the middle aborts the program.
        threading.Thread(target=begin).start()
        while self._thread.is_alive() and not self._told.wait(0.5):
            pass
        threading.Thread(target=_end_at_last, daemon=True).start()
        leave()
        self.stop()

    def stop(self) -> None:
        """Let nobody in any more, and wait for those who are there, but not for long."""
        self._server.should_exit = True
        self._thread.join(LAST_SECONDS)
        self._listening.close()


def _end_at_last() -> None:
    time.sleep(LAST_SECONDS)
    os._exit(0)
