"""Serves the page until it is stopped: ``controlllm serve``, or ``python app.py`` in a checkout."""

from __future__ import annotations

import argparse
import atexit
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from controlllm.store.home import home_folder

if TYPE_CHECKING:
    from controlllm.engine import Workers
    from controlllm.observing.figures import Figures
    from controlllm.observing.traces import Traces
    from controlllm.runs.assistant import Assistant
    from controlllm.ui.conversations import Conversations
    from controlllm.ui.operating import Operating
    from controlllm.ui.server import Beside

# Before the hub's library is imported: it reads these then.
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve the page until it is stopped (Ctrl+C)."""
    parser = argparse.ArgumentParser(description="Serve ControlLLM's web page.")
    add_serving_options(parser)
    serve_page(parser.parse_args(arguments))


def serve_page(chosen: argparse.Namespace) -> None:
    """Serve the page as the options of `add_serving_options` say, until it is stopped.

    Raises SystemExit with a sentence where it cannot.
    """
    import uvicorn

    from controlllm.accounts import accounts_from_environment
    from controlllm.admission.security import LOCAL_HOSTS
    from controlllm.engine import Attempted, Limits, workers_from_environment
    from controlllm.observing import logs
    from controlllm.observing.figures import Figures
    from controlllm.observing.notes import Notes
    from controlllm.observing.wanted import Wanted
    from controlllm.observing.watching import Watching
    from controlllm.runs.assistant import Assistant
    from controlllm.settings import Settings
    from controlllm.settings.quotas import Quotas
    from controlllm.sources.loading import load_toolbox
    from controlllm.store import Backends, Store, StoreError
    from controlllm.ui.connections import Connections
    from controlllm.ui.ending import GRACE, Server, serve
    from controlllm.ui.operating import Operating
    from controlllm.ui.server import create_app

    home = chosen.home.expanduser().resolve()
    try:
        logs.begin(logs.form_from_environment())
        wanted, limits = Wanted.from_environment(), Limits.from_environment()
        accounts = accounts_from_environment(home)
        is_shared = chosen.host not in LOCAL_HOSTS or accounts is not None
        quotas = Quotas.from_environment(is_shared=is_shared)
        settings = Settings.from_environment()
        if is_shared and not os.environ.get("CONTROLLLM_RESULTS"):
            settings = replace(settings, results_apart=True)
        # It is tidied when the server is up.
        store = Store(home, tidies=False, backends=Backends.from_environment())
    except (ValueError, StoreError) as error:
        raise SystemExit(str(error)) from None
    toolbox, figures = load_toolbox(chosen.tools, home), Figures()
    traces = _traces_to(wanted.traces)

    def tell(attempt: Attempted) -> None:
        figures.attempts.labels(attempt.outcome).inc()
        if traces is not None:
            traces.attempted(attempt)

    try:
        processes = workers_from_environment(toolbox, store, limits, tell)
    except ValueError as error:
        raise SystemExit(str(error)) from None
    atexit.register(processes.close)
    assistant = Assistant(
        toolbox,
        store,
        settings,
        workers=chosen.workers,
        attempt=processes,
        watch=Watching(figures, Notes(), *([traces] if traces is not None else [])),
    )
    _read_also(figures, assistant, processes)
    may_pull = True if chosen.allow_pull else None
    state = Operating(store, processes.is_ready, assistant.tools.is_warm, figures, wanted.readers)
    connections = Connections(quotas, state.reached)
    figures.read_also("connections", "Connections that are open.", connections.count)
    beside, origins = _programs(chosen, assistant, home)
    app = create_app(
        assistant,
        chosen.host,
        chosen.port,
        chosen.allow_host,
        may_pull,
        state,
        quotas,
        beside,
        origins,
        accounts,
    )
    shown = "127.0.0.1" if chosen.host in ("0.0.0.0", "::") else chosen.host
    print(f"ControlLLM is at http://{shown}:{chosen.port} (stop it with Ctrl+C)", flush=True)

    def leave() -> None:
        app.state.conversations.live.leaving.set()
        assistant.leave()
        processes.close()

    config = uvicorn.Config(
        app,
        host=chosen.host,
        port=chosen.port,
        http=connections.protocol(),
        ws="none",
        log_level="warning",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE,
    )
    serve(Server(config, assistant.tools.warm_up, leave))


def _programs(
    chosen: argparse.Namespace, assistant: Assistant, home: Path
) -> tuple[Callable[[Conversations, Operating], Beside] | None, tuple[str, ...]]:
    """What makes the interface for programs, and the origins that may use it; None where nobody
    has asked for it, and then nothing of it is loaded."""
    if not (chosen.api or os.environ.get("CONTROLLLM_API", "").strip() == "1"):
        return None, ()
    from controlllm.api.served import Programs, Wanted
    from controlllm.api.service import Service
    from controlllm.api.tokens import Tokens

    try:
        wanted = Wanted.from_environment()
    except ValueError as error:
        raise SystemExit(str(error)) from None
    tokens = Tokens(home)
    if not tokens.all():
        said = f"python -m controlllm tokens add NAME --home {home}"
        print(f"Programs need a token, and there is none yet. Make one: {said}", flush=True)

    def beside(conversations: Conversations, state: Operating) -> Beside:
        service = Service(
            assistant,
            tokens,
            conversations.line,
            conversations.allowance,
            conversations.taking_in,
            state.reached,
        )
        return Programs(service, wanted)

    return beside, wanted.origins


def _read_also(figures: Figures, assistant: Assistant, processes: Workers) -> None:
    """Have the figures tell what there is now of sessions, calls and workers."""
    store = assistant.store
    figures.read_also("sessions", "Conversations that are kept.", store.session_count)
    calls = "Calls of tools that wait for a worker."
    figures.read_also("calls_waiting", calls, lambda: assistant.calls()[0])
    calls = "Calls of tools that are made now."
    figures.read_also("calls_running", calls, lambda: assistant.calls()[1])
    workers = "Worker processes by what they do."
    figures.read_also("workers", workers, processes.counts, "state")
    figures.read_also(
        "worker_memory_bytes",
        "Memory that a worker process holds.",
        lambda: {str(number): held for number, held in processes.memory().items()},
        "worker",
    )


def _traces_to(address: str) -> Traces | None:
    """What sends traces to a collector; None without an address."""
    if not address:
        return None
    try:
        from controlllm.observing.traces import Traces
    except ImportError:
        raise SystemExit(
            "CONTROLLLM_TRACES is set, and what sends traces is not installed. Install it: "
            "pip install --group traces"
        ) from None
    traces = Traces.to(address)
    atexit.register(traces.close)
    return traces


def add_serving_options(parser: argparse.ArgumentParser) -> None:
    """Give a parser the options of a server."""
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
    parser.add_argument("--port", type=int, default=7860, help="port to listen on")
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
