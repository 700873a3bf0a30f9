"""What programs are told: files, what a request has come to, conversations, tools; plain JSON."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

from controlllm.api.arguments import schema_of
from controlllm.api.works import Work
from controlllm.core.events import AnswerFinished, RequestCancelled
from controlllm.core.session import Session, Turn, handle_of
from controlllm.resources import Resource
from controlllm.settings import Settings
from controlllm.store import Store
from controlllm.toolbox import Toolbox

Told = dict[str, Any]
#: Where a program fetches files, with its token.
FILES = "/api/files"
#: Of a result in words or a list, in bytes: a longer one is fetched.
_MOST_TOLD = 100_000


def file_of(session_id: str, resource: Resource) -> Told:
    """A file of a conversation, handed over or made, and where its bytes are."""
    return {
        "name": resource.value,
        "type": resource.type,
        "media_type": resource.media_type,
        "sha256": resource.digest,
        "origin": resource.origin,
        "details": dict(resource.details),
        "address": f"{FILES}/{handle_of(session_id)}/{quote(resource.value, safe='')}",
    }


def outcome_of(work: Work, session: Session) -> Told:
    """What a request has come to, or that it is still at work."""
    state, answer = "running", ""
    shown: tuple[Resource, ...] = ()
    if isinstance(work.end, AnswerFinished):
        state, answer, shown = "answered", work.end.text, work.end.resources
    elif work.end is not None:
        state = "stopped" if isinstance(work.end, RequestCancelled) else "failed"
        answer = getattr(work.end, "message", "")
    turn = next((turn for turn in session.turns if turn.number == work.turn), None)
    return {
        "run": work.name,
        "session": handle_of(session.id),
        "turn": work.turn,
        "state": state,
        "answer": answer,
        "files": [file_of(session.id, item) for item in shown],
        "plan": _plan_of(turn),
        "questions": [item.to_json() for item in turn.questions] if turn else [],
    }


def value_of(store: Store, resource: Resource) -> Any:
    """A short result in words or a list as such; None where it is a file to be fetched."""
    if resource.media_type not in ("text/plain", "application/json"):
        return None
    path = store.path(resource.digest, resource.media_type)
    if path.stat().st_size > _MOST_TOLD:
        return None
    words = path.read_text("utf-8", "replace")
    return words if resource.media_type == "text/plain" else json.loads(words)


def shown(session: Session, running: list[str]) -> Told:
    """A conversation with all that is in it, and the runs that are at work."""
    return {
        "session": handle_of(session.id),
        "title": session.title,
        "running": running,
        "turns": [
            {
                "turn": turn.number,
                "request": turn.text,
                "state": turn.state,
                "answer": turn.answer,
                "plan": _plan_of(turn),
                "results": {key: item.value for key, item in turn.results.items()},
                "questions": [item.to_json() for item in turn.questions],
            }
            for turn in session.turns
        ],
        "files": [file_of(session.id, item) for item in session.resources],
    }


def _plan_of(turn: Turn | None) -> Told | None:
    return turn.plan.to_json() if turn is not None and turn.plan is not None else None


def tools_of(toolbox: Toolbox, settings: Settings, about: str = "") -> list[Told]:
    """The tools that have a word in name, field or description; all of them where it is empty."""
    reasons = toolbox.reasons_unavailable(settings.capabilities, settings.runtimes)
    return [
        {
            "name": tool.name,
            "description": tool.description,
            "domain": tool.domain,
            "returns": tool.returns.type,
            "arguments": schema_of(tool, toolbox),
            "available": tool.name not in reasons,
            "reason": reasons.get(tool.name, ""),
        }
        for tool in toolbox
        if about.lower() in f"{tool.name} {tool.domain} {tool.description}".lower()
    ]
