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
from controlllm.ui.verbs.registry import look, verb
from controlllm.ui.view import TurnView

_NO_PLAN = "plan_editing.no_plan"


@look("plan")
def editor(call: Call) -> dict[str, str]:
    """A way as it would be after edits, with what may be edited there; refused where it cannot be,
    or cannot run now while that is wanted (``runs``)."""
    session = call.session()
    turn = call.turn(session, _NO_PLAN)
    if turn.plan is None:
        return {"html": ""}
    if call.field("runs", bool, False):
        _edited(call, session)
    if turn.state == "running" and not call.field("edits", list, []):
        return {"html": ""}
    edits, bench = _edits(call), _workbench(call, session)
    media = call.conversations.media(call.session_id, bench.known)
    drawn = plan_editor(TurnView.of(turn, session), edits, _selected(call, edits), bench, media)
    if isinstance(drawn, Refused):
        raise BadInput(drawn.reason)
    return {"html": drawn}


@verb("run-edits")
def run_edits(call: Call) -> Outcome:
    """Do what differs after edits."""
    found, number = _edited(call, call.session()), call.number("turn")
    subtask = min(found.subtasks)
    given = (subtask, found.plan.chosen.get(subtask, 0))
    goes = begun(call, number, call.assistant.switch, *given, edited=found.plan)
    return replace(goes, turn=number)


def _edited(call: Call, session: Session) -> Edited:
    """The plan after the edits, where it can run now."""
    turn = call.turn(session, _NO_PLAN)
    if turn.state == "running":
        raise BadInput(say("plan_editing.is_running"))
    call.check_is_free()
    if turn.plan is None:
        raise BadInput(say(_NO_PLAN))
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


def _workbench(call: Call, session: Session) -> Workbench:
    toolbox, settings = call.assistant.toolbox, call.settings
    reasons = toolbox.reasons_unavailable(settings.capabilities, settings.runtimes)
    return Workbench(toolbox, {item.value: item for item in session.resources}, reasons)
