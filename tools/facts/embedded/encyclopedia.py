"""Wikipedia's articles: a search, the beginning of the best article, what happened on a day."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from controlllm.toolbox import Context, ToolError
from tools.facts.embedded.web_source import Service, ServiceError, fetch_json

WIKIPEDIA = Service("Wikipedia", "https://en.wikipedia.org")
_HOUR = 3600.0
_LONGEST_QUERY = 250
_LONGEST_EXTRACT = 1500
_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
)


@dataclass(frozen=True)
class Article:
    """An article: its beginning as plain text, a short description, its item in Wikidata."""

    title: str
    extract: str
    description: str
    url: str
    item: str
    is_list: bool


def search_articles(
    words: str, context: Context | None = None, wikipedia: Service = WIKIPEDIA, most: int = 6
) -> list[Article]:
    """The articles that Wikipedia finds for some words, the best first."""
    # Quotation marks, colons and the like would be read as orders to the search.
    plain = " ".join(re.sub(r"[\"~*?|<>\[\]{}\\/!:^]+", " ", words).split())[:_LONGEST_QUERY]
    if not re.search(r"\w", plain):
        raise ToolError("There is nothing to look up; give me a name or a topic.")
    answer = fetch_json(
        wikipedia,
        "w/api.php",
        {
            "action": "query",
            "format": "json",
            "formatversion": 2,
            "generator": "search",
            "gsrsearch": plain.lstrip("-"),
            "gsrlimit": most,
            "prop": "extracts|description|pageprops|info",
            "exintro": 1,
            "explaintext": 1,
            "exlimit": "max",
            "inprop": "url",
            "ppprop": "wikibase_item|disambiguation",
        },
        keep_seconds=_HOUR,
        context=context,
    )
    if isinstance(answer, Mapping) and isinstance(answer.get("error"), Mapping):
        raise ServiceError(f"{wikipedia.name} did not understand the request; use other words.")
    pages = answer.get("query", {}).get("pages", []) if isinstance(answer, Mapping) else []
    found = [page for page in pages if isinstance(page, Mapping) and page.get("title")]
    found.sort(key=lambda page: page.get("index", 1000))
    return [_article(page) for page in found]


def _article(page: Mapping[str, Any]) -> Article:
    properties = page.get("pageprops") or {}
    return Article(
        str(page["title"]),
        " ".join(str(page.get("extract") or "").split()),
        str(page.get("description") or ""),
        str(page.get("canonicalurl") or page.get("fullurl") or ""),
        str(properties.get("wikibase_item") or ""),
        "disambiguation" in properties,
    )


def look_up(topic: str, context: Context | None = None, wikipedia: Service = WIKIPEDIA) -> str:
    """The beginning of the article on a topic, with its address and the next best articles."""
    context = context or Context()
    context.progress(0.2, f"asking {wikipedia.name}")
    articles = search_articles(topic, context, wikipedia)
    if not articles:
        raise ToolError(
            f"{wikipedia.name} has no article on “{shortened(topic, 60)}”; use other words or "
            "check the spelling."
        )
    named = [item for item in articles if item.title.casefold() == topic.casefold()]
    told = [item for item in named + articles if item.extract and not item.is_list]
    best = told[0] if told else articles[0]
    heading = f"{best.title}: {best.description}" if best.description else best.title
    lines = [heading, "", shortened(best.extract, _LONGEST_EXTRACT) or "The article has no text."]
    if best.url:
        lines += ["", f"Source: {wikipedia.name}, {best.url}"]
    others = [item.title for item in articles if item is not best]
    if others:
        lines.append(f"Other articles: {'; '.join(others)}.")
    return "\n".join(lines)


def shortened(text: str, length: int) -> str:
    """The text up to the last sentence, or else word, that ends within a length."""
    if len(text) <= length:
        return text
    end = max(text.rfind(mark, 0, length) for mark in (". ", "! ", "? "))
    if end > length // 2:
        return text[: end + 1]
    return text[:length].rsplit(" ", 1)[0].rstrip(",;:") + " …"


def happened_on(
    month: int,
    day: int,
    year: int | None = None,
    context: Context | None = None,
    wikipedia: Service = WIKIPEDIA,
) -> list[str]:
    """Events of a day of the year, ``1776: ...``; those of a given year first, three at most."""
    answer = fetch_json(
        wikipedia,
        f"api/rest_v1/feed/onthisday/selected/{month:02}/{day:02}",
        keep_seconds=_HOUR,
        whole_seconds=6.0,
        context=context,
    )
    events = answer.get("selected", []) if isinstance(answer, Mapping) else []
    told = [
        (int(event["year"]), " ".join(str(event["text"]).split()))
        for event in events
        if isinstance(event, Mapping) and event.get("text") and event.get("year") is not None
    ]
    told.sort(key=lambda event: event[0] != year)
    return [f"{when if when > 0 else f'{-when} BC'}: {what}" for when, what in told[:3]]


def happened_in(
    year: int, context: Context | None = None, wikipedia: Service = WIKIPEDIA
) -> list[str]:
    """Up to three events of a year, spread over it, ``20 July: ...``; below 1 are years BC."""
    title = f"{1 - year} BC" if year < 1 else f"AD {year}" if year < 1000 else str(year)
    answer = fetch_json(
        wikipedia,
        "w/api.php",
        {
            "action": "query",
            "format": "json",
            "formatversion": 2,
            "prop": "extracts",
            "explaintext": 1,
            "redirects": 1,
            "titles": title,
        },
        keep_seconds=_HOUR,
        whole_seconds=6.0,
        context=context,
    )
    pages = answer.get("query", {}).get("pages", []) if isinstance(answer, Mapping) else []
    text = str(pages[0].get("extract") or "") if pages and isinstance(pages[0], Mapping) else ""
    part = re.search(
        r"^==\s*Events\b[^\n]*==\s*$(.*?)(?=^==\s*\w[^=\n]*==\s*$|\Z)", text, re.M | re.S
    )
    found = re.findall(
        rf"^({_MONTH})\s(\d{{1,2}})\s*[–—-]\s*(\S.{{20,300}})$", part[1] if part else "", re.M
    )
    step = max(len(found) // 3, 1)
    return [f"{day} {month}: {what.strip()}" for month, day, what in found[::step][:3]]
