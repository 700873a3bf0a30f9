"""Files: added, attached, looked at, named anew, said to be of another kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from controlllm.answers.renaming import renamed
from controlllm.core.session import Session
from controlllm.resources.probing import BadInput, Limits
from controlllm.settings.quotas import LimitReached
from controlllm.store import handed_over
from controlllm.store.handed_over import add_page
from controlllm.ui.calls import Call
from controlllm.ui.drawings.markup import naming_form
from controlllm.ui.drawings.tray import viewer
from controlllm.ui.outcome import CLOSED, Outcome, Panel
from controlllm.ui.texts import say
from controlllm.ui.verbs.recipes import look_at, offered, recipe_text
from controlllm.ui.verbs.registry import verb

MOST_FILES = 20


@dataclass
class Taken:
    """What came of files that were sent.

    Parameters
    ----------
    values: their names in the conversation.
    told: what is to be told of them.
    recipe: the dialog that shows the recipe that one of them is, instead of being a file of the
        conversation.
    notice: what is offered of the plans that they carry, drawn; empty where none carries one.
    """

    values: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    recipe: Panel | None = None
    notice: str = ""


def take_in(call: Call, paths: Sequence[Path]) -> Taken:
    """Take files into the conversation.

    One that cannot be taken is told of and loses nothing of the others.
    """
    taken, places = Taken(), dict[str, Path]()
    if len(paths) > MOST_FILES:
        left = len(paths) - MOST_FILES
        taken.told.append(say("composer.too_many_files", count=left, most=MOST_FILES))
    for path in paths[:MOST_FILES]:
        try:
            recipe = recipe_text(path)
            if recipe is not None:
                taken.recipe = look_at(call, recipe).panel
                continue
            value, notices = _take_in(call, path)
        except (BadInput, LimitReached) as error:
            if isinstance(error, LimitReached):
                call.conversations.reached(error.limit)
            taken.told.append(str(error))
            continue
        places[value] = path
        taken.told += notices
    taken.values = list(places)
    taken.notice = offered(call, places)
    return taken


def _take_in(call: Call, path: Path) -> tuple[str, Sequence[str]]:
    size = path.stat().st_size
    if size > Limits().max_bytes:
        most = Limits().max_bytes // 1_000_000
        raise BadInput(say("files.too_large", name=path.name, most=most))
    conversations = call.conversations
    conversations.shared.allowance.check_file(call.visitor.ids, size)
    store = conversations.assistant.store
    added, notices = handed_over.add_file(store, call.session_id, path, path.name)
    return added.value, notices


@verb("attach")
def attach(call: Call) -> Outcome:
    """Have a file with the next message."""
    value = call.field("value", str)
    call.session().resource(value)
    attached = tuple(dict.fromkeys([*call.attached, value]))
    return Outcome(attached=attached, panel=CLOSED)


@verb("detach")
def detach(call: Call) -> Outcome:
    """Leave a file, and what was pointed at in it, out of the next message."""
    value, session = call.field("value", str), call.session()
    pointed = {item.value for item in session.resources if item.details.get("image") == value}
    return Outcome(attached=tuple(item for item in call.attached if item not in {value, *pointed}))


@verb("view", "open")
def view(call: Call) -> Outcome:
    """Look at a file in full."""
    resource = call.session().resource(call.field("value", str))
    media = call.conversations.media_of(call.session())
    return Outcome(panel=Panel("view", resource.value, viewer(resource, media), is_wide=True))


@verb("type")
def set_type(call: Call) -> Outcome:
    """Say what a file is where that was guessed."""
    value, kind = call.field("value", str), call.field("chosen", str)
    handed_over.set_type(call.store, call.session_id, value, kind)
    return Outcome()


@verb("rename-file")
def ask_for_name(call: Call) -> Outcome:
    """Ask for another name of a file."""
    value = call.field("value", str)
    words = say("files.new_name", name=value)
    html = naming_form("name-file", words, value, say("files.rename"), {"value": value})
    return Outcome(panel=Panel("rename-file", say("files.rename"), html))


@verb("name-file")
def name_file(call: Call) -> Outcome:
    """Give a file another name, also where the next message names it."""
    old, wanted = call.field("value", str), call.field("name", str)
    named: list[str] = []

    def change(session: Session) -> Session:
        changed, name = renamed(session, old, wanted)
        named[:] = [name]
        return changed

    call.store.update(call.session_id, change)
    attached = tuple(named[0] if value == old else value for value in call.attached)
    told = say("files.renamed", old=old, name=named[0])
    return Outcome(told=told, attached=attached, panel=CLOSED)


@verb("use-page")
def use_page(call: Call) -> Outcome:
    """Have a page of a document as a picture among the files, and look at it."""
    conversations = call.conversations
    conversations.shared.allowance.check_file(call.visitor.ids, 0)
    value, number = call.field("value", str), call.number("page")
    made = add_page(call.session_id, conversations.assistant.store, value, number)
    media = conversations.media_of(call.session())
    return Outcome(panel=Panel("view", made.value, viewer(made, media), is_wide=True))
