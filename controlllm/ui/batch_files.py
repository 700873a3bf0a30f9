"""Files that come into a batch: the work begins with the first, while the others are taken in."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from starlette.concurrency import run_in_threadpool

from controlllm.core.session import Session
from controlllm.recipes import batch as batches
from controlllm.recipes.batch import Batch, Item
from controlllm.resources.probing import BadInput
from controlllm.settings.quotas import LimitReached
from controlllm.store import StoreError
from controlllm.ui.calls import Call


def begin_with(call: Call, batch: Batch, session: Session, rest: Sequence[Path]) -> None:
    """Begin a batch of which one file is there, and take in the rest; called on the event loop."""
    works, settings = call.conversations.batches, call.conversations.settings(call.session_id)
    works.begin(batch, session, settings)
    call.conversations.live.tell(batch.begun_in)
    if rest:
        works.coming[batch.id] = (1, len(rest) + 1)
        works.keep_task(asyncio.create_task(_take_rest(call, batch, rest)))


async def _take_rest(call: Call, batch: Batch, rest: Sequence[Path]) -> None:
    conversations, works = call.conversations, call.conversations.batches
    settings = conversations.settings(call.session_id)
    work = works.find(batch.id)
    was_stopped = False
    try:
        for count, path in enumerate(rest, 2):
            async with conversations.taking_in:
                item = await run_in_threadpool(take_in, call, batch, path)
            works.coming[batch.id] = (count, len(rest) + 1)
            work = works.find(batch.id) or work
            if work is None or work.ended:
                was_stopped = was_stopped or (work is not None and work.stopping)
            elif not work.stopping:
                work.add([item])
        if work is None or (work.ended and not was_stopped and not work.stopping):
            # All that was there had been done before the last had come.
            session = await run_in_threadpool(conversations.assistant.store.load, batch.session)
            works.begin(batch, session, settings)
    except (KeyError, StoreError):
        # The batch, or the room for it, is gone: what has come is all of it.
        return
    finally:
        works.coming.pop(batch.id, None)


def take_in(call: Call, batch: Batch, path: Path) -> Item:
    """Take a file that was uploaded into a batch; one that cannot be used is in it as failed."""
    assistant, name = call.conversations.assistant, path.name
    try:
        check_room(call, path)
        number = batches.add_file(assistant, batch, path, name)
    except (BadInput, LimitReached) as error:
        number = batches.add_failed(assistant.store, batch, name, str(error))
    finally:
        # It lies in the batch now, where nobody else finds it.
        with suppress(OSError):
            path.unlink()
    session = assistant.store.load(batch.session)
    return batches.items_of(batch, session, is_at_work=True)[number - 1]


def check_room(call: Call, path: Path) -> None:
    """Raise LimitReached where the visitor may have no more files; those of batches count."""
    shelf = call.conversations.assistant.store.shelf
    owner = call.visitor.owner
    own = [*call.visitor.ids, *(key for _, key in batches.sessions_of(shelf, owner))]
    call.conversations.allowance.check_file(own, path.stat().st_size)
