"""The dialog in which a file gets another name."""

from __future__ import annotations

from controlllm.ui.texts import say_html


def naming_dialog() -> str:
    """The dialog; scripts say which file it is about."""
    return f"""<dialog id="naming" class="dialog naming" aria-labelledby="naming-label">
  <form id="naming-form"><label id="naming-label" for="naming-field" dir="auto"></label>
    <input id="naming-field" dir="auto" maxlength="120" autocomplete="off" required
      aria-describedby="naming-problem">
    <p id="naming-problem" class="problem" role="alert" hidden></p>
    <div class="buttons">
      <button type="button" class="small" data-do="close">{say_html("page.close")}</button>
      <button type="submit" class="primary">{say_html("files.rename")}</button></div></form>
</dialog>"""
