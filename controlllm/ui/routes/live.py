"""Tabs of one conversation hear of each other: the answer tells of changes for a while."""

from __future__ import annotations

from starlette.routing import Route

from controlllm.ui.calls import OWN, Call, Drawings, streamed


def _known(call: Call) -> str:
    return call.field("mark", str)


def live(call: Call, known: str) -> Drawings:
    """What changes in a conversation, for its other tabs."""
    return call.conversations.live.changes(call.session_id, known)


ROUTES = (Route(f"{OWN}/live", streamed(_known, live), methods=["POST"]),)
