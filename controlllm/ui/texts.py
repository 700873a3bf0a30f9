"""What the page says, in the language of whoever reads it.

All texts lie in ``assets/texts``, a file for each language; English is what counts where another
has no text yet. A text is plain words with fields in braces, or a table of plural forms (``one``,
``other``, and what else a language has), chosen by the field ``count``.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache
from html import escape
from typing import Any

from babel import Locale
from babel.numbers import format_decimal, format_percent
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from controlllm.layout import ASSETS

USUAL = "en"
#: Holds the language that somebody chose; scripts of the page write it.
COOKIE = "controlllm-language"
_FOLDER = ASSETS / "texts"
#: What stands between them has a direction of its own: names of files amid Arabic words.
_ISOLATE, _END_OF_ISOLATE = "\u2068", "\u2069"
_language: ContextVar[str] = ContextVar("language", default=USUAL)

Text = str | Mapping[str, str]


def say(key: str, **values: object) -> str:
    """A text in the reader's language, its fields filled in; plain words, not yet escaped for HTML.

    Raises KeyError where no language has it.
    """
    language = current_language()
    text = texts_in(language)[key]
    if not isinstance(text, str):
        number = int(str(values["count"]))
        text = text.get(Locale.parse(language).plural_form(number)) or text["other"]
        values["count"] = in_figures(number)
    if values and direction_of(language) == "rtl":
        values = {name: _isolated(value) for name, value in values.items()}
    return text.format(**values) if values else text


def _isolated(value: object) -> object:
    return value if str(value).isdecimal() else f"{_ISOLATE}{value}{_END_OF_ISOLATE}"


def say_html(key: str, **values: object) -> str:
    """The same text, escaped for HTML with what fills its fields."""
    return escape(say(key, **values))


def in_figures(value: float, digits: int = 0) -> str:
    """A number as it is written in the reader's language, with so many decimal places."""
    pattern = "#,##0" + ("." + "0" * digits if digits else "")
    return format_decimal(value, pattern, current_language())


def percent(share: float) -> str:
    """A share of 1 in per cent, as it is written in the reader's language."""
    return format_percent(share, locale=current_language())


@cache
def languages() -> tuple[str, ...]:
    """The languages there are, the usual one first."""
    found = {path.stem for path in _FOLDER.glob("*.toml")}
    return (USUAL, *sorted(found - {USUAL}))


@cache
def texts_in(language: str) -> Mapping[str, Text]:
    """All texts by their keys (``section.name``), English where the language has none."""
    usual = {} if language == USUAL else texts_in(USUAL)
    read = tomllib.loads((_FOLDER / f"{language}.toml").read_text("utf-8"))
    return {
        **usual,
        **{f"{part}.{name}": text for part, texts in read.items() for name, text in texts.items()},
    }


def current_language() -> str:
    """The language of whoever is drawn for now."""
    return _language.get()


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """What is said inside is said in this language."""
    token = _language.set(language if language in languages() else USUAL)
    try:
        yield
    finally:
        # A generator that is given up is closed elsewhere than where it began.
        with suppress(ValueError):
            _language.reset(token)


def language_for(chosen: str, accepted: str) -> str:
    """The language to speak: what somebody chose, else what their browser asks for first of those
    there are (``Accept-Language``)."""
    if chosen in languages():
        return chosen
    offers: list[tuple[float, str]] = []
    for part in accepted.split(","):
        name, _, weight = part.partition(";q=")
        try:
            offers.append((float(weight or 1), name.strip().split("-")[0].lower()))
        except ValueError:
            continue
    wanted = [name for _, name in sorted(offers, key=lambda offer: -offer[0])]
    return next((name for name in wanted if name in languages()), USUAL)


@cache
def own_name_of(language: str) -> str:
    """What a language calls itself."""
    return str(Locale.parse(language).get_display_name(language))


@cache
def direction_of(language: str) -> str:
    """How a language is written: ``ltr`` or ``rtl``."""
    return str(Locale.parse(language).text_direction)


def details_of(language: str) -> dict[str, Any]:
    """What the page's scripts need to say the same."""
    return {
        "language": language,
        "direction": direction_of(language),
        "texts": dict(texts_in(language)),
    }


class Speaking:
    """Answers each request in the reader's language: that of a cookie, else of their browser."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = HTTPConnection(scope)
        accepted = request.headers.get("accept-language", "")
        with speaking(language_for(request.cookies.get(COOKIE, ""), accepted)):
            await self.app(scope, receive, send)
