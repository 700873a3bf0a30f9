"""The page's own components: what Gradio has not.

The script of each, and its style where it has one, lie beside this module under the name that it
says (`script`). What is pressed in them comes as one event.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import gradio as gr


class Scripted(gr.HTML):
    """HTML with a script of the page's own.

    `empty` is its value where nothing else is given, `usual` what further props it has. With a
    `look` the script may ask the server (``server.look``). Props are given as keywords, since
    Gradio takes a parameter for an event whose name the script quotes.
    """

    script: ClassVar[str]
    holder: ClassVar[str] = '<div class="clm"></div>'
    empty: ClassVar[Any] = {"parts": []}
    usual: ClassVar[Mapping[str, Any]] = {}

    def __init__(
        self, look: Callable[..., Any] | None = None, value: Any = None, **props: Any
    ) -> None:
        folder = Path(__file__).parent
        style = folder / f"{self.script}.css"
        if look is not None:
            props["server_functions"] = [look]
        super().__init__(
            self.empty if value is None else value,
            html_template=self.holder,
            css_template=style.read_text() if style.exists() else "",
            js_on_load=(folder / f"{self.script}.js").read_text(),
            apply_default_css=False,
            **{**self.usual, **props},
        )

    def api_info(self) -> dict[str, Any]:
        return {"type": "object"}


class Drawn(Scripted):
    """HTML that Python draws, changed in place so that players play on and what has the focus keeps
    it.

    Value: ``{"parts": [html, …]}``, of which Gradio sends only those that differ; most have the
    ``handle`` of the conversation in it as well. Event: ``act``, with the data of what was pressed
    (``data-do`` says what), chosen, or sent in a form.
    """

    script = "drawn"


def parts(*drawn: str) -> dict[str, Sequence[str]]:
    """A value of `Drawn`."""
    return {"parts": drawn}


class AccountLine(Drawn):
    """Who is signed in, where the server has accounts. Its button is answered by itself: it leads
    to where one signs in."""

    script = "account"


class Attachments(Drawn):
    """The files of the next message as chips; a list of names where somebody types “@”, and of
    what was pointed at where they type “[”; words that were not sent yet come back after a reload.

    Prop `files`: ``{"value", "thumbnail", "number", "words"}`` of each file of the conversation.
    ``act`` tells of ``attach`` with the name of a file that was called.
    """

    script = "attachments"
    usual = {"files": []}


class Comparison(Drawn):
    """Two ways side by side: two sounds or videos play in step and one of them is heard; texts have
    the words marked that differ; all else stands beside each other.

    Value: with ``turn`` and ``subtask``. Prop `standing`: ``{"handle", "turn", "trying", "mark"}``,
    how far the ways of the shown turn are compared (`controlllm.ui.drawings.comparison.standing`).
    Event: ``moved`` with ``turn``, ``subtask``, ``handle`` and ``opens`` when what is compared has
    changed: ``opens`` where a way that was tried has ended and nothing else is in the way.
    """

    script = "comparison"
    usual = {"standing": {}}


class Conversation(Drawn):
    """What was asked and what came of it, followed to its end as it grows.

    Value: ``{"key", "parts", "handle", "history", "now"}``: the turn that is at work, with an empty
    key where none is, the others as ``[key, html]`` pairs, oldest first, and what is told of the
    newest to those who hear the page.
    """

    script = "conversation"
    holder = (
        '<div class="turns clm" role="log" aria-live="off" tabindex="-1"></div>'
        '<p class="told for-screen-readers" role="status"></p>'
    )
    empty = {"key": "", "parts": [], "handle": "", "history": [], "now": ""}


class ConversationList(Drawn):
    """A person's conversations: opened, searched, deleted; the page's address says which is shown,
    so that a reload and a link come back to it.

    Value: with the ``title`` of the one that is shown.
    """

    script = "conversation_list"


class Dialog(Scripted):
    """A modal dialog: ``with Dialog(elem_id="settings"): …`` holds what it shows.

    Value: ``{"open": bool, "title": str, "wide": bool, "find": str, "time": float}``; `find` is the
    ``elem_id`` of the field that gets the focus; what is told of one `time` opens it once. Event:
    ``closed``, when a person closes it. What had the focus before has it again after; what is told
    while it is open is told in it.
    """

    script = "dialog"
    holder = "@children"
    empty = {"open": False, "title": "", "wide": False}


class Drawers(Scripted):
    """Gradio's sidebars with names of their own, by the keyboard as well: where the page is narrow
    they are drawers, Escape closes one, and what is closed or lies behind one cannot be reached."""

    script = "drawers"
    holder = "${value}"
    empty = ""


class FileTray(Drawn):
    """Every file, to look at, use again, point at, name, retype and keep; searched as one types."""

    script = "file_tray"


class PanelBody(Drawn):
    """A panel (`controlllm.ui.outcome.Panel`), drawn anew about once a second while something in it
    goes on and somebody sees it. What is pressed keeps the focus where its panel is drawn again.

    Value: ``{"parts": [html, …], "name", "given", "live", "time"}``; ``act`` tells all that is
    `given` as well. Calls `look` with ``{"do": "panel", …}`` for the parts that have changed. A
    button ``recipe-png`` saves the drawing beside it in pixels.
    """

    script = "panel_body"


class PlacePicker(Drawn):
    """A picture in which one place is meant: by a click, or by the cross that the arrow keys move
    and Enter.

    Value: ``{"parts": [], "address", "name", "help", "given"}``. Event: ``act`` with what is
    `given` and the place (``x``, ``y``) in fractions of the picture.
    """

    script = "place_picker"
    empty = {"parts": [], "address": "", "name": "", "help": "", "given": {}}


class PlanEditor(Drawn):
    """What can be changed at the step that is selected in the plan, and what was changed so far:
    other steps can be looked at before that is run, and other turns.

    Prop `step`: ``{"node", "turn", "handle", "by_key"}``, as `PlanGraph` tells of a node. Events:
    ``act`` with ``run-edits``, the turn and its edits; ``left`` when a person closes the step.
    Calls `look` with ``{"do": "plan", "turn", "edits", "selected", "fresh", "runs"}`` and shows the
    HTML it gives.
    """

    script = "plan_editor"
    usual = {"step": {}}


class PlanGraph(Drawn):
    """Resources and tools of a plan; pressing a node shows what is known of it and opens its step
    for changes.

    Value: with the ``turn``. Prop `selected`: ``{"node", "turn", "time"}``, a node that is selected
    and gets the focus from outside; none where it is empty. Event: ``node`` with ``node`` (its key,
    empty where none is selected any more), ``turn``, ``handle`` and ``by_key`` (whether the
    keyboard did it).
    """

    script = "plan_graph"
    usual = {"selected": {}}


class PointPicker(Drawn):
    """Clicks, boxes and brush strokes on a picture, by pointer or keyboard, kept in the picture's
    own pixels at any zoom; what they mean lies over it while they are set, and is kept under a
    number. It stands in a `Dialog`, which it closes.

    Value: with the picture's name (``value``); perhaps ``box``, to begin with. Event: ``act``, to
    ``use-pointed`` the number (``value``) of what was kept in a picture (``of``). Calls `look` for
    ``pictures``, ``glance`` and ``regions``.
    """

    script = "point_picker"


class Presence(Scripted):
    """Whether a page is looked at, and whether it still hears of the server: a browser has six
    connections to a server for all its tabs, so a tab that nobody sees holds none.

    Value: a number that changes each time the server tells something. Events: ``come`` when the
    page begins to be looked at, or hears nothing any more; ``leave`` when it is hidden.
    """

    script = "presence"
    holder = '<p class="connection" role="status" hidden></p>'
    empty = 0

    def api_info(self) -> dict[str, Any]:
        return {"type": "number"}


class SolutionCards(Drawn):
    """Ways as cards, each with what it does otherwise and what to expect of it; a preview beside
    the one that is pointed at, and the field that asks why a tool is in none.

    Prop `reached`: ``{"turn", "time"}``, a turn to whose first way that can be tried the focus
    goes. Calls `look` with ``{"do": "preview" or "why-not", …}`` and shows the HTML it gives.
    """

    script = "solution_cards"
    usual = {"reached": {}}


class SourceTools(Drawn):
    """Tools from elsewhere: a fold for each source and in it one for each of its tools, filled when
    it is opened.

    ``act`` tells of ``remove-source``. Calls `look` with ``source-tool``, ``source-type``,
    ``source-acts`` and ``try-source-tool``, and shows the HTML that it gives in the fold.
    """

    script = "source_tools"


class TimeCutter(Drawn):
    """A part of a sound or a video between two handles over its loudness, from one of its words to
    another, or a frame of a video, by pointer or keyboard. It stands in a `Dialog`, which it
    closes.

    Value: with the recording's name (``value``); perhaps ``transcript``, the name of the text whose
    words are to be shown at once. Event: ``act``, to ``use-pointed`` the number (``value``) of what
    was kept of a recording (``of``). Calls `look` for ``recording``, ``loudness``,
    ``spoken-words``, ``stop-listening``, ``parts`` and ``frames``.
    """

    script = "time_cutter"


class ToolList(Drawn):
    """Cards of tools by domain, or those that were found.

    Prop `fresh`: cards that are drawn anew in place, by the names of their tools, so that not all
    has to be sent while weights are fetched.
    """

    script = "tool_list"
    usual = {"fresh": {}}
