"""What a request asks about, without the asking: a place, a title, a topic, two names."""

from __future__ import annotations

import re
from typing import NamedTuple

from tools.shared.function_words import FUNCTION_WORDS
from tools.shared.tables import table_beside

_WORDS = {name: frozenset(words.split()) for name, words in table_beside(__file__).items()}
#: The lists of words that ask, by what is asked for.
_ASKING = {
    "place": ("common", "wants", "times", "place"),
    "film": ("common", "film"),
    "article": ("common", "wants", "times", "article"),
    "names": ("common", "wants", "names"),
}


class _Name(NamedTuple):
    """Neighbouring words that ask nothing; `rank` is lower the surer they are a name."""

    rank: int
    words: list[str]

    def said(self) -> str:
        return re.sub(r"['’]s$", "", " ".join(self.words))

    def capital(self) -> str:
        """From the first word with a capital to the last, all of them where none has one."""
        places = [index for index, word in enumerate(self.words) if not word[0].islower()]
        ends = slice(places[0], places[-1] + 1) if places else slice(None)
        return _Name(self.rank, self.words[ends]).said()


def _names(text: str, kind: str) -> list[_Name]:
    """What a request of some kind may name, the surest first; all of it where it asks nothing."""
    quoted = re.search(r"[\"“]([^\"”]+)[\"”]|‘([^’]+)’", text)
    if quoted and kind != "names":
        return [_Name(0, [(quoted[1] or quoted[2]).strip()])]
    pieces = re.findall(r"[\w'’.-]*\w|[^\w\s]", text.lower() if text.isupper() else text)
    bare = [re.sub(r"['’]s$", "", piece.lower()).replace("’", "'") for piece in pieces]
    idle = frozenset().union(*(_WORDS[name] for name in _ASKING[kind]))
    # "Some Like It Hot" asks nothing.
    asking = idle | _WORDS["questions"] | (FUNCTION_WORDS if kind != "film" else frozenset())
    if asking.isdisjoint(bare):
        return [_Name(0, [text])] * bool(text)
    links = _WORDS["links"] | (_WORDS["film_links"] if kind == "film" else frozenset())
    found: list[_Name] = []
    run: list[str] = []
    held: list[str] = []
    rank = 2
    for before, piece, word in zip([".", *bare], [*pieces, "."], [*bare, "."], strict=True):
        is_name = piece[0].isupper() and before not in ".?!" and not re.match("i('|$)", word)
        # "Tokyo Story": what asks elsewhere ends a name here.
        ends_name = is_name and run and rank == 0 and kind != "place"
        is_dull = word in FUNCTION_WORDS and not is_name
        if word[0].isalnum() and not is_dull and (ends_name or word not in idle):
            rank = 0 if is_name else rank if run else 1 if before in _WORDS["before"] else 2
            run, held = [*run, *held, piece], []
        elif run and word in links:
            held.append(piece)
        else:
            found += [_Name(rank, run)] * bool(run)
            run, held = [], []
    return sorted(found, key=lambda name: name.rank)


def place_asked(text: str) -> str:
    """The place that a request names, "" where it names none: "Will it rain in Lisbon?"."""
    plain = " ".join(text.split()).strip(" .!?")
    place, *others = [name.capital() for name in _names(plain, "place")] or [""]
    # "Paris, Texas": the second name says which of several is meant.
    wider = [name for name in others if f"{place}, {name}" in plain]
    return f"{place}, {wider[0]}" if wider else place


def title_asked(text: str) -> tuple[str, int | None]:
    """The title of the film that a request names, with its year where it says one."""
    plain = " ".join(text.split()).strip(" .!?")
    year = re.search(r"\s*(?:\((?=\d{4}\))|\b(?:from|of|in)\s)((?:18|19|20)\d\d)\)?", plain)
    plain = plain.replace(year[0], "") if year else plain
    titles = sorted(_names(plain, "film"), key=lambda name: (name.rank, -len(name.words)))
    return titles[0].capital() if titles else plain, int(year[1]) if year else None


def topic_asked(text: str) -> str:
    """The topic of a request to an encyclopedia: "Look up the Moka pot in Wikipedia"."""
    plain = " ".join(text.split()).strip(" .!?")
    return next((name.said() for name in _names(plain, "article")), plain)


def names_asked(text: str) -> tuple[str, str] | None:
    """The two names in a request, None where it does not name two: "Do Ann and Bo match?"."""
    found = _names("love " + re.sub(r"\bx\b", ",", text), "names")
    names = [name.capital() for name in found]
    names = found[0].words if len(found) == 1 else names
    return (names[0], names[1]) if len(names) > 1 else None
