"""Films and series: found by Wikipedia, with director, cast, year and length from Wikidata."""

from __future__ import annotations

import re
from typing import Any

from controlllm.toolbox import Context, ToolError

from ..cloud.public_services import Service, ServiceError, fetch_json, reading
from ..shared.tables import patterns_beside
from .encyclopedia import Article, article_said, search_articles

WIKIDATA = Service("Wikidata", "https://www.wikidata.org")
_PATTERNS = patterns_beside(__file__)
#: Properties of Wikidata with their words.
_FACTS = {"P57": "Director", "P161": "With", "P136": "Genre"}


def about_film(title: str, year: int | None = None, context: Context | None = None) -> str:
    """What is known of a film or series: year, director, cast, length, genre and what it is about.

    Raises ToolError where there is none of that title.
    """
    if not re.search(r"\w", title):
        raise ToolError("There is no title to search for; name a film.")
    context = context or Context()
    context.progress(0.1, "asking Wikipedia for the film")
    articles = search_articles(f"{title} {year or ''} film", context)
    articles = [item for item in articles if _is_film(item)]

    def misfit(item: Article) -> tuple[bool, bool]:
        bare = re.sub(r"\s*\([^()]*\)$", "", item.title).lower()
        told = f"{item.title} {item.description} {item.extract[:200]}"
        return bool(year) and str(year) not in told, bare != title.lower()

    articles.sort(key=misfit)
    if not articles:
        raise ToolError(f"Wikipedia has no film called “{title[:60]}”; check the title.")
    context.progress(0.5, "asking Wikidata who made it")
    try:
        with reading(WIKIDATA):
            facts = _facts(articles[0].item, context)
    except ServiceError as error:
        facts = f"Director and cast are missing: {error}"
    return article_said(articles, facts, "Others like it")


def _is_film(item: Article) -> bool:
    told = f"{item.description or item.extract[:200]} {item.title}"
    return bool(_PATTERNS["kind"].search(told)) and not _PATTERNS["no_film"].search(told)


def _entities(codes: list[str], what: str, context: Context) -> dict[str, Any]:
    """What Wikidata has of some items: their "claims" or "labels"."""
    asked = {"action": "wbgetentities", "format": "json", "ids": "|".join(codes)}
    asked |= {"props": what, "languages": "en|mul"}
    found = fetch_json(WIKIDATA, "w/api.php", asked, context=context)["entities"] if codes else {}
    return {code: item.get(what, {}) for code, item in found.items()}


def _facts(item: str, context: Context) -> str:
    """Year, makers and length, a fact on a line, as Wikidata has them of an item."""
    claims = _entities([item] if item else [], "claims", context).get(item, {})

    def values(code: str) -> list[Any]:
        told = [claim for claim in claims.get(code, []) if claim.get("rank") != "deprecated"]
        found = [claim["mainsnak"].get("datavalue", {}).get("value") for claim in told]
        return [value for value in found if value]

    made = {name: [value["id"] for value in values(code)[:6]] for code, name in _FACTS.items()}
    named = _entities(list(dict.fromkeys(sum(made.values(), []))), "labels", context)
    years = [found[1] for one in values("P577") if (found := re.match(r"\+(\d{4})", one["time"]))]
    lines = [f"Year: {min(years)}"] if years else []
    for name, codes in made.items():
        labels = [next(iter(named[code].values()))["value"] for code in codes if named.get(code)]
        lines += [f"{name}: {', '.join(labels)}"] if labels else []
    minutes = [float(one["amount"]) for one in values("P2047") if one["unit"].endswith("/Q7727")]
    return "\n".join(lines + [f"Length: {minutes[0]:.0f} minutes"] * bool(minutes))
