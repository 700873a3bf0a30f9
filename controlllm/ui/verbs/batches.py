"""Batches: a recipe put to many files. Begun, watched, stopped, gone on with, forgotten."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from controlllm.core.session import Session, handle_of
from controlllm.recipes import Recipe, book
from controlllm.recipes import batch as batches
from controlllm.recipes.batch import MOST_FILES, Batch, Item
from controlllm.resources.probing import BadInput
from controlllm.runs.sent_plans import BadPlan
from controlllm.settings.quotas import LimitReached
from controlllm.store import StoreError
from controlllm.ui.calls import Call
from controlllm.ui.drawings.batch_view import batch_head, batch_pieces
from controlllm.ui.drawings.media import Media
from controlllm.ui.outcome import CLOSED, Outcome, Panel
from controlllm.ui.texts import say
from controlllm.ui.verbs.recipes import usable_recipe
from controlllm.ui.verbs.registry import verb

_MOST_CHARACTERS = 20_000
PANEL = "open-batch"


def own_batch(call: Call, id: str) -> Batch:
    """One of the visitor's batches; raises HTTPException (404) where it is none of theirs."""
    assistant = call.assistant
    try:
        return batches.find(assistant.store.shelf, call.owner, id, assistant.toolbox)
    except KeyError:
        raise HTTPException(404, say("batch.gone")) from None
    except BadPlan as problem:
        raise BadInput(say("recipes.cannot", problem=book.told(problem))) from None


def session_of(call: Call, batch: Batch) -> Session:
    """The conversation in which a batch's files lie."""
    try:
        return call.store.load(batch.session)
    except KeyError:
        raise HTTPException(404, say("batch.gone")) from None


def media_of(call: Call, batch: Batch) -> Media:
    """Where a page finds the files of a batch."""

    def find(value: str) -> Path:
        return call.assistant.file(batch.session, value)[0]

    return Media(f"{handle_of(call.session_id)}/batches/{batch.id}", find)


def items_now(call: Call, batch: Batch) -> list[Item]:
    """The files as they are now: what is at work knows it better than the store."""
    work = call.conversations.batches.find(batch.id)
    if work is not None:
        return work.files
    return batches.items_of(batch, session_of(call, batch), is_at_work=False)


# Beginning.


def new_batch(call: Call, recipe: Recipe, words: Mapping[str, Any], points_anew: bool) -> Batch:
    """A batch without files, begun from the conversation; the oldest makes room where there are as
    many as are kept."""
    store = call.store
    names = {item.name for item in recipe.of_kind("words")}
    said = {key: str(text)[:_MOST_CHARACTERS] for key, text in words.items() if key in names}
    own = batches.sessions_of(store.shelf, call.owner)
    for id, session_id in own[batches.MOST_BATCHES - 1 :]:
        if call.conversations.batches.find(id) is None:
            batches.remove(store, id, session_id)
    owner, here = call.owner, call.session()
    return batches.open_batch(store, owner, recipe, said, points_anew, here)


def begin_batch(call: Call, files: Sequence[Path], others: Mapping[str, Path]) -> Outcome:
    """Put a recipe to files that were uploaded; `others` are those that are the same each time, by
    the names of inputs. What was written in the form is in the call."""
    recipe = usable_recipe(call, call.field("recipe", str))
    if recipe.files and not files:
        raise BadInput(say("batch.no_files"))
    if any(item.name not in others for item in recipe.files[1:]):
        raise BadInput(say("batch.no_others"))
    anew = call.field("place", str, "") == "anew"
    batch = new_batch(call, recipe, call.field("words", dict, {}), anew)
    assistant = call.assistant
    try:
        for item in recipe.files[1:]:
            path = others[item.name]
            _check_room(call, path)
            batch = batches.add_other(assistant, batch, item.name, path, path.name)
    except (BadInput, LimitReached):
        batches.remove(assistant.store, batch.id, batch.session)
        raise
    wanted = list(files[:MOST_FILES])
    for path in wanted[:1]:
        _take_in(call, batch, path)
    left = len(files) - len(wanted)
    told = say("batch.too_many", count=left, most=MOST_FILES) if left > 0 else ""
    begin = partial(_begin_with, call, batch, session_of(call, batch), wanted[1:])
    return Outcome(told=told, panel=panel_of(call, batch, is_begun=True), begin=begin)


# Files that come into one: the work begins with the first, while the others are taken in.


def _begin_with(call: Call, batch: Batch, session: Session, rest: Sequence[Path]) -> None:
    """Begin a batch of which one file is there, and take in the rest; called on the event loop."""
    works, settings = call.conversations.batches, call.settings
    if rest:
        works.coming[batch.id] = (1, len(rest) + 1)
    works.begin(batch, session, settings)
    if rest:
        call.conversations.shared.jobs.keep(_take_rest(call, batch, rest))


async def _take_rest(call: Call, batch: Batch, rest: Sequence[Path]) -> None:
    conversations, works = call.conversations, call.conversations.batches
    settings, store = conversations.settings(call.session_id), conversations.assistant.store
    work = works.find(batch.id)
    try:
        for count, path in enumerate(rest, 2):
            async with conversations.shared.taking_in:
                item = await run_in_threadpool(_take_in, call, batch, path)
            works.coming[batch.id] = (count, len(rest) + 1)
            work = works.find(batch.id) or work
            if work is not None and work.stopping:
                continue
            if work is not None and not work.ended:
                work.add([item])
                continue
            # All that was there had been done before this one came.
            session = await run_in_threadpool(store.load, batch.session)
            work = works.begin(batch, session, settings)
    except (KeyError, StoreError):
        # The batch, or the room for it, is gone: what has come is all of it.
        return
    finally:
        works.coming.pop(batch.id, None)


