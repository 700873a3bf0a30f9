"""Tools that look things up: weather, places, times, facts, films, Wikipedia.

What can be reckoned here is. A service on the network is asked only where the person has allowed
it; where it cannot be reached, what can be reckoned is told with a word about the rest.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from datetime import date as Date
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from controlllm.toolbox import Argument, Context, Tool, ToolDefinition, ToolError

from ..cloud.public_services import ServiceError, reason_not_allowed
from ..shared.tables import table_beside
from . import encyclopedia, films, places_online, weather_report
from .embedded import asked_words, dates, numbers, time_zones

_LONGEST = 2000
_TOOLS = table_beside(__file__)
#: Words of a request that the calendar does not answer.
_HISTORY = (
    r"(?i)\b(?:happen|histor|event|born|died|famous|known for|battle|war\b|invent|took place)"
)
#: What every way over the network needs.
_ONLINE: dict[str, Any] = {
    "runtime": "cloud",
    "packages": ["httpx", "tzdata"],
    "check": reason_not_allowed,
    "deterministic": False,
}


def _promise(name: str) -> ToolDefinition:
    """A tool that takes a few words and returns a text, as `lookup.toml` has it."""
    said = _TOOLS[name]
    taken = Argument(said["argument"], "text", said["about"], optional="optional" in said)
    words = (tuple(said["examples"]), (), tuple(said.get("alias", ())))
    returned = Argument("result", "text")
    return ToolDefinition(Tool(name, said["description"], "public-api", (taken,), returned, *words))


get_weather = _promise("get_weather")
get_location = _promise("get_location")
get_time = _promise("get_time")
get_date_fact = _promise("get_date_fact")
get_year_fact = _promise("get_year_fact")
get_math_fact = _promise("get_math_fact")
get_trivia_fact = _promise("get_trivia_fact")
search_movie = _promise("search_movie")
wikipedia_simple_search = _promise("wikipedia_simple_search")
love_calculator = _promise("love_calculator")


@get_weather.implementation(**_ONLINE)
def _weather(place: str, context: Context | None = None) -> str:
    return weather_report.weather(_place(place), place, context)


@get_location.implementation("embedded", packages=["tzdata"])
def _location_here(place: str) -> str:
    return time_zones.place_known_here(_place(place))


@get_location.implementation(**_ONLINE)
def _location(place: str, context: Context | None = None) -> str:
    return places_online.describe_place(_place(place), context)


@get_time.implementation("embedded", packages=["tzdata"], deterministic=False)
def _time_here(place: str | None = None) -> str:
    return time_zones.time_said(_place_of_time(place or ""), datetime.now().astimezone())


@get_time.implementation(**_ONLINE)
def _time_elsewhere(place: str | None = None, context: Context | None = None) -> str:
    named = _place_of_time(place or "")
    if not named:
        return _time_here(place)
    name, zone = weather_report.zone_of(named, context)
    return time_zones.time_at(name, datetime.now(ZoneInfo(zone)))


def _place(text: str) -> str:
    place = asked_words.place_asked(_short(text))
    if not place:
        raise ToolError("Which place do you mean? Name a town, such as Paris.")
    return place


def _place_of_time(text: str) -> str:
    """The place whose time a request wants, "" for here: "Do you have the time?" names none."""
    place = asked_words.place_asked(_short(text))
    # "Return the time": a capital says nothing where a sentence begins.
    is_named = place[:1].isupper() and not text.startswith(place)
    is_named = is_named or bool(re.search(rf"(?:\bin |^){re.escape(place)}\W*$", text))
    return place if is_named or time_zones.zones_of(place) else ""


@get_math_fact.implementation("embedded")
def _math_fact(number: str) -> str:
    return numbers.maths_facts(numbers.number_asked(_short(number)))


@get_trivia_fact.implementation("embedded")
def _trivia_fact(number: str) -> str:
    return numbers.word_facts(numbers.number_asked(_short(number)))


@get_year_fact.implementation("embedded", deterministic=False)
def _year_fact(year: str, context: Context | None = None) -> str:
    asked = dates.read_year(_short(year), Date.today())
    return _without_history(dates.facts_of_year(asked, Date.today()), year, context)


@get_year_fact.implementation(**_ONLINE)
def _year_fact_and_history(year: str, context: Context | None = None) -> str:
    asked = dates.read_year(_short(year), Date.today())
    said = dates.facts_of_year(asked, Date.today())
    return _with_history(said, lambda: encyclopedia.happened_in(asked, context))


@get_date_fact.implementation("embedded", deterministic=False)
def _date_fact(date: str, context: Context | None = None) -> str:
    asked = dates.read_date(_short(date), Date.today())
    return _without_history(dates.facts_of_date(asked, Date.today()), date, context)


@get_date_fact.implementation(**_ONLINE)
def _date_fact_and_history(date: str, context: Context | None = None) -> str:
    asked = dates.read_date(_short(date), Date.today())
    said = dates.facts_of_date(asked, Date.today())
    return _with_history(said, lambda: encyclopedia.happened_on(asked, context))


def _without_history(said: str, asked: str, context: Context | None) -> str:
    """Facts of the calendar, with a word where more was asked for than the calendar knows.

    Raises ToolError where that may be looked up, so that it is.
    """
    if not re.search(_HISTORY, asked):
        return said
    if context is not None and context.capabilities.public_services:
        raise ToolError("What happened then can only be looked up on the network.")
    more = "What happened then I can only look up on the network; allow public services for that."
    return f"{said}\n{more}"


def _with_history(said: str, looked_up: Callable[[], list[str]]) -> str:
    """What a service tells and what was reckoned here, or why it tells nothing."""
    try:
        return "\n".join([*looked_up(), said])
    except ServiceError as error:
        return f"{said}\nI could not look up more: {error}"


@search_movie.implementation(**_ONLINE)
def _film(title: str, context: Context | None = None) -> str:
    return films.about_film(*asked_words.title_asked(_short(title)), context)


@wikipedia_simple_search.implementation(**_ONLINE)
def _wikipedia(text: str, context: Context | None = None) -> str:
    return encyclopedia.look_up(asked_words.topic_asked(text[:_LONGEST]), context)


@love_calculator.implementation("embedded")
def _love(names: str) -> str:
    pair = asked_words.names_asked(_short(names))
    letters = unicodedata.normalize("NFKD", "".join(pair or "").lower())
    if pair is None or not re.search("[a-z]", letters):
        raise ToolError("Give me two names in Latin letters, such as “Romeo and Juliet”.")
    # How often the letters of LOVES stand in both names; neighbours are added until two are left.
    row = [letters.count(letter) % 10 for letter in "loves"]
    while len(row) > 2:
        row = [(one + two) % 10 for one, two in zip(row, row[1:], strict=False)]
    return (
        f"{pair[0]} and {pair[1]}: {10 * row[0] + row[1]} %.\nThis is a game with the letters L, "
        "O, V, E and S in the two names; it says nothing about people."
    )


def _short(text: str) -> str:
    if len(text) > _LONGEST:
        raise ToolError("That is too long for this. Give me the few words that matter.")
    return text
