"""Whose results may be taken again: everybody's, or those of the same person alone."""

from __future__ import annotations

from dataclasses import replace

from controlllm.settings import Settings
from controlllm.store import Store
from controlllm.toolbox.capabilities import Capabilities


def capabilities_of(settings: Settings, store: Store, session_id: str) -> Capabilities:
    """What tools may use for a conversation.

    Where results are kept apart, they hold for whoever has the conversation: else somebody could
    tell by the time that it takes, or by the word that it was known, what others have asked.
    """
    found = settings.capabilities
    if not settings.results_apart:
        return found
    return replace(found, whose=store.owners.owner_of(session_id) or session_id)
