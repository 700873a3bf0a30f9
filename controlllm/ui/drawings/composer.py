"""The composer: words, files, a recording, points; send and stop."""

from __future__ import annotations

from controlllm.ui.drawings.icons import icon

ACCEPTED = "image/*,audio/*,video/*,text/plain,text/markdown,text/html,.txt,.md,.csv,.html"


def composer() -> str:
    """The form at the foot of the page."""
    return f"""
<form id="composer" class="composer" autocomplete="off">
  <p id="hint" class="hint" role="alert" hidden></p>
  <ul id="chips" class="chips" aria-label="Attached to this message"></ul>
  <label class="for-screen-readers" for="words">Your request</label>
  <textarea id="words" rows="1" maxlength="100000" enterkeyhint="send"
    placeholder="Ask for something in plain words"></textarea>
  <div class="composer-foot">
    <button type="button" class="quiet" id="add-files" title="Add pictures, sound, video or text">
      {icon("clip")}<span class="wide">Add files</span></button>
    <button type="button" class="quiet" id="open-picker" title="Point at something in a picture">
      {icon("point")}<span class="wide">Point</span></button>
    <button type="button" class="quiet" id="record" aria-pressed="false" title="Record your voice">
      {icon("mic")}<span class="wide" id="record-words">Record</span></button>
    <span class="grow"></span>
    <button type="button" id="stop" class="stop" hidden>{icon("stop")}Stop</button>
    <button type="submit" id="send" class="send" title="Send">{icon("send")}
      <span class="for-screen-readers">Send</span></button>
  </div>
  <input id="file-input" type="file" multiple accept="{ACCEPTED}" tabindex="-1"
    aria-label="Files to add" class="for-screen-readers">
</form>"""
