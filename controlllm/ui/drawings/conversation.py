"""The conversation: what a person asked, how it goes, and what came of it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from html import escape, unescape
from typing import Any

from controlllm.core.plans import generated
from controlllm.resources import Resource
from controlllm.ui.drawings.answer import (
    answer,
    on_the_way,
    questions,
    steps_and_inputs,
    words_to_point_at,
)
from controlllm.ui.drawings.comparison import comparison_lines
from controlllm.ui.drawings.icons import icon
from controlllm.ui.drawings.markdown import to_html
from controlllm.ui.drawings.markup import attributes, button
from controlllm.ui.drawings.media import WORDS, Media, attachment, chip, figure
from controlllm.ui.drawings.plan import said_below
from controlllm.ui.drawings.recipes_view import keep_button
from controlllm.ui.drawings.solutions import chain, remedy_button, ways_button
from controlllm.ui.drawings.wording import seconds_label, shorten, tool_label, without_commands
from controlllm.ui.texts import in_figures, percent, say, say_html
from controlllm.ui.view import STAGES, TurnView

#: Characters of an answer that is still read aloud.
_READ_ALOUD = 400
_LONG_REQUEST = 1200


def turn(view: TurnView, media: Media, known: Mapping[str, Resource]) -> str:
    """One turn as an article. `known` are the session's resources by value."""
    return "".join(turn_parts(view, media, known))


def turn_parts(view: TurnView, media: Media, known: Mapping[str, Resource]) -> tuple[str, ...]:
    """The same in parts that mostly change each by itself; together they are the article."""
    title = say("turns.request", number=view.number + 1)
    opening = attributes(
        class_=f"turn is-{view.state}", data_key=f"turn-{view.number}", data_turn=view.number,
        data_state=view.state, tabindex=-1, aria_label=title,
    )  # fmt: skip
    return (
        f'<article {opening}><h2 class="for-screen-readers">{escape(title)}</h2>',
        _asked(view, media, known),
        '<div class="reply">',
        _stages(view),
        _notices(view),
        questions(view, media, known),
        answer(view, known),
        _shown(view, media, known),
        on_the_way(view, media),
        comparison_lines(view),
        _trouble(view),
        _lacking(view),
        _plan_line(view),
        _afterwards(view),
        "</div></article>",
    )


def _afterwards(view: TurnView) -> str:
    """What can be done with what was done: compare it with another way, keep it."""
    buttons = ways_button(view) + keep_button(view)
    return f'<p class="row afterwards">{buttons}</p>' if buttons else ""


def _asked(view: TurnView, media: Media, known: Mapping[str, Resource]) -> str:
    pointed = {str(item.details.get("image", "")) for item in view.attached}
    attached = "".join(
        attachment(resource, media, known)
        for resource in view.attached
        if resource.value not in pointed
    )
    shelf = f'<div class="attachments">{attached}</div>' if attached else ""
    if len(view.text) > _LONG_REQUEST:
        more = say_html("turns.show_all", count=len(view.text.split()))
        words = (
            f'<details class="bubble long" dir="auto"><summary>{escape(shorten(view.text, 400))}'
            f'<span class="more">{more}</span></summary>'
            f"<p>{escape(view.text)}</p></details>"
        )
    else:
        words = f'<p class="bubble" dir="auto">{escape(view.text)}</p>' if view.text else ""
    return f'<div class="asked">{shelf}{words}{_message_tools(view)}</div>'


def _message_tools(view: TurnView) -> str:
    """The buttons below a message: asked in other words, asked again, and the way to what was asked
    in its place; none while its turn runs."""
    if view.state == "running":
        return ""
    about: dict[str, Any] = {
        "class_": "quiet", "data_turn": view.number, "data_follows": view.follows,
        "data_words": view.text,
        "data_attached": json.dumps([resource.value for resource in view.attached]),
    }  # fmt: skip
    edit = button("edit-message", say_html("branches.edit"), "pencil", **about)
    again = button("ask-again", say_html("branches.again"), "again", **about)
    return f'<div class="message-tools">{_switcher(view)}{edit}{again}</div>'


