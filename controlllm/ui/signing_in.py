"""Who may use the page where a server has accounts, and how they sign in and out."""

from __future__ import annotations

from html import escape
from urllib.parse import parse_qs, urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from controlllm.accounts import Account, Accounts, Keeper, TooManyTries
from controlllm.accounts.openid import NotSignedIn
from controlllm.accounts.signing_in import DAYS
from controlllm.admission.security import FOR_PROGRAMS, PAGE_POLICY
from controlllm.store import StoreError
from controlllm.ui.drawings.icons import icon
from controlllm.ui.texts import current_language, direction_of, say, say_html

COOKIE = "controlllm-account"
_WAY = "controlllm-sign-in"
#: What everybody may have: what the page is made of, and what watches over servers ask.
_OPEN = ("/sign-in", "/page/", "/health", "/ready", "/metrics")
#: A form of our own is sent here, or by way of us to the provider.
_POLICY = PAGE_POLICY.replace("form-action 'none'", "form-action 'self'")
_MOST = 4000


class SignedIn:
    """Middleware that lets nobody further who has not signed in."""

    def __init__(self, app: ASGIApp, accounts: Accounts, keeper: Keeper) -> None:
        self.app = app
        self._logins = accounts.logins(keeper)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        if scope["type"] != "http" or path.startswith((*_OPEN, *FOR_PROGRAMS)):
            await self.app(scope, receive, send)
            return
        cookie = HTTPConnection(scope).cookies.get(COOKIE, "")
        try:
            account = await run_in_threadpool(self._logins.account, cookie)
        except StoreError as error:
            await JSONResponse({"detail": str(error)}, 507)(scope, receive, send)
            return
        if account is not None:
            scope.setdefault("state", {})["account"] = account
            await self.app(scope, receive, send)
        elif path == "/":
            await RedirectResponse("/sign-in", 303)(scope, receive, send)
        else:
            refused = JSONResponse({"detail": say("accounts.sign_in_again")}, 401)
            await refused(scope, receive, send)


def account_of(request: Request) -> Account | None:
    """Who sends a request; None where the server has no accounts."""
    return getattr(request.state, "account", None)


def routes_for(accounts: Accounts, keeper: Keeper) -> tuple[Route, ...]:
    """The routes that sign people in and out."""
    logins = accounts.logins(keeper)

    def drawn(said: str = "", name: str = "", status: int = 200) -> Response:
        headers = {
            "cache-control": "no-store",
            "content-security-policy": _POLICY,
            # Without one a browser does not say either that a form comes from this page.
            "referrer-policy": "same-origin",
        }
        return HTMLResponse(sign_in_page(accounts, said, name), status, headers)

    def page(request: Request) -> Response:
        return drawn()

    async def by_password(request: Request) -> Response:
        fields = parse_qs((await request.body())[:_MOST].decode("utf-8", "replace"))
        name, password = (fields.get(part, [""])[0] for part in ("name", "password"))
        return await run_in_threadpool(checked, request, name, password)

    def checked(request: Request, name: str, password: str) -> Response:
        if accounts.passwords is None:
            return drawn(status=404)
        address = request.client.host if request.client else ""
        try:
            accounts.tries.check(name, address)
        except TooManyTries:
            return drawn(say("accounts.too_many"), name, 429)
        found = accounts.passwords.check(name, password)
        if found is None:
            accounts.tries.was_wrong(name, address)
            return drawn(say("accounts.wrong"), name, 403)
        return signed_in(request, found)

    def begin(request: Request) -> Response:
        if accounts.openid is None:
            return drawn(status=404)
        try:
            address, held = accounts.openid.begin()
        except NotSignedIn as error:
            return drawn(str(error), status=502)
        # Not a redirect: the policy of the page would have to let forms lead to the provider.
        response = HTMLResponse(_onwards(address), headers={"cache-control": "no-store"})
        _keep(response, _WAY, accounts.ways.written(held), request, 600)
        return response

    def back(request: Request) -> Response:
        held = accounts.ways.read(request.cookies.get(_WAY, ""))
        if accounts.openid is None or not held:
            return drawn(say("accounts.begin_again"), status=403)
        # As the provider was told, whatever stands between this server and the browser.
        came = _with_query(accounts.openid.callback, str(request.url.query))
        try:
            found = accounts.openid.end(came, held)
        except NotSignedIn as error:
            return drawn(str(error), status=403)
        response = signed_in(request, found)
        response.delete_cookie(_WAY)
        return response

    def signed_in(request: Request, account: Account) -> Response:
        response = RedirectResponse("/", 303)
        # What this browser held before is not left behind for somebody else.
        logins.end(request.cookies.get(COOKIE, ""))
        _keep(response, COOKIE, logins.begin(account), request, DAYS * 24 * 3600)
        return response

    def out(request: Request) -> Response:
        logins.end(request.cookies.get(COOKIE, ""))
        response = RedirectResponse("/sign-in", 303)
        response.delete_cookie(COOKIE)
        return response

    return (
        Route("/sign-in", page, methods=["GET"]),
        Route("/sign-in", by_password, methods=["POST"]),
        Route("/sign-in/begin", begin, methods=["POST"]),
        Route("/sign-in/back", back, methods=["GET"]),
        Route("/sign-in/out", out, methods=["POST"]),
    )


def _with_query(address: str, query: str) -> str:
    """An address with another query."""
    return urlsplit(address)._replace(query=query).geturl()


def _onwards(address: str) -> str:
    to = escape(address)
    return (
        f'<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url={to}">'
        f'<title>ControlLLM</title><p><a href="{to}">{escape(say("accounts.onwards"))}</a></p>'
    )


def _keep(response: Response, name: str, value: str, request: Request, seconds: int) -> None:
    # Lax: the way back from a provider comes from its page.
    response.set_cookie(
        name,
        value,
        max_age=seconds,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )


def sign_in_page(accounts: Accounts, said: str = "", name: str = "") -> str:
    """The page on which somebody signs in, which needs no script; `said` is why the try before did
    not succeed."""
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
