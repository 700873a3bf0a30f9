"""An agent at work, as a person sees it: what it does now, what it has found, what failed and why,
and what it may still use up."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from controlllm.core.state import AgentView, Failure, Result
from controlllm.resources import Resource
from controlllm.ui.drawings.icons import icon
from controlllm.ui.drawings.media import Media, chip
from controlllm.ui.drawings.wording import attributes, shorten, tool_label
from controlllm.ui.texts import say, say_html

_MOST_SHOWN = 160
_AGENTS = {"sum2act": "Sum2Act", "react": "ReAct", "dfsdt": "DFSDT"}


def agent_panel(
    turn: int,
    subtask: int,
    view: AgentView,
    is_running: bool,
    media: Media,
    known: Mapping[str, Resource],
) -> str:
    """The panel of the agent that works, or has worked, on a subtask of a turn."""
    found = "".join(_result(item, media, known) for item in view.state.results)
    failed = "".join(_failure(item) for item in view.state.failures)
    parts = [_now(turn, view) if is_running else ""]
    if found:
        parts.append(f'<h3>{say_html("agents.found")}</h3><ul class="agent-found">{found}</ul>')
    if failed:
        parts.append(f'<h3>{say_html("agents.failed")}</h3><ul class="agent-failed">{failed}</ul>')
    key = attributes(class_="agent", data_key=f"agent-{subtask}", open=is_running)
    title = say_html("agents.works" if is_running else "agents.worked")
    return (
        f"<details {key}><summary>{icon('steps')}"
        f'<span class="agent-title">{title}</span>'
        f'<span class="search-note">{escape(_spent(view))}</span></summary>'
        f"{''.join(parts)}</details>"
    )


def _now(turn: int, view: AgentView) -> str:
    if not view.tool:
        return (
            f'<p class="agent-now">{icon("spin")}<span>{say_html("agents.first_step")}</span></p>'
        )
    given = ", ".join(
        f"{name.replace('_', ' ')}: {shorten(str(value), 60)}"
        for name, value in view.arguments.items()
        if name not in ("answer", "result")
    )
    thought = f"<span>{escape(shorten(view.thought, _MOST_SHOWN))}</span>" if view.thought else ""
    doing = f"<strong>{escape(tool_label(view.tool))}</strong> {escape(given)}"
    button = attributes(type="button", class_="small", data_do="skip-step", data_turn=turn)
    skip = f"<button {button}>{say_html('agents.skip')}</button>"
    return f'<p class="agent-now">{icon("spin")}{thought}<span>{doing}</span>{skip}</p>'


def _result(item: Result, media: Media, known: Mapping[str, Resource]) -> str:
    resource = known.get(item.source)
    shown = f" {chip(resource, media)}" if resource is not None else ""
    return (
        f'<li><span class="ordinal">{item.step}</span>'
        f"<span>{escape(shorten(item.finding, _MOST_SHOWN))}</span>{shown}</li>"
    )


def _failure(item: Failure) -> str:
    where = f'<span class="ordinal">{item.step}</span>' if item.step else icon("cross")
    return (
        f"<li>{where}<span><strong>{escape(tool_label(item.tool))}</strong>: "
        f"{escape(shorten(item.reason, _MOST_SHOWN))}</span></li>"
    )


def _spent(view: AgentView) -> str:
    steps, limit = view.spent.steps, view.budget.steps
    facts = [_AGENTS.get(view.agent, view.agent)]
    if limit:
        facts.append(say("agents.steps_of", count=steps, limit=limit))
    else:
        facts.append(say("words.steps", count=steps))
    if view.spent.model_calls:
        facts.append(say("agents.model_calls", count=view.spent.model_calls))
    return say("words.comma").join(facts)
