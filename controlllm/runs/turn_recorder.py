"""One turn of a session while it is worked on: each change to it is kept in the store."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from controlllm.answers.result_names import Around, member_names, result_name
from controlllm.core.events import ActionFinished, ActionStarted, Event, LanguageModelUsed
from controlllm.core.plans import Plan, Step
from controlllm.core.session import Session, Turn
from controlllm.engine.each import unpacked
from controlllm.resources import PARENTS, Resource, as_text, decode
from controlllm.resources.several import names_of
from controlllm.settings import Settings
from controlllm.store import Store, StoreError
from controlllm.toolbox import Toolbox
from controlllm.toolbox.capabilities import Capabilities

_log = logging.getLogger(__name__)

#: What an answer names and does not quote.
_MEDIA = ("image", "audio", "video", "html", "files", "archive")
#: More files than these are handed over in one ZIP.
MOST_HANDED_OVER = 60


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

    def known(self) -> dict[str, Resource]:
        """The resources of the conversation, by their values."""
        return {resource.value: resource for resource in self.session.resources}

    def name(self, step: Step, media_type: str) -> str:
        """A name for the result of a step that no resource of the session has yet, with the ending
        of its media type."""
        if step.key in self.turn.results:
            return self.turn.results[step.key].value
        if step.key not in self._names:
            known = self.known()
            around = Around(self.turn.plan, known, self.turn.results)
            taken = {*known, *self._names.values()}
            self._names[step.key] = result_name(step, around, self._toolbox, taken, media_type)
        return self._names[step.key]

    def note_started(self, event: ActionStarted) -> None:
        """Note on which runtime an action is carried out."""
        self._runtimes[event.key] = event.runtime

    def keep_result(self, event: ActionFinished) -> ActionFinished:
        """Keep a result in the session; the same bytes by the same tool keep their first name."""
        made = self._first_name(replace(event.resource, turn=self.turn.number))
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

    def hand_over(self, key: str) -> tuple[Resource, ...]:
        """Take the members of several files that a step made into the session, each under a name of
        its own; none where these are so many that they are handed over in one ZIP.

        Raises StoreError where they cannot be kept.
        """
        packed, plan = self.turn.results[key], self.turn.plan
        members = names_of(self._store.path(packed.digest, packed.media_type))
        if plan is None or len(members) > MOST_HANDED_OVER:
            return ()
        step = next(step for step in plan.steps() if step.key == key)
        known = self.known()
        names = member_names(step, Around(plan, known, self.turn.results), members, known)
        made: tuple[Resource, ...] = ()
        for member, name in zip(unpacked(packed, self._store, is_urgent=True), names, strict=True):
            found = replace(member, value=name, turn=self.turn.number)
            made += (self._first_name(found, made),)
        self.turn = turn = replace(self.turn, members={**self.turn.members, key: made})

        def change(session: Session) -> Session:
            for item in made:
                session = session.with_resource(item)
            return session.with_turn(turn)

        self.session = self._store.update(self.session.id, change)
        return made

    def _first_name(self, made: Resource, taken: Collection[Resource] = ()) -> Resource:
        """What a tool made, or the resource that the session has of the same bytes by the same tool
        and that is not `taken`: those keep their first name."""
        what = (made.type, made.digest, made.origin)
        for known in self.session.resources:
            if (known.type, known.digest, known.origin) == what and known not in taken:
                return known
        return made

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

    def hear(self, event: Event) -> None:
        """Note what a language model was used for it; kept with the next change."""
        if isinstance(event, LanguageModelUsed):
            self.turn = replace(self.turn, usage=self.turn.usage + event.usage)

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


def capabilities_of(settings: Settings, store: Store, session_id: str) -> Capabilities:
    """What tools may use for a conversation.

    Where results are kept apart, they hold for whoever has the conversation: else somebody could
    tell by the time that it takes, or by the word that it was known, what others have asked.
    """
    found = settings.capabilities
    if not settings.results_apart:
        return found
    return replace(found, whose=store.owners.owner_of(session_id) or session_id)
