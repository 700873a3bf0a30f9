"""The plan and the ways of a turn: shown beside the conversation, another one used or tried, two
compared and one kept, and why a tool is in none."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from dataclasses import replace
from functools import partial
from typing import Any

from controlllm.comparing.choosing import choose_way, compare, known_of, take_back, whose
from controlllm.comparing.looks import look_alike
from controlllm.comparing.trying import only
from controlllm.core.events import Event, WayBegun, WayEnded
from controlllm.core.session import Session, Turn
from controlllm.resources.probing import BadInput
from controlllm.runs.assistant import Assistant
from controlllm.runs.run_options import RunOptions
from controlllm.store import Store
from controlllm.toolbox import Toolbox
from controlllm.ui.calls import Call
from controlllm.ui.drawings.comparison import compared_ways
from controlllm.ui.drawings.differing import preview
from controlllm.ui.drawings.media import is_picture
from controlllm.ui.drawings.solutions import why_not_answer
from controlllm.ui.outcome import NOTHING, Outcome
from controlllm.ui.texts import say
from controlllm.ui.verbs.asking import begun
from controlllm.ui.verbs.registry import look, verb
from controlllm.ui.view import TurnView

_NO_WAY = "compare.no_way"
#: How many tools are told of at once.
_MOST = 5


def _way(call: Call) -> tuple[Session, Turn, int, int]:
    """The conversation with the turn, part and way that were sent, a way of its plan."""
    session = call.session()
    turn, subtask, way = (
        call.turn(session, _NO_WAY),
        call.number("subtask"),
        call.number("solution"),
    )
    if turn.plan is None or not 0 <= way < len(turn.plan.solutions.get(subtask, ())):
        raise BadInput(say(_NO_WAY))
    return session, turn, subtask, way


def _in_use(turn: Turn, subtask: int) -> int:
    return turn.plan.chosen.get(subtask, 0) if turn.plan is not None else 0


# Shown.


@verb("show-plan")
def show_plan(call: Call) -> Outcome:
    """Show the plan of a turn beside the conversation."""
    return Outcome(turn=call.number("turn"), tab="plan")


@verb("show-ways")
def show_ways(call: Call) -> Outcome:
    """Show the ways that a turn could be done."""
    return Outcome(turn=call.number("turn"), tab="ways")


@verb("ground")
def show_ground(call: Call) -> Outcome:
    """Show the step that a piece of an answer rests on."""
    return Outcome(turn=call.number("turn"), tab="plan", node=call.field("step", str))


@verb("all-ways")
def show_all(call: Call) -> Outcome:
    """Show the ways of a part that were found beyond the best ones, too; nothing is run for it."""
    session = call.session()
    turn, subtask = call.number("turn"), call.number("subtask")
    call.check_is_free()
    try:
        further = call.conversations.why_not.further(session, turn, subtask, call.settings)
    except IndexError:
        raise BadInput(say("plan_editing.no_plan")) from None
    if not further:
        return Outcome(told=say("cards.no_more"))

    def change(current: Session) -> Session:
        there = current.turns[turn]
        assert there.plan is not None
        return current.with_turn(replace(there, plan=there.plan.with_further(subtask, further)))

    call.store.update(session.id, change)
    return Outcome(told=say("cards.more", count=len(further)))


@look("preview")
def show_preview(call: Call) -> dict[str, str]:
    """What a way would do, from what is known; nothing is run."""
    session, turn, subtask, way = _way(call)
    assert turn.plan is not None
    plan = only(turn.plan, subtask, way)
    found = known_of(call.assistant.engine, call.store, session, turn, plan, call.settings)
    view, media = TurnView.of(turn, session), call.conversations.media_of(session)
    return {"html": preview(view, subtask, way, found, media, session.resources)}


@look("why-not")
def why_not(call: Call) -> dict[str, str]:
    """Why tools that a person names were not taken."""
    session, turn, subtask = call.session(), call.number("turn"), call.number("subtask")
    names = _named(call.assistant.toolbox, call.field("words", str))[:_MOST]
    try:
        found = call.conversations.why_not.ask(session, turn, subtask, names, call.settings)
    except IndexError:
        raise BadInput(say("plan_editing.no_plan")) from None
    return {"html": why_not_answer(found)}


def _named(toolbox: Toolbox, words: str) -> list[str]:
    """The names of the tools that have all of some words in their names; where none has, of those
    that say them of themselves."""
    wanted = words.lower().replace("_", " ").split()
    if not wanted:
        return []
    names = {tool.name: tool.name.replace("_", " ").lower() for tool in toolbox}
    found = [name for name, said in names.items() if all(word in said for word in wanted)]
    if not found:
        said = {tool.name: tool.description.lower() for tool in toolbox}
        found = [name for name in names if all(word in said[name] for word in wanted)]
    return sorted(found, key=lambda name: (len(name), name))


# Used and tried.


@verb("switch")
def switch(call: Call) -> Outcome:
    """Do a part another way: only what differs runs."""
    turn, subtask, way = (call.number(name) for name in ("turn", "subtask", "solution"))
    call.check_is_free()
    with suppress(IndexError):  # the run says so
        choose_way(call.store, call.session(), turn, subtask, way)
    return _goes(call, turn, subtask, way)


def _goes(call: Call, turn: int, subtask: int, way: int, told: str = "") -> Outcome:
    outcome = begun(call, turn, call.assistant.switch, subtask, way)
    return replace(outcome, turn=turn, told=told)


@verb("try-way")
def try_way(call: Call) -> Outcome:
    """Run another way beside the one in use, to compare them."""
    _, turn, subtask, way = _way(call)
    first, start = WayBegun(subtask, way), partial(tried, call.assistant)
    return replace(begun(call, turn.number, start, subtask, way, first=first), turn=turn.number)


async def tried(
    assistant: Assistant,
    session_id: str,
    turn: int,
    subtask: int,
    way: int,
    options: RunOptions,
) -> AsyncGenerator[Event, None]:
    """The events of trying a way; see `controlllm.comparing.trying`."""
    session = assistant.store.load(session_id)
    run = assistant.run_of(session, session.turn(turn), options)
    async with aclosing(assistant.worked(run, run.try_way(subtask, way))) as events:
        async for event in events:
            if isinstance(event, WayEnded) and not event.problem:
                await asyncio.to_thread(_look, assistant.store, session_id, turn, subtask, way)
            yield event


def _look(store: Store, session_id: str, number: int, subtask: int, way: int) -> None:
    """Look whether both results look the same, which may take a moment: what is drawn knows it."""
    turn = store.load(session_id).turn(number)
    if turn.plan is None:
        return
    paths = []
    for place in (_in_use(turn, subtask), way):
        last = len(turn.plan.solutions[subtask][place].actions) - 1
        made = turn.results.get(f"{subtask}.{place}.{last}")
        if made is None or not is_picture(made):
            return
        paths.append(store.path(made.digest, made.media_type))
    look_alike(*paths)


# Compared and kept.


@verb("show-comparison")
def show_comparison(call: Call) -> Outcome:
    """Look at both ways of a part."""
    turn, subtask = call.number("turn"), call.number("subtask")
    return Outcome(turn=turn, opens={"what": "comparing", "turn": turn, "subtask": subtask})


@verb("keep-way")
def keep_way(call: Call) -> Outcome:
    """Keep one of two ways: it is in use from now on, and remembered. Where it is in use already,
    nothing runs."""
    session, turn, subtask, way = _way(call)
    call.check_is_free()
    choose_way(call.store, session, turn.number, subtask, way)
    if _in_use(turn, subtask) == way:
        return Outcome(told=say("compare.kept_same"))
    return _goes(call, turn.number, subtask, way, say("compare.kept"))


@verb("take-back")
def take_way_back(call: Call) -> Outcome:
    """Take back that a way is kept: the one that was in use before is in use again."""
    session, turn, subtask, _ = _way(call)
    call.check_is_free()
    told = say("compare.taken_back")
    try:
        former = take_back(call.store, session, turn.number, subtask)
    except IndexError:
        raise BadInput(say(_NO_WAY)) from None
    if _in_use(turn, subtask) == former:
        return Outcome(told=told)
    return _goes(call, turn.number, subtask, former, told)


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
        compare(call.store, call.session_id, turn, subtask, left, right)
    except IndexError:
        raise BadInput(say(_NO_WAY)) from None


@verb("forget-choices")
def forget_choices(call: Call) -> Outcome:
    """Forget which ways were kept: ways are in their usual order again."""
    call.store.choices.forget(whose(call.store, call.session_id))
    return Outcome(told=say("compare.forgotten"))


@look("comparison")
def comparison(call: Call) -> dict[str, Any]:
    """Two ways of a part as they are now, a run that works on them among them: what the dialog of
    comparing shows; without ``parts`` where nothing is compared."""
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
    return {**vars(found), "pictures": pictures}
