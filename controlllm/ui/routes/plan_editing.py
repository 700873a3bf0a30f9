"""A plan changed by hand: what it would be, and having it run."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.responses import Response
from starlette.routing import Route

from controlllm.core.plans import Plan
from controlllm.core.session import Session
from controlllm.editing.changing import Refused
from controlllm.editing.edits import BadEdit, Edit, Insert, read_edits
from controlllm.resources.probing import BadInput
from controlllm.ui.calls import OWN, Call, Drawings, in_thread, shown, streamed
from controlllm.ui.drawings.plan_editor import Workbench, plan_editor
from controlllm.ui.routes.requests import drawings, name_of_run, owner_of
from controlllm.ui.texts import say
from controlllm.ui.view import TurnView


def editor(call: Call) -> Response:
    """A way as it would be after edits, with what may be edited there."""
    session = call.session()
    view = TurnView.of(session.turns[_turn(call, session)], session)
    edits = _edits(call)
    bench = _workbench(call, session)
    media = call.conversations.media(call.session_id, bench.known)
    drawn = plan_editor(view, edits, _selected(call, edits), bench, media)
    if isinstance(drawn, Refused):
        raise BadInput(drawn.reason)
    return shown(drawn)


def _edited(call: Call) -> tuple[Session, int, int, Plan]:
    """The conversation, and the turn with one of the parts that have changed and its new plan."""
    session = call.session()
    number = _turn(call, session)
    plan = session.turns[number].plan
    if session.turns[number].state == "running":
        raise BadInput(say("plan_editing.is_running"))
    if plan is None:
        raise BadInput(say("plan_editing.no_plan"))
    found = _workbench(call, session).after(plan, _edits(call))
    if isinstance(found, Refused):
        raise BadInput(found.reason)
    if not found.subtasks:
        raise BadInput(say("plan_editing.no_change"))
    return session, number, min(found.subtasks), found.plan


def run(call: Call, found: tuple[Session, int, int, Plan]) -> Drawings:
    """Do what differs after edits."""
    session, turn, subtask, plan = found
    conversations = call.conversations
    chosen = plan.chosen.get(subtask, 0)
    return drawings(
        call,
        conversations.switch(
            session, name_of_run(call), owner_of(call), turn, subtask, chosen, plan
        ),
    )


def _edits(call: Call) -> tuple[Edit, ...]:
    try:
        return read_edits(call.field("edits", list, []))
    except BadEdit as error:
        raise BadInput(str(error)) from None


def _selected(call: Call, edits: Sequence[Edit]) -> tuple[int, int | str] | None:
    """The step to show: what the page says, or the one that was just put in."""
    if call.field("fresh", bool, False) and edits and isinstance(edits[-1], Insert):
        last = edits[-1]
        return last.subtask, last.position + (not last.name)
    match call.field("selected", list, []):
        case [int(subtask), int() | str() as step]:
            return subtask, step
    return None


def _turn(call: Call, session: Session) -> int:
    number = call.field("turn", int)
    if not 0 <= number < len(session.turns):
        raise BadInput(say("plan_editing.no_plan"))
    return number


def _workbench(call: Call, session: Session) -> Workbench:
    conversations = call.conversations
    toolbox, settings = conversations.assistant.toolbox, conversations.settings(call.session_id)
    reasons = toolbox.reasons_unavailable(settings.capabilities, settings.runtimes)
    return Workbench(toolbox, {item.value: item for item in session.resources}, reasons)


ROUTES = (
    Route(f"{OWN}/plan", in_thread(editor), methods=["POST"]),
    Route(f"{OWN}/edit", streamed(_edited, run), methods=["POST"]),
)
