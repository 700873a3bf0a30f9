"""How each file of a conversation came about, as data for other programs."""

from __future__ import annotations

from functools import partial
from typing import Any

from controlllm.core.plans import Action, Literal, Plan, Value, told_values
from controlllm.core.session import Session, Turn
from controlllm.resources import Resource
from controlllm.toolbox import Toolbox

FORMAT = "controlllm provenance 1"


def provenance(session: Session, toolbox: Toolbox) -> dict[str, Any]:
    """Every request with its answer, every file with how it was made.

    Of a made file: the tool, the runtime that it ran on and the version of its implementation, its
    arguments, the files it was made of, when and in how many seconds, as far as that was kept.
    """
    return {
        "format": FORMAT,
        "title": session.title,
        "requests": [
            {
                "number": turn.number + 1,
                "text": turn.text,
                "attached": list(turn.attached),
                "state": turn.state,
                "answer": turn.answer,
            }
            for turn in session.turns
        ],
        "files": [
            {
                "name": resource.value,
                "type": resource.type,
                "media_type": resource.media_type,
                "sha256": resource.digest,
                "details": {
                    key: value
                    for key, value in resource.details.items()
                    if key not in ("original", "original_type")
                },
                **how_made(resource, session, toolbox),
            }
            for resource in session.resources
        ],
    }


def how_made(resource: Resource, session: Session, toolbox: Toolbox) -> dict[str, Any]:
    """What is known of how a file came about."""
    for turn in session.turns:
        for key, result in turn.results.items():
            values = {result.value, *(item.value for item in turn.members.get(key, ()))}
            if resource.value in values and turn.plan is not None:
                return _made(turn, turn.plan, key, toolbox)
    return {"origin": resource.origin}


def asked_for(session: Session) -> frozenset[str]:
    """The names of the results that end what was asked, of the ways that are chosen, and of what
    was shown without any."""
    return frozenset(
        item.value
        for turn in session.turns
        for key in (turn.made if turn.plan is None else turn.plan.ends())
        if key in turn.made
        for item in (turn.made[key], *turn.members.get(key, ()))
    )


def _made(turn: Turn, plan: Plan, key: str, toolbox: Toolbox) -> dict[str, Any]:
    try:
        action = plan.action(key)
    except (KeyError, IndexError, ValueError):  # by a way that was taken out of the plan
        return {"origin": turn.results[key].origin, "request": turn.number + 1}
    names = _names(turn, plan)
    receipt = turn.receipts.get(key, {})
    versions = {
        item.version
        for item in toolbox.implementations.get(action.tool, ())
        if item.runtime == receipt.get("runtime")
    }
    return {
        "origin": "made",
        "request": turn.number + 1,
        "tool": action.tool,
        "runtime": receipt.get("runtime", ""),
        "version": ", ".join(sorted(versions)),
        "arguments": told_values(action.inputs, partial(_plain, names=names)),
        "inputs": [names.get(value, value) for value in action.references()],
        "seconds": receipt.get("seconds"),
        "time": receipt.get("time", ""),
    }


def _names(turn: Turn, plan: Plan) -> dict[str, str]:
    """What the plan calls results, by the names of the files that they are."""
    made: dict[str, str] = {}
    for key, result in turn.results.items():
        try:
            action: Action = plan.action(key)
        except (KeyError, IndexError, ValueError):
            continue
        made[action.output.value] = result.value
    for subtask, key in plan.last_keys().items():
        if key in turn.results:
            made[f"<GEN>-{subtask}"] = turn.results[key].value
    return made


def _plain(value: Value, names: dict[str, str]) -> str:
    return value.text if isinstance(value, Literal) else names.get(value.value, value.value)
