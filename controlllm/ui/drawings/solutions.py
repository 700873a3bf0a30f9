"""The ways found for a subtask, as cards to choose from, and why a tool is in none of them."""

from __future__ import annotations

from html import escape
from typing import Any

from controlllm.comparing.choosing import place_of
from controlllm.comparing.differences import alike
from controlllm.comparing.outlook import is_judged_by_rule
from controlllm.core.plans import Solution, Subtask
from controlllm.core.reasons import Reason, keys_of
from controlllm.editing.why_not import Answer, Proof, Verdict
from controlllm.ui.drawings.differing import differing, done_calls, expected
from controlllm.ui.drawings.icons import icon
from controlllm.ui.drawings.markup import attributes, button, inline_code, quiet
from controlllm.ui.drawings.media import Media
from controlllm.ui.drawings.wording import reason_label, tool_label, type_label
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
    more = _about(view, "all-ways", subtask, say_html("cards.all"), "more", data_key="all")
    return f'{listed}<p class="row">{more}</p>'


def _about(
    view: TurnView, does: str, subtask: Subtask, inside: str, sign: str = "", **more: object
) -> str:
    """A button that does something with a part of a turn, or with a way of it, while nothing
    runs."""
    is_busy = view.state == "running" or view.trying is not None
    about: dict[str, Any] = {"data_turn": view.number, "data_subtask": subtask.id, **more}
    return button(does, inside, sign, **{"disabled": is_busy, **about})


def act_button(view: TurnView, subtask: Subtask) -> str:
    """A button that has an agent work on a subtask."""
    is_busy = view.state == "running"
    return _about(view, "act", subtask, say_html("cards.act_button"), disabled=is_busy)


def way_button(
    view: TurnView,
    does: str,
    subtask: Subtask,
    way: int,
    inside: str,
    sign: str = "",
    **more: object,
) -> str:
    """A button that does something with a way."""
    return _about(view, does, subtask, inside, sign, data_solution=way, **more)


def _lacking_tool(way: Solution) -> str:
    """The first tool that keeps a solution from running here."""
    lacks = way.missing.lacks if isinstance(way.missing, Reason) else ()
    return lacks[0][0] if lacks else way.tools[-1]


def remedy_button(way: Solution) -> str:
    """A button that shows what a solution lacks: where the settings forbid or leave out what alone
    would do, those; else the tool in the toolbox."""
    return _get_button(_lacking_tool(way), way.missing, "info")


def _get_button(tool: str, missing: str, sign: str = "") -> str:
    """The same for one tool, which cannot run for a reason."""
    made_of, words = keys_of(missing), say_html("cards.get_it")
    for key, field in _FIELDS.items():
        if key in made_of and "weights" not in made_of:
            return button("settings", words, sign, data_find=field)
    return button("toolbox", words, sign, data_find=tool)


def chain(tools: tuple[str, ...]) -> str:
    """Tools with arrows between them."""
    links = f'<span class="link">{icon("arrow")}</span>'
    return (
        '<span class="chain">'
        + links.join(f"<span>{escape(tool_label(tool))}</span>" for tool in tools)
        + "</span>"
    )


def _score(value: float) -> str:
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
    head = _score(way.score)
    if way.is_own:
        head = f'<span class="badge">{icon("sliders")}{say_html("plan_editing.yours")}</span>'
    card = attributes(
        class_=classes, data_key=f"way-{subtask.id}-{index}", data_way=index,
        data_turn=view.number, data_subtask=subtask.id, tabindex=-1,
    )  # fmt: skip
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
        see = button("toolbox", say_html("cards.see_in_toolbox"), data_find=_lacking_tool(way))
        return f'<span class="missing">{icon("info")}<span>{lack}</span></span>{see}'
    if chosen in group:
        return f'<span class="mark">{icon("check")}{say_html("cards.in_use")}</span>'
    foot = way_button(view, "switch", subtask, index, say_html("cards.use"))
    tried = view.beside[subtask.id].tried if subtask.id in view.beside else {}
    if tried.get(index) == "":
        foot += f'<span class="mark">{icon("compare")}{say_html("compare.is_beside")}</span>'
    elif _can_be_tried(view, subtask, way, media):
        foot += way_button(view, "try-way", subtask, index, say_html("compare.try"), "compare")
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
    words = say_html("compare.show_ways")
    return button("show-ways", words, "compare", data_turn=view.number)


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


