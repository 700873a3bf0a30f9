"""The conversation: what a person asked, how it goes, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from controlllm.core.plans import Step, Subtask, generated
from controlllm.resources import Resource
from controlllm.ui.drawings.agent_view import agent_panel
from controlllm.ui.drawings.answer import answer
from controlllm.ui.drawings.branching import message_tools
from controlllm.ui.drawings.comparison import comparison_lines
from controlllm.ui.drawings.icons import icon, type_icon
from controlllm.ui.drawings.markdown import to_html
from controlllm.ui.drawings.media import Media, attachment, chip, figure, has_thumbnail, thumbnail
from controlllm.ui.drawings.on_the_way import on_the_way
from controlllm.ui.drawings.questions import questions
from controlllm.ui.drawings.recipes_view import keep_button
from controlllm.ui.drawings.solutions import act_button, chain, remedy_opener, ways_button
from controlllm.ui.drawings.transcripts import words_to_point_at
from controlllm.ui.drawings.wording import (
    attributes,
    inline_code,
    seconds_label,
    shorten,
    tool_label,
    type_label,
    without_commands,
)
from controlllm.ui.texts import in_figures, say, say_html
from controlllm.ui.view import STAGES, ActionView, TurnView

_LONG_REQUEST = 1200


def turn(view: TurnView, media: Media, known: Mapping[str, Resource]) -> str:
    """One turn as an article. `known` are the session's resources by value."""
    return "".join(turn_parts(view, media, known))


def turn_parts(view: TurnView, media: Media, known: Mapping[str, Resource]) -> tuple[str, ...]:
    """The same in parts that mostly change each by itself; together they are the article."""
    title = say("turns.request", number=view.number + 1)
    opening = attributes(
        class_=f"turn is-{view.state}",
        data_key=f"turn-{view.number}",
        data_turn=view.number,
        data_state=view.state,
        tabindex=-1,
        aria_label=title,
    )
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
    return f'<div class="asked">{shelf}{words}{message_tools(view)}</div>'


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
    said = _said_below(view)
    notices = dict.fromkeys(map(without_commands, view.notices))
    return "".join(
        f'<p class="notice">{icon("info")}<span>{escape(text)}</span></p>'
        for text in notices
        if text not in said and text not in view.fallbacks
    )


def _said_below(view: TurnView) -> str:
    """What the answer, or the sentence in its place, says."""
    return "" if view.state == "running" else without_commands(view.answer or view.message)


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
    if resource.type not in ("text", "title", "tags", "number"):
        return False
    said = " ".join(view.answer.split())
    return " ".join(media.text(resource).split()) in said


def picture_of(
    resource: Resource, view: TurnView, known: Mapping[str, Resource]
) -> Resource | None:
    """The picture that a result was found in: the one its action, or an earlier one, was given."""
    if resource.type not in ("mask", "bbox", "point"):
        return None
    made: dict[str, Resource | None] = {}
    pictures: dict[str, Resource | None] = {}
    for step in view.steps():
        given = [made.get(value) or known.get(value) for value in step.action.references()]
        picture = next((item for item in given if item and item.type == "image"), None)
        if picture is None:
            earlier = [pictures.get(value) for value in step.action.references()]
            picture = next((item for item in earlier if item), None)
        result = view.action(step.key).resource
        for value in (step.action.output.value, generated(step.subtask)):
            made[value], pictures[value] = result, picture
        if result is not None and result.value == resource.value:
            return picture
    return None


def _trouble(view: TurnView) -> str:
    if view.state == "running" or view.state == "answered":
        return ""
    if view.state == "cancelled":
        words = view.message or say("turns.stopped")
        button = attributes(type="button", class_="small", data_do="resume", data_turn=view.number)
        return (
            f'<p class="stopped">{icon("stop")}<span>{escape(words)}</span>'
            f"<button {button}>{icon('again')}{say_html('turns.go_on')}</button></p>"
        )
    words = without_commands(view.message) or say(view.fault or "turns.not_done")
    return f'<div class="failure" role="alert">{icon("info")}<div>{to_html(words)}</div></div>'


def _lacking(view: TurnView) -> str:
    """Where to get what the chosen ways lack to run here."""
    if view.plan is None or view.state == "running":
        return ""
    chosen = [view.plan.solution(subtask.id) for subtask in view.plan.subtasks]
    openers = dict.fromkeys(remedy_opener(way) for way in chosen if way is not None and way.missing)
    buttons = "".join(
        f"<button {opener}>{icon('info')}{say_html('cards.get_it')}</button>" for opener in openers
    )
    return f'<p class="lacking">{buttons}</p>' if buttons else ""


