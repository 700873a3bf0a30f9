"""The stages of a run, and what became of it, told from its events."""

from __future__ import annotations

from controlllm.core import events

#: In the order in which a run goes through them; one that is run again leaves some out.
STAGES = ("understand", "search", "run", "answer")


def stage_after(stage: str, event: events.Event) -> str:
    """The stage that a run is in after an event; empty when it has ended."""
    match event:
        case events.RequestReceived():
            return "understand"
        case events.SubtasksReady():
            return "search"
        case (
            events.PlanReady()
            | events.SolutionSwitched()
            | events.ActionStarted()
            | events.ActionFinished()
        ):
            return "run"
        case events.AnswerToken():
            return "answer"
        case events.AnswerFinished() | events.RequestFailed() | events.RequestCancelled():
            return ""
        case _:
            return stage


def outcome_of(event: events.Event) -> str:
    """What became of a run with its last event: ``answered``, ``failed`` or ``stopped``; empty
    where the event is not the last."""
    match event:
        case events.AnswerFinished():
            return "answered"
        case events.RequestFailed():
            return "failed"
        case events.RequestCancelled():
            return "stopped"
        case _:
            return ""
