"""A form that asks for a name."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from controlllm.ui.drawings.wording import attributes


def naming_form(
    verb: str, words: str, initial: str, action: str, given: Mapping[str, str] | None = None
) -> str:
    """The form, with an `initial` name in it; `verb` is what takes the name, with what else is
    `given`, and `action` what the button says."""
    data = {f"data_{name}": said for name, said in (given or {}).items()}
    form = attributes(class_="naming", data_do=verb, **data)
    field = attributes(
        id="naming-field", name="name", value=initial, dir="auto", maxlength=120,
        autocomplete="off",
        autofocus=True,
    )  # fmt: skip
    return (
        f'<form {form}><label for="naming-field" dir="auto">{escape(words)}</label><input {field}>'
        f'<div class="row"><button type="submit" class="primary">{escape(action)}</button></div>'
        "</form>"
    )
