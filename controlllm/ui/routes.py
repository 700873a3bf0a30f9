"""The page's routes: conversations, requests, files, points, types, settings, toolbox.

Every route that names a conversation finds it among those of the browser's own cookie; what belongs
to anybody else does not exist for it (404).
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from controlllm.admission.bodies import receive
from controlllm.models.weights import Size
from controlllm.models.weights.pulling import ENDS
from controlllm.resources import ClickedPoint
from controlllm.resources.probing import BadInput, Limits
from controlllm.session import Session
from controlllm.settings import BEST_VARIANT, Preference, Settings
from controlllm.surroundings import HostedTool
from controlllm.ui import examples
from controlllm.ui.calls import Call, Drawings, answer, in_thread, shown, streamed
from controlllm.ui.files import media_response
from controlllm.ui.pulls import TooManyPulls
from controlllm.ui.settings_panel import settings_form
from controlllm.ui.sources_view import sources_fold
from controlllm.ui.streams import Run
from controlllm.ui.toolbox_view import tool_card, toolbox_list

#: Of one settings field, in characters, of the name of a run, and of clicks on one picture.
_LONGEST = 2000
_LONGEST_NAME = 64
_MOST_POINTS = 1000


# Conversations


def open_conversation(call: Call) -> Response:
    client = call.request.client
    handle, new = call.field("handle", str, ""), call.field("new", bool, False)
    session = call.conversations.open(call.visitor, handle, new, client.host if client else "")
    call.visitor.add(session.id)
    response = answer(_drawn(call, session))
    call.visitor.remember(response, call.request.url.scheme == "https")
    return response


def conversation(call: Call) -> Response:
    return answer(_drawn(call, call.conversations.assistant.open_session(call.session_id)))


def _drawn(call: Call, session: Session) -> dict[str, Any]:
    titles = call.conversations.titles(call.visitor)
    return {**call.conversations.drawn(session), "conversations": titles}


def delete_conversation(call: Call) -> Response:
    call.conversations.runs.stop_all(call.session_id)
    call.conversations.assistant.store.delete(call.session_id)
    call.visitor.remove(call.session_id)
    response = answer({"conversations": call.conversations.titles(call.visitor)})
    call.visitor.remember(response, call.request.url.scheme == "https")
    return response


# Requests: the answer is a stream of drawings of a turn


def _session(call: Call) -> Session:
    return call.conversations.assistant.store.load(call.session_id)


def _ready_to_ask(call: Call) -> Session:
    session = _session(call)
    there = {resource.value for resource in session.resources}
    for value in call.field("attached", list, []):
        if not isinstance(value, str) or value not in there:
            raise BadInput(f"There is no file called {value} here any more. Add it again.")
    return session


def _name(call: Call) -> str:
    """The name that a page gives a run."""
    name = call.field("run", str)
    if not 0 < len(name) <= _LONGEST_NAME:
        raise BadInput("This could not be read (run). Load the page again.")
    return name


def _owner(call: Call) -> str:
    return call.conversations.visitors.of(call.visitor.ids)


def ask(call: Call, session: Session) -> Drawings:
    text, attached = call.field("text", str), call.field("attached", list, [])
    run = call.conversations.ask(session, _name(call), _owner(call), text, attached)
    return _drawings(call, run)


def switch(call: Call, session: Session) -> Drawings:
    numbers = [call.field(name, int) for name in ("turn", "subtask", "solution")]
    return _drawings(call, call.conversations.switch(session, _name(call), _owner(call), *numbers))


def choose(call: Call, session: Session) -> Drawings:
    numbers = [call.field(name, int) for name in ("turn", "question", "choice")]
    return _drawings(call, call.conversations.choose(session, _name(call), _owner(call), *numbers))


def act(call: Call, session: Session) -> Drawings:
    numbers = [call.field(name, int) for name in ("turn", "subtask")]
    return _drawings(call, call.conversations.act(session, _name(call), _owner(call), *numbers))


def resume(call: Call, session: Session) -> Drawings:
    turn = call.field("turn", int)
    return _drawings(call, call.conversations.resume(session, _name(call), _owner(call), turn))


def follow(call: Call, session: Session) -> Drawings:
    """Watch a run that is in progress, from what it has come to."""
    return _drawings(call, call.conversations.runs.find(session.id, _name(call)))


async def _drawings(call: Call, run: Run | None) -> Drawings:
    if run is None:
        yield {"ended": True, "gone": True}
        return
    media = call.conversations.media(call.session_id)
    async with aclosing(run.drawings(media)) as drawings:
        async for drawing in drawings:
            yield drawing


def stop(call: Call) -> Response:
    return answer({"stopped": call.conversations.runs.stop(call.session_id, _name(call))})


def skip_step(call: Call) -> Response:
    assistant = call.conversations.assistant
    return answer({"skipped": assistant.skip_step(call.session_id, call.field("turn", int))})


# Files


def files(call: Call) -> Response:
    session = _session(call)
    return answer(
        {
            **call.conversations.files(session),
            "title": session.title or "New conversation",
            "conversations": call.conversations.titles(call.visitor),
        }
    )


async def add_file(request: Request) -> Response:
    """Take in a file, which is the body as it is."""
    call = await run_in_threadpool(Call.of, request)
    conversations, name = call.conversations, request.query_params.get("name", "file")
    assistant, check = conversations.assistant, conversations.allowance.check_file
    told = request.headers.get("content-length", "0")
    await run_in_threadpool(check, call.visitor.ids, int(told) if told.isdecimal() else 0)
    with assistant.store.work_folder() as folder:
        path = Path(folder) / "upload"
        await receive(request, path, Limits().max_bytes, name)
        await run_in_threadpool(check, call.visitor.ids, path.stat().st_size)
        async with conversations.taking_in:
            resource, notices = await run_in_threadpool(
                assistant.add_file, call.session_id, path, name
            )

    def told_of() -> Response:
        file = conversations.described(resource, conversations.media(call.session_id))
        return answer({"file": file, "notices": notices, **conversations.files(_session(call))})

    return await run_in_threadpool(told_of)


def add_example(call: Call) -> Response:
    found = {example.id: example for example in examples.examples()}
    if call.part("example_id") not in found:
        raise HTTPException(404, "There is no such example.")
    call.conversations.allowance.check_file(call.visitor.ids, 0)
    example, assistant = found[call.part("example_id")], call.conversations.assistant
    added = [
        assistant.add_file(call.session_id, examples.FOLDER / name, name)[0]
        for name in example.files
    ]
    if example.points and added:
        width, height = added[0].details["width"], added[0].details["height"]
        points = [
            ClickedPoint(int(point.x * width), int(point.y * height), point.positive)
            for point in example.points
        ]
        added.append(assistant.add_points(call.session_id, added[0].value, points))
    return answer(
        {
            "text": example.text,
            "attached": [resource.value for resource in added],
            **call.conversations.files(_session(call)),
        }
    )


def add_points(call: Call) -> Response:
    clicked = _points_of(call.field("points", list))
    image, conversations = call.field("image", str), call.conversations
    resource = conversations.assistant.add_points(call.session_id, image, clicked)
    file = conversations.described(resource, conversations.media(call.session_id))
    return answer({"file": file, **conversations.files(_session(call))})


def set_type(call: Call) -> Response:
    value, kind = call.field("value", str), call.field("type", str)
    call.conversations.assistant.set_type(call.session_id, value, kind)
    return answer(call.conversations.files(_session(call)))


def media_file(call: Call) -> Response:
    value, asked = call.part("value"), call.request.query_params
    try:
        path, media_type = call.conversations.assistant.file(call.session_id, value)
    except KeyError:
        raise HTTPException(404, "There is no such file.") from None
    return media_response(
        path, media_type, value, asked.get("size") == "small", asked.get("download") == "1"
    )


# Settings and toolbox


def get_settings(call: Call) -> Response:
    conversations = call.conversations
    return shown(settings_form(conversations.settings(call.session_id), conversations.hosts()))


def set_settings(call: Call) -> Response:
    conversations = call.conversations
    changed = _changed(conversations.settings(call.session_id), call.sent)
    conversations.set_settings(call.session_id, changed)
    return shown(settings_form(changed, conversations.hosts()))


def toolbox(call: Call) -> Response:
    conversations = call.conversations
    settings, known = conversations.settings(call.session_id), conversations.assistant.toolbox
    # How an earlier one ended was shown when it did.
    going_on = {
        name: pull for name, pull in conversations.pulls.progress().items() if pull.step not in ENDS
    }
    listed = toolbox_list(known, settings, going_on, conversations.may_pull)
    return shown(sources_fold() + listed)


def toolbox_card(call: Call) -> Response:
    conversations, name = call.conversations, call.part("name")
    settings, known = conversations.settings(call.session_id), conversations.assistant.toolbox
    if name not in known:
        raise HTTPException(404, "There is no such tool.")
    pull = conversations.pulls.progress().get(name)
    return shown(tool_card(known[name], known, settings, pull, conversations.may_pull))


async def change_weights(request: Request) -> Response:
    """Fetch a tool's weights, stop fetching them, or remove them."""
    body = await request.body()
    call = await run_in_threadpool(Call.of, request, body)
    conversations, name, wish = call.conversations, call.part("name"), call.field("wish", str)
    if name not in conversations.assistant.toolbox:
        raise HTTPException(404, "There is no such tool.")
    if not conversations.may_pull:
        raise HTTPException(403, "Whoever runs this server has not allowed this from the page.")
    settings = conversations.settings(call.session_id)
    if wish == "pull":
        try:
            await conversations.pulls.begin(name, settings.weights_size)
        except TooManyPulls as error:
            raise HTTPException(409, str(error)) from None
    elif wish == "stop":
        await conversations.pulls.stop(name)
    elif wish == "remove":
        for way in conversations.assistant.toolbox.implementations[name]:
            for weights in settings.surroundings.weights_of(way.weights).values():
                await run_in_threadpool(weights.remove)
    return await run_in_threadpool(toolbox_card, call)