def _switcher(view: TurnView) -> str:
    if len(view.siblings) < 2 or view.number not in view.siblings:
        return ""
    place = view.siblings.index(view.number)
    found = say_html("branches.place", number=place + 1, count=len(view.siblings))
    earlier, later = (
        button(
            "branch", sign="arrow", class_=f"quiet branch-{side}", data_step=step,
            data_turn=view.siblings[place + step] if is_there else view.number,
            disabled=not is_there, aria_label=say(f"branches.{key}"),
        )
        for step, key, side, is_there in (
            (-1, "earlier", "before", place > 0),
            (1, "later", "after", place + 1 < len(view.siblings)),
        )
    )  # fmt: skip
    group = attributes(class_="branches", role="group", aria_label=say("branches.title"))
    return f"<div {group}>{earlier}<span>{found}</span>{later}</div>"


def _stages(view: TurnView) -> str:
    if view.state == "answered":
        return ""
    items = []
    for number, name in enumerate(STAGES):
        if number < view.stage:
            state, sign = "done", icon("check")
        elif number == view.stage and view.state == "running":
            state, sign = "running", icon("spin")
        elif number == view.stage:
            state, sign = "stopped", icon("cross" if view.state == "failed" else "stop")
        else:
            state, sign = "waiting", '<span class="dot"></span>'
        current = ' aria-current="step"' if state == "running" else ""
        said = say_html(f"stages.stage_{name}")
        items.append(f'<li class="is-{state}"{current}>{sign}<span>{said}</span></li>')
    return (
        f'<ol class="stages" aria-label="{say_html("stages.title")}">{"".join(items)}</ol>'
        f'<p class="now">{escape(doing(view))}</p>'
    )


def doing(view: TurnView) -> str:
    """What happens right now, in a sentence; empty when nothing does."""
    if view.trying is not None:
        subtask, way = view.trying
        tools = tuple(map(tool_label, view.solutions[subtask][way].tools))
        return say("compare.trying", tools=", ".join(tools))
    if view.state != "running":
        return "" if view.tried is None else view.tried or say("compare.ready")
    if view.place:
        before = view.place - 1
        return say("queue.waiting", count=before) if before else say("queue.next")
    if view.is_loading:
        return say("stages.loading")
    if view.stage == 0:
        return say("stages.reading")
    if view.stage == 1:
        return say("stages.parts_found", count=len(view.subtasks))
    if view.stage == 2 and view.acting:
        agent = view.agents[min(view.acting)]
        if not agent.tool:
            return say("agents.first_step")
        return say("stages.tool", tool=tool_label(agent.tool))
    if view.stage == 2:
        running = [step for step in view.steps() if view.action(step.key).state == "running"]
        if not running:
            return say("stages.starting")
        words = view.action(running[0].key).words
        tool, others = tool_label(running[0].action.tool), len(running) - 1
        if not others:
            return say("stages.tool_saying" if words else "stages.tool", tool=tool, words=words)
        key = "stages.others_saying" if words else "stages.others"
        return say(key, tool=tool, words=words, count=others)
    return say("stages.writing")


def _notices(view: TurnView) -> str:
    said = said_below(view)
    notices = dict.fromkeys(map(without_commands, view.notices))
    return "".join(
        f'<p class="notice">{icon("info")}<span>{escape(text)}</span></p>'
        for text in notices
        if text not in said and text not in view.fallbacks
    )


def _shown(view: TurnView, media: Media, known: Mapping[str, Resource]) -> str:
    if not view.shown:
        return ""
    said = [resource for resource in view.shown if _is_said(resource, view, media)]
    figures = "".join(
        figure(resource, media, about=picture_of(resource, view, known))
        for resource in view.shown
        if resource not in said
    )
    chips = "".join(chip(resource, media) for resource in said)
    return "".join(
        f'<div class="{kind}">{drawn}</div>'
        for kind, drawn in (
            ("results", figures),
            ("said", chips),
            ("said", words_to_point_at(view, known)),
        )
        if drawn
    )


def _is_said(resource: Resource, view: TurnView, media: Media) -> bool:
    """Whether the answer itself already holds all of a text."""
    if resource.type not in WORDS:
        return False
    said = " ".join(view.answer.split())
    return " ".join(media.text(resource).split()) in said


def picture_of(
    resource: Resource, view: TurnView, known: Mapping[str, Resource]
) -> Resource | None:
    """The picture that a result was found in: the one its action, or an earlier one, was given."""
    if resource.type not in ("mask", "bbox", "point"):
        return None
    pictures: dict[str, Resource | None] = {}
    for step, given, result in steps_and_inputs(view, known):
        picture = next((item for item in given if item and item.type == "image"), None)
        if picture is None:
            earlier = [pictures.get(value) for value in step.action.references()]
            picture = next((item for item in earlier if item), None)
        pictures[step.action.output.value] = pictures[generated(step.subtask)] = picture
        if result is not None and result.value == resource.value:
            return picture
    return None


