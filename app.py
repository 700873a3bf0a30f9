"""The web page's front door: ``python app.py`` and open the address that it prints."""

from __future__ import annotations

import argparse
import atexit
import os
import threading
from collections.abc import Sequence
from pathlib import Path

# Before Gradio is imported: it reads these then.
os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve the page until it is stopped (Ctrl+C)."""
    chosen = _parser().parse_args(arguments)

    import uvicorn

    from controlllm.assistant import Assistant
    from controlllm.engine import Limits, WorkerProcesses
    from controlllm.settings import Settings
    from controlllm.store import Store
    from controlllm.toolbox import Toolbox
    from controlllm.ui.ending import GRACE, Server, serve
    from controlllm.ui.server import create_app

    home = chosen.home.expanduser().resolve()
    home.mkdir(parents=True, exist_ok=True)
    toolbox, store = Toolbox.load(*chosen.tools), Store(home)
    processes = WorkerProcesses(toolbox, store, Limits.from_environment())
    atexit.register(processes.close)
    assistant = Assistant(
        toolbox,
        store,
        Settings.from_environment(),
        workers=chosen.workers,
        attempt=processes,
    )
    # The first request should not wait for the sentence encoder.
    threading.Thread(target=assistant.warm_up, daemon=True).start()
    may_pull = True if chosen.allow_pull else None
    app = create_app(assistant, chosen.host, chosen.port, chosen.allow_host, may_pull)
    shown = "127.0.0.1" if chosen.host in ("0.0.0.0", "::") else chosen.host
    print(f"ControlLLM is at http://{shown}:{chosen.port} (stop it with Ctrl+C)", flush=True)

    def leave() -> None:
        assistant.leave()
        processes.close()

    config = uvicorn.Config(
        app,
        host=chosen.host,
        port=chosen.port,
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=GRACE,
    )
    serve(Server(config, leave))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Serve ControlLLM's web page.")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
    parser.add_argument("--port", type=int, default=7860, help="port to listen on")
    parser.add_argument(
        "--home",
        type=Path,
        default=Path(__file__).resolve().parent / ".data",
        help="folder for conversations and files",
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
    return parser


if __name__ == "__main__":
    main()
