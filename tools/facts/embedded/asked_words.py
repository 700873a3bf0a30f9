"""What a request asks about, without the asking: a place, a title, a topic, two names."""

from __future__ import annotations

import re

from ...shared.function_words import FUNCTION_WORDS
from ...shared.tables import table_beside

_WORDS = {name: frozenset(words.split()) for name, words in table_beside(__file__).items()}
#: The lists of words that ask, by what is asked for.
_ASKING = {
    "place": ("common", "wants", "times", "place"),
    "film": ("common", "film"),
    "article": ("common", "wants", "times", "article"),
    "names": ("common", "wants", "names"),
}


def _names(text: str, kind: str) -> list[str]:
    """What a request of some kind may name, the surest first; all of it where it asks nothing."""
    quoted = re.search(r"[\"“]([^\"”]+)[\"”]|‘([^’]+)’", text)
    if quoted and kind != "names":
        return [(quoted[1] or quoted[2]).strip()]
    pieces = re.findall(r"[\w'’.-]*\w|[^\w\s]", text.lower() if text.isupper() else text)
    bare = [re.sub(r"['’]s$", "", piece.lower()).replace("’", "'") for piece in pieces]
    idle = frozenset().union(*(_WORDS[name] for name in _ASKING[kind]))
    # "Some Like It Hot" asks nothing.
    asking = idle | _WORDS["questions"] | (FUNCTION_WORDS if kind != "film" else frozenset())
    if asking.isdisjoint(bare):
        return [text] * bool(text)
    links = _WORDS["links"] | (_WORDS["film_links"] if kind == "film" else frozenset())
    # Words that may be a name, with a rank that is lower the surer they are one.
    found: list[tuple[int, list[str]]] = []
    run: list[str] = []
    held: list[str] = []
    rank = 2
    for before, piece, word in zip([".", *bare], [*pieces, "."], [*bare, "."], strict=True):
        is_name = piece[0].isupper() and before not in ".?!" and not re.match("i('|$)", word)
        # "Tokyo Story", "Cape Town": what asks elsewhere ends a name here, but no "Oslo Friday".
        is_time = kind == "place" and word in _WORDS["times"]
        ends_name = is_name and run and rank == 0 and not is_time
        is_dull = word in FUNCTION_WORDS and (kind == "names" or not is_name)
        if word[0].isalnum() and not is_dull and (ends_name or word not in idle):
            # "gloomy London": a name begins at the capital, but not a topic, "history of Rome".
            begins = is_name and kind != "article" and run and run[0][0].islower()
            joined = [] if begins else [*run, *held]
            rank = 0 if is_name else rank if run else 1 if before in _WORDS["before"] else 2
            run, held = [*joined, piece], []
        elif run and word in links:
            held.append(piece)
        else:
            found += [(rank, run)] * bool(run)
            run, held, rank = [], [], 2
    found.sort(key=lambda name: (name[0], -len(name[1]) * (kind == "film")))
    return [re.sub(r"['’]s$", "", " ".join(words)) for _, words in found]


def place_asked(text: str) -> str:
    """The place that a request names, "" where it names none: "Will it rain in Lisbon?"."""
    plain = re.sub(r"^(?:a?round|outside|near) ", "", " ".join(text.split()).strip(" .!?"))
    place, *others = _names(plain, "place") or [""]
    # "Paris, Texas": the second name says which of several is meant.
    return next((f"{place}, {name}" for name in others if f"{place}, {name}" in plain), place)


def title_asked(text: str) -> tuple[str, int | None]:
    """The title of the film that a request names, with its year where it says one."""
    plain = " ".join(text.split()).strip(" .!?")
    year = re.search(r"\s*(?:\((?=\d{4}\))|\b(?:from|of|in)\s)((?:18|19|20)\d\d)\)?", plain)
    plain = plain.replace(year[0], "") if year else plain
    return next(iter(_names(plain, "film")), plain), int(year[1]) if year else None


def topic_asked(text: str) -> str:
    """The topic of a request to an encyclopedia: "Look up the Moka pot in Wikipedia"."""
    plain = " ".join(text.split()).strip(" .!?")
    return next(iter(_names(plain, "article")), plain)


def names_asked(text: str) -> tuple[str, str] | None:
    """The two names in a request, None where it does not name two: "Do Ann and Bo match?"."""
    names = _names("love " + re.sub(r"\bx\b", ",", text), "names")
    names = names[0].split() if len(names) == 1 else names
    return (names[0], names[1]) if len(names) > 1 else None
