"""One turn of a session while it is worked on: each change to it is kept in the store."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from controlllm.answers.result_names import result_name
from controlllm.core.events import ActionFinished, ActionStarted
from controlllm.core.plans import Plan, Step, Usage
from controlllm.core.session import Session, Turn
from controlllm.resources import PARENTS, Resource, as_text, decode
from controlllm.runs.cache_scope import capabilities_of
from controlllm.settings import Settings
from controlllm.store import Store, StoreError
from controlllm.toolbox import Toolbox
from controlllm.toolbox.capabilities import Capabilities

_log = logging.getLogger(__name__)

_MEDIA = ("image", "audio", "video", "html")


def keep_planned(store: Store, session_id: str, plan: Plan, text: str, mark: str) -> int:
    """Keep a plan as a request that was stopped before it began; its number.

    `mark` says what it was asked under, see `controlllm.settings.Settings.mark`.
    """
    made: list[Turn] = []

    def change(session: Session) -> Session:
        made[:] = [Turn(len(session.turns), text, (), plan, state="cancelled", settings=mark)]
        title = session.title or " ".join(text.split())[:60]
        return replace(session.with_turn(made[0]), title=title)

    store.update(session_id, change)
    return made[0].number


class TurnRecorder:
    """A turn and its session, in the store as they are here."""

    def __init__(self, store: Store, session: Session, turn: Turn, toolbox: Toolbox) -> None:
        self._store = store
        self._toolbox = toolbox
        self.session = session
        self.turn = turn
        self._names: dict[str, str] = {}
        self._runtimes: dict[str, str] = {}

    def capabilities(self, settings: Settings) -> Capabilities:
        """What tools may use for this turn."""
        return capabilities_of(settings, self._store, self.session.id)

    def name(self, step: Step, media_type: str) -> str:
        """A name for the result of a step that no resource of the session has yet, with the ending
        of its media type."""
        if step.key in self.turn.results:
            return self.turn.results[step.key].value
        if step.key not in self._names:
            known = {resource.value: resource for resource in self.session.resources}
            self._names[step.key] = result_name(
                step, self.turn.plan, known, self.turn.results, self._toolbox,
                {*known, *self._names.values()}, media_type,
            )  # fmt: skip
        return self._names[step.key]

    def note_started(self, event: ActionStarted) -> None:
        """Note on which runtime an action is carried out."""
        self._runtimes[event.key] = event.runtime

    def keep_result(self, event: ActionFinished) -> ActionFinished:
        """Keep a result in the session; the same bytes by the same tool keep their first name."""
        made = replace(event.resource, turn=self.turn.number)
        for known in self.session.resources:
            same = (known.type, known.digest, known.origin) == (
                made.type, made.digest, made.origin,
            )  # fmt: skip
            if same:
                made = known
                break
        receipt = {
            "runtime": self._runtimes.get(event.key, ""),
            "seconds": round(event.seconds, 3),
            "time": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        kept = self.turn.receipts
        if not (event.cached and event.key in kept):
            kept = {**kept, event.key: {**receipt, **({"reused": True} if event.cached else {})}}
        results = {**self.turn.results, event.key: made}
        self.turn = turn = replace(self.turn, results=results, receipts=kept)
        # A power cut may take this: the engine has kept the result itself.
        self.session = self._store.update(
            self.session.id,
            lambda current: current.with_resource(made).with_turn(turn),
            is_urgent=False,
        )
        return replace(event, resource=made)

    def keep(self, **changes: Any) -> None:
        self.turn = turn = replace(self.turn, **changes)
        self.session = self._store.update(self.session.id, lambda current: current.with_turn(turn))

    def keep_if_possible(self, state: str, answer: str) -> None:
        try:
            self.keep(state=state, answer=answer)
        except (StoreError, KeyError):
            _log.warning("The end of a request could not be kept")

    def keep_way(self, keys: Mapping[str, Resource], **changes: Any) -> None:
        """Keep what a way made whose steps have got their places, with other changes."""
        self.keep(results={**self.turn.results, **keys}, **changes)

    def count(self, usage: Usage) -> None:
        """Note what a language model was used for it; kept with the next change."""
        self.turn = replace(self.turn, usage=self.turn.usage + usage)

    def read(self, resource: Resource) -> Any:
        """The value of a result that an answer may quote; None for those it only names."""
        if resource.type in _MEDIA or not resource.digest:
            return None
        if PARENTS.get(resource.type) == "image" and resource.type != "mask":
            return None
        return decode(resource.type, self._store.path(resource.digest, resource.media_type))

    def in_words(self, resource: Resource) -> str:
        """What a resource is, for an agent: a text itself, else its kind, its size and its name."""
        value = None if resource.type in ("mask", "point") else self.read(resource)
        if value is not None and resource.type != "bbox":
            return as_text(resource.type, value)
        if resource.type == "bbox" and value is not None:
            found = ", ".join(
                f"{box.label or 'object'} at ({box.left:.0f}, {box.top:.0f}) to "
                f"({box.right:.0f}, {box.bottom:.0f})"
                for box in value
            )
            return f"{resource.value}: {found or 'nothing found'}"
        told = ", ".join(
            f"{name} {resource.details[name]}"
            for name in ("width", "height", "seconds", "regions")
            if name in resource.details
        )
        return f"{resource.value}: {resource.type}" + (f", {told}" if told else "")
