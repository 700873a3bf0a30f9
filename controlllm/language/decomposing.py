"""The prompted decomposer (paper Sec. 3.1, 6.1; protocol of Table 5)."""

from __future__ import annotations

from typing import Any

from controlllm.core.plans import Request, Subtask
from controlllm.language.asking import Asker
from controlllm.language.endpoint import EndpointError
from controlllm.language.kinds import Kinds
from controlllm.language.prompting import messages_of, read_prompt
from controlllm.language.protocol import ROLES_OF_WORDS, SubtaskReader
from controlllm.language.reading import strict_object
from controlllm.planning.graph import ToolGraph
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
        self._kinds = Kinds(graph)

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
        kinds = self._kinds
        at_hand = tuple(dict.fromkeys(item.type for item in request.resources))
        instructions = read_prompt(
            "decompose",
            types=kinds.types_explained(at_hand),
            domains=kinds.domains_explained(),
            first_domain=f'"{kinds.domains[0]}"' if kinds.domains else "",
        )
        return self._asker.ask(
            "decompose",
            messages_of(instructions, _data_of(request)),
            _schema(tuple(dict.fromkeys((*kinds.known, *at_hand, "text"))), kinds),
            SubtaskReader(request, kinds).read,
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
                **({"from": item.origin} if item.value not in request.attached else {}),
            }
            for item in shown
        ],
        "earlier": [
            {
                "description": subtask.description,
                "worked_on": [item.value for item in subtask.args if len(item.value) <= 300],
                "returns": subtask.returns.type,
            }
            for subtask in request.earlier
        ],
    }


def _schema(types: tuple[str, ...], kinds: Kinds) -> dict[str, Any]:
    """The protocol of paper Table 5 as a strict JSON schema; `role` and `cannot` are ours."""

    words, of_type = {"type": "string"}, {"type": "string", "enum": list(types)}
    made, domains = {"type": "string", "enum": list(kinds.made)}, list(kinds.domains)
    subtask = strict_object(
        id={"type": "integer"},
        description=words,
        domains={"type": "array", "items": {"type": "string", "enum": domains}},
        deps={"type": "array", "items": {"type": "integer"}},
        args={
            "type": "array",
            "items": strict_object(
                type=of_type,
                value=words,
                role={"type": "string", "enum": ["", *ROLES_OF_WORDS]},
            ),
        },
        returns=strict_object(type=made, value=words),
        cannot=words,
    )
    return strict_object(subtasks={"type": "array", "items": subtask})
