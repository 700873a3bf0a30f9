"""The page: Gradio's components, our own, and which event does what."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gradio as gr

from controlllm.layout import ASSETS
from controlllm.ui.components.account import AccountLine
from controlllm.ui.components.attachments import Attachments
from controlllm.ui.components.comparison import Comparison
from controlllm.ui.components.conversation import Conversation
from controlllm.ui.components.conversation_list import ConversationList
from controlllm.ui.components.dialog import Dialog
from controlllm.ui.components.drawers import Drawers
from controlllm.ui.components.drawn import Drawn
from controlllm.ui.components.file_tray import FileTray
from controlllm.ui.components.panel_body import PanelBody
from controlllm.ui.components.plan_editor import PlanEditor
from controlllm.ui.components.plan_graph import PlanGraph
from controlllm.ui.components.presence import Presence
from controlllm.ui.components.solution_cards import SolutionCards
from controlllm.ui.conversations import Conversations
from controlllm.ui.dialogs import DIALOGS
from controlllm.ui.handlers import Handlers
from controlllm.ui.owned import Owners
from controlllm.ui.texts import languages, texts_in

#: Texts of Gradio's own components, by their keys in ``assets/texts``.
_LABELS = (
    "conversations.new", "search.search", "search.rename", "recipes.title",
    "recipes.import_what", "batch.start", "batch.place", "toolbox.title",
    "settings.title", "composer.placeholder", "pointing.point", "files.title", "share.share",
    "plans.plan", "plans.ways", "conversations.title", "compare.slider",
    "settings.look", "settings.colours", "settings.language", "settings.language_about",
    "settings.tools", "settings.tools_about", "settings.services", "settings.acts",
    "settings.acts_when_stuck", "settings.stop_when_left", "settings.weights_to_download",
    "settings.save", "settings.none", "settings.hosted", "settings.hosted_tool",
    "settings.hosted_address", "settings.hosted_kind", "settings.hosted_key",
    "settings.hosted_add", "settings.this_conversation", "agents.which", "agents.divide_first",
    "recipes.in_files", "language_model.title", "language_model.address",
    "language_model.key", "language_model.model", "language_model.its_name",
    "language_model.who_plans", "language_model.answers", "language_model.go_on",
    "language_model.tools", "language_model.others",
    "language_model.for_image_model", "language_model.for_speech_model",
    "language_model.for_speech_voice", "language_model.for_transcription_model",
    "language_model.test", "language_model.use_none", "toolbox.search", "toolbox.tools",
    "selftest.title", "sources.title", "sources.add", "sources.address", "sources.address_such_as",
    "sources.choose_file", "sources.local", "sources.name", "sources.name_told", "sources.reads",
    "sources.reads_how", "sources.secrets", "sources.server",
)  # fmt: skip
#: Events of the page itself: nobody but it calls them, and none waits for another.
PRIVATE: dict[str, Any] = {
    "api_visibility": "private",
    "show_progress": "hidden",
    "concurrency_limit": None,
}
FILE_TYPES = [
    "image", "audio", "video", ".txt", ".md", ".csv", ".html", ".heic", ".heif", ".dng", ".pdf",
    ".docx", ".xlsx", ".epub", ".rtf", ".json",
]  # fmt: skip


def i18n() -> gr.I18n:
    """The labels in every language that there is."""

    def labels(language: str) -> dict[str, str]:
        texts = texts_in(language)
        labels = {key.replace(".", "_"): str(texts[key]) for key in _LABELS}
        # A name that Gradio gives to a button, and has in none of its languages.
        return {**labels, "common.upload": str(texts["sources.choose_file"])}

    return gr.I18n(**{language: labels(language) for language in languages()})


class Demo(gr.Blocks):
    """Gradio's blocks of the page; `serve` is what serves them behind our own guard.

    Where Gradio reloads them with each change of the code (`gradio app.py`), it serves them itself.
    """

    serve: Callable[[], None] | None = None
    #: What `gr.mount_gradio_app` and ``launch`` have to know of the page.
    options: dict[str, Any]
    #: The application that the page is a part of, for its routes and what stands before them.
    application: Any = None

    def launch(self, *given: Any, **options: Any) -> Any:
        """Serve the page until it is stopped."""
        if self.serve is not None:
            return self.serve()
        parts = {"routes": self.application.routes, "middleware": self.application.user_middleware}
        return super().launch(*given, **{**self.options, "app_kwargs": parts, **options})


class Page:
    """The components of the page, and what happens when something is done in it."""

    #: How the events of its dialogs are wired.
    private = PRIVATE

    #: What Gradio has not of comparing two ways; its dialog makes it.
    comparison: Comparison

    def __init__(self, conversations: Conversations, owners: Owners | None = None) -> None:
        self.texts = i18n()
        self.handlers = handlers = Handlers(conversations, owners or Owners())
        #: The tools whose work a program elsewhere may do.
        self.hosts = conversations.hosts()

        async def look(wanted: dict[str, Any], request: gr.Request) -> Any:
            return await handlers.look(wanted, request)

        self.look = look
        with Demo(
            title="ControlLLM", fill_width=True, fill_height=True, delete_cache=(600, 3600)
        ) as self.demo:
            # No gr.State: it makes each tab hold one more of a browser's six connections.
            self.here = gr.Textbox(visible=False)
            self.turn = gr.Textbox(visible=False)
            self.attached = gr.JSON([], visible=False)
            self.editing = gr.JSON({}, visible=False)
            self.runs = gr.Checkbox(False, visible=False)
            #: How often a watch has begun, and the conversation that the page's address named.
            self.watched = gr.Number(0, visible=False, precision=0, elem_id="watched")
            self.asked = gr.Textbox(visible=False)
            #: Which dialog opens, see `Outcome.opens`; each dialog listens to its change.
            self.opens = gr.JSON({}, visible=False)
            self._left()
            self._middle()
            self._right()
            self._dialogs()
            self._wire()

    def say(self, key: str) -> Any:
        """A label of one of Gradio's own components, in the language of whoever looks at it."""
        assert key in _LABELS, key
        return self.texts(key.replace(".", "_"))

    def _left(self) -> None:
        say = self.say
        with gr.Sidebar(width=264, elem_id="rail") as self.rail:
            logo = (ASSETS / "logo.svg").read_text()
            gr.HTML(f'<div class="brand">{logo}<strong>ControlLLM</strong></div>', js_on_load=None)
            self.new = gr.Button(say("conversations.new"), elem_id="new")
            self.search = gr.Textbox(
                placeholder=say("search.search"), label=say("search.search"), show_label=False,
                container=False, elem_id="search", max_length=200,
            )  # fmt: skip
            self.conversations = ConversationList(elem_id="conversations")
            self.recipes = gr.Button(say("recipes.title"), elem_classes="plain", elem_id="recipes")
            self.toolbox = gr.Button(say("toolbox.title"), elem_classes="plain", elem_id="toolbox")
            self.settings = gr.Button(
                say("settings.title"), elem_classes="plain", elem_id="settings"
            )
            self.account = AccountLine(elem_id="account")

    def _middle(self) -> None:
        say = self.say
        with gr.Column(elem_id="middle"):
            self.top = Drawn(elem_id="top")
            self.conversation = Conversation(elem_id="conversation")
            with gr.Column(elem_id="foot"):
                self.waiting = Drawn(elem_id="waiting")
                self.notice = Drawn(elem_id="notice")
                self.attachments = Attachments(elem_id="attachments")
                with gr.Row(elem_id="composer"):
                    self.words = gr.MultimodalTextbox(
                        # Without one its script fails when anything of it changes.
                        {"text": "", "files": []},
                        show_label=False, label=say("composer.placeholder"),
                        placeholder=say("composer.placeholder"), sources=["upload", "microphone"],
                        file_count="multiple", file_types=FILE_TYPES, lines=1, max_lines=9,
                        elem_id="words", autofocus=True, container=False,
                        max_plain_text_length=100_000,
                    )  # fmt: skip
                    self.point = gr.Button(
                        say("pointing.point"), elem_id="point", size="sm", min_width=80, scale=0
                    )
                self.leaves = Drawn(elem_id="leaves")

    def _right(self) -> None:
        say = self.say
        with (
            gr.Sidebar(position="right", width=420, elem_id="side") as self.side,
            gr.Tabs(elem_id="tabs") as self.tabs,
        ):
            with gr.Tab(say("plans.plan"), id="plan"):
                self.graph = PlanGraph(elem_id="graph")
                self.editor = PlanEditor(self.look, elem_id="plan-editor")
            with gr.Tab(say("plans.ways"), id="ways"):
                self.ways = SolutionCards(self.look, elem_id="ways")
            with gr.Tab(say("files.title"), id="files"):
                self.files = FileTray(elem_id="files")

    def _dialogs(self) -> None:
        with Dialog(elem_id="panel") as self.panel:
            self.drawn = PanelBody(self.look, elem_id="panel-body")
        for add in DIALOGS:
            add(self)

    @property
    def outputs(self) -> list[Any]:
        """What an event may change, in the order of `handlers.changes`."""
        return [
            self.here, self.turn, self.attached, self.words, self.editing, self.notice, self.opens,
            self.panel, self.drawn, self.tabs, self.side, self.graph, self.ways,
        ]  # fmt: skip

    def _wire(self) -> None:
        handlers, state = self.handlers, [self.here, self.attached]
        self.presence = Presence(elem_id="presence")
        Drawers(elem_id="drawers")
        looks = [
            self.conversation, self.graph, self.ways, self.files, self.conversations,
            self.waiting, self.leaves, self.attachments, self.comparison, self.runs, self.top,
            self.recipes,
            self.presence,
        ]  # fmt: skip
        self.demo.load(
            None, None, [self.asked],
            js="() => new URLSearchParams(location.search).get('c') || ''",
        )  # fmt: skip
        # On a narrow screen the sides are drawers, closed until they are wanted.
        closed = "() => innerWidth > {} ? {{}} : {{ open: false, __type__: 'update' }}"
        for side, most in ((self.rail, 900), (self.side, 1180)):
            self.demo.load(None, None, [side], js=closed.format(most))
        watching = {"trigger_mode": "multiple", **PRIVATE}
        # A watch that is begun anew ends the one before: else what that has shown last would be
        # shown once more as it ends.
        begun = self.watched.change(handlers.watch, [self.here, self.turn], looks, **watching)
        anew = {"fn": None, "cancels": [begun], **PRIVATE}
        again = {"fn": None, "inputs": [self.watched], "outputs": [self.watched], **PRIVATE}
        gr.on([self.turn.change, self.here.change], **anew).then(js="(n) => n + 1", **again)
        self.presence.come(
            handlers.enter, [self.here, self.asked, self.watched], [self.here, self.watched],
            cancels=[begun], **PRIVATE,
        )  # fmt: skip
        self.presence.leave(handlers.leave, None, None, queue=False, cancels=[begun], **PRIVATE)
        for part in (
            self.conversation, self.graph, self.ways, self.files, self.conversations, self.waiting,
            self.leaves, self.attachments, self.drawn, self.top, self.notice, self.editor,
            self.comparison,
        ):  # fmt: skip
            part.act(handlers.act, state, self.outputs, **PRIVATE)
        self.graph.node(handlers.node, None, [self.editor], trigger_mode="multiple", **PRIVATE)
        self.editor.left(handlers.left, None, [self.graph], **PRIVATE)
        for button, name in ((self.new, "new-conversation"), (self.recipes, "recipes")):
            button.click(handlers.pressed(name), state, self.outputs, **PRIVATE)
        self.words.submit(
            handlers.send, [self.words, *state, self.editing], self.outputs, **PRIVATE
        )
        self.point.click(handlers.point, [self.words, *state], self.outputs, **PRIVATE)
        self.demo.load(handlers.account, None, [self.account], **PRIVATE)
        self.words.stop(handlers.pressed("stop"), state, self.outputs, **PRIVATE)
        self.runs.change(
            None, [self.runs], [self.words],
            js="(runs) => ({ stop_btn: runs, __type__: 'update' })",
        )  # fmt: skip
        self.search.change(
            handlers.search, [self.search, self.here], [self.conversations], **PRIVATE
        )
        # Both may change at once: each waits for the other, so that none is drawn without it.
        gr.on(
            [self.attached.change, self.editing.change], None, None, None,
            js="() => new Promise((done) => { setTimeout(done, 0, []); })",
        ).then(
            handlers.chips, [self.attached, self.editing, self.here], [self.attachments], **PRIVATE
        )  # fmt: skip
