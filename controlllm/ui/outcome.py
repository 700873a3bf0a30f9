"""What comes of something that a person did, as far as the page has to show it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Panel:
    """What the dialog shows: HTML under a title. The verb that drew it is its `name`, by which it
    is drawn anew while something in it goes on (`is_live`); without a name the dialog is closed."""

    name: str = ""
    title: str = ""
    html: str = ""
    is_live: bool = False
    is_wide: bool = False


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
    opens: Mapping[str, Any] | None = None
    tab: str = ""
    node: str = ""
    begin: Callable[[], object] | None = None


#: Nothing to show beside what the conversation shows by itself.
NOTHING = Outcome()
CLOSED = Panel()
