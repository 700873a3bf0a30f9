"""What can be done with a message that was sent: asked in other words, asked again; and the way to
what was asked in its place."""

from __future__ import annotations

import json

from controlllm.ui.drawings.icons import icon
from controlllm.ui.drawings.wording import attributes
from controlllm.ui.texts import say, say_html
from controlllm.ui.view import TurnView


def message_tools(view: TurnView) -> str:
    """The buttons below a message; none while its turn runs."""
    if view.state == "running":
        return ""
    about = {
        "data_turn": view.number,
        "data_follows": view.follows,
        "data_words": view.text,
        "data_attached": json.dumps([resource.value for resource in view.attached]),
    }
    edit = attributes(type="button", class_="quiet", data_do="edit-message", **about)
    again = attributes(type="button", class_="quiet", data_do="ask-again", **about)
    return (
        f'<div class="message-tools">{_switcher(view)}'
        f"<button {edit}>{icon('pencil')}{say_html('branches.edit')}</button>"
        f"<button {again}>{icon('again')}{say_html('branches.again')}</button></div>"
    )


def _switcher(view: TurnView) -> str:
    if len(view.siblings) < 2 or view.number not in view.siblings:
        return ""
    place = view.siblings.index(view.number)
    found = say_html("branches.place", number=place + 1, count=len(view.siblings))
    buttons = []
    for step, key, sign in ((-1, "earlier", "before"), (1, "later", "after")):
        there = 0 <= place + step < len(view.siblings)
        button = attributes(
            type="button",
            class_=f"quiet branch-{sign}",
            data_do="branch",
            data_turn=view.siblings[place + step] if there else view.number,
            data_step=step,
            disabled=not there,
            aria_label=say(f"branches.{key}"),
        )
        buttons.append(f"<button {button}>{icon('arrow')}</button>")
    group = attributes(class_="branches", role="group", aria_label=say("branches.title"))
    return f"<div {group}>{buttons[0]}<span>{found}</span>{buttons[1]}</div>"
