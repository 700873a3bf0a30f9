"""The dialog in which the page asks back: whether somebody means it, or for a name."""

from __future__ import annotations

from controlllm.ui.texts import say_html


def asking_dialog() -> str:
    """The dialog; scripts say what it asks."""
    return f"""<dialog id="asking" class="dialog asking" role="alertdialog"
  aria-labelledby="asking-words">
  <form id="asking-form"><label id="asking-words" for="asking-field" dir="auto"></label>
    <input id="asking-field" dir="auto" maxlength="120" autocomplete="off" required
      aria-describedby="asking-problem">
    <p id="asking-problem" class="problem" role="alert" hidden></p>
    <div class="buttons">
      <button type="button" class="small" id="asking-cancel" data-do="close">{
        say_html("page.cancel")
    }</button>
      <button type="submit" class="primary" id="asking-do"></button></div></form>
</dialog>"""
