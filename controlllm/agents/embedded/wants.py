"""What values an argument takes, told from its own name, type and description."""

from __future__ import annotations

import re
from collections.abc import Mapping

from controlllm.agents.embedded.facts import Fact, words_of
from controlllm.planning.said_values import Mention, kind_of_name
from controlllm.toolbox import Argument, Tool

_NUMBERS = frozenset(
    "amount quantity count number num days nights hours minutes seconds people guests party seats "
    "tickets year age price budget radius limit max min size percent latitude longitude lat lon "
    "lng rooms adults stars rating distance value weight height units level".split()
)
_DATED = frozenset("date dates day night yyyy datetime 8601 when".split())
_BOUNDS = frozenset("start end begin since until from to first last base quote".split())
PLACES = frozenset(
    "city town place location address country region area destination origin from to where "
    "venue airport station q query name a b near capital hotel state".split()
)
_TOWNS = frozenset(
    "city town location country region area origin destination from to where near q".split()
)
PEOPLE = frozenset(
    "person contact name author actor director player who to with recipient friend user attendee "
    "guest q query artist words text sender from".split()
)
IDS = frozenset("id ids code key ref reference sku isbn iata uuid handle token identifier".split())
TEXTS = frozenset("body message text content note notes comment description".split())
#: Names of arguments that a word before a value announces.
_ANNOUNCED = {
    "from": "from origin source start base departure sender since begin first a",
    "to": "to destination target end arrival recipient quote until into dest second b",
    "into": "to target language quote",
    "in": "city place location country target language currency quote to area where month year",
    "at": "time place venue restaurant location address hotel at",
    "on": "date day on when",
    "by": "author by artist director end deadline until",
    "for": "people guests nights party title name query for date day subject product amount",
    "near": "place location city near around area",
    "with": "attendee attendees with guest person participant contact",
    "between": "from start origin",
    "and": "to end destination quote second",
    "until": "end until to",
    "till": "end until to",
    "under": "max budget price limit",
    "below": "max budget price limit",
    "over": "min price",
    "above": "min",
    "called": "name title called",
    "named": "name title",
    "about": "about subject topic query title",
}


def wanted_kinds(argument: Argument, tool: Tool | None = None) -> dict[str, float]:
    """The kinds of values that an argument takes, with what each costs: see `Mention`."""
    name = words_of(argument.name).split()
    about = words_of(argument.description).split()
    said = set(name) | set(about)
    if tool and set(name) & _BOUNDS:
        # The tool says what begins and ends there, or is changed into what.
        told = {stem(word) for word in words_of(f"{tool.name} {tool.description}").split()}
        said |= told & {"date", "time", "language"}
        said |= {"currency"} if told & {"currency", "currenc"} else set()
    if argument.type == "number":
        return {"number": 0.0}
    kinds: dict[str, float] = {}
    if "currency" in said or "4217" in said:
        kinds["currency"] = 0.0
    if "language" in name or "lang" in name or ("language" in said and "639" in said):
        kinds["language"] = 0.0
    if {"country", "nationality"} & set(name):
        kinds |= {"country": 0.0, "name": 0.8}
    if {"email", "mail"} & set(name) or ({"email", "mail"} & set(about) and "address" in about):
        kinds |= {"email": 0.0}
    if {"phone", "telephone", "mobile"} & set(name):
        kinds |= {"phone": 0.0}
    if {"url", "link", "website"} & said:
        kinds |= {"address": 0.0}
    dated = _DATED & said or "birthday" in name
    timed = {"time", "hh", "hour", "clock", "datetime"} & said
    moment = {"datetime", "when", "start", "end", "begin"} & set(name)
    if dated and timed and (moment or "datetime" in about):
        kinds |= {"moment": 0.0, "date": 0.3}
    elif timed and not ({"zone", "timezone"} & said) and not {"date", "day"} & set(name):
        kinds["time"] = 0.0
    elif dated and (not kinds):
        kinds["date"] = 0.0
    if kinds:
        return kinds
    if (
        set(name) & IDS
        or {"iata", "icao"} & set(about)
        or (argument.type == "text" and {"id", "identifier"} & set(about[:4]))
    ):
        return {"code": 0.1, "id": 0.0}
    if set(name) & _NUMBERS and not set(name) & {"name", "title"}:
        return {"number": 0.1, "code": 0.6}
    return {"quoted": 0.05, "name": 0.1, "country": 0.25, "language": 0.35, "code": 0.4}


