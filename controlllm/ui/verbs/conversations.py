"""Conversations: begun, opened, named, deleted, gone through by their branches."""

from __future__ import annotations

from dataclasses import replace

from controlllm.core.session import Session, handle_of, newest_of, title_of
from controlllm.resources.probing import BadInput
from controlllm.ui.calls import Call
from controlllm.ui.drawings.markup import naming_form
from controlllm.ui.outcome import CLOSED, NOTHING, Outcome, Panel
from controlllm.ui.texts import say
from controlllm.ui.verbs.registry import verb

_MOST_CHARACTERS = 120


@verb("new-conversation")
def new_conversation(call: Call) -> Outcome:
    """Begin a new conversation."""
    client = call.request.client
    session = call.conversations.open(call.visitor, "", True, client.host if client else "")
    return Outcome(here=handle_of(session.id), turn=-1, attached=(), editing={})


@verb("open-conversation")
def open_conversation(call: Call) -> Outcome:
    """Show another conversation; what runs in this one goes on."""
    handle = call.field("handle", str)
    call.other(handle)
    return Outcome(here=handle, turn=-1, attached=(), editing={})


@verb("delete-conversation")
def delete_conversation(call: Call) -> Outcome:
    """Stop what runs in a conversation, and forget it unless that is taken back soon."""
    handle = call.field("handle", str)
    session_id = call.other(handle)
    call.conversations.deletions.begin(session_id)
    return _away_from(call, handle)


def _away_from(call: Call, handle: str) -> Outcome:
    if handle != call.here:
        return NOTHING
    session = call.conversations.open(call.visitor, "", False)
    return Outcome(here=handle_of(session.id), turn=-1, attached=(), editing={})


@verb("restore-conversation")
def restore_conversation(call: Call) -> Outcome:
    """Take back that a conversation is deleted."""
    handle = call.field("handle", str)
    call.conversations.deletions.take_back(call.other(handle))
    return Outcome(here=handle, turn=-1)


@verb("rename")
def ask_for_title(call: Call) -> Outcome:
    """Ask for the name of the conversation."""
    title = call.session().title
    html = naming_form("title", say("search.name"), title, say("search.rename"))
    return Outcome(panel=Panel("rename", say("search.rename"), html))


@verb("title")
def name_conversation(call: Call) -> Outcome:
    """Name a conversation; an empty name makes it what its first request makes of it."""
    title = " ".join(call.field("name", str).split())
    if len(title) > _MOST_CHARACTERS:
        raise BadInput(say("search.too_long", most=_MOST_CHARACTERS))

    def change(session: Session) -> Session:
        first = title_of(session.turns[0].text) if session.turns else ""
        return replace(session, title=title or first)

    call.store.update(call.session_id, change)
    return Outcome(panel=CLOSED)


@verb("branch")
def show_branch(call: Call) -> Outcome:
    """Show the branch over a turn, to its end."""
    number = call.number("turn")

    def change(session: Session) -> Session:
        if all(turn.number != number for turn in session.turns):
            raise BadInput(say("branches.gone"))
        return replace(session, head=newest_of(session, number))

    call.store.update(call.session_id, change)
    return Outcome(turn=-1)


def found_by(call: Call, words: str) -> dict[str, str]:
    """The visitor's conversations in which words stand: what stands around them, by handle."""
    owners = call.store.owners
    found = owners.search(call.owner, words[:200]) if words.strip() else []
    return {handle_of(key): text for key, text in found}
