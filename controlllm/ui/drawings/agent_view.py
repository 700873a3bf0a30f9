"""An agent at work, as a person sees it: what it does now, what it has found, what failed and why,
and what it may still use up."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from controlllm.resources import Resource
from controlllm.state import AgentView, Failure, Result
from controlllm.ui.drawings.icons import icon
from controlllm.ui.drawings.media import Media, chip
from controlllm.ui.drawings.wording import attributes, count, shorten, tool_label

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
        parts.append(f'<h4>Found so far</h4><ul class="agent-found">{found}</ul>')
    if failed:
        parts.append(f'<h4>What did not work</h4><ul class="agent-failed">{failed}</ul>')
    key = attributes(class_="agent", data_key=f"agent-{subtask}", open=is_running)
    title = "Works on it step by step" if is_running else "Worked on step by step"
    return (
        f"<details {key}><summary>{icon('steps')}{title}"
        f'<span class="search-note">{escape(_spent(view))}</span></summary>'
        f"{''.join(parts)}</details>"
    )


def _now(turn: int, view: AgentView) -> str:
    if not view.tool:
        return f'<p class="agent-now">{icon("spin")}<span>Thinking about the first step…</span></p>'
    given = ", ".join(
        f"{name.replace('_', ' ')}: {shorten(str(value), 60)}"
        for name, value in view.arguments.items()
        if name not in ("answer", "result")
    )
    thought = f"<span>{escape(shorten(view.thought, _MOST_SHOWN))}</span>" if view.thought else ""
    doing = f"<strong>{escape(tool_label(view.tool))}</strong> {escape(given)}"
    button = attributes(type="button", class_="small", data_do="skip-step", data_turn=turn)
    skip = f"<button {button}>Skip this step</button>"
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
    limit = f" of at most {view.budget.steps}" if view.budget.steps else ""
    said = [f"{_AGENTS.get(view.agent, view.agent)}, {count(view.spent.steps, 'step')}{limit}"]
    if view.spent.model_calls:
        said.append(f"{count(view.spent.model_calls, 'question')} to the language model")
    return ", ".join(said)
