"""The settings: how the page looks, how tools work, a language model, programs elsewhere."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from html import escape
from typing import Any, get_args

import gradio as gr

from controlllm.comparing.choosing import habits_of
from controlllm.resources.probing import BadInput
from controlllm.settings import BEST_VARIANT, PREFERENCES, VARIANTS, AgentName, Settings
from controlllm.ui.calls import Call
from controlllm.ui.components.dialog import Dialog
from controlllm.ui.components.drawn import Drawn, parts
from controlllm.ui.drawings.habits import remembered
from controlllm.ui.drawings.settings_panel import hosted_list, this_conversation
from controlllm.ui.drawings.wording import tool_label
from controlllm.ui.handlers import Handlers, language_of
from controlllm.ui.outcome import NOTHING, changes
from controlllm.ui.refusals import sentence_of
from controlllm.ui.texts import COOKIE, languages, own_name_of, say, speaking
from controlllm.ui.verbs import settings as verbs

PRIVATE: dict[str, Any] = {
    "api_visibility": "private", "show_progress": "hidden", "concurrency_limit": None,
}  # fmt: skip
_THEMES = {"light": "light", "dark": "dark", "system": "as_system"}
#: What can be chosen, and where the key of what it is called begins.
_CHOICES: Mapping[str, Sequence[str]] = {
    "preference": tuple(PREFERENCES), "agent": get_args(AgentName),
    "weights_size": ("small", "usual", "large"), "variant": tuple(VARIANTS),
    "hosted_kind": ("gradio", "endpoint"),
}  # fmt: skip
_WORDS = {
    "preference": "settings.prefer", "agent": "agents.is", "weights_size": "settings.weights",
    "variant": "language_model.plans", "hosted_kind": "settings.hosted",
}  # fmt: skip
#: The fields of each tab, by their names in `verbs.fields_of`.
_TOOLS = (
    "preference", "public_services", "acts", "act_when_stuck", "agent", "divide_first",
    "stop_when_left", "recipes_in_files", "weights_size",
)  # fmt: skip
_MODEL = (
    "base_url", "api_key", "model", "variant", "answer_with_model", "fall_back",
    "tools_use_endpoint", "image_model", "speech_model", "speech_voice", "transcription_model",
)  # fmt: skip
_HOSTED = ("hosted_tool", "hosted_address", "hosted_kind", "hosted_key")
_TABS = {**dict.fromkeys(_TOOLS, "tools"), **dict.fromkeys(_MODEL, "model")}
_TABS |= dict.fromkeys(_HOSTED, "hosted")


def add_settings(page: Any) -> None:
    """Add the settings to the page."""
    SettingsDialog(page)


class SettingsDialog:
    """What is chosen is kept at once; what is typed, with the button below it."""

    def __init__(self, page: Any) -> None:
        self._handlers: Handlers = page.handlers
        self._say = page.say
        # Their words come when it is opened, in the language of whoever opens it.
        self._choices = {**_CHOICES, "hosted_tool": page.hosts}
        self._fields: dict[str, Any] = {}
        say = page.say
        with (
            Dialog(elem_id="settings-dialog") as self.dialog,
            gr.Tabs(elem_id="settings-tabs") as self.tabs,
        ):
            with gr.Tab(say("settings.look"), id="look"):
                self._add_look()
            with gr.Tab(say("settings.tools"), id="tools"):
                self._add_tools()
            with gr.Tab(say("language_model.title"), id="model"):
                self._add_model()
            with gr.Tab(say("settings.hosted"), id="hosted"):
                self._add_hosted()
            with gr.Tab(say("settings.this_conversation"), id="kept"):
                self.kept = Drawn(elem_id="settings-kept")
        self._shown = [
            self.theme, self.language, *self._fields.values(), self.known, self.status,
            self.add, self.about, self.about_others, self.kept,
        ]  # fmt: skip
        self._wire(page)

    # What there is.

    def _add_look(self) -> None:
        self.theme = gr.Radio(
            list(_THEMES), label=self._say("settings.colours"), elem_id="setting-theme"
        )
        self.language = gr.Dropdown(
            ["", *languages()], label=self._say("settings.language"), elem_id="setting-language",
            info=self._say("settings.language_about"), filterable=False,
        )  # fmt: skip

    def _add_tools(self) -> None:
        self._radio("preference", "settings.tools_about")
        self._check("public_services", "settings.services")
        self._check("acts", "settings.acts")
        self._check("act_when_stuck", "settings.acts_when_stuck")
        self._radio("agent", "agents.which")
        self._check("divide_first", "agents.divide_first")
        self._check("stop_when_left", "settings.stop_when_left")
        self._check("recipes_in_files", "recipes.in_files")
        self._radio("weights_size", "settings.weights_to_download")

    def _add_model(self) -> None:
        self.about = Drawn(elem_id="settings-about")
        self._text("base_url", "language_model.address", placeholder="http://localhost:11434/v1")
        self._text("api_key", "language_model.key", type="password")
        self._text("model", "language_model.model",
                   placeholder=self._say("language_model.its_name"))  # fmt: skip
        self._radio("variant", "language_model.who_plans")
        self._check("answer_with_model", "language_model.answers")
        self._check("fall_back", "language_model.go_on")
        self._check("tools_use_endpoint", "language_model.tools")
        with gr.Accordion(self._say("language_model.others"), open=False):
            self.about_others = Drawn(elem_id="settings-about-others")
            for name in verbs.OTHER_MODELS:
                self._text(name, f"language_model.for_{name}")
        with gr.Row(elem_classes="buttons"):
            self.save = self._button("settings.save", "settings-save", "primary")
            self.test = self._button("language_model.test", "settings-test")
            self.none = self._button("language_model.use_none", "settings-none")
        self.status = Drawn(elem_id="settings-status")

    def _add_hosted(self) -> None:
        self.known = Drawn(elem_id="settings-hosted")
        self._fields["hosted_tool"] = gr.Dropdown(
            list(self._choices["hosted_tool"]), label=self._say("settings.hosted_tool"),
            elem_id="setting-hosted_tool",
        )  # fmt: skip
        self._text("hosted_address", "settings.hosted_address", placeholder="https://…")
        self._radio("hosted_kind", "settings.hosted_kind")
        self._text("hosted_key", "settings.hosted_key", type="password",
                   placeholder=self._say("settings.none"))  # fmt: skip
        self.add = self._button("settings.hosted_add", "settings-add", "primary")

    def _radio(self, name: str, key: str) -> None:
        offered = list(self._choices[name])
        self._fields[name] = gr.Radio(offered, label=self._say(key), elem_id=f"setting-{name}")

    def _check(self, name: str, key: str) -> None:
        self._fields[name] = gr.Checkbox(label=self._say(key), elem_id=f"setting-{name}")

    def _text(self, name: str, key: str, **props: Any) -> None:
        self._fields[name] = gr.Textbox(
            label=self._say(key), elem_id=f"setting-{name}", max_lines=1, max_length=2000,
            html_attributes=gr.InputHTMLAttributes(autocomplete="off", spellcheck=False), **props,
        )  # fmt: skip

    def _button(self, key: str, name: str, variant: Any = "secondary") -> gr.Button:
        return gr.Button(self._say(key), elem_id=name, variant=variant, size="sm", min_width=60)

    def _wire(self, page: Any) -> None:
        fields, here = self._fields, page.here
        model = [here, *(fields[name] for name in _MODEL)]
        hosted = [here, *(fields[name] for name in _HOSTED)]
        page.settings.click(
            self._handlers.pressed("settings"), [here, page.attached], page.outputs, **PRIVATE
        )
        page.opens.change(
            self.open, [page.opens, here], [self.dialog, self.tabs, *self._shown], **PRIVATE
        )
        page.demo.load(None, None, [self.theme], js="() => window.controlllm.theme()")
        self.theme.input(
            None, [self.theme], None, js="(choice) => window.controlllm.colours(choice)"
        )
        for name in _TOOLS:
            fields[name].input(
                self.choosing(name), [here, fields[name]], None, trigger_mode="always_last",
                **PRIVATE,
            )  # fmt: skip
        saved = {"validator": self.check_model, **PRIVATE}
        gr.on([self.save.click, fields["model"].submit, fields["base_url"].submit],
              self.save_model, model, self._shown, **saved)  # fmt: skip
        # What was typed and not saved would be gone with the page.
        self.language.input(self.keep_typed, model, None, **saved).success(
            None, [self.language], None, js="(language) => window.controlllm.speak(language)"
        )
        self.test.click(
            self.try_model, model, [self.status, self.test], validator=self.check_model, **PRIVATE
        )
        self.none.click(self.use_none, [here], self._shown, **PRIVATE)
        self.add.click(self.add_hosted, hosted, self._shown, validator=self.check_hosted, **PRIVATE)
        self.known.act(self.forget_hosted, [here], self._shown, **PRIVATE)
        self.kept.act(
            self.act_on_kept, [here, page.attached], [*page.outputs, self.dialog, self.kept],
            **PRIVATE,
        )  # fmt: skip

    # What happens.

    async def open(self, opens: Mapping[str, Any], here: str, request: gr.Request) -> list[Any]:
        """Show what is set, at the field that is wanted."""
        if (opens or {}).get("what") != "settings":
            return [gr.skip()] * (2 + len(self._shown))
        find = str(opens.get("find") or "")
        shown = await self._drawn(here, request)
        with speaking(language_of(request)):
            value = {"open": True, "title": say("settings.title"), "wide": True,
                     "find": f"setting-{find}" if find in _TABS else ""}  # fmt: skip
        return [value, gr.update(selected=_TABS[find]) if find in _TABS else gr.skip(), *shown]

    def choosing(self, name: str) -> Any:
        """What keeps one of the choices of how tools work, and no other: those may not be drawn
        yet as they are set."""

        async def choose(here: str, chosen: Any, request: gr.Request) -> None:
            await self._set(here, request, {name: chosen})

        return choose

    async def save_model(self, request: gr.Request, here: str, *typed: Any) -> list[Any]:
        """Keep what was typed of a language model."""
        await self._set(here, request, _read(_MODEL, typed))
        return await self._drawn(here, request)

    async def keep_typed(self, request: gr.Request, here: str, *typed: Any) -> None:
        """Keep what was typed before the page is drawn in another language."""
        sent = _read(_MODEL, typed)
        await self._handlers.done(lambda call: verbs.set_fields(call, sent), here, request, sent)

    async def use_none(self, here: str, request: gr.Request) -> list[Any]:
        """Forget the language model."""
        done = await self._handlers.done(verbs.use_no_model, here, request)
        with speaking(language_of(request)):
            return await self._drawn(here, request, say("language_model.none_used") if done else "")

    async def try_model(
        self, request: gr.Request, here: str, *typed: Any
    ) -> AsyncGenerator[list[Any], None]:
        """Ask the model for one short answer, with what is typed and need not be saved."""

        def work(call: Call) -> str:
            try:
                return verbs.model_tried(call, _read(_MODEL, typed))
            except BadInput as error:
                return sentence_of(error)

        with speaking(language_of(request)):
            asking = _said(say("language_model.testing"))
        yield [asking, gr.update(interactive=False)]
        said = await self._handlers.done(work, here, request)
        yield [_said(said or ""), gr.update(interactive=True)]

    async def add_hosted(self, request: gr.Request, here: str, *typed: Any) -> list[Any]:
        """Have a program elsewhere do a tool's work."""
        await self._set(here, request, _read(_HOSTED, typed))
        return await self._drawn(here, request)

    async def forget_hosted(self, event: gr.EventData, here: str, request: gr.Request) -> list[Any]:
        """Have a program elsewhere do it no longer."""
        tool = str((event._data or {}).get("tool"))
        await self._set(here, request, {f"forget_hosted:{tool}": True})
        return await self._drawn(here, request)

    async def act_on_kept(
        self, event: gr.EventData, here: str, attached: Sequence[str], request: gr.Request
    ) -> list[Any]:
        """Forget which ways were kept, or delete the conversation."""
        if (event._data or {}).get("do") == "delete-here":
            done = await self._handlers.act(event, here, list(attached), request)
            return [*done, {"open": False, "title": "", "wide": True}, gr.skip()]
        await self._handlers.done(verbs.forget_choices, here, request)
        shown = await self._drawn(here, request)
        return [*changes(NOTHING), gr.skip(), shown[-1]]

    async def check_model(self, request: gr.Request, here: str, *typed: Any) -> list[Any]:
        """Say at its field where the address of the model is none, or may not be set."""

        def work(call: Call) -> None:
            address = verbs.address_of_model(typed[0] or "")
            if address != call.conversations.settings(call.session_id).base_url:
                verbs.Sender.of(call).check(address)

        return await self._checked(work, here, request, len(typed), _MODEL.index("base_url"))

    async def check_hosted(self, request: gr.Request, here: str, *typed: Any) -> list[Any]:
        """Say at its field where the address of a program is none, or may not be set."""
        at = _HOSTED.index("hosted_address")

        def work(call: Call) -> None:
            address = verbs.address_of_host(typed[at] or "")
            if not address:
                raise BadInput(say("settings.bad_hosted_address", example="https://name.hf.space"))
            verbs.Sender.of(call).check(address)

        return await self._checked(work, here, request, len(typed), at)

    async def _checked(
        self, work: Any, here: str, request: gr.Request, count: int, at: int
    ) -> list[Any]:
        """What is said at each of the inputs: of `here`, and of the fields after it."""

        def checked(call: Call) -> str:
            try:
                work(call)
            except BadInput as error:
                return str(error)
            return ""

        wrong = await self._handlers.done(checked, here, request)
        found = [gr.validate(True, "") for _ in range(count + 1)]
        if wrong:
            found[at + 1] = gr.validate(False, wrong)
        return found

    async def _set(self, here: str, request: gr.Request, sent: Mapping[str, Any]) -> None:
        done = await self._handlers.done(
            lambda call: verbs.set_fields(call, sent), here, request, sent
        )
        if done is not None:
            with speaking(language_of(request)):
                gr.Info(say("settings.saved"), duration=3)

    async def _drawn(self, here: str, request: gr.Request, said: str = "") -> list[Any]:
        """All that is shown, as it is set now."""
        chosen = request.cookies.get(COOKIE, "")
        drawn = await self._handlers.done(
            lambda call: self._updates(call, chosen, said), here, request
        )
        return drawn or [gr.skip()] * len(self._shown)

    def _updates(self, call: Call, language: str, said: str) -> list[Any]:
        conversations = call.conversations
        settings, may_set = conversations.settings(call.session_id), call.is_operators
        values = _values(settings)
        props: dict[str, dict[str, Any]] = {name: {"value": values[name]} for name in self._fields}
        for name, offered in self._choices.items():
            props[name]["choices"] = [(_word(name, value), value) for value in offered]
        key = say("language_model.key_set") if settings.api_key else say("settings.none")
        props["api_key"]["placeholder"] = key
        props["base_url"]["info"] = None if may_set else say("accounts.only_operator")
        for name in ("base_url", *_HOSTED):
            props[name]["interactive"] = may_set
        themes = [(say(f"settings.{key}"), value) for value, key in _THEMES.items()]
        offered = [(say("settings.as_browser"), "")]
        offered += [(own_name_of(name), name) for name in languages()]
        habits = habits_of(conversations.assistant.store, call.session_id)
        return [
            gr.update(choices=themes),
            gr.update(choices=offered, value=language if language in languages() else ""),
            *(gr.update(**props[name]) for name in self._fields),
            parts(hosted_list(settings, may_set)),
            _said(said),
            gr.update(interactive=may_set),
            parts(_quiet(say("language_model.about"))),
            parts(_quiet(say("language_model.others_about"))),
            parts(remembered(habits.places), this_conversation()),
        ]


def _read(names: Sequence[str], typed: Sequence[Any]) -> dict[str, Any]:
    """What was typed, by the names of its fields."""
    return {name: "" if value is None else value for name, value in zip(names, typed, strict=True)}


def _values(settings: Settings) -> dict[str, Any]:
    """What each field shows."""
    shown = {**verbs.fields_of(settings), "api_key": "", "hosted_tool": None}
    shown["variant"] = settings.variant or BEST_VARIANT
    return {**shown, "hosted_address": "", "hosted_kind": "gradio", "hosted_key": ""}


def _word(name: str, value: str) -> str:
    """What one of the values of a field is called."""
    return tool_label(value) if name == "hosted_tool" else say(f"{_WORDS[name]}_{value}")


def _said(words: str) -> Mapping[str, Any]:
    return parts(f'<p class="quiet-words" role="status">{escape(words)}</p>')


def _quiet(words: str) -> str:
    return f'<p class="quiet-words">{escape(words)}</p>'
