"""The operations of the HTTP interface. Every one that names a conversation finds it among those of
the token's own; what belongs to anybody else does not exist for it (404)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, Response

from controlllm.admission.bodies import receive
from controlllm.admission.security import FILE_POLICY
from controlllm.core.plans import Request as Asked
from controlllm.core.session import Session
from controlllm.resources import FILE_TYPES, BadInput, Limits, Resource, guess_type
from controlllm.runs.sent_plans import read_plan
from controlllm.serving import messages
from controlllm.serving.arguments import schema_of
from controlllm.serving.calls import NOT_THERE, PREFIX, Call, answer, answer_with
from controlllm.serving.one_call import call_once
from controlllm.serving.operations import Operation, Query
from controlllm.serving.service import check_files
from controlllm.serving.works import Work
from controlllm.settings import Settings
from controlllm.toolbox import Tool, Toolbox

_LONGEST_NAME = 300


# Conversations


async def open_session(call: Call) -> Response:
    """Begin a conversation (201)."""
    session = await run_in_threadpool(call.service.open, call.token)
    return answer(messages.shown(session, [], PREFIX), 201)


async def list_sessions(call: Call) -> Response:
    """The conversations of this token, the newest first."""
    found = await run_in_threadpool(call.service.sessions, call.token)
    listed = [messages.Conversation(session=a, title=b, updated=c) for a, b, c in found]
    return answer(messages.Conversations(sessions=listed))


async def show_session(call: Call) -> Response:
    """A conversation: its turns, its files and what is running in it."""
    session = await call.session()
    running = [work.name for work in call.service.works.of(session.id)]
    return answer(messages.shown(session, running, PREFIX))


async def delete_session(call: Call) -> Response:
    """Forget a conversation with its files (204)."""
    try:
        await run_in_threadpool(call.service.delete, call.token, call.part("session"))
    except KeyError:
        raise HTTPException(404, NOT_THERE) from None
    return Response(status_code=204)


# Files


async def add_file(call: Call) -> Response:
    """Take in a file, which is the body as it is (201)."""
    session, asked = await call.session(), call.request.query_params
    name, kind = asked.get("name", "file"), asked.get("type", "")
    if len(name) > _LONGEST_NAME:
        raise BadInput(f"The name has {len(name)} characters; at most {_LONGEST_NAME} are taken.")
    check_kind(kind)
    told = call.request.headers.get("content-length", "0")
    size = int(told) if told.isdecimal() else 0
    await run_in_threadpool(call.service.check_file, call.token, size)
    with call.service.assistant.store.work_folder() as folder:
        path = Path(folder) / "upload"
        await receive(call.request, path, Limits().max_bytes, name)
        resource, notices = await call.service.add_file(call.token, session.id, path, name, kind)
    taken = messages.Taken(
        file=messages.file_of(session.id, resource, PREFIX), notices=list(notices)
    )
    return answer(taken, 201)


def check_kind(kind: str) -> None:
    """Raise BadInput where nothing can be sent as of this type."""
    if kind and kind not in FILE_TYPES:
        raise BadInput(
            f"A file cannot be sent as {kind[:60]!r}; these can: {', '.join(sorted(FILE_TYPES))}."
        )


async def list_files(call: Call) -> Response:
    """The files of a conversation, results among them."""
    session = await call.session()
    listed = [messages.file_of(session.id, item, PREFIX) for item in session.resources]
    return answer(messages.Files(files=listed))


async def get_file(call: Call) -> Response:
    """A file's content."""
    session, name = await call.session(), call.part("name")
    try:
        path, kind = await run_in_threadpool(call.service.assistant.file, session.id, name)
    except KeyError:
        raise HTTPException(404, "There is no such file.") from None
    headers = {"content-security-policy": FILE_POLICY, "cache-control": "private, no-cache"}
    return FileResponse(path, media_type=kind, filename=name, headers=headers)


async def delete_file(call: Call) -> Response:
    """Take a file out of a conversation (204)."""
    session = await call.session()
    try:
        await run_in_threadpool(call.service.delete_file, session, call.part("name"))
    except KeyError:
        raise HTTPException(404, "There is no such file.") from None
    return Response(status_code=204)


