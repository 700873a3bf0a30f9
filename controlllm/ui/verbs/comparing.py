"""Ways compared: which two, one of them kept, taken back, what was kept forgotten."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from controlllm.comparing.choosing import choose_way, compare, take_back, whose
from controlllm.core.plans import Plan
from controlllm.core.session import Session
from controlllm.resources.probing import BadInput
from controlllm.ui.calls import Call
from controlllm.ui.drawings.comparison import compared_ways
from controlllm.ui.outcome import NOTHING, Outcome
from controlllm.ui.texts import say
from controlllm.ui.verbs.asking import begun
from controlllm.ui.verbs.looking import look
from controlllm.ui.verbs.registry import verb
from controlllm.ui.view import TurnView


def _way(call: Call) -> tuple[Session, int, int, int, Plan]:
    """The conversation with the turn, part and way that were sent, and the plan that has them."""
    session = call.session()
    turn, subtask, way = (call.number(name) for name in ("turn", "subtask", "solution"))
    if 0 <= turn < len(session.turns):
        plan = session.turns[turn].plan
        if plan is not None and 0 <= way < len(plan.solutions.get(subtask, ())):
            return session, turn, subtask, way, plan
    raise BadInput(say("compare.no_way"))


def _is_free(call: Call) -> None:
    if call.conversations.run_of(call.session_id):
        raise BadInput(say("notices.running_stop_or_wait"))


@verb("try-way")
def try_way(call: Call) -> Outcome:
    """Run another way beside the one in use, to compare them."""
    _, turn, subtask, way, _ = _way(call)
    return replace(begun(call, call.conversations.try_way, turn, subtask, way), turn=turn)


@verb("show-comparison")
def show_comparison(call: Call) -> Outcome:
    """Look at both ways of a part."""
    turn, subtask = call.number("turn"), call.number("subtask")
    return Outcome(turn=turn, opens={"what": "comparing", "turn": turn, "subtask": subtask})


@verb("keep-way")
def keep_way(call: Call) -> Outcome:
    """Keep one of two ways: it is in use from now on, and remembered. Where it is in use already,
    nothing runs."""
    session, turn, subtask, way, plan = _way(call)
    _is_free(call)
    choose_way(call.conversations.assistant.store, session, turn, subtask, way)
    if plan.chosen.get(subtask, 0) == way:
        return Outcome(told=say("compare.kept_same"))
    goes = begun(call, call.conversations.switch, turn, subtask, way)
    return replace(goes, turn=turn, told=say("compare.kept"))


@verb("take-back")
def take_way_back(call: Call) -> Outcome:
    """Take back that a way is kept: the one that was in use before is in use again."""
    session, turn, subtask, _, plan = _way(call)
    _is_free(call)
    try:
        former = take_back(call.conversations.assistant.store, session, turn, subtask)
    except IndexError:
        raise BadInput(say("compare.no_way")) from None
    if plan.chosen.get(subtask, 0) == former:
        return Outcome(told=say("compare.taken_back"))
    goes = begun(call, call.conversations.switch, turn, subtask, former)
    return replace(goes, turn=turn, told=say("compare.taken_back"))


@verb("compare-pair")
def choose_pair(call: Call) -> Outcome:
    """Say which two of the ways that were run are compared."""
    _compare(call, call.number("left"), call.number("right"))
    return NOTHING


@verb("end-comparison")
def end_comparison(call: Call) -> Outcome:
    """Compare the ways of a part no longer; what came of them stays."""
    _compare(call, 0, 0)
    return Outcome(opens={"what": "comparing", "turn": -1, "subtask": -1})


def _compare(call: Call, left: int, right: int) -> None:
    turn, subtask = call.number("turn"), call.number("subtask")
    try:
        compare(call.conversations.assistant.store, call.session_id, turn, subtask, left, right)
    except IndexError:
        raise BadInput(say("compare.no_way")) from None


@verb("forget-choices")
def forget_choices(call: Call) -> Outcome:
    """Forget which ways were kept: ways are in their usual order again."""
    store = call.conversations.assistant.store
    store.choices.forget(whose(store, call.session_id))
    return Outcome(told=say("compare.forgotten"))


@look("comparison")
def comparison(call: Call) -> dict[str, Any]:
    """Two ways of a part as they are now, a run that works on them among them: what
    `controlllm.ui.dialogs.comparing` shows; without ``parts`` where nothing is compared."""
    session, conversations = call.session(), call.conversations
    turn, subtask = call.number("turn"), call.number("subtask")
    run = conversations.run_of(session.id)
    known = {resource.value: resource for resource in session.resources}
    if run is not None and run.view.number == turn:
        view, known = run.view, {**known, **run.known}
    elif 0 <= turn < len(session.turns):
        view = TurnView.of(session.turns[turn], session)
    else:
        return {}
    media = conversations.media(session.id, known)
    found = compared_ways(view, subtask, media, known)
    if found is None:
        return {}
    pictures = [
        {"value": made.value, "address": media.address(made)} for made in found.pictures or ()
    ]
    return {
        "title": found.title,
        "ways": found.ways,
        "left": found.left,
        "right": found.right,
        "parts": found.parts,
        "pictures": pictures,
    }
