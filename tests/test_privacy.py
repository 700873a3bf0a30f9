"""Nothing is reported to anyone: the libraries' own telemetry stays off."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SCRIPT = """
import os
from controlllm.models.encoder import encode
encode(["hello"])
print(os.environ["ORT_DISABLE_TELEMETRY"])
"""


def test_no_telemetry_is_gathered(tmp_path):
    environment = {
        key: value for key, value in os.environ.items() if not key.endswith("TELEMETRY")
    } | {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env=environment,
        cwd=Path(__file__).parent.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "1"
    assert not [path for path in tmp_path.rglob("*") if "Microsoft" in path.parts]