async def set_type(call: Call) -> Response:
    """Say what a file is where that was guessed."""
    session, sent = await call.session(), await call.sent(messages.SetType)
    change = call.service.assistant.set_type
    resource = await run_in_threadpool(change, session.id, call.part("name"), sent.type)
    return answer(messages.file_of(session.id, resource, PREFIX))


# Requests


async def ask(call: Call) -> Response:
    """Answer a request: at once, or as a stream of events where that is asked for."""
    session, sent = await call.session(), await call.sent(messages.Ask)
    work = call.service.ask(
        call.token,
        session,
        sent.request,
        sent.files,
        sent.asks,
        sent.stop_when_left,
        sent.agent,
        sent.divide_first,
    )
    return await answer_with(call, work)


async def plan(call: Call) -> Response:
    """A plan for a request in a conversation; runs nothing."""
    session, sent = await call.session(), await call.sent(messages.AskForPlan)
    check_files(session, sent.files)
    earlier = session.turns[-1].plan if session.turns else None
    request = Asked(
        sent.request, session.resources, tuple(sent.files), earlier.subtasks if earlier else ()
    )
    planned = await call.service.plan(call.token, request)
    return answer(messages.Planned(plan=planned.to_json()))


async def plan_alone(call: Call) -> Response:
    """A plan for a request with files that are only told of; runs nothing."""
    sent = await call.sent(messages.AskForPlan)
    planned = await call.service.plan(call.token, imagined(sent.request, sent.files))
    return answer(messages.Planned(plan=planned.to_json()))


def imagined(request: str, names: list[str]) -> Asked:
    """A request about files that need not exist: their kinds are told from their names."""
    names = list(dict.fromkeys(names))
    resources = tuple(Resource(guess_type(name), name) for name in names)
    return Asked(request, resources, tuple(names))


async def run(call: Call) -> Response:
    """Run a plan that was sent, after it was checked node by node."""
    session, body = await call.session(), await call.json()
    # The plan is looked at by itself first: whoever wrote it hears at which node it is wrong.
    sent_plan = body.get("plan") if isinstance(body, dict) else None
    known = {resource.value: resource for resource in session.resources}
    toolbox = call.service.assistant.toolbox
    read = await run_in_threadpool(read_plan, sent_plan, toolbox, known)
    sent = await call.sent(messages.Run)
    work = await call.service.run_plan(
        call.token,
        session,
        read,
        sent.request,
        asks=sent.asks,
        stops_when_left=sent.stop_when_left,
    )
    return await answer_with(call, work)


async def switch(call: Call) -> Response:
    """Take another solution of a subtask, and do what differs."""
    session, sent = await call.session(), await call.sent(messages.Switch)
    with _found():
        work = call.service.switch(
            call.token,
            session,
            sent.turn,
            sent.subtask,
            sent.solution,
            asks=sent.asks,
            stops_when_left=sent.stop_when_left,
        )
    return await answer_with(call, work)


async def choose(call: Call) -> Response:
    """Answer a question of a turn, and go on."""
    session, sent = await call.session(), await call.sent(messages.Choose)
    with _found():
        work = call.service.choose(
            call.token,
            session,
            sent.turn,
            sent.question,
            sent.choice,
            stops_when_left=sent.stop_when_left,
        )
    return await answer_with(call, work)


async def act(call: Call) -> Response:
    """Have an agent work on a subtask step by step."""
    session, sent = await call.session(), await call.sent(messages.Act)
    with _found():
        work = call.service.act(
            call.token,
            session,
            sent.turn,
            sent.subtask,
            asks=sent.asks,
            stops_when_left=sent.stop_when_left,
        )
    return await answer_with(call, work)


async def skip_step(call: Call) -> Response:
    """End the step that an agent is making; it goes on with another."""
    session, sent = await call.session(), await call.sent(messages.Skip)
    with _found():
        return answer(messages.Skipped(skipped=call.service.skip_step(session, sent.turn)))


