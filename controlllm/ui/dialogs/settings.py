"""The settings: how the page looks, how tools work, a language model, programs elsewhere."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from html import escape
from typing import Any, get_args

import gradio as gr

from controlllm.comparing.choosing import habits_of
from controlllm.resources.probing import BadInput
from controlllm.settings import BEST_VARIANT, PREFERENCES, VARIANTS, AgentName, Settings
from controlllm.ui.calls import Call
from controlllm.ui.components import drawn as own
from controlllm.ui.components.drawn import parts
from controlllm.ui.drawings.settings_panel import hosted_list, remembered, this_conversation
from controlllm.ui.drawings.wording import tool_label
from controlllm.ui.handlers import AT_ONCE, PRIVATE, Handlers, language_of
from controlllm.ui.outcome import NOTHING, changes, dialog_of
from controlllm.ui.texts import COOKIE, languages, own_name_of, say, speaking
from controlllm.ui.verbs import settings as verbs
from controlllm.ui.verbs.ways import forget_choices

_THEMES = {"light": "light", "dark": "dark", "system": "as_system"}
#: Where the key of what a choice is called begins, and what can be chosen.
_CHOICES: Mapping[str, tuple[str, Sequence[str]]] = {
    "preference": ("settings.prefer", tuple(PREFERENCES)),
    "agent": ("agents.is", get_args(AgentName)),
    "weights_size": ("settings.weights", ("small", "usual", "large")),
    "variant": ("language_model.plans", tuple(VARIANTS)),
    "hosted_kind": ("settings.hosted", ("gradio", "endpoint")),
}
_ADDRESS = "http://localhost:11434/v1"
#: The fields of each tab, by their names in `verbs.fields_of`: what kind each is, and its label.
_TOOLS = {
    "preference": ("radio", "settings.tools_about"),
    "public_services": ("check", "settings.services"),
    "acts": ("check", "settings.acts"),
    "act_when_stuck": ("check", "settings.acts_when_stuck"),
    "agent": ("radio", "agents.which"),
    "divide_first": ("check", "agents.divide_first"),
    "stop_when_left": ("check", "settings.stop_when_left"),
    "recipes_in_files": ("check", "recipes.in_files"),
    "weights_size": ("radio", "settings.weights_to_download"),
}
_MODEL = {
    "base_url": ("text", "language_model.address"),
    "api_key": ("password", "language_model.key"),
    "model": ("text", "language_model.model"),
    "variant": ("radio", "language_model.who_plans"),
    "answer_with_model": ("check", "language_model.answers"),
    "fall_back": ("check", "language_model.go_on"),
    "tools_use_endpoint": ("check", "language_model.tools"),
    **{name: ("text", f"language_model.for_{name}") for name in verbs.OTHER_MODELS},
}
_HOSTED = {
    "hosted_tool": ("list", "settings.hosted_tool"),
    "hosted_address": ("text", "settings.hosted_address"),
    "hosted_kind": ("radio", "settings.hosted_kind"),
    "hosted_key": ("password", "settings.hosted_key"),
}
_TABS = {**dict.fromkeys(_TOOLS, "tools"), **dict.fromkeys(_MODEL, "model")}
_TABS |= dict.fromkeys(_HOSTED, "hosted")


class SettingsDialog:
    """What is chosen is kept at once; what is typed, with the button below it."""

    def __init__(self, page: Any) -> None:
        self._handlers: Handlers = page.handlers
        self._hosts = page.hosts
        self._fields: dict[str, Any] = {}
        self._say = say = page.say
        with (
            own.Dialog(elem_id="settings-dialog") as self.dialog,
            gr.Tabs(elem_id="settings-tabs") as self.tabs,
        ):
            with gr.Tab(say("settings.look"), id="look"):
                self.theme = gr.Radio(
                    list(_THEMES), label=say("settings.colours"), elem_id="setting-theme"
                )
                self.language = gr.Dropdown(
                    ["", *languages()], label=say("settings.language"), filterable=False,
                    info=say("settings.language_about"), elem_id="setting-language",
                )  # fmt: skip
            with gr.Tab(say("settings.tools"), id="tools"):
                self._add(_TOOLS)
            with gr.Tab(say("language_model.title"), id="model"):
                self._add_model()
            with gr.Tab(say("settings.hosted"), id="hosted"):
                self.known = own.Drawn(elem_id="settings-hosted")
                self._add(_HOSTED)
                self.add = self._button("settings.hosted_add", "settings-add", "primary")
            with gr.Tab(say("settings.this_conversation"), id="kept"):
                self.kept = own.Drawn(elem_id="settings-kept")
        self._shown = [
            self.theme, self.language, *self._fields.values(), self.known, self.status,
            self.add, self.about, self.about_others, self.kept,
        ]  # fmt: skip
        self._wire(page)

    # What there is.

    def _add_model(self) -> None:
        self.about = own.Drawn(elem_id="settings-about")
        others = {name: _MODEL[name] for name in verbs.OTHER_MODELS}
        self._add({name: said for name, said in _MODEL.items() if name not in others})
        with gr.Accordion(self._say("language_model.others"), open=False):
            self.about_others = own.Drawn(elem_id="settings-about-others")
            self._add(others)
        with gr.Row(elem_classes="buttons"):
            self.save = self._button("settings.save", "settings-save", "primary")
            self.test = self._button("language_model.test", "settings-test")
            self.none = self._button("language_model.use_none", "settings-none")
        self.status = own.Drawn(elem_id="settings-status")

    def _add(self, fields: Mapping[str, tuple[str, str]]) -> None:
        """Add fields; the words of choices come when it is opened, in the language of whoever
        opens it."""
        placeholders = {
            "base_url": _ADDRESS, "hosted_address": "https://…",
            "model": self._say("language_model.its_name"), "hosted_key": self._say("settings.none"),
        }  # fmt: skip
        for name, (kind, key) in fields.items():
            about: dict[str, Any] = {"label": self._say(key), "elem_id": f"setting-{name}"}
            match kind:
                case "radio":
                    field: Any = gr.Radio(list(_CHOICES[name][1]), **about)
                case "check":
                    field = gr.Checkbox(**about)
                case "list":
                    field = gr.Dropdown(list(self._hosts), **about)
                case _:
                    typed = gr.InputHTMLAttributes(autocomplete="off", spellcheck=False)
                    field = gr.Textbox(
                        max_lines=1, max_length=2000, html_attributes=typed,
                        type="password" if kind == "password" else "text",
                        placeholder=placeholders.get(name), **about,
                    )  # fmt: skip
            self._fields[name] = field

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
            self.open, [page.opens, here], [self.dialog, self.tabs, *self._shown], **AT_ONCE
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
        gr.on([self.save.click, fields["model"].submit, fields["base_url"].submit],
              self.saving(_MODEL), model, self._shown, **PRIVATE)  # fmt: skip
        # What was typed and not saved would be gone with the page.
        self.language.input(self.keep_typed, model, None, **PRIVATE).success(
            None, [self.language], None, js="(language) => window.controlllm.speak(language)"
        )
        self.test.click(
            self.try_model, model, [self.status, self.test, fields["base_url"]], **PRIVATE
        )
        self.none.click(self.use_none, [here], self._shown, **PRIVATE)
        self.add.click(self.saving(_HOSTED), hosted, self._shown, **PRIVATE)
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
            at = f"setting-{find}" if find in _TABS else ""
            value = dialog_of(say("settings.title"), True, find=at, time=opens.get("time"))
        return [value, gr.update(selected=_TABS[find]) if find in _TABS else gr.skip(), *shown]

    def choosing(self, name: str) -> Any:
        """What keeps one of the choices of how tools work, and no other: those may not be drawn
        yet as they are set."""

        async def choose(here: str, chosen: Any, request: gr.Request) -> None:
            await self._set(here, request, {name: chosen})

        return choose

    def saving(self, names: Iterable[str]) -> Any:
        """What keeps what was typed into some fields, or says at the address what is wrong."""

        async def save(request: gr.Request, here: str, *typed: Any) -> list[Any]:
            sent = _read(names, typed)
            if wrong := await self._wrong(here, request, sent):
                at = self._fields[_address_among(sent)]
                return [gr.update(info=wrong) if it is at else gr.skip() for it in self._shown]
            await self._set(here, request, sent)
            return await self._drawn(here, request)

        return save

    async def keep_typed(self, request: gr.Request, here: str, *typed: Any) -> None:
        """Keep what was typed before the page is drawn in another language.

        Raises gr.Error where the address of the model is none.
        """
        sent = _read(_MODEL, typed)
        if wrong := await self._wrong(here, request, sent):
            raise gr.Error(wrong, print_exception=False)
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

        sent = _read(_MODEL, typed)
        if wrong := await self._wrong(here, request, sent):
            yield [gr.skip(), gr.skip(), gr.update(info=wrong)]
            return
        work = _told(lambda call: verbs.model_tried(call, sent))
        with speaking(language_of(request)):
            asking = _said(say("language_model.testing"))
        yield [asking, gr.update(interactive=False), gr.update(info="")]
        said = await self._handlers.done(work, here, request)
        yield [_said(said or ""), gr.update(interactive=True), gr.skip()]

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
            return [*done, dialog_of(), gr.skip()]
        await self._handlers.done(lambda call: bool(forget_choices(call)), here, request)
        shown = await self._drawn(here, request)
        return [*changes(NOTHING), gr.skip(), shown[-1]]

    async def _wrong(self, here: str, request: gr.Request, sent: Mapping[str, Any]) -> str:
        """Why the address that was typed is none, or may not be set; empty where it may."""

        def work(call: Call) -> None:
            if _address_among(sent) == "hosted_address":
                address = verbs.address_of_host(sent["hosted_address"])
                if not address:
                    example = "https://name.hf.space"
                    raise BadInput(say("settings.bad_hosted_address", example=example))
                verbs.Sender.of(call).check(address)
                return
            address = verbs.address_of_model(sent["base_url"])
            if address != call.conversations.settings(call.session_id).base_url:
                verbs.Sender.of(call).check(address)

        return await self._handlers.done(_told(work), here, request) or ""

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
        for name, (key, offered) in _CHOICES.items():
            props[name]["choices"] = [(say(f"{key}_{value}"), value) for value in offered]
        props["hosted_tool"]["choices"] = [(tool_label(tool), tool) for tool in self._hosts]
        is_set = say("language_model.key_set") if settings.api_key else say("settings.none")
        props["api_key"]["placeholder"] = is_set
        props["base_url"]["info"] = "" if may_set else say("accounts.only_operator")
        props["hosted_address"]["info"] = ""
        for name in ("base_url", *_HOSTED):
            props[name]["interactive"] = may_set
        themes = [(say(f"settings.{word}"), value) for value, word in _THEMES.items()]
        spoken = [(say("settings.as_browser"), ""), *((own_name_of(at), at) for at in languages())]
        habits = habits_of(conversations.assistant.store, call.session_id)
        return [
            gr.update(choices=themes),
            gr.update(choices=spoken, value=language if language in languages() else ""),
            *(gr.update(**props[name]) for name in self._fields),
            parts(hosted_list(settings, may_set)),
            _said(said),
            gr.update(interactive=may_set),
            parts(_quiet(say("language_model.about"))),
            parts(_quiet(say("language_model.others_about"))),
            parts(remembered(habits.places), this_conversation()),
        ]


def _address_among(sent: Mapping[str, Any]) -> str:
    """The name of the field with an address among some."""
    return "hosted_address" if "hosted_address" in sent else "base_url"


def _told(work: Callable[[Call], str | None]) -> Callable[[Call], str]:
    """The same work, which gives its refusal as words in place of raising it."""

    def told(call: Call) -> str:
        try:
            return work(call) or ""
        except BadInput as error:
            return str(error)

    return told


def _read(names: Iterable[str], typed: Sequence[Any]) -> dict[str, Any]:
    """What was typed, by the names of its fields."""
    return {name: "" if value is None else value for name, value in zip(names, typed, strict=True)}


def _values(settings: Settings) -> dict[str, Any]:
    """What each field shows."""
    shown = {**verbs.fields_of(settings), "api_key": "", "hosted_tool": None}
    shown["variant"] = settings.variant or BEST_VARIANT
    return {**shown, "hosted_address": "", "hosted_kind": "gradio", "hosted_key": ""}


def _said(words: str) -> Mapping[str, Any]:
    return parts(f'<p class="quiet-words" role="status">{escape(words)}</p>')


def _quiet(words: str) -> str:
    return f'<p class="quiet-words">{escape(words)}</p>'
