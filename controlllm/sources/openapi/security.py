"""Proving to a server who asks: keys, passwords and tokens, put where its document wants them."""

from __future__ import annotations

import base64
import hashlib
import json
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import quote, urlencode, urljoin

from controlllm.network.addresses import Place
from controlllm.network.transport import place_of
from controlllm.resources.well_formed import json_from_outside
from controlllm.sources.fetching import Answer, Asked, Bounds, fetch
from controlllm.sources.naming import shortened
from controlllm.sources.openapi.servers import role_of
from controlllm.sources.secrets import secret
from controlllm.sources.source import ForeignTool, Source
from controlllm.toolbox import Code, Context, ToolError

_TOKEN_BOUNDS = Bounds(seconds=20.0, most_bytes=64 * 1024, redirects=0)
#: A token is asked for anew so many seconds before it ends.
_EARLIER = 30.0
_USUAL_SECONDS = 300.0

_LOCK = threading.Lock()
#: Tokens with the time of their end, by what they were asked with.
_TOKENS: dict[str, tuple[str, float]] = {}


@dataclass(frozen=True)
class Proof:
    """What a request has to hold besides; `told` is all that must not be shown to anybody."""

    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    query: Mapping[str, str] = field(default_factory=dict, repr=False)
    cookies: Mapping[str, str] = field(default_factory=dict, repr=False)
    told: tuple[str, ...] = field(default=(), repr=False)
    tokens: tuple[str, ...] = ()


def server_of(source: Source, tool: ForeignTool) -> str:
    """Where a tool is asked: the place of its own that the document names, else the source's."""
    return str(tool.call.get("server") or source.options["server"])


def proof_of(source: Source, tool: ForeignTool, own: Place | None, context: Context) -> Proof:
    """What a call of a tool has to prove.

    Of the choices that the document gives, the first for which the source has secrets. They are
    for the source's place alone: that the document names another one for a tool sends them
    nowhere else. Raises ToolError where it has them for none, or one is not set.
    """
    choices = tool.call.get("security") or [[]]
    schemes = source.options.get("schemes") or {}
    where = place_of(server_of(source, tool))
    if where != place_of(source.options["server"]):
        if [] in choices:
            return Proof()
        raise ToolError(
            f"{tool.name} is asked at {where} and wants to know who asks, but secrets are for "
            f"{place_of(source.options['server'])} alone. Add the document once more as a source "
            f"of its own, with --server {where} and the secret.",
            Code.UNAUTHORISED,
        )
    lacking = ""
    for choice in sorted(choices, key=lambda choice: not choice):
        roles = {scheme: role_of(scheme, schemes, source.secrets) for scheme in choice}
        if all(roles.values()):
            return _proof(source, roles, schemes, own, context)
        lacking = lacking or next(scheme for scheme, role in roles.items() if not role)
    kind = schemes.get(lacking, {}).get("kind", "")
    lacking = shortened(lacking, 60)
    raise ToolError(
        f"{source.name} wants to know who asks ({lacking}{f', {kind}' if kind else ''}), and no "
        f"secret is named for it. Add the source again with --secret {lacking}=NAME.",
        Code.UNAUTHORISED,
    )


def _proof(
    source: Source,
    roles: Mapping[str, str],
    schemes: Mapping[str, Mapping[str, str]],
    own: Place | None,
    context: Context,
) -> Proof:
    held: dict[str, dict[str, str]] = {"header": {}, "query": {}, "cookie": {}}
    told: list[str] = []
    tokens: list[str] = []
    for scheme, role in roles.items():
        value, given = secret(source.secrets[role], source.home), schemes[scheme]
        place, name, sent = given["kind"], given.get("name", "Authorization"), value
        told.append(value)
        if place == "cookie":
            sent = quote(value, safe="")
            told.append(sent)
        elif place == "bearer":
            sent = f"Bearer {value}"
        elif place == "basic":
            packed = base64.b64encode(value.encode()).decode()
            sent = f"Basic {packed}"
            told += [packed, *value.split(":", 1)[1:]]
        elif place == "oauth2":
            key = _key(source, given["token"], value)
            token = _token(source, given["token"], value, key, own, context)
            sent = f"Bearer {token}"
            told += [token, *value.split(":", 1)[1:]]
            tokens.append(key)
        held[place if place in held else "header"][name] = sent
    header, query, cookie = held.values()
    return Proof(header, query, cookie, tuple(filter(None, told)), tuple(tokens))


def forget(proof: Proof) -> bool:
    """Drop the tokens of a proof that a server did not take; whether there were any."""
    with _LOCK:
        for key in proof.tokens:
            _TOKENS.pop(key, None)
    return bool(proof.tokens)


def hidden(text: str, told: tuple[str, ...]) -> str:
    """A text without secrets, should a server have repeated them."""
    for value in sorted(told, key=len, reverse=True):
        if len(value) >= 4:
            for form in {value, quote(value, safe=""), json.dumps(value)[1:-1]}:
                text = text.replace(form, "(secret)")
    return text


def _key(source: Source, address: str, value: str) -> str:
    told = "\n".join((source.name, source.options.get("server", ""), address, value))
    return hashlib.sha256(told.encode()).hexdigest()


def _token(
    source: Source, address: str, value: str, key: str, own: Place | None, context: Context
) -> str:
    """An access token for client credentials (RFC 6749, 4.4), kept until it ends."""
    with _LOCK:
        token, end = _TOKENS.get(key, ("", 0.0))
        if token and time.monotonic() < end:
            return token
    client, colon, word = value.partition(":")
    if not colon:
        raise ToolError(
            f"The secret for {source.name} is to be a client's id and secret with a colon between.",
            Code.UNAUTHORISED,
        )
    url = urljoin(f"{source.options['server']}/", address)
    form = {"grant_type": "client_credentials"}
    packed = base64.b64encode(f"{quote(client, safe='')}:{quote(word, safe='')}".encode()).decode()
    answer = _asked(url, form, {"Authorization": f"Basic {packed}"}, own, context)
    if answer.status in (400, 401):
        # Some servers want them in the form only.
        form |= {"client_id": client, "client_secret": word}
        answer = _asked(url, form, {}, own, context)
    try:
        told = json_from_outside(answer.content) if answer.status == 200 else {}
        found = str(told["access_token"])
        seconds = float(told.get("expires_in") or _USUAL_SECONDS)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise ToolError(
            f"{source.name} gave no token for its client ({answer.status}). Check the secret.",
            Code.UNAUTHORISED,
        ) from None
    if not found.isprintable() or not found.isascii():
        raise ToolError(f"{source.name} gave a token that cannot be sent.", Code.UNAUTHORISED)
    with _LOCK:
        _TOKENS[key] = found, time.monotonic() + max(seconds - _EARLIER, seconds / 2)
    return found


def _asked(
    url: str,
    form: Mapping[str, str],
    secrets: Mapping[str, str],
    own: Place | None,
    context: Context,
) -> Answer:
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
    asked = Asked("POST", url, headers, urlencode(form).encode(), secrets)
    return fetch(asked, own, context, _TOKEN_BOUNDS)
