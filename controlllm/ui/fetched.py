"""What browsers fetch beside the page: files, small pictures of them, and what is taken along.

An address that names a conversation finds it among those of the browser's own cookie; what
belongs to anybody else does not exist for it (404).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from starlette.background import BackgroundTask
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, Response, StreamingResponse
from starlette.routing import Route

from controlllm.admission.security import FILE_POLICY
from controlllm.answers.provenance import provenance
from controlllm.answers.result_names import may_tell_secret
from controlllm.core.session import Session
from controlllm.recipes.archive import with_recipe, write_zip
from controlllm.recipes.recipe import as_script
from controlllm.resources.probing import BadInput
from controlllm.store.handed_over import drawn_page, original_file
from controlllm.ui.calls import OWN, Call, in_thread
from controlllm.ui.drawings.exports import ReportMedia, SharedMedia, report, shared_page
from controlllm.ui.drawings.recipes_view import recipe_picture
from controlllm.ui.files import Contents, media_response, zipped
from controlllm.ui.texts import say
from controlllm.ui.verbs.batches import items_now, own_batch
from controlllm.ui.verbs.recipes import recipe_made, usable_recipe
from controlllm.ui.view import views_of

_NOT_KEPT = {"cache-control": "no-store"}


@contextmanager
def _there() -> Iterator[None]:
    """Raise HTTPException (404) where a file is not there."""
    try:
        yield
    except (KeyError, ValueError):
        raise HTTPException(404, say("errors.no_file")) from None


def media_file(call: Call) -> Response:
    """A file's content, whole or small, to be shown or to be kept."""
    value, asked = call.part("value"), call.request.query_params
    assistant, is_download = call.assistant, asked.get("download") == "1"
    with _there():
        path, media_type = assistant.file(call.session_id, value)
        if is_download:  # a document as it was handed over, not its text
            path, media_type = original_file(call.session().resource(value), assistant.store)
    if is_download:
        return _downloaded(call, value, path, media_type)
    return media_response(path, media_type, value, asked.get("size") == "small", False)


def _downloaded(call: Call, value: str, path: Path, media_type: str) -> Response:
    """A file to keep. What a request has made carries its recipe, unless the settings forbid it;
    what is stored stays as it is."""
    store, recipe = call.store, ""
    if call.settings.recipes_in_files:
        recipe = _recipe_for(call, value)
    with ExitStack() as stack:
        if recipe:
            folder = stack.enter_context(store.work_folder())
            path = with_recipe(path, value, recipe, folder)
        response = media_response(path, media_type, value, False, True)
        if recipe:
            response.headers.update(_NOT_KEPT)
            response.background = BackgroundTask(stack.pop_all().close)
        return response


def _recipe_for(call: Call, value: str) -> str:
    """The text of the recipe of the request that made a resource last; empty where none did."""
    session = call.session()
    for turn in reversed(session.turns):
        if turn.plan is not None and value in {item.value for item in turn.every}:
            with suppress(BadInput):
                return recipe_made(call, session, turn).to_text()
            return ""
    return ""


def page_of_document(call: Call) -> Response:
    """A page of a document as a picture."""
    asked, store = call.request.query_params, call.store
    with _there():
        resource = call.session().resource(asked.get("value", ""))
        number = int(asked.get("page", ""))
        content = drawn_page(resource, store, number, asked.get("size") == "small")
    headers = {"content-security-policy": FILE_POLICY, "cache-control": "private, max-age=86400"}
    return Response(content, media_type="image/png", headers=headers)


def zip_name(title: str) -> str:
    """What a conversation's ZIP is called: after its title, which may hold a password."""
    words = "" if may_tell_secret(title) else re.sub(r"[^\w -]+", "", title)[:60].strip()
    return f"{words or 'controlllm'}.zip"


def everything(call: Call) -> Response:
    """All files, what they came from and how they were made, as a ZIP file that is written while it
    is sent."""
    session = call.session()
    headers = {**_NOT_KEPT, **_attached(zip_name(session.title))}
    members = zipped(_members(call, session))
    return StreamingResponse(members, media_type="application/zip", headers=headers)