def _plan_line(view: TurnView) -> str:
    """What was done in a line, which shows the plan beside the conversation."""
    if not view.subtasks:
        return _used(view)
    button = attributes(
        type="button", class_="how-line", data_do="show-plan", data_turn=view.number
    )
    return f"<p><button {button}>{_summary(view)}</button></p>{_used(view)}"


def plan_steps(view: TurnView, media: Media, known: Mapping[str, Resource]) -> tuple[str, ...]:
    """The parts of a request, each with its steps and how far they are."""
    return tuple(
        _subtask(view, number, subtask, media, known)
        for number, subtask in enumerate(view.subtasks, 1)
    )


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


def _subtask(
    view: TurnView,
    number: int,
    subtask: Subtask,
    media: Media,
    known: Mapping[str, Resource],
) -> str:
    steps = [step for step in view.steps() if step.subtask == subtask.id]
    said = _said_below(view)
    actions = "".join(_action(step, view.action(step.key), media, said) for step in steps)
    found = view.solutions.get(subtask.id)
    note = escape(search_note(view, subtask))
    if found is None and view.state == "running":
        actions = (
            f'<li class="action is-running">{icon("spin")}{say_html("stages.searching_tools")}</li>'
        )
    elif not found and subtask.id in view.agents:
        actions = ""
    elif not found:
        words = note or say_html("turns.no_chain")
        actions = f'<li class="action is-failed">{icon("cross")}<span>{words}</span></li>'
    agent = ""
    if subtask.id in view.agents:
        is_acting = subtask.id in view.acting and view.state == "running"
        agent = agent_panel(
            view.number, subtask.id, view.agents[subtask.id], is_acting, media, known
        )
    elif not found and view.state != "running":
        agent = f'<p class="lacking">{act_button(view, subtask)}</p>'
    made = ""
    if subtask.returns.type:
        made = icon(type_icon(subtask.returns.type)) + escape(type_label(subtask.returns.type))
        made = f'<span class="type">{made}</span>'
    return (
        f'<li class="subtask" data-key="subtask-{subtask.id}"><div class="subtask-head">'
        f'<span class="ordinal">{number}</span><span class="subtask-words" dir="auto">'
        f"{escape(subtask.description)}</span>{made}</div>"
        f'<ul class="actions">{actions}</ul>{agent}</li>'
    )


def search_note(view: TurnView, subtask: Subtask) -> str:
    """What the search for ways said, else what it took; empty where it is not known any more."""
    message, cost = view.searches.get(subtask.id, ""), view.costs.get(subtask.id)
    if message or cost is None or not cost.visited:
        return message
    took = in_figures(cost.seconds * 1000)
    return say("steps.search", count=cost.visited, milliseconds=took)


def _action(step: Step, action: ActionView, media: Media, said: str) -> str:
    """One action; why it failed is left out where it is `said` already."""
    signs = {"waiting": "wait", "running": "spin", "done": "check", "failed": "cross"}
    sign = icon(signs.get(action.state, "stop"))
    facts = []
    if action.cached:
        facts.append(f'<span class="badge">{icon("again")}{say_html("steps.reused")}</span>')
    elif action.seconds is not None:
        facts.append(f'<span class="took">{seconds_label(action.seconds)}</span>')
    middle = ""
    if action.state == "running":
        middle = (
            f'<progress max="1" value="{action.fraction:.2f}"></progress>'
            if action.fraction
            else '<progress max="1"></progress>'
        )
        middle += f'<span class="words-now">{escape(action.words)}</span>'
    elif action.message:
        why = without_commands(action.message)
        words = " ".join(filter(None, ("" if why in said else why, action.following)))
        middle = f'<span class="why">{inline_code(words)}</span>' if words else ""
    made = _made(action.resource, media) if action.resource else ""
    key = attributes(class_=f"action is-{action.state}", data_key=f"action-{step.key}")
    return (
        f'<li {key}>{sign}<span class="tool">{escape(tool_label(step.action.tool))}</span>'
        f"{middle}{''.join(facts)}{made}</li>"
    )


def _made(resource: Resource, media: Media) -> str:
    if has_thumbnail(resource):
        look = attributes(
            type="button",
            class_="made",
            data_do="view",
            data_value=resource.value,
            data_type=resource.type,
            data_address=media.address(resource),
            aria_label=say("files.look_at", name=resource.value),
        )
        return f"<button {look}>{thumbnail(resource, media)}</button>"
    if resource.type in ("text", "title", "tags", "number"):
        words = escape(shorten(media.text(resource, 200), 90))
        return f'<span class="made-text" dir="auto">{words}</span>'
    return f'<span class="made-chip">{chip(resource, media)}</span>'
