"""The ways found for a subtask, as cards to choose from."""

from __future__ import annotations

from html import escape

from controlllm.plans import Solution, Subtask
from controlllm.ui.drawings.icons import icon
from controlllm.ui.drawings.wording import (
    attributes,
    inline_code,
    tool_label,
    without_commands,
)
from controlllm.ui.texts import in_figures, say_html
from controlllm.ui.view import TurnView

BEST_SCORE = 5.0

#: Which field of the settings ends a lack, by words of its reason.
_FIELDS = {
    "public service": "public_services",
    "address of a program": "hosted_address",
    "API key": "base_url",
}


def ways(view: TurnView, subtask: Subtask) -> str:
    """All ways of one subtask, the chosen one marked; empty where none was found."""
    found = view.solutions.get(subtask.id, ())
    if not found:
        return ""
    chosen = view.plan.chosen.get(subtask.id, 0) if view.plan else 0
    cards = "".join(
        _card(view, subtask, index, solution, index == chosen)
        for index, solution in enumerate(found)
    )
    if subtask.id not in view.agents:
        cards += (
            f'<li class="way is-acting">{icon("steps")}'
            f'<p class="reason">{say_html("cards.act")}</p>'
            f'<div class="way-foot">{act_button(view, subtask)}</div></li>'
        )
    return f'<ol class="ways" aria-label="{say_html("cards.title")}">{cards}</ol>'


def act_button(view: TurnView, subtask: Subtask) -> str:
    """A button that has an agent work on a subtask."""
    button = attributes(
        type="button",
        class_="small",
        data_do="act",
        data_turn=view.number,
        data_subtask=subtask.id,
        disabled=view.state == "running",
    )
    return f"<button {button}>{say_html('cards.act_button')}</button>"


def lacking_tool(way: Solution) -> str:
    """The first tool that keeps a solution from running here."""
    named = (tool for tool in way.tools if way.missing.startswith(tool.replace("_", " ")))
    return next(named, way.tools[-1])


def remedy_opener(way: Solution) -> str:
    """The attributes of a button that shows what a solution lacks: where the settings forbid or
    leave out what alone would do, those; else the tool in the toolbox."""
    for words, field in _FIELDS.items():
        if words in way.missing and "weights" not in way.missing:
            return attributes(type="button", class_="small", data_do="settings", data_find=field)
    return toolbox_opener(lacking_tool(way))


def toolbox_opener(tool: str) -> str:
    """The attributes of a button that shows a tool in the toolbox."""
    return attributes(type="button", class_="small", data_do="toolbox", data_find=tool)


def chain(tools: tuple[str, ...]) -> str:
    """Tools with arrows between them."""
    links = f'<span class="link">{icon("arrow")}</span>'
    return (
        '<span class="chain">'
        + links.join(f"<span>{escape(tool_label(tool))}</span>" for tool in tools)
        + "</span>"
    )


def score(value: float) -> str:
    """The score on the paper's scale of 1 to 5 as five segments and a figure."""
    share = max(0.0, min(1.0, value / BEST_SCORE))
    figure = in_figures(value, 1)
    return (
        f'<span class="score" role="img" aria-label="{say_html("cards.score", score=figure)}">'
        f'<span class="score-bar"><span style="width:{share:.0%}"></span></span>'
        f"<span>{figure}</span></span>"
    )


def _card(view: TurnView, subtask: Subtask, index: int, way: Solution, chosen: bool) -> str:
    reused = sum(
        view.action(f"{subtask.id}.{index}.{position}").resource is not None
        for position in range(len(way.actions))
    )
    if way.missing:
        lack = inline_code(without_commands(way.missing))
        foot = f'<span class="missing">{icon("info")}<span>{lack}</span></span>'
        opener, see = toolbox_opener(lacking_tool(way)), say_html("cards.see_in_toolbox")
        foot += f"<button {opener}>{see}</button>"
    elif chosen:
        foot = f'<span class="mark">{icon("check")}{say_html("cards.in_use")}</span>'
    else:
        button = attributes(
            type="button",
            class_="small",
            data_do="switch",
            data_turn=view.number,
            data_subtask=subtask.id,
            data_solution=index,
            disabled=view.state == "running",
        )
        foot = f"<button {button}>{say_html('cards.use')}</button>"
        if reused:
            kept = say_html("cards.results_kept", count=reused)
            foot += f'<span class="badge">{icon("again")}{kept}</span>'
    head = score(way.score)
    if way.is_own:
        head = f'<span class="badge">{icon("sliders")}{say_html("plan_editing.yours")}</span>'
    classes = "way" + " is-chosen" * chosen + " is-missing" * bool(way.missing)
    return (
        f'<li class="{classes}"><div class="way-head">{head}</div>{chain(way.tools)}'
        f'<p class="reason">{escape(way.reason)}</p><div class="way-foot">{foot}</div></li>'
    )
