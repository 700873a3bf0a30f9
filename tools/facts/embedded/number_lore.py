"""What people have written about numbers: asked of the Numbers API."""

from __future__ import annotations

from collections.abc import Mapping

from controlllm.toolbox import Context
from tools.facts.embedded.web_source import Service, fetch_json

#: It answers without encryption only; nothing but the number is sent.
NUMBERS = Service("Numbers API", "http://numbersapi.com")
_MINUTES = 600.0


def number_lore(path: str, context: Context | None = None, numbers: Service = NUMBERS) -> str:
    """A sentence about a number, "" where the service knows none.

    `path` is ``42/trivia``, ``42/math``, ``7/4/date`` or ``1969/year``.
    """
    answer = fetch_json(
        numbers, path, {"json": ""}, keep_seconds=_MINUTES, whole_seconds=5.0, context=context
    )
    if not isinstance(answer, Mapping) or not answer.get("found"):
        return ""
    return " ".join(str(answer.get("text") or "").split())
