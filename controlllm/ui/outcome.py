"""What comes of something that a person did, as far as the page has to show it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import gradio as gr


@dataclass(frozen=True)
class Panel:
    """What the dialog shows: HTML under a title. The verb that drew it is its `name`, by which it
    is drawn anew while something in it goes on (`is_live`); without a name the dialog is closed.

    Parameters
    ----------
    given: what the panel is about: sent along with what is pressed in it, and to that verb.
    pieces: what follows the HTML; of a live panel, only those that have changed are sent again.
    """

    name: str = ""
    title: str = ""
    html: str = ""
    is_live: bool = False
    is_wide: bool = False
    given: Mapping[str, Any] = field(default_factory=dict)
    pieces: tuple[str, ...] = ()


@dataclass(frozen=True)
class Outcome:
    """What changes in the page that did something; None and nothing where it stays as it is.

    Parameters
    ----------
    told: a sentence in a toast.
    panel: what the dialog shows from now on.
    here: the handle of the conversation that is shown from now on.
    turn: the number of the turn whose plan is shown; -1 for the newest.
    attached: the files of the next message.
    words: the words of the next message.
    editing: which message the next one takes the place of, as `Call.editing` says; empty for none.
    notice: what stands above the field of the next message, as HTML; empty for nothing.
    opens: which of the page's own dialogs opens (``what``), with what that one has to know.
    tab: the tab of the side panel that is shown from now on; the panel opens for it.
    node: which node of the plan of the shown turn is selected from now on, by its key.
    begin: begins a run; called on the event loop.
    """

    told: str = ""
    panel: Panel | None = None
    here: str | None = None
    turn: int | None = None
    attached: tuple[str, ...] | None = None
    words: str | None = None
    editing: Mapping[str, Any] | None = None
    notice: str | None = None
    opens: Mapping[str, Any] | None = None
    tab: str = ""
    node: str = ""
    begin: Callable[[], object] | None = None


#: Nothing to show beside what the conversation shows by itself.
NOTHING = Outcome()
CLOSED = Panel()


def dialog_of(title: str = "", is_wide: bool = False, **more: Any) -> dict[str, Any]:
    """The value of an open dialog (`components.drawn.Dialog`); of a closed one without a title."""
    return {"open": bool(title), "title": title, "wide": is_wide, **more}


def changes(outcome: Outcome, here: str = "") -> list[Any]:
    """The values of what an event in the conversation that is `here` may change (`Page.outputs`),
    in that order."""
    skip = gr.skip()
    panel: Any = skip
    drawn: Any = skip
    if outcome.panel is not None:
        shown: Panel = outcome.panel
        panel = dialog_of(shown.title, shown.is_wide)
        drawn = {
            "parts": [shown.html, *shown.pieces],
            "name": shown.name,
            "given": {"handle": here, **shown.given},
            "live": shown.is_live,
            "time": time.monotonic(),
        }
    words = gr.update(value={"text": outcome.words, "files": []})
    return [
        skip if outcome.here is None else outcome.here,
        skip if outcome.turn is None else f"{here}:{outcome.turn}" * (outcome.turn >= 0),
        skip if outcome.attached is None else list(outcome.attached),
        skip if outcome.words is None else words,
        skip if outcome.editing is None else dict(outcome.editing),
        skip if outcome.notice is None else {"parts": [outcome.notice] if outcome.notice else []},
        skip if outcome.opens is None else {**outcome.opens, "time": time.monotonic()},
        panel,
        drawn,
        gr.update(selected=outcome.tab) if outcome.tab else skip,
        gr.update(open=True) if outcome.tab else skip,
        gr.update(selected={"node": outcome.node, "turn": outcome.turn, "time": time.monotonic()})
        if outcome.node
        else skip,
        gr.update(reached={"turn": outcome.turn, "time": time.monotonic()})
        if outcome.tab == "ways"
        else skip,
    ]
