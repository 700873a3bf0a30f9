"""ToolBench's files of answers, in both forms in which they go round (Qin et al. 2023, "ToolLLM").

Raw: a file for each query, ``ID_METHOD.json``, as its inference writes it, with the tree that was
searched and, where there is an answer, ``answer_generation``. Converted, as ToolEval reads it: a
file for each set of queries, an object of ``query``, ``available_tools`` and ``answer`` by the
query's id. Everything in them is data.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

#: The function that ends an answer.
FINISH = "Finish"
#: What ToolBench puts in the place of a function that there is not.
_INVENTED = "invalid_hallucination_function_name"


@dataclass(frozen=True)
class Called:
    """A call of an answer: the function, its arguments as written, and what came back."""

    name: str
    arguments: str
    observation: str = ""


@dataclass(frozen=True)
class Answered:
    """An answer to a query. `words` are what it says in the end, empty where nothing was answered;
    `finished` says whether it came to an end by itself, `gave_up` whether it ended by giving up."""

    id: str
    query: str
    tools: Mapping[str, str]
    method: str
    words: str
    finished: bool
    gave_up: bool
    calls: tuple[Called, ...]
    steps: int

    @property
    def invented(self) -> int:
        """How many calls were of functions that there are not."""
        known = {*self.tools, FINISH}
        return sum(call.name == _INVENTED or call.name not in known for call in self.calls)


def read_answers(path: Path) -> dict[str, dict[str, Answered]]:
    """The answers of a file or folder: by the name of their set, then by the query's id.

    Raises ValueError with the file and what is wrong with it.
    """
    files = [path] if path.is_file() else sorted(path.rglob("*.json"))
    found: dict[str, dict[str, Answered]] = {}
    for file in files:
        try:
            data = json.loads(file.read_text("utf-8"))
            for name, answer in _in_file(file, data):
                found.setdefault(name, {})[answer.id] = answer
        except (OSError, UnicodeError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"{file} holds no answers of ToolBench: {error!s:.200}") from None
    if not found:
        raise ValueError(f"There are no answers of ToolBench in {path}.")
    return found


def _in_file(file: Path, data: Any) -> Iterator[tuple[str, Answered]]:
    if not isinstance(data, dict):
        raise ValueError("it is no JSON object.")
    if "answer_generation" in data or "win" in data:
        identifier, _, method = file.stem.partition("_")
        yield file.parent.name, _raw(identifier, method, data)
        return
    for identifier, item in data.items():
        yield file.stem, _converted(str(identifier), item)


def _converted(identifier: str, item: Mapping[str, Any]) -> Answered:
    answer = item["answer"]
    steps = [*_nodes(answer.get("answer_details") or [])]
    calls = tuple(call for call in map(_call_told, steps) if call is not None)
    return _answered(
        identifier,
        str(item["query"]),
        item.get("available_tools") or [],
        str(answer.get("method", "")),
        str(answer.get("final_answer") or ""),
        calls,
        int(answer.get("total_steps") or 0),
    )


def _nodes(tree: Any) -> Iterator[Mapping[str, Any]]:
    """The nodes of a tree of answer details, depth first."""
    waiting = list(reversed(tree if isinstance(tree, list) else [tree]))
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(node.get("next") or []))


def _call_told(node: Mapping[str, Any]) -> Called | None:
    """The call of a node of the role ``tool``, whose message tells it as an object in words."""
    message = node.get("message")
    if node.get("role") != "tool":
        return None
    told = message if isinstance(message, Mapping) else _object_in(str(message))
    return Called(
        str(told.get("name", "")),
        _as_text(told.get("arguments", "")),
        _as_text(told.get("response", "")),
    )


def _object_in(text: str) -> Mapping[str, Any]:
    """An object as JSON, or in Python's notation, which is read and never run."""
    import ast

    for read in (json.loads, ast.literal_eval):
        try:
            value = read(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        if isinstance(value, dict):
            return value
    return {}


def _raw(identifier: str, method: str, data: Mapping[str, Any]) -> Answered:
    told = data.get("answer_generation") or {}
    chain = told.get("chain") or [*_chain(data)]
    calls = tuple(_calls_of(chain))
    return _answered(
        identifier,
        str(told.get("query") or ""),
        told.get("function") or [],
        method,
        str(told.get("final_answer") or "") if told.get("valid_data", True) else "",
        calls,
        int(told.get("query_count") or len(chain)),
    )


def _chain(data: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The nodes that were tried where nothing was answered: of the tree, or of the first try."""
    root = (data.get("tree") or {}).get("tree")
    waiting = [root] if root else []
    while waiting:
        node = waiting.pop(0)
        yield node
        waiting = [*(node.get("children") or []), *waiting]
    if root is None:
        tries = data.get("trys") or [{}]
        yield from tries[0].get("chain") or ()


def _calls_of(chain: Any) -> Iterator[Called]:
    """The calls of a chain: an ``Action`` names the function, an ``Action Input`` after it has the
    arguments and what was observed."""
    name = ""
    for node in chain:
        kind = node.get("node_type")
        if kind == "Action":
            name = str(node.get("description", ""))
        elif kind == "Action Input":
            given, seen = node.get("description", ""), node.get("observation", "")
            yield Called(name, _as_text(given), _as_text(seen))


def _answered(
    identifier: str,
    query: str,
    tools: Any,
    method: str,
    final: str,
    calls: tuple[Called, ...],
    steps: int,
) -> Answered:
    told = _object_in(final) or _object_in(
        next((call.arguments for call in reversed(calls) if call.name == FINISH), "")
    )
    kind = str(told.get("return_type", ""))
    words = str(told.get("final_answer", "")) if "final_answer" in told else ""
    if not told and final.strip()[:1] not in ("{", ""):
        words = final
    gave_up = kind.startswith("give_up")
    finished = bool(words.strip()) or gave_up or any(call.name == FINISH for call in calls)
    return Answered(
        identifier,
        query,
        {str(tool.get("name", "")): str(tool.get("description", "")) for tool in tools},
        method,
        "" if gave_up else words.strip(),
        finished,
        gave_up,
        calls,
        steps,
    )


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
