"""The composer: words, files, a recording, points; send and stop."""

from __future__ import annotations

from controlllm.ui.drawings.icons import icon
from controlllm.ui.texts import say_html

ACCEPTED = (
    "image/*,audio/*,video/*,text/plain,text/markdown,text/html,.txt,.md,.csv,.html,.heic,.heif,.dng,"
    "application/pdf,.pdf,.docx,.xlsx,.epub,.rtf"
)


def composer() -> str:
    """The form at the foot of the page."""
    return f"""
<form id="composer" class="composer" autocomplete="off">
  <p id="hint" class="hint" role="alert" hidden></p>
  <ul id="chips" class="chips" aria-label="{say_html("composer.attached")}"></ul>
  <ul id="mentions" class="mentions" role="listbox" hidden
    aria-label="{say_html("composer.mentions")}"></ul>
  <label class="for-screen-readers" for="words">{say_html("composer.request")}</label>
  <ul id="numbered" class="numbered" role="listbox" hidden
    aria-label="{say_html("pointing.numbered")}"></ul>
  <textarea id="words" dir="auto" rows="1" aria-autocomplete="list"
    aria-controls="numbered mentions" maxlength="100000" enterkeyhint="send"
    placeholder="{say_html("composer.placeholder")}"></textarea>
  <div class="composer-foot">
    <button type="button" class="quiet" id="add-files" title="{
        say_html("composer.add_files_what")
    }">
      {icon("clip")}<span class="wide">{say_html("composer.add_files")}</span></button>
    <button type="button" class="quiet" id="open-picker" title="{say_html("pointing.point_at")}">
      {icon("point")}<span class="wide">{say_html("pointing.point")}</span></button>
    <button type="button" class="quiet" id="record" aria-pressed="false"
      title="{say_html("composer.record_what")}">
      {icon("mic")}<span class="wide" id="record-words">{
        say_html("composer.record")
    }</span></button>
    <span class="grow"></span>
    <button type="button" id="stop" class="stop" hidden>{icon("stop")}{
        say_html("composer.stop")
    }</button>
    <button type="submit" id="send" class="send" title="{say_html("composer.send")}">{icon("send")}
      <span class="for-screen-readers">{say_html("composer.send")}</span></button>
  </div>
  <input id="file-input" type="file" multiple accept="{ACCEPTED}" tabindex="-1"
    aria-label="{say_html("composer.files_to_add")}" class="for-screen-readers">
</form>
<p id="leaves" class="leaves" role="group" aria-label="{say_html("leaves.title")}"></p>"""
