"""Files of a conversation: named anew, a document's pages, all of them in one ZIP file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from controlllm.admission.security import FILE_POLICY
from controlllm.answers.provenance import provenance
from controlllm.answers.renaming import renamed
from controlllm.core.session import Session
from controlllm.store.document_pages import add_page, drawn_page, original_file
from controlllm.ui.calls import OWN, Call, answer, in_thread
from controlllm.ui.drawings.report import Embedded, report
from controlllm.ui.texts import say
from controlllm.ui.zip_stream import zipped


def rename(call: Call) -> Response:
    """Give a file another name."""
    value, wanted = call.field("value", str), call.field("name", str)
    named: list[str] = []

    def change(session: Session) -> Session:
        changed, name = renamed(session, value, wanted)
        named[:] = [name]
        return changed

    session = call.conversations.assistant.store.update(call.session_id, change)
    drawn, titles = call.conversations.drawn(session), call.conversations.titles(call.visitor)
    return answer({"name": named[0], **drawn, "conversations": titles})


def use_page(call: Call) -> Response:
    """Have a page of a document as a picture among the files."""
    conversations = call.conversations
    conversations.allowance.check_file(call.visitor.ids, 0)
    value, number = call.field("value", str), call.field("page", int)
    made = add_page(call.session_id, conversations.assistant.store, value, number)
    session = call.session()
    file = conversations.described(made, conversations.media_of(session))
    return answer({"file": file, **conversations.files(session)})


def page(call: Call) -> Response:
    """A page of a document as a picture."""
    asked, store = call.request.query_params, call.conversations.assistant.store
    try:
        resource = call.session().resource(asked.get("value", ""))
        number = int(asked.get("page", ""))
        content = drawn_page(resource, store, number, asked.get("size") == "small")
    except (KeyError, ValueError):
        raise HTTPException(404, say("errors.no_file")) from None
    headers = {"content-security-policy": FILE_POLICY, "cache-control": "private, max-age=86400"}
    return Response(content, media_type="image/png", headers=headers)


def everything(call: Call) -> Response:
    """All files, what they came from and how they were made, as a ZIP file that is written while it
    is sent."""
    session = call.session()
    title = re.sub(r"[^\w -]+", "", session.title)[:60].strip() or "controlllm"
    return StreamingResponse(
        zipped(_members(call, session)),
        media_type="application/zip",
        headers={
            "content-disposition": f"attachment; filename*=utf-8''{quote(title)}.zip",
            "cache-control": "no-store",
        },
    )


def _members(call: Call, session: Session) -> Iterator[tuple[str, Path | bytes]]:
    assistant = call.conversations.assistant
    plain = call.conversations.media_of(session)
    media = Embedded(
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


ROUTES = (
    Route(f"{OWN}/name", in_thread(rename), methods=["POST"]),
    Route(f"{OWN}/page", in_thread(page), methods=["GET"]),
    Route(f"{OWN}/page", in_thread(use_page), methods=["POST"]),
    Route(f"{OWN}/everything.zip", in_thread(everything), methods=["GET"]),
)
