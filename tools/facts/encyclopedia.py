"""Wikipedia's articles: a search, the beginning of the best article, what happened on a day."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import Any

from controlllm.toolbox import Context, ToolError

from ..cloud.public_services import WHOLE_SECONDS, Service, fetch_json, reading

WIKIPEDIA = Service("Wikipedia", "https://en.wikipedia.org")
#: What happened is told beside facts of the calendar, which do not wait long for it.
HISTORY_SECONDS = 6.0
_LONGEST = 1500


@dataclass(frozen=True)
class Article:
    """An article: its beginning as plain text, a short description, its item in Wikidata."""

    title: str
    extract: str
    description: str
    url: str
    item: str


def _pages(context: Context | None, seconds: float, **asked: object) -> list[Any]:
    asked |= {"action": "query", "format": "json", "formatversion": 2, "explaintext": 1}
    answer = fetch_json(WIKIPEDIA, "w/api.php", asked, whole_seconds=seconds, context=context)
    with reading(WIKIPEDIA):
        if "error" in answer:
            raise ValueError("it did not understand what was asked")
        return list(answer.get("query", {}).get("pages", []))


def search_articles(words: str, context: Context | None = None) -> list[Article]:
    """The articles that Wikipedia finds for some words, the best first, without lists."""
    # Quotation marks, colons and the like would be read as orders to the search.
    plain = " ".join(re.sub(r"[\"~*?|<>\[\]{}\\/!:^]+", " ", words).split())[:250].lstrip("-")
    if not re.search(r"\w", plain):
        raise ToolError("There is nothing to look up; give me a name or a topic.")
    pages = _pages(
        context,
        WHOLE_SECONDS,
        generator="search",
        gsrsearch=plain,
        gsrlimit=6,
        prop="extracts|description|pageprops|info",
        exintro=1,
        exlimit="max",
        inprop="url",
        ppprop="wikibase_item|disambiguation",
    )
    with reading(WIKIPEDIA):
        return [
            Article(
                page["title"],
                " ".join((page.get("extract") or "").split()),
                page.get("description") or "",
                page.get("canonicalurl") or "",
                page.get("pageprops", {}).get("wikibase_item", ""),
            )
            for page in sorted(pages, key=lambda page: page["index"])
            if "disambiguation" not in page.get("pageprops", {})
        ]


def look_up(topic: str, context: Context | None = None) -> str:
    """The beginning of the article on a topic, with its address and the next best articles."""
    (context or Context()).progress(0.2, "asking Wikipedia")
    articles = search_articles(topic, context)
    articles.sort(key=lambda item: (not item.extract, item.title.lower() != topic.lower()))
    if not articles:
        raise ToolError(f"Wikipedia has no article on “{topic[:60]}”; use other words.")
    return article_said(articles, "", "Other articles")


def article_said(articles: list[Article], facts: str, also: str) -> str:
    """The first of some articles with facts about it, its source and the titles of the others."""
    best, *others = articles
    name = re.sub(r"\s\([^()]*\)$", "", best.title)
    lines = [f"{name}: {best.description}", *filter(None, [facts]), "", best.extract[:_LONGEST], ""]
    lines.append(f"Source: Wikipedia, {best.url}")
    lines += [f"{also}: {'; '.join(item.title for item in others)}."] * bool(others)
    return "\n".join(lines)


def happened_on(day: date, context: Context | None = None) -> list[str]:
    """Events of a day of the year, ``1776: ...``; those of its own year first, three at most."""
    path = f"api/rest_v1/feed/onthisday/selected/{day:%m/%d}"
    answer = fetch_json(WIKIPEDIA, path, whole_seconds=HISTORY_SECONDS, context=context)
    with reading(WIKIPEDIA):
        events = [(event["year"], event["text"]) for event in (answer or {}).get("selected", [])]
        events.sort(key=lambda event: event[0] != day.year)
        return [f"{when if when > 0 else f'{-when} BC'}: {what}" for when, what in events[:3]]


def happened_in(year: int, context: Context | None = None) -> list[str]:
    """Up to three events of a year, spread over it, ``20 July: ...``; below 1 are years BC."""
    title = f"{1 - year} BC" if year < 1 else f"AD {year}" if year < 1000 else str(year)
    pages = _pages(context, HISTORY_SECONDS, prop="extracts", redirects=1, titles=title)
    with reading(WIKIPEDIA):
        text = pages[0].get("extract", "") if pages else ""
    part = re.search(r"^==\s*Events\b[^\n]*==$(.*?)(?=^==\s*\w[^=\n]*==$|\Z)", text, re.M | re.S)
    events = r"^([A-Z][a-z]{2,8})\s(\d{1,2})\s*[–—-]\s*(\S.{20,300})$"
    found = re.findall(events, part[1] if part else "", re.M)
    step = max(len(found) // 3, 1)
    return [f"{day} {month}: {what.strip()}" for month, day, what in found[::step][:3]]
