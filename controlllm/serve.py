"""Serves the page until it is stopped: ``controlllm serve``, or ``python app.py`` in a checkout."""

from __future__ import annotations

import argparse
import errno
import os
import signal
import socket
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from controlllm.store.home import home_folder

if TYPE_CHECKING:
    from controlllm.ui.page import Demo

# Before Gradio and the hub's library are imported: they read these then.
os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")

#: Connections that may wait to be taken, as many as uvicorn has by itself.
_BACKLOG = 2048


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve the page until it is stopped (Ctrl+C)."""
    begun(arguments).launch()


def begun(arguments: Sequence[str] | None = None, listens: bool = True) -> Demo:
    """The page, a `gr.Blocks` whose ``launch()`` serves it; where it `listens`, its port answers
    from now on with a page that waits.

    Raises SystemExit with a sentence where it cannot be served.
    """
    parser = argparse.ArgumentParser(description="Serve ControlLLM's web page.")
    add_serving_options(parser)
    return begun_with(parser.parse_args(arguments if listens else []), listens)


def begun_with(chosen: argparse.Namespace, listens: bool = True) -> Demo:
    """The same as the options of `add_serving_options` say."""
    # Gradio's own reloading starts a server of its own for each change.
    if not listens or os.environ.get("GRADIO_WATCH_DIRS"):
        from controlllm.ui.starting import made

        return made(chosen)
    # To be told to end is no error, also while everything is still being loaded.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    listening = _listening(chosen)
    chosen.port = listening.getsockname()[1]  # which the system chooses for 0
    from controlllm.ui.splash import Front

    front = Front()
    from controlllm.ui.ending import Server

    server = Server(front, listening)
    from controlllm.ui.importing import quickly

    try:
        with quickly():
            from controlllm.ui.starting import made

            demo = made(chosen, front, server)
        server.is_entered = True
        return demo
    except KeyboardInterrupt:
        raise SystemExit(0) from None
    finally:
        if not server.is_entered:
            server.stop()


def _listening(chosen: argparse.Namespace) -> socket.socket:
    """A socket that listens where it is wanted; raises SystemExit with a sentence where none can.

    Nothing is loaded or said before: whoever starts the server a second time hears so at once.
    """
    try:
        kind, _, _, _, address = socket.getaddrinfo(
            chosen.host, chosen.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        made = socket.socket(kind, socket.SOCK_STREAM)
        try:
            if sys.platform != "win32":
                made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            made.bind(address)
            made.listen(_BACKLOG)
        except OSError:
            made.close()
            raise
    except (OSError, OverflowError) as error:
        raise SystemExit(_not_there(chosen, error)) from None
    return made


def _not_there(chosen: argparse.Namespace, error: Exception) -> str:
    """Why nobody can listen where it was wanted, and what to do."""
    where = f"{chosen.host}:{chosen.port}"
    if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
        return (
            f"Another program listens at {where} already, perhaps another ControlLLM. Stop it, or "
            "choose another port with --port."
        )
    if isinstance(error, PermissionError):
        return f"Listening at {where} is not allowed. Choose a port above 1023 with --port."
    return f"Nobody can listen at {where} ({error}). Choose another --host or --port."


def add_serving_options(parser: argparse.ArgumentParser) -> None:
    """Give a parser the options of a server. Where hosts of Gradio's apps say by their variables
    where to listen, that is what counts."""
    host = os.environ.get("GRADIO_SERVER_NAME", "").strip() or "127.0.0.1"
    port = os.environ.get("GRADIO_SERVER_PORT", "").strip()
    parser.add_argument("--host", default=host, help="address to listen on")
    parser.add_argument(
        "--port",
        type=int,
        default=int(port) if port.isdecimal() else 7860,
        help="port to listen on",
    )
    parser.add_argument(
        "--home",
        type=Path,
        default=home_folder(),
        help="folder for conversations and files (%(default)s)",
    )
    parser.add_argument(
        "--tools",
        type=Path,
        nargs="+",
        default=[],
        metavar="FOLDER",
        help="folders with tools of your own",
    )
    parser.add_argument("--workers", type=int, default=2, help="how many tools run at once")
    parser.add_argument(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="another name by which browsers may address this server; may be given again",
    )
    parser.add_argument(
        "--allow-pull",
        action="store_true",
        help="let everybody who reaches the page fetch and remove weights; without it only from "
        "this machine itself",
    )
    parser.add_argument(
        "--api",
        action="store_true",
        help="let programs use it too, with tokens: docs/api.md (CONTROLLLM_API=1 says the same)",
    )