# Why a tool is not in the ways.


def why_not_field(view: TurnView, subtask: Subtask) -> str:
    """Where a person asks; scripts fill in what is answered. Empty while it is still planned."""
    if view.plan is None or view.state == "running":
        return ""
    name = f"why-{view.number}-{subtask.id}"
    field = attributes(
        type="search", id=name, class_="why-search", data_turn=view.number,
        data_subtask=subtask.id, placeholder=say("why_not.placeholder"), autocomplete="off",
    )  # fmt: skip
    return (
        f'<div class="why-not" data-key="why"><label for="{name}">{say_html("why_not.title")}'
        f'</label><input {field}><div class="why-answer" data-key="answer" data-mine=""'
        ' aria-live="polite"></div></div>'
    )


def why_not_answer(answer: Answer) -> str:
    """What is known of some tools, and whether the search can be relied on."""
    if not answer.verdicts:
        return quiet(say_html("why_not.no_tool"))
    items = "".join(
        _verdict(verdict, answer.missing.get(verdict.tool, ""), answer)
        for verdict in answer.verdicts
    )
    proof = _proof(answer.proof) if answer.proof else ""
    again = "" if answer.is_same else f" {say('why_not.other_ways')}"
    return f'<ul class="why-list">{items}</ul>{quiet(escape(proof + again))}'


def _verdict(verdict: Verdict, missing: str, answer: Answer) -> str:
    lack = ""
    if missing:
        reason = inline_code(reason_label(missing))
        lack = (
            f'<p class="missing">{icon("info")}<span>{say_html("why_not.cannot_run")} {reason}.'
            f"</span></p>{_get_button(verdict.tool, missing)}"
        )
    scores = ""
    if verdict.kind == "low":
        for tool, value in ((verdict.tool, verdict.score), (verdict.other, verdict.beside)):
            scores += f"<dt>{escape(tool_label(tool))}</dt><dd>{_score(value)}</dd>"
        scores = f'<dl class="why-scores">{scores}</dl>'
    return (
        f"<li><strong>{escape(tool_label(verdict.tool))}</strong>{lack}"
        f"<p>{escape(_in_words(verdict, answer.shown))}</p>{scores}</li>"
    )


def _in_words(verdict: Verdict, shown: int) -> str:
    comma, key, values = say("words.comma"), verdict.kind, dict[str, object]()
    match verdict.kind:
        case "shown":
            values = {"rank": verdict.rank}
        case "beyond":
            values = {"count": shown, "rank": verdict.rank}
        case "needs":
            values = {"types": comma.join(map(type_label, verdict.needs))}
        case "nowhere":
            wanted = comma.join(map(type_label, verdict.wanted))
            values = {"what": type_label(verdict.makes), "wanted": wanted}
        case "low":
            mine, other = in_figures(verdict.score, 1), in_figures(verdict.beside, 1)
            values = {"score": mine, "other": tool_label(verdict.other), "beside": other}
        case "costs" if verdict.steps <= verdict.best_steps:
            return say("why_not.costs_as_long")
        case "costs":
            values = {"count": verdict.steps, "best": verdict.best_steps}
    return say(f"why_not.{key}", **values)


def _proof(proof: Proof) -> str:
    if proof.strategy not in ("best-first", "exhaustive"):
        return say("why_not.looks_at_some", strategy=proof.strategy)
    if not proof.is_sure:
        return say("why_not.stopped", strategy=proof.strategy)
    said = "why_not.sure_of_named" if proof.only_named else "why_not.sure"
    return say(said, strategy=proof.strategy)
