"""The ways found for a subtask, as cards to choose from."""

from __future__ import annotations

from html import escape

from controlllm.comparing.choosing import place_of
from controlllm.comparing.differences import alike
from controlllm.comparing.outlook import is_judged_by_rule
from controlllm.core.plans import Solution, Subtask
from controlllm.core.reasons import Reason, keys_of
from controlllm.ui.drawings.differing import differing, done_calls, expected
from controlllm.ui.drawings.icons import icon
from controlllm.ui.drawings.media import Media
from controlllm.ui.drawings.wording import (
    attributes,
    inline_code,
    reason_label,
    tool_label,
)
from controlllm.ui.texts import in_figures, say, say_html
from controlllm.ui.view import TurnView

BEST_SCORE = 5.0

#: Which field of the settings ends a lack, by what its reason is made of.
_FIELDS = {
    "public_service": "public_services",
    "hosted_address": "hosted_address",
    "endpoint": "base_url",
}


def ways(view: TurnView, subtask: Subtask, media: Media) -> str:
    """The ways of one subtask, the chosen one marked, and a button for those found beyond the best
    ones; empty where none was found."""
    found = view.solutions.get(subtask.id, ())
    if not found:
        return ""
    chosen, cards = _in_use(view, subtask), ""
    for group in alike(found):
        # Of ways that do the same, the one in use stands for all.
        index = chosen if chosen in group else group[0]
        cards += _card(view, subtask, group, index, media)
    if subtask.id not in view.agents:
        cards += (
            f'<li class="way is-acting">{icon("steps")}'
            f'<p class="reason">{say_html("cards.act")}</p>'
            f'<div class="way-foot">{act_button(view, subtask)}</div></li>'
        )
    listed = f'<ol class="ways" tabindex="0" aria-label="{say_html("cards.title")}">{cards}</ol>'
    return listed + _all_button(view, subtask)


def _all_button(view: TurnView, subtask: Subtask) -> str:
    """A button that shows the ways that were found beyond the best ones, too."""
    button = attributes(
        type="button",
        class_="small",
        data_do="all-ways",
        data_key="all",
        data_turn=view.number,
        data_subtask=subtask.id,
        disabled=view.state == "running" or view.trying is not None,
    )
    return f'<p class="row"><button {button}>{icon("more")}{say_html("cards.all")}</button></p>'


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
    lacks = way.missing.lacks if isinstance(way.missing, Reason) else ()
    return lacks[0][0] if lacks else way.tools[-1]


def remedy_opener(way: Solution) -> str:
    """The attributes of a button that shows what a solution lacks: where the settings forbid or
    leave out what alone would do, those; else the tool in the toolbox."""
    return opener_for(lacking_tool(way), way.missing)


def opener_for(tool: str, missing: str) -> str:
    """The same for one tool, which cannot run for a reason."""
    made_of = keys_of(missing)
    for key, field in _FIELDS.items():
        if key in made_of and "weights" not in made_of:
            return attributes(type="button", class_="small", data_do="settings", data_find=field)
    return toolbox_opener(tool)


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


def _card(
    view: TurnView, subtask: Subtask, group: tuple[int, ...], index: int, media: Media
) -> str:
    way = view.solutions[subtask.id][index]
    chosen = _in_use(view, subtask)
    classes = "way" + " is-chosen" * (chosen in group) + " is-missing" * bool(way.missing)
    head = score(way.score)
    if way.is_own:
        head = f'<span class="badge">{icon("sliders")}{say_html("plan_editing.yours")}</span>'
    card = attributes(
        class_=classes,
        data_key=f"way-{subtask.id}-{index}",
        data_way=index,
        data_turn=view.number,
        data_subtask=subtask.id,
        tabindex=-1,
    )
    return (
        f'<li {card}><div class="way-head">{head}</div>{chain(way.tools)}'
        f"{_said_of(view, subtask, index, media)}"
        f'<div class="way-foot">{_foot(view, subtask, group, index, media)}</div></li>'
    )