_OWN = "/conversations/{handle}"
ROUTES = (
    Route("/conversations", in_thread(open_conversation), methods=["POST"]),
    Route(_OWN, in_thread(conversation), methods=["GET"]),
    Route(_OWN, in_thread(delete_conversation), methods=["DELETE"]),
    Route(f"{_OWN}/ask", streamed(_ready_to_ask, ask), methods=["POST"]),
    Route(f"{_OWN}/switch", streamed(_session, switch), methods=["POST"]),
    Route(f"{_OWN}/choose", streamed(_session, choose), methods=["POST"]),
    Route(f"{_OWN}/act", streamed(_session, act), methods=["POST"]),
    Route(f"{_OWN}/resume", streamed(_session, resume), methods=["POST"]),
    Route(f"{_OWN}/follow", streamed(_session, follow), methods=["POST"]),
    Route(f"{_OWN}/stop", in_thread(stop), methods=["POST"]),
    Route(f"{_OWN}/skip", in_thread(skip_step), methods=["POST"]),
    Route(f"{_OWN}/files", in_thread(files), methods=["GET"]),
    Route(f"{_OWN}/files", add_file, methods=["POST"]),
    Route(f"{_OWN}/examples/{{example_id}}", in_thread(add_example), methods=["POST"]),
    Route(f"{_OWN}/points", in_thread(add_points), methods=["POST"]),
    Route(f"{_OWN}/type", in_thread(set_type), methods=["POST"]),
    Route("/media/{handle}/{value:path}", in_thread(media_file), methods=["GET"]),
    Route(f"{_OWN}/settings", in_thread(get_settings), methods=["GET"]),
    Route(f"{_OWN}/settings", in_thread(set_settings), methods=["POST"]),
    Route(f"{_OWN}/toolbox", in_thread(toolbox), methods=["GET"]),
    Route(f"{_OWN}/toolbox/{{name}}", in_thread(toolbox_card), methods=["GET"]),
    Route(f"{_OWN}/toolbox/{{name}}", change_weights, methods=["POST"]),
)