def _members(call: Call, session: Session) -> Iterator[tuple[str, Path | bytes]]:
    assistant = call.assistant
    plain = call.conversations.media_of(session)
    media = ReportMedia(
        plain.handle,
        plain.find,
        first_page=lambda item: drawn_page(item, assistant.store, 1, is_small=True),
    )
    yield "report.html", report(session, media, assistant.toolbox).encode()
    facts = provenance(session, assistant.toolbox)
    yield "provenance.json", json.dumps(facts, ensure_ascii=False, indent=2).encode()
    for resource in session.resources:
        try:
            yield f"files/{resource.value}", original_file(resource, assistant.store)[0]
        except KeyError:
            continue  # its file is gone; the report still says how it was made


def shared(call: Call) -> Response:
    """A conversation as one HTML file that its owner may give to others, and that needs nothing
    else."""
    session = call.session()
    known = {resource.value: resource for resource in session.resources}
    find = call.conversations.media(session.id, known).find
    media = SharedMedia("", find, content=Contents(find).address)
    title = session.title or say("share.made")
    headers = {
        **_NOT_KEPT,
        "content-disposition": 'attachment; filename="conversation.html"',
        "content-security-policy": FILE_POLICY,
    }
    html = shared_page(title, views_of(session), media, known)
    return Response(html, media_type="text/html", headers=headers)


def recipe_file(call: Call) -> Response:
    """A recipe to hand on: as JSON, as a script, as a picture."""
    recipe = usable_recipe(call, call.part("recipe"))
    stem = re.sub(r"[^\w -]+", "", recipe.name).strip() or "recipe"
    kinds = {
        "json": ("json", "application/json", lambda: json.dumps(recipe.to_json(), indent=1)),
        "python": ("py", "text/x-python", lambda: as_script(recipe, f"{stem}.py")),
        "svg": ("svg", "image/svg+xml", lambda: recipe_picture(recipe)),
    }
    wanted = call.request.query_params.get("as", "json")
    if wanted not in kinds:
        raise HTTPException(404, say("recipes.gone"))
    suffix, media_type, content = kinds[wanted]
    # A file to keep, never to be shown by a browser.
    headers = {**_NOT_KEPT, **_attached(f"{stem}.{suffix}")}
    return Response(content(), media_type=media_type, headers=headers)


def batch_results(call: Call) -> Response:
    """All results of a batch as a ZIP file with a table; each carries the recipe unless the
    settings forbid it."""
    batch, store = own_batch(call, call.part("batch")), call.store
    carries = call.settings.recipes_in_files
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
            headers=_NOT_KEPT,
            background=BackgroundTask(stack.pop_all().close),
        )


def batch_file(call: Call) -> Response:
    """A file of a batch, or what was made of it."""
    batch, asked = own_batch(call, call.part("batch")), call.request.query_params
    value, is_download = call.part("value"), asked.get("download") == "1"
    with _there():
        path, media_type = call.assistant.file(batch.session, value)
    return media_response(path, media_type, value, asked.get("size") == "small", is_download)


def self_test_picture(call: Call) -> Response:
    """A small picture of what a tool made when it was tried."""
    path = call.conversations.self_tests.picture(call.part("tool"))
    if path is None:
        raise HTTPException(404, say("errors.no_file"))
    return FileResponse(path, media_type="image/webp", headers=_NOT_KEPT)


def _attached(name: str) -> dict[str, str]:
    return {"content-disposition": f"attachment; filename*=utf-8''{quote(name)}"}


ROUTES = (
    Route(f"{OWN}/page", in_thread(page_of_document), methods=["GET"]),
    Route(f"{OWN}/everything.zip", in_thread(everything), methods=["GET"]),
    Route(f"{OWN}/shared", in_thread(shared), methods=["GET"]),
    Route(f"{OWN}/recipes/{{recipe}}/file", in_thread(recipe_file), methods=["GET"]),
    Route(f"{OWN}/batches/{{batch}}/zip", in_thread(batch_results), methods=["GET"]),
    # Before files: what belongs to a batch lies below a conversation's own.
    Route("/media/{handle}/batches/{batch}/{value:path}", in_thread(batch_file), methods=["GET"]),
    Route("/media/{handle}/{value:path}", in_thread(media_file), methods=["GET"]),
    Route("/self-test/{tool}.webp", in_thread(self_test_picture), methods=["GET"]),
)
