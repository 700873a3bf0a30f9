"""Serves the page for a test: ``python -m tests.page.serve PORT FOLDER [TOOLS]``."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path

os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")
os.environ.setdefault("HF_HUB_OFFLINE", "1")

import uvicorn

from controlllm.accounts import accounts_from_environment
from controlllm.runs.assistant import Assistant
from controlllm.settings import Settings
from controlllm.sources.loading import load_toolbox
from controlllm.store import Store
from controlllm.ui.application import Served, create_app


def main(port: int, home: Path, *tools: Path) -> None:
    """Serve the page from a folder of its own until the process is ended."""
    assistant = Assistant(load_toolbox(tools, home), Store(home), Settings.from_environment())
    threading.Thread(target=assistant.tools.warm_up, daemon=True).start()
    app = create_app(assistant, Served(port=port, accounts=accounts_from_environment(home)))
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning")


if __name__ == "__main__":
    main(int(sys.argv[1]), *map(Path, sys.argv[2:]))
