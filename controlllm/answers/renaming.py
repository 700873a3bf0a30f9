"""A file of a conversation gets another name, everywhere it is called by its name."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from controlllm.core.session import Session, Turn
from controlllm.resources import BadInput
from controlllm.resources.naming import safe_name


def renamed(session: Session, value: str, wanted: str) -> tuple[Session, str]:
    """The session in which a resource has another name, and that name: what was `wanted`, made
    safe, with the ending that it had.

    Plans, results, attached files, marks on pictures and the words of requests and answers call it
    by its new name, so that what is asked or run again still means it.
    Raises BadInput where there is no such file, no name is left of what was wanted, another file
    has it, or a request is at work that may be using it.
    """
    try:
        resource = session.resource(value)
    except KeyError:
        raise BadInput(f"There is no file called {value} here any more.") from None
    if session.waiting or any(turn.state == "running" for turn in session.turns):
        raise BadInput("A request is running. Stop it or wait, then give the file its name.")
    ending = value.rpartition(".")[2] if "." in value else ""
    stem = wanted.strip()
    if ending and stem.lower().endswith(f".{ending.lower()}"):
        stem = stem[: -len(ending) - 1]
    if not re.search(r"\w", stem):
        raise BadInput("A name needs at least a letter or a digit. Write another one.")
    # An at sign would look like the beginning of another name in a request.
    name = safe_name(stem.replace("@", " ") + (f".{ending}" if ending else ""), _suffixes(ending))
    taken = {item.value.lower() for item in session.resources if item.value != value}
    if name.lower() in taken:
        raise BadInput(f"Another file is called {name} already. Write another name.")
    resources = tuple(
        replace(
            replace(item, value=name) if item is resource else item,
            origin=_in_text(item.origin, value, name),
            details=_in_data(item.details, value, name),
        )
        for item in session.resources
    )
    turns = tuple(
        _in_turn(turn, value, name) if value in str(turn.to_json()) else turn
        for turn in session.turns
    )
    return replace(session, resources=resources, turns=turns), name


def _suffixes(ending: str) -> tuple[str, ...]:
    return (f".{ending}",) if ending else ("",)


def _in_turn(turn: Turn, old: str, new: str) -> Turn:
    """A turn that calls the file by its new name; its answer's grounds move with the words."""
    changed = Turn.from_json(_in_data(turn.to_json(), old, new))
    ends = [found.end() for found in _standing(old).finditer(turn.answer)]

    def moved(place: int) -> int:
        return place + (len(new) - len(old)) * sum(end <= place for end in ends)

    grounds = tuple(
        replace(item, start=moved(item.start), end=moved(item.end)) for item in turn.grounds
    )
    return replace(changed, grounds=grounds)


def _in_data(data: Any, old: str, new: str) -> Any:
    """JSON data in which each text calls the file by its new name; keys stay."""
    if isinstance(data, str):
        return _in_text(data, old, new)
    if isinstance(data, list):
        return [_in_data(item, old, new) for item in data]
    if isinstance(data, dict):
        return {key: _in_data(item, old, new) for key, item in data.items()}
    return data


def _in_text(text: str, old: str, new: str) -> str:
    """A text in which a name stands for itself, not as a part of a longer one, replaced."""
    return _standing(old).sub(lambda _: new, text) if old in text else text


def _standing(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w\-.]){re.escape(name)}(?![\w\-])(?!\.\w)")
