"""ControlLLM: plain requests about media become plans of tools, which run and are explained."""

import os

__version__ = "0.1.0"

# Libraries read these when they are first imported: none of them may report to anyone.
for _switch in ("ORT_DISABLE_TELEMETRY", "HF_HUB_DISABLE_TELEMETRY", "DO_NOT_TRACK"):
    os.environ.setdefault(_switch, "1")
