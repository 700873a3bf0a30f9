"""Serves the page until it is stopped: ``controlllm serve``, or ``python app.py`` in a checkout."""

from __future__ import annotations

import argparse
import contextlib
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
    listening = _listening(chosen.host, chosen.port)
    from controlllm.ui.splash import Front

    front = Front()
    from controlllm.ui.ending import Server

    server = Server(front, listening)
    try:
        from controlllm.ui.starting import made

        demo = made(chosen, front, server)
        server.is_entered = True
        return demo
    except KeyboardInterrupt:
        raise SystemExit(0) from None
    finally:
        if not server.is_entered:
            server.stop()


def _listening(host: str, port: int) -> socket.socket:
    """A socket that listens there; raises SystemExit with a sentence where none can."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    if sys.platform != "win32":
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
        made.listen(2048)
    except OSError as error:
        with contextlib.suppress(OSError):
            made.close()
        raise SystemExit(
            f"Port {port} of {host} cannot be used ({error.strerror or error}). Another program "
            "may listen there already: stop it, or choose another port with --port."
        ) from None
    return made


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
