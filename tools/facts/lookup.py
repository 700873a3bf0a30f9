"""Tools that look things up: weather, places, times, facts, films, Wikipedia.

What can be reckoned here is. A service on the network is asked only where the person has allowed
it; where it cannot be reached, what can be reckoned is told with a word about the rest.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime
from zoneinfo import ZoneInfo

from controlllm.resources import Text
from controlllm.toolbox import Context, ToolError, tool
from tools.facts.embedded import (
    asked_words,
    calendar_facts,
    encyclopedia,
    films,
    love_score,
    number_facts,
    places_online,
    time_zones,
    weather_report,
)
from tools.facts.embedded.number_lore import number_lore
from tools.facts.embedded.web_source import ServiceError, reason_not_allowed
from tools.facts.embedded.written_dates import read_date, read_year

_LONGEST = 2000


@tool(
    domain="public-api",
    examples=[
        "What is the weather in Paris?",
        "Will it rain in Lisbon tomorrow?",
        "Do I need an umbrella in London today?",
        "How warm is it in Madrid right now?",
        "Show me the forecast for Oslo this weekend.",
        "Is it snowing in Denver?",
        "Tell me the temperature in Tokyo.",
        "I'm travelling to Rome on Friday; what should I expect of the weather?",
        "weather San Francisco",
    ],
    aliases=["weather"],
)
def get_weather(place: Text) -> Text:
    """Tell the weather at a place: temperature, rain, wind now and the forecast of the next days.

    Args:
        place: the town or place, such as "Paris" or "Will it rain in Lisbon tomorrow?"
    """


@get_weather.implementation(
    "cloud", packages=["httpx"], check=reason_not_allowed, deterministic=False
)
def _weather(place: str, context: Context | None = None) -> str:
    named = _place(place, "the weather")
    return weather_report.weather(named, place, context)


@tool(
    domain="public-api",
    examples=[
        "Where is Timbuktu?",
        "What are the coordinates of Berlin?",
        "Which country is Tallinn in?",
        "Find the Eiffel Tower on the map.",
        "Give me the address of the British Museum.",
        "Tell me the latitude and longitude of Nairobi.",
        "In which part of the world does Reykjavik lie?",
        "What is the postcode of Covent Garden?",
    ],
)
def get_location(place: Text) -> Text:
    """Tell where a place is: country, region, coordinates, address on the map.

    Args:
        place: the town, sight or address, such as "Timbuktu" or "Where is the Eiffel Tower?"
    """


@get_location.implementation("embedded", packages=["tzdata"])
def _location_here(place: str) -> str:
    return places_online.place_known_here(_place(place, "where it is"))


@get_location.implementation(
    "cloud", packages=["httpx", "tzdata"], check=reason_not_allowed, deterministic=False
)
def _location(place: str, context: Context | None = None) -> str:
    named = _place(place, "where it is")
    context = context or Context()
    context.progress(0.2, f"looking for {named}")
    try:
        return places_online.describe_place(named, context)
    except ServiceError as error:
        try:
            known = places_online.place_known_here(named)
        except ToolError:
            known = ""
        if not known:
            raise
        return f"{known}\nI could not look up more: {error}"


def _place(text: str, wanted: str) -> str:
    _check_length(text)
    place = asked_words.place_asked(text)
    if not place:
        raise ToolError(f"Of which place shall I tell {wanted}? Name a town, such as Paris.")
    return place


@tool(
    domain="public-api",
    examples=[
        "What time is it?",
        "What day is it today?",
        "What is the time in Tokyo?",
        "Tell me the current date.",
        "How late is it in New York now?",
        "Is it already tomorrow in Sydney?",
        "Which calendar week is this?",
        "Do you have the time?",
        "I want to call Nairobi; what do the clocks say there?",
    ],
    aliases=["time_date"],
)
def get_time(place: Text | None = None) -> Text:
    """Tell the current time, date and day of the week, here or in a city or country.

    Args:
        place: the city or country, where the time of another place is wanted
    """


@get_time.implementation("embedded", packages=["tzdata"], deterministic=False)
def _time_here(place: str | None = None) -> str:
    return time_zones.time_said(_place_of_time(place), datetime.now().astimezone())


@get_time.implementation(
    "cloud", packages=["httpx", "tzdata"], check=reason_not_allowed, deterministic=False
)
def _time_elsewhere(place: str | None = None, context: Context | None = None) -> str:
    named = _place_of_time(place)
    if not named:
        return _time_here(place)
    found = places_online.find_place(named, context)
    if not found.zone:
        raise ToolError(f"I found {found.full_name}, but not its time zone; name a town near it.")
    return time_zones.time_at(found.full_name, datetime.now(ZoneInfo(found.zone)))


def _place_of_time(text: str | None) -> str:
    """The place whose time a request wants, "" for here: "Do you have the time?" names none."""
    _check_length(text or "")
    place = asked_words.place_asked(text) if text else ""
    words = place.split()
    for start in range(len(words)):
        for end in range(len(words), start, -1):
            part = " ".join(words[start:end])
            # "Tell us", "a nice time": no country and no town, unless they stand alone.
            if part != place and part in ("us", "la", "nice", "rio", "est", "the states"):
                continue
            if time_zones.zones_of(part):
                return part
    if re.search(_NO_PLACE_OF_TIME, place, re.IGNORECASE):
        return ""
    asked = " ".join((text or "").split())
    named = re.search(rf"(?:\bin\s+|^){re.escape(place)}\W*$", asked, re.IGNORECASE)
    is_name = place[:1].isupper() and not asked.startswith(place)
    return place if named or is_name else ""


#: "In 24-hour format", "at home": where no clock could stand.
_NO_PLACE_OF_TIME = (
    r"\d|\b(?:format|hours?|home|time|week-?day|days?|date|noon|ISO|Unix|American|British|full|year|"
    r"january|february|march|april|may|june|july|august|september|october|november|december)\b"
)


@tool(
    domain="public-api",
    examples=[
        "Is 97 a prime number?",
        "What is special about 1729?",
        "Tell me a maths fact about forty-two.",
        "What are the factors of 360?",
        "Which mathematical properties does 28 have?",
        "Is 144 a Fibonacci number or a square?",
        "Write 2026 in binary and in Roman numerals.",
        "Does 6 count as a perfect number?",
    ],
    aliases=["math_fact"],
)
def get_math_fact(number: Text) -> Text:
    """Tell mathematical facts about a number: prime or not, factors, square, Fibonacci, binary.

    Args:
        number: the number, in figures or words, such as "1729" or "Is forty-two a prime?"
    """


@get_math_fact.implementation("embedded")
def _math_fact(number: str) -> str:
    _check_length(number)
    return number_facts.maths_facts(number_facts.number_asked(number))


@get_math_fact.implementation(
    "cloud", packages=["httpx"], check=reason_not_allowed, deterministic=False
)
def _math_fact_and_lore(number: str, context: Context | None = None) -> str:
    said = _math_fact(number)
    asked = number_facts.number_asked(number)
    if asked != int(asked):
        return said
    return _with_lore(said, lambda: [number_lore(f"{int(asked)}/math", context)])


@tool(
    domain="public-api",
    examples=[
        "Tell me a fun fact about the number 42.",
        "Some trivia about seven, please.",
        "What is interesting about the number 118?",
        "Which chemical element has the number 79?",
        "How is 1,000,001 written in words?",
        "Do you know anything curious about twelve?",
        "Amuse me with something about the number 13.",
        "What is a shape with 8 sides called?",
    ],
    aliases=["trivia_fact"],
)
def get_trivia_fact(number: Text) -> Text:
    """Tell curious facts about a number: its words, its chemical element, its shape, its names.

    Args:
        number: the number, in figures or words, such as "42" or "trivia about seven"
    """


@get_trivia_fact.implementation("embedded")
def _trivia_fact(number: str) -> str:
    _check_length(number)
    return number_facts.word_facts(number_facts.number_asked(number))


@get_trivia_fact.implementation(
    "cloud", packages=["httpx"], check=reason_not_allowed, deterministic=False
)
def _trivia_fact_and_lore(number: str, context: Context | None = None) -> str:
    said = _trivia_fact(number)
    asked = int(number_facts.number_asked(number))
    return _with_lore(said, lambda: [number_lore(f"{asked}/trivia", context)])


@tool(
    domain="public-api",
    examples=[
        "What happened in the year 1848?",
        "Was 1900 a leap year?",
        "Tell me a fact about the year 1969.",
        "When is Easter in 2030?",
        "Which Chinese zodiac animal belongs to 1988?",
        "What is known about nineteen eighty-four?",
        "How is 2026 written in Roman numerals, and on which day does that year begin?",
        "Something about 44 BC, please.",
    ],
    aliases=["year_fact"],
)
def get_year_fact(year: Text) -> Text:
    """Tell facts about a year: what happened, leap year, century, Easter, weekdays, zodiac animal.

    Args:
        year: the year, in figures or words, such as "1969", "44 BC" or "in nineteen eighty-four"
    """


@get_year_fact.implementation("embedded", deterministic=False)
def _year_fact(year: str, context: Context | None = None) -> str:
    _check_length(year)
    return _without_history(calendar_facts.year_facts(year, date.today()), year, context)


@get_year_fact.implementation(
    "cloud", packages=["httpx"], check=reason_not_allowed, deterministic=False
)
def _year_fact_and_history(year: str, context: Context | None = None) -> str:
    _check_length(year)
    today = date.today()
    asked = read_year(year, today)

    def looked_up() -> list[str]:
        # One may know the year where the other does not, and one be up where the other is down.
        events = _tried(lambda: encyclopedia.happened_in(asked, context))
        lore = _tried(lambda: [number_lore(f"{asked}/year", context)]) if asked > 0 else []
        return _either(events, lore)

    return _with_lore(calendar_facts.facts_of_year(asked, today), looked_up)


@tool(
    domain="public-api",
    examples=[
        "What happened on the 4th of July?",
        "How many days is it until Christmas?",
        "Which weekday was 20 July 1969?",
        "Tell me a fact about 29 February.",
        "What phase will the moon be in on 24 December?",
        "In which calendar week is 3 October 2027?",
        "On what day does Easter fall next year?",
        "Anything of note about 14/7?",
    ],
    aliases=["date_fact"],
)
def get_date_fact(date: Text) -> Text:
    """Tell facts about a date: what happened, weekday, days until it, calendar week, season, moon.

    Args:
        date: the date, such as "4 July", "2024-02-29", "Christmas" or "the fourth of May 1990"
    """


@get_date_fact.implementation("embedded", deterministic=False)
def _date_fact(date: str, context: Context | None = None) -> str:
    _check_length(date)
    return _without_history(calendar_facts.date_facts(date, _today()), date, context)


@get_date_fact.implementation(
    "cloud", packages=["httpx"], check=reason_not_allowed, deterministic=False
)
def _date_fact_and_history(date: str, context: Context | None = None) -> str:
    _check_length(date)
    asked = read_date(date, _today())
    path = f"{asked.month}/{asked.day}/date"

    def looked_up() -> list[str]:
        events = _tried(
            lambda: encyclopedia.happened_on(asked.month, asked.day, asked.year, context)
        )
        if isinstance(events, list) and events:
            return events
        return _either(events, _tried(lambda: [number_lore(path, context)]))

    return _with_lore(calendar_facts.facts_of_date(asked, _today()), looked_up)


def _today() -> date:
    return date.today()


def _without_history(said: str, asked: str, context: Context | None) -> str:
    """Facts of the calendar, with a word where more was asked for than the calendar knows.

    Raises ToolError where that may be looked up, so that it is.
    """
    if re.search(
        r"\b(?:happen\w*|histor\w*|events?|born|died|famous|known for|battles?|wars?|invent\w+|"
        r"discover\w*|took place|anniversar\w+)\b",
        asked,
        re.IGNORECASE,
    ):
        if context is not None and context.surroundings.public_services:
            raise ToolError("What happened then can only be looked up on the network.")
        return (
            f"{said}\nWhat happened then I can only look up on the network; allow public services "
            "for that."
        )
    return said


def _with_lore(said: str, looked_up: Callable[[], list[str]]) -> str:
    """What was reckoned here with what a service adds, or why it adds nothing."""
    try:
        found = [line for line in looked_up() if line]
    except ServiceError as error:
        return f"{said}\nI could not look up more: {error}"
    return "\n".join([*found, said]) if found else said


def _tried(ask: Callable[[], list[str]]) -> list[str] | ServiceError:
    try:
        return ask()
    except ServiceError as error:
        return error


def _either(first: list[str] | ServiceError, second: list[str] | ServiceError) -> list[str]:
    """What either of two services told; raises the first's error where neither answered."""
    told = [line for part in (first, second) if isinstance(part, list) for line in part if line]
    if not told and isinstance(first, ServiceError):
        raise first
    return told


