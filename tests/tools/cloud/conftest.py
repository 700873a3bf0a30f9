from __future__ import annotations

import pytest

from tools.cloud import calls, waiting


@pytest.fixture(autouse=True)
def _direct(monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers here are asked without a proxy, soon again, and as if never before."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    monkeypatch.setattr(waiting, "FIRST_PAUSE", 0.02)
    calls.forget()
