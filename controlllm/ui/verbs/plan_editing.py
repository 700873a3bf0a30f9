"""A plan changed by hand: what it would be, and having it run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from controlllm.core.session import Session
from controlllm.editing.changing import Edited, Refused
from controlllm.editing.edits import BadEdit, Edit, Insert, read_edits
from controlllm.resources.probing import BadInput
from controlllm.ui.calls import Call
from controlllm.ui.drawings.plan_editor import Workbench, plan_editor
from controlllm.ui.outcome import Outcome
from controlllm.ui.texts import say
from controlllm.ui.verbs.asking import begun
from controlllm.ui.verbs.looking import look
from controlllm.ui.verbs.registry import verb
from controlllm.ui.view import TurnView


@look("plan")
def editor(call: Call) -> dict[str, str]:
    """A way as it would be after edits, with what may be edited there; refused where it cannot be,
    or cannot run now while that is wanted (``runs``)."""
    session = call.session()
    number = _turn(call, session)
    if session.turns[number].plan is None:
        return {"html": ""}
    if call.field("runs", bool, False):
        _edited(call, session)
    if session.turns[number].state == "running" and not call.field("edits", list, []):
        return {"html": ""}
    edits, bench = _edits(call), _workbench(call, session)
    media = call.conversations.media(call.session_id, bench.known)
    view = TurnView.of(session.turns[number], session)
    drawn = plan_editor(view, edits, _selected(call, edits), bench, media)
    if isinstance(drawn, Refused):
        raise BadInput(drawn.reason)
    return {"html": drawn}


@verb("run-edits")
def run_edits(call: Call) -> Outcome:
    """Do what differs after edits."""
    session = call.session()
    found = _edited(call, session)
    number, subtask = _turn(call, session), min(found.subtasks)
    chosen = found.plan.chosen.get(subtask, 0)
    goes = begun(call, call.conversations.switch, number, subtask, chosen, found.plan)
    return replace(goes, turn=number)


def _edited(call: Call, session: Session) -> Edited:
    """The plan after the edits, where it can run now."""
    turn = session.turns[_turn(call, session)]
    if turn.state == "running":
        raise BadInput(say("plan_editing.is_running"))
    if call.conversations.run_of(session.id):
        raise BadInput(say("notices.running_stop_or_wait"))
    if turn.plan is None:
        raise BadInput(say("plan_editing.no_plan"))
    found = _workbench(call, session).after(turn.plan, _edits(call))
    if isinstance(found, Refused):
        raise BadInput(found.reason)
    if not found.subtasks:
        raise BadInput(say("plan_editing.no_change"))
    return found


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
    number = call.number("turn")
    if not 0 <= number < len(session.turns):
        raise BadInput(say("plan_editing.no_plan"))
    return number


def _workbench(call: Call, session: Session) -> Workbench:
    conversations = call.conversations
    toolbox, settings = conversations.assistant.toolbox, conversations.settings(call.session_id)
    reasons = toolbox.reasons_unavailable(settings.capabilities, settings.runtimes)
    return Workbench(toolbox, {item.value: item for item in session.resources}, reasons)