async def resume(call: Call) -> Response:
    """Go on with a turn that was interrupted."""
    session, sent = await call.session(), await call.sent(messages.Resume)
    with _found():
        work = call.service.resume(
            call.token, session, sent.turn, asks=sent.asks, stops_when_left=sent.stop_when_left
        )
    return await answer_with(call, work)


@contextmanager
def _found() -> Iterator[None]:
    """Numbers that count nothing of the conversation become a sentence (404)."""
    try:
        yield
    except IndexError:
        raise HTTPException(
            404, "This conversation has no such turn, subtask, solution, question or choice."
        ) from None


async def _work(call: Call) -> tuple[Session, Work]:
    session = await call.session()
    try:
        return session, call.service.works.find(session.id, call.part("run"))
    except KeyError:
        raise HTTPException(
            404, "There is no such run, or it ended long ago: look at the conversation's turns."
        ) from None


async def show_run(call: Call) -> Response:
    """How a run stands; with `wait`, its end."""
    session, work = await _work(call)
    if call.flag("wait"):
        return await answer_with(call, work)
    return answer(messages.outcome_of(work, session, PREFIX))


async def follow_run(call: Call) -> Response:
    """A run's events, from one of them on."""
    first = call.request.query_params.get("first", "0")
    if not first.isdecimal() or len(first) > 9:
        raise BadInput("first is the number of an event, from 0.")
    _, work = await _work(call)
    return await answer_with(call, work, int(first))


async def stop_run(call: Call) -> Response:
    """Stop a run; says whether it was still at work."""
    _, work = await _work(call)
    is_at_work = work.end is None
    work.cancelled.set()
    return answer(messages.Stopped(stopped=is_at_work))


# Tools


async def list_tools(call: Call) -> Response:
    """The tools, and whether each can run here."""
    assistant = call.service.assistant
    found = await run_in_threadpool(tools_of, assistant.toolbox, assistant.settings)
    return answer(messages.Tools(tools=found))


def tools_of(toolbox: Toolbox, settings: Settings) -> list[messages.ToolShown]:
    """All tools as programs see them."""
    reasons = toolbox.reasons_unavailable(settings.capabilities, settings.runtimes)
    return [
        messages.ToolShown(
            name=tool.name,
            description=tool.description,
            domain=tool.domain,
            returns=tool.returns.type,
            arguments=schema_of(tool, toolbox),
            available=tool.name not in reasons,
            reason=reasons.get(tool.name, ""),
        )
        for tool in toolbox
    ]


def tool_of(call: Call) -> Tool:
    """The tool that the address names; HTTPException (404) where there is none."""
    toolbox, name = call.service.assistant.toolbox, call.part("tool")
    if name not in toolbox:
        raise HTTPException(404, "There is no such tool.")
    return toolbox[name]


async def call_tool(call: Call) -> Response:
    """Call one tool on files of a conversation."""
    session, tool = await call.session(), tool_of(call)
    sent = await call.sent(messages.CallTool)
    work = await call.service.call(
        call.token, session, tool, sent.arguments, stops_when_left=sent.stop_when_left
    )
    return await answer_with(call, work)


async def call_tool_once(call: Call) -> Response:
    """Call one tool without a conversation, on values in the body."""
    return await call_once(call, tool_of(call))


_OWN, _RUN = "/sessions/{session}", "/sessions/{session}/runs/{run}"
_WAIT = Query("wait", "Wait for the end and answer with what came of it, as JSON.", "boolean")
_FIRST = Query("first", "The number of the first event that is wanted.", "integer")
_NAME = Query("name", "What the file is called.")
_TYPE = Query("type", "A special kind of picture that it is, such as mask.")
_OUTCOME = messages.Outcome