def _points_of(sent: list[Any]) -> list[ClickedPoint]:
    if len(sent) > _MOST_POINTS:
        raise BadInput(f"These are {len(sent)} clicks; at most {_MOST_POINTS} can be used at once.")
    try:
        return [
            ClickedPoint(float(point["x"]), float(point["y"]), bool(point.get("positive", True)))
            for point in sent
        ]
    except (AttributeError, KeyError, TypeError, ValueError):
        raise BadInput("These points could not be read. Set them again.") from None


def _changed(settings: Settings, sent: Mapping[str, Any]) -> Settings:
    """The settings with what the form sent; an empty key field keeps the key.

    Raises BadInput where an address is none, or a choice is none of those offered.
    """
    if not all(
        isinstance(value, bool | int | float) or (isinstance(value, str) and len(value) <= _LONGEST)
        for value in sent.values()
    ):
        raise BadInput("These settings could not be read. Load the page again and set them anew.")
    if sent.get("forget"):
        stay = (
            "preference",
            "weights_size",
            "hosted",
            "go_on",
            "stop_when_left",
            "manner",
            "act_when_stuck",
        )
        kept = {name: getattr(settings, name) for name in stay}
        return Settings(public_services=settings.public_services, **kept)
    address = _address(sent.get("base_url", ""), "the language model", "http://localhost:11434/v1")
    # A key belongs to the address it was typed for; it is never sent to another.
    kept_key = settings.api_key if address == settings.base_url else ""
    names = ("image_model", "speech_model", "speech_voice", "transcription_model")
    models: dict[str, Any] = {name: str(sent.get(name, "")).strip() for name in names}
    key = str(sent.get("api_key", "")).strip() or kept_key
    variant = str(sent.get("variant", settings.variant))
    if variant == BEST_VARIANT and not (address or key):
        # What the form shows where nobody chose; it holds as soon as there is a model.
        variant = ""
    try:
        return replace(
            settings,
            base_url=address,
            api_key=key,
            model=str(sent.get("model", "")).strip() or Settings().model,
            answer_with_model=bool(sent.get("answer_with_model")),
            variant=variant,
            fall_back=bool(sent.get("fall_back")),
            preference=cast(Preference, sent.get("preference", settings.preference)),
            tools_use_endpoint=bool(sent.get("tools_use_endpoint")),
            public_services=bool(sent.get("public_services")),
            go_on=settings.go_on,
            stop_when_left=bool(sent.get("stop_when_left")),
            manner="act" if sent.get("acts") else "plan",
            act_when_stuck=bool(sent.get("act_when_stuck")),
            weights_size=cast(Size, sent.get("weights_size", settings.weights_size)),
            hosted=_hosted(settings.hosted, sent),
            **models,
        )
    except ValueError as error:
        raise BadInput(str(error)) from None


def _hosted(known: Mapping[str, HostedTool], sent: Mapping[str, Any]) -> dict[str, HostedTool]:
    """The programs elsewhere that do tools' work, with what the form adds and takes away."""
    found = {tool: item for tool, item in known.items() if not sent.get(f"forget_hosted:{tool}")}
    address = _address(sent.get("hosted_address", ""), "the program", "https://name.hf.space")
    tool = str(sent.get("hosted_tool", ""))
    if address and tool:
        kind = "endpoint" if sent.get("hosted_kind") == "endpoint" else "gradio"
        found[tool] = HostedTool(address, kind, str(sent.get("hosted_key", "")).strip())
    return found


def _address(sent: Any, whose: str, example: str) -> str:
    """An address from the form, or nothing; raises BadInput where it is none."""
    address = str(sent).strip()
    try:
        parts = urlsplit(address)
        is_one = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        is_one = False
    if address and not is_one:
        raise BadInput(
            f"The address of {whose} must begin with http:// or https://, such as {example}."
        )
    return address