@tool(
    domain="public-api",
    examples=[
        "Who directed Casablanca?",
        "Search for the film Metropolis.",
        "Which actors play in The Godfather?",
        "What is the movie Inception about?",
        "When did Jaws come out?",
        "Tell me about the series Breaking Bad.",
        "How long is Lawrence of Arabia?",
        "I'd like to know the cast of Some Like It Hot.",
    ],
    aliases=["movie_search"],
)
def search_movie(title: Text) -> Text:
    """Search for a film or series and tell its year, director, cast, length, genre and story.

    Args:
        title: the title of the film, such as "Casablanca" or "Who directed Metropolis (1927)?"
    """


@search_movie.implementation(
    "cloud", packages=["httpx"], check=reason_not_allowed, deterministic=False
)
def _film(title: str, context: Context | None = None) -> str:
    _check_length(title)
    named, year = asked_words.title_asked(title)
    return films.about_film(named, year, context)


@tool(
    domain="public-api",
    examples=[
        "How well do Anna and Ben match?",
        "Calculate the love score of Romeo and Juliet.",
        "Play the love calculator with Marie and Pierre.",
        "Are Tim and Bob made for each other?",
        "What per cent of love is there between Clara and Robert?",
        "Love test: Lucy + Desi",
        "I'd like to know whether Emma and Jack are a good couple, just for fun.",
        "Find out the compatibility of the names Tristan and Isolde.",
    ],
)
def love_calculator(names: Text) -> Text:
    """Play the love calculator: a game that makes a per cent of love out of two names.

    Args:
        names: the two first names, such as "Romeo and Juliet"
    """
    _check_length(names)
    pair = asked_words.names_asked(names)
    if pair is None:
        raise ToolError("The love calculator needs two names, such as “Romeo and Juliet”.")
    first, second = pair
    for name in pair:
        if not love_score.has_letters(name):
            raise ToolError(
                f"The love calculator plays with Latin letters, and “{name}” has none; write the "
                "name in Latin letters."
            )
    score = love_score.love_score(first, second)
    words = (
        "The letters see no spark; let us hope they are wrong.",
        "The letters see a friendship.",
        "The letters see a fair chance.",
        "The letters see a fine match.",
        "The letters see great love!",
    )[min(score // 20, 4)]
    return (
        f"{first} and {second}: {score} %. {words}\nThis is a game with the letters L, O, V, E and "
        "S in the two names; it says nothing about people."
    )


@tool(
    domain="public-api",
    examples=[
        "Look up Ada Lovelace in Wikipedia.",
        "What does Wikipedia say about black holes?",
        "Find the Wikipedia article on the French Revolution.",
        "Who was Nikola Tesla? Check the encyclopedia.",
        "Search Wikipedia for photosynthesis.",
        "Give me some background on the Hanseatic League from Wikipedia.",
        "wiki page of Mount Everest",
        "I need a short encyclopedia entry on jazz.",
    ],
    aliases=["wikipedia"],
)
def wikipedia_simple_search(text: Text) -> Text:
    """Look something up in Wikipedia and give the beginning of the article with its address.

    Args:
        text: the topic, name or term to look up
    """


@wikipedia_simple_search.implementation(
    "cloud", packages=["httpx"], check=reason_not_allowed, deterministic=False
)
def _wikipedia(text: str, context: Context | None = None) -> str:
    topic = asked_words.topic_asked(" ".join(text.split())[:_LONGEST])
    return encyclopedia.look_up(topic, context)


def _check_length(text: str) -> None:
    if len(text) > _LONGEST:
        raise ToolError(
            f"That is too long for this: it has {len(text):,} characters. Give me the few words "
            "that matter."
        )
