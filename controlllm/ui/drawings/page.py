"""The page: a document that holds its skeleton; scripts of our own fill it.

What takes time (asking, switching to another way, going on) comes as a stream of drawings, the rest
over plain routes: see `controlllm.ui.routes`.
"""

from __future__ import annotations

from collections.abc import Sequence

from controlllm.ui.drawings.asking import asking_dialog
from controlllm.ui.drawings.composer import composer
from controlllm.ui.drawings.cutter import cutter
from controlllm.ui.drawings.icons import icon
from controlllm.ui.drawings.picker import picker
from controlllm.ui.drawings.recipes_view import recipe_dialogs, recipes_button
from controlllm.ui.drawings.settings_panel import settings_panel
from controlllm.ui.drawings.toolbox_view import toolbox_dialog
from controlllm.ui.texts import current_language, direction_of, say_html


def document(scripts: Sequence[str]) -> str:
    """The whole page; `scripts` are the files that `main.js` is made of."""
    language = current_language()
    early = "".join(f'<link rel="modulepreload" href="/page/{name}">\n' for name in scripts)
    return f"""<!doctype html>
<html lang="{language}" dir="{direction_of(language)}">
<head>
<meta charset="utf-8">
<title>ControlLLM</title>
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/page/logo.svg" type="image/svg+xml">
<link rel="stylesheet" href="/page/style.css">
<script src="/page/theme.js"></script>
{early}<script type="module" src="/page/main.js"></script>
</head>
<body>{skeleton()}
<noscript><p class="no-scripts">{say_html("page.no_scripts")}</p></noscript>
</body>
</html>
"""


def skeleton() -> str:
    """Everything that is there before the first word is said."""
    return f"""
<div class="app" id="app" data-ready="false">
  <button type="button" class="skip" data-do="skip">{say_html("page.skip")}</button>
  <aside class="rail" id="rail" aria-label="{say_html("conversations.title")}">
    <div class="brand"><img src="/page/logo.svg" alt="" width="30" height="30">
      <strong>ControlLLM</strong>
      <button type="button" class="quiet only-drawer" data-do="rail"
        aria-label="{say_html("conversations.close")}">{icon("cross")}</button></div>
    <button type="button" class="new" data-do="new">{icon("plus")}{
        say_html("conversations.new")
    }</button>
    <div class="search">{icon("search")}<input type="search" id="search" maxlength="200"
      autocomplete="off" placeholder="{say_html("search.search")}"
      aria-label="{say_html("search.search")}" aria-controls="conversations"></div>
    <p id="search-status" class="search-status" role="status" hidden></p>
    <span id="trash-icon" hidden>{icon("trash")}</span>
    <nav id="conversations" class="conversations"
      aria-label="{say_html("conversations.earlier")}"></nav>
    <div class="rail-foot">
      {recipes_button()}
      <button type="button" data-do="toolbox">{icon("wrench")}{say_html("toolbox.title")}</button>
      <button type="button" data-do="settings">{icon("sliders")}{
        say_html("settings.title")
    }</button>
      <p id="account" class="account" hidden><bdi></bdi>
        <button type="button" class="small quiet" data-do="sign-out">{
        say_html("accounts.sign_out")
    }</button></p>
    </div>
  </aside>
  <main class="middle">
    <header class="top">
      <button type="button" class="quiet only-narrow" data-do="rail" aria-expanded="false"
        aria-controls="rail" aria-label="{say_html("conversations.title")}">{icon("menu")}</button>
      <h1 id="title" class="title" dir="auto">ControlLLM</h1>
      <input id="title-input" class="title-input" maxlength="120" hidden
        aria-label="{say_html("search.name")}">
      <button type="button" class="quiet rename" data-do="rename" title="{
        say_html("search.rename")
    }"
        aria-label="{say_html("search.rename")}">{icon("pencil")}</button>
      <span class="grow"></span>
      <button type="button" class="quiet" data-do="share" title="{say_html("share.share")}"
        aria-label="{say_html("share.share")}">{icon("share")}</button>
      <button type="button" class="quiet files-button" data-do="files" aria-expanded="false"
        aria-controls="files">{icon("files")}<span class="wide">{say_html("files.title")}</span>
        <span id="files-count" class="counter" hidden></span></button>
    </header>
    <div id="scroll" class="scroll" tabindex="-1">
      <div id="turns" class="turns" role="log" aria-live="off"
        aria-label="{say_html("turns.title")}"></div>
    </div>
    <div class="foot"><button type="button" id="to-end" class="to-end" data-do="end" hidden
      aria-label="{say_html("turns.newest")}">{icon("arrow")}</button>
      <div id="queue" class="queue" role="region" aria-label="{say_html("queue.title")}"></div>
      <div id="editing" class="editing" hidden>{icon("pencil")}<span id="editing-words"></span>
        <button type="button" class="small" id="stop-editing">{
        say_html("branches.cancel")
    }</button></div>{composer()}</div>
  </main>
  <aside class="files" id="files" aria-label="{say_html("files.all")}">
    <header class="files-head"><h2>{say_html("files.title")}</h2><span class="grow"></span>
      <button type="button" class="quiet only-drawer" data-do="files"
        aria-label="{say_html("files.close")}">{icon("cross")}</button></header>
    <div id="tray"></div>
  </aside>
  <div class="veil" data-do="veil"></div>
  <div class="drop" id="drop" hidden><div>{icon("clip")}<strong>{say_html("files.drop")}</strong>
    <span>{say_html("files.drop_what")}</span></div></div>
  <div id="toasts" class="toasts" popover="manual" role="status" aria-live="polite"></div>
  <p id="announce" class="for-screen-readers" role="status" aria-live="polite"></p>
  {picker()}{cutter()}{settings_panel()}{toolbox_dialog()}{recipe_dialogs()}
  <dialog id="viewer" class="dialog viewer" aria-labelledby="viewer-title">
    <header class="dialog-head"><h2 id="viewer-title" dir="auto"></h2><span class="grow"></span>
      <button type="button" class="small" id="viewer-attach">{icon("plus")}{
        say_html("files.add_to_message")
    }</button>
      <button type="button" class="small" id="viewer-pick">{icon("point")}{
        say_html("pointing.point")
    }</button>
      <a class="small button" id="viewer-download">{icon("download")}{
        say_html("files.download")
    }</a>
      <button type="button" class="quiet" data-do="close" aria-label="{say_html("page.close")}">{
        icon("cross")
    }</button>
    </header><div id="viewer-body" class="viewer-body"></div></dialog>
  {asking_dialog()}
</div>"""
