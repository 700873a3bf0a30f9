"""The toolbox: the tools with their weights, tools from elsewhere, and trying every tool."""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import gradio as gr

from controlllm.resources.probing import BadInput
from controlllm.ui.calls import Call
from controlllm.ui.components import drawn as own
from controlllm.ui.components.drawn import parts
from controlllm.ui.drawings.sources_view import said_of_adding, sources_about, sources_list
from controlllm.ui.drawings.toolbox_view import self_test_panel
from controlllm.ui.handlers import AT_ONCE, PRIVATE, Handlers, language_of
from controlllm.ui.outcome import dialog_of
from controlllm.ui.texts import say, speaking
from controlllm.ui.verbs import sources as foreign
from controlllm.ui.verbs import toolbox as verbs

_MOST_BYTES = 16_000_000
_BETWEEN_LOOKS = 1.0


class ToolboxDialog:
    """While it is open and weights are fetched or tools are tried, what is shown of that is drawn
    anew each second.

    `_told` are the tools whose fetching has gone on since it was opened: how an earlier one ended
    was shown when it did.
    """

    def __init__(self, page: Any) -> None:
        self._handlers: Handlers = page.handlers
        say_label = self._say = page.say
        with (
            own.Dialog(elem_id="toolbox-dialog") as self.dialog,
            gr.Tabs(elem_id="toolbox-tabs") as self.tabs,
        ):
            with gr.Tab(say_label("toolbox.tools"), id="tools"):
                self.search = gr.Textbox(
                    placeholder=say_label("toolbox.search"), label=say_label("toolbox.search"),
                    show_label=False, container=False, max_length=200, elem_id="toolbox-search",
                )  # fmt: skip
                self.tools = own.ToolList(elem_id="toolbox-list")
            with gr.Tab(say_label("sources.title"), id="sources"):
                self._add_sources(page.look)
            with gr.Tab(say_label("selftest.title"), id="self-test"):
                self.self_test = own.Drawn(elem_id="self-test-panel")
        self.told = gr.JSON([], visible=False)
        self.going = gr.JSON([], visible=False)
        self.timer = gr.Timer(_BETWEEN_LOOKS, active=False)
        self._wire(page)

    def _add_sources(self, look: Any) -> None:
        say_label = self._say
        self.about = own.Drawn(elem_id="sources-about")
        with gr.Column(elem_id="source-form") as self.form:
            self.address = self._text("address", placeholder=say_label("sources.address_such_as"))
            self.file = gr.UploadButton(
                say_label("sources.choose_file"), file_types=[".json", ".yaml", ".yml"],
                elem_id="source-file", size="sm",
            )  # fmt: skip
            self.name = self._text("name", placeholder=say_label("sources.name_told"))
            self.secrets = self._text("secrets", placeholder="header=MAPS_KEY")
            self.server = self._text("server", placeholder="https://")
            self.local = gr.Checkbox(label=say_label("sources.local"), elem_id="source-local")
            self.reads = gr.Checkbox(
                label=say_label("sources.reads"), info=say_label("sources.reads_how"),
                elem_id="source-reads",
            )  # fmt: skip
            self.add = gr.Button(
                say_label("sources.add"), variant="primary", size="sm", elem_id="source-add"
            )
            self.said = own.Drawn(elem_id="sources-status")
        self.sources = own.SourceTools(look, elem_id="sources")

    def _text(self, name: str, **props: Any) -> gr.Textbox:
        return gr.Textbox(
            label=self._say(f"sources.{name}"), elem_id=f"source-{name}", max_lines=1,
            max_length=2000, html_attributes=gr.InputHTMLAttributes(autocomplete="off"), **props,
        )  # fmt: skip

    def _wire(self, page: Any) -> None:
        here, state = page.here, [page.here, page.attached]
        page.toolbox.click(self._handlers.pressed("toolbox"), state, page.outputs, **PRIVATE)
        page.opens.change(
            self.open, [page.opens, here],
            [self.dialog, self.tabs, self.search, self.tools, self.about, self.form, self.said,
             self.sources, self.self_test, self.told, self.going, self.timer],
            **AT_ONCE,
        )  # fmt: skip
        self.dialog.closed(lambda: gr.update(active=False), None, [self.timer], **PRIVATE)
        self.search.change(
            self.find, [self.search, self.told, here], [self.tools], trigger_mode="always_last",
            **PRIVATE,
        )  # fmt: skip
        self.tools.act(
            self.change_weights, [self.told, self.going, here],
            [self.tools, self.told, self.going, self.timer], **PRIVATE,
        )  # fmt: skip
        self.timer.tick(
            self.look_again, [self.search, self.told, self.going, here],
            [self.tools, self.self_test, self.going, self.timer], **PRIVATE,
        )  # fmt: skip
        self.self_test.act(self.try_all, [here], [self.self_test, self.timer], **PRIVATE)
        # What a tool lacks is shown among the tools.
        self.self_test.act(self._handlers.act, state, page.outputs, **PRIVATE)
        self.file.upload(self.choose, [self.file], [self.address, self.said], **PRIVATE)
        self.address.change(self.forget_said, [self.address], [self.said], **PRIVATE)
        gr.on(
            [self.add.click, self.address.submit, self.name.submit, self.server.submit],
            self.add_source,
            [here, self.file, self.search, self.address, self.name, self.server, self.secrets,
             self.local, self.reads],
            [self.said, self.add, self.sources, self.tools, self.address, self.name, self.server,
             self.secrets, self.local, self.reads],
            **PRIVATE,
        )  # fmt: skip
        self.sources.act(
            self.remove_source, [self.search, here], [self.said, self.sources, self.tools],
            **PRIVATE,
        )  # fmt: skip

    # The tools.

    async def open(self, opens: Mapping[str, Any], here: str, request: gr.Request) -> list[Any]:
        """Show the toolbox, at the tool that is wanted."""
        nothing = [gr.skip()] * 12
        if (opens or {}).get("what") != "toolbox":
            return nothing
        wanted = str(opens.get("find") or "")

        def work(call: Call) -> list[Any]:
            added = foreign.sources_of(call)
            going, words = verbs.being_fetched(call), verbs.label_of(call, wanted)
            may_add, is_busy = foreign.may_add(call), bool(going) or _is_tried(call)
            find = "" if wanted else "toolbox-search"
            return [
                dialog_of(say("toolbox.title"), True, find=find, time=opens.get("time")),
                gr.update(selected="tools"),
                words,
                parts(*verbs.tools_in_parts(call, words, going)),
                parts(sources_about(may_add)),
                gr.update(visible=may_add),
                parts(""),
                parts(sources_list(added)),
                _tried(call),
                going,
                going,
                gr.update(active=is_busy),
            ]

        return await self._handlers.done(work, here, request) or nothing

    async def find(self, words: str, told: list[str], here: str, request: gr.Request) -> Any:
        """The tools that have all of some words, the nearest first."""

        def work(call: Call) -> Any:
            return parts(*verbs.tools_in_parts(call, words, told))

        return await self._handlers.done(work, here, request) or gr.skip()

    async def change_weights(
        self, event: gr.EventData, told: list[str], going: list[str], here: str, request: gr.Request
    ) -> list[Any]:
        """Fetch a tool's weights, stop fetching them, or remove them."""
        sent = dict(event._data or {})
        wish, tool = str(sent.get("do")), str(sent.get("tool"))
        done = await self._handlers.done(
            lambda call: verbs.change_weights(call, wish, tool), here, request
        )
        draw = partial(verbs.cards_of, names=[tool])
        fresh = await self._handlers.done(draw, here, request) if done is not None else None
        if fresh is None:
            return [gr.skip()] * 4
        told, going = (list(dict.fromkeys([*names, tool])) for names in (told, going))
        return [gr.update(fresh=fresh), told, going, gr.update(active=True)]

    async def look_again(
        self, words: str, told: list[str], going: list[str], here: str, request: gr.Request
    ) -> list[Any]:
        """How far it is now; all is drawn anew where something has ended."""

        def work(call: Call) -> list[Any]:
            now = [name for name in verbs.being_fetched(call) if name in told]
            if set(going) - set(now):
                tools = gr.update(value=parts(*verbs.tools_in_parts(call, words, told)))
            else:
                tools = gr.update(fresh=verbs.cards_of(call, now)) if now else gr.skip()
            is_busy = bool(now) or _is_tried(call)
            return [tools, _tried(call), now, gr.skip() if is_busy else gr.update(active=False)]

        return await self._handlers.done(work, here, request) or [gr.skip()] * 4

    async def try_all(self, event: gr.EventData, here: str, request: gr.Request) -> list[Any]:
        """Begin trying every tool, or stop."""
        sent = dict(event._data or {})
        begins, is_asked = sent.get("wish") == "begin", sent.get("do") == "self-test"
        if not is_asked or not await self._handlers.done(
            lambda call: verbs.try_all(call, begins), here, request
        ):
            return [gr.skip(), gr.skip()]
        return [await self._handlers.done(_tried, here, request), gr.update(active=True)]

    # Tools from elsewhere.

    def choose(self, path: str | None, request: gr.Request) -> list[Any]:
        """A document that a person chose on their own computer: its name stands in place of an
        address."""
        place = Path(path or "")
        with speaking(language_of(request)):
            if path and place.stat().st_size > _MOST_BYTES:
                too_large = say("sources.file_too_large", name=place.name)
                return [gr.skip(), parts(said_of_adding(too_large, True))]
        return [place.name, parts("")]

    @staticmethod
    def forget_said(address: str) -> Any:
        """What was said of another address is not true of this one."""
        return parts("") if address else gr.skip()

    async def add_source(
        self, request: gr.Request, here: str, file: str | None, words: str, *typed: Any
    ) -> Any:
        """Add the tools of what stands at an address."""
        with speaking(language_of(request)):
            reading = parts(said_of_adding(say("sources.reading")))
        yield [reading, gr.update(interactive=False), *[gr.update()] * 8]
        address, name, server, secrets, is_local, reads = typed
        # What was typed after a file was chosen takes its place.
        document = Path(file) if file and Path(file).name == str(address).strip() else None
        wanted = foreign.Wanted(
            address or "", name or "", server or "", secrets or "", bool(is_local), bool(reads),
            document,
        )  # fmt: skip

        def work(call: Call) -> list[Any]:
            if document is not None and not self._handlers.own_files(call, [document]):
                raise BadInput(say("errors.file_gone", name=document.name))
            try:
                source = foreign.add_source(call, wanted)
            except BadInput as error:
                return [parts(said_of_adding(str(error), True)), *[gr.update()] * 8]
            added = say("sources.added", name=source.name)
            return [parts(said_of_adding(added)), *self._kept(call, words), *[""] * 4, False, False]

        done = await self._handlers.done(work, here, request)
        said, *rest = done or [parts(""), *[gr.update()] * 8]
        yield [said, gr.update(interactive=True), *rest]

    async def remove_source(
        self, event: gr.EventData, words: str, here: str, request: gr.Request
    ) -> list[Any]:
        """Remove a source with its tools."""
        name = str((event._data or {}).get("source"))

        def work(call: Call) -> list[Any]:
            foreign.remove_source(call, name)
            removed = say("sources.removed", name=name)
            return [parts(said_of_adding(removed)), *self._kept(call, words)]

        return await self._handlers.done(work, here, request) or [gr.skip()] * 3

    @staticmethod
    def _kept(call: Call, words: str) -> list[Any]:
        """The sources, and the tools with theirs among them."""
        listed = sources_list(foreign.sources_of(call))
        tools = verbs.tools_in_parts(call, words, verbs.being_fetched(call))
        # What is added once more looks the same as a list, but what its open folds show is old.
        anew = {**parts(listed), "time": time.monotonic()}
        return [anew, gr.update(value=parts(*tools))]


def _tried(call: Call) -> Mapping[str, Any]:
    """What came of trying every tool."""
    return parts(self_test_panel(call.conversations.self_tests.progress(), call.may_pull))


def _is_tried(call: Call) -> bool:
    progress = call.conversations.self_tests.progress()
    return progress is not None and not progress.ended
