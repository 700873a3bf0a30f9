"""The page as a Gradio app: its skeleton, and the listeners whose streams fill it.

Files, points and settings go over the plain routes of `server`; what takes time (asking, switching
to another way, going on) goes through Gradio's queue, and waits in the `line` for its turn.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

import gradio as gr

from controlllm.ui.composer import composer
from controlllm.ui.icons import icon
from controlllm.ui.picker import picker
from controlllm.ui.settings_panel import settings_panel
from controlllm.ui.toolbox_view import toolbox_dialog

Listener = Callable[[dict[str, Any], gr.Request], AsyncIterator[dict[str, Any]]]

_HEAD = """
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="/page/style.css">
<script src="/page/theme.js"></script>
"""

_START = """
import('/page/main.js').then((page) => page.start(element, {
  ask: (request) => trigger('ask', request),
  switch: (choice) => trigger('switch', choice),
  choose: (choice) => trigger('choose', choice),
  resume: (turn) => trigger('resume', turn),
  follow: (run) => trigger('follow', run),
}));
"""

_RECEIVE = """
import('/page/main.js').then((page) => {
  watch('value', () => page.receive(props.value));
});
"""


def build_page(listeners: Mapping[str, Listener]) -> gr.Blocks:
    """The Gradio app. Each of the listeners, ``ask``, ``switch``, ``choose``, ``resume`` and
    ``follow``, gets what the page sent, and yields drawings of a turn."""
    with gr.Blocks(
        title="ControlLLM",
        analytics_enabled=False,
        fill_width=True,
        fill_height=True,
        delete_cache=(3600, 3600),
    ) as page:
        shell = gr.HTML(
            skeleton(), js_on_load=_START, apply_default_css=False, elem_id="shell", padding=False
        )
        wire = gr.HTML(
            {}, html_template=" ", js_on_load=_RECEIVE, apply_default_css=False, elem_id="wire"
        )

        for name, listener in listeners.items():
            getattr(shell, name)(
                _on_event(listener),
                None,
                wire,
                api_visibility="private",
                show_progress="hidden",
                # Who waits, and for whom, is up to `line`.
                concurrency_limit=None,
                trigger_mode="multiple",
            )
    page.queue(max_size=None)
    page.state_session_capacity = 300
    return page


def _on_event(listener: Listener) -> Callable[..., AsyncIterator[Any]]:
    """A listener as Gradio calls it."""

    async def on_event(event: gr.EventData, request: gr.Request) -> AsyncIterator[Any]:
        async for drawing in listener(dict(event._data or {}), request):
            yield drawing

    return on_event


def theme() -> gr.themes.Base:
    """Gradio's own look is hardly seen; system fonts keep it from asking for others."""
    return gr.themes.Base(font=["system-ui", "sans-serif"], font_mono=["ui-monospace", "monospace"])


def head() -> str:
    return _HEAD


def skeleton() -> str:
    """Everything that is there before the first word is said."""
    return f"""
<div class="app" id="app" data-ready="false">
  <button type="button" class="skip" data-do="skip">Skip to your request</button>
  <aside class="rail" id="rail" aria-label="Conversations">
    <div class="brand"><img src="/page/logo.svg" alt="" width="30" height="30">
      <strong>ControlLLM</strong>
      <button type="button" class="quiet only-drawer" data-do="rail" aria-label="Close the list">
        {icon("cross")}</button></div>
    <button type="button" class="new" data-do="new">{icon("plus")}New conversation</button>
    <nav id="conversations" class="conversations" aria-label="Earlier conversations"></nav>
    <div class="rail-foot">
      <button type="button" data-do="toolbox">{icon("wrench")}Toolbox</button>
      <button type="button" data-do="settings">{icon("sliders")}Settings</button>
    </div>
  </aside>
  <main class="middle">
    <header class="top">
      <button type="button" class="quiet only-narrow" data-do="rail" aria-label="Conversations"
        aria-expanded="false" aria-controls="rail">{icon("menu")}</button>
      <h1 id="title" class="title">ControlLLM</h1>
      <button type="button" class="quiet files-button" data-do="files" aria-expanded="false"
        aria-controls="files">{icon("files")}<span class="wide">Files</span>
        <span id="files-count" class="counter" hidden></span></button>
    </header>
    <div id="scroll" class="scroll" tabindex="-1">
      <div id="turns" class="turns" role="log" aria-live="off"
        aria-label="Conversation"></div>
    </div>
    <div class="foot"><button type="button" id="to-end" class="to-end" data-do="end" hidden
      aria-label="To the newest">{icon("arrow")}</button>{composer()}</div>
  </main>
  <aside class="files" id="files" aria-label="Files of this conversation">
    <header class="files-head"><h2>Files</h2><span class="grow"></span>
      <button type="button" class="quiet only-drawer" data-do="files" aria-label="Close the files">
        {icon("cross")}</button></header>
    <div id="tray"></div>
  </aside>
  <div class="veil" data-do="veil"></div>
  <div class="drop" id="drop" hidden><div>{icon("clip")}<strong>Drop to add</strong>
    <span>pictures, sounds, videos, texts</span></div></div>
  <div id="toasts" class="toasts" role="status" aria-live="polite"></div>
  <p id="announce" class="for-screen-readers" role="status" aria-live="polite"></p>
  {picker()}{settings_panel()}{toolbox_dialog()}
  <dialog id="viewer" class="dialog viewer" aria-labelledby="viewer-title">
    <header class="dialog-head"><h2 id="viewer-title"></h2><span class="grow"></span>
      <button type="button" class="small" id="viewer-attach">{icon("plus")}Add to message</button>
      <button type="button" class="small" id="viewer-pick">{icon("point")}Point</button>
      <a class="small button" id="viewer-download">{icon("download")}Download</a>
      <button type="button" class="quiet" data-do="close" aria-label="Close">{
        icon("cross")
    }</button>
    </header><div id="viewer-body" class="viewer-body"></div></dialog>
</div>"""
