"""Who is signed in."""

from __future__ import annotations

from html import escape

from controlllm.ui.texts import say_html


def account_line(name: str) -> str:
    """Their name, and the button that signs them out."""
    return (
        f'<p class="account"><bdi title="{say_html("accounts.signed_in_as", name=name)}">'
        f"{escape(name)}</bdi> "
        f'<button type="button" class="small" data-do="sign-out">{say_html("accounts.sign_out")}'
        "</button></p>"
    )
