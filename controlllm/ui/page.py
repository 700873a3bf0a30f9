"""The page: Gradio's components, our own, and which event does what."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gradio as gr

from controlllm.layout import ASSETS
from controlllm.ui.components import drawn as own
from controlllm.ui.conversations import Conversations
from controlllm.ui.dialogs import DIALOGS
from controlllm.ui.handlers import AT_ONCE, PRIVATE, Handlers
from controlllm.ui.outcome import dialog_of
from controlllm.ui.owned import Owners
from controlllm.ui.texts import languages, texts_in

FILE_TYPES = [
    "image", "audio", "video", ".txt", ".md", ".csv", ".html", ".heic", ".heif", ".dng", ".pdf",
    ".docx", ".xlsx", ".epub", ".rtf", ".json",
]  # fmt: skip


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

    #: What Gradio has not of comparing two ways; its dialog makes it.
    comparison: own.Comparison

    def __init__(self, conversations: Conversations, owners: Owners | None = None) -> None:
        # A name that Gradio gives to a button, and has in none of its languages.
        uploads = {name: texts_in(name)["sources.choose_file"] for name in languages()}
        self.texts = gr.I18n(**{name: {"common.upload": str(uploads[name])} for name in uploads})
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
        name = key.replace(".", "_")
        for language, labels in self.texts.translations.items():
            labels[name] = str(texts_in(language)[key])
        return self.texts(name)

    def opens_dialog(self, what: str, dialog: own.Dialog, is_wide: bool = False) -> None:
        """Have a dialog open where `Outcome.opens` says ``what``, under the title that it says."""

        def open_it(opens: dict[str, Any]) -> Any:
            if opens.get("what") != what:
                return gr.skip()
            return dialog_of(opens["title"], is_wide, time=opens["time"])

        self.opens.change(open_it, [self.opens], [dialog], **AT_ONCE)

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
            self.conversations = own.ConversationList(elem_id="conversations")
            self.recipes = gr.Button(say("recipes.title"), elem_classes="plain", elem_id="recipes")
            self.toolbox = gr.Button(say("toolbox.title"), elem_classes="plain", elem_id="toolbox")
            self.settings = gr.Button(
                say("settings.title"), elem_classes="plain", elem_id="settings"
            )
            self.account = own.AccountLine(elem_id="account")

    def _middle(self) -> None:
        say = self.say
        with gr.Column(elem_id="middle"):
            self.top = own.Drawn(elem_id="top")
            self.conversation = own.Conversation(elem_id="conversation")
            with gr.Column(elem_id="foot"):
                self.waiting = own.Drawn(elem_id="waiting")
                self.notice = own.Drawn(elem_id="notice")
                self.attachments = own.Attachments(elem_id="attachments")
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
                self.leaves = own.Drawn(elem_id="leaves")

    def _right(self) -> None:
        say = self.say
        with (
            gr.Sidebar(position="right", width=420, elem_id="side") as self.side,
            gr.Tabs(elem_id="tabs") as self.tabs,
        ):
            with gr.Tab(say("plans.plan"), id="plan"):
                self.graph = own.PlanGraph(elem_id="graph")
                self.editor = own.PlanEditor(self.look, elem_id="plan-editor")
            with gr.Tab(say("plans.ways"), id="ways"):
                self.ways = own.SolutionCards(self.look, elem_id="ways")
            with gr.Tab(say("files.title"), id="files"):
                self.files = own.FileTray(elem_id="files")

    def _dialogs(self) -> None:
        with own.Dialog(elem_id="panel") as self.panel:
            self.drawn = own.PanelBody(self.look, elem_id="panel-body")
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
        self.presence = own.Presence(elem_id="presence")
        own.Drawers(elem_id="drawers")
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
        # A watch that is begun anew ends the one before: else what that has shown last would be
        # shown once more as it ends.
        begun = self.watched.change(handlers.watch, [self.here, self.turn], looks, **AT_ONCE)
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
