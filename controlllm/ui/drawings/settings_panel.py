"""Settings: theme, how tools work, and a language model of one's own."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import get_args

from controlllm.settings import BEST_VARIANT, AgentName, Settings
from controlllm.ui.drawings.icons import icon
from controlllm.ui.drawings.wording import attributes, tool_label
from controlllm.ui.texts import say

#: The paper's variants, in plain words.
_PLANNERS = {
    "llama": "ControlLLM by itself, on this machine",
    "mix": "ControlLLM divides the request; the language model judges tools and ways",
    "chatgpt": "The language model does all of it (best, as soon as one is set)",
}

_PREFERENCES = {
    "private": "Privacy: on this computer wherever that is possible",
    "quality": "Quality: the largest model that may be used",
    "fast": "Speed: small models first",
}

_SIZES = {
    "small": "Smaller: quick to fetch, for little memory",
    "usual": "Usual",
    "large": "Larger: for a GPU with much memory",
}

_OTHER_MODELS = {
    "image_model": "Makes pictures",
    "speech_model": "Speaks",
    "speech_voice": "Its voice",
    "transcription_model": "Writes down speech",
}

_KINDS = {"gradio": "A Gradio app", "endpoint": "A Hugging Face inference endpoint"}


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


def settings_form(settings: Settings, hosts: Sequence[str] = ()) -> str:
    """The form's fields. Keys themselves are never sent back, only that there is one.

    `hosts` are the tools that a program elsewhere may do the work of.
    """
    status = '<p id="settings-status" role="status"></p>'
    return (
        _tools_fields(settings)
        + _model_fields(settings)
        + _hosted_fields(settings, hosts)
        + f'<div class="row save"><button type="submit" class="primary">Save</button>{status}</div>'
    )


def _tools_fields(settings: Settings) -> str:
    wishes = "".join(
        _choice("preference", name, words, settings.preference == name)
        for name, words in _PREFERENCES.items()
    )
    sizes = "".join(
        _choice("weights_size", name, words, settings.weights_size == name)
        for name, words in _SIZES.items()
    )
    services = attributes(type="checkbox", name="public_services", checked=settings.public_services)
    stops = attributes(type="checkbox", name="stop_when_left", checked=settings.stop_when_left)
    acts = attributes(type="checkbox", name="acts", checked=settings.manner == "act")
    stuck = attributes(type="checkbox", name="act_when_stuck", checked=settings.act_when_stuck)
    return f"""
<fieldset class="field"><legend>How tools work</legend>
<p class="quiet-words">Many tools can work in several ways; the toolbox shows which. What matters
  most to you?</p>{wishes}
<label class="check"><input {services}> Tools may look things up in public services (weather,
  places, films, encyclopaedia); what is looked up is then sent to them</label>
<label class="check"><input {acts}> Decide step by step what to do next, instead of planning all of
  a request before it runs</label>
<label class="check"><input {stuck}> Go on step by step where every way of a plan has failed</label>
{_agent_fields(settings)}
<label class="check"><input {stops}> Stop what is running when I close or reload the page</label>
<fieldset class="field"><legend>Weights to download, where there is a choice</legend>{sizes}
</fieldset></fieldset>"""


def _agent_fields(settings: Settings) -> str:
    """Which agent decides step by step, and what it is told before."""
    agents = "".join(
        _choice("agent", name, escape(say(f"agents.{name}")), settings.agent == name)
        for name in get_args(AgentName)
    )
    divides = attributes(type="checkbox", name="divide_first", checked=settings.divide_first)
    return f"""<fieldset class="field"><legend>{escape(say("agents.which"))}</legend>{agents}
<label class="check"><input {divides}> {escape(say("agents.divide_first"))}</label></fieldset>"""


def _model_fields(settings: Settings) -> str:
    address = attributes(
        id="base-url",
        name="base_url",
        type="url",
        value=settings.base_url,
        placeholder="http://localhost:11434/v1",
    )
    key = attributes(
        id="api-key",
        name="api_key",
        type="password",
        autocomplete="new-password",
        placeholder="a key is set; type to replace it" if settings.api_key else "none",
    )
    model = attributes(id="model", name="model", value=settings.model, placeholder="its name")
    answers = attributes(
        type="checkbox", name="answer_with_model", checked=settings.answer_with_model
    )
    goes_on = attributes(type="checkbox", name="fall_back", checked=settings.fall_back)
    tools = attributes(
        type="checkbox", name="tools_use_endpoint", checked=settings.tools_use_endpoint
    )
    planners = "".join(
        _choice("variant", name, words, (settings.variant or BEST_VARIANT) == name)
        for name, words in _PLANNERS.items()
    )
    others = "".join(
        f'<label for="{name}">{words}</label>'
        f"<input {attributes(id=name, name=name, value=getattr(settings, name))}>"
        for name, words in _OTHER_MODELS.items()
    )
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
<label class="check"><input {tools}> Let tools use it too: the files that they work on are then sent
  there</label>
<details class="fold"><summary>Other models at this address</summary>
<p class="quiet-words">For tools. Empty: the usual ones at OpenAI's own address, none at
  another.</p><div class="field">{others}</div></details>
<div class="row"><button type="button" class="small" data-do="forget-model">Use no language
  model</button></div>
</fieldset>"""


def _hosted_fields(settings: Settings, hosts: Sequence[str]) -> str:
    if not hosts:
        return ""
    known = "".join(
        f'<li><label class="check"><input {_forgets(tool)}> Remove</label> '
        f"{escape(tool_label(tool))} at {escape(hosted.address)}</li>"
        for tool, hosted in sorted(settings.hosted.items())
    )
    options = "".join(
        f"<option {attributes(value=tool)}>{escape(tool_label(tool))}</option>" for tool in hosts
    )
    kinds = "".join(
        f"<option {attributes(value=kind)}>{words}</option>" for kind, words in _KINDS.items()
    )
    return f"""
<details class="fold"><summary>Programs elsewhere</summary>
<p class="quiet-words">A Gradio app or a Hugging Face inference endpoint can do a tool's work; what
  the tool works on is then sent there.</p>
{f'<ul class="plain">{known}</ul>' if known else ""}
<div class="field"><label for="hosted-tool">Tool</label>
<select id="hosted-tool" name="hosted_tool">{options}</select>
<label for="hosted-address">Address</label>
<input id="hosted-address" name="hosted_address" type="url" placeholder="https://…">
<label for="hosted-kind">What it is</label>
<select id="hosted-kind" name="hosted_kind">{kinds}</select>
<label for="hosted-key">Key</label>
<input id="hosted-key" name="hosted_key" type="password" autocomplete="new-password"
  placeholder="none"></div></details>"""


def _forgets(tool: str) -> str:
    return attributes(type="checkbox", name=f"forget_hosted:{tool}")


def _choice(name: str, value: str, words: str, chosen: bool) -> str:
    choice = attributes(type="radio", name=name, value=value, checked=chosen)
    return f'<label class="check"><input {choice}> {words}</label>'