def _trouble(view: TurnView) -> str:
    if view.state == "running" or view.state == "answered":
        return ""
    if view.state == "cancelled":
        words = view.message or say("turns.stopped")
        go_on = button("resume", say_html("turns.go_on"), "again", data_turn=view.number)
        return f'<p class="stopped">{icon("stop")}<span>{escape(words)}</span>{go_on}</p>'
    words = without_commands(view.message) or say(view.fault or "turns.not_done")
    return f'<div class="failure" role="alert">{icon("info")}<div>{to_html(words)}</div></div>'


def _lacking(view: TurnView) -> str:
    """Where to get what the chosen ways lack to run here."""
    if view.plan is None or view.state == "running":
        return ""
    chosen = [view.plan.solution(subtask.id) for subtask in view.plan.subtasks]
    lacks = dict.fromkeys(remedy_button(way) for way in chosen if way is not None and way.missing)
    buttons = "".join(lacks)
    return f'<p class="lacking">{buttons}</p>' if buttons else ""


def _plan_line(view: TurnView) -> str:
    """What was done in a line, which shows the plan beside the conversation."""
    if not view.subtasks:
        return _used(view)
    line = button("show-plan", _summary(view), class_="how-line", data_turn=view.number)
    return f"<p>{line}</p>{_used(view)}"


def _used(view: TurnView) -> str:
    """How much a language model was used, empty where none was."""
    if not view.usage.calls:
        return ""
    words = say_html(
        "language_model.used_tokens" if view.usage.tokens else "language_model.used",
        count=view.usage.calls,
        read=in_figures(view.usage.prompt_tokens),
        wrote=in_figures(view.usage.completion_tokens),
    )
    return f'<p class="quiet-words model-use">{words}</p>'


def _summary(view: TurnView) -> str:
    steps = view.steps()
    tools = tuple(dict.fromkeys(step.action.tool for step in steps))
    title = "turns.how_done" if view.is_met else "turns.what_tried"
    if view.state == "running":
        title = "turns.how_doing"
    elif view.questions:
        title = "turns.how_will"
    seconds = sum(view.action(step.key).seconds or 0 for step in steps)
    others = sum(max(len(found) - 1, 0) for found in view.solutions.values())
    facts = [say("words.steps", count=len(steps))] if steps else []
    if seconds:
        facts.append(seconds_label(seconds))
    if others:
        facts.append(say("turns.other_ways", count=others))
    shown = chain(tools[:4]) + (f"<span>+{len(tools) - 4}</span>" if len(tools) > 4 else "")
    said = escape(" · ".join(facts))
    return (
        f'{icon("graph")}<span class="how-title">{say_html(title)}</span>'
        f'<span class="how-chain">{shown}</span><span class="how-facts">{said}</span>'
    )


# What is told to those who hear the page instead of seeing it.


def announced(view: TurnView) -> str:
    """What happens now, without what changes many times a second: a long step tells its quarters.
    Where it has ended: what it asks, or what came of it."""
    if view.state != "running":
        return " ".join(asked.message for asked in view.questions) or _outcome(view)
    running = [step for step in view.steps() if view.action(step.key).state == "running"]
    if view.stage != 2 or view.acting or not running:
        return doing(view)
    tool, quarters = (
        tool_label(running[0].action.tool),
        view.action(running[0].key).fraction // 0.25,
    )
    if not quarters:
        return say("stages.tool", tool=tool)
    return say("stages.tool_share", tool=tool, share=percent(quarters / 4))


def _outcome(view: TurnView) -> str:
    """The answer itself, where it is short."""
    if view.state == "cancelled":
        return view.message or say("turns.stopped")
    shown = re.sub(r"<[^>]*>", " ", to_html(without_commands(view.answer or view.message)))
    words = " ".join(unescape(shown).split())
    short = words if 0 < len(words) <= _READ_ALOUD else ""
    if not view.is_met:
        return f"{say('turns.not_done')} {short}".strip()
    return say("notices.answered_with", answer=short) if short else say("notices.answered")
