"""What a model is told of its plan: by the parser (P), the verifier (V) and the execution (E).

The sense of each text is the benchmark's, the words are ours (`prompts/feedback.json`).
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from benchmarks.suites.mnms.formats import Parsed
from benchmarks.suites.mnms.verifier import Verdict

PROMPTS = Path(__file__).parent / "prompts"


@cache
def _texts() -> dict[str, str]:
    found: dict[str, str] = json.loads((PROMPTS / "feedback.json").read_text("utf-8"))
    return found


def of_parsing(parsed: Parsed) -> str:
    """What is told of a reply that could not be read."""
    kind = "strict json" if parsed.code == "json" else "again"
    return f"{_texts()['parsing failed']} {parsed.message} {_texts()[kind]}"


def of_verification(verdict: Verdict) -> str:
    """What is told of a plan that is not sound."""
    told = _texts()["fix"].replace("{{code}}", verdict.code)
    return f"{_texts()['verification failed']} {verdict.message} {told}"


def of_execution(kind: str, message: str) -> str:
    """What is told of a plan that failed when it ran; `kind` is what sort of failure it was."""
    told = _texts()["execution failed"].replace("{{kind}}", kind).replace("{{message}}", message)
    return f"{told} {_texts()['again']}"


def of_step(number: int, observation: str) -> str:
    """What is told after a step that went well."""
    told = _texts()["observation"].replace("{{number}}", str(number))
    return f"{told} {observation} {_texts()['next'].replace('{{next}}', str(number + 1))}"


def of_soundness(is_verified: bool) -> str:
    """What is observed where a step was read, and checked, but not run."""
    return _texts()["verified" if is_verified else "parsed"]