def _said_of(view: TurnView, subtask: Subtask, index: int, media: Media) -> str:
    """What a way does otherwise than the one in use, and what to expect of it."""
    found = view.solutions[subtask.id]
    way, chosen = found[index], _in_use(view, subtask)
    other = None if index == chosen else found[chosen]
    differs = differing(way, other) if other is not None else ""
    reason = _own_reason(way)
    own = f'<p class="reason">{escape(reason)}</p>' if reason else ""
    done = done_calls(view) if other is not None else frozenset()
    facts = list(expected(way, media.outlook, done))
    if media.outlook is not None and chosen != index:
        here = place_of(media.handle, view.number, subtask.id)
        if media.outlook.habits.last(subtask, found, here) == index:
            facts.append(icon("star") + say_html("compare.last_time"))
    listed = "".join(f"<li>{fact}</li>" for fact in facts)
    return differs + own + (f'<ul class="facts">{listed}</ul>' if listed else "")


def _foot(
    view: TurnView, subtask: Subtask, group: tuple[int, ...], index: int, media: Media
) -> str:
    way, chosen = view.solutions[subtask.id][index], _in_use(view, subtask)
    if way.missing:
        lack = inline_code(reason_label(way.missing))
        opener, see = toolbox_opener(lacking_tool(way)), say_html("cards.see_in_toolbox")
        return (
            f'<span class="missing">{icon("info")}<span>{lack}</span></span>'
            f"<button {opener}>{see}</button>"
        )
    if chosen in group:
        return f'<span class="mark">{icon("check")}{say_html("cards.in_use")}</span>'
    use = way_button(view, subtask.id, index, "switch")
    foot = f"<button {use}>{say_html('cards.use')}</button>"
    tried = view.beside[subtask.id].tried if subtask.id in view.beside else {}
    if tried.get(index) == "":
        foot += f'<span class="mark">{icon("compare")}{say_html("compare.is_beside")}</span>'
    elif _can_be_tried(view, subtask, way, media):
        button = way_button(view, subtask.id, index, "try-way")
        foot += f"<button {button}>{icon('compare')}{say_html('compare.try')}</button>"
    reused = sum(
        view.action(f"{subtask.id}.{index}.{position}").resource is not None
        for position in range(len(way.actions))
    )
    if reused:
        kept = say_html("cards.results_kept", count=reused)
        foot += f'<span class="badge">{icon("again")}{kept}</span>'
    return foot


def ways_button(view: TurnView) -> str:
    """Leads to the ways of an answered turn where one of them is another that could be tried."""
    others = any(
        not way.missing and index != _in_use(view, subtask)
        for subtask in view.subtasks
        for index, way in enumerate(view.solutions.get(subtask.id, ()))
    )
    if view.state != "answered" or not others:
        return ""
    button = attributes(type="button", class_="small", data_do="show-ways", data_turn=view.number)
    return f"<button {button}>{icon('compare')}{say_html('compare.show_ways')}</button>"


def way_button(view: TurnView, subtask: int, way: int, does: str) -> str:
    """The attributes of a button that does something with a way."""
    return attributes(
        type="button",
        class_="small",
        data_do=does,
        data_turn=view.number,
        data_subtask=subtask,
        data_solution=way,
        disabled=view.state == "running" or view.trying is not None,
    )


def _can_be_tried(view: TurnView, subtask: Subtask, way: Solution, media: Media) -> bool:
    """Whether there is a result to compare with, and the way does nothing outside."""
    solution = view.plan.solution(subtask.id) if view.plan else None
    if view.state != "answered" or solution is None or media.outlook is None:
        return False
    last = f"{subtask.id}.{_in_use(view, subtask)}.{len(solution.actions) - 1}"
    return view.action(last).resource is not None and not media.outlook.acts_outside(way)


def _in_use(view: TurnView, subtask: Subtask) -> int:
    return view.plan.chosen.get(subtask.id, 0) if view.plan else 0


def _own_reason(way: Solution) -> str:
    """Its reason where that says more than the score does: a person's, a language model's or an
    agent's."""
    if way.is_own:
        return say("plan_editing.made_by_you")
    return "" if is_judged_by_rule(way) else reason_label(way.reason)
