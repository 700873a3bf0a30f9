"""Films and series: found by Wikipedia, with director, cast, year and length from Wikidata."""

from __future__ import annotations

import re
from typing import Any

from controlllm.toolbox import Context, ToolError
from tools.cloud.public_services import Service, ServiceError, fetch_json, reading
from tools.facts.encyclopedia import WIKIPEDIA, Article, article_said, search_articles
from tools.shared.tables import patterns_beside

WIKIDATA = Service("Wikidata", "https://www.wikidata.org")
_PATTERNS = patterns_beside(__file__)
#: Properties of Wikidata with their words.
_FACTS = {"P57": "Director", "P161": "With", "P136": "Genre"}


def about_film(
    title: str,
    year: int | None = None,
    context: Context | None = None,
    wikipedia: Service = WIKIPEDIA,
    wikidata: Service = WIKIDATA,
) -> str:
    """What is known of a film or series: year, director, cast, length, genre and what it is about.

    Raises ToolError where there is none of that title.
    """
    if not re.search(r"\w", title):
        raise ToolError("There is no title to search for; name a film.")
    context = context or Context()
    context.progress(0.1, f"asking {wikipedia.name} for the film")
    words = f"{title} {year or ''} film"
    articles = [item for item in search_articles(words, context, wikipedia) if _is_film(item)]

    def misfit(item: Article) -> tuple[bool, bool]:
        bare = re.sub(r"\s*\([^()]*\)$", "", item.title).lower()
        told = f"{item.title} {item.description} {item.extract[:200]}"
        return bool(year) and str(year) not in told, bare != title.lower()

    articles.sort(key=misfit)
    if not articles:
        raise ToolError(
            f"{wikipedia.name} has no film called “{title[:60]}”; check the title or add the year."
        )
    context.progress(0.5, f"asking {wikidata.name} who made it")
    try:
        with reading(wikidata):
            facts = _facts(articles[0].item, context, wikidata)
    except ServiceError as error:
        facts = f"Director and cast are missing: {error}"
    return article_said(articles, facts, "Others like it", wikipedia)


def _is_film(item: Article) -> bool:
    told = f"{item.description or item.extract[:200]} {item.title}"
    return bool(_PATTERNS["kind"].search(told)) and not _PATTERNS["no_film"].search(told)


def _facts(item: str, context: Context, wikidata: Service) -> str:
    """Year, makers and length, a fact on a line, as Wikidata has them of an item."""

    def entities(codes: list[str], what: str) -> Any:
        asked = {"action": "wbgetentities", "format": "json", "ids": "|".join(codes)}
        asked |= {"props": what, "languages": "en|mul"}
        answer = fetch_json(wikidata, "w/api.php", asked, context=context)
        return (answer or {}).get("entities", {})

    def values(code: str) -> list[Any]:
        told = [claim for claim in claims.get(code, []) if claim.get("rank") != "deprecated"]
        found = [claim["mainsnak"].get("datavalue", {}).get("value") for claim in told]
        return [value for value in found if value]

    claims = entities([item], "claims").get(item, {}).get("claims", {}) if item else {}
    made = {name: [value["id"] for value in values(code)[:6]] for code, name in _FACTS.items()}
    codes = list(dict.fromkeys(code for found in made.values() for code in found))
    named = entities(codes, "labels") if codes else {}
    years = [found[1] for one in values("P577") if (found := re.match(r"\+(\d{4})", one["time"]))]
    lines = [f"Year: {min(years)}"] if years else []
    for name, items in made.items():
        labels = [named.get(code, {}).get("labels", {}) for code in items]
        told = [next(iter(label.values()))["value"] for label in labels if label]
        lines += [f"{name}: {', '.join(told)}"] if told else []
    minutes = [float(one["amount"]) for one in values("P2047") if one["unit"].endswith("/Q7727")]
    return "\n".join(lines + [f"Length: {minutes[0]:.0f} minutes"] * bool(minutes))
