"""Films and series: found by Wikipedia, with director, cast, year and length from Wikidata."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from controlllm.toolbox import Context, ToolError
from tools.facts.embedded.encyclopedia import WIKIPEDIA, Article, search_articles, shortened
from tools.facts.embedded.web_source import Service, ServiceError, fetch_json

WIKIDATA = Service("Wikidata", "https://www.wikidata.org")
_DAY = 86_400.0
_LONGEST_PLOT = 900
_KIND = re.compile(
    r"\b(?:film|movie|miniseries|series|sitcom|anime|television|documentary)\b", re.I
)
#: What is about films and is none: lists, franchises, people.
_NO_FILM = re.compile(
    r"\b(?:actor|actress|director|producer|franchise|list of|soundtrack|awards?|festival|studio|"
    r"character|novel|book|composer|album|company|series of films|film series)\b",
    re.I,
)
#: Properties of Wikidata, with the words for one and for several, and how many are told.
_FACTS = (
    ("P57", "Director", "Directors", 3),
    ("P58", "Writer", "Writers", 3),
    ("P161", "With", "With", 6),
    ("P86", "Music", "Music", 2),
    ("P136", "Genre", "Genres", 4),
    ("P495", "Country", "Countries", 3),
)


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
    words = f"{title} {year} film" if year else f"{title} film"
    articles = [item for item in search_articles(words, context, wikipedia) if _is_film(item)]
    if not articles:
        raise ToolError(
            f"{wikipedia.name} has no film called “{shortened(title, 60)}”; check the title or add "
            "the year."
        )
    best = max(articles, key=lambda item: _fit(item, title, year))
    facts, missing = [], ""
    if best.item:
        context.progress(0.5, f"asking {wikidata.name} who made it")
        try:
            facts = _facts(best.item, context, wikidata)
        except ServiceError as error:
            missing = f"Director and cast are missing: {error}"
    name = re.sub(r"\s*\([^()]*\)$", "", best.title)
    lines = [f"{name}: {best.description}" if best.description else name]
    lines += facts
    lines += [missing] if missing else []
    if best.extract:
        lines += ["", shortened(best.extract, _LONGEST_PLOT)]
    lines += ["", "Source: " + ", ".join(filter(None, [wikipedia.name, best.url]))]
    if facts:
        lines[-1] += f"; {wikidata.name}"
    others = [item.title for item in articles if item is not best]
    if others:
        lines.append(f"Others like it: {'; '.join(others[:4])}.")
    return "\n".join(lines)


def _is_film(item: Article) -> bool:
    if item.is_list or item.title.lower().startswith("list of"):
        return False
    told = f"{item.description} {item.title}" if item.description else item.extract[:200]
    return bool(_KIND.search(told)) and not _NO_FILM.search(told)


def _fit(item: Article, title: str, year: int | None) -> float:
    """How well an article fits a title and a year; of equals the first found stays first."""
    bare = re.sub(r"\s*\([^()]*\)$", "", item.title).casefold()
    wanted = title.casefold()
    fit = 2.0 if _letters(bare) == _letters(wanted) else 1.0 if wanted in bare else 0.0
    if year and str(year) in f"{item.title} {item.description} {item.extract[:200]}":
        fit += 2.0
    return fit


def _letters(text: str) -> str:
    return re.sub(r"^the|\W+", "", text)


def _facts(item: str, context: Context, wikidata: Service) -> list[str]:
    entity = _entities([item], "claims", context, wikidata).get(item, {})
    claims = entity.get("claims", {}) if isinstance(entity, Mapping) else {}
    wanted = {code: _items(claims.get(code, []))[:most] for code, _, _, most in _FACTS}
    codes = list(dict.fromkeys(code for found in wanted.values() for code in found))
    named = _entities(codes[:50], "labels", context, wikidata) if codes else {}
    lines = []
    years = sorted(_years(claims.get("P577", [])))
    if years:
        lines.append(f"Year: {years[0]}")
    for code, one, several, _ in _FACTS:
        labels = [label for item in wanted[code] if (label := _label(named.get(item)))]
        if labels:
            lines.append(f"{one if len(labels) == 1 else several}: {', '.join(labels)}")
    minutes = _minutes(claims.get("P2047", []))
    if minutes:
        lines.append(f"Length: {minutes:.0f} minutes")
    return lines


def _entities(
    codes: Iterable[str], properties: str, context: Context, wikidata: Service
) -> Mapping[str, Any]:
    answer = fetch_json(
        wikidata,
        "w/api.php",
        {
            "action": "wbgetentities",
            "format": "json",
            "ids": "|".join(codes),
            "props": properties,
            "languages": "en|mul",
        },
        keep_seconds=_DAY,
        context=context,
    )
    found = answer.get("entities", {}) if isinstance(answer, Mapping) else {}
    return found if isinstance(found, Mapping) else {}


def _values(claims: Any) -> list[Any]:
    """The values of the best statements: the preferred ones, or else all that are not withdrawn."""
    if not isinstance(claims, list):
        return []
    good = [claim for claim in claims if claim.get("rank") != "deprecated"]
    best = [claim for claim in good if claim.get("rank") == "preferred"] or good
    values = [claim.get("mainsnak", {}).get("datavalue", {}).get("value") for claim in best]
    return [value for value in values if value is not None]


def _items(claims: Any) -> list[str]:
    return [
        value["id"] for value in _values(claims) if isinstance(value, Mapping) and "id" in value
    ]


def _years(claims: Any) -> list[int]:
    times = [str(value.get("time", "")) for value in _values(claims) if isinstance(value, Mapping)]
    return [int(found[1]) for time in times if (found := re.match(r"\+(\d{4})", time))]


def _minutes(claims: Any) -> float | None:
    for value in _values(claims):
        if isinstance(value, Mapping) and str(value.get("unit", "")).endswith("/Q7727"):
            return float(value.get("amount", 0))
        if isinstance(value, Mapping) and str(value.get("unit", "")).endswith("/Q11574"):
            return float(value.get("amount", 0)) / 60
    return None


def _label(entity: Any) -> str:
    labels = entity.get("labels", {}) if isinstance(entity, Mapping) else {}
    label = labels.get("en") or labels.get("mul") or {}
    return str(label.get("value", ""))
