"""The page on which somebody signs in; it needs no script."""

from __future__ import annotations

from html import escape

from controlllm.accounts import Accounts
from controlllm.ui.drawings.icons import icon
from controlllm.ui.texts import current_language, direction_of, say_html


def sign_in_page(accounts: Accounts, said: str = "", name: str = "") -> str:
    """The whole document; `said` is why the try before did not succeed."""
    language = current_language()
    fault = (
        f'<p class="sign-in-fault" role="alert">{icon("info")}{escape(said)}</p>' if said else ""
    )
    passwords = (
        f"""
<form method="post" action="/sign-in">
  <label for="name">{say_html("accounts.name")}</label>
  <input id="name" name="name" value="{escape(name)}" autocomplete="username" required autofocus>
  <label for="password">{say_html("accounts.password")}</label>
  <input id="password" name="password" type="password" autocomplete="current-password" required>
  <button type="submit" class="primary">{say_html("accounts.sign_in")}</button>
</form>"""
        if accounts.passwords is not None
        else ""
    )
    provider = (
        f"""
<form method="post" action="/sign-in/begin">
  <button type="submit" class="small">{say_html("accounts.elsewhere")}</button>
</form>"""
        if accounts.openid is not None
        else ""
    )
    return f"""<!doctype html>
<html lang="{language}" dir="{direction_of(language)}">
<head>
<meta charset="utf-8">
<title>{say_html("accounts.title")}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/page/logo.svg" type="image/svg+xml">
<link rel="stylesheet" href="/page/style.css">
</head>
<body><main class="app sign-in"><div class="brand">
<img src="/page/logo.svg" alt="" width="30" height="30"><strong>ControlLLM</strong></div>
<h1>{say_html("accounts.title")}</h1>{fault}{passwords}{provider}</main></body>
</html>
"""
