"""The self-test: begun, stopped and watched from the toolbox by whoever may change this machine."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from controlllm.resources.probing import BadInput
from controlllm.ui.calls import OWN, Call, in_thread, shown
from controlllm.ui.drawings.self_test import self_test_panel
from controlllm.ui.texts import say


def panel(call: Call) -> Response:
    """What is known of the tools tried."""
    return _panel(call)


def change(call: Call) -> Response:
    """Begin trying all tools, or stop."""
    if not call.may_pull:
        raise HTTPException(403, say("selftest.not_here"))
    tests, wish = call.conversations.self_tests, call.field("wish", str)
    if wish == "begin":
        tests.begin()
    elif wish == "stop":
        tests.stop()
    else:
        raise BadInput(say("errors.field_not_read", field="wish"))
    return _panel(call)


def picture(call: Call) -> Response:
    """A small picture of what a tool made."""
    path = call.conversations.self_tests.picture(call.part("tool"))
    if path is None:
        raise HTTPException(404, say("errors.no_file"))
    return FileResponse(path, media_type="image/webp", headers={"cache-control": "no-store"})


def _panel(call: Call) -> Response:
    tests = call.conversations.self_tests
    return shown(self_test_panel(tests.progress(), call.may_pull))


ROUTES = (
    Route(f"{OWN}/self-test", in_thread(panel), methods=["GET"]),
    Route(f"{OWN}/self-test", in_thread(change), methods=["POST"]),
    Route("/self-test/{tool}.webp", in_thread(picture), methods=["GET"]),
)
