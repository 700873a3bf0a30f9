"""What a person can change at a step of a plan, and what they have changed so far."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape

from controlllm.core.plans import Literal, Plan, Reference, Value
from controlllm.editing import edits as done
from controlllm.editing.bench import Bench, Reading
from controlllm.editing.changing import Edited, Refused, after_edits
from controlllm.editing.edits import Again, Delete, Edit, Give, Insert, Pin, Swap
from controlllm.editing.offers import Choice, Offers, offers
from controlllm.editing.preview import results_kept
from controlllm.resources import Resource
from controlllm.toolbox import Toolbox
from controlllm.ui.drawings.markup import attributes, button, chosen_of, quiet
from controlllm.ui.drawings.media import Media
from controlllm.ui.drawings.plan_graph import name_of, plan_graph
from controlllm.ui.drawings.wording import shorten, tool_label
from controlllm.ui.texts import say, say_html
from controlllm.ui.view import ActionView, TurnView


@dataclass(frozen=True)
class Workbench:
    """What editing needs to know: the tools, the session's resources by value, and why tools cannot
    run here, by name."""

    toolbox: Toolbox
    known: Mapping[str, Resource]
    unavailable: Mapping[str, str]

    def after(self, plan: Plan, edits: Sequence[Edit]) -> Edited | Refused:
        """The plan after edits, or why they cannot be made."""
        return after_edits(plan, edits, self.toolbox, self.known, self.unavailable)


def plan_editor(
    view: TurnView,
    edits: Sequence[Edit],
    selected: tuple[int, int | str] | None,
    bench: Workbench,
    media: Media,
) -> str | Refused:
    """The plan as it would be with the edits, what can be done at the selected step, and the edits
    with a button that runs them; or why one of the edits cannot be made.

    A step is selected by its subtask and its position, or what its output is called there, which
    stays the same when others come and go.
    """
    if view.plan is None:
        return Refused(say("plan_editing.no_plan"))
    found = bench.after(view.plan, edits)
    if isinstance(found, Refused):
        return found
    kept = {key: item.resource for key, item in view.actions.items() if item.resource}
    made = results_kept(view.plan, kept, found.plan, bench.known)
    changed = replace(
        view,
        plan=found.plan,
        actions={key: ActionView("done", 1.0, resource=item) for key, item in made.items()},
    )
    drawn = plan_graph(changed, media, bench.known) if edits else ""
    panel = ""
    if selected is not None:
        panel = _panel(found.plan, _placed(found.plan, *selected), bench, made)
    return drawn + panel + (_changes(view.plan, edits, bench, changed) if edits else "")


def _placed(plan: Plan, subtask: int, step: int | str) -> tuple[int, int]:
    """Subtask and position of a step, -1 where it is not there."""
    if isinstance(step, int):
        return subtask, step
    way = plan.solution(subtask) if subtask in plan.solutions else None
    names = [action.output.value for action in way.actions] if way else []
    return subtask, names.index(step) if step in names else -1


def _panel(
    plan: Plan, selected: tuple[int, int], bench: Workbench, made: Mapping[str, Resource]
) -> str:
    subtask, position = selected
    stand = Bench(plan, subtask, bench.toolbox, bench.known)
    if position < 0:
        return ""
    try:
        action = stand.actions[position]
    except (KeyError, ValueError, IndexError):
        return ""
    offered = offers(stand, position)
    key = f"{subtask}.{plan.chosen.get(subtask, 0)}.{position}"
    rows = [_tool_row(action.tool, subtask, position, offered, bench)]
    rows += [_choice_row(subtask, position, choice, plan) for choice in offered.choices]
    rows += [_insert_row(subtask, place, names, bench) for place, names in offered.before if names]
    buttons = ""
    resource = made.get(key)
    if action.pinned:
        buttons += _button(Pin(subtask, position, ""), "pin", "plan_editing.unpin")
    elif resource is not None:
        buttons += _button(Pin(subtask, position, resource.value), "pin", "plan_editing.pin")
    buttons += _button(Again(subtask, position), "again", "plan_editing.again")
    if offered.can_go:
        buttons += _button(Delete(subtask, position), "trash", "plan_editing.delete")
    closes = say("plan_editing.close")
    close = button("leave-step", sign="cross", class_="quiet", aria_label=closes)
    title = say("plan_editing.title", tool=tool_label(action.tool))
    pinned = quiet(say_html("plan_editing.is_pinned", name=action.pinned)) if action.pinned else ""
    opening = attributes(
        class_="step-panel", data_key=f"panel {position} {action.tool}", data_subtask=subtask,
        data_position=position, data_output=action.output.value, aria_label=title,
    )  # fmt: skip
    return (
        f'<section {opening}><div class="step-head"><h3>{escape(title)}</h3>{close}</div>{pinned}'
        f'<div class="step-rows">{"".join(rows)}</div><div class="step-buttons">{buttons}</div>'
        "</section>"
    )


def _tool_row(tool: str, subtask: int, position: int, offered: Offers, bench: Workbench) -> str:
    label = say("plan_editing.tool")
    if not offered.swaps:
        return _row("tool", label, quiet(say_html("plan_editing.only")))
    options = _options(tool_label(tool), offered.swaps, bench)
    return _row("tool", label, _select(Swap(subtask, position, ""), "tool", options, label))


def _insert_row(subtask: int, place: Reading, names: Sequence[str], bench: Workbench) -> str:
    label = say("plan_editing.after")
    if place.name:
        label = say("plan_editing.before", input=tool_label(place.name))
    edit = Insert(subtask, place.position, place.name, place.index, "")
    options = _options(say("plan_editing.nothing_between"), names, bench)
    select = _select(edit, "tool", options, label)
    return _row(f"insert-{place.name}-{place.index}", label, select)


def _options(first: str, names: Sequence[str], bench: Workbench) -> str:
    """Tools to choose from; the `first` one is what is there now."""
    words = {name: tool_label(name) for name in names}
    for name in bench.unavailable.keys() & words:
        words[name] = say("plan_editing.cannot_run", tool=words[name])
    return chosen_of({"": first, **words}, "")


def _choice_row(subtask: int, position: int, choice: Choice, plan: Plan) -> str:
    edit = Give(subtask, position, choice.name, ())
    said = [value.text for value in choice.given if isinstance(value, Literal)]
    label = tool_label(choice.name)
    if choice.setting is not None:
        return _row(f"input-{choice.name}", label, _setting(edit, choice, said))
    controls = ""
    if choice.takes_words:
        field = attributes(
            class_="step-words", rows=min(6, 1 + len(" ".join(said)) // 60), data_key="words",
            data_edit=_json(edit), aria_label=label,
            placeholder=say("plan_editing.words_here") if not said else None,
        )  # fmt: skip
        controls += f"<textarea {field}>{escape(' '.join(said))}</textarea>"
    argument = choice.argument
    several = bool(argument and argument.many)
    options = ""
    if choice.takes_words and choice.others:
        chosen = attributes(value="", selected=bool(said) or not choice.given)
        options += f"<option {chosen}>{say_html('plan_editing.or_take')}</option>"
    elif argument and argument.optional:
        chosen = attributes(value="", selected=not choice.given)
        options += f"<option {chosen}>{say_html('plan_editing.nothing')}</option>"
    for value in dict.fromkeys((*choice.others, *choice.given)):
        if isinstance(value, Reference):
            shown = attributes(
                value=json.dumps(done.value_to_json(value)), selected=value in choice.given
            )
            words = shorten(name_of(value, plan.steps()), 60)
            options += f"<option {shown}>{escape(words)}</option>"
    if options:
        controls += _select(edit, "values", options, label, several)
    return _row(f"input-{choice.name}", label, controls)


def _setting(edit: Give, choice: Choice, said: Sequence[str]) -> str:
    assert choice.setting is not None
    default = choice.setting.default
    now = said[0] if said else str(default)
    if isinstance(default, bool):
        words = {"true": say("plan_editing.yes"), "false": say("plan_editing.no")}
        sent = {json.dumps({"text": value}): word for value, word in words.items()}
        options = chosen_of(sent, json.dumps({"text": now.lower()}))
        return _select(edit, "values", options, tool_label(choice.name))
    field = attributes(
        type="number" if isinstance(default, int | float) else "text", value=now,
        step="any" if isinstance(default, float) else None, data_edit=_json(edit),
        data_key="words", aria_label=tool_label(choice.name),
    )  # fmt: skip
    return f"<input {field}>"


def _changes(plan: Plan, edits: Sequence[Edit], bench: Workbench, changed: TurnView) -> str:
    told = []
    for number, edit in enumerate(edits):
        before = bench.after(plan, edits[:number])
        told.append(_in_words(edit, before.plan if isinstance(before, Edited) else plan))
    items = "".join(f"<li>{escape(words)}</li>" for words in told)
    left = sum(changed.action(step.key).state != "done" for step in changed.steps())
    run = say_html("plan_editing.run", count=left) if left else say_html("plan_editing.run_kept")
    return (
        f'<section class="step-changes" data-key="changes" '
        f'aria-label="{say_html("plan_editing.changes")}"><h3>{say_html("plan_editing.changes")}'
        f'</h3><ol aria-live="polite">{items}</ol><div class="step-buttons">'
        f"{button('run-edits', run, class_='primary')}"
        f"{button('undo-edit', say_html('plan_editing.undo'), 'undo')}"
        f"{button('drop-edits', say_html('plan_editing.drop'))}</div></section>"
    )


def _in_words(edit: Edit, plan: Plan) -> str:
    way = plan.solution(edit.subtask)
    action = way.actions[edit.position] if way and edit.position < len(way.actions) else None
    tool = tool_label(action.tool) if action else ""
    match edit:
        case Swap():
            return say("plan_editing.did_swap", tool=tool, other=tool_label(edit.tool))
        case Insert():
            said = "plan_editing.did_insert" if edit.name else "plan_editing.did_append"
            return say(said, tool=tool, other=tool_label(edit.tool))
        case Delete():
            return say("plan_editing.did_delete", tool=tool)
        case Give():
            values = say("words.comma").join(_said(value, plan) for value in edit.values)
            values = values or say("plan_editing.nothing")
            name = tool_label(edit.name)
            return say("plan_editing.did_give", tool=tool, input=name, values=values)
        case Pin():
            said = "plan_editing.did_pin" if edit.value else "plan_editing.did_unpin"
            return say(said, tool=tool, name=edit.value)
        case Again():
            return say("plan_editing.did_again", tool=tool)


def _said(value: Value, plan: Plan) -> str:
    if isinstance(value, Literal):
        return f"“{shorten(value.text, 60)}”"
    return name_of(value, plan.steps())


def _row(key: str, label: str, controls: str) -> str:
    words = f'<span class="step-label">{escape(label)}</span>'
    return f'<div class="step-row" data-key="{escape(key)}">{words}{controls}</div>'


def _select(edit: Edit, field: str, options: str, label: str, several: bool = False) -> str:
    opening = attributes(
        data_edit=_json(edit), data_field=field, data_key="choice", multiple=several,
        aria_label=label,
    )  # fmt: skip
    return f"<select {opening}>{options}</select>"


def _button(edit: Edit, sign: str, text: str) -> str:
    return button("edit-step", say_html(text), sign, data_edit=_json(edit), data_key=text)


def _json(edit: Edit) -> str:
    fields = {name: getattr(edit, name) for name in edit.__dataclass_fields__ if name != "values"}
    return json.dumps({"kind": type(edit).__name__.lower(), **fields})
