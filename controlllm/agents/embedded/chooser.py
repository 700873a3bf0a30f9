"""The chooser of ReAct and DFSDT without a language model: it decides from its history alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from controlllm.agents.embedded.keeper import EmbeddedKeeper
from controlllm.agents.embedded.router import EmbeddedRouter
from controlllm.agents.environment import FINISH, MOST_OBSERVED, Environment
from controlllm.agents.fingerprints import fingerprint
from controlllm.agents.roles import Decision, Taken, Task

__all__ = ["EmbeddedChooser"]


class EmbeddedChooser:
    """Decides on the next action from the whole history (ReAct, DFSDT).

    It knows tools as the router does. What it does not have is a state that is kept: each time it
    reads its history again, of each observation no more than `MOST_OBSERVED` characters, and what
    happened in other branches only as far as it is told.
    """

    def __init__(self, router: EmbeddedRouter, keeper: EmbeddedKeeper) -> None:
        self._router = router
        self._keeper = keeper

    def choose(
        self,
        task: Task,
        history: Sequence[Taken],
        environment: Environment,
        elsewhere: Sequence[Taken] = (),
    ) -> Decision:
        """The next call, or the end; see `controlllm.agents.roles.Chooser`."""
        state = task.state
        for step, taken in enumerate(history):
            if not taken.decision.finishes:
                text = taken.observation.text[:MOST_OBSERVED]
                seen = replace(taken, observation=replace(taken.observation, text=text))
                state, _ = self._keeper.updated(task, state, seen, step)
        banned = {fingerprint(item.decision.tool, item.decision.arguments) for item in elsewhere}
        decision = self._router.decide_without(task, state, environment, frozenset(), banned)
        if decision.finishes and fingerprint(FINISH, decision.arguments) in banned:
            return _nothing_left()
        return decision


def _nothing_left() -> Decision:
    reason: dict[str, Any] = {"give_up": "Nothing is left here that was not tried."}
    return Decision("Nothing is left here that was not tried.", FINISH, reason)