def _take_in(call: Call, batch: Batch, path: Path) -> Item:
    """Copy a file that was uploaded into a batch; one that cannot be used is in it as failed.

    The upload stays: the same content under the same name may be wanted elsewhere, and what is
    left of it goes by itself.
    """
    assistant, name = call.assistant, path.name
    try:
        _check_room(call, path)
        number = batches.add_file(assistant, batch, path, name)
    except (BadInput, LimitReached) as error:
        number = batches.add_failed(assistant.store, batch, name, str(error))
    except OSError:
        reason = say("errors.file_gone", name=name)
        number = batches.add_failed(assistant.store, batch, name, reason)
    session = assistant.store.load(batch.session)
    return batches.items_of(batch, session, is_at_work=True)[number - 1]


def _check_room(call: Call, path: Path) -> None:
    """Raise LimitReached where the visitor may have no more files; those of batches count."""
    shelf = call.store.shelf
    owner = call.owner
    own = [*call.visitor.ids, *(key for _, key in batches.sessions_of(shelf, owner))]
    call.conversations.shared.allowance.check_file(own, path.stat().st_size)


# Watching.


@verb(PANEL)
def open_batch(call: Call) -> Outcome:
    """Show the table of a batch."""
    return Outcome(panel=panel_of(call, own_batch(call, call.field("batch", str))))


def panel_of(call: Call, batch: Batch, is_begun: bool = False) -> Panel:
    """The whole batch, drawn anew while it is at work; `is_begun` where it is about to be."""
    works = call.conversations.batches
    work, session = works.find(batch.id), session_of(call, batch)
    at_work = is_begun or (work is not None and not work.ended)
    items = work.files if work else batches.items_of(batch, session, is_at_work=is_begun)
    head = batch_head(items, at_work, work.remaining if work else None, works.problem(batch.id))
    coming = works.coming.get(batch.id)
    if coming is not None:
        count, all_of_them = coming
        head += f'<p class="quiet-words">{say("batch.coming", count=count, all=all_of_them)}</p>'
    address = f"/conversations/{handle_of(call.session_id)}/batches/{batch.id}/zip"
    doing = work.doing if work is not None else {}
    return Panel(
        PANEL,
        say("batch.title", name=batch.recipe.name),
        is_live=at_work or coming is not None,
        is_wide=True,
        given={"batch": batch.id},
        pieces=batch_pieces(items, media_of(call, batch), head, address, dict(doing)),
    )


# Acting.


def _acted(call: Call, batch: Batch, begin: Callable[[], object]) -> Outcome:
    """What is pressed in the table shows in it; a line in the conversation stands for itself."""
    is_in_table = call.sent.get("panel") == PANEL
    panel = panel_of(call, batch, is_begun=True) if is_in_table else None
    return Outcome(panel=panel, begin=begin)


def _begun(call: Call, batch: Batch) -> Callable[[], object]:
    settings = call.settings
    return partial(call.conversations.batches.begin, batch, session_of(call, batch), settings)


@verb("stop-batch")
def stop(call: Call) -> Outcome:
    """Stop a batch; what is done is kept."""
    batch = own_batch(call, call.field("batch", str))
    return _acted(call, batch, partial(call.conversations.batches.stop, batch.id))


@verb("go-on-batch")
def go_on(call: Call) -> Outcome:
    """Do what is left to do of a batch."""
    batch = own_batch(call, call.field("batch", str))
    return _acted(call, batch, _begun(call, batch))


@verb("again-batch", "again-item")
def again(call: Call) -> Outcome:
    """Try once more what failed: one file, or all that can be."""
    batch = own_batch(call, call.field("batch", str))
    number = call.number("number") if "number" in call.sent else None
    numbers = batches.try_again(call.store, batch, number)
    settings, session = call.settings, session_of(call, batch)
    begin = partial(call.conversations.batches.again, batch, session, settings, numbers)
    return _acted(call, batch, begin)


@verb("point-item")
def ask_where(call: Call) -> Outcome:
    """Ask for the place that is meant in one of the pictures."""
    batch, number = own_batch(call, call.field("batch", str)), call.number("number")
    item = next((item for item in items_now(call, batch) if item.number == number), None)
    if item is None or item.source is None:
        raise HTTPException(404, say("batch.gone"))
    return Outcome(
        opens={
            "what": "batch-point",
            "title": say("batch.point_title", name=item.name),
            "help": say("batch.point_help"),
            "name": item.name,
            "address": media_of(call, batch).address(item.source),
            "batch": batch.id,
            "number": number,
            "panel": PANEL,
            "handle": handle_of(call.session_id),
        }
    )


@verb("point-batch")
def point(call: Call) -> Outcome:
    """Say what is meant in one of the pictures, which is then worked on."""
    batch = own_batch(call, call.field("batch", str))
    marks = [{"x": _share(call, "x"), "y": _share(call, "y")}]
    try:
        batches.point(call.assistant, batch, call.number("number"), marks)
    except KeyError:
        raise HTTPException(404, say("batch.gone")) from None
    return _acted(call, batch, _begun(call, batch))


def _share(call: Call, name: str) -> float:
    value = call.sent.get(name)
    return float(value) if isinstance(value, int | float) else -1.0


@verb("delete-batch")
def delete(call: Call) -> Outcome:
    """Forget a batch that does not run, with its results."""
    batch, works = own_batch(call, call.field("batch", str)), call.conversations.batches
    if works.find(batch.id) is not None or batch.id in works.coming:
        raise BadInput(say("batch.stop_first"))
    batches.remove(call.store, batch.id, batch.session)
    tell = partial(call.conversations.live.tell, batch.begun_in)
    return Outcome(told=say("batch.deleted"), panel=CLOSED, begin=tell)
