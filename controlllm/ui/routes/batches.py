"""Batches: begun, given files, watched, stopped, taken along."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack, aclosing
from pathlib import Path
from typing import Any, TypeVar

from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from controlllm.admission.bodies import receive
from controlllm.core.session import Session, handle_of
from controlllm.recipes import batch as batches
from controlllm.recipes.archive import write_zip
from controlllm.recipes.batch import Batch, Item
from controlllm.resources.probing import BadInput, Limits
from controlllm.ui.batch_standing import Standing
from controlllm.ui.calls import OWN, Call, Drawings, Endpoint, answer, in_thread, prepared, streamed
from controlllm.ui.drawings.batch_line import batch_entry, batch_line
from controlllm.ui.drawings.batch_view import (
    batch_form,
    batch_head,
    batch_panel,
    batch_row,
    progress_words,
)
from controlllm.ui.drawings.media import Media
from controlllm.ui.files import media_response
from controlllm.ui.texts import say
from controlllm.ui.verbs.batches import items_now, media_of, new_batch, own_batch, session_of
from controlllm.ui.verbs.recipes import usable_recipe

T = TypeVar("T")


def _own(call: Call) -> Batch:
    return own_batch(call, call.part("batch"))


def form(call: Call) -> Response:
    """What a batch with a recipe needs to begin."""
    id = call.part("recipe")
    recipe = usable_recipe(call, id)
    title = say("batch.title", name=recipe.name)
    return answer({"title": title, "html": batch_form(recipe, id)})


def begin_new(call: Call) -> Response:
    """A new batch, without files yet."""
    recipe = usable_recipe(call, call.field("recipe", str))
    anew = call.field("anew", bool, False)
    batch = new_batch(call, recipe, call.field("words", dict, {}), anew)
    return answer({"id": batch.id, "name": recipe.name})


async def add_file(request: Request) -> Response:
    """Take in a file, which is the body as it is: one to work on, or, where an input is named, one
    that is the same each time."""
    call = await run_in_threadpool(Call.of, request)
    batch = await run_in_threadpool(_own, call)
    conversations, name = call.conversations, request.query_params.get("name", "file")
    assistant, wanted = conversations.assistant, request.query_params.get("input", "")
    check = conversations.allowance.check_file
    own = await run_in_threadpool(_held, call)
    with assistant.store.work_folder() as folder:
        path = Path(folder) / "upload"
        await receive(request, path, Limits().max_bytes, name)
        await run_in_threadpool(check, own, path.stat().st_size)
        async with conversations.taking_in:
            if wanted:
                await run_in_threadpool(batches.add_other, assistant, batch, wanted, path, name)
                return answer({})
            number = await run_in_threadpool(batches.add_file, assistant, batch, path, name)
    items = batches.items_of(batch, await run_in_threadpool(session_of, call, batch), False)
    work = conversations.batches.find(batch.id)
    if work is not None and not work.stopping:
        work.add([items[number - 1]])
    drawn = await run_in_threadpool(batch_row, items[number - 1], media_of(call, batch))
    return answer({"number": number, "row": drawn})


def _held(call: Call) -> list[str]:
    """The conversations whose files count for the visitor, those of batches among them."""
    shelf = call.conversations.assistant.store.shelf
    return [*call.visitor.ids, *(key for _, key in batches.sessions_of(shelf, call.visitor.owner))]


def _on_the_loop(prepare: Callable[[Call], T], act: Callable[[Call, T], None]) -> Endpoint:
    """A route whose work is prepared in a thread and done where the batches are."""

    async def endpoint(request: Request) -> Response:
        call, found = await prepared(request, prepare)
        act(call, found)
        return answer({})

    return endpoint


def _loaded(call: Call) -> tuple[Batch, Session]:
    batch = _own(call)
    return batch, session_of(call, batch)


def _begin(call: Call, found: tuple[Batch, Session]) -> None:
    call.conversations.batches.begin(*found, call.conversations.settings(call.session_id))


def _stop(call: Call, found: tuple[Batch, Session]) -> None:
    call.conversations.batches.stop(found[0].id)


def _prepared_again(call: Call) -> tuple[Batch, Session, list[int]]:
    batch, number = _own(call), call.field("number", int, 0)
    numbers = batches.try_again(call.conversations.assistant.store, batch, number or None)
    return batch, session_of(call, batch), numbers


def _again(call: Call, found: tuple[Batch, Session, list[int]]) -> None:
    batch, session, numbers = found
    settings = call.conversations.settings(call.session_id)
    call.conversations.batches.again(batch, session, settings, numbers)


def _pointed(call: Call) -> tuple[Batch, Session]:
    batch, marks = _own(call), [{"x": _share(call, "x"), "y": _share(call, "y")}]
    try:
        number = call.field("number", int)
        batches.point(call.conversations.assistant, batch, number, marks)
    except KeyError:
        raise HTTPException(404, say("batch.gone")) from None
    return batch, session_of(call, batch)


def _share(call: Call, name: str) -> float:
    value = call.sent.get(name)
    return float(value) if isinstance(value, int | float) else -1.0


def panel(call: Call) -> Response:
    """The whole batch."""
    batch = _own(call)
    work, items = call.conversations.batches.find(batch.id), items_now(call, batch)
    head = batch_head(items, work is not None, work.remaining if work else None)
    base = f"/conversations/{call.part('handle')}/batches"
    drawn = batch_panel(items, media_of(call, batch), head, batch.id, base)
    title = say("batch.title", name=batch.recipe.name)
    return answer({"title": title, "html": drawn, "working": work is not None})


def follow(call: Call, batch: Batch) -> Drawings:
    """Watch a batch at work: the rows that have changed, and how far it is."""
    return _drawings(call, batch)


async def _drawings(call: Call, batch: Batch) -> Drawings:
    work, media = call.conversations.batches.find(batch.id), media_of(call, batch)
    if work is None:
        items = await run_in_threadpool(items_now, call, batch)
        yield await run_in_threadpool(_drawn, call, items, items, media, batch, None)
        return
    async with aclosing(work.changes()) as changes:
        async for changed, _ in changes:
            yield await run_in_threadpool(_drawn, call, work.files, changed, media, batch, work)


def _drawn(
    call: Call,
    items: Sequence[Item],
    changed: Sequence[Item],
    media: Media,
    batch: Batch,
    work: Any,
) -> dict[str, Any]:
    at_work = work is not None and not work.ended
    remaining = work.remaining if at_work else None
    doing = work.doing if work is not None else {}
    words = progress_words(items, at_work, remaining)
    done = sum(item.state in ("done", "failed") for item in items)
    return {
        "rows": {
            str(item.number): batch_row(item, media, doing.get(item.number, "")) for item in changed
        },
        "head": batch_head(items, at_work, remaining, work.problem if work is not None else ""),
        "name": batch.recipe.name,
        "now": words,
        "state": say("batch.at_work", name=batch.recipe.name, done=done, all=len(items)),
        **_told(batch, items, at_work, remaining),
        "ended": not at_work,
    }


def _told(
    batch: Batch, items: Sequence[Item], at_work: bool, remaining: float | None
) -> dict[str, str]:
    """What changes in the conversation that the batch was begun from, and which that is."""
    if not batch.begun_in:
        return {"home": "", "line": "", "entry": ""}
    home = handle_of(batch.begun_in)
    standing = Standing(batch.id, batch.recipe.name, batch.after, items, at_work, remaining)
    return {
        "home": home,
        "line": batch_line(standing, home),
        "entry": batch_entry(standing, home),
    }


def at_work(call: Call) -> Response:
    """The batch of the visitor that is at work, if one is: after the page was loaded again."""
    shelf = call.conversations.assistant.store.shelf
    found = [
        id
        for id, _ in batches.sessions_of(shelf, call.visitor.owner)
        if call.conversations.batches.find(id) is not None
    ]
    return answer({"batch": found[0] if found else ""})


def delete(call: Call) -> Response:
    """Forget a batch that does not run, with its results."""
    batch = _own(call)
    if call.conversations.batches.find(batch.id) is not None:
        raise BadInput(say("batch.stop_first"))
    batches.remove(call.conversations.assistant.store, batch.id, batch.session)
    return answer({})


def taken_along(call: Call) -> Response:
    """All results as a zip, with a table; each carries the recipe unless the settings forbid it."""
    batch, store = _own(call), call.conversations.assistant.store
    carries = call.conversations.settings(call.session_id).recipes_in_files
    with ExitStack() as stack:
        folder = stack.enter_context(store.work_folder())
        target = folder / "results.zip"
        write_zip(
            target,
            batch.recipe.name,
            items_now(call, batch),
            lambda resource: store.path(resource.digest, resource.media_type),
            batch.recipe.to_text() if carries else "",
            folder,
        )
        return FileResponse(
            target,
            media_type="application/zip",
            filename=f"{batch.recipe.name}.zip",
            headers={"cache-control": "no-store"},
            background=BackgroundTask(stack.pop_all().close),
        )


def media_file(call: Call) -> Response:
    """A file of a batch, or what was made of it."""
    batch, asked = _own(call), call.request.query_params
    value = call.part("value")
    try:
        path, media_type = call.conversations.assistant.file(batch.session, value)
    except KeyError:
        raise HTTPException(404, say("errors.no_file")) from None
    return media_response(
        path, media_type, value, asked.get("size") == "small", asked.get("download") == "1"
    )


_BATCHES = f"{OWN}/batches"
_ONE = f"{_BATCHES}/{{batch}}"
ROUTES = (
    Route(f"{OWN}/recipes/{{recipe}}/form", in_thread(form), methods=["GET"]),
    Route(_BATCHES, in_thread(at_work), methods=["GET"]),
    Route(_BATCHES, in_thread(begin_new), methods=["POST"]),
    Route(_ONE, in_thread(panel), methods=["GET"]),
    Route(_ONE, in_thread(delete), methods=["DELETE"]),
    Route(f"{_ONE}/files", add_file, methods=["POST"]),
    Route(f"{_ONE}/begin", _on_the_loop(_loaded, _begin), methods=["POST"]),
    Route(f"{_ONE}/stop", _on_the_loop(_loaded, _stop), methods=["POST"]),
    Route(f"{_ONE}/again", _on_the_loop(_prepared_again, _again), methods=["POST"]),
    Route(f"{_ONE}/point", _on_the_loop(_pointed, _begin), methods=["POST"]),
    Route(f"{_ONE}/follow", streamed(_own, follow), methods=["POST"]),
    Route(f"{_ONE}/zip", in_thread(taken_along), methods=["GET"]),
    Route("/media/{handle}/batches/{batch}/{value:path}", in_thread(media_file), methods=["GET"]),
)
