"""The plan of a turn beside the conversation: its picture with its steps and the agents that worked
on it, and the ways to choose from."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from controlllm.core.plans import Step, Subtask
from controlllm.core.state import AgentView, Failure, Result
from controlllm.resources import Resource
from controlllm.ui.drawings.icons import STATE_ICONS, icon, type_icon
from controlllm.ui.drawings.markup import attributes, button, inline_code
from controlllm.ui.drawings.media import WORDS, Media, chip, has_thumbnail, opener, thumbnail
from controlllm.ui.drawings.plan_graph import plan_graph
from controlllm.ui.drawings.solutions import act_button, ways, why_not_field
from controlllm.ui.drawings.wording import (
    seconds_label,
    shorten,
    tool_label,
    type_label,
    without_commands,
)
from controlllm.ui.texts import in_figures, say, say_html
from controlllm.ui.view import ActionView, TurnView

_MOST_SHOWN = 160
_AGENTS = {"sum2act": "Sum2Act", "react": "ReAct", "dfsdt": "DFSDT"}


def no_plan() -> tuple[str, ...]:
    """What stands there before anything was planned."""
    return (f'<p class="quiet-words">{say_html("steps.no_plan_yet")}</p>',)


def plan_parts(view: TurnView, media: Media, known: Mapping[str, Resource]) -> tuple[str, ...]:
    """The picture of a plan and its steps below it, in parts that change each by itself."""
    if not view.subtasks:
        return no_plan()
    steps = [
        _subtask(view, number, part, media, known) for number, part in enumerate(view.subtasks, 1)
    ]
    return (plan_graph(view, media, known), '<ol class="subtasks">', *steps, "</ol>")


def way_parts(view: TurnView, media: Media) -> tuple[str, ...]:
    """The ways of each part of a request."""
    if not view.subtasks:
        return no_plan()
    return tuple(_part(view, number, part, media) for number, part in enumerate(view.subtasks, 1))


def _part(view: TurnView, number: int, part: Subtask, media: Media) -> str:
    found = view.solutions.get(part.id, ())
    count = say_html("turns.ways_found", count=len(found)) if found else ""
    cards = ways(view, part, media)
    if not found and view.state != "running":
        cards = f'<p class="lacking">{act_button(view, part)}</p>'
    note = escape(_search_note(view, part))
    return (
        f'<section class="part" data-key="part-{part.id}"><h3><span class="ordinal">{number}</span>'
        f'<span dir="auto">{escape(part.description)}</span></h3>'
        f'<p class="quiet-words">{count} <span class="search-note">{note}</span></p>{cards}'
        f"{why_not_field(view, part)}</section>"
    )


def _search_note(view: TurnView, subtask: Subtask) -> str:
    """What the search for ways said, else what it took; empty where it is not known any more."""
    message, cost = view.searches.get(subtask.id, ""), view.costs.get(subtask.id)
    if message or cost is None or not cost.visited:
        return message
    took = in_figures(cost.seconds * 1000)
    return say("steps.search", count=cost.visited, milliseconds=took)


def said_below(view: TurnView) -> str:
    """What the answer, or the sentence in its place, says."""
    return "" if view.state == "running" else without_commands(view.answer or view.message)


def _subtask(
    view: TurnView, number: int, subtask: Subtask, media: Media, known: Mapping[str, Resource]
) -> str:
    """A part of a request, with its steps and how far they are."""
    found, agent = view.solutions.get(subtask.id), view.agents.get(subtask.id)
    said = said_below(view)
    actions = "".join(
        _action(step, view.action(step.key), media, said)
        for step in view.steps()
        if step.subtask == subtask.id
    )
    if found is None and view.state == "running":
        actions = (
            f'<li class="action is-running">{icon("spin")}{say_html("stages.searching_tools")}</li>'
        )
    elif not found and agent is not None:
        actions = ""
    elif not found:
        words = escape(_search_note(view, subtask)) or say_html("turns.no_chain")
        actions = f'<li class="action is-failed">{icon("cross")}<span>{words}</span></li>'
    below = ""
    if agent is not None:
        below = _agent(view, subtask.id, agent, media, known)
    elif not found and view.state != "running":
        below = f'<p class="lacking">{act_button(view, subtask)}</p>'
    made = ""
    if subtask.returns.type and (found or view.state == "running"):
        made = icon(type_icon(subtask.returns.type)) + escape(type_label(subtask.returns.type))
        made = f'<span class="type">{made}</span>'
    return (
        f'<li class="subtask" data-key="subtask-{subtask.id}"><div class="subtask-head">'
        f'<span class="ordinal">{number}</span><span class="subtask-words" dir="auto">'
        f"{escape(subtask.description)}</span>{made}</div>"
        f'<ul class="actions">{actions}</ul>{below}</li>'
    )


def progress(action: ActionView) -> str:
    """How far a step that runs now is."""
    share = attributes(max=1, value=f"{action.fraction:.2f}" if action.fraction else None)
    return f'<progress {share}></progress><span class="words-now">{escape(action.words)}</span>'


def _action(step: Step, action: ActionView, media: Media, said: str) -> str:
    """One action; why it failed is left out where it is `said` already."""
    facts, middle = "", ""
    if action.cached:
        facts = f'<span class="badge">{icon("again")}{say_html("steps.reused")}</span>'
    elif action.seconds is not None:
        facts = f'<span class="took">{seconds_label(action.seconds)}</span>'
    if action.state == "running":
        middle = progress(action)
    elif action.message:
        why = without_commands(action.message)
        words = " ".join(filter(None, ("" if why in said else why, action.following)))
        middle = f'<span class="why">{inline_code(words)}</span>' if words else ""
    made = _made(action.resource, media) if action.resource else ""
    key = attributes(class_=f"action is-{action.state}", data_key=f"action-{step.key}")
    return (
        f'<li {key}>{icon(STATE_ICONS[action.state])}<span class="tool">'
        f"{escape(tool_label(step.action.tool))}</span>{middle}{facts}{made}</li>"
    )


def _made(resource: Resource, media: Media) -> str:
    if has_thumbnail(resource):
        says = say("files.look_at", name=resource.value)
        return opener(resource, media, "made", thumbnail(resource, media), aria_label=says)
    if resource.type in WORDS:
        words = escape(shorten(media.text(resource, 200), 90))
        return f'<span class="made-text" dir="auto">{words}</span>'
    return f'<span class="made-chip">{chip(resource, media)}</span>'


# An agent at work.


def _agent(
    view: TurnView, subtask: int, agent: AgentView, media: Media, known: Mapping[str, Resource]
) -> str:
    """What the agent that works, or has worked, on a subtask does now, what it has found, what
    failed and why, and what it may still use up."""
    is_running = subtask in view.acting and view.state == "running"
    found = "".join(_result(item, media, known) for item in agent.state.results)
    failed = "".join(_failure(item) for item in agent.state.failures)
    parts = _now(view.number, agent) if is_running else ""
    if found:
        parts += f'<h3>{say_html("agents.found")}</h3><ul class="agent-found">{found}</ul>'
    if failed:
        parts += f'<h3>{say_html("agents.failed")}</h3><ul class="agent-failed">{failed}</ul>'
    key = attributes(class_="agent", data_key=f"agent-{subtask}", open=is_running)
    title = say_html("agents.works" if is_running else "agents.worked")
    return (
        f"<details {key}><summary>{icon('steps')}"
        f'<span class="agent-title">{title}</span>'
        f'<span class="search-note">{escape(_spent(agent))}</span></summary>{parts}</details>'
    )


def _now(turn: int, agent: AgentView) -> str:
    if not agent.tool:
        first = say_html("agents.first_step")
        return f'<p class="agent-now">{icon("spin")}<span>{first}</span></p>'
    given = ", ".join(
        f"{name.replace('_', ' ')}: {shorten(str(value), 60)}"
        for name, value in agent.arguments.items()
        if name not in ("answer", "result")
    )
    thought = f"<span>{escape(shorten(agent.thought, _MOST_SHOWN))}</span>" if agent.thought else ""
    doing = f"<strong>{escape(tool_label(agent.tool))}</strong> {escape(given)}"
    skip = button("skip-step", say_html("agents.skip"), data_turn=turn)
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


def _spent(agent: AgentView) -> str:
    steps, limit = agent.spent.steps, agent.budget.steps
    facts = [_AGENTS.get(agent.agent, agent.agent)]
    if limit:
        facts.append(say("agents.steps_of", count=steps, limit=limit))
    else:
        facts.append(say("words.steps", count=steps))
    if agent.spent.model_calls:
        facts.append(say("agents.model_calls", count=agent.spent.model_calls))
    return say("words.comma").join(facts)