OPERATIONS = (
    Operation(
        "open_session", "POST", "/sessions", open_session, "Open a conversation",
        gives=messages.ConversationShown, status=201,
    ),
    Operation(
        "list_sessions", "GET", "/sessions", list_sessions, "List your conversations",
        runs=False, gives=messages.Conversations,
    ),
    Operation(
        "show_session", "GET", _OWN, show_session, "Show a conversation", runs=False,
        gives=messages.ConversationShown,
    ),
    Operation(
        "delete_session", "DELETE", _OWN, delete_session, "Delete a conversation",
        "Its files go with it, and what runs in it stops.", kind="nothing", status=204,
    ),
    Operation(
        "add_file", "POST", f"{_OWN}/files", add_file, "Send a file",
        "The body is the file as it is. What it is, is told from its content.",
        takes="bytes", gives=messages.Taken, queries=(_NAME, _TYPE), status=201,
    ),
    Operation(
        "list_files", "GET", f"{_OWN}/files", list_files, "List files", runs=False,
        gives=messages.Files,
    ),
    Operation(
        "get_file", "GET", f"{_OWN}/files/{{name}}", get_file, "Fetch a file", kind="bytes",
        runs=False,
    ),
    Operation(
        "delete_file", "DELETE", f"{_OWN}/files/{{name}}", delete_file, "Delete a file",
        kind="nothing", status=204,
    ),
    Operation(
        "set_file_type", "POST", f"{_OWN}/files/{{name}}/type", set_type,
        "Say that a picture is of a special kind", takes=messages.SetType, gives=messages.File,
    ),
    Operation(
        "ask", "POST", f"{_OWN}/ask", ask, "Have a request answered",
        "Says in plain words what is to be done with files.", "events", takes=messages.Ask,
        gives=_OUTCOME, queries=(_WAIT,),
    ),
    Operation(
        "plan_in_session", "POST", f"{_OWN}/plan", plan, "Plan a request about a conversation",
        "Nothing is run.", runs=False, takes=messages.AskForPlan, gives=messages.Planned,
    ),
    Operation(
        "run_plan", "POST", f"{_OWN}/run", run, "Run a plan",
        "Checked first: where something is wrong, the answer names the node.", "events",
        takes=messages.Run, gives=_OUTCOME, queries=(_WAIT,),
    ),
    Operation(
        "switch", "POST", f"{_OWN}/switch", switch, "Take another solution of a subtask",
        "What is the same is not done again.", "events", takes=messages.Switch, gives=_OUTCOME,
        queries=(_WAIT,),
    ),
    Operation(
        "choose", "POST", f"{_OWN}/choose", choose, "Answer a question", "", "events",
        takes=messages.Choose, gives=_OUTCOME, queries=(_WAIT,),
    ),
    Operation(
        "act", "POST", f"{_OWN}/act", act, "Have an agent work on a subtask step by step",
        "What it finds is one more way of the subtask, and is taken.", "events",
        takes=messages.Act, gives=_OUTCOME, queries=(_WAIT,),
    ),
    Operation(
        "skip_step", "POST", f"{_OWN}/skip", skip_step, "Skip a step of an agent",
        "Ends the call that it makes now; it goes on without what that would have brought.",
        takes=messages.Skip, gives=messages.Skipped,
    ),
    Operation(
        "resume", "POST", f"{_OWN}/resume", resume, "Go on with what was stopped", "", "events",
        takes=messages.Resume, gives=_OUTCOME, queries=(_WAIT,),
    ),
    Operation(
        "show_run", "GET", _RUN, show_run, "Show what a run has come to", runs=False,
        gives=_OUTCOME, queries=(_WAIT,),
    ),
    Operation(
        "follow_run", "GET", f"{_RUN}/events", follow_run, "Read a run's events",
        "From any of them on, also when it has ended; so nothing is lost where a connection "
        "breaks off.", "events", runs=False, gives=_OUTCOME, queries=(_FIRST, _WAIT),
    ),
    Operation(
        "stop_run", "POST", f"{_RUN}/stop", stop_run, "Stop a run", gives=messages.Stopped,
    ),
    Operation(
        "call_tool", "POST", f"{_OWN}/tools/{{tool}}", call_tool,
        "Call a tool with files of a conversation", "", "events", takes=messages.CallTool,
        gives=_OUTCOME, queries=(_WAIT,),
    ),
    Operation(
        "plan", "POST", "/plan", plan_alone, "Plan a request",
        "Nothing is run, and the files need not exist.", runs=False,
        takes=messages.AskForPlan, gives=messages.Planned,
    ),
    Operation(
        "list_tools", "GET", "/tools", list_tools, "List the tools", runs=False,
        gives=messages.Tools,
    ),
)  # fmt: skip
