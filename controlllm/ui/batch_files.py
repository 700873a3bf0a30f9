"""Files that come into a batch: the work begins with the first, while the others are taken in."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from starlette.concurrency import run_in_threadpool

from controlllm.core.session import Session
from controlllm.recipes import batch as batches
from controlllm.recipes.batch import Batch, Item
from controlllm.resources.probing import BadInput
from controlllm.settings.quotas import LimitReached
from controlllm.store import StoreError
from controlllm.ui.calls import Call
from controlllm.ui.texts import say


def begin_with(call: Call, batch: Batch, session: Session, rest: Sequence[Path]) -> None:
    """Begin a batch of which one file is there, and take in the rest; called on the event loop."""
    works, settings = call.conversations.batches, call.conversations.settings(call.session_id)
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
                item = await run_in_threadpool(take_in, call, batch, path)
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


def take_in(call: Call, batch: Batch, path: Path) -> Item:
    """Copy a file that was uploaded into a batch; one that cannot be used is in it as failed.

    The upload stays: the same content under the same name may be wanted elsewhere, and what is
    left of it goes by itself.
    """
    assistant, name = call.conversations.assistant, path.name
    try:
        check_room(call, path)
        number = batches.add_file(assistant, batch, path, name)
    except (BadInput, LimitReached) as error:
        number = batches.add_failed(assistant.store, batch, name, str(error))
    except OSError:
        reason = say("errors.file_gone", name=name)
        number = batches.add_failed(assistant.store, batch, name, reason)
    session = assistant.store.load(batch.session)
    return batches.items_of(batch, session, is_at_work=True)[number - 1]


def check_room(call: Call, path: Path) -> None:
    """Raise LimitReached where the visitor may have no more files; those of batches count."""
    shelf = call.conversations.assistant.store.shelf
    owner = call.visitor.owner
    own = [*call.visitor.ids, *(key for _, key in batches.sessions_of(shelf, owner))]
    call.conversations.shared.allowance.check_file(own, path.stat().st_size)