def misnamed(argument: Argument, tool: Tool, mention: Mention) -> float:
    """What it costs that a name is one of another kind of thing than an argument speaks of; less
    than nothing where the name itself says the kind: "Southern League"."""
    if mention.kind not in ("name", "quoted"):
        return 0.0
    name = set(words_of(argument.name).split())
    # What is only called a name is one of what the tool is about.
    nouns = name - GENERAL or set(words_of(tool.name).split()) - _VERBS
    if {stem(word) for word in words_of(mention.said).split()} & {stem(word) for word in nouns}:
        return -0.5
    kind = kind_of_name(str(mention.value))
    if not kind or not nouns:
        return 0.0
    about = nouns | set(words_of(argument.description).split())
    if kind == "place" and not about & _TOWNS and about & PLACES:
        # Where something is called a place, it is mostly one within a town.
        return 0.15
    return 0.0 if about & (PLACES if kind == "place" else PEOPLE) else 0.35


GENERAL = frozenset("name q query title what words text search term".split())
_VERBS = frozenset("find search get list lookup look up by show all".split())


def announced(argument: Argument, mention: Mention, text: str) -> float:
    """How much the words around a value speak for it: "from Oslo", "3 nights", "order A-12"."""
    name = set(words_of(argument.name).split())
    about = set(words_of(argument.description).split())
    before = re.findall(r"[a-z]+", text[max(0, mention.start - 40) : mention.start].lower())
    after = re.findall(r"[a-z]+", text[mention.end : mention.end + 30].lower())[:2]
    gain = 0.0
    directed = [word for word in before[-2:] if word in _ANNOUNCED]
    if directed:
        called = set(_ANNOUNCED[directed[-1]].split())
        if name & called:
            gain += 0.4
    near = {stem(word) for word in before[-2:]}
    if mention.kind == "number":
        unit = {stem(word) for word in after}
        if unit & {stem(word) for word in name}:
            gain += 0.4
        elif unit & {stem(word) for word in about}:
            gain += 0.25
    if near & {stem(word) for word in name}:
        gain += 0.3
    return gain


def stem(word: str) -> str:
    return re.sub(r"(?:ies|es|s)$", "", word) if len(word) > 3 else word


_NUMERAL = re.compile(r"-?\d+(?:\.\d+)?")


def is_kind(fact: Fact, wants: Mapping[str, float]) -> bool:
    """Whether a fact's value is of one of the kinds that an argument takes."""
    value = fact.value
    if isinstance(value, bool):
        return False
    if "number" in wants and isinstance(value, str) and _NUMERAL.fullmatch(value):
        return True
    if isinstance(value, int | float):
        return "number" in wants or ("id" in wants and isinstance(value, int))
    shapes = {
        "date": r"\d{4}-\d\d-\d\d(?:T.*)?",
        "moment": r"\d{4}-\d\d-\d\d.*",
        "time": r"\d\d:\d\d.*",
        "currency": r"[A-Z]{3}",
        "email": r"\S+@\S+",
        "phone": r"\+?[\d ()/-]{6,}",
        "address": r"https?://\S+",
        "id": r"\S{1,64}",
        "code": r"\S{1,64}",
        "name": r"(?!\d{4}-\d\d).{1,80}",
        "country": r"[A-Z].{1,40}",
    }
    return any(kind in wants and re.fullmatch(shape, value) for kind, shape in shapes.items())


_LISTED = re.compile(
    r"(?:one of|either|can be|possible values|values|allowed|choices?|options?)\s*:?\s*"
    r"([\w'\"`-]+(?:\s*(?:,|\||/|\bor\b)+\s*(?:or\s+)?[\w'\"`-]+)+)"
    r"|\(([\w-]+(?:\s*(?:\||/|,|\bor\b)\s*(?:or\s+)?[\w-]+)+)\)"
    r"|^([\w-]+(?:\s*(?:,|\||\bor\b)+\s*(?:or\s+)?[\w-]+)+)\.?$",
    re.IGNORECASE,
)


def listed_values(description: str) -> tuple[str, ...]:
    """The values that a description lists: "one of metric, imperial"."""
    match = _LISTED.search(description.strip())
    if match is None:
        return ()
    told = next(filter(None, match.groups()))
    found = [item.strip(" '\"`") for item in re.split(r",|\||/|\bor\b", told)]
    return tuple(dict.fromkeys(item for item in found if item))
