"""What a server is made of, as its options and its environment say."""

from __future__ import annotations

import argparse
import atexit
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from controlllm.accounts import accounts_from_environment
from controlllm.admission.security import LOCAL_HOSTS
from controlllm.engine import Attempted, Engine, Limits, Workers, workers_from_environment
from controlllm.observing import logs
from controlllm.observing.figures import Figures
from controlllm.observing.wanted import Wanted
from controlllm.observing.watching import Notes, Watching
from controlllm.runs.assistant import Assistant
from controlllm.settings import Settings
from controlllm.settings.quotas import Quotas
from controlllm.sources.loading import load_toolbox
from controlllm.store import Backends, Store, StoreError
from controlllm.ui.application import Beside, Served, create_app
from controlllm.ui.conversations import Conversations
from controlllm.ui.ending import Server
from controlllm.ui.operating import Operating
from controlllm.ui.page import Demo
from controlllm.ui.splash import Front

if TYPE_CHECKING:
    from controlllm.observing.traces import Traces


def made(
    chosen: argparse.Namespace, front: Front | None = None, server: Server | None = None
) -> Demo:
    """The page with all that it needs; raises SystemExit with a sentence where it cannot be.

    Parameters
    ----------
    front, server: what serves it; without them Gradio does, anew with each change of its code.
    """
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
        store.check_whole()
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
        engine=Engine(toolbox, store, chosen.workers, attempt=processes),
        watch=Watching(figures, Notes(), *([traces] if traces is not None else [])),
    )
    _read_also(figures, assistant, processes)
    state = Operating(store, processes.is_ready, assistant.tools.is_warm, figures, wanted.readers)
    beside, origins = _programs(chosen, assistant, home)
    # A host of Gradio's apps says by which name browsers reach it.
    hosts = [*chosen.allow_host, *filter(None, [os.environ.get("SPACE_HOST", "").strip()])]
    served = Served(
        chosen.host, chosen.port, tuple(hosts), True if chosen.allow_pull else None, quotas,
        origins, accounts,
    )  # fmt: skip
    app = create_app(assistant, served, state, beside)
    demo: Demo = app.state.page.demo
    if front is None or server is None:
        return demo
    server.connections.quotas, server.connections.tell = quotas, state.reached
    figures.read_also("connections", "Connections that are open.", server.connections.count)
    front.enter(app)
    shown = "127.0.0.1" if chosen.host in ("0.0.0.0", "::") else chosen.host
    print(f"ControlLLM is at http://{shown}:{chosen.port} (stop it with Ctrl+C)", flush=True)

    def leave() -> None:
        app.state.conversations.live.leaving.set()
        assistant.leave()
        processes.close()

    demo.serve = lambda: server.serve(assistant.tools.warm_up, leave, store.settle_database)
    return demo


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
        return Programs(Service(assistant, tokens, conversations.shared, state.reached), wanted)

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
