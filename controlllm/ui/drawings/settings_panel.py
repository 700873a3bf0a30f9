"""Settings: theme, how tools work, and a language model of one's own."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import get_args

from controlllm.settings import BEST_VARIANT, AgentName, Settings
from controlllm.ui.drawings.icons import icon
from controlllm.ui.drawings.wording import attributes, tool_label
from controlllm.ui.texts import COOKIE, languages, own_name_of, say, say_html

#: The paper's variants.
_PLANNERS = ("llama", "mix", "chatgpt")
_PREFERENCES = ("private", "quality", "fast")
_SIZES = ("small", "usual", "large")
_OTHER_MODELS = ("image_model", "speech_model", "speech_voice", "transcription_model")
_KINDS = ("gradio", "endpoint")


def settings_panel() -> str:
    """The dialog; its form is filled in by `settings_form` when it opens."""
    return f"""
<dialog id="settings" class="dialog" aria-labelledby="settings-title">
  <header class="dialog-head"><h2 id="settings-title">{say_html("settings.title")}</h2>
    <button type="button" class="quiet" data-do="close" aria-label="{say_html("page.close")}">{
        icon("cross")
    }</button>
  </header>
  <div class="dialog-body">
  <fieldset class="field"><legend>{
        say_html("settings.colours")
    }</legend><div class="switch" id="theme">
    <label><input type="radio" name="theme" value="light"><span>{
        say_html("settings.light")
    }</span></label>
    <label><input type="radio" name="theme" value="dark"><span>{
        say_html("settings.dark")
    }</span></label>
    <label><input type="radio" name="theme" value="system" checked><span>{
        say_html("settings.as_system")
    }</span></label>
  </div></fieldset>
  <div class="field"><label for="language">{say_html("settings.language")}</label>
    <select id="language" data-cookie="{COOKIE}">
      <option value="">{say_html("settings.as_browser")}</option>{_languages()}</select>
    <p class="quiet-words">{say_html("settings.language_about")}</p></div>
  <form id="settings-form" autocomplete="off"></form>
  <section class="field"><h3>{say_html("settings.this_conversation")}</h3>
    <p class="quiet-words">{say_html("settings.kept_here")}</p>
    <button type="button" class="small danger" data-do="forget">{icon("trash")}{
        say_html("settings.delete_conversation")
    }</button></section>
  </div>
</dialog>"""


def _languages() -> str:
    return "".join(
        f"<option {attributes(value=name, lang=name)}>{escape(own_name_of(name))}</option>"
        for name in languages()
    )


def settings_form(
    settings: Settings, hosts: Sequence[str] = (), may_set_addresses: bool = True
) -> str:
    """The form's fields. Keys themselves are never sent back, only that there is one.

    `hosts` are the tools that a program elsewhere may do the work of. Where addresses are not for
    this person to set, they are shown and cannot be changed.
    """
    status = '<p id="settings-status" role="status"></p>'
    save = say_html("settings.save")
    return (
        _tools_fields(settings)
        + _model_fields(settings, may_set_addresses)
        + (_hosted_fields(settings, hosts) if may_set_addresses else "")
        + f'<div class="row save"><button type="submit" class="primary">{save}</button>'
        + f"{status}</div>"
    )


def _tools_fields(settings: Settings) -> str:
    wishes = "".join(
        _choice("preference", name, "settings.prefer", settings.preference == name)
        for name in _PREFERENCES
    )
    sizes = "".join(
        _choice("weights_size", name, "settings.weights", settings.weights_size == name)
        for name in _SIZES
    )
    services = attributes(type="checkbox", name="public_services", checked=settings.public_services)
    stops = attributes(type="checkbox", name="stop_when_left", checked=settings.stop_when_left)
    acts = attributes(type="checkbox", name="acts", checked=settings.manner == "act")
    carried = attributes(
        type="checkbox", name="recipes_in_files", checked=settings.recipes_in_files
    )
    stuck = attributes(type="checkbox", name="act_when_stuck", checked=settings.act_when_stuck)
    return f"""
<fieldset class="field"><legend>{say_html("settings.tools")}</legend>
<p class="quiet-words">{say_html("settings.tools_about")}</p>{wishes}
<label class="check"><input {services}> {say_html("settings.services")}</label>
<label class="check"><input {acts}> {say_html("settings.acts")}</label>
<label class="check"><input {stuck}> {say_html("settings.acts_when_stuck")}</label>
{_agent_fields(settings)}
<label class="check"><input {stops}> {say_html("settings.stop_when_left")}</label>
<label class="check"><input {carried}> {say_html("recipes.in_files")}</label>
<fieldset class="field"><legend>{say_html("settings.weights_to_download")}</legend>{sizes}
</fieldset></fieldset>"""


def _agent_fields(settings: Settings) -> str:
    """Which agent decides step by step, and what it is told before."""
    agents = "".join(
        _choice("agent", name, "agents.is", settings.agent == name) for name in get_args(AgentName)
    )
    divides = attributes(type="checkbox", name="divide_first", checked=settings.divide_first)
    return f"""<fieldset class="field"><legend>{say_html("agents.which")}</legend>{agents}
