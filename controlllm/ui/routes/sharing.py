"""A conversation as one file that its owner may give to others."""

from __future__ import annotations

from starlette.responses import Response
from starlette.routing import Route

from controlllm.admission.security import FILE_POLICY
from controlllm.ui.calls import OWN, Call, in_thread
from controlllm.ui.drawings.shared_page import Embedded, shared_page
from controlllm.ui.sharing import Contents
from controlllm.ui.texts import say
from controlllm.ui.view import views_of


def shared(call: Call) -> Response:
    """A conversation as one HTML file that needs nothing else."""
    session = call.session()
    known = {resource.value: resource for resource in session.resources}
    find = call.conversations.media(session.id, known).find
    media = Embedded("", find, content=Contents(find).address)
    title = session.title or say("share.made")
    return Response(
        shared_page(title, views_of(session), media, known),
        media_type="text/html",
        headers={
            "cache-control": "no-store",
            "content-disposition": 'attachment; filename="conversation.html"',
            "content-security-policy": FILE_POLICY,
        },
    )


ROUTES = (Route(f"{OWN}/shared", in_thread(shared), methods=["GET"]),)
