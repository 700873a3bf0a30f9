"""What would leave this machine, said at the composer before anything is asked."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from controlllm.settings.data_egress import DataEgress
from controlllm.ui.drawings.icons import icon
from controlllm.ui.drawings.wording import attributes, tool_label
from controlllm.ui.texts import say, say_html


def leaves(found: Sequence[DataEgress]) -> str:
    """One line; a person who presses it gets to the settings that decide it."""
    button = attributes(type="button", class_="link", data_do="settings", data_find="base_url")
    if not found:
        return f"{icon('check')}<span>{say_html('leaves.nothing')}</span>"
    told = " ".join(escape(sentence_of(item)) for item in found)
    change = f"<button {button}>{say_html('leaves.change')}</button>"
    return f"{icon('info')}<span>{told} {change}</span>"


def sentence_of(item: DataEgress) -> str:
    """What is sent and where to, as a sentence."""
    where = "here" if item.is_here else "there"
    if item.what == "lookups":
        return say("leaves.lookups")
    if item.tool:
        return say(f"leaves.files_of_tool_{where}", tool=tool_label(item.tool), host=item.host)
    return say(f"leaves.{item.what}_{where}", host=item.host)
