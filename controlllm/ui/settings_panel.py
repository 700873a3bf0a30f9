"""Settings: theme, and a language model of one's own."""

from __future__ import annotations

from typing import Any

from controlllm.ui.icons import icon
from controlllm.ui.wording import attributes

#: The paper's variants, in plain words.
_PLANNERS = {
    "llama": "ControlLLM by itself, on this machine",
    "mix": "ControlLLM divides the request; the language model judges tools and ways",
    "chatgpt": "The language model does all of it",
}


def settings_panel() -> str:
    """The dialog; its form is filled in by `settings_form` when it opens."""
    return f"""
<dialog id="settings" class="dialog" aria-labelledby="settings-title">
  <header class="dialog-head"><h2 id="settings-title">Settings</h2>
    <button type="button" class="quiet" data-do="close" aria-label="Close">{icon("cross")}</button>
  </header>
  <div class="dialog-body">
  <fieldset class="field"><legend>Colours</legend><div class="switch" id="theme">
    <label><input type="radio" name="theme" value="light"><span>Light</span></label>
    <label><input type="radio" name="theme" value="dark"><span>Dark</span></label>
    <label><input type="radio" name="theme" value="system" checked><span>As my system</span></label>
  </div></fieldset>
  <form id="settings-form" autocomplete="off"></form>
  <section class="field"><h3>This conversation</h3>
    <p class="quiet-words">Its words, files and results are kept by this server and nowhere
      else.</p>
    <button type="button" class="small danger" data-do="forget">{icon("trash")}Delete this
      conversation</button></section>
  </div>
</dialog>"""


def settings_form(settings: Any) -> str:
    """The language model's fields. The key itself is never sent back, only that there is one."""
    address = attributes(
        id="base-url",
        name="base_url",
        type="url",
        value=settings.base_url or "",
        placeholder="http://localhost:11434/v1",
    )
    key = attributes(
        id="api-key",
        name="api_key",
        type="password",
        autocomplete="new-password",
        placeholder="a key is set; type to replace it" if settings.api_key else "none",
    )
    model = attributes(id="model", name="model", value=settings.model or "", placeholder="its name")
    answers = attributes(
        type="checkbox", name="answer_with_model", checked=bool(settings.answer_with_model)
    )
    goes_on = attributes(type="checkbox", name="fall_back", checked=bool(settings.fall_back))
    planners = "".join(_planner(name, settings.variant == name) for name in _PLANNERS)
    return f"""
<fieldset class="field"><legend>Language model</legend>
<p class="quiet-words">Not needed: ControlLLM plans and answers by itself. With any
  OpenAI-compatible address it can also use a large model; your words and the results in words are
  then sent there, files are not. The key stays in this server's memory until it stops.</p>
<label for="base-url">Address</label><input {address}>
<label for="api-key">Key</label><input {key}>
<label for="model">Model</label><input {model}>
<fieldset class="field"><legend>Who plans</legend>{planners}</fieldset>
<label class="check"><input {answers}> Let it write the answers</label>
<label class="check"><input {goes_on}> When it fails, go on without it</label>
<div class="row"><button type="submit" class="primary">Save</button>
<button type="button" class="small" data-do="forget-model">Use none</button>
<p id="settings-status" role="status"></p></div></fieldset>"""


def _planner(variant: str, chosen: bool) -> str:
    choice = attributes(type="radio", name="variant", value=variant, checked=chosen)
    return f'<label class="check"><input {choice}> {_PLANNERS[variant]}</label>'
