"""What every drawing is made of: attributes, buttons, links, a form that asks for a name."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from controlllm.ui.drawings.icons import icon


def attributes(**values: Any) -> str:
    """HTML attributes with escaped values; ``data_turn=3`` becomes ``data-turn="3"``. None and
    False leave the attribute out, True gives it no value."""
    parts = []
    for name, value in values.items():
        plain = name.strip("_").replace("_", "-")
        if value is True:
            parts.append(plain)
        elif value is not None and value is not False:
            parts.append(f'{plain}="{escape(str(value))}"')
    return " ".join(parts)


def button(
    does: str, inside: str = "", sign: str = "", says: str | None = None, **more: Any
) -> str:
    """A small button that does in the page what `does` names.

    Parameters
    ----------
    inside: what stands on it, as HTML, after an icon (`sign`) where one is named.
    says: what it is called where that does not stand on it.
    more: further attributes, see `attributes`; others in place of the usual ones.
    """
    usual = {"type": "button", "class_": "small", "data_do": does, "title": says}
    held = attributes(**{**usual, "aria_label": says, **more})
    return f"<button {held}>{icon(sign) if sign else ''}{inside}</button>"


def download(address: str, inside: str = "", says: str | None = None, **more: Any) -> str:
    """A link that keeps what lies at an address; `says` as for a button."""
    usual = {"class_": "small button", "href": address, "download": True, "title": says}
    held = attributes(**{**usual, "aria_label": says, **more})
    return f"<a {held}>{icon('download')}{inside}</a>"


def quiet(words: str) -> str:
    """A sentence, as HTML, that explains something."""
    return f'<p class="quiet-words">{words}</p>'


def chosen_of(choices: Mapping[str, str], now: str) -> str:
    """The options of a menu: what they are called, by their values."""
    return "".join(
        f"<option {attributes(value=value, selected=value == now)}>{escape(words)}</option>"
        for value, words in choices.items()
    )


def inline_code(text: str) -> str:
    """A sentence as HTML, with what stands between backticks as code."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return escape(text)
    return "".join(
        f"<code>{escape(part)}</code>" if place % 2 else escape(part)
        for place, part in enumerate(parts)
    )


def name_label(name: str, most: int) -> str:
    """A file's name as HTML; of one of more than `most` characters the middle is left out, since
    like names differ at their ends. All of it is there for screen readers, and for the eye where
    the style lets it be."""
    if len(name) <= most:
        return escape(name)
    end = most // 2
    cut = f"{name[: most - end - 1].rstrip()}…{name[-end:].lstrip()}"
    return (
        f'<span class="name-cut" aria-hidden="true">{escape(cut)}</span>'
        f'<span class="name-whole for-screen-readers">{escape(name)}</span>'
    )


def naming_form(
    verb: str, words: str, initial: str, action: str, given: Mapping[str, str] | None = None
) -> str:
    """A form that asks for a name, with an `initial` one in it; `verb` is what takes the name, with
    what else is `given`, and `action` what the button says."""
    data = {f"data_{name}": said for name, said in (given or {}).items()}
    form = attributes(class_="naming", data_do=verb, **data)
    field = attributes(
        id="naming-field", name="name", value=initial, dir="auto", maxlength=120,
        autocomplete="off", autofocus=True,
    )  # fmt: skip
    return (
        f'<form {form}><label for="naming-field" dir="auto">{escape(words)}</label><input {field}>'
        f'<div class="row"><button type="submit" class="primary">{escape(action)}</button></div>'
        "</form>"
    )