<label class="check"><input {divides}> {say_html("agents.divide_first")}</label></fieldset>"""


def _model_fields(settings: Settings, may_set_address: bool) -> str:
    address = attributes(
        id="base-url",
        name="base_url",
        type="url",
        value=settings.base_url,
        disabled=not may_set_address,
        placeholder="http://localhost:11434/v1",
    )
    key = attributes(
        id="api-key",
        name="api_key",
        type="password",
        autocomplete="new-password",
        placeholder=say("language_model.key_set" if settings.api_key else "settings.none"),
    )
    model = attributes(
        id="model", name="model", value=settings.model, placeholder=say("language_model.its_name")
    )
    answers = attributes(
        type="checkbox", name="answer_with_model", checked=settings.answer_with_model
    )
    goes_on = attributes(type="checkbox", name="fall_back", checked=settings.fall_back)
    tools = attributes(
        type="checkbox", name="tools_use_endpoint", checked=settings.tools_use_endpoint
    )
    planners = "".join(
        _choice("variant", name, "language_model.plans", (settings.variant or BEST_VARIANT) == name)
        for name in _PLANNERS
    )
    others = "".join(
        f'<label for="{name}">{say_html(f"language_model.for_{name}")}</label>'
        f"<input {attributes(id=name, name=name, value=getattr(settings, name))}>"
        for name in _OTHER_MODELS
    )
    whose = ""
    if not may_set_address:
        whose = f'<p class="quiet-words">{say_html("accounts.only_operator")}</p>'
    return f"""
<fieldset class="field"><legend>{say_html("language_model.title")}</legend>
<p class="quiet-words">{say_html("language_model.about")}</p>
<label for="base-url">{say_html("language_model.address")}</label><input {address}>{whose}
<label for="api-key">{say_html("language_model.key")}</label><input {key}>
<label for="model">{say_html("language_model.model")}</label><input {model}>
<fieldset class="field"><legend>{say_html("language_model.who_plans")}</legend>{planners}</fieldset>
<label class="check"><input {answers}> {say_html("language_model.answers")}</label>
<label class="check"><input {goes_on}> {say_html("language_model.go_on")}</label>
<label class="check"><input {tools}> {say_html("language_model.tools")}</label>
<details class="fold"><summary>{say_html("language_model.others")}</summary>
<p class="quiet-words">{say_html("language_model.others_about")}</p><div class="field">{
        others
    }</div></details>
<div class="row test"><button type="button" class="small" data-do="test-model">{
        say_html("language_model.test")
    }</button><button type="button" class="small" data-do="forget-model">{
        say_html("language_model.use_none")
    }</button></div>
<p id="model-status" class="quiet-words" role="status"></p>
</fieldset>"""


def hosted_list(settings: Settings, may_set: bool) -> str:
    """Which programs elsewhere do which tools' work, each with a button that ends it."""
    if not may_set:
        return f'<p class="quiet-words">{say_html("accounts.only_operator")}</p>'
    items = "".join(
        f"<li><span>{say_html('settings.hosted_at', tool=tool_label(tool), address=hosted.address)}"
        f"</span> <button {_ends(tool)}>{say_html('settings.remove')}</button></li>"
        for tool, hosted in sorted(settings.hosted.items())
    )
    about = f'<p class="quiet-words">{say_html("settings.hosted_about")}</p>'
    none = f'<p class="quiet-words">{say_html("settings.hosted_none")}</p>'
    return about + (f'<ul class="plain hosted">{items}</ul>' if items else none)


def _ends(tool: str) -> str:
    return attributes(type="button", class_="small", data_do="forget-hosted", data_tool=tool)


def this_conversation() -> str:
    """Where a conversation is kept, and the button that deletes it."""
    button = attributes(type="button", class_="small danger", data_do="delete-here")
    return (
        f'<section class="field"><h3>{say_html("settings.this_conversation")}</h3>'
        f'<p class="quiet-words">{say_html("settings.kept_here")}</p>'
        f"<button {button}>{icon('trash')}{say_html('settings.delete_conversation')}</button>"
        "</section>"
    )


def _hosted_fields(settings: Settings, hosts: Sequence[str]) -> str:
    if not hosts:
        return ""
    known = "".join(
        f'<li><label class="check"><input {_forgets(tool)}> {say_html("settings.remove")}</label> '
        f"{say_html('settings.hosted_at', tool=tool_label(tool), address=hosted.address)}</li>"
        for tool, hosted in sorted(settings.hosted.items())
    )
    options = "".join(
        f"<option {attributes(value=tool)}>{escape(tool_label(tool))}</option>" for tool in hosts
    )
    kinds = "".join(
        f"<option {attributes(value=kind)}>{say_html(f'settings.hosted_{kind}')}</option>"
        for kind in _KINDS
    )
    return f"""
<details class="fold"><summary>{say_html("settings.hosted")}</summary>
<p class="quiet-words">{say_html("settings.hosted_about")}</p>
{f'<ul class="plain">{known}</ul>' if known else ""}
<div class="field"><label for="hosted-tool">{say_html("settings.hosted_tool")}</label>
<select id="hosted-tool" name="hosted_tool">{options}</select>
<label for="hosted-address">{say_html("settings.hosted_address")}</label>
<input id="hosted-address" name="hosted_address" type="url" placeholder="https://…">
<label for="hosted-kind">{say_html("settings.hosted_kind")}</label>
<select id="hosted-kind" name="hosted_kind">{kinds}</select>
<label for="hosted-key">{say_html("settings.hosted_key")}</label>
<input id="hosted-key" name="hosted_key" type="password" autocomplete="new-password"
  placeholder="{say_html("settings.none")}"></div></details>"""


def _forgets(tool: str) -> str:
    return attributes(type="checkbox", name=f"forget_hosted:{tool}")


def _choice(name: str, value: str, key: str, chosen: bool) -> str:
    """One of several values; `key` is where its text's key begins."""
    choice = attributes(type="radio", name=name, value=value, checked=chosen)
    return f'<label class="check"><input {choice}> {say_html(f"{key}_{value}")}</label>'
