"""What a person can do in the page, by name: one function for each, wherever its button stands."""

from __future__ import annotations

from collections.abc import Callable

from controlllm.ui.calls import Call
from controlllm.ui.outcome import Outcome

Verb = Callable[[Call], Outcome]

VERBS: dict[str, Verb] = {}


def verb(*names: str) -> Callable[[Verb], Verb]:
    """Register a function under the names that the page's buttons give in ``data-do``.

    It is called in a thread, and may raise BadInput, LimitReached, StoreError or HTTPException: the
    sentence is shown, and nothing else changes.
    """

    def register(function: Verb) -> Verb:
        for name in names:
            assert name not in VERBS, name
            VERBS[name] = function
        return function

    return register
