"""The prompted decomposer (paper Sec. 3.1, 6.1; protocol of Table 5)."""

from __future__ import annotations

from typing import Any

from controlllm.graph import ToolGraph
from controlllm.language.asking import Asker
from controlllm.language.endpoint import EndpointError
from controlllm.language.prompting import messages_of, read_prompt
from controlllm.language.protocol import ROLES_OF_WORDS, SubtaskReader
from controlllm.plan import Request, Subtask
from controlllm.planning.roles import Decomposer

#: How many of a session's resources the model is shown: all handed over, then the newest.
_MOST_RESOURCES = 60
#: A request longer than this holds a text to work on, which no model need repeat, in characters.
_LONGEST_REQUEST = 12_000
#: Where a reply is cut off, in tokens: some twenty subtasks.
_MOST_TOKENS = 4_000


class PromptedDecomposer:
    """Decomposes requests with a language model; `embedded` takes over where that fails."""

    def __init__(self, asker: Asker, graph: ToolGraph, embedded: Decomposer) -> None:
        self._asker = asker
        self._embedded = embedded
        self._types = tuple(graph.lattice.parents)
        self._domains = tuple(dict.fromkeys(tool.domain for tool in graph.toolbox))
        self._lattice = graph.lattice

    def decompose(self, request: Request) -> tuple[Subtask, ...]:
        """The subtasks of a request, each after those it depends on; none where it asks nothing.

        Raises LanguageModelFailed where the model fails and nothing may take over.
        """
        return self._asker.keep(
            "decompose", lambda: self._ask(request), lambda: self._embedded.decompose(request)
        )

    def _ask(self, request: Request) -> tuple[Subtask, ...]:
        if len(request.text) > _LONGEST_REQUEST:
            raise EndpointError("This request is too long for the language model.", "too-long")
        instructions = read_prompt(
            "decompose", domains=", ".join(self._domains), types=", ".join(self._types)
        )
        reader = SubtaskReader(request, self._lattice, self._domains)
        return self._asker.ask(
            "decompose",
            messages_of(instructions, _data_of(request)),
            _schema(self._types, self._domains),
            reader.read,
            _MOST_TOKENS,
        )


def _data_of(request: Request) -> dict[str, Any]:
    """What the model is told of a request: words, names and types, no contents."""
    attached = [item for item in request.resources if item.value in request.attached]
    others = [item for item in request.resources if item.value not in request.attached]
    room = max(_MOST_RESOURCES - len(attached), 0)
    shown = [*(others[-room:] if room else []), *attached]
    return {
        "request": request.text,
        "resources": [
            {
                "type": item.type,
                "value": item.value,
                "handed_over": item.value in request.attached,
            }
            for item in shown
        ],
        "earlier": [
            {"description": subtask.description, "returns": subtask.returns.type}
            for subtask in request.earlier
        ],
    }


def _schema(types: tuple[str, ...], domains: tuple[str, ...]) -> dict[str, Any]:
    """The protocol of paper Table 5 as a strict JSON schema; `role` is ours."""

    def each(**properties: Any) -> dict[str, Any]:
        return {
            "type": "object",
            "properties": properties,
            "required": list(properties),
            "additionalProperties": False,
        }

    words, of_type = {"type": "string"}, {"type": "string", "enum": list(types)}
    subtask = each(
        id={"type": "integer"},
        description=words,
        domains={"type": "array", "items": {"type": "string", "enum": list(domains)}},
        deps={"type": "array", "items": {"type": "integer"}},
        args={
            "type": "array",
            "items": each(
                type=of_type,
                value=words,
                role={"type": "string", "enum": ["", *ROLES_OF_WORDS]},
            ),
        },
        returns=each(type=of_type, value=words),
    )
    return each(subtasks={"type": "array", "items": subtask})
