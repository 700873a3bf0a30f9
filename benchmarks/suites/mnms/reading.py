"""m&m's samples in their published form: ``test_human_verified_filtered.json`` and its like.

A sample has ``id``, ``user_request``, ``plan_str`` (the expected nodes as a text of JSON) and
``alt_plans_str`` (a list of other plans, as such a text). Files are JSON or lines of JSON.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.suites.answers import Call
from controlllm.core.plans import Request
from controlllm.resources import Resource

#: Twenty requests of our own over the 33 tools, with plans written before any planner had seen
#: them. They are none of m&m's.
OWN = Path(__file__).parent / "own.json"

_FILE = re.compile(r"[\w\-]+\.(jpg|jpeg|png|flac|wav|mp3)\b", re.IGNORECASE)
_SOUNDS = ("flac", "wav", "mp3")


@dataclass(frozen=True)
class Sample:
    """A request with the plan that is expected and others that are right as well."""

    id: str
    request: str
    plan: tuple[Call, ...]
    others: tuple[tuple[Call, ...], ...] = ()

    def asked(self) -> Request:
        """The request with the files that it names."""
        files = {
            found[0]: Resource("audio" if found[1].lower() in _SOUNDS else "image", found[0])
            for found in _FILE.finditer(self.request)
        }
        return Request(self.request, tuple(files.values()), tuple(files))


def read_samples(path: Path) -> tuple[Sample, ...]:
    """The samples of a file, or of the filtered test set in a folder.

    Raises ValueError with the file and what is wrong with it.
    """
    if path.is_dir():
        path = path / "test_human_verified_filtered.json"
    try:
        text = path.read_text("utf-8")
        entries = (
            json.loads(text)
            if text.lstrip().startswith("[")
            else [json.loads(line) for line in text.splitlines() if line.strip()]
        )
        return tuple(_sample(entry) for entry in entries)
    except (OSError, SyntaxError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path} is no file of m&m's samples: {error!r}.") from error


def _sample(entry: Mapping[str, Any]) -> Sample:
    others = _plain(entry.get("alt_plans_str") or "[]")
    if isinstance(others, Mapping):
        others = list(others.values())
    return Sample(
        str(entry["id"]),
        str(entry["user_request"]),
        tuple(_calls(_plain(entry["plan_str"]))),
        tuple(tuple(_calls(_plain(plan))) for plan in others),
    )


def _plain(told: Any) -> Any:
    """A text of JSON, or of Python's constants, as data; nothing in it is run."""
    if not isinstance(told, str):
        return told
    try:
        return json.loads(told)
    except ValueError:
        return ast.literal_eval(told)


def _calls(nodes: Any) -> Iterator[Call]:
    if isinstance(nodes, Mapping):
        nodes = nodes["nodes"]
    for node in nodes:
        yield Call(str(node["name"]), dict(node["args"]), int(node["id"]))
